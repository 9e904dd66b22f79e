/** What variations are held against, and what of the source is kept for them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { likeness } from "../../../../runners/music/remix/likeness.ts";
import { Stored } from "../../../../runners/music/remix/stored.ts";
import { white } from "../../../../runners/signal/dsp/noise.ts";

test("likeness is the share of one in the other, wherever within 1.5 s it lies", () => {
  const frames = 100_000;
  const [one, other] = [1, 2].map((seed) => white(new Float32Array(frames), seed)) as [Float32Array, Float32Array];
  const late = (by: number, share: number): Float32Array =>
    one.map((_, n) => share * (one[n - by] ?? 0) + Math.sqrt(1 - share * share) * other[n]!);
  assert.ok(Math.abs(likeness(one, one) - 1) < 1e-4);
  assert.ok(
    Math.abs(
      likeness(
        one,
        one.map((value) => -0.3 * value),
      ) - 1,
    ) < 1e-4,
  );
  for (const by of [777, 12_000]) assert.ok(Math.abs(likeness(one, late(by, 0.6)) - 0.6) < 0.03, `${by}`);
  assert.ok(likeness(one, other) < 0.03);
  assert.ok(likeness(one, late(20_000, 0.6)) < 0.03);
  assert.equal(likeness(new Float32Array(frames), one), 0);
});

test("a stem is kept to 16 bits of the source's peak", () => {
  const stem = [3, 4].map((seed) => white(new Float32Array(1000), seed).map((value) => 0.25 * value));
  const kept = new Stored(44_100, 2, 1000, 0.25);
  kept.keep(0, 600, stem);
  kept.keep(
    600,
    400,
    stem.map((channel) => channel.subarray(600)),
  );
  const out = [new Float32Array(300), new Float32Array(300)];
  kept.samples(500, 800, out);
  for (const [c, channel] of out.entries())
    for (let n = 0; n < 300; n++) assert.ok(Math.abs(channel[n]! - stem[c]![500 + n]!) <= 0.25 / 32_767);
});
