/** Users, their sessions and links, and reports of leaked keys. */
import type { DatabaseSync } from "node:sqlite";
import type {
  Account,
  LeakReport,
  NewLeakReport,
  NewUser,
  Session,
  SignInLink,
  Store,
  User,
  UserChanges,
} from "../../ports/mod.ts";
import { prepare } from "./connection.ts";
import { invitationReads, invitationVerbs } from "./invitations.ts";
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from "./rows.ts";

const USER_COLUMNS = "id, account_id, email, role, password, created_at, disabled_at";
const SESSION_COLUMNS = "sha256, user_id, created_at, expires_at, seen_at";
const LINK_COLUMNS = "sha256, account_id, user_id, created_at, expires_at";
const LEAK_COLUMNS = "id, account_id, key_id, source, url, created_at, revoked, closed_at";

type LeakRow = Omit<LeakReport, "revoked"> & { readonly revoked: 0 | 1 };
const toLeak = (row: LeakRow): LeakReport => ({ ...row, revoked: row.revoked === 1 });

/** The last code point: sorts after every id. */
const AFTER_ALL_IDS = "\u{10FFFF}";

export function peopleReads(db: DatabaseSync) {
  const user = prepare<User>(db, `SELECT ${USER_COLUMNS} FROM users WHERE id = ?`);
  const byEmail = prepare<User>(db, `SELECT ${USER_COLUMNS} FROM users WHERE email = ?`);
  const users = prepare<User>(db, `SELECT ${USER_COLUMNS} FROM users WHERE account_id = ? ORDER BY id`);
  const link = prepare<SignInLink>(db, `SELECT ${LINK_COLUMNS} FROM sign_in_links WHERE sha256 = ?`);
  const session = prepare<Session>(db, `SELECT ${SESSION_COLUMNS} FROM sessions WHERE sha256 = ?`);
  const account = prepare<AccountRow>(db, `SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id = ?`);
  const leaks = prepare<LeakRow>(
    db,
    `SELECT ${LEAK_COLUMNS} FROM leak_reports WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  );
  return {
    user: (id: string): User | undefined => user.get(id),
    findUser: (email: string): User | undefined => byEmail.get(email),
    users: (account_id: string): readonly User[] => users.all(account_id),
    findLink: (sha256: string): SignInLink | undefined => link.get(sha256),
    ...invitationReads(db),
    findSession(sha256: string): { session: Session; user: User; account: Account } | undefined {
      const found = session.get(sha256);
      const owner = found && user.get(found.user_id);
      if (found === undefined || owner === undefined || owner.disabled_at !== null) return undefined;
      const row = account.get(owner.account_id);
      return row && { session: found, user: owner, account: toAccount(row) };
    },
    leaks: (account_id: string, page: { readonly before?: string; readonly limit: number }): readonly LeakReport[] =>
      leaks.all(account_id, page.before ?? AFTER_ALL_IDS, page.limit).map(toLeak),
  };
}

export function peopleVerbs(db: DatabaseSync) {
  return { ...userVerbs(db), ...invitationVerbs(db), ...leakVerbs(db) };
}

function userVerbs(db: DatabaseSync) {
  const byEmail = prepare<{ id: string }>(db, "SELECT id FROM users WHERE email = ?");
  const select = prepare<User>(db, `SELECT ${USER_COLUMNS} FROM users WHERE id = ?`);
  const insert = prepare(
    db,
    "INSERT INTO users (id, account_id, email, role, password, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const update = prepare(db, "UPDATE users SET role = ?2, password = ?3, disabled_at = ?4 WHERE id = ?1");
  const remove = prepare(db, "DELETE FROM users WHERE id = ?");
  /** Users without a password are invitations of the version before. */
  const giveWay = prepare(db, "DELETE FROM users WHERE email = ? AND password IS NULL");
  const otherOwner = prepare<{ id: string }>(
    db,
    `SELECT id FROM users WHERE account_id = ? AND id <> ? AND role = 'owner' AND password IS NOT NULL
       AND disabled_at IS NULL LIMIT 1`,
  );
  const selectLink = prepare<SignInLink>(db, `SELECT ${LINK_COLUMNS} FROM sign_in_links WHERE sha256 = ?`);
  const insertLink = prepare(
    db,
    "INSERT INTO sign_in_links (sha256, account_id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)",
  );
  const deleteOldLinks = prepare(
    db,
    `DELETE FROM sign_in_links WHERE sha256 IN (SELECT sha256 FROM sign_in_links WHERE account_id = ?1 AND user_id IS ?2
       ORDER BY created_at DESC, sha256 LIMIT -1 OFFSET ?3)`,
  );
  const deleteLinksOfUser = prepare(db, "DELETE FROM sign_in_links WHERE user_id = ?");
  const deleteLinksOfNobody = prepare(db, "DELETE FROM sign_in_links WHERE account_id = ? AND user_id IS NULL");
  const insertSession = prepare(
    db,
    "INSERT INTO sessions (sha256, user_id, created_at, expires_at, seen_at) VALUES (?, ?, ?, ?, ?)",
  );
  const touchSession = prepare(db, "UPDATE sessions SET seen_at = max(seen_at, ?2) WHERE sha256 = ?1");
  const deleteSession = prepare(db, "DELETE FROM sessions WHERE sha256 = ?");
  const deleteSessions = prepare(db, "DELETE FROM sessions WHERE user_id = ?1 AND sha256 <> ?2");

  const addSession = (session: Session) =>
    insertSession.run(session.sha256, session.user_id, session.created_at, session.expires_at, session.seen_at);

  /** Whether the account would lose its last owner who can sign in, if `user` were no such owner any more. */
  const isLastOwner = (user: User): boolean =>
    user.role === "owner" &&
    user.password !== null &&
    user.disabled_at === null &&
    otherOwner.get(user.account_id, user.id) === undefined;

  function change(user: User, changes: UserChanges, keep: string): void {
    const next = { ...user, ...changes };
    update.run(user.id, next.role, next.password, next.disabled_at);
    if (changes.password === undefined && (changes.disabled_at ?? null) === null) return;
    deleteSessions.run(user.id, keep);
    deleteLinksOfUser.run(user.id);
  }

  return {
    createUser(_now: number, user: NewUser): "created" | "taken" {
      if (byEmail.get(user.email) !== undefined) return "taken";
      insert.run(user.id, user.account_id, user.email, user.role, user.password, user.created_at);
      return "created";
    },

    updateUser(
      _now: number,
      account_id: string,
      id: string,
      changes: UserChanges,
      keep = "",
    ): "updated" | "unknown" | "last_owner" {
      const user = select.get(id);
      if (user?.account_id !== account_id) return "unknown";
      const next = { ...user, ...changes };
      const stays = next.role === "owner" && next.password !== null && next.disabled_at === null;
      if (!stays && isLastOwner(user)) return "last_owner";
      change(user, changes, keep);
      return "updated";
    },

    removeUser(_now: number, account_id: string, id: string): "removed" | "unknown" | "last_owner" {
      const user = select.get(id);
      if (user?.account_id !== account_id) return "unknown";
      if (isLastOwner(user)) return "last_owner";
      // Sessions and links follow by their references.
      remove.run(id);
      return "removed";
    },

    createLink(_now: number, link: SignInLink, most: number): void {
      deleteOldLinks.run(link.account_id, link.user_id, most - 1);
      insertLink.run(link.sha256, link.account_id, link.user_id, link.created_at, link.expires_at);
    },

    redeemLink(
      _now: number,
      sha256: string,
      at: number,
      entrant: { readonly id: string; readonly email: string; readonly password: string },
      session: Omit<Session, "user_id">,
    ): "redeemed" | "taken" | "unknown" {
      const link = selectLink.get(sha256);
      if (link === undefined || link.expires_at <= at) return "unknown";
      if (link.user_id === null) {
        giveWay.run(entrant.email);
        if (byEmail.get(entrant.email) !== undefined) return "taken";
        insert.run(entrant.id, link.account_id, entrant.email, "owner", entrant.password, at);
        deleteLinksOfNobody.run(link.account_id);
      } else {
        const user = select.get(link.user_id);
        if (user === undefined || user.disabled_at !== null) return "unknown";
        change(user, { password: entrant.password }, "");
      }
      addSession({ ...session, user_id: link.user_id ?? entrant.id });
      return "redeemed";
    },

    createSession(_now: number, session: Session, password: string): boolean {
      const user = select.get(session.user_id);
      if (user === undefined || user.disabled_at !== null || user.password !== password) return false;
      addSession(session);
      return true;
    },

    touchSession(_now: number, sha256: string, seen_at: number): void {
      touchSession.run(sha256, seen_at);
    },

    endSessions(_now: number, which: Parameters<Store["endSessions"]>[0]): number {
      return "sha256" in which ? deleteSession.run(which.sha256) : deleteSessions.run(which.user_id, which.keep ?? "");
    },
  };
}

function leakVerbs(db: DatabaseSync) {
  const keyOf = prepare<{ account_id: string }>(db, "SELECT account_id FROM api_keys WHERE id = ?");
  const wishOf = prepare<{ revoke_leaked: 0 | 1 }>(db, "SELECT revoke_leaked FROM accounts WHERE id = ?");
  const same = prepare<{ id: string }>(db, "SELECT id FROM leak_reports WHERE key_id = ? AND url = ?");
  const insert = prepare(
    db,
    `INSERT INTO leak_reports (id, account_id, key_id, source, url, created_at, revoked, mail_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const revoke = prepare(db, "UPDATE api_keys SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL");
  const close = prepare(
    db,
    "UPDATE leak_reports SET closed_at = ?3 WHERE id = ?2 AND account_id = ?1 AND closed_at IS NULL",
  );
  const due = prepare<LeakRow & { readonly mail_attempts: number }>(
    db,
    `SELECT ${LEAK_COLUMNS}, mail_attempts FROM leak_reports WHERE mail_at IS NOT NULL AND mail_at <= ?
     ORDER BY mail_at LIMIT ?`,
  );
  const lease = prepare(db, "UPDATE leak_reports SET mail_at = ?2, mail_attempts = mail_attempts + 1 WHERE id = ?1");
  const settle = prepare(db, "UPDATE leak_reports SET mail_at = ?2 WHERE id = ?1");

  return {
    /** `account_id`: whose listeners are to be told. */
    reportLeak(
      _now: number,
      report: NewLeakReport,
      mail_at: number | null,
    ): Awaited<ReturnType<Store["reportLeak"]>> & { readonly account_id?: string } {
      const account_id = keyOf.get(report.key_id)?.account_id;
      if (account_id === undefined) return { kind: "unknown" };
      if (same.get(report.key_id, report.url) !== undefined) return { kind: "known" };
      const revoked = wishOf.get(account_id)?.revoke_leaked === 1 && revoke.run(report.key_id, report.created_at) > 0;
      const { id, key_id, source, url, created_at } = report;
      insert.run(id, account_id, key_id, source, url, created_at, revoked ? 1 : 0, mail_at);
      return { kind: "recorded", revoked, ...(revoked ? { account_id } : {}) };
    },

    closeLeak(_now: number, account_id: string, id: string, at: number): boolean {
      return close.run(account_id, id, at) > 0;
    },

    claimLeakMails(
      _now: number,
      at: number,
      lease_ms: number,
      limit: number,
    ): Awaited<ReturnType<Store["claimLeakMails"]>> {
      return due.all(at, limit).map(({ mail_attempts, ...row }) => {
        lease.run(row.id, at + lease_ms);
        return { report: toLeak(row), attempts: mail_attempts + 1 };
      });
    },

    recordLeakMail(_now: number, id: string, next_at: number | null): void {
      settle.run(id, next_at);
    },
  };
}
