/** MP3 of free format, which the packaged decoder loses its way in, as MP3 of the highest rate that a header can say. */
import { Beyond } from "./intake.ts";
import { frameAt, type MpegFrame } from "./mpeg_frame.ts";

/** Bits of one granule's description of one channel, MPEG 1 and the lower rates; its first 12 are how many bits of main data it has. */
const GRANULE_BITS = 59;
const GRANULE_BITS_LOW = 63;

/**
 * Puts what the frames hold into larger ones whose header says their length, sample for sample the same. Main data that began in earlier
 * frames begins in its own one then, or where that is too small in the one before.
 */
export class FreeFormat {
  readonly #free_bytes: number;
  /** Main data of the last frames, for what begins there. */
  #past = new Uint8Array(0);
  /** The last frame that was made, and how many bytes of its main data are taken; it is given out with the next one. */
  #last: { readonly frame: Uint8Array<ArrayBuffer>; readonly used: number } | undefined;

  constructor(free_bytes: number) {
    this.#free_bytes = free_bytes;
  }

  /**
   * @param bytes whole frames without a gap
   * @throws Beyond where a frame holds more than the largest frame does
   */
  convert(bytes: Uint8Array): Uint8Array {
    const made: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const frame = frameAt(bytes, at, this.#free_bytes)!;
      const next = this.#convert(bytes.subarray(at, at + frame.bytes), frame);
      if (next !== undefined && this.#last !== undefined) made.push(this.#last.frame);
      this.#last = next ?? this.#last;
      at += frame.bytes;
    }
    return Buffer.concat(made);
  }

  /** The frame that is left when all have come. */
  end(): Uint8Array {
    return this.#last?.frame ?? new Uint8Array(0);
  }

  /** Undefined where the main data began in a frame that is not there: the stream was cut. */
  #convert(frame: Uint8Array, { tag_at, channels, samples }: MpegFrame) {
    const low = samples === 576;
    const protection = (frame[1]! & 1) === 0 ? 2 : 0;
    const side = frame.subarray(4 + protection, tag_at + protection);
    const body = frame.subarray(tag_at + protection);
    const back = low ? side[0]! : (side[0]! << 1) | (side[1]! >> 7);
    const needed = Math.ceil(mainBits(side, channels, low) / 8);
    const stream = joined(this.#past, body);
    const from = this.#past.length - back;
    const main = needed === 0 ? body : stream.subarray(Math.max(0, from), from + needed);
    // Beginnings reach back 511 bytes at most.
    this.#past = stream.slice(-512);
    if (needed > 0 && (from < 0 || main.length < needed)) return undefined;
    const head = Uint8Array.from(frame.subarray(0, 4));
    head[1]! |= 1;
    // The highest rate, no padding.
    head[2] = (head[2]! & 0x0d) | 0xe0;
    const made = new Uint8Array(frameAt(head, 0)!.bytes);
    const room = made.length - tag_at;
    const before = Math.max(0, needed - room);
    const last = this.#last;
    if (
      before > 0 &&
      (last === undefined || before > Math.min(low ? 255 : 511, last.frame.length - tag_at - last.used))
    )
      throw new Beyond("its free format has more in a frame than 320 kbit/s hold");
    made.set(head);
    made.set(side, 4);
    made[4] = low ? before : before >> 1;
    if (!low) made[5] = (side[1]! & 0x7f) | ((before & 1) << 7);
    if (before > 0) last!.frame.set(main.subarray(0, before), last!.frame.length - before);
    // Without main data it may be an encoder's tag, which is kept.
    made.set(main.subarray(before, before + room), tag_at);
    return { frame: made, used: needed === 0 ? 0 : needed - before };
  }
}

/** Bits of main data that a frame's side information counts, all granules and channels together. */
function mainBits(side: Uint8Array, channels: 1 | 2, low: boolean): number {
  // Behind: where main data begins, private bits and, in MPEG 1, what is shared between the granules.
  let at = low ? (channels === 1 ? 9 : 10) : channels === 1 ? 9 + 5 + 4 : 9 + 3 + 8;
  let bits = 0;
  for (let granule = 0; granule < channels * (low ? 1 : 2); granule++) {
    for (let bit = 0; bit < 12; bit++) {
      const place = at + bit;
      bits += ((side[place >> 3]! >> (7 - (place & 7))) & 1) << (11 - bit);
    }
    at += low ? GRANULE_BITS_LOW : GRANULE_BITS;
  }
  return bits;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}
