import { type Simd, simd } from "../dsp/simd.ts";

/** Samples of a block that is written; 93 ms at 44.1 kHz. */
export const BLOCK = 4096;
/** Bytes that frames are read from at once. */
const WINDOW_BYTES = 1 << 19;

/**
 * The FLAC kernels of this thread with the memory that they work on. It is one for all encoders and decoders, so nothing in it may be
 * relied on once another part of the program had its turn.
 */
export class Workspace {
  readonly kernels: Simd;
  readonly #packed: number;
  readonly #frame: number;
  readonly #input: number;
  readonly #plain: number;
  #bytes = new Uint8Array(0);
  /** Whose bytes are in the input. */
  #holder: object | undefined;

  constructor(kernels: Simd) {
    this.kernels = kernels;
    kernels.flacOpen(kernels.reserve(kernels.flacBytes()));
    [this.#packed, this.#frame, this.#input, this.#plain] = [2, 3, 4, 5].map((place) => kernels.flacPlace(place)) as [
      number,
      number,
      number,
      number,
    ];
  }

  /** All of the memory. It may have grown since the last call, and views made before are void then. */
  get #all(): Uint8Array {
    if (this.#bytes.buffer !== this.kernels.memory.buffer) this.#bytes = new Uint8Array(this.kernels.memory.buffer);
    return this.#bytes;
  }

  /** Copies samples in, full scale ±1, to be taken. */
  putFloats(channel: number, samples: Float32Array): void {
    const { kernels } = this;
    new Float32Array(kernels.memory.buffer, kernels.flacPlace(channel), samples.length).set(samples);
  }

  /** What was taken last, as bytes for the MD5; `length` of them. */
  packed(length: number): Uint8Array {
    return this.#all.subarray(this.#packed, this.#packed + length);
  }

  putHead(bytes: ArrayLike<number>): void {
    this.#all.set(bytes, this.#frame);
  }

  frame(length: number): Uint8Array {
    return this.#all.subarray(this.#frame, this.#frame + length);
  }

  holds(holder: object): boolean {
    return this.#holder === holder;
  }

  /** What is read of the input as bits is void: another's bits lie there. */
  letGo(): void {
    this.#holder = undefined;
  }

  /** Copies bytes in, up to half a megabyte, to be summed. */
  putBytes(bytes: Uint8Array): void {
    this.#all.set(bytes, this.#input);
    this.#holder = undefined;
  }

  /** Copies in what `holder` reads frames from, and returns how many bytes there was room for. */
  putInput(bytes: Uint8Array, holder: object): number {
    const held = bytes.length > WINDOW_BYTES ? bytes.subarray(0, WINDOW_BYTES) : bytes;
    this.#all.set(held, this.#input);
    this.kernels.flacReady(held.length);
    this.#holder = holder;
    return held.length;
  }

  /** Copies out a channel of the frame that was read last. */
  takeInts(channel: number, into: Int32Array): void {
    const { kernels } = this;
    into.set(new Int32Array(kernels.memory.buffer, kernels.flacPlace(6 + channel), into.length));
  }

  /** The same after they were made float32. */
  takeFloats(channel: number, into: Float32Array): void {
    const { kernels } = this;
    into.set(new Float32Array(kernels.memory.buffer, kernels.flacPlace(6 + channel), into.length));
  }

  /** The frame that was packed last, as bytes for the MD5. */
  plain(length: number): Uint8Array {
    return this.#all.subarray(this.#plain, this.#plain + length);
  }
}

let made: Workspace | null = null;

/** Null where the kernels were not compiled or do not run: the plain forms are used then. */
export function workspace(): Workspace | null {
  const kernels = simd();
  if (kernels !== undefined) made ??= new Workspace(kernels);
  return made;
}
