/** The learned part of the ear: from the columns of features.ts to how much each moment sounds like a beat and like a downbeat. */

import { breathe } from "../../../breathe.ts";
import { arena } from "../../dsp/arena.ts";
import { release } from "../../dsp/release.ts";
import { FEATURES } from "./features.ts";
import weights from "./weights.json" with { type: "json" };

export interface Activations {
  /** 0 to 1 for each row of features. */
  readonly beat: Float32Array;
  readonly downbeat: Float32Array;
}

/** Rows worked on between two looks at the signal. */
const ROWS = 4096;
/** Outputs that a pass over the inputs computes at once. */
const LANES = 4;

/**
 * A temporal convolutional network (Davies and Böck 2019, "Temporal convolutional networks for musical audio beat tracking", in small): one
 * convolution over three rows, then residual blocks of convolutions over five rows, each twice as far apart as the block before, so that
 * the last sees 20 s; the blocks' sum is read out. Trained by training/rhythm/train.py on music that training/material
 * composes and renders.
 *
 * @throws the signal's reason on abort
 */
export async function activations(features: Float32Array, signal: AbortSignal): Promise<Activations> {
  const rows = features.length / FEATURES;
  const { channels } = weights;
  const hidden = new Float32Array(rows * channels);
  const wide = new Float32Array(rows * channels);
  const added = new Float32Array(rows * channels);
  const total = new Float32Array(rows * channels);
  await layer(features, rows, NETWORK.input, 1, true, hidden, signal);
  for (const [n, block] of NETWORK.blocks.entries()) {
    await layer(hidden, rows, block.dilated, 2 ** n, true, wide, signal);
    await layer(wide, rows, block.pointwise, 1, false, added, signal);
    for (let k = 0; k < hidden.length; k++) {
      hidden[k]! += added[k]!;
      total[k]! += added[k]!;
    }
  }
  for (let k = 0; k < total.length; k++) total[k] = elu(total[k]!);
  await layer(total, rows, NETWORK.output, 1, false, added, signal);
  const beat = new Float32Array(rows);
  const downbeat = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    beat[row] = 1 / (1 + Math.exp(-added[2 * row]!));
    downbeat[row] = 1 / (1 + Math.exp(-added[2 * row + 1]!));
  }
  release(hidden, wide, added, total);
  return { beat, downbeat };
}

interface Layer {
  readonly taps: number;
  readonly inputs: number;
  readonly outputs: number;
  /** In groups of `LANES` outputs: [group][tap][input][lane]. */
  readonly kernel: Float32Array;
  readonly bias: Float32Array;
}

const NETWORK = ((): {
  input: Layer;
  blocks: readonly { dilated: Layer; pointwise: Layer }[];
  output: Layer;
} => {
  const { channels, blocks } = weights;
  const bytes = Uint8Array.from(atob(weights.weights), (sign) => sign.charCodeAt(0));
  const values = Float32Array.from({ length: bytes.length >> 1 }, (_, n) =>
    half(bytes[2 * n]! | (bytes[2 * n + 1]! << 8)),
  );
  let at = 0;
  const take = (taps: number, inputs: number, outputs: number): Layer => {
    const groups = Math.ceil(outputs / LANES);
    const kernel = new Float32Array(groups * taps * inputs * LANES);
    for (let tap = 0; tap < taps * inputs; tap++) {
      for (let output = 0; output < outputs; output++) {
        const group = Math.floor(output / LANES);
        kernel[(group * taps * inputs + tap) * LANES + (output % LANES)] = values[at++]!;
      }
    }
    const bias = new Float32Array(groups * LANES);
    for (let output = 0; output < outputs; output++) bias[output] = values[at++]!;
    return { taps, inputs, outputs, kernel, bias };
  };
  return {
    input: take(3, weights.features, channels),
    blocks: Array.from({ length: blocks }, () => ({
      dilated: take(5, channels, channels),
      pointwise: take(1, channels, channels),
    })),
    output: take(1, channels, 2),
  };
})();

/** IEEE 754 half precision. */
function half(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}

function elu(x: number): number {
  return x > 0 ? x : Math.exp(x) - 1;
}

async function layer(
  from: Float32Array,
  rows: number,
  shape: Layer,
  dilation: number,
  bent: boolean,
  out: Float32Array,
  signal: AbortSignal,
): Promise<void> {
  for (let first = 0; first < rows; first += ROWS) {
    await breathe(signal);
    const last = Math.min(rows, first + ROWS);
    if (byKernel(from, rows, shape, dilation, first, last, out)) continue;
    for (let group = 0; group * LANES < shape.outputs; group++)
      convolve(from, rows, shape, dilation, group, first, last, out);
  }
  if (bent) for (let k = 0; k < rows * shape.outputs; k++) out[k] = elu(out[k]!);
}

/** As `convolve`, all outputs, in float32 throughout; false where kernels do not run. */
function byKernel(
  from: Float32Array,
  rows: number,
  { taps, inputs, outputs, kernel, bias }: Layer,
  dilation: number,
  first: number,
  last: number,
  out: Float32Array,
): boolean {
  const groups = Math.ceil(outputs / LANES);
  // The kernel takes rows by fours.
  const count = (last - first + 3) & ~3;
  const halo = (taps >> 1) * dilation;
  const read = (count + 2 * halo) * inputs;
  const kernel_at = 4 * read;
  const bias_at = kernel_at + 4 * kernel.length;
  const out_at = bias_at + 4 * bias.length;
  const room = arena(out_at + 4 * count * groups * LANES);
  if (room === undefined) return false;
  const begin = Math.max(0, first - halo);
  const end = Math.min(rows, last + halo);
  const source = room.floats(0, read);
  const lead = (begin - (first - halo)) * inputs;
  source.fill(0, 0, lead);
  source.set(from.subarray(begin * inputs, end * inputs), lead);
  source.fill(0, lead + (end - begin) * inputs);
  room.floats(kernel_at, kernel.length).set(kernel);
  room.floats(bias_at, bias.length).set(bias);
  const at = room.address;
  room.kernels.convolveRows(at, count, taps, inputs, dilation, at + kernel_at, at + bias_at, groups, at + out_at);
  const made = room.floats(out_at, count * groups * LANES);
  if (outputs === groups * LANES) out.set(made.subarray(0, (last - first) * outputs), first * outputs);
  else {
    for (let row = first; row < last; row++) {
      const begins = (row - first) * groups * LANES;
      for (let output = 0; output < outputs; output++) out[row * outputs + output] = made[begins + output]!;
    }
  }
  return true;
}

/** Outputs `group` · LANES and on of rows `first` to `last`; rows outside are zero. */
function convolve(
  from: Float32Array,
  rows: number,
  shape: Layer,
  dilation: number,
  group: number,
  first: number,
  last: number,
  out: Float32Array,
): void {
  const kernel = shape.kernel;
  const bias = shape.bias;
  const taps = shape.taps;
  const inputs = shape.inputs;
  const outputs = shape.outputs;
  const offset = group * LANES;
  const lanes = Math.min(LANES, outputs - offset);
  const middle = taps >> 1;
  for (let row = first; row < last; row++) {
    let a = bias[offset]!;
    let b = bias[offset + 1]!;
    let c = bias[offset + 2]!;
    let d = bias[offset + 3]!;
    for (let tap = 0; tap < taps; tap++) {
      const source = row + (tap - middle) * dilation;
      if (source < 0 || source >= rows) continue;
      const x = source * inputs;
      const w = (group * taps + tap) * inputs * LANES;
      for (let i = 0; i < inputs; i++) {
        const value = from[x + i]!;
        const at = w + i * LANES;
        a += value * kernel[at]!;
        b += value * kernel[at + 1]!;
        c += value * kernel[at + 2]!;
        d += value * kernel[at + 3]!;
      }
    }
    const to = row * outputs + offset;
    out[to] = a;
    if (lanes > 1) out[to + 1] = b;
    if (lanes > 2) out[to + 2] = c;
    if (lanes > 3) out[to + 3] = d;
  }
}
