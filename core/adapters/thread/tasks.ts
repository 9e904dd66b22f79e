/** What threads do for core (`Tasks`). This file only describes; job.ts is loaded in the thread. */

import type { Job, Runner } from "../../../contract/mod.ts";
import type { Importable } from "../../actions/registered.ts";

const inThread = <Input, Output>(
  name: string,
  load: () => Promise<(input: Input, job: Job) => Promise<Output>>,
): Runner<Input, Output> => ({
  name,
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: await load() }),
});

export const job = inThread("job", async () => (await import("./job.ts")).runJob);
export const measure = inThread("measure", async () => (await import("./job.ts")).runMeasure);
export const probe = inThread("probe", async () => (await import("./job.ts")).runProbe);
export const understand = inThread("understand", async () => (await import("./understand.ts")).runUnderstand);
/** On Deno a thread in a loop goes on after its end (denoland/deno#35657). */
export const importing: Runner<Importable, void> = {
  name: "importing",
  from: import.meta.url,
  isolation: process.versions.bun === undefined ? "process" : "thread",
  load: async () => ({ run: (await import("../../actions/imports.ts")).importOrigin }),
};
export const warmUp = inThread("warmUp", async () => (await import("./job.ts")).runWarmUp);
export const codec = inThread("codec", async () => (await import("./job.ts")).runCodec);
