/** Tonwerk's own engines as the contract of plugins has them, for packages that import nothing of ours. `core/plugin.ts` hands all of it on. */
import type { Audio, Output, Stem, StreamedOutput } from "./audio.ts";

/** How much of the action's own work a step of it is, and what clients read meanwhile. */
export interface Step {
  /** Above 0, to 1. Steps with shares add up; the progress of one without is that of the action's whole work. */
  readonly share?: number;
  /** In place of what the engine says of itself. */
  readonly stage?: string;
}

/** What the operator's models serve here as well as in our own actions. Audio is 44.1 kHz, mono or stereo, and never written to. */
export interface PluginEngines {
  /** As `adapt.separate_stems`: they sum to the audio, vocals and instrumental alone too. Made as they are read. */
  separate(audio: Audio, step?: Step): Promise<Readonly<Record<Stem, StreamedOutput>>>;
  /** As `analyse.track`: loudness, tempo, beats, key, chords, sections and voices. */
  analyse(audio: Audio, step?: Step): Promise<Readonly<Record<string, unknown>>>;
  /** To an integrated loudness, with true peaks at or below -1 dBTP. Fails as `source_silent` where there is nothing to measure. */
  master(
    audio: Audio,
    to: { readonly target_lufs: number; readonly allow_compression?: boolean },
    step?: Step,
  ): Promise<Audio>;
  /** As `create.new_instrumental` with one variation. `seconds`: 10 to 300; absent: what such music lasts. */
  compose(
    words: { readonly prompt: string; readonly seconds?: number; readonly seed: number },
    step?: Step,
  ): Promise<Output>;
  /** As `create.new_fx`. `seconds`: 0.1 to 30. */
  effect(
    words: { readonly prompt: string; readonly seconds?: number; readonly seed: number },
    step?: Step,
  ): Promise<Output>;
}
