/** Tuning, key and chords of a piece. */
import type { Tonality } from "../analysis.ts";
import type { Grid } from "../form/grid.ts";
import { chordsOf } from "./chords.ts";
import type { Chroma } from "./chroma.ts";
import { keyOf } from "./key.ts";
import type { Pitch } from "./pitch.ts";
import { reinforced } from "./repetition.ts";

/** Chords are heard twice: without a key, and again in the key that the first hearing suggests, with what returns heard together. */
export function tonality(pitch: Pitch, chroma: Chroma, grid: Grid): Tonality {
  const key = keyOf(chroma, chordsOf(chroma, grid).chords);
  const { chords } = chordsOf(reinforced(chroma, grid), grid, key);
  const { tonic, mode, confidence } = keyOf(chroma, chords);
  return { tuning_hz: pitch.tuning_hz, tonic, mode, confidence, chords };
}
