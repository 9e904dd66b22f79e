/**
 * Our beats beside librosa's, aubio's and madmom's, on the same pieces in the same run: F-measure at 70 ms and times
 * real time per CPU second.
 *
 *   bun training/material/make.ts --out FOLDER --seeds 1001-1002 --seconds 64 --mix
 *   bun bench/beats.ts FOLDER … [--python PYTHON] [--tools librosa,aubio,madmom] [--only rock,waltz]
 *
 * PYTHON needs soundfile and what of the peers is to be measured; a missing one is told and left out. Ours begins with
 * stereo samples and includes the downbeats; the peers begin with a mono file. The first piece is run twice, so that
 * nobody pays for loading.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Audio } from "../contract/mod.ts";
import { fold } from "../runners/signal/analyse/front.ts";
import { rhythmOf } from "../runners/signal/analyse/rhythm/rhythm.ts";
import { inFolder, wav } from "../test/audio.ts";
import type { Truth } from "../training/material/compose.ts";
import { readPiece } from "../training/material/read.ts";
import { fMeasure } from "../training/rhythm/measures.ts";
import { PythonPeers } from "./engines/python.ts";

interface Heard {
  /** Beats, seconds. */
  readonly found: readonly number[];
  /** CPU seconds. */
  readonly cpu: number;
  readonly downbeats?: readonly number[];
  readonly error?: string;
}

const { values, positionals } = parseArgs({
  options: {
    python: { type: "string", default: "python3" },
    tools: { type: "string", default: "librosa,aubio,madmom" },
    only: { type: "string" },
  },
  allowPositionals: true,
});
const tools = values.tools.split(",");
const signal = new AbortController().signal;
const sums = new Map<string, { f: number[]; low: number; cpu: number; seconds: number; downbeats: number[] }>();

await inFolder(async (path) => {
  const peers = new PythonPeers(values.python, tools);
  const ask = async (audio: Audio): Promise<Record<string, Heard>> => {
    const left = audio.channels[0]!;
    const right = audio.channels[1] ?? left;
    await writeFile(path("mix.wav"), wav([left.map((value, n) => (value + right[n]!) / 2)]));
    return (await peers.ask(path("mix.wav"))) as Record<string, Heard>;
  };
  console.log(`piece                ${["ours", ...tools].map((name) => name.padEnd(8)).join("")}| our downbeats`);
  let warm = false;
  for (const folder of pieces()) {
    const truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8")) as Truth;
    const audio = await readPiece(folder);
    const seconds = audio.channels[0]!.length / audio.sample_rate;
    if (!warm) {
      await ask(audio);
      await ours(audio);
      warm = true;
    }
    const heard: Record<string, Heard> = { ours: await ours(audio), ...(await ask(audio)) };
    const row = ["ours", ...tools].map((name) => {
      const one = heard[name];
      if (one === undefined || one.error !== undefined) return (one?.error ?? "-").slice(0, 7).padEnd(8);
      const f = fMeasure(truth.beats, one.found, 0.07);
      const sum = sums.get(name) ?? { f: [], low: 0, cpu: 0, seconds: 0, downbeats: [] };
      sum.f.push(f);
      if (f < 0.8) sum.low++;
      sum.cpu += one.cpu;
      sum.seconds += seconds;
      if (one.downbeats) sum.downbeats.push(fMeasure(truth.downbeats, one.downbeats, 0.07));
      sums.set(name, sum);
      return f.toFixed(3).padEnd(8);
    });
    console.log(
      `${folder.split("/").at(-1)!.padEnd(20)} ${row.join("")}| ${sums.get("ours")!.downbeats.at(-1)!.toFixed(3)}`,
    );
  }
  peers.end();
});

console.log("\ntool      F mean  under 0.8  times real time  downbeats");
for (const [name, { f, low, cpu, seconds, downbeats }] of sums) {
  const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;
  console.log(
    `${name.padEnd(9)} ${mean(f).toFixed(3)}   ${String(low).padStart(2)} of ${f.length}   ${(seconds / cpu).toFixed(1).padStart(10)}       ${downbeats.length > 0 ? mean(downbeats).toFixed(3) : "-"}`,
  );
}

async function ours(audio: Audio): Promise<Heard> {
  const begin = process.cpuUsage();
  const { beats, positions } = await rhythmOf(await fold(audio, signal), signal);
  const { user, system } = process.cpuUsage(begin);
  return { found: beats, downbeats: beats.filter((_, n) => positions[n] === 1), cpu: (user + system) / 1e6 };
}

function* pieces(): Generator<string> {
  const only = values.only?.split(",");
  for (const root of positionals) {
    for (const name of readdirSync(root).sort()) {
      if (only !== undefined && !only.some((genre) => name.startsWith(genre))) continue;
      if (existsSync(join(root, name, "truth.json"))) yield join(root, name);
    }
  }
}
