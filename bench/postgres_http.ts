/**
 * The service on Postgres and Redis beside what a good engineer would write first there (bench/peer: Fastify, pg, BullMQ): accepted
 * submissions a second over HTTP, and p99 at half of saturation, beside what the generator alone shows at that rate. Targets take turns on fresh
 * databases of one server; ratios are taken within each round, and the median is told.
 *
 *     bun bench/postgres_http.ts [seconds] [rounds] [root of the checkout to measure]
 *
 * Needs PostgreSQL, redis-server and wrk (Debian: apt install postgresql redis-server wrk). Everything runs on one machine, the generator too.
 */
import { startPostgres } from "../test/services/postgres.ts";
import { startRedis } from "../test/services/redis.ts";
import { type Measured, runPace } from "./k6/k6.ts";
import { startKernelOnPostgres, startPeerOnPostgres, startTrivial, type Target } from "./k6/servers.ts";
import { type Saturation, saturate } from "./k6/wrk.ts";
import { HERE, median } from "./measure.ts";
import { serverCpu } from "./peer/postgres_cpu.ts";

const seconds = Number(process.argv[2] ?? 5);
const rounds = Number(process.argv[3] ?? 3);
const root = process.argv[4] ?? HERE;
/** 1.5 GB: more than all rounds write. */
const LOG_FILES = 96;

interface Row extends Saturation {
  /** Processor time of the database server for one accepted submission, µs. */
  readonly database_us: number;
}

const postgres = await startPostgres([
  ...["shared_buffers=512MB", "max_wal_size=4GB", "min_wal_size=2GB", "checkpoint_timeout=30min"],
]);
await fillLog();
const redis = await startRedis();
const starts: Readonly<Record<string, (url: string) => Promise<Target>>> = {
  tonwerk: (url) => startKernelOnPostgres("tonwerk", root, url, redis.url),
  peer: (url) => startPeerOnPostgres("peer", url, redis.url),
};

/**
 * A server that has run for a while writes into files of its log that it had before. A new one makes each, 16 MB of zeroes, while commits wait for
 * it, about once a second at these rates: that would be measured, and nothing else.
 */
async function fillLog(): Promise<void> {
  for (let file = 0; file < LOG_FILES; file++) {
    await postgres.sql("SELECT pg_logical_emit_message(false, 'bench', 'x')");
    await postgres.sql("SELECT pg_switch_wal()");
  }
  await postgres.sql("CHECKPOINT");
}

/** On a fresh database and an empty Redis. */
async function onFresh<T>(name: string, run: (target: Target) => Promise<T>): Promise<T> {
  const database = await postgres.createDatabase();
  await redis.command("FLUSHALL");
  const target = await starts[name]!(postgres.url(database));
  try {
    return await run(target);
  } finally {
    await target.stop();
    await postgres.dropDatabase(database);
  }
}

try {
  const found = new Map<string, Row[]>(Object.keys(starts).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, rows] of found) {
      rows.push(
        await onFresh(name, async (target) => {
          const before = serverCpu(postgres);
          const row = await saturate(target, "submit", seconds);
          return { ...row, database_us: (serverCpu(postgres) - before) / (row.per_second * seconds) };
        }),
      );
    }
  }
  for (const [name, rows] of found) {
    const of = (pick: (row: Row) => number) => median(rows.map(pick)).toFixed(0);
    console.log(
      `${name.padEnd(8)} ${of((row) => row.per_second).padStart(6)} accepted/s   process ${of((row) => row.cpu_us)} us, ` +
        `database ${of((row) => row.database_us)} us, errors ${rows.reduce((sum, row) => sum + row.errors, 0)}`,
    );
  }
  const [own = [], peer = []] = [...found.values()];
  const ratio = median(own.map((row, n) => row.per_second / (peer[n]?.per_second ?? Number.NaN)));
  console.log(`tonwerk / peer: ${ratio.toFixed(2)}`);
  const rate = Math.round(median(own.map((row) => row.per_second)) / 2);
  // As often as a round, for one slow moment of the machine is what a single 99th percentile shows.
  const halves: Measured[] = [];
  const alone: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    const trivial = await startTrivial();
    try {
      alone.push(await runPace(trivial, "submit", { rate, seconds }));
    } finally {
      await trivial.stop();
    }
    halves.push(
      await onFresh("tonwerk", async (target) => {
        // Its compiler is not what is asked about.
        await saturate(target, "submit", 1);
        return runPace(target, "submit", { rate, seconds });
      }),
    );
  }
  const show = (name: string, rows: readonly Measured[]) => {
    const all = (pick: (row: Measured) => number) => rows.map((row) => pick(row).toFixed(1)).join(", ");
    console.log(
      `${name} (${rate}/s, open loop): p50 ${all((row) => row.p50_ms)} ms, p99 ${all((row) => row.p99_ms)} ms, ` +
        `most ${all((row) => row.max_ms)} ms, errors ${rows.reduce((sum, row) => sum + row.errors, 0)}`,
    );
  };
  show("at half of saturation", halves);
  show("a server that only answers", alone);
  console.log(JSON.stringify({ ratio, p99_ms: median(halves.map((row) => row.p99_ms)) }));
} finally {
  await redis.end();
  await postgres.close();
}
