/**
 * Runs what an author wrote, in a thread: what comes out of it by mistake is a fault of the plugin's, and said to be
 * one.
 */

import type { AnyAction } from "../../../contract/mod.ts";
import { PluginFault, thrownBy } from "../../actions/faults.ts";
import { Failure } from "../../base/errors.ts";
import type { FaultKind } from "../../ports/telemetry.ts";

/** No doing of the author's. By name: what comes from another thread or process is of another class. */
const OTHERS: ReadonlySet<string> = new Set(["SourceError", "PoolError"]);
/**
 * `context.fail` and a fault that is one already. An author's own error of that name would get by what `failures`
 * lists.
 */
const isMeant = (error: Error): boolean =>
  error instanceof Failure || error instanceof PluginFault || OTHERS.has(error.name);

/** What `work` throws that is neither meant nor the answer to an abort is a fault of `kind`. */
export async function runOwn<Result>(
  action: AnyAction,
  kind: FaultKind,
  signal: AbortSignal,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || (error instanceof Error && isMeant(error))) throw error;
    throw thrownBy(action, kind, error);
  }
}

/** What a check of ours throws about what the author's code answered. */
export function asFault<Result>(kind: FaultKind, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Error) || isMeant(error)) throw error;
    throw new PluginFault(kind, error.message, error);
  }
}
