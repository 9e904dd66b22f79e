import assert from "node:assert/strict";
import { test } from "node:test";
import type { Level } from "../../core/ports/mod.ts";
import { useKernels } from "../../runners/signal/dsp/arena.ts";
import { integratedLoudness } from "../../runners/signal/dsp/loudness.ts";
import { truePeak } from "../../runners/signal/dsp/true_peak.ts";
import { type Form, master } from "../../runners/signal/master/master.ts";
import { decibel, faded, music, noise, seeded, silence, sine, toneLevel } from "../audio.ts";

const RATE = 44_100;
const FORM: Form = { bits: 24, ring: false };
const signal = new AbortController().signal;
const streaming: Level = { kind: "loudness", target_lufs: -14, allow_compression: true };
const linear: Level = { kind: "loudness", target_lufs: -14, allow_compression: false };

async function run(channels: readonly Float32Array[], level: Level, form = FORM) {
  const mastered = await master({ sample_rate: RATE, channels }, level, form, signal);
  const { rendering } = mastered;
  const out = channels.map(() => new Float32Array(rendering.frames));
  rendering.samples(0, rendering.frames, out);
  return { ...mastered, out };
}

const near = (found: number | null, meant: number, tolerance: number): void =>
  assert.ok(found !== null && Math.abs(found - meant) <= tolerance, `${found} is not ${meant} ± ${tolerance}`);

test("master() refuses silence as source_silent where loudness is asked, and only there", async () => {
  for (const level of [streaming, linear]) {
    await assert.rejects(run([silence(1)], level), { name: "SourceError", code: "source_silent" });
    // Not without a sound, but below the absolute gate throughout.
    const faint = run([sine(997, 1, 44_100, 1e-4)], level);
    await assert.rejects(faint, { code: "source_silent", message: /below -70 LUFS/u });
  }
  for (const level of [{ kind: "peak" }, { kind: "ceiling" }, { kind: "gain", gain_db: 3 }] as const) {
    for (const bits of [16, 24] as const) {
      const { loudness, out } = await run([silence(1)], level, { bits, ring: false });
      assert.deepEqual(loudness, { lufs: null, true_peak_dbtp: null, compressed: false });
      assert.deepEqual(out, [silence(1)]);
    }
  }
});

test("master() takes one sample, reports no loudness for it, and refuses none at all", async () => {
  const { loudness, out } = await run([new Float32Array([0.25])], { kind: "peak" });
  assert.equal(loudness.lufs, null);
  near(loudness.true_peak_dbtp, -1, 0.03);
  assert.equal(out[0]!.length, 1);
  await assert.rejects(run([new Float32Array(0)], { kind: "peak" }), /no samples/);
});

test("master() refuses samples that are not numbers", async () => {
  const samples = noise(1, 1);
  samples[999] = Number.NaN;
  await assert.rejects(run([samples], { kind: "ceiling" }), /not finite/);
});

test("master() never writes to its input", async () => {
  const channels = music(1, 5);
  const before = channels.map((channel) => channel.slice());
  await run(channels, streaming);
  assert.deepEqual(channels, before);
});

test("master() brings music to -14 LUFS within 0.02 LU under -1 dBTP, stereo, mono, quiet and clipped", async () => {
  const song = music(2, 12);
  const scaled = (gain: number): Float32Array[] =>
    song.map((channel) => channel.map((sample) => Math.max(-1, Math.min(1, sample * gain))));
  for (const channels of [song, [song[0]], scaled(0.02), scaled(8), [song[0], song[0].map((sample) => -sample)]]) {
    const { out, loudness } = await run(channels, streaming);
    near(integratedLoudness(out, RATE), -14, 0.02);
    near(loudness.lufs, integratedLoudness(out, RATE), 1e-6);
    assert.ok(decibel(truePeak(out)) <= -1, `${decibel(truePeak(out))} dBTP`);
    near(loudness.true_peak_dbtp, decibel(truePeak(out)), 1e-6);
  }
});

test("master() uses one gain alone where that is enough, and says so", async () => {
  const channels = [noise(3, 3, RATE, 0.02)];
  const { loudness, gain_db, out } = await run(channels, { ...streaming, target_lufs: -20 } as Level);
  assert.equal(loudness.compressed, false);
  const factor = 10 ** (gain_db / 20);
  for (let n = 0; n < out[0]!.length; n += 11) near(out[0]![n]!, channels[0]![n]! * factor, 2 ** -23);
});

test("master() without allow_compression stops at the ceiling and reports the shortfall", async () => {
  const { loudness, out } = await run(music(4, 6), linear);
  assert.equal(loudness.compressed, false);
  near(loudness.true_peak_dbtp, -1, 0.03);
  assert.ok(loudness.lufs! < -14.5);
  near(loudness.lufs, integratedLoudness(out, RATE), 1e-6);
});

test("master() reaches the target on a crescendo and on impulses, with the limiter", async () => {
  const rising = music(5, 12).map((channel) =>
    channel.map((sample, n) => sample * 10 ** ((n / channel.length - 1) * 1.5)),
  );
  const next = seeded(6);
  const impulses = noise(7, 8, RATE, 0.01).map((sample, n) =>
    n % 22_050 === 99 ? (next() < 0.5 ? -0.9 : 0.9) : sample,
  );
  for (const channels of [rising, [impulses]]) {
    const { loudness } = await run(channels, streaming);
    near(loudness.lufs, -14, 0.05);
    assert.ok(loudness.true_peak_dbtp! <= -1);
    assert.equal(loudness.compressed, true);
  }
});

test("master() reaches loud targets on music and impulses out of an ordinary limiter's reach", async () => {
  const next = seeded(12);
  const impulses = noise(13, 6, RATE, 0.02).map((sample, n) =>
    n % 5000 === 99 ? (next() < 0.5 ? -0.95 : 0.95) : sample,
  );
  for (const [channels, target_lufs, tolerance] of [
    [music(14, 8), -8, 0.05],
    [[impulses], -14, 0.2],
    [[impulses], -9, 0.2],
  ] as const) {
    const { loudness, out } = await run(channels, { ...streaming, target_lufs } as Level);
    near(integratedLoudness(out, RATE), target_lufs, tolerance);
    assert.ok(decibel(truePeak(out)) <= -1, `${decibel(truePeak(out))} dBTP`);
    assert.equal(loudness.compressed, true);
  }
});

test("master() limits a bass without distortion: harmonics of 50 Hz under quieter and louder stretches stay below -70 dB", async () => {
  // Half of it is 6 dB louder: 0.4 LU beyond what plain gain reaches take about 2 dB of limiting there.
  const bass = sine(50, 8, RATE, 0.25).map((sample, n) => (n < 4 * RATE ? sample : 2 * sample));
  const target_lufs = integratedLoudness([bass], RATE) + 5 + 0.4;
  const { out, loudness } = await run([bass], { ...streaming, target_lufs } as Level);
  near(loudness.lufs, target_lufs, 0.05);
  assert.equal(loudness.compressed, true);
  const fundamental = toneLevel(out[0]!, 50, RATE, 5.5 * RATE, 7.5 * RATE);
  for (const harmonic of [2, 3, 4, 5, 7]) {
    const level = decibel(toneLevel(out[0]!, 50 * harmonic, RATE, 5.5 * RATE, 7.5 * RATE) / fundamental);
    assert.ok(level < -70, `harmonic ${harmonic}: ${level} dB`);
  }
});

test("master() reports what the rounded samples measure after one gain", async () => {
  const channels = music(15, 4);
  for (const level of [{ kind: "peak" }, linear, { ...linear, target_lufs: -30 }] as Level[]) {
    const { loudness, out } = await run(channels, level);
    near(loudness.lufs, integratedLoudness(out, RATE), 1e-6);
    near(loudness.true_peak_dbtp, decibel(truePeak(out)), 1e-6);
  }
});

test("master() does what it can where the target is out of reach", async () => {
  const click = silence(3);
  click[RATE] = 0.5;
  const { loudness } = await run([click], { ...streaming, target_lufs: -6 } as Level);
  assert.ok(loudness.true_peak_dbtp! <= -1);
  assert.ok(loudness.lufs === null || loudness.lufs < -6);
});

test("master() has no delay: what was loudest stays where it was", async () => {
  const samples = noise(8, 2, RATE, 0.1);
  samples[30_000] = 1;
  const { out } = await run([samples], streaming);
  let place = 0;
  for (let n = 0; n < out[0]!.length; n++) if (Math.abs(out[0]![n]!) > Math.abs(out[0]![place]!)) place = n;
  assert.equal(place, 30_000);
  assert.equal(out[0]!.length, samples.length);
});

test("master() brings the true peak, not the sample peak, to -1 dBTP", async () => {
  // Samples of fs/4 at 45 degrees lie 3 dB below the wave.
  const { loudness, out } = await run([faded(sine(RATE / 4, 1, RATE, 0.2, Math.PI / 4), 0.1)], { kind: "peak" });
  near(loudness.true_peak_dbtp, -1, 0.03);
  near(decibel(Math.max(...out[0]!.map(Math.abs))), -4.01, 0.05);
});

test("master() with ceiling leaves what is below it as it is, and lowers what is above", async () => {
  const calm = faded(sine(440, 1, RATE, 0.5), 0.1);
  const kept = await run([calm], { kind: "ceiling" });
  assert.equal(kept.gain_db, 0);
  for (let n = 0; n < calm.length; n += 13) near(kept.out[0]![n]!, calm[n]!, 2 ** -24);
  const loud = await run([calm.map((sample) => sample * 4)], { kind: "ceiling" });
  near(loud.loudness.true_peak_dbtp, -1, 0.03);
  // What this made is left alone the next time.
  assert.equal((await run(loud.out, { kind: "ceiling" })).gain_db, 0);
});

test("master() with gain applies exactly that, so that parts still sum", async () => {
  const parts = [noise(9, 1, RATE, 0.3), sine(100, 1, RATE, 0.4)] as const;
  const sum = parts[0].map((sample, n) => sample + parts[1][n]!);
  const level: Level = { kind: "gain", gain_db: -2.5 };
  const [a, b, whole] = await Promise.all([run([parts[0]], level), run([parts[1]], level), run([sum], level)]);
  assert.equal(a.gain_db, -2.5);
  for (let n = 0; n < sum.length; n += 17) near(a.out[0]![n]! + b.out[0]![n]!, whole.out[0]![n]!, 2 * 2 ** -23);
});

test("master() keeps a ring closed: the limiter's dip goes on across the seam", async () => {
  const ring = noise(10, 1, RATE, 0.1);
  ring[30] = 0.95;
  const { out, loudness } = await run([ring], streaming, { bits: 24, ring: true });
  assert.equal(loudness.compressed, true);
  const gain = (n: number): number => out[0]![n]! / ring[n]!;
  assert.ok(Math.abs(decibel(gain(ring.length - 1) / gain(0))) < 0.1, `${gain(ring.length - 1)} and ${gain(0)}`);
  assert.ok(decibel(gain(22_050) / gain(ring.length - 1)) > 3);
  // As a plain file the same sound has no reason to be turned down at its end.
  const plain = await run([ring], streaming);
  assert.ok(decibel(plain.out[0]![ring.length - 1]! / ring[ring.length - 1]! / (plain.out[0]![0]! / ring[0]!)) > 3);
});

test("master() dithers 16 bits, the same way each time", async () => {
  // A tone of a third of a step would vanish or turn square without dither.
  const faint = [sine(1000, 1, RATE, 2 ** -15 / 3)];
  const form: Form = { bits: 16, ring: false };
  const first = await run(faint, { kind: "gain", gain_db: 0 }, form);
  const second = await run(faint, { kind: "gain", gain_db: 0 }, form);
  assert.deepEqual(first.out, second.out);
  const steps = new Set(Array.from(first.out[0]!, (sample) => sample * 2 ** 15));
  assert.deepEqual(
    [...steps].sort((a, b) => a - b),
    [-1, 0, 1],
  );
});

test("master() stops when it is aborted, with the signal's reason", async () => {
  const stop = new AbortController();
  const work = master({ sample_rate: RATE, channels: [noise(11, 60)] }, streaming, FORM, stop.signal);
  setTimeout(() => stop.abort(new Error("enough")), 1);
  await assert.rejects(work, /enough/);
});

test("master() gives without the kernels what it gives with them", async () => {
  const channels = music(11, 4);
  for (const target_lufs of [-14, -9]) {
    const level: Level = { kind: "loudness", target_lufs, allow_compression: true };
    const results: { samples: Float32Array; lufs: number }[] = [];
    for (const kernels of [true, false]) {
      useKernels(kernels);
      try {
        const { rendering, loudness } = await master({ sample_rate: RATE, channels }, level, FORM, signal);
        const out = channels.map((channel) => new Float32Array(channel.length));
        rendering.samples(0, rendering.frames, out);
        results.push({ samples: out[0]!, lufs: loudness.lufs! });
      } finally {
        useKernels(true);
      }
    }
    const [one, other] = results;
    assert.ok(Math.abs(one!.lufs - other!.lufs) < 1e-3, `${one!.lufs} and ${other!.lufs} LUFS`);
    for (let n = 0; n < one!.samples.length; n++) {
      assert.ok(Math.abs(one!.samples[n]! - other!.samples[n]!) < 1e-3, `to ${target_lufs}, sample ${n}`);
    }
  }
});

/** Drums and nothing else: the crest factor is far out of a slow limiter's reach. */
function drums(seconds: number): Float32Array {
  const hiss = noise(12, seconds, RATE, 1);
  return hiss.map((sample, n) => {
    const beat = (n / RATE / 0.25) % 1;
    const kick = Math.floor(n / RATE / 0.25) % 2 === 0;
    const decay = Math.exp(-beat * (kick ? 5 : 12));
    return 0.6 * decay * (kick ? Math.sin(2 * Math.PI * 60 * beat * 0.25) : sample) + 0.0005 * sample;
  });
}

test("master() meets a hot target on drums within 0.2 LU", async () => {
  const beat = drums(6);
  for (const target_lufs of [-14, -11, -9]) {
    const level: Level = { kind: "loudness", target_lufs, allow_compression: true };
    const { loudness } = await master({ sample_rate: RATE, channels: [beat, beat] }, level, FORM, signal);
    assert.ok(Math.abs(loudness.lufs! - target_lufs) < 0.2, `${loudness.lufs} LUFS for ${target_lufs}`);
    assert.ok(loudness.true_peak_dbtp! <= -1);
  }
});

test("master() to a hot target turns nothing down for long where only single peaks are high", async () => {
  const samples = noise(13, 4, RATE, 0.05);
  for (let n = 10_000; n < samples.length; n += 15_000) samples[n] = 0.9;
  const { rendering, gain_db } = await master({ sample_rate: RATE, channels: [samples] }, streaming, FORM, signal);
  const out = new Float32Array(samples.length);
  rendering.samples(0, rendering.frames, [out]);
  // 10 ms after a click the sound has its full gain again.
  let worst = 0;
  for (let n = 10_000 + 441; n + 30 < samples.length; n += 15_000) {
    for (let k = 0; k < 30; k++) {
      const meant = samples[n + k]! * 10 ** (gain_db / 20);
      worst = Math.max(worst, Math.abs(out[n + k]! - meant));
    }
  }
  assert.ok(worst < 0.02, `${worst}`);
});
