/** Tempo without pitch, pitch without tempo: against what tones and strokes must become. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../runners/signal/dsp/random.ts";
import { attacksOf, shifted, sliced, stretched, stretchedBy, TimeMap } from "../../runners/signal/stretch/mod.ts";

const RATE = 44_100;
const TONES = [220, 277.18, 329.63];

function chord(seconds: number): Float32Array {
  return Float32Array.from({ length: seconds * RATE }, (_, n) =>
    TONES.reduce((sum, hertz) => sum + 0.1 * Math.sin((2 * Math.PI * hertz * n) / RATE), 0),
  );
}

/** Strokes of 14 ms at these seconds. */
function strokes(seconds: number, places: readonly number[]): Float32Array {
  const out = new Float32Array(seconds * RATE);
  const hiss = random(3);
  for (const place of places)
    for (let n = 0; n < 600; n++) out[Math.round(place * RATE) + n]! += 0.8 * Math.exp(-n / 80) * (2 * hiss() - 1);
  return out;
}

/** Cents by which the strongest component near `hertz` is off within six, in whole cents. */
function centsOff(samples: Float32Array, hertz: number): number {
  const [from, to] = [Math.round(0.3 * RATE), samples.length - Math.round(0.3 * RATE)];
  let [best, most] = [0, 0];
  for (let cents = -6; cents <= 6; cents++) {
    const step = (2 * Math.PI * hertz * 2 ** (cents / 1200)) / RATE;
    let [re, im] = [0, 0];
    for (let n = from; n < to; n += 4) {
      const window = 1 - Math.cos((2 * Math.PI * (n - from)) / (to - from));
      re += window * samples[n]! * Math.cos(step * n);
      im += window * samples[n]! * Math.sin(step * n);
    }
    if (re * re + im * im > most) [best, most] = [cents, re * re + im * im];
  }
  return best;
}

const power = (samples: Float32Array, from: number, to: number): number => {
  let sum = 0;
  for (let n = Math.round(from * RATE); n < Math.round(to * RATE); n++) sum += samples[n]! ** 2;
  return sum / ((to - from) * RATE);
};
const decibel = (ratio: number): number => 10 * Math.log10(ratio);

test("at its own length a recording stays what it is", () => {
  const struck = strokes(1, [0.4]);
  const source = chord(1).map((value, n) => value + struck[n]!);
  const [same] = stretchedBy([source], 1);
  assert.equal(same!.length, source.length);
  for (const [n, value] of same!.entries()) assert.ok(Math.abs(value - source[n]!) < 1e-6, `sample ${n}`);
});

test("other lengths keep pitch to a cent, level to a third of a decibel and places in stereo", () => {
  const left = chord(2);
  const right = left.map((value) => 0.5 * value);
  for (const ratio of [0.8, 1.25]) {
    const [one, other] = stretchedBy([left, right], ratio);
    assert.equal(one!.length, Math.round(left.length * ratio));
    for (const hertz of TONES) assert.ok(Math.abs(centsOff(one!, hertz)) <= 1, `${hertz} Hz at ${ratio}`);
    const end = one!.length / RATE - 0.3;
    const level = decibel(power(one!, 0.3, end) / power(left, 0.3, 1.7));
    assert.ok(Math.abs(level) < 0.33, `${level} dB at ${ratio}`);
    assert.ok(Math.abs(decibel(power(one!, 0.3, end) / power(other!, 0.3, end)) - 6.02) < 0.1);
  }
});

test("strokes over a chord are where they belong and are not smeared", () => {
  const places = [0.4, 0.75, 1.1, 1.5];
  const struck = strokes(2, places);
  const source = chord(2).map((value, n) => value + struck[n]!);
  for (const ratio of [0.8, 1.25]) {
    const [made] = stretchedBy([source], ratio);
    const found = attacksOf([made!]).map((at) => at / RATE);
    for (const place of places) {
      assert.ok(
        found.some((at) => Math.abs(at - place * ratio) < 0.006),
        `${place} at ${ratio}: ${found}`,
      );
      // What leads into the stroke is the chord, as much as before: an echo ahead of it would be louder.
      const ahead = power(made!, place * ratio - 0.02, place * ratio - 0.005);
      assert.ok(decibel(ahead / 0.015) < 2.5, `${decibel(ahead / 0.015)} dB before ${place} at ${ratio}`);
      const own = power(source, place - 0.003, place + 0.012);
      const there = power(made!, place * ratio - 0.003, place * ratio + 0.012);
      assert.ok(Math.abs(decibel(there / own)) < 1.5, `${decibel(there / own)} dB of ${place} at ${ratio}`);
    }
  }
});

test("another pitch at the same length", () => {
  const source = chord(2);
  for (const semitones of [-4, 3]) {
    const [made] = shifted([source], semitones);
    assert.equal(made!.length, source.length);
    for (const hertz of TONES) assert.ok(Math.abs(centsOff(made!, hertz * 2 ** (semitones / 12))) <= 1);
  }
  assert.deepEqual(shifted([source], 0)[0], source);
});

test("slices are moved as they are", () => {
  const places = [0.3, 0.7, 1.2];
  const source = strokes(1.6, places);
  const map = new TimeMap([
    { out: 0, source: 0 },
    { out: 2 * RATE, source: 1.6 * RATE },
  ]);
  const [made] = sliced([source], map, 2 * RATE, attacksOf([source]));
  for (const cut of attacksOf([source])) {
    const to = Math.round(map.outAt(cut));
    for (let n = 0; n < 600; n++) assert.ok(Math.abs(made![to + n]! - source[cut + n]!) < 1e-6, `${cut} + ${n}`);
  }
});

test("a map that goes back is refused, and so is no length at all", () => {
  const point = (out: number, source: number) => ({ out, source });
  assert.throws(() => new TimeMap([point(0, 0), point(0, 5)]), RangeError);
  assert.throws(() => new TimeMap([]), RangeError);
  assert.throws(() => stretchedBy([new Float32Array(10)], 0), RangeError);
  const short = stretched([Float32Array.of(0.5)], new TimeMap([point(0, 0)]), 3);
  assert.equal(short[0]!.length, 3);
});
