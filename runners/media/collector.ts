/** Grows planar channels block by block: nothing is copied until the end, and then each sample once. */
export class Collector {
  readonly #blocks: Float32Array[][];
  #filled: number;
  #frames = 0;
  readonly #size: number;

  /** @param size frames in a block: 2^18 are 6 s at 44.1 kHz, 1 MB a channel */
  constructor(channels: number, size = 1 << 18) {
    this.#blocks = Array.from({ length: channels }, () => []);
    this.#size = size;
    this.#filled = size;
  }

  push(channels: readonly Float32Array[], frames: number): void {
    for (let at = 0; at < frames; ) {
      if (this.#filled === this.#size) {
        for (const list of this.#blocks) list.push(new Float32Array(this.#size));
        this.#filled = 0;
      }
      const count = Math.min(frames - at, this.#size - this.#filled);
      for (const [index, list] of this.#blocks.entries()) {
        list.at(-1)!.set(channels[index]!.subarray(at, at + count), this.#filled);
      }
      this.#filled += count;
      this.#frames += count;
      at += count;
    }
  }

  /** The whole channels. Blocks are let go as they are copied, so the peak is one channel above the result. */
  finish(): Float32Array[] {
    return this.#blocks.map((list) => {
      const whole = new Float32Array(this.#frames);
      for (let at = 0; list.length > 0; at += this.#size) {
        const block = list.shift()!;
        whole.set(block.subarray(0, Math.min(this.#size, this.#frames - at)), at);
      }
      return whole;
    });
  }
}
