/** Invitations: people who are asked to become users. */
import type { DatabaseSync } from "node:sqlite";
import type { NewInvitation, OpenInvitation, Session } from "../../ports/mod.ts";
import { prepare } from "./connection.ts";

const COLUMNS = "id, account_id, email, role, invited_by, created_at, sent_at, expires_at";

export function invitationReads(db: DatabaseSync) {
  const all = prepare<OpenInvitation>(db, `SELECT ${COLUMNS} FROM invitations WHERE account_id = ? ORDER BY id`);
  const one = prepare<OpenInvitation>(db, `SELECT ${COLUMNS} FROM invitations WHERE sha256 = ?`);
  return {
    invitations: (account_id: string): readonly OpenInvitation[] => all.all(account_id),
    findInvitation: (sha256: string): OpenInvitation | undefined => one.get(sha256),
  };
}

export function invitationVerbs(db: DatabaseSync) {
  const others = prepare<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM invitations WHERE account_id = ? AND email <> ? AND expires_at > ?",
  );
  const write = prepare(
    db,
    `INSERT INTO invitations (id, account_id, email, role, invited_by, sha256, created_at, sent_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, email) DO UPDATE SET role = excluded.role,
       invited_by = excluded.invited_by, sha256 = excluded.sha256, sent_at = excluded.sent_at, expires_at = excluded.expires_at`,
  );
  const find = prepare<OpenInvitation>(db, `SELECT ${COLUMNS} FROM invitations WHERE sha256 = ?`);
  const remove = prepare(db, "DELETE FROM invitations WHERE account_id = ? AND id = ?");
  const giveWay = prepare(db, "DELETE FROM users WHERE email = ? AND password IS NULL");
  const present = prepare<{ id: string }>(db, "SELECT id FROM users WHERE email = ?");
  const addUser = prepare(
    db,
    "INSERT INTO users (id, account_id, email, role, password, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const addSession = prepare(
    db,
    "INSERT INTO sessions (sha256, user_id, created_at, expires_at, seen_at) VALUES (?, ?, ?, ?, ?)",
  );

  return {
    invite(_now: number, made: NewInvitation, open_max: number): "invited" | "full" {
      const { id, account_id, email, role, invited_by, sha256, created_at, sent_at, expires_at } = made;
      if (others.get(account_id, email, sent_at)!.count >= open_max) return "full";
      write.run(id, account_id, email, role, invited_by, sha256, created_at, sent_at, expires_at);
      return "invited";
    },

    withdrawInvitation(_now: number, account_id: string, id: string): boolean {
      return remove.run(account_id, id) > 0;
    },

    redeemInvitation(
      _now: number,
      sha256: string,
      at: number,
      entrant: { readonly id: string; readonly password: string },
      session: Omit<Session, "user_id">,
    ): "redeemed" | "taken" | "unknown" {
      const found = find.get(sha256);
      if (found === undefined || found.expires_at <= at) return "unknown";
      giveWay.run(found.email);
      if (present.get(found.email) !== undefined) return "taken";
      addUser.run(entrant.id, found.account_id, found.email, found.role, entrant.password, at);
      remove.run(found.account_id, found.id);
      addSession.run(session.sha256, entrant.id, session.created_at, session.expires_at, session.seen_at);
      return "redeemed";
    },
  };
}
