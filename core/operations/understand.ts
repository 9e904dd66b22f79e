/** What the words of a request are taken to ask for: told with its price, before anything is made. */
import type { FreeWork } from "../accounts/free_work.ts";
import type { Principal } from "../accounts/keyring.ts";
import { type FaultServices, faultOf, reportFault } from "../actions/fault_reports.ts";
import type { Registered } from "../actions/registered.ts";
import type { Tasks } from "../actions/tasks.ts";
import { describeError } from "../base/log.ts";
import type { Pool } from "../ports/mod.ts";

/** Reading takes milliseconds. The rest is for a thread that loads what it reads with, and for who asked before. */
const UNDERSTAND_MS = 5000;

/** Undefined: the action tells nothing. Null: it cannot be told now, which is no reason to withhold a price. */
export type Understand = (
  account: Principal,
  to: Registered,
  fields: Readonly<Record<string, unknown>>,
) => Promise<object | null | undefined>;

interface UnderstandServices extends FaultServices {
  readonly pool: Pool;
  readonly tasks: Pick<Tasks, "understand">;
  /** URL of the runners' `mod.ts`. */
  readonly runners: string;
  readonly packs: readonly string[];
  readonly free_work: Pick<FreeWork, "spend" | "of">;
}

/** A free look, as uploads have: in the lane of probes, fair by account, on the account's budget of free work. */
export function createUnderstand(services: UnderstandServices): Understand {
  const { pool, tasks, runners, packs, free_work, log } = services;
  return async (account, to, fields) => {
    const { action, origin } = to;
    if (action.understand === undefined) return undefined;
    const { limit, used } = free_work.of(account);
    if (limit > 0 && used >= limit) return null;
    const signal = AbortSignal.timeout(UNDERSTAND_MS);
    const input = { origin, runners, packs, fields };
    try {
      return await pool.run(tasks.understand, input, {
        signal,
        ms_max: UNDERSTAND_MS,
        lane: "probe",
        fair_by: account.id,
        onCost: (ms) => free_work.spend(account.id, ms),
      });
    } catch (error) {
      // Whoever asks a lot at once waits in a line of its own: that is no fault of ours.
      const fault = signal.aborted ? undefined : faultOf(error);
      if (fault !== undefined) reportFault(services, to, fault, error);
      else if (!signal.aborted) log("understand.failed", { action: action.name, error: describeError(error) });
      return null;
    }
  };
}
