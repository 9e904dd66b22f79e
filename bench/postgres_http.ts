/**
 * The service on Postgres and Redis beside what a good engineer would write first there (bench/peer: Fastify, pg, BullMQ): accepted
 * submissions a second over HTTP, and p99 at half of saturation. Targets take turns on fresh databases of one server; ratios are taken
 * within each round, and the median is told.
 *
 *     bun bench/postgres_http.ts [seconds] [rounds] [root of the checkout to measure]
 *
 * Needs PostgreSQL, redis-server and wrk (Debian: apt install postgresql redis-server wrk). Everything runs on one machine, the generator too.
 */
import { startPostgres } from "../test/services/postgres.ts";
import { startRedis } from "../test/services/redis.ts";
import { runPace } from "./k6/k6.ts";
import { startKernelOnPostgres, startPeerOnPostgres, type Target } from "./k6/servers.ts";
import { type Saturation, saturate } from "./k6/wrk.ts";
import { HERE, median } from "./measure.ts";
import { serverCpu } from "./peer/postgres_cpu.ts";

const seconds = Number(process.argv[2] ?? 5);
const rounds = Number(process.argv[3] ?? 3);
const root = process.argv[4] ?? HERE;

interface Row extends Saturation {
  /** Processor time of the database server for one accepted submission, µs. */
  readonly database_us: number;
}

const postgres = await startPostgres(["shared_buffers=512MB", "max_wal_size=4GB", "checkpoint_timeout=30min"]);
const redis = await startRedis();
const starts: Readonly<Record<string, (url: string) => Promise<Target>>> = {
  tonwerk: (url) => startKernelOnPostgres("tonwerk", root, url, redis.url),
  peer: (url) => startPeerOnPostgres("peer", url, redis.url),
};

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
  const half = await onFresh("tonwerk", (target) => runPace(target, "submit", { rate, seconds }));
  console.log(
    `at half of saturation (${rate}/s, open loop): p50 ${half.p50_ms.toFixed(1)} ms, p99 ${half.p99_ms.toFixed(1)} ms, ` +
      `most ${half.max_ms.toFixed(1)} ms, errors ${half.errors}`,
  );
  console.log(JSON.stringify({ ratio, p99_ms: half.p99_ms }));
} finally {
  await redis.end();
  await postgres.close();
}
