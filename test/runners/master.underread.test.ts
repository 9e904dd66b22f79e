import assert from "node:assert/strict";
import { test } from "node:test";
import { samplesOf } from "../../runners/samples.ts";
import { PeakMap } from "../../runners/signal/dsp/limiter.ts";
import { underread } from "../../runners/signal/master/underread.ts";
import { seeded } from "../audio.ts";

const FRAMES = 24_000;
const next = seeded(5);

function read(shape: (n: number) => number, threshold: number): number {
  const channels = [Float32Array.from({ length: FRAMES }, (_, n) => shape(n))];
  const map = new PeakMap(1, FRAMES, 0.1);
  map.push(channels);
  map.finish();
  return underread(samplesOf({ sample_rate: 44_100, channels }), map, threshold);
}

test("underread() tells how low the limiter's grid reads: nothing of a bass, more of noise up to half the rate", () => {
  assert.ok(Math.abs(read((n) => 0.5 * Math.sin(0.02 * n), 0.3)) < 0.01);
  const noise = read(() => next() - 0.5, 0.3);
  assert.ok(noise > 0.1 && noise < 1, `${noise} dB`);
  // Nothing that would be limited, nothing read.
  assert.equal(
    read(() => next() - 0.5, 3),
    0,
  );
});
