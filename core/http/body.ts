/** Request bodies: counted while they arrive, refused before they are parsed. */
import { setTimeout } from "node:timers";
import { refuse } from "../base/errors.ts";
import { parseBody } from "../base/json.ts";
import { createTurns } from "../base/timers.ts";

/** Bytes of a JSON request. The largest valid one, with 3,000 escaped characters of lyrics, is under 30 KB. */
export const JSON_BYTES_MAX = 65_536;

/** How slow a sender may be. */
export interface Pace {
  /** Without a byte. */
  readonly idle_ms: number;
  /** From the first read to the end. */
  readonly whole_ms: number;
}

/** For bodies of a few kilobytes: a slow sender holds a connection, and nothing else. */
const SMALL_PACE: Pace = { idle_ms: 10_000, whole_ms: 30_000 };
/** For files, whose time depends on the line. */
const FILE_PACE: Pace = { idle_ms: 30_000, whole_ms: Number.POSITIVE_INFINITY };

/** The JSON value of the body. Refuses with 413, 415 and 422, and like every reader of a body with 400 and 408. */
export async function readJson(request: Request): Promise<unknown> {
  return parseBody(await readJsonBytes(request));
}

/** The body of a request that says it is JSON; refuses with 413 and 415. */
export function readJsonBytes(
  request: Request,
  bytes_max = JSON_BYTES_MAX,
  pace: Pace = SMALL_PACE,
): Promise<Uint8Array> {
  const { headers } = request;
  if (!isJson(headers.get("content-type"))) return Promise.reject(refuse.notJson());
  if (isCompressed(headers.get("content-encoding"))) return Promise.reject(refuse.compressed());
  // Reading it in one piece costs a third of what a stream costs. The server reads no more than was announced.
  return isAnnounced(request, bytes_max)
    ? readAtOnce(request, bytes_max, pace.whole_ms)
    : readBytes(request, bytes_max, pace);
}

function isCompressed(content_encoding: string | null): boolean {
  return content_encoding !== null && content_encoding.trim().toLowerCase() !== "identity";
}

/** `application/json`, with no charset but UTF-8. */
function isJson(content_type: string | null): boolean {
  if (content_type === "application/json") return true;
  const [type = "", ...parameters] = (content_type ?? "").toLowerCase().split(";");
  if (type.trim() !== "application/json") return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=");
    return name.trim() !== "charset" || value.trim().replaceAll('"', "") === "utf-8";
  });
}

/** The whole body, at most `bytes_max`. Refuses with 413 as soon as it is known to be larger. */
export async function readBytes(request: Request, bytes_max: number, pace: Pace = SMALL_PACE): Promise<Uint8Array> {
  const whole = new Collector();
  for await (const chunk of countedBody(request, bytes_max, pace)) whole.add(chunk);
  return whole.bytes();
}

/** Joins bytes as they come. The cost grows with the bytes, not with the number of pieces. */
export class Collector {
  #held = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }
  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#held.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#held.length, COLLECTED_BYTES_MIN));
      larger.set(this.bytes());
      this.#held = larger;
    }
    this.#held.set(chunk, this.#length);
    this.#length = length;
  }
  /** What was added so far, without a copy. */
  bytes(): Uint8Array {
    return this.#held.subarray(0, this.#length);
  }
}

const COLLECTED_BYTES_MIN = 1_024;

function isAnnounced(request: Request, bytes_max: number): boolean {
  const announced = request.headers.get("content-length");
  return announced !== null && Number(announced) <= bytes_max;
}

/** Smaller pieces are joined before they are handed on, or a sender could force a write to the disk for each byte. */
const PIECE_BYTES_MIN = 8_192;

/** So many chunks may have any size. If there are more, they must bring CRUMB_BYTES on average. */
const CRUMBS_MAX = 250;
const CRUMB_BYTES = 128;

/** How a body is read. */
interface Framing {
  /**
   * The most that one read brings. With each chunk Deno takes up to this much from the socket, and moves all that
   * waits.
   */
  readonly read_bytes: number;
  /** Smaller pieces cost more to take than to hold. */
  readonly crumb_bytes_max: number;
}

const ANNOUNCED: Framing = { read_bytes: 65_536, crumb_bytes_max: 256 };
/** A chunk costs 6 µs on Deno, whatever is in it. */
const CHUNKED: Framing = { read_bytes: 4_096, crumb_bytes_max: 2_048 };

/** Chunks that are taken without a pause: a tenth of a millisecond, on Deno a whole one where megabytes wait. */
const CRUMBS_AT_ONCE = 32;

/**
 * A turn for a body that comes in crumbs but is not refused. All such bodies take turns, with a pause after each, so
 * that together they have a bounded part of the event loop. On Bun, what arrives during the pause is one piece.
 */
const turnOfCrumbs = createTurns(4);
/** A body that is refused costs 3 ms on Deno and less on Bun: 250 reads, and the end of a connection full of crumbs. */
const turnToRefuse = createTurns(30);

/** Time for the answer to be on its way. */
const CANCEL_MS = 100;

/** The body in pieces of some kilobytes. Refuses with 413 if the announced or counted length is too large. */
export async function* countedBody(
  request: Pick<Request, "headers" | "body">,
  bytes_max: number,
  pace: Pace = FILE_PACE,
): AsyncGenerator<Uint8Array, void, undefined> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > bytes_max) throw refuse.bodyTooLarge(bytes_max);
  if (request.body === null) return;
  const { read_bytes, crumb_bytes_max } = request.headers.has("content-length") ? ANNOUNCED : CHUNKED;
  const reader = openReader(request.body, read_bytes);
  // Ends a waiting read as if the body were over. Racing each read against a promise would keep memory for every chunk.
  const watch = watchPace(pace, () => void reader.cancel().catch(() => undefined));
  let bytes = 0;
  let chunks = 0;
  let crumbs = 0;
  let is_whole = false;
  let small = new Collector();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff);
      if (watch.is_late) throw refuse.bodyTooSlow();
      if (done || value === undefined) {
        is_whole = true;
        if (small.length > 0) yield small.bytes();
        return;
      }
      watch.moved();
      bytes += value.length;
      if (++chunks > CRUMBS_MAX && bytes < chunks * CRUMB_BYTES) {
        watch.end();
        await turnToRefuse();
        throw refuse.bodyInCrumbs();
      }
      if (bytes > bytes_max) throw refuse.bodyTooLarge(bytes_max);
      // Not before the kind of body is known: Deno moves all that arrives in the meantime.
      if (chunks > CRUMBS_MAX && value.length < crumb_bytes_max && ++crumbs % CRUMBS_AT_ONCE === 0)
        await turnOfCrumbs();
      const is_large = small.length === 0 && value.length >= PIECE_BYTES_MIN;
      if (!is_large) {
        small.add(value);
        if (small.length < PIECE_BYTES_MIN) continue;
      }
      yield is_large ? value : small.bytes();
      small = new Collector();
      // A slow taker is not the sender's fault.
      watch.moved();
    }
  } finally {
    watch.end();
    // Tells the sender to stop after a refusal. Not awaited: a sender that never settles must not delay the refusal.
    // Not before the answer: Deno would read all that is still to come, but closes a connection that has its answer.
    if (!is_whole) setTimeout(() => void reader.cancel().catch(() => undefined), CANCEL_MS);
  }
}

interface BodyReader {
  /** A value of less than PIECE_BYTES_MIN is valid until the next read. */
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Unless the reader brings memory, Deno allocates and clears 64 KB for each read, even for one byte. */
function openReader(body: ReadableStream<Uint8Array>, read_bytes: number): BodyReader {
  const reader = byteReader(body);
  if (reader === undefined) return body.getReader();
  let memory = new ArrayBuffer(read_bytes);
  return {
    async read() {
      const read = await reader.read(new Uint8Array(memory));
      const { value } = read;
      memory = value === undefined || value.length >= PIECE_BYTES_MIN ? new ArrayBuffer(read_bytes) : value.buffer;
      return read;
    },
    cancel: () => reader.cancel(),
  };
}

function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    // Bun has no byte streams for bodies, and Deno none for a body that came with the head.
    return undefined;
  }
}

/** Chunks that cannot be read, or a connection that is gone. The runtime's error is not reported. */
function brokenOff(): never {
  throw refuse.bodyBrokenOff();
}

interface Watch {
  readonly is_late: boolean;
  moved(): void;
  end(): void;
}

/** Calls `late` once. The body has one timer, which checks when the last byte came, instead of one for each chunk. */
function watchPace({ idle_ms, whole_ms }: Pace, late: () => void): Watch {
  const began = performance.now();
  let moved_at = began;
  let is_late = false;
  const dueIn = (): number => Math.min(moved_at + idle_ms, began + whole_ms) - performance.now();
  const check = (): void => {
    const due_ms = dueIn();
    if (due_ms > 0) {
      timer = setTimeout(check, due_ms);
      return;
    }
    is_late = true;
    late();
  };
  let timer = setTimeout(check, dueIn());
  return {
    get is_late() {
      return is_late;
    },
    moved() {
      moved_at = performance.now();
    },
    end: () => clearTimeout(timer),
  };
}

interface Awaited {
  ticks_left: number;
  readonly late: () => void;
}

/** Bodies that are read in one piece share one clock: a timer for each would cost a submission 5 µs on Deno. */
const awaited = new Set<Awaited>();
const TICK_MS = 1_000;
let is_ticking = false;

/** Late by up to a second. */
function readAtOnce(request: Request, bytes_max: number, ms: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const body: Awaited = { ticks_left: ms / TICK_MS, late: () => reject(refuse.bodyTooSlow()) };
    awaited.add(body);
    if (!is_ticking) tick();
    request.bytes().then(
      (bytes) => {
        awaited.delete(body);
        if (bytes.length > bytes_max) reject(refuse.bodyTooLarge(bytes_max));
        else resolve(bytes);
      },
      () => {
        awaited.delete(body);
        reject(refuse.bodyBrokenOff());
      },
    );
  });
}

function tick(): void {
  is_ticking = true;
  setTimeout(() => {
    for (const body of awaited) {
      // The first tick was under way already.
      if (body.ticks_left-- > 0) continue;
      awaited.delete(body);
      body.late();
    }
    if (awaited.size > 0) tick();
    else is_ticking = false;
  }, TICK_MS).unref();
}
