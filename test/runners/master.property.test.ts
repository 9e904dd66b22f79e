/** Meters and mastering on random signals, against implementations that share no code with ours. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { integratedLoudness } from "../../runners/signal/dsp/loudness.ts";
import { truePeak } from "../../runners/signal/dsp/true_peak.ts";
import { master } from "../../runners/signal/master/master.ts";
import { music, noise, seeded } from "../audio.ts";

/** Longer than a block of loudness; with its margins it fits 2^15 samples of the reconstruction. */
const SECONDS = 0.55;

test("integratedLoudness() agrees with the standard's own coefficients on random signals", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seeded(seed);
    const channels = randomSignal(random, 48_000, 1 + random() * 6, seed % 3 === 0 ? 1 : 2);
    const ours = integratedLoudness(channels, 48_000);
    const theirs = referenceLoudness(channels);
    // Their coefficients have ten decimals; what rounding makes of that is far below the hundredth that meters show.
    if (Number.isFinite(theirs))
      assert.ok(Math.abs(ours - theirs) < 0.002, `seed ${seed}: ${ours}, reference ${theirs}`);
    else assert.equal(ours, Number.NEGATIVE_INFINITY, `seed ${seed}`);
  }
});

test("truePeak() reads what a 32x reconstruction of the whole signal shows", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const channels = randomSignal(seeded(seed), 44_100, SECONDS, 1);
    const ours = decibel(truePeak(channels));
    const theirs = decibel(reconstructedPeak(channels[0]!));
    // Silence is -Infinity to both.
    assert.ok(
      ours === theirs || Math.abs(ours - theirs) < 0.05,
      `seed ${seed}: ${ours} dBTP, reconstruction ${theirs}`,
    );
  }
});

test("master() delivers nothing above -1.00 dBTP in a 32x reconstruction, at any target, whatever it is given", async () => {
  const signal = new AbortController().signal;
  const sources = [
    noise(5, SECONDS, 44_100, 0.9),
    music(7, SECONDS)[0],
    randomSignal(seeded(8), 44_100, SECONDS, 1)[0]!,
    // Clicks at odd places: the hardest peaks between samples.
    noise(9, SECONDS, 44_100, 0.01).map((sample, at) => (at % 1733 < 2 ? 0.95 : sample)),
  ];
  for (const [index, source] of sources.entries()) {
    for (const target_lufs of [-23, -14, -8]) {
      const level = { kind: "loudness", target_lufs, allow_compression: true } as const;
      const audio = { sample_rate: 44_100, channels: [source] };
      const { rendering, loudness } = await master(audio, level, { bits: 24, ring: false }, signal);
      const out = new Float32Array(rendering.frames);
      rendering.samples(0, rendering.frames, [out]);
      const peak = decibel(reconstructedPeak(out));
      assert.ok(peak <= -1, `source ${index} to ${target_lufs} LUFS: ${peak} dBTP`);
      assert.ok(
        Math.abs(peak - (loudness.true_peak_dbtp ?? 0)) < 0.1,
        `reported ${loudness.true_peak_dbtp}, is ${peak}`,
      );
      assert.equal(out.length, source.length);
    }
  }
});

/** Stretches of tones, noise and silence at random levels, channels apart. */
function randomSignal(random: () => number, sample_rate: number, seconds: number, channels: number): Float32Array[] {
  const frames = Math.round(seconds * sample_rate);
  return Array.from({ length: channels }, () => {
    const samples = new Float32Array(frames);
    for (let from = 0; from < frames; ) {
      const until = Math.min(frames, from + Math.round((0.05 + random()) * sample_rate));
      const level = 10 ** (-(random() * 60) / 20);
      const hertz = 20 * 1000 ** random();
      const kind = random();
      for (let at = from; at < until; at++) {
        const tone = Math.sin((2 * Math.PI * hertz * at) / sample_rate);
        samples[at] = kind < 0.1 ? 0 : 0.99 * level * (kind < 0.5 ? tone : 2 * random() - 1);
      }
      from = until;
    }
    return samples;
  });
}

/**
 * ITU-R BS.1770-4 as its text puts it, at 48 kHz: the two filters of tables 1 and 2 in direct form, mean squares over 400 ms in steps of
 * 100 ms, the absolute gate at -70 LKFS and the relative one 10 LU below what passes it. All channels weigh 1.
 */
function referenceLoudness(channels: readonly Float32Array[]): number {
  const weighted = channels.map((channel) => {
    const shelved = biquad(
      channel,
      [1.53512485958697, -2.69169618940638, 1.19839281085285],
      [-1.69065929318241, 0.73248077421585],
    );
    return biquad(shelved, [1, -2, 1], [-1.99004745483398, 0.99007225036621]);
  });
  const block = 19_200;
  const powers: number[] = [];
  for (let from = 0; from + block <= weighted[0]!.length; from += block / 4) {
    let power = 0;
    for (const channel of weighted) {
      let sum = 0;
      for (let at = from; at < from + block; at++) sum += channel[at]! ** 2;
      power += sum / block;
    }
    powers.push(power);
  }
  const loudness = (power: number): number => -0.691 + 10 * Math.log10(power);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const above = powers.filter((power) => loudness(power) > -70);
  if (above.length === 0) return Number.NEGATIVE_INFINITY;
  const gate = loudness(mean(above)) - 10;
  return loudness(mean(above.filter((power) => loudness(power) > gate)));
}

function biquad(input: ArrayLike<number>, b: readonly number[], a: readonly number[]): Float64Array {
  const output = new Float64Array(input.length);
  for (let at = 0; at < input.length; at++) {
    let value = 0;
    for (let tap = 0; tap < 3; tap++) if (at >= tap) value += b[tap]! * input[at - tap]!;
    for (let tap = 1; tap < 3; tap++) if (at >= tap) value -= a[tap - 1]! * output[at - tap]!;
    output[at] = value;
  }
  return output;
}

/** The largest value of the band-limited signal at 32 points a sample: its spectrum, padded with silence on both sides, taken back on a finer grid. */
function reconstructedPeak(samples: Float32Array): number {
  let size = 1;
  while (size < samples.length + 8192) size *= 2;
  const spectrum = { re: new Float64Array(size), im: new Float64Array(size) };
  for (let at = 0; at < samples.length; at++) spectrum.re[at + 4096] = samples[at]!;
  transform(spectrum.re, spectrum.im);
  let peak = 0;
  // Two fractional shifts at a time, one in the real and one in the imaginary part: as fine a grid as one long transform, in a fraction of its
  // memory.
  for (let shift = 0; shift < 32; shift += 2) {
    const re = new Float64Array(size);
    const im = new Float64Array(size);
    for (let bin = 0; bin < size; bin++) {
      const frequency = bin <= size / 2 ? bin : bin - size;
      for (const [is_second, at] of [shift, shift + 1].entries()) {
        const angle = (2 * Math.PI * frequency * at) / (32 * size);
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        const real = spectrum.re[bin]! * cos - spectrum.im[bin]! * sin;
        // The bin at half the rate has no phase of its own.
        const imaginary = bin === size / 2 ? 0 : spectrum.re[bin]! * sin + spectrum.im[bin]! * cos;
        // Conjugated, so that the forward transform takes it back.
        re[bin] = re[bin]! + (is_second === 1 ? -imaginary : real);
        im[bin] = im[bin]! - (is_second === 1 ? real : imaginary);
      }
    }
    transform(re, im);
    for (let at = 0; at < size; at++) peak = Math.max(peak, Math.abs(re[at]!) / size, Math.abs(im[at]!) / size);
  }
  return peak;
}

/** In place, radix 2, decimation in time. */
function transform(re: Float64Array, im: Float64Array): void {
  const size = re.length;
  for (let at = 1, other = 0; at < size; at++) {
    let bit = size >> 1;
    for (; other & bit; bit >>= 1) other ^= bit;
    other ^= bit;
    if (at < other) {
      [re[at], re[other]] = [re[other]!, re[at]!];
      [im[at], im[other]] = [im[other]!, im[at]!];
    }
  }
  const turns = turnsOf(size);
  for (let span = 2; span <= size; span *= 2) {
    const half = span / 2;
    for (let from = 0; from < size; from += span) {
      for (let turn = 0; turn < half; turn++) {
        const cos = turns.cos[turn * (size / span)]!;
        const sin = turns.sin[turn * (size / span)]!;
        const at = from + turn;
        const x = re[at + half]! * cos - im[at + half]! * sin;
        const y = re[at + half]! * sin + im[at + half]! * cos;
        re[at + half] = re[at]! - x;
        im[at + half] = im[at]! - y;
        re[at] = re[at]! + x;
        im[at] = im[at]! + y;
      }
    }
  }
}

const known = new Map<number, { readonly cos: Float64Array; readonly sin: Float64Array }>();

/** Cosine and sine of half a turn backwards in size / 2 steps. */
function turnsOf(size: number): { readonly cos: Float64Array; readonly sin: Float64Array } {
  let turns = known.get(size);
  if (turns === undefined) {
    const angles = Float64Array.from({ length: size / 2 }, (_, at) => (-2 * Math.PI * at) / size);
    turns = { cos: angles.map(Math.cos), sin: angles.map(Math.sin) };
    known.set(size, turns);
  }
  return turns;
}

function decibel(ratio: number): number {
  return 20 * Math.log10(ratio);
}
