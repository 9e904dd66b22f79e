import { FlacError } from "./error.ts";

/** The facts of STREAMINFO, RFC 9639 8.2. */
export interface StreamInfo {
  /** Hz, 1 to 1,048,575. */
  readonly sample_rate: number;
  /** 1 to 8. */
  readonly channels: number;
  /** 4 to 32. */
  readonly bits: number;
  /** Samples of each channel; 0 where unknown. */
  readonly frames: number;
  /** Smallest and largest block, in samples; the last block may be smaller. Not checked: frames say their own size. */
  readonly block_min: number;
  readonly block_max: number;
  /** Bytes of the smallest and the largest frame; 0 where unknown. */
  readonly frame_bytes_min: number;
  readonly frame_bytes_max: number;
  /** Of the samples, interleaved, little-endian, in whole bytes; lower-case hexadecimal, all zeros where unknown. */
  readonly md5: string;
}

export interface SeekPoint {
  /** First sample of a frame. */
  readonly sample: number;
  /** Bytes from the first frame to it. */
  readonly offset: number;
  /** Samples of the frame. */
  readonly count: number;
}

export const MD5_UNKNOWN = "0".repeat(32);
export const STREAM_INFO_BYTES = 34;
/** Of a block in the metadata: its type. */
export const BLOCK = { stream_info: 0, seek_table: 3, vorbis_comment: 4 } as const;

/** No version in it: the same samples stay the same file. */
const VENDOR = "Tonwerk";

/**
 * All that stands before the first frame. Its length depends on `tags` and the number of `points` alone.
 *
 * @param tags Vorbis comments in the order of their names here
 * @throws TypeError for a name outside printable ASCII, empty, or with "=" in it
 */
export function headOf(
  info: StreamInfo,
  points: readonly (SeekPoint | undefined)[],
  tags: Readonly<Record<string, string>>,
): Uint8Array {
  const blocks: [number, Uint8Array][] = [[BLOCK.stream_info, streamInfoBytes(info)]];
  if (points.length > 0) blocks.push([BLOCK.seek_table, seekTable(points)]);
  blocks.push([BLOCK.vorbis_comment, comments(tags)]);
  const head = new Uint8Array(4 + blocks.reduce((sum, [, body]) => sum + 4 + body.length, 0));
  head.set([0x66, 0x4c, 0x61, 0x43]); // fLaC
  let at = 4;
  for (const [index, [type, body]] of blocks.entries()) {
    const last = index === blocks.length - 1 ? 0x80 : 0;
    head.set([last | type, body.length >> 16, body.length >> 8, body.length], at);
    head.set(body, at + 4);
    at += 4 + body.length;
  }
  return head;
}

/** @throws FlacError where the facts cannot be */
export function readStreamInfo(body: Uint8Array): StreamInfo {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const packed = view.getBigUint64(10);
  const info: StreamInfo = {
    block_min: view.getUint16(0),
    block_max: view.getUint16(2),
    frame_bytes_min: view.getUint32(3) & 0xffffff,
    frame_bytes_max: view.getUint32(6) & 0xffffff,
    sample_rate: Number(packed >> 44n),
    channels: Number((packed >> 41n) & 7n) + 1,
    bits: Number((packed >> 36n) & 31n) + 1,
    frames: Number(packed & 0xfffffffffn),
    md5: Buffer.from(body.subarray(18, 34)).toString("hex"),
  };
  if (info.sample_rate === 0) throw new FlacError("damaged", "its sample rate is 0");
  if (info.bits < 4) throw new FlacError("damaged", `its samples have ${info.bits} bits`);
  return info;
}

function streamInfoBytes(info: StreamInfo): Uint8Array {
  const body = new Uint8Array(STREAM_INFO_BYTES);
  const view = new DataView(body.buffer);
  view.setUint16(0, info.block_min);
  // 24 bits each: the high byte of the second field is void until the first is written over it, and so on.
  view.setUint32(6, info.frame_bytes_max);
  view.setUint32(3, info.frame_bytes_min);
  view.setUint16(2, info.block_max);
  view.setBigUint64(
    10,
    (BigInt(info.sample_rate) << 44n) |
      (BigInt(info.channels - 1) << 41n) |
      (BigInt(info.bits - 1) << 36n) |
      BigInt(info.frames),
  );
  body.set(Buffer.from(info.md5, "hex"), 18);
  return body;
}

/** Points that are not known yet are placeholders, which readers skip (RFC 9639 8.5). */
function seekTable(points: readonly (SeekPoint | undefined)[]): Uint8Array {
  const body = new Uint8Array(18 * points.length);
  const view = new DataView(body.buffer);
  for (const [index, point] of points.entries()) {
    view.setBigUint64(18 * index, point === undefined ? 0xffff_ffff_ffff_ffffn : BigInt(point.sample));
    view.setBigUint64(18 * index + 8, BigInt(point?.offset ?? 0));
    view.setUint16(18 * index + 16, point?.count ?? 0);
  }
  return body;
}

function comments(tags: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(tags).map(([name, value]) => {
    if (!/^[ -<>-}]+$/.test(name))
      throw new TypeError(`Cannot write the tag "${name}": names are printable ASCII without "="`);
    return `${name}=${value}`;
  });
  const texts = [VENDOR, ...entries].map((text) => Buffer.from(text, "utf8"));
  const body = new Uint8Array(4 + texts.reduce((sum, text) => sum + 4 + text.length, 0));
  if (body.length >= 2 ** 24) throw new TypeError(`Cannot write ${body.length} bytes of tags: 16 MB are possible`);
  const view = new DataView(body.buffer);
  let at = 0;
  for (const [index, text] of texts.entries()) {
    view.setUint32(at, text.length, true);
    body.set(text, at + 4);
    at += 4 + text.length;
    if (index > 0) continue;
    view.setUint32(at, entries.length, true);
    at += 4;
  }
  return body;
}

/** The Vorbis comments of a block's body, whose names come in any case; what is cut off or makes no sense is left out. */
export function readComments(body: Uint8Array): readonly (readonly [name: string, value: string])[] {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const found: [string, string][] = [];
  let at = 0;
  const take = (): string | undefined => {
    if (at + 4 > body.length) return undefined;
    const end = at + 4 + view.getUint32(at, true);
    if (end > body.length) return undefined;
    const text = Buffer.from(body.subarray(at + 4, end)).toString("utf8");
    at = end;
    return text;
  };
  if (take() === undefined) return found;
  // Their number, which the end of the block says as well.
  at += 4;
  for (let entry = take(); entry !== undefined; entry = take()) {
    const equals = entry.indexOf("=");
    if (equals > 0) found.push([entry.slice(0, equals).toUpperCase(), entry.slice(equals + 1)]);
  }
  return found;
}
