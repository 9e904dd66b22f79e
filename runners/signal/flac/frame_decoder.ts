import type { BitReader } from "./bit_reader.ts";
import { FlacError } from "./error.ts";
import { type FrameHeader, LEFT_SIDE, MID_SIDE, RIGHT_SIDE } from "./frame_header.ts";
import { SubframeDecoder } from "./subframe_decoder.ts";

/** Reads what follows the header of a frame, without its check, into planar whole numbers. */
export class FrameDecoder {
  readonly #bits: number;
  readonly #subframe = new SubframeDecoder();
  readonly #read: Float64Array[];
  #channels: Int32Array<ArrayBuffer>[];

  constructor(channels: number, bits: number) {
    this.#bits = bits;
    this.#read = Array.from({ length: channels }, () => new Float64Array(0));
    this.#channels = Array.from({ length: channels }, () => new Int32Array(0));
  }

  /**
   * @returns channels of `header.count` samples, valid until the next call
   * @throws FlacError, Starved
   */
  decode(reader: BitReader, header: FrameHeader): readonly Int32Array[] {
    const { count, assignment } = header;
    if (this.#channels[0]!.length < count) {
      for (let channel = 0; channel < this.#read.length; channel++) {
        this.#read[channel] = new Float64Array(count);
        this.#channels[channel] = new Int32Array(count);
      }
    }
    for (const [channel, into] of this.#read.entries()) {
      const side = channel === (assignment === RIGHT_SIDE ? 0 : 1) && assignment >= LEFT_SIDE;
      this.#subframe.decode(reader, into, count, this.#bits + (side ? 1 : 0));
    }
    const [first, second] = this.#read;
    if (assignment >= LEFT_SIDE) couple(first!, second!, count, assignment);
    const limit = 2 ** (this.#bits - 1);
    // Left and right can be out of range although side and middle were in theirs.
    return this.#channels.map((channel, index) => {
      const samples = this.#read[index]!;
      if (!whole(samples, count, limit, channel))
        throw new FlacError("damaged", `samples leave their ${this.#bits} bits`);
      return channel.length === count ? channel : channel.subarray(0, count);
    });
  }
}

/** Left and right from what was coded instead, in place. */
function couple(first: Float64Array, second: Float64Array, count: number, assignment: number): void {
  if (assignment === LEFT_SIDE) {
    for (let n = 0; n < count; n++) second[n] = first[n]! - second[n]!;
  } else if (assignment === RIGHT_SIDE) {
    for (let n = 0; n < count; n++) first[n] = second[n]! + first[n]!;
  } else if (assignment === MID_SIDE) {
    for (let n = 0; n < count; n++) {
      const side = second[n]!;
      // The middle was halved downwards: where the side is odd, so was the sum.
      const left = first[n]! + Math.floor((side + 1) * 0.5);
      first[n] = left;
      second[n] = left - side;
    }
  }
}

/** False where a sample is outside -limit to limit - 1. */
function whole(samples: Float64Array, count: number, limit: number, into: Int32Array): boolean {
  let outside = 0;
  for (let n = 0; n < count; n++) {
    const value = samples[n]!;
    if (value >= limit || value < -limit) outside++;
    into[n] = value;
  }
  return outside === 0;
}
