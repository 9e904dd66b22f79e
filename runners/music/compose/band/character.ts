import { type Genre, playedAs } from "../genres.ts";
import type { Plan } from "../plan.ts";
import type { MixCharacter } from "../score.ts";
import { clamp } from "./frame.ts";

type Row = readonly [
  space: number,
  brightness: number,
  drive: number,
  density: number,
  pump: number,
  width: number,
  age: number,
];

/** Each genre's usual sound, 0 to 1: space, brightness, drive, density, pump, width, age. */
const ROWS: Readonly<Record<Genre, Row>> = {
  pop: [0.35, 0.65, 0.2, 0.7, 0.2, 0.65, 0.05],
  indie_pop: [0.4, 0.55, 0.3, 0.6, 0.05, 0.6, 0.2],
  synthpop: [0.45, 0.65, 0.25, 0.7, 0.25, 0.7, 0.15],
  dream_pop: [0.75, 0.5, 0.3, 0.6, 0.05, 0.85, 0.25],
  city_pop: [0.4, 0.65, 0.2, 0.6, 0, 0.65, 0.3],
  kpop: [0.35, 0.75, 0.3, 0.8, 0.3, 0.75, 0],
  jpop: [0.35, 0.7, 0.35, 0.8, 0.1, 0.7, 0],
  singer_songwriter: [0.35, 0.5, 0.05, 0.35, 0, 0.5, 0.15],
  musical_theatre: [0.5, 0.55, 0.05, 0.4, 0, 0.65, 0.1],
  lullaby: [0.55, 0.4, 0, 0.2, 0, 0.55, 0.1],
  childrens: [0.3, 0.65, 0.05, 0.45, 0, 0.5, 0.05],
  rock: [0.35, 0.6, 0.6, 0.7, 0, 0.7, 0.15],
  indie_rock: [0.4, 0.55, 0.5, 0.6, 0, 0.65, 0.25],
  classic_rock: [0.4, 0.5, 0.5, 0.5, 0, 0.6, 0.45],
  punk: [0.2, 0.65, 0.75, 0.8, 0, 0.65, 0.2],
  grunge: [0.35, 0.45, 0.75, 0.7, 0, 0.65, 0.3],
  metal: [0.25, 0.65, 0.85, 0.85, 0, 0.8, 0.05],
  post_rock: [0.7, 0.5, 0.4, 0.5, 0, 0.8, 0.15],
  shoegaze: [0.8, 0.5, 0.75, 0.8, 0, 0.9, 0.25],
  surf_rock: [0.65, 0.6, 0.35, 0.5, 0, 0.5, 0.55],
  rockabilly: [0.4, 0.5, 0.35, 0.45, 0, 0.35, 0.65],
  blues: [0.35, 0.45, 0.4, 0.4, 0, 0.5, 0.4],
  gospel: [0.55, 0.55, 0.2, 0.5, 0, 0.65, 0.2],
  soul: [0.35, 0.45, 0.25, 0.5, 0, 0.55, 0.45],
  motown: [0.4, 0.5, 0.3, 0.55, 0, 0.4, 0.6],
  funk: [0.2, 0.6, 0.3, 0.6, 0, 0.55, 0.35],
  disco: [0.4, 0.65, 0.2, 0.65, 0.1, 0.65, 0.35],
  rnb: [0.4, 0.5, 0.15, 0.6, 0.2, 0.65, 0.05],
  neo_soul: [0.3, 0.4, 0.25, 0.5, 0.05, 0.55, 0.35],
  hip_hop: [0.25, 0.5, 0.35, 0.75, 0.15, 0.5, 0.15],
  boom_bap: [0.2, 0.35, 0.45, 0.65, 0.1, 0.45, 0.6],
  trap: [0.35, 0.6, 0.4, 0.8, 0.25, 0.6, 0],
  drill: [0.4, 0.5, 0.4, 0.8, 0.2, 0.6, 0],
  lofi: [0.35, 0.2, 0.4, 0.5, 0.2, 0.5, 0.85],
  jazz: [0.45, 0.45, 0.05, 0.2, 0, 0.55, 0.25],
  swing: [0.45, 0.5, 0.1, 0.3, 0, 0.5, 0.45],
  bebop: [0.4, 0.5, 0.1, 0.25, 0, 0.4, 0.4],
  smooth_jazz: [0.5, 0.6, 0.05, 0.5, 0, 0.65, 0.05],
  ragtime: [0.3, 0.45, 0.15, 0.25, 0, 0.35, 0.6],
  house: [0.35, 0.65, 0.25, 0.8, 0.6, 0.65, 0.05],
  deep_house: [0.5, 0.4, 0.2, 0.7, 0.55, 0.65, 0.1],
  tech_house: [0.25, 0.6, 0.35, 0.85, 0.5, 0.55, 0],
  techno: [0.45, 0.5, 0.5, 0.9, 0.55, 0.6, 0.05],
  trance: [0.65, 0.75, 0.25, 0.85, 0.7, 0.85, 0],
  edm: [0.45, 0.8, 0.4, 0.95, 0.75, 0.85, 0],
  dubstep: [0.4, 0.65, 0.75, 0.95, 0.4, 0.7, 0],
  drum_and_bass: [0.4, 0.65, 0.45, 0.9, 0.3, 0.7, 0],
  jungle: [0.45, 0.55, 0.5, 0.8, 0.15, 0.6, 0.35],
  uk_garage: [0.3, 0.6, 0.25, 0.75, 0.35, 0.6, 0.1],
  electro: [0.3, 0.65, 0.45, 0.8, 0.2, 0.55, 0.2],
  hardstyle: [0.4, 0.75, 0.9, 1, 0.7, 0.75, 0],
  synthwave: [0.6, 0.55, 0.35, 0.75, 0.35, 0.8, 0.3],
  vaporwave: [0.7, 0.25, 0.3, 0.6, 0.15, 0.7, 0.9],
  chillout: [0.6, 0.45, 0.1, 0.5, 0.2, 0.75, 0.1],
  trip_hop: [0.45, 0.3, 0.45, 0.6, 0.1, 0.6, 0.6],
  downtempo: [0.55, 0.4, 0.2, 0.55, 0.2, 0.7, 0.2],
  ambient: [0.95, 0.35, 0.05, 0.3, 0, 0.95, 0.1],
  dark_ambient: [1, 0.1, 0.3, 0.35, 0, 0.95, 0.3],
  new_age: [0.85, 0.55, 0, 0.3, 0, 0.85, 0],
  chiptune: [0.05, 0.8, 0.3, 0.85, 0, 0.3, 0.1],
  industrial: [0.4, 0.55, 0.95, 0.9, 0.25, 0.65, 0.2],
  country: [0.35, 0.6, 0.2, 0.5, 0, 0.6, 0.1],
  bluegrass: [0.25, 0.65, 0, 0.35, 0, 0.55, 0.15],
  folk: [0.35, 0.5, 0, 0.3, 0, 0.5, 0.2],
  celtic: [0.55, 0.6, 0, 0.35, 0, 0.65, 0.05],
  americana: [0.45, 0.45, 0.15, 0.4, 0, 0.55, 0.3],
  reggae: [0.4, 0.4, 0.2, 0.6, 0, 0.5, 0.3],
  dub: [0.85, 0.3, 0.4, 0.65, 0, 0.65, 0.55],
  ska: [0.3, 0.6, 0.25, 0.6, 0, 0.5, 0.3],
  dancehall: [0.25, 0.55, 0.35, 0.8, 0.15, 0.5, 0.1],
  reggaeton: [0.3, 0.55, 0.3, 0.85, 0.2, 0.55, 0],
  latin_pop: [0.35, 0.65, 0.1, 0.7, 0.1, 0.65, 0],
  salsa: [0.4, 0.65, 0.1, 0.5, 0, 0.6, 0.25],
  bossa_nova: [0.35, 0.4, 0, 0.25, 0, 0.5, 0.35],
  samba: [0.35, 0.65, 0.05, 0.5, 0, 0.6, 0.2],
  tango: [0.5, 0.5, 0.05, 0.35, 0, 0.5, 0.4],
  flamenco: [0.45, 0.6, 0, 0.35, 0, 0.5, 0.1],
  mariachi: [0.4, 0.65, 0.05, 0.4, 0, 0.6, 0.25],
  afrobeat: [0.3, 0.55, 0.2, 0.6, 0, 0.6, 0.3],
  amapiano: [0.5, 0.5, 0.2, 0.75, 0.25, 0.65, 0],
  bollywood: [0.5, 0.65, 0.15, 0.7, 0.05, 0.65, 0.1],
  arabic: [0.5, 0.55, 0.1, 0.5, 0, 0.55, 0.15],
  east_asian: [0.65, 0.5, 0, 0.3, 0, 0.65, 0.05],
  polka: [0.25, 0.6, 0.05, 0.4, 0, 0.45, 0.25],
  klezmer: [0.35, 0.55, 0.05, 0.35, 0, 0.45, 0.3],
  classical: [0.65, 0.5, 0, 0.15, 0, 0.7, 0],
  baroque: [0.6, 0.6, 0, 0.2, 0, 0.6, 0],
  romantic: [0.7, 0.45, 0, 0.15, 0, 0.7, 0.05],
  minimalism: [0.55, 0.5, 0, 0.3, 0, 0.65, 0],
  piano_solo: [0.55, 0.45, 0, 0.15, 0, 0.6, 0.05],
  string_quartet: [0.55, 0.5, 0, 0.15, 0, 0.6, 0],
  waltz: [0.6, 0.5, 0, 0.2, 0, 0.6, 0.2],
  march: [0.5, 0.65, 0.05, 0.35, 0, 0.6, 0.2],
  cinematic: [0.75, 0.5, 0.15, 0.5, 0.05, 0.85, 0],
  epic: [0.75, 0.55, 0.3, 0.8, 0.05, 0.9, 0],
  trailer: [0.7, 0.5, 0.55, 0.95, 0.1, 0.9, 0],
  horror: [0.9, 0.25, 0.25, 0.3, 0, 0.9, 0.25],
  fantasy: [0.75, 0.55, 0, 0.4, 0, 0.8, 0],
  western: [0.65, 0.5, 0.15, 0.4, 0, 0.6, 0.4],
  game: [0.4, 0.65, 0.2, 0.65, 0.05, 0.65, 0.05],
  corporate: [0.4, 0.7, 0.05, 0.65, 0.1, 0.65, 0],
  christmas: [0.6, 0.65, 0.05, 0.4, 0, 0.65, 0.2],
};

/** How the desk should sound: the genre's habit, a quarter of a second genre's, and what the brief asks for. */
export function character(plan: Plan): MixCharacter {
  const { brief } = plan;
  const own = ROWS[playedAs(brief.genre)]!;
  const other = brief.second_genre ? ROWS[playedAs(brief.second_genre)] : undefined;
  const habit = own.map((value, n) => (other ? value * 0.7 + other[n]! * 0.3 : value));
  const said = new Set(brief.explicit);
  // What the prompt said outright weighs more than what the brief only inferred.
  const blend = (n: number, asked: number, field: string): number => {
    const weight = said.has(field) ? 0.7 : 0.35;
    return rounded(habit[n]! * (1 - weight) + asked * weight);
  };
  const width = habit[5]! + 0.15 * (brief.space - 0.5);
  return {
    genre: brief.genre,
    space: blend(0, brief.space, "space"),
    brightness: blend(1, brief.brightness, "brightness"),
    drive: blend(2, brief.drive, "drive"),
    density: rounded(habit[3]! * 0.75 + 0.25 * (0.4 * brief.density + 0.6 * brief.energy)),
    pump: rounded(habit[4]! * (0.7 + 0.6 * brief.energy) + (brief.traits.includes("side chain") ? 0.35 : 0)),
    width: rounded(width),
    age: blend(6, brief.age, "age"),
  };
}

function rounded(value: number): number {
  return Math.round(clamp(value, 0, 1) * 1000) / 1000;
}
