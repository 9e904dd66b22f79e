import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../../../contract/mod.ts";
import { run } from "../../../runners/effects/effect.ts";
import type { Effect } from "../../../runners/effects/mod.ts";
import { recipes } from "../../../runners/effects/recipes/all.ts";

const RATE = 44_100;
const job: Job = { signal: new AbortController().signal, progress: () => undefined };
const make = (prompt: string, seconds?: number, seed = 1): Promise<Effect> => run({ prompt, seconds, seed }, job);

/** Throws unless the effect is whole: stereo, finite, not clipped, not silent, without offset, quiet at both ends. */
function checkSound({ audio }: Effect, label: string): void {
  assert.equal(audio.channels.length, 2);
  const [left, right] = [audio.channels[0]!, audio.channels[1]!];
  assert.equal(left.length, right.length);
  let peak = 0;
  let sum = 0;
  for (const channel of [left, right]) {
    for (let n = 0; n < channel.length; n++) {
      const value = channel[n]!;
      if (!(Math.abs(value) <= peak)) peak = Math.abs(value);
      sum += value;
    }
  }
  assert.ok(peak > 0.85 && peak <= 0.91, `${label}: peak ${peak}`);
  assert.ok(Math.abs(sum) / (2 * left.length) < 3e-3, `${label}: offset ${sum / (2 * left.length)}`);
  for (const channel of [left, right]) {
    assert.ok(Math.abs(channel[0]!) < 0.02 && Math.abs(channel.at(-1)!) < 0.02, `${label}: an end has a step`);
  }
}

/** FNV-1a over the samples as 24-bit numbers. */
function print({ audio }: Effect): number {
  let hash = 2166136261;
  for (const channel of audio.channels) {
    for (let n = 0; n < channel.length; n++) hash = Math.imul(hash ^ Math.round(channel[n]! * 8_388_607), 16777619);
  }
  return hash >>> 0;
}

/** Rises of 5 ms peaks above a fifth of the highest, after 100 ms below it. */
function strokes({ audio }: Effect): number {
  const mono = audio.channels[0]!;
  const size = Math.round(0.005 * RATE);
  const peaks: number[] = [];
  for (let at = 0; at < mono.length; at += size)
    peaks.push(mono.subarray(at, at + size).reduce((top, value) => Math.max(top, Math.abs(value)), 0));
  const floor = 0.2 * Math.max(...peaks);
  let count = 0;
  let quiet = 100;
  for (const peak of peaks) {
    if (peak < floor) quiet++;
    else {
      if (quiet >= 12) count++;
      quiet = 0;
    }
  }
  return count;
}

/** Share of the energy above about 1 kHz: of the signal less its one-pole low-pass. */
function brightness({ audio }: Effect): number {
  const mono = audio.channels[0]!;
  let low = 0;
  let high_energy = 0;
  let energy = 1e-12;
  for (let n = 0; n < mono.length; n++) {
    low += 0.13 * (mono[n]! - low);
    high_energy += (mono[n]! - low) ** 2;
    energy += mono[n]! ** 2;
  }
  return high_energy / energy;
}

/** Of beds and long events, whose whole length sounds as their first seconds do. */
const LONG_SECONDS = 2;

test("every recipe makes a whole sound at its own length, or 2 s of a longer one, and at 0.1 s, to the sample", async () => {
  for (const { name, kind, seconds, events = 1, every = seconds, made_as } of recipes()) {
    // What it is made as is heard by itself.
    if (made_as !== undefined) continue;
    const prompt = name.replaceAll("_", " ");
    const long = kind === "bed" || seconds + (events - 1) * every > LONG_SECONDS;
    const made = await make(prompt, long ? LONG_SECONDS : undefined);
    checkSound(made, name);
    if (long) assert.equal(made.audio.channels[0]!.length, LONG_SECONDS * RATE, name);
    const short = await make(prompt, 0.1);
    assert.equal(short.audio.channels[0]!.length, Math.round(0.1 * RATE), name);
    checkSound(short, `${name} of 0.1 s`);
  }
});

test("odd durations are met to the sample, up to 30 s", async () => {
  for (const seconds of [0.1, 0.123456, 1 / 3, 1.00001, 7.77, 30]) {
    for (const prompt of ["three knocks, then a creaking door", "rain with thunder in a cave"]) {
      const made = await make(prompt, seconds);
      assert.equal(made.audio.channels[0]!.length, Math.round(seconds * RATE));
      checkSound(made, `${prompt} of ${seconds} s`);
    }
  }
});

test("what is asked in the text is how long it lasts, within 30 s", async () => {
  assert.equal((await make("2 second laser")).audio.channels[0]!.length, 2 * RATE);
  assert.equal((await make("beeps for two minutes")).audio.channels[0]!.length, 30 * RATE);
});

test("the same prompt and seed make the same samples, on every engine", async () => {
  // Taken on Bun 1.4.5; Deno 2.9.6 must agree, for nothing here comes from an engine's own mathematics.
  const prints: readonly (readonly [string, number])[] = [
    ["three knocks on a wooden door, then it creaks open", 2961716634],
    ["heavy rain with distant thunder in a cave", 65321050],
    ["magic sparkle and a robot voice on the radio", 4067015953],
    ["car passing by, helicopter, glass shattering", 912919613],
    ["a horse neighs, then a cash register and a music box", 3142773607],
    ["kettle, then a coffee machine and somebody whistling", 1228779978],
  ];
  for (const [prompt, expected] of prints) {
    assert.equal(print(await make(prompt, 4)), expected, prompt);
    assert.notEqual(print(await make(prompt, 4, 2)), expected, `another seed: ${prompt}`);
  }
});

test("as many events sound as were asked", async () => {
  for (const [prompt, count] of [
    ["three knocks", 3],
    ["two knocks on metal", 2],
    ["five dog barks", 5],
    ["four gunshots", 4],
    ["one knock", 1],
    ["six beeps", 6],
  ] as const) {
    const made = await make(prompt);
    assert.equal(made.report.sequence[0]!.layers[0]!.count, count);
    if (prompt !== "two knocks on metal") assert.equal(strokes(made), count, prompt);
  }
});

test("far, muffled and big are darker than near, plain and small", async () => {
  for (const [dark, bright] of [
    ["distant gunshot", "gunshot"],
    ["applause underwater", "applause"],
    ["siren through a wall", "siren"],
    ["huge bell", "tiny bell"],
    ["muffled rain", "bright rain"],
    ["whoosh far away", "whoosh"],
  ] as const) {
    const [one, other] = [brightness(await make(dark, 2)), brightness(await make(bright, 2))];
    assert.ok(one < other, `${dark} ${one}, ${bright} ${other}`);
  }
});

test("a bed goes on as long as is asked, and what repeats is repeated", async () => {
  for (const prompt of ["rain", "campfire", "dog barking", "footsteps", "clock ticking"]) {
    const samples = (await make(prompt, 12)).audio.channels[0]!;
    const tail = samples.subarray(Math.round(9 * RATE), Math.round(11.5 * RATE));
    assert.ok(
      tail.some((value) => Math.abs(value) > 0.05),
      `${prompt} has ended before its time`,
    );
  }
});

test("it reports what it understood, in order", async () => {
  const { report } = await make("two knocks, then a huge distant explosion with rain in the background, blorfy");
  assert.deepEqual(
    report.sequence.map(({ layers }) => layers.map(({ sound }) => sound)),
    [["knock"], ["explosion"]],
  );
  assert.deepEqual(
    report.background.map(({ sound }) => sound),
    ["rain"],
  );
  assert.equal(report.sequence[0]!.layers[0]!.count, 2);
  const [blast] = report.sequence[1]!.layers;
  assert.ok(blast!.size > 0.5 && blast!.distance === 1);
  assert.ok(report.sequence[1]!.start > 0);
  assert.deepEqual(JSON.parse(JSON.stringify(report)), report);
});

test("an abort ends it with its reason", async () => {
  const controller = new AbortController();
  const working = run(
    { prompt: "storm and ocean and fire and wind", seconds: 30, seed: 1 },
    { signal: controller.signal, progress: () => controller.abort(new Error("enough")) },
  );
  await assert.rejects(working, /enough/u);
});

test("progress rises from 0 to 1", async () => {
  const seen: number[] = [];
  await run(
    { prompt: "rain with thunder, then a bell", seconds: 8, seed: 1 },
    { signal: job.signal, progress: (fraction) => seen.push(fraction) },
  );
  assert.equal(seen[0], 0);
  assert.equal(seen.at(-1), 1);
  assert.deepEqual(
    seen,
    [...seen].sort((one, other) => one - other),
  );
});
