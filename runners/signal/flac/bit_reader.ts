import { FlacError } from "./error.ts";

/** More bits were asked for than there are: the caller knows whether more can come. */
export class Starved extends Error {
  override readonly name = "Starved";
}

/** Bytes that must follow those to be read, whatever they hold: four are loaded at once, after one code at the most. */
export const READ_AHEAD = 16;

/** Reads bits, the highest first, from part of a buffer below 256 MB. */
export class BitReader {
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  /** In bits, from the start of the buffer. */
  #at = 0;
  #end = 0;

  /** Bytes `from` to `to` of `bytes`, which must go on for `READ_AHEAD` more. */
  open(bytes: Uint8Array<ArrayBuffer>, from: number, to: number): void {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    this.#at = 8 * from;
    this.#end = 8 * to;
  }

  /** The byte in which the next bit lies. */
  get byte(): number {
    return this.#at >>> 3;
  }

  /** Moves on to the next whole byte. */
  align(): void {
    this.#at = (this.#at + 7) & ~7;
  }

  /** 0 to 32 bits, unsigned. */
  take(bits: number): number {
    if (this.#at + bits > this.#end) throw new Starved();
    if (bits === 0) return 0;
    const word = this.#word(this.#at);
    this.#at += bits;
    return word >>> (32 - bits);
  }

  /** 1 to 33 bits, signed. */
  takeSigned(bits: number): number {
    if (bits > 32) return -this.take(1) * 2 ** 32 + this.take(32);
    return (this.take(bits) << (32 - bits)) >> (32 - bits);
  }

  /** Zeros up to the next one, which is taken as well. */
  unary(): number {
    let zeros = 0;
    for (;;) {
      if (this.#at >= this.#end) throw new Starved();
      const word = this.#word(this.#at);
      if (word !== 0) {
        const more = Math.clz32(word);
        this.#at += more + 1;
        if (this.#at > this.#end) throw new Starved();
        return zeros + more;
      }
      zeros += 32;
      this.#at += 32;
    }
  }

  /** Rice codes of parameter `k`, 0 to 30, unfolded into `values[from]` to `values[to - 1]` (RFC 9639 9.2.7.3). */
  rice(values: Int32Array, from: number, to: number, k: number): void {
    for (let n = from; n < to; n++) {
      const high = this.unary();
      if (high > 0xffff_ffff >>> k) throw new FlacError("damaged", "a residual has more than 32 bits");
      const value = high * 2 ** k + this.take(k);
      values[n] = (value >>> 1) ^ -(value & 1);
    }
  }

  /** The 32 bits from `at` on. */
  #word(at: number): number {
    const byte = at >>> 3;
    const bit = at & 7;
    return (this.#view.getInt32(byte) << bit) | (this.#bytes[byte + 4]! >>> (8 - bit));
  }
}
