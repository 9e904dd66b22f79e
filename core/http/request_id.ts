/** Request ids, on every answer and in the log: what a client sent as `x-request-id`, or one of ours. */
import { randomBytes } from "node:crypto";

export function identify({ headers }: Request): string {
  const given = headers.get("x-request-id");
  // What could not stand in a log as it is gets one of ours.
  return given !== null && REQUEST_ID.test(given) ? given : newRequestId();
}

const REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** From parts that are strings already: writing a number costs each answer as much as setting the header. */
function newRequestId(): string {
  if (next === ENDS.length) [start, next] = [newStart(), 0];
  return start + ENDS[next++]!;
}

const newStart = (): string => `req_${randomBytes(8).toString("hex")}`;
const ENDS: readonly string[] = Array.from({ length: 1296 }, (_, end) => end.toString(36).padStart(2, "0"));
let start = newStart();
let next = 0;
