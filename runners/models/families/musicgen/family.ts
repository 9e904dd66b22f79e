/**
 * MusicGen (Copet et al., "Simple and Controllable Music Generation", 2023) in the files of its usual export: text
 * encoder, decoder (one that takes a cache or not, or one for the first step and one for those with a cache), EnCodec's
 * decoder, tokenizer. Sampling is ours and seeded.
 */
import { Type } from "@sinclair/typebox";
import type { Job } from "../../../../core/plugin.ts";
import { random } from "../../../signal/dsp/random.ts";
import { resample } from "../../../signal/dsp/resample.ts";
import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import { closed, File, type ManifestOf } from "../../fields.ts";
import type { Layout, Matched, Port } from "../../layout.ts";
import { ModelError } from "../../model_error.ts";
import { fileTaking, known, otherFile, sizeAt } from "../../ports.ts";
import { sample } from "../../sampling.ts";
import type { Generator } from "../../tasks.ts";
import { floats, floatsOf, integers, type Tensors, zeros } from "../../tensor.ts";
import { encodeTokens, textEncoderLayout } from "../../text_encoder.ts";
import { readTokenizer, type Tokenizer } from "../../tokenizer.ts";
import type { LoadedModel } from "../../types.ts";

/** `decoder_with_past`: where `decoder` makes the first step alone. */
const files = closed({
  text_encoder: File,
  decoder: File,
  decoder_with_past: Type.Optional(File),
  codec: File,
  tokenizer: File,
});
const fields = {
  /** 2: the codebooks are of the left and of the right by turns. */
  channels: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
  sample_rate: Type.Optional(Type.Integer({ minimum: 8000, maximum: 48_000 })),
  /** Codebooks. */
  codebooks: Type.Optional(Type.Integer({ minimum: 1, maximum: 16 })),
  /** Codes of one codebook; also the number of the token that stands before and after them. */
  codes: Type.Optional(Type.Integer({ minimum: 2, maximum: 65_536 })),
  /** Code frames a second. */
  frame_rate: Type.Optional(Type.Number({ minimum: 1, maximum: 1000 })),
  frames_max: Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000 })),
  guidance: Type.Optional(Type.Number({ minimum: 1, maximum: 20 })),
  top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_536 })),
  temperature: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10 })),
};
type Musicgen = ManifestOf<typeof fields, typeof files>;

/** Pieces side by side; each more takes as much memory as its caches. */
const TOGETHER = 4;

export default defineFamily({
  serves: "generate",
  files,
  fields,
  exported:
    "as Optimum exports it: optimum-cli export onnx --model … --task text-to-audio-with-past; text_encoder_model.onnx, decoder_model.onnx with decoder_with_past_model.onnx (or the merged one), encodec_decode.onnx, tokenizer.json",
  recognise,
  layouts,
  create,
  together: TOGETHER,
});

const OUTPUT_RATE = 44_100;
/** The published models' figures. */
const DEFAULTS = {
  sample_rate: 32_000,
  codes: 2048,
  frame_rate: 50,
  frames_max: 1500,
  guidance: 3,
  top_k: 250,
  temperature: 1,
} as const;
/** With the text, and without. */
const ROWS = 2;
/** Prompts beyond this say nothing more; T5 was trained on 512. */
const TOKENS_MAX = 512;
/**
 * Prompts are filled up to a multiple of this with tokens that nobody hears, alone as well: sums over another length
 * are rounded otherwise, and a piece is to be the same whoever's prompt stands beside it.
 */
const TOKENS_STEP = 64;
/** A piece is begun anew this often where the model's process was replaced in the middle of it. */
const ATTEMPTS = 2;

/** The figures of a manifest, and the usual ones; a stereo model has the codebooks of two channels. */
function settingsOf(manifest: Musicgen) {
  const channels = manifest.channels ?? 1;
  return { ...DEFAULTS, channels, codebooks: 4 * channels, ...manifest };
}

function recognise(given: readonly GivenFile[]): Recognised | undefined {
  const decoders = given.flatMap(({ graph }, index) =>
    graph?.outputs.some(({ name }) => name === "logits") === true ? [index] : [],
  );
  const decoder_with_past = decoders.find(
    (index) =>
      given[index]!.graph!.inputs.some(({ name }) => name.startsWith("past_key_values")) &&
      !given[index]!.graph!.inputs.some(({ name }) => name === "use_cache_branch"),
  );
  const decoder = decoders.find((index) => index !== decoder_with_past);
  const codec = fileTaking(given, "audio_codes");
  const tokenizer = otherFile(given, /tokenizer/i);
  const text_encoder = given.findIndex(({ graph }) => graph?.outputs.some(({ name }) => name === "last_hidden_state"));
  if (decoder === undefined || codec === undefined || tokenizer === undefined || text_encoder < 0) return undefined;
  const books = sizeAt(
    given[codec]!.graph!.inputs.find(({ name }) => name === "audio_codes"),
    2,
  );
  const roles = known({ text_encoder, decoder, decoder_with_past, codec, tokenizer }) as Record<string, number>;
  return { roles, fields: books === 8 ? { channels: 2 } : {} };
}

function layouts(manifest: Musicgen): Record<string, Layout> {
  const { channels, codebooks, codes } = settingsOf(manifest);
  const cache = (prefix: string, word: string, side: string): Port[] =>
    ["key", "value"].map((kind) => ({
      logical: `${word}.*.${side}.${kind}`,
      names: [`${prefix}.*.${side}.${kind}`],
      type: "float32",
      dims: ["batch", "heads", `${word}_${side}`, "size"],
      // The text's part stays as the first step made it.
      ...(side === "decoder" ? { grows: true as const } : {}),
    }));
  const past = ["decoder", "encoder"].flatMap((side) => cache("past_key_values", "past", side));
  const present = (side: string) => cache("present", "present", side);
  const text: Port = {
    logical: "text",
    names: ["encoder_hidden_states"],
    type: "float32",
    dims: ["batch", "length", "width"],
  };
  const cached: Port = { logical: "cached", names: ["use_cache_branch"], type: "bool", dims: [1], optional: true };
  const mask: Port = {
    logical: "text_mask",
    names: ["encoder_attention_mask"],
    type: "int64",
    dims: ["batch", "length"],
    fill: 1,
  };
  const decoder = (inputs: readonly Port[], outputs: readonly Port[], positions = 1): Layout => ({
    inputs: [mask, { logical: "codes", names: ["input_ids"], type: "int64", dims: ["rows", "steps"] }, ...inputs],
    outputs: [{ logical: "logits", names: ["logits"], type: "float32", dims: ["rows", "steps", codes] }, ...outputs],
    // The encoder's part of a cache is as long as the text, where it is not made in the same run.
    sizes: {
      batch: ROWS,
      length: 4,
      rows: ROWS * codebooks,
      steps: 1,
      past_decoder: inputs.includes(cached) ? 0 : positions,
      past_encoder: inputs.includes(cached) ? 0 : 4,
    },
  });
  return {
    text_encoder: textEncoderLayout,
    ...(manifest.files.decoder_with_past === undefined
      ? { decoder: decoder([text, ...past, cached], [...present("decoder"), ...present("encoder")]) }
      : {
          // Both hold the weights. The second makes the first step as well, from empty caches, so that of the other only
          // the keys and values of the text are needed.
          decoder: {
            ...decoder([text], [...present("decoder"), ...present("encoder")]),
            leaner: {
              inputs: [{ ...mask, optional: true }, text],
              outputs: present("encoder"),
              sizes: { batch: ROWS, length: 4 },
              part_by: "text",
            },
          },
          decoder_with_past: {
            ...decoder(past, present("decoder")),
            leaner: decoder(past, present("decoder"), 0),
          },
        }),
    codec: {
      inputs: [
        {
          logical: "codes",
          names: ["audio_codes"],
          type: "int64",
          dims: ["chunks", "batch", codebooks / channels, "frames"],
        },
      ],
      outputs: [{ logical: "audio", names: ["audio_values"], type: "float32", dims: ["batch", "channels", "samples"] }],
      sizes: { chunks: 1, batch: 1, frames: 8, channels: 1 },
    },
  };
}

async function create(manifest: Musicgen, model: LoadedModel): Promise<Generator> {
  const settings = settingsOf(manifest);
  const { channels, codebooks, frame_rate, frames_max, sample_rate } = settings;
  if (codebooks % channels !== 0) throw model.fault(`its ${codebooks} codebooks are not those of ${channels} channels`);
  const heads = model.size("decoder", "heads");
  const size = model.size("decoder", "size");
  if (heads === undefined || size === undefined)
    throw model.fault("its decoder leaves open how many heads its cache has");
  const [encoder_width, decoder_width] = [model.size("text_encoder", "width"), model.size("decoder", "width")];
  if (encoder_width !== undefined && decoder_width !== undefined && encoder_width !== decoder_width) {
    throw model.fault(`its text encoder gives ${encoder_width} values a token, its decoder takes ${decoder_width}`);
  }
  const tokenizer: Tokenizer = await readTokenizer(model.path("tokenizer")).catch((error: Error) => {
    throw model.fault(error.message);
  });
  const inside: Inside = { model, tokenizer, heads, size, settings };

  return {
    id: manifest.id,
    seconds_max: frames_max / frame_rate,
    side_by_side: (manifest.batch ?? TOGETHER) > 1,
    async generate({ prompt, seconds, seed }, job) {
      const frames = Math.ceil(seconds * frame_rate);
      if (frames > frames_max) throw model.fault(`it makes ${frames_max / frame_rate} s at most, not ${seconds} s`);
      const codes = await again(ATTEMPTS, job, () => generateCodes(inside, prompt, frames, seed, job));
      job.progress(0.95, "decoding");
      const length = Math.round(seconds * OUTPUT_RATE);
      const made: Float32Array[] = [];
      for (let channel = 0; channel < channels; channel++) {
        // A stereo model's codebooks are left and right by turns.
        const own = codes.filter((_, k) => k % channels === channel);
        const [samples] = resample([await decodeCodes(inside, own, frames)], sample_rate, OUTPUT_RATE);
        const exact = new Float32Array(length);
        exact.set(samples!.subarray(0, length));
        made.push(exact);
      }
      return { sample_rate: OUTPUT_RATE, channels: made };
    },
  };
}

interface Inside {
  readonly model: LoadedModel;
  readonly tokenizer: Tokenizer;
  readonly heads: number;
  readonly size: number;
  readonly settings: ReturnType<typeof settingsOf>;
}

/**
 * Codes [codebook][frame]. Codebook k of a channel runs k steps behind its first (the delay pattern): at step s it gets
 * the code of frame s - k, and takes and gives the number `codes` where there is no such frame.
 */
async function generateCodes(
  { model, tokenizer, heads, size, settings }: Inside,
  prompt: string,
  frames: number,
  seed: number,
  job: Job,
): Promise<Int32Array[]> {
  const { channels, codebooks, codes, guidance, top_k, temperature } = settings;
  const text = await encodeText(model, tokenizer, prompt);
  const made = Array.from({ length: codebooks }, () => new Int32Array(frames));
  const next = random(seed);
  const state = crypto.randomUUID();
  const guided = new Float32Array(codes);
  const delayOf = (k: number): number => Math.floor(k / channels);
  const steps = frames + delayOf(codebooks - 1);
  const column: number[] = new Array<number>(codebooks).fill(codes);
  const graphs = model.opened.matched;
  const { decoder, decoder_with_past } = graphs;
  const later = decoder_with_past === undefined ? "decoder" : "decoder_with_past";
  // Where it gives nothing but the text's keys and values.
  const makes_text_only = decoder!.outputs.logits === undefined;
  const carryOf = (matched: Matched, side: string): Record<string, string> =>
    Object.fromEntries(
      Object.keys(matched.outputs)
        .filter((word) => word.startsWith("present.") && word.includes(side))
        .map((word) => [word, word.replace("present.", "past.")]),
    );
  const all = carryOf(decoder!, "");
  // From the second step on the encoder's part is a stand-in: the first step's is kept.
  const growing = carryOf(graphs[later]!, ".decoder.");
  const empty: Tensors = Object.fromEntries(
    Object.values(makes_text_only ? growing : all).map((word) => [word, zeros("float32", [ROWS, heads, 0, size])]),
  );
  const floats_a_step = Object.keys(growing).length * ROWS * heads * size;
  try {
    await model.begin(state, {
      alike: `${text.text_mask!.dims}`,
      steps_max: steps,
      bytes: 4 * floats_a_step * steps,
    });
    if (makes_text_only) await model.run({ role: "decoder", feeds: text, outputs: [], carry: all, state });
    for (let step = 0; step < steps; step++) {
      job.signal.throwIfAborted();
      const first = step === 0;
      const begins = first && !makes_text_only;
      const role = begins ? "decoder" : later;
      const answer = await model.run({
        role,
        feeds: {
          ...(role === "decoder" ? text : { text_mask: text.text_mask! }),
          codes: integers([...column, ...column], [ROWS * codebooks, 1]),
          cached: { type: "bool", dims: [1], data: Uint8Array.of(first ? 0 : 1) },
          ...(first && role === later ? empty : {}),
        },
        outputs: ["logits"],
        carry: begins ? all : growing,
        state,
        joint: true,
        positions: steps,
        ...(begins ? {} : { resume: true as const }),
      });
      const logits = floatsOf(answer, "logits");
      for (let k = 0; k < codebooks; k++) {
        const frame = step - delayOf(k);
        if (frame < 0 || frame >= frames) {
          column[k] = codes;
          continue;
        }
        // Classifier-free guidance (Ho, Salimans, 2022): away from what comes without the text.
        const with_text = k * codes;
        const without = (codebooks + k) * codes;
        for (let c = 0; c < codes; c++) {
          guided[c] = logits[without + c]! + guidance * (logits[with_text + c]! - logits[without + c]!);
        }
        const code = sample(guided, top_k, temperature, next());
        if (code === undefined) throw model.fault("its logits are not finite");
        column[k] = code;
        made[k]![frame] = code;
      }
      job.progress((0.95 * (step + 1)) / steps, "generating");
    }
  } finally {
    const forgotten = model.forget(state);
    if (!job.signal.aborted) await forgotten;
  }
  return made;
}

/** The text's states, and zeros in place of it for the second row. */
async function encodeText(model: LoadedModel, tokenizer: Tokenizer, prompt: string): Promise<Tensors> {
  const tokens = tokenizer.encode(prompt).slice(-TOKENS_MAX);
  const ones = tokens.map(() => 1);
  const hidden = await encodeTokens(model, tokens, ones);
  const length = TOKENS_STEP * Math.ceil(tokens.length / TOKENS_STEP);
  const width = hidden.length / tokens.length;
  const both = new Float32Array(ROWS * length * width);
  both.set(hidden);
  const mask = Array.from({ length: ROWS * length }, (_, n) => (n < tokens.length ? 1 : 0));
  return { text: floats(both, [ROWS, length, width]), text_mask: integers(mask, [ROWS, length]) };
}

async function decodeCodes({ model }: Inside, codes: readonly Int32Array[], frames: number): Promise<Float32Array> {
  const data = codes.flatMap((codebook) => [...codebook]);
  const answer = await model.run({
    role: "codec",
    feeds: { codes: integers(data, [1, 1, codes.length, frames]) },
    outputs: ["audio"],
  });
  const audio = floatsOf(answer, "audio");
  if (audio.some((value) => !Number.isFinite(value))) throw model.fault("its audio holds values that are not finite");
  return audio;
}

/** Once more where the model's process was lost. */
async function again<T>(attempts: number, job: Job, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const lost = error instanceof ModelError && error.lost;
      if (!lost || attempt >= attempts || job.signal.aborted) throw error;
    }
  }
}
