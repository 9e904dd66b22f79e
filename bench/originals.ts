/**
 * Our side of `training/conformance/measure.py`: runs a case each time that a line comes in, and answers with what it took, in JSON.
 *
 *     bun bench/originals.ts <folder> <case> <threads>
 */
import { createInterface } from "node:readline";
import { createPool } from "../runners/pool/pool.ts";
import {
  agreements,
  type Inside,
  readCase,
  readHeard,
  runCase,
  runHeard,
  runInside,
} from "../test/runners/models/cases.ts";
import { cpuSeconds } from "./cpu.ts";
import { children, cpuOf, peakOf } from "./process.ts";

const [folder = ".", name = "", threads = "1"] = process.argv.slice(2);
const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 3_600_000 });
const more = { threads: Number(threads) };
const heard = readHeard(folder, name);

/**
 * What the nearest row lacks of the original, dB; null for what is heard, which the tests compare. The first time also
 * of what is inside.
 */
async function runOnce(is_first: boolean): Promise<{ agreement: number | null; inside: Inside | null }> {
  if (heard.plucks !== undefined) {
    await runHeard(pool, folder, heard, more);
    return { agreement: null, inside: null };
  }
  const one = readCase(folder, name);
  const looked = is_first ? await runInside(pool, folder, one, more) : undefined;
  const made = looked?.made ?? (await runCase(pool, folder, one, more));
  return { agreement: Math.min(...agreements(folder, name, one, made)), inside: looked?.inside ?? null };
}

for await (const _ of createInterface({ input: process.stdin })) {
  const [model] = children();
  const before = (await cpuSeconds()) + cpuOf(model);
  const began = performance.now();
  const found = await runOnce(model === undefined);
  const wall = (performance.now() - began) / 1000;
  const [loaded] = children();
  const cpu = (await cpuSeconds()) + cpuOf(loaded) - before;
  const peak_mb = peakOf("self") + peakOf(loaded);
  console.log(JSON.stringify({ cpu, wall, peak_mb, ...found }));
}
await pool.close();
