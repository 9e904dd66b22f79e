import assert from "node:assert/strict";
import { test } from "node:test";
import { Wavetable, wavetable } from "../../runners/signal/dsp/wavetable.ts";

test("there is a table for every step, and its highest partial lies below half the rate", () => {
  const saw = wavetable("saw");
  for (let hertz = 0; hertz <= 22_050; hertz += hertz < 100 ? 0.01 : 1) {
    const table = saw.at(hertz / 44_100);
    assert.ok(table instanceof Float32Array, `${hertz} Hz`);
  }
  assert.ok(saw.at(-1) instanceof Float32Array);
  const all_ones = new Wavetable(() => 1);
  const partials = (hertz: number): number => {
    const cycle = all_ones.at(hertz / 44_100).subarray(0, -1);
    // Sines of amplitude one: the power of a cycle is half of their number.
    return Math.round((2 * cycle.reduce((sum, value) => sum + value * value, 0)) / cycle.length);
  };
  for (const hertz of [20, 20.4, 25, 100, 440, 3000, 9000]) {
    const count = partials(hertz);
    assert.ok(count * hertz <= 0.475 * 44_100 + 1e-6, `${count} partials at ${hertz} Hz`);
    assert.ok(count === 1024 || count * hertz > 0.475 * 44_100 * 0.8, `${count} partials at ${hertz} Hz`);
  }
});
