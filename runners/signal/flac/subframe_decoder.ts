import type { BitReader } from "./bit_reader.ts";
import { FlacError } from "./error.ts";

/** Most samples of a block: 16 bits hold one less than them. */
const BLOCK_MAX = 65_536;
/** Highest order of a linear predictor. */
const ORDER_MAX = 32;
const FIXED = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]] as const;

/**
 * Reads one channel of a frame (RFC 9639 9.2).
 *
 * Sums are exact in doubles: samples of at most 33 bits, times coefficients of 15, times 32, stay below 2^52. That holds as long as
 * each sample is in range, so each is checked before the next is predicted from it.
 */
export class SubframeDecoder {
  #residual = new Int32Array(0);
  readonly #taps = new Float64Array(ORDER_MAX);

  /**
   * @param into receives `count` whole numbers
   * @param bits of a sample here, 4 to 33
   * @throws FlacError, Starved
   */
  decode(reader: BitReader, into: Float64Array, count: number, bits: number): void {
    if (reader.take(1) !== 0) throw new FlacError("damaged", "a subframe begins with a one");
    const type = reader.take(6);
    const wasted = reader.take(1) === 0 ? 0 : reader.unary() + 1;
    const width = bits - wasted;
    if (width < 1) throw new FlacError("damaged", `a subframe wastes ${wasted} of ${bits} bits`);
    if (type === 0) into.fill(reader.takeSigned(width), 0, count);
    else if (type === 1) for (let n = 0; n < count; n++) into[n] = reader.takeSigned(width);
    else if (type >= 8 && type <= 12) this.#fixed(reader, into, count, width, type - 8);
    else if (type >= 32) this.#linear(reader, into, count, width, type - 31);
    else throw new FlacError("damaged", `a subframe is of the reserved type ${type}`);
    if (wasted > 0) for (let n = 0; n < count; n++) into[n] = into[n]! * 2 ** wasted;
  }

  #fixed(reader: BitReader, into: Float64Array, count: number, width: number, order: number): void {
    this.#warmUp(reader, into, count, width, order);
    this.#taps.fill(0);
    this.#taps.set(FIXED[order]!);
    this.#read(reader, count, order);
    this.#restore(into, count, width, order, 0);
  }

  #linear(reader: BitReader, into: Float64Array, count: number, width: number, order: number): void {
    this.#warmUp(reader, into, count, width, order);
    const precision = reader.take(4) + 1;
    if (precision === 16) throw new FlacError("damaged", "a subframe has coefficients of a reserved precision");
    const shift = reader.takeSigned(5);
    if (shift < 0) throw new FlacError("damaged", "a subframe has a negative shift");
    this.#taps.fill(0);
    for (let j = 0; j < order; j++) this.#taps[j] = reader.takeSigned(precision);
    this.#read(reader, count, order);
    this.#restore(into, count, width, order, shift);
  }

  #warmUp(reader: BitReader, into: Float64Array, count: number, width: number, order: number): void {
    if (order > count) throw new FlacError("damaged", `a block of ${count} samples is predicted from ${order}`);
    for (let n = 0; n < order; n++) into[n] = reader.takeSigned(width);
  }

  /** The residual, RFC 9639 9.2.7. */
  #read(reader: BitReader, count: number, first: number): void {
    // Not by what a header claims: blocks have their bounds.
    if (this.#residual.length < count) this.#residual = new Int32Array(Math.min(BLOCK_MAX, 2 * count));
    const method = reader.take(2);
    if (method > 1) throw new FlacError("damaged", `a residual is coded in the reserved way ${method}`);
    const order = reader.take(4);
    const size = count >> order;
    if (size << order !== count || size < first)
      throw new FlacError("damaged", `a block of ${count} samples has ${2 ** order} partitions`);
    const bits = 4 + method;
    const uncoded = (1 << bits) - 1;
    for (let to = size, from = first; to <= count; from = to, to += size) {
      const k = reader.take(bits);
      if (k < uncoded) {
        reader.rice(this.#residual, from, to, k);
        continue;
      }
      const width = reader.take(5);
      if (width === 0) this.#residual.fill(0, from, to);
      else for (let n = from; n < to; n++) this.#residual[n] = reader.takeSigned(width);
    }
  }

  #restore(into: Float64Array, count: number, width: number, order: number, shift: number): void {
    const limit = 2 ** (width - 1);
    const unit = 2 ** -shift;
    const taps = this.#taps;
    for (let n = order; n < count; n++) {
      let sum = 0;
      for (let j = order - 1; j >= 0; j--) sum += taps[j]! * into[n - 1 - j]!;
      const value = this.#residual[n]! + Math.floor(sum * unit);
      if (!(value < limit && value >= -limit)) throw new FlacError("damaged", `a subframe leaves its ${width} bits`);
      into[n] = value;
    }
  }
}
