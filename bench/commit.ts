/**
 * `bun bench/commit.ts [submissions a commit=64] [accounts=20] [commits=300]` (or `deno run -A …`): what the writing thread does for a submission
 * in a shared commit, without the rest of the service: processor time, and pages written to the log, which no load changes. 300 commits
 * fill the indexes first.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { args } from "../core/adapters/runtime/runtime.ts";
import { type Call, createBatchRunner } from "../core/adapters/sqlite/batch.ts";
import { openForWriting } from "../core/adapters/sqlite/connection.ts";
import { migrate } from "../core/adapters/sqlite/migrate.ts";
import { createCallClock } from "../core/adapters/sqlite/sync.ts";
import { createVerbs } from "../core/adapters/sqlite/verbs.ts";
import { operationId } from "../core/base/ids.ts";
import { median, ownCpuSeconds } from "./measure.ts";

const [together = 64, accounts = 20, commits = 300] = args.map(Number);
const FILLED = 300;
/** Of one page with its header in the log: https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const FRAME_BYTES = 4_096 + 24;
const HEADER_BYTES = 32;
const account = (index: number): string => `acc_${String(index % accounts).padStart(26, "0")}`;

function submit(index: number): Call {
  const now = Date.now();
  const id = operationId(now);
  const url = "https://example.com/song.flac";
  const loudness = { target_lufs: -14, allow_compression: true };
  const submission = {
    id,
    account_id: account(index),
    action: "adapt.normalise_loudness",
    idempotency_key: randomUUID(),
    fingerprint: randomBytes(32).toString("hex"),
    cost: 1,
    work: "dsp",
    request: JSON.stringify({ fields: { source: { url } }, loudness, seed: 1 }),
    sources: [{ name: "source", object: null, url }],
    callback_url: null,
    response: JSON.stringify({
      normalised_audio: { id, status: "processing", source: { url }, loudness, output: null },
    }),
    created_at: now,
    files: [],
    files_until: now,
  };
  return { verb: "submit", now, args: [submission] };
}

const folder = await mkdtemp(join(tmpdir(), "tonwerk-bench-"));
const file = join(folder, "bench.db");
const db = openForWriting(file);
try {
  migrate(db, file, 1);
  const clock = createCallClock();
  const run = createBatchRunner(db, createVerbs(db, clock), clock);
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
