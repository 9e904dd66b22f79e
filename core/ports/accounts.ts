/** Accounts: settings, keys, secrets, and the ledger with what it sums up to. */

/** Accounts, what their keys may do, and what they have spent. */
export interface AccountsStore {
  /** With its first key and signing secret where they are given, all or nothing. */
  createAccount(account: NewAccount, key?: NewKey, secret?: NewSecret): Promise<void>;
  account(id: string): Promise<Account | undefined>;
  /** Number of accounts, those for tests not counted; 0 tells a first start. */
  countAccounts(): Promise<number>;
  /** Newest first, without those for tests; `before` is an account's id. */
  accounts(page: { readonly before?: string; readonly limit: number }): Promise<readonly Account[]>;
  updateSettings(account_id: string, settings: Partial<AccountSettings>): Promise<boolean>;
  /**
   * Renames the account itself (`id` is its own), or its key or secret `id`, live or not. False where it has none of
   * that id.
   */
  label(what: "account" | "key" | "secret", account_id: string, id: string, label: string): Promise<boolean>;
  /**
   * Adds processor time, in whole milliseconds, to the account's of the day that begins at `day` (UTC). An earlier day
   * is forgotten with that; of a later one nothing changes. Resolves to what the account has of its last day then; 0
   * for an unknown account.
   */
  addFreeWork(account_id: string, day: number, ms: number): Promise<number>;
  /** Adds credits (above 0) and a ledger line. Resolves to the new balance, undefined for an unknown account. */
  grant(account_id: string, credits: number, note: string, now: number): Promise<number | undefined>;
  /** Newest first; `before` is a ledger id. */
  ledger(account_id: string, page: { before?: number; limit: number }): Promise<readonly LedgerEntry[]>;
  /**
   * The days from `from` to the one before `until` (first milliseconds of days) that have ledger lines, oldest first;
   * costs by the day, not by the line.
   */
  usage(account_id: string, from: number, until: number): Promise<readonly UsageDay[]>;
  /** The same days by action and key; an operation that cost nothing counts too. */
  usageParts(account_id: string, from: number, until: number): Promise<readonly UsagePart[]>;
  /** With the test account, where it is the first key of test mode. */
  createKey(key: NewKey): Promise<void>;
  /** The live key with this hash and its account; revoked or unknown: undefined. */
  findKey(sha256: string): Promise<{ readonly key: ApiKey; readonly account: Account } | undefined>;
  keys(account_id: string): Promise<readonly ApiKey[]>;
  /** False when there is no such live key of the account. */
  revokeKey(account_id: string, id: string, now: number): Promise<boolean>;
  /**
   * Credits that operations of the key have cost since `since`, the beginning of a period; refunds and rebates are
   * taken off.
   */
  keySpending(key_id: string, since: number): Promise<number>;
  /** Raises `used_at` to at least `at`. An unknown key is no error. */
  touchKey(id: string, at: number): Promise<void>;
  /**
   * Called with the account's id before a verb that changes what its keys may do or who is told of its operations
   * (account_changes.ts) resolves here, and soon after it changed something on another node where the store can tell;
   * with null when some changes may have been missed. Who remembers keys must ask again after a while all the same.
   */
  onAccountChanged(listener: (account_id: string | null) => void): () => void;
  createSecret(secret: NewSecret): Promise<void>;
  /** All of the account's, live ones (`retired_at` null) first, newest first. */
  secrets(account_id: string): Promise<readonly SigningSecret[]>;
  /** Refuses to retire the last live one. */
  retireSecret(account_id: string, id: string, now: number): Promise<"retired" | "last" | "unknown">;
  /** Of all accounts, retired ones too, by id from the one behind `after` on. */
  sealedSecrets(page: {
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly Pick<SigningSecret, "id" | "sealed">[]>;
  /** False, and nothing written, where it is not sealed as `was` any more. */
  resealSecret(id: string, was: string, sealed: string): Promise<boolean>;
}

export interface AccountSettings {
  /** Null: the installation's default applies. 0: unlimited. */
  readonly put_per_minute: number | null;
  readonly get_per_minute: number | null;
  readonly long_polls: number | null;
  /** Processor seconds a day of work that ends without a charge. */
  readonly free_seconds: number | null;
  /** Uploads at once. */
  readonly uploads_open: number | null;
  /** Bytes of all uploads that are kept. */
  readonly upload_bytes: number | null;
  /** Addresses and CIDR ranges that may use the account's keys; empty: all. */
  readonly allowlist: readonly string[];
  readonly webhook_body: "operation" | "envelope";
  readonly webhook_long_retries: boolean;
  /**
   * Most of the account's jobs of one kind of work that run at a time, those of every node together; the others wait.
   * 0: unlimited.
   */
  readonly jobs_max: number;
  /** Revoke a key as soon as it is reported as leaked, not only tell the owners. */
  readonly revoke_leaked: boolean;
}

/** What an account has that was made without them. */
export const DEFAULT_SETTINGS: AccountSettings = {
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

export interface Account extends AccountSettings {
  readonly id: string;
  readonly name: string;
  readonly credits: number;
  readonly created_at: number;
  /** The last day (its first millisecond, UTC) with work that ended without a charge; 0: there was none. */
  readonly free_day: number;
  /** Processor time of that work, of that day. */
  readonly free_ms: number;
}

export interface NewAccount {
  readonly id: string;
  readonly name: string;
  /** First grant; written to the ledger as `grant` when above 0. */
  readonly credits: number;
  readonly created_at: number;
  readonly settings?: Partial<AccountSettings>;
}

export interface ApiKey {
  readonly id: string;
  readonly account_id: string;
  readonly label: string;
  /** Lower-case hexadecimal SHA-256 of the key in ASCII. */
  readonly sha256: string;
  readonly last_four: string;
  readonly created_at: number;
  readonly revoked_at: number | null;
  /** As `touchKey` was told, which is to the hour or so; null: never. */
  readonly used_at: number | null;
  /** Null: the key may do everything that its account may. */
  readonly rights: KeyRights | null;
}

export type NewKey = Omit<ApiKey, "revoked_at" | "used_at" | "rights"> & Partial<Pick<ApiKey, "rights">>;

/** What a key may do. */
export interface KeyRights {
  /**
   * Nothing that it submits costs or is worked on: results and failures are made up, and lie in the account's test
   * account.
   */
  readonly test: boolean;
  /** It only reads: every PUT is refused. */
  readonly read_only: boolean;
  /** Actions that it may submit and whose operations it may see, as `create.new_song` or `adapt.*`; null: all. */
  readonly actions: readonly string[] | null;
  /** What its operations may cost; null: as much as the account has. */
  readonly budget: KeyBudget | null;
}

/** Credits for each day or month of the calendar, in UTC. */
export interface KeyBudget {
  readonly credits: number;
  readonly period: "day" | "month";
}

export interface SigningSecret {
  readonly id: string;
  readonly account_id: string;
  readonly label: string;
  /** Sealed by core/base/secrets.ts; the store never sees the plain secret. */
  readonly sealed: string;
  readonly created_at: number;
  readonly retired_at: number | null;
}

export type NewSecret = Omit<SigningSecret, "retired_at">;

/** `rebate`: what an operation costs less than was debited, once its sources are measured. */
export type LedgerKind = "grant" | "debit" | "refund" | "rebate";

/** One line of the append-only ledger. The balance is the sum of `credits`; (`operation_id`, `kind`) is unique. */
export interface LedgerEntry {
  readonly id: number;
  readonly account_id: string;
  readonly operation_id: string | null;
  readonly kind: LedgerKind;
  /** Signed: debits are below 0, all others above. */
  readonly credits: number;
  readonly note: string;
  readonly created_at: number;
}

/** One day of an account, from its ledger. Credits are 0 or above. */
export interface UsageDay {
  /** Its first millisecond, UTC. */
  readonly day: number;
  readonly debited: number;
  readonly refunded: number;
  readonly rebated: number;
  readonly granted: number;
  /** Debits: operations that cost something. */
  readonly operations: number;
}

/** What operations of one action and key cost on one day. All of a day add up to its `UsageDay`. */
export interface UsagePart extends Pick<UsageDay, "day" | "debited" | "refunded" | "rebated"> {
  readonly action: string;
  /** `""`: no key asked but somebody who was signed in; or keys were not counted yet. */
  readonly key_id: string;
  /** Those that cost nothing included. */
  readonly operations: number;
}
