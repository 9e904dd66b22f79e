/** What the header of an MPEG layer III frame says. */
export interface MpegFrame {
  /** Of the whole frame. */
  readonly bytes: number;
  readonly sample_rate: number;
  readonly channels: 1 | 2;
  /** Frames of sound that it holds. */
  readonly samples: 576 | 1152;
  /** Bytes from its start to where a Xing, Info or LAME tag would be. */
  readonly tag_at: number;
}

/** The frame whose header is at `at`; undefined where there is none. ISO 11172-3 2.4.1.3, ISO 13818-3, MPEG 2.5; no free format. */
export function frameAt(bytes: Uint8Array, at: number): MpegFrame | undefined {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined;
  const second = bytes[at + 1]!;
  const third = bytes[at + 2]!;
  const version = (second >> 3) & 3;
  // ADTS (AAC) has layer bits 00 here.
  if ((second & 0xe0) !== 0xe0 || version === 1 || ((second >> 1) & 3) !== 1) return undefined;
  const rate = [44_100, 48_000, 32_000][(third >> 2) & 3];
  const kbits = (version === 3 ? KBITS_1 : KBITS_2)[third >> 4];
  if (rate === undefined || kbits === undefined || kbits === 0) return undefined;
  const sample_rate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  const channels = bytes[at + 3]! >> 6 === 3 ? 1 : 2;
  const side = version === 3 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  return {
    bytes: Math.floor(((version === 3 ? 144 : 72) * kbits * 1000) / sample_rate) + ((third >> 1) & 1),
    sample_rate,
    channels,
    samples: version === 3 ? 1152 : 576,
    tag_at: 4 + side,
  };
}

/** Whether two headers may be of one stream: version, layer and sample rate stay. */
export function isAlike(bytes: Uint8Array, at: number, first: Uint8Array): boolean {
  return (bytes[at + 1]! & 0x1e) === (first[1]! & 0x1e) && (bytes[at + 2]! & 0x0c) === (first[2]! & 0x0c);
}

const KBITS_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
const KBITS_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
