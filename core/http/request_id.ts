/**
 * Request ids: what a client sent as `x-request-id` comes back and stands in the log; where it sent none, an answer that says no has one of
 * ours. Setting a header takes 2 µs, so an answer that needs no explanation has an id only where the client named it (or `always`).
 */
import { randomBytes } from "node:crypto";

/** Finds a request's id; undefined: it needs none yet. */
export function identifier(always: boolean): (request: Request) => string | undefined {
  return ({ headers }) => {
    const given = headers.get("x-request-id");
    if (given === null) return always ? newRequestId() : undefined;
    // What could not stand in a log as it is gets one of ours.
    return REQUEST_ID.test(given) ? given : newRequestId();
  };
}

const REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/;

export function newRequestId(): string {
  return `req_${PROCESS}${(count++).toString(36)}`;
}

const PROCESS = randomBytes(8).toString("hex");
let count = 0;
