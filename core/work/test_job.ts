/** A job that a test key submitted: it fails as was asked for, or gets a stand-in's audio. No source is fetched, no engine asked. */
import { failureCause } from "../actions/failure_codes.ts";
import type { Registered } from "../actions/registry.ts";
import { Failure } from "../base/errors.ts";
import type { Pool } from "../ports/mod.ts";
import type { RunningJob } from "./leases.ts";
import type { JobInput, JobResult } from "./pool_job.ts";
import { job as jobInThread } from "./pool_tasks.ts";

/** Two seconds of audio take a fraction of this. */
const TEST_MS_MAX = 30_000;

/** In the lane of probes, so that no job that somebody pays for waits for it; fair by account. */
export async function runTestJob(
  pool: Pool,
  job: RunningJob,
  { action, origin }: Registered,
  { runners, request, folder, bits, models }: Omit<JobInput, "origin" | "sources" | "only">,
): Promise<JobResult> {
  const { test: outcome = "ready" } = request;
  if (outcome !== "ready") {
    const [source] = outcome.startsWith("source_") ? Object.keys(action.sources) : [];
    throw new Failure(outcome, failureCause(outcome), source);
  }
  const input: JobInput = { origin, runners, request, sources: [], folder, bits, models };
  return pool.run(jobInThread, input, {
    signal: job.cancel.signal,
    ms_max: TEST_MS_MAX,
    lane: "probe",
    fair_by: job.operation.account_id,
    onCost(ms) {
      job.cost_ms += ms;
    },
  });
}
