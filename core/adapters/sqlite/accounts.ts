/** Accounts, keys and secrets; also the pulse that `health` writes. */
import type { DatabaseSync } from "node:sqlite";
import { AFTER_ACCOUNTS } from "../../base/ids.ts";
import {
  type Account,
  type AccountSettings,
  type AccountsStore,
  type ApiKey,
  DEFAULT_SETTINGS,
  type NewKey,
  type NewSecret,
  type SigningSecret,
  type StoreLife,
} from "../../ports/mod.ts";
import { FIELDS, type KeyRow, NEW_ACCOUNT_FIELDS, SETTING_FIELDS, testAccountRow, toKey } from "../shared/fields.ts";
import { prepare, prepareInsert, toColumn } from "./connection.ts";
import { createBook, ledgerReads, prepareSpending } from "./ledger.ts";
import type { Now, Sync } from "./sync.ts";

const KEYS = `SELECT ${FIELDS.key} FROM api_keys`;
const SECRETS = `SELECT ${FIELDS.secret} FROM signing_secrets`;

export function accountReads(db: DatabaseSync) {
  const find = prepareAccount(db);
  const page = prepare<AccountRow>(db, `${ACCOUNTS} WHERE id < ? ORDER BY id DESC LIMIT ?`);
  const count = prepare<{ count: number }>(db, "SELECT count(*) AS count FROM accounts WHERE id < ?");
  const liveKey = prepare<KeyRow>(db, `${KEYS} WHERE sha256 = ? AND revoked_at IS NULL`);
  const keys = prepare<KeyRow>(db, `${KEYS} WHERE account_id = ? ORDER BY created_at DESC, id DESC`);
  const spending = prepareSpending(db);
  const sealed = prepare<Pick<SigningSecret, "id" | "sealed">>(
    db,
    "SELECT id, sealed FROM signing_secrets WHERE id > ? ORDER BY id LIMIT ?",
  );
  return {
    ...ledgerReads(db),
    account: find,
    accounts: ({ before = AFTER_ACCOUNTS, limit }) => page.all(before, limit).map(toAccount),
    countAccounts: () => count.get(AFTER_ACCOUNTS)?.count ?? 0,
    findKey(sha256) {
      const key = liveKey.get(sha256);
      const account = key && find(key.account_id);
      return key && account && { key: toKey(key), account };
    },
    keys: (account_id) => keys.all(account_id).map(toKey),
    keySpending: spending,
    sealedSecrets: ({ after, limit }) => sealed.all(after, limit),
    secrets: prepare<SigningSecret>(
      db,
      `${SECRETS} WHERE account_id = ? AND endpoint_id IS NULL ORDER BY retired_at IS NOT NULL, created_at DESC, id DESC`,
    ).all,
  } satisfies Partial<Sync<AccountsStore>>;
}

export function accountVerbs(db: DatabaseSync, { now }: Now) {
  const find = prepareAccount(db);
  const insert = prepareInsert<Account>(db, "accounts", NEW_ACCOUNT_FIELDS);
  const sets = SETTING_FIELDS.map((name, index) => `${name} = ?${index + 2}`).join(", ");
  const update = prepare(db, `UPDATE accounts SET ${sets} WHERE id = ?1`);
  const addFree = prepare<{ free_ms: number }>(
    db,
    `UPDATE accounts SET free_day = max(free_day, ?2),
       free_ms = CASE WHEN free_day = ?2 THEN free_ms + ?3 WHEN free_day < ?2 THEN ?3 ELSE free_ms END
     WHERE id = ?1 RETURNING free_ms`,
  );
  const relabel = {
    account: prepare(db, "UPDATE accounts SET name = ?3 WHERE id = ?1 AND id = ?2"),
    key: prepare(db, "UPDATE api_keys SET label = ?3 WHERE id = ?2 AND account_id = ?1"),
    secret: prepare(db, "UPDATE signing_secrets SET label = ?3 WHERE id = ?2 AND account_id = ?1"),
  };
  const live = prepare<{ id: string }>(
    db,
    "SELECT id FROM signing_secrets WHERE account_id = ? AND endpoint_id IS NULL AND retired_at IS NULL",
  );
  const retire = prepare(db, "UPDATE signing_secrets SET retired_at = ?2 WHERE id = ?1");
  const beat = prepare(db, "UPDATE pulse SET at = ? WHERE id = 1");
  const book = createBook(db);
  const insertKey = prepareInsert<ApiKey>(db, "api_keys", FIELDS.key);
  const insertTestAccount = prepareInsert<Account>(db, "accounts", NEW_ACCOUNT_FIELDS, "ON CONFLICT DO NOTHING");
  const createKey = (key: NewKey): void => {
    if (key.rights?.test) insertTestAccount(testAccountRow(key));
    insertKey(key);
  };
  const createSecret = prepareInsert<SigningSecret>(db, "signing_secrets", FIELDS.secret);

  return {
    health: () => beat.write(now()),

    createAccount(account, key?: NewKey, secret?: NewSecret) {
      insert({ ...DEFAULT_SETTINGS, ...account.settings, ...account, credits: 0 });
      if (account.credits > 0) book(account.id, null, "grant", account.credits, "First grant", account.created_at);
      if (key !== undefined) createKey(key);
      if (secret !== undefined) createSecret(secret);
    },

    updateSettings(account_id, changes) {
      const account = find(account_id);
      if (account === undefined) return false;
      const next: AccountSettings = { ...account, ...changes };
      return update.did(account_id, ...SETTING_FIELDS.map((name) => toColumn(next[name])));
    },

    addFreeWork: (account_id, day, ms) => addFree.get(account_id, day, ms)?.free_ms ?? 0,
    grant: (account_id, credits, note, at) => find(account_id) && book(account_id, null, "grant", credits, note, at),
    label: (what, ...names) => relabel[what].did(...names),

    createKey,
    revokeKey: prepare(
      db,
      "UPDATE api_keys SET revoked_at = ?3 WHERE id = ?2 AND account_id = ?1 AND revoked_at IS NULL",
    ).did,
    touchKey: prepare(db, "UPDATE api_keys SET used_at = max(coalesce(used_at, ?2), ?2) WHERE id = ?1").write,

    createSecret,
    resealSecret: prepare(db, "UPDATE signing_secrets SET sealed = ?3 WHERE id = ?1 AND sealed = ?2").did,
    retireSecret(account_id, id, at) {
      const others = live.all(account_id);
      if (!others.some((secret) => secret.id === id)) return "unknown";
      if (others.length === 1) return "last";
      retire.run(id, at);
      return "retired";
    },
  } satisfies Partial<Sync<AccountsStore & StoreLife>>;
}

type AccountRow = Omit<Account, "allowlist" | "webhook_long_retries" | "revoke_leaked"> & {
  /** JSON of `string[]`. */
  readonly allowlist: string;
  readonly webhook_long_retries: 0 | 1;
  readonly revoke_leaked: 0 | 1;
};

const ACCOUNTS = `SELECT ${FIELDS.account} FROM accounts`;

export function prepareAccount(db: DatabaseSync): (id: string) => Account | undefined {
  const select = prepare<AccountRow>(db, `${ACCOUNTS} WHERE id = ?`);
  return (id) => {
    const row = select.look(id);
    return row && toAccount(row);
  };
}

const toAccount = (row: AccountRow): Account => ({
  ...row,
  allowlist: JSON.parse(row.allowlist) as string[],
  webhook_long_retries: row.webhook_long_retries === 1,
  revoke_leaked: row.revoke_leaked === 1,
});
