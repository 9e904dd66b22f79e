import assert from "node:assert/strict";
import { test } from "node:test";
import { GainCurve, limiterGain, PACES, PeakMap } from "../../runners/signal/dsp/limiter.ts";
import { decibel, faded, music, noise, silence, sine, toneLevel } from "../audio.ts";

const RATE = 44_100;
const CEILING = 0.5;

/** The gain of each sample that holds `channels` times `drive` under the ceiling; undefined where none is needed. */
function gains(channels: readonly Float32Array[], drive: number, ring = false): Float64Array | undefined {
  const frames = channels[0]!.length;
  const context = PeakMap.context;
  const end = channels.map((channel) => channel.subarray(frames - context));
  const start = channels.map((channel) => channel.subarray(0, context));
  const map = new PeakMap(channels.length, frames, CEILING / drive, ring ? end : undefined);
  map.push(channels);
  map.finish(ring ? start : undefined);
  const cells = limiterGain(map, drive, CEILING, RATE);
  if (cells === undefined) return undefined;
  const out = new Float64Array(frames);
  new GainCurve(cells, map).fill(0, frames, out);
  return out;
}

test("limiterGain() has nothing to do for silence, one sample and what stays below the ceiling", () => {
  assert.equal(gains([silence(1)], 1000), undefined);
  assert.equal(gains([new Float32Array([0.4])], 1), undefined);
  assert.equal(gains([faded(sine(440, 1, RATE, 0.49), 0.1)], 1), undefined);
});

test("limiterGain() holds every sample under the ceiling, from one sample on", () => {
  for (const channels of [[new Float32Array([1])], [noise(1, 1)], music(2, 4), [sine(60, 1, RATE, 1)]]) {
    const curve = gains(channels, 4)!;
    for (const channel of channels) {
      for (let n = 0; n < channel.length; n++) {
        assert.ok(curve[n]! <= 1 && Math.abs(channel[n]! * 4 * curve[n]!) <= CEILING * 1.0001, `sample ${n}`);
      }
    }
  }
});

test("limiterGain() turns all channels down together", () => {
  const quiet = sine(300, 0.5, RATE, 0.01);
  const loud = sine(700, 0.5, RATE, 0.9);
  assert.deepEqual(gains([quiet, loud], 1), gains([loud, quiet], 1));
});

test("limiterGain() begins before the peak, smoothly, and rests at exactly 1 elsewhere", () => {
  const samples = silence(3);
  samples[RATE] = 1;
  const curve = gains([samples], 1)!;
  assert.ok(Math.abs(decibel(curve[RATE]!) - decibel(CEILING)) < 0.01);
  assert.equal(curve[RATE - 600], 1);
  assert.ok(curve[RATE - 100]! < 1);
  assert.equal(curve[0], 1);
  let steepest = 0;
  for (let n = 1; n < curve.length; n++) steepest = Math.max(steepest, Math.abs(curve[n]! - curve[n - 1]!));
  // 6 dB over 6 ms is 0.002 a sample on average.
  assert.ok(steepest < 0.006, `${steepest}`);
});

test("limiterGain() does not distort a bass: harmonics of 50 Hz stay below -80 dB", () => {
  const samples = sine(50, 2, RATE, 1);
  const curve = gains([samples], 1)!;
  const out = samples.map((sample, n) => sample * curve[n]!);
  const fundamental = toneLevel(out, 50, RATE, RATE / 2, 1.5 * RATE);
  for (const harmonic of [2, 3, 4, 5, 7]) {
    const level = decibel(toneLevel(out, 50 * harmonic, RATE, RATE / 2, 1.5 * RATE) / fundamental);
    assert.ok(level < -80, `harmonic ${harmonic}: ${level} dB`);
  }
});

test("limiterGain() closes a ring: the curve of a turned ring is the turned curve", () => {
  const ring = noise(5, 1, RATE, 0.05);
  ring[40] = 0.95;
  const turn = 22_050;
  const turned = Float32Array.from(ring, (_, n) => ring[(n + turn) % ring.length]!);
  const curve = gains([ring], 1, true)!;
  const other = gains([turned], 1, true)!;
  for (let n = 0; n < ring.length; n += 7) {
    assert.ok(Math.abs(other[n]! - curve[(n + turn) % ring.length]!) < 1e-3, `sample ${n}`);
  }
  assert.ok(Math.abs(curve[0]! - curve[ring.length - 1]!) < 0.01);
});

test("limiterGain() holds the ceiling at every pace, and gives way less at a faster one", () => {
  const samples = noise(6, 2, RATE, 0.02);
  for (let n = 5000; n < samples.length; n += 9000) samples[n] = 0.95;
  const map = new PeakMap(1, samples.length, CEILING / 4);
  map.push([samples]);
  map.finish();
  let before = 0;
  for (const pace of PACES) {
    const out = new Float64Array(samples.length);
    new GainCurve(limiterGain(map, 4, CEILING, RATE, pace)!, map).fill(0, samples.length, out);
    let sum = 0;
    for (let n = 0; n < samples.length; n++) {
      sum += out[n]!;
      assert.ok(Math.abs(samples[n]! * 4 * out[n]!) <= CEILING * 1.0001, `sample ${n}`);
    }
    assert.ok(sum > before);
    before = sum;
  }
});
