/** The operator's commands, run where the store is: in the server that holds it, or in the command's own process. */
import { refusalText } from "./account_admin.ts";
import { Refusal } from "./errors.ts";
import { describeError } from "./log.ts";
import { type OperatorCall, OperatorMistake, type OperatorServices } from "./operator_call.ts";
import { COMMANDS, type CommandName } from "./operator_commands.ts";
import { StoreUnavailable } from "./ports.ts";

export type OperatorAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** Never rejects. */
export async function runOperator(services: OperatorServices, call: OperatorCall): Promise<OperatorAnswer> {
  const { log } = services;
  try {
    const command = COMMANDS[call.command as CommandName];
    if (command === undefined) throw new OperatorMistake(`The server knows no command "${call.command}"`);
    return { ok: true, value: await command.run(services, call) };
  } catch (error) {
    if (error instanceof OperatorMistake) return { ok: false, message: error.message };
    if (error instanceof Refusal) return { ok: false, message: refusalText(error.body) };
    if (error instanceof StoreUnavailable) return { ok: false, message: error.message };
    log("operator.error", { command: call.command, error: describeError(error) });
    return { ok: false, message: "Internal error; the log says more" };
  }
}

/** For the socket: a line of JSON in, one out. Never rejects. */
export async function answerOperator(services: OperatorServices, line: string): Promise<string> {
  let call: OperatorCall;
  try {
    // Written by the command of the same program.
    call = JSON.parse(line) as OperatorCall;
  } catch {
    return JSON.stringify({ ok: false, message: "The request is not JSON" } satisfies OperatorAnswer);
  }
  return JSON.stringify(await runOperator(services, call));
}
