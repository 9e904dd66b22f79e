/**
 * Commands of the operator: how one is declared, and how it is run where the store is, in the server that holds it or in the command's
 * own process. Surfaces bring them; the program `tonwerk` and the server are the same code, so both know the same ones.
 */
import type { Config } from "../base/config.ts";
import { Refusal } from "../base/errors.ts";
import { describeError, type Log } from "../base/log.ts";
import type { Secrets } from "../base/secrets.ts";
import { type Account, type Clock, type Store, StoreUnavailable } from "../ports/mod.ts";
import { type AccountAdmin, refusalText } from "./admin.ts";
import { type Audit, OPERATOR } from "./audit.ts";

/** What surfaces and their commands may read of the configuration; what is theirs alone they read from the environment. */
export type SurfaceConfig = Pick<
  Config,
  | "base_url"
  | "data"
  | "trusted_proxies"
  | "put_per_minute"
  | "get_per_minute"
  | "long_polls"
  | "uploads_open"
  | "upload_bytes"
  | "leak_keys"
  | "smtp_url"
  | "mail_from"
>;

/** What a command runs on, also where no server runs. */
export interface CommandServices {
  readonly config: SurfaceConfig;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly audit: Audit;
  /** Changes to accounts; in the operator's name where a command makes them. */
  readonly admin: AccountAdmin;
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

/** Commands that change nothing. None takes a secret as a word or an option. */
const READS = /^audit | (?:list|show|ledger)$/;

/** Never rejects. */
export async function runCommand(
  services: CommandServices,
  commands: Readonly<Record<string, Command>>,
  call: CommandCall,
): Promise<CommandAnswer> {
  const { log, audit } = services;
  try {
    const found = Object.hasOwn(commands, call.command) ? commands[call.command] : undefined;
    if (found === undefined) throw new CommandMistake(`The server knows no command "${call.command}"`);
    const value = await found.run({ ...services, admin: services.admin.by(OPERATOR) }, call);
    if (!READS.test(call.command)) {
      const { command: name, words, options } = call;
      const action = `operator.${name.replaceAll(" ", ".")}`;
      await audit.write(audit.entry(OPERATOR, action, { account_id: null, details: { words, ...options } }));
    }
    return { ok: true, value };
  } catch (error) {
    if (error instanceof CommandMistake) return { ok: false, message: error.message };
    if (error instanceof Refusal) return { ok: false, message: refusalText(error.body) };
    if (error instanceof StoreUnavailable) return { ok: false, message: error.message };
    log("operator.error", { command: call.command, error: describeError(error) });
    return { ok: false, message: "Internal error; the log says more" };
  }
}

/** The account that `--account` names by id or by a name that only one has; without it the only one there is. */
export async function findAccount(store: Store, { options }: Pick<CommandCall, "options">): Promise<Account> {
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
