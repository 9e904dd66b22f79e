/** Who is asking: Bearer keys, allowlists, and the first account of a fresh installation. */

import { clientAddress, matches } from "./addresses.ts";
import type { Config } from "./config.ts";
import { refuse } from "./errors.ts";
import { newId } from "./ids.ts";
import { checkApiKey, hashApiKey, lastFour, newApiKey } from "./keys.ts";
import type { Account, Store } from "./ports.ts";
import { newSigningSecret, type Secrets } from "./secrets.ts";

/** What a request says of its sender. */
export interface Caller {
  readonly authorization: string | null;
  readonly forwarded_for: string | null;
  /** The connection's other end. */
  readonly peer: { readonly address: string };
}

/** The account behind a key, without what changes with every submission. */
export type Principal = Omit<Account, "credits">;

/** Resolves to the key's account; refuses with 401. A key with a wrong checksum never reaches the store. */
export async function findCaller(store: Store, authorization: string | null): Promise<Principal> {
  if (authorization === null) throw refuse.unauthorized("missing");
  const key = /^Bearer ([^\s,]+)$/iu.exec(authorization)?.[1];
  if (key === undefined) throw refuse.unauthorized("malformed");
  if (!checkApiKey(key)) throw refuse.unauthorized("invalid");
  const found = await store.findKey(hashApiKey(key));
  if (found === undefined) throw refuse.unauthorized("invalid");
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

/** What a first start made, shown once and stored only as hash and sealed text. */
export interface FirstAccount {
  readonly api_key: string;
  readonly signing_secret: string;
  readonly credits: number;
}

/** Makes the first account with one API key and one signing secret where there is no account yet. */
export async function createFirstAccount(
  store: Store,
  secrets: Secrets,
  config: Config,
  now: number,
): Promise<FirstAccount | undefined> {
  if ((await store.countAccounts()) > 0) return undefined;
  const api_key = config.first_key ?? newApiKey();
  const signing_secret = config.first_secret ?? newSigningSecret();
  const account_id = newId("acc_", now);
  const secret_id = newId("sec_", now);
  await store.createAccount(
    { id: account_id, name: "First account", credits: config.first_credits, created_at: now },
    {
      id: newId("key_", now),
      account_id,
      label: "First key",
      sha256: hashApiKey(api_key),
      last_four: lastFour(api_key),
      created_at: now,
    },
    {
      id: secret_id,
      account_id,
      label: "First secret",
      sealed: secrets.seal(signing_secret, secret_id),
      created_at: now,
    },
  );
  return { api_key, signing_secret, credits: config.first_credits };
}
