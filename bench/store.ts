/**
 * Submissions a second on the embedded store, with group commit, in a fresh folder under the system's temporary one.
 *
 *     bun bench/store.ts [seconds] [concurrency]
 *     deno run -A bench/store.ts [seconds] [concurrency]
 */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../core/adapters/sqlite/store.ts";
import type { Clock, Submission } from "../core/ports/mod.ts";

const seconds = Number(process.argv[2] ?? 5);
const concurrency = Number(process.argv[3] ?? 256);
const ACCOUNTS = 50;

const clock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Counts the batches that pass between the store and its thread. */
let batches = 0;
function spawnCounted(): Worker {
  const thread = new Worker(new URL("../core/adapters/sqlite/thread.ts", import.meta.url), { type: "module" });
  thread.addEventListener("message", ({ data }: MessageEvent<{ kind: string }>) => {
    if (data.kind === "done") batches += 1;
  });
  return thread;
}

function submission(account_id: string): Submission {
  const now = Date.now();
  const id = `op_${now.toString(32).padStart(10, "0")}${randomBytes(8).toString("hex")}`;
  return {
    id,
    account_id,
    action: "create.new_song",
    idempotency_key: randomUUID(),
    fingerprint: randomBytes(32).toString("hex"),
    cost: 9,
    work: "generation",
    weight: 3,
    // About what a song with lyrics has.
    request: JSON.stringify({
      prompt: "A slow waltz about the sea",
      lyrics: "La ".repeat(200),
      n_variations: 2,
      seed: 1,
    }),
    sources: [{ name: "reference", object: null, url: "https://example.com/song.flac" }],
    callback_url: "https://example.com/hook",
    response: JSON.stringify({ song: { id, status: "processing", prompt: "A slow waltz about the sea" } }),
    created_at: now,
    metadata: null,
    deadline_at: null,
    files: [],
    files_until: now,
  };
}

const folder = await mkdtemp(join(tmpdir(), "tonwerk-bench-"));
const store = await openSqliteStore({ file: join(folder, "bench.db"), clock, spawn: spawnCounted });
try {
  for (let i = 0; i < ACCOUNTS; i++) {
    await store.createAccount({
      id: `acc_${i}`,
      name: `Account ${i}`,
      credits: 1_000_000_000,
      created_at: clock.now(),
    });
  }
  batches = 0;
  const latencies: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  await Promise.all(
    Array.from({ length: concurrency }, async (_, client) => {
      for (let now = performance.now(); now < end; ) {
        const answer = await store.submit(submission(`acc_${client % ACCOUNTS}`));
        if (answer.kind !== "accepted") throw new Error(`Cannot go on: a submission was answered ${answer.kind}`);
        const later = performance.now();
        latencies.push(later - now);
        now = later;
      }
    }),
  );
  const took_s = (performance.now() - begin) / 1_000;
  latencies.sort((a, b) => a - b);
  const quantile = (q: number) => `${(latencies[Math.floor(q * (latencies.length - 1))] ?? 0).toFixed(1)} ms`;
  const per_second = latencies.length / took_s;
  console.log(
    `${Math.round(per_second)} accepted/s  (${latencies.length} in ${took_s.toFixed(1)} s, concurrency ${concurrency})\n` +
      `${batches} batches, ${(latencies.length / batches).toFixed(1)} a batch on average\n` +
      `latency p50 ${quantile(0.5)}, p99 ${quantile(0.99)}, most ${quantile(1)}`,
  );
  // For bench/guard.ts.
  console.log(JSON.stringify({ per_second }));
} finally {
  await store.close();
  await rm(folder, { recursive: true, force: true });
}
