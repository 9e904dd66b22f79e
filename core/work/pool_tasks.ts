/**
 * What threads of the pool do here. Everything that touches samples, from decoding to verified FLAC, stays in one thread, so that audio never
 * crosses a border and the HTTP loop never sees it. This file only describes; pool_job.ts is loaded in the thread.
 */
import type { Runner } from "../plugin.ts";
import type { Codec, SourceFacts } from "../ports/mod.ts";
import type { JobInput, JobResult, ProbeInput } from "./pool_job.ts";

export const job: Runner<JobInput, JobResult> = {
  name: "job",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const { runJob } = await import("./pool_job.ts");
    return { run: runJob };
  },
};

/** Looks at an upload: decodes it once and keeps only the facts. Rejects with a `Failure`. */
export const probe: Runner<ProbeInput, SourceFacts> = {
  name: "probe",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const { runProbe } = await import("./pool_job.ts");
    return { run: runProbe };
  },
};

/** What decodes and encodes here. */
export const codec: Runner<{ readonly runners: string }, Codec> = {
  name: "codec",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const { runCodec } = await import("./pool_job.ts");
    return { run: runCodec };
  },
};
