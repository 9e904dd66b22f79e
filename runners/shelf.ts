import { Scratch } from "./scratch.ts";
import { release } from "./signal/dsp/release.ts";

type Channels = readonly Float32Array[];

/**
 * Sounds that will be wanted again, by name. Those that were wanted last lie in memory, the others on the disk; where that
 * takes none, they are gone and have to be made again.
 */
export class Shelf {
  readonly #bytes_max: number;
  /** In order of their last use. */
  readonly #here = new Map<string, Channels>();
  #bytes = 0;
  /** Where each lies that has been put aside, and the samples of each channel. */
  readonly #aside = new Map<string, { readonly at: number; readonly lengths: readonly number[] }>();
  #scratch: Scratch | undefined;
  #end = 0;
  #full = false;

  /** @param bytes_max in memory; the last sound is there however long it is */
  constructor(bytes_max: number) {
    this.#bytes_max = bytes_max;
  }

  /** Undefined for what is not there, or not any more. Good until the next call of `get` or `put`. */
  get(name: string): Channels | undefined {
    const known = this.#here.get(name) ?? this.#fetch(name);
    if (known !== undefined) this.#keep(name, known);
    return known;
  }

  /** Takes `sound` over. */
  put(name: string, sound: Channels): void {
    this.drop(name);
    this.#keep(name, sound);
  }

  /** Nobody wants it again. */
  drop(name: string): void {
    this.#takeDown(name);
    this.#aside.delete(name);
  }

  /** Nobody wants any of them again. */
  close(): void {
    for (const name of [...this.#here.keys()]) this.drop(name);
    this.#scratch?.close();
    this.#scratch = undefined;
    this.#aside.clear();
  }

  #keep(name: string, sound: Channels): void {
    if (!this.#here.delete(name)) this.#bytes += bytesOf(sound);
    this.#here.set(name, sound);
    for (const [oldest, other] of this.#here) {
      if (this.#bytes <= this.#bytes_max || oldest === name) break;
      this.#putAside(oldest, other);
      this.#takeDown(oldest);
    }
  }

  #takeDown(name: string): void {
    const sound = this.#here.get(name);
    if (sound === undefined) return;
    this.#here.delete(name);
    this.#bytes -= bytesOf(sound);
    release(...sound);
  }

  #putAside(name: string, sound: Channels): void {
    if (this.#full || this.#aside.has(name)) return;
    try {
      this.#scratch ??= new Scratch();
      const at = this.#end;
      for (const samples of sound) {
        this.#scratch.write(asBytes(samples), this.#end);
        this.#end += samples.byteLength;
      }
      this.#aside.set(name, { at, lengths: sound.map(({ length }) => length) });
    } catch {
      // There is no folder, or no room.
      this.#full = true;
    }
  }

  #fetch(name: string): Channels | undefined {
    const found = this.#aside.get(name);
    if (found === undefined) return undefined;
    let { at } = found;
    return found.lengths.map((length) => {
      const samples = new Float32Array(length);
      this.#scratch!.read(at, asBytes(samples));
      at += samples.byteLength;
      return samples;
    });
  }
}

const bytesOf = (sound: Channels): number => sound.reduce((sum, { byteLength }) => sum + byteLength, 0);

const asBytes = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
