/** The operator's commands, run where the store is: in the server that holds it, or in the command's own process. */
import { refusalText } from "../../core/accounts/admin.ts";
import { OPERATOR } from "../../core/accounts/audit.ts";
import { Refusal } from "../../core/base/errors.ts";
import { describeError } from "../../core/base/log.ts";
import { StoreUnavailable } from "../../core/ports/mod.ts";
import { type OperatorCall, OperatorMistake, type OperatorServices } from "./call.ts";
import { COMMANDS, type CommandName } from "./commands.ts";

export type OperatorAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** Never rejects. */
export async function runOperator(services: OperatorServices, call: OperatorCall): Promise<OperatorAnswer> {
  const { log, audit } = services;
  try {
    const command = Object.hasOwn(COMMANDS, call.command) ? COMMANDS[call.command as CommandName] : undefined;
    if (command === undefined) throw new OperatorMistake(`The server knows no command "${call.command}"`);
    const value = await command.run(services, call);
    if (!READS.test(call.command)) {
      const { command: name, words, options } = call;
      const action = `operator.${name.replaceAll(" ", ".")}`;
      await audit.write(audit.entry(OPERATOR, action, { account_id: null, details: { words, ...options } }));
    }
    return { ok: true, value };
  } catch (error) {
    if (error instanceof OperatorMistake) return { ok: false, message: error.message };
    if (error instanceof Refusal) return { ok: false, message: refusalText(error.body) };
    if (error instanceof StoreUnavailable) return { ok: false, message: error.message };
    log("operator.error", { command: call.command, error: describeError(error) });
    return { ok: false, message: "Internal error; the log says more" };
  }
}

/** Commands that change nothing. None takes a secret as a word or an option. */
const READS = /^audit | (?:list|show|ledger)$/;

/** For the socket: a line of JSON in, one out. Never rejects. */
export async function answerOperator(services: OperatorServices, line: string): Promise<string> {
  const call = readCall(line);
  const answer: OperatorAnswer =
    call === undefined ? { ok: false, message: "The request is no command" } : await runOperator(services, call);
  return JSON.stringify(answer);
}

function readCall(line: string): OperatorCall | undefined {
  try {
    const { command, words, options } = JSON.parse(line) as Partial<Record<keyof OperatorCall, unknown>>;
    const texts = (value: unknown): value is string[] =>
      Array.isArray(value) && value.every((one) => typeof one === "string");
    if (typeof command !== "string" || !texts(words) || typeof options !== "object" || options === null)
      return undefined;
    return texts(Object.values(options)) ? { command, words, options: options as Record<string, string> } : undefined;
  } catch {
    // Not JSON, or `null`.
    return undefined;
  }
}
