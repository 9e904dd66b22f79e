import { BitWriter } from "./bit_writer.ts";
import { byteSum } from "./byte_sum.ts";
import { FrameEncoder } from "./frame_encoder.ts";
import { headerBytes, rateCode } from "./frame_header.ts";
import { ORDER_MAX } from "./lpc.ts";
import { bytesPerSample } from "./pcm_bytes.ts";
import { FrameProof } from "./proof.ts";
import { BLOCK, type Workspace } from "./workspace.ts";

export interface Frame {
  readonly bytes: Uint8Array;
  /** Of the bytes: see byte_sum.ts. */
  readonly sum: bigint;
}

/** Encodes block by block. Its two forms give the same bytes. */
interface Blocks {
  /**
   * Takes in `count` (1 to `BLOCK`) samples of each channel from index `from` on; returns the bytes that the MD5 is of,
   * valid until the next block.
   *
   * @throws RangeError where they are not in whole steps, or out of range
   */
  take(channels: readonly Float32Array[], from: number, count: number): Uint8Array;
  /**
   * The frame of what was taken last, proven to decode to that. To be asked for at once; valid until the next block.
   *
   * @throws Error where it does not
   */
  frame(number: number): Frame;
}

export class PlainBlocks implements Blocks {
  readonly #bits: 16 | 24;
  readonly #encoder: FrameEncoder;
  readonly #out = new BitWriter(1 << 16);
  readonly #block: Float64Array[];
  readonly #packed: Uint8Array;
  readonly #proof: FrameProof;
  #count = 0;

  constructor(sample_rate: number, channels: number, bits: 16 | 24) {
    this.#bits = bits;
    this.#proof = new FrameProof({ sample_rate, channels, bits });
    this.#encoder = new FrameEncoder(sample_rate, bits, BLOCK);
    this.#block = Array.from({ length: channels }, () => new Float64Array(BLOCK + ORDER_MAX));
    this.#packed = new Uint8Array(BLOCK * channels * bytesPerSample(bits));
  }

  take(channels: readonly Float32Array[], from: number, count: number): Uint8Array {
    const bits = this.#bits;
    for (const [channel, into] of this.#block.entries())
      load(channels[channel]!, from, count, bits, into, this.#packed, channel, channels.length);
    this.#count = count;
    return this.#taken();
  }

  frame(number: number): Frame {
    this.#out.clear();
    this.#encoder.encode(this.#block, this.#count, number, this.#out);
    const { bytes } = this.#out;
    this.#proof.plainly(bytes, this.#count, number, this.#taken());
    return { bytes, sum: byteSum(bytes) };
  }

  #taken(): Uint8Array {
    return this.#packed.subarray(0, this.#count * this.#block.length * bytesPerSample(this.#bits));
  }
}

export class SimdBlocks implements Blocks {
  readonly #workspace: Workspace;
  readonly #rate: ReturnType<typeof rateCode>;
  readonly #channels: number;
  readonly #bits: 16 | 24;
  readonly #proof: FrameProof;
  #count = 0;

  constructor(workspace: Workspace, sample_rate: number, channels: number, bits: 16 | 24) {
    this.#workspace = workspace;
    this.#rate = rateCode(sample_rate);
    this.#channels = channels;
    this.#bits = bits;
    this.#proof = new FrameProof({ sample_rate, channels, bits });
  }

  take(channels: readonly Float32Array[], from: number, count: number): Uint8Array {
    const workspace = this.#workspace;
    const { kernels } = workspace;
    for (let channel = 0; channel < this.#channels; channel++)
      workspace.putFloats(channel, channels[channel]!.subarray(from, from + count));
    const wrong = kernels.flacTake(count, this.#channels, this.#bits);
    if (wrong > 0) throw notWhole(wrong, this.#bits);
    this.#count = count;
    return workspace.packed(count * this.#channels * bytesPerSample(this.#bits));
  }

  frame(number: number): Frame {
    const workspace = this.#workspace;
    const { kernels } = workspace;
    const head = headerBytes(this.#count, number, this.#rate, this.#bits);
    workspace.putHead(head);
    const bytes = workspace.frame(kernels.flacEncode(this.#count, this.#channels, this.#bits, head.length));
    workspace.letGo();
    this.#proof.byKernels(workspace, bytes, this.#count, number);
    return { bytes, sum: kernels.flacSumOf(0, 0, bytes.length) };
  }
}

/**
 * Full scale ±1 to whole numbers, exact, for a power of two is all that is multiplied; and to the bytes that the MD5 is
 * of. In one pass, for what costs here is each step from a fraction to a whole number.
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
