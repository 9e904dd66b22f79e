/** One job in one process, or its variations in several at the same time. */

import type { JobInput, JobResult, Tasks } from "../actions/tasks.ts";
import type { Pool, RunOptions } from "../ports/mod.ts";

/**
 * Outputs are the same, in the same order, whatever `lanes` is; the stages are those of all processes. Rejects with the
 * first fault, after the others have stopped.
 *
 * @param lanes at least 1; more only for variations
 */
export async function runSideBySide(
  { pool, tasks: { job } }: { readonly pool: Pool; readonly tasks: Pick<Tasks, "job"> },
  input: JobInput,
  lanes: number,
  options: Required<Pick<RunOptions, "signal" | "ms_max" | "onProgress" | "onCost" | "onAsk">>,
): Promise<JobResult> {
  if (lanes === 1) return pool.run(job, input, { ...options, lane: "job" });
  const count = Number(input.request.fields.n_variations);
  const stop = new AbortController();
  const shares = Array.from({ length: lanes }, (_, lane) =>
    Array.from({ length: count }, (_, index) => index).filter((index) => index % lanes === lane),
  );
  const fractions = shares.map(() => 0);
  let fault: { readonly reason: unknown } | undefined;
  const made = await Promise.all(
    shares.map(async (only, lane) => {
      try {
        const given = {
          ...options,
          lane: "job" as const,
          signal: AbortSignal.any([options.signal, stop.signal]),
          onProgress(fraction: number, stage: string): void {
            fractions[lane] = fraction;
            const whole = fractions.reduce((sum, one, index) => sum + one * shares[index]!.length, 0);
            options.onProgress(whole / count, stage);
          },
        };
        return await pool.run(job, { ...input, only }, given);
      } catch (error) {
        fault ??= { reason: error };
        stop.abort();
        return { outputs: [], stages: [] };
      }
    }),
  );
  if (fault !== undefined) throw fault.reason;
  return {
    outputs: Array.from({ length: count }, (_, index) => made[index % lanes]!.outputs[Math.floor(index / lanes)]!),
    stages: made.flatMap(({ stages }) => stages),
  };
}
