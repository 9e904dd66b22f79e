/**
 * Our side of `training/conformance/measure.py`: runs a case each time that a line comes in, and answers with what it took, in JSON.
 *
 *     bun bench/originals.ts <folder> <case> <threads>
 */
import { createInterface } from "node:readline";
import { createPool } from "../runners/pool/pool.ts";
import { agreements, readCase, readHeard, runCase, runHeard } from "../test/runners/models/cases.ts";
import { cpuSeconds } from "./cpu.ts";
import { children, cpuOf, peakOf } from "./process.ts";

const [folder = ".", name = "", threads = "1"] = process.argv.slice(2);
const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 3_600_000 });
const more = { threads: Number(threads) };
const heard = readHeard(folder, name);

/** What the nearest row lacks of the original, dB; null for what is heard, which the tests compare. */
async function runOnce(): Promise<number | null> {
  if (heard.plucks !== undefined) {
    await runHeard(pool, folder, heard, more);
    return null;
  }
  const one = readCase(folder, name);
  return Math.min(...agreements(folder, name, one, await runCase(pool, folder, one, more)));
}

for await (const _ of createInterface({ input: process.stdin })) {
  const [model] = children();
  const before = (await cpuSeconds()) + cpuOf(model);
  const began = performance.now();
  const agreement = await runOnce();
  const wall = (performance.now() - began) / 1000;
  const [loaded] = children();
  const cpu = (await cpuSeconds()) + cpuOf(loaded) - before;
  const peak_mb = peakOf("self") + peakOf(loaded);
  console.log(JSON.stringify({ cpu, wall, peak_mb, agreement }));
}
await pool.close();
