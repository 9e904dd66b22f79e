/** What the cutting engine takes and gives. */
import type { Audio, Streamed } from "../../../contract/mod.ts";
import type { AnalysisReport } from "../analyse/mod.ts";

export interface CutInput {
  /** 44.1 kHz, mono or stereo, at least a second. What is read stretch by stretch is cut from its first and its last five minutes. */
  readonly audio: Audio | Streamed;
  /** Wanted length in seconds, more than 0 and at most twice the source's. */
  readonly seconds: number;
}

/** A place where the output leaves the source's own order. Seconds, at the middle of the crossfade. */
export interface Cut {
  /** Where in the output. */
  readonly output_time: number;
  /** What of the source plays from here on. */
  readonly source_time: number;
  /** What of the source played until here. */
  readonly source_time_left: number;
  readonly crossfade_seconds: number;
  /**
   * `bar`: both sides lie at the same place in the bar; `half_bar`, `beat`: on the beat alone; `pause`: in a silence;
   * `free`: none of these.
   */
  readonly at: "bar" | "half_bar" | "beat" | "pause" | "free";
  /** Whole bars that the join skips, negative for bars heard again; null where bars are not known. */
  readonly bars: number | null;
  /** Correlation of both sides across the crossfade, -1 to 1. */
  readonly correlation: number;
}

export interface Ending {
  /** `kept`: the source's own; `shortened`: its last decay or silence ends sooner; `faded`: it had none, or none was left. */
  readonly kind: "kept" | "shortened" | "faded";
  /** Where the source is left for good, seconds. */
  readonly source_time: number;
  /** Length of the fade, 0 for none. */
  readonly fade_seconds: number;
}

export interface CutReport {
  readonly target_duration: number;
  /** What was made of it, seconds. */
  readonly duration: number;
  /** Where in the source the output begins, seconds: above 0 only where silence was left out. */
  readonly source_start: number;
  readonly cuts: readonly Cut[];
  readonly ending: Ending;
  /** What was heard of the source. */
  readonly analysis: AnalysisReport;
  /**
   * Of a source longer than 600 s: the parts that were heard, seconds of the source. Curves of the analysis are of
   * these, one after the other.
   */
  readonly heard?: readonly { readonly start: number; readonly end: number }[];
}

export interface CutOutput {
  readonly audio: Audio;
  readonly report: CutReport & Readonly<Record<string, unknown>>;
}
