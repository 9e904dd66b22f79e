import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audio } from "../../../../contract/mod.ts";
import type { Timbre } from "../../../../runners/signal/analyse/analysis.ts";
import { hearColour } from "../../../../runners/signal/analyse/timbre/colour.ts";
import { timbre } from "../../../../runners/signal/analyse/timbre/timbre.ts";
import { chord, FREE, mono, noise, RATE, render, steady, stereo, strike } from "./tones.ts";

async function hear(audio: Audio, rhythm = FREE): Promise<Timbre> {
  const colour = await hearColour(audio, new AbortController().signal);
  return timbre(colour, rhythm, audio.channels[0]!.length / audio.sample_rate);
}

function sine(hz: number, seconds: number, amplitude = 0.5): Float32Array {
  return Float32Array.from({ length: seconds * RATE }, (_, n) => amplitude * Math.sin((2 * Math.PI * hz * n) / RATE));
}

test("a sine has its own frequency as centroid and all its energy in one octave", async () => {
  for (const [hz, octave] of [
    [125, 2],
    [1000, 5],
    [8000, 8],
    [15_000, 9],
  ] as const) {
    const { centroid_hz, octaves_db } = await hear(mono(sine(hz, 2)));
    assert.ok(Math.abs(centroid_hz - hz) < 0.02 * hz + 10, `${hz}: ${centroid_hz}`);
    assert.equal(octaves_db.length, 10);
    for (const [index, level] of octaves_db.entries()) {
      if (index === octave) assert.ok(level > -0.2 && level <= 0.01, `${hz}: ${level}`);
      else assert.ok(level < -15, `${hz}: octave ${index} at ${level}`);
    }
  }
});

test("width is -120 dB for mono, 0 dB for one channel alone, 120 dB for opposed channels", async () => {
  const tone = sine(440, 1);
  assert.equal((await hear(mono(tone))).width_db, -120);
  assert.equal((await hear(stereo(tone))).width_db, -120);
  assert.ok(Math.abs((await hear(stereo(tone, new Float32Array(tone.length)))).width_db) < 1e-6);
  assert.equal(
    (
      await hear(
        stereo(
          tone,
          tone.map((value) => -value),
        ),
      )
    ).width_db,
    120,
  );
});

test("strokes are percussive, held chords are not", async () => {
  const strokes = new Float32Array(8 * RATE);
  strike(
    strokes,
    Array.from({ length: 16 }, (_, k) => k / 2),
    0.5,
  );
  const struck = (await hear(mono(strokes))).percussive;
  const held = (await hear(mono(render(chord(0, 8, 48, [0, 4, 7], "saw"), 8)))).percussive;
  assert.ok(struck > 0.6, String(struck));
  assert.ok(held < 0.45, String(held));
});

test("attacks are counted a second", async () => {
  assert.equal((await hear(mono(noise(8, 0.1)), steady(8, 120))).onset_density, 2);
});

test("silence and a single sample give finite numbers", async () => {
  for (const samples of [new Float32Array(1), new Float32Array(RATE), Float32Array.of(1)]) {
    const { centroid_hz, octaves_db, percussive, onset_density, width_db } = await hear(mono(samples));
    for (const value of [centroid_hz, percussive, onset_density, width_db, ...octaves_db])
      assert.ok(Number.isFinite(value));
  }
});
