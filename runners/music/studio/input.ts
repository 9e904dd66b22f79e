/** What pieces are made of. */
import type { Audio, Streamed } from "../../../contract/mod.ts";

export interface InstrumentalInput {
  /** What is to be made, in words; without it, `reference` says. */
  readonly prompt?: string | undefined;
  /** A piece to be like: tempo, key, form, density, groove and timbre are taken from it, neither melody nor chords. 44.1 kHz. */
  readonly reference?: Audio | Streamed | undefined;
  /** 10 to 300, met within a bar; absent: what the words or the reference say, or what such music is. */
  readonly seconds?: number | undefined;
  /** One for each variation. */
  readonly seeds: readonly number[];
}

export interface SongInput extends InstrumentalInput {
  /** With markers; at least one character that can be sung. */
  readonly lyrics: string;
}
