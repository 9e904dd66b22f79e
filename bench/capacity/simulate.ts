/**
 * A day of one kind of work, event by event: arrivals by the hour, accounts by Zipf's law, the store's fair order, and workers that come and go
 * as an autoscaler decides. Time is in seconds.
 */
import { random } from "../../runners/signal/dsp/random.ts";
import { Heap, Waits } from "./heap.ts";

export interface Day {
  /** Mean arrivals a second. */
  readonly rate: number;
  readonly peak_to_mean: number;
  readonly seconds: number;
  /** Shares and lengths of jobs. */
  readonly jobs: readonly { readonly share: number; readonly work_s: number }[];
  /** Lengths are exponential where true, else always `work_s`. */
  readonly exponential: boolean;
  readonly accounts: number;
  readonly zipf: number;
  /** What an account's turn is worth: a job, as the store counts, or the time that a job takes. */
  readonly fair_by?: "jobs" | "time";
  /** What an account that floods the queue submits at one moment, beside all others. */
  readonly flood?: { readonly at: number; readonly jobs: number; readonly work_s: number };
  readonly seed: number;
}

/** How many workers there should be, looked at every `every_s`. */
export interface Scaler {
  readonly every_s: number;
  /** From its decision until a worker takes jobs. */
  readonly start_s: number;
  readonly least: number;
  readonly most: number;
  wanted(now: {
    readonly workers: number;
    readonly queued: number;
    readonly running: number;
    readonly oldest_s: number;
  }): number;
  /** Workers that may go at one look. */
  readonly fewer: (workers: number) => number;
  /** The highest wish of so long counts before any goes. */
  readonly calm_s: number;
}

export interface Outcome {
  /** From each job's submission to its begin. */
  readonly waits: Waits;
  /** Of accounts that had not flooded the queue, while it was flooded. */
  readonly others: Waits;
  /** Worker seconds that were there, over those that were worked. */
  readonly paid_to_used: number;
  readonly workers_max: number;
  readonly queued_max: number;
}

const FLOODER = 0;

export interface Arrival {
  readonly at: number;
  /** From 1; 0 is who floods the queue. */
  readonly account: number;
  readonly work_s: number;
}

/** In order, without the flood. Thinning (Lewis, Shedler 1979) of a sine over the day that is least at its begin. */
export function* arrivalsOf(day: Day): Generator<Arrival> {
  const next = random(day.seed);
  const drawAccount = zipf(day.accounts, day.zipf);
  const peak = day.rate * day.peak_to_mean;
  const gap = (): number => -Math.log(1 - next()) / peak;
  for (let at = gap(); at < day.seconds; at += gap()) {
    const rate = day.rate * (1 - (day.peak_to_mean - 1) * Math.cos((2 * Math.PI * at) / day.seconds));
    if (next() * peak < rate)
      yield { at, account: 1 + drawAccount(next), work_s: length(pickWork(day, next), day.exponential, next) };
  }
}

export function simulate(day: Day, scaler: Scaler): Outcome {
  const arrivals = arrivalsOf(day);
  const next = random(day.seed + 1);
  const [waits, others] = [new Waits(), new Waits()];
  const queue = new Heap();
  const ends = new Heap();
  const coming: number[] = [];
  const turns = new Float64Array(day.accounts + 1);
  const wishes: { at: number; wanted: number }[] = [];
  let [turn, workers, running, paid, used] = [0, scaler.least, 0, 0, 0];
  let [workers_max, queued_max, before, flooded_until] = [workers, 0, 0, Number.NEGATIVE_INFINITY];

  const add = (at: number, account: number, work_s: number): void => {
    // Start-time fair queueing (Goyal, Vin, Cheng 1996): when the account's last ends, and no earlier than the queue itself.
    const round = Math.max(turn, turns[account]!);
    turns[account] = round + (day.fair_by === "time" ? work_s : 1);
    queue.push(round, at, account, work_s);
    queued_max = Math.max(queued_max, queue.size);
  };
  const begin = (at: number): void => {
    while (running < workers && queue.size > 0) {
      const job = queue.pop();
      turn = Math.max(turn, job.key);
      const wait = at - job.at;
      waits.add(wait);
      if (job.account !== FLOODER && job.at <= flooded_until) others.add(wait);
      used += job.work_s;
      running++;
      ends.push(at + job.work_s, at, job.account, job.work_s);
    }
  };
  const pass = (at: number): void => {
    paid += workers * (at - before);
    before = at;
  };

  let arrival = arrivals.next();
  let look = scaler.every_s;
  let flood = day.flood?.at ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const due = arrival.done === true ? Number.POSITIVE_INFINITY : arrival.value.at;
    const at = Math.min(due, look, flood, ends.least, coming[0] ?? Number.POSITIVE_INFINITY);
    if (at > day.seconds && queue.size === 0 && running === 0) break;
    pass(at);
    if (at === ends.least) {
      ends.pop();
      running--;
    } else if (at === coming[0]) {
      coming.shift();
      workers++;
      workers_max = Math.max(workers_max, workers);
    } else if (at === flood) {
      for (let n = 0; n < day.flood!.jobs; n++) add(at, FLOODER, length(day.flood!.work_s, day.exponential, next));
      flooded_until = at + (day.flood!.jobs * day.flood!.work_s) / Math.max(1, workers);
      flood = Number.POSITIVE_INFINITY;
    } else if (at === look) {
      look += scaler.every_s;
      scale(at);
    } else {
      const { account, work_s } = arrival.value as Arrival;
      add(at, account, work_s);
      arrival = arrivals.next();
    }
    begin(at);
  }
  return {
    waits,
    others,
    paid_to_used: paid / Math.max(1e-9, used),
    workers_max,
    queued_max,
  };

  function scale(now: number): void {
    const oldest = queue.oldest();
    const state = { workers, queued: queue.size, running, oldest_s: oldest === undefined ? 0 : now - oldest };
    const wanted = Math.min(scaler.most, Math.max(scaler.least, Math.ceil(scaler.wanted(state))));
    wishes.push({ at: now, wanted });
    while (wishes[0]!.at < now - scaler.calm_s) wishes.shift();
    const there = workers + coming.length;
    if (wanted > there) {
      // As a HorizontalPodAutoscaler does unless told otherwise: at most four more, or twice as many, at a time.
      const more = Math.min(wanted - there, Math.max(4, there));
      for (let n = 0; n < more; n++) coming.push(now + scaler.start_s);
      return;
    }
    const calm = Math.max(...wishes.map((wish) => wish.wanted));
    if (calm >= workers) return;
    // Whoever is busy ends its job first.
    workers -= Math.min(workers - calm, scaler.fewer(workers), Math.max(0, workers - running));
  }
}

function length(mean: number, exponential: boolean, next: () => number): number {
  return exponential ? -mean * Math.log(1 - next()) : mean;
}

function pickWork({ jobs }: Day, next: () => number): number {
  let left = next() * jobs.reduce((sum, { share }) => sum + share, 0);
  for (const { share, work_s } of jobs) {
    left -= share;
    if (left < 0) return work_s;
  }
  return jobs.at(-1)!.work_s;
}

/** Which account, from 0; by the inverse of the summed weights. */
function zipf(accounts: number, exponent: number): (next: () => number) => number {
  const sums = new Float64Array(accounts);
  let sum = 0;
  for (let n = 0; n < accounts; n++) {
    sum += (n + 1) ** -exponent;
    sums[n] = sum;
  }
  return (next) => {
    const wanted = next() * sum;
    let [low, high] = [0, accounts - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
