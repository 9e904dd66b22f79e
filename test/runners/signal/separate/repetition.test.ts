/** Frames that come back: by the kernels and in the plain form. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { useKernels } from "../../../../runners/signal/dsp/arena.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { BANDS } from "../../../../runners/signal/separate/grid.ts";
import { Repetition } from "../../../../runners/signal/separate/repetition.ts";

afterEach(() => useKernels(true));

/** A bar of 40 frames over and over, each with noise of its own, and in some frames something that never returns. */
function piece(frames: number): { readonly level: Uint8Array; readonly bar: Uint8Array } {
  const next = random(9);
  const bar = Uint8Array.from({ length: 40 * BANDS }, () => 60 + 120 * next());
  const level = Uint8Array.from({ length: frames * BANDS }, (_, n) => bar[n % bar.length]! + 6 * (next() - 0.5));
  for (let frame = 55; frame < frames; frame += 130)
    for (let band = 100; band < 140; band++) level[frame * BANDS + band] = 250;
  return { level, bar };
}

const filled = (level: Uint8Array, frames: number): Uint8Array => {
  const repetition = new Repetition(level, frames);
  const out = new Uint8Array(frames * BANDS);
  for (let frame = 0; frame < frames; frame++) repetition.fill(frame, out, frame * BANDS);
  return out;
};

test("what repeats is found by its repetitions, and what does not is left out", () => {
  const frames = 700;
  const { level, bar } = piece(frames);
  const out = filled(level, frames);
  let worst = 0;
  for (let n = 0; n < out.length; n++) worst = Math.max(worst, Math.abs(out[n]! - bar[n % bar.length]!));
  assert.ok(worst <= 4, `${worst} steps`);
});

test("the plain form gives the same bytes, also of pieces shorter than what is looked at together", () => {
  for (const frames of [1, 17, 250]) {
    const { level } = piece(frames);
    useKernels(true);
    const kernels = filled(level, frames);
    useKernels(false);
    assert.deepEqual(filled(level, frames), kernels);
  }
});
