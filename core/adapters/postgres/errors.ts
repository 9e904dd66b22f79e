import { StoreUnavailable } from "../../ports/mod.ts";
import { LinkLost } from "./link.ts";

/** SQLSTATE of a server's answer. https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    /^[0-9A-Z]{5}$/u.test(error.code)
    ? error.code
    : undefined;
}

/** Another transaction was in the way (deadlock, serialisation failure): rolled back, and likely to succeed now. */
export function isContention(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40001" || code === "40P01";
}

/**
 * True when the database cannot serve now, false for a mistake in our own call. 57014 is the statement's time limit,
 * 55P03 a lock's, 25006 a server that has become a standby.
 */
function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable || error instanceof LinkLost) return true;
  const code = codeOf(error);
  if (code === undefined) return false;
  return UNAVAILABLE_CLASSES.has(code.slice(0, 2)) || code === "55P03" || code === "25006";
}

const UNAVAILABLE_CLASSES = new Set([
  "08", // connection exception
  "28", // authorisation
  "3D", // no such database
  "40", // transaction rollback
  "53", // insufficient resources: disk full, too many connections
  "57", // operator intervention: shutdown, time limit
  "58", // system error: I/O
  "XX", // internal error, corrupted data
]);

/** What the server or the connection said becomes what the port promises. `attempted` begins the message. */
export function asStoreError(error: unknown, attempted: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable || !isUnavailable(error)) return error;
  return new StoreUnavailable(`${attempted}: ${error.message}`, { cause: error });
}
