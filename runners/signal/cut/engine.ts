import type { Job } from "../../../contract/mod.ts";
import { type Analysis, analyse } from "../analyse/mod.ts";
import { cutDown } from "./cut_down.ts";
import { passagesOf } from "./passages.ts";
import type { CutInput, CutOutput } from "./types.ts";

/** Share of the progress that listening takes. */
const HEARD = 0.8;

export const engine = {
  async run({ audio: source, seconds }: CutInput, job: Job): Promise<CutOutput> {
    const [audio, splice] = "samples" in source ? passagesOf(source) : [source, undefined];
    const listener = await analyse.load();
    const analysis: Analysis = await listener.run(
      { audio },
      { signal: job.signal, progress: (fraction, stage) => job.progress(HEARD * fraction, stage) },
    );
    return cutDown({ audio, seconds, splice }, analysis, {
      signal: job.signal,
      progress: (fraction, stage) => job.progress(HEARD + (1 - HEARD) * fraction, stage),
    });
  },
};
