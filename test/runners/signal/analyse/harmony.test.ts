import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audio } from "../../../../contract/mod.ts";
import type { Quality, Rhythm, Tonality } from "../../../../runners/signal/analyse/analysis.ts";
import { describe } from "../../../../runners/signal/analyse/describe.ts";
import { fold } from "../../../../runners/signal/analyse/front.ts";
import { TONES } from "../../../../runners/signal/analyse/harmony/chords.ts";
import { chord, FREE, mono, noise, RATE, render, steady, stereo, strike, type Tone, type Wave } from "./tones.ts";

const signal = new AbortController().signal;

async function hear(audio: Audio, rhythm: Rhythm): Promise<Tonality> {
  return (await describe(audio, await fold(audio, signal), rhythm, signal)).tonality;
}

type Step = readonly [root: number, quality: Exclude<Quality, "none">];

/** A chord a bar of two seconds, roots from C3 on. */
function progression(steps: readonly Step[], wave: Wave, cents = 0): Tone[] {
  return steps.flatMap(([root, quality], bar) => chord(2 * bar, 2, 48 + root + cents / 100, TONES[quality], wave));
}

/** Share of the time in which root and quality are right. */
function overlap({ chords }: Tonality, steps: readonly Step[]): number {
  let right = 0;
  for (const [bar, [root, quality]] of steps.entries()) {
    for (const heard of chords) {
      const both = Math.min(heard.end, 2 * bar + 2) - Math.max(heard.start, 2 * bar);
      if (both > 0 && heard.root === root && heard.quality === quality) right += both;
    }
  }
  return right / (2 * steps.length);
}

const POP: readonly Step[] = [
  [0, "maj"],
  [7, "maj"],
  [9, "min"],
  [5, "maj"],
  [0, "maj"],
  [4, "min"],
  [7, "maj"],
  [0, "maj"],
];

test("tuning is heard within 2 cents between a quarter-tone below and above", async () => {
  for (const cents of [-45, -20, -3, 0, 12, 31, 48]) {
    const { tuning_hz } = await hear(mono(render(progression(POP.slice(0, 4), "saw", cents), 8)), steady(8));
    const heard = 1200 * Math.log2(tuning_hz / 440);
    assert.ok(Math.abs(heard - cents) < 2, `${cents} cents: heard ${heard.toFixed(1)}`);
  }
});

for (const wave of ["sine", "saw", "square", "plucked"] as const) {
  test(`chords are heard in ${wave} waves, also a third of a semitone flat`, async () => {
    for (const cents of [0, -33]) {
      const tonality = await hear(stereo(render(progression(POP, wave, cents), 16)), steady(16));
      const share = overlap(tonality, POP);
      assert.ok(share >= 0.95, `${share}: ${JSON.stringify(tonality.chords)}`);
      assert.deepEqual([tonality.tonic, tonality.mode], [0, "major"]);
    }
  });
}

test("chords are heard under drums", async () => {
  const samples = render(progression(POP, "saw"), 16);
  strike(
    samples,
    Array.from({ length: 32 }, (_, k) => k / 2),
    0.4,
  );
  const share = overlap(await hear(stereo(samples), steady(16)), POP);
  assert.ok(share >= 0.95, String(share));
});

test("every quality is told apart on most roots", async () => {
  for (const quality of Object.keys(TONES) as Exclude<Quality, "none">[]) {
    const steps: Step[] = [2, 7, 10, 3, 8, 5].map((root) => [root, quality]);
    const share = overlap(await hear(mono(render(progression(steps, "sine"), 12)), steady(12)), steps);
    // A soft seventh may pass as a harmonic of the triad.
    assert.ok(share >= 0.6, `${quality}: ${share}`);
  }
});

test("a key is heard on every tonic, major and minor", async () => {
  const major: readonly Step[] = [
    [0, "maj"],
    [5, "maj"],
    [7, "maj"],
    [0, "maj"],
  ];
  const minor: readonly Step[] = [
    [0, "min"],
    [5, "min"],
    [7, "maj"],
    [0, "min"],
  ];
  for (let tonic = 0; tonic < 12; tonic += 1) {
    // Major and minor by turns: all of them would take long to hear on a slow machine.
    for (const [mode, steps] of tonic % 2 === 0 ? [["major", major] as const] : [["minor", minor] as const]) {
      const turned = steps.map(([root, quality]): Step => [(root + tonic) % 12, quality]);
      const heard = await hear(mono(render(progression(turned, "plucked"), 8)), steady(8));
      assert.deepEqual([heard.tonic, heard.mode], [tonic, mode]);
      assert.ok(heard.confidence > 0.3, `${tonic} ${mode}: ${heard.confidence}`);
    }
  }
});

test("chords need no beat", async () => {
  const share = overlap(await hear(mono(render(progression(POP, "saw"), 16)), FREE), POP);
  assert.ok(share >= 0.9, String(share));
});

test("chords cover the piece without gaps, from 2.5 s on", async () => {
  for (const seconds of [2.5, 7.3]) {
    for (const rhythm of [FREE, steady(seconds)]) {
      const { chords } = await hear(mono(render(chord(0, seconds, 52, TONES.min, "saw"), seconds)), rhythm);
      assert.equal(chords[0]!.start, 0);
      assert.ok(Math.abs(chords.at(-1)!.end - seconds) < 1e-4);
      for (const [index, heard] of chords.entries()) {
        if (index > 0) assert.equal(heard.start, chords[index - 1]!.end);
      }
      assert.deepEqual([chords[0]!.root, chords[0]!.quality], [4, "min"]);
    }
  }
});

test("silence has no chord, no key and the usual tuning", async () => {
  for (const seconds of [0.01, 2.5, 10]) {
    const silent = new Float32Array(Math.round(seconds * RATE));
    const heard = await hear(stereo(silent), FREE);
    assert.deepEqual(
      heard.chords.map(({ quality }) => quality),
      ["none"],
    );
    assert.equal(heard.confidence, 0);
    assert.equal(heard.tuning_hz, 440);
  }
});

test("a pause between chords has none", async () => {
  const steps: readonly Step[] = [
    [0, "maj"],
    [5, "maj"],
  ];
  const samples = new Float32Array(16 * RATE);
  samples.set(render(progression(steps, "saw"), 4));
  samples.set(render(progression(steps, "saw"), 4), 12 * RATE);
  const { chords } = await hear(mono(samples), steady(16));
  const quiet = chords.find(({ start, end }) => start <= 8 && end >= 8);
  assert.equal(quiet?.quality, "none");
  assert.ok(quiet!.start <= 5 && quiet!.end >= 11, JSON.stringify(quiet));
});

test("noise is not confidently in a key", async () => {
  const heard = await hear(mono(noise(12, 0.3)), FREE);
  assert.ok(heard.confidence < 0.6, String(heard.confidence));
  for (const value of [heard.tuning_hz, heard.confidence]) assert.ok(Number.isFinite(value));
});

test("listening ends with the signal's reason", async () => {
  const audio = mono(noise(2, 0.1));
  const folded = await fold(audio, signal);
  const reason = new Error("enough");
  await assert.rejects(describe(audio, folded, FREE, AbortSignal.abort(reason)), reason);
});
