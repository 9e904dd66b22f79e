import assert from "node:assert/strict";
import { test } from "node:test";
import { depthOf } from "../../../../runners/signal/duck/depth.ts";
import { gainCorners } from "../../../../runners/signal/duck/gain.ts";
import { fillGains } from "../../../../runners/signal/duck/mix.ts";

const RATE = 44_100;

/** Gain in dB at a time. */
function gainAt(corners: ReturnType<typeof gainCorners>, seconds: number): number {
  const out = new Float32Array(1);
  const at = Math.round(seconds * RATE);
  fillGains(corners, RATE, at, at + 1, out);
  return 20 * Math.log10(out[0]!);
}

const near = (value: number, expected: number, what: string): void =>
  assert.ok(Math.abs(value - expected) < 0.01, `${what}: ${value}, expected ${expected}`);

test("gainCorners() falls ahead of speech and has fallen when it begins", () => {
  const corners = gainCorners([{ start: 2, end: 4 }], 12, 0);
  near(gainAt(corners, 0), 0, "at the beginning");
  near(gainAt(corners, 1.69), 0, "310 ms before speech");
  near(gainAt(corners, 1.8), -6, "half way down");
  near(gainAt(corners, 1.91), -12, "90 ms before speech");
  near(gainAt(corners, 3), -12, "while speaking");
  near(gainAt(corners, 4.09), -12, "90 ms after speech");
  near(gainAt(corners, 4.5), -6, "half way up");
  near(gainAt(corners, 4.86), 0, "860 ms after speech");
  near(gainAt(corners, 99), 0, "long after");
});

test("gainCorners() stays down over pauses in which it could not come up and stay there", () => {
  const corners = gainCorners(
    [
      { start: 2, end: 3 },
      { start: 3.6, end: 5 },
      { start: 6.3, end: 7 },
    ],
    10,
    0,
  );
  for (let t = 2; t < 7; t += 0.05) near(gainAt(corners, t), -10, `at ${t}`);
  const apart = gainCorners(
    [
      { start: 2, end: 3 },
      { start: 4.6, end: 5 },
    ],
    10,
    0,
  );
  near(gainAt(apart, 4), 0, "in a pause of 1.6 s");
});

test("gainCorners() is down at the first sample where speech begins with it", () => {
  const corners = gainCorners([{ start: 0, end: 1 }], 9, -2);
  near(gainAt(corners, 0), -11, "at 0");
  near(gainAt(corners, 3), -2, "at rest, with 2 dB of balance");
  const soon = gainCorners([{ start: 0.2, end: 1 }], 9, 0);
  near(gainAt(soon, 0), -4.5, "half way down at 0");
  near(gainAt(soon, 0.11), -9, "down before 0.2 s");
});

test("gainCorners() of no depth or no speech is one constant", () => {
  assert.deepEqual(gainCorners([{ start: 1, end: 2 }], 0, 0), [{ time: 0, db: 0 }]);
  assert.deepEqual(gainCorners([], 12, 0), [{ time: 0, db: 0 }]);
});

test("fillGains() gives the same whatever the blocks, and no steps", () => {
  const corners = gainCorners(
    [
      { start: 0.4, end: 0.9 },
      { start: 2.6, end: 3 },
    ],
    14,
    -1,
  );
  const frames = 5 * RATE;
  const whole = new Float32Array(frames);
  fillGains(corners, RATE, 0, frames, whole);
  const parts = new Float32Array(frames);
  for (let from = 0; from < frames; from += 7777) {
    const block = new Float32Array(Math.min(7777, frames - from));
    fillGains(corners, RATE, from, from + block.length, block);
    parts.set(block, from);
  }
  assert.deepEqual(parts, whole);
  let step = 0;
  for (let n = 1; n < frames; n++) step = Math.max(step, Math.abs(20 * Math.log10(whole[n]! / whole[n - 1]!)));
  // 14 dB in 200 ms by a raised cosine: π/2 · 14 / 8820 dB a frame at the steepest.
  assert.ok(step < 0.0026, `${step} dB from one frame to the next`);
});

test("depthOf() takes a depth that is asked as it is, whatever the levels", () => {
  for (const asked of [0, 3.7, 24]) assert.deepEqual(depthOf(-30, asked, true), { depth_db: asked, music_db: 0 });
});

test("depthOf() chooses 6 to 18 dB for 14 LU, and pulls the music's fader where 18 dB fall short", () => {
  assert.deepEqual(depthOf(2, undefined, true), { depth_db: 12, music_db: -0 });
  assert.deepEqual(depthOf(20, undefined, true), { depth_db: 6, music_db: -0 });
  assert.deepEqual(depthOf(-10, undefined, true), { depth_db: 18, music_db: -6 });
  assert.deepEqual(depthOf(-70, undefined, true), { depth_db: 18, music_db: -40 });
  assert.deepEqual(depthOf(null, undefined, true), { depth_db: 6, music_db: 0 });
  assert.deepEqual(depthOf(null, undefined, false), { depth_db: 0, music_db: 0 });
});

test("depthOf() eases by lowering throughout, keeps 10 dB of depth and goes 5 dB further, and keeps an asked depth", () => {
  assert.deepEqual(depthOf(-2, undefined, true, 3), { depth_db: 13, music_db: -3 });
  assert.deepEqual(depthOf(-10, undefined, true, 11), { depth_db: 10, music_db: -17 });
  assert.deepEqual(
    depthOf(-10, undefined, true, 20),
    { depth_db: 10, music_db: -19 },
    "5 dB beyond the depth at the most",
  );
  assert.deepEqual(depthOf(6, undefined, true, 3), { depth_db: 8, music_db: -3 });
  assert.deepEqual(depthOf(-2, 12, true, 3), { depth_db: 12, music_db: 0 });
});
