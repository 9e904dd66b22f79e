/** The measurements of `npm run bench`, each on fresh servers: `bench/README.md` says what each is for. */

import { findKnee, type Knee } from "../../cli/bench/knee.ts";
import { startReceiver } from "../../cli/bench/receiver.ts";
import { median } from "../measure.ts";
import { prepareActions } from "./actions.ts";
import { type Load, type Measured, measuredOf, pace, runPace, runScript, type Script } from "./k6.ts";
import { planActions } from "./plan.ts";
import { startTrivial, type Target } from "./servers.ts";
import { MODES, type Mode, type Saturation, saturate } from "./wrk.ts";

export type Start = () => Promise<Target>;
/** By the name of the target; this checkout first. */
export type Starts = ReadonlyMap<string, Start>;

export interface Plan {
  /** Path of k6; undefined where it is not to be used. */
  readonly k6: string | undefined;
  readonly has_wrk: boolean;
  readonly seconds: number;
  readonly rounds: number;
  /** Whether a scenario was asked for. */
  readonly wanted: (name: string) => boolean;
}

/** The bound for requests that no worker takes part in, at half of saturation. */
export const P99_MS = 25;
/** Iterations a second of one small operation after another: what one worker on one core keeps up with. */
const WORK_RATE = 4;
const K6_RAMP = [500, 1_000, 1_500, 2_000, 3_000, 4_000];
/** Where the search for the knee begins, and where it ends at the latest. */
const PACE_FIRST = 500;
const PACE_MOST = 32_000;
/** More than any of the generators can. */
const BEYOND = 60_000;
const K6_BEYOND = 20_000;

/** What the generators reach where the server costs next to nothing: wrk for each kind of request, for one costs it more than another. */
export function measureGenerators({ k6, has_wrk, seconds, wanted }: Plan): Promise<Record<string, number>> {
  const short = Math.min(seconds, 3);
  return withTarget(startTrivial, async (target) => {
    const found: Record<string, number> = {};
    for (const mode of has_wrk ? MODES.filter(wanted) : [])
      found[`wrk, ${mode}`] = (await saturate(target, mode, short)).per_second;
    // The open ones are asked for more than they can, and what they achieved is their limit.
    found.pace = (await runPace(target, "submit", { rate: BEYOND, seconds: 1 })).rate_achieved;
    if (k6 !== undefined) {
      const [row] = await runScript(k6, "submit", target, { rate: K6_BEYOND, seconds: short });
      if (row !== undefined) found.k6 = row.rate_achieved;
    }
    return found;
  });
}

/** A fresh server for each measurement, the targets in turn within each round; the last row of a round is one hot account. */
export async function saturateAll(starts: Starts, { rounds, seconds, wanted }: Plan): Promise<readonly Saturation[]> {
  const found: Saturation[] = [];
  const fresh = async (start: Start, mode: Mode, accounts?: number): Promise<void> => {
    const row = await withTarget(start, (target) => saturate(target, mode, seconds, accounts));
    console.error(`${row.target} ${mode}: ${Math.round(row.per_second)}/s`);
    found.push(row);
  };
  for (let round = 0; round < rounds; round++) {
    for (const mode of MODES.filter(wanted)) for (const start of starts.values()) await fresh(start, mode);
    const [own] = starts.values();
    if (wanted("submit") && own !== undefined) await fresh(own, "submit", 1);
  }
  return found;
}

/** Each kind of request at half of what this checkout saturates at, and submissions at their knee at most, which k6 cannot send beside a server on two cores. */
export async function runHalf(
  starts: Starts,
  saturation: readonly Saturation[],
  { seconds, wanted }: Plan,
  submit_knee = Number.POSITIVE_INFINITY,
): Promise<readonly Measured[]> {
  const found: Measured[] = [];
  const [subject] = starts.keys();
  for (const mode of MODES.filter(wanted)) {
    const rounds = saturation.filter((row) => row.target === subject && row.mode === mode && row.accounts > 1);
    if (rounds.length === 0) continue;
    const half = median(rounds.map(({ per_second }) => per_second)) / 2;
    const rate = Math.round(mode === "submit" ? Math.min(half, submit_knee || half) : half);
    for (const start of starts.values())
      found.push(await withTarget(start, (target) => runPace(target, mode, { rate, seconds, p99_ms: P99_MS })));
    console.error(`${mode} at half of saturation: done`);
  }
  return found;
}

/** Requests that no worker takes part in, for every target, at a rate that leaves k6 and the server room. */
export async function runStore(k6: string, starts: Starts, rate: number, plan: Plan): Promise<readonly Measured[]> {
  const found: Measured[] = [];
  for (const script of (["submit", "replay", "status"] as const).filter(plan.wanted)) {
    for (const start of starts.values())
      found.push(...(await runFresh(k6, script, start, { rate, seconds: plan.seconds, p99_ms: P99_MS })));
  }
  return found;
}

/** Everything that ends in audio; each target on one server that runs the jobs too. */
export async function runWork(k6: string, starts: Starts, { seconds, wanted }: Plan): Promise<readonly Measured[]> {
  const found: Measured[] = [];
  const receiver = await startReceiver();
  try {
    for (const start of starts.values()) {
      await withTarget(start, async (target) => {
        for (const script of (["long_poll", "lifecycle"] as const).filter(wanted)) {
          const load = { rate: WORK_RATE, seconds, env: { RECEIVER: receiver.url } };
          found.push(...(await runScript(k6, script, target, load)));
          console.error(`${target.name} ${script}: done`);
        }
        if (wanted("actions")) found.push(...(await runActions(k6, target, seconds)));
      });
    }
  } finally {
    await receiver.close();
  }
  return found;
}

/** All actions at once: a row for each, with what it took alone beside what it took in company. */
async function runActions(k6: string, target: Target, seconds: number): Promise<readonly Measured[]> {
  const prepared = await prepareActions(target);
  const { seconds: long_s, actions } = planActions(prepared, seconds);
  const times = Object.values(actions).reduce((sum, one) => sum + one.times, 0);
  console.error(`${target.name} actions: ${times} operations within ${Math.round(long_s)} s`);
  const load = { rate: times / long_s, seconds: long_s, env: { ACTIONS: JSON.stringify(actions) } };
  const rows = await runScript(k6, "actions", target, load);
  console.error(`${target.name} actions: done`);
  return rows.map((row) => {
    const alone_ms = 1000 * (prepared.get(row.scenario)?.alone_s ?? Number.NaN);
    const rate_asked = (actions[row.scenario]?.times ?? 0) / long_s;
    return { ...row, rate_asked, trends: { alone_ms: { p50_ms: alone_ms, p99_ms: alone_ms }, ...row.trends } };
  });
}

/** Submissions at rising rates on one server, by k6. */
export async function rampByK6(k6: string, start: Start, { seconds }: Plan): Promise<readonly Measured[]> {
  const load = { rate: 1, seconds: held(seconds), p99_ms: P99_MS, env: { RATES: K6_RAMP.join(",") } };
  const steps = await runFresh(k6, "ramp", start, load);
  return [...steps].sort((one, other) => one.rate_asked - other.rate_asked);
}

/** The same by pace.ts, which goes further: by bisection, each rate near the knee by the majority of its runs. */
export function kneeByPace(
  start: Start,
  { seconds, rounds }: Plan,
): Promise<{ steps: readonly Measured[]; knee: Knee }> {
  return withTarget(start, async (target) => {
    const steps: Measured[] = [];
    const knee = await findKnee({
      first: PACE_FIRST,
      most: PACE_MOST,
      repeats: rounds,
      within: 1.1,
      slo: { latencies: [{ q: 0.99, name: "p99", ms: P99_MS }], errors: 0 },
      measure: (rate) => pace(target, "submit", { rate: Math.round(rate), seconds: held(seconds) }),
      tell: ({ run }) => steps.push({ ...measuredOf(target, "submit", run, P99_MS), scenario: "ramp (pace)" }),
    });
    console.error(`${target.name} knee (pace): ${Math.round(knee.rate)}/s`);
    return { steps, knee };
  });
}

const held = (seconds: number): number => Math.max(2, Math.round(seconds / 2));

async function runFresh(k6: string, script: Script, start: Start, load: Load): Promise<readonly Measured[]> {
  return withTarget(start, async (target) => {
    const rows = await runScript(k6, script, target, load);
    console.error(`${target.name} ${script}: done`);
    return rows;
  });
}

async function withTarget<T>(start: Start, use: (target: Target) => Promise<T>): Promise<T> {
  const target = await start();
  try {
    return await use(target);
  } finally {
    await target.stop();
  }
}
