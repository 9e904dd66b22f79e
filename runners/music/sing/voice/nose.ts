/** The nose beside the mouth: a pole that stays and a zero that moves; where both meet it is shut (D. Klatt, JASA 67 (1980)). */
import type { Phoneme } from "../phonemes.ts";

/** Hz of the pole, before the voice's scale. */
export const NOSE = 270;

/**
 * The zero against the pole where the nose is open and the mouth shut. So far apart they take what is above the zero
 * down by some 20 dB, as the shut mouth does: murmurs of recorded speakers, low and high, are 10 dB under their vowels
 * at 200 Hz, 25 at 600 and 40 to 50 from 800 Hz on. With the pair as near as synthesisers of speech have it a last n
 * between vowels is heard as t.
 */
const OPEN: Readonly<Record<string, number>> = { M: 2.6, N: 3.2, NG: 3.8, NY: 3.4 };

/** Hz above which a murmur's own spectrum falls faster. */
export const MURMUR_SOFT = 3000;

/** Hz of the zero of a nasal through a nose whose pole is at `nose` Hz; undefined for other sounds. */
export function nasalZero(phoneme: Phoneme, nose: number): number | undefined {
  const open = OPEN[phoneme];
  return open === undefined ? undefined : nose * open;
}

/**
 * Of the pitch, where the nose's pole stays at least: with its zero on the fundamental a high voice's murmur is lost,
 * and an n is heard as d.
 */
const LEAST = 0.88;

/** What a nose tuned for speech is moved by at `pitch` Hz, pole and zero alike. */
export function raised(nose: number, pitch: number): number {
  const least = LEAST * pitch;
  const over = nose - least;
  // A smooth maximum, within 1 % of the larger where they are a third apart.
  return (least + 0.5 * (over + Math.sqrt(over * over + 900))) / nose;
}

/** Hz of the bandwidth of pole and zero. */
export const NOSE_WIDTH = 100;

/**
 * Of the zero, which is the wider the further it is from the pole: a mouth that is shut is lossy, so no note of a
 * murmur falls into a hole.
 */
export function zeroWidth(pole: number, zero: number): number {
  return NOSE_WIDTH + 0.6 * (zero - pole);
}
