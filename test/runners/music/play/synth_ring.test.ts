import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Instrument, instruments } from "../../../../runners/music/compose/instruments.ts";
import { RATE } from "../../../../runners/music/play/performance.ts";
import { isSynthesised, synthesise } from "../../../../runners/music/play/synth/synth.ts";

const SYNTHESISED = instruments().filter(isSynthesised);

const ENDLESS: readonly Instrument[] = SYNTHESISED.filter((name) => /_texture$|noise|hiss|drone|pad$/.test(name));

/** A loop with its tail folded onto the beginning, as the caller does it. */
function folded(instrument: Instrument, ring: number, tail: number): readonly Float32Array[] {
  const events = [{ frame: 0, frames: ring, pitch: 45, velocity: 0.8, turn: 0 }];
  const stem = synthesise({ instrument, events, frames: ring + tail, ring, bpm: 120, seed: 4 });
  return stem.map((channel) => {
    const loop = channel.slice(0, ring);
    for (let n = ring; n < channel.length; n++) loop[n - ring] = loop[n - ring]! + channel[n]!;
    return loop;
  });
}

describe("what has no beginning", () => {
  test("joins on a ring: the step at the seam is one of many, and the level does not sag", () => {
    for (const instrument of ENDLESS) {
      const ring = 4 * RATE + 123;
      for (const [index, loop] of folded(instrument, ring, 3 * RATE).entries()) {
        const steps = Float32Array.from(loop, (value, n) => Math.abs(value - loop[n === 0 ? ring - 1 : n - 1]!));
        const seam = steps[0]!;
        const at99 = steps.slice(1).sort()[Math.floor(0.99 * (ring - 1))]!;
        assert.ok(seam <= at99, `${instrument} ${index}: ${seam} over ${at99}`);
        if (/pad$/.test(instrument)) continue;
        let near = 0;
        let all = 0;
        for (let n = 0; n < ring; n++) {
          all += loop[n]! ** 2 / ring;
          if (n < RATE || n >= ring - RATE) near += loop[n]! ** 2 / (2 * RATE);
        }
        assert.ok(near > 0.2 * all, `${instrument} ${index}: a hole of ${10 * Math.log10(near / all)} dB`);
      }
    }
  });

  test("textures are wide but not apart, and go on for as long as they are held", () => {
    for (const instrument of ENDLESS) {
      if (!/_texture$|noise|hiss/.test(instrument)) continue;
      const frames = 12 * RATE;
      const events = [{ frame: RATE, frames: 9 * RATE, pitch: 60, velocity: 0.8, turn: 0 }];
      const [left, right] = synthesise({ instrument, events, frames, ring: 0, bpm: 90, seed: 2 }) as [
        Float32Array,
        Float32Array,
      ];
      let ll = 0;
      let rr = 0;
      let lr = 0;
      for (let n = 2 * RATE; n < 10 * RATE; n++) {
        ll += left[n]! ** 2;
        rr += right[n]! ** 2;
        lr += left[n]! * right[n]!;
      }
      const correlation = lr / Math.sqrt(ll * rr);
      assert.ok(correlation > 0 && correlation < 0.97, `${instrument}: ${correlation}`);
      assert.ok(Math.sqrt((ll + rr) / (16 * RATE)) > 0.008, `${instrument}: ${Math.sqrt((ll + rr) / (16 * RATE))}`);
      for (let n = 0; n < frames; n++) if (n < RATE || n >= 11 * RATE) assert.equal(left[n], 0, instrument);
    }
  });

  test("risers and reversed cymbals peak at the end of their note, impacts at its beginning", () => {
    const frames = 6 * RATE;
    const loudest = (instrument: Instrument): number => {
      const events = [{ frame: RATE, frames: 3 * RATE, pitch: 60, velocity: 0.8, turn: 0 }];
      const stem = synthesise({ instrument, events, frames, ring: 0, bpm: 90, seed: 2 });
      // Loudest 50 ms.
      let best = 0;
      let at = 0;
      for (let from = 0; from + 2205 <= frames; from += 441) {
        let sum = 0;
        for (const channel of stem) for (let n = from; n < from + 2205; n++) sum += channel[n]! ** 2;
        if (sum > best) {
          best = sum;
          at = from + 1102;
        }
      }
      return at / RATE;
    };
    for (const instrument of ["riser", "reverse_cymbal"] as const)
      assert.ok(Math.abs(loudest(instrument) - 4) < 0.15, `${instrument}: ${loudest(instrument)} s`);
    for (const instrument of ["impact", "downlifter"] as const)
      assert.ok(
        loudest(instrument) - 1 < (instrument === "impact" ? 0.12 : 0.8),
        `${instrument}: ${loudest(instrument)} s`,
      );
  });
});
