/** Whole remixes of sources that are hard to make sense of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audio } from "../../../../contract/mod.ts";
import { remix } from "../../../../runners/music/remix/remix.ts";
import { remixSong } from "../../../../runners/music/remix/song.ts";
import { makeAll, noise, silence, sine } from "../../../audio.ts";

const job = { signal: new AbortController().signal, progress: () => undefined };
const mono = (samples: Float32Array): Audio => ({ sample_rate: 44_100, channels: [samples] });

function check({ sample_rate, channels }: Audio, seconds: number, name: string): void {
  assert.equal(sample_rate, 44_100);
  assert.equal(channels.length, 2, name);
  const length = channels[0]!.length / 44_100;
  assert.ok(length >= 0.6 * seconds && length <= 1.6 * seconds + 5, `${name}: ${length} s of ${seconds} s`);
  let peak = 0;
  for (const channel of channels)
    for (const value of channel) {
      assert.ok(Number.isFinite(value), name);
      peak = Math.max(peak, Math.abs(value));
    }
  assert.ok(peak > 0.01, `${name}: peak ${peak}`);
}

test("a second of a tone, two of noise, clicks out of time: each becomes music of about its length", async () => {
  const clicks = silence(3);
  for (const at of [0.1, 0.32, 0.9, 1.7, 1.75, 2.6]) clicks.set(noise(3, 0.01), Math.round(at * 44_100));
  for (const [name, samples] of [
    ["tone", sine(330, 1)],
    ["noise", noise(1, 2)],
    ["clicks", clicks],
  ] as const) {
    const [output, ...others] = await makeAll(await remix({ source: mono(samples), seeds: [4] }, job));
    assert.equal(others.length, 0);
    check(output!.audio, samples.length / 44_100, name);
    assert.match(output!.engine ?? "", /^remix\//u);
    const { heard, understood, composed, tune } = output!.report as Record<string, object>;
    for (const part of [heard, understood, composed, tune]) assert.equal(typeof part, "object");
  }
});

test("equal seeds give equal samples, others do not", async () => {
  const source = mono(sine(220, 1.2));
  const make = async (seed: number): Promise<Float32Array> =>
    (await makeAll(await remix({ source, prompt: "solo piano", seeds: [seed] }, job)))[0]!.audio.channels[0]!;
  const [one, again, other] = [await make(1), await make(1), await make(2)];
  assert.deepEqual(one, again);
  assert.ok(one.length !== other.length || one.some((value, n) => value !== other[n]));
});

test("a remix that begins with singing leaves room for the first breath and consonants", async () => {
  const source = mono(sine(220, 2));
  const make = async (lyrics: string): Promise<{ first: number; sung: number }> => {
    const input = { source, lyrics, prompt: "pop, 120 bpm", seeds: [1] };
    const [output] = await makeAll(await remixSong(input, job));
    const { composed, lines } = output!.report as {
      composed: { sections: readonly { start: number }[] };
      lines: readonly { start: number }[];
    };
    return { first: composed.sections[0]!.start, sung: lines[0]!.start };
  };
  const sung = await make("[Verse]\nStone by stone");
  assert.ok(Math.abs(sung.first - 0.4) < 0.01 && sung.sung >= 0.39, JSON.stringify(sung));
  const played = await make("[Intro]\n[Verse]\nStone by stone");
  assert.ok(played.first < 0.01 && played.sung > 0.4, JSON.stringify(played));
});

test("a remix lasts as its source, or as was asked, to a bar", async () => {
  const source = mono(new Float32Array(24 * 44_100));
  // Twelve bars at 120 BPM: four chords, a stroke on every beat.
  for (let beat = 0; beat < 48; beat++)
    for (const [n, midi] of [
      [45, 57, 60, 64],
      [41, 57, 60, 65],
      [43, 55, 59, 62],
      [48, 55, 60, 64],
    ][(beat >> 2) % 4]!.entries())
      sine(440 * 2 ** ((midi - 69) / 12), 0.4, 44_100, 0.15 / (n + 1)).forEach((value, at) => {
        source.channels[0]![beat * 22_050 + at]! += value;
      });
  const written = (report: unknown): [number, number] => {
    const { composed } = report as { composed: { tempo_bpm: number; sections: { end: number }[] } };
    return [composed.sections.at(-1)!.end, 240 / composed.tempo_bpm];
  };
  const lyrics = "Stone by stone";
  for (const [seconds, made] of [
    [24, await remixSong({ source, lyrics, prompt: "house", seeds: [1] }, job)],
    [36, await remix({ source, prompt: "solo piano", seconds: 36, seeds: [1] }, job)],
    [12, await remix({ source, prompt: "solo piano", seconds: 12, seeds: [1] }, job)],
    // Its last chord would ring on for more than a bar.
    [12, await remix({ source: mono(sine(440, 12)), prompt: "ambient", seeds: [1] }, job)],
  ] as const) {
    const [output] = await makeAll(made);
    const [end, bar] = written(output!.report);
    assert.ok(Math.abs(end - seconds) <= bar + 0.01, `${end} for ${seconds} s`);
    const sounds = output!.audio.channels[0]!.length / 44_100;
    assert.ok(Math.abs(sounds - seconds) <= bar + 0.11, `${sounds} s of sound for ${seconds} s`);
  }
});

test("silence is answered with silence, one for each seed", async () => {
  const outputs = await makeAll(await remix({ source: mono(silence(1)), seeds: [1, 2, 3] }, job));
  assert.equal(outputs.length, 3);
  for (const { audio } of outputs) assert.ok(audio.channels.every((channel) => channel.every((value) => value === 0)));
});
