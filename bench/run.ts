/**
 * `npm run bench`: the kernel under load, on fresh servers, data folders and accounts. `bench/README.md` says what is measured and how.
 *
 *     npm run bench -- [--peer] [--against <commit>] [--seconds 10] [--rounds 3] [--only submit,ramp] [--saturation]
 */
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeMachine, machineLine } from "../cli/bench/machine.ts";
import { checkOut, commitHere } from "./k6/checkout.ts";
import { kneeOf, ratiosOf } from "./k6/compare.ts";
import { findK6, HOW_TO_GET_K6, type Measured } from "./k6/k6.ts";
import { htmlReport, type Results, textReport } from "./k6/report.ts";
import { startKernel, startPeer } from "./k6/servers.ts";
import {
  kneeByPace,
  measureGenerators,
  P99_MS,
  type Plan,
  rampByK6,
  runHalf,
  runStore,
  runWork,
  type Start,
  saturateAll,
} from "./k6/suite.ts";
import { findWrk, MODES } from "./k6/wrk.ts";
import { HERE, loadNow, syncMs } from "./measure.ts";

const { values: options } = parseArgs({
  options: {
    peer: { type: "boolean", default: false },
    against: { type: "string" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
    saturation: { type: "boolean", default: false },
  },
});
/** k6 is asked for this fraction of its limit: above, it shares out its own delays. */
const K6_SHARE = 8;
const SUBJECT = "this";

async function main(): Promise<void> {
  const k6 = options.saturation ? undefined : await findK6();
  if (k6 === undefined && !options.saturation) throw new Error(HOW_TO_GET_K6);
  const has_wrk = (await findWrk()) !== null;
  if (!has_wrk) console.error("wrk is not installed: no saturation is measured (Debian: apt install wrk)");
  const only = options.only?.split(",");
  const wanted = (name: string): boolean => only === undefined || only.includes(name);
  const plan: Plan = { k6, has_wrk, seconds: Number(options.seconds), rounds: Number(options.rounds), wanted };

  const other = options.against === undefined ? undefined : await checkOut(options.against);
  try {
    // `api`: jobs stay queued, so that requests alone are measured. `all`: they run.
    const requests = new Map<string, Start>([[SUBJECT, () => startKernel(SUBJECT, HERE, "api")]]);
    const work = new Map<string, Start>([[SUBJECT, () => startKernel(SUBJECT, HERE, "all")]]);
    if (options.peer) requests.set("peer", startPeer);
    if (other !== undefined) {
      requests.set(other.name, () => startKernel(other.name, other.folder, "api"));
      work.set(other.name, () => startKernel(other.name, other.folder, "all"));
    }
    const results = await measure(plan, requests, work);
    console.log(`\n${textReport(results)}\n\nwritten: ${await write(results)}`);
    // A latency that was missed is a result; what failed is none.
    if (results.scenarios.some(({ target, errors }) => target === SUBJECT && errors > 0)) process.exitCode = 1;
  } finally {
    await other?.remove();
  }
}

async function measure(
  plan: Plan,
  requests: ReadonlyMap<string, Start>,
  work: ReadonlyMap<string, Start>,
): Promise<Results> {
  const { k6, has_wrk, wanted } = plan;
  const load_before = loadNow();
  const sync_ms = await syncMs(tmpdir());
  // The rates of what ends in audio are set by the actions, not by what the generators can.
  const generators = [...MODES, "ramp"].some(wanted) ? await measureGenerators(plan) : {};
  const saturation = has_wrk ? await saturateAll(requests, plan) : [];
  const ramps: Record<string, readonly Measured[]> = {};
  const knees: Record<string, number> = {};
  const [own] = requests.values();
  if (k6 !== undefined && own !== undefined && wanted("ramp")) {
    ramps.k6 = await rampByK6(k6, own, plan);
    knees.k6 = kneeOf(ramps.k6, P99_MS);
    const { steps, knee } = await kneeByPace(own, plan);
    ramps.pace = steps;
    knees.pace = Math.round(knee.rate);
  }
  // Beyond its own knee nobody asks a server for its p99.
  const scenarios: Measured[] = [...(await runHalf(requests, saturation, plan, knees.pace))];
  if (k6 !== undefined) {
    const light = Math.max(50, Math.round((generators.k6 ?? 0) / K6_SHARE));
    scenarios.push(...(await runStore(k6, requests, light, plan)), ...(await runWork(k6, work, plan)));
  }
  return {
    subject: SUBJECT,
    commit: commitHere(),
    at: new Date().toISOString(),
    machine: machineLine(await describeMachine(tmpdir())),
    load: `${load_before} before, ${loadNow()} after`,
    sync_ms,
    generators,
    saturation,
    scenarios,
    ramps,
    knees,
    ratios: ratiosOf(
      saturation.filter(({ accounts }) => accounts > 1),
      SUBJECT,
    ),
  };
}

/** Path of the HTML file. */
async function write(results: Results): Promise<string> {
  const folder = join(HERE, "bench/results");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${results.at.replaceAll(/[:.]/gu, "-")}-${results.commit}`);
  await writeFile(`${path}.json`, `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(`${path}.html`, htmlReport(results));
  return `${path}.html (and .json)`;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
