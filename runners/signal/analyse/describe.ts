/** Harmony, form and timbre of a piece: what they share is heard once. */
import type { Audio, Streamed } from "../../../contract/mod.ts";
import { breathe } from "../../breathe.ts";
import { framesOf } from "../../samples.ts";
import type { Form, Rhythm, Timbre, Tonality } from "./analysis.ts";
import { form } from "./form/form.ts";
import { gridOf } from "./form/grid.ts";
import { chromaOf } from "./harmony/chroma.ts";
import { notesOf } from "./harmony/notes.ts";
import { hearPitch } from "./harmony/pitch.ts";
import { tonality } from "./harmony/tonality.ts";
import { hearColour } from "./timbre/colour.ts";
import { timbre } from "./timbre/timbre.ts";

export interface Description {
  readonly tonality: Tonality;
  readonly form: Form;
  readonly timbre: Timbre;
}

/**
 * @param mono the source at 22.05 kHz, as `fold` gives it
 * @throws the signal's reason on abort
 */
export async function describe(
  audio: Audio | Streamed,
  mono: Float32Array,
  rhythm: Rhythm,
  signal: AbortSignal,
): Promise<Description> {
  const seconds = framesOf(audio) / audio.sample_rate;
  const pitch = await hearPitch(mono, signal);
  const colour = await hearColour(audio, signal);
  const grid = gridOf(rhythm, seconds);
  const notes = notesOf(pitch, grid.edges);
  const chroma = chromaOf(notes);
  await breathe(signal);
  const heard = tonality(pitch, chroma, grid);
  await breathe(signal);
  return {
    tonality: heard,
    form: form(colour, chroma, notes, heard.chords, grid, rhythm, seconds),
    timbre: timbre(colour, rhythm, seconds),
  };
}
