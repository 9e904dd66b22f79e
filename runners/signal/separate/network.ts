import { type Simd, simd } from "../dsp/simd.ts";
import { exponential, type Inputs, type Layer, laidOut, type Network, runPlainly } from "./layers.ts";

/**
 * Runs a network on all columns of a frame at once: in words of 16 bits, whose products are summed in 32 without rounding, so that every
 * engine says the same, with kernels and without.
 */
export class Judge {
  readonly #layers: readonly Layer[];
  readonly #planes: Planes;
  readonly #shared: number;
  /** [units of the first layer][shared], and its biases. */
  readonly #leading: Float64Array;
  readonly #biases: Int32Array;

  /** @param columns a multiple of 16 */
  constructor(network: Network, columns: number, inputs: Inputs, kernels: Simd | null = simd() ?? null) {
    this.#shared = inputs.shared;
    const { layers, leading } = laidOut(network, columns, inputs);
    this.#layers = layers;
    this.#leading = leading;
    this.#biases = new Int32Array(layers[0]!.units);
    this.#planes = kernels === null ? plainPlanes(columns, layers) : simdPlanes(kernels, network, columns, layers);
  }

  /** Words [words / 2][columns][2], to be filled before `judge`. They may move: asked for anew each time. */
  get words(): Int16Array {
    return this.#planes.words();
  }

  /**
   * Judges the columns by their words and what they share.
   *
   * @param out [outputs][columns], shares that add up to 1 in each column
   */
  judge(shared: Float32Array, out: Float32Array): void {
    const { units, biases, scale } = this.#layers[0]!;
    for (let unit = 0, at = 0; unit < units; unit++) {
      let sum = 0;
      for (let k = 0; k < this.#shared; k++, at++) sum += this.#leading[at]! * shared[k]!;
      this.#biases[unit] = biases[unit]! + Math.max(-SHARED_MAX, Math.min(SHARED_MAX, Math.round(scale * sum)));
    }
    out.set(this.#planes.run(this.#biases));
  }
}

/** What is shared adds to a sum of 32 bits this much at most, as layers.ts leaves room for. */
const SHARED_MAX = 2 ** 29;

/** What goes in and what comes out. */
interface Planes {
  words(): Int16Array;
  /**
   * Shares, valid until the next run.
   *
   * @param biases of the first layer
   */
  run(biases: Int32Array): Float32Array;
}

function simdPlanes(kernels: Simd, network: Network, columns: number, layers: readonly Layer[]): Planes {
  const last = layers.length - 1;
  let end = 0;
  const take = (bytes: number): number => {
    const at = end;
    end += (bytes + 15) & ~15;
    return at;
  };
  const input = take(4 * layers[0]!.pairs * columns);
  const spots = layers.map(({ units, weights, fixed }, layer) => ({
    weights: take(weights.byteLength),
    biases: take(4 * units),
    fixed: fixed === undefined ? undefined : take(fixed.byteLength),
    out: take((layer === last ? 4 : 2) * units * columns),
  }));
  const base = room(kernels, network, end);
  const { memory } = kernels;
  for (const [layer, { weights, biases, fixed }] of layers.entries()) {
    const spot = spots[layer]!;
    new Int16Array(memory.buffer, base + spot.weights, weights.length).set(weights);
    new Int32Array(memory.buffer, base + spot.biases, biases.length).set(biases);
    if (fixed !== undefined) new Int32Array(memory.buffer, base + spot.fixed!, fixed.length).set(fixed);
  }
  const views = () => ({
    buffer: memory.buffer,
    words: new Int16Array(memory.buffer, base + input, 2 * layers[0]!.pairs * columns),
    biases: new Int32Array(memory.buffer, base + spots[0]!.biases, layers[0]!.units),
    shares: new Float32Array(memory.buffer, base + spots[last]!.out, layers[last]!.units * columns),
  });
  let seen = views();
  const now = () => {
    if (seen.buffer !== memory.buffer) seen = views();
    return seen;
  };
  return {
    words: () => now().words,
    run(biases) {
      now().biases.set(biases);
      let from = base + input;
      for (const [layer, { units, pairs, shift }] of layers.entries()) {
        const spot = spots[layer]!;
        const fixed = spot.fixed === undefined ? 0 : base + spot.fixed;
        const to = base + spot.out;
        kernels.denseWords(from, columns, pairs, base + spot.weights, base + spot.biases, fixed, units, to, shift);
        from = to;
      }
      kernels.softmax(from, columns, layers[last]!.units);
      return now().shares;
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

function plainPlanes(columns: number, layers: readonly Layer[]): Planes {
  const last = layers.length - 1;
  const words = new Int16Array(2 * layers[0]!.pairs * columns);
  const between = layers.slice(0, last).map(({ units }) => new Int16Array(units * columns));
  const shares = new Float32Array(layers[last]!.units * columns);
  return {
    words: () => words,
    run(biases) {
      let from = words;
      for (const [index, layer] of layers.entries()) {
        const out = index === last ? shares : between[index]!;
        runPlainly(layer, from, columns, index === 0 ? biases : layer.biases, out);
        if (out instanceof Int16Array) from = out;
      }
      softmax(shares, columns, layers[last]!.units);
      return shares;
    },
  };
}

/** As the kernel of that name. */
function softmax(x: Float32Array, columns: number, outputs: number): void {
  for (let column = 0; column < columns; column++) {
    let highest = x[column]!;
    for (let k = 1; k < outputs; k++) highest = Math.max(highest, x[k * columns + column]!);
    let sum = 0;
    for (let k = 0; k < outputs; k++) {
      const value = exponential(Math.fround(x[k * columns + column]! - highest));
      x[k * columns + column] = value;
      sum = Math.fround(sum + value);
    }
    for (let k = 0; k < outputs; k++) x[k * columns + column]! /= sum;
  }
}
