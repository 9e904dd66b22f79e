/** Readers of hosts, addresses and URLs. */
import { normalAddress, normalRange } from "../addresses.ts";
import { readAs, readSecretAs } from "./variable.ts";

export const readHost = readAs(
  "an address or a host name, without scheme and port",
  (given) => normalAddress(given) ?? normalHostName(given),
);

export const readRange = readAs("addresses and CIDR ranges such as 10.0.0.0/8", normalRange);

export const readHostOrRange = readAs(
  "host names, addresses and CIDR ranges, without scheme and port",
  (given) => normalRange(given) ?? normalHostName(given),
);

/** In lower case. A name whose last label is a number would be a mistyped address. */
function normalHostName(given: string): string | undefined {
  const labels = given.toLowerCase().split(".");
  const is_name = labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  return is_name && !/^[0-9]+$/.test(labels.at(-1)!) ? labels.join(".") : undefined;
}

export const readNameServer = readAs("addresses such as 10.0.0.2, 10.0.0.2:5353 or [fd00::2]:5353", (given) => {
  const alone = normalAddress(given);
  if (alone !== undefined) return alone;
  const [, address = "", port = ""] = /^(.+):([0-9]{1,5})$/u.exec(given) ?? [];
  // As a URL writes them: IPv6 stands in brackets before a port, IPv4 does not.
  const is_bracketed = address.startsWith("[");
  const normal = normalAddress(address.replace(/^\[(.*:.*)\]$/u, "$1"));
  const fits = normal !== undefined && address.includes(":") === is_bracketed;
  return fits && Number(port) >= 1 && Number(port) <= 65_535 ? `${address}:${port}` : undefined;
});

export const readBaseUrl = readSecretAs("an http or https URL without user name, query and fragment", (given) => {
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#\s]/.test(given)) return undefined;
  return url.username === "" && url.password === "" ? url.href.replace(/\/+$/, "") : undefined;
});

/** Any URL of these protocols that names a host. */
export function readUrlOf(...protocols: readonly string[]): (given: string) => string {
  const schemes = protocols.map((protocol) => `${protocol}//`).join(" or ");
  return readSecretAs(`a URL that begins with ${schemes} and names a host`, (given) => {
    const url = URL.parse(given);
    const fits = url !== null && protocols.includes(url.protocol) && url.hostname !== "" && !/\s/.test(given);
    return fits ? given : undefined;
  });
}
