/** The simulation beside real claims: the same arrivals, on a Postgres, by workers that sleep as long as a job takes. */
import { startPostgres } from "../../test/services/postgres.ts";
import { openOwn } from "../peer/queues/queues.ts";
import { Waits } from "./heap.ts";
import { arrivalsOf, type Day, type Scaler, simulate } from "./simulate.ts";

const SIZES = [4, 16, 64];
const SECONDS = 30;
const WORK_S = 0.4;
/** Of what the workers can do. */
const LOADS = [0.7, 0.9];

export async function prove(): Promise<void> {
  console.log("| workers | load | jobs | wait p50, simulated and real, ms | p90 | p99 |\n|---|---|---|---|---|---|");
  const server = await startPostgres();
  try {
    for (const workers of SIZES)
      for (const load of LOADS) {
        const day: Day = {
          rate: (load * workers) / WORK_S,
          peak_to_mean: 1,
          seconds: SECONDS,
          jobs: [{ share: 1, work_s: WORK_S }],
          exponential: true,
          accounts: 20,
          zipf: 1.1,
          seed: workers,
        };
        const simulated = simulate(day, fixed(workers)).waits;
        const real = await measure(day, server.url(await server.createDatabase()), workers);
        const pair = (share: number): string => `${ms(simulated.at(share))} ${ms(real.at(share))}`;
        console.log(`| ${workers} | ${load} | ${real.count} | ${pair(0.5)} | ${pair(0.9)} | ${pair(0.99)} |`);
      }
  } finally {
    await server.close();
  }
}

async function measure(day: Day, url: string, workers: number): Promise<Waits> {
  const arrivals = [...arrivalsOf(day)];
  const waits = new Waits();
  const added: number[] = [];
  const queue = await openOwn(url, workers);
  try {
    const all = Promise.withResolvers<void>();
    await queue.work(async (index) => {
      waits.add((performance.now() - added[index]!) / 1_000);
      await sleep(arrivals[index]!.work_s * 1_000);
      if (waits.count === arrivals.length) all.resolve();
    });
    const begin = performance.now();
    for (const [index, { at, account }] of arrivals.entries()) {
      await sleep(begin + at * 1_000 - performance.now());
      added[index] = performance.now();
      void queue.add(index, account).catch(all.reject);
    }
    await all.promise;
    return waits;
  } finally {
    await queue.close();
  }
}

function fixed(workers: number): Scaler {
  return {
    every_s: 1_000_000,
    start_s: 0,
    least: workers,
    most: workers,
    calm_s: 0,
    fewer: () => 0,
    wanted: () => workers,
  };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
const ms = (seconds: number): string => (1_000 * seconds).toFixed(0);
