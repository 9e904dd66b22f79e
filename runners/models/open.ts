/** From a manifest to what serves a task. */
import type { Job } from "../../core/plugin.ts";
import type { ModelSettings } from "../../core/ports/mod.ts";
import type { Entry } from "./entries.ts";
import { bandsLayouts, createBands } from "./families/bands.ts";
import { createDiffsinger, diffsingerLayouts, type Vocalist } from "./families/diffsinger.ts";
import { createHtdemucsCore, createHtdemucsEnd, htdemucsCoreLayouts, htdemucsEndLayouts } from "./families/htdemucs.ts";
import { createMdx, mdxLayouts } from "./families/mdx.ts";
import { createMusicgen, type Generator, musicgenLayouts } from "./families/musicgen.ts";
import { createNotes, notesLayouts, type Transcriber } from "./families/notes.ts";
import { createRoformer, roformerLayouts } from "./families/roformer.ts";
import { createUmx, umxLayouts } from "./families/umx.ts";
import { createVad, type VoiceDetector, vadLayouts } from "./families/vad.ts";
import type { Layout } from "./layout.ts";
import type { Manifest } from "./manifest.ts";
import { Model, specOf } from "./model.ts";
import type { Ensemble, Separator } from "./separator.ts";

/** What a model of each task gives. */
export interface TaskEngines {
  separate: Ensemble;
  generate: Generator;
  voice_activity: VoiceDetector;
  transcribe: Transcriber;
  sing: Vocalist;
}
export type Task = keyof TaskEngines;
/** What one model gives. */
type Opened = Exclude<TaskEngines[Task], Ensemble> | Separator;

/** Rejects with a `ModelError`, and with the job's reason where that is aborted. Models that separate are opened one by one, when each is wanted. */
export async function openEntry(entry: Entry, settings: ModelSettings, job: Job): Promise<TaskEngines[Task]> {
  const { id, members, task } = entry;
  const open = (manifest: Manifest) => openModel(manifest, settings, job, id);
  if (task !== "separate") return (await open(members[0]!.manifest)) as Exclude<TaskEngines[Task], Ensemble>;
  return {
    id,
    members: members.map(({ manifest, weights }) => ({
      id: manifest.id,
      weights,
      open: () => open(manifest) as Promise<Separator>,
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
): Promise<Opened> {
  const model = await Model.open(specOf(manifest, layoutsOf(manifest), settings, resident), manifest, settings, job);
  switch (manifest.family) {
    case "mdx":
      return createMdx(manifest, model);
    case "htdemucs-core":
      return createHtdemucsCore(manifest, model);
    case "htdemucs-e2e":
      return createHtdemucsEnd(manifest, model);
    case "umx":
      return createUmx(manifest, model);
    case "roformer":
      return createRoformer(manifest, model);
    case "bands":
      return createBands(manifest, model);
    case "musicgen":
      return createMusicgen(manifest, model);
    case "vad":
      return createVad(manifest, model);
    case "notes":
      return createNotes(manifest, model);
    case "diffsinger":
      return createDiffsinger(manifest, model);
  }
}

/** What the family expects of each graph, by role. */
export function layoutsOf(manifest: Manifest): Readonly<Record<string, Layout>> {
  switch (manifest.family) {
    case "mdx":
      return mdxLayouts(manifest);
    case "htdemucs-core":
      return htdemucsCoreLayouts(manifest);
    case "htdemucs-e2e":
      return htdemucsEndLayouts(manifest);
    case "umx":
      return umxLayouts(manifest);
    case "roformer":
      return roformerLayouts(manifest);
    case "bands":
      return bandsLayouts(manifest);
    case "musicgen":
      return musicgenLayouts(manifest);
    case "vad":
      return vadLayouts(manifest);
    case "notes":
      return notesLayouts(manifest);
    case "diffsinger":
      return diffsingerLayouts(manifest);
  }
}
