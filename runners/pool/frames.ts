/**
 * Messages over a byte stream between two processes of the same runtime: a prefix, a header in the runtime's own
 * structured-clone format (node:v8; the formats of the two runtimes differ, which is why both ends are one runtime),
 * then the bytes of every typed array, unconverted, each read straight into the buffer that it ends up in.
 */
import type { Writable } from "node:stream";
import v8 from "node:v8";
import { isPlain } from "./buffers.ts";

/** Prefix: the header's length in bytes, 32 bits, little endian. */
const PREFIX_BYTES = 4;
/** Handed to the stream at once: above this, one write of a long file's samples would be held twice. */
const WRITE_BYTES = 1 << 20;

interface Header {
  /**
   * Key of the objects that stand for arrays; differs from frame to frame, so that no message can hold it by accident.
   */
  readonly tag: string;
  readonly sizes: readonly number[];
  readonly message: unknown;
}

type ViewKind = keyof typeof VIEWS;
const VIEWS = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
} as const;

/**
 * The parts of one frame, in order. Typed arrays in arrays and plain objects are parts of their own and not copied:
 * they must not be written to until sent. A view arrives as a view of a buffer of its own. Throws what `v8.serialize`
 * throws for what cannot be cloned.
 */
export function encodeFrame(message: unknown): Uint8Array[] {
  const tag = crypto.randomUUID();
  const payloads: Uint8Array[] = [];
  const seen = new Map<object, unknown>();
  const strip = (node: unknown): unknown => {
    if (typeof node !== "object" || node === null) return node;
    const known = seen.get(node);
    if (known !== undefined) return known;
    if (ArrayBuffer.isView(node) || node instanceof ArrayBuffer) {
      const kind = Object.prototype.toString.call(node).slice("[object ".length, -1);
      // DataViews and whatever comes after this list go the runtime's way.
      if (!(kind in VIEWS) && kind !== "ArrayBuffer") return node;
      const stub = { [tag]: payloads.length, kind };
      payloads.push(
        node instanceof ArrayBuffer
          ? new Uint8Array(node)
          : new Uint8Array(node.buffer, node.byteOffset, node.byteLength),
      );
      seen.set(node, stub);
      return stub;
    }
    if (Array.isArray(node)) {
      const copy: unknown[] = [];
      seen.set(node, copy);
      for (const item of node) copy.push(strip(item));
      return copy;
    }
    if (!isPlain(node)) return node;
    const copy: Record<string, unknown> = {};
    seen.set(node, copy);
    for (const [key, item] of Object.entries(node)) copy[key] = strip(item);
    return copy;
  };
  const stripped = strip(message);
  const header: Header = { tag, sizes: payloads.map((payload) => payload.byteLength), message: stripped };
  const header_bytes = v8.serialize(header);
  const prefix = new Uint8Array(PREFIX_BYTES);
  new DataView(prefix.buffer).setUint32(0, header_bytes.byteLength, true);
  return [prefix, header_bytes, ...payloads];
}

/** Reads frames from chunks of any size; `onMessage` is called once for each, in order. */
export class FrameReader {
  readonly #parts: Generator<number, never, Uint8Array<ArrayBuffer>>;
  #filling: Uint8Array<ArrayBuffer>;
  #filled = 0;

  constructor(onMessage: (message: unknown) => void) {
    this.#parts = parse(onMessage);
    this.#filling = new Uint8Array(this.#parts.next().value);
  }

  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.byteLength) {
      const bytes = Math.min(chunk.byteLength - at, this.#filling.byteLength - this.#filled);
      this.#filling.set(chunk.subarray(at, at + bytes), this.#filled);
      this.#filled += bytes;
      at += bytes;
      if (this.#filled < this.#filling.byteLength) return;
      this.#filling = new Uint8Array(this.#parts.next(this.#filling).value);
      this.#filled = 0;
    }
  }
}

/** Asks for the parts of frames by their length in bytes, never 0. */
function* parse(onMessage: (message: unknown) => void): Generator<number, never, Uint8Array<ArrayBuffer>> {
  for (;;) {
    const prefix = yield PREFIX_BYTES;
    const header = v8.deserialize(yield new DataView(prefix.buffer).getUint32(0, true)) as Header;
    const payloads: Uint8Array<ArrayBuffer>[] = [];
    for (const size of header.sizes) payloads.push(size === 0 ? new Uint8Array(0) : yield size);
    onMessage(restore(header, payloads));
  }
}

/** Puts the arrays back in the place of their stand-ins, within the freshly read message. */
function restore({ tag, message }: Header, payloads: readonly Uint8Array<ArrayBuffer>[]): unknown {
  const seen = new Map<object, unknown>();
  const visit = (node: unknown): unknown => {
    if (typeof node !== "object" || node === null) return node;
    if (seen.has(node)) return seen.get(node);
    if (Array.isArray(node)) {
      seen.set(node, node);
      for (const [index, item] of node.entries()) node[index] = visit(item);
      return node;
    }
    if (!isPlain(node)) return node;
    const index = node[tag];
    if (typeof index === "number") {
      const buffer = (payloads[index] as Uint8Array<ArrayBuffer>).buffer;
      const kind = node.kind as ViewKind | "ArrayBuffer";
      const array = kind === "ArrayBuffer" ? buffer : new VIEWS[kind](buffer);
      seen.set(node, array);
      return array;
    }
    seen.set(node, node);
    for (const [key, item] of Object.entries(node)) node[key] = visit(item);
    return node;
  };
  return visit(message);
}

/** Writes frames one after the other, at the pace of the reader. */
export class FrameWriter {
  readonly #stream: Writable;
  #last: Promise<void> = Promise.resolve();

  constructor(stream: Writable) {
    this.#stream = stream;
    // A broken pipe: the other process is gone, and its `exit` says more than this event knows.
    stream.on("error", () => stream.destroy());
  }

  /**
   * Resolves when all of the frame is with the stream, or the stream is gone. Throws at once for what cannot be cloned.
   */
  write(message: unknown): Promise<void> {
    const parts = encodeFrame(message);
    this.#last = this.#last.then(() => this.#send(parts));
    return this.#last;
  }

  async #send(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of parts) {
      for (let at = 0; at < part.byteLength; at += WRITE_BYTES) {
        if (this.#stream.destroyed || this.#stream.writableEnded) return;
        if (!this.#stream.write(part.subarray(at, at + WRITE_BYTES))) await drained(this.#stream);
      }
    }
  }
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done);
      stream.off("close", done);
      resolve();
    };
    stream.on("drain", done);
    stream.on("close", done);
  });
}
