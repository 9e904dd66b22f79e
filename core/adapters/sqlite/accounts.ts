import type { DatabaseSync } from "node:sqlite";
import type { AccountSettings, LedgerKind, NewAccount, NewKey, NewSecret } from "../../ports/mod.ts";
import { prepare } from "./connection.ts";
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from "./rows.ts";

/** Accounts, keys, secrets and grants; also the pulse that `health` writes. */
export function accountVerbs(db: DatabaseSync) {
  const insertAccount = prepare(
    db,
    `INSERT INTO accounts (id, name, credits, created_at, put_per_minute, get_per_minute, long_polls, allowlist,
       webhook_body, webhook_long_retries, jobs_max, revoke_leaked, free_seconds, uploads_open, upload_bytes)
       VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const selectAccount = prepare<AccountRow>(db, `SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id = ?`);
  const updateAccount = prepare(
    db,
    `UPDATE accounts SET put_per_minute = ?2, get_per_minute = ?3, long_polls = ?4, allowlist = ?5, webhook_body = ?6,
       webhook_long_retries = ?7, jobs_max = ?8, revoke_leaked = ?9, free_seconds = ?10, uploads_open = ?11, upload_bytes = ?12
       WHERE id = ?1`,
  );
  const addFree = prepare(
    db,
    `UPDATE accounts SET free_day = max(free_day, ?2),
       free_ms = CASE WHEN free_day = ?2 THEN free_ms + ?3 WHEN free_day < ?2 THEN ?3 ELSE free_ms END WHERE id = ?1`,
  );
  const insertKey = prepare(
    db,
    "INSERT INTO api_keys (id, account_id, label, sha256, last_four, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const revoke = prepare(
    db,
    "UPDATE api_keys SET revoked_at = ?3 WHERE id = ?2 AND account_id = ?1 AND revoked_at IS NULL",
  );
  const touchKey = prepare(db, "UPDATE api_keys SET used_at = max(coalesce(used_at, ?2), ?2) WHERE id = ?1");
  const relabel = {
    account: prepare(db, "UPDATE accounts SET name = ?3 WHERE id = ?1 AND id = ?2"),
    key: prepare(db, "UPDATE api_keys SET label = ?3 WHERE id = ?2 AND account_id = ?1"),
    secret: prepare(db, "UPDATE signing_secrets SET label = ?3 WHERE id = ?2 AND account_id = ?1"),
  };
  const insertSecret = prepare(
    db,
    "INSERT INTO signing_secrets (id, account_id, label, sealed, created_at) VALUES (?, ?, ?, ?, ?)",
  );
  const liveSecrets = prepare<{ id: string }>(
    db,
    "SELECT id FROM signing_secrets WHERE account_id = ? AND retired_at IS NULL",
  );
  const reseal = prepare(db, "UPDATE signing_secrets SET sealed = ?3 WHERE id = ?1 AND sealed = ?2");
  const retire = prepare(db, "UPDATE signing_secrets SET retired_at = ?2 WHERE id = ?1");
  const beat = prepare(db, "UPDATE pulse SET at = ? WHERE id = 1");
  const book = createBook(db);
  const addKey = (key: NewKey) =>
    insertKey.run(key.id, key.account_id, key.label, key.sha256, key.last_four, key.created_at);
  const addSecret = (secret: NewSecret) =>
    insertSecret.run(secret.id, secret.account_id, secret.label, secret.sealed, secret.created_at);

  return {
    health(now: number): void {
      beat.run(now);
    },

    createAccount(_now: number, account: NewAccount, key?: NewKey, secret?: NewSecret): void {
      const settings = { ...DEFAULTS, ...account.settings };
      insertAccount.run(account.id, account.name, account.created_at, ...settingValues(settings));
      if (account.credits > 0) book(account.id, null, "grant", account.credits, "First grant", account.created_at);
      if (key !== undefined) addKey(key);
      if (secret !== undefined) addSecret(secret);
    },

    updateSettings(_now: number, account_id: string, changes: Partial<AccountSettings>): boolean {
      const row = selectAccount.get(account_id);
      if (row === undefined) return false;
      updateAccount.run(account_id, ...settingValues({ ...toAccount(row), ...changes }));
      return true;
    },

    addFreeWork(_now: number, account_id: string, day: number, ms: number): number {
      addFree.run(account_id, day, ms);
      return selectAccount.get(account_id)?.free_ms ?? 0;
    },

    grant(_now: number, account_id: string, credits: number, note: string, at: number): number | undefined {
      if (selectAccount.get(account_id) === undefined) return undefined;
      return book(account_id, null, "grant", credits, note, at);
    },

    createKey(_now: number, key: NewKey): void {
      addKey(key);
    },

    revokeKey(_now: number, account_id: string, id: string, at: number): boolean {
      return revoke.run(account_id, id, at) > 0;
    },

    touchKey(_now: number, id: string, at: number): void {
      touchKey.run(id, at);
    },

    label(_now: number, what: keyof typeof relabel, account_id: string, id: string, label: string): boolean {
      return relabel[what].run(account_id, id, label) > 0;
    },

    createSecret(_now: number, secret: NewSecret): void {
      addSecret(secret);
    },

    resealSecret(_now: number, id: string, was: string, sealed: string): boolean {
      return reseal.run(id, was, sealed) > 0;
    },

    retireSecret(_now: number, account_id: string, id: string, at: number): "retired" | "last" | "unknown" {
      const live = liveSecrets.all(account_id);
      if (!live.some((secret) => secret.id === id)) return "unknown";
      if (live.length === 1) return "last";
      retire.run(id, at);
      return "retired";
    },
  };
}

/**
 * The one way credits move: the balance and its ledger line together. Returns the new balance.
 * Throws where the balance would fall below zero or the line exists already; the caller asks first.
 */
export function createBook(db: DatabaseSync) {
  const { balance, setBalance, write } = prepareBook(db);
  return (
    account_id: string,
    operation_id: string | null,
    kind: LedgerKind,
    credits: number,
    note: string,
    at: number,
  ): number => {
    const before = balance(account_id);
    if (before === undefined)
      throw new Error(`Cannot move credits of account "${account_id}": there is no such account`);
    setBalance(account_id, before + credits);
    write(account_id, operation_id, kind, credits, note, at, UNCOUNTED);
    return before + credits;
  };
}

/** As `createBook`, for many lines in one transaction: each balance is read once and written once, and so is its usage of a day, by `keep`. */
export function createManyBook(db: DatabaseSync) {
  const { balance, setBalance, write } = prepareBook(db);
  const count = prepare(
    db,
    `INSERT INTO usage_days (account_id, day, debited, operations) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, day) DO UPDATE SET debited = debited + excluded.debited, operations = operations + excluded.operations`,
  );
  return () => {
    const accounts = new Map<string, { readonly before: number; now: number; readonly days: Days }>();
    const accountOf = (account_id: string) => {
      const known = accounts.get(account_id);
      if (known !== undefined) return known;
      const before = balance(account_id);
      if (before === undefined) throw new Error(`Cannot charge account "${account_id}": there is no such account`);
      const account = { before, now: before, days: new Map() };
      accounts.set(account_id, account);
      return account;
    };
    return {
      balance: (account_id: string): number => accountOf(account_id).now,
      debit(account_id: string, operation_id: string, cost: number, note: string, at: number): void {
        const account = accountOf(account_id);
        account.now -= cost;
        const day = at - (at % DAY_MS);
        const used = account.days.get(day) ?? { debited: 0, operations: 0 };
        account.days.set(day, { debited: used.debited + cost, operations: used.operations + 1 });
        write(account_id, operation_id, "debit", -cost, note, at, COUNTED);
      },
      keep(): void {
        for (const [account_id, { before, now, days }] of accounts) {
          if (now !== before) setBalance(account_id, now);
          for (const [day, { debited, operations }] of days) count.run(account_id, day, debited, operations);
        }
      },
    };
  };
}

/** By the first millisecond of each. */
type Days = Map<number, { readonly debited: number; readonly operations: number }>;
const DAY_MS = 86_400_000;

/** Whether `usage_days` has the line from whoever writes it, or is to have it from its trigger. */
const COUNTED = 1;
const UNCOUNTED = 0;

function prepareBook(db: DatabaseSync) {
  // Two statements, not one with RETURNING: that fills a table of its own for its row and takes twice as long.
  const select = prepare<{ credits: number }>(db, "SELECT credits FROM accounts WHERE id = ?");
  const move = prepare(db, "UPDATE accounts SET credits = ?2 WHERE id = ?1");
  const insert = prepare(
    db,
    "INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at, counted) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  return {
    balance: (account_id: string): number | undefined => select.look(account_id)?.credits,
    setBalance: (account_id: string, credits: number): void => void move.run(account_id, credits),
    write(...line: readonly [string, string | null, LedgerKind, number, string, number, number]): void {
      insert.run(...line);
    },
  };
}

const DEFAULTS: AccountSettings = {
  put_per_minute: null,
  get_per_minute: null,
  long_polls: null,
  allowlist: [],
  webhook_body: "operation",
  webhook_long_retries: false,
  jobs_max: 0,
  revoke_leaked: false,
  free_seconds: null,
  uploads_open: null,
  upload_bytes: null,
};

/** In the order of the columns in `accounts`. */
function settingValues(settings: AccountSettings) {
  return [
    settings.put_per_minute,
    settings.get_per_minute,
    settings.long_polls,
    JSON.stringify(settings.allowlist),
    settings.webhook_body,
    settings.webhook_long_retries ? 1 : 0,
    settings.jobs_max,
    settings.revoke_leaked ? 1 : 0,
    settings.free_seconds,
    settings.uploads_open,
    settings.upload_bytes,
  ] as const;
}
