/**
 * Tonwerk's own engines as the contract of plugins has them, for packages that import nothing of ours. `./mod.ts`
 * hands all of it on.
 */
import type { Audio, Making, Output, Stem, Streamed, StreamedOutput } from "./audio.ts";
import type { Understood } from "./understood.ts";

/** How much of the action's own work a step of it is, and what clients read meanwhile. */
export interface Step {
  /** Above 0, to 1. Steps with shares add up; the progress of one without is that of the action's whole work. */
  readonly share?: number;
  /** In place of what the engine says of itself. */
  readonly stage?: string;
}

/** What music is made of. */
export interface MusicWords {
  /** Absent: `reference` says. */
  readonly prompt?: string | undefined;
  /** A piece to be like: tempo, key, form, groove and timbre are taken from it, neither melody nor chords. */
  readonly reference?: Audio | Streamed | undefined;
  /** 10 to 300, met within a bar; absent: what the words or the reference say, or what such music lasts. */
  readonly seconds?: number | undefined;
  /** One for each variation. */
  readonly seeds: readonly number[];
}

export interface RemixWords extends Omit<MusicWords, "reference"> {
  readonly source: Audio | Streamed;
}

export interface EffectWords {
  readonly prompt: string;
  /** 0.1 to 30; absent: what the words say or the sound needs. */
  readonly seconds?: number | undefined;
  readonly seed: number;
}

export interface SampleWords {
  readonly prompt: string;
  /** 0.5 to 60, met to the sample. */
  readonly seconds: number;
  /** A ring: whole bars, and no seam where it begins again. */
  readonly loop: boolean;
  readonly seed: number;
}

/** Words, and what is to be made of them. */
export type AskedWords =
  | { readonly for: "effect"; readonly prompt: string }
  | ({ readonly for: "sample" } & Omit<SampleWords, "seed">)
  | {
      readonly for: "instrumental" | "song" | "remixed_instrumental" | "remixed_song";
      readonly prompt?: string | undefined;
    };

/** Of tracks together, under one gain. */
export interface AlbumLevel {
  readonly gain_db: number;
  readonly lufs: number;
  readonly true_peak_dbtp: number;
}

/**
 * What our own actions are made of, and nothing else: what the operator's models serve there they serve here. Audio is
 * 44.1 kHz, mono or stereo, and never written to.
 */
export interface PluginEngines {
  /** As `adapt.separate_stems`: they sum to the audio, vocals and instrumental alone too. Made as they are read. */
  separate(audio: Audio | Streamed, step?: Step): Promise<Readonly<Record<Stem, StreamedOutput>>>;
  /** As `analyse.track`: loudness, tempo, beats, key, chords, sections and voices. */
  analyse(audio: Audio | Streamed, step?: Step): Promise<Readonly<Record<string, unknown>>>;
  /** As `adapt.auto_cut_down`: above 0, to twice the length. The report says where it was cut. */
  cut(audio: Audio | Streamed, to: { readonly seconds: number }, step?: Step): Promise<Output>;
  /**
   * As `adapt.auto_duck`. `duck_db`: 0 to 24; absent: chosen by the loudness of both. `limit_for_lufs`: what a limiter
   * will bring the mix to, for which peaks of the voice are taken down beforehand; absent: they stay.
   */
  duck(
    both: {
      readonly music: Audio | Streamed;
      readonly voice: Audio | Streamed;
      readonly duck_db?: number | undefined;
      readonly limit_for_lufs?: number | undefined;
    },
    step?: Step,
  ): Promise<Output | StreamedOutput>;
  /**
   * To an integrated loudness, with true peaks at or below -1 dBTP. Fails as `source_silent` where there is nothing to
   * measure.
   */
  master(
    audio: Audio,
    to: { readonly target_lufs: number; readonly allow_compression?: boolean },
    step?: Step,
  ): Promise<Audio>;
  /**
   * As the albums of `adapt.normalise_loudness`: the one gain, for `gain_db` of an output. Fails as `source_silent`.
   */
  levelAlbum(tracks: readonly Streamed[], to: { readonly target_lufs: number }, step?: Step): Promise<AlbumLevel>;
  /** As `create.new_instrumental` with one variation. `seconds`: 10 to 300; absent: what such music lasts. */
  compose(
    words: { readonly prompt: string; readonly seconds?: number; readonly seed: number },
    step?: Step,
  ): Promise<Output>;
  /** As `create.new_instrumental`: a variation for each seed, made when it is called for. */
  makeInstrumentals(words: MusicWords, step?: Step): Promise<readonly Making[]>;
  /** As `create.new_song`. `lyrics`: `Lyrics` that `lyricsIssues` has nothing against. */
  makeSongs(words: MusicWords & { readonly lyrics: string }, step?: Step): Promise<readonly Making[]>;
  /** As `create.new_sample`. */
  makeSample(words: SampleWords, step?: Step): Promise<Output>;
  /** As `create.new_fx`. */
  effect(words: EffectWords, step?: Step): Promise<Output>;
  /** As `create.remix_instrumental`. */
  remixInstrumental(words: RemixWords, step?: Step): Promise<readonly (Output | Making)[]>;
  /** As `create.remix_song`. */
  remixSong(
    words: RemixWords & { readonly prompt: string; readonly lyrics: string },
    step?: Step,
  ): Promise<readonly (Output | Making)[]>;
  /** What the words are taken to ask for, in milliseconds and without a sound: for `understand`. */
  understand(words: AskedWords, step?: Step): Promise<Understood>;
}
