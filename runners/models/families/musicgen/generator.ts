/** What MusicGen's models share: figures, codes under guidance, EnCodec's decoder. Sampling is ours and seeded. */
import { type TSchema, Type } from "@sinclair/typebox";
import type { Audio, Job } from "../../../../contract/mod.ts";
import { random } from "../../../signal/dsp/random.ts";
import { resample } from "../../../signal/dsp/resample.ts";
import type { ManifestOf } from "../../fields.ts";
import type { Layout, Matched, Port } from "../../layout.ts";
import { ModelError } from "../../model_error.ts";
import { sample } from "../../sampling.ts";
import type { Generator } from "../../tasks.ts";
import { floats, floatsOf, integers, type Tensors, zeros } from "../../tensor.ts";
import { encodeTokens } from "../../text_encoder.ts";
import { readTokenizer, type Tokenizer } from "../../tokenizer.ts";
import type { LoadedModel } from "../../types.ts";

export const fields = {
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
type Figures = Omit<ManifestOf<typeof fields, TSchema>, "files">;

/** Pieces side by side; each more takes as much memory as its caches. */
export const TOGETHER = 4;

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
export const ROWS = 2;
/** Prompts beyond this say nothing more; T5 was trained on 512. */
const TOKENS_MAX = 512;
/**
 * Prompts are filled up to a multiple of this with tokens that nobody hears, alone as well: sums over another length
 * are rounded otherwise, and a piece is to be the same whoever's prompt stands beside it.
 */
const TOKENS_STEP = 64;
/** A piece is begun anew this often where the model's process was replaced in the middle of it. */
const ATTEMPTS = 2;

/** What a model hears before its codes, where that stands among the positions of its decoder. */
export interface InFront {
  /** Of a prompt. */
  readonly tokens_max: number;
  /** Positions beside those of the text. */
  readonly positions: number;
  /** What the decoder is fed beside the text. */
  hear(reference: Audio | undefined): Tensors;
}

/** The figures of a manifest, and the usual ones; a stereo model has the codebooks of two channels. */
export function settingsOf(manifest: Figures) {
  const channels = manifest.channels ?? 1;
  return { ...DEFAULTS, channels, codebooks: 4 * channels, ...manifest };
}

export function cachePorts(word: "past" | "present", side: string): Port[] {
  const prefix = word === "past" ? "past_key_values" : word;
  return ["key", "value"].map((kind) => ({
    logical: `${word}.*.${side}.${kind}`,
    names: [`${prefix}.*.${side}.${kind}`],
    type: "float32",
    dims: ["batch", "heads", `${word}_${side}`, "size"],
    // The text's part stays as the first step made it.
    ...(side === "decoder" ? { grows: true as const } : {}),
  }));
}

export function codecLayout(manifest: Figures): Layout {
  const { channels, codebooks } = settingsOf(manifest);
  const codes = ["chunks", "batch", codebooks / channels, "frames"];
  return {
    inputs: [{ logical: "codes", names: ["audio_codes"], type: "int64", dims: codes }],
    outputs: [{ logical: "audio", names: ["audio_values"], type: "float32", dims: ["batch", "channels", "samples"] }],
    sizes: { chunks: 1, batch: 1, frames: 8, channels: 1 },
  };
}

export async function createGenerator(
  manifest: Figures,
  model: LoadedModel,
  in_front?: InFront,
): Promise<Generator<{ readonly prompt: string; readonly reference?: Audio }>> {
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
  const inside: Inside = { model, tokenizer, heads, size, settings, in_front };

  return {
    id: manifest.id,
    seconds_max: frames_max / frame_rate,
    side_by_side: (manifest.batch ?? TOGETHER) > 1,
    async generate({ prompt, reference, seconds, seed }, job) {
      const frames = Math.ceil(seconds * frame_rate);
      if (frames > frames_max) throw model.fault(`it makes ${frames_max / frame_rate} s at most, not ${seconds} s`);
      const heard = in_front?.hear(reference) ?? {};
      const codes = await again(ATTEMPTS, job, () => generateCodes(inside, prompt, heard, frames, seed, job));
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
  readonly in_front: InFront | undefined;
}

/**
 * Codes [codebook][frame]. Codebook k of a channel runs k steps behind its first (the delay pattern): at step s it gets
 * the code of frame s - k, and takes and gives the number `codes` where there is no such frame.
 */
async function generateCodes(
  { model, tokenizer, heads, size, settings, in_front }: Inside,
  prompt: string,
  heard: Tensors,
  frames: number,
  seed: number,
  job: Job,
): Promise<Int32Array[]> {
  const { channels, codebooks, codes, guidance, top_k, temperature } = settings;
  const text = { ...(await encodeText(model, tokenizer, prompt, in_front)), ...heard };
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
  // Where it gives nothing but keys and values of what is heard before.
  const hears_only = decoder!.outputs.logits === undefined;
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
    Object.values(hears_only ? growing : all).map((word) => [word, zeros("float32", [ROWS, heads, 0, size])]),
  );
  const positions = steps + (in_front === undefined ? 0 : in_front.positions + text.text_mask!.dims[1]!);
  const floats_a_step = Object.keys(growing).length * ROWS * heads * size;
  try {
    await model.begin(state, {
      alike: `${text.text_mask!.dims}`,
      steps_max: steps,
      bytes: 4 * floats_a_step * positions,
    });
    if (hears_only) await model.run({ role: "decoder", feeds: text, outputs: [], carry: all, state });
    for (let step = 0; step < steps; step++) {
      job.signal.throwIfAborted();
      const first = step === 0;
      const begins = first && !hears_only;
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
        positions,
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
async function encodeText(
  model: LoadedModel,
  tokenizer: Tokenizer,
  prompt: string,
  in_front: InFront | undefined,
): Promise<Tensors> {
  const tokens = tokenizer.encode(prompt).slice(-(in_front?.tokens_max ?? TOKENS_MAX));
  const ones = tokens.map(() => 1);
  const hidden = await encodeTokens(model, tokens, ones);
  // Tokens in front of the codes would be heard, and would move them.
  const step = in_front === undefined ? TOKENS_STEP : 1;
  const length = step * Math.ceil(tokens.length / step);
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
