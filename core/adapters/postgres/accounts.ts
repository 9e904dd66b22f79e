/** Accounts, keys, secrets, the ledger and grants; also the pulse that `health` writes. */
import type {
  Account,
  AccountSettings,
  ApiKey,
  LedgerEntry,
  NewAccount,
  NewKey,
  NewSecret,
  SigningSecret,
  UsageDay,
} from "../../ports/mod.ts";
import { LAST } from "./audit.ts";
import type { Parameter, Row } from "./link.ts";
import type { Pool } from "./pool.ts";
import { plain } from "./values.ts";

export function accountVerbs(pool: Pool) {
  const read = (text: string, ...parameters: Parameter[]) => pool.query(text, parameters, { repeatable: true });

  return {
    async health(): Promise<void> {
      await pool.query("UPDATE pulse SET at = now_ms() WHERE id = 1", []);
    },

    async createAccount(account: NewAccount, key?: NewKey, secret?: NewSecret): Promise<void> {
      const settings = { ...DEFAULTS, ...account.settings };
      const parameters: Parameter[] = [
        account.id,
        plain(account.name),
        account.credits,
        account.created_at,
        ...settingValues(settings),
      ];
      const place = (values: readonly Parameter[]): string =>
        values.map((value) => `$${parameters.push(value)}`).join(", ");
      const parts = [INSERT_ACCOUNT];
      if (account.credits > 0) parts.push(FIRST_GRANT);
      if (key !== undefined) parts.push(`k AS (${INSERT_KEY} VALUES (${place(keyValues(key))}))`);
      if (secret !== undefined) parts.push(`s AS (${INSERT_SECRET} VALUES (${place(secretValues(secret))}))`);
      await pool.query(`WITH ${parts.join(", ")} ${LAST} SELECT 1`, parameters);
    },

    async account(id: string): Promise<Account | undefined> {
      const [row] = await read(`SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id = $1`, id);
      return row && toAccount(row);
    },

    async countAccounts(): Promise<number> {
      const [row] = await read("SELECT count(*) AS count FROM accounts");
      return row?.count as number;
    },

    async accounts(page: { readonly before?: string; readonly limit: number }): Promise<readonly Account[]> {
      const rows = await read(ACCOUNTS, page.before ?? AFTER_ALL_IDS, page.limit);
      return rows.map(toAccount);
    },

    async label(what: "account" | "key" | "secret", account_id: string, id: string, label: string): Promise<boolean> {
      const rows = await pool.query(LABEL[what], [account_id, id, plain(label)], { repeatable: true });
      return rows.length > 0;
    },

    async usage(account_id: string, from: number, until: number): Promise<readonly UsageDay[]> {
      return (await read(USAGE, account_id, from - DAY_MS, until)) as unknown as readonly UsageDay[];
    },

    async touchKey(id: string, at: number): Promise<void> {
      await pool.query(TOUCH_KEY, [id, at], { repeatable: true });
    },

    async updateSettings(account_id: string, changes: Partial<AccountSettings>): Promise<boolean> {
      const parameters: Parameter[] = [account_id];
      const sets = (Object.keys(changes) as (keyof AccountSettings)[])
        .filter((name) => name in DEFAULTS && changes[name] !== undefined)
        .map((name) => `${name} = $${parameters.push(settingValue(name, changes))}`);
      const set = sets.length === 0 ? "name = name" : sets.join(", ");
      const rows = await pool.query(
        `WITH changed AS (UPDATE accounts SET ${set} WHERE id = $1 RETURNING id) ${TELL_CHANGED}`,
        parameters,
        { repeatable: true },
      );
      return rows.length > 0;
    },

    async addFreeWork(account_id: string, day: number, ms: number): Promise<number> {
      const [row] = await pool.query(ADD_FREE_WORK, [account_id, day, ms]);
      return (row?.free_ms as number | undefined) ?? 0;
    },

    async grant(account_id: string, credits: number, note: string, now: number): Promise<number | undefined> {
      const [row] = await pool.query(GRANT, [account_id, credits, plain(note), now]);
      return row?.credits as number | undefined;
    },

    async ledger(
      account_id: string,
      page: { readonly before?: number; readonly limit: number },
    ): Promise<readonly LedgerEntry[]> {
      const rows = await read(LEDGER, account_id, page.before ?? Number.MAX_SAFE_INTEGER, page.limit);
      return rows as unknown as readonly LedgerEntry[];
    },

    async createKey(key: NewKey): Promise<void> {
      await pool.query(`${INSERT_KEY} VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`, keyValues(key));
    },

    async findKey(sha256: string): Promise<{ readonly key: ApiKey; readonly account: Account } | undefined> {
      const [row] = await read(FIND_KEY, sha256);
      if (row === undefined) return undefined;
      const { key_id, account_id, label, last_four, key_created_at, used_at, ...account } = row;
      const key = {
        id: key_id,
        account_id,
        label,
        sha256,
        last_four,
        created_at: key_created_at,
        revoked_at: null,
        used_at,
      };
      return { key: key as ApiKey, account: toAccount(account) };
    },

    async keys(account_id: string): Promise<readonly ApiKey[]> {
      return (await read(KEYS, account_id)) as unknown as readonly ApiKey[];
    },

    async revokeKey(account_id: string, id: string, now: number): Promise<boolean> {
      const rows = await pool.query(`WITH changed AS (${REVOKE} RETURNING account_id AS id) ${TELL_CHANGED}`, [
        account_id,
        id,
        now,
      ]);
      return rows.length > 0;
    },

    async createSecret(secret: NewSecret): Promise<void> {
      await pool.query(`${INSERT_SECRET} VALUES ($1, $2, $3, $4, $5) RETURNING id`, secretValues(secret));
    },

    async secrets(account_id: string): Promise<readonly SigningSecret[]> {
      return (await read(SECRETS, account_id)) as unknown as readonly SigningSecret[];
    },

    async sealedSecrets(page: { readonly after: string; readonly limit: number }) {
      const text = "SELECT id, sealed FROM signing_secrets WHERE id > $1 ORDER BY id LIMIT $2";
      return (await read(text, page.after, page.limit)) as unknown as readonly Pick<SigningSecret, "id" | "sealed">[];
    },

    async resealSecret(id: string, was: string, sealed: string): Promise<boolean> {
      const text = "UPDATE signing_secrets SET sealed = $3 WHERE id = $1 AND sealed = $2 RETURNING id";
      return (await pool.query(text, [id, was, sealed])).length > 0;
    },

    async retireSecret(account_id: string, id: string, now: number): Promise<"retired" | "last" | "unknown"> {
      const [row] = await pool.query(RETIRE, [account_id, id, now]);
      return row?.answer as "retired" | "last" | "unknown";
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
const SETTING_NAMES = Object.keys(DEFAULTS) as (keyof AccountSettings)[];

function settingValue(name: keyof AccountSettings, settings: Partial<AccountSettings>): Parameter {
  const value = settings[name];
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null);
}

const settingValues = (settings: AccountSettings): Parameter[] =>
  SETTING_NAMES.map((name) => settingValue(name, settings));

const keyValues = (key: NewKey): Parameter[] => [
  key.id,
  key.account_id,
  plain(key.label),
  key.sha256,
  key.last_four,
  key.created_at,
];
const secretValues = (secret: NewSecret): Parameter[] => [
  secret.id,
  secret.account_id,
  plain(secret.label),
  secret.sealed,
  secret.created_at,
];

const INSERT_ACCOUNT = `a AS (INSERT INTO accounts (id, name, credits, created_at, ${SETTING_NAMES.join(", ")})
  VALUES ($1, $2, $3, $4, ${SETTING_NAMES.map((_, index) => `$${5 + index}`).join(", ")}))`;
const FIRST_GRANT = `g AS (INSERT INTO ledger (account_id, kind, credits, note, created_at)
  VALUES ($1, 'grant', $3, 'First grant', $4))`;
const INSERT_KEY = "INSERT INTO api_keys (id, account_id, label, sha256, last_four, created_at)";
const INSERT_SECRET = "INSERT INTO signing_secrets (id, account_id, label, sealed, created_at)";

/** Of the table or alias `a`. */
export const ACCOUNT_COLUMNS = ["id", "name", "credits", "created_at", ...SETTING_NAMES, "free_day", "free_ms"]
  .map((name) => `a.${name}`)
  .join(", ");

export function toAccount(row: Row): Account {
  const { allowlist, ...rest } = row as unknown as Omit<Account, "allowlist"> & { readonly allowlist: string };
  return { ...rest, allowlist: JSON.parse(allowlist) as string[] };
}

/** Other nodes forget what they remember of the account, with the commit. */
const TELL_CHANGED = `${LAST} SELECT pg_notify('tonwerk', 'account ' || id) FROM changed`;

// A grant of 0 or less breaks the ledger's checks, whatever the balance.
const GRANT = `WITH a AS (UPDATE accounts SET credits = credits + $2 WHERE id = $1 RETURNING id, credits),
  l AS (INSERT INTO ledger (account_id, kind, credits, note, created_at) SELECT a.id, 'grant', $2, $3, $4 FROM a)
  ${LAST} SELECT credits FROM a`;

const ADD_FREE_WORK = `UPDATE accounts SET free_day = greatest(free_day, $2),
  free_ms = CASE WHEN free_day = $2 THEN free_ms + $3 WHEN free_day < $2 THEN $3 ELSE free_ms END WHERE id = $1 RETURNING free_ms`;

const LEDGER = `SELECT id, account_id, operation_id, kind, credits, note, created_at FROM ledger
  WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`;

const FIND_KEY = `SELECT k.id AS key_id, k.account_id, k.label, k.last_four, k.created_at AS key_created_at, k.used_at,
  ${ACCOUNT_COLUMNS}
  FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.sha256 = $1 AND k.revoked_at IS NULL`;

const KEYS = `SELECT id, account_id, label, sha256, last_four, created_at, revoked_at, used_at FROM api_keys
  WHERE account_id = $1 ORDER BY created_at DESC, id DESC`;

const REVOKE = "UPDATE api_keys SET revoked_at = $3 WHERE id = $2 AND account_id = $1 AND revoked_at IS NULL";

const SECRETS = `SELECT id, account_id, label, sealed, created_at, retired_at FROM signing_secrets WHERE account_id = $1
  ORDER BY retired_at IS NOT NULL, created_at DESC, id DESC`;

const RETIRE = "SELECT retire_secret($1, $2, $3) AS answer";

const ACCOUNTS = `SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id < $1 ORDER BY a.id DESC LIMIT $2`;

const LABEL = {
  account: "UPDATE accounts SET name = $3 WHERE id = $1 AND id = $2 RETURNING id",
  key: "UPDATE api_keys SET label = $3 WHERE id = $2 AND account_id = $1 RETURNING id",
  secret: "UPDATE signing_secrets SET label = $3 WHERE id = $2 AND account_id = $1 RETURNING id",
} as const;

const TOUCH_KEY = "UPDATE api_keys SET used_at = greatest(coalesce(used_at, $2), $2) WHERE id = $1";

const USAGE = `SELECT day, debited, refunded, granted, operations FROM usage_days
  WHERE account_id = $1 AND day > $2 AND day < $3 ORDER BY day`;

const DAY_MS = 86_400_000;
// The last code point: sorts after every id.
const AFTER_ALL_IDS = "\u{10FFFF}";
