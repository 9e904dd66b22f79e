/**
 * The thread that owns the writing connection, so that fsync blocks nobody else. Started by writer.ts as a Web Worker.
 * Anything unforeseen ends the thread; the client then starts another one.
 */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers";
import { type Call, createBatchRunner, type Outcome } from "./batch.ts";
import { openForWriting } from "./connection.ts";
import { isUnavailable, type PackedError, packError } from "./errors.ts";
import { createKeyIndex, type KeyIndex } from "./key_index.ts";
import { migrate } from "./migrate.ts";
import { createCallClock } from "./sync.ts";
import { createVerbs } from "./verbs.ts";

export type ToThread =
  | { readonly kind: "open"; readonly file: string; readonly now: number }
  | { readonly kind: "calls"; readonly calls: readonly Call[] }
  | { readonly kind: "close" };

export type FromThread =
  /** With the names of the verbs that calls may have. */
  | { readonly kind: "opened"; readonly verbs: readonly string[] }
  | { readonly kind: "refused"; readonly error: PackedError }
  /** One for each call, in the order in which they came, and no earlier than their commit. */
  | { readonly kind: "done"; readonly outcomes: readonly Outcome[] }
  | { readonly kind: "closed" };

interface Open {
  // Kept reachable here: Bun closes a connection that is collected, whatever statements it still has.
  readonly db: DatabaseSync;
  readonly run: (calls: readonly Call[]) => Outcome[];
  readonly keys: KeyIndex;
}

let open: Open | undefined;
let waiting: Call[] = [];
/** What the last batch took beyond its calls, about. */
let disk_ms = 0;
/** When the last batch was committed, by `performance.now()`. */
let ended = 0;
/** How many calls it had. */
let batched = 0;
/** Calls since the log was copied into the database. */
let uncopied = 0;

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  switch (data.kind) {
    case "open":
      return answer(tryOpen(data.file, data.now));
    case "calls":
      if (open === undefined) throw new Error("Cannot run calls: the database is not open");
      // After what else has arrived: all that came while the last batch was on its way to the disk shares the next
      // commit.
      if (waiting.length === 0) scheduleBatch();
      for (const call of data.calls) waiting.push(call);
      return;
    case "close":
      if (open !== undefined) {
        // The next start then has none to read again.
        open.run([LIST_ALL]);
        open.db.close();
      }
      open = undefined;
      return answer({ kind: "closed" });
    default:
      throw new Error(`Cannot read the message ${JSON.stringify(data satisfies never)}: it is of no known kind`);
  }
};

function runBatch(): void {
  if (open === undefined) return;
  const size = sizeOfBatch(waiting.length);
  const batch = waiting.slice(0, size);
  waiting = waiting.slice(size);
  if (waiting.length > 0) setImmediate(runBatch);
  const began = performance.now();
  const { keys } = open;
  const isDue = keys.isDue();
  const outcomes = open.run(isDue ? [...batch, LIST_SOME] : batch);
  if (isDue && outcomes.pop()?.ok) keys.settle();
  ended = performance.now();
  batched = batch.length;
  disk_ms = ended - began - batch.length * CALL_MS;
  answer({ kind: "done", outcomes });
  uncopied += batched;
  if (uncopied >= (waiting.length === 0 ? COPIED_IDLE : COPIED_BUSY)) copy(open.db);
}

/**
 * A commit of four costs twice as much a call as one of sixteen (bench/commit.ts), so at a moderate load this thread
 * would be as busy as at the full one. So it rests after each for as long as others need to come; after a pause, and
 * where many shared the last commit anyhow, it does not.
 */
function scheduleBatch(): void {
  const rest_ms = ended + REST_MS - performance.now();
  // Blocks: this thread has nothing else to do, and timers are too coarse.
  if (rest_ms > 0 && batched < MANY) Atomics.wait(NEVER, 0, 0, rest_ms);
  setImmediate(runBatch);
}

/**
 * All that wait; or half of many where the disk is fast: while this thread writes the second half, the callers of the
 * first are answered and ask again. Taken together, both sides would wait for each other in turn. A slow disk costs
 * more each time than that saves.
 */
function sizeOfBatch(waiting: number): number {
  const isDiskSlow = disk_ms > waiting * CALL_MS;
  return Math.min(BATCH_MAX, isDiskSlow ? waiting : Math.max(HALVED_ABOVE, Math.ceil(waiting / 2)));
}

/**
 * Between two commits, when those that were committed have been answered: a copy ends with a synchronisation of the
 * whole database. Next to nothing is left afterwards, so the next commit begins the log anew, and SQLite makes no copy
 * within a commit (connection.ts).
 */
function copy(db: DatabaseSync): void {
  uncopied = 0;
  try {
    db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get();
  } catch (error) {
    // A full disk and the like: the log keeps everything, and the next commit says what is wrong to those who wait for
    // it.
    if (!isUnavailable(error)) throw error;
  }
}

function answer(message: FromThread): void {
  self.postMessage(message);
}

function tryOpen(file: string, now: number): FromThread {
  let db: DatabaseSync | undefined;
  try {
    db = openForWriting(file);
    migrate(db, file, now);
    const clock = createCallClock();
    const keys = createKeyIndex(db);
    const verbs = createVerbs(db, clock, keys);
    keys.load();
    open = { db, run: createBatchRunner(db, verbs, clock), keys };
    return { kind: "opened", verbs: Object.keys(verbs) };
  } catch (error) {
    db?.close();
    return { kind: "refused", error: packError(error) };
  }
}

// Bounds what one mistake costs (each call of the batch is tried again by itself). Batches of 64 reach about 60 % of
// the throughput.
const BATCH_MAX = 500;
const HALVED_ABOVE = 48;
/** What a call costs here, and about as much on the other side (bench/commit.ts). */
const CALL_MS = 0.05;
/**
 * p99 at 4,200 a second, medians of seven rounds in turn: 28 ms without, 23 with 0.5, 31 with 1, for which everybody
 * waits (docs/performance.md).
 */
const REST_MS = 0.5;
const MANY = 16;
/**
 * Small copies in moments when nobody waits; under load few large ones, for they take the disk from commits
 * (docs/performance.md).
 */
const COPIED_IDLE = 512;
const COPIED_BUSY = 4_096;
const [LIST_SOME, LIST_ALL] = [false, true].map((all): Call => ({ verb: "listKeys", now: 0, args: [all] })) as [
  Call,
  Call,
];
const NEVER = new Int32Array(new SharedArrayBuffer(4));
