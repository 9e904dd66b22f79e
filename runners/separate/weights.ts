import { readFileSync } from "node:fs";
import { type Network, sizeOf } from "./network.ts";

/** The trained network: see bench/separate/train.py. */
export function trained(): Network {
  const text = readFileSync(new URL("./weights.json", import.meta.url), "utf8");
  const { weights: packed, ...shape } = JSON.parse(text) as Omit<Network, "weights"> & { readonly weights: string };
  const bytes = Buffer.from(packed, "base64");
  const weights = new Float32Array(bytes.length / 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let k = 0; k < weights.length; k++) weights[k] = view.getFloat32(4 * k, true);
  if (weights.length !== sizeOf(shape)) {
    throw new Error(`Cannot load the separator's network: ${weights.length} weights, expected ${sizeOf(shape)}`);
  }
  return { ...shape, weights };
}
