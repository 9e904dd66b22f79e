/**
 * Stable Audio (Evans et al., "Stable Audio Open", 2024) in four graphs: T5's encoder, what makes conditions of its
 * states and of seconds, a diffusion transformer over latents, and the decoder of the autoencoder. Tokens, noise,
 * guidance and the sampler are ours, and seeded.
 */
import { Type } from "@sinclair/typebox";
import { resample } from "../../../signal/dsp/resample.ts";
import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import { closed, File, type ManifestOf } from "../../fields.ts";
import type { Layout, Port } from "../../layout.ts";
import { normals } from "../../normals.ts";
import { fileTaking, known, otherFile, sizeAt } from "../../ports.ts";
import type { Generator } from "../../tasks.ts";
import { floats, floatsOf, type Tensors } from "../../tensor.ts";
import { encodeTokens, textEncoderLayout } from "../../text_encoder.ts";
import { readTokenizer, type Tokenizer } from "../../tokenizer.ts";
import type { LoadedModel } from "../../types.ts";
import { pingPong, solveSde } from "./samplers.ts";

const files = closed({ text_encoder: File, conditioner: File, transformer: File, decoder: File, tokenizer: File });
const fields = {
  /**
   * `sde`: DPM-Solver++ for networks that predict velocities (Stable Audio Open). `ping-pong`: distilled rectified
   * flows (its small one).
   */
  sampler: Type.Optional(Type.Union([Type.Literal("sde"), Type.Literal("ping-pong")])),
  steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** How far from what comes without the text; 1 asks the network once a step instead of twice. */
  guidance: Type.Optional(Type.Number({ minimum: 1, maximum: 20 })),
  sigma_min: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
  sigma_max: Type.Optional(Type.Number({ exclusiveMinimum: 1, maximum: 10_000 })),
  /** Tokens of a prompt; shorter ones are filled up. */
  tokens_max: Type.Optional(Type.Integer({ minimum: 2, maximum: 512 })),
  /** Latent frames that the transformer was trained on; a graph of fixed length has its own. */
  frames: Type.Optional(Type.Integer({ minimum: 8, maximum: 16_384 })),
  /** Samples of one latent frame. */
  hop: Type.Optional(Type.Integer({ minimum: 1, maximum: 16_384 })),
  sample_rate: Type.Optional(Type.Integer({ minimum: 8000, maximum: 48_000 })),
};
type Diffusion = ManifestOf<typeof fields, typeof files>;

export default defineFamily({
  serves: "generate",
  also: ["effect"],
  files,
  fields,
  exported:
    "the parts of Stable Audio: T5's encoder; text_hidden_states, start_seconds and end_seconds to the three states of conditions; the transformer with its rotary positions inside; latents to audio; tokenizer.json",
  // A hundred steps of a wide transformer are an hour of a small machine.
  trial: { steps: 2 },
  recognise,
  layouts,
  create,
});

const OUTPUT_RATE = 44_100;
/** Those of Stable Audio Open. */
const DEFAULTS = {
  sampler: "sde",
  sigma_min: 0.3,
  sigma_max: 500,
  tokens_max: 128,
  frames: 1024,
  hop: 2048,
  sample_rate: OUTPUT_RATE,
} as const;
const BY_SAMPLER = { sde: { steps: 100, guidance: 7 }, "ping-pong": { steps: 8, guidance: 1 } } as const;
const SOLVERS = { sde: solveSde, "ping-pong": pingPong } as const;
/** T5's number for what fills a prompt up. */
const PAD = 0;

function settingsOf(manifest: Diffusion) {
  const settings = { ...DEFAULTS, ...BY_SAMPLER[manifest.sampler ?? DEFAULTS.sampler], ...manifest };
  return { ...settings, rows: settings.guidance > 1 ? 2 : 1 };
}

function recognise(given: readonly GivenFile[]): Recognised | undefined {
  const taking = (names: readonly string[]) =>
    names.map((name) => fileTaking(given, name)).find((index) => index !== undefined);
  const conditioner = taking(TOTAL.names);
  const transformer = taking(CONDITION.names);
  const text_encoder = given.findIndex(({ graph }) => graph?.outputs.some(({ name }) => name === "last_hidden_state"));
  const tokenizer = otherFile(given, /tokenizer/i);
  const decoder = given.findIndex(
    ({ graph }, index) => graph?.inputs.length === 1 && ![conditioner, transformer, text_encoder].includes(index),
  );
  if (conditioner === undefined || transformer === undefined || tokenizer === undefined) return undefined;
  if (text_encoder < 0 || decoder < 0) return undefined;
  const latents = given[transformer]!.graph!.inputs.find(({ name }) => LATENTS.names.includes(name));
  const frames = sizeAt(latents, 2);
  // Only the distilled one knows where a piece ends, but not where it begins.
  const starts = given[conditioner]!.graph!.inputs.some(({ name }) => START.names.includes(name));
  return {
    roles: { text_encoder, conditioner, transformer, decoder, tokenizer },
    fields: known({
      frames: frames === DEFAULTS.frames ? undefined : frames,
      ...(starts ? {} : { sampler: "ping-pong", tokens_max: 64 }),
    }),
    notes: [
      starts
        ? 'sampler "sde" is guessed, as of Stable Audio Open'
        : 'sampler "ping-pong" and tokens_max 64 are guessed, as of Stable Audio Open Small: its conditions have no start',
    ],
  };
}

const type = "float32";
const TOTAL: Port = { logical: "seconds_total", names: ["end_seconds", "seconds_total"], type, dims: [1], fill: 1 };
const START: Port = { ...TOTAL, logical: "seconds_start", names: ["start_seconds", "seconds_start"], optional: true };
const LATENTS: Port = {
  logical: "latents",
  names: ["hidden_states", "x", "latents"],
  type,
  dims: ["rows", "channels", "frames"],
};
const CONDITION: Port = {
  logical: "condition",
  names: ["encoder_hidden_states", "cross_attn_cond"],
  type,
  dims: ["rows", "conditions", "width"],
};

function layouts(manifest: Diffusion): Record<string, Layout> {
  const { rows, frames, tokens_max } = settingsOf(manifest);
  const state = (logical: string, ...names: readonly string[]): Port => ({
    logical,
    names: [`${logical}_hidden_states`, ...names],
    type,
    dims: [1, 1, "width"],
  });
  return {
    text_encoder: textEncoderLayout,
    conditioner: {
      inputs: [
        { logical: "states", names: ["text_hidden_states", "text"], type, dims: [1, "tokens", "states"] },
        START,
        TOTAL,
      ],
      outputs: [
        { logical: "text", names: ["text_states", "text_embeds"], type, dims: [1, "tokens", "width"] },
        { ...state("seconds_start"), logical: "start", optional: true },
        { ...state("seconds_end", "seconds_total_hidden_states"), logical: "total" },
      ],
      sizes: { tokens: tokens_max },
    },
    transformer: {
      inputs: [
        LATENTS,
        { logical: "time", names: ["timestep", "t"], type, dims: ["times"], fill: 1 },
        CONDITION,
        // Flat in some exports.
        {
          logical: "global",
          names: ["global_hidden_states", "global_embed", "global_cond"],
          type,
          dims: ["rows", 1, "global"],
          also: ["rows", "global_flat"],
        },
      ],
      outputs: [
        { logical: "velocity", names: ["velocity", "sample", "out_sample", "output"], type, dims: LATENTS.dims },
      ],
      sizes: { rows, times: rows, frames, conditions: tokens_max + 2 },
    },
    decoder: {
      inputs: [{ ...LATENTS, names: ["latents", "z", "sampled", "x"], dims: [1, "channels", "frames"] }],
      outputs: [{ logical: "audio", names: ["audio", "waveform", "sample"], type, dims: [1, "sides", "samples"] }],
      sizes: { frames },
    },
  };
}

async function create(manifest: Diffusion, model: LoadedModel): Promise<Generator> {
  const settings = settingsOf(manifest);
  const { hop, sample_rate, sampler, steps } = settings;
  const frames = model.size("transformer", "frames") ?? settings.frames;
  const channels = model.size("transformer", "channels") ?? model.size("decoder", "channels");
  if (channels === undefined) throw model.fault("its graphs leave open how many channels latents have");
  const rows = model.size("transformer", "rows") ?? settings.rows;
  if (rows !== settings.rows)
    throw model.fault(`its transformer takes ${rows} rows, and guidance ${settings.guidance} needs ${settings.rows}`);
  const tokenizer: Tokenizer = await readTokenizer(model.path("tokenizer")).catch((error: Error) => {
    throw model.fault(error.message);
  });
  const seconds_max = (frames * hop) / sample_rate;

  return {
    id: manifest.id,
    seconds_max,
    async generate({ prompt, seconds, seed }, job) {
      if (seconds > seconds_max) throw model.fault(`it makes ${seconds_max} s at most, not ${seconds} s`);
      const conditions = await condition(model, tokenizer, prompt, seconds, settings);
      let step = 0;
      const predict = async (latents: Float32Array, time: number): Promise<Float32Array> => {
        job.signal.throwIfAborted();
        const velocity = await predictGuided(model, conditions, latents, time, [channels, frames], settings);
        job.progress((0.95 * ++step) / steps, "generating");
        return velocity;
      };
      const latents = await SOLVERS[sampler](settings, channels * frames, normals(seed), predict);
      job.progress(0.95, "decoding");
      const audio = await decode(model, latents, [1, channels, frames]);
      const made = audio.map((side) => side.subarray(0, Math.round(seconds * sample_rate)));
      return { sample_rate: OUTPUT_RATE, channels: exactly(made, sample_rate, seconds) };
    },
  };
}

interface Conditions {
  /** Of what is heard with the text. */
  readonly text: Float32Array;
  readonly count: number;
  readonly global: Float32Array;
}

async function condition(
  model: LoadedModel,
  tokenizer: Tokenizer,
  prompt: string,
  seconds: number,
  { tokens_max }: { readonly tokens_max: number },
): Promise<Conditions> {
  const all = tokenizer.encode(prompt);
  // What is too long loses its end, but not the sign of it.
  const tokens = all.length > tokens_max ? [...all.slice(0, tokens_max - 1), all.at(-1)!] : all;
  const mask = Array.from({ length: tokens_max }, (_, n) => (n < tokens.length ? 1 : 0));
  const filled = [...tokens, ...Array<number>(tokens_max - tokens.length).fill(PAD)];
  const hidden = await encodeTokens(model, filled, mask);
  const { inputs, outputs } = model.opened.matched.conditioner!;
  const starts = outputs.start !== undefined;
  const made: Tensors = await model.run({
    role: "conditioner",
    feeds: {
      states: floats(hidden, [1, tokens_max, hidden.length / tokens_max]),
      ...(inputs.seconds_start === undefined ? {} : { seconds_start: floats(Float32Array.of(0), [1]) }),
      seconds_total: floats(Float32Array.of(seconds), [1]),
    },
    outputs: ["text", ...(starts ? ["start"] : []), "total"],
  });
  const text = floatsOf(made, "text");
  const width = text.length / tokens_max;
  // What fills a prompt up says nothing.
  text.fill(0, tokens.length * width);
  const times = [...(starts ? [floatsOf(made, "start")] : []), floatsOf(made, "total")];
  return { text: joined([text, ...times]), count: tokens_max + times.length, global: joined(times) };
}

/**
 * Classifier-free guidance (Ho, Salimans, 2022): away from what comes without the text, whose conditions are zeros,
 * that of its length apart.
 */
async function predictGuided(
  model: LoadedModel,
  { text, count, global }: Conditions,
  latents: Float32Array,
  time: number,
  [channels, frames]: readonly [number, number],
  { rows, guidance }: { readonly rows: number; readonly guidance: number },
): Promise<Float32Array> {
  const twice = (values: Float32Array): Float32Array => joined(rows === 2 ? [values, values] : [values]);
  const width = text.length / count;
  const is_flat = model.size("transformer", "global_flat") !== undefined;
  const times = model.size("transformer", "times") ?? rows;
  const feeds = {
    latents: floats(twice(latents), [rows, channels, frames]),
    time: floats(new Float32Array(times).fill(time), [times]),
    condition: floats(joined(rows === 2 ? [new Float32Array(text.length), text] : [text]), [rows, count, width]),
    global: floats(twice(global), is_flat ? [rows, global.length] : [rows, 1, global.length]),
  };
  const made = floatsOf(await model.run({ role: "transformer", feeds, outputs: ["velocity"] }), "velocity");
  if (made.length !== rows * latents.length)
    throw model.fault(`its transformer gives ${made.length} values for ${rows} rows of ${latents.length}`);
  const velocity = made.subarray(0, latents.length);
  const guided = rows === 1 ? velocity : made.subarray(latents.length);
  for (let n = 0; n < velocity.length; n++) {
    velocity[n] = rows === 1 ? velocity[n]! : velocity[n]! + guidance * (guided[n]! - velocity[n]!);
    if (!Number.isFinite(velocity[n])) throw model.fault("what its transformer gives is not finite");
  }
  return velocity;
}

/** Side by side. */
async function decode(model: LoadedModel, latents: Float32Array, dims: readonly number[]): Promise<Float32Array[]> {
  const feeds = { latents: floats(latents, dims) };
  const answer = await model.run({ role: "decoder", feeds, outputs: ["audio"] });
  const { data, dims: shape } = answer.audio!;
  const [sides = 0, samples = 0] = shape.slice(1);
  if (sides < 1 || sides > 2) throw model.fault(`its decoder gives ${sides} channels, not one or two`);
  if ((data as Float32Array).some((value) => !Number.isFinite(value)))
    throw model.fault("its audio holds values that are not finite");
  return Array.from({ length: sides }, (_, side) =>
    (data as Float32Array).subarray(side * samples, (side + 1) * samples),
  );
}

/** At 44.1 kHz, `seconds` long. */
function exactly(made: readonly Float32Array[], sample_rate: number, seconds: number): Float32Array[] {
  const right = sample_rate === OUTPUT_RATE ? made : resample([...made], sample_rate, OUTPUT_RATE);
  return right.map((side) => {
    const out = new Float32Array(Math.round(seconds * OUTPUT_RATE));
    out.set(side.subarray(0, out.length));
    return out;
  });
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
