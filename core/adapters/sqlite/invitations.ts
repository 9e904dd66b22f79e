/** Invitations: people who are asked to become users. */
import type { DatabaseSync } from "node:sqlite";
import type { NewInvitation, OpenInvitation, PeopleStore } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { prepare, prepareInsert } from "./connection.ts";
import { prepareEntrance } from "./people.ts";
import type { Sync } from "./sync.ts";

const INVITATIONS = `SELECT ${FIELDS.invitation} FROM invitations`;

export function invitationReads(db: DatabaseSync) {
  return {
    invitations: prepare<OpenInvitation>(db, `${INVITATIONS} WHERE account_id = ? ORDER BY id`).all,
    findInvitation: prepare<OpenInvitation>(db, `${INVITATIONS} WHERE sha256 = ?`).get,
  } satisfies Partial<Sync<PeopleStore>>;
}

export function invitationVerbs(db: DatabaseSync) {
  const others = prepare<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM invitations WHERE account_id = ? AND email <> ? AND expires_at > ?",
  );
  const write = prepareInsert<NewInvitation>(
    db,
    "invitations",
    [...FIELDS.invitation, "sha256"],
    `ON CONFLICT (account_id, email) DO UPDATE SET role = excluded.role, invited_by = excluded.invited_by,
       sha256 = excluded.sha256, sent_at = excluded.sent_at, expires_at = excluded.expires_at`,
  );
  const find = prepare<OpenInvitation>(db, `${INVITATIONS} WHERE sha256 = ?`);
  const remove = prepare(db, "DELETE FROM invitations WHERE account_id = ? AND id = ?");
  const enter = prepareEntrance(db);

  return {
    invite(made, open_max) {
      if (others.get(made.account_id, made.email, made.sent_at)!.count >= open_max) return "full";
      write(made);
      return "invited";
    },

    withdrawInvitation: remove.did,

    redeemInvitation(sha256, at, entrant, session) {
      const found = find.get(sha256);
      if (found === undefined || found.expires_at <= at) return "unknown";
      const { id, account_id, email, role } = found;
      if (!enter({ ...entrant, account_id, email, role, created_at: at }, session)) return "taken";
      remove.run(account_id, id);
      return "redeemed";
    },
  } satisfies Partial<Sync<PeopleStore>>;
}
