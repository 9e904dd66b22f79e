/**
 * What a pool and its threads and processes say to each other. One run at a time in each, save in a resident's process;
 * nested runs have numbers of their own.
 */

import type { Confinement } from "../../core/ports/mod.ts";

/** Names a runner across a border, where its `load` cannot go. */
export interface RunnerName {
  readonly from: string;
  readonly name: string;
  /** `Runner.resident`: whose process it shares. */
  readonly resident?: string | undefined;
  readonly at_once?: number | undefined;
  /** Of a run in a process of its own: what that may use. */
  readonly confine?: Confinement | undefined;
}

/** Argument of a process of the lane `job`, after the number of the pool's process. */
export const JOB = "job";

export type ToHost =
  | { readonly type: "run"; readonly id: number; readonly runner: RunnerName; readonly input: unknown }
  | { readonly type: "abort"; readonly id: number }
  /** It is not needed any more: to be answered by `ended`. Only after `awaits_end`. */
  | { readonly type: "end" }
  | { readonly type: "nested_progress"; readonly id: number; readonly fraction: number; readonly stage: string }
  | { readonly type: "nested_done"; readonly id: number; readonly output: unknown }
  | { readonly type: "nested_failed"; readonly id: number; readonly error: WireError };

export type FromHost =
  | { readonly type: "ready" }
  /** Runners have something to do before the end. */
  | { readonly type: "awaits_end" }
  /** What this thread holds, as its engine counts it. */
  | { readonly type: "holds"; readonly mb: number }
  | { readonly type: "ended"; readonly errors: readonly WireError[] }
  | { readonly type: "progress"; readonly id: number; readonly fraction: number; readonly stage: string }
  | { readonly type: "done"; readonly id: number; readonly output: unknown; readonly cost_ms: number }
  | { readonly type: "failed"; readonly id: number; readonly error: WireError; readonly cost_ms: number }
  /** Something went wrong outside every run; the thread or process must not be used again. */
  | { readonly type: "dying"; readonly why: string }
  | { readonly type: "adopt" | "release"; readonly pid: number }
  | {
      readonly type: "nest";
      readonly id: number;
      readonly runner: RunnerName;
      readonly input: unknown;
      /** Infinity: only the run around it has a limit. */
      readonly ms_max: number;
    }
  /** Something that only the pool's owner can do; answered as what is nested. */
  | { readonly type: "ask"; readonly id: number; readonly question: unknown }
  /**
   * Which of these residents has the least to do; answered as what is nested, by all of them in order. The run counts
   * as the first one's until it ends.
   */
  | {
      readonly type: "choose";
      readonly id: number;
      readonly runner: RunnerName;
      readonly residents: readonly string[];
    }
  | { readonly type: "nest_abort"; readonly id: number };

/**
 * An error as it crosses a border. Structured cloning alone would lose `code` and `source`, and turn any other name
 * into `Error`.
 */
export interface WireError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string | number;
  readonly source?: string;
  readonly cause?: WireError;
}

/** Enough for every chain that explains something; a chain that bites its tail ends here. */
const CAUSES_MAX = 4;

export function toWire(thrown: unknown, causes_max = CAUSES_MAX): WireError {
  if (!(thrown instanceof Error)) return { name: "Error", message: `Thrown: ${text(thrown)}` };
  const { code, source } = thrown as { code?: unknown; source?: unknown };
  return {
    name: thrown.name,
    message: thrown.message,
    ...(thrown.stack === undefined ? {} : { stack: thrown.stack }),
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
    ...(typeof source === "string" ? { source } : {}),
    ...(thrown.cause === undefined || causes_max === 0 ? {} : { cause: toWire(thrown.cause, causes_max - 1) }),
  };
}

export function fromWire(wire: WireError): Error {
  const error = new Error(wire.message, wire.cause === undefined ? {} : { cause: fromWire(wire.cause) });
  const fields = { name: wire.name, stack: wire.stack, code: wire.code, source: wire.source };
  for (const [field, value] of Object.entries(fields)) {
    // Defined, not assigned: not enumerable, as on errors that never travelled.
    if (value !== undefined) Object.defineProperty(error, field, { value, writable: true, configurable: true });
  }
  return error;
}

function text(thrown: unknown): string {
  try {
    return typeof thrown === "object" ? (JSON.stringify(thrown) ?? String(thrown)) : String(thrown);
  } catch {
    // A cycle, a throwing toJSON or an object without a prototype: its type is all that can be said of it.
    return Object.prototype.toString.call(thrown);
  }
}
