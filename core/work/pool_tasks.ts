/**
 * What threads of the pool do here. Everything that touches samples, from decoding to verified FLAC, stays in one thread, so that audio never
 * crosses a border and the HTTP loop never sees it. This file only describes; pool_job.ts is loaded in the thread.
 */
import type { Job, Runner } from "../plugin.ts";

const inThread = <Input, Output>(
  name: string,
  load: () => Promise<(input: Input, job: Job) => Promise<Output>>,
): Runner<Input, Output> => ({
  name,
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: await load() }),
});

export const job = inThread("job", async () => (await import("./pool_job.ts")).runJob);
/** Says how long sources are before the work on them begins. Rejects with a `Failure`. */
export const measure = inThread("measure", async () => (await import("./pool_job.ts")).runMeasure);
/** Looks at an upload: decodes it once and keeps only the facts. Rejects with a `Failure`. */
export const probe = inThread("probe", async () => (await import("./pool_job.ts")).runProbe);
/** What decodes and encodes here. */
export const codec = inThread("codec", async () => (await import("./pool_job.ts")).runCodec);
