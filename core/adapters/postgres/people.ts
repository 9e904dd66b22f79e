/** Users, their sessions, links and invitations. */
import type { OpenInvitation, Operator, PeopleStore, Session, SignInLink, User } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from "./accounts.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE, statementsOn } from "./statements.ts";

export function peopleVerbs(pool: Pool) {
  const { all, one, did, write, call } = statementsOn(pool);
  const users = `SELECT ${FIELDS.user} FROM users`;
  const invitations = `SELECT ${FIELDS.invitation} FROM invitations`;
  const updateUser = call<"updated" | "unknown" | "last_owner">("update_user");
  const createLink = call<void>("create_link");
  const redeemLink = call<"redeemed" | "taken" | "unknown">("redeem_link");
  const redeemInvitation = call<"redeemed" | "taken" | "unknown">("redeem_invitation");
  const invite = call<"invited" | "full">("invite");
  const createSession = did(CREATE_SESSION);
  const findSession = one<
    AccountRow & { readonly session: string; readonly person: string; readonly operates: boolean }
  >(FIND_SESSION);
  const giveRight = did(GIVE_RIGHT);
  const takeRight = did("DELETE FROM operators WHERE user_id = $1 RETURNING user_id");

  return {
    users: all<User>(`${users} WHERE account_id = $1 ORDER BY id`),
    user: one<User>(`${users} WHERE id = $1`),
    findUser: one<User>(`${users} WHERE email = $1`),

    updateUser: (account_id, id, { role, password, disabled_at }, keep = "") =>
      updateUser(
        ...[account_id, id, role !== undefined, role ?? null, password !== undefined, password ?? null],
        ...[disabled_at !== undefined, disabled_at ?? null, keep],
      ),
    operators: all<Operator>(`SELECT ${FIELDS.operator} FROM operators ORDER BY user_id LIMIT 1000`),
    setOperator: (user_id, since) => (since === null ? takeRight(user_id) : giveRight(user_id, since)),
    removeUser: call<"removed" | "unknown" | "last_owner">("remove_user"),

    createLink: ({ sha256, account_id, user_id, created_at, expires_at }, most) =>
      createLink(sha256, account_id, user_id, created_at, expires_at, most),
    findLink: one<SignInLink>(`SELECT ${FIELDS.link} FROM sign_in_links WHERE sha256 = $1`),
    redeemLink: (sha256, now, { id, email, password }, session) =>
      redeemLink(sha256, now, id, email, password, ...opened(session)),

    invite: ({ id, account_id, email, role, invited_by, sha256, sent_at, expires_at }, open_max) =>
      invite(id, account_id, email, role, invited_by, sha256, sent_at, expires_at, open_max),
    invitations: all<OpenInvitation>(`${invitations} WHERE account_id = $1 ORDER BY id`),
    findInvitation: one<OpenInvitation>(`${invitations} WHERE sha256 = $1`),
    withdrawInvitation: did("DELETE FROM invitations WHERE account_id = $1 AND id = $2 RETURNING id"),
    redeemInvitation: (sha256, now, { id, password }, session) =>
      redeemInvitation(sha256, now, id, password, ...opened(session)),

    createSession: ({ sha256, user_id, created_at, expires_at, seen_at }, password) =>
      createSession(sha256, user_id, created_at, expires_at, seen_at, password),
    async findSession(sha256) {
      const row = await findSession(sha256);
      if (row === undefined) return undefined;
      const { session, person, operates, ...account } = row;
      return {
        session: JSON.parse(session) as Session,
        user: JSON.parse(person) as User,
        account: toAccount(account),
        operates,
      };
    },
    touchSession: write("UPDATE sessions SET seen_at = greatest(seen_at, $2) WHERE sha256 = $1", REPEATABLE),
    async endSessions(which) {
      const rows =
        "sha256" in which
          ? await pool.query("DELETE FROM sessions WHERE sha256 = $1 RETURNING sha256", [which.sha256])
          : await pool.query("DELETE FROM sessions WHERE user_id = $1 AND sha256 <> $2 RETURNING sha256", [
              which.user_id,
              which.keep ?? "",
            ]);
      return rows.length;
    },
  } satisfies Partial<PeopleStore>;
}

const opened = ({ sha256, created_at, expires_at, seen_at }: Omit<Session, "user_id">) =>
  [sha256, created_at, expires_at, seen_at] as const;

// The user's row is locked, so that a change of password that runs beside this one ends the session or comes before it.
const CREATE_SESSION = `WITH person AS MATERIALIZED (
    SELECT id FROM users WHERE id = $2 AND disabled_at IS NULL AND password = $6 FOR NO KEY UPDATE
  )
  INSERT INTO sessions (sha256, user_id, created_at, expires_at, seen_at) SELECT $1, id, $3, $4, $5 FROM person RETURNING sha256`;

const GIVE_RIGHT = `INSERT INTO operators (user_id, since) SELECT id, $2 FROM users WHERE id = $1
  ON CONFLICT DO NOTHING RETURNING user_id`;

const FIND_SESSION = `SELECT row_to_json(s)::text AS session, row_to_json(u)::text AS person,
    EXISTS (SELECT 1 FROM operators p WHERE p.user_id = u.id) AS operates, ${ACCOUNT_COLUMNS}
  FROM sessions s JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL JOIN accounts a ON a.id = u.account_id
  WHERE s.sha256 = $1`;
