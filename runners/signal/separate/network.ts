import { type Simd, simd } from "../dsp/simd.ts";

/**
 * A small perceptron: what it weighs comes from the separator's own evidence, what it says is each stem's share of a band.
 * Hidden layers of rectified units, then a softmax.
 */
export interface Network {
  /** Width of each layer, the inputs first. All but the first are even. */
  readonly sizes: readonly number[];
  /** Layer by layer: [units][inputs] weights, [units] biases. */
  readonly weights: Float32Array;
}

export function weightsOf(sizes: readonly number[]): number {
  let sum = 0;
  for (let layer = 1; layer < sizes.length; layer++) sum += sizes[layer]! * (sizes[layer - 1]! + 1);
  return sum;
}

interface Layer {
  readonly inputs: number;
  readonly units: number;
  readonly weights: Float32Array;
  readonly biases: Float32Array;
}

/**
 * Runs a network on all columns of a frame at once. Sums are taken in float32 in a fixed order, so that the plain form says the same as the
 * kernels, bit for bit.
 */
export class Judge {
  /** Evidence [inputs - shared][columns], to be filled before `judge`. It may move: asked for anew each time. */
  get evidence(): Float32Array {
    return this.#planes.view(0);
  }
  readonly #columns: number;
  readonly #shared: number;
  readonly #layers: readonly Layer[];
  readonly #planes: Planes;
  readonly #biases: Float32Array;

  /**
   * @param columns a multiple of 16
   * @param shared leading inputs that are the same for all columns
   */
  constructor(network: Network, columns: number, shared: number, kernels: Simd | null = simd() ?? null) {
    const { sizes, weights } = network;
    this.#columns = columns;
    this.#shared = shared;
    const layers: Layer[] = [];
    for (let layer = 1, at = 0; layer < sizes.length; layer++) {
      const [inputs, units] = [sizes[layer - 1]!, sizes[layer]!];
      const biases = at + units * inputs;
      layers.push({
        inputs,
        units,
        weights: weights.subarray(at, biases),
        biases: weights.subarray(biases, biases + units),
      });
      at = biases + units;
    }
    this.#layers = layers;
    this.#biases = new Float32Array(sizes[1]!);
    const widths = sizes.map((size, layer) => (layer === 0 ? size - shared : size));
    const parameters = layers.map(({ inputs, units, weights: w, biases }, layer) => ({
      weights: layer === 0 ? withoutLeading(w, units, inputs, shared) : w,
      biases,
    }));
    this.#planes =
      kernels === null
        ? plainPlanes(columns, widths, parameters)
        : simdPlanes(kernels, network, columns, widths, parameters);
  }

  /**
   * Judges the columns by `evidence` and what they share.
   *
   * @param out [outputs][columns], shares that add up to 1 in each column
   */
  judge(shared: Float32Array, out: Float32Array): void {
    const { inputs, units, weights, biases } = this.#layers[0]!;
    for (let unit = 0; unit < units; unit++) {
      let sum = biases[unit]!;
      for (let k = 0; k < this.#shared; k++) sum += weights[unit * inputs + k]! * shared[k]!;
      this.#biases[unit] = sum;
    }
    this.#planes.run(this.#biases);
    const last = this.#layers.length;
    softmax(this.#planes.view(last), this.#columns, this.#layers[last - 1]!.units, out);
  }
}

function withoutLeading(weights: Float32Array, units: number, inputs: number, leading: number): Float32Array {
  const kept = new Float32Array(units * (inputs - leading));
  for (let unit = 0; unit < units; unit++) {
    kept.set(weights.subarray(unit * inputs + leading, (unit + 1) * inputs), unit * (inputs - leading));
  }
  return kept;
}

/** What goes in and comes out of each layer. */
interface Planes {
  /** [width][columns] of what goes into layer `layer`, or of what the last gave. */
  view(layer: number): Float32Array;
  /** @param biases of the first layer */
  run(biases: Float32Array): void;
}

type Parameters = readonly { readonly weights: Float32Array; readonly biases: Float32Array }[];

function simdPlanes(
  kernels: Simd,
  network: Network,
  columns: number,
  widths: readonly number[],
  parameters: Parameters,
): Planes {
  const places = widths.map((width) => ({ at: 0, length: width * columns }));
  const total = widths.reduce((sum, width) => sum + width * columns, 0);
  const sizes = parameters.map(({ weights, biases }) => weights.length + biases.length);
  const base = room(kernels, network, 4 * (total + sizes.reduce((sum, size) => sum + size + 8, 0)));
  let at = base;
  for (const place of places) {
    place.at = at;
    at += 4 * place.length;
  }
  const layers = parameters.map(({ weights, biases }) => {
    const spot = { weights: at, biases: at + 4 * weights.length };
    new Float32Array(kernels.memory.buffer, at, weights.length).set(weights);
    new Float32Array(kernels.memory.buffer, spot.biases, biases.length).set(biases);
    at = (spot.biases + 4 * biases.length + 15) & ~15;
    return spot;
  });
  return {
    view: (layer) => new Float32Array(kernels.memory.buffer, places[layer]!.at, places[layer]!.length),
    run(biases) {
      new Float32Array(kernels.memory.buffer, layers[0]!.biases, biases.length).set(biases);
      for (const [layer, { weights, biases: offset }] of layers.entries()) {
        const rectify = layer + 1 < layers.length ? 1 : 0;
        kernels.dense(
          places[layer]!.at,
          columns,
          widths[layer]!,
          weights,
          offset,
          widths[layer + 1]!,
          places[layer + 1]!.at,
          rectify,
        );
      }
    },
  };
}

/** Memory set aside by this thread, one room a network, for there is no giving back. */
const rooms = new WeakMap<Network, number>();
function room(kernels: Simd, network: Network, bytes: number): number {
  const known = rooms.get(network);
  if (known !== undefined) return known;
  const at = kernels.reserve(bytes);
  rooms.set(network, at);
  return at;
}

function plainPlanes(columns: number, widths: readonly number[], parameters: Parameters): Planes {
  const planes = widths.map((width) => new Float32Array(width * columns));
  return {
    view: (layer) => planes[layer]!,
    run(first) {
      for (const [layer, { weights, biases }] of parameters.entries()) {
        const last = layer + 1 === parameters.length;
        dense(
          planes[layer]!,
          columns,
          widths[layer]!,
          weights,
          layer === 0 ? first : biases,
          planes[layer + 1]!,
          !last,
        );
      }
    },
  };
}

/** As the kernel of that name: see runners/signal/dsp/assembly/dense.ts. */
export function dense(
  x: Float32Array,
  columns: number,
  inputs: number,
  weights: Float32Array,
  biases: Float32Array,
  out: Float32Array,
  rectify: boolean,
): void {
  for (let unit = 0; unit < biases.length; unit++) {
    const to = unit * columns;
    const bias = biases[unit]!;
    for (let column = 0; column < columns; column++) out[to + column] = bias;
    for (let k = 0; k < inputs; k++) {
      const weight = weights[unit * inputs + k]!;
      const from = k * columns;
      for (let column = 0; column < columns; column++) out[to + column]! += Math.fround(weight * x[from + column]!);
    }
    if (rectify) for (let column = 0; column < columns; column++) if (out[to + column]! < 0) out[to + column] = 0;
  }
}

function softmax(x: Float32Array, columns: number, outputs: number, out: Float32Array): void {
  for (let column = 0; column < columns; column++) {
    let highest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < outputs; k++) if (x[k * columns + column]! > highest) highest = x[k * columns + column]!;
    let sum = 0;
    for (let k = 0; k < outputs; k++) {
      const value = Math.exp(x[k * columns + column]! - highest);
      out[k * columns + column] = value;
      sum += value;
    }
    for (let k = 0; k < outputs; k++) out[k * columns + column]! /= sum;
  }
}
