import {
  type AuditedVerb,
  type Clock,
  type Errand,
  type NewAuditEntry,
  type Store,
  StoreUnavailable,
} from "../../ports/mod.ts";
import { accountVerbs } from "./accounts.ts";
import { auditVerbs, withEntry } from "./audit.ts";
import { createDeadlines } from "./deadlines.ts";
import { createEnded } from "./ended.ts";
import { asStoreError } from "./errors.ts";
import { fileVerbs } from "./files.ts";
import { jobVerbs } from "./jobs.ts";
import { type Link, openLink } from "./link.ts";
import { openListener } from "./listen.ts";
import { migrate } from "./migrate.ts";
import { operationVerbs } from "./operations.ts";
import { peopleVerbs } from "./people.ts";
import { createPool } from "./pool.ts";
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
 * The store of many nodes: Postgres 14 or later is the only truth, and its clock counts leases. Each verb is one statement and one round
 * trip; submissions that wait at the same moment share one commit. No call takes longer than `call_ms`: what the server has not answered by then is
 * `StoreUnavailable`, and while the server is known to be away calls are refused at once. Rejects when the database cannot be opened.
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

  const listeners = createTellers<[readonly string[] | null]>();
  const ended = createEnded(listeners.tell);
  const changed = createTellers<[string | null]>();
  const work = createTellers<[Errand, string]>();
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

  /** Tells listeners here before the caller goes on. Also after a failure: what was lost on its way may have been committed. */
  function change<A extends readonly [string, ...unknown[]], R>(run: (...args: A) => Promise<R>) {
    return verb(async (...args: A) => {
      try {
        return await run(...args);
      } finally {
        changed.tell(args[0]);
      }
    });
  }

  const accounts = accountVerbs(pool);
  const operations = operationVerbs(pool, clock);
  const terminate = createTerminate(pool);
  const jobs = jobVerbs(pool);
  const files = fileVerbs(pool);
  const webhooks = webhookVerbs(pool);
  const people = peopleVerbs(pool);
  const log = auditVerbs(pool);
  async function reportLeak(reporting: ReturnType<typeof people.reportLeak>): ReturnType<Store["reportLeak"]> {
    let told: string | null | undefined = null;
    try {
      const { answer, account_id } = await reporting;
      told = answer === "revoked" ? account_id : undefined;
      if (answer === "known" || answer === "unknown") return { kind: answer };
      return { kind: "recorded", revoked: answer === "revoked" };
    } finally {
      // Also after a failure, of everybody then: it may have been committed.
      if (told !== undefined) changed.tell(told);
    }
  }

  return {
    health: verb(accounts.health),
    close() {
      closing ??= (async () => {
        if (under_way > 0) await finished.promise;
        await Promise.all([pool.close(), listener.close()]);
      })();
      return closing;
    },

    createAccount: verb(accounts.createAccount),
    account: verb(accounts.account),
    countAccounts: verb(accounts.countAccounts),
    accounts: verb(accounts.accounts),
    label: verb(accounts.label),
    usage: verb(accounts.usage),
    touchKey: verb(accounts.touchKey),
    updateSettings: change(accounts.updateSettings),
    addFreeWork: verb(accounts.addFreeWork),
    grant: verb(accounts.grant),
    ledger: verb(accounts.ledger),
    createKey: verb(accounts.createKey),
    findKey: verb(accounts.findKey),
    keys: verb(accounts.keys),
    revokeKey: change(accounts.revokeKey),
    onAccountChanged: changed.listen,
    createSecret: verb(accounts.createSecret),
    secrets: verb(accounts.secrets),
    retireSecret: verb(accounts.retireSecret),
    sealedSecrets: verb(accounts.sealedSecrets),
    resealSecret: verb(accounts.resealSecret),

    submit: verb(operations.submit),
    operation: verb(operations.operation),
    firstResponse: verb(operations.firstResponse),
    snapshot: verb(operations.snapshot),
    snapshots: verb(operations.snapshots),
    list: verb(operations.list),
    terminate: verb(async (end) => {
      ended.begin(end.id);
      try {
        const won = await terminate(end);
        // Not only by way of the server: waiters here need not depend on the connection that listens.
        if (won) ended.won(end.id);
        else ended.over(end.id);
        return won;
      } catch (error) {
        ended.over(end.id);
        // It may have been committed, and told while nobody here listened.
        if (error instanceof StoreUnavailable) ended.missed();
        throw error;
      }
    }),
    onEnded: listeners.listen,

    audit: verb(log.audit),
    auditEntries: verb(log.auditEntries),
    audited<V extends AuditedVerb>(entry: NewAuditEntry, name: V, ...args: Parameters<Store[V]>): ReturnType<Store[V]> {
      const within = withEntry(pool, entry);
      const verbs = { ...accountVerbs(within), ...peopleVerbs(within) };
      // Casts, for what follows is the verb of that name.
      const call = verbs[name] as (...args: readonly unknown[]) => Promise<unknown>;
      const run = (...given: readonly unknown[]): Promise<unknown> =>
        name === "reportLeak" ? reportLeak(call(...given) as ReturnType<typeof people.reportLeak>) : call(...given);
      const whole = CHANGES.has(name) ? change(run as (id: string) => Promise<unknown>) : verb(run);
      return (whole as typeof run)(...args) as ReturnType<Store[V]>;
    },

    createUser: verb(people.createUser),
    users: verb(people.users),
    user: verb(people.user),
    findUser: verb(people.findUser),
    updateUser: verb(people.updateUser),
    removeUser: verb(people.removeUser),
    createLink: verb(people.createLink),
    findLink: verb(people.findLink),
    redeemLink: verb(people.redeemLink),
    invite: verb(people.invite),
    invitations: verb(people.invitations),
    findInvitation: verb(people.findInvitation),
    withdrawInvitation: verb(people.withdrawInvitation),
    redeemInvitation: verb(people.redeemInvitation),
    createSession: verb(people.createSession),
    findSession: verb(people.findSession),
    touchSession: verb(people.touchSession),
    endSessions: verb(people.endSessions),
    reportLeak: verb((report, mail_at) => reportLeak(people.reportLeak(report, mail_at))),
    leaks: verb(people.leaks),
    closeLeak: verb(people.closeLeak),
    claimLeakMails: verb(people.claimLeakMails),
    recordLeakMail: verb(people.recordLeakMail),

    queueStats: verb(jobs.queueStats),
    queued: verb(jobs.queued),
    claim: verb(jobs.claim),
    renew: verb(jobs.renew),
    release: verb(jobs.release),
    releaseAll: verb(jobs.releaseAll),
    reconcile: verb(jobs.reconcile),

    createFile: verb(files.createFile),
    keptUploads: verb(files.keptUploads),
    file: verb(files.file),
    touchFile: verb(files.touchFile),
    expire: verb(files.expire),
    unnamed: verb(files.unnamed),
    owned: verb(files.owned),

    claimWebhooks: verb(webhooks.claimWebhooks),
    recordWebhook: verb(webhooks.recordWebhook),
    webhooks: verb(webhooks.webhooks),
    deliveries: verb(webhooks.deliveries),
    webhookAttempts: verb(webhooks.webhookAttempts),
    redeliver: verb(webhooks.redeliver),

    announceWork: listener.announce,
    onWork: work.listen,
  };
}

function createTellers<A extends readonly unknown[]>() {
  const listeners = new Set<(...what: A) => void>();
  return {
    tell(...what: A): void {
      for (const listener of [...listeners]) {
        try {
          listener(...what);
        } catch (error) {
          // Reported by the runtime; it must not keep the others from hearing, nor fail a verb that was done.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
    listen(listener: (...what: A) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The address without its password, for messages. */
function shown(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^:@/]*):[^@/]*@/iu, "$1:…@").replace(/([?&]password=)[^&]*/giu, "$1…");
}

/** Verbs after which listeners are told of the account. */
const CHANGES: ReadonlySet<AuditedVerb> = new Set(["updateSettings", "revokeKey"]);

// On two cores eight were as fast as sixteen; a server has 100 to give by default.
const CONNECTIONS = 8;
/** No caller waits longer. */
const CALL_MS = 5_000;
/** The server gives up earlier than the client, so that a slow statement costs its own answer and not the connection. */
const STATEMENT_MS = 4_000;
const LOCK_MS = 3_000;
const SILENCE_MS = 4_500;
const CONNECT_MS = 2_000;
/** At the start nobody waits for an answer. */
const START_MS = 20_000;
const MIGRATION_LIMITS = { connect_ms: START_MS, statement_ms: 600_000, lock_ms: 60_000, silence_ms: 630_000 };
