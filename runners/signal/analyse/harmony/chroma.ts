import { LOWEST_NOTE, NOTES } from "./notes.ts";

/** Twelve values a row, C first: what sounds in the middle and upper registers, and in the bass. */
export interface Chroma {
  readonly rows: number;
  /** Each row of unit length, or all 0. */
  readonly treble: Float32Array;
  /** Each row of unit length, or all 0. */
  readonly bass: Float32Array;
}

/** Compression of the upper notes: soft ones of a chord count nearly as much as its loud ones. */
const COMPRESSION = 0.6;

/** Folds notes (`NOTES` values a row) into octaves. The registers overlap: a bass line may rise into the chord. */
export function chromaOf(notes: Float32Array): Chroma {
  const rows = notes.length / NOTES;
  const treble = new Float32Array(12 * rows);
  const bass = new Float32Array(12 * rows);
  const treble_weights = Float32Array.from({ length: NOTES }, (_, n) => trebleWeight(n + LOWEST_NOTE));
  const bass_weights = Float32Array.from({ length: NOTES }, (_, n) => bassWeight(n + LOWEST_NOTE));
  for (let row = 0; row < rows; row++) {
    for (let n = 0; n < NOTES; n++) {
      const value = notes[row * NOTES + n]!;
      if (value === 0) continue;
      const at = 12 * row + ((n + LOWEST_NOTE) % 12);
      treble[at]! += treble_weights[n]! * value ** COMPRESSION;
      bass[at]! += bass_weights[n]! * value;
    }
    normalise(treble, 12 * row, 12);
    normalise(bass, 12 * row, 12);
  }
  return { rows, treble, bass };
}

/** Full from E3 to F#5, falling off over an octave on either side. */
function trebleWeight(note: number): number {
  const below = (note - 40) / 12;
  const above = (90 - note) / 12;
  return Math.max(0, Math.min(1, below, above));
}

/** Full up to A#2, nothing from A#3 on. */
function bassWeight(note: number): number {
  return Math.max(0, Math.min(1, (58 - note) / 12));
}

/** Scales `length` values at `at` to unit length; all 0 stay so. */
export function normalise(values: Float32Array, at: number, length: number): void {
  let sum = 0;
  for (let k = at; k < at + length; k++) sum += values[k]! * values[k]!;
  if (sum === 0) return;
  const scale = 1 / Math.sqrt(sum);
  for (let k = at; k < at + length; k++) values[k]! *= scale;
}
