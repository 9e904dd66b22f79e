/**
 * Finds the commands of all surfaces, and runs one where the store is: in the server that holds it, or in the process
 * of `tonwerk`.
 */
import {
  type Administration,
  describeError,
  type Issue,
  OPERATOR,
  type PluginModule,
  Refusal,
  StoreUnavailable,
} from "../../core/surface.ts";
import { createAccountAdmin } from "./account_admin.ts";
import { type CommandAnswer, type CommandCall, CommandMistake, type CommandsModule } from "./command.ts";

/** What the surfaces of these folders bring to `tonwerk`: of modules called `commands.ts`. */
export async function loadCommands(modules: readonly PluginModule[]): Promise<CommandsModule> {
  let all: CommandsModule = { commands: {} };
  for (const { load, tolerated } of modules) {
    try {
      // One cast: what a module called commands.ts exports.
      const found = (await load()) as CommandsModule;
      all = { ...found, ...all, commands: { ...all.commands, ...found.commands } };
    } catch (error) {
      if (!tolerated) throw error;
    }
  }
  return all;
}

/** Commands that change nothing. None takes a secret as a word or an option. */
const READS = /^audit | (?:list|show|ledger)$/;

/** Never rejects. */
export async function runCommand(
  services: Administration,
  { commands, linkOwner }: CommandsModule,
  call: CommandCall,
): Promise<CommandAnswer> {
  const { log, audit } = services;
  try {
    const found = Object.hasOwn(commands, call.command) ? commands[call.command] : undefined;
    if (found === undefined) throw new CommandMistake(`The server knows no command "${call.command}"`);
    const value = await found.run({ ...services, admin: createAccountAdmin(services, OPERATOR), linkOwner }, call);
    if (!READS.test(call.command)) {
      const { command: name, words, options } = call;
      const action = `operator.${name.replaceAll(" ", ".")}`;
      await audit.write(audit.entry(OPERATOR, action, { account_id: null, details: { words, ...options } }));
    }
    return { ok: true, value };
  } catch (error) {
    if (error instanceof CommandMistake) return { ok: false, message: error.message };
    if (error instanceof Refusal) return { ok: false, message: sentences(error) };
    if (error instanceof StoreUnavailable) return { ok: false, message: error.message };
    log("operator.error", { command: call.command, error: describeError(error) });
    return { ok: false, message: "Internal error; the log says more" };
  }
}

function sentences({ body: { detail } }: Refusal): string {
  if (!Array.isArray(detail)) return String(detail);
  return (detail as Issue[]).map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ");
}
