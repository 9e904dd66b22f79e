import { asStoreError, isContention } from "./errors.ts";
import { type Link, LinkLost, type Parameter, type Row } from "./link.ts";

export interface PoolOptions {
  /** Makes one connection; `onLost` is called when it is gone. */
  readonly open: (onLost: (link: Link) => void) => Promise<Link>;
  /** Most connections. They are made as they are needed, and kept. */
  readonly size: number;
  /** The server serves again after it was away. */
  readonly onBack?: () => void;
}

export interface CallOptions {
  /** Done twice is as good as done once: tried again on another connection when one is lost. */
  readonly repeatable?: boolean;
}

/**
 * Connections that share the calls. Each call is one statement and so one atomic transaction. Rejects with
 * `StoreUnavailable` where the server cannot serve, at once while it is known to be away, and with the server's error
 * for a mistake.
 */
export interface Pool {
  query(text: string, parameters: readonly Parameter[], options?: CallOptions): Promise<readonly Row[]>;
  /** Lets the connections answer what they were asked. */
  close(): Promise<void>;
}

export function createPool({ open, size, onBack }: PoolOptions): Pool {
  const links = new Set<Link>();
  let opening = 0;
  /** The server refused a further connection a moment ago. */
  let grow_after = 0;
  let failures = 0;
  /** Why the last attempt to connect failed, while no connection is left. */
  let down: Error | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const waiting: PromiseWithResolvers<Link>[] = [];
  let closing: Promise<void> | undefined;

  async function grow(): Promise<void> {
    opening += 1;
    try {
      const link = await open((gone) => {
        links.delete(gone);
        // Not when the next call comes: by then the server may have been back for long.
        if (links.size === 0 && opening === 0 && closing === undefined) void grow();
      });
      if (link.lost) throw new LinkLost("the connection was closed");
      if (closing !== undefined) {
        await link.close();
        throw new LinkLost("it is closed");
      }
      links.add(link);
      failures = 0;
      const was_down = down !== undefined;
      down = undefined;
      for (const { resolve } of waiting.splice(0)) resolve(link);
      if (!was_down) return;
      // It refused all connections, not only one more: the others may follow at once.
      grow_after = 0;
      onBack?.();
    } catch (error) {
      grow_after = performance.now() + GROW_MS;
      if (links.size === 0 && opening === 1) fail(error instanceof Error ? error : new Error(String(error)));
    } finally {
      opening -= 1;
    }
  }

  function fail(error: Error): void {
    down = error;
    for (const { reject } of waiting.splice(0)) reject(error);
    if (closing !== undefined) return;
    clearTimeout(retry);
    // Not all nodes at once, for an attempt is a process of a server that has enough to do while it recovers.
    const spread = 0.75 + 0.5 * Math.random();
    retry = setTimeout(() => void grow(), spread * Math.min(RETRY_MS * 2 ** failures, RETRY_MS_MAX));
    if (typeof retry === "object") retry.unref();
    failures += 1;
  }

  function pick(): Link | Promise<Link> {
    let best: Link | undefined;
    for (const link of links) {
      if (link.lost) continue;
      if (link.pending === 0) return link;
      if (best === undefined || link.pending < best.pending) best = link;
    }
    if (best !== undefined) {
      if (links.size + opening < size && performance.now() > grow_after) void grow();
      return best;
    }
    if (down !== undefined) throw down;
    const waiter = Promise.withResolvers<Link>();
    waiting.push(waiter);
    if (opening === 0) void grow();
    return waiter.promise;
  }

  async function attempt(text: string, parameters: readonly Parameter[], repeatable: boolean): Promise<readonly Row[]> {
    for (let tries = 1; ; tries++) {
      try {
        const link = pick();
        // No turn of the event loop between choosing an open connection and using it.
        return await ("query" in link ? link : await link).query(text, parameters);
      } catch (error) {
        const again = isContention(error) || (repeatable && error instanceof LinkLost && down === undefined);
        if (!again || tries === TRIES_MAX) throw error;
        // Those that met each other must not meet again.
        await new Promise((resolve) => setTimeout(resolve, tries * CONTENTION_MS * Math.random()));
      }
    }
  }

  return {
    async query(text, parameters, { repeatable = false } = {}) {
      try {
        if (closing !== undefined) throw new LinkLost("it is closed");
        return await attempt(text, parameters, repeatable);
      } catch (error) {
        throw asStoreError(error, "Cannot use the database");
      }
    },
    close() {
      closing ??= (async () => {
        clearTimeout(retry);
        await Promise.all([...links].map((link) => link.close()));
      })();
      return closing;
    },
  };
}

const TRIES_MAX = 4;
const CONTENTION_MS = 20;
const RETRY_MS = 50;
/** The one thing that tries while the server is away: everything else of a node goes on when this finds it back. */
const RETRY_MS_MAX = 250;
const GROW_MS = 1_000;
