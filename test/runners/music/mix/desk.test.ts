import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Part, Score } from "../../../../runners/music/compose/mod.ts";
import { finishBus } from "../../../../runners/music/mix/bus.ts";
import { Buses } from "../../../../runners/music/mix/buses.ts";
import { channelOf } from "../../../../runners/music/mix/channel.ts";
import { playDelay } from "../../../../runners/music/mix/delay.ts";
import { createDesk } from "../../../../runners/music/mix/desk.ts";
import { playSpace, SPACES } from "../../../../runners/music/mix/returns.ts";
import { Strip } from "../../../../runners/music/mix/strip.ts";
import type { Stem } from "../../../../runners/music/play/mod.ts";
import { useScratch } from "../../../../runners/scratch.ts";
import { bandPass, Cascade } from "../../../../runners/signal/dsp/biquad.ts";
import { cosine } from "../../../../runners/signal/dsp/exact.ts";
import { integratedLoudness } from "../../../../runners/signal/dsp/loudness.ts";
import { correlation, drummed, move, noise, note, partOf, RATE, rms, scoreOf, struck } from "./material.ts";

const SECONDS = 6;
const calm = new AbortController().signal;

async function mixOf(score: Score, stems: readonly Stem[], frames = SECONDS * RATE, seed = 1): Promise<Float32Array[]> {
  const desk = createDesk(score, { frames, ring: score.ring, seed });
  for (const [index, part] of score.parts.entries()) await desk.add(part, stems[index]!, calm);
  const audio = await desk.finish(calm);
  assert.equal(audio.sample_rate, RATE);
  assert.equal(audio.channels.length, 2);
  for (const channel of audio.channels) assert.equal(channel.length, frames);
  return [...audio.channels];
}

/** assert.deepEqual takes seconds for as many numbers. */
function same(one: Float32Array, other: Float32Array): boolean {
  return one.length === other.length && one.every((value, n) => value === other[n]);
}

const kicks = Array.from({ length: 2 * SECONDS }, (_, beat) => note(beat, 36));
const BAND: readonly Part[] = [
  partOf("drums", { instrument: "house_kit", notes: kicks }),
  partOf("bass", { instrument: "synth_bass" }),
  partOf("chords", { pan: -0.3 }),
  partOf("pad", { pan: 0.2, instrument: "warm_pad" }),
  partOf("lead", { pan: 0.1 }),
];
const played = play();
/** New copies each time. */
function band(): Stem[] {
  return played.map((stem): Stem => (stem.length === 2 ? [stem[0].slice(), stem[1].slice()] : [stem[0].slice()]));
}
function play(): Stem[] {
  const chords = struck(SECONDS, [261.6, 329.6, 392], 0.5);
  return [
    [drummed(SECONDS)],
    [struck(SECONDS, [55, 55, 65.4, 49], 0.25)],
    [chords, chords],
    [struck(SECONDS, [130.8, 196], 1)],
    [struck(SECONDS, [523, 587, 659, 784], 0.25)],
  ];
}

test("sends and a mix that lie on the disk but for a span give the mix that those in memory do", async () => {
  const parts = [...BAND, partOf("vocal"), partOf("backing")];
  const score = scoreOf(parts, { space: 0.7 });
  const voice: Stem = [struck(SECONDS, [392, 440, 523], 0.5)];
  const stems = (): Stem[] => [...band(), [voice[0].slice()], [voice[0].slice()]];
  const folder = mkdtempSync(join(tmpdir(), "tonwerk-desk-"));
  useScratch(folder);
  try {
    const [spooled, whole] = [16_384, undefined].map((span) => {
      const buses = new Buses(SECONDS * RATE, false, span);
      const strip = new Strip(score, buses);
      for (const [index, stem] of stems().entries())
        for (const _ of strip.add(parts[index]!, stem, channelOf(parts[index]!, score), true));
      assert.equal(buses.send("hall")[0]!.around(0).length, span ?? buses.sendFrames);
      assert.equal(buses.mix[0].around(0).length, span ?? buses.frames);
      for (const space of SPACES) for (const _ of playSpace(space, score, buses));
      for (const _ of playDelay(score, buses));
      for (const _ of finishBus(score, buses, 1));
      return [buses.left, buses.right];
    });
    for (const side of [0, 1]) assert.ok(same(spooled![side]!, whole![side]!) && rms(whole![side]!) > 0.01);
  } finally {
    useScratch(undefined);
    rmSync(folder, { recursive: true, force: true });
  }
});

test("finish() gives both channels at -3 dBFS, correlated but not the same, and without a number that is none", async () => {
  const [left, right] = await mixOf(scoreOf(BAND), band());
  const peak = [left!, right!].reduce(
    (most, channel) => channel.reduce((top, x) => Math.max(top, Math.abs(x)), most),
    0,
  );
  assert.ok(peak > 0.66 && peak < 0.74, `peak ${peak}`);
  const alike = correlation(left!, right!);
  assert.ok(alike > 0.2 && alike < 0.95, `correlation ${alike}`);
  const fold = left!.map((value, n) => 0.5 * (value + right![n]!));
  const lost = 20 * Math.log10(rms(fold) / Math.hypot(rms(left!), rms(right!)) / Math.SQRT1_2);
  assert.ok(lost > -3, `fold to mono ${lost} dB`);
  // The limiter of the master stage has little to do: peaks over loudness within what -14 LUFS and -1 dBTP leave.
  const over = 20 * Math.log10(peak) - integratedLoudness([left!, right!], RATE);
  assert.ok(over > 7 && over < 14.5, `peak over loudness ${over}`);
});

test("finish() gives the same samples for the same seed", async () => {
  const score = scoreOf(BAND, { age: 0.7 });
  const [one, two, other] = [
    await mixOf(score, band()),
    await mixOf(score, band()),
    await mixOf(score, band(), SECONDS * RATE, 2),
  ];
  assert.ok(same(one[0]!, two[0]!) && same(one[1]!, two[1]!));
  assert.ok(!same(one[0]!, other[0]!));
});

test("add() brings a part to its place, however loud its stem is", async () => {
  const parts = [partOf("chords"), partOf("lead", { name: "solo" })];
  const chords = struck(SECONDS, [261.6, 329.6], 0.5);
  const lead = noise(SECONDS, 0.2, 3);
  const loud = await mixOf(scoreOf(parts), [[chords], [lead]]);
  const quiet = await mixOf(scoreOf(parts), [[chords.map((x) => x * 0.01)], [lead.map((x) => x * 30)]]);
  assert.ok(Math.abs(20 * Math.log10(rms(loud[0]!) / rms(quiet[0]!))) < 0.3);
  let difference = 0;
  for (let n = 0; n < loud[0]!.length; n++) difference += (loud[0]![n]! - quiet[0]![n]!) ** 2;
  assert.ok(Math.sqrt(difference / loud[0]!.length) < 0.02 * rms(loud[0]!));
});

test("stems that are silent, short, too long, constant or no numbers make no trouble", async () => {
  const parts = ["lead", "bass", "drums", "pad", "chords", "texture"] as const;
  const score = scoreOf(parts.map((role) => partOf(role)));
  const broken = noise(1, 0.2, 1);
  broken[100] = Number.NaN;
  broken[200] = Number.POSITIVE_INFINITY;
  const odd: readonly Stem[] = [
    [new Float32Array(SECONDS * RATE)],
    [noise(0.3, 0.5, 2)],
    [noise(3, 0.1, 3)],
    [new Float32Array(2 * RATE).fill(0.7)],
    [broken, noise(0.5, 0.2, 4)],
    [new Float32Array(0)],
  ];
  for (const ring of [false, true]) {
    const channels = await mixOf({ ...score, ring }, odd, 2 * RATE + 1);
    for (const channel of channels) assert.ok(channel.every((x) => Number.isFinite(x) && Math.abs(x) < 0.75));
    assert.ok(rms(channels[0]!) > 0.001);
  }
  for (const nothing of [
    await mixOf(scoreOf([]), []),
    await mixOf(scoreOf([partOf("lead")]), [[new Float32Array(10)]]),
  ])
    assert.ok(nothing[0]!.every((x) => x === 0));
});

test("add() and finish() end with the signal's reason", async () => {
  const desk = createDesk(scoreOf(BAND), { frames: SECONDS * RATE, ring: false, seed: 1 });
  await desk.add(BAND[0]!, [drummed(SECONDS)], calm);
  const ended = new AbortController();
  ended.abort(new Error("enough"));
  await assert.rejects(desk.add(BAND[1]!, [drummed(SECONDS)], ended.signal), /enough/u);
  await assert.rejects(desk.finish(ended.signal), /enough/u);
});

test("moves act where they are written and nowhere else", async () => {
  const parts = [partOf("lead", { name: "hiss" })];
  const stem = noise(SECONDS, 0.2, 5);
  const dry = { space: 0, genre: "piano_solo", width: 0 } as const;
  const levelAt = (channels: Float32Array[], from: number, to: number): number =>
    20 * Math.log10(rms(channels[0]!, Math.round(from * RATE), Math.round(to * RATE)) + 1e-9);
  const plain = await mixOf(scoreOf(parts, dry), [[stem]]);
  // Beats 4 to 6 are seconds 2 to 3.
  for (const names of [["hiss"], []]) {
    const muted = await mixOf(scoreOf(parts, dry, { moves: [move("mute", 4, 2, names)] }), [[stem]]);
    assert.ok(levelAt(muted, 2.2, 2.9) < -90, `${levelAt(muted, 2.2, 2.9)}`);
    assert.ok(levelAt(muted, 4, 5) > -30);
    const closed = await mixOf(scoreOf(parts, dry, { moves: [move("filter_close", 4, 4, names)] }), [[stem]]);
    assert.ok(levelAt(closed, 3.7, 3.9) - levelAt(plain, 3.7, 3.9) < -6);
    assert.ok(Math.abs(levelAt(closed, 5, 6) - levelAt(plain, 5, 6)) < 1.5);
    const opened = await mixOf(scoreOf(parts, dry, { moves: [move("filter_open", 4, 4, names)] }), [[stem]]);
    const rise = levelAt(opened, 3.7, 3.9) - levelAt(opened, 2.1, 2.3);
    assert.ok(rise > 6, `opens by ${rise} dB`);
  }
  const other = await mixOf(scoreOf(parts, dry, { moves: [move("mute", 4, 2, ["nobody"])] }), [[stem]]);
  assert.ok(same(other[0]!, plain[0]!));
  // What closes on the last beat stays closed over the tail: beat 8 is second 4.
  const ended = await mixOf(scoreOf(parts, dry, { beats: 8, moves: [move("filter_close", 4, 4)] }), [[stem]]);
  assert.ok(levelAt(ended, 4.5, 6) < levelAt(ended, 1, 2) - 6);
  // A throw is heard after the part has stopped.
  const short = stem.slice();
  short.fill(0, Math.round(2.5 * RATE));
  const silent = await mixOf(scoreOf(parts, dry), [[short]]);
  const thrown = await mixOf(scoreOf(parts, dry, { moves: [move("delay_throw", 4, 1)] }), [[short]]);
  assert.ok(levelAt(silent, 2.6, 3.2) < -60 && levelAt(thrown, 2.6, 3.2) > -40);
});

test("the whole mix fades in from silence and out to it", async () => {
  const parts = [partOf("lead", { name: "hiss" })];
  const moves = [move("fade_in", 0, 4), move("fade_out", 6, 4)];
  const [left] = await mixOf(scoreOf(parts, { space: 0, width: 0 }, { beats: 10, moves }), [[noise(SECONDS, 0.2, 5)]]);
  const level = (seconds: number): number =>
    20 * Math.log10(rms(left!, Math.round(seconds * RATE), Math.round((seconds + 0.1) * RATE)) + 1e-9);
  // Beats 4 to 6 are seconds 2 to 3; from second 5 on all is over.
  const full = level(2.4);
  assert.ok(level(0) < full - 30 && level(1) < full - 8 && level(1.9) > full - 2);
  assert.ok(level(3.2) > full - 4 && level(4.5) < full - 15 && level(5.2) < -90);
});

test("add() keeps no stem: what becomes of it afterwards is not heard", async () => {
  const score = scoreOf(BAND.slice(0, 3), { genre: "house" });
  const plain = await mixOf(score, band());
  const desk = createDesk(score, { frames: SECONDS * RATE, ring: false, seed: 1 });
  for (const [index, part] of score.parts.entries()) {
    const stem = band()[index]!;
    const before = stem[0].slice();
    await desk.add(part, stem, calm);
    assert.ok(same(stem[0], before), "a stem is read only");
    for (const channel of stem) channel.fill(9);
  }
  const { channels } = await desk.finish(calm);
  assert.ok(same(channels[0]!, plain[0]!));
});

test("the kick makes the pad way, as deep as the mix is asked to pump", async () => {
  // Drums are silent here, so that only their beats are at work.
  const parts = [partOf("drums", { notes: kicks }), partOf("pad")];
  const stems: Stem[] = [[new Float32Array(SECONDS * RATE)], [noise(SECONDS, 0.2, 8)]];
  const ripple = async (pump: number): Promise<number> => {
    const [left] = await mixOf(scoreOf(parts, { pump, space: 0, width: 0 }), stems);
    const level = (from: number): number =>
      20 * Math.log10(rms(left!, Math.round(from * RATE), Math.round((from + 0.04) * RATE)));
    let sum = 0;
    for (let beat = 4; beat < 12; beat++) sum += level(0.5 * beat + 0.44) - level(0.5 * beat + 0.01);
    return sum / 8;
  };
  assert.ok(Math.abs(await ripple(0)) < 1);
  const [half, full] = [await ripple(0.5), await ripple(1)];
  assert.ok(half > 2 && full > half + 3, `${half} dB, then ${full} dB`);
});

test("the band leaves room for the voice while it sings", async () => {
  const sung = Array.from({ length: 4 }, (_, beat) => note(4 + beat, 64, 1));
  const stems: Stem[] = [[noise(SECONDS, 0.2, 9)], [new Float32Array(SECONDS * RATE)]];
  const voice = partOf("vocal", { notes: sung });
  const presence = async (parts: readonly Part[]): Promise<number> => {
    const [left] = await mixOf(scoreOf(parts, { space: 0, width: 0 }), stems);
    const heard = Float64Array.from(left!);
    new Cascade([bandPass(2800, RATE, 2)]).run(heard, undefined, heard.length);
    const level = (from: number, to: number): number =>
      20 * Math.log10(rms(Float32Array.from(heard.subarray(from * RATE, to * RATE))));
    return level(3, 4) - level(5, 6);
  };
  const alone = await presence([partOf("chords")]);
  const together = await presence([partOf("chords"), voice]);
  assert.ok(Math.abs(alone) < 0.5 && together < alone - 1.5, `${alone} dB, with a voice ${together} dB`);
});

test("a driven part has no offset, however its wave leans", async () => {
  // One octave over another, in phase with it at its crests: high above, shallow below.
  const leaning = Float32Array.from({ length: SECONDS * RATE }, (_, n) => {
    const turn = (55 * n) / RATE;
    return 0.2 * cosine(turn) + 0.15 * cosine(2 * turn);
  });
  const [left] = await mixOf(scoreOf([partOf("bass", { instrument: "synth_bass" })], { drive: 1 }), [[leaning]]);
  const peak = left!.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  // 22 waves at a time.
  for (let at = RATE; at + 0.4 * RATE <= 5 * RATE; at += 0.4 * RATE) {
    const mean = left!.subarray(at, at + 0.4 * RATE).reduce((sum, value) => sum + value, 0) / (0.4 * RATE);
    assert.ok(Math.abs(mean) < 0.003 * peak, `${mean / peak} at ${at / RATE} s`);
  }
});
