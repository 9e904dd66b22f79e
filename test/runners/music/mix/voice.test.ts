/** What records do to a voice, and to drums: s sounds held down, quiet sounds brought up, ends of phrases thrown into the echo. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Part } from "../../../../runners/music/compose/mod.ts";
import { Buses } from "../../../../runners/music/mix/buses.ts";
import { type Channel, channelOf } from "../../../../runners/music/mix/channel.ts";
import { throws } from "../../../../runners/music/mix/gestures.ts";
import { equaliseBand } from "../../../../runners/music/mix/group.ts";
import { Strip } from "../../../../runners/music/mix/strip.ts";
import { wayOf } from "../../../../runners/music/mix/way.ts";
import { musicOf } from "../../../../runners/packs/mod.ts";
import { bandPass, Cascade } from "../../../../runners/signal/dsp/biquad.ts";
import { STEP } from "../../../../runners/signal/dsp/control.ts";
import { stepsIn } from "../../../../runners/signal/dsp/gain_steps.ts";
import { drummed, noise, note, partOf, RATE, rms, scoreOf, struck } from "./material.ts";

const SECONDS = 8;
const FRAMES = SECONDS * RATE;

/** A part alone after its strip, dry. */
function treated(part: Part, stem: Float32Array, change: Partial<Channel> = {}): Float32Array {
  const score = scoreOf([part], { space: 0 });
  const buses = new Buses(FRAMES, false);
  for (const _ of new Strip(score, buses).add(part, [stem], { ...channelOf(part, score), ...change }));
  return buses.left;
}

test("s sounds of a voice are held down against its vowels, and those of an instrument are not", () => {
  // A vowel for 400 ms, an s for 100, and so on; an s is a rush around 6.5 kHz.
  const vowels = struck(SECONDS, [220], 0.5, 0.3);
  const rush = Float64Array.from(noise(SECONDS, 1, 3));
  new Cascade([bandPass(6500, RATE, 1), bandPass(6500, RATE, 1)]).run(rush, undefined, rush.length);
  const sung = vowels.map((value, n) => (n % (RATE / 2) > 0.4 * RATE ? rush[n]! : value));
  const sharp = (samples: Float32Array): number => {
    let [s, vowel] = [0, 0];
    for (let at = 2 * RATE; at + RATE / 2 <= FRAMES; at += RATE / 2) {
      vowel += rms(samples, at + 2000, at + 0.38 * RATE) ** 2;
      s += rms(samples, at + 0.42 * RATE, at + 0.49 * RATE) ** 2;
    }
    return 10 * Math.log10(s / vowel);
  };
  // The same strip, but for the role's de-esser.
  const score = scoreOf([partOf("vocal")], { space: 0 });
  const channel = { ...channelOf(partOf("vocal"), score), ratio: 1, parallel: 0, crest_db: Number.POSITIVE_INFINITY };
  const voice = sharp(treated(partOf("vocal"), sung, channel));
  const lead = sharp(treated(partOf("lead"), sung, channel));
  assert.ok(voice < lead - 3, `${voice} and ${lead} dB`);
});

test("parallel compression brings up what is quiet and leaves attacks", () => {
  for (const [role, stem] of [
    ["vocal", struck(SECONDS, [220, 262], 1, 0.3).map((value, n) => value * (n % (2 * RATE) < RATE ? 1 : 0.15))],
    ["drums", drummed(SECONDS).map((value, n) => value * (n % RATE < RATE / 2 ? 1 : 0.15))],
  ] as const) {
    const part = partOf(role);
    const whole = role === "vocal" ? RATE : RATE / 2;
    const span = (samples: Float32Array): number => {
      const loud = rms(samples, 4 * RATE, 4 * RATE + whole);
      return 20 * Math.log10(loud / rms(samples, 4 * RATE + whole, 4 * RATE + 2 * whole));
    };
    const own = channelOf(part, scoreOf([part])).parallel;
    assert.ok(own > 0.1, role);
    const [alone, beside] = [span(treated(part, stem, { parallel: 0 })), span(treated(part, stem))];
    assert.ok(beside < alone - 1, `${role}: ${alone}, ${beside} dB`);
  }
});

test("consonants of a voice come up against its vowels", () => {
  // A vowel for 200 ms, and 80 ms of what is a fifth as loud.
  const period = 12_348;
  const sung = struck(SECONDS, [220, 262], 1, 0.3).map((value, n) => value * (n % period < 8820 ? 1 : 0.2));
  const part = partOf("vocal");
  const between = (change: Partial<Channel>): number => {
    const samples = treated(part, sung, change);
    let [vowel, consonant] = [0, 0];
    for (let at = 14 * period; at < 20 * period; at += period) {
      vowel += rms(samples, at + 1300, at + 8400) ** 2;
      consonant += rms(samples, at + 10_100, at + 11_900) ** 2;
    }
    return 10 * Math.log10(vowel / consonant);
  };
  const [slow, quick] = [between({ quick: 1 }), between({})];
  assert.ok(quick < slow - 2, `${slow}, ${quick} dB`);
});

test("the band makes way for words where they are sung, and not between them", () => {
  const steps = stepsIn(FRAMES);
  // Sung from second 2 to 4, at any level.
  for (const level of [1e-3, 10]) {
    const way = wayOf(
      Float32Array.from({ length: steps }, (_, n) => ((n * STEP) / RATE >= 2 && (n * STEP) / RATE < 4 ? level : 0)),
    );
    const at = (seconds: number): number => way[Math.round((seconds * RATE) / STEP)]!;
    assert.ok(at(1.9) < 0.01 && at(5) < 0.01, `${at(1.9)}, ${at(5)}`);
    assert.ok(at(2) > 0.2 && at(3) > 0.29 && at(3) <= 0.3001, `${at(2)}, ${at(3)}`);
  }
  assert.ok(wayOf(new Float32Array(steps)).every((value) => value === 0));
  // Noise for a band: its octaves of words are lower while they are sung, and the bass is not.
  const band = (way: Float32Array | undefined): Float32Array => {
    const buses = new Buses(FRAMES, false);
    const hiss = noise(SECONDS, 0.1, 5);
    buses.left.set(hiss);
    buses.right.set(hiss);
    for (const _ of equaliseBand(buses, "pop", way));
    return buses.left;
  };
  const [usual, carved] = [band(undefined), band(new Float32Array(steps).fill(0.3))];
  const lost = (hertz: number): number => {
    const [one, other] = [usual, carved].map((samples) => {
      const heard = Float64Array.from(samples);
      new Cascade([bandPass(hertz, RATE, 3), bandPass(hertz, RATE, 3)]).run(heard, undefined, heard.length);
      return rms(Float32Array.from(heard), RATE, FRAMES);
    });
    return 20 * Math.log10(one! / other!);
  };
  assert.ok(Math.abs(lost(2000) - 3) < 0.4, `${lost(2000)} dB at 2 kHz`);
  assert.ok(Math.abs(lost(100)) < 0.3, `${lost(100)} dB at 100 Hz`);
});

test("a voice is thrown into the echo on ends of phrases that are followed by a rest, as far as its genre does it", () => {
  // Two phrases with two beats of rest after each, and one that goes on into the next.
  const phrases = [note(0, 60, 4), note(6, 60, 2), note(8.5, 60, 3)];
  const part = partOf("vocal", { notes: phrases });
  const at = (curve: Float32Array | undefined, beat: number): number =>
    curve?.[Math.round((beat * RATE) / 2 / STEP)] ?? 0;
  for (const genre of ["pop", "dub", "folk"] as const) {
    const amount = musicOf(genre).mix.phrase_echo!;
    const curve = throws(scoreOf([part], { genre }), part, FRAMES, false);
    assert.ok(Math.abs(at(curve, 3.7) - amount) < 0.01, `${genre}: ${at(curve, 3.7)}`);
    assert.ok(Math.abs(at(curve, 11.2) - amount) < 0.01, genre);
    for (const beat of [1, 2.5, 5, 7.8, 9.5, 12]) assert.equal(at(curve, beat), 0, `${genre} at ${beat}`);
  }
  assert.ok(musicOf("dub").mix.phrase_echo! > 2 * musicOf("folk").mix.phrase_echo!);
  assert.equal(throws(scoreOf([part], { genre: "classical" }), part, FRAMES, false), undefined);
});
