/**
 * How the power of finished records spreads over octaves. Long-term spectra of commercial recordings rise to 60 to 100 Hz and fall from there
 * by about 5 dB an octave in density, 2 in power an octave, and faster above 4 kHz (P. Pestana et al., Spectral characteristics of popular
 * commercial recordings 1950-2010, AES 135, 2013; A. Elowsson and A. Friberg, Long-term average spectrum in popular music and its relation
 * to the level of the percussion, AES 142, 2017: percussion lifts both ends). The curves here are rounded after those and shifted by what
 * sets each family apart; they are judgements, not measurements of any one record.
 */
import type { Genre } from "../compose/mod.ts";
import { type Family, familyOf } from "./families.ts";

/** Middles of the octaves, Hz. */
export const OCTAVES = [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000] as const;

const TABLE: Readonly<Record<Family, readonly number[]>> = {
  //         31    63   125   250   500    1k    2k    4k    8k   16k
  pop: [-9, 0, -0.5, -3, -5, -7.5, -10.5, -13.5, -17.5, -24],
  rock: [-12, -1.5, -0.5, -2.5, -4.5, -6.5, -9, -12.5, -17.5, -26],
  heavy: [-10, -0.5, 0.5, -2, -4.5, -6.5, -8.5, -11.5, -16, -24],
  groove: [-9, 0.5, 0.5, -2.5, -5, -7.5, -10.5, -13.5, -17.5, -25],
  hip_hop: [-5, 1, -1, -4.5, -7.5, -10, -13, -15.5, -19, -26],
  club: [-7, 1.5, -0.5, -4.5, -7.5, -9.5, -12, -14.5, -18, -23],
  bass_music: [-5, 1.5, -0.5, -4, -6.5, -8.5, -11, -13.5, -17, -22.5],
  reggae: [-5, 2.5, 0.5, -4.5, -8, -11, -14.5, -18, -22.5, -31],
  lofi: [-11, -1, 0, -2.5, -5.5, -9, -14, -20, -27, -38],
  jazz: [-15, -3, -0.5, -1.5, -3.5, -7, -11.5, -16, -21, -30],
  ambient: [-11, -3, -1, -1.5, -4.5, -9, -14.5, -20, -26, -35],
  folk: [-18, -6, -1, -1, -3.5, -7, -11, -15, -20, -29],
  latin: [-12, -2, -0.5, -2.5, -4, -6, -8.5, -11.5, -15.5, -23],
  world: [-15, -4, -1, -2, -4, -6.5, -10, -14, -19, -28],
  classical: [-20, -9, -4, -1, -1, -4, -9, -15, -22, -33],
  piano: [-27, -12, -4, 0, -1, -5.5, -12, -20, -29, -42],
  screen: [-9, -1.5, -0.5, -1.5, -4, -7.5, -12, -16.5, -22, -31],
  chip: [-18, -5, -1, -1, -2.5, -5, -8, -11.5, -15.5, -23],
};

/** What sets single genres apart from their family, added. */
const SHIFTS: Partial<Readonly<Record<Genre, readonly number[]>>> = {
  dark_ambient: [4, 3, 1, 0, 0, -1, -3, -4, -5, -6],
  new_age: [-4, -2, 0, 0, 0, 1, 2, 3, 4, 4],
  dub: [2, 1, 0, 0, 0, -1, -1, -2, -2, -2],
  shoegaze: [-2, -1, 0, 1, 1, 1, 0, 0, 0, 0],
  deep_house: [0, 0, 0, 0, 0, 0, -1, -2, -2, -2],
  trap: [4, 1.5, 0, -1, -1, -0.5, 0, 1, 2.5, 3],
  drum_and_bass: [0, 0, -0.5, -1, -0.5, 0, 1, 1.5, 2.5, 3.5],
  boom_bap: [-3, -1, 1, 1, 1, 0, 0, 0, -1, -2],
  kpop: [2, 1.5, 0.5, 0, 0, 0, 0, 0, 0, 0],
  fantasy: [-6, -5, -1, 0, 0, 0, 0, 0, 0, 0],
  tango: [-2, -2, 0, 0, 0, 0, 0, -1.5, -4, -8],
  christmas: [-7, -6, -1.5, 0, 0, 0, 0, 0, 1, 1],
  trailer: [2, 1, 0, 0, 0, 0, 0, 1, 1, 1],
  march: [2, 2, 1, 0, 0, 0, 1, 2, 3, 3],
  string_quartet: [-6, -5, -1, 0, 0, 0, 0, 0, 0, 0],
  ragtime: [-10, -6, -2, 0, 1, 1, 0, -2, -5, -8],
};

/** Power of each of `OCTAVES` in dB; only differences count. */
export function octaveTargets(genre: Genre): readonly number[] {
  const base = TABLE[familyOf(genre)];
  const shift = SHIFTS[genre];
  return shift === undefined ? base : base.map((value, band) => value + shift[band]!);
}
