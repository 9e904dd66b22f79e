/** Adapters are loaded where the configuration asks for them: the folder of one that nobody asks for may be missing. */
import { existsSync } from "node:fs";

/**
 * Rejects with a message for the operator where `core/adapters/<name>` is missing; `asked_by`: what in the
 * configuration wants it.
 */
export async function loadAdapter<Module>(
  name: string,
  asked_by: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (existsSync(new URL(`./adapters/${name}/`, import.meta.url))) throw error;
    throw new Error(`Cannot start: ${asked_by} needs the adapter "core/adapters/${name}", which is not there`, {
      cause: error,
    });
  }
}
