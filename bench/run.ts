/**
 * `npm run bench`: the kernel under load, on a fresh server, data folder and accounts. `bench/README.md` says what is measured and how.
 *
 *     npm run bench -- [--peer] [--against <commit>] [--seconds 10] [--rounds 3] [--only submit,ramp] [--saturation]
 */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runtime } from "../core/runtime.ts";
import { actionExamples } from "./k6/examples.ts";
import { findK6, HOW_TO_GET_K6, kneeOf, type Load, type Measured, runPace, runScript, type Script } from "./k6/k6.ts";
import { startReceiver } from "./k6/receiver.ts";
import { htmlReport, type Results, ratiosOf, textReport } from "./k6/report.ts";
import { startKernel, startPeer, startTrivial, type Target } from "./k6/servers.ts";
import { ACTION, findWrk, MODES, type Mode, type Saturation, saturate } from "./k6/wrk.ts";
import { HERE, median } from "./measure.ts";

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
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const only = options.only?.split(",");

/** k6 is asked for this fraction of its limit: above, it shares out its own delays. */
const K6_SHARE = 8;
/** Iterations a second where saturation is not known. */
const SUBMIT_RATE = 500;
/** Of scenarios that run jobs: what one worker on one core keeps up with. */
const WORK_RATE = 4;
/** The bound at half of saturation. */
const P99_MS = 25;
const RAMP = [500, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000];

type Start = () => Promise<Target>;

async function main(): Promise<void> {
  const k6 = options.saturation ? undefined : await findK6();
  if (k6 === undefined && !options.saturation) throw new Error(HOW_TO_GET_K6);
  const has_wrk = (await findWrk()) !== null;
  if (!has_wrk) console.error("wrk is not installed: no saturation is measured (Debian: apt install wrk)");

  const subject = "this";
  const starts = new Map<string, Start>([[subject, () => startKernel(subject, HERE, "api")]]);
  if (options.peer) starts.set("peer", startPeer);
  const other = options.against === undefined ? undefined : await checkOut(options.against);
  try {
    if (other !== undefined) starts.set(other.name, () => startKernel(other.name, other.folder, "api"));
    const generators = await measureGenerators(k6, has_wrk);
    const saturation = has_wrk ? await saturateAll(starts) : [];
    const submit = saturation.filter(
      ({ target, mode, accounts }) => target === subject && mode === "submit" && accounts > 1,
    );
    const half = submit.length === 0 ? SUBMIT_RATE : Math.round(median(submit.map(({ per_second }) => per_second)) / 2);
    const scenarios: Measured[] = [];
    const ramp: Measured[] = [];
    if (has_wrk && wanted("submit")) scenarios.push(...(await runHalf(starts, half)));
    if (k6 !== undefined) {
      const light = Math.max(50, Math.min(half, Math.round((generators.k6 ?? 0) / K6_SHARE)));
      scenarios.push(...(await runStore(k6, starts, light)), ...(await runWork(k6)));
      if (wanted("ramp")) ramp.push(...(await runRamp(k6)));
    }
    const results: Results = {
      commit: git("describe", "--always", "--dirty").trim(),
      at: new Date().toISOString(),
      machine: `${cpus().length} x ${cpus()[0]?.model ?? "unknown"}, ${runtime.name} ${runtime.version}`,
      generators,
      saturation,
      scenarios,
      ramp,
      knee: ramp.length === 0 ? null : kneeOf(ramp, P99_MS),
      ratios: ratiosOf(
        saturation.filter(({ accounts }) => accounts > 1),
        subject,
      ),
    };
    console.log(`\n${textReport(results)}\n\nwritten: ${await write(results)}`);
    if (scenarios.some(({ target, thresholds_ok }) => target === subject && !thresholds_ok)) process.exitCode = 1;
  } finally {
    await other?.remove();
  }
}

const wanted = (what: string): boolean => only === undefined || only.includes(what);

async function withTarget<T>(start: Start, use: (target: Target) => Promise<T>): Promise<T> {
  const target = await start();
  try {
    return await use(target);
  } finally {
    await target.stop();
  }
}

/** What the generators reach where the server costs next to nothing. */
async function measureGenerators(k6: string | undefined, has_wrk: boolean): Promise<Record<string, number>> {
  return withTarget(startTrivial, async (target) => {
    const found: Record<string, number> = {};
    if (has_wrk) found.wrk = (await saturate(target, "submit", Math.min(seconds, 3))).per_second;
    // k6 is open: it is asked for more than it can, and what it achieved is its limit.
    if (k6 !== undefined) {
      const [row] = await runScript(k6, "submit", target, { rate: 20_000, seconds: Math.min(seconds, 3) });
      if (row !== undefined) found.k6 = row.rate_achieved;
    }
    return found;
  });
}

/** A fresh server for each measurement, the targets in turn within each round; the last row of a round is one hot account. */
async function saturateAll(starts: ReadonlyMap<string, Start>): Promise<readonly Saturation[]> {
  const found: Saturation[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const mode of MODES.filter(wanted)) {
      for (const start of starts.values()) found.push(await saturateFresh(start, mode));
    }
    const [hot] = starts.values();
    if (wanted("submit") && hot !== undefined) found.push(await saturateFresh(hot, "submit", 1));
  }
  return found;
}

async function saturateFresh(start: Start, mode: Mode, accounts?: number): Promise<Saturation> {
  return withTarget(start, async (target) => {
    const row = await saturate(target, mode, seconds, accounts);
    console.error(`${row.target} ${mode}: ${Math.round(row.per_second)}/s`);
    return row;
  });
}

/** Submissions at half of what this checkout saturates at, which k6 cannot send beside a server on two cores. */
async function runHalf(starts: ReadonlyMap<string, Start>, half: number): Promise<readonly Measured[]> {
  const found: Measured[] = [];
  for (const start of starts.values()) {
    found.push(await withTarget(start, (target) => runPace(target, ACTION, { rate: half, seconds, p99_ms: P99_MS })));
  }
  return found;
}

/** Requests that no worker takes part in, for every target, at a rate that leaves k6 and the server room. */
async function runStore(k6: string, starts: ReadonlyMap<string, Start>, rate: number): Promise<readonly Measured[]> {
  const found: Measured[] = [];
  for (const script of (["submit", "replay", "status"] as const).filter(wanted)) {
    for (const start of starts.values())
      found.push(...(await runFresh(k6, script, start, { rate, seconds, p99_ms: P99_MS })));
  }
  return found;
}

/** Everything that ends in audio, on one server that runs the jobs too. */
async function runWork(k6: string): Promise<readonly Measured[]> {
  const scripts = (["long_poll", "lifecycle", "actions"] as const).filter(wanted);
  if (scripts.length === 0) return [];
  const receiver = await startReceiver();
  try {
    return await withTarget(
      () => startKernel("this", HERE, "all"),
      async (target) => {
        const description: unknown = await (await fetch(`${target.url}/openapi.json`)).json();
        const env = { RECEIVER: receiver.url, ACTIONS: JSON.stringify(actionExamples(description)) };
        const found: Measured[] = [];
        for (const script of scripts) {
          found.push(...(await runScript(k6, script, target, { rate: WORK_RATE, seconds, env })));
          console.error(`${script}: done`);
        }
        return found;
      },
    );
  } finally {
    await receiver.close();
  }
}

async function runRamp(k6: string): Promise<readonly Measured[]> {
  const load = { rate: 1, seconds: Math.max(2, Math.round(seconds / 2)), env: { RATES: RAMP.join(",") } };
  return runFresh(k6, "ramp", () => startKernel("this", HERE, "api"), load);
}

async function runFresh(k6: string, script: Script, start: Start, load: Load): Promise<readonly Measured[]> {
  return withTarget(start, async (target) => {
    const rows = await runScript(k6, script, target, load);
    console.error(`${target.name} ${script}: done`);
    return rows;
  });
}

/** The commit in a work tree of its own, with the packages of this one. */
async function checkOut(commit: string): Promise<{ name: string; folder: string; remove(): Promise<void> }> {
  const name = git("rev-parse", "--short", "--verify", `${commit}^{commit}`).trim();
  const parent = await mkdtemp(join(tmpdir(), "tonwerk-against-"));
  const folder = join(parent, name);
  git("worktree", "add", "--detach", folder, name);
  await symlink(join(HERE, "node_modules"), join(folder, "node_modules"));
  return {
    name,
    folder,
    async remove() {
      git("worktree", "remove", "--force", folder);
      await rm(parent, { recursive: true, force: true });
    },
  };
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: HERE, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Path of the HTML file, without its ending. */
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
