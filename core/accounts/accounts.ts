/** Who is asking: Bearer keys, allowlists, and the first account of a fresh installation. */

import { clientAddress, matches } from "../base/addresses.ts";
import type { Config } from "../base/config.ts";
import { refuse } from "../base/errors.ts";
import { checkApiKey, hashApiKey } from "../base/keys.ts";
import type { Secrets } from "../base/secrets.ts";
import type { Account, AccountsStore, ApiKey, AuditStore, Clock, PeopleStore } from "../ports/mod.ts";
import { newKeyRow, newSecretRow } from "./admin.ts";
import { type Audit, SERVICE } from "./audit.ts";
import { type IssuedLink, issueLink, LINK_MS } from "./sign_in_links.ts";

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

/** What a first start made, shown once and stored only as hash and sealed text. */
export interface FirstAccount {
  readonly api_key: string;
  readonly signing_secret: string;
  readonly credits: number;
  /** With which the account's first owner chooses address and password. */
  readonly link: IssuedLink;
}

/** The same for all nodes that start at once: only one of them can make it. */
const FIRST_ACCOUNT = `acc_${"0".repeat(25)}1`;

/** Makes the first account with one API key, one signing secret and a link to sign in with, where there is no account yet. */
export async function createFirstAccount(
  store: Pick<AccountsStore, "countAccounts"> & Pick<PeopleStore, "createLink"> & AuditStore,
  secrets: Secrets,
  config: Config,
  clock: Pick<Clock, "now">,
  audit: Audit,
): Promise<FirstAccount | undefined> {
  if ((await store.countAccounts()) > 0) return undefined;
  const now = clock.now();
  const account_id = FIRST_ACCOUNT;
  const { made: key, row: key_row } = newKeyRow(account_id, "First key", now, config.first_key ?? undefined);
  const { made: secret, row: secret_row } = newSecretRow(
    secrets,
    account_id,
    "First secret",
    now,
    config.first_secret ?? undefined,
  );
  const credits = config.first_credits;
  const account = { id: account_id, name: "First account", credits, created_at: now };
  try {
    const details = { name: account.name, credits };
    const made = audit.entry(SERVICE, "account.created", { account_id, target: account_id, details });
    await store.audited(made, "createAccount", account, key_row, secret_row);
  } catch (error) {
    // Another node that started at the same moment was faster.
    if ((await store.countAccounts()) > 0) return undefined;
    throw error;
  }
  const link = await issueLink({ store, clock, base_url: config.base_url }, account_id, null, LINK_MS.first);
  return { api_key: key.plain, signing_secret: secret.plain, credits, link };
}
