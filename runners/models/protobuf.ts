/**
 * A file of Protocol Buffers, field by field, without its schema: what is not asked for is stepped over, so that
 * gigabytes take milliseconds.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export interface Field {
  readonly number: number;
  /** The value of a varint; 0 of others. */
  readonly value: number;
  /** Where the field begins, and the bytes of its content. */
  readonly start: number;
  readonly from: number;
  readonly to: number;
}

const BUFFER = 65_536;

export class ProtobufFile {
  readonly size: number;
  readonly #file: number;
  readonly #buffer = Buffer.alloc(BUFFER);
  #start = 0;
  #held = 0;

  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.size = fstatSync(this.#file).size;
  }

  close(): void {
    closeSync(this.#file);
  }

  inside({ from, to }: Field): Generator<Field> {
    return this.fields(from, to);
  }

  /** The last of this number, as parsers take it. */
  find(message: Field, number: number): Field | undefined {
    let found: Field | undefined;
    for (const field of this.inside(message)) if (field.number === number) found = field;
    return found;
  }

  text(field: Field): string {
    return this.bytes(field).toString("utf8");
  }

  bytes({ from, to }: { readonly from: number; readonly to: number }): Buffer {
    const bytes = Buffer.alloc(to - from);
    this.copy(from, bytes);
    return bytes;
  }

  /** Fills `to` with the file's bytes from `from` on. */
  copy(from: number, to: Uint8Array): void {
    for (let done = 0; done < to.length; ) {
      const read = readSync(this.#file, to, done, to.length - done, from + done);
      if (read === 0) throw new Error(`it is cut short, or no ONNX file: it ends at ${this.size} bytes`);
      done += read;
    }
  }

  /** The number that begins at `from`, and where it ends. */
  varint(from: number): readonly [value: number, next: number] {
    let value = 0;
    for (let n = 0; n < 10; n++) {
      const byte = this.#byte(from + n);
      value += (byte & 127) * 128 ** n;
      if (byte < 128) return [value, from + n + 1];
    }
    throw new Error("it is no ONNX file");
  }

  *fields(from: number, end: number): Generator<Field> {
    let at = from;
    const varint = (): number => {
      const [value, next] = this.varint(at);
      at = next;
      return value;
    };
    while (at < end) {
      const start = at;
      const tag = varint();
      const [number, wire] = [Math.floor(tag / 8), tag % 8];
      if (number === 0) throw new Error("it is no ONNX file");
      if (wire === 0) {
        const value = varint();
        yield { number, value, start, from: at, to: at };
        continue;
      }
      const length = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? varint() : -1;
      if (length < 0) throw new Error("it is no ONNX file");
      if (at + length > end) {
        // A graph, or whatever else reaches beyond the file's end.
        const whole = at + length;
        throw new Error(
          number > 30
            ? "it is no ONNX file"
            : `it is cut short, or no ONNX file: it has ${this.size} bytes, and what begins at ${at} ends at ${whole}`,
        );
      }
      yield { number, value: 0, start, from: at, to: at + length };
      at += length;
    }
  }

  #byte(at: number): number {
    if (at >= this.size) throw new Error(`it is cut short, or no ONNX file: it ends at ${this.size} bytes`);
    if (at < this.#start || at >= this.#start + this.#held) {
      this.#start = at;
      this.#held = readSync(this.#file, this.#buffer, 0, BUFFER, at);
    }
    return this.#buffer[at - this.#start]!;
  }
}
