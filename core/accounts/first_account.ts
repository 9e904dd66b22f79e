/** The first account of a fresh installation, and the keys and signing secrets that accounts are made with. */
import type { Config } from "../base/config.ts";
import { newId } from "../base/ids.ts";
import { hashApiKey, lastFour, newApiKey } from "../base/keys.ts";
import { newSigningSecret, type Secrets } from "../base/secrets.ts";
import type { AccountsStore, AuditStore, Clock, KeyRights, NewKey, NewSecret } from "../ports/mod.ts";
import { type Audit, SERVICE } from "./audit.ts";

/** A key or secret in plain, to be shown once. */
export interface Made {
  readonly id: string;
  readonly plain: string;
}

/** What a first start made, shown once and stored only as hash and sealed text. */
export interface FirstAccount {
  readonly account_id: string;
  readonly api_key: string;
  readonly signing_secret: string;
  readonly credits: number;
}

/** The same for all nodes that start at once: only one of them can make it. */
const FIRST_ACCOUNT = `acc_${"0".repeat(25)}1`;

/** Makes the first account with one API key and one signing secret, where there is no account yet. */
export async function createFirstAccount(services: {
  readonly store: Pick<AccountsStore, "countAccounts"> & AuditStore;
  readonly secrets: Pick<Secrets, "seal">;
  readonly config: Pick<Config, "first_key" | "first_secret" | "first_credits">;
  readonly clock: Pick<Clock, "now">;
  readonly audit: Audit;
}): Promise<FirstAccount | undefined> {
  const { store, secrets, config, clock, audit } = services;
  if ((await store.countAccounts()) > 0) return undefined;
  const now = clock.now();
  const account_id = FIRST_ACCOUNT;
  const { first_key, first_secret, first_credits: credits } = config;
  const key = newKeyRow(account_id, "First key", now, first_key ?? undefined);
  const secret = newSecretRow(secrets, account_id, "First secret", now, first_secret ?? undefined);
  const account = { id: account_id, name: "First account", credits, created_at: now };
  try {
    const details = { name: account.name, credits };
    const made = audit.entry(SERVICE, "account.created", { account_id, target: account_id, details });
    await store.audited(made, "createAccount", account, key.row, secret.row);
  } catch (error) {
    // Another node that started at the same moment was faster.
    if ((await store.countAccounts()) > 0) return undefined;
    throw error;
  }
  return { account_id, api_key: key.made.plain, signing_secret: secret.made.plain, credits };
}

/** A fresh key and its row. `rights` null: all that its account may. */
export function newKeyRow(
  account_id: string,
  label: string,
  now: number,
  plain: string | undefined = undefined,
  rights: KeyRights | null = null,
): { made: Made; row: NewKey } {
  const id = newId("key_", now);
  const key = plain ?? newApiKey(rights?.test);
  const row = { id, account_id, label, sha256: hashApiKey(key), last_four: lastFour(key), created_at: now, rights };
  return { made: { id, plain: key }, row };
}

/** A fresh signing secret and its row. */
export function newSecretRow(
  secrets: Pick<Secrets, "seal">,
  account_id: string,
  label: string,
  now: number,
  plain: string = newSigningSecret(),
): { made: Made; row: NewSecret } {
  const id = newId("sec_", now);
  return { made: { id, plain }, row: { id, account_id, label, sealed: secrets.seal(plain, id), created_at: now } };
}
