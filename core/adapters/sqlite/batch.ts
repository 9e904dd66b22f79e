import type { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../base/log.ts";
import { StoreUnavailable, type Submission } from "../../ports/mod.ts";
import { isUnavailable, type PackedError, packError } from "./errors.ts";
import type { CallClock } from "./sync.ts";
import type { Verb, Verbs } from "./verbs.ts";

/** One call of a verb, as it crosses the border to the writing thread. */
export interface Call {
  readonly verb: Verb;
  /** The client's clock when the call was made: the store's now. */
  readonly now: number;
  readonly args: readonly unknown[];
}

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: PackedError };

/**
 * Group commit: runs all calls in one transaction, in order, and returns one outcome for each, in order, after the
 * commit. A mistake in one call rolls everything back, and each is tried in a transaction of its own, so that only the
 * guilty one fails. What makes the database unavailable, a failed commit above all, fails every call of the
 * transaction. Throws when the connection cannot even roll back; it is of no use any more.
 */
export function createBatchRunner(
  db: DatabaseSync,
  verbs: Verbs,
  clock: CallClock,
): (calls: readonly Call[]) => Outcome[] {
  // Prepared, not exec(): on Deno only prepared statements report SQLite's result code.
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");

  function commitAll(calls: readonly Call[]): Outcome[] {
    try {
      begin.run();
      const outcomes = invokeAll(verbs, clock, calls);
      try {
        commit.run();
      } catch (error) {
        throw new StoreUnavailable(messageOf(error), { cause: error });
      }
      return outcomes;
    } catch (error) {
      // A full disk and the like end the transaction by themselves.
      if (db.isTransaction) rollback.run();
      throw error;
    }
  }

  function commitOne(call: Call): Outcome {
    try {
      return commitAll([call])[0] as Outcome;
    } catch (error) {
      return { ok: false, error: packError(error) };
    }
  }

  return (calls) => {
    try {
      return commitAll(calls);
    } catch (error) {
      if (calls.length > 1 && !isUnavailable(error)) return calls.map(commitOne);
      const packed = packError(error);
      return calls.map(() => ({ ok: false, error: packed }));
    }
  };
}

/** In order. A run of submissions goes as one call, for what they can share. */
function invokeAll(verbs: Verbs, clock: CallClock, calls: readonly Call[]): Outcome[] {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < calls.length; ) {
    let end = at;
    while (calls[end]?.verb === "submit") end++;
    if (end > at) {
      const run = calls.slice(at, end).map(({ args }) => args[0] as Submission);
      for (const value of verbs.submitAll(run))
        outcomes.push(value.kind === "accepted" ? ACCEPTED : { ok: true, value });
      at = end;
    } else {
      const { verb, now, args } = calls[at++]!;
      clock.at = now;
      // The client's types paired verb and arguments; the border lost that.
      outcomes.push({ ok: true, value: (verbs[verb] as (...args: readonly unknown[]) => unknown)(...args) });
    }
  }
  return outcomes;
}

// One object for all: cloned once for a whole batch.
const ACCEPTED: Outcome = { ok: true, value: { kind: "accepted" } };
