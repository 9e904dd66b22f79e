/** Users, their sessions and links, and reports of leaked keys. */
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
import { ACCOUNT_COLUMNS, toAccount } from "./accounts.ts";
import { invitationVerbs } from "./invitations.ts";
import type { Parameter } from "./link.ts";
import type { Pool } from "./pool.ts";
import { plain } from "./values.ts";

export function peopleVerbs(pool: Pool) {
  return { ...userVerbs(pool), ...sessionVerbs(pool), ...invitationVerbs(pool), ...leakVerbs(pool) };
}

const USER_COLUMNS = "id, account_id, email, role, password, created_at, disabled_at";
const LINK_COLUMNS = "sha256, account_id, user_id, created_at, expires_at";
const LEAK_COLUMNS = "id, account_id, key_id, source, url, created_at, revoked, closed_at";

function userVerbs(pool: Pool) {
  async function users(where: string, value: string): Promise<readonly User[]> {
    const rows = await pool.query(`SELECT ${USER_COLUMNS} FROM users WHERE ${where} = $1 ORDER BY id`, [value], {
      repeatable: true,
    });
    return rows as unknown as readonly User[];
  }

  return {
    async createUser(user: NewUser): Promise<"created" | "taken"> {
      const rows = await pool.query(INSERT_USER, [
        user.id,
        user.account_id,
        user.email,
        user.role,
        user.password,
        user.created_at,
      ]);
      return rows.length > 0 ? "created" : "taken";
    },

    users: (account_id: string): Promise<readonly User[]> => users("account_id", account_id),
    user: async (id: string): Promise<User | undefined> => (await users("id", id))[0],
    findUser: async (email: string): Promise<User | undefined> => (await users("email", email))[0],

    async updateUser(
      account_id: string,
      id: string,
      { role, password, disabled_at }: UserChanges,
      keep = "",
    ): Promise<"updated" | "unknown" | "last_owner"> {
      const [row] = await pool.query("SELECT update_user($1, $2, $3, $4, $5, $6, $7, $8, $9) AS answer", [
        account_id,
        id,
        role !== undefined,
        role ?? null,
        password !== undefined,
        password ?? null,
        disabled_at !== undefined,
        disabled_at ?? null,
        keep,
      ]);
      return row?.answer as "updated" | "unknown" | "last_owner";
    },

    async removeUser(account_id: string, id: string): Promise<"removed" | "unknown" | "last_owner"> {
      const [row] = await pool.query("SELECT remove_user($1, $2) AS answer", [account_id, id]);
      return row?.answer as "removed" | "unknown" | "last_owner";
    },
  };
}

const INSERT_USER = `INSERT INTO users (id, account_id, email, role, password, created_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (email) DO NOTHING RETURNING id`;

function sessionVerbs(pool: Pool) {
  return {
    async createLink(link: SignInLink, most: number): Promise<void> {
      await pool.query("SELECT create_link($1, $2, $3, $4, $5, $6)", [
        link.sha256,
        link.account_id,
        link.user_id,
        link.created_at,
        link.expires_at,
        most,
      ]);
    },

    async findLink(sha256: string): Promise<SignInLink | undefined> {
      const text = `SELECT ${LINK_COLUMNS} FROM sign_in_links WHERE sha256 = $1`;
      const [row] = await pool.query(text, [sha256], { repeatable: true });
      return row as unknown as SignInLink | undefined;
    },

    async redeemLink(
      sha256: string,
      now: number,
      entrant: { readonly id: string; readonly email: string; readonly password: string },
      session: Omit<Session, "user_id">,
    ): Promise<"redeemed" | "taken" | "unknown"> {
      const [row] = await pool.query("SELECT redeem_link($1, $2, $3, $4, $5, $6, $7, $8, $9) AS answer", [
        sha256,
        now,
        entrant.id,
        entrant.email,
        entrant.password,
        session.sha256,
        session.created_at,
        session.expires_at,
        session.seen_at,
      ]);
      return row?.answer as "redeemed" | "taken" | "unknown";
    },

    async createSession(session: Session, password: string): Promise<boolean> {
      const { sha256, user_id, created_at, expires_at, seen_at } = session;
      const rows = await pool.query(CREATE_SESSION, [sha256, user_id, created_at, expires_at, seen_at, password]);
      return rows.length > 0;
    },

    async findSession(
      sha256: string,
    ): Promise<{ readonly session: Session; readonly user: User; readonly account: Account } | undefined> {
      const [row] = await pool.query(FIND_SESSION, [sha256], { repeatable: true });
      if (row === undefined) return undefined;
      const { session, person, ...account } = row;
      return {
        session: JSON.parse(session as string) as Session,
        user: JSON.parse(person as string) as User,
        account: toAccount(account),
      };
    },

    async touchSession(sha256: string, seen_at: number): Promise<void> {
      const text = "UPDATE sessions SET seen_at = greatest(seen_at, $2) WHERE sha256 = $1";
      await pool.query(text, [sha256, seen_at], { repeatable: true });
    },

    async endSessions(which: Parameters<Store["endSessions"]>[0]): Promise<number> {
      const [text, parameters]: [string, Parameter[]] =
        "sha256" in which
          ? ["DELETE FROM sessions WHERE sha256 = $1 RETURNING sha256", [which.sha256]]
          : [
              "DELETE FROM sessions WHERE user_id = $1 AND sha256 <> $2 RETURNING sha256",
              [which.user_id, which.keep ?? ""],
            ];
      return (await pool.query(text, parameters)).length;
    },
  };
}

// The user's row is locked, so that a change of password that runs beside this one ends the session or comes before it.
const CREATE_SESSION = `WITH person AS MATERIALIZED (
    SELECT id FROM users WHERE id = $2 AND disabled_at IS NULL AND password = $6 FOR NO KEY UPDATE
  )
  INSERT INTO sessions (sha256, user_id, created_at, expires_at, seen_at) SELECT $1, id, $3, $4, $5 FROM person RETURNING sha256`;

const FIND_SESSION = `SELECT row_to_json(s)::text AS session, row_to_json(u)::text AS person, ${ACCOUNT_COLUMNS}
  FROM sessions s JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL JOIN accounts a ON a.id = u.account_id
  WHERE s.sha256 = $1`;

function leakVerbs(pool: Pool) {
  return {
    /** `account_id`: whose listeners are to be told; null: everybody's, for nobody knows whether it was committed. */
    async reportLeak(
      report: NewLeakReport,
      mail_at: number | null,
    ): Promise<{ readonly answer: "recorded" | "revoked" | "known" | "unknown"; readonly account_id: string | null }> {
      const [row] = await pool.query("SELECT answer, account FROM report_leak($1, $2, $3, $4, $5, $6)", [
        report.id,
        report.key_id,
        plain(report.source),
        plain(report.url),
        report.created_at,
        mail_at,
      ]);
      return {
        answer: row?.answer as "recorded" | "revoked" | "known" | "unknown",
        account_id: row?.account as string | null,
      };
    },

    async leaks(
      account_id: string,
      page: { readonly before?: string; readonly limit: number },
    ): Promise<readonly LeakReport[]> {
      const rows = await pool.query(LEAKS, [account_id, page.before ?? AFTER_ALL_IDS, page.limit], {
        repeatable: true,
      });
      return rows as unknown as readonly LeakReport[];
    },

    async closeLeak(account_id: string, id: string, now: number): Promise<boolean> {
      return (await pool.query(CLOSE_LEAK, [account_id, id, now])).length > 0;
    },

    async claimLeakMails(
      now: number,
      lease_ms: number,
      limit: number,
    ): Promise<readonly { readonly report: LeakReport; readonly attempts: number }[]> {
      const rows = await pool.query(CLAIM_MAILS, [now, lease_ms, limit]);
      return rows.map(({ mail_attempts, due: _due, ...report }) => ({
        report: report as unknown as LeakReport,
        attempts: mail_attempts as number,
      }));
    },

    async recordLeakMail(id: string, next_at: number | null): Promise<void> {
      await pool.query("UPDATE leak_reports SET mail_at = $2 WHERE id = $1", [id, next_at], { repeatable: true });
    },
  };
}

const LEAKS = `SELECT ${LEAK_COLUMNS} FROM leak_reports WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`;
const CLOSE_LEAK = `UPDATE leak_reports SET closed_at = $3 WHERE id = $2 AND account_id = $1 AND closed_at IS NULL RETURNING id`;
const CLAIM_MAILS = `WITH due AS MATERIALIZED (
    SELECT id AS due_id, mail_at AS due FROM leak_reports WHERE mail_at IS NOT NULL AND mail_at <= $1
    ORDER BY mail_at LIMIT $3 FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE leak_reports SET mail_at = $1 + $2, mail_attempts = mail_attempts + 1 FROM due WHERE id = due_id
    RETURNING ${LEAK_COLUMNS}, mail_attempts, due
  )
  SELECT * FROM taken ORDER BY due, id`;

// The last code point: sorts after every id.
const AFTER_ALL_IDS = "\u{10FFFF}";
