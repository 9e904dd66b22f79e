export interface WavHeader {
  readonly sample_rate: number;
  readonly channels: number;
  /** Speakers as WAVEFORMATEXTENSIBLE names them, one bit a channel in order; 0 where unknown. */
  readonly mask: number;
}

/**
 * Reads a WAV of 32-bit floats from a pipe: the header once, then whole frames as they come. Sizes in the header are not believed,
 * for a writer to a pipe cannot know them.
 */
export class WavStream {
  readonly #onHeader: (header: WavHeader) => void;
  readonly #onFrames: (interleaved: Float32Array, frames: number) => void;
  #header: WavHeader | undefined;
  /** Bytes that wait for the rest of the header or of a frame. Aligned, so that floats can be read in place. */
  #buffer = new Uint8Array(1 << 17);
  #length = 0;

  /** `interleaved` is valid during the call. */
  constructor(onHeader: (header: WavHeader) => void, onFrames: (interleaved: Float32Array, frames: number) => void) {
    this.#onHeader = onHeader;
    this.#onFrames = onFrames;
  }

  push(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#buffer.length) {
      const grown = new Uint8Array(2 * (this.#length + bytes.length));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    if (this.#header === undefined && !this.#readHeader()) return;
    const { channels } = this.#header!;
    const frames = Math.floor(this.#length / (4 * channels));
    if (frames === 0) return;
    this.#onFrames(new Float32Array(this.#buffer.buffer, 0, frames * channels), frames);
    this.#drop(frames * 4 * channels);
  }

  /** True once the samples begin. */
  #readHeader(): boolean {
    const view = new DataView(this.#buffer.buffer, 0, this.#length);
    let header: WavHeader | undefined;
    for (let at = 12; at + 8 <= this.#length; ) {
      const id = view.getUint32(at);
      const size = view.getUint32(at + 4, true);
      const body = at + 8;
      if (id === DATA) {
        if (header === undefined) throw new Error("Cannot read ffmpeg's output: samples before their format");
        this.#header = header;
        this.#drop(body);
        this.#onHeader(header);
        return true;
      }
      if (body + size > this.#length) return false;
      if (id === FMT) header = readFormat(view, body, size);
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

function readFormat(view: DataView, at: number, size: number): WavHeader {
  const tag = view.getUint16(at, true);
  const extended = tag === EXTENSIBLE && size >= 40;
  const kind = extended ? view.getUint16(at + 24, true) : tag;
  const bits = view.getUint16(at + 14, true);
  if (kind !== IEEE_FLOAT || bits !== 32) throw new Error(`Cannot read ffmpeg's output: format ${kind}, ${bits} bits`);
  return {
    channels: view.getUint16(at + 2, true),
    sample_rate: view.getUint32(at + 4, true),
    mask: extended ? view.getUint32(at + 20, true) : 0,
  };
}
