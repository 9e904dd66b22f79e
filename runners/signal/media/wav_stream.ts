import type { Form, Sink } from "./intake.ts";
import { unpackerOf } from "./wav_samples.ts";

/**
 * Reads a WAV of 32-bit floats from a pipe: the header once, then whole frames as they come. Sizes in the header are not believed,
 * for a writer to a pipe cannot know them.
 */
export class WavStream {
  readonly #sink: Sink;
  #channels = 0;
  /** Bytes that wait for the rest of the header or of a frame. Aligned, so that floats can be read in place. */
  #buffer = new Uint8Array(1 << 17);
  #length = 0;
  #planar: Float32Array[] = [];

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  push(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#buffer.length) {
      const grown = new Uint8Array(2 * (this.#length + bytes.length));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    if (this.#channels === 0 && !this.#readHeader()) return;
    const frames = Math.floor(this.#length / (4 * this.#channels));
    if (frames === 0) return;
    if (this.#planar[0]!.length < frames) this.#planar = this.#planar.map(() => new Float32Array(2 * frames));
    const whole = frames * 4 * this.#channels;
    unpack(this.#buffer.subarray(0, whole), this.#channels, this.#planar);
    this.#sink.push(this.#planar, frames);
    this.#drop(whole);
  }

  /** True once the samples begin. */
  #readHeader(): boolean {
    const view = new DataView(this.#buffer.buffer, 0, this.#length);
    let form: Form | undefined;
    for (let at = 12; at + 8 <= this.#length; ) {
      const id = view.getUint32(at);
      const size = view.getUint32(at + 4, true);
      const body = at + 8;
      if (id === DATA) {
        if (form === undefined) throw new Error("Cannot read ffmpeg's output: samples before their format");
        this.#drop(body);
        this.#sink.begin(form);
        this.#channels = form.channels;
        this.#planar = Array.from({ length: form.channels }, () => new Float32Array(0));
        return true;
      }
      if (body + size > this.#length) return false;
      if (id === FMT) form = readForm(view, body, size);
      at = body + size + (size % 2);
    }
    return false;
  }

  #drop(count: number): void {
    this.#buffer.copyWithin(0, count, this.#length);
    this.#length -= count;
  }
}

const FMT = 0x666d7420;
const DATA = 0x64617461;
const IEEE_FLOAT = 3;
const EXTENSIBLE = 0xfffe;
const unpack = unpackerOf("f32", 0);

function readForm(view: DataView, at: number, size: number): Form {
  const tag = view.getUint16(at, true);
  const extended = tag === EXTENSIBLE && size >= 40;
  const kind = extended ? view.getUint16(at + 24, true) : tag;
  const bits = view.getUint16(at + 14, true);
  if (kind !== IEEE_FLOAT || bits !== 32) throw new Error(`Cannot read ffmpeg's output: format ${kind}, ${bits} bits`);
  return {
    channels: view.getUint16(at + 2, true),
    sample_rate: view.getUint32(at + 4, true),
    mask: extended ? view.getUint32(at + 20, true) : 0,
    frames: 0,
  };
}
