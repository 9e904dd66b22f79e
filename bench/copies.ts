/**
 * `bun bench/copies.ts FOLDER [submissions a commit=16] [submissions a copy=512] [commits=512]`: what submissions write in a store that holds many
 * operations (FOLDER of `tonwerk bench preload`, which is copied first): bytes into the log and by the copies of the log, which no load changes, and how
 * long commits and copies took. As many submissions as the index of keys holds in memory go first, so that what is measured is how it goes on.
 */
import { readFileSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { preloadedAccount, preloadedSubmission } from "../cli/bench/preload.ts";
import { args } from "../core/adapters/runtime/runtime.ts";
import { type Call, createBatchRunner } from "../core/adapters/sqlite/batch.ts";
import { openForWriting } from "../core/adapters/sqlite/connection.ts";
import { createKeyIndex } from "../core/adapters/sqlite/key_index.ts";
import { migrate } from "../core/adapters/sqlite/migrate.ts";
import { createCallClock } from "../core/adapters/sqlite/sync.ts";
import { createVerbs } from "../core/adapters/sqlite/verbs.ts";
import { median, ownCpuSeconds } from "./measure.ts";

const [data = "", together = "16", every = "512", commits = "512"] = args;
const ACCOUNTS = 20;
const PAGE = 4_096;
const LIST: Call = { verb: "listKeys", now: 0, args: [false] };

const folder = await mkdtemp(join(tmpdir(), "tonwerk-copies-"));
const file = join(folder, "tonwerk.db");
await copyFile(join(data, "tonwerk.db"), file);
const db = openForWriting(file);
try {
  migrate(db, file, 1);
  const clock = createCallClock();
  const keys = createKeyIndex(db);
  const run = createBatchRunner(db, createVerbs(db, clock, keys), clock);
  keys.load();
  let made = 0;
  /** As the writing thread does. */
  const commit = (count: number): void => {
    const calls = Array.from(
      { length: count },
      (): Call => ({
        verb: "submit",
        now: Date.now(),
        args: [preloadedSubmission(preloadedAccount(made++ % ACCOUNTS))],
      }),
    );
    const isDue = keys.isDue();
    const outcomes = run(isDue ? [...calls, LIST] : calls);
    if (outcomes.some(({ ok }) => !ok)) throw new Error("Cannot go on: a submission failed");
    if (isDue) keys.settle();
  };
  while (!keys.isDue()) commit(256);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const took = { commits: [] as number[], copies: [] as number[], cpu_us: [] as number[] };
  let [logged, copied, uncopied] = [0, 0, 0];
  for (let n = 0; n < Number(commits); n++) {
    const [bytes, cpu_s, began] = [writtenBytes(), ownCpuSeconds(), performance.now()];
    commit(Number(together));
    took.commits.push(performance.now() - began);
    took.cpu_us.push(((ownCpuSeconds() - cpu_s) * 1e6) / Number(together));
    logged += writtenBytes() - bytes;
    uncopied += Number(together);
    if (uncopied < Number(every)) continue;
    uncopied = 0;
    const [before, copying] = [writtenBytes(), performance.now()];
    db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get();
    took.copies.push(performance.now() - copying);
    copied += writtenBytes() - before;
  }
  const each = (bytes: number): string => (bytes / PAGE / Number(commits) / Number(together)).toFixed(2);
  console.log(
    `pages for a submission: ${each(logged)} into the log, ${each(copied)} by copies; ${median(took.cpu_us).toFixed(1)} µs of processor time; ` +
      `a commit ${median(took.commits).toFixed(1)} ms, a copy ${median(took.copies).toFixed(1)} ms, ${Math.max(...took.copies).toFixed(0)} at most`,
  );
} finally {
  db.close();
  await rm(folder, { recursive: true, force: true });
}

/** By this process so far, to whatever file. */
function writtenBytes(): number {
  return Number(/^wchar: (\d+)$/mu.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}
