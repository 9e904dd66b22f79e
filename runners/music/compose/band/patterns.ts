/**
 * What hands do on chords, written like the grooves: beats between `|`, equal steps in a beat, `-` holds, `.` is silent.
 *
 * Chords: `X x o g` all notes, loud to ghostly; `D d` strum down, `U u` up; `m` a muted scratch; `b` the bass note, `f` its fifth, `h` the upper notes;
 * `p P` palm-muted and open power chord; `r` rolled from below; digits the n-th note of the voicing, going on an octave higher.
 */
export interface HandFamily {
  readonly base: readonly string[];
  readonly lift?: readonly string[];
  readonly light?: readonly string[];
  /** `close` led voicings; `rootless` leaves the root to the bass; `power` root, fifth, octave; `guitar` six strings; `wide` open; `two` hands apart. */
  readonly voicing?: "close" | "rootless" | "power" | "guitar" | "wide" | "two";
  /** The pedal is down: what is struck rings until the chord changes. */
  readonly pedal?: boolean;
  /** Another way in every bar. */
  readonly restless?: boolean;
  readonly bpm?: number;
}

export const HANDS: Readonly<Record<string, HandFamily>> = {
  hold: {
    base: ["x---|----|----|----", "x---|----|x---|----"],
    lift: ["X---|----|x---|----"],
    light: ["o---|----|----|----"],
  },
  hold_wide: { base: ["x---|----|----|----"], voicing: "wide" },
  rolled: { base: ["r---|----|----|----", "r---|----|r---|----"], voicing: "wide" },
  // Piano
  pop_piano: {
    base: ["x---|x---|x---|x---", "x---|--x-|--x-|x---", "x--x|--x-|x--x|--x-", "x---|o---|x-o-|o---"],
    lift: ["X-x-|x-x-|X-x-|x-x-", "X--x|--x-|-x--|x-x-"],
    light: ["x---|----|----|----", "x---|----|x---|----"],
  },
  ballad: {
    base: ["0-2-|4-3-|2-4-|3-2-", "b-2-|h-2-|0-2-|h-2-", "0-1-|2-3-|4-3-|2-1-"],
    lift: ["b-h-|h-h-|b-h-|h-h-", "X-2-|h-2-|x-2-|h-2-"],
    light: ["r---|----|4---|2---", "0---|2---|4---|----"],
    voicing: "wide",
    pedal: true,
  },
  alberti: {
    base: ["0-2-|1-2-|0-2-|1-2-", "0212|0212|0212|0212"],
    lift: ["0212|0212|0212|0212"],
    light: ["0---|2---|1---|2---"],
  },
  stride: { base: ["b-|x.|f-|x.", "b-|xx|f-|x.", "b-|x.|f-|xx"], lift: ["b-|xx|f-|xx"], voicing: "two" },
  charleston: {
    restless: true,
    base: ["x-|.x|..|..", "..|.x|-.|x.", ".x|-.|..|.x", "x.|..|.x|-.", "..|x.|.x|.."],
    lift: ["x-|.x|..|.x", ".x|-.|.x|x.", "x-|.x|.x|-.", ".x|.x|..|xx"],
    light: ["x-|--|--|..", "..|.x|--|--"],
    voicing: "rootless",
  },
  montuno: {
    bpm: 92,
    base: ["X.xx|.x.x|.x.x|.xx.|x.xx|.x.x|.x.x|.x.x", "b.h.|h.bh|.h.h|.h.h"],
    lift: ["X.XX|.X.X|.X.X|.XX.|X.XX|.X.X|.X.X|.X.X"],
    light: ["x.x.|.x.x|.x..|.x.."],
    voicing: "wide",
  },
  house_stab: {
    bpm: 124,
    base: ["x..x|..x.|...x|..x.", "..x.|..x.|..x.|.x..", "x...|..x.|.x..|x...", "X..x|...x|..x.|...."],
    lift: ["X..X|..X.|.X.X|..X.", "X.x.|.x.X|..x.|x.X."],
    light: ["x---|----|----|----"],
  },
  deep_chord: {
    bpm: 122,
    base: ["..x-|-...|....|.x..", "x--.|...x|--..|....", "...x|-...|..x-|-..."],
    lift: ["x--.|..x-|-..x|--.."],
    voicing: "rootless",
  },
  rock_piano: { base: ["x.x.|x.x.|x.x.|x.x.", "X...|x.x.|X...|x.x."], lift: ["X.X.|X.X.|X.X.|X.X."], voicing: "wide" },
  gospel_piano: {
    base: ["x--x|..x-|x-x.|x.x-", "X-.x|x-.x|X-x-|x.xx"],
    lift: ["X-xx|x.Xx|x-xx|X.xx"],
    light: ["r---|----|x---|--x-"],
    voicing: "two",
  },
  blues_piano: {
    base: ["x.x|x.x|x.x|x.x", "b.h|h.h|f.h|h.h", "xxx|xxx|xxx|xxx"],
    lift: ["X.x|X.x|X.x|Xxx"],
    light: ["x--|---|..x|---"],
    voicing: "two",
  },
  epiano: {
    base: ["x---|--.x|--x-|----", "x--x|-.x-|--.x|----", "x---|..x-|.x--|--x."],
    lift: ["X--x|.x-.|x--x|.xx."],
    light: ["x---|----|----|----", "r---|----|----|--o-"],
    voicing: "rootless",
  },
  lofi_keys: {
    bpm: 80,
    base: ["r---|----|...x|----", "x---|---.|..x-|----", "r---|--..|.x--|--o-"],
    light: ["r---|----|----|----"],
    voicing: "rootless",
  },
  trap_keys: {
    bpm: 142,
    base: ["x---|----|----|----|x---|----|--x-|----", "0-2-|3-2-|0-2-|3-4-", "x-..|..x-|..x-|...."],
    light: ["x---|----|----|----"],
    voicing: "wide",
  },
  waltz_keys: { base: ["b-|x.|x.", "b-|x-|x-"], lift: ["b-|X.|X."], light: ["b-|--|x-"], voicing: "two" },
  polka_keys: { base: ["..x.|..x.|..x.|..x.", "..X.|..Xx|..X.|..X."] },
  tango_keys: {
    base: ["X.|x.|x.|x.", "X..x|..x.|X.x.|x.x.", "X...|X...|X...|X.xx"],
    lift: ["X..X|..X.|X.X.|XxX."],
    light: ["x.|..|x.|.."],
    voicing: "two",
  },
  // Guitar
  strum: {
    base: ["d---|d-u-|-ud-|-ud-", "D---|--d-|--u-|d-u-", "d-du|-ud-|d-du|-udu", "D-d-|d-du|D-d-|d-du"],
    lift: ["D-du|d-du|D-du|d-du", "D-uD|-uDu|D-uD|-uDu"],
    light: ["d---|----|d---|----", "d---|----|--u-|----"],
    voicing: "guitar",
  },
  folk_pick: {
    base: ["b-2-|f-3-|b-2-|f-4-", "b-3-|2-4-|f-3-|2-3-", "b-42|f-3-|b-42|f-3-"],
    lift: ["b-d-|f-du|b-d-|f-du"],
    light: ["b---|2-3-|4---|3-2-"],
    voicing: "guitar",
    pedal: true,
  },
  boom_chick: {
    base: ["b-..|d...|f-..|d...", "b-..|d.u.|f-..|d.u.", "b...|d.du|f...|d.du"],
    lift: ["b.d.|D.du|f.d.|D.du"],
    voicing: "guitar",
  },
  clean_rock: {
    base: ["d-..|d-..|d-u-|d-..", "D---|----|d--d|--d-", "d-d-|d-d-|d-d-|d-d-"],
    lift: ["D-d-|D-du|D-d-|D-du"],
    light: ["d---|----|----|----"],
    voicing: "guitar",
  },
  power: {
    base: ["p.p.|p.p.|p.p.|p.p.", "P---|--p.|p.P-|--p.", "P---|----|P--P|--P-", "P-p.|p.P-|--p.|p.p."],
    lift: ["P---|P---|P---|P---", "P--P|--P-|P--P|--P-", "P-P-|P-P-|P-P-|P-P-"],
    light: ["P---|----|----|----", "p.p.|p.p.|p.p.|p.p."],
    voicing: "power",
  },
  punk: {
    bpm: 180,
    base: ["P.P.|P.P.|P.P.|P.P.", "P-P-|P-P-|P-P-|P-P-"],
    lift: ["P-PP|P-P-|P-PP|P-P-"],
    light: ["p.p.|p.p.|p.p.|p.p."],
    voicing: "power",
  },
  metal: {
    bpm: 140,
    base: ["ppp.|p.pp|..pp|P-p.", "p.pp|p.pp|p.pp|p.pp", "P--p|..p.|.p..|p.pp", "pppp|P-pp|pppp|P-P-"],
    lift: ["P---|P---|P--p|p.pp", "pppp|pppp|pppp|PpPp", "P-pp|P-pp|P-pp|P-pp"],
    light: ["P---|----|----|----"],
    voicing: "power",
  },
  wall: {
    base: ["d-d-|d-d-|d-d-|d-d-", "D---|d---|d---|d---", "d-du|dudu|d-du|dudu"],
    lift: ["dudu|dudu|dudu|dudu", "D-D-|D-D-|D-D-|D-D-"],
    light: ["d---|----|----|----"],
    voicing: "guitar",
  },
  funk_scratch: {
    base: ["mmdm|mmmd|mmdm|mmmm", "d.mm|.mdm|mm.d|.mmm", "mdmm|dmmm|mmdu|mmmm"],
    lift: ["dmmd|mmdm|dmmd|mmdu"],
    light: ["....|..d.|....|..d.", "d...|....|...d|...."],
  },
  disco_guitar: {
    bpm: 118,
    base: ["mmdu|mmdu|mmdu|mmdu", "d.du|mmdu|d.du|mmdu"],
    lift: ["dudu|mmdu|dudu|mmdu"],
    light: ["....|d...|....|d..."],
  },
  soul_guitar: {
    base: ["....|d...|....|d...", "..u.|d...|..u.|d.u.", "..mm|d...|..mm|d..."],
    lift: ["..u.|D.u.|..u.|D.u."],
  },
  skank: {
    bpm: 76,
    base: ["..d.|..d.|..d.|..d.", "..du|..d.|..du|..d."],
    lift: ["..du|..du|..du|..du"],
    light: ["..d.|..d.|..d.|..d."],
  },
  ska_skank: { bpm: 150, base: ["..U.|..U.|..U.|..U.", "..Uu|..U.|..Uu|..U."] },
  bubble: { bpm: 76, base: [".xox|.xox|.xox|.xox", ".ox.|.ox.|.ox.|.ox."], light: ["..x.|..x.|..x.|..x."] },
  off_beat: { base: ["..x.|..x.|..x.|..x.", ".x..|x...|.x..|x..."] },
  surf_guitar: { base: ["d.d.|d.du|d.d.|d.du", "D...|d.d.|D...|d.d."], voicing: "guitar" },
  swing_four: { base: ["d.|D.|d.|D.", "d-|d.|d-|d."], voicing: "rootless" },
  bossa_guitar: {
    bpm: 64,
    base: ["b-h.|..h.|f-.h|..h.|b-.h|..h.|f-h.|.h..", "b-h.|.h..|f-h.|..h."],
    light: ["b-..|h-..|f-..|h-.."],
    voicing: "two",
  },
  samba_guitar: { bpm: 100, base: ["x.x.|xx.x|.x.x|x.x.", "b.hh|.hf.|h.hh|.hfh"], voicing: "close" },
  flamenco: {
    base: ["D-uu|d-u-|Duud|u-d-", "Ddud|U-d-|Dddu|D-..", "b-32|4323|f-32|4343"],
    lift: ["Duud|uuDu|udDu|uDud", "Dudu|Dudu|DrDu|DuDu"],
    light: ["b-2-|3-4-|3-2-|----", "r---|----|--4-|3-2-"],
    voicing: "guitar",
  },
  mariachi: { base: ["..d.|..d.|..d.|..d.", "b.d.|d.d.|f.d.|d.d.", "D.du|..du|D.du|..du"], voicing: "guitar" },
  mando_chop: { base: ["....|D...|....|D...", "..d.|..D.|..d.|..D."] },
  afro_guitar: { bpm: 112, base: ["0.2.|3.21|.2.3|1.2.", "2.32|.312|.2.3|.1.2"], lift: ["0.23|.321|.2.3|21.2"] },
  // Winds, brass, organ, strings in chords
  brass_stabs: {
    base: ["....|....|..x.|x...", "X-..|....|....|..x.", "..x.|....|.x..|....", "....|...x|....|X---"],
    lift: ["X..x|..x.|....|X-..", "X-..|..X.|.x.x|X---"],
    light: ["....|....|....|...."],
  },
  brass_hold: { base: ["x---|----|----|----", "x---|--..|x---|--.."], lift: ["X---|----|X---|--x."], voicing: "wide" },
  organ: { base: ["x---|----|----|----", "x---|---.|x-x-|---.", "x-.x|-.x-|--..|x-x-"], lift: ["X---|x-x-|X---|x-x-"] },
  spiccato: {
    base: ["x.xx|x.xx|x.xx|x.xx", "xxxx|xxxx|xxxx|xxxx", "X.x.|x.x.|X.x.|x.xx"],
    lift: ["XxXx|XxXx|XxXx|XxXx"],
    light: ["x.x.|x.x.|x.x.|x.x."],
  },
  quartet: {
    base: ["x-x-|x-x-|x-x-|x-x-", "x---|x---|x---|x---", ".-x-|x-x-|.-x-|x-x-"],
    lift: ["xxxx|xxxx|xxxx|xxxx"],
    light: ["x---|----|x---|----"],
  },
  march_chords: { base: ["..x.|..x.|..x.|..x.", "..x.|..xx|..x.|..xx"] },
  harpsichord: {
    base: ["r---|x---|x---|x---", "x---|--x-|x---|x-x-", "r---|----|r---|----"],
    lift: ["x-x-|x-x-|x-x-|x-x-"],
    voicing: "close",
  },
  edm_chords: {
    bpm: 126,
    base: ["X---|--X-|--X-|--X-", "X--X|--X-|-X--|X---", "X---|----|X---|----"],
    lift: ["X--X|--X-|X--X|--X-", "X.X.|X.XX|.XX.|X.X."],
    light: ["x---|----|----|----"],
    voicing: "wide",
  },
  synth_stabs: {
    base: ["x---|..x.|..x.|....", "..x.|..x.|.x..|x...", "X-.x|-.x-|....|x.x."],
    lift: ["X-.X|-.X-|X-.X|-.X."],
  },
  industrial: { base: ["p.pp|p.p.|p.pp|p.p.", "P-..|..p.|P-..|.ppp"], lift: ["pppp|p.pp|pppp|P-P-"], voicing: "power" },
  dub_chord: { bpm: 76, base: ["..x.|....|..x.|....", "..xx|....|....|..x."], light: ["..x.|....|....|...."] },
  dancehall_chord: { base: ["..x.|..x.|..x.|..x.", "x..x|..x.|x..x|..x.", "...x|..x.|...x|..x."] },
  amapiano_chord: {
    bpm: 112,
    base: ["x--.|..x-|-.x-|....", "..x-|-..x|--..|..x.", "x---|---.|.x--|--x."],
    voicing: "rootless",
  },
  minimal: {
    base: ["x.x.|x.x.|x.x.|x.x.", "x.xx|.xx.|x.xx|.xx.", "x.x.|xx.x|.x.x|x.x."],
    lift: ["xxxx|xxxx|xxxx|xxxx"],
  },
  ambient_keys: {
    base: ["r---|----|----|----|....|....|4---|----", "0---|----|3---|----|5---|----|----|----"],
    voicing: "wide",
    pedal: true,
  },
  horror_keys: {
    base: ["0---|----|1---|----|----|----|0---|----", "0-1-|0-1-|0-2-|0-1-"],
    lift: ["X---|----|----|....|X---|----|..X-|----"],
    pedal: true,
  },
};

export const ARPEGGIOS: Readonly<Record<string, HandFamily>> = {
  up8: {
    base: ["0-1-|2-3-|4-3-|2-1-", "0-2-|4-2-|3-2-|4-2-", "0-1-|2-3-|0-1-|2-3-"],
    lift: ["0123|4321|0123|4321"],
    light: ["0---|2---|4---|2---"],
  },
  up16: {
    base: ["0123|0123|0123|0123", "0120|1201|2012|0123", "0123|4321|0123|4321"],
    lift: ["0246|0246|1357|1357", "0123|4567|6543|2345"],
    light: ["0.1.|2.3.|0.1.|2.3."],
  },
  alternate: {
    base: ["0424|1424|0424|1424", "0313|0414|0313|0414", "0.40|.40.|40.4|0.40"],
    light: ["0.4.|2.4.|0.4.|2.4."],
  },
  gated: { base: ["0.12|.01.|2.10|.12.", "00.0|0.00|.00.|0.0.", "3.33|.3.3|2.22|.2.2"], lift: ["0012|0012|3312|0012"] },
  trance: {
    bpm: 138,
    base: ["0121|3121|0121|3121", "..24|..24|..24|..24", "0.30|.3.0|3.0.|4.2."],
    lift: ["0242|4242|0353|5353"],
  },
  acid: { bpm: 130, base: ["0.00|4.0.|00.5|0.4.", "00.0|.040|.00.|5.04"], lift: ["0004|0050|4000|5040"] },
  techno: {
    bpm: 132,
    base: ["..0.|.0..|..0.|.0.1", "0..0|..0.|.0..|0..1", "0..1|..0.|.1..|0.2."],
    lift: ["0.00|.00.|0.01|.020"],
  },
  chip: {
    base: ["012012|012012|012012|012012", "0123|0123|0123|0123", "0101|2121|0101|2323"],
    lift: ["01230123|01230123|01230123|01230123", "012345|012345|012345|012345"],
  },
  harp: {
    base: ["0123|4567|----|----", "0-1-|2-3-|4-5-|6-5-", "0-2-|4-6-|5-3-|2-1-"],
    lift: ["0123|4567|6543|2345"],
    light: ["0-2-|4---|----|----"],
    voicing: "wide",
    pedal: true,
  },
  music_box: {
    base: ["0-2-|4-2-|3-2-|4-2-", "4-2-|0-2-|5-3-|2---", "0---|4-3-|2---|5-4-"],
    light: ["0---|4---|2---|----"],
    pedal: true,
  },
  picked: {
    base: ["0-2-|3-4-|3-2-|3-2-", "0-32|4-23|0-32|4-23", "0-2-|4-2-|3-2-|4-3-"],
    lift: ["0324|3243|0324|3243"],
    light: ["0---|3---|4---|3---"],
    voicing: "guitar",
    pedal: true,
  },
  banjo: {
    bpm: 110,
    base: ["0240|2402|4024|0242", "2043|0243|0204|3024"],
    lift: ["0243|0243|0243|0242"],
    voicing: "guitar",
  },
  muted: { base: ["0.0.|0.0.|0.0.|0.0.", "0.00|.00.|0.00|.00.", "0.2.|0.2.|0.2.|0.3."], lift: ["0000|2020|0000|2030"] },
  delay_guitar: {
    base: ["0.3.|.3.2|.2.3|..2.", "3.2.|3.4.|3.2.|4.3.", "0.23|.2.4|.23.|2.3."],
    lift: ["3343|2232|3343|4454"],
    voicing: "guitar",
  },
  pizz: {
    base: ["0.2.|1.2.|0.2.|1.2.", "0...|2.3.|....|2.1.", "0.00|2.00|3.00|2.1."],
    lift: ["0212|3212|0212|4232"],
    light: ["0...|2...|1...|2..."],
  },
  ostinato: {
    base: ["0020|0030|0020|0010", "0.02|0.02|0.03|0.03", "0010|2010|0010|3010"],
    lift: ["0303|0404|0303|0505", "0020|3020|0040|3020"],
    light: ["0.0.|2.0.|0.0.|1.0."],
  },
  minimal: {
    base: ["0212|3212|0212|4212", "02.1|3.02|.130|2.1.", "0123|1234|0123|2134"],
    lift: ["0213|2431|0213|2541"],
    light: ["0.2.|1.2.|0.2.|3.2."],
  },
  koto: {
    base: ["0-2-|4---|3-2-|0---", "4-32|----|0-2-|3---", "0---|..43|2---|----"],
    lift: ["0-24|5-42|0-24|5432"],
    pedal: true,
  },
  sparse: {
    base: ["0---|..3-|----|..5-|4---|----|..2-|----", "2---|----|4---|..3-|----|5---|----|...."],
    light: ["3---|----|----|----|..4-|----|----|----"],
    voicing: "wide",
    pedal: true,
  },
  afro: {
    bpm: 112,
    base: ["0.2.|3.21|.2.3|1.2.", "2.32|.312|.2.3|.1.2"],
    lift: ["0.23|.321|.2.3|21.2"],
    light: ["0.2.|..3.|.2..|1..."],
  },
  synth8: {
    base: ["0.4.|2.4.|0.4.|2.4.", "0.0.|3.0.|4.0.|3.0.", "0.2.|.4.2|.4.2|4.2."],
    lift: ["0042|0042|0053|0053"],
  },
  drone_string: { base: ["0.4.|0.5.|0.4.|0.3.", "0-4-|5-4-|0-3-|4-3-"], lift: ["0454|0454|0353|0454"] },
  oud: { base: ["0-24|3-2-|0-23|4---", "0--0|2-0-|3-20|2-0-"], lift: ["0024|3024|0035|4230"] },
};

/**
 * Basses. `R r` the chord's bass note, firm or less; `8` its octave, `5` the fifth above, `l` below, `3` `7` third and seventh, `6` sixth; `w` walks; `n` the root of the chord to come;
 * `a` leads by a step or half-step into the next note; `s` slides; `g` a dead note. A family that is `locked` plays what the bass drum plays.
 */
export interface BassFamily {
  readonly base: readonly string[];
  readonly lift?: readonly string[];
  readonly light?: readonly string[];
  readonly locked?: boolean;
  readonly bpm?: number;
}

export const BASSES: Readonly<Record<string, BassFamily>> = {
  hold: { base: ["R---|----|----|----", "R---|----|r---|----"], light: ["R---|----|----|----"] },
  root_fifth: {
    base: ["R---|....|5---|....", "R---|...a|5---|..a-", "R---|....|l---|...."],
    lift: ["R---|r---|5---|a---"],
  },
  pop: {
    base: ["R---|--r-|r---|--a-", "R-.r|-.r-|r-.r|-.a-", "R---|----|--r-|5-a-"],
    lift: ["R-r-|r-r-|r-r-|r-a-", "R-r8|-rr-|R-r8|-ra-"],
    light: ["R---|----|----|----"],
    locked: false,
  },
  kick: { base: [""], lift: ["R-r-|r-r-|r-r-|r-a-"], light: ["R---|----|----|----"], locked: true },
  eighths: {
    base: ["R-r-|r-r-|r-r-|r-r-", "R.r.|r.r.|r.r.|r.a.", "R-r-|r-r-|r-5-|r-a-"],
    lift: ["R-r-|r-r-|R-r-|r-a-"],
    light: ["R---|----|R---|----"],
  },
  punk: { bpm: 180, base: ["R-r-|r-r-|r-r-|r-r-", "R-r-|r-r-|r-r-|r-a-"], light: ["R---|----|----|----"] },
  metal: {
    bpm: 140,
    base: ["Rrr.|r.rr|..rr|r-r.", "R.rr|r.rr|r.rr|r.rr", "R-r-|r-r-|r-r-|r-r-"],
    lift: ["Rrrr|rrrr|rrrr|rrra", "R---|R---|R--r|r.rr"],
  },
  walking: { base: ["w-|w-|w-|a-", "w-|w-|w-|a-", "w-|wg|w-|a-"], light: ["R-|--|5-|--", "R-|--|w-|a-"] },
  two_feel: { base: ["R-|--|5-|-a", "R-|--|w-|a-"], lift: ["w-|w-|w-|a-"] },
  shuffle: { base: ["R..|5..|6..|5..", "R.r|5.5|6.6|5.5", "R..|3..|5..|6.a"], lift: ["R.r|3.3|5.5|6.5"] },
  slow_blues: { base: ["R--|..r|5--|..a", "R--|5--|6--|5.a"] },
  gospel: { base: ["R--r|..5-|7-5-|a-a-", "R-.r|-.8-|7-5-|..a-"], lift: ["R-8r|..5-|7-8-|5-a-"] },
  motown: {
    base: ["R--r|--5-|6-5-|3-a-", "R-r5|-68-|.65-|r-a-", "R--5|.r-.|r-6-|5-a-"],
    lift: ["R-r5|-685|.653|r-a-"],
  },
  soul: { base: ["R--r|..5-|r---|..a-", "R-r-|..8-|7-5-|..a-", "R---|..r-|.r5-|..a-"] },
  funk: {
    base: ["R.g8|.g.r|g.7.|8.g.", "R..r|.g8.|..7r|.5a.", "Rgr.|..8g|R.g7|.85.", "R...|.grg|..r7|8.g."],
    lift: ["R.g8|.gr.|R.g8|.7g8", "Rg8g|.grg|7g8.|5.a."],
    light: ["R...|....|..r.|...."],
  },
  disco: {
    bpm: 118,
    base: ["R.8.|r.8.|r.8.|r.8.", "R.8r|.8r8|R.8r|.8a.", "R-r8|..r8|R-r8|.58."],
    lift: ["Rr8r|Rr8r|Rr8r|Rr8a"],
    light: ["R---|....|R---|...."],
  },
  octaves: { base: ["R.8.|r.8.|r.8.|r.8.", "R-88|r-88|r-88|r-8a"], lift: ["Rr88|rr88|rr88|rr88"] },
  synth16: {
    base: ["Rrrr|rrrr|rrrr|rrrr", "R.rr|.rr.|R.rr|.rrr", "R-rr|8-rr|R-rr|8-rr"],
    lift: ["R8r8|R8r8|R8r8|R8r8"],
    light: ["R-r-|r-r-|r-r-|r-r-"],
  },
  pump: {
    bpm: 126,
    base: ["..R-|..R-|..R-|..R-", ".rR.|.rR.|.rR.|.rR.", ".RRR|.RRR|.RRR|.RRR"],
    lift: [".RR8|.RR8|.RR8|.RR8"],
    light: ["R---|----|----|----"],
  },
  house: {
    bpm: 124,
    base: ["R..r|..R.|..r.|.8..", "..R.|..R8|..R.|.rR.", "R.r.|.r.8|..R.|r.5."],
    lift: ["R..R|.8R.|..R8|.R.R"],
    light: ["R---|----|----|----"],
  },
  tech_house: {
    bpm: 126,
    base: ["R..R|..R.|...R|.8..", "..R.|R..R|..R.|.rR8", "R.RR|..8.|.R.R|..7."],
    lift: ["R.RR|.8R.|.R.R|.878"],
  },
  techno: {
    bpm: 132,
    base: [".RRR|.RRR|.RRR|.RRR", "..R.|..R.|..R.|..R.", ".R.R|.R.R|.R.R|.RrR"],
    lift: [".RRR|.RRR|.RR8|.RRR"],
    light: ["R---|----|----|----"],
  },
  trance: {
    bpm: 138,
    base: ["..RR|..RR|..RR|..RR", ".RRR|.RRR|.RRR|.RRR", "..R.|..R.|..R.|..R."],
    lift: [".RRR|.RR8|.RRR|.RR8"],
  },
  hard: { bpm: 150, base: [".RRR|.RRR|.RRR|.RRR", "..R-|..R-|..R-|..R-"], lift: [".RRR|.RRR|.8RR|.RRR"] },
  acid: { bpm: 128, base: ["R.rR|8.r.|Rr.7|r.8s", "RrR8|.r7.|R.8R|r.s8"], lift: ["Rr8R|rR78|Rr8s|R878"] },
  electro: { bpm: 124, base: ["R..R|..R.|.R8.|..R.", "R.R8|..R.|R..8|.7R.", "R-..|..R8|..R.|.78."] },
  wobble: {
    bpm: 140,
    base: ["R---|--r-|R-r-|rrr-", "R-r-|rrr.|R---|s---", "R---|----|r-r-|r-rr"],
    lift: ["R-rr|r-r-|R--r|s-rr", "Rrr-|R-r-|s---|rrrr"],
    light: ["R---|----|----|----"],
  },
  dnb: {
    bpm: 174,
    base: ["R---|----|--r-|----", "R---|---r|--R-|--a-", "R-.r|-.R-|--r-|8-a-"],
    lift: ["R-.r|--R-|.rR-|8-a-", "R---|R-r-|--R-|s-r-"],
    light: ["R---|----|----|----"],
  },
  jungle: { bpm: 168, base: ["R---|----|..R-|r-..", "R---|..r-|--5-|..r-", "R--r|--..|R-5-|....|R---|----|..8-|a---"] },
  garage: {
    bpm: 132,
    base: ["R...|..R-|.R..|R-..", "R-.R|..R.|..8.|R.a.", "..R.|R-..|..R8|.R.."],
    lift: ["R-.R|..R8|.R.8|R.a."],
  },
  sub808: {
    bpm: 142,
    base: ["R---|---r|----|--r-", "R---|----|--r-|----|R--r|--s-|----|----", "R--r|----|----|s---"],
    lift: ["R--r|--r-|----|s-r-", "R---|-r-r|----|s--r"],
    light: ["R---|----|----|----"],
  },
  drill: {
    bpm: 142,
    base: ["R---|---s|----|----|R--r|----|--s-|----", "R--r|----|--s-|--..", "R---|--s-|----|s---"],
    lift: ["R--s|---r|--s-|----|R--r|--s-|--8-|-s--"],
  },
  boom_bap: {
    bpm: 90,
    base: ["R---|..r.|.r5-|..a-", "R-.r|-...|.rr-|5-a-", "R---|...r|--5.|..7-"],
    lift: ["R-.r|-.r.|.r5-|7-a-"],
  },
  neo_soul: { base: ["R---|..gr|.5--|7-a-", "R--g|..r-|.r5.|.8a-", "R---|---5|..r-|.ga-"] },
  rnb: { base: ["R---|---r|--r-|----", "R--r|-.5-|r---|..a-", "R---|..r-|.rs-|----"] },
  lofi: {
    bpm: 80,
    base: ["R---|---.|..r-|5---", "R---|..5-|..r-|..a-", "R--r|----|r---|..a-"],
    light: ["R---|----|----|----"],
  },
  reggae: {
    bpm: 76,
    base: ["R-.r|5-..|..r-|3-5-", "....|R-r-|..5-|r-..", "R---|..5.|3.r.|5-..", "R-r.|..3-|5-..|..r-"],
    light: ["R---|..5-|r---|...."],
  },
  dub: {
    bpm: 76,
    base: ["R---|....|5-r-|....", "....|R-r-|..R-|5---", "R-.r|..5-|....|...."],
    light: ["R---|----|....|...."],
  },
  ska: { bpm: 150, base: ["R-3-|5-6-|8-6-|5-3-", "R-r-|3-3-|5-5-|a-a-"], lift: ["R-3-|5-6-|8-7-|5-a-"] },
  dancehall: { bpm: 98, base: ["R--r|..r.|R--r|..5-", "R---|..r-|R--5|..8-", "R--s|..R-|R--r|..a-"] },
  dembow: {
    bpm: 94,
    base: ["R--r|--r-|R--r|--r-", "R---|..r-|R--r|..5-", "R--r|..R-|R-.5|..8-"],
    lift: ["R--r|--R-|R--r|--8-"],
    light: ["R---|----|----|----"],
  },
  tumbao: {
    bpm: 92,
    base: ["...5|--8-|....|n---", "...R|--5-|---a|----", "...5|--8-|---n|--a-"],
    lift: ["...5|--8-|..r5|--a-"],
    light: ["R---|...5|----|a---"],
  },
  bossa: {
    bpm: 64,
    base: ["R--5|5--5|5--r|r--a", "R--5|5---|5--r|r---", "R---|--5-|l---|--a-"],
    light: ["R---|----|5---|----"],
  },
  samba: { bpm: 100, base: ["R--5|5--r|l--5|5--a", "R...|5--r|R...|5-a-"] },
  tango: { base: ["R-|5-|R-|5-", "R--r|..R-|5-R-|a-a-", "R-r-|r-r-|R-r-|r-a-"] },
  flamenco: { base: ["R---|....|5---|..a-", "R---|---r|5---|a---"] },
  mariachi: { base: ["R...|....|5...|....", "R-..|5-..|R-..|5-a-"] },
  afrobeat: {
    bpm: 112,
    base: ["R.r.|..5r|.r..|7.5.", "R..r|.5..|R.r.|.57.", "..R.|r.5.|..R.|7.8."],
    lift: ["R.r5|..5r|.r.8|7.5."],
  },
  log_drum: {
    bpm: 112,
    base: ["....|..R-|..s.|R..8|...R|..8.|R-..|s...", "R-..|...R|..8.|.R.s", "...R|.R.8|..R.|s..R"],
    lift: ["R.R.|8.R.|..R8|.RRs|...R|.R8.|R.R.|s.RR"],
    light: ["R---|----|----|...."],
  },
  bollywood: { base: ["R---|..r-|R-..|5-a-", "R--r|..5.|R--r|..a."] },
  arabic: { base: ["R---|..r-|R---|5---", "R-..|..r.|R-..|r-5-"] },
  polka: { base: ["R.|..|5.|..", "R-..|....|l-..|....", "R...|r...|5...|a..."] },
  country: {
    base: ["R-..|....|5-..|....", "R-..|..a.|5-..|..a.", "R---|....|5---|a-a-"],
    lift: ["R---|3---|5---|a---"],
  },
  waltz: { base: ["R-|..|..", "R-|--|..", "R-|..|.a"], lift: ["R-|..|5-"] },
  march: { base: ["R...|5...|R...|5...", "R...|5...|R...|a..."] },
  baroque: {
    base: ["R-3-|5-8-|7-5-|3-a-", "R---|3---|5---|a---", "R-w-|w-w-|w-w-|w-a-"],
    light: ["R---|----|5---|----"],
  },
  classical: {
    base: ["R---|....|R---|....", "R---|----|5---|a---", "R-..|r-..|r-..|r-a-"],
    lift: ["R-r-|r-r-|R-r-|r-a-"],
    light: ["R---|----|----|----"],
  },
  cinematic: {
    base: ["R---|----|----|----", "R---|----|R---|--r-"],
    lift: ["R-rr|r-rr|R-rr|r-rr", "R-r-|r-r-|R-r-|r-r-"],
    light: ["R---|----|----|----"],
  },
  minimal: { base: ["R---|r---|r---|r---", "R-..|r-..|r-..|r-..", "R---|----|r---|----"] },
  chip: { base: ["R.r.|8.r.|R.r.|8.r.", "R-r-|5-8-|R-r-|5-a-", "Rr8r|Rr8r|Rr8r|Rr8a"], lift: ["R8R8|R8R8|R8R8|R85a"] },
  western: { base: ["R---|....|5---|....", "R--r|..r-|5--r|..r-"] },
  trip_hop: { bpm: 90, base: ["R---|---.|..r-|..a-", "R-.r|....|.r--|5---", "R---|..5-|....|7-r-"] },
  vapor: { bpm: 80, base: ["R---|----|r---|5-a-", "R--r|..8-|7---|5---"] },
  surf: { base: ["R-r-|r-r-|5-5-|6-5-", "R-r-|3-3-|5-5-|6-5-"] },
  rockabilly: { base: ["R-|5-|R-|5-", "R-|3-|5-|6-", "Rg|5g|Rg|5g"] },
};
