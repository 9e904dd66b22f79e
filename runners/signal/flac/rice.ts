import type { BitWriter } from "./bit_writer.ts";

/** 2^6 partitions of 64 samples in a block of 4096. */
const PARTITION_ORDER_MAX = 6;
/** Parameters of 4 bits go to 14, those of 5 bits to 30; the highest value of each means "not coded". */
const NARROW_MAX = 14;
const WIDE_MAX = 30;

/** Chooses how a residual is divided and coded, and writes it (RFC 9639 9.2.7). */
export class RiceCoder {
  /** Bits that the planned residual takes, or a few more; method and partition order included. */
  bits = 0;
  #order = 0;
  #wide = false;
  readonly #sums = new Float64Array(1 << PARTITION_ORDER_MAX);
  readonly #tried = new Int32Array(1 << PARTITION_ORDER_MAX);
  readonly #parameters = new Int32Array(1 << PARTITION_ORDER_MAX);

  /**
   * @param folded residual from index `first` to `count - 1`, as 2r or -2r - 1, below 2^31
   * @param first order of the predictor
   */
  plan(folded: Int32Array, first: number, count: number): void {
    let order = orderMax(first, count);
    sumUp(folded, first, count, order, this.#sums);
    this.bits = Number.POSITIVE_INFINITY;
    for (; order >= 0; order--) {
      this.#try(order, first, count);
      for (let n = 0; n < 1 << (order - 1); n++) this.#sums[n] = this.#sums[2 * n]! + this.#sums[2 * n + 1]!;
    }
  }

  write(folded: Int32Array, first: number, count: number, out: BitWriter): void {
    out.put(this.#wide ? 1 : 0, 2);
    out.put(this.#order, 4);
    const size = count >> this.#order;
    for (let n = 0, from = first; n < 1 << this.#order; n++) {
      const to = (n + 1) * size;
      out.put(this.#parameters[n]!, this.#wide ? 5 : 4);
      out.rice(folded, from, to, this.#parameters[n]!);
      from = to;
    }
  }

  #try(order: number, first: number, count: number): void {
    const partitions = 1 << order;
    let bits = 6;
    let highest = 0;
    for (let n = 0; n < partitions; n++) {
      const size = (count >> order) - (n === 0 ? first : 0);
      const sum = this.#sums[n]!;
      const k = parameterFor(sum, size);
      this.#tried[n] = k;
      highest = Math.max(highest, k);
      bits += riceBits(sum, size, k);
    }
    const wide = highest > NARROW_MAX;
    bits += partitions * (wide ? 5 : 4);
    if (bits >= this.bits) return;
    this.bits = bits;
    this.#order = order;
    this.#wide = wide;
    this.#parameters.set(this.#tried.subarray(0, partitions));
  }
}

/** The parameter near which Rice codes are shortest for `count` values that add up to `sum`: the whole part of log2 of their mean. */
export function parameterFor(sum: number, count: number): number {
  if (!(sum > count)) return 0;
  return Math.min(WIDE_MAX, 31 - Math.clz32(sum / count));
}

/** Bits of `count` Rice codes of values that add up to `sum`; never less than they take. */
export function riceBits(sum: number, count: number, k: number): number {
  return count * (k + 1) + sum * 2 ** -k;
}

/** Partitions are of one length, and the first must hold more than the samples that no residual is written for. */
function orderMax(first: number, count: number): number {
  let order = 0;
  while (order < PARTITION_ORDER_MAX && (count & ((2 << order) - 1)) === 0 && count >> (order + 1) > first) order++;
  return order;
}

function sumUp(folded: Int32Array, first: number, count: number, order: number, sums: Float64Array): void {
  const size = count >> order;
  for (let n = 0, from = first; n < 1 << order; n++) {
    const to = (n + 1) * size;
    let sum = 0;
    for (let at = from; at < to; at++) sum += folded[at]!;
    sums[n] = sum;
    from = to;
  }
}
