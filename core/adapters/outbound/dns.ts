/**
 * Host name -> addresses: the hosts file, then DNS over sockets of this process. `dns.lookup` would call the system's
 * resolver in the threads that the runtime reads files with: names whose servers never answer would hold every file up.
 */
import { Resolver } from "node:dns";
import { pause, systemClock } from "../../base/timers.ts";
import { type Hosts, watchHostsFile } from "./hosts_file.ts";
import type { ResolvedAddress } from "./target.ts";

/**
 * Rejects if the name has no address. `host` is in lower case, without a final dot, and looked up as it is: search
 * domains are for people. When `signal` aborts it settles at once, with the addresses that have come in by then, if any
 * have.
 */
export type LookUpHost = (host: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>;

export interface ResolverOptions {
  /** Name servers, `address` or `address:port`, asked in this order. Empty: the system's. */
  readonly servers: readonly string[];
  /** Absent: the system's. */
  readonly hosts?: () => Promise<Hosts>;
}

export function createResolver({ servers, hosts = watchHostsFile() }: ResolverOptions): LookUpHost {
  return async (host, signal) => {
    const listed = (await Promise.race([hosts(), untilAborted(signal)]))?.get(host);
    if (listed !== undefined) return listed;
    // RFC 6761 section 6.3: never asked of a server.
    if (host === "localhost" || host.endsWith(".localhost")) return LOOPBACK;
    // Read each time: networks come and go. Deno names each server once for UDP and once for TCP.
    const known = servers.length > 0 ? servers : [...new Set(new Resolver().getServers())];
    return askServers(host, known.slice(0, SERVERS_MAX), signal);
  };
}

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];
/** As many as the system's own resolver uses. */
const SERVERS_MAX = 3;
/** How long a server may be silent before the next one is asked too. Deno alone stays with the first one. */
const NEXT_MS = 500;
/** For packets that are lost. More tries than anybody waits for: the caller's signal ends it. */
const QUERY = { timeout: 700, tries: 100 };

/** The first server that knows an address answers for all. */
async function askServers(
  host: string,
  servers: readonly string[],
  given: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  const done = new AbortController();
  const signal = AbortSignal.any([given, done.signal]);
  let turn: Promise<unknown> = Promise.resolve();
  const answers = servers.map((server) => {
    const answer = turn.then(() => askServer(host, server, signal));
    const failed = new Promise((resolve) => void answer.catch(resolve));
    turn = turn.then(() => Promise.race([failed, pause(systemClock, NEXT_MS, signal)]));
    return answer;
  });
  try {
    return await Promise.any(answers);
  } finally {
    done.abort();
  }
}

async function askServer(host: string, server: string, signal: AbortSignal): Promise<readonly ResolvedAddress[]> {
  if (signal.aborted) throw new Error("No time is left");
  // One for each name and server: a source port of its own, which forged answers would have to guess, and no cache
  // inside.
  const resolver = new Resolver(QUERY);
  resolver.setServers([server]);
  const aborted = untilAborted(signal);
  void aborted.then(() => resolver.cancel());
  const ask = (type: "resolve4" | "resolve6") =>
    new Promise<readonly string[]>((resolve) => {
      void aborted.then(() => resolve([]));
      resolver[type](host, (error, addresses) => resolve(error === null ? addresses : []));
    });
  const [v4, v6] = await Promise.all([ask("resolve4"), ask("resolve6")]);
  const found: ResolvedAddress[] = [];
  // In turns, for only the first few are tried: a machine may have a way to one family alone.
  for (let i = 0; i < Math.max(v4.length, v6.length); i++) {
    if (i < v4.length) found.push({ address: v4[i]!, family: 4 });
    if (i < v6.length) found.push({ address: v6[i]!, family: 6 });
  }
  if (found.length === 0) throw new Error(`"${server}" knows no address of "${host}"`);
  return found;
}

function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
