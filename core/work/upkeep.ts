/** What keeps the house in order beside requests and jobs: lost leases, retention, and objects that nothing names. */
import { failureOf } from "../base/errors.ts";
import { describeError, type Log } from "../base/log.ts";
import { every } from "../base/timers.ts";
import type { Operations } from "../operations/operations.ts";
import { type Bucket, type Clock, type FilesStore, type JobsStore, ownerOf, type Queue, WORKS } from "../ports/mod.ts";

interface UpkeepServices {
  readonly store: Pick<JobsStore, "reconcile" | "overdue" | "queued"> & Pick<FilesStore, "expire" | "unnamed">;
  readonly queue: Queue;
  readonly bucket: Bucket;
  readonly clock: Clock;
  readonly operations: Pick<Operations, "fail">;
  readonly log: Log;
}

/** A job whose worker was lost this often ends as `internal_error`. */
const LOSSES_MAX = 3;
const RECONCILE_MS = 2_000;
const EXPIRE_MS = 60_000;
const SWEEP_MS = 3_600_000;
/** Objects younger than this may belong to work in progress. */
const ORPHAN_MS = 24 * 3_600_000;
const BATCH = 500;
/** What is forgotten in one transaction: whoever submits meanwhile waits for it (bench/operation.ts). */
const FORGOTTEN = 20;
/** Between two of them at least: up to 400 operations a second and node are forgotten. */
const REST_MS = 50;
/** So many times as long as the last one took, where that is more: requests have four fifths of a store that is slow. */
const REST_TIMES = 4;
/** As many workers as may be idle at once. Who has claimed one of these looks for the next by itself. */
const REWAKE_MAX = 200;

/**
 * Starts the periodic tasks; the returned function stops them. `sweeps`: also the search of the bucket for what nothing
 * names. `unknown_ms`: how long an operation waits for a worker that knows its action.
 */
export function startUpkeep(
  services: UpkeepServices,
  { sweeps, unknown_ms }: { readonly sweeps: boolean; readonly unknown_ms?: number },
): () => void {
  const { clock, log } = services;
  const tasks: [name: string, ms: number, work: () => Promise<unknown>][] = [
    ["reconcile", RECONCILE_MS, () => reconcile(services, unknown_ms)],
    ["expire", EXPIRE_MS, () => expire(services)],
  ];
  if (sweeps) tasks.push(["sweep", SWEEP_MS, () => sweepOrphans(services)]);
  const stops = tasks.map(([name, ms, work]) =>
    every(clock, ms, async () => {
      await work().catch((error: unknown) => log(`upkeep.${name}_failed`, { error: describeError(error) }));
    }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Ends what is overdue, hands jobs of lost workers on, and ends those that were lost too often, or that nobody knows
 * how to do.
 */
export async function reconcile(
  { store, queue, operations, log }: Pick<UpkeepServices, "store" | "queue" | "operations" | "log">,
  unknown_ms?: number,
): Promise<void> {
  for (const operation of await store.overdue(BATCH)) {
    await operations.fail(operation, failureOf("timed_out"));
    if (operation.started_at === null) queue.taken(operation.work, operation.id);
    log("operation.timed_out", { id: operation.id, action: operation.action, attempt: operation.attempt });
  }
  const { requeued, exhausted } = await store.reconcile(LOSSES_MAX, unknown_ms);
  for (const { id, work } of requeued) queue.wake(work, id);
  // A queue that was emptied, or that could not be reached when they were submitted, knows nothing of these.
  for (const work of WORKS) for (const id of await store.queued(work, REWAKE_MAX)) queue.wake(work, id);
  for (const operation of exhausted) {
    await operations.fail(operation, failureOf("internal_error"));
    log("operation.exhausted", { id: operation.id, action: operation.action, attempt: operation.attempt });
  }
}

/**
 * Forgets operations and uploads whose time is over, rows first: a crash in between leaves orphans, never dead links.
 * What surfaces keep beside their objects goes with the next `sweepOrphans`: on S3, to list it for each object took
 * three nodes 0.6 processors.
 */
export async function expire({ store, bucket, clock, log }: UpkeepServices): Promise<void> {
  let expired = 0;
  try {
    for (;;) {
      const began = performance.now();
      const { objects, more } = await store.expire(clock.now(), FORGOTTEN);
      await bucket.delete(objects);
      expired += objects.length;
      if (!more) return;
      const rest_ms = Math.max(REST_MS, REST_TIMES * (performance.now() - began));
      await new Promise((resolve) => setTimeout(resolve, rest_ms));
    }
  } finally {
    if (expired > 0) log("upkeep.expired", { objects: expired });
  }
}

/** At once with what surfaces keep beside them. */
export async function deleteObjects(bucket: Bucket, objects: readonly string[]): Promise<void> {
  await bucket.delete(objects);
  for (const object of objects) {
    const kept: string[] = [];
    for await (const { key } of bucket.list(`${object}.kept.`)) kept.push(key);
    if (kept.length > 0) await bucket.delete(kept);
  }
}

/**
 * Deletes what no operation or file names, nor the object that it belongs to. Objects younger than a day may belong to
 * work in progress; what is kept beside an object is made after that was named. Resolves to how many.
 */
export async function sweepOrphans({ store, bucket, clock, log }: UpkeepServices): Promise<number> {
  const before = clock.now() - ORPHAN_MS;
  let swept = 0;
  let batch: string[] = [];
  const flush = async () => {
    const unnamed = new Set(batch.length === 0 ? [] : await store.unnamed([...new Set(batch.map(ownerOf))]));
    const orphans = batch.filter((key) => unnamed.has(ownerOf(key)));
    await bucket.delete(orphans);
    swept += orphans.length;
    batch = [];
  };
  for (const prefix of ["op/", "files/"]) {
    for await (const { key, modified_at } of bucket.list(prefix)) {
      if (modified_at < before || ownerOf(key) !== key) batch.push(key);
      if (batch.length >= BATCH) await flush();
    }
  }
  await flush();
  const unfinished = await bucket.sweep(before);
  if (unfinished > 0) log("upkeep.unfinished", { uploads: unfinished });
  if (swept > 0) log("upkeep.swept", { objects: swept });
  return swept;
}
