/** `tonwerk models list` and `tonwerk models check [id]`. */
import type { Config } from "../core/base/config.ts";
import type { ModelCheck, Runners } from "../core/ports/mod.ts";
import { modelSettingsOf } from "../core/runners.ts";

const RUNNERS = new URL("../runners/mod.ts", import.meta.url).href;

/** Writes a table, line by line. Returns the exit code: 1 where something cannot serve, 2 for a command that is none. */
export async function modelsCommand(
  rest: readonly string[],
  config: Config,
  write: (line: string) => void,
): Promise<number> {
  const [verb, id, ...more] = rest;
  const known = verb === "list" || verb === "check";
  if (!known || more.length > 0 || (verb === "list" && id !== undefined)) {
    write("Usage: tonwerk models list | tonwerk models check [id]");
    return 2;
  }
  if (config.models === null) write("TONWERK_MODELS is not set: only what Tonwerk brings along can serve");
  const settings = await modelSettingsOf(config);
  const where = settings.models === null ? "" : ` in "${settings.models}"`;
  const { checkModels, createPool } = (await import(RUNNERS)) as Runners;
  const pool = verb === "check" ? createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 }) : undefined;
  try {
    const all = await checkModels(settings, pool, id);
    if (id !== undefined && all.length === 0) {
      write(`There is no model "${id}"${where}`);
      return 1;
    }
    for (const one of all) for (const line of linesOf(one, verb)) write(line);
    return all.some(({ reason }) => reason !== null) ? 1 : 0;
  } finally {
    await pool?.close();
  }
}

function linesOf(
  { name, family, task, licence, device, seconds, reason, skipped, draws }: ModelCheck,
  verb: string,
): string[] {
  if (reason !== null) return [`${name}: refused: ${reason}`];
  const kind = `${name}: ${family}, serves ${task}, licence ${licence}`;
  if (verb === "list") return [kind];
  const passed = skipped.map(({ provider, reason: why }) => `  passed over ${provider}: ${why}`);
  if (draws.length > 0)
    passed.push(`  draws numbers at random (${draws.join(", ")}): equal requests do not give equal samples`);
  return [`${kind}: ok on ${device}, loaded and run once in ${(seconds ?? 0).toFixed(1)} s`, ...passed];
}
