import { readFileSync } from "node:fs";
import { INPUTS } from "./evidence.ts";
import { type Network, weightsOf } from "./network.ts";

let loaded: Network | undefined;

/** The trained network: see bench/separate/train.py. */
export function trained(): Network {
  if (loaded !== undefined) return loaded;
  const text = readFileSync(new URL("./weights.json", import.meta.url), "utf8");
  const { sizes, weights: packed } = JSON.parse(text) as {
    readonly sizes: readonly number[];
    readonly weights: string;
  };
  const bytes = Buffer.from(packed, "base64");
  const weights = new Float32Array(bytes.length / 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let k = 0; k < weights.length; k++) weights[k] = view.getFloat32(4 * k, true);
  if (sizes[0] !== INPUTS) {
    throw new Error(
      `Cannot load the separator's network: it takes ${sizes[0]} pieces of evidence, there are ${INPUTS}`,
    );
  }
  if (weights.length !== weightsOf(sizes)) {
    throw new Error(`Cannot load the separator's network: ${weights.length} weights, expected ${weightsOf(sizes)}`);
  }
  loaded = { sizes, weights };
  return loaded;
}
