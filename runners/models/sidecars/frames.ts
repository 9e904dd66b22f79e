/**
 * The body that carries audio, in both directions: lines of JSON, each ended by a line feed. A line that says `bytes` is followed by exactly so many,
 * and then by the next line. Lengths are known before their bytes come, so that whoever reads bounds them first; nothing is searched for a boundary.
 */
import { wrong } from "./fault.ts";

export const FRAMES_TYPE = "application/vnd.tonwerk.frames";

const LINE_BYTES_MAX = 65_536;
/** Of all lines together: an hour of one every second is a tenth of it. */
const LINES_BYTES_MAX = 4_000_000;
const NEW_LINE = 10;

/** Takes a parsed line; returns where the bytes that it announced go, which must be as long as it says. */
export type OnLine = (line: Readonly<Record<string, unknown>>) => Uint8Array | undefined;

export class FramesReader {
  readonly #onLine: OnLine;
  #line = new Uint8Array(256);
  #length = 0;
  #lines_bytes = 0;
  #into: Uint8Array | undefined;
  #at = 0;

  readonly #isDone: () => boolean;

  constructor(onLine: OnLine, isDone: () => boolean) {
    this.#onLine = onLine;
    this.#isDone = isDone;
  }

  /** In the middle of a line or of announced bytes. */
  get is_open(): boolean {
    return this.#into !== undefined || this.#length > 0;
  }

  /** @throws SidecarFault where it is none of these bodies, and what `onLine` throws */
  push(piece: Uint8Array): void {
    for (let at = 0; at < piece.length && !this.#isDone(); ) {
      if (this.#into !== undefined) {
        const count = Math.min(piece.length - at, this.#into.length - this.#at);
        this.#into.set(piece.subarray(at, at + count), this.#at);
        at += count;
        this.#at += count;
        if (this.#at === this.#into.length) this.#into = undefined;
        continue;
      }
      const end = piece.indexOf(NEW_LINE, at);
      this.#add(piece.subarray(at, end < 0 ? piece.length : end));
      at = end < 0 ? piece.length : end + 1;
      if (end >= 0) this.#finish();
    }
  }

  #add(part: Uint8Array): void {
    const length = this.#length + part.length;
    this.#lines_bytes += part.length + 1;
    if (length > LINE_BYTES_MAX) throw wrong(`a line of its answer is longer than ${LINE_BYTES_MAX} bytes`);
    if (this.#lines_bytes > LINES_BYTES_MAX) throw wrong(`its answer has more than ${LINES_BYTES_MAX} bytes of lines`);
    if (length > this.#line.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#line.length));
      grown.set(this.#line.subarray(0, this.#length));
      this.#line = grown;
    }
    this.#line.set(part, this.#length);
    this.#length = length;
  }

  #finish(): void {
    const text = new TextDecoder().decode(this.#line.subarray(0, this.#length)).trim();
    this.#length = 0;
    // Says that it lives.
    if (text === "") return;
    let line: unknown;
    try {
      line = JSON.parse(text);
    } catch {
      throw wrong("a line of its answer is not JSON");
    }
    if (typeof line !== "object" || line === null || Array.isArray(line))
      throw wrong("a line of its answer is no object");
    const into = this.#onLine(line as Record<string, unknown>);
    this.#at = 0;
    this.#into = into === undefined || into.length === 0 ? undefined : into;
  }
}

/** One body of these lines and what follows each. */
export function joinFrames(
  frames: readonly { readonly line: object; readonly channels?: readonly Float32Array[] }[],
): Uint8Array {
  const encoder = new TextEncoder();
  const parts = frames.flatMap(({ line, channels = [] }) => [
    encoder.encode(`${JSON.stringify(line)}\n`),
    ...channels.map((channel) => new Uint8Array(channel.buffer, channel.byteOffset, channel.byteLength)),
  ]);
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
