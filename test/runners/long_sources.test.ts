/** Sources that stay on the disk: the same samples as in memory, and what limits them when they are very long. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Audio, Streamed } from "../../contract/mod.ts";
import type { Level } from "../../core/ports/mod.ts";
import { folded } from "../../runners/music/remix/likeness.ts";
import { samplesOf, wholeOf } from "../../runners/samples.ts";
import { useScratch } from "../../runners/scratch.ts";
import { analyse } from "../../runners/signal/analyse/analyse.ts";
import { reportOf } from "../../runners/signal/analyse/mod.ts";
import { engine as cutter } from "../../runners/signal/cut/engine.ts";
import { passagesOf } from "../../runners/signal/cut/passages.ts";
import { CELL, cellFor, GainCurve, limiterGain, PACES, PeakMap } from "../../runners/signal/dsp/limiter.ts";
import { master } from "../../runners/signal/master/master.ts";
import { decodeLong } from "../../runners/signal/media/decode_long.ts";
import { separate } from "../../runners/signal/separate/separate.ts";
import { levelsOf } from "../../runners/signal/track/levels.ts";
import { music, noise, silence, wav } from "../audio.ts";

const folder = mkdtempSync(join(tmpdir(), "tonwerk-long-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const { signal } = new AbortController();
const LIMITS = { seconds_min: 0.1, seconds_max: 600, bytes_max: 1e9, long: true } as const;

/** The same file in memory, and on the disk. */
async function decoded(): Promise<readonly [Audio, Streamed]> {
  useScratch(folder);
  const path = join(folder, "source.wav");
  writeFileSync(path, wav(music(3, 4)));
  const short = (await decodeLong(path, LIMITS, signal)).audio;
  const long = (await decodeLong(path, LIMITS, signal, 44_100)).audio;
  assert.ok(!("samples" in short) && "samples" in long);
  return [short, long];
}

test("decodeLong() keeps what is too long for memory in a file without a name, and gives the same samples in any stretch", async () => {
  const [short, long] = await decoded();
  assert.deepEqual(readdirSync(folder), ["source.wav"]);
  assert.deepEqual([long.frames, long.channels], [short.channels[0]!.length, short.channels.length]);
  for (const [from, to] of [
    [0, long.frames],
    [16_383, 16_386],
    [long.frames - 5, long.frames],
  ] as const) {
    const out = short.channels.map(() => new Float32Array(to - from));
    long.samples(from, to, out);
    assert.deepEqual(
      out,
      short.channels.map((channel) => channel.slice(from, to)),
    );
  }
  assert.equal(
    long.peak,
    Math.max(...short.channels.map((channel) => channel.reduce((a, b) => Math.max(a, Math.abs(b)), 0))),
  );
  useScratch(undefined);
  assert.throws(() => long.samples(0, 5, [new Float32Array(5), new Float32Array(5)]), "the file went with the job");
});

test("decodeLong() fails where there is no disk to go to, rather than fill memory", async () => {
  useScratch(undefined);
  await assert.rejects(decodeLong(join(folder, "source.wav"), LIMITS, signal, 44_100), /no folder/u);
});

test("master() makes the same samples of what is on the disk, with one gain and with the limiter", async () => {
  const [short, long] = await decoded();
  for (const target_lufs of [-30, -8]) {
    const level: Level = { kind: "loudness", target_lufs, allow_compression: true };
    const [one, other] = await Promise.all(
      [short, long].map((audio) => master(audio, level, { bits: 16, ring: false }, signal)),
    );
    assert.deepEqual(other!.loudness, one!.loudness);
    assert.equal(one!.loudness.compressed, target_lufs === -8);
    const read = ({ rendering }: typeof one & object) => {
      const out = [new Float32Array(5000), new Float32Array(5000)];
      rendering.samples(70_000, 75_000, out);
      return out;
    };
    assert.deepEqual(read(other!), read(one!));
  }
  useScratch(undefined);
});

test("the limiter's cells grow with what is longer than 47 minutes, and the ceiling holds", () => {
  const frames = CELL * 2 ** 23 + 1;
  assert.deepEqual([cellFor(frames - 1), cellFor(frames), cellFor(10_800 * 44_100)], [CELL, 2 * CELL, 4 * CELL]);
  const burst = noise(5, 1, 44_100, 0.9);
  const map = new PeakMap(1, frames, 0.2);
  map.push([burst]);
  const block = silence(10);
  for (let at = burst.length; at < frames; at += block.length)
    map.push([block], 0, Math.min(block.length, frames - at));
  map.finish();
  for (const pace of PACES) {
    const gains = limiterGain(map, 1, 0.25, 44_100, pace)!;
    const curve = new Float64Array(burst.length);
    new GainCurve(gains, map).fill(0, burst.length, curve);
    const highest = burst.reduce((top, sample, n) => Math.max(top, Math.abs(sample) * curve[n]!), 0);
    assert.ok(highest <= 0.25 && highest > 0.15, `${highest}`);
    assert.equal(gains.at(-1), 1);
  }
});

test("engines make the same of what is on the disk: analysis, levels, cut, stems and likeness", async () => {
  const [short, long] = await decoded();
  const job = { signal, progress: () => undefined };
  const of = async (audio: Audio | Streamed) => {
    const cut = await cutter.run({ audio, seconds: 3 }, job);
    const { vocals, other } = await separate(audio, job);
    return {
      analysis: reportOf(await analyse(audio, job)),
      levels: await levelsOf(audio, signal),
      cut: [cut.report, wholeOf(cut.audio)],
      stems: [wholeOf(vocals.audio), wholeOf(other.audio)],
      likeness: folded(audio),
    };
  };
  assert.deepEqual(await of(long), await of(short));
  useScratch(undefined);
});

test("passagesOf() leaves alone what can be heard as a whole, and else joins the beginning and the ending", async () => {
  const [short, long] = await decoded();
  assert.deepEqual(passagesOf(long, 2), [long, undefined]);
  const [joined, splice] = passagesOf(long, 1);
  assert.deepEqual(splice, { at: 1, skipped: 2 });
  const [left] = short.channels as [Float32Array];
  const wanted = Float32Array.from([...left.subarray(0, 44_100), ...left.subarray(3 * 44_100)]);
  assert.deepEqual(wholeOf(joined).channels[0], wanted);
  const [across, both] = [new Float32Array(4), new Float32Array(4)];
  joined.samples(44_098, 44_102, [across, both]);
  assert.deepEqual(across, wanted.slice(44_098, 44_102));
  useScratch(undefined);
});

test("limits say how much of a source lies in memory", async () => {
  useScratch(folder);
  const path = join(folder, "source.wav");
  const { audio } = await decodeLong(path, { ...LIMITS, whole_seconds: 3 }, signal);
  assert.ok("samples" in audio);
  useScratch(undefined);
});

test("samplesOf() hands audio that is read stretch by stretch on as it is", async () => {
  const [, long] = await decoded();
  assert.equal(samplesOf(long), long);
  useScratch(undefined);
});
