/**
 * multipart/form-data (RFC 7578), part by part as it arrives, so that an upload goes to disk and not into memory. Content decides what a
 * file is; the type that a browser guesses from the name is not looked at.
 */
import { refuse } from "../../core/surface.ts";

export interface Part {
  readonly name: string;
  /** Undefined: a field. Empty: a file input where nothing was chosen. */
  readonly filename: string | undefined;
  /** To be read to its end, or left: the rest is skipped. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/** More would be an attack: names are ours and short. */
const HEADER_BYTES_MAX = 8_192;
const PARTS_MAX = 100;

/** The boundary of a `Content-Type`; undefined where it is another type. */
export function boundaryOf(content_type: string | null): string | undefined {
  const found = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/iu.exec(
    content_type ?? "",
  );
  return found?.[1] ?? found?.[2];
}

const malformed = () => refuse.invalid([{ loc: ["body"], type: "value_error", msg: "The form could not be read" }]);

/** Refuses with 422 what is cut short or no multipart. */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Part, void, undefined> {
  const reader = new Buffered(chunks[Symbol.asyncIterator]());
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  // As if the body began with a line break: the first delimiter looks like all others then.
  reader.unread(Buffer.from("\r\n", "latin1"));
  for await (const _ of upTo(reader, delimiter)) {
    // The preamble says nothing.
  }
  for (let parts = 0; ; parts++) {
    const mark = (await reader.take(2)).toString("latin1");
    if (mark === "--") return;
    if (mark !== "\r\n" || parts === PARTS_MAX) throw malformed();
    const headers = await reader.until(Buffer.from("\r\n\r\n", "latin1"), HEADER_BYTES_MAX);
    const { name, filename } = dispositionOf(headers.toString("utf8"));
    const body = upTo(reader, delimiter);
    yield { name, filename, chunks: body };
    for await (const _ of body) {
      // What nobody wanted.
    }
  }
}

function dispositionOf(headers: string): { name: string; filename: string | undefined } {
  const line = headers.split("\r\n").find((header) => /^content-disposition\s*:\s*form-data\s*;/iu.test(header));
  const name = /;\s*name="([^"]*)"/iu.exec(line ?? "")?.[1];
  if (line === undefined || name === undefined) throw malformed();
  // Browsers write quotes and line breaks as %22, %0D and %0A.
  const filename = /;\s*filename="([^"]*)"/iu.exec(line)?.[1];
  return { name, filename: filename?.replace(/%22/gu, '"').replace(/%0d|%0a/giu, " ") };
}

/** What lies before the delimiter, which is taken too. */
async function* upTo(reader: Buffered, delimiter: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const held = reader.held;
    const at = held.indexOf(delimiter);
    if (at !== -1) {
      if (at > 0) yield held.subarray(0, at);
      reader.drop(at + delimiter.length);
      return;
    }
    // The end of what is held may be the delimiter's beginning.
    const safe = held.length - delimiter.length + 1;
    if (safe > 0) {
      yield held.subarray(0, safe);
      reader.drop(safe);
    }
    await reader.more();
  }
}

const ROOM_BYTES_MIN = 4_096;
/** What is held is longer than headers only where a chunk is. */
const ROOM_BYTES_MAX = 16_384;

class Buffered {
  held: Buffer = Buffer.alloc(0);
  /** What `held` is a part of, where there is room behind it for the next chunk. */
  #room: Buffer = Buffer.alloc(0);
  readonly #source: AsyncIterator<Uint8Array>;

  constructor(source: AsyncIterator<Uint8Array>) {
    this.#source = source;
  }
  unread(bytes: Buffer): void {
    this.held = Buffer.concat([bytes, this.held]);
  }
  drop(count: number): void {
    this.held = this.held.subarray(count);
  }
  async more(): Promise<void> {
    const { value, done } = await this.#source.next();
    if (done === true) throw malformed();
    if (this.held.length === 0) this.held = Buffer.from(value.buffer, value.byteOffset, value.length);
    else this.#append(value);
  }
  /** Copies each byte once or twice, however small the chunks are. What was handed out is never written over. */
  #append(value: Uint8Array): void {
    const length = this.held.length + value.length;
    let begin = this.held.byteOffset - this.#room.byteOffset;
    const fits = this.held.buffer === this.#room.buffer && begin >= 0 && begin + length <= this.#room.length;
    if (!fits) {
      this.#room = Buffer.allocUnsafeSlow(Math.max(ROOM_BYTES_MIN, length < ROOM_BYTES_MAX ? 2 * length : length));
      this.held.copy(this.#room);
      begin = 0;
    }
    this.#room.set(value, begin + this.held.length);
    this.held = this.#room.subarray(begin, begin + length);
  }
  async take(count: number): Promise<Buffer> {
    while (this.held.length < count) await this.more();
    const taken = this.held.subarray(0, count);
    this.drop(count);
    return taken;
  }
  async until(mark: Buffer, bytes_max: number): Promise<Buffer> {
    for (let searched = 0; ; ) {
      const at = this.held.indexOf(mark, searched);
      searched = Math.max(0, this.held.length - mark.length + 1);
      if (at !== -1) {
        const found = this.held.subarray(0, at);
        this.drop(at + mark.length);
        return found;
      }
      if (this.held.length > bytes_max) throw malformed();
      await this.more();
    }
  }
}
