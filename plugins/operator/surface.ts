/** The operator's surface: commands of all surfaces, asked through a socket in the data folder. */
import type { Facade, Surface } from "../../core/surface.ts";
import type { CommandAnswer, CommandCall, CommandsModule } from "../administration/command.ts";
import { loadCommands, runCommand } from "../administration/run_command.ts";
import { reportSealed } from "./sealed_secrets.ts";
import { listenForOperator } from "./socket.ts";

export default async function operator(facade: Facade): Promise<Surface> {
  const name = "operator";
  void reportSealed(facade);
  // On Postgres commands open the store themselves, and several nodes may share the data folder.
  if (facade.shared) return { name };
  let loading: Promise<CommandsModule> | undefined;
  const socket = await listenForOperator(facade.config.data, async (line) => {
    const call = readCall(line);
    if (call === undefined) return tell({ ok: false, message: "The request is no command" });
    // With the first one: most starts see none.
    loading ??= facade.findModules("commands.ts").then(loadCommands);
    return tell(await runCommand(facade, await loading, call));
  });
  return { name, stop: () => socket.close() };
}

const tell = (answer: CommandAnswer): string => JSON.stringify(answer);

function readCall(line: string): CommandCall | undefined {
  try {
    const { command, words, options } = JSON.parse(line) as Partial<Record<keyof CommandCall, unknown>>;
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
