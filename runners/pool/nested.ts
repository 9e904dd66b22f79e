import type { Job, Runner } from "../../contract/mod.ts";
import { link } from "./link.ts";
import { loaded } from "./loaded.ts";

/** Asks whoever had the run around this begun, outside of the pool. */
export async function askOwner(question: unknown, job: Job): Promise<unknown> {
  job.signal.throwIfAborted();
  const pool = link();
  if (pool === undefined) throw new TypeError("Cannot ask: there is no pool around this code");
  return pool.ask(question, job);
}

/**
 * Runs another runner from within a run, as part of it.
 *
 * Isolation `thread`, and everything inside a pool's process: set up once and run right here, input and output handed over as they
 * are. Isolation `process` inside a pool's thread: the pool runs it in a child process, which copies the input and hands the output's
 * buffers over. Outside a pool (an author's test) either kind runs right here.
 *
 * Rejects with the runner's own error, with a `PoolError` where its process crashed, and with `job.signal.reason` once that is aborted.
 *
 * @param ms_max wall time in a child process, counted from when the run begins there; then it is a `PoolError` of code `timeout`
 */
export async function runNested<Input, Output>(
  runner: Runner<Input, Output>,
  input: Input,
  job: Job,
  ms_max = Number.POSITIVE_INFINITY,
): Promise<Output> {
  job.signal.throwIfAborted();
  const pool = link();
  if (runner.isolation === "process" && pool?.isolated === false) return pool.run(runner, input, job, ms_max);
  const engine = await loaded(runner);
  job.signal.throwIfAborted();
  return engine.run(input, job);
}

/** Of residents that do the same, those with the least to do first; in the order given where nobody knows. */
export async function chooseResident<Input, Output>(
  runner: Runner<Input, Output>,
  residents: readonly string[],
  job: Job,
): Promise<readonly string[]> {
  const pool = link();
  if (residents.length < 2 || pool === undefined || pool.isolated) return residents;
  return pool.choose(runner, residents, job);
}

/** In a process of the pool, where what is nested runs right here. */
export function isApart(): boolean {
  return link()?.isolated === true;
}
