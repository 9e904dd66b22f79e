import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audio } from "../../../../contract/mod.ts";
import { analyse } from "../../../../runners/signal/analyse/mod.ts";
import { noise } from "../../../audio.ts";
import { loop } from "./loops.ts";

const engine = await analyse.load();
const job = { signal: new AbortController().signal, progress: () => undefined };

function audioOf(...channels: Float32Array[]): Audio {
  return { sample_rate: 44_100, channels };
}

test("analyse gives every part of the analysis and tells how far it is", async () => {
  const { samples } = loop({ bpm: 110, seconds: 12 });
  const told: number[] = [];
  const found = await engine.run(
    { audio: audioOf(samples, samples) },
    { ...job, progress: (fraction) => void told.push(fraction) },
  );
  assert.ok(Math.abs(found.seconds - 12) < 1e-9);
  assert.ok(found.rhythm.beats.length > 15);
  assert.ok(found.form.sections.length > 0 && found.timbre.centroid_hz > 0 && found.tonality.tuning_hz > 0);
  assert.deepEqual(
    told,
    told.toSorted((a, b) => a - b),
  );
  assert.equal(told.at(-1), 1);
});

test("analyse hears a source once and leaves its samples alone", async () => {
  const audio = audioOf(noise(4, 3), noise(5, 3));
  const before = audio.channels.map((channel) => channel.slice());
  const first = await engine.run({ audio }, job);
  assert.equal(await engine.run({ audio }, job), first);
  assert.deepEqual(audio.channels, before);
  assert.notEqual(await engine.run({ audio: { ...audio } }, job), first);
});

test("analyse gives the same for the same samples", async () => {
  const { samples } = loop({ bpm: 128, seconds: 8 });
  const once = await engine.run({ audio: audioOf(samples) }, job);
  const again = await engine.run({ audio: audioOf(samples.slice()) }, job);
  assert.deepEqual(again, once);
});

test("analyse takes one sample, and refuses what is no audio", async () => {
  const found = await engine.run({ audio: audioOf(new Float32Array(1)) }, job);
  assert.deepEqual(found.rhythm.beats, []);
  await assert.rejects(async () => await engine.run({ audio: audioOf() }, job), RangeError);
  await assert.rejects(
    async () => await engine.run({ audio: audioOf(new Float32Array(2), new Float32Array(3)) }, job),
    /differ/,
  );
});

test("analyse ends with the signal's reason", async () => {
  const controller = new AbortController();
  const progress = (fraction: number): void => {
    if (fraction > 0.1) controller.abort(new Error("enough"));
  };
  const source = { audio: audioOf(noise(6, 20)) };
  await assert.rejects(async () => await engine.run(source, { signal: controller.signal, progress }), /enough/);
});
