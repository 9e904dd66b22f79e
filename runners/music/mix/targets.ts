/**
 * What finished records of a genre measure, from its pack. Only the shapes are published; the figures of single genres are our judgements,
 * rounded after these, and no measurements of any one record:
 *
 * - Spectrum: long-term spectra of commercial recordings rise to 60 to 100 Hz and fall from there by about 5 dB an octave in density, 2 in power
 *   an octave, and faster above 4 kHz (P. Pestana et al., Spectral characteristics of popular commercial recordings 1950-2010, AES 135, 2013).
 *   Percussion lifts both ends (A. Elowsson and A. Friberg, Long-term average spectrum in popular music and its relation to the level of the
 *   percussion, AES 142, 2017).
 * - Width: the side's share grows with frequency, and next to nothing of it lies in the bass (B. De Man et al., An analysis and evaluation of
 *   audio features for multitrack music mixtures, ISMIR 2014, give the measure; the figures are ours).
 * - Peaks over loudness: records lost some dB of crest between the 1980s and the 2000s and kept their loudness range (E. Deruty and D. Tardieu,
 *   About dynamic processing in mainstream music, JAES 62, 2014; E. Vickers, The loudness war, AES 129, 2010).
 * - Contrast: what EBU Tech 3342 calls loudness range is a few LU in pop and well over ten in orchestral music (E. Skovenborg, Loudness range:
 *   design and evaluation, AES 132, 2012).
 */

import { musicOf } from "../../packs/mod.ts";
import { log2 } from "../../signal/dsp/exact.ts";
import type { Genre, MixCharacter } from "../compose/mod.ts";

/** Middles of the octaves, Hz. */
export const OCTAVES = [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000] as const;

const NAMES = ["31 Hz", "63 Hz", "125 Hz", "250 Hz", "500 Hz", "1 kHz", "2 kHz", "4 kHz", "8 kHz", "16 kHz"] as const;

/** Power of each of `OCTAVES` in dB; only differences count. */
export function octaveTargets(genre: Genre): readonly number[] {
  const { octaves_db } = musicOf(genre).mix;
  return NAMES.map((name) => octaves_db[name]);
}

/** For genres that say nothing: pop's. */
const USUAL_SIDE_DB = { "250 Hz": -9, "2 kHz": -5.5, "8 kHz": -4.5 } as const;
const USUAL_PEAK_OVER_LOUDNESS_DB = 11;
const USUAL_CONTRAST_LU = 7;
/** Where packs' figures are meant; a mix that is wider or denser, as its genre or a prompt has it, departs from them by so much. */
const STATED_AT = 0.6;
const SIDE_DB_BY_WIDTH = 8;
/** The side is never nearer to the middle: the fold to mono would lose more than half. */
const SIDE_DB_MOST = -2.5;
const PEAK_DB_BY_DENSITY = -3.5;

/** Power of the side against the middle in each of `OCTAVES` from 250 Hz on, dB: even in octaves between the genre's figures. */
export function sideTargets({ genre, width }: MixCharacter): readonly number[] {
  const { "250 Hz": low, "2 kHz": middle, "8 kHz": high } = musicOf(genre).mix.side_db ?? USUAL_SIDE_DB;
  const moved = SIDE_DB_BY_WIDTH * (width - STATED_AT);
  return OCTAVES.slice(FIRST_SIDE).map((hertz) => {
    const up = log2(hertz / 250);
    const stated = up <= 3 ? low + ((middle - low) * up) / 3 : middle + (high - middle) * Math.min(1, (up - 3) / 2);
    return Math.min(SIDE_DB_MOST, stated + moved);
  });
}

/** The first of `OCTAVES` that has a side: 250 Hz. */
export const FIRST_SIDE = 3;

/** Peaks over loudness that the mix is handed on with, dB. */
export function peakTarget({ genre, density }: MixCharacter): number {
  const stated = musicOf(genre).mix.peak_over_loudness_db ?? USUAL_PEAK_OVER_LOUDNESS_DB;
  return stated + PEAK_DB_BY_DENSITY * (density - STATED_AT);
}

/** LU from a section of the least energy to one of the most. */
export function contrastTarget(genre: Genre): number {
  return musicOf(genre).mix.contrast_lu ?? USUAL_CONTRAST_LU;
}
