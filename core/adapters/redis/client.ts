/** Connections to Redis that tell at once when it is away, and never keep a command waiting for it. */
import { Redis, type RedisOptions } from "ioredis";

/** Called when Redis goes away (with the reason) and when it is back (null). */
export type RedisReport = (reason: string | null) => void;

export interface RedisAddress {
  readonly url: string;
  readonly report?: RedisReport;
}

/**
 * A command that is not answered by then is given up: what is asked of Redis is a hint or a count, and has a way
 * without it.
 */
const COMMAND_MS = 2_000;
/** So soon after it is back, Redis is used again. */
const RETRY_MS_MAX = 500;
/** Longer than any command blocks. A connection on which nothing comes for this long after a command is made anew. */
const SOCKET_MS = 15_000;

/** For short commands: each is answered, or rejected within 2 s; at once where there is no connection. */
export function openRedis({ url, report }: RedisAddress): Redis {
  return connect(url, report, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: COMMAND_MS });
}

/** For commands that block: they wait for a connection. */
export function openBlockingRedis({ url, report }: RedisAddress): Redis {
  return connect(url, report, { maxRetriesPerRequest: null, socketTimeout: SOCKET_MS });
}

function connect(url: string, report: RedisReport | undefined, options: RedisOptions): Redis {
  const all: Omit<RedisOptions, "replyMapping"> = {
    connectTimeout: 3_000,
    keepAlive: 10_000,
    retryStrategy: (tries) => Math.min(50 * tries, RETRY_MS_MAX),
    ...options,
  };
  const client = new Redis(url, all);
  let away = false;
  // Without a listener an error of the connection would end the process. It comes again with every attempt: told once.
  client.on("error", (error: Error) => {
    if (away) return;
    away = true;
    report?.(error.message || String((error as { code?: unknown }).code ?? error.name));
  });
  client.on("ready", () => {
    if (away) report?.(null);
    away = false;
  });
  return client;
}
