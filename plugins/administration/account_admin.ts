/**
 * Changes to accounts, the same for the dashboard and for the operator's commands: makes keys and secrets, checks what
 * people type, keeps the rules. Who may is for the caller to know. What people got wrong is a Refusal: 422 with one
 * entry for each field, 404 or 409.
 */
import {
  type Account,
  type AccountSettings,
  type Actor,
  type Administration,
  type KeyRights,
  type Made,
  newId,
  newKeyRow,
  newSecretRow,
  refuse,
} from "../../core/surface.ts";
import { CREDITS_MAX, checkedSettings, checkedText, checkedWhole } from "./checks.ts";

export interface AccountAdmin {
  /** With one key and one signing secret. */
  createAccount(form: {
    readonly name: string;
    readonly credits: number;
    readonly settings?: Partial<AccountSettings>;
  }): Promise<{
    readonly account: Account;
    readonly key: Made;
    readonly secret: Made;
  }>;
  /** `rights` null: all that the account may. */
  createKey(account_id: string, label: string, rights?: KeyRights | null): Promise<Made>;
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

/** In the name of `actor`: what is done is written to the audit log, with the change. */
export function createAccountAdmin(services: Administration, actor: Actor): AccountAdmin {
  const { store, secrets, clock, log, audit } = services;
  const entry = (action: string, account_id: string, target: string, details: Readonly<Record<string, unknown>> = {}) =>
    audit.entry(actor, action, { account_id, target, details });

  async function find(account_id: string): Promise<Account> {
    const account = await store.account(account_id);
    if (account === undefined) throw refuse.resourceNotFound("account");
    return account;
  }

  return {
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
      return { account: await find(account.id), key, secret };
    },

    async createKey(account_id, label, rights = null) {
      await find(account_id);
      const { made, row } = newKeyRow(account_id, checkedText("label", label), clock.now(), undefined, rights);
      const { last_four } = row;
      const details = { label: row.label, last_four, ...rights };
      await store.audited(entry("key.created", account_id, made.id, details), "createKey", row);
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
