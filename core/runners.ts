/** The pool that jobs run in and the engines of models, from the runners that this installation brings along. */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Tasks } from "./actions/tasks.ts";
import { findFamilyFolders } from "./adapters/plugins/families.ts";
import { createProbe } from "./adapters/plugins/probe.ts";
import { ADDED } from "./adapters/plugins/registry.ts";
import type { Config } from "./base/config.ts";
import type { Log } from "./base/log.ts";
import { loadAdapter } from "./load_adapter.ts";
import type { Engines, ModelSettings, Pool, Runners, SoundsInUse } from "./ports/mod.ts";
import { HOME } from "./surfaces.ts";

/** URL of the runners' `mod.ts`, for threads that load it again. */
export const RUNNERS = new URL("../runners/mod.ts", import.meta.url).href;
/** A pool thread that nobody needed for this long gives its memory back. */
const THREAD_IDLE_MS = 60_000;

export interface StartedRunners {
  readonly pool: Pool;
  readonly howConfined: Runners["howConfined"];
  readonly tasks: Tasks;
  readonly engines: Engines;
  readonly models: ModelSettings;
  /** Of the registry. */
  readonly probe: ReturnType<typeof createProbe>;
  readonly packs: readonly string[];
  readonly sounds: readonly SoundsInUse[];
  readonly picture: Runners["picture"];
  readonly convert: Runners["convert"];
  close(): Promise<void>;
}

export async function modelSettingsOf(config: Config): Promise<ModelSettings> {
  return {
    models: config.models === null ? null : resolve(config.models),
    providers: config.providers,
    devices: config.devices,
    model_mb: config.model_mb,
    model_seconds: config.model_seconds,
    shipped: config.shipped_models === "on",
    families: config.models === null ? [] : await findFamilyFolders(config.plugins, HOME, join(config.data, ADDED)),
    sidecars: config.sidecars.map((item) => (item.includes("=") ? item : resolve(item))),
  };
}

export async function startRunners(config: Config, log: Log): Promise<StartedRunners> {
  const tasks: Tasks = await loadAdapter("thread", "every node", () => import("./adapters/thread/tasks.ts"));
  const { createPool, howConfined, createEngines, checkPacks, checkSounds, picture, convert } = (await import(
    RUNNERS
  )) as Runners;
  const packs = await checkPacks(config.packs, fileURLToPath(HOME));
  const sounds = await checkSounds(config.sounds === null ? null : resolve(config.sounds), packs);
  const models = await modelSettingsOf(config);
  let engines: Engines | undefined;
  const pool = createPool({
    // Of the two kinds as many as have places, and one beside them each.
    jobs_max: 2 * (config.workers + 1),
    // For the like of `/v1/capabilities`, and the first import of what is not ours.
    threads_max: 1,
    // At least two: one account may have half of them.
    probes_max: config.workers + 1,
    processes_max: config.workers,
    stand_by: { runner: tasks.warmUp, input: { runners: RUNNERS } },
    idle_ms: THREAD_IDLE_MS,
    memory_mb: config.memory_mb,
    onStuck: (used_mb) =>
      log("pool.error", { error: `A thread that was ended for its memory goes on: the process holds ${used_mb} MB` }),
    onFarewell: (error) => log("plugin.error", { kind: "dispose", error: error.message, where: error.stack }),
    onResident({ name, state, reason, ended }) {
      if (state !== "failed") return;
      log("model.failed", { id: name, reason });
      if (ended) engines?.reload(name);
    },
  });
  try {
    const created = await createEngines(config.role === "api" ? undefined : pool, models, log);
    engines = created;
    return {
      pool,
      howConfined,
      tasks,
      probe: createProbe(pool, tasks, join(config.data, "imported.json")),
      engines: created,
      models,
      packs,
      sounds,
      picture,
      convert,
      async close() {
        created.close();
        await pool.close();
      },
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
}
