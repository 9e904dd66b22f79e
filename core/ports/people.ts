/**
 * People who sign in to an account: users, sessions, links, invitations; and reports of leaked keys, which they are
 * told of.
 */

import type { Account } from "./accounts.ts";

/** Who may sign in, who is, and who is asked to. */
export interface PeopleStore {
  /** Every user of the account, oldest first. */
  users(account_id: string): Promise<readonly User[]>;
  user(id: string): Promise<User | undefined>;
  findUser(email: string): Promise<User | undefined>;
  /**
   * Changes what is named. A changed password, and `disabled_at` other than null, end the user's sessions and links in
   * the same transaction, all but the session `keep`. `last_owner`: it is the account's only owner who is not disabled,
   * and would not be one any more; nothing was changed.
   */
  updateUser(
    account_id: string,
    id: string,
    changes: UserChanges,
    keep?: string,
  ): Promise<"updated" | "unknown" | "last_owner">;
  /** Users who may see the operator's pages: a right beside their role, of the installation. */
  operators(): Promise<readonly Operator[]>;
  /** Gives the right from `since` on, or takes it (null). False: the user had it, or had not, or is unknown. */
  setOperator(user_id: string, since: number | null): Promise<boolean>;
  /** With sessions and links. Refuses as `updateUser` does. */
  removeUser(account_id: string, id: string): Promise<"removed" | "unknown" | "last_owner">;
  /**
   * Of the links of the same user, or of the same account where `user_id` is null, the newest `most` are kept, this one
   * first.
   */
  createLink(link: SignInLink, most: number): Promise<void>;
  /** Not used yet; its time may be over, and its user disabled. */
  findLink(sha256: string): Promise<SignInLink | undefined>;
  /**
   * Uses the link up, and the others of the same user or for the same account's newcomer, if `now` is before its end,
   * and opens the session: for its own user, who gets the password as `updateUser` does, or for `entrant`, who is made
   * an owner of the link's account where the link names no user. All or nothing. `taken`: as `redeemInvitation`.
   * `unknown`: no such link, its time is over, it was used, or its user is disabled.
   */
  redeemLink(
    sha256: string,
    now: number,
    entrant: { readonly id: string; readonly email: string; readonly password: string },
    session: Omit<Session, "user_id">,
  ): Promise<"redeemed" | "taken" | "unknown">;
  /**
   * Of an address that the account invited before, role, link and times become these, and the link before ends. `full`:
   * `open_max` others of the account are open at `sent_at`; nothing was written.
   */
  invite(invitation: NewInvitation, open_max: number): Promise<"invited" | "full">;
  /** All of the account's, oldest first; their time may be over. */
  invitations(account_id: string): Promise<readonly OpenInvitation[]>;
  /** By its link; its time may be over. */
  findInvitation(sha256: string): Promise<OpenInvitation | undefined>;
  withdrawInvitation(account_id: string, id: string): Promise<boolean>;
  /**
   * Makes `entrant` a user with the invitation's address and role and opens the session, if `now` is before its end;
   * the invitation is gone then. All or nothing. `taken`: the address is another user's.
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
  findSession(sha256: string): Promise<
    | {
        readonly session: Session;
        readonly user: User;
        readonly account: Account;
        /** Whether the user is an operator too. */
        readonly operates: boolean;
      }
    | undefined
  >;
  touchSession(sha256: string, seen_at: number): Promise<void>;
  /** Ends one session, or all of a user but `keep`. Resolves to how many there were. */
  endSessions(
    which: { readonly sha256: string } | { readonly user_id: string; readonly keep?: string },
  ): Promise<number>;
}

/** Keys that were found in public. */
export interface LeaksStore {
  /**
   * Records that the account's key was found. `revoked`: and revoked it, as the account wants. `known`: the same key at
   * the same `url` was reported before; nothing was written. `unknown`: the account has no such key. `mail_at`: when
   * its owners are to be mailed; null: they are not.
   */
  reportLeak(report: NewLeakReport, mail_at: number | null): Promise<"recorded" | "revoked" | "known" | "unknown">;
  /** Newest first; `before` is a report's id. */
  leaks(account_id: string, page: { readonly before?: string; readonly limit: number }): Promise<readonly LeakReport[]>;
  /** False when the account has no such open report. */
  closeLeak(account_id: string, id: string, now: number): Promise<boolean>;
  /**
   * Reports whose owners are to be mailed by `now`, the oldest first, taken for `lease_ms`: after that they are due
   * again. `attempts` counts this one.
   */
  claimLeakMails(
    now: number,
    lease_ms: number,
    limit: number,
  ): Promise<readonly { readonly report: LeakReport; readonly attempts: number }[]>;
  /** `next_at`: when to try again; null: it was mailed, or given up. */
  recordLeakMail(id: string, next_at: number | null): Promise<void>;
}

/** `owner` may change the account, `member` may look and work: see plugins/dashboard/people/roles.ts. */
export type Role = "owner" | "member";

/** A person who may sign in to one account. */
export interface User {
  readonly id: string;
  readonly account_id: string;
  /** Canonical (plugins/dashboard/people/email_address.ts), unique in the installation. */
  readonly email: string;
  readonly role: Role;
  /** As plugins/dashboard/people/passwords.ts wrote it, for it alone to read. Never leaves core. */
  readonly password: string;
  readonly created_at: number;
  /** Since when the user may not sign in; null: may. */
  readonly disabled_at: number | null;
}

export interface Operator {
  readonly user_id: string;
  readonly since: number;
}

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

export type NewLeakReport = Omit<LeakReport, "revoked" | "closed_at">;
