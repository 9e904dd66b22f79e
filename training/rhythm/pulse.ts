/**
 * Writes what runners/signal/analyse/rhythm/pulse.ts is taught by: for every piece with kept features (studio.ts, wide.ts, dump.ts) the pulse that the
 * tracker follows, and the same at twice its pace, with whether every other stroke is the beat.
 *
 *   bun training/rhythm/pulse.ts FOLDER … > pulses.jsonl
 *
 * A line is {set, piece, genre, found, every_other, values}; `found` is 1 for the tracker's own pulse, 2 for the doubled one. Pulses that are
 * neither the beat nor twice as fast say nothing here and are left out.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { activations } from "../../runners/signal/analyse/rhythm/network.ts";
import { doubled, pulseFeatures } from "../../runners/signal/analyse/rhythm/pulse.ts";
import { follow } from "../../runners/signal/analyse/rhythm/rhythm.ts";
import type { Truth } from "../material/compose.ts";
import { kept } from "./kept.ts";
import { faultOf, fMeasure } from "./measures.ts";

const signal = new AbortController().signal;
for (const root of process.argv.slice(2)) {
  for (const piece of readdirSync(root).sort()) {
    const ready = kept(join(root, piece));
    if (ready === undefined || !existsSync(join(root, piece, "truth.json"))) continue;
    const { genre, beats } = JSON.parse(readFileSync(join(root, piece, "truth.json"), "utf8")) as Truth;
    const heard = { ...ready, activations: await activations(ready.rows, signal) };
    const strokes = (await follow(heard, ready.seconds, signal))?.settled.beats;
    if (strokes === undefined) continue;
    const fault = faultOf(beats, strokes);
    const right = fMeasure(beats, strokes, 0.07) >= 0.85;
    const write = (found: number, every_other: boolean, values: number[] | undefined): void => {
      if (values === undefined) return;
      const rounded = values.map((value) => Number(value.toFixed(5)));
      console.log(JSON.stringify({ set: basename(root), piece, genre, found, every_other, values: rounded }));
    };
    if (right || fault === "double") write(1, !right, pulseFeatures(strokes, heard));
    if (right || fault === "half" || fault === "half, other") write(2, right, pulseFeatures(doubled(strokes), heard));
  }
}
