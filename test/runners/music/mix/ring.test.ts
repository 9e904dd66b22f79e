import assert from "node:assert/strict";
import { test } from "node:test";
import type { Part } from "../../../../runners/music/compose/mod.ts";
import { createDesk } from "../../../../runners/music/mix/desk.ts";
import type { Stem } from "../../../../runners/music/play/mod.ts";
import { drummed, partOf, RATE, rms, scoreOf, struck } from "./material.ts";

const PARTS: readonly Part[] = [
  partOf("drums", { instrument: "house_kit" }),
  partOf("bass", { instrument: "synth_bass" }),
  partOf("pad", { pan: 0.2, instrument: "warm_pad" }),
  partOf("lead", { pan: -0.3 }),
];

/** Tones and beats that fit the loop without a seam. */
function loop(seconds: number): Float32Array[] {
  const fold = (samples: Float32Array): Float32Array => {
    const frames = seconds * RATE;
    const out = samples.slice(0, frames);
    for (let n = frames; n < samples.length; n++) out[n % frames] = out[n % frames]! + samples[n]!;
    return out;
  };
  return [
    fold(drummed(seconds)),
    fold(around(struck(seconds, [55, 65.4], 0.5))),
    fold(around(struck(seconds, [130.8, 196], 1))),
    fold(around(struck(seconds, [523, 587, 659, 784], 0.25))),
  ];
}

/** Room for what the last strike leaves ringing: `struck` cuts at the end, which on a ring would be a seam of the material's own. */
function around(samples: Float32Array): Float32Array {
  const out = samples.slice();
  const edge = Math.round(0.02 * RATE);
  for (let n = 0; n < edge; n++) {
    out[n] = out[n]! * (n / edge);
    out[out.length - 1 - n] = out[out.length - 1 - n]! * (n / edge);
  }
  return out;
}

function turned(samples: Float32Array, by: number): Float32Array {
  const out = new Float32Array(samples.length);
  for (let n = 0; n < samples.length; n++) out[(n + by) % samples.length] = samples[n]!;
  return out;
}

async function mixOf(stems: readonly Stem[], age: number, space: number): Promise<readonly Float32Array[]> {
  const score = scoreOf(PARTS, { age, space }, { ring: true });
  const desk = createDesk(score, { frames: stems[0]![0].length, ring: true, seed: 4 });
  const { signal } = new AbortController();
  for (const [index, part] of PARTS.entries()) await desk.add(part, stems[index]!, signal);
  return (await desk.finish(signal)).channels;
}

test("on a ring the last sample meets the first, with tape and with a long tail", async () => {
  for (const [seconds, age, space] of [
    [2, 0.8, 0.3],
    [3, 0, 1],
  ] as const) {
    const channels = await mixOf(
      loop(seconds).map((stem): Stem => [stem]),
      age,
      space,
    );
    for (const channel of channels) {
      const steps = channel.map((value, n) => Math.abs(value - channel[(n + 1) % channel.length]!));
      const seam = steps[channel.length - 1]!;
      const inside = steps.slice(0, -1).sort();
      assert.ok(seam <= inside[Math.floor(0.99 * inside.length)]!, `seam ${seam}`);
    }
  }
});

test("a ring that is turned gives the mix turned", async () => {
  // Whole hops of the loudness and steps of the dynamics. Where no band of the balance lies on the edge between two of its steps of
  // 0.05 dB, what is left is rounding at -123 dB; one step of one band is -60.
  const seconds = 4.8;
  const by = 70_560;
  const stems = loop(seconds);
  const plain = await mixOf(
    stems.map((stem): Stem => [stem]),
    0,
    0.6,
  );
  const other = await mixOf(
    stems.map((stem): Stem => [turned(stem, by)]),
    0,
    0.6,
  );
  for (const [index, channel] of plain.entries()) {
    const expected = turned(channel, by);
    const difference = expected.map((value, n) => value - other[index]![n]!);
    const below = 20 * Math.log10(rms(difference) / rms(expected));
    assert.ok(below < -50, `difference ${below} dB`);
  }
});
