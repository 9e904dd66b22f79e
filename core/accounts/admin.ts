/**
 * Changes to accounts, the same for the dashboard and for the operator's commands: makes keys and secrets, checks what people type, keeps
 * the rules. Who may is for the caller to know. What people got wrong is a Refusal: 422 with one entry for each field, 404 or 409.
 */

import { normalRange } from "../base/addresses.ts";
import { issue, refuse } from "../base/errors.ts";
import { newId } from "../base/ids.ts";
import { hashApiKey, lastFour, newApiKey } from "../base/keys.ts";
import type { Log } from "../base/log.ts";
import { newSigningSecret, type Secrets } from "../base/secrets.ts";
import type {
  Account,
  AccountSettings,
  AccountsStore,
  AuditStore,
  Clock,
  NewKey,
  NewSecret,
  PeopleStore,
} from "../ports/mod.ts";
import { type Actor, type Audit, SERVICE } from "./audit.ts";
import { type IssuedLink, issueLink, LINK_MS } from "./sign_in_links.ts";

/** A key or secret in plain, to be shown once. */
export interface Made {
  readonly id: string;
  readonly plain: string;
}

export interface AccountAdmin {
  /** The same in somebody's name: what is done is written to the audit log, with the change. Without, the service does it. */
  by(actor: Actor): AccountAdmin;
  /** With one key, one signing secret, and a link with which its first owner chooses address and password. */
  createAccount(form: {
    readonly name: string;
    readonly credits: number;
    readonly settings?: Partial<AccountSettings>;
  }): Promise<{
    readonly account: Account;
    readonly key: Made;
    readonly secret: Made;
    readonly link: IssuedLink;
  }>;
  createKey(account_id: string, label: string): Promise<Made>;
  /** Counts here at once, on other nodes within 5 s. 404: no such live key. */
  revokeKey(account_id: string, key_id: string): Promise<void>;
  /** From now on it signs beside the older live ones. */
  createSecret(account_id: string, label: string): Promise<Made>;
  /** 409 for the last live one, 404 where there is no such live one. */
  retireSecret(account_id: string, secret_id: string): Promise<void>;
  label(what: "account" | "key" | "secret", account_id: string, id: string, label: string): Promise<void>;
  /** Checks and normalises (CIDR ranges above all). Resolves to the account as it is then. */
  updateSettings(account_id: string, changes: Partial<AccountSettings>): Promise<Account>;
  /** Resolves to the new balance. */
  grant(account_id: string, credits: number, note: string): Promise<number>;
}

export interface AdminServices {
  readonly store: AccountsStore & AuditStore & Pick<PeopleStore, "createLink">;
  readonly secrets: Pick<Secrets, "seal">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly base_url: string;
  readonly audit: Audit;
}

const LABEL_MAX = 100;
/** More would slow every request of the account, and mean that a proxy should do it. */
const RANGES_MAX = 200;
const LIMIT_MAX = 1_000_000;
const BYTES_MAX = 1_000_000_000_000_000;
/** Balances are sums: far below where whole numbers end. */
const CREDITS_MAX = 1_000_000_000_000;

export function createAccountAdmin(services: AdminServices, actor = SERVICE): AccountAdmin {
  const { store, secrets, clock, log, audit } = services;
  const entry = (action: string, account_id: string, target: string, details: Readonly<Record<string, unknown>> = {}) =>
    audit.entry(actor, action, { account_id, target, details });

  async function find(account_id: string): Promise<Account> {
    const account = await store.account(account_id);
    if (account === undefined) throw refuse.resourceNotFound("account");
    return account;
  }

  return {
    by: (other) => createAccountAdmin(services, other),

    async createAccount({ name, credits, settings = {} }) {
      const account = {
        id: newId("acc_", clock.now()),
        name: checkedText("name", name, 1),
        credits: checkedWhole("credits", credits, 0, CREDITS_MAX),
        settings: checkedSettings(settings),
        created_at: clock.now(),
      };
      const { made: key, row: key_row } = newKeyRow(account.id, "First key", clock.now());
      const { made: secret, row: secret_row } = newSecretRow(secrets, account.id, "First secret", clock.now());
      const made = entry("account.created", account.id, account.id, { name: account.name, credits: account.credits });
      await store.audited(made, "createAccount", account, key_row, secret_row);
      log("account.created", { account: account.id });
      const link = await issueLink(services, account.id, null, LINK_MS.invitation);
      return { account: await find(account.id), key, secret, link };
    },

    async createKey(account_id, label) {
      await find(account_id);
      const { made, row } = newKeyRow(account_id, checkedText("label", label), clock.now());
      const { last_four } = row;
      await store.audited(entry("key.created", account_id, made.id, { label: row.label, last_four }), "createKey", row);
      log("key.created", { account: account_id, key: made.id });
      return made;
    },

    async revokeKey(account_id, key_id) {
      const revoked = entry("key.revoked", account_id, key_id);
      if (!(await store.audited(revoked, "revokeKey", account_id, key_id, clock.now())))
        throw refuse.resourceNotFound("live API key");
      log("key.revoked", { account: account_id, key: key_id });
    },

    async createSecret(account_id, label) {
      await find(account_id);
      const { made, row } = newSecretRow(secrets, account_id, checkedText("label", label), clock.now());
      const entered = entry("secret.created", account_id, made.id, { label: row.label });
      await store.audited(entered, "createSecret", row);
      log("secret.created", { account: account_id, secret: made.id });
      return made;
    },

    async retireSecret(account_id, secret_id) {
      const retired = entry("secret.retired", account_id, secret_id);
      const outcome = await store.audited(retired, "retireSecret", account_id, secret_id, clock.now());
      if (outcome === "last") {
        throw refuse.conflict(
          "The last signing secret cannot be retired, for every delivery is signed: create another one first",
        );
      }
      if (outcome === "unknown") throw refuse.resourceNotFound("live signing secret");
      log("secret.retired", { account: account_id, secret: secret_id });
    },

    async label(what, account_id, id, label) {
      const text = checkedText(what === "account" ? "name" : "label", label, what === "account" ? 1 : 0);
      const renamed = entry(`${what}.renamed`, account_id, id, { [what === "account" ? "name" : "label"]: text });
      if (await store.audited(renamed, "label", what, account_id, id, text)) return;
      throw refuse.resourceNotFound({ account: "account", key: "API key", secret: "signing secret" }[what]);
    },

    async updateSettings(account_id, changes) {
      const checked = checkedSettings(changes);
      const before = await find(account_id);
      // Old and new of those that differ.
      const changed = Object.entries(checked)
        .map(([name, value]) => [name, [before[name as keyof AccountSettings], value]] as const)
        .filter(([, [was, is]]) => JSON.stringify(was) !== JSON.stringify(is));
      if (changed.length === 0) return before;
      const entered = entry("settings.changed", account_id, account_id, Object.fromEntries(changed));
      if (!(await store.audited(entered, "updateSettings", account_id, checked))) {
        throw refuse.resourceNotFound("account");
      }
      log("account.settings", { account: account_id, changed: Object.keys(checked).join(" ") });
      return find(account_id);
    },

    async grant(account_id, credits, note) {
      const { credits: before } = await find(account_id);
      const amount = checkedWhole("credits", credits, 1, CREDITS_MAX - before);
      const text = checkedText("note", note);
      const granted = entry("credits.granted", account_id, account_id, { credits: amount, note: text });
      const balance = await store.audited(granted, "grant", account_id, amount, text, clock.now());
      if (balance === undefined) throw refuse.resourceNotFound("account");
      log("account.granted", { account: account_id, credits: amount });
      return balance;
    },
  };
}

/** A fresh key and its row. */
export function newKeyRow(
  account_id: string,
  label: string,
  now: number,
  plain: string = newApiKey(),
): { made: Made; row: NewKey } {
  const id = newId("key_", now);
  const row = { id, account_id, label, sha256: hashApiKey(plain), last_four: lastFour(plain), created_at: now };
  return { made: { id, plain }, row };
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

// --------------------------------------------------------------------------------------------------------------- checks

function wrong(field: string, msg: string): Error {
  return refuse.invalid([issue(["body", field], "value_error", msg)]);
}

/** Trimmed, 1 line, at most 100 code points. */
function checkedText(field: string, text: string, characters_min = 0): string {
  const trimmed = text.trim();
  const characters = [...trimmed].length;
  if (characters < characters_min) throw wrong(field, "Must not be empty");
  if (characters > LABEL_MAX) throw wrong(field, `Must have at most ${LABEL_MAX} characters`);
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(trimmed) || !trimmed.isWellFormed()) {
    throw wrong(field, "Must be one line of text without control characters");
  }
  return trimmed;
}

function checkedWhole(field: string, value: number, min: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw wrong(field, `Must be a whole number from ${min} to ${max}`);
}

type Checks = { readonly [Field in keyof AccountSettings]: (value: AccountSettings[Field]) => AccountSettings[Field] };

const limitOf =
  (field: string, max = LIMIT_MAX) =>
  (value: number | null): number | null =>
    value === null ? null : checkedWhole(field, value, 0, max);

const CHECKS: Checks = {
  put_per_minute: limitOf("put_per_minute"),
  get_per_minute: limitOf("get_per_minute"),
  long_polls: limitOf("long_polls"),
  free_seconds: limitOf("free_seconds"),
  uploads_open: limitOf("uploads_open"),
  upload_bytes: limitOf("upload_bytes", BYTES_MAX),
  jobs_max: (value) => checkedWhole("jobs_max", value, 0, LIMIT_MAX),
  webhook_body(value) {
    if (value === "operation" || value === "envelope") return value;
    throw wrong("webhook_body", "Must be operation or envelope");
  },
  webhook_long_retries: (value) => checkedFlag("webhook_long_retries", value),
  revoke_leaked: (value) => checkedFlag("revoke_leaked", value),
  allowlist(value) {
    if (value.length > RANGES_MAX) throw wrong("allowlist", `Must have at most ${RANGES_MAX} entries`);
    const ranges = value.map((text) => {
      const range = normalRange(text.trim());
      if (range === undefined)
        throw wrong("allowlist", `"${text}" is no address and no CIDR range such as 192.0.2.0/24 or 2001:db8::/32`);
      return range;
    });
    return [...new Set(ranges)];
  },
};

function checkedFlag(field: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw wrong(field, "Must be true or false");
}

function checkedSettings(changes: Partial<AccountSettings>): Partial<AccountSettings> {
  const checked: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(CHECKS, field)) throw wrong(field, "There is no such setting");
    // One cast: field and check are of the same name.
    checked[field] = (CHECKS[field as keyof AccountSettings] as (value: unknown) => unknown)(value);
  }
  return checked as Partial<AccountSettings>;
}

/** What a Refusal says, as sentences: for forms and commands. */
export function refusalText(body: Readonly<Record<string, unknown>>): string {
  const { detail } = body;
  if (!Array.isArray(detail)) return String(detail);
  return detail
    .map(({ loc, msg }: { loc: readonly (string | number)[]; msg: string }) => `${loc.slice(1).join(".")}: ${msg}`)
    .join("; ");
}
