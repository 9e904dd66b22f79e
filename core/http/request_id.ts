/** Request ids, on every answer and in the log: what a client sent as `x-request-id`, or one of ours. */
import { randomBytes } from "node:crypto";

export function identify({ headers }: Request): string {
  const given = headers.get("x-request-id");
  // What could not stand in a log as it is gets one of ours.
  return given !== null && REQUEST_ID.test(given) ? given : newRequestId();
}

const REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/;

function newRequestId(): string {
  return `req_${PROCESS}${(count++).toString(36)}`;
}

const PROCESS = randomBytes(8).toString("hex");
let count = 0;
