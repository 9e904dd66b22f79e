/** From a manifest to what serves a task. */
import type { Job } from "../../contract/mod.ts";
import type { ModelSettings } from "../../core/ports/mod.ts";
import { chooseResident } from "../pool/mod.ts";
import { type Entry, type EntryMember, isSidecar } from "./entries.ts";
import { findFamily } from "./families.ts";
import type { EngineOf } from "./family.ts";
import type { Manifest } from "./fields.ts";
import { sessions } from "./mod.ts";
import { Model, specOf } from "./model.ts";
import { ModelError } from "./model_error.ts";
import { type Place, placesOf } from "./places.ts";
import type { Ensemble, Separator } from "./separator.ts";
import type { Task, TaskEngines } from "./tasks.ts";
import type { ModelSpec } from "./types.ts";

/**
 * Rejects with a `ModelError`, and with the job's reason where that is aborted. Models that separate are opened one by
 * one, when each is wanted.
 */
export async function openEntry(entry: Entry, settings: ModelSettings, job: Job): Promise<TaskEngines[Task]> {
  const { id, members, task } = entry;
  const open = async ({ manifest }: EntryMember) => {
    if (!isSidecar(manifest)) return openModel(manifest, settings, job, id);
    const { openSidecar } = await import("./sidecars/sidecar.ts");
    return openSidecar(manifest, task, settings, job);
  };
  if (task !== "separate") return (await open(members[0]!)) as Exclude<TaskEngines[Task], Ensemble>;
  return {
    id,
    members: members.map((member) => ({
      id: member.manifest.id,
      weights: member.weights,
      open: () => open(member) as Promise<Separator>,
    })),
  };
}

/**
 * Rejects with a `ModelError`, and with the job's reason where that is aborted.
 *
 * @param resident the process that it is loaded in: that of an ensemble
 */
export async function openModel(
  manifest: Manifest,
  settings: ModelSettings,
  job: Job,
  resident: string = manifest.id,
): Promise<EngineOf<Task>> {
  const family = await findFamily(manifest.family, settings.families);
  return family.create(manifest as never, await openAnywhere(manifest, settings, job, resident));
}

/** In the process that has the least to do. Where that cannot have it loaded, in another. */
async function openAnywhere(manifest: Manifest, settings: ModelSettings, job: Job, resident: string): Promise<Model> {
  const places = placesOf(manifest, settings, resident);
  const order = await chooseResident(
    sessions,
    places.map((place) => place.resident),
    job,
  );
  let fault: unknown;
  for (const name of order) {
    const place = places.find((one) => one.resident === name)!;
    try {
      return await Model.open(await specFor(manifest, settings, place), manifest, settings, job);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      fault ??= error;
    }
  }
  throw fault;
}

/** What the process of a place is told of a model. */
export async function specFor(manifest: Manifest, settings: ModelSettings, place: Place): Promise<ModelSpec> {
  const family = await findFamily(manifest.family, settings.families);
  return specOf(manifest, family.layouts(manifest as never), settings, place, family);
}
