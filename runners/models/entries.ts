/** What manifests offer: models and sidecars, each for itself, and ensembles of those that separate together. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { checkFields, closed, heading, type Manifest, STEM_NAMES } from "./fields.ts";
import { type Parsed, parseManifest, tasksOf } from "./manifest.ts";
import type { Weights } from "./separator.ts";
import type { SidecarManifest } from "./sidecars/mod.ts";

/** What serves a task: one model, or several together. */
export interface Entry {
  readonly id: string;
  readonly task: string;
  readonly priority: number;
  /** In the order that they run in. A model that serves for itself is the only one, by its own id and without weights. */
  readonly members: readonly EntryMember[];
}

export interface EntryMember {
  readonly manifest: Manifest | SidecarManifest;
  readonly weights: Weights | undefined;
}

export function isSidecar(manifest: Manifest | SidecarManifest): manifest is SidecarManifest {
  return "protocol" in manifest;
}

/** Of an entry that is a model of the folder, or an ensemble of such. */
export function modelsIn({ members }: Entry): readonly Manifest[] {
  return members.flatMap(({ manifest }) => (isSidecar(manifest) ? [] : [manifest]));
}

/** One for each id: what serves several tasks has an entry for each. */
export function firstOfEach(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.toReversed().map((entry) => [entry.id, entry])).values()].toReversed();
}

/** What a model of this manifest serves. */
export function servedBy({ tasks }: Manifest, family: Parsed["family"]): readonly string[] {
  return tasks ?? tasksOf(family);
}

export interface Entries {
  /** The preferred first: by priority, then by id. */
  readonly entries: readonly Entry[];
  /** Files that describe no model. */
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
}

const Weight = Type.Number({ exclusiveMinimum: 0, maximum: 1000 });
type Ensemble = Static<typeof Ensemble>;
const Ensemble = closed({
  ...heading,
  family: Type.Literal("ensemble"),
  models: Type.Array(
    closed({
      /** Of another manifest in the folder, which then serves in ensembles only. */
      id: Type.String({ minLength: 1, maxLength: 64 }),
      /** The stems that are taken from it, each with its weight among the models that give this stem; absent: all, by 1. */
      stems: Type.Optional(
        Type.Partial(
          closed(Object.fromEntries(STEM_NAMES.map((name) => [name, Weight])) as Record<keyof Weights, typeof Weight>),
          { minProperties: 1 },
        ),
      ),
    }),
    { minItems: 1, maxItems: 16 },
  ),
});

/**
 * Reads every `*.json` right inside `folder`; tokenizers and other JSON belong into folders below it. A folder that cannot be read is refused as a whole.
 *
 * @param folder null: there is none
 * @param families URLs of folders of families that packages bring
 * @param sidecars as `TONWERK_SIDECARS` lists them
 */
export async function readEntries(
  folder: string | null,
  families: readonly string[],
  sidecars: readonly string[] = [],
): Promise<Entries> {
  const models = new Map<string, Parsed>();
  const ensembles: { readonly file: string; readonly ensemble: Ensemble }[] = [];
  const files = new Map<string, string>();
  const refused: { file: string; reason: string }[] = [];
  let names: readonly string[] = [];
  try {
    if (folder !== null) names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  } catch (error) {
    refused.push({ file: folder!, reason: `cannot be read: ${(error as Error).message}` });
  }
  const beside = new Map<string, SidecarManifest>();
  if (sidecars.length > 0) {
    const { readSidecar } = await import("./sidecars/manifest.ts");
    for (const item of sidecars) {
      try {
        const manifest = await readSidecar(item, new Set(files.keys()));
        claimId(manifest.id, item, files);
        beside.set(manifest.id, manifest);
      } catch (error) {
        refused.push({ file: item, reason: (error as Error).message });
      }
    }
  }
  for (const file of names) {
    try {
      const given = parseJson(await readFile(join(folder!, file), "utf8"));
      const is_ensemble = (given as { family?: unknown } | null)?.family === "ensemble";
      if (is_ensemble) checkFields(Ensemble, given, "ensemble");
      const parsed = is_ensemble ? undefined : await parseManifest(given, families);
      const { id } = parsed?.manifest ?? (given as Ensemble);
      claimId(id, file, files);
      if (parsed === undefined) ensembles.push({ file, ensemble: given as Ensemble });
      else models.set(id, parsed);
    } catch (error) {
      refused.push({ file, reason: (error as Error).message });
    }
  }
  const entries: Entry[] = [];
  const within = new Set<string>();
  for (const { file, ensemble } of ensembles) {
    try {
      entries.push(gather(ensemble, models, beside));
      for (const { id } of ensemble.models) within.add(id);
    } catch (error) {
      refused.push({ file, reason: (error as Error).message });
    }
  }
  for (const { manifest, family } of models.values()) {
    const { id, priority = 0 } = manifest;
    if (within.has(id)) continue;
    for (const task of servedBy(manifest, family))
      entries.push({ id, task, priority, members: [{ manifest, weights: undefined }] });
  }
  for (const manifest of beside.values()) {
    const { id, priority = 0, serves } = manifest;
    if (within.has(id)) continue;
    for (const task of serves) entries.push({ id, task, priority, members: [{ manifest, weights: undefined }] });
  }
  entries.sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
  return { entries, refused };
}

/** @throws Error that names the field, what it is and what was expected */
function gather(
  { id, priority = 0, models }: Ensemble,
  known: ReadonlyMap<string, Parsed>,
  sidecars: ReadonlyMap<string, SidecarManifest>,
): Entry {
  const members = models.map(({ id: name, stems: weights }, index): EntryMember => {
    const parsed = known.get(name);
    const field = `"models.${index}.id"`;
    if (models.findIndex((one) => one.id === name) < index) throw new Error(`${field}: "${name}" is named twice`);
    const sidecar = sidecars.get(name);
    // Which stems it gives, it may say itself, when it is asked.
    if (sidecar?.serves.includes("separate") === true) return { manifest: sidecar, weights };
    if (parsed === undefined) {
      const there = [
        ...[...known].flatMap(([one, { family }]) => (family.serves === "separate" ? [one] : [])),
        ...[...sidecars.values()].flatMap((one) => (one.serves.includes("separate") ? [one.id] : [])),
      ];
      throw new Error(`${field}: there is no model "${name}" to separate with, but ${there.join(", ") || "none"}`);
    }
    const { manifest, family } = parsed;
    const task = family.serves;
    if (task !== "separate") throw new Error(`${field}: "${name}" serves ${task}, and only models that separate join`);
    const stems: readonly string[] = family.stems?.(manifest as never) ?? [];
    const strange = Object.keys(weights ?? {}).find((stem) => !stems.includes(stem));
    if (strange !== undefined)
      throw new Error(`"models.${index}.stems": "${name}" gives no ${strange}, but ${stems.join(", ")}`);
    return { manifest, weights };
  });
  return { id, task: "separate", priority, members };
}

/** @throws Error where another file has it */
function claimId(id: string, file: string, files: Map<string, string>): void {
  const taken = files.get(id);
  if (taken !== undefined) throw new Error(`the id "${id}" is that of "${taken}"`);
  files.set(id, file);
}

/** @throws Error where the text is none */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON: ${(error as Error).message}`);
  }
}
