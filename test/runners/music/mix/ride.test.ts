import assert from "node:assert/strict";
import test from "node:test";
import type { Score } from "../../../../runners/music/compose/mod.ts";
import { contrast } from "../../../../runners/music/mix/contrast.ts";
import { createDesk } from "../../../../runners/music/mix/desk.ts";
import { ride } from "../../../../runners/music/mix/ride.ts";
import { exp2, log2, sine } from "../../../../runners/signal/dsp/exact.ts";
import { stepsIn } from "../../../../runners/signal/dsp/gain_steps.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { note, partOf, RATE, scoreOf } from "./material.ts";

const { signal } = new AbortController();
const SECONDS = 8;
const FRAMES = SECONDS * RATE;
const SECTIONS: Score["sections"] = [
  { kind: "verse", label: "A", beat: 0, beats: 8, energy: 0.5, lines: 1 },
  { kind: "chorus", label: "B", beat: 8, beats: 8, energy: 0.9, lines: 1 },
];
const decibel = (power: number): number => (10 * log2(power)) / log2(10);

/** Noise whose second half is `more` times as loud. */
function band(more: number): Float32Array {
  const next = random(1);
  return Float32Array.from({ length: FRAMES }, (_, n) => 0.1 * (n < FRAMES / 2 ? 1 : more) * (next() - 0.5));
}

/** Sings from 0.5 s of every two seconds to 1.5 s. */
function voice(): Float32Array {
  return Float32Array.from({ length: FRAMES }, (_, n) => {
    const t = (n / RATE) % 2;
    return t > 0.5 && t < 1.5 ? 0.05 * sine((440 * n) / RATE) : 0;
  });
}

function power(samples: Float32Array, from: number, to: number): number {
  let sum = 1e-20;
  for (let n = Math.round(from * RATE); n < to * RATE; n++) sum += samples[n]! * samples[n]!;
  return sum / ((to - from) * RATE);
}

test("ride() sets a voice over the band, and follows it from section to section", () => {
  const steps = stepsIn(FRAMES);
  const score = scoreOf([], {}, { sections: SECTIONS });
  const seconds = (n: number): number => (n / steps) * SECONDS;
  const sung = Float32Array.from({ length: steps }, (_, n) =>
    seconds(n) % 2 > 0.5 && seconds(n) % 2 < 1.5 ? 0.01 : 0,
  );
  for (const more of [1, 4, 0.25]) {
    const others = Float32Array.from({ length: steps }, (_, n) => (n < steps / 2 ? 0.1 : 0.1 * more));
    const gains = ride(score, sung, others, 2, FRAMES)!;
    const over = (at: number): number => {
      const n = Math.round((at / SECONDS) * steps);
      return decibel((sung[n]! * gains[n]! * gains[n]!) / others[n]!);
    };
    assert.ok(Math.abs(over(3) - 2) < 2.5 && Math.abs(over(7) - 2) < 2.5, `${over(3)} and ${over(7)} at ${more}`);
    // Without a fader of its own, one of both would be 3 dB further off.
    assert.ok(Math.abs(over(3) - over(7)) < 3, `${over(3)} and ${over(7)} at ${more}`);
  }
  assert.equal(ride(score, sung, new Float32Array(steps), 2, FRAMES), undefined, "nobody to sing over");
  assert.equal(ride(score, new Float32Array(steps), sung, 2, FRAMES), undefined, "nobody sings");
});

test("a desk brings the voice forward whatever the band's level", async () => {
  const lead = partOf("vocal", { notes: [0, 4, 8, 12].map((beat) => note(beat + 1, 60, 2)) });
  for (const level_db of [-12, 0, 12]) {
    const pad = partOf("chords", { level_db });
    const score = scoreOf([pad, lead], { space: 0, width: 0 }, { sections: SECTIONS });
    const mixes: Float32Array[] = [];
    for (const voices of [0, 1]) {
      const desk = createDesk(score, { frames: FRAMES, ring: false, seed: 1 });
      await desk.add(pad, [band(1)], signal);
      if (voices === 1) await desk.add(lead, [voice()], signal);
      mixes.push((await desk.finish(signal)).channels[0]!);
    }
    // Between the lines the band alone is heard, which tells how far each mix was scaled.
    const scale = (from: number, to: number, mix: Float32Array): number => power(mix, from, to);
    const [alone, together] = mixes as [Float32Array, Float32Array];
    const gain = scale(1.7, 2.3, together) / scale(1.7, 2.3, alone);
    const sung = power(together, 2.7, 3.3) / gain - power(alone, 2.7, 3.3);
    const over = decibel(sung / power(alone, 2.7, 3.3));
    assert.ok(over > -3 && over < 8, `${over} dB at a band of ${level_db} dB`);
  }
});

test("contrast() brings a chorus as far over a verse as the genre has it, whatever the band makes of it, and leaves a ring alone", () => {
  const score = scoreOf([], {}, { sections: SECTIONS });
  const steps = stepsIn(FRAMES);
  const plain = new Float32Array(steps).fill(1);
  const played = (verse: number): Float32Array =>
    Float32Array.from({ length: steps }, (_, n) => (n < steps / 2 ? verse : 0.1));
  const faded = (sections: Score["sections"], verse: number, ring = false): Float32Array | undefined =>
    contrast({ ...score, sections }, played(verse), plain, FRAMES, ring);
  // As loud as the chorus, 4 dB under it, 2 dB over it.
  for (const verse of [0.1, 0.04, 0.16]) {
    const gains = faded(SECTIONS, verse)!;
    const level = (at: number): number => {
      const n = Math.round((at / SECONDS) * steps);
      return decibel(played(verse)[n]! * gains[n]! * gains[n]!);
    };
    assert.ok(level(6) - level(2) >= 2 && level(6) - level(2) < 6, `${level(6) - level(2)} dB`);
    assert.ok(Math.abs(level(4.02) - level(6)) < 0.01, "the fader has arrived on the downbeat");
    for (const [n, gain] of gains.entries()) {
      if (n > 0) assert.ok(Math.abs(gain / gains[n - 1]! - 1) < 0.02, `a step at ${n}`);
    }
  }
  assert.equal(faded(SECTIONS, 0.1, true), undefined);
  const flat = SECTIONS.map((section) => ({ ...section, energy: 0.7 }));
  assert.equal(faded(flat, 0.1), undefined);
  const wild = SECTIONS.map((section, n) => ({ ...section, energy: n === 0 ? Number.NaN : 9 }));
  for (const gain of faded(wild, 0.1)!) assert.ok(gain > exp2(-1.2) && gain < exp2(1.2));
  assert.equal(faded(SECTIONS, 0), undefined, "what is silent is not lifted");
});

test("a build rises by the fader as far as what it leads to still comes in over it", () => {
  const sections: Score["sections"] = [
    { kind: "theme", label: "A", beat: 0, beats: 4, energy: 0.6 },
    { kind: "build", label: "B", beat: 4, beats: 8, energy: 0.7 },
    { kind: "drop", label: "C", beat: 12, beats: 4, energy: 0.9 },
  ];
  const score = scoreOf([], { genre: "house" }, { sections });
  const steps = stepsIn(FRAMES);
  // Over the build, the band and its riser grow by themselves: not at all, by 6 dB, by 12 dB.
  for (const grown of [0, 6, 12]) {
    const powers = Float32Array.from({ length: steps }, (_, n) => {
      const beat = (16 * n) / steps;
      return 0.1 * exp2(((beat > 4 && beat < 12 ? grown * ((beat - 4) / 8 - 0.5) : 0) / 10) * log2(10));
    });
    const gains = contrast(score, powers, new Float32Array(steps).fill(1), FRAMES, false)!;
    const level = (from: number, to: number): number => {
      const [first, last] = [from, to].map((beat) => Math.round((beat / 16) * steps)) as [number, number];
      let sum = 0;
      for (let n = first; n < last; n++) sum += powers[n]! * gains[n]! * gains[n]!;
      return decibel(sum / (last - first));
    };
    const step = level(12, 16) - level(8, 12);
    assert.ok(step > 1.5 && step < 5, `the drop comes in by ${step} dB after a build of ${grown} dB`);
    assert.ok(level(8, 12) - level(4, 8) > 0.5, "the build rises");
  }
});
