/**
 * Deno's server reads whatever a client sends behind a request that waits for its answer, and keeps it: 1.2 GB in 4 s
 * for four connections. JavaScript sees none of it. The kernel does: bytes wait on the socket of who floods, and never
 * on that of a client that waits for its answer. So when memory grows, the connections with such bytes are ended.
 * Linux only; elsewhere a proxy in front has to.
 */

import { readFile } from "node:fs/promises";

interface Remote {
  readonly hostname: string;
  readonly port: number;
}

/** A request without an answer, or an answer that is still being sent. */
interface Open {
  readonly remote: Remote;
  readonly since: number;
  readonly end: () => void;
}

/** How often memory is looked at while anything is open, ms. */
const EVERY_MS = 100;
/** What is over sooner cannot gather much, ms. */
const OPEN_MS = 200;
/** Growth from which the sockets are looked at, bytes. A job grows as well, and then a look finds nobody. */
const GROWTH = 32e6;
/** For how long a low of memory counts, ms: what grows more slowly is answered before it is much. */
const LOW_MS = 60_000;

export interface PipelineGuard {
  /** Settles as `answering` does, or as `refuse` answers once bytes pile up behind the request. */
  untilAnswered(remote: Remote, answering: Promise<Response>, refuse: () => Promise<Response>): Promise<Response>;
  /** The same answer; its body fails once bytes pile up behind the request. */
  untilSent(remote: Remote, response: Response): Response;
}

/** @param reason what bodies fail with */
export function createPipelineGuard(reason: Error): PipelineGuard {
  const open = new Set<Open>();
  let looking = false;
  let low = Number.POSITIVE_INFINITY;
  let low_at = 0;

  function enter(remote: Remote, end: () => void): () => void {
    const one = { remote, since: performance.now(), end };
    open.add(one);
    if (!looking) setTimeout(look, EVERY_MS);
    looking = true;
    return () => void open.delete(one);
  }

  async function look(): Promise<void> {
    const now = performance.now();
    const bytes = process.memoryUsage.rss();
    if (bytes < low || now - low_at > LOW_MS) [low, low_at] = [bytes, now];
    const long = bytes - low > GROWTH ? [...open].filter(({ since }) => now - since > OPEN_MS) : [];
    if (long.length > 0) {
      const flooded = await remotesWithUnreadBytes();
      for (const { remote, end } of long) if (flooded.has(nameOf(remote))) end();
    }
    looking = open.size > 0;
    if (looking) setTimeout(look, EVERY_MS);
  }

  return {
    untilAnswered: (remote, answering, refuse) =>
      new Promise((resolve, reject) => {
        const leave = enter(remote, () => {
          leave();
          resolve(refuse());
        });
        answering.then(resolve, reject).finally(leave);
      }),
    untilSent: (remote, response) => {
      if (response.body === null) return response;
      const reader = response.body.getReader();
      let leave = () => {};
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => {
            leave = enter(remote, () => {
              leave();
              controller.error(reason);
              reader.cancel(reason).catch(() => undefined);
            });
          },
          pull: async (controller) => {
            const { done, value } = await reader.read().catch((error: unknown) => {
              leave();
              throw error;
            });
            if (!done) return controller.enqueue(value);
            leave();
            controller.close();
          },
          cancel: (why) => {
            leave();
            return reader.cancel(why);
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, response);
    },
  };
}

/**
 * "address port" of every established connection whose bytes nobody has read yet. Empty where the kernel does not tell.
 */
async function remotesWithUnreadBytes(): Promise<ReadonlySet<string>> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/self/net/${name}`, "utf8").catch(() => "")),
  );
  const found = new Set<string>();
  for (const line of tables.join("\n").split("\n")) {
    // Columns of proc(5): slot, local, remote, state (01: established), bytes to send:bytes to read.
    const [, remote, unread] = /^\s*\d+: \S+ (\S+) 01 [0-9A-F]{8}:([0-9A-F]{8}) /.exec(line) ?? [];
    if (remote === undefined || Number.parseInt(unread!, 16) === 0) continue;
    const [address, port] = remote.split(":") as [string, string];
    found.add(nameOf({ hostname: addressOf(address), port: Number.parseInt(port, 16) }));
  }
  return found;
}

function nameOf({ hostname, port }: Remote): string {
  return `${hostname.includes(":") ? new URL(`http://[${hostname}]`).hostname : hostname} ${port}`;
}

/**
 * From how the kernel prints it: 32-bit words, each in the machine's own order, which is little-endian wherever Deno
 * runs.
 */
function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => word.match(/../g)!.reverse());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join(".");
  return Array.from({ length: 8 }, (_, n) => `${bytes[2 * n]}${bytes[2 * n + 1]}`).join(":");
}
