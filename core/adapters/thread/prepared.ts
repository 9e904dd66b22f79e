/**
 * What an action's `setup` made in this thread or process: once, before its first job here, and given back when the
 * thread ends in order.
 */

import type { AnyAction, Job } from "../../../contract/mod.ts";
import { PluginFault } from "../../actions/faults.ts";
import type { Origin, Settings } from "../../actions/registered.ts";
import type { Runners } from "../../ports/mod.ts";
import { runOwn } from "./own_code.ts";

/** Far above what a model takes that a disk has to be asked for. */
const SETUP_MS = 60_000;

export type Prepare = (action: AnyAction, settings: Settings, job: Job) => Promise<unknown>;

const made = new Map<string, Promise<unknown>>();

/** For the actions of `origin`. `beforeEnd`: of the thread. */
export function preparer({ module }: Origin, { beforeEnd }: Pick<Runners, "beforeEnd">): Prepare {
  return async (action, settings, job) => {
    if (action.setup === undefined) return undefined;
    const key = `${module}#${action.name}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const making = setUp(action, settings, job.signal);
    made.set(key, making);
    try {
      const prepared = await making;
      if (action.dispose !== undefined) beforeEnd(() => disposeOf(action, prepared));
      return prepared;
    } catch (error) {
      // The next job tries anew: what it asked for may be there then.
      made.delete(key);
      throw error;
    }
  };
}

/** Rejects with a fault of the plugin where it throws or takes too long. */
export async function setUp(
  action: AnyAction,
  settings: Settings,
  signal: AbortSignal,
  ms_max = SETUP_MS,
): Promise<unknown> {
  const late = new AbortController();
  const tooLong = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const fault = new PluginFault("setup", `${action.name}: setup did not end within ${ms_max / 1000} s`);
    tooLong.reject(fault);
    late.abort(fault);
  }, ms_max);
  const context = { config: settings, signal: AbortSignal.any([signal, late.signal]) };
  try {
    return await Promise.race([
      runOwn(action, "setup", signal, () => action.setup?.(context as never)),
      tooLong.promise,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

export const disposeOf = (action: AnyAction, prepared: unknown): Promise<unknown> =>
  runOwn(action, "dispose", new AbortController().signal, () => action.dispose?.(prepared as never));
