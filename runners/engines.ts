/** Which engine serves a task: a model of the operator's, or what is built in. Works inside a pool's thread. */
import type { Job } from "../core/plugin.ts";
import type { ModelSettings } from "../core/ports/mod.ts";
import type { Manifest } from "./models/manifest.ts";
import type { Task, TaskEngines } from "./models/open.ts";
import { SHIPPED } from "./shipped.ts";

export type { Task, TaskEngines } from "./models/open.ts";

export interface Served<Made> {
  readonly made: Made;
  /** For `Output.engine`: the model's id, or the built-in engine's name. */
  readonly engine: string;
  /** Models that should have served and could not, with the reason; for `Output.report`. */
  readonly passed_over: readonly { readonly model: string; readonly reason: string }[];
}

let settings: ModelSettings | undefined;
let known: Promise<readonly Known[]> | undefined;

interface Known {
  readonly manifest: Manifest;
  readonly folder: string;
}

/** The operator's models, then ours. */
async function knownTo(
  { models, shipped }: ModelSettings,
  read: (folder: string) => Promise<{ readonly models: readonly Manifest[] }>,
): Promise<readonly Known[]> {
  const folders = [...(models === null ? [] : [models]), ...(shipped ? Object.values(SHIPPED) : [])];
  const found = await Promise.all(
    folders.map(async (folder) => (await read(folder)).models.map((manifest) => ({ manifest, folder }))),
  );
  return found.flat();
}

/** Called before each job, by core. */
export function useModels(given: ModelSettings): void {
  if (JSON.stringify(given) === JSON.stringify(settings)) return;
  settings = given;
  known = undefined;
}

/**
 * Lets the first model of `task` serve that can, else the built-in engine.
 *
 * @param byModel undefined passes on to the next engine (the model gives none of the stems, say)
 *
 * Rejects with what `byModel` and `builtIn` throw, `ModelError`s apart, and with the job's reason where that is aborted.
 *
 * @example
 * ```ts
 * const { made, engine, passed_over } = await serve("separate", job, (model) => model.separate(audio, job, emit), {
 *   name: "built-in",
 *   run: () => separateByMasks(audio, job, emit),
 * });
 * ```
 */
export async function serve<Kind extends Task, Made>(
  task: Kind,
  job: Job,
  byModel: (engine: TaskEngines[Kind]) => Promise<Made | undefined>,
  builtIn: { readonly name: string; readonly run: () => Made | Promise<Made> },
): Promise<Served<Made>> {
  const passed_over: { model: string; reason: string }[] = [];
  // Where neither the operator nor we have a model of the task nothing of the runtime is loaded, and the job starts the faster.
  if (settings !== undefined && (settings.models !== null || (settings.shipped && SHIPPED[task] !== undefined))) {
    const [{ readManifests, TASKS }, { openModel }, { ModelError }] = await Promise.all([
      import("./models/manifest.ts"),
      import("./models/open.ts"),
      import("./models/model.ts"),
    ]);
    known ??= knownTo(settings, readManifests);
    for (const { manifest, folder } of await known) {
      if (TASKS[manifest.family] !== task) continue;
      try {
        const engine = (await openModel(manifest, { ...settings, models: folder }, job)) as TaskEngines[Kind];
        const made = await byModel(engine);
        if (made !== undefined) return { made, engine: manifest.id, passed_over };
        passed_over.push({ model: manifest.id, reason: "it gives nothing that is asked for" });
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        passed_over.push({ model: manifest.id, reason: error.reason });
      }
    }
  }
  return { made: await builtIn.run(), engine: builtIn.name, passed_over };
}
