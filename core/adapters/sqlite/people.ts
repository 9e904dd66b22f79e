/** Users, their sessions and links. */
import type { DatabaseSync } from "node:sqlite";
import type { Operator, PeopleStore, Session, SignInLink, User, UserChanges } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { prepareAccount } from "./accounts.ts";
import { prepare, prepareInsert } from "./connection.ts";
import type { Sync } from "./sync.ts";

const USERS = `SELECT ${FIELDS.user} FROM users`;
const LINKS = `SELECT ${FIELDS.link} FROM sign_in_links`;

export function peopleReads(db: DatabaseSync) {
  const user = prepare<User>(db, `${USERS} WHERE id = ?`).get;
  const session = prepare<Session>(db, `SELECT ${FIELDS.session} FROM sessions WHERE sha256 = ?`);
  const account = prepareAccount(db);
  const operator = prepare<Operator>(db, `SELECT ${FIELDS.operator} FROM operators WHERE user_id = ?`);
  return {
    user,
    findUser: prepare<User>(db, `${USERS} WHERE email = ?`).get,
    users: prepare<User>(db, `${USERS} WHERE account_id = ? ORDER BY id`).all,
    operators: prepare<Operator>(db, `SELECT ${FIELDS.operator} FROM operators ORDER BY user_id LIMIT 1000`).all,
    findLink: prepare<SignInLink>(db, `${LINKS} WHERE sha256 = ?`).get,
    findSession(sha256) {
      const found = session.get(sha256);
      const owner = found && user(found.user_id);
      if (found === undefined || owner === undefined || owner.disabled_at !== null) return undefined;
      const its = account(owner.account_id);
      return its && { session: found, user: owner, account: its, operates: operator.look(owner.id) !== undefined };
    },
  } satisfies Partial<Sync<PeopleStore>>;
}

export function peopleVerbs(db: DatabaseSync) {
  const select = prepare<User>(db, `${USERS} WHERE id = ?`);
  const update = prepare(db, "UPDATE users SET role = ?2, password = ?3, disabled_at = ?4 WHERE id = ?1");
  const remove = prepare(db, "DELETE FROM users WHERE id = ?");
  const giveRight = prepare(db, "INSERT INTO operators (user_id, since) VALUES (?, ?) ON CONFLICT DO NOTHING");
  const takeRight = prepare(db, "DELETE FROM operators WHERE user_id = ?");
  const otherOwner = prepare<{ id: string }>(
    db,
    `SELECT id FROM users WHERE account_id = ? AND id <> ? AND role = 'owner' AND disabled_at IS NULL LIMIT 1`,
  );
  const selectLink = prepare<SignInLink>(db, `${LINKS} WHERE sha256 = ?`);
  const insertLink = prepareInsert<SignInLink>(db, "sign_in_links", FIELDS.link);
  const deleteOldLinks = prepare(
    db,
    `DELETE FROM sign_in_links WHERE sha256 IN (SELECT sha256 FROM sign_in_links WHERE account_id = ?1 AND user_id IS ?2
       ORDER BY created_at DESC, sha256 LIMIT -1 OFFSET ?3)`,
  );
  const deleteLinksOfUser = prepare(db, "DELETE FROM sign_in_links WHERE user_id = ?");
  const deleteLinksOfNobody = prepare(db, "DELETE FROM sign_in_links WHERE account_id = ? AND user_id IS NULL");
  const insertSession = prepareInsert<Session>(db, "sessions", FIELDS.session);
  const deleteSession = prepare(db, "DELETE FROM sessions WHERE sha256 = ?");
  const deleteSessions = prepare(db, "DELETE FROM sessions WHERE user_id = ?1 AND sha256 <> ?2");
  const enter = prepareEntrance(db);

  const canOwn = (user: User): boolean => user.role === "owner" && user.disabled_at === null;

  /** Whether the account would lose its last owner who can sign in, if `user` were no such owner any more. */
  const isLastOwner = (user: User): boolean => canOwn(user) && otherOwner.get(user.account_id, user.id) === undefined;

  function change(user: User, changes: UserChanges, keep: string): void {
    const next = { ...user, ...changes };
    update.run(user.id, next.role, next.password, next.disabled_at);
    if (changes.password === undefined && (changes.disabled_at ?? null) === null) return;
    deleteSessions.run(user.id, keep);
    deleteLinksOfUser.run(user.id);
  }

  return {
    updateUser(account_id, id, changes, keep = "") {
      const user = select.get(id);
      if (user?.account_id !== account_id) return "unknown";
      if (!canOwn({ ...user, ...changes }) && isLastOwner(user)) return "last_owner";
      change(user, changes, keep);
      return "updated";
    },

    setOperator: (user_id, since) =>
      since === null ? takeRight.did(user_id) : select.look(user_id) !== undefined && giveRight.did(user_id, since),

    removeUser(account_id, id) {
      const user = select.get(id);
      if (user?.account_id !== account_id) return "unknown";
      if (isLastOwner(user)) return "last_owner";
      // Sessions and links follow by their references.
      remove.run(id);
      return "removed";
    },

    createLink(link, most) {
      deleteOldLinks.run(link.account_id, link.user_id, most - 1);
      insertLink(link);
    },

    redeemLink(sha256, at, entrant, session) {
      const link = selectLink.get(sha256);
      if (link === undefined || link.expires_at <= at) return "unknown";
      const { account_id, user_id } = link;
      if (user_id === null) {
        if (!enter({ ...entrant, account_id, role: "owner", created_at: at }, session)) return "taken";
        deleteLinksOfNobody.run(account_id);
        return "redeemed";
      }
      const user = select.get(user_id);
      if (user === undefined || user.disabled_at !== null) return "unknown";
      change(user, { password: entrant.password }, "");
      insertSession({ ...session, user_id });
      return "redeemed";
    },

    createSession(session, password) {
      const user = select.get(session.user_id);
      if (user === undefined || user.disabled_at !== null || user.password !== password) return false;
      insertSession(session);
      return true;
    },

    touchSession: prepare(db, "UPDATE sessions SET seen_at = max(seen_at, ?2) WHERE sha256 = ?1").write,

    endSessions: (which) =>
      "sha256" in which ? deleteSession.run(which.sha256) : deleteSessions.run(which.user_id, which.keep ?? ""),
  } satisfies Partial<Sync<PeopleStore>>;
}

/** Makes somebody a user, and opens the session. False: the address is another user's. */
export function prepareEntrance(
  db: DatabaseSync,
): (user: Omit<User, "disabled_at">, session: Omit<Session, "user_id">) => boolean {
  const present = prepare<{ id: string }>(db, "SELECT id FROM users WHERE email = ?");
  const insertUser = prepareInsert<User>(db, "users", FIELDS.user);
  const insertSession = prepareInsert<Session>(db, "sessions", FIELDS.session);
  return (user, session) => {
    if (present.get(user.email) !== undefined) return false;
    insertUser(user);
    insertSession({ ...session, user_id: user.id });
    return true;
  };
}
