// Gain: a status read costs half the processor time while the operations that are polled fit, and three quarters with
// 12,000; see docs/performance.md.
import type { Snapshot } from "../../../ports/mod.ts";
import type { Outcome } from "../batch.ts";
import type { JobRow, OperationRow } from "../rows.ts";
import type { Verb } from "../verbs.ts";

/** What is known of operations that are `processing`, by id. */
export interface Unended {
  find(id: string): Known | undefined;
  /** Of a row and a job that were read just now. */
  keep(row: OperationRow, job: JobRow): void;
  /** The job that was read just now, of an operation whose own was not to be trusted any more. */
  renew(known: Known, job: JobRow): void;
  forget(known: Known): void;
  readonly watch: WriterWatch;
}

interface Known {
  readonly row: OperationRow;
  /** Undefined: it may have changed. */
  job: JobRow | undefined;
  /** What the last read was shown; only as good as the job that it was made of. */
  shown: Snapshot | undefined;
}

/** Told of every call that the writing thread gets, and of its outcome before the caller is. */
export interface WriterWatch {
  called(verb: Verb): void;
  landed(verb: Verb, args: readonly unknown[], outcome: Outcome): void;
  /** Calls were lost with their thread, and may have been committed. */
  lost(): void;
}

/** Characters of text, which engines keep in one or two bytes each. */
const SIZE_MAX = 8_000_000;
/** What a row has beside its request, its job and what was shown included. */
const ROW_SIZE = 1_100;

/**
 * A client that polls reads the same operation again and again. Until its end, or a rebate, the row never changes: what
 * does is in its job. And a job changes through the verbs below alone, for nobody else writes to this file. So both are
 * kept until one of these names the operation, and while one is under way jobs are read from the database: it may be
 * committed, but its caller does not know yet. A row goes with its end. Where there is no room, no other row makes any:
 * what is polled in turn by more than fit would be read and kept in vain.
 */
export function createUnended(): Unended {
  const rows = new Map<string, Known>();
  let size = 0;
  /** Calls that may change jobs and have not landed. */
  let changing = 0;

  function forget({ row }: Known): void {
    if (rows.delete(row.id)) size -= sizeOf(row);
  }

  function forgetAll(): void {
    rows.clear();
    size = 0;
  }

  const watch: WriterWatch = {
    called(verb) {
      if (Object.hasOwn(CHANGED, verb)) changing += 1;
    },
    landed(verb, args, outcome) {
      const changedBy = CHANGED[verb];
      if (changedBy === undefined) return;
      changing -= 1;
      if (!outcome.ok) return forgetAll();
      for (const id of changedBy(args, outcome.value)) {
        const known = rows.get(id);
        if (known === undefined) continue;
        if (verb === "terminate" || verb === "rebate") forget(known);
        else known.job = undefined;
      }
    },
    lost() {
      changing = 0;
      forgetAll();
    },
  };

  return {
    find(id) {
      const known = rows.get(id);
      if (known !== undefined && changing > 0) known.job = undefined;
      return known;
    },
    keep(row, job) {
      if (size + sizeOf(row) > SIZE_MAX) return;
      rows.set(row.id, { row, job: changing > 0 ? undefined : job, shown: undefined });
      size += sizeOf(row);
    },
    renew(known, job) {
      known.shown = undefined;
      known.job = changing > 0 ? undefined : job;
    },
    forget,
    watch,
  };
}

const sizeOf = (row: OperationRow): number => row.request.length + ROW_SIZE;

interface Named {
  readonly id: string;
}

/**
 * Ids of the operations whose jobs a call changed, by its arguments and its answer: every verb that updates or deletes
 * jobs.
 */
const CHANGED: { readonly [V in Verb]?: (args: readonly unknown[], answer: unknown) => readonly string[] } = {
  claim: (_, answer) => (answer === undefined ? [] : [(answer as Named).id]),
  renew: ([held]) => (held as readonly Named[]).map(({ id }) => id),
  release: ([id]) => [id as string],
  releaseAll: (_, answer) => answer as readonly string[],
  reconcile(_, answer) {
    const { requeued, exhausted } = answer as { requeued: readonly Named[]; exhausted: readonly Named[] };
    return [...requeued, ...exhausted].map(({ id }) => id);
  },
  terminate: ([end]) => [(end as Named).id],
  rebate: ([rebate]) => [(rebate as Named).id],
};
