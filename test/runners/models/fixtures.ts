/** Runners of a pool's thread that do with a model what an action's runner does, and the manifests of the miniature models. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Audio,
  type Job,
  type Output,
  type Runner,
  STEMS,
  type Stem,
  type Streamed,
} from "../../../contract/mod.ts";
import type { ModelSettings, Pool } from "../../../core/ports/mod.ts";
import { effect } from "../../../runners/effects/mod.ts";
import { type Served, serve, type TaskEngines, useModels } from "../../../runners/engines.ts";
import { findFamily } from "../../../runners/models/families.ts";
import type { Manifest } from "../../../runners/models/fields.ts";
import { Model } from "../../../runners/models/model.ts";
import type { NoteEvent } from "../../../runners/models/note_events.ts";
import { openModel, specFor } from "../../../runners/models/open.ts";
import { placesOf } from "../../../runners/models/places.ts";
import { type Separator, separateWhole } from "../../../runners/models/separator.ts";
import { remixInstrumental } from "../../../runners/music/remix/mod.ts";
import { makeSample } from "../../../runners/music/studio/sample.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { BLOCK, streamed } from "../../../runners/signal/separate/blocks.ts";
import { separateByModels } from "../../../runners/signal/separate/by_model.ts";
import { Rising } from "../../../runners/signal/separate/rising.ts";
import { separate as separateStems } from "../../../runners/signal/separate/separate.ts";

export const MODELS = fileURLToPath(new URL("models", import.meta.url));

export const SETTINGS: ModelSettings = {
  models: MODELS,
  providers: ["cpu"],
  devices: [],
  model_mb: 4000,
  model_seconds: 60,
  shipped: false,
  families: [],
  sidecars: [],
};

export function file(path: string): { path: string; sha256: string } {
  return {
    path,
    sha256: createHash("sha256")
      .update(readFileSync(join(MODELS, path)))
      .digest("hex"),
  };
}

export interface Given<Request> {
  readonly manifest: Manifest;
  readonly settings: ModelSettings;
  readonly request: Request;
}

function runner<Request, Output>(
  name: string,
  run: (given: Given<Request>, job: Job) => Promise<Output>,
): Runner<Given<Request>, Output> {
  return { name, from: import.meta.url, isolation: "thread", load: async () => ({ run }) };
}

export const separate = runner<Audio, Float32Array[][]>("separate", async ({ manifest, settings, request }, job) =>
  separateWhole((await openModel(manifest, settings, job)) as Separator, request, job),
);

/** The parts that a separation is handed on in: the first frame and the length of each. */
export const parts = runner<Audio, { from: number; frames: number }[]>(
  "parts",
  async ({ manifest, settings, request }, job) => {
    const engine = (await openModel(manifest, settings, job)) as Separator;
    const found: { from: number; frames: number }[] = [];
    await engine.separate(request, job, (from, stems) => found.push({ from, frames: stems[0]![0]!.length }));
    return found;
  },
);

/**
 * As in a job: the piece, of that many seconds, comes to be in the thread itself, and its five stems are read side by side. Returns the
 * frames that were read.
 */
export const stemsRead = runner<number, number>("stemsRead", async ({ manifest, settings, request }, job) => {
  const engine = (await openModel(manifest, settings, job)) as Separator;
  const single = { id: manifest.id, members: [{ id: manifest.id, open: async () => engine }] };
  const made = await separateByModels(single, "built-in", music(request), new Rising(job), () => {});
  if (made === undefined) throw new Error(`"${manifest.id}" gives none of the stems`);
  const stems = STEMS.map((kind) => streamed(made.blocks, kind));
  const { frames, channels } = made.blocks;
  const out = Array.from({ length: channels }, () => new Float32Array(BLOCK));
  for (let from = 0; from < frames; from += BLOCK) {
    for (const stem of stems) stem.samples(from, Math.min(frames, from + BLOCK), out);
  }
  return frames;
});

export const detect = runner<Audio, { hop_seconds: number; values: Float32Array }>(
  "detect",
  async ({ manifest, settings, request }, job) =>
    ((await openModel(manifest, settings, job)) as TaskEngines["voice_activity"]).detect(request, job),
);

export const transcribe = runner<Audio, readonly NoteEvent[]>(
  "transcribe",
  async ({ manifest, settings, request }, job) =>
    ((await openModel(manifest, settings, job)) as TaskEngines["transcribe"]).transcribe(request, job),
);

/** `reference`: of models that make a piece anew. */
interface Wanted {
  readonly prompt: string;
  readonly seconds: number;
  readonly seed: number;
  readonly reference?: Audio;
}

export const generate = runner<Wanted, Audio>("generate", async ({ manifest, settings, request }, job) =>
  ((await openModel(manifest, settings, job)) as TaskEngines["generate"]).generate(request, job),
);

/** As `generate`, with what the graph gives as `inside` in each step. */
export const generateInside = runner<
  Wanted & { readonly inside: string },
  { audio: Audio; steps: readonly Float32Array[] }
>("generateInside", async ({ manifest, settings, request }, job) => {
  const family = await findFamily(manifest.family, settings.families);
  const [place] = placesOf(manifest, settings, manifest.id);
  const model = await Model.open(await specFor(manifest, settings, place!), manifest, settings, job);
  const steps: Float32Array[] = [];
  const run = model.run.bind(model);
  model.run = async (given) => {
    const made = await run(given);
    const found = made[request.inside];
    if (found !== undefined) steps.push((found.data as Float32Array).slice());
    return made;
  };
  const engine = (await family.create(manifest as never, model)) as TaskEngines["generate"];
  return { audio: await engine.generate(request, job), steps };
});

export const sing = runner<
  {
    readonly passages: readonly {
      readonly start: number;
      readonly hertz: number;
      readonly sounds: readonly { readonly name: string; readonly seconds: number }[];
    }[];
    readonly seconds: number;
  },
  Float32Array
>("sing", async ({ manifest, settings, request: { passages, seconds } }, job) =>
  ((await openModel(manifest, settings, job)) as TaskEngines["sing"]).sing(
    passages.map(({ hertz, ...passage }) => ({ ...passage, hertz: () => hertz })),
    seconds,
    job,
  ),
);

/** A separation by the first model that can, else by an engine that halves. */
export const served: Runner<{ readonly settings: ModelSettings; readonly audio: Audio }, Served<Float32Array[][]>> = {
  name: "served",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({
    async run({ settings, audio }, job) {
      useModels(settings);
      const whole = async ({ members }: TaskEngines["separate"]) => separateWhole(await members[0]!.open(), audio, job);
      return serve("separate", job, whole, {
        name: "built-in",
        run: () => [audio.channels.map((channel) => channel.map((value) => value / 2))],
      });
    },
  }),
};

/** Five stems as `adapt.separate_stems` has them, read whole: who made each, and what each is of the mix by its loudest sample. */
export const stemsServed: Runner<
  { readonly settings: ModelSettings; readonly audio: Audio },
  Readonly<Record<string, { readonly engine: string; readonly share: number; readonly report: unknown }>>
> = {
  name: "stemsServed",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({
    async run({ settings, audio }, job) {
      useModels(settings);
      const made = await separateStems(audio, job);
      const told = STEMS.map((kind) => {
        const { engine, report, audio: stem } = made[kind];
        const out = samplesOf(stem as Streamed);
        const [most, of] = [out[0]!, audio.channels[0]!].map((channel) => channel.reduce((a, b) => Math.max(a, b), 0));
        return [kind, { engine, share: most! / of!, report }] as const;
      });
      return Object.fromEntries(told);
    },
  }),
};

/** Rain, as an effect or as a sample: the output, and how many frames it has. */
export const soundServed: Runner<
  { readonly settings: ModelSettings; readonly seconds: number; readonly as_sample?: true },
  {
    readonly engine: Output["engine"] | undefined;
    readonly report: Output["report"] | undefined;
    readonly frames: number;
  }
> = {
  name: "soundServed",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({
    async run({ settings, seconds, as_sample }, job) {
      useModels(settings);
      const request = { prompt: "rain on a window", seconds, seed: 1 };
      const { run } = await effect.load();
      const output = as_sample ? await makeSample({ ...request, loop: false }, job) : await run(request, job);
      return { engine: output.engine, report: output.report, frames: (output.audio as Audio).channels[0]!.length };
    },
  }),
};

/** One remix as `create.remix_instrumental` has it: who made it, and its left channel. */
export const remixServed: Runner<
  { readonly settings: ModelSettings; readonly source: Audio; readonly prompt: string; readonly seconds: number },
  { readonly engine: string | undefined; readonly left: Float32Array }
> = {
  name: "remixServed",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({
    async run({ settings, ...input }, job) {
      useModels(settings);
      const { run } = await remixInstrumental.load();
      const [making] = await run({ ...input, seeds: [1] }, job);
      const { engine, audio } = typeof making === "function" ? await making() : making!;
      return { engine, left: (audio as Audio).channels[0]! };
    },
  }),
};

/** Some of the five stems, whole: channel by channel, stem after stem. */
export const stemsWhole: Runner<
  { readonly settings: ModelSettings; readonly audio: Audio; readonly stems: readonly Stem[] },
  Float32Array[]
> = {
  name: "stemsWhole",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({
    async run({ settings, audio, stems }, job) {
      useModels(settings);
      const made = await separateStems(audio, job);
      return stems.flatMap((kind) => {
        if (made[kind].report !== undefined) throw new Error(JSON.stringify(made[kind].report));
        return samplesOf(made[kind].audio as Streamed);
      });
    },
  }),
};

function samplesOf({ frames, channels, samples }: Streamed): Float32Array[] {
  const out = Array.from({ length: channels }, () => new Float32Array(frames));
  samples(0, frames, out);
  return out;
}

/** A pool for one test, closed at its end whatever happens. */
export async function withPool<T>(body: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool({ threads_max: 2, processes_max: 1, idle_ms: 60_000 });
  try {
    return await body(pool);
  } finally {
    await pool.close();
  }
}

export function options(ms_max = 600_000): { signal: AbortSignal; ms_max: number } {
  return { signal: new AbortController().signal, ms_max };
}

/** Stereo: tones from 100 Hz to 12 kHz that differ between the channels, with a slow tremor, so that a wrong place shows. */
export function music(seconds: number, rate = 44_100): Audio {
  const frames = Math.round(seconds * rate);
  const channels = [0, 1].map((side) => {
    const channel = new Float32Array(frames);
    for (const [index, hertz] of [110, 443, 1571, 5333, 11_987].entries()) {
      const step = (2 * Math.PI * (hertz + 13 * side)) / rate;
      for (let n = 0; n < frames; n++) {
        channel[n] = channel[n]! + 0.1 * Math.sin(step * n + index) * (1 + 0.5 * Math.sin((n * (3 + index)) / rate));
      }
    }
    // An abrupt end is a click, which has parts above every model's highest bin.
    const fade = Math.round(0.1 * rate);
    for (let n = 0; n < fade; n++) {
      const gain = Math.sin((Math.PI * n) / (2 * fade)) ** 2;
      channel[n] = channel[n]! * gain;
      channel[frames - 1 - n] = channel[frames - 1 - n]! * gain;
    }
    return channel;
  });
  return { sample_rate: rate, channels };
}

/** How far `found` is from gain · `wanted`, dB; from `first` on. */
export function snr(found: Float32Array, wanted: Float32Array, gain = 1, first = 0, last = wanted.length): number {
  let signal = 0;
  let error = 0;
  for (let n = first; n < last; n++) {
    signal += (gain * wanted[n]!) ** 2;
    error += (found[n]! - gain * wanted[n]!) ** 2;
  }
  return 10 * Math.log10(signal / error);
}
