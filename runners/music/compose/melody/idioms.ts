import type { Brief } from "../brief.ts";
import { type Genre, playedAs } from "../genres.ts";

/** How a genre's tunes go. */
export interface Idiom {
  /** Rhythms of one beat with their weights: `x` begins a note, `-` holds, `.` is silent; any number of characters share the beat evenly. */
  readonly cells: readonly (readonly [cell: string, weight: number])[];
  /** Notes a second that feel right; fast and slow tempi choose other cells to come near it. */
  readonly rate: number;
  /** Bars of a motif. */
  readonly unit: 1 | 2;
  /** 0: steps only; 1: broken chords. */
  readonly leap: number;
  /** Share of its time that a note sounds. */
  readonly hold: number;
  /** Share of the piece's motifs that come back unaltered within a phrase: hooks and riffs against spun-out lines. */
  readonly riff: number;
  readonly scale: "mode" | "pentatonic" | "blues" | "hijaz" | "east";
  readonly ornament: "none" | "grace" | "bend" | "chromatic" | "turn" | "trill";
  /** Seconds that the player lies behind the beat. */
  readonly lay: number;
  /** Seconds, standard deviation of the player's timing; 0 for machines. */
  readonly loose: number;
}

const CALM: Idiom = {
  cells: [
    ["x---", 4],
    ["----", 5],
    ["--x-", 1],
    ["x-x-", 1],
    ["x--x", 0.4],
  ],
  rate: 1.3,
  unit: 2,
  leap: 0.3,
  hold: 1,
  riff: 0.3,
  scale: "mode",
  ornament: "none",
  lay: 0.008,
  loose: 0.012,
};

const SONG: Idiom = {
  cells: [
    ["x-x-", 5],
    ["x---", 3],
    ["--x-", 2.5],
    ["x--x", 1.6],
    ["-xx-", 0.8],
    ["----", 1.4],
    ["..x-", 1.6],
    ["x-xx", 0.5],
  ],
  rate: 2.4,
  unit: 2,
  leap: 0.3,
  hold: 0.92,
  riff: 0.5,
  scale: "mode",
  ornament: "none",
  lay: 0.006,
  loose: 0.009,
};

const ROCK: Idiom = {
  ...SONG,
  cells: [
    ["x-x-", 5],
    ["x---", 3],
    ["--x-", 2],
    ["..x-", 1.5],
    ["----", 1.2],
    ["x-..", 0.8],
    ["xxx-", 0.4],
  ],
  scale: "pentatonic",
  ornament: "bend",
  rate: 2.6,
  riff: 0.6,
};

const RIFF: Idiom = {
  ...ROCK,
  cells: [
    ["x-x-", 4],
    ["x-xx", 2],
    ["xxx-", 1.5],
    ["x--x", 1.5],
    ["--x-", 1.2],
    ["x---", 1.5],
    ["..x-", 0.8],
  ],
  rate: 3.6,
  unit: 1,
  riff: 0.8,
  hold: 0.8,
};

const BLUES: Idiom = {
  ...SONG,
  cells: [
    ["x-x-", 4],
    ["x-x", 2],
    ["x---", 2],
    ["..x-", 3],
    ["--x-", 2],
    ["----", 1.5],
    ["....", 1.6],
    ["xxx", 0.6],
  ],
  rate: 2.4,
  scale: "blues",
  ornament: "bend",
  hold: 0.88,
  lay: 0.016,
  loose: 0.014,
  riff: 0.55,
};

const JAZZ: Idiom = {
  ...SONG,
  cells: [
    ["x-x-", 7],
    ["--x-", 2.5],
    ["..x-", 2],
    ["x---", 2],
    ["x-x", 0.7],
    ["-xx-", 0.4],
    ["----", 1],
    ["x-..", 1],
  ],
  rate: 3.4,
  leap: 0.45,
  hold: 0.85,
  riff: 0.35,
  ornament: "chromatic",
  lay: 0.014,
  loose: 0.012,
};

const BEBOP: Idiom = {
  ...JAZZ,
  cells: [
    ["x-x-", 10],
    ["xxx", 1],
    ["x-xx", 0.5],
    ["--x-", 1.2],
    ["..x-", 1.2],
    ["x---", 0.6],
  ],
  rate: 5.6,
  riff: 0.2,
};

const GROOVE: Idiom = {
  ...SONG,
  cells: [
    ["x--x", 3],
    ["x-x-", 2.5],
    ["-xx-", 1.5],
    ["x-xx", 1.5],
    ["--x-", 2],
    ["..xx", 1.5],
    [".x-x", 1.2],
    ["x---", 1.2],
    ["....", 1],
  ],
  rate: 3.2,
  unit: 1,
  riff: 0.65,
  scale: "pentatonic",
  hold: 0.78,
  lay: 0.012,
};

const RNB: Idiom = {
  ...GROOVE,
  cells: [
    ["x--x", 2.5],
    ["-xx-", 2],
    ["x-x-", 2],
    ["--xx", 1.5],
    ["x---", 1.5],
    ["..x-", 2],
    ["----", 1.5],
    ["-x-x", 1],
  ],
  rate: 2.4,
  unit: 2,
  riff: 0.45,
  ornament: "grace",
  lay: 0.02,
  hold: 0.92,
};

const BEAT: Idiom = {
  ...RNB,
  cells: [
    ["x---", 2.5],
    ["--x-", 2],
    ["..x-", 2],
    ["x--x", 1.6],
    ["----", 2.5],
    ["....", 2],
    ["x-x-", 1.6],
  ],
  rate: 1.5,
  riff: 0.7,
  ornament: "none",
  lay: 0.022,
  loose: 0.015,
};

const TRAP: Idiom = {
  ...BEAT,
  cells: [
    ["x---", 2.5],
    ["x-x-", 2],
    ["x--x", 1.6],
    ["----", 2],
    ["--x-", 1.6],
    ["....", 1],
    ["xxx", 0.3],
  ],
  rate: 2,
  riff: 0.8,
  unit: 1,
  scale: "mode",
  lay: 0,
  loose: 0.004,
};

const MACHINE = { lay: 0, loose: 0 } as const;

const HOUSE: Idiom = {
  ...SONG,
  ...MACHINE,
  cells: [
    ["x--x", 3],
    ["--x-", 3],
    ["x-x-", 2],
    ["-x-x", 1],
    ["..x-", 2],
    ["x---", 1.5],
    ["....", 1.6],
  ],
  rate: 2.6,
  unit: 1,
  riff: 0.75,
  hold: 0.7,
};

const TECHNO: Idiom = {
  ...HOUSE,
  cells: [
    ["x...", 2.5],
    ["..x.", 3],
    ["x..x", 2],
    ["....", 3],
    ["..xx", 0.8],
    ["x.x.", 1],
  ],
  rate: 2,
  riff: 0.9,
  hold: 0.6,
  leap: 0.2,
};

const TRANCE: Idiom = {
  ...HOUSE,
  cells: [
    ["x-x-", 4],
    ["x--x", 3],
    ["--x-", 2.5],
    ["x-xx", 1.6],
    ["xxxx", 0.8],
    ["x---", 1.5],
  ],
  rate: 4,
  unit: 2,
  leap: 0.5,
  riff: 0.5,
  hold: 0.85,
};

const DROP: Idiom = {
  ...HOUSE,
  cells: [
    ["x--x", 3.5],
    ["--x-", 3],
    ["x-x-", 2.5],
    ["x---", 1.2],
    ["x-xx", 1],
    ["-x--", 0.8],
  ],
  rate: 3.2,
  unit: 2,
  leap: 0.45,
  riff: 0.7,
  hold: 0.85,
};

const RETRO: Idiom = {
  ...SONG,
  ...MACHINE,
  cells: [
    ["x-x-", 3],
    ["x---", 3],
    ["--x-", 2.5],
    ["----", 2],
    ["x--x", 2],
    ["xxxx", 0.2],
  ],
  rate: 2.1,
  leap: 0.45,
  riff: 0.6,
  hold: 0.95,
};

const CHIP: Idiom = {
  ...RETRO,
  cells: [
    ["x-x-", 5],
    ["x-xx", 2],
    ["xxx-", 1.6],
    ["x---", 2],
    ["--x-", 2],
    ["xxxx", 0.8],
    ["x--x", 1.6],
  ],
  rate: 4.2,
  leap: 0.55,
  hold: 0.75,
  riff: 0.55,
};

const DRIFT: Idiom = {
  ...CALM,
  cells: [
    ["x---", 1.6],
    ["----", 9],
    ["--x-", 0.5],
    ["....", 1.5],
  ],
  rate: 0.35,
  leap: 0.4,
  lay: 0.02,
  loose: 0.03,
  riff: 0.4,
};

const COUNTRY: Idiom = {
  ...SONG,
  cells: [
    ["x-x-", 5],
    ["x---", 3],
    ["--x-", 1.5],
    ["x-xx", 1],
    ["..x-", 1.2],
    ["----", 1],
  ],
  scale: "pentatonic",
  ornament: "grace",
  rate: 2.7,
};

const REEL: Idiom = {
  ...SONG,
  cells: [
    ["x-x-", 9],
    ["x-xx", 1.2],
    ["xxx-", 1.2],
    ["x---", 1.6],
    ["x--x", 0.8],
  ],
  rate: 5.2,
  unit: 1,
  leap: 0.4,
  ornament: "grace",
  hold: 0.9,
  riff: 0.45,
  lay: 0,
};

const FOLK: Idiom = { ...COUNTRY, scale: "mode", rate: 2.2, riff: 0.45 };

const OFFBEAT: Idiom = {
  ...SONG,
  cells: [
    ["..x-", 3],
    ["x-x-", 3],
    ["--x-", 2.5],
    ["x---", 1.6],
    ["....", 1.6],
    ["x-xx", 0.8],
  ],
  rate: 2,
  lay: 0.014,
  riff: 0.6,
};

const LATIN: Idiom = {
  ...SONG,
  cells: [
    ["x--x", 3.5],
    ["--x-", 3.5],
    ["x-x-", 3],
    ["-x-x", 1.2],
    ["x---", 1.2],
    ["..x-", 1.5],
  ],
  rate: 3,
  leap: 0.35,
  riff: 0.55,
};

const BOSSA: Idiom = {
  ...LATIN,
  cells: [
    ["--x-", 4],
    ["x-x-", 3],
    ["x--x", 2.5],
    ["----", 1.6],
    ["..x-", 2],
    ["x---", 1.5],
  ],
  rate: 2.2,
  ornament: "chromatic",
  hold: 0.95,
  lay: 0.014,
};

const PASSION: Idiom = {
  ...SONG,
  cells: [
    ["x---", 3],
    ["x-x-", 3],
    ["x-xx", 2],
    ["x--x", 2],
    ["xxxx", 0.7],
    ["----", 1.6],
    ["xxx", 0.8],
  ],
  rate: 3,
  ornament: "turn",
  scale: "hijaz",
  loose: 0.014,
  riff: 0.4,
};

const EAST: Idiom = {
  ...CALM,
  cells: [
    ["x---", 3],
    ["x-x-", 2.5],
    ["----", 2.5],
    ["x-xx", 0.8],
    ["--x-", 0.8],
  ],
  rate: 1.8,
  scale: "east",
  ornament: "grace",
  leap: 0.35,
};

const DANCE: Idiom = {
  ...SONG,
  cells: [
    ["x-x-", 5],
    ["x---", 3],
    ["x-xx", 1.6],
    ["xxx-", 1],
    ["xxxx", 0.8],
  ],
  rate: 3.6,
  unit: 2,
  ornament: "trill",
  hold: 0.8,
  riff: 0.5,
  leap: 0.45,
};

const RAG: Idiom = {
  ...DANCE,
  cells: [
    ["-x-x", 3],
    ["x-x-", 3],
    ["xx-x", 3],
    ["x-xx", 2],
    ["-xx-", 1.5],
    ["xxxx", 1],
  ],
  rate: 4.2,
  ornament: "chromatic",
};

const CLASSICAL: Idiom = {
  ...SONG,
  cells: [
    ["x---", 4],
    ["x-x-", 4],
    ["x--x", 1.6],
    ["x-xx", 1.2],
    ["xxxx", 1],
    ["----", 1.6],
  ],
  rate: 2.4,
  leap: 0.4,
  ornament: "turn",
  riff: 0.35,
  hold: 0.9,
  loose: 0.012,
};

const BAROQUE: Idiom = {
  ...CLASSICAL,
  cells: [
    ["xxxx", 3.5],
    ["x-xx", 3],
    ["x-x-", 3.5],
    ["x---", 1],
    ["xxx-", 0.6],
  ],
  rate: 5,
  unit: 1,
  ornament: "trill",
  hold: 0.85,
  riff: 0.25,
};

const ROMANTIC: Idiom = {
  ...CLASSICAL,
  cells: [
    ["x---", 4],
    ["----", 3],
    ["x-x-", 3],
    ["x--x", 2],
    ["xxx", 0.8],
  ],
  rate: 1.8,
  leap: 0.5,
  hold: 1,
  loose: 0.018,
};

const PROCESS: Idiom = {
  ...CLASSICAL,
  cells: [
    ["x-x-", 5],
    ["xxxx", 2.5],
    ["x-xx", 2],
    ["x---", 1],
  ],
  rate: 4.5,
  unit: 1,
  leap: 0.55,
  riff: 0.95,
  ornament: "none",
  loose: 0.006,
};

const PICTURE: Idiom = {
  ...CALM,
  cells: [
    ["x---", 4],
    ["----", 4],
    ["x-x-", 1.6],
    ["x--x", 1.4],
    ["xxx", 0.3],
  ],
  rate: 1.3,
  leap: 0.45,
  riff: 0.5,
};

const EPIC: Idiom = {
  ...PICTURE,
  cells: [
    ["x---", 4],
    ["----", 3],
    ["x--x", 2.5],
    ["x-x-", 2],
    ["xxx", 0.6],
  ],
  rate: 1.7,
  leap: 0.55,
  riff: 0.6,
};

export const IDIOMS: Readonly<Record<Genre, Idiom>> = {
  pop: SONG,
  indie_pop: SONG,
  synthpop: RETRO,
  dream_pop: CALM,
  city_pop: RNB,
  kpop: DROP,
  jpop: { ...SONG, rate: 3, leap: 0.4 },
  singer_songwriter: FOLK,
  musical_theatre: { ...SONG, leap: 0.45 },
  lullaby: { ...FOLK, rate: 1.5, ornament: "none" },
  childrens: { ...FOLK, rate: 2.4, unit: 1, riff: 0.6, ornament: "none" },
  rock: ROCK,
  indie_rock: ROCK,
  classic_rock: ROCK,
  punk: { ...ROCK, rate: 3.2 },
  grunge: ROCK,
  metal: RIFF,
  post_rock: PICTURE,
  shoegaze: CALM,
  surf_rock: RIFF,
  rockabilly: BLUES,
  blues: BLUES,
  gospel: { ...RNB, rate: 2 },
  soul: RNB,
  motown: { ...SONG, ornament: "grace" },
  funk: GROOVE,
  disco: GROOVE,
  rnb: RNB,
  neo_soul: RNB,
  hip_hop: BEAT,
  boom_bap: BEAT,
  trap: TRAP,
  drill: TRAP,
  lofi: BEAT,
  jazz: JAZZ,
  swing: JAZZ,
  bebop: BEBOP,
  smooth_jazz: { ...RNB, rate: 2.8, ornament: "chromatic" },
  ragtime: RAG,
  house: HOUSE,
  deep_house: { ...HOUSE, rate: 1.8 },
  tech_house: TECHNO,
  techno: TECHNO,
  trance: TRANCE,
  edm: DROP,
  dubstep: { ...DROP, rate: 2.4, unit: 1 },
  drum_and_bass: { ...RETRO, rate: 2.2 },
  jungle: { ...HOUSE, rate: 2.2 },
  uk_garage: HOUSE,
  electro: { ...TECHNO, rate: 3, hold: 0.6 },
  hardstyle: DROP,
  synthwave: RETRO,
  vaporwave: { ...BEAT, lay: 0.01 },
  chillout: { ...BEAT, loose: 0.006, lay: 0.004 },
  trip_hop: BEAT,
  downtempo: BEAT,
  ambient: DRIFT,
  dark_ambient: { ...DRIFT, rate: 0.28, leap: 0.25 },
  new_age: { ...CALM, rate: 0.9 },
  chiptune: CHIP,
  industrial: { ...TECHNO, rate: 2.6 },
  country: COUNTRY,
  bluegrass: { ...REEL, scale: "pentatonic" },
  folk: FOLK,
  celtic: REEL,
  americana: COUNTRY,
  reggae: OFFBEAT,
  dub: { ...OFFBEAT, rate: 1.2 },
  ska: { ...OFFBEAT, rate: 3 },
  dancehall: { ...OFFBEAT, rate: 2.4 },
  reggaeton: { ...LATIN, rate: 2.6 },
  latin_pop: LATIN,
  salsa: LATIN,
  bossa_nova: BOSSA,
  samba: { ...LATIN, rate: 3.4 },
  tango: { ...PASSION, scale: "mode" },
  flamenco: PASSION,
  mariachi: { ...LATIN, ornament: "grace" },
  afrobeat: GROOVE,
  amapiano: { ...HOUSE, rate: 2 },
  bollywood: { ...PASSION, scale: "mode" },
  arabic: PASSION,
  east_asian: EAST,
  polka: DANCE,
  klezmer: { ...PASSION, rate: 4, ornament: "turn" },
  classical: CLASSICAL,
  baroque: BAROQUE,
  romantic: ROMANTIC,
  minimalism: PROCESS,
  piano_solo: ROMANTIC,
  string_quartet: CLASSICAL,
  waltz: { ...CLASSICAL, rate: 2.2, leap: 0.5 },
  march: DANCE,
  cinematic: PICTURE,
  epic: EPIC,
  trailer: EPIC,
  horror: { ...PICTURE, rate: 0.8, leap: 0.3 },
  fantasy: { ...PICTURE, rate: 1.8 },
  western: { ...PICTURE, rate: 1.5, ornament: "grace", leap: 0.6 },
  game: CHIP,
  corporate: { ...SONG, rate: 1.9, riff: 0.75, unit: 1 },
  christmas: { ...SONG, rate: 2.1, leap: 0.4 },
};

/** Rhythms of a beat that divides in three, for compound metres: the idiom's rate chooses among them. */
export const COMPOUND: Idiom["cells"] = [
  ["x-x", 4],
  ["xxx", 4],
  ["x--", 4],
  ["---", 2],
  ["--x", 1],
  ["x-.", 1],
  ["..x", 0.8],
];

/** A genre's idiom, with some of the second genre's rhythms, bent by what the brief asks for by name. */
export function idiomOf({ genre, second_genre, traits }: Brief): Idiom {
  const own = IDIOMS[playedAs(genre)]!;
  const other = second_genre === null ? own : IDIOMS[playedAs(second_genre)]!;
  const asked = (trait: string): boolean => traits.includes(trait);
  let { cells, hold, riff, unit, rate, ornament } = own;
  if (other !== own) {
    cells = [...cells, ...other.cells.map(([cell, weight]) => [cell, 0.4 * weight] as const)];
    rate = 0.7 * rate + 0.3 * other.rate;
    riff = 0.7 * riff + 0.3 * other.riff;
    if (ornament === "none") ornament = other.ornament;
  }
  if (asked("syncopated"))
    cells = cells.map(
      ([cell, weight]) => [cell, cell[0] === "x" && cell[1] !== "x" ? weight * 0.5 : weight * 1.6] as const,
    );
  if (asked("legato")) [hold, rate] = [1, rate * 0.8];
  if (asked("staccato")) hold = Math.min(hold, 0.55);
  if (asked("riff") || asked("ostinato")) [riff, unit] = [0.9, 1];
  if (asked("improvised")) [riff, rate] = [riff * 0.3, rate * 1.15];
  if (asked("half time")) rate *= 0.7;
  return { ...own, cells, hold, riff, unit, rate, ornament };
}
