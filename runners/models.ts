/** Models as the process that owns the pool sees them: what there is, what state each is in, what a check of them says. */
import type { EngineLog, Engines, ModelCheck, ModelHealth, ModelSettings, Pool } from "../core/ports/mod.ts";
import { type Manifest, readManifests, TASKS } from "./models/manifest.ts";
import { sessions } from "./models/mod.ts";
import { OPEN_MS_MAX, specOf } from "./models/model.ts";
import { layoutsOf } from "./models/open.ts";
import { findRuntime } from "./models/runtime.ts";
import { SHIPPED } from "./shipped.ts";

/** After a crash a model is loaded anew this much later, so that the next job finds it ready. */
const RELOAD_MS = 1000;

/**
 * Reads the manifests and begins to load every model of the operator's; does not wait for them. What Tonwerk brings along is loaded when the
 * first job asks for it: most services would start a process for nothing.
 *
 * @param pool undefined: this node runs no jobs, so that its models are loaded elsewhere
 */
export async function createEngines(pool: Pool | undefined, settings: ModelSettings, log: EngineLog): Promise<Engines> {
  const { models, refused } =
    settings.models === null ? { models: [], refused: [] } : await readManifests(settings.models);
  for (const { file, reason } of refused) log("model.refused", { file, reason });
  const devices = new Map<string, string>();
  const stop = new AbortController();

  const load = async (manifest: Manifest): Promise<void> => {
    if (pool === undefined) return;
    const began = performance.now();
    try {
      const { device, skipped, pid } = await open(manifest, settings, pool, stop.signal);
      devices.set(manifest.id, device);
      const passed = skipped.map(({ provider, reason }) => `${provider}: ${reason}`).join("; ");
      log("model.ready", {
        id: manifest.id,
        device,
        pid,
        ms: Math.round(performance.now() - began),
        ...(passed === "" ? {} : { skipped: passed }),
      });
    } catch {
      // The pool tells the resident's failure to whoever listens.
    }
  };
  for (const manifest of models) void load(manifest);
  const shipped = (await shippedModels(settings)).map(({ manifest }) => manifest);
  // Whether the package is there; that its binary loads shows when it does.
  const missing = shipped.length === 0 ? undefined : findRuntime();
  if (missing !== undefined) for (const { id } of shipped) log("model.failed", { id, reason: missing });

  const health = (manifest: Manifest): ModelHealth => {
    const resident = pool?.residents().find(({ name }) => name === manifest.id);
    if (resident === undefined && pool !== undefined && shipped.includes(manifest)) {
      const state = missing === undefined ? "ready" : "failed";
      return { id: manifest.id, task: TASKS[manifest.family], state, reason: missing ?? null, device: null };
    }
    return {
      id: manifest.id,
      task: TASKS[manifest.family],
      state: pool === undefined ? "elsewhere" : (resident?.state ?? "starting"),
      reason: resident?.reason ?? null,
      device: devices.get(manifest.id) ?? null,
    };
  };
  return {
    refused,
    models: (task) => [...models, ...shipped].filter(({ family }) => TASKS[family] === task).map(health),
    // One that was killed is loaded anew before anybody asks.
    reload(id) {
      const manifest = models.find((one) => one.id === id);
      if (manifest === undefined) return;
      const timer = setTimeout(() => {
        if (!stop.signal.aborted) void load(manifest);
      }, RELOAD_MS);
      timer.unref();
    },
    close: () => stop.abort(),
  };
}

/** What Tonwerk brings along, each with settings that lead to its files. */
async function shippedModels(
  settings: ModelSettings,
): Promise<readonly { readonly manifest: Manifest; readonly settings: ModelSettings }[]> {
  if (!settings.shipped) return [];
  const found = await Promise.all(
    Object.values(SHIPPED).map(async (folder) =>
      (await readManifests(folder)).models.map((manifest) => ({ manifest, settings: { ...settings, models: folder } })),
    ),
  );
  return found.flat();
}

/** One entry for each model and each file that describes none; with `id` for that model alone. */
export async function checkModels(
  settings: ModelSettings,
  pool: Pool | undefined,
  id?: string,
): Promise<readonly ModelCheck[]> {
  const { models, refused } =
    settings.models === null ? { models: [], refused: [] } : await readManifests(settings.models);
  const all = [...models.map((manifest) => ({ manifest, settings })), ...(await shippedModels(settings))];
  const nothing = { device: null, seconds: null, reason: null, skipped: [], draws: [] } as const;
  const checks: ModelCheck[] = (id === undefined ? refused : []).map(({ file, reason }) => ({
    ...nothing,
    name: file,
    family: null,
    task: null,
    licence: null,
    reason,
  }));
  for (const { manifest, settings: own } of all) {
    const { family, licence } = manifest;
    if (id !== undefined && manifest.id !== id) continue;
    const plain = { ...nothing, name: manifest.id, family, task: TASKS[family], licence };
    if (pool === undefined) {
      checks.push(plain);
      continue;
    }
    const began = performance.now();
    try {
      const { device, skipped, draws } = await open(manifest, own, pool, new AbortController().signal);
      checks.push({ ...plain, device, skipped, draws, seconds: (performance.now() - began) / 1000 });
    } catch (error) {
      checks.push({ ...plain, reason: messageOf(error) });
    }
  }
  return checks;
}

async function open(manifest: Manifest, settings: ModelSettings, pool: Pool, signal: AbortSignal) {
  const spec = specOf(manifest, layoutsOf(manifest), settings);
  const runner = { ...sessions, resident: manifest.id };
  const answer = await pool.run(runner, { type: "open", spec }, { signal, ms_max: OPEN_MS_MAX });
  if (answer.type !== "opened") throw new Error(`its process answered "${answer.type}" to being opened`);
  return answer.opened;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
