/**
 * Signal kernels in times real time per core (processor time), with peak memory, on Bun and Deno, beside outside tools.
 *
 *   bun bench/kernels.ts [--seconds 180] [--only flac,resample] [--rounds 3] [--json <file>] [audio file]
 *
 * Each kernel runs in a fresh process: once to learn, then warm, as in a thread of the pool; set-up, and reading what a kernel takes from
 * memory, are outside the clock. Outside tools read and write files and include the start of their process. Within a round all take turns.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { inFolder } from "../test/audio.ts";
import type { Timed } from "./kernels/clock.ts";
import type { Kernel } from "./kernels/kernel.ts";
import { KERNELS } from "./kernels/list.ts";
import { RATE, writeMaterial } from "./kernels/material.ts";
import { columns, loadNow, median, RUNTIMES, type RuntimeName, runFresh } from "./measure.ts";
import { costOf, type OutsideCost } from "./outside.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "180" },
    rounds: { type: "string", default: "1" },
    only: { type: "string" },
    json: { type: "string" },
  },
});
const CHILD = fileURLToPath(new URL("./kernels/child.ts", import.meta.url));

const HEAD = ["kernel", "Bun xRT", "MB", "Deno xRT", "MB", "outside xRT", "MB", "Bun / outside", ""];

interface Row {
  readonly kernel: string;
  /** Of audio. */
  readonly seconds: number;
  readonly ours: Readonly<Record<RuntimeName, Timed>>;
  readonly outside: readonly OutsideCost[];
}

await inFolder(async (path) => {
  const seconds = await writeMaterial(path(""), Number(options.seconds), positionals[0]);
  const only = options.only?.split(",");
  const chosen = KERNELS.filter(
    ({ name }) => only === undefined || only.some((part) => name.toLowerCase().includes(part.toLowerCase())),
  );
  console.log(`${seconds.toFixed(0)} s of stereo, times real time by processor time; load before: ${loadNow()}\n`);
  const rows: Row[] = [];
  for (const kernel of chosen) {
    rows.push(await measured(kernel, (seconds * RATE) / (kernel.rate ?? RATE), path));
    console.error(`${kernel.name}: done`);
  }
  console.log(columns([HEAD, ...rows.map(cells)]));
  console.log(`\nload after: ${loadNow()}`);
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(rows, null, 2)}\n`);
});

async function measured(kernel: Kernel, seconds: number, path: (name: string) => string): Promise<Row> {
  const ours: Record<RuntimeName, Timed[]> = { bun: [], deno: [] };
  const theirs = new Map<string, OutsideCost[]>();
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const runtime of RUNTIMES) ours[runtime].push(await runFresh<Timed>(runtime, CHILD, [path(""), kernel.name]));
    for (const tool of kernel.outside ?? []) {
      const cost = await costOf(tool, path);
      if (cost !== undefined) theirs.set(tool.name, [...(theirs.get(tool.name) ?? []), cost]);
    }
  }
  return {
    kernel: kernel.name,
    seconds,
    ours: { bun: middle(ours.bun), deno: middle(ours.deno) },
    outside: [...theirs.values()].map(middle),
  };
}

/** The run of the median processor time. */
function middle<Run extends { readonly cpu_s: number }>(runs: readonly Run[]): Run {
  const time = median(runs.map(({ cpu_s }) => cpu_s));
  return [...runs].sort((one, other) => Math.abs(one.cpu_s - time) - Math.abs(other.cpu_s - time))[0]!;
}

function cells({ kernel, seconds, ours: { bun, deno }, outside }: Row): readonly string[] {
  const [nearest, ...others] = outside;
  return [
    kernel,
    speed(seconds, bun.cpu_s),
    megabytes(bun.peak_bytes),
    speed(seconds, deno.cpu_s),
    megabytes(deno.peak_bytes),
    nearest === undefined ? "" : speed(seconds, nearest.cpu_s),
    nearest === undefined ? "" : megabytes(nearest.peak_bytes),
    nearest === undefined ? "" : (nearest.cpu_s / bun.cpu_s).toFixed(2),
    [nearest?.name ?? "", ...others.map(({ name, cpu_s }) => `${name} ${speed(seconds, cpu_s)}`)].join("; "),
  ];
}

function speed(seconds: number, cpu_s: number): string {
  return cpu_s === 0 ? "" : (seconds / cpu_s).toFixed(0);
}

function megabytes(bytes: number): string {
  return Number.isNaN(bytes) ? "" : (bytes / 2 ** 20).toFixed(0);
}
