/**
 * Every registered action, whole (decode, process, master, encode, verify), in times real time per core by processor time, with peak memory,
 * on Bun and Deno, beside an outside tool where one does the same.
 *
 *   bun bench/actions.ts [--seconds 180] [--only duck] [--all-examples] [--runtimes bun,deno] [--rounds 1] [--json <file>]
 *
 * Each in a fresh process with its declaration's first example (or all): the first run, then warm, as in a thread of the pool. Real
 * time is that of the longest source, or of all that was delivered where there is none. Fails where an action fails.
 */
import { copyFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { sourceFor } from "../cli/bench/audio.ts";
import { inFolder, wav } from "../test/audio.ts";
import type { ActionTimed } from "./actions/child.ts";
import { type Plan, planOf, registry, WHOLE } from "./actions/plan.ts";
import { columns, loadNow, median, RUNTIMES, type RuntimeName, runFresh } from "./measure.ts";
import { costOf } from "./outside.ts";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "180" },
    only: { type: "string" },
    "all-examples": { type: "boolean", default: false },
    runtimes: { type: "string", default: RUNTIMES.join(",") },
    rounds: { type: "string", default: "1" },
    json: { type: "string" },
  },
});
const CHILD = fileURLToPath(new URL("./actions/child.ts", import.meta.url));
const HEAD = [
  "action",
  "example",
  "on",
  "audio s",
  "xRT warm",
  "xRT first",
  "peak MB",
  "outside xRT",
  "ours / outside",
];
const runtimes = RUNTIMES.filter((name) => options.runtimes.split(",").includes(name));

interface Row {
  readonly action: string;
  readonly example: number;
  readonly runtime: RuntimeName;
  /** Of audio: real time. */
  readonly seconds: number;
  readonly ours: ActionTimed;
  /** Processor seconds of the outside tool, taken in turns with ours. */
  readonly outside_s: number | null;
}

const rows: Row[] = [];
console.log(`times real time by processor time; load before: ${loadNow()}\n`);
for (const registered of (await registry()).actions.values()) {
  const { name, examples } = registered.action;
  if (options.only !== undefined && !name.includes(options.only)) continue;
  for (let index = 0; index < (options["all-examples"] ? examples.length : 1); index++) {
    const plan = planOf(registered, index, Number(options.seconds));
    try {
      const found = plan === undefined ? [] : await measured(plan, index);
      rows.push(...found);
      // The table comes at the end, and whole songs take their time.
      for (const row of found) console.error(cells(row).join("  ").trimEnd());
    } catch (error) {
      process.exitCode = 1;
      console.error(`${name}, example ${index}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
console.log(columns([HEAD, ...rows.map(cells)]));
console.log(`\nload after: ${loadNow()}`);
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(rows, null, 2)}\n`);

async function measured({ registered, sources }: Plan, example: number): Promise<readonly Row[]> {
  const { name } = registered.action;
  return inFolder(async (path) => {
    for (const [index, source] of sources.entries())
      await writeFile(path(`${source.name}.wav`), wav(sourceFor(source.name, index, source.seconds)));
    const [first] = sources;
    if (first !== undefined) await copyFile(path(`${first.name}.wav`), path("s16.wav"));
    const tool = example === 0 ? WHOLE[name] : undefined;
    const ours = new Map<RuntimeName, ActionTimed[]>();
    const theirs: number[] = [];
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const runtime of runtimes) {
        const args = [path(""), name, String(example), options.seconds];
        ours.set(runtime, [...(ours.get(runtime) ?? []), await runFresh<ActionTimed>(runtime, CHILD, args)]);
      }
      const cost = tool === undefined ? undefined : await costOf(tool, path);
      if (cost !== undefined) theirs.push(cost.cpu_s);
    }
    return [...ours].map(([runtime, runs]) => {
      const cpu_s = median(runs.map((run) => run.cpu_s));
      const run = { ...runs[0]!, cpu_s };
      return {
        action: name,
        example,
        runtime,
        seconds: sources.length === 0 ? run.delivered_s : Math.max(...sources.map(({ seconds }) => seconds)),
        ours: run,
        outside_s: theirs.length === 0 ? null : median(theirs),
      };
    });
  });
}

function cells({ action, example, runtime, seconds, ours, outside_s }: Row): readonly string[] {
  return [
    action,
    String(example),
    runtime,
    seconds.toFixed(0),
    (seconds / ours.cpu_s).toFixed(0),
    (seconds / ours.first_s).toFixed(0),
    (ours.peak_bytes / 2 ** 20).toFixed(0),
    outside_s === null ? "" : (seconds / outside_s).toFixed(0),
    outside_s === null ? "" : (outside_s / ours.cpu_s).toFixed(2),
  ];
}
