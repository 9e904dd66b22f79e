/** Grows planar channels block by block. With a good guess of the length nothing is ever held twice. */
export class Collector {
  readonly #blocks: Float32Array<ArrayBuffer>[][];
  /** Frames that the last block still takes. */
  #room = 0;
  #frames = 0;
  #size: number;

  /** @param expected frames; the first block has room for them. Pages that are never written cost no memory. */
  constructor(channels: number, expected = 0) {
    this.#blocks = Array.from({ length: channels }, () => []);
    this.#size = Math.max(GROWTH, expected);
  }

  push(channels: readonly Float32Array[], frames: number): void {
    for (let at = 0; at < frames; ) {
      if (this.#room === 0) {
        for (const list of this.#blocks) list.push(new Float32Array(this.#size));
        this.#room = this.#size;
        this.#size = GROWTH;
      }
      const count = Math.min(frames - at, this.#room);
      for (const [index, list] of this.#blocks.entries()) {
        const block = list.at(-1)!;
        block.set(channels[index]!.subarray(at, at + count), block.length - this.#room);
      }
      this.#room -= count;
      this.#frames += count;
      at += count;
    }
  }

  /**
   * The whole channels, each alone in its buffer. Blocks are let go as they are copied, so the peak is one channel above the result; a
   * single block is not copied by us at all.
   */
  finish(): Float32Array<ArrayBuffer>[] {
    return this.#blocks.map((list) => {
      if (list.length === 1) return new Float32Array(list.pop()!.buffer.transfer(4 * this.#frames));
      const whole = new Float32Array(this.#frames);
      for (let at = 0; list.length > 0; ) {
        const block = list.shift()!;
        whole.set(block.subarray(0, this.#frames - at), at);
        at += block.length;
      }
      return whole;
    });
  }
}

/** Frames of a further block: 2^18 are 6 s at 44.1 kHz, 1 MB a channel. */
const GROWTH = 1 << 18;
