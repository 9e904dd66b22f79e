import {
  type AuditedVerb,
  type Clock,
  type Errand,
  type NewAuditEntry,
  type Store,
  StoreUnavailable,
} from "../../ports/mod.ts";
import { tellingOf } from "../shared/account_changes.ts";
import { createListeners } from "../shared/listeners.ts";
import { mapVerbs } from "../shared/verbs.ts";
import { accountVerbs } from "./accounts.ts";
import { auditVerbs, withEntry } from "./audit.ts";
import { createDeadlines } from "./deadlines.ts";
import { createEnded } from "./ended.ts";
import { endpointVerbs } from "./endpoints.ts";
import { asStoreError } from "./errors.ts";
import { fileVerbs } from "./files.ts";
import { jobVerbs } from "./jobs.ts";
import { keyVerbs } from "./keys.ts";
import { leakVerbs } from "./leaks.ts";
import { type Link, openLink } from "./link.ts";
import { openListener } from "./listen.ts";
import { migrate } from "./migrate.ts";
import { operationVerbs } from "./operations.ts";
import { peopleVerbs } from "./people.ts";
import { createPool, type Pool } from "./pool.ts";
import { createTerminate } from "./terminate.ts";
import { webhookVerbs } from "./webhooks.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, `?sslmode=require` and the like included. */
  readonly url: string;
  readonly clock: Pick<Clock, "now">;
  /** Most connections beside the one that listens. */
  readonly connections?: number;
  /** Shown in `pg_stat_activity`. */
  readonly name?: string;
  /** No call takes longer, ms; 5,000 by default. */
  readonly call_ms?: number;
}

/** A `Store` that also carries wake-ups between nodes, for an installation without Redis. */
export interface PostgresStore extends Store {
  /** Says to every node that a job waits; a hint, which may be lost. */
  announceWork(work: Errand, id: string): void;
  /** Called when any node, this one included, announced work. */
  onWork(listener: (work: Errand, id: string) => void): () => void;
}

/**
 * The store of many nodes: Postgres 14 or later is the only truth, and its clock counts leases. Each verb is one
 * statement and one round trip; submissions that wait at the same moment share one commit. No call takes longer than
 * `call_ms`: what the server has not answered by then is `StoreUnavailable`, and while the server is known to be away
 * calls are refused at once. Rejects when the database cannot be opened.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const { url, clock, connections = CONNECTIONS, name = "tonwerk", call_ms = CALL_MS } = options;
  const limits = { statement_ms: STATEMENT_MS, lock_ms: LOCK_MS, connect_ms: CONNECT_MS, silence_ms: SILENCE_MS };
  const open = (onLost: (link: Link) => void, connect_ms: number) =>
    openLink({ ...limits, connect_ms, url, name, onLost });

  try {
    const ignore = () => undefined;
    const link = await openLink({ ...limits, ...MIGRATION_LIMITS, url, name: `${name} migration`, onLost: ignore });
    try {
      await migrate(link);
    } finally {
      await link.close();
    }
  } catch (error) {
    throw asStoreError(error, `Cannot open database "${shown(url)}"`);
  }

  const listeners = createListeners<[readonly string[] | null]>();
  const ended = createEnded(listeners.tell);
  const changed = createListeners<[string | null]>();
  const progress = createListeners<[readonly string[]]>();
  const work = createListeners<[Errand, string]>();
  let opened = false;
  let hurry = () => {};
  const pool = createPool({
    async open(onLost) {
      const link = await open(onLost, opened ? CONNECT_MS : START_MS);
      opened = true;
      return link;
    },
    size: connections,
    onBack: () => hurry(),
  });
  try {
    // The first call after the start is not the one to find out how slow a busy machine makes a connection.
    await pool.query("SELECT 1", []);
  } catch (error) {
    await pool.close();
    throw asStoreError(error, `Cannot open database "${shown(url)}"`);
  }
  const listener = await openListener({
    open: (onLost, onNotify) => openLink({ ...limits, url, name: `${name} listener`, onLost, onNotify }),
    onEnded: ended.heard,
    onProgress: progress.tell,
    onAccount: (id) => changed.tell(id),
    onWork: (kind, id) => work.tell(kind, id),
    onMissed() {
      ended.missed();
      changed.tell(null);
    },
  });
  hurry = listener.hurry;

  const deadlines = createDeadlines(call_ms);
  let under_way = 0;
  let closing: Promise<void> | undefined;
  const finished = Promise.withResolvers<void>();

  /** What every verb has in common: the deadline, and the end of the store. */
  function verb<A extends readonly unknown[], R>(run: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      if (closing !== undefined) throw new StoreUnavailable("Cannot use the database: it is closed");
      under_way += 1;
      const running = run(...args).finally(() => {
        under_way -= 1;
        if (under_way === 0 && closing !== undefined) finished.resolve();
      });
      return deadlines.limit(running);
    };
  }

  const telling = tellingOf(changed.tell);
  const verbs = {
    ...auditedVerbs(pool),
    ...auditVerbs(pool),
    ...operationVerbs(pool, clock),
    ...jobVerbs(pool, listener.announceProgress),
    ...fileVerbs(pool),
    ...keyVerbs(pool),
    ...webhookVerbs(pool),
    terminate: createTerminate(pool, ended),
  };

  return {
    ...mapVerbs(verbs, (name, run) => verb(telling(name, run))),
    audited<V extends AuditedVerb>(entry: NewAuditEntry, name: V, ...args: Parameters<Store[V]>): ReturnType<Store[V]> {
      // Casts, for what is called is the verb of that name.
      const run = auditedVerbs(withEntry(pool, entry))[name] as (...args: readonly unknown[]) => Promise<unknown>;
      return verb(telling(name, run))(...args) as ReturnType<Store[V]>;
    },
    close() {
      closing ??= (async () => {
        if (under_way > 0) await finished.promise;
        await Promise.all([pool.close(), listener.close()]);
      })();
      return closing;
    },
    onAccountChanged: changed.listen,
    onEnded: listeners.listen,
    onProgress: progress.listen,
    announceWork: listener.announce,
    onWork: work.listen,
  };
}

const auditedVerbs = (pool: Pool) => ({
  ...accountVerbs(pool),
  ...peopleVerbs(pool),
  ...leakVerbs(pool),
  ...endpointVerbs(pool),
});

/** The address without its password, for messages. */
function shown(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^:@/]*):[^@/]*@/iu, "$1:…@").replace(/([?&]password=)[^&]*/giu, "$1…");
}

// On two cores eight were as fast as sixteen; a server has 100 to give by default.
const CONNECTIONS = 8;
/** No caller waits longer. */
const CALL_MS = 5_000;
/**
 * The server gives up earlier than the client, so that a slow statement costs its own answer and not the connection.
 */
const STATEMENT_MS = 4_000;
const LOCK_MS = 3_000;
const SILENCE_MS = 4_500;
const CONNECT_MS = 2_000;
/** At the start nobody waits for an answer. */
const START_MS = 20_000;
const MIGRATION_LIMITS = { connect_ms: START_MS, statement_ms: 600_000, lock_ms: 60_000, silence_ms: 630_000 };
