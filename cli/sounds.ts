/** `tonwerk sounds list` and `tonwerk sounds manifest <file> <instrument>`. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "../core/base/config.ts";

const HOME = fileURLToPath(new URL("../", import.meta.url));

/**
 * Writes line by line. Returns the exit code: 2 for a command that is none. Rejects with a message for the operator.
 */
export async function soundsCommand(
  [verb, file, instrument, ...more]: readonly string[],
  config: Config,
  write: (line: string) => void,
): Promise<number> {
  if (verb === "manifest" && instrument !== undefined && more.length === 0) {
    const { manifestFor } = await import("../runners/sounds.ts");
    write(JSON.stringify(await manifestFor(resolve(file!), instrument), null, 2));
    return 0;
  }
  if (verb !== "list" || file !== undefined) {
    write("Usage: tonwerk sounds list | tonwerk sounds manifest <file> <instrument>");
    return 2;
  }
  const { checkPacks, checkSounds } = await import("../runners/mod.ts");
  const packs = await checkPacks(config.packs, HOME);
  const folder = config.sounds === null ? null : resolve(config.sounds);
  for (const { name, licence, attribution, source, notice, instruments } of await checkSounds(folder, packs)) {
    const played = Object.keys(instruments);
    write(`${name}: licence ${licence}; ${played.length === 0 ? "all that no others play" : played.join(", ")}`);
    if (attribution !== null) write(`  ${attribution}`);
    if (source !== null) write(`  from ${source}; notice in ${notice}`);
  }
  return 0;
}
