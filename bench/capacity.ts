/**
 * What a load costs and how long its jobs wait: a bill out of measured constants, days simulated event by event, and the simulation proven
 * against real claims on Postgres.
 *
 *     bun bench/capacity.ts model        # what 10^6 to 10^9 operations a month take
 *     bun bench/capacity.ts simulate     # waits under the autoscaler of deploy/kubernetes, and as it was before
 *     bun bench/capacity.ts flood        # one account submits an hour's worth at once
 *     bun bench/capacity.ts prove        # waits at three sizes, simulated and real; needs Postgres (Debian: apt install postgresql)
 *
 * The load is capacity/load.json. Jobs of the proof sleep, so that it measures the queue and not this machine.
 */
import { type Bill, billOf, type Kind, readLoad } from "./capacity/load.ts";
import { prove } from "./capacity/prove.ts";
import { type Day, type Outcome, type Scaler, simulate } from "./capacity/simulate.ts";

const SIZES = [1e6, 1e7, 1e8, 1e9];
const MONTH_S = 30 * 86_400;
const DAY_S = 86_400;
const load = await readLoad();

function model(): void {
  const rows: readonly (readonly [string, (bill: Bill) => number])[] = [
    ["operations a second, mean", (bill) => bill.per_second],
    ["cores of API nodes, mean", (bill) => bill.node_cores],
    ["cores of workers, mean", (bill) => bill.worker_cores],
    ["cores of workers at the peak", (bill) => bill.worker_cores_peak],
    ["memory of workers at the peak, GB", (bill) => bill.worker_gb_peak],
    ["rows in Postgres, TB", (bill) => bill.postgres_tb],
    ["indexes that want memory, GB", (bill) => bill.index_gb],
    ["WAL at the peak, MB/s", (bill) => bill.wal_mb_s_peak],
    ["bucket, TB", (bill) => bill.bucket_tb],
    ["out of the bucket, each result once, TB", (bill) => bill.out_tb],
    ["shards", (bill) => bill.shards],
  ];
  table(
    ["operations a month", ...SIZES.map((size) => `10^${Math.log10(size)}`)],
    rows.map(([title, of]) => [title, ...SIZES.map((size) => digits(of(billOf(load, size))))]),
  );
}

/** As deploy/kubernetes/autoscaling.yaml has it: by how many workers are busy, and by the age of the oldest job. */
function scalerOf(most: number): Scaler {
  const { start_s } = load.constants;
  return {
    every_s: 15,
    start_s,
    least: 1,
    most,
    calm_s: 300,
    fewer: (workers) => Math.max(1, Math.floor(workers / 10)),
    wanted: ({ workers, running, oldest_s }) => Math.max(running / BUSY, (workers * oldest_s) / OLDEST_S),
  };
}
/** The manifest's thresholds: share of the workers that may be busy, and seconds that the oldest job may have waited. */
const BUSY = 0.9;
const OLDEST_S = 30;
/** As it was: jobs that wait and run for each worker, and one worker fewer a minute. */
const byJobs = (most: number): Scaler => ({
  ...scalerOf(most),
  wanted: ({ queued, running }) => (queued + running) / 2,
  fewer: () => 0.25,
});

function days(): void {
  const rows: string[][] = [];
  for (const size of SIZES)
    for (const kind of ["generation", "dsp"] as const) {
      const day = dayOf(kind, size);
      for (const [name, scaler] of [
        ["jobs", byJobs(1e6)],
        ["age", scalerOf(1e6)],
      ] as const)
        rows.push([size.toExponential(0), kind, name, ...told(simulate(day, scaler))]);
    }
  const titles = ["a month", "kind", "by", "jobs a day", "wait p50", "p99", "longest, s", "workers", "paid / used"];
  table(titles, rows);
}

/** One account submits an hour's worth of long jobs at once, and there are no more workers than a day without it has. */
function floods(): void {
  const rows: string[][] = [];
  for (const size of [1e6, 1e8])
    for (const fair_by of ["jobs", "time"] as const) {
      const day: Day = { ...dayOf("generation", size), fair_by };
      const jobs = Math.round(day.rate * 3_600);
      const alone = simulate(day, scalerOf(1e6));
      const beside = simulate(
        { ...day, flood: { at: DAY_S / 2, jobs, work_s: FLOOD_WORK_S } },
        scalerOf(Math.ceil(alone.workers_max)),
      );
      const others = [alone.waits.at(0.99), beside.others.at(0.5), beside.others.at(0.99), beside.others.most];
      rows.push([size.toExponential(0), fair_by, String(jobs), ...others.map(digits), digits(beside.waits.most)]);
    }
  const titles = [
    "a month",
    "fair by",
    "jobs at once",
    "p99 before, s",
    "the others' p50",
    "p99",
    "longest",
    "the flood's last",
  ];
  table(titles, rows);
}
/** A song of five minutes in two variations. */
const FLOOD_WORK_S = 50;

function dayOf(kind: Kind, operations: number): Day {
  const jobs = load.actions.filter((action) => action.kind === kind);
  const share = jobs.reduce((sum, action) => sum + action.share, 0);
  const { peak_to_mean, accounts, zipf } = load;
  const rate = (share * operations) / MONTH_S;
  return { rate, peak_to_mean, seconds: DAY_S, jobs, exponential: true, accounts, zipf, seed: 1 };
}

function told(outcome: Outcome): string[] {
  const { waits, workers_max, paid_to_used } = outcome;
  const seconds = [waits.at(0.5), waits.at(0.99), waits.most].map(digits);
  return [String(waits.count), ...seconds, String(Math.ceil(workers_max)), paid_to_used.toFixed(2)];
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(`| ${titles.join(" | ")} |\n|${"---|".repeat(titles.length)}`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
}

function digits(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : Number(value.toPrecision(2)).toString();
}

const what = process.argv[2] ?? "model";
if (what === "model") model();
else if (what === "simulate") days();
else if (what === "flood") floods();
else if (what === "prove") await prove();
else throw new Error(`Expected "model", "simulate", "flood" or "prove", got "${what}"`);
