/**
 * MusicGen's melody models: the chroma of another piece, then the text, stand in front of the codes as positions of the
 * decoder. One graph hears them at once and gives their keys and values, another makes each step.
 */
import { Type } from "@sinclair/typebox";
import type { Audio } from "../../../../contract/mod.ts";
import { resample } from "../../../signal/dsp/resample.ts";
import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import { closed, File, type ManifestOf } from "../../fields.ts";
import type { Layout } from "../../layout.ts";
import { monoOf } from "../../mono.ts";
import { fileTaking, otherFile, sizeAt } from "../../ports.ts";
import { floats, type Tensors } from "../../tensor.ts";
import { textEncoderLayout } from "../../text_encoder.ts";
import {
  cachePorts,
  codecLayout,
  createGenerator,
  ROWS,
  settingsOf,
  fields as shared,
  TOGETHER,
} from "../musicgen/generator.ts";
import { CLASSES, chromaOf, loudestOf } from "./chroma.ts";

const files = closed({ text_encoder: File, decoder: File, decoder_with_past: File, codec: File, tokenizer: File });
const fields = {
  ...shared,
  /** Frames of chroma that it hears. */
  chroma_frames: Type.Optional(Type.Integer({ minimum: 1, maximum: 2048 })),
};
type Melody = ManifestOf<typeof fields, typeof files>;

export default defineFamily({
  serves: "generate",
  also: ["remix"],
  files,
  fields,
  exported:
    "as training/conformance/musicgen_melody.py exports it: text_encoder.onnx, decoder_model.onnx, decoder_with_past_model.onnx, encodec_decode.onnx, tokenizer.json",
  recognise,
  layouts,
  create: (manifest: Melody, model) => {
    const { sample_rate } = settingsOf(manifest);
    const frames = framesOf(manifest);
    const hear = (reference: Audio | undefined) => hearMelody(reference, sample_rate, frames);
    return createGenerator(manifest, model, { tokens_max: TOKENS_MAX, positions: frames, hear });
  },
  together: TOGETHER,
});

/** Its decoder has 2,048 positions: beside 235 of chroma and 1,503 steps are 310. */
const TOKENS_MAX = 256;
/** The published model's, 30 s of them. */
const CHROMA_FRAMES = 235;
/** More of a piece is not heard. */
const SECONDS_MAX = 30;

const framesOf = ({ chroma_frames = CHROMA_FRAMES }: Melody): number => chroma_frames;

function recognise(given: readonly GivenFile[]): Recognised | undefined {
  const decoder = fileTaking(given, "input_features", "encoder_hidden_states");
  const decoder_with_past = fileTaking(given, "input_ids", "past_key_values.0.decoder.key");
  const codec = fileTaking(given, "audio_codes");
  const tokenizer = otherFile(given, /tokenizer/i);
  const text_encoder = given.findIndex(({ graph }) => graph?.outputs.some(({ name }) => name === "last_hidden_state"));
  const roles = { text_encoder, decoder, decoder_with_past, codec, tokenizer };
  if (text_encoder < 0 || Object.values(roles).includes(undefined)) return undefined;
  const chroma_frames = sizeAt(
    given[decoder!]!.graph!.inputs.find(({ name }) => name === "input_features"),
    1,
  );
  const is_usual = chroma_frames === undefined || chroma_frames === CHROMA_FRAMES;
  return { roles: roles as Record<string, number>, fields: is_usual ? {} : { chroma_frames } };
}

function layouts(manifest: Melody): Record<string, Layout> {
  const { codebooks, codes } = settingsOf(manifest);
  const frames = framesOf(manifest);
  return {
    text_encoder: textEncoderLayout,
    decoder: {
      inputs: [
        { logical: "chroma", names: ["input_features"], type: "float32", dims: ["batch", frames, CLASSES] },
        { logical: "text", names: ["encoder_hidden_states"], type: "float32", dims: ["batch", "length", "width"] },
        { logical: "text_mask", names: ["encoder_attention_mask"], type: "int64", dims: ["batch", "length"], fill: 1 },
      ],
      // Many positions at once, of which each is kept.
      outputs: cachePorts("present", "decoder").map(({ grows: _, ...port }) => port),
      sizes: { batch: ROWS, length: 4 },
    },
    decoder_with_past: {
      inputs: [
        { logical: "codes", names: ["input_ids"], type: "int64", dims: ["rows", "steps"] },
        ...cachePorts("past", "decoder"),
      ],
      outputs: [
        { logical: "logits", names: ["logits"], type: "float32", dims: ["rows", "steps", codes] },
        ...cachePorts("present", "decoder"),
      ],
      sizes: { batch: ROWS, rows: ROWS * codebooks, steps: 1, past_decoder: 1 },
    },
    codec: codecLayout(manifest),
  };
}

/** One-hot frames, again from the first where there are too few; none are C throughout, which the second row hears. */
function hearMelody(reference: Audio | undefined, rate: number, frames: number): Tensors {
  const both = new Float32Array(ROWS * frames * CLASSES);
  const heard = reference === undefined ? Int32Array.of(0) : loudestOf(chromaOf(soundOf(reference, rate), rate));
  for (let frame = 0; frame < frames; frame++) {
    both[frame * CLASSES + heard[frame % heard.length]!] = 1;
    both[(frames + frame) * CLASSES] = 1;
  }
  return { chroma: floats(both, [ROWS, frames, CLASSES]) };
}

function soundOf({ channels, sample_rate }: Audio, rate: number): Float32Array {
  return resample([monoOf(channels)], sample_rate, rate)[0]!.subarray(0, SECONDS_MAX * rate);
}
