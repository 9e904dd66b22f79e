import assert from "node:assert/strict";
import { test } from "node:test";
import { patchOf } from "../../../../runners/music/play/patches.ts";
import { synthesise } from "../../../../runners/music/play/synth/synth.ts";
import { COMMON, FIRM, nearest, retuned } from "../../../../runners/music/play/tuning.ts";

const RATE = 44_100;

/** Energy of a tone of `hertz` in what a kick leaves behind, from 60 ms on. */
function tone(samples: Float32Array, hertz: number): number {
  let [re, im] = [0, 0];
  for (let n = Math.round(0.06 * RATE); n < samples.length; n += 8) {
    const turn = (2 * Math.PI * hertz * n) / RATE;
    re += samples[n]! * Math.cos(turn);
    im += samples[n]! * Math.sin(turn);
  }
  return re * re + im * im;
}

test("an electronic kick rings on the tonic, or on its fifth where the tonic is far", () => {
  for (const instrument of ["electronic_kit", "house_kit", "trap_kit", "lofi_kit", "breakbeat_kit"] as const)
    for (let tonic = 1; tonic < 12; tonic += 3) {
      const events = [{ frame: 0, frames: 20_000, pitch: 36, velocity: 0.8, turn: 0 }];
      const [left] = synthesise({ instrument, events, frames: 30_000, ring: 0, bpm: 120, seed: 5, tonic });
      let best = [0, 0];
      for (let pitch = 24; pitch < 40; pitch += 0.5) {
        const energy = tone(left, 440 * 2 ** ((pitch - 69) / 12));
        if (energy > best[1]!) best = [pitch, energy];
      }
      const above = (((best[0]! - tonic) % 12) + 12) % 12;
      const off = Math.min(...[0, 7, 12].map((step) => Math.abs(above - step)));
      assert.ok(off <= 0.75, `${instrument} on ${tonic}: ${best[0]}`);
    }
});

test("drums without a key are as they were, and kits differ by it", () => {
  const events = [{ frame: 0, frames: 9000, pitch: 45, velocity: 0.8, turn: 0 }];
  const play = (tonic?: number) =>
    synthesise({
      instrument: "house_kit",
      events,
      frames: 9000,
      ring: 0,
      bpm: 120,
      seed: 5,
      ...(tonic === undefined ? {} : { tonic }),
    })[0];
  assert.deepEqual(play(), play());
  assert.notDeepEqual(play(), play(1));
  assert.notDeepEqual(play(1), play(2));
});

test("recorded skins move into the key by a few semitones at most, and what has no pitch stays", () => {
  for (let tonic = 0; tonic < 12; tonic++) {
    for (const key of [35, 36, 41, 43, 45, 47, 48, 50]) {
      const cents = retuned(patchOf("rock_kit")!, key, tonic);
      assert.ok(Math.abs(cents) <= 350, `${key} on ${tonic}: ${cents}`);
    }
    assert.equal(retuned(patchOf("rock_kit")!, 42, tonic), 0);
    assert.equal(retuned(patchOf("piano")!, 48, tonic), 0);
  }
  // 60.4 Hz is a B that is 38 cents flat.
  assert.ok(Math.abs(retuned(patchOf("rock_kit")!, 36, 11) - 38) < 5);
  assert.ok(Math.abs(nearest(440, 9, FIRM) - 440) < 1e-9);
  assert.ok(Math.abs(nearest(450, 4, COMMON) - 440) < 1e-9);
});
