/**
 * What can be said of a URL before anything is resolved: its text, its scheme, and whether its host is the literal of
 * an address that must not be reached. Names that resolve to such addresses are found out where the connection is made.
 */
import { isIP } from "node:net";
import { matches } from "./addresses.ts";
import type { IssueType } from "./errors.ts";

export interface UrlProblem {
  readonly type: IssueType;
  readonly msg: string;
}

/** Hosts that may be reached although private (TONWERK_PRIVATE_HOSTS): names, addresses and CIDR ranges. */
export type PrivateHosts = (host: string) => boolean;

/** RFC 1035, section 2.3.4: 255 octets on the wire are 253 characters, without the dot at the end. */
const HOST_MAX = 253;

/** Why this is not an absolute http(s) URL; undefined: it is one. */
export function checkUrl(text: string): UrlProblem | undefined {
  // URL parsers strip tabs and line breaks silently, so that what is checked would not be what is requested.
  if (/[\u0000-\u0020\u007f-\u009f\\]/u.test(text)) {
    return { type: "url_invalid", msg: "Must not contain spaces, control characters or backslashes" };
  }
  const url = URL.parse(text);
  if (url === null) return { type: "url_invalid", msg: "Must be an absolute URL" };
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { type: "url_scheme", msg: "Must be an HTTPS URL" };
  }
  // A parser would take `x` for the host of `https:///x`.
  if (/^https?:(?!\/\/[^/?#])/i.test(text)) {
    return { type: "url_invalid", msg: "Must have two slashes and a host after the scheme" };
  }
  if (url.username !== "" || url.password !== "") {
    return { type: "url_invalid", msg: "Must not contain a user name or password" };
  }
  if (url.port === "0") return { type: "url_invalid", msg: "Must not name port 0" };
  if (hostOf(url).length > HOST_MAX)
    return { type: "url_invalid", msg: `Must not name a host of over ${HOST_MAX} characters` };
  return undefined;
}

/** Scheme and literal host of a URL that `checkUrl` accepted. `allowed` hosts pass, over http too. */
export function checkReach(text: string, allowed: PrivateHosts): UrlProblem | undefined {
  const url = new URL(text);
  const host = hostOf(url);
  if (allowed(host)) return undefined;
  if (url.protocol !== "https:") return { type: "url_scheme", msg: "Must be an HTTPS URL" };
  if (isForbiddenHost(host)) {
    return { type: "url_forbidden_address", msg: "Must not name a private or reserved address" };
  }
  return undefined;
}

/** Host without brackets and without the dot that marks a name as complete. */
export function hostOf(url: URL): string {
  const { hostname } = url;
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

/** True for a literal that is not globally reachable, and for `localhost` names. Other names are resolved later. */
export function isForbiddenHost(host: string): boolean {
  if (isName(host)) return host === "localhost" || host.endsWith(".localhost");
  return isForbiddenAddress(host);
}

/**
 * Cheap where it is a name that ends in a letter, which no IPv4 literal does that a URL parser gives out, and has no
 * colon.
 */
function isName(host: string): boolean {
  return (/[a-z]$/i.test(host) && !host.includes(":")) || isIP(host) === 0;
}

/** True unless the text is the address of globally reachable unicast (IANA special-purpose registries, as of 2026). */
export function isForbiddenAddress(address: string): boolean {
  const family = isIP(address);
  // An address with a zone id is one of this machine's own links.
  if (family === 0 || address.includes("%")) return true;
  return (family === 6 && !matches(GLOBAL_V6, address)) || matches(FORBIDDEN, address);
}

// IPv6 is an allow-list: only 2000::/3 is global unicast, so mapped, translated, unique-local and link-local are all
// outside.
const GLOBAL_V6 = ["2000::/3"];
const FORBIDDEN = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Protocol assignments with Teredo, documentation, 6to4 (which carries an IPv4 address), documentation again.
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
];
