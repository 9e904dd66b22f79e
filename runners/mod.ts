/** What core loads: the pool, models, and how to load the studio inside it. Light, so that the API process stays light. */
import type { EngineLog, Engines, ModelSettings, Pool, SoundsInUse } from "../core/ports/mod.ts";
import { withShipped } from "./music/play/own_sounds.ts";

export { collectAfter } from "./collect.ts";
export { useModels } from "./engines.ts";
export { useSounds } from "./music/play/own_sounds.ts";
export { usePacks } from "./packs/mod.ts";
export { howConfined } from "./pool/confined.ts";
export { beforeEnd } from "./pool/farewell.ts";
export { askOwner, runNested } from "./pool/nested.ts";
export { createPool } from "./pool/pool.ts";
export { useScratch } from "./scratch.ts";
export { convert } from "./signal/media/mod.ts";
export { picture } from "./signal/picture/mod.ts";

export async function checkPacks(origins: readonly string[], base: string): Promise<readonly string[]> {
  // What Tonwerk brings along does not change after our tests have checked it, and checking it takes as long as a third of a start.
  if (origins.length === 0) return [];
  const { checkPacks: check } = await import("./packs/check.ts");
  return check(origins, base);
}

export async function checkSounds(folder: string | null, own: readonly string[]): Promise<readonly SoundsInUse[]> {
  if (folder === null) return withShipped([]);
  const { checkSounds: check } = await import("./sounds.ts");
  return withShipped(await check(folder, own));
}

export async function loadStudio() {
  const { studio } = await import("./delivery.ts");
  return studio;
}

export async function loadPluginEngines() {
  const { createPluginEngines } = await import("./plugin_engines.ts");
  return createPluginEngines;
}

export async function createEngines(pool: Pool | undefined, settings: ModelSettings, log: EngineLog): Promise<Engines> {
  const { createEngines: create } = await import("./models.ts");
  return create(pool, settings, log);
}
