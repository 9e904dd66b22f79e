/**
 * What core asks of threads of the pool. Everything that touches samples, from decoding to verified FLAC, stays in one
 * thread, so that audio never crosses a border and the HTTP loop never sees it. `core/adapters/thread/` does it.
 */
import type { Limits, Runner } from "../../contract/mod.ts";
import type { Codec, ModelSettings, SoundsInUse, SourceFacts } from "../ports/mod.ts";
import type { StageTime } from "../ports/telemetry.ts";
import type { isolationOf } from "./isolation.ts";
import type { Importable, Origin, Settings } from "./registered.ts";
import type { StoredOutput, StoredReport, StoredRequest } from "./render.ts";

/** Each rejects with a `Failure` for what the client should know, which for a source has a `source_*` code. */
export interface Tasks {
  /** Sources -> FLAC files. */
  readonly job: Runner<JobInput, JobResult>;
  /** Seconds of the longest source, a list counting as one, as their heads have it: before the work on them begins. */
  readonly measure: Runner<Pick<JobInput, "runners" | "sources">, number>;
  /** Looks at an upload: decodes it once and keeps only the facts. */
  readonly probe: Runner<ProbeInput, SourceFacts>;
  /** What the words of a request are taken to ask for: the action's own `understand`. */
  readonly understand: Runner<UnderstandInput, object>;
  /** Imports a plugin's module and does nothing with it: where that can be ended. */
  readonly importing: Runner<Importable, void>;
  /** Loads what all of these need, and asks nothing of other programs: for a thread that stands by. */
  readonly warmUp: Runner<Pick<JobInput, "runners">, void>;
  /** What decodes and encodes here. */
  readonly codec: Runner<Pick<JobInput, "runners">, Codec>;
}

/** What all jobs of an installation are given alike. */
export interface JobSetting {
  /** URL of the runners' `mod.ts`. */
  readonly runners: string;
  readonly bits: 16 | 24;
  /** What the action's runners may use instead of the built-in engines. */
  readonly models: ModelSettings;
  /** Folders of the operator's packs, for the action's runners. */
  readonly packs: readonly string[];
  /** Recorded instruments of the operator, likewise. */
  readonly sounds: readonly SoundsInUse[];
}

export interface JobInput extends JobSetting {
  readonly origin: Origin;
  readonly request: StoredRequest;
  readonly sources: readonly FetchedSource[];
  /** Variations that this thread makes, by index; absent: all. */
  readonly only?: readonly number[];
  /** Where the FLAC files are written. */
  readonly folder: string;
  /** Of the action, from the environment; absent: it has none. */
  readonly settings?: Settings;
  /** `process` runs in a process of its own, with these permissions; absent: in the thread. */
  readonly isolation?: NonNullable<ReturnType<typeof isolationOf>>;
}

/** What a job asks the worker once its sources are measured: to lower what its operation costs. */
export interface PriceQuestion {
  readonly cost: number;
}

/** A source on this machine, and what it may be. */
export interface FetchedSource {
  readonly name: string;
  readonly path: string;
  readonly limits: Limits;
}

/** What becomes a stored output once its file, where it has one, is in the bucket. */
export type JobOutput = (Omit<StoredOutput, "object"> & { readonly path: string }) | StoredReport;

export interface JobResult {
  readonly outputs: readonly JobOutput[];
  /** What was done when, by the clock of the pool's machine; for traces. */
  readonly stages: readonly StageTime[];
}

export interface ProbeInput {
  readonly runners: string;
  readonly path: string;
  readonly limits: Limits;
}

export interface UnderstandInput extends Pick<JobInput, "origin" | "runners" | "packs"> {
  /** Of a request that passed validation. */
  readonly fields: Readonly<Record<string, unknown>>;
}
