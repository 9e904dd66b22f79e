import { BitWriter } from "./bit_writer.ts";
import { blockSum } from "./block_sum.ts";
import { FrameEncoder } from "./frame_encoder.ts";
import { headerBytes, rateCode } from "./frame_header.ts";
import { ORDER_MAX } from "./lpc.ts";
import { bytesPerSample } from "./pcm_bytes.ts";
import { BLOCK, type Workspace } from "./workspace.ts";

/** Samples of a block, taken in. Valid until the next block. */
export interface Taken {
  /** The bytes that the MD5 is of. */
  readonly packed: Uint8Array;
  /** See block_sum.ts. */
  readonly sum: bigint;
}

/** Encodes block by block. Its two forms give the same bytes. */
interface Blocks {
  /**
   * Takes in `count` (1 to `BLOCK`) samples of each channel from index `from` on.
   *
   * @throws RangeError where they are not in whole steps, or out of range
   */
  take(channels: readonly Float32Array[], from: number, count: number): Taken;
  /** The frame of what was taken last. To be asked for at once; valid until the next block. */
  frame(number: number): Uint8Array;
}

export class PlainBlocks implements Blocks {
  readonly #bits: 16 | 24;
  readonly #encoder: FrameEncoder;
  readonly #out = new BitWriter(1 << 16);
  readonly #block: Float64Array[];
  readonly #packed: Uint8Array;
  #count = 0;

  constructor(sample_rate: number, channels: number, bits: 16 | 24) {
    this.#bits = bits;
    this.#encoder = new FrameEncoder(sample_rate, bits, BLOCK);
    this.#block = Array.from({ length: channels }, () => new Float64Array(BLOCK + ORDER_MAX));
    this.#packed = new Uint8Array(BLOCK * channels * bytesPerSample(bits));
  }

  take(channels: readonly Float32Array[], from: number, count: number): Taken {
    const bits = this.#bits;
    for (const [channel, into] of this.#block.entries())
      load(channels[channel]!, from, count, bits, into, this.#packed, channel, channels.length);
    this.#count = count;
    return {
      packed: this.#packed.subarray(0, count * this.#block.length * bytesPerSample(bits)),
      sum: blockSum(this.#block, ORDER_MAX, count),
    };
  }

  frame(number: number): Uint8Array {
    this.#out.clear();
    this.#encoder.encode(this.#block, this.#count, number, this.#out);
    return this.#out.bytes;
  }
}

export class SimdBlocks implements Blocks {
  readonly #workspace: Workspace;
  readonly #rate: ReturnType<typeof rateCode>;
  readonly #channels: number;
  readonly #bits: 16 | 24;
  #count = 0;

  constructor(workspace: Workspace, sample_rate: number, channels: number, bits: 16 | 24) {
    this.#workspace = workspace;
    this.#rate = rateCode(sample_rate);
    this.#channels = channels;
    this.#bits = bits;
  }

  take(channels: readonly Float32Array[], from: number, count: number): Taken {
    const workspace = this.#workspace;
    const { kernels } = workspace;
    for (let channel = 0; channel < this.#channels; channel++)
      workspace.putFloats(channel, channels[channel]!.subarray(from, from + count));
    const wrong = kernels.flacTake(count, this.#channels, this.#bits);
    if (wrong > 0) throw notWhole(wrong, this.#bits);
    this.#count = count;
    return {
      packed: workspace.packed(count * this.#channels * bytesPerSample(this.#bits)),
      sum: kernels.flacSum(count, this.#channels),
    };
  }

  frame(number: number): Uint8Array {
    const head = headerBytes(this.#count, number, this.#rate, this.#bits);
    this.#workspace.putHead(head);
    return this.#workspace.frame(
      this.#workspace.kernels.flacEncode(this.#count, this.#channels, this.#bits, head.length),
    );
  }
}

/**
 * Full scale ±1 to whole numbers, exact, for a power of two is all that is multiplied; and to the bytes that the MD5 is of. In one
 * pass, for what costs here is each step from a fraction to a whole number.
 */
function load(
  samples: Float32Array,
  from: number,
  count: number,
  bits: 16 | 24,
  into: Float64Array,
  packed: Uint8Array,
  channel: number,
  channels: number,
): void {
  const full = 2 ** (bits - 1);
  const width = bytesPerSample(bits);
  const stride = width * channels;
  let wrong = 0;
  for (let n = 0, at = width * channel; n < count; n++, at += stride) {
    const value = samples[from + n]! * full;
    const whole = value | 0;
    // Not in range, or a part of a step, or not a number.
    if (value !== whole || whole >= full || whole < -full) wrong++;
    into[n + ORDER_MAX] = whole;
    packed[at] = whole;
    packed[at + 1] = whole >> 8;
    if (width === 3) packed[at + 2] = whole >> 16;
  }
  if (wrong > 0) throw notWhole(wrong, bits);
}

function notWhole(wrong: number, bits: number): RangeError {
  return new RangeError(`Cannot write ${wrong} samples as FLAC: they are no whole steps of ${bits} bits`);
}
