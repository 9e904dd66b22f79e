/** The nose beside the mouth: a pole that stays and a zero that moves; where both meet it is shut (D. Klatt, JASA 67 (1980)). */
import type { Phoneme } from "../phonemes.ts";

/** Hz of the pole, before the voice's scale. */
export const NOSE = 270;

/** The zero against the pole where the nose is open. */
const OPEN: Readonly<Record<string, number>> = { M: 1.35, N: 1.44, NG: 1.52, NY: 1.44 };
/** Hz of the zero of a nasal through a nose whose pole is at `nose` Hz; undefined for other sounds. */
export function nasalZero(phoneme: Phoneme, nose: number): number | undefined {
  const open = OPEN[phoneme];
  return open === undefined ? undefined : nose * open;
}

/** Of the pitch, where the nose's pole stays at least: with its zero on the fundamental a high voice's murmur is lost, and an n is heard as d. */
const LEAST = 0.88;

/** What a nose tuned for speech is moved by at `pitch` Hz, pole and zero alike. */
export function raised(nose: number, pitch: number): number {
  const least = LEAST * pitch;
  const over = nose - least;
  // A smooth maximum, within 1 % of the larger where they are a third apart.
  return (least + 0.5 * (over + Math.sqrt(over * over + 900))) / nose;
}
