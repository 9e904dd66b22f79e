/** Known audio, known pixels. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, test } from "node:test";
import { crc32, inflateSync } from "node:zlib";
import { watchMemory } from "../../../../bench/abuse/memory.ts";
import { createPool } from "../../../../runners/pool/pool.ts";
import type { Drawing, Palette } from "../../../../runners/signal/picture/drawing.ts";
import { halveLevels, LevelMeter } from "../../../../runners/signal/picture/levels.ts";
import { picture } from "../../../../runners/signal/picture/mod.ts";
import {
  drawSpectrogram,
  rowOf,
  SPECTROGRAM_PALETTE,
  SpectrumMeter,
} from "../../../../runners/signal/picture/spectrogram.ts";
import { drawWaveform, waveformPalette } from "../../../../runners/signal/picture/waveform.ts";
import { inFolder, sine, wav } from "../../../audio.ts";

const RATE = 44_100;
const COLOURS = { peak: [200, 0, 0], body: [0, 0, 200] } as const;

/** In blocks of `block` frames, as a decoder gives them. */
function* blocks(channels: readonly Float32Array[], block: number): Generator<[readonly Float32Array[], number]> {
  const frames = channels[0]?.length ?? 0;
  for (let at = 0; at < frames; at += block) {
    const count = Math.min(block, frames - at);
    // More room than counts.
    yield [channels.map((channel) => Float32Array.of(...channel.subarray(at, at + count), 9, 9)), count];
  }
}

function levelsOf(channels: readonly Float32Array[], columns: number, block = 3) {
  const meter = new LevelMeter(channels[0]?.length ?? 0, columns);
  for (const [some, frames] of blocks(channels, block)) meter.push(some, frames);
  return meter.finish();
}

function spectrumOf(channels: readonly Float32Array[], width: number, height: number, block: number) {
  const form = { frames: channels[0]!.length, sample_rate: RATE, channels: channels.length };
  const meter = new SpectrumMeter(form, width, height);
  for (const [some, frames] of blocks(channels, block)) meter.push(some, frames);
  return meter.finish();
}

const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 1000 });
after(() => pool.close());

type Seen = Drawing & { readonly palette: Palette };

/** Red, green, blue and opacity of column `x` from the top. */
const columnOf = ({ width, height, pixels, palette }: Seen, x: number) =>
  Array.from({ length: height }, (_, y) => palette[pixels[y * width + x]!]!);
const opacities = (seen: Seen, x: number): number[] => columnOf(seen, x).map(([, , , opacity]) => opacity);

/** What a viewer makes of a PNG file of eight bits in a palette, with checked sums and unfiltered rows. */
function readPng(bytes: Uint8Array): Seen {
  const file = Buffer.from(bytes);
  assert.equal(file.toString("hex", 0, 8), "89504e470d0a1a0a");
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    assert.equal(file.readUInt32BE(end), crc32(file.subarray(at + 4, end)));
    chunks.set(file.toString("latin1", at + 4, at + 8), file.subarray(at + 8, end));
    at = end + 4;
  }
  const [head, colours, alphas] = ["IHDR", "PLTE", "tRNS"].map((name) => chunks.get(name)!) as [Buffer, Buffer, Buffer];
  assert.deepEqual([...head.subarray(8)], [8, 3, 0, 0, 0]);
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const rows = inflateSync(chunks.get("IDAT")!);
  assert.equal(rows.length, (width + 1) * height);
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    assert.equal(rows[y * (width + 1)], 0);
    pixels.set(rows.subarray(y * (width + 1) + 1, (y + 1) * (width + 1)), y * width);
  }
  const palette = Array.from(alphas, (opacity, index) => [...colours.subarray(3 * index, 3 * index + 3), opacity]);
  return { width, height, pixels, palette: palette as unknown as Palette };
}

test("levels are the extremes and the root mean square of each column's samples", () => {
  const left = Float32Array.of(0.5, -0.25, 0, 0, 1, 1, -1, -1);
  const { low, high, rms } = levelsOf([left], 4);
  assert.deepEqual([...low], [-0.25, 0, 1, -1]);
  assert.deepEqual([...high], [0.5, 0, 1, -1]);
  assert.deepEqual([...rms], [Math.fround(Math.sqrt((0.25 + 0.0625) / 2)), 0, 1, 1]);
  const stereo = levelsOf([Float32Array.of(0.5, 0), Float32Array.of(-1, 0)], 2);
  assert.deepEqual([stereo.low[0], stereo.high[0]], [-1, 0.5]);
  const half = halveLevels(levelsOf([left], 4));
  assert.deepEqual([...half.low, ...half.high], [-0.25, -1, 0.5, 1]);
  assert.deepEqual([...half.rms], [Math.fround(Math.sqrt((0.25 + 0.0625) / 4)), 1]);
  // Fewer samples than columns, and none at all.
  assert.deepEqual([...levelsOf([Float32Array.of(0.5)], 3).high], [0.5, 0.5, 0.5]);
  assert.deepEqual([...levelsOf([new Float32Array(0)], 2).high], [0, 0]);
});

test("levels and spectrum are the same in whatever blocks the audio comes", () => {
  const noise = (seed: number, frames: number) =>
    Float32Array.from({ length: frames }, (_, n) => Math.sin((n * (n + seed)) / 7) * Math.cos(n / 900));
  for (const frames of [1, 7, 40, 5_000, 100_000]) {
    const channels = [noise(1, frames), noise(2, frames)];
    const [levels, spectrum] = [levelsOf(channels, 40, frames), spectrumOf(channels, 40, 50, frames)];
    for (const block of [1, 100, 4_096, 16_385, 65_536].filter((size) => frames / size < 5_000)) {
      assert.deepEqual(spectrumOf(channels, 40, 50, block), spectrum, `${frames} frames in blocks of ${block}`);
      const { low, high, rms } = levelsOf(channels, 40, block);
      assert.deepEqual([low, high], [levels.low, levels.high]);
      for (const [column, value] of rms.entries()) assert.ok(Math.abs(value - levels.rms[column]!) < 1e-6);
    }
  }
});

test("a waveform fills from the smallest to the largest sample, the root mean square in front", () => {
  const levels = {
    low: Float32Array.of(-1, -0.5, 0, -0.5, -2),
    high: Float32Array.of(1, 0.5, 0, 0.25, 2),
    rms: Float32Array.of(0.5, 0.5, 0, 0, 2),
  };
  const seen = { ...drawWaveform(levels, 8), palette: waveformPalette(COLOURS) };
  const full = [255, 255, 255, 255, 255, 255, 255, 255];
  assert.deepEqual(opacities(seen, 0), full);
  assert.deepEqual(opacities(seen, 1), [0, 0, 255, 255, 255, 255, 0, 0]);
  // Silence: one pixel, half above and half below the middle, in steps of a fifteenth.
  assert.deepEqual(opacities(seen, 2), [0, 0, 0, 136, 136, 0, 0, 0]);
  assert.deepEqual(opacities(seen, 3), [0, 0, 0, 255, 255, 255, 0, 0]);
  // Above full scale: no further than the edge.
  assert.deepEqual(opacities(seen, 4), full);
  const colour = (x: number, y: number) => columnOf(seen, x)[y]!.slice(0, 3);
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
    const levels = spectrumOf([half], width, height, 5000);
    const at = (x: number) => Array.from({ length: height }, (_, y) => levels[y * width + x]!);
    const loud = at(30);
    const brightest = loud.indexOf(Math.max(...loud));
    assert.ok(Math.abs(brightest + 0.5 - rowOf(hertz, height)) <= 4, `${hertz} Hz is in row ${brightest}`);
    // 96 dB from dark to bright; a Hann window and the row's place between two bins take up to 1.5 dB.
    const db = (Math.max(...loud) - 1) * 96;
    assert.ok(Math.abs(db - 20 * Math.log10(amplitude)) < 1.6, `${hertz} Hz shows ${db} dB`);
    assert.equal(Math.max(...at(5)), 0, "dark before the sine begins");
  }
  const { pixels } = drawSpectrogram(Float32Array.of(0, 1), 2, 1);
  assert.deepEqual(
    [...pixels].map((pixel) => SPECTROGRAM_PALETTE[pixel]),
    [
      [13, 17, 23, 255],
      [250, 240, 178, 255],
    ],
  );
  const half = drawSpectrogram(Float32Array.of(0, 1, 0, 0, 1, 1, 0, 0), 4, 2);
  assert.deepEqual({ ...half, pixels: [...half.pixels] }, { width: 2, height: 1, pixels: [47, 0] });
});

test("the pool makes PNG at one and two pixels a point, with the audio in its place", () =>
  inFolder(async (path) => {
    const tone = sine(RATE / 8, 2, RATE, 0.5);
    tone.fill(0, 0, RATE);
    await writeFile(path("tone.wav"), wav([tone]));
    const options = { signal: new AbortController().signal, ms_max: 60_000 };
    const pictures = await pool.run(picture, { path: path("tone.wav") }, options);
    const names = ["waveform-light", "waveform-dark", "spectrogram"].flatMap((name) => [`${name}-1x`, `${name}-2x`]);
    assert.deepEqual(Object.keys(pictures).sort(), names.sort());
    for (const name of names) {
      const { width, height } = readPng(pictures[name]!);
      const scale = name.endsWith("2x") ? 2 : 1;
      assert.deepEqual([width, height], [1100 * scale, (name.startsWith("w") ? 120 : 160) * scale]);
    }
    const seen = readPng(pictures["waveform-light-2x"]!);
    const opaque = (x: number) => opacities(seen, x).filter((opacity) => opacity > 137).length;
    assert.ok(opaque(500) <= 2, "silence is a line");
    assert.ok(Math.abs(opaque(1600) - 120) <= 2, "half of full scale fills half of the height");
    await assert.rejects(pool.run(picture, { path: path("none.wav") }, options));
    // What is said of the length is checked: it is drawn as if nothing had been said.
    for (const seconds of [1.5, 2, 2.5])
      assert.deepEqual(await pool.run(picture, { path: path("tone.wav"), seconds }, options), pictures);
  }));

test(
  "pictures cost less than 100 MB, their processes too, whatever the source",
  { skip: process.platform !== "linux" },
  () =>
    inFolder(async (path) => {
      // Twelve minutes of stereo in 12 MB: 254 MB when it is decoded.
      const noise = Float32Array.from({ length: 12 * 60 * 8_000 }, (_, n) => Math.sin((n * (n % 977)) / 50) / 2);
      await writeFile(path("long.wav"), wav([noise, noise], { sample_rate: 8_000, samples: "u8" }));
      // Twenty minutes: frames of 26 ms at 128 kbit/s, with nothing in them.
      const frame = Buffer.alloc(417, 0x55);
      frame.set([0xff, 0xfb, 0x90, 0x04, ...new Array<number>(32).fill(0)]);
      await writeFile(path("long.mp3"), Buffer.concat(Array.from({ length: 46_000 }, () => frame)));
      for (const name of ["long.wav", "long.mp3"]) {
        // Of its own, so that each has the start of a thread in it.
        const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 1000 });
        const watch = watchMemory(process.pid, 100);
        await new Promise((resolve) => setTimeout(resolve, 200));
        const before_mb = watch.peakMb();
        await pool.run(picture, { path: path(name) }, { signal: new AbortController().signal, ms_max: 300_000 });
        const more_mb = watch.peakMb() - before_mb;
        watch.stop();
        await pool.close();
        assert.ok(more_mb < 100, `${name}: ${Math.round(more_mb)} MB more`);
      }
    }),
);
