import { messageOf } from "../../base/log.ts";
import { StoreUnavailable } from "../../ports/mod.ts";

/**
 * True when the database cannot serve now (full or broken disk, locked, unreadable), false for a mistake in our own
 * calls. Prepared statements carry SQLite's result code in `errcode`; on Deno `exec()` and the constructor carry the
 * message alone.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const errcode = "errcode" in error ? error.errcode : undefined;
  // The low byte is the primary code, the rest only refines it: https://www.sqlite.org/rescode.html
  if (typeof errcode === "number") return UNAVAILABLE.has(errcode & 0xff);
  return "code" in error && error.code === "ERR_SQLITE_ERROR" && UNAVAILABLE_TEXT.test(error.message);
}

const UNAVAILABLE = new Set([
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
  22, // NOLFS
  26, // NOTADB
]);

const UNAVAILABLE_TEXT =
  /locked|out of memory|readonly database|disk I\/O error|disk is full|malformed|unable to open|locking protocol|large file support|not a database/;

/** An error as it crosses the border between the writing thread and its client. */
export interface PackedError {
  readonly unavailable: boolean;
  readonly message: string;
  readonly stack: string | undefined;
}

export function packError(error: unknown): PackedError {
  return {
    unavailable: isUnavailable(error),
    message: messageOf(error),
    stack: error instanceof Error ? error.stack : undefined,
  };
}

/**
 * `attempted` begins the message of a StoreUnavailable, e.g. `Cannot write to the database`. The stack of the other
 * side is in `cause`.
 */
export function unpackError(packed: PackedError, attempted: string): Error {
  const cause = new Error(packed.message);
  if (packed.stack !== undefined) cause.stack = packed.stack;
  return packed.unavailable
    ? new StoreUnavailable(`${attempted}: ${packed.message}`, { cause })
    : new Error(packed.message, { cause });
}

/** What SQLite throws on this side of the border becomes what the port promises. */
export function asStoreError(error: unknown, attempted: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable || !isUnavailable(error)) return error;
  return new StoreUnavailable(`${attempted}: ${error.message}`, { cause: error });
}
