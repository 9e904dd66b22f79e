/** Whatever a model gives becomes five stems that sum to the source. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Audio, STEMS } from "../../../../contract/mod.ts";
import { ModelError } from "../../../../runners/models/model_error.ts";
import type { Ensemble, Separator, Weights } from "../../../../runners/models/separator.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { streamed } from "../../../../runners/signal/separate/blocks.ts";
import { separateByModels } from "../../../../runners/signal/separate/by_model.ts";
import { Kept } from "../../../../runners/signal/separate/kept.ts";
import { Rising } from "../../../../runners/signal/separate/rising.ts";

type Name = Separator["stems"][number];
type Gains = Readonly<Partial<Record<Name, number>>>;

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
function model(gains: Gains, id = "fake"): Separator {
  const stems = Object.keys(gains) as Name[];
  return {
    id,
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

function alone(separator: Separator): Ensemble {
  return { id: separator.id, members: [{ id: separator.id, open: async () => separator }] };
}

async function separated(ensemble: Ensemble, audio: Audio) {
  const told: number[] = [];
  const rising = new Rising({ signal: new AbortController().signal, progress: (fraction) => told.push(fraction) });
  const over: string[] = [];
  const made = await separateByModels(ensemble, BUILT_IN, audio, rising, (id, reason) => over.push(`${id}: ${reason}`));
  if (made === undefined) return { stems: undefined, over };
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
  return { stems, engines: STEMS.map((kind) => made.engines[kind]), over };
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
  test(`separateByModels() of ${name}`, async () => {
    for (const audio of [piece(), piece(1), piece(2, 1e-4)]) {
      const level = Math.max(...audio.channels[0]!);
      const made = await separated(alone(model(gains)), audio);
      for (const [kind, gain] of Object.entries(wanted)) {
        const far = distance(made.stems![kind]!, audio, gain) / level;
        // -60 dB of the loudest sample, and far better: of six stems each is rounded at -96 dB.
        assert.ok(far < 2e-4, `${kind}: ${far}`);
      }
      assertContract(made.stems!, audio);
      assert.deepEqual([made.engines, made.over], [engines, []]);
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

test("separateByModels() bounds stems beyond all measure, and still sums to the mix", async () => {
  for (const gains of [{ drums: 1e30, bass: -1e30, other: 5, vocals: 3e20 }, { vocals: -1e30 }]) {
    const audio = piece();
    assertContract((await separated(alone(model(gains)), audio)).stems!, audio);
  }
});

test("separateByModels() passes on a model that gives none of the stems", async () => {
  assert.equal((await separated(alone(model({ guitar: 1, piano: 0 })), piece())).stems, undefined);
});

function together(...models: readonly (readonly [Separator | ModelError, Weights?])[]): Ensemble {
  const members = models.map(([separator, weights], index) => {
    const opens = separator instanceof ModelError ? Promise.reject(separator) : Promise.resolve(separator);
    opens.catch(() => {});
    return { id: separator instanceof ModelError ? separator.model : `m${index}`, weights, open: () => opens };
  });
  return { id: "all", members };
}

const four = (drums: number, bass: number, other: number, vocals: number): Gains => ({ drums, bass, other, vocals });

test("separateByModels() takes each stem from the model that is named for it, and other is what they leave", async () => {
  for (const audio of [piece(), piece(1)]) {
    const made = await separated(
      together(
        [model(four(0.4, 0.1, 0.1, 0.1), "d"), { drums: 1 }],
        [model(four(0.1, 0.3, 0.1, 0.1), "b"), { bass: 1 }],
        [model({ instrumental: 0.8 }, "v"), { instrumental: 1 }],
      ),
      audio,
    );
    assert.deepEqual([made.engines, made.over], [["v", "d", "b", "all", "v"], []]);
    for (const [kind, gain] of Object.entries({ drums: 0.4, bass: 0.3, vocals: 0.2, other: 0.1, instrumental: 0.8 }))
      assert.ok(distance(made.stems![kind]!, audio, gain) < 2e-4, kind);
    assertContract(made.stems!, audio);
  }
});

test("separateByModels() averages what several give, by their weights", async () => {
  const audio = piece();
  const made = await separated(
    together(
      [model(four(0.6, 0.3, 0.0, 0.1), "a"), { drums: 3, bass: 1 }],
      [model(four(0.2, 0.1, 0.0, 0.3), "b"), { drums: 1, bass: 1, vocals: 1 }],
      [model({ vocals: 0.6 }, "c")],
    ),
    audio,
  );
  assert.deepEqual(made.engines, ["b+c", "a+b", "a+b", "all", "b+c"]);
  for (const [kind, gain] of Object.entries({ drums: 0.5, bass: 0.2, vocals: 0.45, other: -0.15 }))
    assert.ok(
      distance(made.stems![kind]!, audio, gain) < 4e-4,
      `${kind}: ${distance(made.stems![kind]!, audio, gain)}`,
    );
  assertContract(made.stems!, audio);
});

test("separateByModels() tells a model that blends what the built-in engine found, and no other", async () => {
  const audio = piece();
  const heard: string[] = [];
  const told = (id: string, blends: boolean): Separator => {
    const made = model({ vocals: 0.1, drums: 0.4, bass: 0.3 }, id);
    return {
      ...made,
      blends,
      async separate(given, job, emit, beside) {
        const out = new Float32Array(2048);
        let most = 0;
        // Frames beyond both ends are those at the ends.
        for (const frame of [-2, 0, 1, 30, 70, 71]) {
          const sums = new Float32Array(out.length);
          for (const stem of ["vocals", "drums", "bass"] as const) {
            beside?.share(stem, frame, out);
            for (let bin = 0; bin < out.length; bin++) sums[bin]! += out[bin]!;
          }
          most = Math.max(most, ...sums);
        }
        heard.push(`${id}: ${beside === undefined ? "nothing" : most > 0.1 && most < 1 + 1e-6 ? "shares" : most}`);
        return made.separate(given, job, emit);
      },
    };
  };
  for (const separator of [told("one", true), told("other", false)]) await separated(alone(separator), audio);
  assert.deepEqual(heard, ["one: shares", "other: nothing"]);
});

test("separateByModels() has the built-in engine find what no model gave, in what they leave", async () => {
  const audio = piece();
  const made = await separated(together([model({ vocals: 0.5 }, "v")], [model({ drums: 0.5 }, "d")]), audio);
  assert.deepEqual(made.engines, ["v", "d", BUILT_IN, BUILT_IN, "v"]);
  // The two leave nothing.
  assert.ok(distance(made.stems!.bass!, audio, 0) < 2e-4);
  assert.ok(distance(made.stems!.other!, audio, 0) < 2e-4);
  assertContract(made.stems!, audio);
});

test("separateByModels() passes over a model that fails, also in the middle, and the others serve", async () => {
  const audio = piece();
  const breaking = model(four(0.9, 0.9, 0.9, 0.9), "broken");
  const dies: Separator = {
    ...breaking,
    separate: (given, job, emit) =>
      breaking.separate(given, job, (from, stems) => {
        if (from > FRAMES / 2) throw new ModelError("broken", "it died");
        emit(from, stems);
      }),
  };
  const made = await separated(
    together(
      [model(four(0.4, 0.3, 0.2, 0.1), "whole"), { drums: 1, bass: 1 }],
      [dies],
      [new ModelError("absent", "no file")],
      [model({ piano: 1 }, "useless")],
      [model({ vocals: 0.2 }, "v")],
    ),
    audio,
  );
  assert.deepEqual(made.engines, ["v", "whole", "whole", "all", "v"]);
  assert.deepEqual(made.over, [
    "m1: it died",
    "absent: no file",
    "m3: it gives none of the stems that are asked of it",
  ]);
  assert.ok(distance(made.stems!.drums!, audio, 0.4) < 2e-4);
  assertContract(made.stems!, audio);
  const none = await separated(together([dies], [new ModelError("absent", "no file")]), audio);
  assert.deepEqual([none.stems, none.over], [undefined, ["m0: it died", "absent: no file"]]);
  await assert.rejects(separated(alone(dies), audio), { name: "ModelError", message: 'Model "broken": it died' });
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
