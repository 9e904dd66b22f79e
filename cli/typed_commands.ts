/** Commands that surfaces bring to `tonwerk`: reads the words, asks the running server or opens the store itself. */

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Config } from "../core/base/config.ts";
import { messageOf } from "../core/base/log.ts";
import { findModules } from "../core/surfaces.ts";
import type { Command, CommandAnswer, CommandCall, CommandsModule } from "../plugins/administration/command.ts";
import { loadCommands, runCommand } from "../plugins/administration/run_command.ts";
import { explain } from "./help.ts";

export interface Print {
  out(line: string): void;
  err(line: string): void;
}

/** What the surfaces in these folders bring. */
export async function findCommands(origins: readonly string[]): Promise<CommandsModule> {
  return loadCommands(await findModules("commands.ts", origins));
}

/** First words of the commands. */
export function groupsOf({ commands }: CommandsModule): readonly string[] {
  return [...new Set(Object.keys(commands).map((name) => name.split(" ")[0]!))];
}

/** Returns the exit code: 0, 1 where the command was refused, 2 for one that is none. `load` reads the environment. */
export async function runTyped(
  all: CommandsModule,
  group: string,
  rest: readonly string[],
  load: () => Config,
  { out, err }: Print,
): Promise<number> {
  const [verb = "", ...typed] = rest;
  const name = `${group} ${verb}`;
  const command = Object.hasOwn(all.commands, name) ? all.commands[name] : undefined;
  if (command === undefined) {
    const asked = ["", "help", "--help", "-h"].includes(verb);
    const print = asked ? out : err;
    if (!asked) err(`There is no command "${name}".`);
    for (const line of groupHelp(all, group)) print(line);
    return asked && verb !== "" ? 0 : 2;
  }
  const parsed = parse(command, typed);
  if (typeof parsed === "string") {
    err(parsed);
    err(usage(name, command));
    return 2;
  }
  if (parsed.help) {
    out(usage(name, command));
    out(`  ${command.sentence}`);
    return 0;
  }
  const answer = await ask(all, { command: name, words: parsed.words, options: parsed.options }, load());
  if (!answer.ok) {
    if (parsed.json) out(JSON.stringify({ error: answer.message }));
    else err(answer.message);
    return 1;
  }
  if (parsed.json) out(JSON.stringify(answer.value));
  // One cast: the value is what this command's `run` made, here or in the server.
  else for (const line of command.lines(answer.value as never)) out(line);
  return 0;
}

export function groupHelp(all: CommandsModule, group: string): readonly string[] {
  return [
    "Usage:",
    ...groupLines(all, group),
    "Options of all: --json for programs; --account <id or name> where there are several accounts.",
  ];
}

/** Each command of the group, and what it does. */
export function groupLines({ commands }: CommandsModule, group: string): readonly string[] {
  return Object.entries(commands)
    .filter(([name]) => name.startsWith(`${group} `))
    .flatMap(([name, command]) => explain(usageOf(name, command), command.sentence));
}

function usageOf(name: string, { usage: words }: Command): string {
  return `tonwerk ${name} ${words}`.trimEnd();
}

function usage(name: string, command: Command): string {
  return `Usage: ${usageOf(name, command)}${command.account ? " [--account <id or name>]" : ""} [--json]`;
}

interface Parsed {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  readonly json: boolean;
  readonly help: boolean;
}

/** A text says what is wrong. */
function parse(command: Command, typed: readonly string[]): Parsed | string {
  const names = [...command.options, ...(command.account ? ["account"] : [])];
  try {
    const { values, positionals } = parseArgs({
      args: [...typed],
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
        json: { type: "boolean" as const, default: false },
        help: { type: "boolean" as const, short: "h", default: false },
      },
      allowPositionals: true,
      strict: true,
    });
    const { json, help, ...options } = values as Record<string, string | boolean>;
    if (help !== true) {
      if (positionals.length < command.words_min) return "Something is missing.";
      if (positionals.length > command.words_max) return `"${positionals[command.words_max]}" is one word too many.`;
    }
    return { words: positionals, options: options as Record<string, string>, json: json === true, help: help === true };
  } catch (error) {
    return messageOf(error);
  }
}

/** The server that runs on this data folder; where none does, the store itself, under the folder's lock. */
async function ask(all: CommandsModule, call: CommandCall, config: Config): Promise<CommandAnswer> {
  const answer = await all.askServer?.(resolve(config.data), call);
  if (answer !== undefined) return answer;
  // Loaded here alone: beside a server nothing of it is needed, and it is most of the time that a command takes.
  const { openForCommand } = await import("./open_store.ts");
  const { services, close } = await openForCommand(config);
  try {
    return await runCommand(services, all, call);
  } finally {
    await close();
  }
}
