import { createHash } from "node:crypto";
import { BitReader, READ_AHEAD, Starved } from "./bit_reader.ts";
import { crc16 } from "./crc.ts";
import { FlacError } from "./error.ts";
import { FrameDecoder } from "./frame_decoder.ts";
import { type FrameHeader, LEFT_SIDE, readFrameHeader } from "./frame_header.ts";
import { BLOCK, MD5_UNKNOWN, readStreamInfo, STREAM_INFO_BYTES, type StreamInfo } from "./metadata.ts";
import { bytesPerSample, packPcm } from "./pcm_bytes.ts";
import { type Workspace, workspace } from "./workspace.ts";

export interface FlacFrame {
  readonly info: StreamInfo;
  /** Index of its first sample. */
  readonly sample: number;
  /** 1 to 65536. */
  readonly count: number;
  /** Whole numbers of `info.bits` bits; valid until the next frame is asked for. None where the decoder gives floats. */
  readonly channels: readonly Int32Array[];
  /** The same in full scale ±1, where the decoder was asked for it: exact up to 24 bits, then rounded to the nearest float32. */
  readonly floats: readonly Float32Array[];
}

export interface FlacDecoderOptions {
  /** Samples are given as `floats` instead of `channels`. */
  readonly floats?: boolean | undefined;
  /** Null: the plain form, slower. */
  readonly kernels?: Workspace | null | undefined;
}

type Samples = Pick<FlacFrame, "channels" | "floats">;

/** Bytes that are waited for before a frame is tried, so that few are tried twice. */
const TRIED = 1 << 16;
/** No frame is longer: STREAMINFO has 24 bits for the length. */
const FRAME_BYTES_MAX = 2 ** 24;

/**
 * Decodes FLAC as it comes: `push` bytes, take frames by `next` until it has none, and say `end` after the last byte.
 *
 * Every frame is checked by its CRC, the whole by the MD5 of its samples where the file has one: what comes out
 * without an error is what went in. Nothing is allocated by what a header claims beyond one block of one
 * frame. What stands before the stream as an ID3 tag, and behind it, is skipped. After an error nothing more comes;
 * frames that came before it are good.
 */
export class FlacDecoder {
  #info: StreamInfo | undefined;
  readonly #reader = new BitReader();
  readonly #hash = createHash("md5");
  #frames: FrameDecoder | undefined;
  #packed = new Uint8Array(0);
  #buffer = new Uint8Array(0);
  #from = 0;
  #to = 0;
  /** Bytes of the future to pass over. */
  #skipped = 0;
  #needed = TRIED;
  #ended = false;
  #state: "start" | "metadata" | "frames" | "done" = "start";
  #sample = 0;
  #first: FrameHeader | undefined;
  /** Frames are numbered by their first samples, not one by one. */
  #counts_samples = false;
  #frame = 0;
  /** What went wrong; it stays so. */
  #fault: unknown;
  readonly #as_floats: boolean;
  readonly #kernels: Workspace | null;
  /** Of what the workspace holds for us: where in the buffer it begins, and how many bytes they are. */
  #held_from = 0;
  #held = 0;
  #ints: Int32Array<ArrayBuffer>[] = [];
  #floats: Float32Array<ArrayBuffer>[] = [];

  constructor({ floats = false, kernels = workspace() }: FlacDecoderOptions = {}) {
    this.#as_floats = floats;
    this.#kernels = kernels;
  }

  /** Known once `next` was asked after the metadata came. */
  get info(): StreamInfo | undefined {
    return this.#info;
  }

  /** True when the stream is complete and right; further bytes mean nothing. */
  get done(): boolean {
    return this.#state === "done";
  }

  push(bytes: Uint8Array): void {
    if (this.#state === "done") return;
    const skipped = Math.min(this.#skipped, bytes.length);
    this.#skipped -= skipped;
    const come = bytes.subarray(skipped);
    const waiting = this.#to - this.#from;
    if (this.#to + come.length + READ_AHEAD > this.#buffer.length) {
      const needed = waiting + come.length + READ_AHEAD;
      const target = needed > this.#buffer.length ? new Uint8Array(2 * needed) : this.#buffer;
      target.set(this.#buffer.subarray(this.#from, this.#to));
      this.#buffer = target;
      this.#from = 0;
      this.#to = waiting;
    }
    this.#buffer.set(come, this.#to);
    this.#to += come.length;
    this.#held = 0;
  }

  /** No more bytes will come. */
  end(): void {
    this.#ended = true;
  }

  /**
   * The next frame; undefined where more bytes are needed, or after `end` where all is done.
   *
   * @throws FlacError
   */
  next(): FlacFrame | undefined {
    if (this.#fault !== undefined) throw this.#fault;
    try {
      if (this.#state === "start" && !this.#start()) return undefined;
      while (this.#state === "metadata") if (!this.#metadata()) return undefined;
      return this.#state === "done" ? undefined : this.#advance();
    } catch (error) {
      this.#fault = error;
      throw error;
    }
  }

  #advance(): FlacFrame | undefined {
    const waiting = this.#to - this.#from;
    if (this.#ended && waiting === 0) return this.#finish();
    if (!this.#ended && waiting < this.#needed) return undefined;
    try {
      return this.#decode();
    } catch (error) {
      if (!(error instanceof Starved)) throw error;
    }
    if (this.#ended && this.#complete()) return this.#finish();
    if (this.#ended) throw new FlacError("truncated", "it ends within a frame");
    if (waiting > FRAME_BYTES_MAX) throw new FlacError("damaged", "a frame has no end");
    this.#needed = 2 * waiting;
    return undefined;
  }

  /** Passes over ID3 tags and the four letters. */
  #start(): boolean {
    for (;;) {
      if (!this.#has(4, "not_flac")) return false;
      if (this.#text(0, 4) === "fLaC") break;
      if (this.#text(0, 3) !== "ID3") throw new FlacError("not_flac", 'it does not begin with "fLaC"');
      if (!this.#has(10, "not_flac")) return false;
      // Seven bits a byte; a footer repeats the ten bytes of the header.
      const body = this.#buffer.subarray(this.#from + 6, this.#from + 10);
      const footer = (this.#buffer[this.#from + 5]! & 16) !== 0 ? 10 : 0;
      this.#pass(10 + body.reduce((size, byte) => 128 * size + (byte & 127), 0) + footer);
    }
    this.#pass(4);
    this.#state = "metadata";
    return true;
  }

  #metadata(): boolean {
    if (!this.#has(4)) return false;
    const type = this.#buffer[this.#from]! & 127;
    const last = this.#buffer[this.#from]! > 127;
    const length =
      (this.#buffer[this.#from + 1]! << 16) | (this.#buffer[this.#from + 2]! << 8) | this.#buffer[this.#from + 3]!;
    if (this.#info === undefined) {
      if (type !== BLOCK.stream_info || length !== STREAM_INFO_BYTES)
        throw new FlacError("damaged", "it does not begin with STREAMINFO");
      if (!this.#has(4 + length)) return false;
      const info = readStreamInfo(this.#buffer.slice(this.#from + 4, this.#from + 4 + length));
      this.#info = info;
      this.#frames = new FrameDecoder(info.channels, info.bits);
    }
    this.#pass(4 + length);
    if (last) this.#state = "frames";
    return true;
  }

  #decode(): FlacFrame | undefined {
    const info = this.#info!;
    const begin = this.#from;
    const reader = this.#reader;
    reader.open(this.#buffer, begin, this.#to);
    const header = readFrameHeader(reader, this.#buffer);
    if (header === undefined) {
      if (this.#complete()) return this.#finish();
      throw new FlacError("damaged", `no frame begins at sample ${this.#sample}`);
    }
    this.#check(header, info);
    const body = reader.byte;
    const samples = this.#byKernels(begin, body, header, info) ?? this.#plainly(begin, header, info);
    this.#needed = Math.max(TRIED, 2 * (this.#from - begin));
    const frame = { info, sample: this.#sample, count: header.count, ...samples };
    this.#first ??= header;
    this.#sample += header.count;
    this.#frame++;
    return frame;
  }

  #check(header: FrameHeader, info: StreamInfo): void {
    const { sample_rate, assignment, bits, variable, number } = header;
    const channels = assignment < LEFT_SIDE ? assignment + 1 : 2;
    if (
      channels !== info.channels ||
      (bits || info.bits) !== info.bits ||
      (sample_rate || info.sample_rate) !== info.sample_rate
    )
      throw new FlacError("unsupported", `its form changes at sample ${this.#sample}`);
    const first = this.#first;
    if (first === undefined) return;
    // Encoders from before FLAC 1.1.3 had no bit to say that blocks vary: STREAMINFO and the second frame show it.
    if (this.#frame === 1)
      this.#counts_samples = variable || (info.block_min !== info.block_max && number !== first.number + 1);
    // A stream that was cut out of a longer one does not begin at 0.
    const expected = first.number + (this.#counts_samples ? this.#sample : this.#frame);
    if (variable !== first.variable || number !== expected)
      throw new FlacError("damaged", `a frame is missing at sample ${this.#sample}`);
  }

  /** The frame by the kernels, `#from` behind it; undefined where they cannot, for whatever reason. */
  #byKernels(begin: number, body: number, header: FrameHeader, info: StreamInfo): Samples | undefined {
    const workspace = this.#kernels;
    if (workspace === null) return undefined;
    if (this.#held === 0 || !workspace.holds(this)) this.#hold(workspace);
    let end = this.#tryKernels(workspace, begin, body, header, info);
    if (end === 0 && this.#held_from + this.#held < this.#to && this.#held_from < begin) {
      // It may go on behind what the workspace holds.
      this.#hold(workspace);
      end = this.#tryKernels(workspace, begin, body, header, info);
    }
    if (end === 0) return undefined;
    this.#from = end;
    const { count } = header;
    this.#digestRead(workspace, count, info);
    if (this.#as_floats) {
      workspace.kernels.flacFloats(count, info.channels, info.bits);
      const floats = this.#floatsOf(count, info.channels);
      for (const [index, channel] of floats.entries()) workspace.takeFloats(index, channel);
      return { channels: [], floats };
    }
    return { channels: this.#takeInts(workspace, count, info.channels), floats: [] };
  }

  /** Adds to the MD5 what the kernels have read. */
  #digestRead(workspace: Workspace, count: number, info: StreamInfo): void {
    if (info.md5 === MD5_UNKNOWN) return;
    if (info.channels > 2 || info.bits < 9) {
      this.#digest(this.#takeInts(workspace, count, info.channels), count, info);
      return;
    }
    workspace.kernels.flacPack(count, info.channels, info.bits);
    this.#hash.update(workspace.plain(count * info.channels * bytesPerSample(info.bits)));
  }

  #takeInts(workspace: Workspace, count: number, channels: number): readonly Int32Array[] {
    if (this.#ints.length === 0 || this.#ints[0]!.length < count)
      this.#ints = Array.from({ length: channels }, () => new Int32Array(count));
    const ints = this.#ints.map((channel) => (channel.length === count ? channel : channel.subarray(0, count)));
    for (const [index, channel] of ints.entries()) workspace.takeInts(index, channel);
    return ints;
  }

  #floatsOf(count: number, channels: number): readonly Float32Array[] {
    if (this.#floats.length === 0 || this.#floats[0]!.length < count)
      this.#floats = Array.from({ length: channels }, () => new Float32Array(count));
    return this.#floats.map((channel) => (channel.length === count ? channel : channel.subarray(0, count)));
  }

  #hold(workspace: Workspace): void {
    this.#held_from = this.#from;
    this.#held = workspace.putInput(this.#buffer.subarray(this.#from, this.#to), this);
  }

  /** Where in the buffer the frame ends, or 0. */
  #tryKernels(
    { kernels }: Workspace,
    begin: number,
    body: number,
    { count, assignment }: FrameHeader,
    { channels, bits }: StreamInfo,
  ): number {
    const from = this.#held_from;
    if (body - from > this.#held) return 0;
    const end = kernels.flacDecode(begin - from, body - from, this.#held, count, channels, bits, assignment);
    return end === 0 ? 0 : from + end;
  }

  /** The frame without kernels: slower, complete, and with a word for all that can be wrong. */
  #plainly(begin: number, header: FrameHeader, info: StreamInfo): Samples {
    const reader = this.#reader;
    const channels = this.#frames!.decode(reader, header);
    reader.align();
    const end = reader.byte;
    if (reader.take(16) !== crc16(this.#buffer, begin, end))
      throw new FlacError("damaged", `the frame at sample ${this.#sample} fails its check`);
    this.#from = end + 2;
    this.#digest(channels, header.count, info);
    if (!this.#as_floats) return { channels, floats: [] };
    const floats = this.#floatsOf(header.count, info.channels);
    const unit = 2 ** (1 - info.bits);
    for (const [index, channel] of floats.entries()) scale(channels[index]!, unit, channel);
    return { channels: [], floats };
  }

  #digest(channels: readonly Int32Array[], count: number, info: StreamInfo): void {
    if (info.md5 === MD5_UNKNOWN) return;
    const bytes = count * info.channels * bytesPerSample(info.bits);
    if (this.#packed.length < bytes) this.#packed = new Uint8Array(bytes);
    this.#hash.update(packPcm(channels, count, info.bits, this.#packed));
  }

  /** Whether what was promised has come, or a tag of another format ends the file; what follows is none of ours. */
  #complete(): boolean {
    const { frames } = this.#info!;
    if (frames > 0) return this.#sample >= frames;
    const left = this.#to - this.#from;
    return (left >= 3 && this.#text(0, 3) === "TAG") || (left >= 8 && this.#text(0, 8) === "APETAGEX");
  }

  #finish(): undefined {
    const { frames, md5 } = this.#info!;
    if (this.#sample < frames) throw new FlacError("truncated", `it has ${this.#sample} of ${frames} samples`);
    if (md5 !== MD5_UNKNOWN && this.#hash.digest("hex") !== md5)
      throw new FlacError("damaged", "its samples are not those of its MD5");
    this.#state = "done";
    this.#from = this.#to;
  }

  #has(bytes: number, fault: "not_flac" | "truncated" = "truncated"): boolean {
    if (this.#to - this.#from >= bytes) return true;
    if (this.#ended) throw new FlacError(fault, "it ends within its head");
    return false;
  }

  #pass(bytes: number): void {
    const here = Math.min(bytes, this.#to - this.#from);
    this.#from += here;
    this.#skipped += bytes - here;
  }

  #text(from: number, to: number): string {
    return String.fromCharCode(...this.#buffer.subarray(this.#from + from, this.#from + to));
  }
}

function scale(whole: Int32Array, unit: number, into: Float32Array): void {
  for (let n = 0; n < into.length; n++) into[n] = whole[n]! * unit;
}

/** Decodes a whole file, frame by frame; leaving the loop early costs nothing more. */
export function* decodeFlac(bytes: Uint8Array, options: FlacDecoderOptions = {}): Generator<FlacFrame, void, void> {
  const decoder = new FlacDecoder(options);
  for (let at = 0; !decoder.done; at += TRIED) {
    decoder.push(bytes.subarray(at, at + TRIED));
    if (at + TRIED >= bytes.length) decoder.end();
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) yield frame;
  }
}
