/**
 * Beats and downbeats of our tracker against the truth of rendered pieces: F-measure at 70 ms, tempo, metre, swing and placing, what is wrong
 * where something is, and whether confidence says so.
 *
 *   bun training/rhythm/evaluate.ts FOLDER … [--all] [--only rock,waltz]
 *
 * A piece whose features are kept (studio.ts) is judged from those, otherwise from its sound.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Rhythm } from "../../runners/signal/analyse/analysis.ts";
import { fold } from "../../runners/signal/analyse/front.ts";
import { activations } from "../../runners/signal/analyse/rhythm/network.ts";
import { rhythmFrom, rhythmOf } from "../../runners/signal/analyse/rhythm/rhythm.ts";
import type { Truth } from "../material/compose.ts";
import { readPiece } from "../material/read.ts";
import { kept } from "./kept.ts";
import { faultOf, fMeasure, placing } from "./measures.ts";

interface Judged {
  readonly f: number;
  readonly down: number;
  readonly found: Rhythm;
  readonly speed: number;
  readonly mean: number;
  readonly fault: string | undefined;
}

const { values, positionals } = parseArgs({
  options: { all: { type: "boolean", default: false }, only: { type: "string" } },
  allowPositionals: true,
});
const only = values.only?.split(",");
const signal = new AbortController().signal;
const by = new Map<string, Judged[]>();
console.log(
  "piece                 beats  down | tempo true/found  metre     | confidence bars | swing     | placing ms (bias, mean)",
);
for (const root of positionals) {
  for (const name of readdirSync(root).sort()) {
    const folder = join(root, name);
    if (!existsSync(join(folder, "truth.json"))) continue;
    const truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8")) as Truth;
    if (only !== undefined && !only.includes(truth.genre)) continue;
    const { found, speed } = await hear(folder);
    const downbeats = found.beats.filter((_, n) => found.positions[n] === 1);
    const f = fMeasure(truth.beats, found.beats, 0.07);
    const down = fMeasure(truth.downbeats, downbeats, 0.07);
    const { bias, mean } = placing(truth.beats, found.beats);
    const fault = faultOf(truth.beats, found.beats);
    by.set(truth.genre, [...(by.get(truth.genre) ?? []), { f, down, found, speed, mean, fault }]);
    if (values.all || f < 0.9 || down < 0.8) {
      const metre = `${truth.meter}/${truth.division ?? 2} ${found.metre.beats_per_bar}/${found.metre.division}`;
      console.log(
        `${name.padEnd(20)} ${f.toFixed(3)} ${down.toFixed(3)} | ${truth.tempo.toFixed(1).padStart(6)} ${found.tempo_bpm.toFixed(1).padStart(6)}  ${metre} | ${found.confidence.toFixed(2)} ${found.downbeat_confidence.toFixed(2)} | ${truth.swing.toFixed(2)} ${found.swing.toFixed(2)} | ${(1000 * bias).toFixed(0)} ${(1000 * mean).toFixed(1)} | ${speed.toFixed(0)}x ${fault ?? ""}`,
      );
    }
  }
}

async function hear(folder: string): Promise<{ found: Rhythm; speed: number }> {
  const ready = kept(folder);
  const audio = ready === undefined ? await readPiece(folder) : undefined;
  const begin = process.cpuUsage();
  const found =
    ready === undefined
      ? await rhythmOf(await fold(audio!, signal), signal)
      : await rhythmFrom({ ...ready, activations: await activations(ready.rows, signal) }, ready.seconds, signal);
  const { user, system } = process.cpuUsage(begin);
  const seconds = ready?.seconds ?? audio!.channels[0]!.length / audio!.sample_rate;
  return { found, speed: seconds / ((user + system) / 1e6) };
}

const average = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length;
console.log("\ngenre              beats  down   confidence bars  speed placing");
const show = (name: string, rows: readonly Judged[]): void =>
  console.log(
    name.padEnd(18),
    average(rows.map(({ f }) => f)).toFixed(3),
    average(rows.map(({ down }) => down)).toFixed(3),
    average(rows.map(({ found }) => found.confidence)).toFixed(3),
    average(rows.map(({ found }) => found.downbeat_confidence)).toFixed(3),
    average(rows.map(({ speed }) => speed)).toFixed(0),
    (1000 * average(rows.map(({ mean }) => mean))).toFixed(1),
  );
for (const [genre, rows] of [...by].sort()) show(genre, rows);
const every = [...by.values()].flat();
show("mean", every);
const faults = new Map<string, number>();
for (const { fault } of every) if (fault !== undefined) faults.set(fault, (faults.get(fault) ?? 0) + 1);
console.log(
  `${every.length} pieces, ${every.filter(({ f }) => f < 0.8).length} with beats under 0.8 (${[...faults].map(([name, count]) => `${name} ${count}`).join(", ")}), ${every.filter(({ down }) => down < 0.8).length} with downbeats under 0.8`,
);
console.log("\nconfidence   pieces  right (0.8)  bars: pieces  right (0.8)");
for (const low of [0, 0.2, 0.4, 0.6, 0.8]) {
  const within = (value: number): boolean => value >= low && (value < low + 0.2 || low === 0.8);
  const beats = every.filter(({ found }) => within(found.confidence));
  const bars = every.filter(({ found }) => within(found.downbeat_confidence));
  const right = (list: readonly boolean[]): string => (list.length === 0 ? "-" : average(list.map(Number)).toFixed(2));
  console.log(
    `${low.toFixed(1)} to ${(low + 0.2).toFixed(1)}   ${String(beats.length).padStart(4)}    ${right(beats.map(({ f }) => f >= 0.8))}         ${String(bars.length).padStart(4)}          ${right(bars.map(({ down }) => down >= 0.8))}`,
  );
}
