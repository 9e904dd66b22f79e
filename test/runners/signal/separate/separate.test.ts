import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audio, Stem, Streamed } from "../../../../contract/mod.ts";
import { STEMS } from "../../../../contract/mod.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { separate } from "../../../../runners/signal/separate/separate.ts";

const RATE = 44_100;
const SECONDS = 8;
const job = () => ({ signal: new AbortController().signal, progress: () => {} });

/** A small band: a sung line in the middle, kick and hat, a bass, chords aside. Truths of four stems. */
function band(seconds = SECONDS): Record<"vocals" | "drums" | "bass" | "other", Float32Array[]> {
  const samples = Math.round(seconds * RATE);
  const next = random(5);
  const room = () => [new Float32Array(samples), new Float32Array(samples)];
  const stems = { vocals: room(), drums: room(), bass: room(), other: room() };
  let phase = 0;
  for (let n = 0; n < samples; n++) {
    const t = n / RATE;
    const beat = (t * 2) % 1;
    const kick = Math.sin(2 * Math.PI * (50 * beat + 12 * (1 - Math.exp(-beat * 12)))) * Math.exp(-beat * 9);
    const hat = (2 * next() - 1) * Math.exp(-((t * 4) % 1) * 18);
    stems.drums[0]![n] = stems.drums[1]![n] = 0.35 * kick + 0.12 * hat;
    const root = [55, 55, 73.4, 65.4][Math.floor(t / 2) % 4]!;
    const pluck = Math.exp(-((t * 2) % 1) * 1.5);
    let [low, chord, voice] = [0, 0, 0];
    for (let h = 1; h <= 4; h++) low += Math.sin(2 * Math.PI * root * h * t) / h ** 1.5;
    stems.bass[0]![n] = stems.bass[1]![n] = 0.16 * low * pluck;
    for (const ratio of [4, 5, 6])
      for (let h = 1; h <= 3; h++) chord += Math.sin(2 * Math.PI * root * ratio * h * t) / h ** 2;
    stems.other[0]![n] = 0.07 * chord;
    stems.other[1]![n] = 0.02 * chord;
    const hertz = [330, 392, 440, 370, 494][Math.floor(t * 1.3) % 5]! * (1 + 0.012 * Math.sin(2 * Math.PI * 5.5 * t));
    phase += hertz / RATE;
    for (let h = 1; h <= 12; h++)
      voice +=
        Math.sin(2 * Math.PI * h * phase) *
        (Math.exp(-(((h * hertz - 700) / 500) ** 2)) + 0.25 * Math.exp(-(((h * hertz - 2600) / 500) ** 2)) + 0.1);
    if (t % 4 < 3) stems.vocals[0]![n] = stems.vocals[1]![n] = 0.12 * voice;
  }
  return stems;
}

function mixed(stems: Readonly<Record<string, Float32Array[]>>): Audio {
  const parts = Object.values(stems);
  return {
    sample_rate: RATE,
    channels: parts[0]!.map((_, c) =>
      Float32Array.from(parts[0]![c]!, (_, n) => parts.reduce((sum, part) => sum + part[c]![n]!, 0)),
    ),
  };
}

function read(audio: Audio | Streamed, from = 0, to = (audio as Streamed).frames): Float32Array[] {
  const streamed = audio as Streamed;
  const out = Array.from({ length: streamed.channels }, () => new Float32Array(to - from));
  streamed.samples(from, to, out);
  return out;
}

function siSdr(truth: readonly Float32Array[], estimate: readonly Float32Array[]): number {
  let [tt, te, ee] = [0, 0, 0];
  for (const [c, channel] of truth.entries()) {
    for (let n = 0; n < channel.length; n++) {
      tt += channel[n]! ** 2;
      te += channel[n]! * estimate[c]![n]!;
      ee += estimate[c]![n]! ** 2;
    }
  }
  return 10 * Math.log10(te ** 2 / tt / (ee - te ** 2 / tt));
}

test("separate() brings drums, bass and other of a small band nearer than the mix is, and leaves no stem silent", async () => {
  const truth = band();
  const mix = mixed(truth);
  const stems = await separate(mix, job());
  // An additive tone is as much a lead synthesiser as a voice: what is asked of the vocals is only that they are there.
  for (const [kind, gain_db] of [
    ["drums", 5],
    ["bass", 8],
    ["other", 1],
    ["vocals", Number.NEGATIVE_INFINITY],
  ] as const) {
    const estimate = read(stems[kind].audio);
    const reached = siSdr(truth[kind], estimate);
    const before = siSdr(truth[kind], mix.channels);
    assert.ok(reached > before + gain_db, `${kind}: ${reached.toFixed(1)} dB, the mix has ${before.toFixed(1)} dB`);
    assert.ok(energy(estimate) > 0.05 * energy(truth[kind]), `${kind} is nearly silent`);
  }
});

function energy(channels: readonly Float32Array[]): number {
  return channels.reduce((sum, channel) => sum + channel.reduce((s, x) => s + x * x, 0), 0);
}

test("separate() gives the same samples again, in any order, and read by any lengths", async () => {
  const mix = mixed(band(2.3));
  const [first, second] = [await separate(mix, job()), await separate(mix, job())];
  for (const kind of STEMS) {
    const whole = read(first[kind].audio);
    const { frames } = second[kind].audio as Streamed;
    for (const from of [90_001, 5, 32_000, 65_530]) {
      const to = Math.min(frames, from + 1501);
      for (const [c, part] of read(second[kind].audio, from, to).entries())
        assert.deepEqual(part, whole[c]!.slice(from, to), `${kind} from ${from}`);
    }
  }
});

test("separate() joins its blocks without a seam: the tone goes on where they meet", async () => {
  const samples = 3 * RATE;
  const tone = Float32Array.from({ length: samples }, (_, n) => 0.4 * Math.sin((2 * Math.PI * 443 * n) / RATE));
  const stems = await separate({ sample_rate: RATE, channels: [tone, tone] }, job());
  const edge = 32 * 1024;
  for (const kind of STEMS) {
    const [left] = read(stems[kind].audio) as [Float32Array];
    // A step would stand out of the second difference, more than a hop within a block (1024 samples before) does.
    const bend = (n: number) => Math.abs(left[n - 1]! - 2 * left[n]! + left[n + 1]!);
    for (const seam of [edge, 2 * edge, 3 * edge]) {
      let usual = 1e-5;
      for (let n = seam - 1500; n < seam - 100; n++) usual = Math.max(usual, bend(n));
      for (let n = seam - 2; n <= seam + 2; n++)
        assert.ok(bend(n) < 1.5 * usual, `${kind} at ${n}: ${bend(n)} > ${usual}`);
    }
  }
});

const odd: readonly (readonly [string, readonly Float32Array[]])[] = [
  ["one sample", [Float32Array.of(0.7)]],
  ["a hundred samples", [new Float32Array(100).fill(0.1), new Float32Array(100)]],
  ["a click", [Float32Array.from({ length: 30_000 }, (_, n) => (n === 20_000 ? 1 : 0))]],
  ["opposed channels", [1, -1].map((sign) => Float32Array.from({ length: 50_000 }, (_, n) => sign * Math.sin(n / 9)))],
];
for (const [name, channels] of odd) {
  test(`separate() takes ${name}`, async () => {
    const stems = await separate({ sample_rate: RATE, channels }, job());
    const parts = (["vocals", "drums", "bass", "other"] as Stem[]).map((kind) => read(stems[kind].audio));
    for (const [c, channel] of channels.entries()) {
      for (let n = 0; n < channel.length; n++) {
        const sum = parts.reduce((total, part) => total + part[c]![n]!, 0);
        assert.ok(Math.abs(sum - channel[n]!) < 1e-6);
      }
    }
  });
}

test("separate() keeps silence silent in all stems", async () => {
  const stems = await separate({ sample_rate: RATE, channels: [new Float32Array(40_000)] }, job());
  for (const kind of STEMS) assert.ok(read(stems[kind].audio)[0]!.every((sample) => sample === 0));
});

test("separate() stops when it is aborted", async () => {
  const controller = new AbortController();
  const work = separate(mixed(band()), {
    signal: controller.signal,
    progress: () => controller.abort(new Error("stop")),
  });
  await assert.rejects(work, /stop/);
});
