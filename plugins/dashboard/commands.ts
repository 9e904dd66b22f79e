/** What the dashboard brings to `tonwerk`: the people who sign in to it, and the leaked keys that it is told of. */
import type { CommandsModule } from "../administration/command.ts";
import { LEAK_COMMANDS } from "./leaks/leak_commands.ts";
import { issueLink, LINK_MS } from "./people/sign_in_links.ts";
import { USER_COMMANDS } from "./people/user_commands.ts";

export const commands: CommandsModule["commands"] = { ...USER_COMMANDS, ...LEAK_COMMANDS };

export const linkOwner: CommandsModule["linkOwner"] = (services, account_id) =>
  issueLink({ ...services, base_url: services.config.base_url }, account_id, null, LINK_MS.invitation);
