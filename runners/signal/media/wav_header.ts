import type { FileHandle } from "node:fs/promises";
import { Beyond, undecodable, unsupported } from "./intake.ts";
import { readAt } from "./read_at.ts";

/** How the samples of a WAV are coded; numbers are bits of a sample. */
export type WavCoding = "u8" | "s16" | "s24" | "s32" | "f32" | "f64" | "alaw" | "mulaw" | "ima_adpcm" | "ms_adpcm";

export interface WavHeader {
  /** `mp3`: the samples are frames of MPEG layer III, which say for themselves what they are. */
  readonly coding: WavCoding | "mp3";
  readonly sample_rate: number;
  readonly channels: number;
  /** Speakers, one bit a channel in order; 0 where unknown. */
  readonly mask: number;
  /** Bytes of one block of ADPCM; of one frame otherwise. */
  readonly block_bytes: number;
  /** At least one, in order. */
  readonly parts: readonly WavPart[];
}

/** Where samples are in the file. `to` is within it, whatever the header claims. */
export interface WavPart {
  readonly from: number;
  readonly to: number;
}

/** Chunks that are looked at; a file of millions would be read for minutes. */
const CHUNKS_MAX = 4096;
/** Bytes of a format that mean something here. */
const FORMAT_BYTES = 40;
const UNKNOWN_SIZE = 0xffff_ffff;

/**
 * Finds format and samples of a RIFF, RF64 or BW64 file. Chunks that are not known are passed over, with the byte that pads odd
 * ones. The sizes that are left by who writes to a pipe (0 and 2^32 - 1) mean "to the end of the file". Samples may come in several
 * chunks, alone or in a list of waves ("Multimedia Programming Interface and Data Specifications 1.0", 1991). Silence that such a list
 * has instead of samples is refused: four bytes of it stand for a day.
 *
 * @throws SourceError `source_undecodable` where there are no samples, or their coding is none of these; `source_unsupported_format`
 *   for a list with silence
 */
export async function readWavHeader(file: FileHandle): Promise<WavHeader> {
  const { size: end } = await file.stat();
  const long = text(await readAt(file, 0, 4), 0) !== "RIFF";
  let format: Format | undefined;
  let long_size: number | undefined;
  const parts: WavPart[] = [];
  let listed = false;
  let at = 12;
  for (let chunks = 0; chunks < CHUNKS_MAX; chunks++) {
    const head = await readAt(file, at, 8);
    if (head.length < 8) break;
    const id = text(head, 0);
    const claimed = view(head).getUint32(4, true);
    const body = at + 8;
    let size = claimed;
    if (id === "data") {
      if (format === undefined) throw undecodable("its samples come before their format");
      const first = parts.length === 0;
      const open = long ? first && long_size === undefined : claimed === 0 || claimed === UNKNOWN_SIZE;
      if (long && first && long_size !== undefined) size = long_size;
      const to = open ? end : Math.min(end, body + size);
      // What is empty behind other samples is no sign of a pipe.
      if (first || claimed > 0) parts.push({ from: body, to });
      if (to === end) break;
    }
    if (id === "slnt" && listed) throw unsupported("its WAV has silence by its length alone (slnt) instead of samples");
    if (id === "fmt " && format === undefined)
      format = readFormat(await readAt(file, body, Math.min(claimed, FORMAT_BYTES)));
    // Size of the RIFF, then that of the samples (EBU Tech 3306).
    if (id === "ds64" && long) {
      const sizes = await readAt(file, body, 16);
      if (sizes.length === 16) long_size = Number(view(sizes).getBigUint64(8, true));
    }
    // What such a list holds comes next, chunk by chunk.
    const waves = id === "LIST" && text(await readAt(file, body, 4), 0) === "wavl";
    if (waves) listed = true;
    at = waves ? body + 4 : body + size + (size & 1);
  }
  if (format === undefined || parts.length === 0) throw undecodable("it is damaged, or not wav inside");
  return { ...format, parts };
}

type Format = Omit<WavHeader, "parts">;

const EXTENSIBLE = 0xfffe;
/** Tags of mmreg.h that stand for one coding each. */
const CODINGS: ReadonlyMap<number, WavCoding | "mp3"> = new Map([
  [0x02, "ms_adpcm"],
  [0x06, "alaw"],
  [0x07, "mulaw"],
  [0x11, "ima_adpcm"],
  [0x55, "mp3"],
]);
const INTEGERS: readonly WavCoding[] = ["u8", "s16", "s24", "s32"];

function readFormat(bytes: Uint8Array): Format {
  if (bytes.length < 14) throw undecodable("its format is cut off");
  const fields = view(bytes);
  let tag = fields.getUint16(0, true);
  const channels = fields.getUint16(2, true);
  const block_bytes = fields.getUint16(12, true);
  if (channels === 0) throw undecodable("its header claims no channels");
  let bits = bytes.length < 16 ? 8 : fields.getUint16(14, true);
  let mask = 0;
  if (tag === EXTENSIBLE && bytes.length >= FORMAT_BYTES) {
    mask = fields.getUint32(20, true);
    tag = fields.getUint16(24, true);
    // Bits say how wide a sample is stored; valid bits, how many of them count: the others are zero.
    if (bits === 0) bits = fields.getUint16(18, true);
  }
  const coding = tag === 1 ? INTEGERS[((bits + 7) >> 3) - 1] : tag === 3 ? floats(bits) : CODINGS.get(tag);
  if (coding === undefined) throw new Beyond(`its WAV coding is not known (tag ${tag}, ${bits} bits)`);
  const adpcm = coding === "ima_adpcm" || coding === "ms_adpcm";
  if (adpcm && bits !== 4) throw new Beyond(`its ADPCM has ${bits} bits, only 4 are possible`);
  return {
    ...{ coding, channels, mask, sample_rate: fields.getUint32(4, true) },
    block_bytes: adpcm || coding === "mp3" ? block_bytes : channels * BYTES[coding],
  };
}

/** Bytes of a sample. */
const BYTES: Readonly<Record<Exclude<WavCoding, "ima_adpcm" | "ms_adpcm">, number>> = {
  u8: 1,
  s16: 2,
  s24: 3,
  s32: 4,
  f32: 4,
  f64: 8,
  alaw: 1,
  mulaw: 1,
};

function floats(bits: number): WavCoding | undefined {
  return bits === 32 ? "f32" : bits === 64 ? "f64" : undefined;
}

function text(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
