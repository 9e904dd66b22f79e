import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import type { Limits } from "../../core/plugin.ts";
import { studio } from "../../runners/delivery.ts";
import { integratedLoudness } from "../../runners/dsp/loudness.ts";
import { truePeak } from "../../runners/dsp/true_peak.ts";
import { decibel, inFolder, music, silence, sine, wav } from "../audio.ts";

const LIMITS: Limits = { seconds_min: 0.1, seconds_max: 60, bytes_max: 5_000_000 };
const signal = new AbortController().signal;

test("studio.finish() delivers a file that is what its report says", async () => {
  await inFolder(async (path) => {
    await writeFile(path("in.wav"), wav(music(1, 4, 48_000), { samples: "s24", sample_rate: 48_000 }));
    const { audio, facts } = await studio.decode(path("in.wav"), LIMITS, signal);
    assert.deepEqual(await studio.probe(path("in.wav"), LIMITS, signal), facts);
    const level = { kind: "loudness", target_lufs: -14, allow_compression: true } as const;
    for (const bits of [16, 24] as const) {
      const options = { path: path("out.flac"), bits, tags: { ENGINE: "test" } };
      const finished = await studio.finish({ audio, engine: "test" }, level, options, signal);
      assert.equal(finished.bytes, (await readFile(path("out.flac"))).length);
      assert.equal(finished.seconds, 4);
      const delivered = (await studio.decode(path("out.flac"), LIMITS, signal)).audio.channels;
      assert.equal(delivered[0]!.length, audio.channels[0]!.length);
      // The report was measured on these very samples.
      assert.equal(finished.loudness.lufs?.toFixed(6), integratedLoudness(delivered, 44_100).toFixed(6));
      assert.equal(finished.loudness.true_peak_dbtp?.toFixed(6), decibel(truePeak(delivered)).toFixed(6));
      assert.ok(Math.abs(finished.loudness.lufs! + 14) <= 0.02 && finished.loudness.true_peak_dbtp! <= -1);
    }
  });
});

test("studio.finish() makes the same file of the same audio each time", async () => {
  await inFolder(async (path) => {
    const output = { audio: { sample_rate: 44_100, channels: music(2, 2) }, engine: "test", loop: true } as const;
    const finish = (name: string) =>
      studio.finish(output, { kind: "peak" }, { path: path(name), bits: 16, tags: {} }, signal);
    const [first, second] = [await finish("a.flac"), await finish("b.flac")];
    assert.deepEqual(first, second);
  });
});

test("studio.finish() leaves no file of silence that was to have a loudness", async () => {
  await inFolder(async (path) => {
    const output = { audio: { sample_rate: 44_100, channels: [silence(1)] }, engine: "test" };
    const level = { kind: "loudness", target_lufs: -14, allow_compression: true } as const;
    const work = studio.finish(output, level, { path: path("a.flac"), bits: 24, tags: {} }, signal);
    await assert.rejects(work, { name: "SourceError", code: "source_silent" });
    await assert.rejects(readFile(path("a.flac")), { code: "ENOENT" });
  });
});

test("studio.peak() is the largest sample of all, 0 for none, NaN where one is", () => {
  const audio = (...channels: Float32Array[]) => ({ sample_rate: 44_100, channels });
  assert.equal(studio.peak([]), 0);
  assert.equal(studio.peak([audio(silence(0.1)), audio(silence(0.1), new Float32Array([0.25, -1.5]))]), 1.5);
  assert.ok(Number.isNaN(studio.peak([audio(new Float32Array([Number.NaN])), audio(sine(440, 0.1))])));
});

test("studio.codec() names what decodes and encodes", async () => {
  const { name, version } = await studio.codec();
  assert.equal(name, "wav, flac: built-in; mp3: mpg123-decoder");
  assert.match(version, /^\d+\.\d+\.\d+(, ffmpeg \S+)?$/);
});
