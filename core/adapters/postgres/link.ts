/** The only file that names postgres.js: one connection, one life. */

import { connect, type Socket } from "node:net";
import postgres from "postgres";
import { messageOf } from "../../base/log.ts";

export type Parameter = string | number | boolean | null;
export type Row = Readonly<Record<string, unknown>>;

/** The connection is gone, or was given up: whether what was under way took effect is not known. */
export class LinkLost extends Error {
  override readonly name = "LinkLost";
}

/**
 * One connection to the server. Calls are pipelined: each is a transaction of its own, and they are answered in order.
 * A call rejects with the server's `PostgresError`, or with `LinkLost`.
 */
export interface Link {
  query(text: string, parameters: readonly Parameter[]): Promise<readonly Row[]>;
  /** Several statements without parameters, in one round trip and, unless they say otherwise, one transaction. */
  script(text: string): Promise<void>;
  /** Calls that wait for their answer. */
  readonly pending: number;
  readonly lost: boolean;
  /** Ends it at once; what is pending rejects. */
  drop(reason: string): void;
  /** Resolves when what is pending was answered and the connection is closed. */
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** From the first byte to the first answer, ms. */
  readonly connect_ms: number;
  /** A server that owes an answer and is silent for so long is given up, ms. Longer than any statement may take. */
  readonly silence_ms: number;
  /** Most time of a statement and of waiting for one lock, ms; 0: no limit. */
  readonly statement_ms: number;
  readonly lock_ms: number;
  readonly onLost: (link: Link) => void;
  readonly onNotify?: (channel: string, payload: string) => void;
}

interface Pending {
  readonly reject: (error: Error) => void;
}

/**
 * Connects. postgres.js 3.4.9 cannot be trusted with a second life: after a connection broke, its next one may start
 * with bytes of the last or never send any, so that queries hang; and its timers may throw when their socket is gone.
 * So each of its instances here gets one socket, made by us, none of its timers and no transaction of its own; when
 * that socket ends, the instance is thrown away, and every call is settled here, whatever the driver does.
 */
export async function openLink(options: LinkOptions): Promise<Link> {
  const pending = new Set<Pending>();
  let socket: Socket | undefined;
  let lost: LinkLost | undefined;
  let closing = false;
  /** When the server last answered, or was first asked after it had answered everything. */
  let heard = 0;
  let watch: ReturnType<typeof setInterval> | undefined;
  const idle = Promise.withResolvers<void>();

  const sql = postgres(options.url, {
    max: 1,
    prepare: true,
    fetch_types: false,
    // None of its timers: see above.
    connect_timeout: 0,
    idle_timeout: 0,
    max_lifetime: null,
    keep_alive: 30,
    onnotice: () => undefined,
    onclose: () => drop("the connection was closed"),
    types: { int8: { to: 20, from: [20], serialize: String, parse: Number } },
    connection: {
      application_name: options.name,
      statement_timeout: options.statement_ms,
      lock_timeout: options.lock_ms,
      ...SETTINGS,
    },
    // Not in the driver's types, but in its options.
    ...({ socket: dial, max_pipeline: PIPELINE_MAX, onnotify: options.onNotify } as object),
  });

  function dial({ host, port, path }: Dialled): Socket {
    if (socket !== undefined || lost !== undefined) throw new Error("Cannot connect again: one connection, one life");
    const made = path ? connect(path) : connect({ host: host[0] ?? "localhost", port: port[0] ?? 5432 });
    socket = made;
    made.setNoDelay?.(true);
    // The driver takes the name for TLS from here.
    if (!path) Object.assign(made, { host: host[0] });
    // Its own listeners are taken off when TLS begins; these stay.
    const onError = (error: Error) => drop(error.message === "" ? String(error) : error.message);
    queueMicrotask(() => {
      made.on("error", onError);
      made.on("close", () => drop("the connection was closed"));
    });
    return made;
  }

  function drop(reason: string): void {
    if (lost !== undefined) return;
    lost = new LinkLost(reason);
    clearInterval(watch);
    // Its own goodbye must not wait for a server that is silent.
    sql.end({ timeout: 0 }).catch(() => undefined);
    socket?.destroy();
    for (const call of [...pending]) call.reject(lost);
    pending.clear();
    idle.resolve();
    options.onLost(link);
  }

  function look(): void {
    if (pending.size > 0 && performance.now() - heard > options.silence_ms) {
      drop(`the server has been silent for ${options.silence_ms} ms`);
    }
  }

  function send<T>(start: () => PromiseLike<T>): Promise<T> {
    if (lost !== undefined || closing) return Promise.reject(lost ?? new LinkLost("it is closed"));
    if (pending.size === 0) heard = performance.now();
    if (watch === undefined) {
      watch = setInterval(look, WATCH_MS);
      if (typeof watch === "object") watch.unref();
    }
    return new Promise<T>((resolve, reject) => {
      const call: Pending = { reject };
      pending.add(call);
      const settle = () => {
        heard = performance.now();
        pending.delete(call);
        if (pending.size === 0 && closing) idle.resolve();
      };
      start().then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(isAnswer(error) ? error : (lost ?? new LinkLost(messageOf(error))));
          // Whatever else the driver says, this connection is of no more use.
          if (!isAnswer(error) || isFarewell(error)) drop(messageOf(error));
        },
      );
    });
  }

  const link: Link = {
    query: (text, parameters) =>
      send<readonly Row[]>(() => sql.unsafe<Row[]>(text, parameters as Parameter[], { prepare: true })).then((rows) =>
        // A plain array, without what the driver hangs on it.
        Array.from(rows),
      ),
    script: (text) => send<unknown>(() => sql.unsafe(text).simple()).then(() => undefined),
    get pending() {
      return pending.size;
    },
    get lost() {
      return lost !== undefined;
    },
    drop,
    async close() {
      if (lost !== undefined) return;
      closing = true;
      if (pending.size > 0) await idle.promise;
      drop("it is closed");
    },
  };

  const late = setTimeout(() => drop(`no answer within ${options.connect_ms} ms`), options.connect_ms);
  try {
    // Shows that the server answers, and waits for the whole handshake.
    await link.query("SELECT 1", []);
  } finally {
    clearTimeout(late);
  }
  return link;
}

interface Dialled {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
}

/** The server answered with an error; anything else is about the connection. */
function isAnswer(error: unknown): boolean {
  return error instanceof postgres.PostgresError;
}

/** 57P01 to 57P05: the server ends this connection; what was under way was rolled back. */
function isFarewell(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code.startsWith("57P");
}

const PIPELINE_MAX = 1_000;
const WATCH_MS = 200;

/**
 * Plans are made once for each statement and connection, when tables may still be small or their statistics old: told
 * to prefer indices, the planner cannot choose to read a table that has grown since. Each statement is atomic by
 * itself, so READ COMMITTED is enough.
 */
export const SETTINGS = {
  default_transaction_isolation: "read committed",
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
} as const;
