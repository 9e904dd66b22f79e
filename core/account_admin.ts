/**
 * Changes to accounts, the same for the dashboard and for the operator's commands: makes keys and secrets, checks what people type, keeps
 * the rules. Who may is for the caller to know. What people got wrong is a Refusal, 422 with one entry for each field, or 404.
 */
import type { Account, AccountSettings } from "./ports.ts";

/** A key or secret in plain, to be shown once. */
export interface Made {
  readonly id: string;
  readonly plain: string;
}

export interface AccountAdmin {
  /** With one key and one signing secret, and, where an address is given, a link for its first owner. */
  createAccount(form: { readonly name: string; readonly credits: number; readonly email?: string }): Promise<{
    readonly account: Account;
    readonly key: Made;
    readonly secret: Made;
    readonly link: { readonly url: string; readonly expires_at: number };
  }>;
  createKey(account_id: string, label: string): Promise<Made>;
  /** Counts here at once, on other nodes within 5 s. 404: no such live key. */
  revokeKey(account_id: string, key_id: string): Promise<void>;
  /** From now on both this one and the older live ones sign. */
  createSecret(account_id: string, label: string): Promise<Made>;
  /** 409 for the last live one, 404 where there is no such live one. */
  retireSecret(account_id: string, secret_id: string): Promise<void>;
  label(what: "account" | "key" | "secret", account_id: string, id: string, label: string): Promise<void>;
  /** Checks and normalises (CIDR ranges above all). Resolves to the account as it is then. */
  updateSettings(account_id: string, changes: Partial<AccountSettings>): Promise<Account>;
  /** Resolves to the new balance. */
  grant(account_id: string, credits: number, note: string): Promise<number>;
}
