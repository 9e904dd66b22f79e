/** Which engine serves a task: a model of the operator's, or what is built in. Works inside a pool's thread. */
import type { Job } from "../contract/mod.ts";
import type { ModelSettings } from "../core/ports/mod.ts";
import type { Entry, readEntries } from "./models/entries.ts";
import type { Task, TaskEngines } from "./models/tasks.ts";
import { SHIPPED } from "./shipped.ts";

export type { Task, TaskEngines } from "./models/tasks.ts";

export interface Served<Made> {
  readonly made: Made;
  /** For `Output.engine`: the model's id, or the built-in engine's name. */
  readonly engine: string;
  /** Models that should have served and could not, with the reason; for `Output.report`. */
  readonly passed_over: readonly { readonly model: string; readonly reason: string }[];
}

export type PassOver = (model: string, reason: string) => void;

let settings: ModelSettings | undefined;
let known: Promise<readonly Known[]> | undefined;

interface Known {
  readonly entry: Entry;
  readonly folder: string | null;
}

/** The operator's models, then ours. */
async function knownTo(
  { models, shipped, families, sidecars }: ModelSettings,
  read: typeof readEntries,
): Promise<readonly Known[]> {
  const own = read(models, families, sidecars);
  const ours = shipped ? Object.values(SHIPPED).map((folder) => ({ folder, read: read(folder, families) })) : [];
  const found = await Promise.all(
    [{ folder: models, read: own }, ...ours].map(async ({ folder, read: reading }) =>
      (await reading).entries.map((entry) => ({ entry, folder })),
    ),
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
 * @param byModel undefined passes on to the next engine (the model gives none of the stems, say); `passOver` tells why,
 *   or of a model that could not do its part
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
  byModel: (engine: TaskEngines[Kind], passOver: PassOver) => Promise<Made | undefined>,
  builtIn: { readonly name: string; readonly run: () => Made | Promise<Made> },
): Promise<Served<Made>> {
  const passed_over: { model: string; reason: string }[] = [];
  // Where neither the operator nor we have a model of the task nothing of the runtime is loaded, and the job starts the faster.
  if (settings !== undefined && mayServe(task, settings)) {
    const [{ readEntries: read }, { openEntry }, { ModelError }] = await Promise.all([
      import("./models/entries.ts"),
      import("./models/open.ts"),
      import("./models/model_error.ts"),
    ]);
    known ??= knownTo(settings, read);
    for (const { entry, folder } of await known) {
      if (entry.task !== task) continue;
      try {
        const engine = (await openEntry(entry, { ...settings, models: folder }, job)) as TaskEngines[Kind];
        const made = await byModel(engine, (model, reason) => passed_over.push({ model, reason }));
        if (made !== undefined) return { made, engine: entry.id, passed_over };
        if (!passed_over.some(({ model }) => model === entry.id))
          passed_over.push({ model: entry.id, reason: "it gives nothing that is asked for" });
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        passed_over.push({ model: entry.id, reason: error.reason });
      }
    }
  }
  return { made: await builtIn.run(), engine: builtIn.name, passed_over };
}

function mayServe(task: Task, { models, sidecars, shipped }: ModelSettings): boolean {
  return models !== null || sidecars.length > 0 || (shipped && SHIPPED[task] !== undefined);
}
