/** The peer's database: SQLite in WAL with full synchronisation, prepared statements, one transaction for each submission. */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";

export interface NewOperation {
  readonly id: string;
  readonly account_id: string;
  readonly idempotency_key: string;
  readonly fingerprint: string;
  readonly cost: number;
  readonly request: string;
  readonly response: string;
  readonly created_at: number;
}

export type Answer =
  | { readonly kind: "accepted" }
  | { readonly kind: "replayed"; readonly response: string }
  | { readonly kind: "key_reused" }
  | { readonly kind: "insufficient_credits" };

export interface StoredOperation {
  readonly id: string;
  readonly status: string;
  readonly idempotency_key: string;
  readonly cost: number;
  /** JSON. */
  readonly request: string;
  readonly created_at: number;
  readonly job: string | null;
  /** Jobs before this one, counted up to 10,000 as the kernel does. */
  readonly queue_position: number | null;
}

type Soon<T> = T | Promise<T>;

/** The methods of `PeerStore`, without waiting. */
type AtOnce<S> = {
  [K in keyof S]: S[K] extends (...args: infer A) => Soon<infer R> ? (...args: A) => Awaited<R> : never;
};

export interface PeerStore {
  accountOf(sha256: string): Soon<string | undefined>;
  submit(operation: NewOperation): Soon<Answer>;
  operation(account_id: string, id: string): Soon<StoredOperation | undefined>;
  close(): Soon<void>;
}

const SCHEMA = readFileSync(fileURLToPath(new URL("./schema.sql", import.meta.url)), "utf8");
const CREDITS = 1_000_000_000;

/** Makes one account for each key hash. */
export function openPeerStore(file: string, key_hashes: readonly string[]): AtOnce<PeerStore> {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536");
  db.exec("PRAGMA wal_autocheckpoint = 4096");
  db.exec(SCHEMA);
  const insertAccount = db.prepare("INSERT INTO accounts (id, credits) VALUES (?, ?)");
  const insertKey = db.prepare("INSERT INTO api_keys (sha256, account_id) VALUES (?, ?)");
  for (const [index, sha256] of key_hashes.entries()) {
    insertAccount.run(`acc_${index}`, CREDITS);
    insertKey.run(sha256, `acc_${index}`);
  }

  const key = db.prepare(
    "SELECT a.id AS account_id FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.sha256 = ?",
  );
  const replay = db.prepare(
    "SELECT fingerprint, response FROM operations WHERE account_id = ? AND idempotency_key = ?",
  );
  const debit = db.prepare("UPDATE accounts SET credits = credits - ?2 WHERE id = ?1 AND credits >= ?2");
  const insertOperation = db.prepare(
    `INSERT INTO operations (id, account_id, status, idempotency_key, fingerprint, cost, request, response, created_at)
     VALUES (?, ?, 'processing', ?, ?, ?, ?, ?, ?)`,
  );
  const insertLine = db.prepare(
    "INSERT INTO ledger (account_id, operation_id, credits, created_at) VALUES (?, ?, ?, ?)",
  );
  const insertJob = db.prepare("INSERT INTO jobs (operation_id, state) VALUES (?, 'queued')");
  const select = db.prepare(
    `SELECT o.id, o.status, o.idempotency_key, o.cost, o.request, o.created_at, j.state AS job
     FROM operations o LEFT JOIN jobs j ON j.operation_id = o.id WHERE o.id = ? AND o.account_id = ?`,
  );
  const before = db.prepare(
    `SELECT count(*) AS count FROM
       (SELECT 1 FROM jobs WHERE state = 'queued' AND operation_id < ? LIMIT 10000)`,
  );
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");

  const findReplay = (o: NewOperation): Answer | undefined => {
    const row = replay.get(o.account_id, o.idempotency_key);
    if (row === undefined) return undefined;
    return row.fingerprint === o.fingerprint
      ? { kind: "replayed", response: String(row.response) }
      : { kind: "key_reused" };
  };

  return {
    accountOf: (sha256) => key.get(sha256)?.account_id as string | undefined,
    submit(o) {
      // One connection and synchronous calls: nothing comes between this look and the transaction.
      const first = findReplay(o);
      if (first !== undefined) return first;
      begin.run();
      try {
        if (debit.run(o.account_id, o.cost).changes === 0) {
          rollback.run();
          return { kind: "insufficient_credits" };
        }
        insertOperation.run(
          o.id,
          o.account_id,
          o.idempotency_key,
          o.fingerprint,
          o.cost,
          o.request,
          o.response,
          o.created_at,
        );
        insertLine.run(o.account_id, o.id, -o.cost, o.created_at);
        insertJob.run(o.id);
        commit.run();
        return { kind: "accepted" };
      } catch (error) {
        if (db.isTransaction) rollback.run();
        throw error;
      }
    },
    operation(account_id, id) {
      const row = select.get(id, account_id) as Omit<StoredOperation, "queue_position"> | undefined;
      if (row === undefined) return undefined;
      const queue_position = row.job === "queued" ? Number(before.get(id)?.count) : null;
      return { ...row, queue_position };
    },
    close: () => db.close(),
  };
}
