/** What models of each task give. */
import type { Audio, Job } from "../../contract/mod.ts";
import type { NoteEvent } from "./note_events.ts";
import type { Ensemble } from "./separator.ts";

/** By task. */
export interface TaskEngines {
  separate: Ensemble;
  generate: Generator;
  /** Sounds rather than music. */
  effect: Generator;
  /** Music with somebody who sings. */
  song: Generator<{ readonly prompt: string; readonly lyrics: string }>;
  /** A piece made anew: nobody sings. */
  remix: Generator<RemixWords>;
  /** A song made anew, with new lyrics. */
  remix_song: Generator<RemixWords & { readonly lyrics: string }>;
  voice_activity: VoiceDetector;
  transcribe: Transcriber;
  sing: Vocalist;
}
export type Task = keyof TaskEngines;

export interface RemixWords {
  /** Empty: as the model likes. */
  readonly prompt: string;
  /** Of 44.1 kHz, mono or stereo, at most `seconds_max` long. */
  readonly reference: Audio;
}

export interface Generator<Words = { readonly prompt: string }> {
  readonly id: string;
  readonly seconds_max: number;
  /** Pieces that are asked for at once take less than one after another. */
  readonly side_by_side?: boolean;
  /**
   * At 44.1 kHz, mono or stereo, `seconds` long. Same words, seconds and seed: same samples. Rejects with a
   * `ModelError` where the model is at fault.
   */
  generate(request: Words & { readonly seconds: number; readonly seed: number }, job: Job): Promise<Audio>;
}

export interface VoiceDetector {
  readonly id: string;
  /**
   * Probability of speech, 0 to 1; value i describes the window that begins at i × hop_seconds. Rejects with a
   * `ModelError` where the model is at fault.
   */
  detect(audio: Audio, job: Job): Promise<{ readonly hop_seconds: number; readonly values: Float32Array }>;
}

export interface Transcriber {
  readonly id: string;
  /** By start, then by pitch. Rejects with a `ModelError` where the model is at fault. */
  transcribe(audio: Audio, job: Job): Promise<readonly NoteEvent[]>;
}

/** Sounds on one breath. */
export interface SungPassage {
  /** Second at which the first sound begins. */
  readonly start: number;
  /** In order, without gaps; silence is "SP". Names as `runners/music/sing/phonemes.ts` has them. */
  readonly sounds: readonly { readonly name: string; readonly seconds: number }[];
  /** Hz at a second; a number above 0 everywhere in the passage and half a second around it. */
  readonly hertz: (second: number) => number;
}

export interface Vocalist {
  readonly id: string;
  /** Mono at 44.1 kHz, `seconds` long; what would sound outside is cut. Rejects with a `ModelError` where the model is at fault. */
  sing(passages: readonly SungPassage[], seconds: number, job: Job): Promise<Float32Array>;
}
