/**
 * `npm run guard`: measures the ratios of `guard/bounds.ts`, prints them with their bounds and fails where one fell
 * below. Ratios, never times: both sides of each take turns within a round, and the median over the rounds is judged,
 * so that another machine or a busy one does not matter.
 *
 *   npm run guard -- [--rounds 3] [--seconds 240] [--only store,normalise] [--record]
 *   bun bench/guard.ts --short
 *
 * Up to so many rounds of each ratio as fit into that time, and one at least. `--short`, which CI runs, makes one round of
 * a few, and two more of what fell; what takes twice the processor time that it took fails it. `--record` also appends to `bench/history.jsonl` and draws
 * `docs/ratios.svg`. Needs ffmpeg, flac, sox and wrk: what was not measured fails.
 */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeMachine, machineLine } from "../cli/bench/machine.ts";
import { complaints, judge, NAMES, type RatioName, type Ratios, SHORT } from "./guard/bounds.ts";
import { readHistory, record } from "./guard/history.ts";
import { actionRounds, engineRounds, kernelRounds, type Round } from "./guard/kernels.ts";
import { historyPlot } from "./guard/plot.ts";
import { qualityRounds } from "./guard/quality.ts";
import { requestRounds, storeRounds } from "./guard/requests.ts";
import { columns, HERE, loadNow, median } from "./measure.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "240" },
    short: { type: "boolean", default: false },
    only: { type: "string" },
    record: { type: "boolean", default: false },
    plot: { type: "boolean", default: false },
  },
});
/** Which part measures a ratio, by how its name begins. */
const PARTS: readonly {
  readonly of: RegExp;
  /** Of the whole time. */
  readonly share: number;
  readonly measure: (most: number, asked: ReadonlySet<RatioName>, seconds: number) => Promise<readonly Round[]>;
}[] = [
  { of: /^(submit|replay|status),/u, share: 0.32, measure: requestRounds },
  { of: /^store:/u, share: 0.06, measure: storeRounds },
  { of: /^normalise:/u, share: 0.07, measure: actionRounds },
  { of: /^(new|separate) /u, share: 0.3, measure: engineRounds },
  { of: /^quality:/u, share: 0.1, measure: qualityRounds },
  { of: /./u, share: 0.15, measure: kernelRounds },
];

if (options.plot) await plot();
else await guard();

async function guard(): Promise<void> {
  const only = options.only?.split(",");
  const all = options.short ? SHORT : NAMES;
  const asked = all.filter((name) => only === undefined || only.some((part) => name.includes(part)));
  if (asked.length === 0) throw new Error(`There is no such ratio: "${options.only}"; there are ${NAMES.join(", ")}`);
  const load = loadNow();
  const rounds = await measureRounds(asked);
  for (const name of options.short ? fallen(rounds, asked) : [])
    for (let n = 0; n < 2; n++) rounds.push(...(await measureRounds([name])));
  const measured = mediansOf(rounds);
  const verdicts = judge(measured, asked);
  console.log(`load ${load}\n`);
  console.log(
    columns([
      ["ratio", "median", "at least", "rounds", ""],
      ...verdicts.map(({ name, ratio, at_least, ok }) => [
        name,
        ratio?.toPrecision(3) ?? "none",
        String(Number(at_least.toPrecision(3))),
        rounds.flatMap((round) => round[name]?.toPrecision(3) ?? []).join(" "),
        ok ? "" : "BELOW",
      ]),
    ]),
  );
  const found = complaints(verdicts);
  for (const complaint of found) console.error(`guard: ${complaint}`);
  if (found.length > 0) process.exitCode = 1;
  if (!options.record) return;
  const commit = execFileSync("git", ["describe", "--always", "--dirty"], { cwd: HERE, encoding: "utf8" }).trim();
  const machine = machineLine(await describeMachine(tmpdir()));
  await record({ at: new Date().toISOString(), commit, machine, load, ratios: measured });
  await plot();
}

async function measureRounds(asked: readonly RatioName[]): Promise<Round[]> {
  const rounds: Round[] = [];
  const most = options.short ? 1 : Number(options.rounds);
  for (const { measure, share } of new Set(asked.map(partOf)))
    rounds.push(...(await measure(most, new Set(asked), share * Number(options.seconds))));
  return rounds;
}

/** By a round that something else of the machine may have disturbed. */
function fallen(rounds: readonly Round[], asked: readonly RatioName[]): readonly RatioName[] {
  return judge(mediansOf(rounds), asked).flatMap(({ name, ok }) => (ok ? [] : [name]));
}

function partOf(name: RatioName): (typeof PARTS)[number] {
  return PARTS.find(({ of }) => of.test(name))!;
}

/** To three digits: more says nothing. */
function mediansOf(rounds: readonly Round[]): Ratios {
  const found: Round = {};
  for (const name of NAMES) {
    // A round in which one side failed says nothing; where all did, the ratio was not measured.
    const values = rounds.flatMap((round) => round[name] ?? []).filter(Number.isFinite);
    if (values.length > 0) found[name] = Number(median(values).toPrecision(3));
  }
  return found;
}

async function plot(): Promise<void> {
  await writeFile(join(HERE, "docs/ratios.svg"), `${historyPlot(await readHistory())}\n`);
}
