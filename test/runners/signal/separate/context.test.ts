import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { AHEAD, CONTEXTS, Context, SUMMARY } from "../../../../runners/signal/separate/context.ts";
import { BANDS } from "../../../../runners/signal/separate/grid.ts";

test("Context gives weighted means of the opinions nearby, frame by frame, also at both ends", () => {
  const frames = 55;
  const next = random(2);
  const level = Uint8Array.from({ length: frames * BANDS }, () => 255 * next());
  const verdicts = Array.from({ length: frames }, () => Float32Array.from({ length: 4 * BANDS }, () => next()));
  const context = new Context();
  const own = new Int16Array(CONTEXTS.length * BANDS);
  const shared = new Float32Array(SUMMARY);
  const byte = (frame: number, at: number) => Math.round(255 * verdicts[frame]![at]!) / 255;
  const count = (frame: number, band: number) => Math.round(2 ** (level[frame * BANDS + band]! / 20));
  const mean = (kind: number, frame: number, along: number, from: number, to: number) => {
    let [sum, counted] = [0, 0];
    for (let near = Math.max(0, frame - along); near <= Math.min(frames - 1, frame + along); near++) {
      for (let band = Math.max(0, from); band <= Math.min(BANDS - 1, to); band++) {
        sum += count(near, band) * byte(near, kind * BANDS + band);
        counted += count(near, band);
      }
    }
    return sum / counted;
  };
  let added = 0;
  for (let frame = 0; frame < frames; frame++) {
    while (added < Math.min(frames, frame + AHEAD + 1)) context.add(verdicts[added++]!, level);
    context.move(frame);
    if (frame % 9 !== 0) continue;
    context.fill(own, 0);
    context.share(shared, 0);
    for (const band of [0, 3, 300, BANDS - 1]) {
      for (const kind of [0, 1, 2]) {
        const planes = [
          byte(frame, kind * BANDS + band),
          ...[2, 8, 20].map((along) => mean(kind, frame, along, band, band)),
          ...[8, 30].map((reach) => mean(kind, frame, 2, band - reach, band + reach)),
        ];
        for (const [k, expected] of planes.entries()) {
          const plane = 3 * k + kind;
          const value = CONTEXTS[plane]!.step * own[2 * ((plane >> 1) * BANDS + band) + (plane & 1)]!;
          assert.ok(
            Math.abs(value - expected) < 1 / 4000,
            `plane ${k} of band ${band}, frame ${frame}: ${value}, ${expected}`,
          );
        }
      }
    }
    // The lowest zone: 90 Hz are eight bins and a bit.
    assert.ok(Math.abs(shared[1]! - mean(1, frame, 2, 0, 8)) < 1e-5);
    assert.ok(Math.abs(shared[SUMMARY / 2 + 2]! - mean(2, frame, 20, 0, 8)) < 1e-5);
  }
});
