/** A network's layers in words of 16 bits: their scales, and the plain form of what the kernels do with them. */

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

/** An input that each column has of its own, in whole numbers of 16 bits. */
export interface Word {
  /** What 1 stands for. */
  readonly step: number;
  /** No word is larger. */
  readonly most: number;
}

/** The inputs of a network, in its order: those that all columns share, then words, of which fixed ones take a place among them. */
export interface Inputs {
  readonly shared: number;
  /** An even number. */
  readonly words: readonly Word[];
  /** Values that are the same at every judgement: [planes][columns], behind so many words. */
  readonly fixed?: { readonly behind: number; readonly planes: Float32Array };
}

export function weightsOf(sizes: readonly number[]): number {
  let sum = 0;
  for (let layer = 1; layer < sizes.length; layer++) sum += sizes[layer]! * (sizes[layer - 1]! + 1);
  return sum;
}

export interface Layer {
  readonly units: number;
  /** Half its inputs. */
  readonly pairs: number;
  /** [units][inputs] */
  readonly weights: Int16Array;
  readonly biases: Int32Array;
  /** [units][columns], added to every sum: what inputs give that never change. */
  readonly fixed?: Int32Array;
  /** Sums are so many times what they stand for; a power of two. */
  readonly scale: number;
  /** Sums of hidden units lose so many bits; of the last layer, minus those of `scale`. */
  readonly shift: number;
}

/** What a hidden unit gives: up to 128 in steps of 1/256. The shipped networks' reach 43. */
const HIDDEN: Word = { step: 2 ** -8, most: 32_767 };
const WEIGHT_MAX = 32_767;
/** What words may add to a sum of 32 bits. Biases, and what is shared, may add 2^29 each. */
const SUM_MAX = 2 ** 29;
const BITS_MAX = 24;

/** @returns leading: the first layer's weights of what all columns share, [units][shared] */
export function laidOut(
  { sizes, weights }: Network,
  columns: number,
  { shared, words, fixed }: Inputs,
): { readonly layers: readonly Layer[]; readonly leading: Float64Array } {
  const layers: Layer[] = [];
  const leading = new Float64Array(sizes[1]! * shared);
  for (let layer = 1, at = 0; layer < sizes.length; layer++) {
    const [inputs, units] = [sizes[layer - 1]!, sizes[layer]!];
    const begins = at;
    const rowOf = (unit: number): Float32Array =>
      weights.subarray(begins + unit * inputs, begins + (unit + 1) * inputs);
    const biases = weights.subarray(at + units * inputs, at + units * (inputs + 1));
    at += units * (inputs + 1);
    const given = layer > 1 ? undefined : fixed;
    const planes = given === undefined ? 0 : given.planes.length / columns;
    const heard = layer > 1 ? Array.from({ length: inputs }, () => HIDDEN) : words;
    const first = layer > 1 ? 0 : shared;
    if (first + heard.length + planes !== inputs || heard.length % 2 > 0)
      throw new RangeError(
        `Cannot lay out a layer of ${inputs} inputs: ${first}, ${heard.length} and ${planes} are given`,
      );
    const rows = Array.from({ length: units }, (_, unit) => {
      const row = rowOf(unit);
      if (layer === 1) leading.set(row.subarray(0, shared), unit * shared);
      const before = first + (given?.behind ?? heard.length);
      const own = [...row.subarray(first, before), ...row.subarray(before + planes)];
      return { own: own.map((weight, k) => weight * heard[k]!.step), fixed: row.subarray(before, before + planes) };
    });
    const bits = bitsOf(rows, heard);
    const scale = 2 ** bits;
    layers.push({
      units,
      pairs: heard.length / 2,
      weights: Int16Array.from(rows.flatMap(({ own }) => own.map((weight) => Math.round(scale * weight)))),
      biases: Int32Array.from(biases, (bias) => Math.max(-SUM_MAX, Math.min(SUM_MAX, Math.round(scale * bias)))),
      ...(given === undefined ? {} : { fixed: fixedSums(rows, given.planes, columns, scale) }),
      scale,
      shift: layer + 1 < sizes.length ? bits + Math.log2(HIDDEN.step) : -bits,
    });
  }
  return { layers, leading };
}

interface Row {
  /** Of the words, with their steps. */
  readonly own: readonly number[];
  readonly fixed: Float32Array;
}

/** As many as fit. */
function bitsOf(rows: readonly Row[], words: readonly Word[]): number {
  let most = 0;
  for (const { own, fixed } of rows) {
    let sum = 0;
    for (const [k, weight] of own.entries()) {
      most = Math.max(most, Math.abs(weight) / WEIGHT_MAX);
      sum += Math.abs(weight) * words[k]!.most;
    }
    for (const weight of fixed) sum += Math.abs(weight);
    most = Math.max(most, sum / SUM_MAX);
  }
  const bits = most === 0 ? BITS_MAX : Math.min(BITS_MAX, Math.floor(-Math.log2(most)));
  if (bits + Math.log2(HIDDEN.step) < 0) throw new RangeError("Cannot lay out a layer: its weights are too large");
  return bits;
}

function fixedSums(rows: readonly Row[], planes: Float32Array, columns: number, scale: number): Int32Array {
  const sums = new Int32Array(rows.length * columns);
  for (const [unit, { fixed }] of rows.entries()) {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let k = 0; k < fixed.length; k++) sum += fixed[k]! * planes[k * columns + column]!;
      sums[unit * columns + column] = Math.round(scale * sum);
    }
  }
  return sums;
}

/** As the kernel `denseWords`: see runners/signal/dsp/assembly/dense_words.ts. */
export function runPlainly(
  { units, pairs, weights, fixed, shift }: Layer,
  from: Int16Array,
  columns: number,
  biases: Int32Array,
  out: Int16Array | Float32Array,
): void {
  const half = shift > 0 ? 2 ** (shift - 1) : 0;
  for (let unit = 0; unit < units; unit++) {
    const row = weights.subarray(2 * unit * pairs, 2 * (unit + 1) * pairs);
    for (let column = 0; column < columns; column++) {
      let sum = biases[unit]! + (fixed?.[unit * columns + column] ?? 0);
      for (let pair = 0; pair < pairs; pair++) {
        const at = 2 * (pair * columns + column);
        sum += row[2 * pair]! * from[at]! + row[2 * pair + 1]! * from[at + 1]!;
      }
      if (shift < 0) out[unit * columns + column] = Math.fround(sum) * 2 ** shift;
      else {
        const settled = Math.min(HIDDEN.most, (Math.max(0, sum) + half) >> shift);
        out[2 * ((unit >> 1) * columns + column) + (unit & 1)] = settled;
      }
    }
  }
}

/** e^x for x up to 0 in single precision, as the kernel `softmax` has it. */
export function exponential(x: number): number {
  const power = Math.max(-126, Math.fround(x * LOG2_E));
  const whole = Math.fround(Math.fround(power + ROUNDER) - ROUNDER);
  const part = Math.fround(power - whole);
  let sum = SERIES[0]!;
  for (let k = 1; k < SERIES.length; k++) sum = Math.fround(SERIES[k]! + Math.fround(part * sum));
  return sum * 2 ** whole;
}

const LOG2_E = Math.fround(Math.LOG2E);
/** 1.5 · 2^23: adding it in single precision leaves no bits below 1. */
const ROUNDER = 12_582_912;
/** Of 2^x around 0, the highest power first. */
const SERIES = [0.0013333558, 0.009618129, 0.05550411, 0.2402265, Math.LN2, 1].map(Math.fround);
