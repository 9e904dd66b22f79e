/**
 * Beats and downbeats of our tracker against the truth of rendered pieces: F-measure at 70 ms, tempo, metre, swing and placing.
 *
 *   bun bench/rhythm/evaluate.ts FOLDER … [--all]
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fold } from "../../runners/analyse/front.ts";
import { rhythmOf } from "../../runners/analyse/rhythm/rhythm.ts";
import type { Truth } from "../material/compose.ts";
import { readPiece } from "../material/read.ts";
import { fMeasure, placing } from "./measures.ts";

const signal = new AbortController().signal;
const all = process.argv.includes("--all");
const by = new Map<string, number[][]>();
console.log(
  "piece                 beats  down | tempo true/found  metre     | confidence bars | swing     | placing ms (bias, mean)",
);
for (const root of process.argv.slice(2).filter((argument) => !argument.startsWith("--"))) {
  for (const name of readdirSync(root).sort()) {
    const folder = join(root, name);
    if (!existsSync(join(folder, "truth.json"))) continue;
    const truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8")) as Truth;
    const audio = await readPiece(folder);
    const begin = process.cpuUsage();
    const found = await rhythmOf(await fold(audio, signal), signal);
    const used = process.cpuUsage(begin);
    const seconds = audio.channels[0]!.length / audio.sample_rate;
    const speed = seconds / ((used.user + used.system) / 1e6);
    const downbeats = found.beats.filter((_, n) => found.positions[n] === 1);
    const f = fMeasure(truth.beats, found.beats, 0.07);
    const fd = fMeasure(truth.downbeats, downbeats, 0.07);
    const { bias, mean } = placing(truth.beats, found.beats);
    by.set(truth.genre, [
      ...(by.get(truth.genre) ?? []),
      [f, fd, found.confidence, found.downbeat_confidence, speed, mean],
    ]);
    if (all || f < 0.9 || fd < 0.8) {
      const metre = `${truth.meter}/${truth.division ?? 2} ${found.metre.beats_per_bar}/${found.metre.division}`;
      console.log(
        `${name.padEnd(20)} ${f.toFixed(3)} ${fd.toFixed(3)} | ${truth.tempo.toFixed(1).padStart(6)} ${found.tempo_bpm.toFixed(1).padStart(6)}  ${metre} | ${found.confidence.toFixed(2)} ${found.downbeat_confidence.toFixed(2)} | ${truth.swing.toFixed(2)} ${found.swing.toFixed(2)} | ${(1000 * bias).toFixed(0)} ${(1000 * mean).toFixed(1)} | ${speed.toFixed(0)}x`,
      );
    }
  }
}
const average = (rows: readonly number[][]): number[] =>
  rows[0]!.map((_, k) => rows.reduce((sum, row) => sum + row[k]!, 0) / rows.length);
console.log("\ngenre        beats  down  confidence bars  speed placing");
const show = (name: string, row: readonly number[]): void =>
  console.log(
    name.padEnd(12),
    row
      .map((value, k) => (k === 4 ? value.toFixed(0) : k === 5 ? (1000 * value).toFixed(1) : value.toFixed(3)))
      .join("  "),
  );
for (const [genre, rows] of [...by].sort()) show(genre, average(rows));
const every = [...by.values()].flat();
show("mean", average(every));
const lows = every.filter((row) => row[0]! < 0.8).length;
console.log(
  `${every.length} pieces, ${lows} with beats under 0.8, ${every.filter((row) => row[1]! < 0.8).length} with downbeats under 0.8`,
);
