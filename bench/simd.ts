/**
 * The kernels of runners/signal/dsp/assembly beside their plain forms, in one run.
 *
 *   bun bench/simd.ts        deno run -A bench/simd.ts
 *
 * A minute of stereo, CPU seconds, best of three after one that does not count.
 */
import type { Audio } from "../contract/mod.ts";
import { samplesOf } from "../runners/samples.ts";
import { useKernels } from "../runners/signal/dsp/arena.ts";
import { PeakMap } from "../runners/signal/dsp/limiter.ts";
import { LoudnessMeter } from "../runners/signal/dsp/loudness.ts";
import { resample } from "../runners/signal/dsp/resample.ts";
import { truePeak } from "../runners/signal/dsp/true_peak.ts";
import { master } from "../runners/signal/master/master.ts";
import { Rendering } from "../runners/signal/master/rendering.ts";
import { music } from "../test/audio.ts";

const RATE = 44_100;
const signal = new AbortController().signal;
const audio: Audio = { sample_rate: RATE, channels: music(1, 60) };
const frames = audio.channels[0]!.length;
const block = audio.channels.map(() => new Float32Array(8192));

const WORK: Readonly<Record<string, () => unknown>> = {
  "K-weighting and gating": () => {
    const meter = new LoudnessMeter(RATE, 2, 294);
    meter.push(audio.channels);
    return meter.integrated();
  },
  "true peak": () => truePeak(audio.channels),
  "all peaks, for a hot target": () => {
    const map = new PeakMap(2, frames, 0);
    map.push(audio.channels);
    map.finish();
    return map;
  },
  "gain and rounding": () => {
    const rendering = new Rendering(samplesOf(audio), 1.1, undefined, 24, true);
    for (let at = 0; at < frames; at += 8192) rendering.samples(at, Math.min(frames, at + 8192), block);
  },
  "48 to 44.1 kHz": () => resample(audio.channels, 48_000, RATE),
  "master, limited": () =>
    master(audio, { kind: "loudness", target_lufs: -11, allow_compression: true }, { bits: 24, ring: false }, signal),
};

console.log("                              plain  kernel   ratio");
for (const [name, work] of Object.entries(WORK)) {
  const [plain, kernel] = [await best(work, false), await best(work, true)];
  const cells = [plain.toFixed(3), kernel.toFixed(3), (plain / kernel).toFixed(1)];
  console.log(name.padEnd(28) + cells.map((cell) => cell.padStart(8)).join(""));
}

async function best(work: () => unknown, kernels: boolean): Promise<number> {
  useKernels(kernels);
  await work();
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}
