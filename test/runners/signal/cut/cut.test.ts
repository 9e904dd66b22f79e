/** Whole cuts of pieces whose bars are known: for any piece and any length the promises hold. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audio, Job } from "../../../../contract/mod.ts";
import { noise, silence, tone } from "../../../../packages/plugin/testing.ts";
import { samplesOf } from "../../../../runners/samples.ts";
import { analyse } from "../../../../runners/signal/analyse/mod.ts";
import { blunt, layoutOf } from "../../../../runners/signal/cut/choose.ts";
import { cutDown } from "../../../../runners/signal/cut/cut_down.ts";
import type { CutOutput } from "../../../../runners/signal/cut/mod.ts";
import { passagesOf } from "../../../../runners/signal/cut/passages.ts";
import { render } from "../../../../runners/signal/cut/render.ts";
import { seeded } from "../../../audio.ts";
import { clickDb, endingAgreement, phaseError } from "./judge.ts";
import { analysisOf } from "./known.ts";
import { piece } from "./material.ts";

const RATE = 44_100;
const job: Job = { signal: new AbortController().signal, progress: () => undefined };
const secondsOf = (audio: Audio): number => audio.channels[0]!.length / RATE;

function sumOf(samples: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < samples.length; n++) sum += samples[n]!;
  return sum;
}

/** What holds for every output of every source. */
function check(source: Audio, target: number, { audio, report }: CutOutput, what: string): void {
  const seconds = secondsOf(audio);
  assert.ok(Math.abs(seconds - target) <= 1, `${what}: ${seconds} s for ${target} s`);
  assert.equal(audio.channels.length, source.channels.length, what);
  // A sum of finite samples is finite, and no other.
  for (const channel of audio.channels) assert.ok(Number.isFinite(sumOf(channel)), what);
  assert.equal(report.duration, seconds, what);
  let at = -report.source_start;
  for (const cut of report.cuts) {
    // The report's own arithmetic: times in the output follow from those in the source, to its 0.1 ms.
    assert.ok(Math.abs(at + cut.source_time_left - cut.output_time) < 1e-3, `${what}: ${JSON.stringify(cut)}`);
    at += cut.source_time_left - cut.source_time;
    // And the samples after the join are those that it names, unless the end is too near.
    const from = Math.round((cut.output_time + 0.06) * RATE);
    const of = Math.round((cut.source_time + 0.06) * RATE);
    const nearby = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5].some((off) =>
      Array.from({ length: 64 }, (_, n) => n).every(
        (n) => Math.abs(audio.channels[0]![from + n]! - (source.channels[0]![of + off + n] ?? 0)) < 1e-6,
      ),
    );
    const ends = report.ending.fade_seconds + 0.2 > seconds - cut.output_time;
    assert.ok(nearby || ends, `${what}: ${JSON.stringify(cut)} plays something else`);
  }
}

test("cutDown() keeps its promises for random pieces and lengths", async () => {
  const errors: number[] = [];
  const beats: number[] = [];
  const bars: number[] = [];
  const clicks: number[] = [];
  for (let seed = 1; seed <= 10; seed++) {
    const next = seeded(seed);
    const made = piece({
      seed,
      bpm: 66 + Math.floor(next() * 110),
      beats_per_bar: next() < 0.3 ? 3 : 4,
      bars: 8 + Math.floor(next() * 14),
      ending: next() < 0.6 ? "ring" : "cut",
      loose: next() < 0.5 ? 0 : 0.006,
      drift: next() < 0.3 ? 0.06 : 0,
      trail: next() < 0.3 ? 2.5 : 0.2,
      channels: next() < 0.6 ? 1 : 2,
    });
    const analysis = analysisOf(made.audio, made.known);
    const length = secondsOf(made.audio);
    for (let round = 0; round < 4; round++) {
      const target = 5 + next() * (2 * length - 5);
      const output = await cutDown({ audio: made.audio, seconds: target }, analysis, job);
      check(made.audio, target, output, `seed ${seed}, ${length.toFixed(1)} -> ${target.toFixed(1)}`);
      errors.push(Math.abs(secondsOf(output.audio) - target));
      for (const cut of output.report.cuts) {
        beats.push(phaseError(made.known.beats, cut.source_time_left, cut.source_time));
        bars.push(phaseError(made.downbeats, cut.source_time_left, cut.source_time));
        clicks.push(clickDb(output.audio, cut.output_time));
      }
      assert.ok(output.report.cuts.length <= 4);
    }
  }
  const share = (values: readonly number[], most: number): number =>
    values.filter((value) => value <= most).length / values.length;
  assert.ok(share(errors, 0.5) >= 0.8, `${share(errors, 0.5)} within half a second`);
  assert.ok(beats.length >= 20);
  assert.ok(share(beats, 0.03) >= 0.95, `${share(beats, 0.03)} on the beat`);
  assert.ok(share(bars, 0.03) >= 0.85, `${share(bars, 0.03)} on the bar`);
  assert.ok(Math.max(...clicks) <= 6, `a click of ${Math.max(...clicks)} dB`);
});

test("cutDown() keeps the beginning and the real ending", async () => {
  const made = piece({ bars: 32, bpm: 120, trail: 0.1 });
  const analysis = analysisOf(made.audio, made.known);
  for (const target of [12, 20, 33, 48]) {
    const { audio, report } = await cutDown({ audio: made.audio, seconds: target }, analysis, job);
    assert.notEqual(report.ending.kind, "faded");
    assert.equal(report.source_start, 0);
    assert.deepEqual(audio.channels[0]!.subarray(0, RATE), made.audio.channels[0]!.subarray(0, RATE));
    assert.ok(endingAgreement(audio, made.audio, secondsOf(made.audio) - 0.1) > 0.9, `${target} s`);
  }
});

test("cutDown() fades music that was cut off, and only where it changes it", async () => {
  const made = piece({ bars: 24, bpm: 100, ending: "cut", beats_per_bar: 4 });
  // Sustained to the end: nothing dies away.
  const end = made.audio.channels[0]!.length;
  for (const channel of made.audio.channels) {
    for (let n = end - 3 * RATE; n < end; n++) channel[n]! += 0.2 * Math.sin((2 * Math.PI * 196 * n) / RATE);
  }
  const analysis = analysisOf(made.audio, made.known);
  const { audio, report } = await cutDown({ audio: made.audio, seconds: 20 }, analysis, job);
  assert.equal(report.ending.kind, "faded");
  assert.ok(report.ending.fade_seconds >= 0.5);
  const closing = audio.channels[0]!.subarray(-441);
  assert.ok(closing.every((sample) => Math.abs(sample) < 0.01));
  const length = secondsOf(made.audio);
  const same = await cutDown({ audio: made.audio, seconds: length + 0.2 }, analysis, job);
  assert.equal(same.audio, made.audio);
  assert.deepEqual(same.report.cuts, []);
  assert.equal(same.report.ending.kind, "kept");
});

test("cutDown() joins at half bars or beats only where whole bars cannot come near", async () => {
  // Bars of 4 s, and an ending that may not be touched: half a bar is all there is.
  const made = piece({ bars: 12, bpm: 60, trail: 0.1 });
  const analysis = analysisOf(made.audio, made.known);
  let whole = 0;
  let joins = 0;
  for (let target = 16; target <= 40; target += 3.5) {
    const output = await cutDown({ audio: made.audio, seconds: target }, analysis, job);
    check(made.audio, target, output, `${target} s`);
    for (const cut of output.report.cuts) {
      joins++;
      if (cut.at === "bar") whole++;
      const off = phaseError(made.downbeats, cut.source_time_left, cut.source_time);
      assert.equal(cut.at === "bar", off < 0.1, `${JSON.stringify(cut)} is ${off} off`);
    }
  }
  assert.ok(whole / joins >= 0.5, `${whole} of ${joins}`);
});

test("cutDown() keeps its promise for what has no beat", async () => {
  const words = silence(14, { channels: 1 });
  const hiss = noise(14, { channels: 1, amplitude: 0.3 });
  // Speech-like: bursts of 0.9 s with pauses of 0.5 s.
  for (let n = 0; n < words.channels[0]!.length; n++) {
    const place = (n / RATE) % 1.4;
    if (place < 0.9) words.channels[0]![n] = hiss.channels[0]![n]! * Math.sin((Math.PI * place) / 0.9) ** 2;
  }
  const sources: [string, Audio][] = [
    ["silence", silence(9)],
    ["noise", noise(12)],
    ["tone", tone(440, 8, { channels: 1 })],
    ["short tone", tone(330, 2.5)],
    ["short noise", noise(2.7, { channels: 1 })],
    ["words", words],
  ];
  for (const [name, audio] of sources) {
    const length = secondsOf(audio);
    const analysis = analysisOf(audio, { beats: [], positions: [], beats_per_bar: 4, confidence: 0 });
    for (const target of [5, 5.7, 0.6 * length, length - 0.7, length + 0.8, 1.6 * length, 2 * length]) {
      if (target < 5 || target > 2 * length) continue;
      const output = await cutDown({ audio, seconds: target }, analysis, job);
      check(audio, target, output, `${name}, ${length} -> ${target}`);
      for (const cut of output.report.cuts) {
        assert.ok(clickDb(output.audio, cut.output_time) <= 6, `${name}: ${JSON.stringify(cut)}`);
        if (name === "words") assert.equal(cut.at, "pause");
      }
    }
  }
});

test("cutDown() makes a tone longer without a seam", async () => {
  const audio = tone(440, 8, { channels: 1 });
  const analysis = analysisOf(audio, { beats: [], positions: [], beats_per_bar: 4, confidence: 0 });
  const { audio: out, report } = await cutDown({ audio, seconds: 12 }, analysis, job);
  for (const { output_time } of report.cuts) {
    const mid = Math.round(output_time * RATE);
    // A sine keeps to x[n+1] + x[n-1] = 2 cos(w) x[n]; 440 Hz at 44.1 kHz, -60 dB of the tone at most besides.
    for (let n = mid - 3000; n < mid + 3000; n++) {
      const [a, b, c] = out.channels[0]!.subarray(n - 1, n + 2) as unknown as [number, number, number];
      assert.ok(Math.abs(a + c - 2 * Math.cos((2 * Math.PI * 440) / RATE) * b) < 5e-4, `${n - mid}`);
    }
  }
});

test("blunt() keeps the promise without any point to join at", async () => {
  for (const [length, target] of [
    [10, 6],
    [3, 5.9],
    [2.5, 5],
  ] as const) {
    const audio = noise(length, { channels: 1 });
    const version = blunt({ audio, seconds: length, target });
    const made = await render(audio, layoutOf(version, audio), async () => undefined);
    assert.ok(Math.abs(secondsOf(made) - target) < 0.01, `${length} -> ${target}: ${secondsOf(made)}`);
    assert.ok(Number.isFinite(sumOf(made.channels[0]!)));
  }
});

test("cutDown() gives the same samples again, and stops when it is told to", async () => {
  const made = piece({ bars: 16, loose: 0.005 });
  const analysis = analysisOf(made.audio, made.known);
  const one = await cutDown({ audio: made.audio, seconds: 17 }, analysis, job);
  const other = await cutDown({ audio: made.audio, seconds: 17 }, analysis, job);
  assert.deepEqual(one, other);
  const stop = new AbortController();
  stop.abort(new Error("enough"));
  await assert.rejects(
    cutDown({ audio: made.audio, seconds: 17 }, analysis, { signal: stop.signal, progress: () => undefined }),
    /enough/,
  );
});

test("cutDown() of the beginning and the ending of a long piece never plays across what was left out", async () => {
  const listener = await analyse.load();
  for (const [seed, target] of [
    [1, 20],
    [3, 12],
  ] as const) {
    const { audio: source } = piece({ seed, bpm: 100 + 11 * seed, bars: 48 });
    const [audio, splice] = passagesOf({ ...samplesOf(source), peak: 1 }, 25);
    assert.ok(splice !== undefined);
    const [left_out, goes_on] = [splice.at, splice.at + splice.skipped];
    assert.ok(splice.at === 25 && splice.skipped > 20);
    const analysis = await listener.run({ audio }, job);
    const output = await cutDown({ audio, seconds: target, splice }, analysis, job);
    const { cuts, source_start, ending, heard } = output.report;
    check(source, target, output, `${seed}`);
    assert.deepEqual(
      heard?.map(({ start, end }) => [start, end].map(Math.round)),
      [
        [0, 25],
        [Math.round(goes_on), Math.round(secondsOf(source))],
      ],
    );
    const stretches = cuts.map((cut, n) => [cut.source_time, cuts[n + 1]?.source_time_left ?? ending.source_time]);
    for (const [from, to] of [[source_start, cuts[0]!.source_time_left], ...stretches])
      assert.ok(to! < left_out || from! > goes_on, `${seed}: ${from} to ${to}`);
    const { seconds, sections, beats } = output.report.analysis;
    assert.ok(Math.abs(seconds - secondsOf(source)) < 0.01 && sections.at(-1)!.end > goes_on);
    for (const time of [...beats, ...sections.flatMap(({ start, end }) => [start, end])])
      assert.ok(time <= left_out || time >= goes_on - 0.001, `${time}`);
    // Its own beginning and its own ending.
    assert.ok(source_start === 0 && ending.source_time > goes_on);
  }
});
