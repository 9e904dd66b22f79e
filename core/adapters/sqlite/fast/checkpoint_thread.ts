// Gain: as checkpoint.ts, whose thread this is.
/**
 * Copies the log into the database on a thread and a connection of its own, beside the thread that writes: neither waits for the other.
 * Started by checkpoint.ts as a Web Worker.
 */
import type { DatabaseSync } from "node:sqlite";
import { copyLog, openForCheckpoints } from "../connection.ts";
import { isUnavailable } from "../errors.ts";

export type ToCheckpointer = { readonly kind: "copy"; readonly file: string } | { readonly kind: "close" };
export type FromCheckpointer =
  /** So many pages the log has, copied ones too; it begins anew only once somebody finds all of them copied. */
  { readonly kind: "copied"; readonly log_pages: number } | { readonly kind: "closed" };

// Kept reachable here: Bun closes a connection that is collected.
let db: DatabaseSync | undefined;

self.onmessage = ({ data }: MessageEvent<ToCheckpointer>) => {
  switch (data.kind) {
    case "copy":
      return answer({ kind: "copied", log_pages: copy(data.file) });
    case "close":
      db?.close();
      db = undefined;
      return answer({ kind: "closed" });
    default:
      throw new Error(`Cannot read the message ${JSON.stringify(data satisfies never)}: it is of no known kind`);
  }
};

/** How many pages the log has. */
function copy(file: string): number {
  let log_pages = 0;
  try {
    db ??= openForCheckpoints(file);
    for (let round = 1; round <= ROUNDS; round++) {
      const { log, left } = copyLog(db);
      log_pages = log;
      // What was written meanwhile; each round has less of it.
      if (left <= FEW_PAGES) break;
    }
  } catch (error) {
    // A full disk and the like: the log keeps everything, and the next commit says what is wrong to those who wait for it.
    if (!isUnavailable(error)) throw error;
  }
  return log_pages;
}

function answer(message: FromCheckpointer): void {
  self.postMessage(message);
}

const ROUNDS = 3;
/** Few enough to leave to the thread that writes. */
const FEW_PAGES = 64;
