import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audio } from "../../../../contract/mod.ts";
import { type Span, type VoiceActivity, voiceActivity } from "../../../../runners/signal/analyse/mod.ts";
import { decode } from "../../../../runners/signal/analyse/voice/decode.ts";
import type { Evidence } from "../../../../runners/signal/analyse/voice/evidence.ts";
import { joined, music, noise, silence } from "../../../audio.ts";
import {
  add,
  breath,
  CHILD,
  hum,
  keys,
  knock,
  MAN,
  type Phrase,
  speech,
  thump,
  timetable,
  WOMAN,
} from "../../../speech.ts";

const PHRASES = timetable(14, 0.8, [2.1, 0.9, 1.6], [0.6, 2.2]);
const never = new AbortController().signal;

const mono = (samples: Float32Array): Audio => ({ sample_rate: 44_100, channels: [samples] });
const find = (samples: Float32Array): Promise<VoiceActivity> => voiceActivity(mono(samples), never);
const scaled = (samples: Float32Array, decibels: number): Float32Array =>
  samples.map((sample) => sample * 10 ** (decibels / 20));

/** Every phrase found, begun by `late` seconds after it began at the latest, and nothing else. */
function assertFound(found: readonly Span[], phrases: readonly Phrase[], late: number, what: string): void {
  const told = `${what}: ${found.map(({ start, end }) => `${start.toFixed(2)}-${end.toFixed(2)}`).join(" ")}`;
  assert.equal(found.length, phrases.length, told);
  for (const [n, { start, end }] of phrases.entries()) {
    const span = found[n]!;
    assert.ok(span.start > start - 0.1 && span.start < start + late, `${told}: phrase at ${start}`);
    assert.ok(span.end > end - 0.15 && span.end < end + 0.2, `${told}: phrase to ${end}`);
  }
}

test("voiceActivity() locates phrases of a man, a woman and a child to 20 ms where it is quiet", async () => {
  for (const [name, voice] of Object.entries({ MAN, WOMAN, CHILD })) {
    const { samples } = speech(3, 14, PHRASES, voice);
    const { speech: found, probability, hop_seconds } = await find(samples);
    assertFound(found, PHRASES, 0.02, name);
    assert.equal(hop_seconds, 0.01);
    assert.equal(probability.length, 1400);
    assert.ok(probability.every((value) => value >= 0 && value <= 1));
    const at = (seconds: number): number => probability[Math.round(seconds / hop_seconds)]!;
    assert.ok(at(1.8) > 0.95 && at(5.5) < 0.35, `${name}: ${at(1.8)} while speaking, ${at(5.5)} in a pause`);
  }
});

test("voiceActivity() finds the same speech at every level and in 15 dB of noise", async () => {
  const { samples } = speech(4, 14, PHRASES, WOMAN);
  for (const level of [-30, 9]) assertFound((await find(scaled(samples, level))).speech, PHRASES, 0.03, `${level} dB`);
  let power = 0;
  for (const sample of samples) power += sample * sample;
  const rms = Math.sqrt(power / samples.length / 0.6);
  const noisy = noise(5, 14, 44_100, rms * Math.sqrt(3) * 10 ** (-15 / 20));
  add(noisy, samples, 0);
  assertFound((await find(noisy)).speech, PHRASES, 0.12, "noise");
});

test("voiceActivity() hears whispered sentences by their syllables", async () => {
  const phrases = [
    { start: 1, end: 4.5 },
    { start: 7, end: 10 },
  ];
  const { samples } = speech(6, 12, phrases, { ...WOMAN, whispered: true });
  const { speech: found } = await find(samples);
  for (const { start, end } of phrases) {
    let covered = 0;
    for (const span of found) covered += Math.max(0, Math.min(end, span.end) - Math.max(start, span.start));
    assert.ok(covered > 0.7 * (end - start), `${covered} s of ${end - start} s`);
  }
});

test("voiceActivity() takes nothing for speech that is none", async () => {
  const beds: [string, Float32Array][] = [
    ["silence", silence(4)],
    ["noise", noise(1, 8, 44_100, 0.05)],
    ["steady hum", hum(8)],
    ["hum that comes and goes", joined(silence(2), hum(1.5), silence(2), hum(0.7, 60, 0.2), silence(2))],
  ];
  const events = scaled(noise(2, 24), -60);
  for (let n = 0; n < 4; n++) {
    add(events, thump(n), 1 + 6 * n);
    add(events, knock(n), 2 + 6 * n);
    add(events, knock(n + 10), 2.25 + 6 * n);
    add(events, keys(n, 1.2), 3 + 6 * n);
    add(events, breath(n, 0.5), 5.2 + 6 * n);
  }
  beds.push(["thumps, knocks, keys and breaths", events]);
  for (const [what, samples] of beds) assert.deepEqual((await find(samples)).speech, [], what);
});

test("voiceActivity() tells a voice from soft music behind it, and an accompaniment from a voice", async () => {
  const [left] = music(7, 14);
  const { samples } = speech(8, 14, PHRASES, MAN);
  const both = scaled(left, -38);
  add(both, samples, 0);
  const { speech: found } = await find(both);
  const inside = (time: number): boolean => found.some(({ start, end }) => time >= start && time < end);
  for (const { start, end } of PHRASES)
    assert.ok(inside(start + 0.1) && inside((start + end) / 2), `phrase at ${start}`);
  assert.ok(!inside(5.6), "the pause from 4.9 to 6.5 s");
  assert.deepEqual((await find(left)).speech, [], "chords, bass and drums alone");
});

test("voiceActivity() hears a voice on one side, on both and inverted on one", async () => {
  const { samples } = speech(9, 14, PHRASES, MAN);
  const sides: [string, Float32Array[]][] = [
    ["left", [samples, silence(14)]],
    ["right", [silence(14), samples]],
    ["both", [samples, samples]],
    ["inverted", [samples, samples.map((sample) => -sample)]],
  ];
  for (const [what, channels] of sides) {
    assertFound((await voiceActivity({ sample_rate: 44_100, channels }, never)).speech, PHRASES, 0.02, what);
  }
});

test("voiceActivity() takes what is shorter than its window, and stops when told to", async () => {
  for (const frames of [1, 440, 2047]) {
    const { speech: found, probability } = await find(new Float32Array(frames).fill(0.1));
    assert.deepEqual([found, probability.length], [[], Math.ceil(frames / 441)]);
  }
  const stopped = voiceActivity(mono(noise(3, 1)), AbortSignal.abort(new Error("enough")));
  await assert.rejects(stopped, /enough/u);
});

test("decode() takes what rings after a knock for none, and words after one for speech", () => {
  const evidence = (voiced_hops: number, blow: boolean): Evidence => {
    const of = (from: number, to: number, value: number, rest = 0): Float32Array =>
      new Float32Array(300).fill(rest).fill(value, from, to);
    return {
      voiced: of(100, 100 + voiced_hops, 0.6),
      sounding: of(100, 100 + voiced_hops, 1),
      spoken: new Float32Array(300),
      unstruck: blow ? of(96, 116, 0, 1) : new Float32Array(300).fill(1),
    };
  };
  const spoken = (found: Evidence): number => decode(found).speech.reduce((sum, state) => sum + state, 0);
  assert.equal(spoken(evidence(26, true)), 0);
  assert.ok(spoken(evidence(26, false)) >= 20, `${spoken(evidence(26, false))} hops of a short word`);
  assert.ok(spoken(evidence(60, true)) >= 50, `${spoken(evidence(60, true))} hops of a word after a knock`);
});
