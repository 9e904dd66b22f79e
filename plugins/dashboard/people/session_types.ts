/** What the dashboard asks of sessions, and what it is answered. */
import type { Account, Peer, Role, User } from "../../../core/surface.ts";
import type { FormRefused, MemberVerbs } from "./members.ts";
import type { Permission } from "./roles.ts";

/** A request as its page has it. `peer` is the connection's other end, for the limits. */
export interface Visit {
  readonly request: Request;
  readonly peer: Peer;
}

/** A live session. */
export interface SignedIn {
  readonly user: User;
  readonly account: Account;
  /** Whether the user is an operator of the installation too. */
  readonly operates: boolean;
  /** For the field `csrf` of every form of this session, and the header `x-csrf-token` of its scripts. */
  readonly csrf: string;
  /** Where the request came from, where the caller said so: for the audit log. */
  readonly address?: string | undefined;
}

/**
 * What came of a form. `message` is a sentence for its sender, the same for unknown, disabled and invited users and
 * wrong passwords. `cookies` are whole Set-Cookie values to append to the answer, which should be a 303.
 */
export type Entered =
  | { readonly kind: "entered"; readonly cookies: readonly string[]; readonly user: User }
  | FormRefused;

/**
 * What a link is for, to show before its form. `taken`: an invitation of an address that signs in to some account
 * already.
 */
export interface Invitation {
  readonly kind: "new_user" | "new_password" | "taken";
  readonly account_name: string;
  /** Fixed; null: the form asks for it. */
  readonly email: string | null;
  readonly role: Role;
}

/** The token and what must be sent with it. */
interface FormToken {
  readonly csrf: string;
  /** Set-Cookie values to append to the page's answer; empty where the visitor has the cookie already. */
  readonly cookies: readonly string[];
}

export interface Sessions extends MemberVerbs {
  /**
   * The live session of the request's cookie. Costs one look-up in the store, and a write when it was not seen for a
   * while.
   */
  current(request: Request): Promise<SignedIn | undefined>;
  /**
   * As `current`; throws a Refusal: 401 without a session, 403 where the role may not. Ask on every route, also of
   * reads.
   */
  require(request: Request, permission: Permission): Promise<SignedIn>;

  /** For a form that is sent before there is a session: sign-in, link, forgotten password. */
  formToken(request: Request): Promise<FormToken>;
  /**
   * First thing in the handling of every POST, signed in or not. Throws a Refusal, 403, where the request comes from
   * another site (`Origin`, `Sec-Fetch-Site`) or `token` (field `csrf` or header `x-csrf-token`) is not that of this
   * session, or of this visitor.
   */
  checkForm(request: Request, token: string | null): Promise<void>;
  /**
   * Before a form's body is read: throws a Refusal, 403, where it comes from another site or from nobody who was given
   * a form, and 429 where an address sends too many of those that need no session (`open`).
   */
  checkSender(visit: Visit, open: boolean): Promise<void>;
  /** Throws a Refusal, 421, where the Host is not that of TONWERK_BASE_URL (loopback names stand for one another). */
  checkHost(request: Request): void;

  signIn(visit: Visit, form: { readonly email: string; readonly password: string }): Promise<Entered>;
  /** Looks at a link without using it up. Undefined: unknown, used, or its time is over. */
  invitation(token: string): Promise<Invitation | undefined>;
  /**
   * Uses it up, sets the password, ends the user's other sessions and signs in. `email` only where the invitation has
   * none.
   */
  redeem(visit: Visit, token: string, form: { readonly email?: string; readonly password: string }): Promise<Entered>;
  /** Mails a link where the address is a user's and mail is configured; takes as long and says as much where not. */
  forgotPassword(visit: Visit, email: string): Promise<{ readonly kind: "asked" } | FormRefused>;
  /** Whether mail is configured: without it a forgotten password is a matter for an owner or the operator. */
  readonly can_mail: boolean;

  /** Resolves to the cookies that take the session away. Also without one. */
  signOut(visit: Visit): Promise<readonly string[]>;
  /** Asked for again before what cannot be undone, of somebody who is signed in. Undefined: it is right. */
  checkPassword(visit: Visit, by: SignedIn, password: string): Promise<FormRefused | undefined>;
  /** Ends the user's other sessions and gives this one a new id. */
  setPassword(visit: Visit, by: SignedIn, form: { readonly current: string; readonly next: string }): Promise<Entered>;
}
