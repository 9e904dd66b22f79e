/**
 * Copies the log into the database on a thread and a connection of its own, beside the thread that writes: neither waits for the other.
 * Started by sqlite_checkpoint.ts as a Web Worker.
 */
import type { DatabaseSync } from "node:sqlite";
import { openForCheckpoints } from "./sqlite_connection.ts";
import { isUnavailable } from "./sqlite_errors.ts";

export type ToCheckpointer = { readonly kind: "copy"; readonly file: string } | { readonly kind: "close" };
export type FromCheckpointer = { readonly kind: "copied" } | { readonly kind: "closed" };

// Kept reachable here: Bun closes a connection that is collected.
let db: DatabaseSync | undefined;

self.onmessage = ({ data }: MessageEvent<ToCheckpointer>) => {
  switch (data.kind) {
    case "copy":
      copy(data.file);
      return answer({ kind: "copied" });
    case "close":
      db?.close();
      db = undefined;
      return answer({ kind: "closed" });
    default:
      throw new Error(`Cannot read the message ${JSON.stringify(data satisfies never)}: it is of no known kind`);
  }
};

function copy(file: string): void {
  try {
    db ??= openForCheckpoints(file);
    // As much as is possible without waiting for anybody.
    db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get();
  } catch (error) {
    // A full disk and the like: the log keeps everything, and the next commit says what is wrong to those who wait for it.
    if (!isUnavailable(error)) throw error;
  }
}

function answer(message: FromCheckpointer): void {
  self.postMessage(message);
}
