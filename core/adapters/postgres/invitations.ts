/** Invitations: people who are asked to become users. */
import type { NewInvitation, OpenInvitation, Session } from "../../ports/mod.ts";
import type { Pool } from "./pool.ts";

const COLUMNS = "id, account_id, email, role, invited_by, created_at, sent_at, expires_at";

export function invitationVerbs(pool: Pool) {
  async function find(where: string, value: string): Promise<readonly OpenInvitation[]> {
    const text = `SELECT ${COLUMNS} FROM invitations WHERE ${where} = $1 ORDER BY id`;
    return (await pool.query(text, [value], { repeatable: true })) as unknown as readonly OpenInvitation[];
  }

  return {
    async invite(made: NewInvitation, open_max: number): Promise<"invited" | "full"> {
      const { id, account_id, email, role, invited_by, sha256, sent_at, expires_at } = made;
      const [row] = await pool.query("SELECT invite($1, $2, $3, $4, $5, $6, $7, $8, $9) AS answer", [
        id,
        account_id,
        email,
        role,
        invited_by,
        sha256,
        sent_at,
        expires_at,
        open_max,
      ]);
      return row?.answer as "invited" | "full";
    },

    invitations: (account_id: string): Promise<readonly OpenInvitation[]> => find("account_id", account_id),
    findInvitation: async (sha256: string): Promise<OpenInvitation | undefined> => (await find("sha256", sha256))[0],

    async withdrawInvitation(account_id: string, id: string): Promise<boolean> {
      const text = "DELETE FROM invitations WHERE account_id = $1 AND id = $2 RETURNING id";
      return (await pool.query(text, [account_id, id])).length > 0;
    },

    async redeemInvitation(
      sha256: string,
      now: number,
      entrant: { readonly id: string; readonly password: string },
      session: Omit<Session, "user_id">,
    ): Promise<"redeemed" | "taken" | "unknown"> {
      const [row] = await pool.query("SELECT redeem_invitation($1, $2, $3, $4, $5, $6, $7, $8) AS answer", [
        sha256,
        now,
        entrant.id,
        entrant.password,
        session.sha256,
        session.created_at,
        session.expires_at,
        session.seen_at,
      ]);
      return row?.answer as "redeemed" | "taken" | "unknown";
    },
  };
}
