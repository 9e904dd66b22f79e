import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fold } from "../../../../runners/signal/analyse/front.ts";
import { trackBars } from "../../../../runners/signal/analyse/rhythm/bars.ts";
import { FEATURES } from "../../../../runners/signal/analyse/rhythm/features.ts";
import { activations } from "../../../../runners/signal/analyse/rhythm/network.ts";
import { useKernels } from "../../../../runners/signal/dsp/arena.ts";
import { PowerPairs } from "../../../../runners/signal/dsp/power_pair.ts";
import { noise } from "../../../audio.ts";

after(() => useKernels(true));

const { signal } = new AbortController();

/** What the work gives by kernels and in the plain form. */
async function both<T>(work: () => T | Promise<T>): Promise<[T, T]> {
  useKernels(true);
  const byKernels = await work();
  useKernels(false);
  return [byKernels, await work()];
}

const random = (seed: number, length: number): Float32Array => noise(seed, length / 44_100 + 1).subarray(0, length);

test("power spectra by the kernel are within -120 dB of the plain form's largest bin, at every size and edge", async () => {
  const samples = random(1, 20_000);
  for (const size of [64, 128, 512, 2048, 4096]) {
    const window = Float32Array.from({ length: size }, (_, n) => (2 - 2 * Math.cos((2 * Math.PI * n) / size)) / size);
    for (const [one, other] of [
      [0, 500],
      [9_000, 19_990],
      [-size, 40_000],
    ] as const) {
      const [kernel, plain] = await both(() => {
        const [first, second] = [new Float64Array(size / 2 + 1), new Float64Array(size / 2 + 1)];
        new PowerPairs(window).of(samples, one, samples, other, first, second);
        return [first, second] as const;
      });
      for (const n of [0, 1] as const) {
        const largest = Math.sqrt(Math.max(...plain[n]));
        plain[n].forEach((power, k) => {
          const error = Math.abs(Math.sqrt(power) - Math.sqrt(kernel[n][k]!));
          assert.ok(error <= 1e-6 * Math.max(largest, 1e-3), `size ${size}, frame ${n} at ${one}, ${other}, bin ${k}`);
        });
      }
    }
  }
});

test("half the rate comes out the same by the kernel, for any length and at the edges of its parts", async () => {
  for (const length of [0, 1, 7, 100, 16_384, 16_385, 40_001]) {
    const left = random(3, length);
    const audio = {
      channels: [left, random(4, length).map((value, n) => 0.3 * value + left[n]!)],
      sample_rate: 44_100,
    };
    const [kernel, plain] = await both(() => fold(audio, signal));
    assert.equal(kernel.length, Math.ceil(length / 2));
    assert.deepEqual(kernel, plain);
  }
});

test("the network says the same by the kernel for any number of rows", async () => {
  for (const rows of [1, 2, 3, 5, 4097]) {
    const features = random(rows, rows * FEATURES);
    const [kernel, plain] = await both(() => activations(features, signal));
    for (let row = 0; row < rows; row++) {
      assert.ok(Math.abs(kernel.beat[row]! - plain.beat[row]!) < 1e-5, `row ${row} of ${rows}`);
      assert.ok(Math.abs(kernel.downbeat[row]! - plain.downbeat[row]!) < 1e-5, `row ${row} of ${rows}`);
    }
  }
});

test("the bar pointer takes the same path by the kernel", async () => {
  for (const period of [17, 27, 44]) {
    const wobble = random(period, 3_000);
    const beat = wobble.map((value, n) =>
      Math.min(0.95, Math.max(0.01, 0.8 * Math.exp(-(((n % period) - 9) ** 2) / 4) + 0.1 * value)),
    );
    const downbeat = beat.map((value, n) => (Math.floor(n / period) % 3 === 0 ? 0.8 : 0.1) * value);
    const [kernel, plain] = await both(() => trackBars({ beat, downbeat }, signal));
    assert.deepEqual(kernel, plain);
    assert.equal(plain?.beats_per_bar, 3);
    assert.ok(plain.beats.length > 0.9 * (3_000 / period));
  }
});
