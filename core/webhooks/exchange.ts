/**
 * What is kept of an attempt for whoever looks for a fault: the headers that were sent, the signature among them, which
 * proves this body alone; and those that came back, without values that may let somebody in at the receiver's.
 */
import type { Exchange } from "../ports/mod.ts";

/** Names whose values are not kept. */
const HIDDEN = /cookie|auth|token|secret|password|session|api-?key|credential/u;
const HEADERS_MAX = 40;
const VALUE_MAX = 500;

export function describeExchange(
  url: string,
  request: Readonly<Record<string, string>>,
  signed_by: readonly string[],
  response: Readonly<Record<string, string>> | null,
): Exchange {
  return {
    url: withoutPassword(url),
    request: Object.entries(request),
    signed_by,
    response: response === null ? null : Object.entries(response).slice(0, HEADERS_MAX).map(keepHeader),
  };
}

function keepHeader([name, value]: readonly [string, string]): readonly [string, string] {
  const kept = HIDDEN.test(name) ? `(hidden, ${value.length} characters)` : value.slice(0, VALUE_MAX);
  return [name.slice(0, VALUE_MAX), kept];
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  if (parsed.password === "") return url;
  parsed.password = "hidden";
  return parsed.href;
}
