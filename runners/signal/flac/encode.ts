import { createHash } from "node:crypto";
import { PlainBlocks, SimdBlocks } from "./blocks.ts";
import { headOf, MD5_UNKNOWN, type SeekPoint, type StreamInfo } from "./metadata.ts";
import { BLOCK, type Workspace, workspace } from "./workspace.ts";

/** What is to be written. */
export interface FlacSource {
  /** Samples of each channel, below 2^36. */
  readonly frames: number;
  readonly channels: number;
  readonly bits: 16 | 24;
  /**
   * Samples `from` to `to` in whole steps of 2^(1 - bits), -1 to below 1, into `out` from its start; asked once, in
   * order.
   */
  samples(from: number, to: number, out: readonly Float32Array[]): void;
}

/** What only the end knows. */
export interface FlacEnd {
  /** Replaces the first bytes of the file; as long as what stood there. */
  readonly head: Uint8Array;
  readonly info: StreamInfo;
  readonly frames: FrameSums;
}

/** All frames in order, each proven to decode to what was meant: by this their bytes are known again. */
export interface FrameSums {
  /** Bytes of each. */
  readonly lengths: readonly number[];
  /** See byte_sum.ts. */
  readonly sums: readonly bigint[];
}

/** Samples asked of the source at once: eight blocks. */
const ASKED = 8 * BLOCK;
/** Bytes that are gathered before they are handed out. */
const CHUNK = 1 << 18;
/** Seconds from one seek point to the next, as the reference encoder has it. */
const SEEK_SECONDS = 10;

/**
 * Encodes to FLAC, chunk by chunk: first a head that lacks MD5, frame sizes and seek points, then the frames. Returns
 * the whole head, to be written over the first. What was written is a valid file even without. The same samples and
 * tags give the same bytes on every machine and runtime.
 *
 * A chunk is valid until the next is asked for. Each frame was decoded again before it is handed out.
 *
 * @param tags Vorbis comments, the only ones in the file
 * @param kernels null: the plain form, slower
 * @throws RangeError for a form that is not written, or samples that are not in whole steps or out of range; Error
 *   where a frame does not decode to what was meant
 */
export function* encodeFlac(
  source: FlacSource,
  sample_rate: number,
  tags: Readonly<Record<string, string>> = {},
  kernels: Workspace | null = workspace(),
): Generator<Uint8Array, FlacEnd, void> {
  const { frames, channels, bits } = checked(source, sample_rate);
  const info: StreamInfo = {
    ...{ sample_rate, channels, bits, frames, block_min: BLOCK, block_max: BLOCK },
    ...{ frame_bytes_min: 0, frame_bytes_max: 0, md5: MD5_UNKNOWN },
  };
  const spacing = SEEK_SECONDS * sample_rate;
  const points: (SeekPoint | undefined)[] = Array.from({ length: pointsIn(frames, spacing) });
  yield headOf(info, points, tags);

  const hash = createHash("md5");
  const blocks =
    kernels === null
      ? new PlainBlocks(sample_rate, channels, bits)
      : new SimdBlocks(kernels, sample_rate, channels, bits);
  const asked = Array.from({ length: channels }, () => new Float32Array(ASKED));
  const lengths: number[] = [];
  const sums: bigint[] = [];
  const out = new Uint8Array(CHUNK);
  let filled = 0;
  let [offset, smallest, largest, known] = [0, Number.POSITIVE_INFINITY, 0, 0];
  for (let sample = 0; sample < frames; sample += BLOCK) {
    const count = Math.min(BLOCK, frames - sample);
    if (sample % ASKED === 0) {
      // Handed out first: files that are written side by side ask for the same samples in turn.
      if (filled > 0) yield out.subarray(0, filled);
      filled = 0;
      source.samples(sample, Math.min(frames, sample + ASKED), asked);
    }
    hash.update(blocks.take(asked, sample % ASKED, count));
    const { bytes: frame, sum } = blocks.frame(sample / BLOCK);
    const bytes = frame.length;
    lengths.push(bytes);
    sums.push(sum);
    if (filled + bytes > CHUNK) {
      // Others may run in between, so what is not copied is lost.
      const kept = frame.slice();
      yield out.subarray(0, filled);
      out.set(kept);
      filled = bytes;
    } else {
      out.set(frame, filled);
      filled += bytes;
    }
    while (known < points.length && known * spacing < sample + count) points[known++] = { sample, offset, count };
    offset += bytes;
    smallest = Math.min(smallest, bytes);
    largest = Math.max(largest, bytes);
  }
  if (filled > 0) yield out.subarray(0, filled);
  const whole: StreamInfo = {
    ...info,
    frame_bytes_min: largest === 0 ? 0 : smallest,
    frame_bytes_max: largest,
    md5: hash.digest("hex"),
  };
  return { head: headOf(whole, points, tags), info: whole, frames: { lengths, sums } };
}

/** The whole file at once, for what is short. */
export function encodeFlacToBytes(
  source: FlacSource,
  sample_rate: number,
  tags: Readonly<Record<string, string>> = {},
  kernels: Workspace | null = workspace(),
): Uint8Array {
  const chunks: Uint8Array[] = [];
  const encoding = encodeFlac(source, sample_rate, tags, kernels);
  for (;;) {
    const next = encoding.next();
    if (next.done) {
      chunks[0] = next.value.head;
      return Buffer.concat(chunks);
    }
    chunks.push(next.value.slice());
  }
}

function checked(source: FlacSource, sample_rate: number): FlacSource {
  const { frames, channels, bits } = source;
  if (channels !== 1 && channels !== 2)
    throw new RangeError(`Cannot write ${channels} channels as FLAC: 1 or 2 are possible`);
  if (bits !== 16 && bits !== 24) throw new RangeError(`Cannot write ${bits} bits as FLAC: 16 or 24 are possible`);
  if (!Number.isInteger(frames) || frames < 0 || frames >= 2 ** 36)
    throw new RangeError(`Cannot write ${frames} samples as FLAC: 0 to 2^36 - 1 are possible`);
  if (!Number.isInteger(sample_rate) || sample_rate < 1 || sample_rate >= 2 ** 20)
    throw new RangeError(`Cannot write ${sample_rate} Hz as FLAC: 1 to 1048575 are possible`);
  return source;
}

/** A table is worth its bytes from two points on. */
function pointsIn(frames: number, spacing: number): number {
  const points = Math.ceil(frames / spacing);
  return points < 2 ? 0 : points;
}
