/**
 * Drum grooves as players write them down. One line a groove: lanes separated by `;`, each a letter of `LANES` and its beats between `|`; a beat has as many
 * equal steps as it has characters (1, 2, 4 straight; 3, 6 triplets; 8 rolls). Signs: `X` accent, `x` firm, `o` medium, `s` soft, `g` ghost, `f` flam,
 * `r` three strokes in the step, `q` two strokes, `.` nothing. Lanes may be longer than one bar and of different lengths. All are our own.
 */
export interface GrooveFamily {
  /** Of moderate energy; the seed chooses one. */
  readonly base: readonly string[];
  /** For choruses and drops; absent: base with more on top. */
  readonly lift?: readonly string[];
  /** For thin moments; absent: the time-keeper and little else. */
  readonly light?: readonly string[];
  /** Tempo at which it is written: from about half of this it is played twice as fast, from about double half as fast. Absent: as it is. */
  readonly bpm?: number;
}

/** Keys of the General MIDI percussion map. */
export const LANES: Readonly<Record<string, number>> = {
  K: 36,
  k: 35,
  R: 37,
  S: 38,
  C: 39,
  E: 40,
  H: 42,
  P: 44,
  O: 46,
  D: 51,
  B: 53,
  Y: 49,
  Z: 57,
  N: 52,
  L: 55,
  "1": 50,
  "2": 48,
  "3": 47,
  "4": 45,
  "5": 43,
  "6": 41,
  T: 54,
  W: 56,
  a: 60,
  b: 61,
  c: 62,
  d: 63,
  e: 64,
  f: 65,
  g: 66,
  h: 67,
  i: 68,
  j: 69,
  m: 70,
  n: 73,
  o: 74,
  q: 75,
  r: 76,
  s: 77,
  t: 78,
  u: 79,
  v: 80,
  w: 81,
};

export const GROOVES: Readonly<Record<string, GrooveFamily>> = {
  // Song
  pop: {
    base: [
      "K X...|..x.|x...|....;S ....|X...|....|X...;H x.o.|x.o.|x.o.|x.o.",
      "K X..x|....|..x.|....;S ....|X...|....|X...;H xsos|xsos|xsos|xsos",
      "K X...|..x.|..x.|x...;S ....|X...|....|X...;C ....|o...|....|o...;H x.x.|x.x.|x.x.|x.x.",
    ],
    lift: [
      "K X...|x...|x...|x...;S ....|X...|....|X...;C ....|x...|....|x...;O ..x.|..x.|..x.|..x.;T o.o.|o.o.|o.o.|o.o.",
      "K X..x|..x.|x.x.|..x.;S ....|X...|....|X...;C ....|x...|....|x...;H xoxo|xoxo|xoxo|xox.;O ....|....|....|...o",
    ],
    light: [
      "K X...|....|....|....;R ....|o...|....|o...;H o.s.|o.s.|o.s.|o.s.",
      "K X...|....|x...|....;C ....|o...|....|o...",
    ],
  },
  synthpop: {
    base: [
      "K X...|x...|X...|x...;S ....|X...|....|X...;H x.x.|x.x.|x.x.|x.x.",
      "K X...|..x.|X...|..x.;S ....|X...|....|X...;C ....|x...|....|x...;H xsxs|xsxs|xsxs|xsxs",
      "K X...|....|X.x.|....;S ....|X...|....|X..g;H x.o.|x.o.|x.o.|x.o.;W ....|....|..o.|....",
    ],
    lift: [
      "K X...|X...|X...|X...;S ....|X...|....|X...;C ....|X...|....|X...;O ..x.|..x.|..x.|..x.;H xoxo|xoxo|xoxo|xoxo",
    ],
  },
  soft: {
    base: [
      "K X...|....|x...|....;R ....|x...|....|x...;H o.s.|o.s.|o.s.|o.s.",
      "K X...|....|..x.|....;S ....|o...|....|o...;H o.o.|o.o.|o.o.|o.o.",
    ],
    lift: ["K X...|..x.|x...|....;S ....|x...|....|x...;D x.o.|x.o.|x.o.|x.o."],
    light: ["H o...|s...|o...|s...;K o...|....|....|....", "T ....|o...|....|o..."],
  },
  folk_kit: {
    base: [
      "K X...|....|X...|....;R ....|x...|....|x...;H o.s.|o.s.|o.s.|o.s.",
      "K X...|..o.|X...|....;S ..g.|o...|..g.|o.g.",
    ],
    lift: ["K X...|x...|X...|x...;S ..g.|x.g.|..g.|x.g.;T x.x.|x.x.|x.x.|x.x."],
  },
  brush_ballad: {
    base: [
      "S o.s.|x.s.|o.s.|x.s.;K o...|....|o...|....;P ....|o...|....|o...",
      "S os.s|x..s|os.s|x.s.;K x...|....|..o.|....",
    ],
    light: ["S o.s.|o.s.|o.s.|o.s."],
  },
  // Rock
  rock: {
    base: [
      "K X...|....|X.x.|....;S ....|X...|....|X...;H X.x.|X.x.|X.x.|X.x.",
      "K X...|..x.|x.x.|....;S ....|X...|....|X..g;H x.x.|x.x.|x.x.|x.x.",
      "K X.x.|....|..x.|....;S ....|X...|....|X...;H X.o.|X.o.|X.o.|X.o.",
      "K X...|...x|x...|..x.;S ....|X..g|.g..|X...;H x.x.|x.x.|x.x.|x.x.",
    ],
    lift: [
      "K X...|..x.|X.x.|..x.;S ....|X...|....|X...;D X.x.|X.x.|X.x.|X.x.",
      "K X.x.|..x.|X.x.|..x.;S ....|X...|....|X...;Y X...|x...|X...|x...",
      "K X...|x...|X.x.|x...;S ....|X...|....|X...;O X...|X...|X...|X...;D ..x.|..x.|..x.|..x.",
    ],
    light: [
      "K X...|....|X...|....;R ....|x...|....|x...;H x.o.|x.o.|x.o.|x.o.",
      "6 x.o.|x.o.|x.o.|x.o.;K X...|....|....|....",
    ],
  },
  indie: {
    base: [
      "K X...|x...|X...|x...;S ....|X...|....|X...;H xoxo|xoxo|xoxo|xoxo",
      "K X...|..x.|..x.|....;S ....|X...|....|X.g.;H xsos|xsos|xsos|xsos;T ....|o...|....|o...",
      "K X..x|....|x..x|....;S ....|X...|....|X...;6 ..o.|..o.|..o.|..o.;H x...|x...|x...|x...",
    ],
    lift: [
      "K X...|x...|X...|x...;S ....|X...|....|X...;O ..X.|..X.|..X.|..X.;H x...|x...|x...|x...",
      "K X..x|..x.|x..x|..x.;S ....|X...|....|X...;Y x...|x...|x...|x...",
    ],
  },
  punk: {
    bpm: 180,
    base: [
      "K X...|..x.|X...|..x.;S ....|X...|....|X...;H X.x.|X.x.|X.x.|X.x.",
      "K X.x.|....|..x.|....;S ..X.|..X.|..X.|..X.;H X...|X...|X...|X...;K ....|x...|x...|x...",
    ],
    lift: [
      "K X..x|..x.|X..x|..x.;S ....|X...|....|X...;Y X...|X...|X...|X...",
      "K X..x|..x.|..x.|x...;S ....|X...|....|X...;D X.x.|X.x.|X.x.|X.x.",
    ],
    light: ["6 X.x.|X.x.|X.x.|X.x.;5 ..o.|..o.|..o.|..o.", "K X...|x...|X...|x...;H X...|X...|X...|X..."],
  },
  grunge: {
    base: [
      "K X...|..x.|..x.|x...;S ....|X...|....|X...;H X...|x...|X...|x...",
      "K X.x.|....|x.x.|....;S ....|X...|....|X...;O X...|X...|X...|X...",
    ],
    lift: [
      "K X.x.|..x.|X.x.|..x.;S ....|X...|....|X...;Y X...|X...|X...|X...",
      "K X...|..xx|X...|..x.;S ....|X...|....|X...;O X...|X...|X...|X...",
    ],
    light: ["K X...|....|X...|....;R ....|x...|....|x...;D o...|o...|o...|o..."],
  },
  metal: {
    bpm: 140,
    base: [
      "K XxX.|x.xX|..Xx|X.x.;S ....|X...|....|X...;N X...|x...|X...|x...",
      "K X.xx|X.xx|X.xx|X.xx;S ....|X...|....|X...;H X...|X...|X...|X...",
      "K X..x|..x.|.x..|x.xx;S ....|X...|....|X...;O X...|X...|X...|X...",
    ],
    lift: [
      "K xxxx|xxxx|xxxx|xxxx;S ....|X...|....|X...;D X.x.|X.x.|X.x.|X.x.",
      "K x.x.|x.x.|x.x.|x.x.;S .x.x|.x.x|.x.x|.x.x;D X.X.|X.X.|X.X.|X.X.",
      "K xxxx|xxxx|xxxx|xxxx;S ....|....|X...|....;N X...|X...|X...|X...",
    ],
    light: ["6 X..x|..x.|X..x|..x.;K X...|....|X...|....", "K X...|....|....|....;D x...|x...|x...|x..."],
  },
  post_rock: {
    base: [
      "K X...|....|..x.|....;S ....|....|X...|....;D x.o.|x.o.|x.o.|x.o.",
      "K X...|..x.|....|x...;S ....|X...|....|X...;6 ..o.|..o.|..o.|o.o.",
    ],
    lift: [
      "K X.x.|..x.|X.x.|..x.;S ....|X...|....|X.xx;Y X...|X...|X...|X...",
      "K X...|x...|X...|x...;S x.x.|X.x.|x.x.|X.xx;Z X...|....|X...|....",
    ],
    light: ["D o...|s...|o...|s...", "6 o...|..s.|o...|..s.;Y ....|....|s...|...."],
  },
  surf: {
    base: [
      "K X...|..x.|X...|....;S ....|X.x.|....|X...;D X.x.|X.x.|X.x.|X.x.",
      "K X...|x...|X...|x...;S ....|X.x.|....|X.x.;H X.x.|X.x.|X.x.|X.x.",
    ],
    lift: ["K X...|x...|X...|x...;S ....|X.x.|....|X.x.;D X.x.|X.x.|X.x.|X.x.;6 ..x.|....|..x.|...."],
    light: ["6 X.o.|x.o.|X.o.|x.o.;4 ....|..o.|....|..o."],
  },
  rockabilly: {
    base: [
      "K X...|....|X...|....;S ..g.|X.g.|..g.|X.g.;D X...|X.x.|X...|X.x.",
      "K X...|x...|X...|x...;S ....|X.o.|....|X.o.;H x.x.|x.x.|x.x.|x.x.",
    ],
    lift: ["K X...|x...|X...|x...;S g.g.|X.g.|g.g.|X.x.;D X.x.|X.x.|X.x.|X.x."],
  },
  // Roots
  shuffle: {
    base: [
      "K X..|..o|X..|..o;S ...|X..|...|X..;H x.x|x.x|x.x|x.x",
      "K X..|...|x.x|...;S ..g|X.g|..g|X.g;D x.x|x.x|x.x|x.x",
    ],
    lift: ["K X..|x..|X..|x..;S ..g|X.g|..g|X.x;D X.x|X.x|X.x|X.x;P ...|x..|...|x.."],
    light: ["S o.s|x.s|o.s|x.s;K x..|...|o..|..."],
  },
  slow_blues: {
    base: ["K X..|...|X.x|...;S ...|X..|...|X..;H xxx|xxx|xxx|xxx"],
    lift: ["K X..|..x|X.x|..x;S ...|X..|...|X.g;D xox|xox|xox|xox"],
  },
  gospel: {
    base: [
      "K X...|..x.|.xX.|....;S ....|X..g|.g..|X..g;H xoxo|xoxo|xoxo|xoxo",
      "K X..x|....|X.x.|...x;S .g..|X..g|.g..|X.g.;D x.x.|x.x.|x.x.|x.x.",
    ],
    lift: [
      "K X..x|..x.|X.x.|x.x.;S .g.g|X..g|.g.g|X.xx;D X.x.|X.x.|X.x.|X.x.;C ....|X...|....|X...;T xoxo|xoxo|xoxo|xoxo",
    ],
  },
  soul: {
    base: [
      "K X...|..x.|..x.|....;S ....|X..g|.g..|X...;H x.x.|x.x.|x.x.|x.x.",
      "K X.x.|....|..x.|.x..;S ....|X...|.g..|X..g;H xoxo|xoxo|xoxo|xoxo",
    ],
    lift: ["K X.x.|..x.|..x.|.x..;S ....|X..g|.g..|X.g.;D X.x.|X.x.|X.x.|X.x.;T ....|x...|....|x..."],
  },
  motown: {
    base: [
      "K X...|..x.|X...|..x.;S x...|X...|x...|X...;H x.x.|x.x.|x.x.|x.x.",
      "K X...|x.x.|X...|x.x.;S ....|X...|....|X...;T xoxo|Xoxo|xoxo|Xoxo;H x.x.|x.x.|x.x.|x.x.",
    ],
    lift: ["K X...|x.x.|X...|x.x.;S X...|X...|X...|X...;T xoxo|Xoxo|xoxo|Xoxo"],
  },
  funk: {
    base: [
      "K X.x.|....|..x.|.x..;S ....|X..g|.g.g|X..g;H xoxo|xoxo|xoxo|xoxo",
      "K X..x|..x.|...x|..x.;S .g..|X..g|.gg.|X.g.;H xsxs|xsxs|xsxs|xs..;O ....|....|....|..x.",
      "K Xx..|...x|..x.|....;S ..g.|X.g.|.g.g|..X.;H x.xo|x.xo|x.xo|x.x.;O ....|....|....|...o",
    ],
    lift: [
      "K X.xx|....|..xx|.x..;S .g.g|X..g|.g.g|X.gg;H Xoxo|Xoxo|Xoxo|Xo..;O ....|....|....|..X.",
      "K X..x|..xx|..x.|.xx.;S .g..|X..g|.g.g|X.gg;D X.xx|X.xx|X.xx|X.xx",
    ],
  },
  disco: {
    bpm: 118,
    base: [
      "K X...|X...|X...|X...;S ....|X...|....|X...;O ..X.|..X.|..X.|..X.;H xo..|xo..|xo..|xo..",
      "K X...|X...|X...|X...;S ....|X...|....|X..g;O ..x.|..x.|..x.|..x.;H x..o|x..o|x..o|x..o;T ..o.|..o.|..o.|..o.",
    ],
    lift: [
      "K X...|X...|X...|X...;S ....|X..g|.g..|X...;C ....|X...|....|X...;O ..X.|..X.|..X.|..X.;H xo.x|xo.x|xo.x|xo.x;T xoXo|xoXo|xoXo|xoXo",
    ],
    light: ["K X...|X...|X...|X...;H ..x.|..x.|..x.|..x.", "C ....|x...|....|x...;H xoxo|xoxo|xoxo|xoxo"],
  },
  rnb: {
    base: [
      "K X...|...x|..x.|....;S ....|x...|....|x...;C ....|X...|....|X...;H x.xx|x.x.|x.xq|x.x.",
      "K X..x|....|.xx.|....;R ....|X...|....|X...;C ....|o...|....|o...;H xsxs|xsxs|xsxr|xsxs",
    ],
    lift: [
      "K X..x|...x|.xx.|...x;C ....|X...|....|X...;S ....|x...|....|x...;H xxxx|x.xr|xxxx|xqxx;O ....|..x.|....|..x.",
    ],
  },
  neo_soul: {
    base: [
      "K X..x|....|..xx|....;S ....|X..g|.g..|X...;H x.xo|x.xo|x.xo|x.xo",
      "K X...|..gx|.x..|....;R ....|X...|..g.|X...;H xsxs|x.xs|xsxs|x.x.",
    ],
    lift: ["K X..x|..x.|..xx|.x..;S .g..|X..g|.g.g|X.g.;D x.xo|x.xo|x.xo|x.xo"],
  },
  // Hip hop and after
  boom_bap: {
    bpm: 90,
    base: [
      "K X...|...x|..x.|....;S ....|X...|....|X...;H x.x.|x.x.|x.x.|x.x.",
      "K X.x.|....|.xx.|....;S ....|X..g|.g..|X...;H x.xo|x.xo|x.xo|x.xo",
      "K X..x|....|..xx|...x;S ....|X...|....|X..g;H x.x.|x.x.|x.x.|x...;O ....|....|....|..x.",
    ],
    lift: ["K X.xx|...x|.xx.|....;S ....|X..g|.g..|X.g.;H xoxo|xoxo|xoxo|xo..;O ....|....|....|..x."],
    light: ["K X...|...x|..x.|....;H x.o.|x.o.|x.o.|x.o.", "S ....|x...|....|x...;H x.x.|x.x.|x.x.|x.x."],
  },
  hip_hop: {
    bpm: 92,
    base: [
      "K X..x|....|X.x.|....;S ....|X...|....|X...;C ....|X...|....|X...;H xxxx|x.xx|xxxx|x.xq",
      "K X...|..x.|.x.x|....;C ....|X...|....|X...;H x.x.|x.x.|x.xx|x.x.;W ....|....|....|..o.",
    ],
    lift: [
      "K X..x|..x.|X.x.|.x..;S ....|X...|....|X...;C ....|X...|....|X...;H xxxx|xxxq|xxxx|xrxx;O ....|..x.|....|....",
    ],
  },
  trap: {
    bpm: 142,
    base: [
      "K X...|...x|....|..x.;S ....|....|X...|....;C ....|....|X...|....;H x.x.|x.xx|x.x.|xrx.",
      "K X...|....|..x.|....|X..x|..x.|....|....;C ....|....|X...|....;H x.x.|x.x.|xqx.|x.r.|x.x.|x.xx|x.x.|rrx.",
      "K X..x|....|....|x...|X...|..x.|....|.x..;C ....|....|X...|....;E ....|....|....|..g.;H xxxx|x.x.|xxxx|r.x.",
    ],
    lift: [
      "K X..x|..x.|....|x.x.;S ....|....|X...|....;C ....|....|X...|....;H xxxx|xqxx|xxxr|xrqx;O ....|....|....|..x.",
      "K X...|.x.x|....|x..x;C ....|....|X...|..g.;S ....|....|X...|....;H xqxx|xxxx|rxrx|xxqq;R ....|..o.|....|.o..",
    ],
    light: ["H x.x.|x.x.|x.x.|xrx.;R ....|....|o...|....", "C ....|....|x...|....;H o.o.|o.o.|o.o.|o.q."],
  },
  drill: {
    bpm: 142,
    base: [
      "K X...|...x|....|....|X..x|....|..x.|....;C ....|....|X...|....|....|....|....|X...;S ....|....|x...|....|....|....|....|x...;H x..x|..x.|x..x|..xr|x..x|..x.|x.r.|x.x.",
      "K X..x|....|..x.|....;C ....|....|X...|....|....|....|...X|....;H x..x|..x.|.x.x|..r.;R ....|.o..|....|...o",
    ],
    lift: [
      "K X..x|...x|..x.|....|X..x|..x.|..x.|.x..;C ....|....|X...|....|....|....|....|X...;S ....|....|X...|....|....|....|....|X...;H x..x|..xq|x..x|..xr|xq.x|..x.|r.r.|xqxx",
    ],
    light: ["H x..x|..x.|x..x|..x.;R ....|....|x...|...."],
  },
  lofi: {
    bpm: 80,
    base: [
      "K X...|...o|..x.|....;S ....|x...|....|x...;H o.s.|o.ss|o.s.|o.s.",
      "K X.o.|....|.x..|....;R ....|x...|....|x..g;H o.o.|o.o.|o.o.|s.o.",
      "K X..o|....|..x.|.o..;S ....|x..g|....|x...;H os.s|o.s.|os.s|o.s.;m ..g.|..g.|..g.|..g.",
    ],
    lift: ["K X..o|...o|..x.|.o..;S ....|x..g|.g..|x...;H o.so|o.so|o.so|o...;O ....|....|....|..o."],
    light: ["H o.s.|o.s.|o.s.|o.s.;K o...|....|....|....", "R ....|o...|....|o..."],
  },
  // Jazz
  swing_ride: {
    base: [
      "D x.|xx|x.|xx;P ..|o.|..|o.;K s.|..|s.|..;S ..|.g|..|..|.g|..|..|g.",
      "D x.|xx|x.|xx;P ..|o.|..|o.;S ..|..|.o|..|..|.g|..|.o;K s.|s.|s.|s.",
      "D x.|xo|x.|xo;P ..|o.|..|o.;R ..|..|..|o.;K g.|g.|g.|g.",
    ],
    lift: [
      "D X.|Xx|X.|Xx;P ..|x.|..|x.;S .o|..|.x|..|..|.o|..|xg;K o.|..|.o|..|..|o.|..|.x",
      "D X.|Xx|X.|Xx;P ..|x.|..|x.;K o.|o.|o.|o.;S ..|.x|..|.o",
    ],
    light: ["H ..|o.|..|o.;D o.|..|o.|..", "S o.|xs|o.|xs;P ..|o.|..|o."],
  },
  big_band: {
    base: [
      "K o.|o.|o.|o.;D X.|Xx|X.|Xx;P ..|x.|..|x.;S ..|..|..|o.|..|..|.x|..",
      "K o.|o.|o.|o.;H x.|..|x.|..;O ..|xx|..|xx;S ..|..|..|.g",
    ],
    lift: ["K x.|x.|x.|x.;D X.|Xx|X.|Xx;P ..|x.|..|x.;S ..|X.|..|X.;Y ..|..|..|.x"],
    light: ["P ..|x.|..|x.;D o.|oo|o.|oo"],
  },
  jazz_brush: {
    base: ["S ox|xo|ox|xo;P ..|o.|..|o.;K g.|g.|g.|g.", "S o.|xs|o.|xs;D s.|ss|s.|ss;P ..|o.|..|o."],
    lift: ["D x.|xx|x.|xx;P ..|o.|..|o.;S ..|.o|..|o.;K s.|.s|s.|.s"],
  },
  smooth: {
    base: [
      "K X...|..x.|x..x|....;R ....|x...|....|x...;H xoso|xoso|xoso|xoso",
      "K X..x|....|..x.|....;S ....|x..g|....|x...;H x.os|x.os|x.os|x.os",
    ],
    lift: ["K X..x|..x.|..xx|....;S ....|x..g|.g..|x.g.;D x.os|x.os|x.os|x.os;O ....|....|....|..o."],
  },
  // Four on the floor
  house: {
    bpm: 124,
    base: [
      "K X...|X...|X...|X...;C ....|X...|....|X...;O ..X.|..X.|..X.|..X.;H ...o|...o|...o|.o.o",
      "K X...|X...|X...|X...;S ....|x...|....|x...;C ....|X...|....|X...;O ..x.|..x.|..x.|..x.;m xoxo|xoxo|xoxo|xoxo",
    ],
    lift: [
      "K X...|X...|X...|X...;C ....|X...|....|X..o;O ..X.|..X.|..X.|..X.;H xoxo|xoxo|xoxo|xoxo;T ..x.|..x.|..x.|..x.;D x...|x...|x...|x...",
    ],
    light: ["H ..x.|..x.|..x.|..x.;C ....|x...|....|x...", "K X...|X...|X...|X...;m o.o.|o.o.|o.o.|o.o."],
  },
  deep_house: {
    bpm: 122,
    base: [
      "K X...|X...|X...|X...;R ...o|....|.o..|..o.;C ....|o...|....|o...;O ..o.|..o.|..o.|..o.;m sosg|sosg|sosg|sosg",
      "K X...|X...|X...|X...;R ....|x...|....|x..o;H ..x.|..x.|..x.|.sx.;j g.s.|g.s.|g.s.|g.s.",
    ],
    lift: [
      "K X...|X...|X...|X...;C ....|x...|....|x...;R ...o|....|.o..|..o.;O ..x.|..x.|..x.|..x.;D o.s.|o.s.|o.s.|o.s.;m sosg|sosg|sosg|sosg",
    ],
    light: ["K x...|x...|x...|x...", "R ...o|....|.o..|..o.;m s.s.|s.s.|s.s.|s.s."],
  },
  tech_house: {
    bpm: 126,
    base: [
      "K X...|X...|X...|X...;C ....|X...|....|X...;H ..x.|..x.|..x.|..x.;m xsos|xsos|xsos|xsos;2 ...o|....|..o.|.o..",
      "K X...|X...|X...|X...;C ....|x...|....|x...;O ..x.|..x.|..x.|..x.;R ..o.|.o..|o..o|..o.;W ....|...o|....|..o.",
    ],
    lift: [
      "K X...|X...|X...|X...;C ....|X...|....|X.oo;O ..X.|..X.|..X.|..X.;m Xsxs|Xsxs|Xsxs|Xsxs;R ..x.|.x..|x..x|..x.;D x...|x...|x...|x...",
    ],
  },
  techno: {
    bpm: 132,
    base: [
      "K X...|X...|X...|X...;H ..x.|..x.|..x.|..x.;R ...o|..o.|.o..|o..o",
      "K X...|X...|X...|X...;O ..x.|..x.|..x.|..x.;H xxxx|xxxx|xxxx|xxxx;6 ...s|..s.|...s|.s..",
      "K X...|X...|X...|X...;H x.xx|x.xx|x.xx|x.xx;C ....|....|....|x...",
    ],
    lift: [
      "K X...|X...|X...|X...;O ..X.|..X.|..X.|..X.;H xxxx|xxxx|xxxx|xxxx;D X.x.|X.x.|X.x.|X.x.;C ....|x...|....|x...",
      "K X...|X...|X...|X...;O ..X.|..X.|..X.|..X.;R x..x|..x.|.x..|x.x.;D xoxo|xoxo|xoxo|xoxo",
    ],
    light: ["K X...|X...|X...|X...", "H ..x.|..x.|..x.|..x.;R ...o|..o.|.o..|o..o"],
  },
  trance: {
    bpm: 138,
    base: [
      "K X...|X...|X...|X...;C ....|x...|....|x...;O ..X.|..X.|..X.|..X.;H xoxo|xoxo|xoxo|xoxo",
      "K X...|X...|X...|X...;O ..X.|..X.|..X.|..X.;H x..x|x..x|x..x|x..x;S ....|o...|....|o...",
    ],
    lift: [
      "K X...|X...|X...|X...;C ....|X...|....|X...;S ....|x...|....|x...;O ..X.|..X.|..X.|..X.;H xxxx|xxxx|xxxx|xxxx;D x.x.|x.x.|x.x.|x.x.",
    ],
  },
  edm: {
    bpm: 126,
    base: [
      "K X...|X...|X...|X...;C ....|X...|....|X...;H ..x.|..x.|..x.|..x.",
      "K X...|..x.|X...|....;S ....|X...|....|X...;C ....|X...|....|X...;H xoxo|xoxo|xoxo|xoxq",
    ],
    lift: [
      "K X...|X...|X...|X...;C ....|X...|....|X...;S ....|X...|....|X...;O ..X.|..X.|..X.|..X.;Y X...|....|....|....;H xoxo|xoxo|xoxo|xoxo",
    ],
    light: ["C ....|x...|....|x...;H x.x.|x.x.|x.x.|x.x.", "C x...|..x.|..x.|...."],
  },
  hardstyle: {
    bpm: 150,
    base: [
      "K X...|X...|X...|X...;6 ..x.|..x.|..x.|..x.;C ....|X...|....|X...",
      "K X...|X...|X...|X...;C ....|X...|....|X...;O ..X.|..X.|..X.|..X.",
    ],
    lift: [
      "K X..x|X..x|X..x|X.xx;C ....|X...|....|X...;O ..X.|..X.|..X.|..X.;Y X...|....|X...|....",
      "K X...|X...|X...|X.X.;6 ..X.|..X.|..X.|..X.;S ....|X...|....|X...;O ..X.|..X.|..X.|..X.;D X...|X...|X...|X...",
    ],
  },
  electro: {
    bpm: 124,
    base: [
      "K X...|..x.|..x.|..x.;S ....|X...|....|X...;H xxxx|xxxx|xxxx|xxxx;W ...o|....|..o.|....",
      "K X..x|..x.|.x..|..x.;S ....|X...|....|X...;H x.xx|x.xx|x.xx|x.xx;C ....|x...|....|x.o.",
      "K X.x.|....|x..x|..x.;S ....|X...|....|X...;H xoxo|xoxo|xoxo|xoxo;6 ....|..o.|....|...o",
    ],
    lift: [
      "K X..x|..x.|.xx.|..x.;S ....|X...|....|X..x;C ....|X...|....|X...;H xxxx|xxxx|xxxx|xxrx;W x..x|..x.|x..x|..x.;O ..x.|....|..x.|....",
    ],
  },
  // Broken
  dubstep: {
    bpm: 140,
    base: [
      "K X...|....|....|..x.;S ....|....|X...|....;C ....|....|X...|....;H x.x.|x..x|x.x.|.xx.",
      "K X...|..x.|....|...x|X...|....|....|..x.;S ....|....|X...|....;H x..x|..x.|x..x|..xr",
    ],
    lift: [
      "K X..x|....|....|x.x.|X...|..x.|....|..xx;S ....|....|X...|....;C ....|....|X...|....;O ..x.|....|..x.|....;H xoxo|xoxr|xoxo|xqxr;Y X...|....|....|....",
    ],
    light: ["H x...|..x.|x...|..x.;R ....|....|x...|...."],
  },
  dnb: {
    bpm: 174,
    base: [
      "K X...|....|..X.|....;S ....|X...|....|X...;H x.x.|x.x.|x.x.|x.x.",
      "K X...|....|..X.|....;S ....|X..g|.g..|X...;H xoxo|xoxo|xoxo|xoxo;R ...o|....|....|..o.",
      "K X.x.|....|..X.|....;S ....|X...|.g.g|X..g;D x.x.|x.x.|x.x.|x.x.",
    ],
    lift: [
      "K X...|..x.|..X.|....;S ....|X..g|.g.g|X..g;H XoXo|XoXo|XoXo|XoXo;D x.x.|x.x.|x.x.|x.x.;O ....|....|....|..x.",
      "K X.x.|....|..X.|.x..;S .g..|X..g|.g.g|X.gg;O ..x.|..x.|..x.|..x.;D X...|X...|X...|X...",
    ],
    light: ["H x.o.|x.o.|x.o.|x.o.", "D x.x.|x.x.|x.x.|x.x.;R ....|x...|....|x..."],
  },
  jungle: {
    bpm: 168,
    base: [
      "K X.x.|....|..xx|....|X.x.|....|....|..x.;S ....|X..x|.x..|X..x|.g..|X..x|.x..|..X.;D x.x.|x.x.|x.x.|x.x.",
      "K X.x.|....|..x.|....|X...|..x.|.x..|....;S ....|X..g|.x.g|X..g|..x.|X..x|...x|X.x.;H xoxo|xoxo|xoxo|xoxo",
    ],
    lift: [
      "K X.x.|..x.|..xx|....|X.xx|....|..x.|..x.;S .g.g|X..x|.x.g|X..x|.g.x|X.gx|.x.x|.xXx;D X.x.|X.x.|X.x.|X.x.;O ....|....|....|..x.|....|....|....|x...",
    ],
    light: ["D x.o.|x.o.|x.o.|x.o.;S ....|o..g|.g..|o..."],
  },
  garage: {
    bpm: 132,
    base: [
      "K X...|....|..x.|....;C ....|X...|....|X...;S ....|x...|....|x...;H x.xo|x.xo|..xo|x.xo;R ...o|....|.o.o|....",
      "K X..x|....|..x.|..x.;C ....|X...|....|X...;H ..x.|..x.|..x.|..xo;O ..x.|....|..x.|....;R .o..|...o|.o..|...o",
    ],
    lift: [
      "K X..x|....|..xx|....;C ....|X...|....|X...;S ....|X..g|.g..|X..g;O ..x.|..x.|..x.|..x.;H xsxo|xsxo|xsxo|xsxo;R ...x|....|.x.x|....",
    ],
  },
  breaks: {
    bpm: 95,
    base: [
      "K X.x.|....|..xx|....;S ....|X..g|.g..|X..g;H x.x.|x.x.|x.x.|x.x.",
      "K X..x|....|.xx.|.x..;S ....|X...|.g.g|X...;D x.x.|x.x.|x.x.|x.x.",
      "K X...|...x|..x.|..x.;S .g..|X..g|.g..|X.g.;H xoxo|xoxo|xoxo|xo..;O ....|....|....|..x.",
    ],
    lift: [
      "K X.x.|...x|..xx|....;S .g..|X..g|.g.g|X..g;H xoxo|xoxo|xoxo|xo..;O ....|....|....|..x.;T x.x.|x.x.|x.x.|x.x.",
    ],
    light: ["K X...|....|..x.|....;H o.o.|o.o.|o.o.|o.o."],
  },
  downtempo: {
    bpm: 90,
    base: [
      "K X...|....|..x.|....;S ....|x...|....|x...;H o.os|o.os|o.os|o.os",
      "K X...|...x|....|x...;R ....|x...|....|x...;m osos|osos|osos|osos",
    ],
    lift: ["K X..x|....|..x.|.x..;S ....|x...|....|x..g;H oxox|oxox|oxox|ox..;O ....|....|....|..o."],
    light: ["m o.s.|o.s.|o.s.|o.s.", "K x...|....|....|....;R ....|....|o...|...."],
  },
  synthwave: {
    bpm: 100,
    base: [
      "K X...|X...|X...|X...;S ....|X...|....|X...;H x.x.|x.x.|x.x.|x.x.",
      "K X...|..x.|X...|....;S ....|X...|....|X...;H xoxo|xoxo|xoxo|xoxo",
    ],
    lift: [
      "K X...|X...|X...|X...;S ....|X...|....|X...;C ....|x...|....|x...;H xoxo|xoxo|xoxo|xoxo;O ..x.|..x.|..x.|..x.",
      "K X...|..x.|X...|..x.;S ....|X...|....|X...;D x.x.|x.x.|x.x.|x.x.;4 ....|....|....|..xx",
    ],
  },
  vapor: {
    bpm: 80,
    base: [
      "K X...|....|X...|....;S ....|X...|....|X...;H x.o.|x.o.|x.o.|x.o.",
      "K X...|..x.|....|....;S ....|X...|....|X...;H o.o.|o.o.|o.o.|o.o.;1 ....|....|....|..oo",
    ],
  },
  industrial: {
    base: [
      "K X...|X...|X...|X...;S ....|X...|....|X...;N ..x.|..x.|..x.|..x.;6 ...o|..o.|...o|..oo",
      "K X..x|..x.|X..x|..x.;S ....|X...|....|X.x.;W x.x.|x.x.|x.x.|x.x.;R ...x|....|...x|....",
    ],
    lift: [
      "K X.xX|X.x.|X.xX|X.x.;S ....|X...|....|X..x;C ....|X...|....|X...;N X.x.|X.x.|X.x.|X.x.;6 ...x|..x.|...x|.xxx",
    ],
  },
  chip: {
    base: [
      "K X...|..x.|X...|..x.;S ....|X...|....|X...;H x.x.|x.x.|x.x.|x.x.",
      "K X...|x...|X...|x...;E ....|X..o|....|X..o;H xxxx|xxxx|xxxx|xxxx",
    ],
    lift: ["K X..x|..x.|X..x|..x.;S ....|X...|....|X.xx;H xxxx|xxxx|xxxx|xxxx;O ..x.|..x.|..x.|..x."],
  },
  // Country and the world
  train: {
    bpm: 110,
    base: ["K X...|..x.|X...|..x.;S gogo|Xogo|gogo|Xogo", "K X...|x...|X...|x...;S sgXg|sgXg|sgXg|sgXg"],
    lift: ["K X...|x...|X...|x...;S goxo|Xoxo|goxo|Xoxx;D x...|x...|x...|x..."],
    light: ["S g.g.|o.g.|g.g.|o.g.;K o...|....|o...|...."],
  },
  country: {
    base: [
      "K X...|....|X...|....;R ....|X...|....|X...;H x.o.|x.o.|x.o.|x.o.",
      "K X...|..x.|X...|....;S ....|X...|....|X...;H x.o.|x.o.|x.o.|x.o.",
    ],
    lift: ["K X...|..x.|X.x.|....;S ....|X...|....|X...;D x.x.|x.x.|x.x.|x.x.;T ....|o...|....|o..."],
  },
  one_drop: {
    bpm: 76,
    base: [
      "K ....|....|X...|....;R ....|....|X...|....;H x.o.|x.o.|x.o.|x.o.",
      "K ....|....|X...|....;S ....|....|X...|....;H x.xo|x.o.|x.xo|x.o.;R ....|..o.|....|...o",
    ],
    lift: ["K ....|....|X...|....;S ....|....|X...|..g.;H x.xo|x.xo|x.xo|x...;O ....|....|....|..x."],
    light: ["H x.o.|x.o.|x.o.|x.o.;R ....|....|o...|...."],
  },
  steppers: {
    bpm: 76,
    base: [
      "K X...|X...|X...|X...;R ....|....|X...|....;H x.o.|x.o.|x.o.|x.o.",
      "K X...|X...|X...|X...;S ....|....|X...|....;H ..x.|..x.|..x.|..xo",
    ],
    light: ["H ..o.|..o.|..o.|..o."],
  },
  ska: {
    bpm: 150,
    base: [
      "K X...|....|X...|....;R ....|X...|....|X...;H ..x.|..x.|..x.|..x.",
      "K X...|x...|X...|x...;S ....|X...|....|X...;O ..x.|..x.|..x.|..x.",
    ],
    lift: ["K X...|x...|X...|x...;S ....|X...|....|X..x;D ..X.|..X.|..X.|..X.;H x.x.|x.x.|x.x.|x.x."],
  },
  dancehall: {
    bpm: 98,
    base: [
      "K X...|...x|....|x...;S ...x|..x.|...x|..X.;H x.x.|x.x.|x.x.|x.x.",
      "K X...|....|X...|....;S ...X|..X.|...X|..X.;R x...|..o.|....|..o.;m osos|osos|osos|osos",
    ],
    lift: ["K X...|X...|X...|X...;S ...X|..X.|...X|..X.;C ....|..x.|....|..x.;H xoxo|xoxo|xoxo|xoxq"],
  },
  dembow: {
    bpm: 94,
    base: [
      "K X...|X...|X...|X...;S ...X|..X.|...X|..X.;H x.x.|x.x.|x.x.|x.x.",
      "K X...|x...|X...|x...;E ...X|..X.|...X|..X.;R ...o|..o.|...o|..o.;m xoxo|xoxo|xoxo|xoxo",
      "K X...|X...|X...|X...;S ...x|..X.|...x|..X.;C ....|..x.|....|..x.;H x.xx|x.x.|x.xx|x.xr",
    ],
    lift: [
      "K X...|X...|X...|X...;S ...X|..X.|...X|..X.;C ...x|..X.|...x|..X.;O ..x.|....|..x.|....;H xoxo|xoxo|xoxo|xoxr",
    ],
    light: ["R ...x|..x.|...x|..x.;m o.o.|o.o.|o.o.|o.o.", "K X...|x...|X...|x..."],
  },
  latin_pop: {
    base: [
      "K X..x|....|X..x|....;R ...x|..x.|...x|..x.;H xoxo|xoxo|xoxo|xoxo",
      "K X...|..x.|X...|..x.;S ....|x...|....|x..x;W x...|x.x.|x...|x.x.",
    ],
    lift: ["K X...|X...|X...|X...;S ...x|..X.|...x|..X.;O ..x.|..x.|..x.|..x.;W X.x.|X.x.|X.x.|X.x."],
  },
  songo: {
    bpm: 92,
    base: [
      "K ....|..x.|....|..x.;S ....|..g.|x...|...g;W X.x.|X.x.|X.x.|X.x.;H x...|x...|x...|x...",
      "K ...x|....|...x|....;R x..x|...x|..x.|..x.;D x.xx|x.xx|x.xx|x.xx",
    ],
  },
  bossa: {
    bpm: 64,
    base: [
      "K X..x|X..x|X..x|X..x;R x..x|..x.|..x.|..x.|..x.|..x.|x..x|..x.;H osos|osos|osos|osos",
      "K X..x|X..x|X..x|X..x;R x..x|..x.|..x.|.x..;D o.s.|o.s.|o.s.|o.s.",
    ],
    lift: [
      "K X..x|X..x|X..x|X..x;R x..x|..x.|..x.|..x.|..x.|..x.|x..x|..x.;D xsos|xsos|xsos|xsos;P ..o.|..o.|..o.|..o.",
    ],
    light: ["R o..o|..o.|..o.|..o.;H s.s.|s.s.|s.s.|s.s."],
  },
  samba_kit: {
    bpm: 100,
    base: [
      "K o..x|X..x|o..x|X..x;S xoox|oxox|oxxo|xoxo;H ..x.|..x.|..x.|..x.",
      "K o..x|X..x|o..x|X..x;R x.x.|xx.x|.xx.|x.x.;H osos|osos|osos|osos",
    ],
    lift: ["K o..x|X..x|o..x|X..x;S Xoox|oXoX|oXxo|XoXo;D x.x.|x.x.|x.x.|x.x.;6 ....|X...|....|X..."],
  },
  afrobeat: {
    bpm: 112,
    base: [
      "K X..x|...x|..x.|....;R ...x|..x.|....|x..x;H xoxo|xoxo|xoxo|xoxo",
      "K X...|..x.|.x..|..x.;S ..g.|x..g|..x.|.g..;H x.xo|x.xo|x.xo|x.xo;O ....|...o|....|...o",
    ],
    lift: ["K X..x|..x.|.xx.|..x.;S .gg.|x.gx|..x.|xg..;D xoxo|xoxo|xoxo|xoxo"],
  },
  amapiano: {
    bpm: 112,
    base: [
      "K X...|....|....|....|X...|....|..x.|....;R ...x|..x.|...x|..x.;C ....|....|....|x...;m xoxo|xoxo|xoxo|xoxo",
      "K X...|X...|X...|X...;R ..x.|.x..|..x.|.x.x;m xsos|xsos|xsos|xsos;H ..o.|..o.|..o.|..o.",
    ],
    lift: [
      "K X...|X...|X...|X...;R ...x|..x.|...x|..xx;C ....|x...|....|x...;m Xoxo|Xoxo|Xoxo|Xoxo;O ..x.|..x.|..x.|..x.",
    ],
    light: ["m xoxo|xoxo|xoxo|xoxo", "m xsos|xsos|xsos|xsos;R ...o|..o.|...o|..o."],
  },
  bhangra: {
    base: [
      "K X...|....|X...|....;S ....|X...|....|X...;H x.xo|x.xo|x.xo|x.xo;T x.x.|x.x.|x.x.|x.x.",
      "K X..x|..x.|X..x|..x.;C ....|x...|....|x...;H x.x.|x.x.|x.x.|x.x.",
    ],
  },
  polka: {
    bpm: 116,
    base: [
      "K X.|..|X.|..;S .x|.x|.x|.x;H x.|x.|x.|x.",
      "K X...|....|X...|....;S ..X.|..X.|..X.|..Xg;Y X...|....|....|....",
    ],
    lift: ["K X...|X...|X...|X...;S ..X.|..X.|..X.|..Xx;H x.X.|x.X.|x.X.|x.X."],
  },
  klezmer: {
    base: [
      "K X..x|..x.|X..x|..x.;S ...o|..o.|...o|..o.;T x..x|..x.|x..x|..x.",
      "K X...|x...|X...|x...;S ..x.|..xg|..x.|.gxg",
    ],
    lift: ["K X...|X...|X...|X...;S .gXg|.gXg|.gXg|gXXX;Y X...|....|X...|...."],
  },
  // Classical
  waltz_kit: {
    base: ["K X.|..|..;S ..|o.|o.;P ..|o.|o.", "K X.|..|..;R ..|o.|o.;D o.|..|.."],
    lift: ["K X.|..|..;S ..|x.|x.;D x.|x.|x."],
  },
  march_kit: {
    base: [
      "K X...|....|X...|....;S xooo|Xoro|xooo|X.rr;Y ....|....|x...|....",
      "K X...|x...|X...|x...;S x.oo|x.oo|xoxo|Xrr.",
    ],
  },
  fallback: {
    base: ["K X...|....|x...|....;S ....|X...|....|X...;H x.o.|x.o.|x.o.|x.o."],
  },
};

/** For seats of role `percussion`, by the instrument that plays. */
export const PERCUSSION: Readonly<Record<string, GrooveFamily>> = {
  shaker: {
    base: ["m xoso|xoso|xoso|xoso", "m o.x.|o.x.|o.x.|o.x.", "j xsos|xsos|xsos|xsos"],
    lift: ["m Xoxo|Xoxo|Xoxo|Xoxo;T ....|x...|....|x...", "T xoxo|Xoxo|xoxo|Xoxo"],
    light: ["m s.o.|s.o.|s.o.|s.o."],
  },
  tambourine: { base: ["T ....|X...|....|X...", "T x.o.|X.o.|x.o.|X.o."], lift: ["T xoxo|Xoxo|xoxo|Xoxo"] },
  congas: {
    bpm: 112,
    base: [
      "c xg.g|x.gg|xg.g|x...;d ....|..x.|....|..xx;e ....|....|...x|....;m x.o.|x.o.|x.o.|x.o.",
      "c x..x|..x.|x..x|....;d ....|....|..x.|x.x.",
    ],
    lift: [
      "c xggg|X.gg|xggg|X...;d ....|..X.|....|..XX;e ...x|....|...x|....;W x...|x...|x...|x...;m xoxo|xoxo|xoxo|xoxo",
    ],
  },
  disco_perc: {
    base: [
      "T xoXo|xoXo|xoXo|xoXo;c x.g.|x...|x.g.|x...;d ....|..xx|....|..xx",
      "W x...|x...|x...|x.x.;m xoxo|xoxo|xoxo|xoxo",
    ],
    lift: ["T XoXo|XoXo|XoXo|XoXo;W x.x.|x.x.|x.x.|x.x.;d ....|..xx|...x|..xx"],
  },
  salsa: {
    bpm: 92,
    base: [
      "q X..X|..X.|..X.|X...;c xg.g|x.g.|xg.g|x...;d ....|..XX|....|..XX;W X...|X.x.|X...|X.x.;o x...|....|x...|....;n ..x.|..x.|..x.|..x.",
      "q ..X.|X...|X..X|..X.;f x.xx|.xx.|x.xx|.xxx;c x.g.|x.g.|x.g.|x...;d ....|..XX|....|..XX;m xoxo|xoxo|xoxo|xoxo",
      "q X..X|...X|..X.|X...;f x.x.|xx.x|x.x.|xx.x;d ....|..XX|..x.|..XX;W X.x.|X.x.|X.x.|X.x.",
    ],
    lift: [
      "q X..X|..X.|..X.|X...;d ....|..XX|...x|..XX;c xgxg|Xgg.|xgxg|X...;W X.x.|X.x.|X.x.|X.xx;f x.xx|.xx.|x.xx|.xxx;o X...|....|X...|....;n ..x.|..x.|..x.|..x.",
    ],
    light: ["q X..X|..X.|..X.|X...;m xoxo|xoxo|xoxo|xoxo", "c xg.g|x.g.|xg.g|x...;d ....|..xx|....|..xx"],
  },
  bossa_perc: {
    bpm: 64,
    base: ["m xsos|xsos|xsos|xsos;q o..o|..o.|..o.|..o.", "j osos|osos|osos|osos;v ..o.|..o.|..o.|..o."],
    light: ["m s.s.|s.s.|s.s.|s.s."],
  },
  batucada: {
    bpm: 100,
    base: [
      "h X.x.|xx.x|.x..|....;i ....|....|...x|.xx.;m Xoox|Xoox|Xoox|Xoox;T xoox|xoox|xoox|xoox;e o...|X...|o...|X..x",
      "h x.x.|.x..|x.x.|....;i ....|x..x|....|x.x.;t ....|..x.|....|..x.;u x...|....|x...|....;m Xoox|Xoox|Xoox|Xoox;e o...|X...|o...|X...",
    ],
    lift: [
      "h X.x.|xx.x|.x..|x.x.;i ..x.|....|x..x|.x..;m XoxX|oXxo|XoxX|oXxo;T XoxX|XoxX|XoxX|XoxX;f x.xx|.xx.|x.xx|.xxr;e o..x|X...|o..x|X.xx",
    ],
    light: ["m xoox|xoox|xoox|xoox;h x.x.|xx.x|.x..|...."],
  },
  latin_fallback: {
    bpm: 100,
    base: [
      "m xoso|xoso|xoso|xoso;c x...|..x.|x...|..x.;d ....|....|..x.|x...",
      "q x..x|..x.|..x.|x...;m x.o.|x.o.|x.o.|x.o.",
    ],
    light: ["m x.o.|x.o.|x.o.|x.o."],
  },
  afro: {
    bpm: 112,
    base: [
      "h x.x.|x..x|.x.x|..x.;m xoxo|xoxo|xoxo|xoxo;W ....|x...|....|x...",
      "q x..x|..x.|..x.|x...;j xoxo|xoxo|xoxo|xoxo;h x.x.|.xx.|x.x.|.x..",
    ],
    lift: ["h X.x.|x..x|.x.x|..x.;i ..x.|.x..|x...|x..x;m Xoxo|Xoxo|Xoxo|Xoxo;q x..x|..x.|..x.|x..."],
  },
  // Hand drums: 64 low, 63 open, 62 slap, 60 and 61 high
  hand: {
    base: [
      "e X...|....|X.x.|....;d ..x.|..x.|....|..x.;c ....|x...|....|x..g",
      "e X..x|....|x...|....;d ....|..x.|..x.|..xx;c ....|x...|....|x...;b ..g.|..g.|..g.|..g.",
    ],
    lift: ["e X..x|..x.|X.x.|....;d ..x.|..x.|...x|..xx;c .g..|X.g.|.g..|X.g.;a ..xg|..xg|..xg|..xg"],
    light: ["e x...|....|x...|....;c ....|o...|....|o...", "d o...|..o.|o...|..o."],
  },
  cajon: {
    base: [
      "e X...|..x.|X...|....;c ..g.|X.g.|..g.|X.gg;m s.o.|s.o.|s.o.|s.o.",
      "e X..x|....|..x.|....;c ....|X..g|.g..|X..g",
    ],
    light: ["e x...|....|x...|....;m s.o.|s.o.|s.o.|s.o."],
  },
  bodhran: {
    base: ["e X.o|x.o|X.o|x.o;d .s.|..s|.s.|..s", "e Xgog|xgog|Xgog|xgox;d ..s.|..s.|..s.|..s."],
    lift: ["e Xox|Xox|Xox|Xxx;T x..|x..|x..|x..", "e Xgxg|xgxg|Xgxg|xgxx;T x.x.|x.x.|x.x.|x.x."],
  },
  palmas: {
    // Hand claps against the beat, twelve in the long bar where the metre has three; cajon under it.
    base: [
      "e X...|..x.|...x|....;c ....|x..g|..x.|x...;b ..g.|..g.|..g.|..g.",
      "e X..x|....|x..x|....;c ..x.|..xx|..x.|..xx",
    ],
    lift: ["e X..x|..x.|X..x|..x.;c .gxg|.gXx|.gxg|XgXx;a xgxg|xgxg|xgxg|xgxx"],
  },
  claps: {
    base: ["q xgxX|gxgX|xgxX|xgXg", "q ..x.|x.X.|..x.|x.X.;r x...|....|x...|...."],
    lift: ["q XgxX|gXxX|XgxX|xXxX;T ..x.|..x.|..x.|..x."],
  },
  dhol: {
    base: [
      "e X..x|..x.|X...|x...;d ....|x...|..x.|..xx;c ..xg|.gxg|.gxg|..xg",
      "e X...|X.x.|..x.|X...;a xgxg|xgxg|xgxg|xgxr;d ...x|....|..x.|.x..",
    ],
    lift: ["e X..x|X.x.|X..x|X.xx;c .gxg|xgxg|.gxg|xrxr;d ..x.|.x..|..x.|.xxx;a x.xg|x.xg|x.xg|x.xg"],
    light: ["a x.g.|x.x.|x.g.|xgx.;e x...|....|x...|...."],
  },
  tabla: {
    base: [
      "e X...|..x.|....|x...;a ..xg|xg..|x.xg|..xr;d ....|....|..x.|...x",
      "e X..o|....|..X.|....;a .xg.|xgxg|xg..|xgrr;b ....|..o.|....|....",
    ],
    light: ["e x...|....|....|....;a ....|x.g.|x...|x.g."],
  },
  maqsum: {
    base: [
      "e X...|....|X...|....;c ..X.|..X.|....|X...;a .g..|g..g|.gg.|..gg",
      "e X...|....|X...|....;c ..X.|..X.|..g.|X.gg;T x.o.|x.o.|x.o.|x.o.",
    ],
    lift: [
      "e X...|X...|X..x|....;c ..X.|..X.|.gx.|Xrxr;a gggg|gggg|gggg|gggg;T xoxo|Xoxo|xoxo|Xoxo",
      "e X..X|..X.|X...|....;c ....|....|..x.|X.xx;a .gg.|gg.g|.gg.|.ggg",
    ],
    light: ["e X...|....|X...|....;c ..x.|..x.|....|x..."],
  },
  taiko: {
    base: [
      "K X...|....|x...|....;4 ....|x.x.|..x.|x.xx;2 ..o.|....|....|....",
      "K X..x|..x.|X..x|..x.;6 ....|....|..x.|xx..;R ..g.|g.g.|..g.|g.g.",
      "K X...|..x.|x...|X...;4 ..xx|....|..xx|..xx",
    ],
    lift: [
      "K X.xx|X.xx|X.xx|X.xx;4 x..x|..x.|x..x|.xxx;2 ..x.|..x.|..x.|..xx",
      "K Xoxo|Xoxo|Xoxo|Xxxx;6 X...|X...|X...|X.X.;4 ..x.|..xx|..x.|.xxx",
    ],
    light: ["K X...|....|....|....;4 ....|....|....|..o.", "K x...|....|x...|....;R ....|o...|....|o..."],
  },
  orchestral: {
    base: [
      "K X...|....|x...|....;S ....|o.oo|....|o.rr",
      "S x.oo|o.o.|x.oo|o.rr;K X...|....|....|....;w ....|....|o...|....",
    ],
    lift: ["K X...|..x.|X...|x...;S Xooo|xooo|Xooo|xorr;Z X...|....|....|....;w ..o.|..o.|..o.|..o."],
    light: ["w ....|....|o...|....", "K o...|....|....|....;T ....|....|..o.|...."],
  },
  sleigh: {
    base: ["T x.o.|x.o.|x.o.|x.o.;w ....|....|....|o...", "T X.x.|o.x.|X.x.|o.x."],
    lift: ["T Xoxo|Xoxo|Xoxo|Xoxo;w o...|....|o...|....;Z X...|....|....|...."],
    light: ["T o...|o...|o...|o..."],
  },
  military: {
    base: [
      "K X...|....|X...|....;S x.rr|X.oo|x.rr|Xrrr;Z ....|....|x...|....",
      "K X...|x...|X...|x...;S X.oo|xooo|X.oo|xrxr",
    ],
    lift: ["K X...|X...|X...|X...;S Xorr|Xooo|Xorr|Xrrr;Z X...|....|X...|....;w x.x.|x.x.|x.x.|x.x."],
    light: ["S o.oo|o.oo|o.oo|orrr"],
  },
  western: {
    base: [
      "e X..x|..x.|X..x|..x.;c ....|x...|....|x...;T ....|x...|....|x...",
      "e X.xx|X.xx|X.xx|X.xx;c ....|x...|....|x...",
    ],
    light: ["T ....|o...|....|o..."],
  },
};
