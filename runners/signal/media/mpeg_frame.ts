/** What the header of an MPEG layer III frame says. */
export interface MpegFrame {
  /** Of the whole frame. */
  readonly bytes: number;
  readonly sample_rate: number;
  readonly channels: 1 | 2;
  /** Frames of sound that it holds. */
  readonly samples: 576 | 1152;
  /** Bytes from its start to its main data, where a Xing, Info or LAME tag would be; a check of two bytes before it is not counted. */
  readonly tag_at: number;
}

/**
 * The frame whose header is at `at`; undefined where there is none. ISO 11172-3 2.4.1.3, ISO 13818-3, MPEG 2.5.
 *
 * @param free_bytes of a frame without padding in a stream of free format, whose headers do not say it; 0: none of free format is meant
 */
export function frameAt(bytes: Uint8Array, at: number, free_bytes = 0): MpegFrame | undefined {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined;
  const second = bytes[at + 1]!;
  const third = bytes[at + 2]!;
  const version = (second >> 3) & 3;
  // ADTS (AAC) has layer bits 00 here.
  if ((second & 0xe0) !== 0xe0 || version === 1 || ((second >> 1) & 3) !== 1) return undefined;
  const rate = [44_100, 48_000, 32_000][(third >> 2) & 3];
  const kbits = (version === 3 ? KBITS_1 : KBITS_2)[third >> 4];
  if (rate === undefined || kbits === undefined || (kbits === 0) !== free_bytes > 0) return undefined;
  const sample_rate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  const channels = bytes[at + 3]! >> 6 === 3 ? 1 : 2;
  const side = version === 3 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  const plain = kbits === 0 ? free_bytes : Math.floor(((version === 3 ? 144 : 72) * kbits * 1000) / sample_rate);
  return {
    bytes: plain + padding(bytes, at),
    sample_rate,
    channels,
    samples: version === 3 ? 1152 : 576,
    tag_at: 4 + side,
  };
}

/**
 * Bytes of an unpadded frame, where a stream of free format begins at `at`: the distance to the next header that a third one confirms, or
 * the end of `bytes` does. 0 where there is none.
 */
export function freeBytesAt(bytes: Uint8Array, at: number): number {
  for (let next = at + FREE_BYTES_MIN; next <= at + FREE_BYTES_MAX && next + 4 <= bytes.length; next++) {
    const plain = next - at - padding(bytes, at);
    if (frameAt(bytes, at, plain) === undefined) return 0;
    const second = isAlike(bytes, next, bytes, at) ? frameAt(bytes, next, plain) : undefined;
    if (second === undefined) continue;
    const third = next + second.bytes;
    if (third + 4 > bytes.length) return plain;
    if (isAlike(bytes, third, bytes, at) && frameAt(bytes, third, plain) !== undefined) return plain;
  }
  return 0;
}

/** Whether two headers may be of one stream: version, layer and sample rate stay. */
export function isAlike(bytes: Uint8Array, at: number, first: Uint8Array, first_at = 0): boolean {
  return (
    (bytes[at + 1]! & 0x1e) === (first[first_at + 1]! & 0x1e) &&
    (bytes[at + 2]! & 0x0c) === (first[first_at + 2]! & 0x0c)
  );
}

/** A header and the side information of one channel. */
const FREE_BYTES_MIN = 4 + 9;
/** 640 kbit/s at 32 kHz: twice the highest rate that a header can say, the most that encoders make. */
const FREE_BYTES_MAX = 2880;
/** No frame is longer. */
export const FRAME_BYTES_MAX = FREE_BYTES_MAX + 1;

/** 1 where the header at `at` says that the frame has a byte more. */
function padding(bytes: Uint8Array, at: number): number {
  return (bytes[at + 2]! >> 1) & 1;
}

const KBITS_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
const KBITS_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
