/**
 * MusicGen (Copet et al., "Simple and Controllable Music Generation", 2023) in the files of its usual export: text
 * encoder, decoder (one that takes a cache or not, or one for the first step and one for those with a cache), EnCodec's
 * decoder, tokenizer. Its codes are made in `generator.ts`.
 */
import { Type } from "@sinclair/typebox";
import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import { closed, File, type ManifestOf } from "../../fields.ts";
import type { Layout, Port } from "../../layout.ts";
import { fileTaking, known, otherFile, sizeAt } from "../../ports.ts";
import { textEncoderLayout } from "../../text_encoder.ts";
import { cachePorts, codecLayout, createGenerator, fields, ROWS, settingsOf, TOGETHER } from "./generator.ts";

/** `decoder_with_past`: where `decoder` makes the first step alone. */
const files = closed({
  text_encoder: File,
  decoder: File,
  decoder_with_past: Type.Optional(File),
  codec: File,
  tokenizer: File,
});
type Musicgen = ManifestOf<typeof fields, typeof files>;

export default defineFamily({
  serves: "generate",
  files,
  fields,
  exported:
    "as Optimum exports it: optimum-cli export onnx --model … --task text-to-audio-with-past; text_encoder_model.onnx, decoder_model.onnx with decoder_with_past_model.onnx (or the merged one), encodec_decode.onnx, tokenizer.json",
  recognise,
  layouts,
  create: (manifest: Musicgen, model) => createGenerator(manifest, model),
  together: TOGETHER,
});

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
  const { codebooks, codes } = settingsOf(manifest);
  const past = ["decoder", "encoder"].flatMap((side) => cachePorts("past", side));
  const present = (side: string) => cachePorts("present", side);
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
    codec: codecLayout(manifest),
  };
}
