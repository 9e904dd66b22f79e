/** Looks at the intervals [first, last) of `channels`; every one has `reach` samples of context before it and `reach` after it. */
export type Visit = (channels: readonly Float32Array[], first: number, last: number, position: number) => void;

/** Intervals in a visit at most. */
const STRETCH = 8192;

/**
 * A window that slides over a stream of planar samples and hands out stretches whose context is complete.
 * `position` counts samples since the first push, context pushed by `prime` excluded.
 */
export class Sliding {
  readonly #reach: number;
  readonly #channels: readonly Float32Array[];
  readonly #visit: Visit;
  #length: number;
  #position = 0;

  /** The context before the first sample is silence until `prime` says otherwise. */
  constructor(channels: number, reach: number, visit: Visit, size = 4 * STRETCH) {
    this.#reach = reach;
    this.#visit = visit;
    this.#channels = Array.from({ length: channels }, () => new Float32Array(size + 2 * reach));
    this.#length = reach;
  }

  /** The `reach` samples that come before the first one, where that is not silence: the end of a ring. */
  prime(context: readonly Float32Array[]): void {
    for (const [index, channel] of this.#channels.entries()) channel.set(context[index]!, 0);
  }

  push(channels: readonly Float32Array[], from: number, to: number): void {
    const capacity = this.#channels[0]!.length;
    for (let at = from; at < to; ) {
      const count = Math.min(to - at, capacity - this.#length);
      for (const [index, channel] of this.#channels.entries()) {
        channel.set(channels[index]!.subarray(at, at + count), this.#length);
      }
      this.#length += count;
      at += count;
      if (this.#length === capacity) this.#slide();
    }
  }

  /** Visits the last samples; `context` is what follows them, silence where it is absent. */
  flush(context?: readonly Float32Array[]): void {
    const silence = new Float32Array(this.#reach);
    this.push(context ?? this.#channels.map(() => silence), 0, this.#reach);
    this.#slide();
  }

  #slide(): void {
    const last = this.#length - this.#reach;
    if (last <= this.#reach) return;
    for (let at = this.#reach; at < last; at += STRETCH) {
      const end = Math.min(last, at + STRETCH);
      this.#visit(this.#channels, at, end, this.#position);
      this.#position += end - at;
    }
    for (const channel of this.#channels) channel.copyWithin(0, last - this.#reach, this.#length);
    this.#length = 2 * this.#reach;
  }
}
