/** How often each action is asked for, and when, so that all of them fit into a run of a known length. */

import type { Example } from "../../cli/bench/examples.ts";
import type { Prepared } from "./actions.ts";

export interface Planned {
  readonly example: Example;
  /** Iterations in all. */
  readonly times: number;
  /** Seconds into the run at which the first begins; the others follow evenly over the rest. */
  readonly start_s: number;
}

export interface ActionsPlan {
  /** Length of the run. */
  readonly seconds: number;
  readonly actions: Readonly<Record<string, Planned>>;
}

/** Of a quick action there are at most this many iterations. */
const TIMES_MAX = 10;

/**
 * The run is as long as the actions took one after another, and at least `seconds`. Each has an equal share of it: the quick ones come several
 * times, the slowest once. So at most twice that work is asked for in that time, and as there is a worker for each kind of work, they are
 * busy but keep up. The starts are spread, so that an action meets the others in the middle of theirs.
 */
export function planActions(prepared: ReadonlyMap<string, Prepared>, seconds: number): ActionsPlan {
  const all_s = [...prepared.values()].reduce((sum, { alone_s }) => sum + alone_s, 0);
  const long_s = Math.max(seconds, all_s);
  const share_s = long_s / Math.max(1, prepared.size);
  const actions: Record<string, Planned> = {};
  for (const [index, [name, { example, alone_s }]] of [...prepared].entries()) {
    const times = Math.max(1, Math.min(TIMES_MAX, Math.floor(share_s / alone_s)));
    actions[name] = { example, times, start_s: ((index / prepared.size) * long_s) / times };
  }
  return { seconds: long_s, actions };
}
