/**
 * Commands of the operator, which surfaces bring to `tonwerk`: how one is declared, and what most of them read and
 * print.
 */
import type { Account, AccountsStore, Administration } from "../../core/surface.ts";
import type { AccountAdmin } from "./account_admin.ts";

/** What a command runs on, in the server that holds the store or in the command's own process. */
export interface CommandServices extends Administration {
  /** Changes to accounts, in the operator's name. */
  readonly admin: AccountAdmin;
  /** Undefined where no surface is there to sign in to. */
  readonly linkOwner: CommandsModule["linkOwner"];
}

/** A command as it was typed. */
export interface CommandCall {
  readonly command: string;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string>>;
}

export type CommandAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** What was typed is wrong. The message is for the operator. */
export class CommandMistake extends Error {
  override readonly name = "CommandMistake";
}

export interface Command {
  /** What follows the command's name. Words in <> are required, in [] optional. */
  readonly usage: string;
  readonly sentence: string;
  /** Names of its options beside --account and --json; `account`: whether it takes that one. */
  readonly options: readonly string[];
  readonly account: boolean;
  /** How many words it takes. */
  readonly words_min: number;
  readonly words_max: number;
  run(services: CommandServices, call: CommandCall): Promise<unknown>;
  /** What is printed without --json. */
  lines(value: never): readonly string[];
}

/** What a surface's `commands.ts` exports. */
export interface CommandsModule {
  /** By name: two words, of which the first is the group. */
  readonly commands: Readonly<Record<string, Command>>;
  /** Has the server that runs on this data folder run it; undefined where none does. */
  askServer?(data: string, call: CommandCall): Promise<CommandAnswer | undefined>;
  /** Makes a link with which a new account's first owner signs in. */
  linkOwner?(services: Administration, account_id: string): Promise<OwnerLink>;
}

interface OwnerLink {
  readonly url: string;
  readonly expires_at: number;
}

/** Ties what `run` answers to what `lines` prints. */
export function command<Value>(
  of: Omit<Command, "run" | "lines"> & {
    run(services: CommandServices, call: CommandCall): Promise<Value>;
    lines(value: Value): readonly string[];
  },
): Command {
  return of;
}

export const none = { options: [], account: true, words_min: 0, words_max: 0 } as const;
export const one = { ...none, words_min: 1, words_max: 1 } as const;

/** The account that `--account` names by id or by a name that only one has; without it the only one there is. */
export async function findAccount(store: AccountsStore, { options }: Pick<CommandCall, "options">): Promise<Account> {
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
  throw new CommandMistake([why, ...listed].join("\n"));
}

/** Newest first. */
export async function allAccounts(store: AccountsStore): Promise<readonly Account[]> {
  const all: Account[] = [];
  for (;;) {
    const before = all.at(-1)?.id;
    const page = await store.accounts({ limit: PAGE, ...(before === undefined ? {} : { before }) });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

const PAGE = 100;

export const time = (ms: number | null): string =>
  ms === null ? "-" : new Date(ms).toISOString().slice(0, 16).replace("T", " ");
export const ONCE = "Shown this once, and not stored in plain.";

export function whole(what: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CommandMistake(`${what} must be a whole number, not "${text}"`);
}

/**
 * Columns as wide as their widest cell; what control characters a label could hold would move the terminal's cursor.
 */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): readonly string[] {
  if (rows.length === 0) return ["None"];
  const cells = [head, ...rows.map((row) => row.map((cell) => String(cell).replace(/\p{Cc}/gu, " ")))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}
