/** What remixes are made of. */
import type { Audio, Streamed } from "../../../contract/mod.ts";

export interface RemixInput {
  /** 44.1 kHz, one or two channels, from a second on. */
  readonly source: Audio | Streamed;
  /** What it is to become, in words; without it the source alone guides. */
  readonly prompt?: string | undefined;
  /** Length, 10 to 300, met within a bar; absent: the source's. */
  readonly seconds?: number | undefined;
  /** One for each variation, from close to far. */
  readonly seeds: readonly number[];
}

export interface RemixSongInput extends RemixInput {
  readonly prompt: string;
  /** With markers; at least one character that can be sung. */
  readonly lyrics: string;
}
