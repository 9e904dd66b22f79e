/** Links that let somebody in once: 32 random bytes, of which the store has only the hash. */
import { createHash, randomBytes } from "node:crypto";
import type { Clock, PeopleStore } from "../../../core/surface.ts";

/** Where links lead; the page reads `token` of the query, shows a form for `redeem`, and never redeems on GET. */
const LINK_PATH = "/dashboard/link";

/** How long each kind works. */
export const LINK_MS = { first: 24 * 3_600_000, invitation: 7 * 24 * 3_600_000, password: 3_600_000 } as const;

interface IssuedLink {
  /** Shown or mailed, then forgotten. */
  readonly url: string;
  readonly expires_at: number;
}

/**
 * How many links for one user work at a time. As many as are mailed in any hour (a full bucket of five, and what comes
 * back meanwhile), which is how long such a link lasts: nobody who asks for another can end one that its reader has yet
 * to open.
 */
const LINKS_MAX = 10;

/**
 * A link for `user_id`, or for somebody new, who becomes an owner. The newest LINKS_MAX work, until one of them is
 * used.
 */
export async function issueLink(
  {
    store,
    clock,
    base_url,
  }: { readonly store: Pick<PeopleStore, "createLink">; readonly clock: Pick<Clock, "now">; readonly base_url: string },
  account_id: string,
  user_id: string | null,
  ms: number,
): Promise<IssuedLink> {
  const token = newToken();
  const now = clock.now();
  const expires_at = now + ms;
  await store.createLink({ sha256: hashToken(token), account_id, user_id, created_at: now, expires_at }, LINKS_MAX);
  return { url: linkUrl(base_url, token), expires_at };
}

export const linkUrl = (base_url: string, token: string): string => `${base_url}${LINK_PATH}?token=${token}`;

/** 256 bits in base64url: session ids, links and visitors' cookies. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Lower-case hexadecimal SHA-256: what is stored of it. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}
