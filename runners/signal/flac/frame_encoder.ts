import type { BitWriter } from "./bit_writer.ts";
import { crc8, crc16 } from "./crc.ts";
import { headerBytes, INDEPENDENT, LEFT_SIDE, MID_SIDE, RIGHT_SIDE, rateCode } from "./frame_header.ts";
import { ORDER_MAX } from "./lpc.ts";
import { GROUPS_FROM } from "./prediction.ts";
import { parameterFor, riceBits } from "./rice.ts";
import { SubframeEncoder } from "./subframe_encoder.ts";

/** Writes frames of up to `block` samples. A stream of equal blocks, the last one apart. */
export class FrameEncoder {
  readonly #rate: ReturnType<typeof rateCode>;
  readonly #bits: number;
  readonly #subframes: SubframeEncoder;
  readonly #block: number;
  readonly #third: Float64Array;
  readonly #fourth: Float64Array;

  constructor(sample_rate: number, bits: number, block: number) {
    this.#rate = rateCode(sample_rate);
    this.#bits = bits;
    this.#block = block;
    this.#subframes = new SubframeEncoder(block);
    this.#third = new Float64Array(block + ORDER_MAX);
    this.#fourth = new Float64Array(block + ORDER_MAX);
  }

  /**
   * @param channels 1 or 2, whole numbers from index `ORDER_MAX` on, zeros before; overwritten
   * @param count samples of each
   * @param number of the frame, from 0
   */
  encode(channels: readonly Float64Array[], count: number, number: number, out: BitWriter): void {
    out.reserve((channels.length * this.#block * (this.#bits + 2)) / 8 + 64);
    const begin = out.length;
    const [left, right] = channels;
    if (left === undefined) throw new RangeError("Cannot write a frame of no channels");
    if (right === undefined) {
      this.#header(count, number, INDEPENDENT, out);
      this.#subframes.encode(left, count, this.#bits, out);
    } else {
      this.#pair(left, right, count, number, out);
    }
    out.align();
    const check = crc16(out.bytes, begin, out.length);
    out.put(check, 16);
    out.align();
  }

  #pair(left: Float64Array, right: Float64Array, count: number, number: number, out: BitWriter): void {
    const bits = this.#bits;
    const way = decorrelation(left, right, count, bits);
    this.#header(count, number, way, out);
    const side = this.#third;
    if (way !== INDEPENDENT + 1) difference(left, right, count, side);
    if (way === RIGHT_SIDE) {
      this.#subframes.encode(side, count, bits + 1, out);
      this.#subframes.encode(right, count, bits, out);
      return;
    }
    if (way === MID_SIDE) {
      middle(left, right, count, this.#fourth);
      this.#subframes.encode(this.#fourth, count, bits, out);
    } else {
      this.#subframes.encode(left, count, bits, out);
    }
    if (way === INDEPENDENT + 1) this.#subframes.encode(right, count, bits, out);
    else this.#subframes.encode(side, count, bits + 1, out);
  }

  #header(count: number, number: number, channels: number, out: BitWriter): void {
    const begin = out.length;
    const bytes = headerBytes(count, number, this.#rate, this.#bits);
    bytes[3]! |= channels << 4;
    for (const byte of bytes) out.put(byte, 8);
    out.align();
    out.put(crc8(out.bytes, begin, out.length), 8);
    out.align();
  }
}

/** Groups of four samples by which the channels' ways are compared lie so far apart. */
const APART = 12;

/**
 * Estimates which two of left, right, middle and side cost least, by second differences of every third sample: near what a
 * predictor would leave.
 */
function decorrelation(left: Float64Array, right: Float64Array, count: number, bits: number): number {
  if (count < 3) return INDEPENDENT + 1;
  const [first, group, apart] = count < GROUPS_FROM ? [2, 1, 3] : [4, 4, APART];
  let sumLeft = 0;
  let sumRight = 0;
  let sumMiddle = 0;
  let sumSide = 0;
  let seen = 0;
  for (let from = ORDER_MAX + first; from + group <= ORDER_MAX + count; from += apart) {
    for (let n = from; n < from + group; n++) {
      const l = left[n]! - 2 * left[n - 1]! + left[n - 2]!;
      const r = right[n]! - 2 * right[n - 1]! + right[n - 2]!;
      sumLeft += Math.abs(l);
      sumRight += Math.abs(r);
      sumMiddle += Math.abs(l + r);
      sumSide += Math.abs(l - r);
    }
    seen += group;
  }
  // What cannot be predicted is stored as it is, and then the side's further bit is lost.
  const stored = seen * bits;
  const l = Math.min(stored, cost(2 * sumLeft, seen));
  const r = Math.min(stored, cost(2 * sumRight, seen));
  const m = Math.min(stored, cost(sumMiddle, seen));
  const s = Math.min(stored + seen, cost(2 * sumSide, seen));
  const least = Math.min(l + r, l + s, r + s, m + s);
  if (least === l + r) return INDEPENDENT + 1;
  if (least === m + s) return MID_SIDE;
  return least === l + s ? LEFT_SIDE : RIGHT_SIDE;
}

function cost(sum: number, count: number): number {
  return riceBits(sum, count, parameterFor(sum, count));
}

function difference(left: Float64Array, right: Float64Array, count: number, side: Float64Array): void {
  for (let n = ORDER_MAX; n < ORDER_MAX + count; n++) side[n] = left[n]! - right[n]!;
}

/** Halved downwards; the lowest bit that this drops is that of the side. */
function middle(left: Float64Array, right: Float64Array, count: number, into: Float64Array): void {
  for (let n = ORDER_MAX; n < ORDER_MAX + count; n++) into[n] = Math.floor((left[n]! + right[n]!) * 0.5);
}
