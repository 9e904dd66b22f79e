import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type Instrument, instruments } from "../../../../runners/music/compose/instruments.ts";
import type { Articulation } from "../../../../runners/music/compose/score.ts";
import { type Performance, type PlayedNote, RATE } from "../../../../runners/music/play/performance.ts";
import { isSynthesised, synthesise } from "../../../../runners/music/play/synth/synth.ts";
import { useScratch } from "../../../../runners/scratch.ts";

const SYNTHESISED = instruments().filter(isSynthesised);

const KITS: readonly Instrument[] = ["electronic_kit", "house_kit", "trap_kit", "lofi_kit", "breakbeat_kit"];
const UNPITCHED = /_kit$|_snaps$|_texture$|noise|hiss|riser|downlifter|impact|sub_drop|reverse/;
const BASSES = /bass$/;

function note(
  seconds: number,
  held: number,
  pitch: number,
  velocity = 0.8,
  turn = 0,
  articulation?: Articulation,
): PlayedNote {
  const plain = { frame: Math.round(seconds * RATE), frames: Math.round(held * RATE), pitch, velocity, turn };
  return articulation === undefined ? plain : { ...plain, articulation };
}

function performance(instrument: Instrument, events: readonly PlayedNote[], seconds: number, ring = 0): Performance {
  return { instrument, events, frames: Math.round(seconds * RATE), ring, bpm: 120, seed: 5 };
}

function play(instrument: Instrument, events: readonly PlayedNote[], seconds: number): readonly Float32Array[] {
  return synthesise(performance(instrument, events, seconds));
}

function peakOf(channels: readonly Float32Array[], from = 0, to = channels[0]!.length): number {
  let peak = 0;
  for (const channel of channels) for (let n = from; n < to; n++) peak = Math.max(peak, Math.abs(channel[n]!));
  return peak;
}

function mixed(channels: readonly Float32Array[]): Float32Array {
  const [left, right = left] = channels;
  return left!.map((value, n) => 0.5 * (value + right![n]!));
}

/** |X(hertz)|² of a stretch under a Hann window, by phasors that turn. */
function powerAt(samples: Float32Array, from: number, to: number, hertz: number): number {
  const turn = (2 * Math.PI * hertz) / RATE;
  const step = (2 * Math.PI) / (to - from);
  const [dr, di] = [Math.cos(turn), Math.sin(turn)];
  const [wr, wi] = [Math.cos(step), Math.sin(step)];
  let re = 0;
  let im = 0;
  let x = 1;
  let y = 0;
  let u = 1;
  let v = 0;
  for (let n = from; n < to; n++) {
    const value = samples[n]! * (0.5 - 0.5 * u);
    re += value * x;
    im += value * y;
    const next = x * dr - y * di;
    y = x * di + y * dr;
    x = next;
    const later = u * wr - v * wi;
    v = u * wi + v * wr;
    u = later;
  }
  return (re * re + im * im) / ((to - from) * (to - from));
}

/** Cents by which the power around a partial lies above where it should: detuned layers count by their weight. */
function centsAside(samples: Float32Array, from: number, to: number, hertz: number): number {
  let power = 0;
  let moment = 0;
  for (let cents = -72; cents <= 72; cents += 9) {
    const at = powerAt(samples, from, to, hertz * 2 ** (cents / 1200));
    power += at;
    moment += at * cents;
  }
  return moment / power;
}

describe("synthesise", () => {
  test("plays every instrument of its list from its frame on, at a level, and stops without a click", () => {
    for (const instrument of SYNTHESISED) {
      const pitch = KITS.includes(instrument) ? 38 : 57;
      const held = /texture|noise|hiss/.test(instrument) ? 4 : 0.6;
      const stem = play(instrument, [note(0.5, held, pitch)], 6);
      assert.equal(stem[0]!.length, 6 * RATE, instrument);
      for (const channel of stem) assert.ok(channel.every(Number.isFinite), `${instrument}: a number`);
      assert.equal(peakOf(stem, 0, RATE / 2), 0, `${instrument}: silence before`);
      const slow = /pad|drone|texture|noise|hiss|riser|reverse/.test(instrument);
      assert.ok(
        peakOf(stem, RATE / 2, RATE / 2 + (slow ? 18_000 : 900)) > 0.0008,
        `${instrument}: begins at its frame`,
      );
      const peak = peakOf(stem);
      const mean = stem[0]!.reduce((sum, value) => sum + value, 0) / stem[0]!.length;
      assert.ok(Math.abs(mean) < 0.0005, `${instrument}: a constant of ${mean}`);
      assert.ok(peak > 0.08 && peak < 0.45, `${instrument}: peak ${peak}`);
      assert.ok(peakOf(stem, 6 * RATE - 400) < 0.0005, `${instrument}: silence at the end`);
    }
  });

  test("is in tune over three octaves", () => {
    for (const instrument of SYNTHESISED) {
      if (UNPITCHED.test(instrument)) continue;
      for (const pitch of BASSES.test(instrument) ? [33, 45, 57] : [48, 60, 72]) {
        const samples = mixed(play(instrument, [note(0, 1.4, pitch)], 1.4));
        const hertz = 440 * 2 ** ((pitch - 69) / 12);
        const cents = centsAside(samples, 0.3 * RATE, 1.3 * RATE, hertz);
        assert.ok(Math.abs(cents) < 10, `${instrument} at ${pitch}: ${cents} cents`);
      }
    }
  });

  test("keeps basses, kicks, snares and claps in the middle exactly", () => {
    for (const instrument of ["synth_bass", "sub_bass", "acid_bass", "reese_bass"] as const)
      assert.equal(play(instrument, [note(0, 0.3, 36)], 0.5).length, 1, instrument);
    for (const kit of KITS)
      for (const key of [35, 36, 37, 38, 39, 40]) {
        const [left, right] = play(kit, [note(0, 0.1, key)], 0.3);
        assert.deepEqual(left, right, `${kit} ${key}`);
      }
  });

  test("gives velocity a brightness, not a level alone", () => {
    // Share of the power above 2 kHz by a first difference, which rises with frequency.
    const brightness = (samples: Float32Array): number => {
      let steps = 0;
      let power = 0;
      for (let n = 1; n < samples.length; n++) {
        steps += (samples[n]! - samples[n - 1]!) ** 2;
        power += samples[n]! ** 2;
      }
      return steps / power;
    };
    for (const instrument of [
      "synth_bass",
      "acid_bass",
      "saw_lead",
      "supersaw",
      "pluck",
      "fm_piano",
      "electric_piano",
      "brass_synth",
      "warm_pad",
    ] as const) {
      const pitch = BASSES.test(instrument) ? 40 : 60;
      const soft = brightness(mixed(play(instrument, [note(0, 0.5, pitch, 0.3)], 0.6)));
      const firm = brightness(mixed(play(instrument, [note(0, 0.5, pitch, 1)], 0.6)));
      assert.ok(firm > 1.3 * soft, `${instrument}: ${soft} to ${firm}`);
    }
  });

  test("slides between connected notes of a bass and does not strike the second anew", () => {
    const slid = play("sub_bass", [note(0, 0.5, 33), note(0.5, 0.8, 45, 0.8, 1, "slide")], 1.4)[0]!;
    const from = centsAside(slid, 0.1 * RATE, 0.45 * RATE, 55);
    const to = centsAside(slid, 0.8 * RATE, 1.25 * RATE, 110);
    assert.ok(Math.abs(from) < 15 && Math.abs(to) < 15, `${from} and ${to} cents`);
    // On the way it passes the tritone, which neither note has.
    const passing = powerAt(slid, 0.5 * RATE, 0.62 * RATE, 77.8);
    const struck = play("sub_bass", [note(0, 0.45, 33), note(0.5, 0.8, 45, 0.8, 1)], 1.4)[0]!;
    assert.ok(passing > 0, "passes");
    // A new attack starts from silence: right at the second note the struck one is quieter than the slid one.
    const at = Math.round(0.5 * RATE);
    assert.ok(peakOf([slid], at - 300, at + 60) > 4 * peakOf([struck], at - 20, at + 20));
  });

  test("gives each note of a chord a voice on a monophonic lead", () => {
    const chord = mixed(play("saw_lead", [note(0, 1, 57), note(0, 1, 64), note(0.004, 1, 69)], 1.1));
    for (const pitch of [57, 64, 69]) {
      const hertz = 440 * 2 ** ((pitch - 69) / 12);
      const there = powerAt(chord, 0.1 * RATE, 0.9 * RATE, hertz);
      assert.ok(there > 20 * powerAt(chord, 0.1 * RATE, 0.9 * RATE, hertz * 1.06), `${pitch}`);
    }
  });

  test("has no partials where there should be none: a high note is not folded", () => {
    for (const instrument of [
      "saw_lead",
      "square_lead",
      "chip_lead",
      "supersaw",
      "pluck",
      "fm_piano",
      "electric_piano",
      "clavinet",
      "synth_bass",
      "acid_bass",
    ] as const) {
      const pitch = BASSES.test(instrument) ? 67 : 96;
      const hertz = 440 * 2 ** ((pitch - 69) / 12);
      const samples = mixed(play(instrument, [note(0, 0.8, pitch, 1)], 0.8));
      let own = 0;
      let other = 0;
      for (let k = 1; k * hertz < 20_000; k++) own = Math.max(own, powerAt(samples, 4000, 0.75 * RATE, k * hertz));
      // Half-way and a third between partials, away from vibrato and detuning.
      for (let k = 0; (k + 0.7) * hertz < 20_000; k++)
        for (const aside of [0.33, 0.4, 0.6, 0.67])
          other = Math.max(other, powerAt(samples, 4000, 0.75 * RATE, (k + aside) * hertz));
      const db = 10 * Math.log10(other / own);
      assert.ok(db < -60, `${instrument}: ${db} dB`);
    }
  });

  test("says the same again, and something else with another seed", () => {
    for (const instrument of ["supersaw", "house_kit", "rain_texture", "warm_pad"] as const) {
      const pitch = instrument === "house_kit" ? 42 : 60;
      const one = performance(instrument, [note(0, 0.4, pitch), note(0.5, 0.4, pitch, 0.8, 1)], 1);
      assert.deepEqual(synthesise(one), synthesise(one), instrument);
      assert.notDeepEqual(synthesise(one), synthesise({ ...one, seed: 6 }), instrument);
    }
  });

  test("has the samples of notes that come again from memory, from the disk, and made anew", () => {
    // Sixteen sounds of 1.4 MB: more than lie in memory.
    const notes = Array.from({ length: 32 }, (_, n) => note(1.25 * n, 3.5, 48 + (n % 16)));
    const given = performance("warm_pad", notes, 44);
    useScratch(undefined);
    const anew = synthesise(given);
    const folder = mkdtempSync(join(tmpdir(), "tonwerk-synth-"));
    useScratch(folder);
    try {
      assert.deepEqual(synthesise(given), anew);
    } finally {
      useScratch(undefined);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("makes sense of what makes none", () => {
    for (const instrument of SYNTHESISED) {
      const wild: PlayedNote[] = [
        note(0, 0, 0, 0.5),
        note(0, 5, 127, 1.7),
        note(0.1, 0.00001, 60.37, 0.02),
        note(0.2, 0.1, 60, 0),
        note(9, 1, 60),
      ];
      const stem = synthesise(performance(instrument, wild, 0.4));
      for (const channel of stem)
        assert.ok(
          channel.every((value) => Math.abs(value) < 2),
          instrument,
        );
      assert.equal(peakOf(synthesise(performance(instrument, [], 0.1))), 0, instrument);
    }
    assert.equal(peakOf(play("piano", [note(0, 1, 60)], 1)), 0);
  });
});
