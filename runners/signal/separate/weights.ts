import { readFileSync } from "node:fs";
import { INPUTS } from "./evidence.ts";
import { BANDS } from "./grid.ts";
import { type Inputs, type Network, weightsOf } from "./layers.ts";
import { type Networks, SECOND_INPUTS } from "./opinions.ts";

interface Packed {
  readonly sizes: readonly number[];
  /** Base64 of little-endian float32. */
  readonly weights: string;
}

let loaded: Networks | undefined;

/** The trained networks: see training/classical_separator/learn.sh. */
export function trained(): Networks {
  if (loaded !== undefined) return loaded;
  const text = readFileSync(new URL("./weights.json", import.meta.url), "utf8");
  const { first, second } = JSON.parse(text) as { readonly first: Packed; readonly second: Packed };
  loaded = { first: unpacked(first, INPUTS), second: unpacked(second, SECOND_INPUTS) };
  return loaded;
}

/** @param inputs that the network must take, for each band */
export function unpacked({ sizes, weights: packed }: Packed, { shared, words, fixed }: Inputs): Network {
  const inputs = shared + words.length + (fixed?.planes.length ?? 0) / BANDS;
  const bytes = Buffer.from(packed, "base64");
  const weights = new Float32Array(bytes.length / 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let k = 0; k < weights.length; k++) weights[k] = view.getFloat32(4 * k, true);
  if (sizes[0] !== inputs) {
    throw new Error(
      `Cannot load the separator's network: it takes ${sizes[0]} pieces of evidence, there are ${inputs}`,
    );
  }
  if (weights.length !== weightsOf(sizes)) {
    throw new Error(`Cannot load the separator's network: ${weights.length} weights, expected ${weightsOf(sizes)}`);
  }
  return { sizes, weights };
}
