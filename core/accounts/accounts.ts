/** Who is asking: Bearer keys and allowlists. */

import { clientAddress, matches } from "../base/addresses.ts";
import { refuse } from "../base/errors.ts";
import { checkApiKey, hashApiKey } from "../base/keys.ts";
import type { Account, AccountsStore, ApiKey } from "../ports/mod.ts";

/** What a request says of its sender. */
export interface Caller {
  readonly authorization: string | null;
  readonly forwarded_for: string | null;
  /** The connection's other end. */
  readonly peer: { readonly address: string };
}

/** The account behind a key, without what changes with every submission. */
export type Principal = Omit<Account, "credits">;

/**
 * Resolves to the key's account; refuses with 401. A key with a wrong checksum never reaches the store. `onFound` is told the key, for when
 * it was used last.
 */
export async function findCaller(
  store: Pick<AccountsStore, "findKey">,
  authorization: string | null,
  onFound: (key: ApiKey) => void = () => undefined,
): Promise<Principal> {
  if (authorization === null) throw refuse.unauthorized("missing");
  const key = /^Bearer ([^\s,]+)$/iu.exec(authorization)?.[1];
  if (key === undefined) throw refuse.unauthorized("malformed");
  if (!checkApiKey(key)) throw refuse.unauthorized("invalid");
  const found = await store.findKey(hashApiKey(key));
  if (found === undefined) throw refuse.unauthorized("invalid");
  onFound(found.key);
  const { credits: _, ...principal } = found.account;
  return principal;
}

/** Refuses with 401 an address that the account's allowlist does not name. */
export function refuseAddress(
  { allowlist }: Principal,
  { peer, forwarded_for }: Caller,
  trusted_proxies: readonly string[],
): void {
  if (allowlist.length === 0) return;
  const address = clientAddress(peer.address, forwarded_for, trusted_proxies);
  if (address === undefined || !matches(allowlist, address)) throw refuse.unauthorized("address");
}
