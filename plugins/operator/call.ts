/** A command of the operator as it was typed, and what it runs on. */
import type { AccountAdmin } from "../../core/accounts/admin.ts";
import type { Audit } from "../../core/accounts/audit.ts";
import type { Log } from "../../core/base/log.ts";
import type { Secrets } from "../../core/base/secrets.ts";
import type { Account, Clock, Store } from "../../core/ports/mod.ts";
import type { Members } from "../dashboard/people/members.ts";

export interface OperatorServices {
  readonly store: Store;
  readonly admin: AccountAdmin;
  readonly members: Members;
  readonly secrets: Pick<Secrets, "reseal">;
  readonly clock: Pick<Clock, "now">;
  readonly base_url: string;
  readonly log: Log;
  readonly audit: Audit;
}

/** A command as it was typed. */
export interface OperatorCall {
  readonly command: string;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string>>;
}

/** What was typed is wrong. The message is for the operator. */
export class OperatorMistake extends Error {
  override readonly name = "OperatorMistake";
}

/** The account that `--account` names by id or by a name that only one has; without it the only one there is. */
export async function findAccount(store: Store, { options }: Pick<OperatorCall, "options">): Promise<Account> {
  const wanted = options.account;
  if (wanted?.startsWith("acc_") === true) {
    const account = await store.account(wanted);
    if (account !== undefined) return account;
  }
  const all = await allAccounts(store);
  const found = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  if (found.length === 1) return found[0]!;
  const listed = (found.length === 0 ? all : found).slice(0, 20).map(({ id, name }) => `  ${id}  ${name}`);
  const why =
    wanted === undefined
      ? `There are ${all.length} accounts: choose one with --account`
      : found.length === 0
        ? `There is no account "${wanted}"`
        : `${found.length} accounts are called "${wanted}": choose one by its id`;
  throw new OperatorMistake([why, ...listed].join("\n"));
}

/** Newest first. */
export async function allAccounts(store: Store): Promise<readonly Account[]> {
  const all: Account[] = [];
  for (;;) {
    const before = all.at(-1)?.id;
    const page = await store.accounts({ limit: PAGE, ...(before === undefined ? {} : { before }) });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

const PAGE = 100;
