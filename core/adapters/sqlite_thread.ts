/**
 * The thread that owns the writing connection, so that fsync blocks nobody else. Started by sqlite_writer.ts as a Web Worker.
 * Anything unforeseen ends the thread; the client then starts another one.
 */
import type { DatabaseSync } from "node:sqlite";
import { type Call, createBatchRunner, type Outcome } from "./sqlite_batch.ts";
import { openForWriting } from "./sqlite_connection.ts";
import { type PackedError, packError } from "./sqlite_errors.ts";
import { migrate } from "./sqlite_migrate.ts";
import { createVerbs } from "./sqlite_verbs.ts";

export type ToThread =
  | { readonly kind: "open"; readonly file: string; readonly now: number }
  | { readonly kind: "batch"; readonly id: number; readonly calls: readonly Call[] }
  | { readonly kind: "close" };

export type FromThread =
  | { readonly kind: "opened" }
  | { readonly kind: "refused"; readonly error: PackedError }
  | { readonly kind: "done"; readonly id: number; readonly outcomes: readonly Outcome[] }
  | { readonly kind: "closed" };

interface Open {
  // Kept reachable here: Bun closes a connection that is collected, whatever statements it still has.
  readonly db: DatabaseSync;
  readonly run: (calls: readonly Call[]) => Outcome[];
}

let open: Open | undefined;

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  switch (data.kind) {
    case "open":
      return answer(tryOpen(data.file, data.now));
    case "batch":
      if (open === undefined) throw new Error("Cannot run a batch: the database is not open");
      return answer({ kind: "done", id: data.id, outcomes: open.run(data.calls) });
    case "close":
      open?.db.close();
      open = undefined;
      return answer({ kind: "closed" });
    default:
      throw new Error(`Cannot read the message ${JSON.stringify(data satisfies never)}: it is of no known kind`);
  }
};

function answer(message: FromThread): void {
  self.postMessage(message);
}

function tryOpen(file: string, now: number): FromThread {
  let db: DatabaseSync | undefined;
  try {
    db = openForWriting(file);
    migrate(db, file, now);
    open = { db, run: createBatchRunner(db, createVerbs(db)) };
    return { kind: "opened" };
  } catch (error) {
    db?.close();
    return { kind: "refused", error: packError(error) };
  }
}
