/** Edges of a recording, alignment of a join and the crossfade, each against closed forms. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audio } from "../../../../contract/mod.ts";
import { noise as noiseAudio, silence as silenceAudio, tone } from "../../../../packages/plugin/testing.ts";
import { align } from "../../../../runners/signal/cut/align.ts";
import { attackNear, fluxOf } from "../../../../runners/signal/cut/attacks.ts";
import { edgesOf, withoutQuietEnd } from "../../../../runners/signal/cut/edges.ts";
import { envelopes } from "../../../../runners/signal/cut/envelopes.ts";
import { type Layout, lengthOf, render } from "../../../../runners/signal/cut/render.ts";
import { joined, noise, silence, sine } from "../../../audio.ts";

const RATE = 44_100;
const still = async (): Promise<void> => undefined;
const mono = (...parts: readonly Float32Array[]): Audio => ({ sample_rate: RATE, channels: [joined(...parts)] });
const secondsOf = (audio: Audio): number => audio.channels[0]!.length / RATE;
const edgesIn = async (audio: Audio) => edgesOf(await envelopes(audio, still), secondsOf(audio));

/** A tone that falls by 60 dB in `seconds`. */
const dying = (hertz: number, seconds: number): Float32Array =>
  sine(hertz, seconds).map((sample, n) => sample * 10 ** ((-3 * n) / (seconds * RATE)));

test("edgesOf() tells an ending that dies away from music that was cut off", async () => {
  const ringing = await edgesIn(mono(silence(0.4), sine(220, 6), dying(220, 2.5), silence(1.2)));
  assert.ok(Math.abs(ringing.sound_start - 0.4) < 0.01, `${ringing.sound_start}`);
  assert.equal(ringing.abrupt, false);
  assert.ok(ringing.sound_end > 8.4 && ringing.sound_end < 9, `${ringing.sound_end}`);
  assert.ok(ringing.decay_start > 6.2 && ringing.decay_start < 7.2, `${ringing.decay_start}`);
  const stopped = await edgesIn(mono(sine(220, 6)));
  assert.equal(stopped.abrupt, true);
  assert.equal(stopped.sound_end, 6);
  const silent = await edgesIn(silenceAudio(3));
  assert.equal(silent.abrupt, false);
  assert.equal(silent.sound_end, 0);
});

test("withoutQuietEnd() leaves out a quiet end that would fill a third of the output, and no other", async () => {
  const soft = sine(220, 8, RATE, 0.01);
  const edges = await edgesIn(mono(sine(220, 20, RATE, 0.5), soft));
  const short = withoutQuietEnd(edges, 15);
  assert.ok(Math.abs(short.sound_end - 20.5) < 0.2, `${short.sound_end}`);
  assert.equal(short.seconds, short.sound_end);
  assert.ok(short.abrupt);
  assert.equal(withoutQuietEnd(edges, 25), edges, "too little is left");
  const long = await edgesIn(mono(sine(220, 30, RATE, 0.5), soft));
  assert.equal(withoutQuietEnd(long, 28), long, "a small part of the output");
  const ringing = await edgesIn(mono(sine(220, 20), dying(220, 6)));
  assert.equal(withoutQuietEnd(ringing, 15), ringing, "a last note");
});

test("envelopes() hears channels that cancel each other", async () => {
  const side = sine(300, 1);
  const { all } = await envelopes({ sample_rate: RATE, channels: [side, side.map((sample) => -sample)] }, still);
  assert.ok(all[100]! > 1e-3);
});

test("attackNear() finds where an attack begins, to 3 ms", async () => {
  const audio = mono(
    sine(110, 1, RATE, 0.05),
    noise(1, 0.2).map((sample, n) => sample * Math.exp(-n / 2000)),
    sine(110, 1, RATE, 0.05),
  );
  const { time, strength } = attackNear(fluxOf(await envelopes(audio, still)), 0.96, 1.04);
  assert.ok(Math.abs(time - 1) < 0.003, `${time}`);
  assert.ok(strength > 0.9, `${strength}`);
});

test("align() brings attacks together that the beats put 9 ms apart, and joins before them", async () => {
  const hit = noise(2, 0.1, RATE, 0.8).map((sample, n) => sample * Math.exp(-n / 800));
  const bed = noise(5, 12, RATE, 0.002);
  const times = [1, 1.5, 2, 2.5, 3, 3.5, 4, 6.009, 6.509, 7.009, 7.509, 8.009, 8.509, 9.009];
  for (const time of times) for (let n = 0; n < hit.length; n++) bed[Math.round(time * RATE) + n]! += hit[n]!;
  const audio = mono(bed);
  const flux = fluxOf(await envelopes(audio, still));
  const seam = align(audio, flux, { leave: 2.5, enter: 7.5, kind: "beat", beat_seconds: 0.5 });
  assert.ok(Math.abs((seam.enter - seam.leave) / RATE - 5.009) < 0.0015, `${(seam.enter - seam.leave) / RATE}`);
  const until = (seam.leave + seam.fade / 2) / RATE;
  assert.ok(until < 2.5 && until > 2.49, `${until}`);
  assert.ok(seam.agreement > 0.8, `${seam.agreement}`);
});

test("align() finds the phase of a tone", async () => {
  const audio = tone(87, 6, { channels: 1 });
  const flux = fluxOf(await envelopes(audio, still));
  const seam = align(audio, flux, { leave: 1.001, enter: 4.0035, kind: "free", beat_seconds: 0.5 });
  const periods = ((seam.enter - seam.leave) / RATE) * 87;
  assert.ok(Math.abs(periods - Math.round(periods)) < 0.01, `${periods}`);
  assert.ok(seam.correlation > 0.999);
});

test("render() is sample for sample the source outside its crossfades, as long as its layout says", async () => {
  const source = noiseAudio(10);
  const layout: Layout = {
    start: 2000,
    end: 10 * RATE,
    fade: 0,
    seams: [
      { leave: 100_000, enter: 250_000, fade: 882, correlation: 0, step_db: 0, agreement: 0 },
      { leave: 300_000, enter: 120_000, fade: 882, correlation: 0, step_db: 0, agreement: 0 },
    ],
  };
  const made = await render(source, layout, still);
  assert.equal(made.channels[0]!.length, lengthOf(layout));
  assert.equal(lengthOf(layout), 10 * RATE - 2000 - 150_000 + 180_000);
  for (const [index, channel] of made.channels.entries()) {
    const from = source.channels[index]!;
    assert.deepEqual(channel.subarray(200, 97_000), from.subarray(2200, 99_000));
    assert.deepEqual(channel.subarray(99_000, 147_000), from.subarray(251_000, 299_000));
    assert.deepEqual(channel.subarray(149_000), from.subarray(121_000));
  }
});

test("the crossfade keeps the power of what is alike and of what is not", async () => {
  const level = (samples: Float32Array): number => Math.hypot(...samples) / Math.sqrt(samples.length);
  const seam = { leave: 60_000, enter: 160_000, fade: 20_000, step_db: 0, agreement: 0 };
  const unlike = await render(
    noiseAudio(5, { channels: 1 }),
    { start: 0, end: 5 * RATE, fade: 0, seams: [{ ...seam, correlation: 0 }] },
    still,
  );
  const middle = unlike.channels[0]!.subarray(57_000, 63_000);
  assert.ok(Math.abs(20 * Math.log10(level(middle) / level(unlike.channels[0]!.subarray(0, 40_000)))) < 0.3);
  // 100,000 samples are whole periods of this tone: both sides are equal, and so is their sum.
  const alike = tone((RATE * 200) / 100_000, 5, { channels: 1 });
  const same = await render(alike, { start: 0, end: 5 * RATE, fade: 0, seams: [{ ...seam, correlation: 1 }] }, still);
  for (let n = 50_000; n < 70_000; n += 7) {
    assert.ok(Math.abs(same.channels[0]![n]! - alike.channels[0]![n]!) < 1e-4, `${n}`);
  }
});

test("render() ends under a fade, and adds silence without a step", async () => {
  const source = tone(100, 2, { channels: 1 });
  const faded = await render(source, { start: 0, end: RATE, fade: RATE / 2, seams: [] }, still);
  assert.ok(Math.abs(faded.channels[0]!.at(-1)!) < 1e-6);
  assert.deepEqual(faded.channels[0]!.subarray(0, RATE / 2), source.channels[0]!.subarray(0, RATE / 2));
  const longer = await render(source, { start: 0, end: 3 * RATE, fade: 0, seams: [] }, still);
  assert.equal(longer.channels[0]!.length, 3 * RATE);
  assert.ok(longer.channels[0]!.subarray(2 * RATE).every((sample) => sample === 0));
  assert.ok(Math.abs(longer.channels[0]![2 * RATE - 1]!) < 0.01);
});
