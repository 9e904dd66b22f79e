/**
 * One open response of server-sent events: what its reader is too slow for is kept once for each operation, and within
 * bounds.
 */

export interface EventStream {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Sends it when the reader has room; what waits under the same key, and would be stale by then, is left out. */
  send(key: string, text: string): void;
  /** Resolves when little waits, or the stream is closed. */
  room(): Promise<void>;
  /**
   * Shows a reader that has room that the connection lives. Closes the stream of one that had none since the last call
   * but one.
   */
  beat(): void;
  /** Without what still waits: whoever resumes is told again. `after`: once that is sent. */
  close(after?: boolean): void;
}

/**
 * Operations with something to tell, of which each has some 2 KB: whoever is further behind resumes from what it has
 * read.
 */
const WAITING_MAX = 250;
const ROOM = 50;
/** Chunks that the runtime takes before somebody reads them. */
const CHUNKS = 4;

/** `onClose` is called once, whichever side ends it. */
export function openStream(onClose: () => void): EventStream {
  const encoder = new TextEncoder();
  const waiting = new Map<string, string>();
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  let closed = false;
  let closing = false;
  let silent = 0;
  let roomy = Promise.withResolvers<void>();

  const finish = (): void => {
    if (closed) return;
    closed = true;
    waiting.clear();
    roomy.resolve();
    onClose();
  };
  const close: EventStream["close"] = (after = false) => {
    closing = true;
    if (closed || (after && waiting.size > 0)) return;
    finish();
    controller.close();
  };
  const flush = (): void => {
    for (const [key, text] of waiting) {
      if (closed || (controller.desiredSize ?? 0) <= 0) break;
      waiting.delete(key);
      controller.enqueue(encoder.encode(text));
      silent = 0;
    }
    if (waiting.size < ROOM) roomy.resolve();
    if (closing) close(true);
  };

  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(given) {
        controller = given;
      },
      pull() {
        silent = 0;
        flush();
      },
      cancel: finish,
    },
    { highWaterMark: CHUNKS },
  );

  return {
    body,
    send(key, text) {
      if (closed || closing) return;
      // At the end of the line: what is read last is what a resumption begins after.
      waiting.delete(key);
      waiting.set(key, text);
      if (waiting.size > WAITING_MAX) close();
      else flush();
    },
    room() {
      if (closed || waiting.size < ROOM) return Promise.resolve();
      roomy = Promise.withResolvers();
      return roomy.promise;
    },
    beat() {
      if (closed) return;
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": \n\n"));
      else if (++silent > 2) close();
    },
    close,
  };
}
