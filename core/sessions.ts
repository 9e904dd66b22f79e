/**
 * Who is signed in to the dashboard: links, passwords, sessions, form tokens and members. Knows headers and cookies, no pages.
 * The types and their promises are here; session_cookies.ts, form_tokens.ts, sign_in_limits.ts and passwords.ts do the parts.
 */
import type { Account, Role, User } from "./ports.ts";
import type { Permission } from "./roles.ts";
import type { Peer } from "./runtime.ts";

/** A request as its page has it. `peer` is the connection's other end, for the limits. */
export interface Visit {
  readonly request: Request;
  readonly peer: Peer;
}

/** A live session. */
export interface SignedIn {
  readonly user: User;
  readonly account: Account;
  /** For the field `csrf` of every form of this session, and the header `x-csrf-token` of its scripts. */
  readonly csrf: string;
  /** Names the session to `signOut` and `setPassword`; of no use to anybody who reads it. */
  readonly session_sha256: string;
}

/**
 * What came of a form. `message` is a sentence for its sender, the same for unknown, disabled and invited users and wrong passwords.
 * `cookies` are whole Set-Cookie values to append to the answer, which should be a 303.
 */
export type Entered =
  | { readonly kind: "entered"; readonly cookies: readonly string[]; readonly user: User }
  | FormRefused;

export interface FormRefused {
  readonly kind: "refused";
  /** `limited`: 429, with `retry_seconds`. `gone`: the link is of no use any more, 410. The others: 422. */
  readonly why: "credentials" | "limited" | "gone" | "email" | "password" | "taken" | "last_owner" | "unknown";
  readonly message: string;
  /** Above 0 where `why` is `limited`. */
  readonly retry_seconds: number;
}

/** What a link is for, to show before its form. */
export interface Invitation {
  readonly kind: "new_user" | "new_password";
  readonly account_name: string;
  /** Fixed; null: the form asks for it. */
  readonly email: string | null;
  readonly role: Role;
}

/** The token and what must be sent with it. */
export interface FormToken {
  readonly csrf: string;
  /** Set-Cookie values to append to the page's answer; empty where the visitor has the cookie already. */
  readonly cookies: readonly string[];
}

export interface Invited {
  readonly kind: "invited";
  /** Works once, until `expires_at`. Shown once: only its hash is kept. */
  readonly url: string;
  readonly expires_at: number;
  /** Whether it was handed to the mail server. */
  readonly mailed: boolean;
}

export interface Sessions {
  /** The live session of the request's cookie. Costs one look-up in the store, and a write when it was not seen for a while. */
  current(request: Request): Promise<SignedIn | undefined>;
  /** As `current`; throws a Refusal: 401 without a session, 403 where the role may not. Ask on every route, also of reads. */
  require(request: Request, permission: Permission): Promise<SignedIn>;

  /** For a form that is sent before there is a session: sign-in, link, forgotten password. */
  formToken(request: Request): Promise<FormToken>;
  /**
   * First thing in the handling of every POST, signed in or not. Throws a Refusal, 403, where the request comes from another site
   * (`Origin`, `Sec-Fetch-Site`) or `token` (field `csrf` or header `x-csrf-token`) is not that of this session, or of this visitor.
   */
  checkForm(request: Request, token: string | null): Promise<void>;
  /** Throws a Refusal, 421, where the Host is not that of TONWERK_BASE_URL (loopback names stand for one another). */
  checkHost(request: Request): void;

  signIn(visit: Visit, form: { readonly email: string; readonly password: string }): Promise<Entered>;
  /** Looks at a link without using it up. Undefined: unknown, used, or its time is over. */
  invitation(token: string): Promise<Invitation | undefined>;
  /** Uses it up, sets the password, ends the user's other sessions and signs in. `email` only where the invitation has none. */
  redeem(visit: Visit, token: string, form: { readonly email?: string; readonly password: string }): Promise<Entered>;
  /** Mails a link where the address is a user's and mail is configured; takes as long and says as much where not. */
  forgotPassword(visit: Visit, email: string): Promise<{ readonly kind: "asked" } | FormRefused>;
  /** Whether mail is configured: without it a forgotten password is a matter for an owner or the operator. */
  readonly can_mail: boolean;

  /** Resolves to the cookies that take the session away. Also without one. */
  signOut(request: Request): Promise<readonly string[]>;
  /** Ends the user's other sessions and gives this one a new id. */
  setPassword(visit: Visit, by: SignedIn, form: { readonly current: string; readonly next: string }): Promise<Entered>;

  /** Every user of the account, without passwords. */
  members(by: SignedIn): Promise<readonly Member[]>;
  /** A link for somebody new, or a new one for who was invited already. Owners only. */
  invite(by: SignedIn, form: { readonly email: string; readonly role: Role }): Promise<Invited | FormRefused>;
  /** A link with which the member sets a new password. Owners only. */
  inviteAgain(by: SignedIn, user_id: string): Promise<Invited | FormRefused>;
  /** `disabled` ends the member's sessions. Owners only; one owner who may sign in is left in any case. */
  changeMember(
    by: SignedIn,
    user_id: string,
    changes: { readonly role?: Role; readonly disabled?: boolean },
  ): Promise<{ readonly kind: "changed" } | FormRefused>;
  removeMember(by: SignedIn, user_id: string): Promise<{ readonly kind: "changed" } | FormRefused>;
}

export type Member = Omit<User, "password">;

/** Where links lead; the page reads `token` of the query, shows a form for `redeem`, and never redeems on GET. */
export const LINK_PATH = "/dashboard/link";
