import assert from "node:assert/strict";
import { test } from "node:test";
import { type Rhythm, STEADY } from "../../../../runners/signal/analyse/analysis.ts";
import { fold } from "../../../../runners/signal/analyse/front.ts";
import { certaintyOf } from "../../../../runners/signal/analyse/rhythm/certainty.ts";
import { rhythmOf } from "../../../../runners/signal/analyse/rhythm/rhythm.ts";
import { ROW } from "../../../../runners/signal/analyse/rhythm/settle.ts";
import { noise, silence } from "../../../audio.ts";
import { babble, hitRate, type LoopOptions, loop } from "./loops.ts";

const signal = new AbortController().signal;

async function hear(...channels: Float32Array[]): Promise<Rhythm> {
  return await rhythmOf(await fold({ sample_rate: 44_100, channels }, signal), signal);
}

function downbeatsOf({ beats, positions }: Rhythm): number[] {
  return beats.filter((_, n) => positions[n] === 1);
}

const LOOPS: readonly (LoopOptions & { readonly name: string })[] = [
  { name: "plain at 120", bpm: 120, seconds: 24 },
  { name: "slow, 58", bpm: 58, seconds: 30, parts: ["kick", "snare", "bass", "chords"] },
  { name: "fast, 174", bpm: 174, seconds: 24 },
  { name: "three in a bar", bpm: 132, beats_per_bar: 3, seconds: 24 },
  { name: "swung", bpm: 108, swing: 0.66, seconds: 24 },
  { name: "slowing by a tenth", bpm: 112, drift: -0.1, seconds: 30 },
  { name: "chords and bass without drums", bpm: 84, parts: ["bass", "chords"], seconds: 30 },
];

for (const { name, ...options } of LOOPS) {
  test(`rhythmOf() finds beats, bars and metre: ${name}`, async () => {
    const made = loop(options);
    const found = await hear(made.samples);
    assert.ok(
      hitRate(made.beats, found.beats) > 0.9,
      `beats ${hitRate(made.beats, found.beats)} at ${found.tempo_bpm}`,
    );
    assert.equal(found.positions.length, found.beats.length);
    assert.equal(found.metre.beats_per_bar, options.beats_per_bar ?? 4);
    assert.ok(
      hitRate(made.downbeats, downbeatsOf(found)) > 0.85,
      `downbeats ${hitRate(made.downbeats, downbeatsOf(found))}`,
    );
    assert.ok(found.confidence > STEADY, `confidence ${found.confidence}`);
  });
}

test("rhythmOf() tells swung quavers from straight ones", async () => {
  const straight = await hear(loop({ bpm: 104, seconds: 20 }).samples);
  const swung = await hear(loop({ bpm: 104, swing: 0.64, seconds: 20 }).samples);
  assert.ok(Math.abs(straight.swing - 0.5) < 0.03, `${straight.swing}`);
  assert.ok(Math.abs(swung.swing - 0.64) < 0.03, `${swung.swing}`);
});

test("rhythmOf() places attacks where they begin", async () => {
  const made = loop({ bpm: 90, seconds: 12, parts: ["kick"] });
  const { onsets } = await hear(made.samples);
  for (const time of made.beats.filter((_, n) => n % 2 === 0)) {
    const nearest = onsets.reduce((best, onset) => (Math.abs(onset - time) < Math.abs(best - time) ? onset : best), -1);
    assert.ok(Math.abs(nearest - time) < 0.006, `${nearest} for ${time}`);
  }
});

test("rhythmOf() relies on nothing in noise, speech and silence", async () => {
  for (const [name, samples] of [
    ["noise", noise(3, 20)],
    ["speech", babble(5, 25)],
    ["other speech", babble(6, 25)],
    ["silence", silence(10)],
  ] as const) {
    const found = await hear(samples);
    assert.ok(found.confidence < STEADY, `${name}: ${found.confidence}`);
  }
});

test("certaintyOf() is less sure of fewer than five beats, however clear", () => {
  const activation = new Float32Array(400);
  const all = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4];
  for (const time of all) activation.fill(1, Math.round(time / ROW) - 1, Math.round(time / ROW) + 2);
  const sure = (count: number): number =>
    certaintyOf(
      { beats: all.slice(0, count), positions: all.slice(0, count).map((_, n) => (n % 4) + 1) },
      { beat: activation, downbeat: new Float32Array(400) },
      1,
    ).confidence;
  assert.deepEqual(
    [8, 5, 4, 2].map((count) => Number(sure(count).toFixed(3))),
    [1, 1, 0.8, 0.4],
  );
});

test("rhythmOf() takes clips of any length", async () => {
  const short = loop({ bpm: 120, seconds: 2.5 });
  const found = await hear(short.samples, short.samples);
  assert.ok(found.beats.every((beat) => beat >= 0 && beat < 2.5));
  assert.equal(found.beats.length, found.positions.length);
  for (const length of [0, 1, 2, 500, 5000]) {
    const nothing = await hear(noise(1, 1).subarray(0, length));
    assert.deepEqual(nothing.beats, []);
    assert.equal(nothing.tempo_bpm, 0);
  }
});

test("rhythmOf() hears the same in either polarity and at any level", async () => {
  const { samples } = loop({ bpm: 100, seconds: 16 });
  const loud = await hear(samples);
  const soft = await hear(samples.map((value) => -0.01 * value));
  assert.equal(soft.beats.length, loud.beats.length);
  for (const [n, beat] of soft.beats.entries()) assert.ok(Math.abs(beat - loud.beats[n]!) < 0.005);
});

test("rhythmOf() ends when it is aborted", async () => {
  const controller = new AbortController();
  const hearing = fold({ sample_rate: 44_100, channels: [noise(2, 30)] }, signal).then((mono) =>
    rhythmOf(mono, controller.signal, () => controller.abort(new Error("enough"))),
  );
  await assert.rejects(hearing, /enough/);
});
