/**
 * What core needs from the outside, in core's own verbs. Adapters own connections, transactions and clients;
 * nothing of those appears here. Times are whole milliseconds since 1970 UTC and come from the caller's `Clock`
 * unless a verb says that it uses the store's. Conformance suites in test/adapters run against every adapter.
 */
import type { Audio, Job, Limits, Output, Runner, StemOutput } from "./plugin.ts";

export type Status = "processing" | "ready" | "failed";
/** Kind of work: which workers may claim it. `gpu`: what a model on an accelerator serves. */
export type Work = "dsp" | "generation" | "gpu";
export const WORKS: readonly Work[] = ["dsp", "generation", "gpu"];

// ---------------------------------------------------------------------------------------------------------------- Clock

/** Time, so that tests can own it. */
export interface Clock {
  now(): number;
  /** Runs `callback` once after `ms`; the returned function cancels. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void;
}

// ---------------------------------------------------------------------------------------------------------------- Store

/** The store cannot answer now: HTTP 503 with Retry-After; nothing of the call was done, or the caller cannot know and must ask again. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

export interface AccountSettings {
  /** Null: the installation's default applies. 0: unlimited. */
  readonly put_per_minute: number | null;
  readonly get_per_minute: number | null;
  readonly long_polls: number | null;
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
  /** Sealed by core/secrets.ts; the store never sees the plain secret. */
  readonly sealed: string;
  readonly created_at: number;
  readonly retired_at: number | null;
}

export type NewSecret = Omit<SigningSecret, "retired_at">;

/** `owner` may change the account, `member` may look and work: see core/roles.ts. */
export type Role = "owner" | "member";

/** A person who may sign in to one account. */
export interface User {
  readonly id: string;
  readonly account_id: string;
  /** Canonical (core/users.ts), unique in the installation. */
  readonly email: string;
  readonly role: Role;
  /** As core/passwords.ts wrote it, for it alone to read; null: none was set yet. Never leaves core. */
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

export type LedgerKind = "grant" | "debit" | "refund";

/** One line of the append-only ledger. The balance is the sum of `credits`; (`operation_id`, `kind`) is unique. */
export interface LedgerEntry {
  readonly id: number;
  readonly account_id: string;
  readonly operation_id: string | null;
  readonly kind: LedgerKind;
  /** Signed: grants and refunds above 0, debits below. */
  readonly credits: number;
  readonly note: string;
  readonly created_at: number;
}

/** A source of an operation, bound when it was submitted. */
export interface SourceBinding {
  /** Field of the request. */
  readonly name: string;
  /** Key in the bucket for a URL of our own; null: to be fetched. Objects bound to a `processing` operation are never expired. */
  readonly object: string | null;
  readonly url: string;
}

/** Everything a submission writes, in one transaction: operation, idempotency binding, debit, ledger, job. */
export interface Submission {
  readonly id: string;
  readonly account_id: string;
  readonly action: string;
  /** Canonical lower-case UUID; unique for the account, across actions. */
  readonly idempotency_key: string;
  /** Hexadecimal SHA-256 of action and body after validation and defaults; tells a replay from a reused key. */
  readonly fingerprint: string;
  readonly cost: number;
  readonly work: Work;
  /** JSON of the validated request with defaults and the chosen seed. */
  readonly request: string;
  readonly sources: readonly SourceBinding[];
  readonly callback_url: string | null;
  /** Body of the first response; a replay answers the same bytes. */
  readonly response: string;
  readonly created_at: number;
  /** Uploads that this submission uses: they live at least until `files_until`. */
  readonly files: readonly string[];
  readonly files_until: number;
}

export type Submitted =
  | { readonly kind: "accepted" }
  | { readonly kind: "replayed"; readonly response: string }
  | { readonly kind: "key_reused" }
  | { readonly kind: "insufficient_credits"; readonly balance: number };

/** What is said of a key that is taken. */
export type Replay = Extract<Submitted, { readonly kind: "replayed" | "key_reused" }>;

export interface Operation {
  readonly id: string;
  readonly account_id: string;
  readonly action: string;
  readonly work: Work;
  readonly status: Status;
  readonly idempotency_key: string;
  readonly cost: number;
  readonly request: string;
  readonly sources: readonly SourceBinding[];
  readonly callback_url: string | null;
  readonly created_at: number;
  /** When a worker first claimed it; null: it never did. */
  readonly started_at: number | null;
  readonly completed_at: number | null;
  /** When operation, outputs and idempotency key are forgotten; null while `processing`. */
  readonly expires_at: number | null;
  /** Fencing token: raised by every claim; 0 before the first. Kept after the end. */
  readonly attempt: number;
  /** True while a worker holds it. */
  readonly running: boolean;
  /** 0 to 1. */
  readonly progress: number;
  readonly stage: string | null;
  /** JSON array of core's stored outputs when `ready`. */
  readonly outputs: string | null;
  /** JSON object when `failed`. */
  readonly error: string | null;
}

/** What a client is shown of an operation, read in one go. */
export interface Snapshot extends Omit<Operation, "work" | "sources" | "callback_url" | "attempt"> {
  /**
   * How many jobs of the same kind are before this one; null when it is not queued. Exact where it says 16 or less; a larger number may
   * be a second old. Counts to 10,000 at most.
   */
  readonly queue_position: number | null;
}

/** The one end of an operation. Takes effect only while it is `processing` and its attempt is `attempt`. */
export interface End {
  readonly id: string;
  readonly attempt: number;
  readonly status: "ready" | "failed";
  readonly outputs: string | null;
  readonly error: string | null;
  /** Give the cost back, in the same transaction. */
  readonly refund: boolean;
  readonly completed_at: number;
  readonly expires_at: number;
  /** Bucket keys that the operation names from now on. */
  readonly objects: readonly string[];
  readonly webhook: NewWebhook | null;
}

export interface NewWebhook {
  /** `webhook-id` of the event: `evt_` + 26 characters, no dot. */
  readonly id: string;
  /** `<action>.ready` or `<action>.failed`. */
  readonly type: string;
  readonly url: string;
  /** Host and port of `url`: attempts to one host are counted together. */
  readonly host: string;
  /** The bytes that every attempt sends. */
  readonly body: string;
}

/** Most attempts under way at a time, those of every worker together. */
export interface WebhookCaps {
  readonly host_max: number;
  readonly account_max: number;
}

export type WebhookState = "pending" | "delivered" | "failed";

export interface Webhook extends NewWebhook {
  readonly operation_id: string;
  readonly account_id: string;
  readonly state: WebhookState;
  readonly created_at: number;
  /** When the first attempt began; null before it. */
  readonly first_attempt_at: number | null;
  readonly next_attempt_at: number | null;
  readonly attempts: number;
}

/** A webhook as a list shows it. */
export interface Delivery extends Omit<Webhook, "body"> {
  /** The attempt that was recorded last. */
  readonly last: Pick<WebhookAttempt, "started_at" | "duration_ms" | "status" | "detail"> | null;
}

export interface DeliveryFilter {
  readonly state?: WebhookState;
  /** Only webhooks whose id sorts before this one. */
  readonly before?: string;
  /** 1 to 101. */
  readonly limit: number;
}

export interface WebhookAttempt {
  readonly webhook_id: string;
  /** 1 for the first. Also the fencing token of the claim. */
  readonly attempt: number;
  readonly started_at: number;
  readonly duration_ms: number;
  /** HTTP status, or null when there was no answer. */
  readonly status: number | null;
  /** Why there was none, or the first bytes of the answer. */
  readonly detail: string;
}

/** An upload. */
export interface StoredFile {
  readonly id: string;
  readonly account_id: string;
  readonly object: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly seconds: number;
  readonly created_at: number;
  readonly expires_at: number;
}

export interface OperationFilter {
  readonly action?: string;
  readonly status?: Status;
  /** Only operations whose id sorts before this one. */
  readonly before?: string;
  /** Only operations whose id sorts after this one; ids begin with their time, so that `idBound` makes a date of it. */
  readonly after?: string;
  /** 1 to 101. */
  readonly limit: number;
}

export interface QueueStats {
  readonly queued: number;
  readonly running: number;
  /** `created_at` of the oldest queued job; null: none is queued. */
  readonly oldest_at: number | null;
}

/**
 * The one truth. Every verb is atomic; verbs that write are durable when they resolve. A verb rejects with `StoreUnavailable`
 * where the store is away, and with any other error only for a programming mistake.
 */
export interface Store {
  /** Resolves when a write could be committed now; rejects with StoreUnavailable otherwise. */
  health(): Promise<void>;
  close(): Promise<void>;

  // Accounts
  /** With its first key and signing secret where they are given, all or nothing. */
  createAccount(account: NewAccount, key?: NewKey, secret?: NewSecret): Promise<void>;
  account(id: string): Promise<Account | undefined>;
  /** Number of accounts; 0 tells a first start. */
  countAccounts(): Promise<number>;
  /** Newest first; `before` is an account's id. */
  accounts(page: { readonly before?: string; readonly limit: number }): Promise<readonly Account[]>;
  updateSettings(account_id: string, settings: Partial<AccountSettings>): Promise<boolean>;
  /** Renames the account itself (`id` is its own), or its key or secret `id`, live or not. False where it has none of that id. */
  label(what: "account" | "key" | "secret", account_id: string, id: string, label: string): Promise<boolean>;
  /** Adds credits (above 0) and a ledger line. Resolves to the new balance, undefined for an unknown account. */
  grant(account_id: string, credits: number, note: string, now: number): Promise<number | undefined>;
  /** Newest first; `before` is a ledger id. */
  ledger(account_id: string, page: { before?: number; limit: number }): Promise<readonly LedgerEntry[]>;
  /** The days from the one that `from` lies in to the one before `until` that have ledger lines, oldest first; costs by the day, not by the line. */
  usage(account_id: string, from: number, until: number): Promise<readonly UsageDay[]>;

  createKey(key: NewKey): Promise<void>;
  /** The live key with this hash and its account; revoked or unknown: undefined. */
  findKey(sha256: string): Promise<{ readonly key: ApiKey; readonly account: Account } | undefined>;
  keys(account_id: string): Promise<readonly ApiKey[]>;
  /** False when there is no such live key of the account. */
  revokeKey(account_id: string, id: string, now: number): Promise<boolean>;
  /** Raises `used_at` to at least `at`. An unknown key is no error. */
  touchKey(id: string, at: number): Promise<void>;
  /**
   * Called with the account's id before `updateSettings`, `revokeKey` or a `reportLeak` that revokes resolve here, and soon after they did on another node where the
   * store can tell; with null when some changes may have been missed. Who remembers keys must ask again after a while all the same.
   */
  onAccountChanged(listener: (account_id: string | null) => void): () => void;

  createSecret(secret: NewSecret): Promise<void>;
  /** All of the account's, live ones (`retired_at` null) first, newest first. */
  secrets(account_id: string): Promise<readonly SigningSecret[]>;
  /** Refuses to retire the last live one. */
  retireSecret(account_id: string, id: string, now: number): Promise<"retired" | "last" | "unknown">;

  // People
  /** `taken`: the address is another user's, of whatever account; nothing was written. */
  createUser(user: NewUser): Promise<"created" | "taken">;
  /** Every user of the account, oldest first. */
  users(account_id: string): Promise<readonly User[]>;
  user(id: string): Promise<User | undefined>;
  findUser(email: string): Promise<User | undefined>;
  /**
   * Changes what is named. A changed password, and `disabled_at` other than null, end the user's sessions and links in the same
   * transaction, all but the session `keep`. `last_owner`: it is the account's only owner with a password who is not disabled, and would
   * not be one any more; nothing was changed.
   */
  updateUser(
    account_id: string,
    id: string,
    changes: UserChanges,
    keep?: string,
  ): Promise<"updated" | "unknown" | "last_owner">;
  /** With sessions and links. Refuses as `updateUser` does. */
  removeUser(account_id: string, id: string): Promise<"removed" | "unknown" | "last_owner">;

  /** Replaces the links of the same user; of the same account where `user_id` is null. */
  createLink(link: SignInLink): Promise<void>;
  /** Not used yet; its time may be over, and its user disabled. */
  findLink(sha256: string): Promise<SignInLink | undefined>;
  /**
   * Uses the link up, if `now` is before its end, and opens the session: for its own user, who gets the password as `updateUser` does, or
   * for `entrant`, who is made an owner of the link's account where the link names no user. All or nothing. `taken`: as `createUser`.
   * `unknown`: no such link, its time is over, it was used, or its user is disabled.
   */
  redeemLink(
    sha256: string,
    now: number,
    entrant: { readonly id: string; readonly email: string; readonly password: string },
    session: Omit<Session, "user_id">,
  ): Promise<"redeemed" | "taken" | "unknown">;

  /** False, and nothing written, where the user is unknown or disabled or has not this `password` any more. */
  createSession(session: Session, password: string): Promise<boolean>;
  /** With its user, who is not disabled, and the account. Its time may be over. */
  findSession(
    sha256: string,
  ): Promise<{ readonly session: Session; readonly user: User; readonly account: Account } | undefined>;
  touchSession(sha256: string, seen_at: number): Promise<void>;
  /** Ends one session, or all of a user but `keep`. Resolves to how many there were. */
  endSessions(
    which: { readonly sha256: string } | { readonly user_id: string; readonly keep?: string },
  ): Promise<number>;

  /**
   * Records that the key was found, revoking it where its account wants that. `known`: the same key at the same `url` was reported
   * before; nothing was written. `unknown`: there is no such key. `mail_at`: when the account's owners are to be mailed; null: they are not.
   */
  reportLeak(
    report: NewLeakReport,
    mail_at: number | null,
  ): Promise<{ readonly kind: "recorded"; readonly revoked: boolean } | { readonly kind: "known" | "unknown" }>;
  /** Newest first; `before` is a report's id. */
  leaks(account_id: string, page: { readonly before?: string; readonly limit: number }): Promise<readonly LeakReport[]>;
  /** False when the account has no such open report. */
  closeLeak(account_id: string, id: string, now: number): Promise<boolean>;
  /** Reports whose owners are to be mailed by `now`, the oldest first, taken for `lease_ms`: after that they are due again. `attempts` counts this one. */
  claimLeakMails(
    now: number,
    lease_ms: number,
    limit: number,
  ): Promise<readonly { readonly report: LeakReport; readonly attempts: number }[]>;
  /** `next_at`: when to try again; null: it was mailed, or given up. */
  recordLeakMail(id: string, next_at: number | null): Promise<void>;

  // Operations
  /**
   * Judges one submission: replay or reused key first, then balance, then everything is written. Concurrent submissions may share a
   * commit; each gets its own answer, in the order of arrival for one account, and none before the commit.
   */
  submit(submission: Submission): Promise<Submitted>;
  /**
   * What `submit` would say of this key; undefined: the key is free. Asked before `submit`, so that a replay waits for no commit; costs
   * no more than reading an operation.
   */
  findReplay(account_id: string, idempotency_key: string, fingerprint: string): Promise<Replay | undefined>;
  operation(id: string): Promise<Operation | undefined>;
  /**
   * What status reads are answered from: the cheapest look at an operation that there is. May be the same object again while nothing in
   * it has changed.
   */
  snapshot(id: string): Promise<Snapshot | undefined>;
  /** In no particular order; unknown ids are left out. */
  snapshots(ids: readonly string[]): Promise<readonly Snapshot[]>;
  /** The account's own, newest first. */
  list(account_id: string, filter: OperationFilter): Promise<readonly Snapshot[]>;
  queueStats(work: Work): Promise<QueueStats>;
  /** The first `limit` operations whose job is queued, in the order of their claims. */
  queued(work: Work, limit: number): Promise<readonly string[]>;

  /**
   * Takes the next queued job of `work`, fairly by account: each account's jobs wait behind its own, not behind another's backlog, and of
   * those whose turn it is the cheapest goes first: credits are the measure of how long work takes. Jobs of other actions than `actions`
   * (absent: any) are left to workers that know them; an account that has `jobs_max` jobs of `work` leased is passed over. Raises
   * `attempt`, sets the lease to the store's now + `lease_ms`, and `started_at` at the first claim.
   */
  claim(work: Work, worker: string, lease_ms: number, actions?: readonly string[]): Promise<Operation | undefined>;
  /** Extends leases and records progress. Resolves to the ids that are no longer held with that attempt (ended, or claimed by another). */
  renew(held: readonly HeldJob[], lease_ms: number): Promise<readonly string[]>;
  /** Puts a job back, before any later one, without counting it as lost. False when it is no longer held with that attempt. */
  release(id: string, attempt: number): Promise<boolean>;
  /** Puts back, likewise, every job that `worker` holds: for one that cannot know whether its claim came through. Resolves to their ids. */
  releaseAll(work: Work, worker: string): Promise<readonly string[]>;
  /**
   * Jobs whose lease ran out: those lost fewer than `losses_max` times go back to the queue, the others are returned, still
   * `processing` and still leased to nobody, for core to terminate. `requeued` counts the former.
   */
  reconcile(
    losses_max: number,
  ): Promise<{ readonly requeued: readonly QueuedJob[]; readonly exhausted: readonly Operation[] }>;
  /** True: this end won. False: the operation had ended, or another attempt holds it; nothing was written. */
  terminate(end: End): Promise<boolean>;
  /** Called with ids soon after their end was committed, here or on another node; with null when some may have been missed. */
  onEnded(listener: (ids: readonly string[] | null) => void): () => void;

  // Files and objects
  createFile(file: StoredFile): Promise<void>;
  file(id: string): Promise<StoredFile | undefined>;
  /** Raises `expires_at` to at least `until`; false for an unknown file. */
  touchFile(id: string, until: number): Promise<boolean>;
  /**
   * Forgets up to `limit` operations and files whose time is over (`expires_at` <= now), with keys, webhooks and outputs, and resolves to the
   * bucket keys that nothing names any more. What a `processing` operation uses as a source stays. Sessions and links whose time is over go too.
   */
  expire(now: number, limit: number): Promise<{ readonly objects: readonly string[]; readonly more: boolean }>;
  /** Of these bucket keys, the ones that no operation or file names. */
  unnamed(keys: readonly string[]): Promise<readonly string[]>;

  // Webhooks (rows are written by `terminate`)
  /**
   * Due rows (`pending`, `next_attempt_at` <= the store's now, not leased), raised by one attempt and leased; of each host and account the
   * oldest first. Never more than `caps` allow beside the leases that are running, so that rows which cannot be attempted now stay due.
   */
  claimWebhooks(worker: string, limit: number, lease_ms: number, caps: WebhookCaps): Promise<readonly Webhook[]>;
  /** Writes the attempt and the row's new state, if `attempt.attempt` is still the row's. `next_attempt_at` null ends the schedule. */
  recordWebhook(attempt: WebhookAttempt, state: WebhookState, next_attempt_at: number | null): Promise<boolean>;
  webhooks(operation_id: string): Promise<readonly Webhook[]>;
  /** The account's own, newest first. */
  deliveries(account_id: string, filter: DeliveryFilter): Promise<readonly Delivery[]>;
  webhookAttempts(webhook_id: string): Promise<readonly WebhookAttempt[]>;
  /** Makes the operation's webhook due now, whatever its state, as a new schedule. False when it has none. */
  redeliver(operation_id: string, now: number): Promise<boolean>;
}

export interface QueuedJob {
  /** Of the operation. */
  readonly id: string;
  readonly work: Work;
}

export interface HeldJob {
  readonly id: string;
  readonly attempt: number;
  readonly progress: number;
  readonly stage: string | null;
}

// ---------------------------------------------------------------------------------------------------------------- Queue

/**
 * A hint, never the truth: says that there may be something to claim. Which job that is, the store decides. Nothing here rejects or waits
 * for a server: what is lost is found by those who look by themselves after `ms_max`, and named again by the reconciler.
 */
export interface Queue {
  /** The job of operation `id` is queued. Naming it twice is naming it once. */
  wake(work: Work, id: string): void;
  /** It is queued no more: claimed, or ended. Takes back a wake-up that nobody has had yet. */
  taken(work: Work, id: string): void;
  /**
   * Resolves when woken, to the operation that was named, or to undefined after `ms_max` or sooner, or when `signal` aborts. One wake-up
   * releases at least one waiter; a wake-up without a waiter is kept.
   */
  wait(work: Work, ms_max: number, signal: AbortSignal): Promise<string | undefined>;
  close(): Promise<void>;
}

// --------------------------------------------------------------------------------------------------------------- Tallies

/** Counts that all nodes share, so that an account's limits hold for the installation. Where they cannot be had, each node counts alone. */
export interface Tallies {
  /** False: they cannot be had now. */
  readonly up: boolean;
  /**
   * Takes one token from the bucket `name`, which holds `per_minute` and is refilled at that rate. Resolves to what is left, below 1 where
   * there was none to take; to undefined where nobody can tell.
   */
  take(name: string, per_minute: number): Promise<{ readonly ok: boolean; readonly level: number } | undefined>;
  /** Adds `member` to the set `name` for at most `ms` where it has fewer than `most`. Undefined: nobody can tell. */
  enter(name: string, member: string, most: number, ms: number): Promise<boolean | undefined>;
  leave(name: string, member: string): void;
  close(): Promise<void>;
}

// --------------------------------------------------------------------------------------------------------------- Bucket

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly modified_at: number;
}

/** `path` is moved into place where that is possible, and is gone afterwards in any case. */
export type Content = Uint8Array | ReadableStream<Uint8Array> | { readonly path: string };

/** Audio at rest. Keys match `OBJECT_KEY`. A key is written once: an object is complete or absent, never partial. */
export interface Bucket {
  put(key: string, content: Content, content_type: string): Promise<{ readonly bytes: number }>;
  /** `start` and `end` are inclusive byte offsets inside the object. Undefined: no such object. */
  open(
    key: string,
    range?: { readonly start: number; readonly end: number },
  ): Promise<{ readonly bytes: number; readonly stream: ReadableStream<Uint8Array> } | undefined>;
  stat(key: string): Promise<StoredObject | undefined>;
  /** Missing keys are no error. */
  delete(keys: readonly string[]): Promise<void>;
  list(prefix: string): AsyncIterable<StoredObject>;
  /** The object as a file of this machine, where it is one: decoders read it in place. */
  path(key: string): string | undefined;
  /** An address that serves the object for `seconds`, to redirect to; undefined: core serves the bytes itself. */
  address(key: string, seconds: number, disposition: string): Promise<string | undefined>;
  /** Ends puts that a process began before `before` and never finished. Resolves to how many. */
  sweep(before: number): Promise<number>;
  close(): Promise<void>;
}

/** Slash-separated segments of letters, digits, `.`, `_` and `-`, none of which begins with a dot. */
export const OBJECT_KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*){0,7}$/;

// ----------------------------------------------------------------------------------------------------------------- Pool

export interface RunOptions {
  /** Aborting asks the runner to stop; one that has not after a grace of 2 s is ended with its thread or process. */
  readonly signal: AbortSignal;
  /** Wall time, counted from when the run begins; then as with `signal`. */
  readonly ms_max: number;
  readonly onProgress?: (fraction: number, stage: string) => void;
}

/** `PoolError.code`: why a run did not come back by itself. */
export type PoolFailure = "aborted" | "timeout" | "crashed" | "closed" | "refused";

/**
 * `starting`: no run has ended well in this process yet. `ready`: idle. `busy`: at work. `failed`: the last run failed, or its process
 * ended; the next run starts a new one and, where that works, leads back to `ready`.
 */
export type Health = "starting" | "ready" | "busy" | "failed";

/** The one process that runs of a resident share. */
export interface ResidentHealth {
  /** `Runner.resident`. */
  readonly name: string;
  readonly state: Health;
  /** Why it is `failed`; else null. */
  readonly reason: string | null;
  /** `failed` because its process ended: what it had loaded is gone. */
  readonly ended: boolean;
  /** Runs that wait. */
  readonly waiting: number;
}

/** Runs runners off the event loop: set up once, run many; what is dead or hung is replaced. */
export interface Pool {
  /**
   * Rejects with the runner's own error (name, message, code, source and stack survive the border), or with an error named
   * `PoolError` whose `code` is a `PoolFailure`. Outputs' array buffers are transferred, never copied, out of a thread.
   */
  run<Input, Output>(runner: Runner<Input, Output>, input: Input, options: RunOptions): Promise<Output>;
  stats(): {
    readonly threads: number;
    readonly processes: number;
    readonly busy: number;
    readonly waiting: number;
    readonly replaced: number;
  };
  /** One for each resident that was ever asked for, in that order. */
  residents(): readonly ResidentHealth[];
  close(): Promise<void>;
}

// --------------------------------------------------------------------------------------------------------------- Studio

export interface SourceFacts {
  readonly format: "wav" | "mp3" | "flac";
  readonly content_type: string;
  readonly seconds: number;
  /** Of the file, before any conversion. */
  readonly sample_rate: number;
  readonly channels: number;
}

/** What an output's level is to be. Peaks are true peaks in dBTP. */
export type Level =
  | { readonly kind: "loudness"; readonly target_lufs: number; readonly allow_compression: boolean }
  /** One gain that brings the peak to -1 dBTP. */
  | { readonly kind: "peak" }
  /** The level it has, lowered by one gain where the peak is above -1 dBTP. */
  | { readonly kind: "ceiling" }
  /** `gain_db` exactly. */
  | { readonly kind: "gain"; readonly gain_db: number };

/** What was measured on the very samples that are delivered. Null where it has no value: silence, or shorter than 400 ms for `lufs`. */
export interface LoudnessReport {
  readonly lufs: number | null;
  readonly true_peak_dbtp: number | null;
  /** True when anything but gain was applied. */
  readonly compressed: boolean;
}

export interface FinishedStem {
  readonly bytes: number;
  /** Lower-case hexadecimal, of the file. */
  readonly sha256: string;
  readonly seconds: number;
  readonly gain_db: number;
}

export interface FinishedFile extends FinishedStem {
  readonly loudness: LoudnessReport;
}

/**
 * Media and mastering, as core sees them from inside a pool thread. Errors that concern the source are named `SourceError` and
 * carry a `code` (`source_undecodable`, `source_too_long`, …).
 */
export interface Studio {
  /** Looks at the content and decodes all of it (up to the limit), keeping nothing. */
  probe(path: string, limits: Limits, signal: AbortSignal): Promise<SourceFacts>;
  /** Decodes to 44.1 kHz mono or stereo; more channels are folded by BS.775. */
  decode(
    path: string,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<{ readonly audio: Audio; readonly facts: SourceFacts }>;
  /** Masters one output, writes it as FLAC to `path`, reads it back and verifies it sample by sample. */
  finish(output: Output, level: Level, file: FinishOptions, signal: AbortSignal): Promise<FinishedFile>;
  /**
   * Writes stems that belong together, each as FLAC to its `path`, under one gain and undithered, so that they still sum; side by side, so
   * that what is made as it is read is made once. Then reads each back and verifies it as `finish` does.
   */
  finishStems(
    stems: readonly StemOutput[],
    gain_db: number,
    files: readonly FinishOptions[],
    signal: AbortSignal,
  ): Promise<readonly FinishedStem[]>;
  /** The largest absolute sample over all outputs, for the common gain of stems. 1 is full scale. */
  peak(outputs: readonly Audio[]): number;
  /** What decodes and encodes here, for `/v1/capabilities`. */
  codec(): Promise<Codec>;
}

export interface Codec {
  readonly name: string;
  readonly version: string;
}

export interface FinishOptions {
  readonly path: string;
  readonly bits: 16 | 24;
  /** Vorbis comments; nothing that changes from run to run. */
  readonly tags: Readonly<Record<string, string>>;
  /** Called when mastering is done and encoding begins. */
  readonly onEncode?: () => void;
}

/** What `runners/mod.ts` exports, loaded by main.ts from the configured origin. */
export interface Runners {
  createPool(options: PoolOptions): Pool;
  /** Loaded inside pool threads only, so that the API process never loads a codec. */
  loadStudio(): Promise<Studio>;
  /** Runs a runner from inside another one: in the same thread without a copy, or in a child process of the pool's. */
  runNested<Input, Output>(runner: Runner<Input, Output>, input: Input, job: Job): Promise<Output>;
  /** Reads the manifests of the models and begins to load them in child processes of the pool's; without a pool they are only listed. */
  createEngines(pool: Pool | undefined, settings: ModelSettings, log: EngineLog): Promise<Engines>;
  /** Looks at every manifest, or that of model `id` alone, and loads its graphs where there is a pool to do it in. */
  checkModels(settings: ModelSettings, pool: Pool | undefined, id?: string): Promise<readonly ModelCheck[]>;
  /** Called in each thread before a job: the models that its runners may use. */
  useModels(settings: ModelSettings): void;
  /** Draws audio, for the dashboard. Rejects with a `SourceError` where the file is none. */
  readonly picture: Runner<PictureInput, Pictures>;
}

/** An audio file of this machine. */
export interface PictureInput {
  readonly path: string;
}

/** WebP files by name: `waveform-light`, `waveform-dark` (on nothing) and `spectrogram`, each with `-1x` or `-2x`. */
export type Pictures = Readonly<Record<string, Uint8Array>>;

// -------------------------------------------------------------------------------------------------------------- Engines

export interface ModelSettings {
  /** Folder of manifests; null: built-in engines only. */
  readonly models: string | null;
  /** Execution providers in order of preference. */
  readonly providers: readonly string[];
  /** Memory of one model's process, 10^6 bytes. */
  readonly model_mb: number;
  /** Time limit of one run of one graph, s. */
  readonly model_seconds: number;
}

/** What a look at one file of the models' folder, and a run of its graphs, showed. */
export interface ModelCheck {
  /** The model's id, or the file's name where it describes none. */
  readonly name: string;
  readonly family: string | null;
  readonly task: string | null;
  readonly licence: string | null;
  /** Null: it was not loaded, or cannot be. */
  readonly device: string | null;
  /** Loading and one run on silence, s. */
  readonly seconds: number | null;
  /** Why it cannot serve; null: it can. */
  readonly reason: string | null;
  /** Providers that come first but cannot be used here. */
  readonly skipped: readonly { readonly provider: string; readonly reason: string }[];
}

export type EngineLog = (event: string, fields: Readonly<Record<string, string | number | null>>) => void;

export interface ModelHealth {
  readonly id: string;
  readonly task: string;
  /** `elsewhere`: this node runs no jobs and loads no model. */
  readonly state: Health | "elsewhere";
  readonly reason: string | null;
  /** Execution provider that its sessions run on, once they are loaded. */
  readonly device: string | null;
}

/** Which engine serves a task: a model, or what is built in. */
export interface Engines {
  /** Models of `task`, the preferred first. */
  models(task: string): readonly ModelHealth[];
  /** Files in the folder that describe no model, each with the reason. */
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
  /** Loads the model `id` anew, a little later: its process has ended. */
  reload(id: string): void;
  close(): void;
}

export interface PoolOptions {
  /** Most threads, and most processes, alive at once. */
  readonly threads_max: number;
  readonly processes_max: number;
  /** A thread or process that has been idle for this long is ended, the last one and residents excepted. */
  readonly idle_ms: number;
  /** Called after each change of a resident's state. */
  readonly onResident?: (health: ResidentHealth) => void;
}
