/**
 * `bun bench/commit.ts [submissions a commit=64] [accounts=20] [commits=300]` (or `deno run -A …`): what the writing thread does for a submission
 * in a shared commit, without the rest of the service: processor time, and pages written to the log, which no load changes. 300 commits
 * fill the indexes first.
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { preloadedSubmission } from "../cli/bench/preload.ts";
import { args } from "../core/adapters/runtime/runtime.ts";
import { type Call, createBatchRunner } from "../core/adapters/sqlite/batch.ts";
import { openForWriting } from "../core/adapters/sqlite/connection.ts";
import { createKeyIndex } from "../core/adapters/sqlite/key_index.ts";
import { migrate } from "../core/adapters/sqlite/migrate.ts";
import { createCallClock } from "../core/adapters/sqlite/sync.ts";
import { createVerbs } from "../core/adapters/sqlite/verbs.ts";
import { median, ownCpuSeconds } from "./measure.ts";

const [together = 64, accounts = 20, commits = 300] = args.map(Number);
const FILLED = 300;
/** Of one page with its header in the log: https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const FRAME_BYTES = 4_096 + 24;
const HEADER_BYTES = 32;
const account = (index: number): string => `acc_${String(index % accounts).padStart(26, "0")}`;

const submit = (index: number): Call => ({
  verb: "submit",
  now: Date.now(),
  args: [preloadedSubmission(account(index))],
});
const LIST: Call = { verb: "listKeys", now: 0, args: [false] };

const folder = await mkdtemp(join(tmpdir(), "tonwerk-bench-"));
const file = join(folder, "bench.db");
const db = openForWriting(file);
try {
  migrate(db, file, 1);
  const clock = createCallClock();
  const keys = createKeyIndex(db);
  const runAll = createBatchRunner(db, createVerbs(db, clock, keys), clock);
  /** As the writing thread does. */
  const run = (calls: readonly Call[]) => {
    const isDue = keys.isDue();
    const outcomes = runAll(isDue ? [...calls, LIST] : calls);
    if (isDue && outcomes.at(-1)?.ok) keys.settle();
    return outcomes;
  };
  const open = (index: number): Call => ({
    verb: "createAccount",
    now: 1,
    args: [{ id: account(index), name: "Load", credits: 1e9, created_at: 1 }],
  });
  run(Array.from({ length: accounts }, (_, index) => open(index)));
  let index = 0;
  const commit = (): void => {
    const calls = Array.from({ length: together }, () => submit(index++));
    if (run(calls).some((outcome) => !outcome.ok)) throw new Error("Cannot go on: a submission failed");
  };
  for (let n = 0; n < FILLED; n++) commit();
  const cpu_us: number[] = [];
  for (let n = 0; n < commits; n++) {
    const calls = Array.from({ length: together }, () => submit(index++));
    const before = ownCpuSeconds();
    run(calls);
    cpu_us.push(((ownCpuSeconds() - before) * 1e6) / together);
  }
  const pages: number[] = [];
  for (let n = 0; n < 9; n++) {
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    commit();
    pages.push(((await stat(`${file}-wal`)).size - HEADER_BYTES) / FRAME_BYTES);
  }
  cpu_us.sort((one, other) => one - other);
  console.log(
    `${together} together, ${accounts} accounts: ${median(pages)} pages a commit, ${(median(pages) / together).toFixed(2)} a submission; ` +
      `${median(cpu_us).toFixed(1)} µs of processor time each (the quietest tenth: ${cpu_us[Math.floor(cpu_us.length / 10)]!.toFixed(1)})`,
  );
} finally {
  db.close();
  await rm(folder, { recursive: true, force: true });
}
