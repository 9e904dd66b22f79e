import assert from "node:assert/strict";
import { test } from "node:test";
import { giveBack } from "../../core/adapters/thread/give_back.ts";

test("giveBack() empties arrays, those of two channels that are one too, and leaves what is read from elsewhere", () => {
  const [both, left] = [Float32Array.of(1, 2), Float32Array.of(3)];
  const streamed = { sample_rate: 44_100, channels: 1, frames: 1, peak: 1, samples: () => assert.fail("not read") };
  giveBack(
    { sample_rate: 44_100, channels: [both, both] },
    { sample_rate: 44_100, channels: [left, new Float32Array(0)] },
    streamed,
  );
  assert.deepEqual([both.length, left.length], [0, 0]);
  giveBack({ sample_rate: 44_100, channels: [both, both] });
});
