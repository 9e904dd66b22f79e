/** What runners do for core: decode, finish, encode, draw. */

import type {
  Audio,
  Job,
  Limits,
  Output,
  PluginEngines,
  Runner,
  Step,
  Streamed,
  StreamedOutput,
} from "../../contract/mod.ts";
import type { EngineLog, Engines, ModelSettings } from "./engines.ts";
import type { Keeping, Pool, PoolOptions } from "./pool.ts";

export interface SourceFacts {
  readonly format: "wav" | "mp3" | "flac";
  readonly content_type: string;
  readonly seconds: number;
  /** Of the file, before any conversion. */
  readonly sample_rate: number;
  readonly channels: number;
}

/** What an output's level is to be. Peaks are true peaks in dBTP. */
export type Level =
  | { readonly kind: "loudness"; readonly target_lufs: number; readonly allow_compression: boolean }
  /** One gain that brings the peak to -1 dBTP. */
  | { readonly kind: "peak" }
  /** The level it has, lowered by one gain where the peak is above -1 dBTP. */
  | { readonly kind: "ceiling" }
  /** `gain_db` exactly. */
  | { readonly kind: "gain"; readonly gain_db: number };

/**
 * What was measured on the very samples that are delivered, to three decimals. Null where it has no value: silence, or
 * shorter than 400 ms for `lufs`.
 */
export interface LoudnessReport {
  readonly lufs: number | null;
  readonly true_peak_dbtp: number | null;
  /** True when anything but gain was applied. */
  readonly compressed: boolean;
}

interface Finished {
  readonly bytes: number;
  /** Lower-case hexadecimal, of the file. */
  readonly sha256: string;
  readonly seconds: number;
}

/**
 * Media and mastering, as core sees them from inside a pool thread. Errors that concern the source are named
 * `SourceError` and carry a `code` (`source_undecodable`, `source_too_long`, …).
 */
export interface Studio {
  /** Looks at the content and decodes all of it (up to the limit), keeping nothing. */
  probe(path: string, limits: Limits, signal: AbortSignal): Promise<SourceFacts>;
  /**
   * Holds a file to the limits by its head: decodes nothing of it but a first block. Resolves to the seconds that it
   * claims, or else to those of the limits.
   */
  checkHead(path: string, limits: Limits, signal: AbortSignal): Promise<number>;
  /** Decodes to 44.1 kHz mono or stereo; more channels are folded by BS.775. */
  decode(
    path: string,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<{ readonly audio: Audio; readonly facts: SourceFacts }>;
  /** The same for what may be longer than `limits.whole_seconds`, or 600: that stays on the disk, where `useScratch` said. */
  decodeLong(
    path: string,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<{ readonly audio: Audio | Streamed; readonly facts: SourceFacts }>;
  /** As `decodeLong`, however short it is: of one of many, whose like would fill the memory. */
  decodeToDisk(
    path: string,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<{ readonly audio: Streamed; readonly facts: SourceFacts }>;
  /** What a source says of itself, for the outputs that are made of it. */
  tags(path: string): Promise<Tags>;
  /** Masters one output, writes it as FLAC to `path`, reads it back and verifies it sample by sample. */
  finish(
    output: Output | StreamedOutput,
    level: Level,
    file: FinishOptions,
    signal: AbortSignal,
  ): Promise<Finished & { readonly loudness: LoudnessReport }>;
  /**
   * Writes stems that belong together, each as FLAC to its `path`, undithered and at the level that they have, or under
   * one gain where one is above full scale, so that they still sum; side by side, so that what is made as it is read is
   * made once. Then verifies each as `finish` does.
   */
  finishStems(
    stems: readonly StreamedOutput[],
    files: readonly FinishOptions[],
    signal: AbortSignal,
  ): Promise<readonly (Finished & { readonly gain_db: number })[]>;
  /** What decodes and encodes here, for `/v1/capabilities`. */
  codec(): Promise<Codec>;
}

export interface Codec {
  readonly name: string;
  readonly version: string;
  /** What downloads can be had as. */
  readonly formats: readonly Delivered[];
}

/** What an output can be had as. */
export type Delivered = "flac" | "wav" | "mp3" | "opus";

/** Another form of an output. */
export interface DeliveredForm {
  /** `levels`: what waveforms are drawn of. */
  readonly format: Delivered | "levels";
  /** Of FLAC and WAV; absent: those of the output. */
  readonly bits?: 16 | 24;
  /** Only so much of it, in seconds. */
  readonly part?: { readonly from: number; readonly seconds: number };
}

/** An output of this machine, and the file that its other form becomes, in a folder of its own. */
export interface ConvertInput {
  readonly path: string;
  readonly to: string;
  readonly form: DeliveredForm;
  /** Where bits are taken away: dithered, or rounded. */
  readonly dither: boolean;
}

/** Of a recording: title, artist and album, each one line of text. */
export type Tags = Readonly<Partial<Record<"TITLE" | "ARTIST" | "ALBUM", string>>>;

interface FinishOptions {
  readonly path: string;
  readonly bits: 16 | 24;
  /** Vorbis comments; nothing that changes from run to run. */
  readonly tags: Readonly<Record<string, string>>;
  /** Called when mastering is done and encoding begins. */
  readonly onEncode?: () => void;
}

/** Recordings that instruments are played with. */
export interface SoundsInUse {
  readonly name: string;
  readonly licence: string;
  /** What the licence wants said. */
  readonly attribution: string | null;
  /** The package that brings them; null for an operator's. */
  readonly source: string | null;
  /** Where the licence's text lies among the packages; null for an operator's. */
  readonly notice: string | null;
  /** By the names of their packs; what is said of each is the orchestra's. */
  readonly instruments: Readonly<Record<string, object>>;
}

/** What `runners/mod.ts` exports, loaded by main.ts from the configured origin. */
export interface Runners {
  createPool(options: PoolOptions): Pool;
  /** Looked at once, which takes as long as a runtime takes to start. */
  howConfined(): Keeping;
  /** Loaded inside pool threads only, so that the API process never loads a codec. */
  loadStudio(): Promise<Studio>;
  /**
   * Inside a pool's thread or process: what is done before that ends, in order and within two seconds. Not before it is
   * ended by force.
   */
  beforeEnd(work: () => Promise<unknown>): void;
  /** Runs a runner from inside another one: in the same thread without a copy, or in a child process of the pool's. */
  runNested<Input, Output>(runner: Runner<Input, Output>, input: Input, job: Job, ms_max?: number): Promise<Output>;
  /** Asks whoever had the run begun: see `RunOptions.onAsk`. */
  askOwner(question: unknown, job: Job): Promise<unknown>;
  /**
   * Reads the manifests of the models and begins to load them in child processes of the pool's; without a pool they are
   * only listed.
   */
  createEngines(pool: Pool | undefined, settings: ModelSettings, log: EngineLog): Promise<Engines>;
  /** Called in each thread before a job: the models that its runners may use. */
  useModels(settings: ModelSettings): void;
  /**
   * Finds the folders of packs that `origins` name, from `base` on, and checks what is in them, together with what
   * Tonwerk brings along. Rejects with a message for the operator.
   */
  checkPacks(origins: readonly string[], base: string): Promise<readonly string[]>;
  /**
   * Called in each thread before a job: the folders of packs, as `checkPacks` found them, that its runners add to their
   * own.
   */
  usePacks(folders: readonly string[]): void;
  /**
   * Checks an operator's recorded instruments, every digest included. `packs`: folders as `checkPacks` found them.
   * Rejects with a message for the operator.
   */
  checkSounds(folder: string | null, packs: readonly string[]): Promise<readonly SoundsInUse[]>;
  /** Called in each thread before a job: the recorded instruments, as `checkSounds` found them. */
  useSounds(sounds: readonly SoundsInUse[]): void;
  /**
   * Called in each thread before a job: a folder that goes with the job, for what its runners put aside rather than
   * hold in memory. Called with undefined after it: what they put aside goes.
   */
  useScratch(folder: string | undefined): void;
  /** Called after each job inside a pool's process, with how long it took: what a long one left behind goes before the next. */
  collectAfter(ms: number): void;
  /**
   * Loaded inside pool threads only, where a plugin asks for an engine of ours. `during` does work as a step of an
   * action's.
   */
  loadPluginEngines(): Promise<
    (during: <Made>(step: Step | undefined, work: (job: Job) => Promise<Made>) => Promise<Made>) => PluginEngines
  >;
  /** Draws audio, for the dashboard. Rejects with a `SourceError` where the file is none. */
  readonly picture: Runner<PictureInput, Pictures>;
  /** Writes an output in another form. Resolves to false where this installation cannot make it. */
  readonly convert: Runner<ConvertInput, boolean>;
}

/** An audio file of this machine. */
export interface PictureInput {
  readonly path: string;
  /** How long it is, where that is known: it need not be read twice where its head is wrong. */
  readonly seconds?: number | undefined;
}

/** PNG files by name: `waveform-light`, `waveform-dark` (on nothing) and `spectrogram`, each with `-1x` or `-2x`. */
export type Pictures = Readonly<Record<string, Uint8Array>>;
