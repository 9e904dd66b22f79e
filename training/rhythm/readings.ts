/**
 * Writes what runners/signal/analyse/rhythm/readings.ts is taught by: for every piece with kept features (studio.ts, wide.ts, dump.ts) what is heard on
 * its true beats against between them, and where its bars hold six quavers, those of its true bars.
 *
 *   bun training/rhythm/readings.ts FOLDER … > readings.jsonl
 *
 * A line is {set, piece, phase, bar, three}; `bar` and `three` only where a bar is 3/4, 6/8 or 12/8.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { activations } from "../../runners/signal/analyse/rhythm/network.ts";
import { barFeatures, phaseFeatures } from "../../runners/signal/analyse/rhythm/readings.ts";
import type { Truth } from "../material/compose.ts";
import { kept } from "./kept.ts";

const signal = new AbortController().signal;
for (const root of process.argv.slice(2)) {
  for (const piece of readdirSync(root).sort()) {
    const ready = kept(join(root, piece));
    if (ready === undefined || !existsSync(join(root, piece, "truth.json"))) continue;
    const truth = JSON.parse(readFileSync(join(root, piece, "truth.json"), "utf8")) as Truth;
    const heard = { ...ready, activations: await activations(ready.rows, signal) };
    const inside = (times: readonly number[]): number[] => times.filter((time) => time < ready.seconds - 0.1);
    const division = truth.division ?? 2;
    const three = truth.meter === 3 && division === 2;
    const two = (truth.meter === 2 || truth.meter === 4) && division === 3;
    // A bar of 12/8 is two of six quavers.
    const bars = truth.meter === 4 ? halved(truth) : truth.downbeats;
    console.log(
      JSON.stringify({
        set: basename(root),
        piece,
        phase: phaseFeatures(inside(truth.beats), heard)?.map(rounded),
        ...(three || two ? { three, bar: barFeatures(inside(bars), heard)?.map(rounded) } : {}),
      }),
    );
  }
}

/** First and third beat of each bar of four. */
function halved({ beats, downbeats }: Truth): number[] {
  const starts = new Set(downbeats);
  let place = 1;
  return beats.filter((beat) => {
    place = starts.has(beat) ? 0 : place + 1;
    return place % 2 === 0;
  });
}

function rounded(value: number): number {
  return Number(value.toFixed(5));
}
