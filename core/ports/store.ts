/** The store: where accounts, operations, jobs and deliveries are kept. */

import type { Work } from "../base/basics.ts";
import type {
  Account,
  AccountSettings,
  ApiKey,
  LeakReport,
  NewAccount,
  NewInvitation,
  NewKey,
  NewLeakReport,
  NewSecret,
  NewUser,
  OpenInvitation,
  Session,
  SignInLink,
  SigningSecret,
  UsageDay,
  User,
  UserChanges,
} from "./accounts.ts";
import type { AuditEntry, AuditedVerb, AuditFilter, NewAuditEntry } from "./audit.ts";
import type {
  End,
  LedgerEntry,
  Operation,
  OperationFilter,
  QueueStats,
  Replay,
  Snapshot,
  StoredFile,
  Submission,
  Submitted,
} from "./operations.ts";
import type { HeldJob, QueuedJob } from "./queue.ts";
import type { Delivery, DeliveryFilter, Webhook, WebhookAttempt, WebhookCaps, WebhookState } from "./webhooks.ts";

/** The store cannot answer now: HTTP 503 with Retry-After; nothing of the call was done, or the caller cannot know and must ask again. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
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
  /**
   * Adds processor time, in whole milliseconds, to the account's of the day that begins at `day` (UTC). An earlier day is forgotten with that;
   * of a later one nothing changes. Resolves to what the account has of its last day then; 0 for an unknown account.
   */
  addFreeWork(account_id: string, day: number, ms: number): Promise<number>;
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
  /** Of all accounts, retired ones too, by id from the one behind `after` on. */
  sealedSecrets(page: {
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly Pick<SigningSecret, "id" | "sealed">[]>;
  /** False, and nothing written, where it is not sealed as `was` any more. */
  resealSecret(id: string, was: string, sealed: string): Promise<boolean>;

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

  /** Of the links of the same user, or of the same account where `user_id` is null, the newest `most` are kept, this one first. */
  createLink(link: SignInLink, most: number): Promise<void>;
  /** Not used yet; its time may be over, and its user disabled. */
  findLink(sha256: string): Promise<SignInLink | undefined>;
  /**
   * Uses the link up, and the others of the same user or for the same account's newcomer, if `now` is before its end, and opens the session: for its own user, who gets the password as `updateUser` does, or
   * for `entrant`, who is made an owner of the link's account where the link names no user. All or nothing. `taken`: as `redeemInvitation`.
   * `unknown`: no such link, its time is over, it was used, or its user is disabled.
   */
  redeemLink(
    sha256: string,
    now: number,
    entrant: { readonly id: string; readonly email: string; readonly password: string },
    session: Omit<Session, "user_id">,
  ): Promise<"redeemed" | "taken" | "unknown">;

  /**
   * Of an address that the account invited before, role, link and times become these, and the link before ends. `full`: `open_max` others of
   * the account are open at `sent_at`; nothing was written.
   */
  invite(invitation: NewInvitation, open_max: number): Promise<"invited" | "full">;
  /** All of the account's, oldest first; their time may be over. */
  invitations(account_id: string): Promise<readonly OpenInvitation[]>;
  /** By its link; its time may be over. */
  findInvitation(sha256: string): Promise<OpenInvitation | undefined>;
  withdrawInvitation(account_id: string, id: string): Promise<boolean>;
  /**
   * Makes `entrant` a user with the invitation's address and role and opens the session, if `now` is before its end; the invitation is gone
   * then. All or nothing. `taken`: the address is a user's who has a password; one without (of an older version's invitation) gives way.
   */
  redeemInvitation(
    sha256: string,
    now: number,
    entrant: { readonly id: string; readonly password: string },
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

  // Audit log: append-only, in the store's own rules too
  audit(entry: NewAuditEntry): Promise<void>;
  /** Does the verb and, where it did something (`UNDONE` says what did not), writes the entry in the same transaction. */
  audited<V extends AuditedVerb>(entry: NewAuditEntry, verb: V, ...args: Parameters<Store[V]>): ReturnType<Store[V]>;
  /** Newest first. */
  auditEntries(filter: AuditFilter): Promise<readonly AuditEntry[]>;

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
  /** The `response` that it was submitted with. */
  firstResponse(id: string): Promise<string | undefined>;
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
   * (absent: any) are left to workers that know them; an account that has `jobs_max` jobs of `work` leased is passed over, and so is
   * every one of `passed`. Raises `attempt`, sets the lease to the store's now + `lease_ms`, and `started_at` at the first claim.
   */
  claim(
    work: Work,
    worker: string,
    lease_ms: number,
    actions?: readonly string[],
    passed?: readonly string[],
  ): Promise<Operation | undefined>;
  /** Extends leases and records progress. Resolves to the ids that are no longer held with that attempt (ended, or claimed by another). */
  renew(held: readonly HeldJob[], lease_ms: number): Promise<readonly string[]>;
  /** Puts a job back, before any later one, without counting it as lost. False when it is no longer held with that attempt. */
  release(id: string, attempt: number): Promise<boolean>;
  /** Puts back, likewise, every job that `worker` holds: for one that cannot know whether its claim came through. Resolves to their ids. */
  releaseAll(work: Work, worker: string): Promise<readonly string[]>;
  /**
   * Jobs whose lease ran out: those lost fewer than `losses_max` times go back to the queue, the others are returned, still
   * `processing` and still leased to nobody, for core to terminate. `requeued` counts the former. Returned as well, some minutes late at most:
   * jobs of actions that no `claim` has asked for in `unknown_ms`, although workers of their kind were there all that time. A store of one process,
   * whose worker takes every action, has none of these.
   */
  reconcile(
    losses_max: number,
    unknown_ms?: number,
  ): Promise<{ readonly requeued: readonly QueuedJob[]; readonly exhausted: readonly Operation[] }>;
  /** True: this end won. False: the operation had ended, or another attempt holds it; nothing was written. */
  terminate(end: End): Promise<boolean>;
  /** Called with ids soon after their end was committed, here or on another node; with null when some may have been missed. */
  onEnded(listener: (ids: readonly string[] | null) => void): () => void;

  // Files and objects
  /** False: with it the account's uploads would have more than `bytes_max` bytes together, and nothing was written. */
  createFile(file: StoredFile, bytes_max?: number): Promise<boolean>;
  /** Bytes of the account's uploads, and when the first of them expires unless it is used; null: it has none. */
  keptUploads(account_id: string): Promise<{ readonly bytes: number; readonly next_expiry: number | null }>;
  file(id: string): Promise<StoredFile | undefined>;
  /** Raises `expires_at` to at least `until`; false for an unknown file. */
  touchFile(id: string, until: number): Promise<boolean>;
  /**
   * Forgets up to `limit` operations and files whose time is over (`expires_at` <= now), with keys, webhooks and outputs, and resolves to the
   * bucket keys that nothing names any more. What a `processing` operation uses as a source stays. Sessions, links, invitations and entries of the
   * audit log whose time is over go too.
   */
  expire(now: number, limit: number): Promise<{ readonly objects: readonly string[]; readonly more: boolean }>;
  /** Of these bucket keys, the ones that no operation or file names. */
  unnamed(keys: readonly string[]): Promise<readonly string[]>;
  /** Of these bucket keys, the ones that are the account's: its uploads, and outputs of its operations. */
  owned(account_id: string, keys: readonly string[]): Promise<readonly string[]>;

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
