import { BitReader, READ_AHEAD } from "./bit_reader.ts";
import { crc16 } from "./crc.ts";
import { FrameDecoder } from "./frame_decoder.ts";
import { type FrameHeader, LEFT_SIDE, readFrameHeader } from "./frame_header.ts";
import { packPcm } from "./pcm_bytes.ts";
import type { Workspace } from "./workspace.ts";

/** What the frames of a file have in common. */
export interface FrameForm {
  readonly sample_rate: number;
  readonly channels: number;
  readonly bits: number;
}

/**
 * Proves of frames, while they are still at hand, that a decoder finds in them what was meant. In two forms that refuse
 * the same.
 */
export class FrameProof {
  readonly #form: FrameForm;
  readonly #reader = new BitReader();
  readonly #head = new Uint8Array(HEADER_BYTES_MAX + READ_AHEAD);
  readonly #decoder: FrameDecoder;
  #whole = new Uint8Array(0);
  #packed = new Uint8Array(0);

  constructor(form: FrameForm) {
    this.#form = form;
    this.#decoder = new FrameDecoder(form.channels, form.bits);
  }

  /** Of the frame that the kernels wrote last. Throws where it does not hold the samples that they took last. */
  byKernels({ kernels }: Workspace, frame: Uint8Array, count: number, number: number): void {
    const head = frame.subarray(0, HEADER_BYTES_MAX);
    this.#head.fill(0);
    this.#head.set(head);
    this.#reader.open(this.#head, 0, head.length);
    const { assignment } = this.#checked(readFrameHeader(this.#reader, this.#head), count, number);
    const { channels, bits } = this.#form;
    if (kernels.flacProve(this.#reader.byte, frame.length, count, channels, bits, assignment) === 0)
      throw notMeant(number);
  }

  /** The same without kernels, of the samples that are packed in `meant`. */
  plainly(frame: Uint8Array, count: number, number: number, meant: Uint8Array): void {
    const { channels, bits } = this.#form;
    if (this.#whole.length < frame.length + READ_AHEAD) this.#whole = new Uint8Array(2 * frame.length + READ_AHEAD);
    if (this.#packed.length < meant.length) this.#packed = new Uint8Array(meant.length);
    this.#whole.set(frame);
    const reader = this.#reader;
    reader.open(this.#whole, 0, frame.length);
    const header = this.#checked(readFrameHeader(reader, this.#whole), count, number);
    const decoded = this.#decoder.decode(reader, { ...header, bits });
    reader.align();
    const end = reader.byte;
    const found = packPcm(decoded, count, bits, this.#packed);
    const same = decoded.length === channels && Buffer.compare(found, meant) === 0;
    if (!same || reader.take(16) !== crc16(this.#whole, 0, end) || end + 2 !== frame.length) throw notMeant(number);
  }

  #checked(header: FrameHeader | undefined, count: number, number: number): FrameHeader {
    const { sample_rate, channels, bits } = this.#form;
    const right =
      header !== undefined &&
      header.count === count &&
      header.number === number &&
      !header.variable &&
      (header.sample_rate || sample_rate) === sample_rate &&
      (header.bits || bits) === bits &&
      (header.assignment < LEFT_SIDE ? header.assignment + 1 : 2) === channels;
    if (!right) throw notMeant(number);
    return header;
  }
}

/** Of a header with the longest number, its own count and rate. */
const HEADER_BYTES_MAX = 16;

function notMeant(number: number): Error {
  return new Error(`Cannot verify the FLAC: frame ${number} does not decode to the samples that were meant`);
}
