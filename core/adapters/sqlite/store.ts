import type { DatabaseSync } from "node:sqlite";
import { type AuditedVerb, type Clock, type NewAuditEntry, type Store, StoreUnavailable } from "../../ports/mod.ts";
import { openForReading } from "./connection.ts";
import { asStoreError } from "./errors.ts";
import { createCheckpointer } from "./fast/checkpoint.ts";
import { createUnended } from "./fast/unended.ts";
import { createReads } from "./reads.ts";
import type { Arguments, Verb, Verbs } from "./verbs.ts";
import { openWriter, type Writer } from "./writer.ts";

export interface SqliteOptions {
  /** Path of the database; its folder exists, and the caller holds the folder's lock (data_lock.ts). */
  readonly file: string;
  readonly clock: Clock;
  /** Starts the writing thread; tests hand in one that they can end. */
  readonly spawn?: () => Worker;
}

/**
 * The embedded store: one SQLite file in WAL, a thread that writes (writer.ts), one that copies the log into the file, and a connection here that reads, so that a read
 * costs microseconds and waits for no commit. What was acknowledged is visible to every read that begins afterwards.
 * Rejects when the file cannot be opened or is newer than this version.
 */
export async function openSqliteStore({ file, clock, spawn = spawnThread }: SqliteOptions): Promise<Store> {
  const ended = createEnded();
  const changed = new Set<(account_id: string | null) => void>();
  const unended = createUnended();
  const checkpointer = createCheckpointer(file, { finish: () => writer.finishCopy() });
  const onCommitted = checkpointer.committed;
  const writer: Writer = await openWriter({
    file,
    clock,
    spawn,
    onLost: ended.missed,
    onCommitted,
    watch: unended.watch,
  });
  let db: DatabaseSync;
  try {
    await writer.call("endLeases");
    await writer.call("endWebhookLeases");
    db = openForReading(file);
  } catch (error) {
    await writer.close();
    throw asStoreError(error, `Cannot open database "${file}"`);
  }
  const reads = createReads(db, clock, unended);
  let closing: Promise<void> | undefined;

  function write<V extends Verb>(verb: V): (...args: Arguments<V>) => Promise<ReturnType<Verbs[V]>> {
    return (...args) => writer.call(verb, ...args);
  }

  function read<A extends readonly unknown[], R>(look: (...args: A) => R): (...args: A) => Promise<R> {
    return async (...args) => {
      if (closing !== undefined) throw new StoreUnavailable("Cannot read the database: it is closed");
      try {
        return look(...args);
      } catch (error) {
        throw asStoreError(error, "Cannot read the database");
      }
    };
  }

  /** Tells listeners before the caller goes on. Also after a failure: a thread that was lost may have committed. */
  async function change<R>(account_id: string, writing: Promise<R>): Promise<R> {
    try {
      return await writing;
    } finally {
      for (const listener of changed) listener(account_id);
    }
  }

  const callReportLeak = write("reportLeak");
  async function reportLeak(writing: ReturnType<typeof callReportLeak>): ReturnType<Store["reportLeak"]> {
    let account_id: string | null | undefined = null;
    try {
      const { account_id: of, ...outcome } = await writing;
      account_id = of;
      return outcome;
    } finally {
      // Also after a failure, of everybody then: a thread that was lost may have committed.
      if (account_id !== undefined) for (const listener of changed) listener(account_id);
    }
  }

  return {
    health: write("health"),
    close() {
      closing ??= (async () => {
        // The reader first: the last connection to close folds the log into the file, and a reader may not. Either of the others may.
        db.close();
        await Promise.all([writer.close(), checkpointer.close()]);
      })();
      return closing;
    },

    createAccount: write("createAccount"),
    account: read(reads.account),
    countAccounts: read(reads.countAccounts),
    updateSettings: (account_id, settings) => change(account_id, writer.call("updateSettings", account_id, settings)),
    addFreeWork: write("addFreeWork"),
    grant: write("grant"),
    ledger: read(reads.ledger),
    accounts: read(reads.accounts),
    label: write("label"),
    usage: read(reads.usage),
    createKey: write("createKey"),
    findKey: read(reads.findKey),
    keys: read(reads.keys),
    revokeKey: (account_id, id, now) => change(account_id, writer.call("revokeKey", account_id, id, now)),
    touchKey: write("touchKey"),
    onAccountChanged(listener) {
      changed.add(listener);
      return () => changed.delete(listener);
    },
    createSecret: write("createSecret"),
    secrets: read(reads.secrets),
    retireSecret: write("retireSecret"),
    sealedSecrets: read(reads.sealedSecrets),
    resealSecret: write("resealSecret"),

    audit: write("audit"),
    audited<V extends AuditedVerb>(entry: NewAuditEntry, verb: V, ...args: Parameters<Store[V]>): ReturnType<Store[V]> {
      const writing = writer.call("audited", entry, verb, args);
      // One cast: the answer is that of the verb.
      const answer = verb === "reportLeak" ? reportLeak(writing as ReturnType<typeof callReportLeak>) : writing;
      return (CHANGES.has(verb) ? change(args[0] as string, answer) : answer) as ReturnType<Store[V]>;
    },
    auditEntries: read(reads.auditEntries),

    createUser: write("createUser"),
    users: read(reads.users),
    user: read(reads.user),
    findUser: read(reads.findUser),
    updateUser: write("updateUser"),
    removeUser: write("removeUser"),
    createLink: write("createLink"),
    findLink: read(reads.findLink),
    redeemLink: write("redeemLink"),
    invite: write("invite"),
    invitations: read(reads.invitations),
    findInvitation: read(reads.findInvitation),
    withdrawInvitation: write("withdrawInvitation"),
    redeemInvitation: write("redeemInvitation"),
    createSession: write("createSession"),
    findSession: read(reads.findSession),
    touchSession: write("touchSession"),
    endSessions: write("endSessions"),
    reportLeak: (report, mail_at) => reportLeak(callReportLeak(report, mail_at)),
    leaks: read(reads.leaks),
    closeLeak: write("closeLeak"),
    claimLeakMails: write("claimLeakMails"),
    recordLeakMail: write("recordLeakMail"),

    submit: write("submit"),
    operation: read(reads.operation),
    firstResponse: read(reads.firstResponse),
    snapshot: read(reads.snapshot),
    snapshots: read(reads.snapshots),
    list: read(reads.list),
    queueStats: read(reads.queueStats),
    queued: read(reads.queued),
    claim: write("claim"),
    renew: write("renew"),
    release: write("release"),
    releaseAll: write("releaseAll"),
    reconcile: write("reconcile"),
    async terminate(end) {
      const won = await writer.call("terminate", end);
      if (won) ended.add(end.id);
      return won;
    },
    onEnded: ended.listen,

    createFile: write("createFile"),
    file: read(reads.file),
    keptUploads: read(reads.keptUploads),
    touchFile: write("touchFile"),
    expire: write("expire"),
    unnamed: read(reads.unnamed),
    owned: read(reads.owned),

    claimWebhooks: write("claimWebhooks"),
    recordWebhook: write("recordWebhook"),
    webhooks: read(reads.webhooks),
    webhookAttempts: read(reads.webhookAttempts),
    deliveries: read(reads.deliveries),
    redeliver: write("redeliver"),
  };
}

/** Verbs after which listeners are told of the account. */
const CHANGES: ReadonlySet<AuditedVerb> = new Set(["updateSettings", "revokeKey"]);

// Web Worker, not node:worker_threads: on Deno those take seconds for large messages.
function spawnThread(): Worker {
  return new Worker(new URL("./thread.ts", import.meta.url), { type: "module" });
}

/** Tells listeners of ends; those of one commit in one call. */
function createEnded() {
  const listeners = new Set<(ids: readonly string[] | null) => void>();
  let ids: string[] = [];
  function tell(what: readonly string[] | null): void {
    // Each in a task of its own: one that throws is reported by the runtime and harms no other.
    for (const listener of listeners) queueMicrotask(() => listener(what));
  }
  return {
    add(id: string): void {
      ids.push(id);
      if (ids.length > 1) return;
      // The other calls of this commit settle before this microtask.
      queueMicrotask(() => {
        const together = ids;
        ids = [];
        tell(together);
      });
    },
    missed: () => tell(null),
    listen(listener: (ids: readonly string[] | null) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
