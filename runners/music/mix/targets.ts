/**
 * How the power of finished records spreads over octaves. Long-term spectra of commercial recordings rise to 60 to 100 Hz and fall from there
 * by about 5 dB an octave in density, 2 in power an octave, and faster above 4 kHz (P. Pestana et al., Spectral characteristics of popular
 * commercial recordings 1950-2010, AES 135, 2013; A. Elowsson and A. Friberg, Long-term average spectrum in popular music and its relation
 * to the level of the percussion, AES 142, 2017: percussion lifts both ends). The curves of genres are rounded after those and shifted by what
 * sets genres apart; they are judgements, not measurements of any one record.
 */

import { musicOf } from "../../packs/mod.ts";
import type { Genre } from "../compose/mod.ts";

/** Middles of the octaves, Hz. */
export const OCTAVES = [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000] as const;

const NAMES = ["31 Hz", "63 Hz", "125 Hz", "250 Hz", "500 Hz", "1 kHz", "2 kHz", "4 kHz", "8 kHz", "16 kHz"] as const;

/** Power of each of `OCTAVES` in dB; only differences count. */
export function octaveTargets(genre: Genre): readonly number[] {
  const { octaves_db } = musicOf(genre).mix;
  return NAMES.map((name) => octaves_db[name]);
}
