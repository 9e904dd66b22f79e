/** What is on its way out says so with each answer: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
import type { Deprecation } from "../../contract/mod.ts";

/** Days begin at midnight, UTC. The changelog tells what to use instead. */
export function announceEnd({ headers }: Response, { since, sunset }: Deprecation): void {
  headers.set("deprecation", `@${Date.parse(since) / 1000}`);
  if (sunset !== undefined) headers.set("sunset", new Date(sunset).toUTCString());
  headers.append("link", '</v1/changelog>; rel="deprecation"; type="application/json"');
}
