/** Manifests: one JSON file for each model in the folder that `TONWERK_MODELS` names. Refusals by name. */
import { isAbsolute, normalize } from "node:path";
import { findFamily } from "./families.ts";
import type { Family } from "./family.ts";
import { checkManifest, filesOf, type Manifest } from "./fields.ts";

export interface Parsed {
  readonly manifest: Manifest;
  readonly family: Family;
}

/** All that models of a family can serve. */
export function tasksOf({ serves, also = [] }: Family): readonly string[] {
  return [serves, ...also];
}

/**
 * @param families URLs of folders of families that packages bring
 * @throws Error that names the field, what it is and what was expected
 */
export async function parseManifest(given: unknown, families: readonly string[] = []): Promise<Parsed> {
  const name = (given as { family?: unknown } | null)?.family;
  const family = await findFamily(name, families);
  checkManifest(family.fields, family.files, given, name as string);
  const manifest = given as Manifest;
  for (const { path } of filesOf(manifest)) {
    // What lies outside the folder is not the manifest's to name.
    if (isAbsolute(path) || normalize(path).startsWith("..")) {
      throw new Error(`the file "${path}" lies outside the folder of models`);
    }
  }
  const able = tasksOf(family);
  const strange = manifest.tasks?.find((task) => !able.includes(task));
  if (strange !== undefined)
    throw new Error(`"tasks" names "${strange}", and family "${name}" serves ${able.join(", ")}`);
  const why = family.check?.(manifest as never);
  if (why !== undefined) throw new Error(why);
  return { manifest, family };
}
