/** People who joined an account before a test begins. */
import { randomBytes } from "node:crypto";
import type { PeopleStore, User } from "../core/ports/mod.ts";

export type NewUser = Omit<User, "disabled_at">;

/** As somebody who was invited and chose a password. `taken`: the address is another user's. */
export async function addUser(
  store: Pick<PeopleStore, "invite" | "redeemInvitation" | "withdrawInvitation" | "endSessions">,
  { id, account_id, email, role, password, created_at: at }: NewUser,
): Promise<"redeemed" | "taken" | "unknown"> {
  const [sha256, session] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
  const invitation = { id: `inv_of_${id}`, account_id, email, role, invited_by: "operator", sha256 };
  await store.invite({ ...invitation, created_at: at, sent_at: at, expires_at: at + 1 }, 1_000_000);
  const opened = { sha256: session, created_at: at, expires_at: at + 1, seen_at: at };
  const answer = await store.redeemInvitation(sha256, at, { id, password }, opened);
  await store.withdrawInvitation(account_id, invitation.id);
  await store.endSessions({ sha256: session });
  return answer;
}
