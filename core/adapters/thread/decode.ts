/** Sources of a job, in its thread: held to their limits, decoded and measured. */

import type { Audio, Job, Measured, Streamed } from "../../../contract/mod.ts";
import { fieldOf } from "../../actions/long_sources.ts";
import { type AllMeasured, CHANNELS_MAX } from "../../actions/measured.ts";
import type { JobInput } from "../../actions/tasks.ts";
import { Failure } from "../../base/errors.ts";
import type { SourceFacts, Studio } from "../../ports/mod.ts";
import type { DecodedSources } from "./apart.ts";

export interface Decoded {
  readonly sources: DecodedSources;
  readonly measured: AllMeasured;
}

/** `share`: of the job's progress. */
export async function decodeSources(
  studio: Studio,
  { sources }: Pick<JobInput, "sources">,
  job: Job,
  share: number,
): Promise<Decoded> {
  // Decoding takes seconds, for nothing where the head of another source refuses it.
  for (const { name, path, limits } of sources) await ofSource(studio.checkHead(path, limits, job.signal), name);
  const decoded: Record<string, Audio | Streamed | Streamed[]> = {};
  const measured: Record<string, Measured | Measured[]> = {};
  for (const [index, { name, path, limits }] of sources.entries()) {
    job.progress((share * index) / sources.length, "decoding");
    if (limits.repeated !== undefined) {
      const { audio, facts } = await ofSource(studio.decodeToDisk(path, limits, job.signal), name);
      const field = fieldOf(name);
      decoded[field] = [...((decoded[field] ?? []) as Streamed[]), audio];
      measured[field] = [...((measured[field] ?? []) as Measured[]), measure(facts)];
      continue;
    }
    const may_stream = limits.long === true || limits.whole_seconds !== undefined;
    const decoding = may_stream ? studio.decodeLong : studio.decode;
    const { audio, facts } = await ofSource<{ readonly audio: Audio | Streamed; readonly facts: SourceFacts }>(
      decoding(path, limits, job.signal),
      name,
    );
    decoded[name] = audio;
    measured[name] = measure(facts);
  }
  return { sources: decoded, measured };
}

/** As uploads are: what a price knew of one at its submission stands. */
const measure = ({ seconds, channels }: SourceFacts): Measured => ({
  seconds,
  channels: Math.min(CHANNELS_MAX, channels),
});

/** Studio errors about a source become failures that name it. */
export async function ofSource<Result>(work: Promise<Result>, name: string | undefined): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.name === "SourceError") {
      throw new Failure((error as Error & { code: string }).code, error.message, name);
    }
    throw error;
  }
}
