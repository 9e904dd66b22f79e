/** The engines that actions are made of, from samples to what they find or make, without decoding and mastering. */

import { voice } from "../../cli/bench/audio.ts";
import type { Audio, Job, Runner } from "../../contract/mod.ts";
import { effect } from "../../runners/effects/mod.ts";
import { analyse, voiceActivity } from "../../runners/signal/analyse/mod.ts";
import { cut } from "../../runners/signal/cut/mod.ts";
import { duck } from "../../runners/signal/duck/mod.ts";
import { separate } from "../../runners/signal/separate/mod.ts";
import * as outside from "../outside.ts";
import type { Kernel } from "./kernel.ts";
import { type Material, RATE } from "./material.ts";

const job: Job = { signal: new AbortController().signal, progress: () => undefined };
/** Seconds of an effect, made one after another until they are as long as the material. */
const EFFECT_S = 6;
const EFFECTS = [
  "heavy rain on a tin roof",
  "a sword is drawn",
  "footsteps on gravel",
  "a large bell",
  "a car passes by",
];

const audioOf = ({ channels }: Material): Audio => ({ sample_rate: RATE, channels });

export const ENGINE_KERNELS: readonly Kernel[] = [
  engine("analysis: rhythm, harmony, form", analyse, (material) => () => ({ audio: audioOf(material) })),
  {
    name: "voice activity",
    prepare: async (material) => {
      const audio: Audio = { sample_rate: RATE, channels: [voice(1, material.channels[0]!.length / RATE)] };
      return () => voiceActivity(audio, job.signal);
    },
    outside: [outside.silencedetect],
  },
  engine(
    "duck",
    duck,
    (material) => {
      const spoken = voice(1, material.channels[0]!.length / RATE);
      return () => ({ music: audioOf(material), voice: { sample_rate: RATE, channels: [spoken] } });
    },
    [outside.sidechain],
  ),
  engine("cut to a third", cut, (material) => () => ({
    audio: audioOf(material),
    seconds: material.channels[0]!.length / RATE / 3,
  })),
  engine("four stems", separate, (material) => () => ({ audio: audioOf(material) })),
  {
    name: `effects of ${EFFECT_S} s`,
    prepare: async ({ channels }) => {
      const { run } = await effect.load();
      const count = Math.ceil(channels[0]!.length / RATE / EFFECT_S);
      return async () => {
        for (let n = 0; n < count; n++)
          await run({ prompt: EFFECTS[n % EFFECTS.length]!, seconds: EFFECT_S, seed: n }, job);
      };
    },
  },
];

function engine<Input, Output>(
  name: string,
  runner: Runner<Input, Output>,
  inputOf: (material: Material) => () => Input,
  tools: readonly outside.Outside[] = [],
): Kernel {
  return {
    name,
    outside: tools,
    prepare: async (material) => {
      const { run } = await runner.load();
      const input = inputOf(material);
      // A new input each time, for what an engine finds of one it may remember.
      return () => run(input(), job);
    },
  };
}
