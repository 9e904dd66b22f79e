import type { Readable } from "node:stream";
import { messageOf } from "../../base/log.ts";
import { StoreUnavailable } from "../../ports/mod.ts";
import { IDLE_MS } from "./client.ts";

/** How often one stream goes on after a broken connection. */
const RESUMES_MAX = 10;
const RESUME_PAUSE_MS = 250;

/**
 * The bytes from `start` to `end`, both included, out of `body`. Where the connection breaks, stops or ends early, it
 * goes on from the byte it had come to, with what `reopen` gives.
 */
export function resumingStream(
  key: string,
  body: Readable,
  start: number,
  end: number,
  reopen: (start: number) => Promise<Readable>,
): ReadableStream<Uint8Array> {
  let source = body;
  let chunks = source.iterator({ destroyOnReturn: true });
  let position = start;
  let resumes = 0;
  let canceled = false;

  const next = async (): Promise<Uint8Array | undefined> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stalled = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`nothing came for ${IDLE_MS / 1000} s`)), IDLE_MS);
    });
    try {
      const { value, done } = (await Promise.race([chunks.next(), stalled])) as IteratorResult<Uint8Array, undefined>;
      if (done) throw new Error(`it ended at byte ${position}, before ${end}`);
      return value;
    } finally {
      clearTimeout(timer);
    }
  };

  const resume = async (error: unknown): Promise<void> => {
    source.destroy();
    for (let why = error; ; ) {
      if (canceled) return;
      if (++resumes > RESUMES_MAX) {
        const said = messageOf(why);
        throw new StoreUnavailable(`Cannot read "${key}" on: ${said}`, { cause: why });
      }
      await new Promise((resolve) => setTimeout(resolve, RESUME_PAUSE_MS));
      try {
        source = await reopen(position);
        chunks = source.iterator({ destroyOnReturn: true });
        return;
      } catch (again) {
        why = again;
      }
    }
  };

  return new ReadableStream({
    type: "bytes",
    start(controller) {
      if (start <= end) return;
      source.destroy();
      controller.close();
    },
    async pull(controller) {
      while (!canceled) {
        let chunk: Uint8Array | undefined;
        try {
          chunk = await next();
        } catch (error) {
          await resume(error);
          continue;
        }
        if (canceled || chunk === undefined) return;
        if (chunk.length === 0) continue;
        // More than was asked for is nothing that we asked for.
        const wanted = chunk.subarray(0, Math.min(chunk.length, end - position + 1));
        position += wanted.length;
        // A copy: the chunk may share its memory with others, and is given away here.
        controller.enqueue(new Uint8Array(wanted));
        if (position <= end) return;
        source.destroy();
        controller.close();
        // Tells a reader with a buffer of its own that there is no more.
        controller.byobRequest?.respond(0);
        return;
      }
    },
    cancel() {
      canceled = true;
      source.destroy();
    },
  });
}
