/**
 * Notes when a job's stages begin and end, in the thread that does them: what reaches the worker is thinned out to 20 a
 * second.
 */
import type { Job } from "../../../contract/mod.ts";
import type { StageTime } from "../../ports/telemetry.ts";

/** A song has some 40; more than this tell nobody anything. */
const STAGES_MAX = 128;
const STAGE_LENGTH_MAX = 80;

export interface TimedJob {
  /** Hand this on instead. */
  readonly job: Job;
  /** Ends the last stage; in the order of their begin. */
  end(): readonly StageTime[];
}

export function timeStages(job: Job): TimedJob {
  const stages: StageTime[] = [];
  // Milliseconds since 1970 UTC with fractions, for stages of short jobs last less than one; anchored anew for each
  // job, as clocks are set.
  const anchor = Date.now() - performance.now();
  const now = (): number => anchor + performance.now();
  let stage = "starting";
  let started_at = now();
  const close = (at: number): void => {
    if (stages.length < STAGES_MAX) stages.push({ stage, started_at, ended_at: at });
  };
  return {
    job: {
      signal: job.signal,
      progress(fraction, next) {
        if (next !== stage) {
          const at = now();
          close(at);
          stage = next.slice(0, STAGE_LENGTH_MAX);
          started_at = at;
        }
        job.progress(fraction, next);
      },
    },
    end() {
      close(now());
      return stages;
    },
  };
}
