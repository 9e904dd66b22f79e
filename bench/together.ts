/**
 * What pieces that are made side by side cost each: MusicGen's case of `training/conformance` at full width, sampled.
 *
 *     bun bench/together.ts <folder> <case> [<threads> [<at once>…]]
 *
 * CPU is of this process and of the model's, loading left out. The pieces of every row are the same, which is checked.
 */
import { parseManifest } from "../runners/models/manifest.ts";
import { createPool } from "../runners/pool/pool.ts";
import { readCase } from "../test/runners/models/cases.ts";
import { generate, options, SETTINGS } from "../test/runners/models/fixtures.ts";
import { cpuSeconds } from "./cpu.ts";
import { children, cpuOf, peakOf } from "./process.ts";

const [folder = ".", name = "musicgen", threads = "1", ...more] = process.argv.slice(2);
const counts = (more.length > 0 ? more : ["1", "2", "4"]).map(Number);
const PROMPTS = ["calm piano", "loud drums and a bass line", "rain, strings, 82 bpm", "a"];

const one = readCase(folder, name);
const settings = { ...SETTINGS, models: folder, model_mb: 16_000, model_seconds: 600 };
const pool = createPool({ threads_max: Math.max(...counts), processes_max: 1, idle_ms: 3_600_000 });
const { manifest } = await parseManifest({ ...one.manifest, threads: Number(threads), top_k: 250 });
const make = async (index: number, seconds: number): Promise<Float32Array> => {
  const request = { prompt: PROMPTS[index % PROMPTS.length]!, seconds, seed: index };
  return (await pool.run(generate, { manifest, settings, request }, options(3_600_000))).channels[0]!;
};
const known = new Map<number, Float32Array>();
// Loads it.
await make(0, 0.05);
for (const at_once of counts) {
  const [child] = children();
  const before = (await cpuSeconds()) + cpuOf(child);
  const began = performance.now();
  const made = await Promise.all(Array.from({ length: at_once }, (_, index) => make(index, one.input.seconds)));
  const wall = (performance.now() - began) / 1000;
  const cpu = (await cpuSeconds()) + cpuOf(child) - before;
  const equal = made.every((piece, index) => {
    const first = known.get(index) ?? piece;
    known.set(index, first);
    return first.every((value, n) => value === piece[n]);
  });
  const figures = { at_once, cpu_a_piece: cpu / at_once, wall_a_piece: wall / at_once, model_mb: peakOf(child), equal };
  console.log(JSON.stringify(figures));
}
await pool.close();
