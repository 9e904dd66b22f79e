/** The system's own list of names, which counts before any name server. */
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import type { ResolvedAddress } from "./target.ts";

export type Hosts = ReadonlyMap<string, readonly ResolvedAddress[]>;

/** The hosts file, read at most every few seconds. One that is missing or unreadable lists nothing. */
export function watchHostsFile(path = "/etc/hosts"): () => Promise<Hosts> {
  let read_at = Number.NEGATIVE_INFINITY;
  let hosts: Promise<Hosts> = Promise.resolve(new Map());
  return () => {
    const at = Date.now();
    if (Math.abs(at - read_at) >= KEPT_MS) {
      read_at = at;
      hosts = readFile(path, "utf8").then(parseHosts, () => new Map());
    }
    return hosts;
  };
}

const KEPT_MS = 5_000;

/** Names in lower case, each with the addresses of all its lines. Addresses with a zone are left out. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, ResolvedAddress[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/u, "").trim().split(/\s+/u);
    const family = isIP(address);
    if (family === 0 || address.includes("%")) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), { address, family: family === 4 ? 4 : 6 }]);
    }
  }
  return hosts;
}
