/** Who may sign in to an account: invitations, roles, and links for a new password. Their caller has checked who asks. */

import { refuse } from "./errors.ts";
import { newId } from "./ids.ts";
import { describeError, type Log } from "./log.ts";
import type { Mailer } from "./mail.ts";
import type { Clock, Role, Store, User } from "./ports.ts";
import { may as mayDo } from "./roles.ts";
import type { Asker, FormRefused, Invited, Member, Sessions } from "./sessions.ts";
import { issueLink, LINK_MS } from "./sign_in_links.ts";
import { canonicalEmail } from "./users.ts";

export interface MemberServices {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly mailer: Mailer | undefined;
  readonly log: Log;
  readonly base_url: string;
}

export type Members = Pick<Sessions, "members" | "invite" | "inviteAgain" | "changeMember" | "removeMember"> & {
  /** Mails the user of this address, if there is one and `may` says so, a link for a new password. Never rejects. */
  mailLink(email: string, may: (user_id: string) => Promise<boolean>): Promise<void>;
};

export function createMembers(services: MemberServices): Members {
  const { store, clock, mailer, log, base_url } = services;

  async function send(user: Pick<User, "email">, subject: string, text: string): Promise<boolean> {
    if (mailer === undefined) return false;
    try {
      await mailer.send({ to: [user.email], subject, text });
      return true;
    } catch (error) {
      log("mail.failed", { error: describeError(error) });
      return false;
    }
  }

  /** For an invited user a link to come in with, for any other one for a new password. */
  async function sendLink(user: User, account_name: string): Promise<Invited> {
    const is_new = user.password === null;
    const ms = is_new ? LINK_MS.invitation : LINK_MS.password;
    const { url, expires_at } = await issueLink(services, user.account_id, user.id, ms);
    const until = new Date(expires_at).toUTCString();
    const mailed = is_new
      ? await send(
          user,
          `Invitation to ${account_name} on Tonwerk`,
          `You are invited to the account "${account_name}" of the Tonwerk installation at ${base_url}.\n\nChoose a password here, once, until ${until}:\n\n${url}\n\nIf you do not know what this is, ignore it.\n`,
        )
      : await send(
          user,
          "A new password for Tonwerk",
          `Somebody asked for a new password of yours for the Tonwerk installation at ${base_url}.\n\nChoose it here, once, until ${until}:\n\n${url}\n\nIf that was not you, ignore this: your password stays as it is.\n`,
        );
    return { kind: "invited", url, expires_at, mailed };
  }

  async function find(by: Asker, user_id: string): Promise<User | undefined> {
    const user = await store.user(user_id);
    return user?.account_id === by.account.id ? user : undefined;
  }

  return {
    async members(by) {
      const all = await store.users(by.account.id);
      return all.map(({ password, ...member }): Member => ({ ...member, invited: password === null }));
    },

    async invite(by, form): Promise<Invited | FormRefused> {
      ownersOnly(by);
      const email = canonicalEmail(form.email);
      if (email === undefined) return refused("email", "This is not an e-mail address");
      const now = clock.now();
      const user: User = {
        id: newId("usr_", now),
        account_id: by.account.id,
        email,
        role: form.role,
        password: null,
        created_at: now,
        disabled_at: null,
      };
      const { disabled_at: _, ...made } = user;
      if ((await store.createUser(made)) === "taken") {
        return refused("taken", "This address belongs to a user already");
      }
      log("member.invited", { account: by.account.id, user: user.id, by: by.user.id, role: form.role });
      return sendLink(user, by.account.name);
    },

    async inviteAgain(by, user_id) {
      ownersOnly(by);
      const user = await find(by, user_id);
      if (user === undefined || user.disabled_at !== null) return refused("unknown", NOBODY);
      log("member.link", { account: by.account.id, user: user.id, by: by.user.id });
      return sendLink(user, by.account.name);
    },

    async changeMember(by, user_id, { role, disabled }) {
      ownersOnly(by);
      const changes: { role?: Role; disabled_at?: number | null } = {};
      if (role !== undefined) changes.role = role;
      if (disabled !== undefined) changes.disabled_at = disabled ? clock.now() : null;
      const outcome = await store.updateUser(by.account.id, user_id, changes);
      log("member.changed", { account: by.account.id, user: user_id, by: by.user.id, outcome });
      return changed(outcome);
    },

    async removeMember(by, user_id) {
      ownersOnly(by);
      const outcome = await store.removeUser(by.account.id, user_id);
      log("member.removed", { account: by.account.id, user: user_id, by: by.user.id, outcome });
      return changed(outcome);
    },

    async mailLink(email, may) {
      try {
        const user = await store.findUser(email);
        if (mailer === undefined || user === undefined || user.disabled_at !== null) return;
        const account = await store.account(user.account_id);
        if (account !== undefined && (await may(user.id))) await sendLink(user, account.name);
      } catch (error) {
        log("mail.failed", { error: describeError(error) });
      }
    },
  };
}

function ownersOnly(by: Asker): void {
  if (!mayDo(by.user.role, "members")) throw refuse.roleForbids();
}

const NOBODY = "There is no such member";

function changed(outcome: "updated" | "removed" | "unknown" | "last_owner"): { kind: "changed" } | FormRefused {
  if (outcome === "unknown") return refused("unknown", NOBODY);
  if (outcome === "last_owner")
    return refused("last_owner", "The account needs an owner who can sign in: name another one first");
  return { kind: "changed" };
}

function refused(why: FormRefused["why"], message: string): FormRefused {
  return { kind: "refused", why, message, retry_seconds: 0 };
}
