/** The body of an answer, piece by piece as it arrives. */
import type { IncomingMessage } from "node:http";
import { OutboundError } from "./error.ts";
import type { Watch } from "./watch.ts";

export interface Body {
  /**
   * Hands over every piece, once, in order and without waiting. Resolves to the number of bytes. Rejects with what `take` throws, or with
   * OutboundError: `too_large` where a piece goes beyond `bytes_max` (that one is handed over still, and the connection ended),
   * `bad_response` where the body breaks off, or what the watch says.
   */
  read(watch: Watch, idle_ms: number, take: (piece: Uint8Array) => void): Promise<number>;
}

/**
 * Must be called as soon as the head is there.
 *
 * The stream is never paused: on Deno 2.9.6 a paused one goes on to read from its TLS connection without bound, copies what waits over and
 * over, and never hears of an end that comes meanwhile. So who reads must be done with a piece at once, and nothing piles up.
 */
export function collect(response: IncomingMessage, bytes_max: number): Body {
  // What comes before somebody reads: a few turns of the microtask queue.
  const early: Uint8Array[] = [];
  let take = (piece: Uint8Array): void => void early.push(piece);
  let bytes = 0;
  let ended = false;
  let failure: unknown;
  let settle = () => {};

  const fail = (error: unknown) => {
    if (ended || failure !== undefined) return;
    failure = error;
    settle();
    response.destroy();
  };
  const brokenOff = () => fail(new OutboundError("bad_response", "the server broke off before the end"));
  const hand = (piece: Uint8Array) => {
    try {
      take(piece);
    } catch (error) {
      fail(error);
    }
  };
  response.on("data", (piece: Uint8Array) => {
    if (failure !== undefined) return;
    bytes += piece.length;
    hand(piece);
    if (bytes > bytes_max) {
      fail(new OutboundError("too_large", `it has more than ${bytes_max.toLocaleString("en")} bytes`));
    }
  });
  response.on("end", () => {
    if (!response.complete) return brokenOff();
    ended = true;
    settle();
  });
  response.on("error", brokenOff);
  response.on("close", brokenOff);

  return {
    async read(watch, idle_ms, given) {
      const step = () => watch.step("the next piece of the body", idle_ms);
      take = (piece) => {
        step();
        given(piece);
      };
      step();
      for (const piece of early.splice(0)) hand(piece);
      const done = new Promise<number>((resolve, reject) => {
        settle = () => {
          if (failure !== undefined) reject(failure as Error);
          else if (ended) resolve(bytes);
        };
        settle();
      });
      try {
        return await watch.wait(done);
      } finally {
        // The reader may be gone by the time of a late piece, and its file closed.
        take = () => undefined;
      }
    },
  };
}
