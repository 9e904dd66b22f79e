/** What the ducking engine takes and gives. */
import type { Audio, Output, Streamed, StreamedOutput } from "../../../contract/mod.ts";

export interface DuckInput {
  /** Mono or stereo at 44.1 kHz, of any two lengths. */
  readonly music: Audio | Streamed;
  readonly voice: Audio | Streamed;
  /** Depth in dB, 0 to 24; absent: chosen from how loud the voice is against the music. */
  readonly duck_db?: number | undefined;
  /** The loudness that a limiter will bring the mix to: peaks of the voice are taken down beforehand, by themselves. Absent: they stay. */
  readonly limit_for_lufs?: number | undefined;
}

export interface DuckReport {
  /** How far the music goes down while the voice speaks, dB; 0 where none was asked or no voice was found. */
  readonly depth_db: number;
  /** Seconds. */
  readonly speech: readonly { readonly start: number; readonly end: number }[];
  /** Gain of the music over time, balance included: corners, with a raised cosine in decibels from each to the next. */
  readonly gain: readonly { readonly time: number; readonly db: number }[];
  /** Loudness of the voice above that of the music while the voice speaks, LU; null where one of them is not to be heard there. */
  readonly voice_to_music_lu: { readonly before: number | null; readonly after: number | null };
  /** How far the highest peak of the voice was taken down, so that mastering need not move the music with it; 0 for none. */
  readonly voice_peaks_db: number;
  /**
   * Static gains that bring voice and music into reach of one another; 0 and 0 save where 18 dB of ducking would not
   * do, or music at rest would be limited hard.
   */
  readonly balance: { readonly music_db: number; readonly voice_db: number };
  /** Length of the fade that the music got because it would have stopped dead under the voice; 0 for none. */
  readonly music_fade_seconds: number;
}

export type Ducked = (Output | StreamedOutput) & { readonly report: DuckReport & Readonly<Record<string, unknown>> };
