/** T5's encoder as exporters write it, which several families read prompts with. */
import type { Layout } from "./layout.ts";
import { floatsOf, integers } from "./tensor.ts";
import type { LoadedModel } from "./types.ts";

/** Of the role `text_encoder`. */
export const textEncoderLayout: Layout = {
  inputs: [
    { logical: "tokens", names: ["input_ids"], type: "int64", dims: ["batch", "length"] },
    { logical: "mask", names: ["attention_mask"], type: "int64", dims: ["batch", "length"], fill: 1 },
  ],
  outputs: [{ logical: "hidden", names: ["last_hidden_state"], type: "float32", dims: ["batch", "length", "width"] }],
  sizes: { batch: 1, length: 4 },
};

/** States of the tokens, one after another. */
export async function encodeTokens(
  model: LoadedModel,
  tokens: readonly number[],
  mask: readonly number[],
): Promise<Float32Array> {
  const dims = [1, tokens.length];
  const feeds = { tokens: integers(tokens, dims), mask: integers(mask, dims) };
  return floatsOf(await model.run({ role: "text_encoder", feeds, outputs: ["hidden"] }), "hidden");
}
