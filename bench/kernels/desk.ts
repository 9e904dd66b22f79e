/** The kernels of the mixing desk and of synthesis. What a desk processes goes through in its blocks, in place, over the material. */
import { bell, Cascade, highPass, highShelf, lowShelf } from "../../runners/signal/dsp/biquad.ts";
import { chorus } from "../../runners/signal/dsp/chorus.ts";
import { Compressor } from "../../runners/signal/dsp/compressor.ts";
import { control, curve } from "../../runners/signal/dsp/control.ts";
import { DeEsser } from "../../runners/signal/dsp/de_esser.ts";
import { Echo } from "../../runners/signal/dsp/echo.ts";
import { addPair } from "../../runners/signal/dsp/fm.ts";
import { glottis } from "../../runners/signal/dsp/glottis.ts";
import { scatter } from "../../runners/signal/dsp/grains.ts";
import { Hall } from "../../runners/signal/dsp/hall.ts";
import { ladder } from "../../runners/signal/dsp/ladder.ts";
import { ring } from "../../runners/signal/dsp/modal.ts";
import { pink } from "../../runners/signal/dsp/noise.ts";
import { oscillate } from "../../runners/signal/dsp/oscillator.ts";
import { random } from "../../runners/signal/dsp/random.ts";
import { reverberate } from "../../runners/signal/dsp/reverb.ts";
import { Saturator } from "../../runners/signal/dsp/saturator.ts";
import { svf } from "../../runners/signal/dsp/svf.ts";
import { Widener } from "../../runners/signal/dsp/widener.ts";
import * as outside from "../outside.ts";
import type { Kernel } from "./kernel.ts";
import { RATE } from "./material.ts";

const BLOCK = 8_192;
/** Seconds of a note, which instruments make again and again. */
const NOTE_S = 2;
const HALL = { t60: 1.8, size: 1, damping: 6_000, predelay: 0.02, early: 0.5, sway: 1 } as const;
const ROOM = { t60: 0.8, size: 1, damping: 0.3, dry: 1, early: 0.4, tail: 0.3 } as const;
const CHORUS = { delay: 0.012, depth: 0.004, slow: 0.6, fast: 5, flutter: 0.2, dry: 0.7, wet: 0.5 } as const;

type Blockwise = (left: Float64Array, right: Float64Array, count: number) => void;

export const DESK_KERNELS: readonly Kernel[] = [
  blockwise("equaliser, 4 sections", () => {
    const sections = [
      highPass(40, RATE),
      lowShelf(120, RATE, -2),
      bell(1_000, RATE, 1, 2),
      highShelf(8_000, RATE, 1.5),
    ];
    const cascade = new Cascade(sections);
    return (left, right, count) => cascade.run(left, right, count);
  }, [outside.equaliser]),
  blockwise("hall", () => {
    const hall = new Hall(RATE, HALL);
    return (left, right, count) => hall.run(left, right, count);
  }, [outside.soxReverb]),
  blockwise("echo", () => {
    const echo = new Echo(RATE, 0.375, 0.4, 200, 4_000);
    return (left, right, count) => echo.run(left, right, count);
  }, [outside.aecho]),
  blockwise("de-esser", () => {
    const one = new DeEsser(RATE, BLOCK, 0.01);
    return (left, right, count) => one.run(left, right, count);
  }),
  blockwise("saturation, twice the rate", () => {
    const [one, other] = [new Saturator(BLOCK, true), new Saturator(BLOCK, true)];
    return (left, right, count) => {
      one.run(left, count, 2, 0.6);
      other.run(right, count, 2, 0.6);
    };
  }),
  blockwise("widener", () => {
    const widener = new Widener(RATE, 1);
    return (left, right, count) => widener.run(left, count, right);
  }),
  inPlace("room of effects", (left, right) => reverberate(left, right, RATE, ROOM), [outside.soxReverb]),
  inPlace("chorus", (left, right) => chorus(left, right, RATE, CHORUS), [outside.ffmpegChorus]),
  inPlace("ladder filter", (left, right) => {
    for (const channel of [left, right]) {
      const cutoff = curve(channel.length, RATE, [
        [0, 300],
        [channel.length / RATE, 6_000],
      ]);
      ladder(channel, RATE, cutoff, control(channel.length).fill(0.5), 1);
    }
  }),
  {
    name: "compressor's levels and curve",
    prepare: async ({ channels }) => {
      // About what mastering hands over: one energy for each 15 samples.
      const energy = new Float32Array(Math.floor(channels[0]!.length / 15));
      for (let cell = 0; cell < energy.length; cell++) {
        for (const channel of channels) for (let n = 0; n < 15; n++) energy[cell]! += channel[15 * cell + n]! ** 2;
      }
      return () => new Compressor(energy, 15 / RATE, false).level(0.5);
    },
  },
  notes("oscillator, saw", (left) => oscillate(left, RATE, "saw", 220, 0.5)),
  notes("FM pair", (left) =>
    addPair(left, RATE, {
      carrier: 440,
      modulator: 880,
      index: 4,
      rest: 1,
      index_t60: 0.8,
      attack: 0.005,
      t60: 30,
      gain: 0.5,
    }),
  ),
  notes("twelve modes", (left, right) =>
    ring(
      left,
      right,
      RATE,
      0,
      Array.from({ length: 12 }, (_, n) => ({ hertz: 220 * (n + 1), t60: 3, gain: 0.1, pan: 0 })),
    ),
  ),
  notes("grains, 200 a second", (left, right) => {
    const grain = Float32Array.from({ length: 1_000 }, (_, n) => Math.sin(n / 10) * Math.exp(-n / 200));
    scatter(left, right, RATE, random(1), [grain], { density: 200, spread_db: 12, width: 1, gain: 0.3 });
  }),
  notes("pink noise through a band", (left) => {
    pink(left, 1);
    svf(left, RATE, "band", control(left.length).fill(800), 2);
  }),
  notes("voice source", (left, right) => {
    const flat = (value: number): Float32Array => control(left.length).fill(value);
    const parts = { pitch: flat(180), voice: flat(0.5), open: flat(0.6), soft: flat(3_000), breath: flat(0.02) };
    glottis(left, right, RATE, { ...parts, jitter: 0.01, shimmer: 0.03, seed: 1 });
  }),
];

/** `make` gives a fresh processor for each run; the samples are copied from the material block by block. */
function blockwise(name: string, make: () => Blockwise, tools: readonly outside.Outside[] = []): Kernel {
  return {
    name,
    outside: tools,
    prepare: async ({ channels: [first, second] }) => {
      const left = new Float64Array(BLOCK);
      const right = new Float64Array(BLOCK);
      return () => {
        const run = make();
        for (let from = 0; from < first!.length; from += BLOCK) {
          const count = Math.min(BLOCK, first!.length - from);
          left.set(first!.subarray(from, from + count));
          right.set(second!.subarray(from, from + count));
          run(left, right, count);
        }
      };
    },
  };
}

/** On a copy of the whole material, which counts too. */
function inPlace(
  name: string,
  run: (left: Float32Array, right: Float32Array) => void,
  tools: readonly outside.Outside[] = [],
): Kernel {
  return {
    name,
    outside: tools,
    prepare:
      async ({ channels: [left, right] }) =>
      () =>
        run(left!.slice(), right!.slice()),
  };
}

/** One note after another, as long together as the material. */
function notes(name: string, run: (left: Float32Array, right: Float32Array) => void): Kernel {
  return {
    name,
    prepare: async ({ channels: [left] }) => {
      const one = new Float32Array(NOTE_S * RATE);
      const other = new Float32Array(NOTE_S * RATE);
      const count = left!.length / one.length;
      return () => {
        for (let n = 0; n < count; n++) {
          one.fill(0);
          other.fill(0);
          run(one, other);
        }
      };
    },
  };
}
