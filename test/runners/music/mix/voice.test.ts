/** What records do to a voice, and to drums: s sounds held down, quiet sounds brought up, ends of phrases thrown into the echo. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Part } from "../../../../runners/music/compose/mod.ts";
import { Buses } from "../../../../runners/music/mix/buses.ts";
import { type Channel, channelOf } from "../../../../runners/music/mix/channel.ts";
import { throws } from "../../../../runners/music/mix/gestures.ts";
import { Strip } from "../../../../runners/music/mix/strip.ts";
import { musicOf } from "../../../../runners/packs/mod.ts";
import { bandPass, Cascade } from "../../../../runners/signal/dsp/biquad.ts";
import { STEP } from "../../../../runners/signal/dsp/control.ts";
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
