/**
 * How often owners of accounts may have mail sent to addresses that they name: for each account, for each address in
 * one account, and for each address in all accounts together. Counted as tries to sign in are.
 */
import { hash } from "node:crypto";
import { createLimits, type LimitServices } from "../../../core/surface.ts";

export interface InvitationLimits {
  /** Takes one mail of the account to the address. Seconds to wait, above 0, where there is none left. */
  take(account_id: string, email: string): Promise<number>;
}

/** An hour. */
const MAILS_PER_HOUR = { account: 10, address: 3, address_of_all: 10 } as const;
/** Of one account, at a time. */
export const INVITATIONS_MAX = 20;

export function createInvitationLimits(services: LimitServices): InvitationLimits {
  const limits = createLimits({ ...services, window_ms: 3_600_000 });
  const takeOne = async (what: string, most: number): Promise<number> =>
    (await limits.take(`invitation:${hash("sha256", what, "base64url")}`, "put", most)).retry_seconds;
  return {
    // What an account may not send costs the address nothing, else one account could keep all others from inviting it.
    take: async (account_id, email) =>
      (await takeOne(`account ${account_id}`, MAILS_PER_HOUR.account)) ||
      (await takeOne(`address ${account_id} ${email}`, MAILS_PER_HOUR.address)) ||
      (await takeOne(`address ${email}`, MAILS_PER_HOUR.address_of_all)),
  };
}
