import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audio } from "../../../../contract/mod.ts";
import type { Form, Rhythm } from "../../../../runners/signal/analyse/analysis.ts";
import { describe } from "../../../../runners/signal/analyse/describe.ts";
import { fold } from "../../../../runners/signal/analyse/front.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { chord, FREE, mono, noise, RATE, render, steady, stereo, strike, type Tone, type Wave } from "./tones.ts";

const signal = new AbortController().signal;

async function hear(audio: Audio, rhythm: Rhythm): Promise<Form> {
  return (await describe(audio, await fold(audio, signal), rhythm, signal)).form;
}

interface Part {
  /** Roots from C3 on, a bar each, in turn. */
  readonly roots: readonly number[];
  readonly wave: Wave;
  readonly amplitude: number;
  readonly drums: boolean;
  /** Names the tune; none without. */
  readonly tune?: number;
}

/** Eight bars of two seconds for every part. */
function piece(parts: readonly Part[]): Float32Array {
  const tones: Tone[] = [];
  const strikes: number[] = [];
  for (const [index, { roots, wave, amplitude, drums, tune }] of parts.entries()) {
    const next = random(tune ?? 0);
    for (let bar = 0; bar < 8; bar++) {
      const at = 16 * index + 2 * bar;
      const root = 48 + roots[bar % roots.length]!;
      tones.push(...chord(at, 2, root, [0, root % 12 === 9 || root % 12 === 4 ? 3 : 4, 7], wave, amplitude));
      if (drums) for (let beat = 0; beat < 4; beat++) strikes.push(at + beat / 2);
      if (tune === undefined) continue;
      for (let step = 0; step < 4; step++) {
        const pitch = root + 24 + [0, 4, 7, 9, 12][Math.floor(next() * 5)]!;
        tones.push({ at: at + step / 2, seconds: 0.5, pitch, amplitude: 2 * amplitude, wave: "square" });
      }
    }
  }
  const out = render(tones, 16 * parts.length);
  strike(out, strikes, 0.15);
  return out;
}

const VERSE: Part = { roots: [0, 9, 5, 7], wave: "saw", amplitude: 0.06, drums: true };
const CASES: Readonly<Record<string, Part>> = {
  instruments: { ...VERSE, wave: "sine", drums: false },
  chords: { ...VERSE, roots: [2, 10, 3, 8] },
  energy: { ...VERSE, amplitude: 0.2 },
};

for (const [what, chorus] of Object.entries(CASES)) {
  test(`sections that differ by ${what} are told apart, and repeats are labelled alike`, async () => {
    const { sections } = await hear(stereo(piece([VERSE, chorus, VERSE, chorus])), steady(64));
    assert.deepEqual(
      sections.map(({ start, label }) => [start, label]),
      [
        [0, "A"],
        [16, "B"],
        [32, "A"],
        [48, "B"],
      ],
    );
  });
}

test("sections that differ by the melody alone are told apart", async () => {
  // A A B A: of A B A B the ear could say that one tune of sixteen bars is played twice.
  const parts = [7, 7, 8, 7].map((tune) => ({ ...VERSE, tune }));
  const { sections } = await hear(stereo(piece(parts)), steady(64));
  for (const boundary of [32, 48]) {
    assert.ok(
      sections.some(({ start }) => Math.abs(start - boundary) < 0.01),
      `${boundary}: ${JSON.stringify(sections)}`,
    );
  }
  assert.ok(sections.length <= 6, JSON.stringify(sections));
});

test("one loop all along is one section", async () => {
  const { sections } = await hear(mono(piece([VERSE, VERSE])), steady(32));
  assert.ok(new Set(sections.map(({ label }) => label)).size === 1, JSON.stringify(sections));
});

test("without beats a change is found within a second", async () => {
  // Uneven attacks, so that no half second is like another.
  const tones: Tone[] = [];
  for (let at = 0; at < 43; at += at < 20 ? 1.1 : 1.7) {
    const late = at >= 21;
    tones.push(...chord(at, 1.6, 48, [0, 4, 7], late ? "saw" : "sine", late ? 0.2 : 0.03));
  }
  const change = tones.find(({ wave }) => wave === "saw")!.at;
  const { sections, grid } = await hear(mono(render(tones, 44)), FREE);
  assert.ok(
    sections.some(({ start }) => Math.abs(start - change) <= 1),
    JSON.stringify(sections),
  );
  assert.ok(sections.length <= 3, JSON.stringify(sections));
  assert.ok(sections.at(-1)!.level_db > sections[0]!.level_db + 10);
  assert.equal(grid[1], 0.5);
});

test("sections, grid and curves cover silence, noise and what is short", async () => {
  for (const seconds of [0.05, 0.5, 2.5, 11]) {
    for (const samples of [new Float32Array(Math.round(seconds * RATE)), noise(seconds, 0.2)]) {
      for (const rhythm of [FREE, steady(seconds)]) {
        const { sections, grid, features, energy, loudness } = await hear(mono(samples), rhythm);
        const end = samples.length / RATE;
        assert.equal(sections[0]!.start, 0);
        assert.equal(sections.at(-1)!.end, end);
        for (const [index, section] of sections.entries()) {
          assert.ok(section.end > section.start && Number.isFinite(section.level_db));
          if (index > 0) assert.equal(section.start, sections[index - 1]!.end);
        }
        assert.equal(grid.length, features.length + 1);
        assert.deepEqual([grid[0], grid.at(-1)], [0, end]);
        for (let row = 1; row < grid.length; row++) assert.ok(grid[row]! > grid[row - 1]!);
        for (const row of features) {
          const timbre = Math.hypot(...row.subarray(12));
          assert.equal(row.length, 24);
          assert.ok(Math.abs(timbre - 1) < 1e-5, String(timbre));
        }
        assert.equal(energy.values.length, Math.ceil(end / energy.hop_seconds));
        assert.equal(loudness.values.length, Math.ceil(end / loudness.hop_seconds - 1e-9));
        assert.ok(energy.values.every((value) => value >= 0 && value <= 1));
        assert.ok(loudness.values.every((value) => value >= -70 && value < 10));
      }
    }
  }
});

test("momentary loudness reads a 997 Hz sine at -23 LUFS (Tech 3341, ± 0.1)", async () => {
  const left = Float32Array.from(
    { length: 3 * RATE },
    (_, n) => 10 ** (-23 / 20) * Math.sin((2 * Math.PI * 997 * n) / RATE),
  );
  const { loudness } = await hear(stereo(left), FREE);
  for (const value of loudness.values.subarray(2, 27)) assert.ok(Math.abs(value + 23) < 0.1, String(value));
});

test("energy rises with what is loud, bright and dense", async () => {
  const { energy } = await hear(
    stereo(piece([{ ...VERSE, wave: "sine", drums: false, amplitude: 0.02 }, VERSE])),
    steady(32),
  );
  const mean = (from: number, to: number): number => {
    const part = energy.values.subarray(from / energy.hop_seconds, to / energy.hop_seconds);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  };
  assert.ok(mean(20, 30) > mean(2, 14) + 0.3, `${mean(2, 14)} ${mean(20, 30)}`);
});
