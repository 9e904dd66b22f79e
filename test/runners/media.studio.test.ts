import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import type { Limits } from "../../contract/mod.ts";
import { studio } from "../../runners/delivery.ts";
import { integratedLoudness } from "../../runners/signal/dsp/loudness.ts";
import { truePeak } from "../../runners/signal/dsp/true_peak.ts";
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
      assert.equal(finished.loudness.lufs?.toFixed(3), integratedLoudness(delivered, 44_100).toFixed(3));
      assert.equal(finished.loudness.true_peak_dbtp?.toFixed(3), decibel(truePeak(delivered)).toFixed(3));
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

test("studio.finishStems() leaves stems as they are, or lowers all by the one gain that the loudest needs", async () => {
  await inFolder(async (path) => {
    const finish = (...channels: Float32Array[]) =>
      studio.finishStems(
        channels.map((channel) => ({ audio: { sample_rate: 44_100, channels: [channel] }, engine: "test" })),
        channels.map((_, index) => ({ path: path(`${crypto.randomUUID()}.flac`), bits: 24, tags: { N: `${index}` } })),
        signal,
      );
    const gains = async (...channels: Float32Array[]) => (await finish(...channels)).map(({ gain_db }) => gain_db);
    assert.deepEqual(await gains(silence(0.1), sine(440, 0.1)), [0, 0]);
    const loud = silence(0.1);
    loud[100] = -1.5;
    assert.deepEqual(await gains(silence(0.1), loud), [-3.522, -3.522]);
    loud[200] = Number.NaN;
    await assert.rejects(finish(silence(0.1), loud), /expected a finite number/u);
  });
});

test("studio.codec() names what decodes and encodes", async () => {
  const { name, version } = await studio.codec();
  assert.equal(name, "wav, flac: built-in; mp3: mpg123-decoder");
  assert.match(version, /^\d+\.\d+\.\d+(, ffmpeg \S+)?$/);
});
