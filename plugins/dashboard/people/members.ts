/**
 * Who may sign in to an account: members, their roles, invitations, and links for a new password. Their caller has
 * checked who asks.
 */

import {
  type Account,
  type Audit,
  type AuditStore,
  type Clock,
  describeError,
  type Log,
  newId,
  type OpenInvitation,
  type PeopleStore,
  type Role,
  SERVICE,
  type User,
} from "../../../core/surface.ts";
import { roleForbids } from "../refusals.ts";
import { actorOf } from "./actor.ts";
import { canonicalEmail } from "./email_address.ts";
import { INVITATIONS_MAX, type InvitationLimits } from "./invitation_limits.ts";
import type { Mailer } from "./mail.ts";
import { may } from "./roles.ts";
import { hashToken, issueLink, LINK_MS, linkUrl, newToken } from "./sign_in_links.ts";

export interface MemberServices {
  readonly store: PeopleStore & AuditStore;
  readonly clock: Pick<Clock, "now">;
  readonly mailer: Mailer | undefined;
  readonly log: Log;
  readonly base_url: string;
  readonly audit: Audit;
  /** Absent: the operator asks, who is not limited, is told who is a user, and is shown every link. */
  readonly limits?: InvitationLimits | undefined;
}

/** Who changes members: somebody signed in, or the operator as an owner. */
interface Asker {
  readonly user: Pick<User, "id" | "role"> & { readonly email?: string };
  readonly account: Pick<Account, "id" | "name">;
  readonly address?: string | undefined;
}

/** `message` is a sentence for who sent the form. */
export interface FormRefused {
  readonly kind: "refused";
  /** `limited`: 429, with `retry_seconds`. `gone`: the link is of no use any more, 410. The others: 422. */
  readonly why:
    | "credentials"
    | "limited"
    | "gone"
    | "email"
    | "password"
    | "taken"
    | "last_owner"
    | "unknown"
    | "full"
    | "operator";
  readonly message: string;
  /** Above 0 where `why` is `limited`. */
  readonly retry_seconds: number;
}

export interface Invited {
  readonly kind: "invited";
  /** Works once, until `expires_at`. Shown once: only its hash is kept. Null: it is for who reads the mail alone. */
  readonly url: string | null;
  readonly expires_at: number;
  /** Whether it was handed to the mail server. */
  readonly mailed: boolean;
}

export type Member = Omit<User, "password">;

/** Changes of an account's members. */
export interface MemberVerbs {
  /** Every user of the account, without passwords. */
  members(by: Asker): Promise<readonly Member[]>;
  invitations(by: Asker): Promise<readonly OpenInvitation[]>;
  /**
   * A link for somebody new, or a new one for who was invited already; the same answer where the address is a user's of
   * another account. Owners only.
   */
  invite(by: Asker, form: { readonly email: string; readonly role: Role }): Promise<Invited | FormRefused>;
  /** A new link, which ends the one before. Owners only. */
  inviteAgain(by: Asker, invitation_id: string): Promise<Invited | FormRefused>;
  withdraw(by: Asker, invitation_id: string): Promise<{ readonly kind: "changed" } | FormRefused>;
  /** A link with which the member sets a new password. Owners only. */
  makePasswordLink(by: Asker, user_id: string): Promise<Invited | FormRefused>;
  /** `disabled` ends the member's sessions. Owners only; one owner who may sign in is left in any case. */
  changeMember(
    by: Asker,
    user_id: string,
    changes: { readonly role?: Role; readonly disabled?: boolean },
  ): Promise<{ readonly kind: "changed" } | FormRefused>;
  removeMember(by: Asker, user_id: string): Promise<{ readonly kind: "changed" } | FormRefused>;
}

export interface Members extends MemberVerbs {
  /**
   * Mails the user of this address, if there is one and `allowed` says so, a link for a new password. Never rejects.
   */
  mailLink(email: string, allowed: (user_id: string) => Promise<boolean>, address: string | null): Promise<void>;
}

export function createMembers(services: MemberServices): Members {
  const { store, clock, mailer, log, base_url, limits, audit } = services;
  const entry = (by: Asker, action: string, target: string, details: Readonly<Record<string, unknown>> = {}) =>
    audit.entry(actorOf(by), action, { account_id: by.account.id, target, details });

  async function send(email: string, subject: string, text: string): Promise<boolean> {
    if (mailer === undefined) return false;
    try {
      await mailer.send({ to: [email], subject, text });
      return true;
    } catch (error) {
      log("mail.failed", { error: describeError(error) });
      return false;
    }
  }

  async function takeMail(by: Asker, email: string): Promise<FormRefused | undefined> {
    const wait = (await limits?.take(by.account.id, email)) ?? 0;
    if (wait === 0) return undefined;
    const message = `Too many invitations and links were sent: wait ${Math.ceil(wait / 60)} min`;
    return { kind: "refused", why: "limited", message, retry_seconds: wait };
  }

  async function sendPasswordLink(user: User): Promise<Invited> {
    const { url, expires_at } = await issueLink(services, user.account_id, user.id, LINK_MS.password);
    const mailed = await send(user.email, "A new password for Tonwerk", passwordMail(base_url, url, expires_at));
    return { kind: "invited", url, expires_at, mailed };
  }

  /**
   * The same for every address, a user's or not: who that is must not be told to who asks. So the mail says nothing of
   * it either; the page that its link opens does. Nothing in the mail is a text of the inviter's choice.
   */
  async function sendInvitation(by: Asker, email: string, role: Role): Promise<Invited | FormRefused> {
    const limited = await takeMail(by, email);
    if (limited !== undefined) return limited;
    const token = newToken();
    const now = clock.now();
    const expires_at = now + LINK_MS.invitation;
    const made = { id: newId("inv_", now), account_id: by.account.id, email, role, invited_by: by.user.id };
    const whole = { ...made, sha256: hashToken(token), created_at: now, sent_at: now, expires_at };
    const most = limits === undefined ? 1_000_000 : INVITATIONS_MAX;
    const invited = entry(by, "member.invited", whole.id, { email, role });
    if ((await store.audited(invited, "invite", whole, most)) === "full") {
      return refused("full", `${INVITATIONS_MAX} invitations are open: withdraw one, or wait until somebody comes`);
    }
    log("member.invited", { account: by.account.id, by: by.user.id, role });
    const url = linkUrl(base_url, token);
    const mailed = await send(email, "An invitation to Tonwerk", invitationMail(base_url, url, expires_at));
    // Where there is mail the link is for who reads it: opening it says whose address that is.
    return { kind: "invited", url: limits === undefined || mailer === undefined ? url : null, expires_at, mailed };
  }

  async function find(by: Asker, user_id: string): Promise<User | undefined> {
    const user = await store.user(user_id);
    return user?.account_id === by.account.id ? user : undefined;
  }

  return {
    async members(by) {
      const all = await store.users(by.account.id);
      return all.map(({ password: _, ...member }): Member => member);
    },

    invitations: (by) => store.invitations(by.account.id),

    async invite(by, form) {
      ownersOnly(by);
      const email = canonicalEmail(form.email);
      if (email === undefined) return refused("email", "This is not an e-mail address");
      const own = (await store.users(by.account.id)).some((user) => user.email === email);
      if (own) return refused("taken", "This address is a member's already");
      if (limits === undefined && (await store.findUser(email)) !== undefined) {
        return refused("taken", "This address belongs to a user of another account already");
      }
      return sendInvitation(by, email, form.role);
    },

    async inviteAgain(by, id) {
      ownersOnly(by);
      const found = (await store.invitations(by.account.id)).find((one) => one.id === id);
      return found === undefined ? refused("unknown", NOT_OPEN) : sendInvitation(by, found.email, found.role);
    },

    async withdraw(by, id) {
      ownersOnly(by);
      const withdrawn = entry(by, "member.withdrawn", id);
      if (!(await store.audited(withdrawn, "withdrawInvitation", by.account.id, id)))
        return refused("unknown", NOT_OPEN);
      log("member.withdrawn", { account: by.account.id, invitation: id, by: by.user.id });
      return { kind: "changed" };
    },

    async makePasswordLink(by, user_id) {
      ownersOnly(by);
      const user = await find(by, user_id);
      if (user === undefined || user.disabled_at !== null) return refused("unknown", NOBODY);
      // Whoever has the link is that user: an owner would become an operator.
      if (limits !== undefined && (await store.operators()).some(({ user_id: id }) => id === user.id))
        return refused("operator", "They are an operator: their links are made by `tonwerk users link`, or by mail");
      const limited = await takeMail(by, user.email);
      if (limited !== undefined) return limited;
      log("member.link", { account: by.account.id, user: user.id, by: by.user.id });
      await audit.write(entry(by, "member.link_made", user.id, { email: user.email }));
      return sendPasswordLink(user);
    },

    async changeMember(by, user_id, { role, disabled }) {
      ownersOnly(by);
      const changes: { role?: Role; disabled_at?: number | null } = {};
      if (role !== undefined) changes.role = role;
      if (disabled !== undefined) changes.disabled_at = disabled ? clock.now() : null;
      const before = await find(by, user_id);
      const details = {
        email: before?.email,
        ...(role === undefined ? {} : { role: [before?.role, role] }),
        ...(disabled === undefined ? {} : { disabled: [before?.disabled_at != null, disabled] }),
      };
      const entered = entry(by, "member.changed", user_id, details);
      const outcome = await store.audited(entered, "updateUser", by.account.id, user_id, changes);
      log("member.changed", { account: by.account.id, user: user_id, by: by.user.id, outcome });
      return changed(outcome);
    },

    async removeMember(by, user_id) {
      ownersOnly(by);
      const removed = entry(by, "member.removed", user_id, { email: (await find(by, user_id))?.email });
      const outcome = await store.audited(removed, "removeUser", by.account.id, user_id);
      log("member.removed", { account: by.account.id, user: user_id, by: by.user.id, outcome });
      return changed(outcome);
    },

    async mailLink(email, allowed, address) {
      try {
        const user = await store.findUser(email);
        if (mailer === undefined || user === undefined || user.disabled_at !== null) return;
        if (!(await allowed(user.id))) return;
        const of = { account_id: user.account_id, target: user.id, details: { email } };
        await audit.write(audit.entry({ ...SERVICE, address }, "session.link_mailed", of));
        await sendPasswordLink(user);
      } catch (error) {
        log("mail.failed", { error: describeError(error) });
      }
    },
  };
}

const invitationMail = (base_url: string, url: string, expires_at: number): string =>
  `You are invited to an account of the Tonwerk installation at ${base_url}.\n\nSee which one and choose a password here, until ${new Date(expires_at).toUTCString()}:\n\n${url}\n\nIf you do not know what this is, ignore it.\n`;

const passwordMail = (base_url: string, url: string, expires_at: number): string =>
  `Somebody asked for a new password of yours for the Tonwerk installation at ${base_url}.\n\nChoose it here, once, until ${new Date(expires_at).toUTCString()}:\n\n${url}\n\nIf that was not you, ignore this: your password stays as it is.\n`;

function ownersOnly(by: Asker): void {
  if (!may(by.user.role, "members")) throw roleForbids();
}

const NOBODY = "There is no such member";
const NOT_OPEN = "There is no such open invitation";

function changed(outcome: "updated" | "removed" | "unknown" | "last_owner"): { kind: "changed" } | FormRefused {
  if (outcome === "unknown") return refused("unknown", NOBODY);
  if (outcome === "last_owner")
    return refused("last_owner", "The account needs an owner who can sign in: name another one first");
  return { kind: "changed" };
}

function refused(why: FormRefused["why"], message: string): FormRefused {
  return { kind: "refused", why, message, retry_seconds: 0 };
}
