/** Writes bits, the highest first, into a buffer that grows. Values are gathered in 32 bits and stored by the word. */
export class BitWriter {
  #bytes: Uint8Array;
  #length = 0;
  /** The last `#fill` bits, lowest; what stands above them is void. 0 while `#fill` is 0. */
  #word = 0;
  /** 0 to 31. */
  #fill = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** Whole bytes written since the last `clear`. Only after `align` is that all. */
  get length(): number {
    return this.#length;
  }

  /** The bytes written; valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    this.#word = 0;
    this.#fill = 0;
  }

  /** Makes room for `count` more bytes. Writing itself never checks: ask before each frame. */
  reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  /** The lowest `bits` (0 to 32) of `value`. */
  put(value: number, bits: number): void {
    if (bits === 0) return;
    const low = value & (-1 >>> (32 - bits));
    const rest = bits - (32 - this.#fill);
    if (rest < 0) {
      this.#word = (this.#word << bits) | low;
      this.#fill += bits;
      return;
    }
    this.#store((this.#word << (32 - this.#fill)) | (low >>> rest));
    this.#word = rest === 0 ? 0 : low;
    this.#fill = rest;
  }

  zeros(count: number): void {
    for (let left = count; left > 0; left -= 32) this.put(0, Math.min(32, left));
  }

  /** `values[from]` to `values[to - 1]`, each 0 to 2^31 - 1, in Rice code of parameter `k`, 0 to 30 (RFC 9639 9.2.7.3). */
  rice(values: Int32Array, from: number, to: number, k: number): void {
    const stop = 1 << k;
    for (let n = from; n < to; n++) {
      const value = values[n]!;
      this.zeros(value >>> k);
      this.put(stop | (value & (stop - 1)), k + 1);
    }
  }

  /** Fills the last byte with zeros and stores what waits. */
  align(): void {
    this.put(0, -this.#fill & 7);
    for (let shift = this.#fill - 8; shift >= 0; shift -= 8) this.#bytes[this.#length++] = this.#word >>> shift;
    this.#word = 0;
    this.#fill = 0;
  }

  #store(full: number): void {
    const at = this.#length;
    this.#bytes[at] = full >>> 24;
    this.#bytes[at + 1] = full >>> 16;
    this.#bytes[at + 2] = full >>> 8;
    this.#bytes[at + 3] = full;
    this.#length = at + 4;
  }
}
