/** Accounts, keys, secrets, the ledger and grants; also the pulse that `health` writes. */
import { AFTER_ACCOUNTS } from "../../base/ids.ts";
import {
  type Account,
  type AccountsStore,
  type ApiKey,
  DEFAULT_SETTINGS,
  type LedgerEntry,
  type SigningSecret,
  type StoreLife,
  type UsageDay,
  type UsagePart,
} from "../../ports/mod.ts";
import { FIELDS, type KeyRow, NEW_ACCOUNT_FIELDS, SETTING_FIELDS, testAccountRow, toKey } from "../shared/fields.ts";
import { LAST } from "./audit.ts";
import type { Pool } from "./pool.ts";
import { insertOf, REPEATABLE, statementsOn, valuesOf } from "./statements.ts";
import { plain } from "./values.ts";

export function accountVerbs(pool: Pool) {
  const { all, one, did, write, call, insert } = statementsOn(pool);
  const find = one<AccountRow>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id = $1`);
  const page = all<AccountRow>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id < $1 ORDER BY a.id DESC LIMIT $2`);
  const count = one<{ count: number }>("SELECT count(*) AS count FROM accounts WHERE id < $1");
  const findKey = one<AccountRow & { readonly key: string }>(
    `SELECT row_to_json(k)::text AS key, ${ACCOUNT_COLUMNS}
     FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.sha256 = $1 AND k.revoked_at IS NULL`,
  );
  const keys = all<KeyRow>(
    `SELECT ${FIELDS.key} FROM api_keys WHERE account_id = $1 ORDER BY created_at DESC, id DESC`,
  );
  const spending = one<{ readonly credits: number }>(
    "SELECT credits FROM key_spending WHERE key_id = $1 AND since = $2",
  );
  const ledger = all<LedgerEntry>(
    `SELECT ${FIELDS.line} FROM ledger WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
  );
  const sealed = all<Pick<SigningSecret, "id" | "sealed">>(
    "SELECT id, sealed FROM signing_secrets WHERE id > $1 ORDER BY id LIMIT $2",
  );
  const relabel = {
    account: did("UPDATE accounts SET name = $3 WHERE id = $1 AND id = $2 RETURNING id", REPEATABLE),
    key: did("UPDATE api_keys SET label = $3 WHERE id = $2 AND account_id = $1 RETURNING id", REPEATABLE),
    secret: did("UPDATE signing_secrets SET label = $3 WHERE id = $2 AND account_id = $1 RETURNING id", REPEATABLE),
  };
  const createKey = insert<ApiKey>("api_keys", FIELDS.key);
  const createSecret = insert<SigningSecret>("signing_secrets", FIELDS.secret);
  // A grant of 0 or less breaks the ledger's checks, whatever the balance.
  const grant = `WITH a AS (UPDATE accounts SET credits = credits + $2 WHERE id = $1 RETURNING id, credits),
    l AS (INSERT INTO ledger (account_id, kind, credits, note, created_at) SELECT a.id, 'grant', $2, $3, $4 FROM a)
    ${LAST} SELECT credits FROM a`;
  const addFreeWork = `UPDATE accounts SET free_day = greatest(free_day, $2),
    free_ms = CASE WHEN free_day = $2 THEN free_ms + $3 WHEN free_day < $2 THEN $3 ELSE free_ms END
    WHERE id = $1 RETURNING free_ms`;

  return {
    health: write("UPDATE pulse SET at = now_ms() WHERE id = 1"),

    async createAccount(account, key, secret) {
      const row = { ...DEFAULT_SETTINGS, ...account.settings, ...account };
      const parameters = valuesOf<Account>(row, NEW_ACCOUNT_FIELDS);
      const parts = [`a AS (${insertOf("accounts", NEW_ACCOUNT_FIELDS)})`];
      if (account.credits > 0) parts.push(FIRST_GRANT);
      if (key !== undefined) {
        parts.push(`k AS (${insertOf("api_keys", FIELDS.key, parameters.length)})`);
        parameters.push(...valuesOf<ApiKey>(key, FIELDS.key));
      }
      if (secret !== undefined) {
        parts.push(`s AS (${insertOf("signing_secrets", FIELDS.secret, parameters.length)})`);
        parameters.push(...valuesOf<SigningSecret>(secret, FIELDS.secret));
      }
      await pool.query(`WITH ${parts.join(", ")} ${LAST} SELECT 1`, parameters);
    },

    async account(id) {
      const row = await find(id);
      return row && toAccount(row);
    },
    accounts: async ({ before = AFTER_ACCOUNTS, limit }) => (await page(before, limit)).map(toAccount),
    countAccounts: async () => (await count(AFTER_ACCOUNTS))!.count,
    label: (what, ...names) => relabel[what](...names),

    async updateSettings(account_id, changes) {
      const names = SETTING_FIELDS.filter((name) => changes[name] !== undefined);
      const sets = names.map((name, index) => `${name} = $${index + 2}`).join(", ") || "name = name";
      const text = `WITH changed AS (UPDATE accounts SET ${sets} WHERE id = $1 RETURNING id) ${TELL_CHANGED}`;
      return (await pool.query(text, [account_id, ...valuesOf(changes, names)], REPEATABLE)).length > 0;
    },

    async addFreeWork(account_id, day, ms) {
      const [row] = await pool.query(addFreeWork, [account_id, day, ms]);
      return (row?.free_ms as number | undefined) ?? 0;
    },
    async grant(account_id, credits, note, now) {
      const [row] = await pool.query(grant, [account_id, credits, plain(note), now]);
      return row?.credits as number | undefined;
    },
    ledger: (account_id, { before = Number.MAX_SAFE_INTEGER, limit }) => ledger(account_id, before, limit),
    usage: all<UsageDay>(
      `SELECT ${FIELDS.day} FROM usage_days WHERE account_id = $1 AND day >= $2 AND day < $3 ORDER BY day`,
    ),

    usageParts: all<UsagePart>(
      `SELECT ${FIELDS.part} FROM usage_parts WHERE account_id = $1 AND day >= $2 AND day < $3 ORDER BY day, action, key_id`,
    ),

    async createKey(key) {
      if (!key.rights?.test) return void (await createKey(key));
      const parameters = valuesOf<Account>(testAccountRow(key), NEW_ACCOUNT_FIELDS);
      const account = insertOf("accounts", NEW_ACCOUNT_FIELDS, 0, "ON CONFLICT DO NOTHING");
      const text = `WITH t AS (${account}) ${LAST} ${insertOf("api_keys", FIELDS.key, parameters.length)}`;
      await pool.query(text, [...parameters, ...valuesOf<ApiKey>(key, FIELDS.key)]);
    },
    async findKey(sha256) {
      const row = await findKey(sha256);
      if (row === undefined) return undefined;
      const { key, ...account } = row;
      return { key: toKey(JSON.parse(key) as KeyRow), account: toAccount(account) };
    },
    keys: async (account_id) => (await keys(account_id)).map(toKey),
    keySpending: async (key_id, since) => (await spending(key_id, since))?.credits ?? 0,
    revokeKey: did(`WITH changed AS (UPDATE api_keys SET revoked_at = $3 WHERE id = $2 AND account_id = $1
      AND revoked_at IS NULL RETURNING account_id AS id) ${TELL_CHANGED}`),
    touchKey: write("UPDATE api_keys SET used_at = greatest(coalesce(used_at, $2), $2) WHERE id = $1", REPEATABLE),

    createSecret: async (secret) => void (await createSecret(secret)),
    secrets: all<SigningSecret>(
      `SELECT ${FIELDS.secret} FROM signing_secrets WHERE account_id = $1 AND endpoint_id IS NULL
       ORDER BY retired_at IS NOT NULL, created_at DESC, id DESC`,
    ),
    sealedSecrets: ({ after, limit }) => sealed(after, limit),
    resealSecret: did("UPDATE signing_secrets SET sealed = $3 WHERE id = $1 AND sealed = $2 RETURNING id"),
    retireSecret: call<"retired" | "last" | "unknown">("retire_secret"),
  } satisfies Partial<AccountsStore & StoreLife>;
}

const FIRST_GRANT = `g AS (INSERT INTO ledger (account_id, kind, credits, note, created_at)
  VALUES ($1, 'grant', $3, 'First grant', $4))`;

/** Other nodes forget what they remember of the account, with the commit. */
const TELL_CHANGED = `${LAST} SELECT pg_notify('tonwerk', 'account ' || id) FROM changed`;

/** Of the table or alias `a`. */
export const ACCOUNT_COLUMNS = FIELDS.account.map((name) => `a.${name}`).join(", ");

/** `allowlist` is JSON. */
export type AccountRow = Omit<Account, "allowlist"> & { readonly allowlist: string };

export const toAccount = (row: AccountRow): Account => ({
  ...row,
  allowlist: JSON.parse(row.allowlist) as string[],
});
