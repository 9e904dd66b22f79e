import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Audio, SAMPLE_RATE } from "../../../../contract/mod.ts";
import { noise, silence } from "../../../../packages/plugin/testing.ts";
import { studio } from "../../../../runners/delivery.ts";
import { levelsOf } from "../../../../runners/signal/track/levels.ts";
import { inFolder, joined, sine, wav } from "../../../audio.ts";
import { findProgram } from "../../../services/programs.ts";

const SONG = fileURLToPath(new URL("../../../../examples/song.flac", import.meta.url));
const { signal } = new AbortController();
const stereo = (samples: Float32Array): Audio => ({ sample_rate: SAMPLE_RATE, channels: [samples, samples] });
const near = (found: number | null, wanted: number, tolerance: number, what: string): void =>
  assert.ok(
    found !== null && Math.abs(found - wanted) <= tolerance,
    `${what}: ${found}, expected ${wanted} ± ${tolerance}`,
  );

const ffmpeg = findProgram("ffmpeg");
/** What ffmpeg's ebur128, an implementation of others, says of a file. */
async function judged(path: string) {
  const run = promisify(execFile);
  const graph = "ebur128=peak=true:metadata=1,ametadata=print:file=-";
  const { stdout, stderr } = await run(
    ffmpeg!,
    ["-hide_banner", "-nostats", "-i", path, "-af", graph, "-f", "null", "-"],
    {
      maxBuffer: 1 << 26,
    },
  );
  const summary = stderr.slice(stderr.lastIndexOf("Summary:"));
  const said = (name: string): number => Number(new RegExp(`${name}:\\s+(-?[\\d.]+)`, "u").exec(summary)![1]);
  const most = (name: string): number =>
    Math.max(
      ...[...stdout.matchAll(new RegExp(`lavfi.r128.${name}=(-?[\\d.]+)`, "gu"))].map(([, value]) => Number(value)),
    );
  return { integrated: said("I"), range: said("LRA"), peak: said("Peak"), momentary: most("M"), short_term: most("S") };
}

test("loudness, range, maxima and true peak are those of ffmpeg's ebur128", {
  skip: ffmpeg === undefined,
}, async () => {
  const { audio: song } = await studio.decode(SONG, { seconds_min: 1, seconds_max: 60, bytes_max: 10_000_000 }, signal);
  // Loud and soft, and one that is heard on one side alone.
  const swelling = noise(24, { amplitude: 0.7, channels: 2 });
  for (const channel of swelling.channels)
    for (let n = 0; n < channel.length; n++) channel[n]! *= 0.02 + 0.98 * Math.sin((Math.PI * n) / channel.length) ** 4;
  const sided: Audio = { sample_rate: SAMPLE_RATE, channels: [swelling.channels[0]!, silence(24).channels[0]!] };
  for (const [name, audio] of Object.entries({ song, swelling, sided }))
    await inFolder(async (path) => {
      await writeFile(path("a.wav"), wav(audio.channels, { samples: "f32" }));
      const wanted = await judged(path("a.wav"));
      const loudness = await levelsOf(audio, signal);
      near(loudness.integrated_lufs, wanted.integrated, 0.1, `${name} integrated`);
      // One window more or less is 0.5 LU where it swells most; Tech 3342 allows 1 LU.
      near(loudness.range_lu, wanted.range, name === "song" ? 0.1 : 0.6, `${name} range`);
      near(loudness.momentary_lufs_max, wanted.momentary, 0.1, `${name} momentary`);
      near(loudness.short_term_lufs_max, wanted.short_term, 0.1, `${name} short-term`);
      // Theirs is read on a grid of four, which misses what lies between: of white noise half a decibel.
      near(loudness.true_peak_dbtp, wanted.peak, name === "song" ? 0.1 : 0.5, `${name} true peak`);
    });
});

test("loudness range is that of EBU Tech 3342, cases 1 to 4", async () => {
  const tone = (dbfs: number, seconds: number): Float32Array => sine(1000, seconds, SAMPLE_RATE, 10 ** (dbfs / 20));
  const cases: readonly (readonly [levels: readonly number[], range: number])[] = [
    [[-20, -30], 10],
    [[-20, -15], 5],
    [[-40, -20], 20],
    [[-50, -35, -20, -35, -50], 15],
  ];
  for (const [levels, range] of cases) {
    const loudness = await levelsOf(stereo(joined(...levels.map((level) => tone(level, 20)))), signal);
    near(loudness.range_lu, range, 1, levels.join());
    near(loudness.short_term_lufs_max, Math.max(...levels), 0.1, `${levels.join()}: of a stereo tone of 1 kHz`);
  }
});
