/**
 * A job that a test key submitted: it fails as was asked for, or gets a stand-in's audio. No source is fetched, no
 * engine asked.
 */
import { failureCause } from "../actions/failure_codes.ts";
import type { JobInput, JobResult, Tasks } from "../actions/tasks.ts";
import { Failure } from "../base/errors.ts";
import type { Pool } from "../ports/mod.ts";
import type { RunningJob } from "./leases.ts";

/** Two seconds of audio take a fraction of this. */
const TEST_MS_MAX = 30_000;

/** In the lane of probes, so that no job that somebody pays for waits for it; fair by account. */
export async function runTestJob(
  { pool, tasks }: { readonly pool: Pool; readonly tasks: Pick<Tasks, "job"> },
  job: RunningJob,
  given: Omit<JobInput, "sources" | "only">,
): Promise<JobResult> {
  const { test: outcome = "ready" } = given.request;
  if (outcome !== "ready") {
    const [source] = outcome.startsWith("source_") ? job.operation.sources : [];
    throw new Failure(outcome, failureCause(outcome), source?.name);
  }
  const input: JobInput = { ...given, sources: [] };
  return pool.run(tasks.job, input, {
    signal: job.cancel.signal,
    ms_max: TEST_MS_MAX,
    lane: "probe",
    fair_by: job.operation.account_id,
    onCost(ms) {
      job.cost_ms += ms;
    },
  });
}
