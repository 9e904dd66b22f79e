/** What the dashboard brings to `tonwerk`: the people who sign in to it, and the leaked keys that it is told of. */
import type { CommandsModule } from "../../core/surface.ts";
import { LEAK_COMMANDS } from "./leaks/leak_commands.ts";
import { USER_COMMANDS } from "./people/user_commands.ts";

export const commands: CommandsModule["commands"] = { ...USER_COMMANDS, ...LEAK_COMMANDS };
