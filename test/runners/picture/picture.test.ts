/** Known audio, known pixels. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, test } from "node:test";
import sharp from "sharp";
import { levelsOf } from "../../../runners/picture/levels.ts";
import { picture } from "../../../runners/picture/mod.ts";
import { drawSpectrogram, rowOf, spectrogramOf } from "../../../runners/picture/spectrogram.ts";
import { drawWaveform } from "../../../runners/picture/waveform.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { inFolder, sine, wav } from "../../audio.ts";

const RATE = 44_100;
const COLOURS = { peak: [200, 0, 0], body: [0, 0, 200] } as const;

const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 1000 });
after(() => pool.close());

/** Opacity of column `x` from the top. */
function column(rgba: Uint8Array, width: number, x: number): number[] {
  const height = rgba.length / 4 / width;
  return Array.from({ length: height }, (_, y) => rgba[(y * width + x) * 4 + 3]!);
}

test("levels are the extremes and the root mean square of each column's samples", () => {
  const left = Float32Array.of(0.5, -0.25, 0, 0, 1, 1, -1, -1);
  const { low, high, rms } = levelsOf({ sample_rate: RATE, channels: [left] }, 4);
  assert.deepEqual([...low], [-0.25, 0, 1, -1]);
  assert.deepEqual([...high], [0.5, 0, 1, -1]);
  assert.deepEqual([...rms], [Math.fround(Math.sqrt((0.25 + 0.0625) / 2)), 0, 1, 1]);
  const stereo = levelsOf({ sample_rate: RATE, channels: [Float32Array.of(0.5, 0), Float32Array.of(-1, 0)] }, 2);
  assert.deepEqual([stereo.low[0], stereo.high[0]], [-1, 0.5]);
  // Fewer samples than columns, and none at all.
  assert.deepEqual([...levelsOf({ sample_rate: RATE, channels: [Float32Array.of(0.5)] }, 3).high], [0.5, 0.5, 0.5]);
  assert.deepEqual([...levelsOf({ sample_rate: RATE, channels: [new Float32Array(0)] }, 2).high], [0, 0]);
});

test("a waveform fills from the smallest to the largest sample, the root mean square in front", () => {
  const levels = {
    low: Float32Array.of(-1, -0.5, 0, -0.5, -2),
    high: Float32Array.of(1, 0.5, 0, 0.25, 2),
    rms: Float32Array.of(0.5, 0.5, 0, 0, 2),
  };
  const rgba = drawWaveform(levels, 8, COLOURS);
  const full = [255, 255, 255, 255, 255, 255, 255, 255];
  assert.deepEqual(column(rgba, 5, 0), full);
  assert.deepEqual(column(rgba, 5, 1), [0, 0, 255, 255, 255, 255, 0, 0]);
  // Silence: one pixel, half above and half below the middle.
  assert.deepEqual(column(rgba, 5, 2), [0, 0, 0, 128, 128, 0, 0, 0]);
  assert.deepEqual(column(rgba, 5, 3), [0, 0, 0, 255, 255, 255, 0, 0]);
  // Above full scale: no further than the edge.
  assert.deepEqual(column(rgba, 5, 4), full);
  const colour = (x: number, y: number) => [...rgba.subarray((y * 5 + x) * 4, (y * 5 + x) * 4 + 3)];
  assert.deepEqual(
    [colour(0, 1), colour(0, 2), colour(0, 5), colour(0, 6)],
    [
      [200, 0, 0],
      [0, 0, 200],
      [0, 0, 200],
      [200, 0, 0],
    ],
  );
});

test("a spectrogram shows a sine in its row, at its level, for its time", () => {
  const [width, height] = [40, 200];
  for (const [hertz, amplitude] of [
    [100, 1],
    [1000, 0.5],
    [10_000, 0.05],
  ] as const) {
    const tone = sine(hertz, 1, RATE, amplitude);
    const half = new Float32Array(2 * RATE);
    half.set(tone, RATE);
    const levels = spectrogramOf({ sample_rate: RATE, channels: [half] }, width, height);
    const at = (x: number) => Array.from({ length: height }, (_, y) => levels[y * width + x]!);
    const loud = at(30);
    const brightest = loud.indexOf(Math.max(...loud));
    assert.ok(Math.abs(brightest + 0.5 - rowOf(hertz, height)) <= 4, `${hertz} Hz is in row ${brightest}`);
    // 96 dB from dark to bright; a Hann window and the row's place between two bins take up to 1.5 dB.
    const db = (Math.max(...loud) - 1) * 96;
    assert.ok(Math.abs(db - 20 * Math.log10(amplitude)) < 1.6, `${hertz} Hz shows ${db} dB`);
    assert.equal(Math.max(...at(5)), 0, "dark before the sine begins");
  }
  const rgba = drawSpectrogram(Float32Array.of(0, 1));
  assert.deepEqual([...rgba], [13, 17, 23, 255, 250, 240, 178, 255]);
});

test("the pool makes WebP at one and two pixels a point, with the audio in its place", () =>
  inFolder(async (path) => {
    const tone = sine(RATE / 8, 2, RATE, 0.5);
    tone.fill(0, 0, RATE);
    await writeFile(path("tone.wav"), wav([tone]));
    const options = { signal: new AbortController().signal, ms_max: 60_000 };
    const pictures = await pool.run(picture, { path: path("tone.wav") }, options);
    const names = ["waveform-light", "waveform-dark", "spectrogram"].flatMap((name) => [`${name}-1x`, `${name}-2x`]);
    assert.deepEqual(Object.keys(pictures).sort(), names.sort());
    for (const name of names) {
      const { format, width, height } = await sharp(pictures[name]!).metadata();
      const scale = name.endsWith("2x") ? 2 : 1;
      assert.deepEqual([format, width, height], ["webp", 1100 * scale, (name.startsWith("w") ? 120 : 160) * scale]);
    }
    const { data } = await sharp(pictures["waveform-light-2x"]!)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const opaque = (x: number) => column(new Uint8Array(data), 2200, x).filter((alpha) => alpha > 127).length;
    assert.ok(opaque(500) <= 2, "silence is a line");
    assert.ok(Math.abs(opaque(1600) - 120) <= 2, "half of full scale fills half of the height");
    await assert.rejects(pool.run(picture, { path: path("none.wav") }, options));
  }));
