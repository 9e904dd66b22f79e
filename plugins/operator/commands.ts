/**
 * What `tonwerk accounts|keys|secrets|credits|users|settings|leaks|audit` can do. The command and the server are the same program, so one table
 * serves both.
 */

import { ACCOUNT_COMMANDS } from "./account_commands.ts";
import { AUDIT_COMMANDS } from "./audit_commands.ts";
import type { OperatorCommand } from "./command.ts";
import { CREDENTIAL_COMMANDS } from "./credential_commands.ts";
import { SETTING_COMMANDS } from "./setting_commands.ts";
import { USER_COMMANDS } from "./user_commands.ts";

export const COMMANDS = {
  ...ACCOUNT_COMMANDS,
  ...CREDENTIAL_COMMANDS,
  ...USER_COMMANDS,
  ...SETTING_COMMANDS,
  ...AUDIT_COMMANDS,
} as const satisfies Record<string, OperatorCommand>;

export type CommandName = keyof typeof COMMANDS;
