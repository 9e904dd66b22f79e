/**
 * The job of a pool thread: everything that touches samples, from decoding to verified FLAC, stays in one thread, so that audio never
 * crosses a border and the HTTP loop never sees it. This file only describes; job_run.ts does it.
 */

import type { Origin } from "../actions/registry.ts";
import type { StoredRequest } from "../actions/render.ts";
import type { Limits, Runner, Stem } from "../plugin.ts";
import type { Codec, LoudnessReport, ModelSettings, SourceFacts } from "../ports/mod.ts";
import type { StageTime } from "../ports/telemetry.ts";

export interface JobInput {
  readonly origin: Origin;
  /** URL of the runners' `mod.ts`. */
  readonly runners: string;
  readonly request: StoredRequest;
  readonly sources: readonly { readonly name: string; readonly path: string }[];
  /** Variations that this thread makes, by index; absent: all. */
  readonly only?: readonly number[];
  /** Where the FLAC files are written. */
  readonly folder: string;
  readonly bits: 16 | 24;
  /** What the action's runners may use instead of the built-in engines. */
  readonly models: ModelSettings;
}

export interface JobOutput {
  readonly path: string;
  readonly duration: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly engine: string;
  readonly kind?: Stem;
  readonly gain_db?: number;
  readonly seed?: number;
  readonly loudness?: LoudnessReport;
  readonly report: Readonly<Record<string, unknown>> | null;
}

export interface JobResult {
  readonly outputs: readonly JobOutput[];
  /** What was done when, by the clock of the pool's machine; for traces. */
  readonly stages: readonly StageTime[];
}

export const job: Runner<JobInput, JobResult> = {
  name: "job",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const { runJob } = await import("./job_run.ts");
    return { run: runJob };
  },
};

export interface ProbeInput {
  readonly runners: string;
  readonly path: string;
  readonly limits: Limits;
}

/** Looks at an upload: decodes it once and keeps only the facts. Rejects with a `Failure`. */
export const probe: Runner<ProbeInput, SourceFacts> = {
  name: "probe",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const { runProbe } = await import("./job_run.ts");
    return { run: runProbe };
  },
};

/** What decodes and encodes here. */
export const codec: Runner<{ readonly runners: string }, Codec> = {
  name: "codec",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const { runCodec } = await import("./job_run.ts");
    return { run: runCodec };
  },
};
