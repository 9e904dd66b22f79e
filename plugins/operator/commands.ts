/**
 * What the operator brings to `tonwerk`: accounts with what they have, the audit log, and the way to a server that
 * runs.
 */
import type { CommandAnswer, CommandsModule } from "../administration/command.ts";
import { ACCOUNT_COMMANDS } from "./account_commands.ts";
import { AUDIT_COMMANDS } from "./audit_commands.ts";
import { BACKUP_COMMANDS } from "./backup_commands.ts";
import { CREDENTIAL_COMMANDS } from "./credential_commands.ts";
import { SETTING_COMMANDS } from "./setting_commands.ts";
import { askOperator } from "./socket.ts";

export const commands: CommandsModule["commands"] = {
  ...ACCOUNT_COMMANDS,
  ...CREDENTIAL_COMMANDS,
  ...SETTING_COMMANDS,
  ...AUDIT_COMMANDS,
  ...BACKUP_COMMANDS,
};

export const askServer: CommandsModule["askServer"] = async (data, call) => {
  const answer = await askOperator(data, JSON.stringify(call));
  return answer === undefined ? undefined : (JSON.parse(answer) as CommandAnswer);
};
