/** The operator's surface: commands of all surfaces, asked through a socket in the data folder. */
import type { CommandAnswer, CommandCall, Facade, Surface } from "../../core/surface.ts";
import { listenForOperator } from "./socket.ts";

export default async function operator(facade: Facade): Promise<Surface> {
  const name = "operator";
  // On Postgres commands open the store themselves, and several nodes may share the data folder.
  if (facade.shared) return { name };
  const socket = await listenForOperator(facade.config.data, async (line) => {
    const call = readCall(line);
    const answer: CommandAnswer =
      call === undefined ? { ok: false, message: "The request is no command" } : await facade.command(call);
    return JSON.stringify(answer);
  });
  return { name, stop: () => socket.close() };
}

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
