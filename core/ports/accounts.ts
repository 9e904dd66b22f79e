/** What the store keeps of accounts and their people: settings, keys, secrets, users, sessions, leaks, usage. */

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
  /** Most of the account's jobs of one kind of work that run at a time, those of every node together; the others wait. 0: unlimited. */
  readonly jobs_max: number;
  /** Revoke a key as soon as it is reported as leaked, not only tell the owners. */
  readonly revoke_leaked: boolean;
}

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
}

export type NewKey = Omit<ApiKey, "revoked_at" | "used_at">;

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

/** `owner` may change the account, `member` may look and work: see plugins/dashboard/people/roles.ts. */
export type Role = "owner" | "member";

/** A person who may sign in to one account. */
export interface User {
  readonly id: string;
  readonly account_id: string;
  /** Canonical (core/base/emails.ts), unique in the installation. */
  readonly email: string;
  readonly role: Role;
  /** As plugins/dashboard/people/passwords.ts wrote it, for it alone to read; null: none was set yet. Never leaves core. */
  readonly password: string | null;
  readonly created_at: number;
  /** Since when the user may not sign in; null: may. */
  readonly disabled_at: number | null;
}

export type NewUser = Omit<User, "disabled_at">;

export type UserChanges = Partial<Pick<User, "role" | "password" | "disabled_at">>;

/** One browser that is signed in. */
export interface Session {
  /** Lower-case hexadecimal SHA-256 of the cookie's value. */
  readonly sha256: string;
  readonly user_id: string;
  readonly created_at: number;
  readonly expires_at: number;
  /** As `touchSession` was told. */
  readonly seen_at: number;
}

/** A link that lets one person in once, to choose a password. */
export interface SignInLink {
  /** Lower-case hexadecimal SHA-256 of the token in the link. */
  readonly sha256: string;
  readonly account_id: string;
  /** Who sets a password with it; null: somebody new, who names an address and becomes an owner. */
  readonly user_id: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

/** Somebody who is asked to become a user of an account, and is none before they choose a password. */
export interface OpenInvitation {
  readonly id: string;
  readonly account_id: string;
  /** Canonical, once in the account; other accounts may invite it too, and it may be a user's. */
  readonly email: string;
  readonly role: Role;
  /** Id of the user who did, or `operator`. */
  readonly invited_by: string;
  readonly created_at: number;
  /** When its link was made. */
  readonly sent_at: number;
  readonly expires_at: number;
}

export interface NewInvitation extends OpenInvitation {
  /** Lower-case hexadecimal SHA-256 of the token in the link. */
  readonly sha256: string;
}

/** A key that somebody found in public. */
export interface LeakReport {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  /** What kind of place it was found in, in the reporter's words; `""`: not said. */
  readonly source: string;
  /** Where; `""`: not said. */
  readonly url: string;
  readonly created_at: number;
  /** The report revoked the key, as the account had chosen. */
  readonly revoked: boolean;
  /** When somebody of the account said that it is dealt with. */
  readonly closed_at: number | null;
}

export type NewLeakReport = Omit<LeakReport, "account_id" | "revoked" | "closed_at">;

/** One day of an account, from its ledger. Credits are 0 or above. */
export interface UsageDay {
  /** Its first millisecond, UTC. */
  readonly day: number;
  readonly debited: number;
  readonly refunded: number;
  readonly granted: number;
  /** Debits: operations that cost something. */
  readonly operations: number;
}
