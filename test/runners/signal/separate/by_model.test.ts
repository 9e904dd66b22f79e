/** Whatever a model gives becomes five stems that sum to the source. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Audio, STEMS } from "../../../../core/plugin.ts";
import type { TaskEngines } from "../../../../runners/engines.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { streamed } from "../../../../runners/signal/separate/blocks.ts";
import { separateByModel } from "../../../../runners/signal/separate/by_model.ts";
import { Kept } from "../../../../runners/signal/separate/kept.ts";
import { Rising } from "../../../../runners/signal/separate/rising.ts";

type Separator = TaskEngines["separate"];
type Name = Separator["stems"][number];

const FRAMES = 70_000;

function piece(channels = 2, level = 0.3): Audio {
  const next = random(7);
  return {
    sample_rate: 44_100,
    channels: Array.from({ length: channels }, (_, c) =>
      Float32Array.from({ length: FRAMES }, (_, n) => level * (Math.sin(n / (9 + c)) + next() - 0.5)),
    ),
  };
}

/** A model that gives `gain` times the mix for each stem, in uneven parts, and one array for all. */
function model(gains: Readonly<Partial<Record<Name, number>>>): Separator {
  const stems = Object.keys(gains) as Name[];
  return {
    id: "fake",
    stems,
    async separate(audio, job, emit) {
      for (let from = 0; from < FRAMES; ) {
        const to = Math.min(FRAMES, from + 3001 + (from % 977));
        const made = stems.map((stem) =>
          audio.channels.map((channel) => channel.slice(from, to).map((x) => gains[stem]! * x)),
        );
        emit(from, made);
        // Whoever kept them would be found out.
        for (const channel of made.flat()) channel.fill(Number.NaN);
        from = to;
        job.progress(from / FRAMES, "separating");
      }
    },
  };
}

async function separated(gains: Readonly<Partial<Record<Name, number>>>, audio: Audio) {
  const told: number[] = [];
  const rising = new Rising({ signal: new AbortController().signal, progress: (fraction) => told.push(fraction) });
  const made = await separateByModel(model(gains), "built in", audio, rising);
  if (made === undefined) return undefined;
  assert.ok(
    told.every((value, n) => value >= (told[n - 1] ?? 0) && value <= 1),
    "progress falls",
  );
  const stems = Object.fromEntries(
    STEMS.map((kind) => {
      const stem = streamed(made.blocks, kind);
      const out = Array.from({ length: stem.channels }, () => new Float32Array(stem.frames));
      stem.samples(0, stem.frames, out);
      return [kind, out];
    }),
  );
  return { stems, engines: made.engines };
}

/** Largest difference of `found` from gain times the mix, against the mix's level. */
function distance(found: readonly Float32Array[], audio: Audio, gain: number): number {
  let worst = 0;
  for (const [c, channel] of audio.channels.entries())
    for (let n = 0; n < FRAMES; n++) worst = Math.max(worst, Math.abs(found[c]![n]! - gain * channel[n]!));
  return worst;
}

const BUILT_IN = "built in";
const cases: readonly (readonly [
  string,
  Readonly<Partial<Record<Name, number>>>,
  Readonly<Partial<Record<(typeof STEMS)[number], number>>>,
  readonly string[],
])[] = [
  [
    "four that sum to the mix",
    { drums: 0.4, bass: 0.3, other: 0.2, vocals: 0.1 },
    { drums: 0.4, bass: 0.3, other: 0.2, vocals: 0.1, instrumental: 0.9 },
    ["fake", "fake", "fake", "fake", "fake"],
  ],
  [
    "four that do not: other gets the rest",
    { drums: 0.2, bass: 0.1, other: 0.1, vocals: 0.1 },
    { drums: 0.2, bass: 0.1, other: 0.6, vocals: 0.1 },
    ["fake", "fake", "fake", "fake", "fake"],
  ],
  [
    "six: guitar and piano are in other",
    { drums: 0.2, bass: 0.1, other: 0.1, vocals: 0.1, guitar: 0.3, piano: 0.2 },
    { drums: 0.2, bass: 0.1, other: 0.6, vocals: 0.1 },
    ["fake", "fake", "fake", "fake", "fake"],
  ],
  ["vocals alone", { vocals: 0.5 }, { vocals: 0.5, instrumental: 0.5 }, ["fake", BUILT_IN, BUILT_IN, BUILT_IN, "fake"]],
  [
    "the instrumental alone",
    { instrumental: 0.8 },
    { vocals: 0.2, instrumental: 0.8 },
    ["fake", BUILT_IN, BUILT_IN, BUILT_IN, "fake"],
  ],
  ["drums alone", { drums: 0.5 }, { drums: 0.5 }, [BUILT_IN, "fake", BUILT_IN, BUILT_IN, BUILT_IN]],
  [
    "vocals and other, which together are the mix: nothing is left for drums and bass",
    { vocals: 0.5, other: 0.5 },
    { vocals: 0.5, drums: 0, bass: 0, other: 0.5 },
    ["fake", BUILT_IN, BUILT_IN, BUILT_IN, "fake"],
  ],
  [
    "four of nothing: all is in other",
    { drums: 0, bass: 0, other: 0, vocals: 0 },
    { drums: 0, bass: 0, other: 1, vocals: 0 },
    ["fake", "fake", "fake", "fake", "fake"],
  ],
];

for (const [name, gains, wanted, engines] of cases) {
  test(`separateByModel() of ${name}`, async () => {
    for (const audio of [piece(), piece(1), piece(2, 1e-4)]) {
      const level = Math.max(...audio.channels[0]!);
      const made = (await separated(gains, audio))!;
      for (const [kind, gain] of Object.entries(wanted)) {
        const far = distance(made.stems[kind]!, audio, gain) / level;
        // -60 dB of the loudest sample, and far better: of six stems each is rounded at -96 dB.
        assert.ok(far < 2e-4, `${kind}: ${far}`);
      }
      assertContract(made.stems, audio);
      assert.deepEqual(
        STEMS.map((kind) => made.engines[kind]),
        engines,
      );
    }
  });
}

function assertContract(stems: Readonly<Record<string, readonly Float32Array[]>>, audio: Audio): void {
  for (const [c, channel] of audio.channels.entries()) {
    for (let n = 0; n < FRAMES; n++) {
      const [v, d, b, o, i] = STEMS.map((kind) => stems[kind]![c]![n]!) as [number, number, number, number, number];
      assert.ok(Math.abs(v + d + b + o - channel[n]!) < 1e-6 && Math.abs(v + i - channel[n]!) < 1e-6, `sample ${n}`);
      assert.ok([v, d, b, o, i].every((x) => Math.abs(x) <= 1 + 1e-6));
    }
  }
}

test("separateByModel() bounds stems beyond all measure, and still sums to the mix", async () => {
  for (const gains of [{ drums: 1e30, bass: -1e30, other: 5, vocals: 3e20 }, { vocals: -1e30 }]) {
    const audio = piece();
    assertContract((await separated(gains, audio))!.stems, audio);
  }
});

test("separateByModel() passes on a model that gives none of the stems", async () => {
  assert.equal(await separated({ guitar: 1, piano: 0 }, piece()), undefined);
});

test("Kept gives samples back within 90 dB of the loudest nearby, written and read by any lengths", () => {
  const frames = 5000;
  const next = random(3);
  // From full scale down by 120 dB: what is soft is rounded as finely.
  const channel = Float32Array.from({ length: frames }, (_, n) => (2 * next() - 1) * 10 ** ((-6 * n) / frames));
  const kept = new Kept(2, frames);
  for (let at = 0; at < frames; ) {
    const to = Math.min(frames, at + 1 + (at % 1733));
    kept.write([channel.subarray(at, to), channel.subarray(at, to).map((x) => -x)]);
    at = to;
  }
  const whole = new Float32Array(frames);
  kept.read(1, 0, whole);
  for (let from = 0; from < frames; from += 1024) {
    const to = Math.min(frames, from + 1024);
    const peak = Math.max(...channel.subarray(from, to).map(Math.abs));
    for (let n = from; n < to; n++) assert.ok(Math.abs(channel[n]! + whole[n]!) < 3e-5 * peak, `${n}`);
  }
  const part = new Float32Array(1500);
  kept.read(1, 777, part);
  assert.deepEqual(part, whole.slice(777, 777 + 1500));
});
