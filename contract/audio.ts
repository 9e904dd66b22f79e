/** Audio as the contract of plugins has it, and what an action makes of it. `./mod.ts` hands all of it on. */

export type Stem = "vocals" | "drums" | "bass" | "other" | "instrumental";
/** The order in which stems are delivered. */
export const STEMS = ["vocals", "drums", "bass", "other", "instrumental"] as const satisfies readonly Stem[];

/** Sample rate of every decoded source and of every output, in Hz. */
export const SAMPLE_RATE = 44_100;

/**
 * Planar samples, full scale ±1. `channels.length` is 1 or 2; all channels have the same length. Never written to by
 * whoever receives it.
 */
export interface Audio {
  /** Hz. Sources arrive at 44,100 and outputs must leave at 44,100. */
  readonly sample_rate: number;
  readonly channels: readonly Float32Array[];
}

/**
 * Audio that is read or made stretch by stretch, where all of it at once would not fit a worker's memory: five stems of
 * ten minutes are 1 GB, a source of three hours 4. Within a thread only. Read twice, it gives the same samples; in
 * order and with its siblings side by side it is cheapest.
 */
export interface Streamed {
  readonly sample_rate: number;
  /** 1 or 2. */
  readonly channels: number;
  /** Samples of each channel. */
  readonly frames: number;
  /** No sample is beyond this, which need not be reached. 1 is full scale. */
  readonly peak: number;
  /** Samples `from` to `to` of each channel into `out` from its start. */
  samples(from: number, to: number, out: readonly Float32Array[]): void;
}

/** One piece of audio that an action made. */
export interface Output {
  readonly audio: Audio;
  /** Which engine made it, as `/v1/capabilities` names it. Absent: the `engine` of the declaration. */
  readonly engine?: string | undefined;
  /** The audio is a ring: mastered so that its end still joins its beginning. */
  readonly loop?: true;
  /**
   * Exactly this gain instead of the level that the request asks for, so that outputs keep their distances; whoever
   * sets it keeps true peaks at or below -1 dBTP.
   */
  readonly gain_db?: number | undefined;
  /** Kept with the output and shown to the client: cuts, lyric timing, brief, analysis. JSON only. */
  readonly report?: Readonly<Record<string, unknown>> | undefined;
}

/** An only output, or one of several that come together: whole, or made as it is read. */
export type StreamedOutput = Omit<Output, "audio" | "loop"> & { readonly audio: Audio | Streamed };

/** All of an output that has no audio: what was found out. */
export type ReportOutput = Omit<Output, "audio" | "loop" | "gain_db" | "report"> & {
  readonly report: Readonly<Record<string, unknown>>;
};

/**
 * Makes one variation when it is called: once, in order, and only when the one before has been mastered, stored and
 * given up. So a piece of five minutes in three variations needs the memory of one. Its samples belong to core then,
 * and are gone afterwards.
 */
export type Making = () => Output | Promise<Output>;
