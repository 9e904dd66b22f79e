/**
 * The store as a queue, beside graphile-worker and pg-boss on the same Postgres: jobs added a second, jobs taken and ended a second, and how
 * long an idle worker takes to begin one. A job does nothing. Every measurement has a database of its own; the three take turns within each
 * round, ratios are taken there, and medians told with their range. Processor time of the server and of this process hardly changes when
 * others use the machine.
 *
 *     bun bench/queue.ts [jobs] [rounds] [seconds]
 *
 * Needs PostgreSQL's server (Debian: apt install postgresql). Installs the peers beside this file at the first run.
 */
import { startPostgres } from "../test/services/postgres.ts";
import { median } from "./measure.ts";
import { serverCpu } from "./peer/postgres_cpu.ts";
import { type BenchQueue, type OpenQueue, openGraphile, openOwn, openPgBoss } from "./peer/queues/queues.ts";

const jobs = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 3);
const seconds = Number(process.argv[4] ?? 5);
const WORKERS = 16;
/** Callers that wait for their commit: what a busy node has under way. */
const CALLERS = 400;
const RATE = 100;

const SUBJECTS: Readonly<Record<string, OpenQueue>> = {
  tonwerk: openOwn,
  "graphile-worker": openGraphile,
  "pg-boss": openPgBoss,
};

interface Measured {
  readonly added: number;
  readonly done: number;
  /** Processor time of adding and doing one job, µs: the server's and this process's. */
  readonly cpu: number;
  readonly delay_p50: number;
  readonly delay_p99: number;
}

const server = await startPostgres(["shared_buffers=512MB", "max_wal_size=4GB", "checkpoint_timeout=30min"]);
try {
  const made = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, open] of turned(Object.entries(SUBJECTS), round)) {
      const measured = { ...(await measureBacklog(open)), ...(await measureDelay(open)) };
      made.set(name, [...(made.get(name) ?? []), measured]);
      console.error(`round ${round + 1}: ${name} ${JSON.stringify(measured)}`);
    }
  }
  const own = made.get("tonwerk") ?? [];
  const ROWS = [
    ["jobs added a second", "added"],
    ["jobs taken and ended a second", "done"],
    ["processor time of a job, µs", "cpu"],
    ["begun after, p50, ms", "delay_p50"],
    ["begun after, p99, ms", "delay_p99"],
  ] as const;
  console.log(
    `| ${jobs} jobs, ${WORKERS} workers, ${rounds} rounds | ${[...made.keys()].join(" | ")} |\n|---|${"---|".repeat(made.size)}`,
  );
  for (const [title, row] of ROWS) {
    const cells = [...made].map(([name, rows]) => {
      const values = rows.map((one) => one[row]);
      const spread = `${digits(median(values))} (${digits(Math.min(...values))} to ${digits(Math.max(...values))})`;
      if (name === "tonwerk") return spread;
      return `${spread}, ratio ${median(own.map((one, n) => one[row] / values[n]!)).toFixed(2)}`;
    });
    console.log(`| ${title} | ${cells.join(" | ")} |`);
  }
} finally {
  await server.close();
}

/** Adds all jobs while nobody works, then lets the workers loose on them. */
async function measureBacklog(open: OpenQueue): Promise<Pick<Measured, "added" | "done" | "cpu">> {
  const queue = await openFresh(open);
  try {
    const cpu = cpuNow();
    let next = 0;
    let begin = performance.now();
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (next < jobs) await queue.add(next++);
      }),
    );
    const adding_s = (performance.now() - begin) / 1_000;
    let begun = 0;
    const all = Promise.withResolvers<void>();
    begin = performance.now();
    await queue.work(() => {
      begun++;
      if (begun === jobs) all.resolve();
    });
    await all.promise;
    const doing_s = (performance.now() - begin) / 1_000;
    const used = cpuNow() - cpu;
    return { added: jobs / adding_s, done: jobs / doing_s, cpu: used / jobs };
  } finally {
    await queue.close();
  }
}

/** From a job's commit to its beginning, at a rate that leaves workers idle; the first second is not counted. */
async function measureDelay(open: OpenQueue): Promise<Pick<Measured, "delay_p50" | "delay_p99">> {
  const queue = await openFresh(open);
  try {
    const added: number[] = [];
    const began: number[] = [];
    await queue.work((index) => {
      began[index] = performance.now();
    });
    const count = RATE * (seconds + 1);
    const begin = performance.now();
    const adds: Promise<void>[] = [];
    for (let index = 0; index < count; index++) {
      const due = begin + (index * 1_000) / RATE;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      adds.push(
        queue.add(index).then(() => {
          added[index] = performance.now();
        }),
      );
    }
    await Promise.all(adds);
    for (const until = Date.now() + 10_000; Object.keys(began).length < count && Date.now() < until; )
      await new Promise((resolve) => setTimeout(resolve, 20));
    const delays: number[] = [];
    for (let index = RATE; index < count; index++) {
      if (began[index] === undefined) throw new Error(`Job ${index} was not begun`);
      delays.push(Math.max(0, began[index]! - added[index]!));
    }
    delays.sort((one, other) => one - other);
    const at = (share: number): number => delays[Math.min(delays.length - 1, Math.floor(share * delays.length))]!;
    return { delay_p50: at(0.5), delay_p99: at(0.99) };
  } finally {
    await queue.close();
  }
}

async function openFresh(open: OpenQueue): Promise<BenchQueue> {
  const queue = await open(server.url(await server.createDatabase()), WORKERS);
  await server.sql("CHECKPOINT");
  return queue;
}

/** Server and this process, µs. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return serverCpu(server) + user + system;
}

function turned<T>(list: readonly T[], by: number): readonly T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
