import { createHash } from "node:crypto";
import { BitWriter } from "./bit_writer.ts";
import { FrameEncoder } from "./frame_encoder.ts";
import { ORDER_MAX } from "./lpc.ts";
import { headOf, MD5_UNKNOWN, type SeekPoint, type StreamInfo } from "./metadata.ts";
import { bytesPerSample } from "./pcm_bytes.ts";

/** What is to be written. */
export interface FlacSource {
  /** Samples of each channel, below 2^36. */
  readonly frames: number;
  readonly channels: number;
  readonly bits: 16 | 24;
  /** Samples `from` to `to` in whole steps of 2^(1 - bits), -1 to below 1, into `out` from its start; asked once, in order. */
  samples(from: number, to: number, out: readonly Float32Array[]): void;
}

/** What only the end knows. */
export interface FlacEnd {
  /** Replaces the first bytes of the file; as long as what stood there. */
  readonly head: Uint8Array;
  readonly info: StreamInfo;
}

/** Samples of a block; 93 ms at 44.1 kHz. */
const BLOCK = 4096;
/** Samples asked of the source at once: eight blocks. */
const ASKED = 8 * BLOCK;
/** Bytes that are gathered before they are handed out. */
const CHUNK = 1 << 18;
/** Seconds from one seek point to the next, as the reference encoder has it. */
const SEEK_SECONDS = 10;

/**
 * Encodes to FLAC, chunk by chunk: first a head that lacks MD5, frame sizes and seek points, then the frames. Returns the whole
 * head, to be written over the first. What was written is a valid file even without. The same samples and tags give the same bytes on
 * every machine and runtime.
 *
 * A chunk is valid until the next is asked for.
 *
 * @param tags Vorbis comments, the only ones in the file
 * @throws RangeError for a form that is not written, or samples that are not in whole steps or out of range
 */
export function* encodeFlac(
  source: FlacSource,
  sample_rate: number,
  tags: Readonly<Record<string, string>> = {},
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
  const encoder = new FrameEncoder(sample_rate, bits, BLOCK);
  const out = new BitWriter(2 * CHUNK);
  const asked = Array.from({ length: channels }, () => new Float32Array(ASKED));
  const block = Array.from({ length: channels }, () => new Float64Array(BLOCK + ORDER_MAX));
  const packed = new Uint8Array(BLOCK * channels * bytesPerSample(bits));
  let [offset, smallest, largest, known] = [0, Number.POSITIVE_INFINITY, 0, 0];
  for (let sample = 0; sample < frames; sample += BLOCK) {
    const count = Math.min(BLOCK, frames - sample);
    if (sample % ASKED === 0) source.samples(sample, Math.min(frames, sample + ASKED), asked);
    for (let channel = 0; channel < channels; channel++)
      load(asked[channel]!, sample % ASKED, count, bits, block[channel]!, packed, channel, channels);
    hash.update(packed.subarray(0, count * channels * bytesPerSample(bits)));
    const before = out.length;
    encoder.encode(block, count, sample / BLOCK, out);
    const bytes = out.length - before;
    while (known < points.length && known * spacing < sample + count) points[known++] = { sample, offset, count };
    offset += bytes;
    smallest = Math.min(smallest, bytes);
    largest = Math.max(largest, bytes);
    if (out.length < CHUNK) continue;
    yield out.bytes;
    out.clear();
  }
  if (out.length > 0) yield out.bytes;
  const whole: StreamInfo = {
    ...info,
    frame_bytes_min: largest === 0 ? 0 : smallest,
    frame_bytes_max: largest,
    md5: hash.digest("hex"),
  };
  return { head: headOf(whole, points, tags), info: whole };
}

/** The whole file at once, for what is short. */
export function encodeFlacToBytes(
  source: FlacSource,
  sample_rate: number,
  tags: Readonly<Record<string, string>> = {},
): Uint8Array {
  const chunks: Uint8Array[] = [];
  const encoding = encodeFlac(source, sample_rate, tags);
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
  if (wrong > 0) throw new RangeError(`Cannot write ${wrong} samples as FLAC: they are no whole steps of ${bits} bits`);
}
