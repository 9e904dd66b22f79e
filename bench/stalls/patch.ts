/** Stamps the phases of each shared commit, and each checkpoint: a line of JSON in the file STALLS for each, written every second, all at once. */
import { appendFile } from "node:fs/promises";
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges } from "node:sqlite";
import type { FromThread, ToThread } from "../../core/adapters/sqlite/thread.ts";

export interface Stamped {
  readonly kind: "commit";
  /** Milliseconds since 1970 at which it began. */
  readonly at: number;
  readonly calls: number;
  /** From the arrival of its first call to its begin; 0 where that came while the commit before was under way. */
  readonly wait_ms: number;
  /** All statements. */
  readonly statements_ms: number;
  /** `COMMIT`: the log is written and synchronised. */
  readonly commit_ms: number;
}

/** A copy of the log into the database. */
export interface Copied {
  readonly kind: "checkpoint";
  readonly at: number;
  readonly ms: number;
}

const lines: string[] = [];
let arrived = 0;
let begun = 0;
let committing = 0;
let committed = 0;

const STAMPED: Readonly<Record<string, { readonly before?: () => void; readonly after?: () => void }>> = {
  "BEGIN IMMEDIATE": { before: () => (begun = performance.now()) },
  COMMIT: { before: () => (committing = performance.now()), after: () => (committed = performance.now()) },
};

const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
  const statement = prepare.call(this, sql);
  const stamps = STAMPED[sql];
  if (stamps !== undefined) {
    const run = statement.run.bind(statement) as (...values: SQLInputValue[]) => StatementResultingChanges;
    statement.run = ((...values: SQLInputValue[]) => {
      stamps.before?.();
      try {
        return run(...values);
      } finally {
        stamps.after?.();
      }
    }) as typeof statement.run;
  }
  if (sql.startsWith("PRAGMA wal_checkpoint")) {
    const get = statement.get.bind(statement) as () => ReturnType<typeof statement.get>;
    statement.get = (() => {
      const began = performance.now();
      const row = get();
      const ms = performance.now() - began;
      lines.push(JSON.stringify({ kind: "checkpoint", at: Date.now() - ms, ms } satisfies Copied));
      return row;
    }) as typeof statement.get;
  }
  return statement;
};

self.addEventListener("message", ({ data }: MessageEvent<ToThread>) => {
  if (data.kind === "calls" && arrived === 0) arrived = performance.now();
});

const post = self.postMessage.bind(self) as (message: FromThread) => void;
self.postMessage = ((message: FromThread) => {
  post(message);
  if (message.kind !== "done" || begun === 0) return;
  const stamped: Stamped = {
    kind: "commit",
    at: Date.now() - (performance.now() - begun),
    calls: message.outcomes.length,
    wait_ms: arrived === 0 ? 0 : begun - arrived,
    statements_ms: committing - begun,
    commit_ms: committed - committing,
  };
  lines.push(JSON.stringify(stamped));
  // Calls that came while it was under way wait from its end at the latest: what they waited for is this commit.
  arrived = 0;
}) as typeof self.postMessage;

setInterval(() => {
  if (lines.length === 0) return;
  void appendFile(`${process.env.STALLS}`, `${lines.splice(0).join("\n")}\n`);
}, 1_000).unref();
