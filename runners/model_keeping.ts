/**
 * What an operator does with the folder of models: adds one from its files, measures it, takes it out. Each rejects with
 * a message for the operator.
 */
import { createHash } from "node:crypto";
import { constants, createReadStream, existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, realpath, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import type { ModelSettings, Pool } from "../core/ports/mod.ts";
import type { AddedModel, ModelFigures, NewModel, Tell } from "./model_figures.ts";
import { type TrialInput, trial } from "./model_trial.ts";
import { firstOfEach, isSidecar, modelsIn, readEntries, servedBy } from "./models/entries.ts";
import { familyNames, findFamily } from "./models/families.ts";
import type { Family, GivenFile, Recognised } from "./models/family.ts";
import { filesOf, type Manifest } from "./models/fields.ts";
import { parseManifest } from "./models/manifest.ts";
import { readOnnx } from "./models/onnx_file.ts";
import { sizeText } from "./models/size_text.ts";

/** A model's limits leave this much room above what was measured. */
const ROOM = { memory: 1.3, time: 5 };
/** Less than this is another model, another stem, or other figures than the original's. dB */
const AGREEMENT_DB_MIN = 20;
const TRIAL_SECONDS = 10;
const TRIAL_MS_MAX = 3_600_000;

/** Files that take a second or more to read are told of. */
const TOLD_BYTES_MIN = 1e8;
/** How a run goes on is told this often. */
const TOLD_MS = 10_000;

interface Brought extends GivenFile {
  readonly path: string;
}

/**
 * Recognises the family, writes the manifest with the limits that a run showed to be needed, and brings the files into
 * the folder.
 */
export async function addModel(
  request: NewModel,
  settings: ModelSettings,
  pool: Pool,
  tell: Tell = () => {},
): Promise<AddedModel> {
  const folder = folderOf(settings);
  const files = await Promise.all(request.files.map(readFileFacts));
  const { name, family, recognised } = await recognise(files, request.family, settings.families);
  const id = request.id ?? idOf(files[recognised.roles.model ?? 0]!.name);
  const file = join(folder, `${id}.json`);
  if (existsSync(file)) throw new Error(`There is a model "${id}" already: remove it, or choose another name by --id`);
  await mkdir(folder, { recursive: true });
  const copied: string[] = [];
  try {
    const place = (path: string, within: string) => bring(path, within, folder, id, copied, tell);
    const roles: Record<string, { path: string; sha256: string }> = {};
    const data: { path: string; sha256: string }[] = [];
    for (const [role, index] of Object.entries(recognised.roles)) {
      const { path, graph } = files[index]!;
      roles[role] = await place(path, dirname(path));
      for (const beside of graph?.external ?? []) data.push(await place(join(dirname(path), beside), dirname(path)));
    }
    const licence = request.licence ?? "not stated";
    const plain = { id, family: name, licence, files: roles, ...(data.length > 0 ? { data } : {}) };
    const { manifest } = await parseManifest(
      withFields({ ...plain, ...recognised.fields }, request.fields),
      settings.families,
    );
    const { trial = {} } = family;
    const { figures, limits } = await measure({ ...manifest, ...trial }, settings, pool, request, tell);
    const whole = { ...manifest, ...limits };
    await writeFile(file, `${JSON.stringify(whole, null, 2)}\n`, { flag: "wx" });
    return {
      manifest: whole,
      task: servedBy(whole as Manifest, family).join(", "),
      file,
      notes: recognised.notes ?? [],
      figures: withInstead(figures, trial),
    };
  } catch (error) {
    for (const path of copied) await rm(path, { force: true });
    const hint = family.exported === undefined ? "" : `\nThe family "${name}" takes ${family.exported}`;
    throw new Error(`${(error as Error).message}${hint}`);
  }
}

/** A name with dots is that of a field within a field. */
function withFields(base: Readonly<Record<string, unknown>>, fields: NewModel["fields"]): Record<string, unknown> {
  const whole = structuredClone(base) as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    const path = name.split(".");
    let at = whole;
    for (const step of path.slice(0, -1)) {
      if (typeof at[step] !== "object" || at[step] === null) at[step] = {};
      at = at[step] as Record<string, unknown>;
    }
    at[path.at(-1)!] = value;
  }
  return whole;
}

function folderOf({ models }: ModelSettings): string {
  if (models === null) throw new Error("TONWERK_MODELS is not set: it names the folder that models are kept in");
  return models;
}

async function readFileFacts(given: string): Promise<Brought> {
  const path = resolve(given);
  const name = basename(path);
  if (!(await stat(path).catch(() => undefined))?.isFile()) throw new Error(`"${given}": there is no such file`);
  if (extname(name) !== ".onnx") return { path, name, graph: undefined };
  try {
    return { path, name, graph: readOnnx(path) };
  } catch (error) {
    throw new Error(`"${name}": ${(error as Error).message}`);
  }
}

async function recognise(
  files: readonly Brought[],
  wanted: string | undefined,
  families: readonly string[],
): Promise<{ readonly name: string; readonly family: Family; readonly recognised: Recognised }> {
  const names = wanted === undefined ? familyNames(families) : [wanted];
  const all = await Promise.all(names.map(async (name) => ({ name, family: await findFamily(name, families) })));
  const found = all.flatMap(({ name, family }) => {
    const recognised = family.recognise?.(files);
    return recognised === undefined ? [] : [{ name, family, recognised }];
  });
  const [one, second] = found;
  if (one !== undefined && second === undefined) return one;
  if (one !== undefined) {
    const fit = found.map(({ name }) => name).join(", ");
    throw new Error(`These files fit several families: say which by --family (${fit})`);
  }
  const facts = files.flatMap(({ name, graph }) => [
    ...(graph === undefined ? [`  "${name}" is no graph`] : []),
    ...(["inputs", "outputs"] as const).flatMap((side) =>
      (graph?.[side] ?? []).map(
        (port) => `  "${name}" ${side === "inputs" ? "takes" : "gives"} "${port.name}" [${port.dims}] of ${port.type}`,
      ),
    ),
  ]);
  const takes = all.map(({ name, family }) => `  ${name}: ${family.exported ?? "said by the package that brings it"}`);
  const whose =
    wanted === undefined ? "No family takes these files" : `The family "${wanted}" does not take these files`;
  throw new Error([`${whose}:`, ...facts, wanted === undefined ? "Families take:" : "It takes:", ...takes].join("\n"));
}

function idOf(name: string): string {
  const id = basename(name, extname(name))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|-+$/g, "")
    .slice(0, 64);
  if (id === "") throw new Error(`"${name}" makes no name for a model: choose one by --id`);
  return id;
}

/** A file as a manifest names it: where it lies in the folder, else copied into a folder of the model's, beside what it lay beside. */
async function bring(path: string, within: string, folder: string, id: string, copied: string[], tell: Tell) {
  const inside = relative(folder, path);
  if (!inside.startsWith("..")) {
    await tellSize("hashing", path, tell);
    return { path: inside.split(sep).join("/"), sha256: await sha256Of(path) };
  }
  const target = join(folder, id, relative(within, path));
  if (relative(folder, target).startsWith(".."))
    throw new Error(`"${basename(path)}" lies outside of its graph's folder`);
  if (!existsSync(path)) throw new Error(`"${basename(path)}", which a graph loads beside itself, is not there`);
  await mkdir(dirname(target), { recursive: true });
  await tellSize("copying and hashing", path, tell);
  // Where the file system can, without a second copy of gigabytes.
  await copyFile(path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE).catch((error: unknown) => {
    throw new Error(`Cannot copy "${basename(path)}" into the folder of models: ${(error as Error).message}`);
  });
  copied.push(target);
  return { path: relative(folder, target).split(sep).join("/"), sha256: await sha256Of(target) };
}

async function tellSize(what: string, path: string, tell: Tell): Promise<void> {
  const { size } = await stat(path);
  if (size >= TOLD_BYTES_MIN) tell(`${what} ${basename(path)} (${sizeText(size)})`);
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

/** Runs it without the usual limits, and says which it needs beyond them. */
async function measure(manifest: Manifest, settings: ModelSettings, pool: Pool, { reference }: NewModel, tell: Tell) {
  const free = { ...settings, model_mb: Math.max(settings.model_mb, (0.9 * totalmem()) / 1e6), model_seconds: 3600 };
  const input = { manifest, settings: free, resident: manifest.id, seconds: TRIAL_SECONDS };
  const figures = await runTrial(pool, reference === undefined ? input : { ...input, reference }, tell);
  const [best] = figures.agreement ?? [];
  if (best !== undefined && !(best.db >= AGREEMENT_DB_MIN)) {
    throw new Error(
      `It agrees with "${basename(reference!.wanted)}" within ${best.db.toFixed(1)} dB at best, by its ${best.stem}, expected ` +
        `${AGREEMENT_DB_MIN} at least: another stem's file, other figures than the original's, or stems in another order`,
    );
  }
  const memory_mb = Math.ceil(ROOM.memory * (figures.peak_mb ?? 0));
  const ms_max = Math.ceil(ROOM.time * figures.slowest_run_ms);
  const limits = {
    ...(memory_mb > settings.model_mb ? { memory_mb } : {}),
    ...(ms_max > 1000 * settings.model_seconds ? { ms_max: Math.min(3_600_000, ms_max) } : {}),
  };
  return { figures, limits };
}

/** Tells each stage once, and now and then how far it is. */
function runTrial(pool: Pool, input: TrialInput, tell: Tell): Promise<ModelFigures> {
  let [told, told_at] = ["", performance.now()];
  const onProgress = (fraction: number, stage: string): void => {
    const is_new = stage !== told;
    if (!is_new && performance.now() - told_at < TOLD_MS) return;
    [told, told_at] = [stage, performance.now()];
    tell(is_new ? stage : `${stage}: ${Math.round(100 * fraction)} %`);
  };
  return pool.run(trial, input, { signal: new AbortController().signal, ms_max: TRIAL_MS_MAX, onProgress });
}

function withInstead(figures: ModelFigures, instead: Readonly<Record<string, unknown>>): ModelFigures {
  return Object.keys(instead).length === 0 ? figures : { ...figures, instead };
}

export interface BenchOptions {
  readonly seconds: number;
  /** With the family's fields for a trial instead of the manifest's. */
  readonly is_short: boolean;
}

export async function benchModel(
  id: string,
  { seconds, is_short }: BenchOptions,
  settings: ModelSettings,
  pool: Pool,
  tell: Tell = () => {},
): Promise<readonly ModelFigures[]> {
  const { entries } = await readEntries(
    settings.sidecars.length > 0 ? settings.models : folderOf(settings),
    settings.families,
    settings.sidecars,
  );
  const inputs = firstOfEach(entries).flatMap((entry) =>
    entry.members
      .filter(({ manifest }) => entry.id === id || manifest.id === id)
      .flatMap(({ manifest }): TrialInput[] => {
        const input = { manifest, settings, resident: entry.id, seconds };
        if (!isSidecar(manifest)) return [input];
        // Within an ensemble it does nothing else.
        const tasks = entry.id === manifest.id ? manifest.serves : [entry.task];
        return tasks.map((task) => ({ ...input, task }));
      }),
  );
  if (inputs.length === 0) throw new Error(`There is no model "${id}"`);
  const figures: ModelFigures[] = [];
  for (const input of inputs) {
    const { manifest } = input;
    const { trial = {} } = is_short && !isSidecar(manifest) ? await findFamily(manifest.family, settings.families) : {};
    const made = await runTrial(pool, { ...input, manifest: { ...manifest, ...trial } as typeof manifest }, tell);
    figures.push(withInstead(made, trial));
  }
  return figures;
}

/** Files that go with a model, relative to the folder: its manifest, and what no other manifest names. */
export async function planRemoval(id: string, settings: ModelSettings): Promise<readonly string[]> {
  const folder = folderOf(settings);
  const { entries } = await readEntries(folder, settings.families, settings.sidecars);
  const ensemble = entries.find((entry) => entry.id !== id && entry.members.some(({ manifest }) => manifest.id === id));
  if (ensemble !== undefined) throw new Error(`"${id}" is part of the ensemble "${ensemble.id}": remove that first`);
  const manifests = entries.flatMap(modelsIn);
  const own = manifests.find((manifest) => manifest.id === id);
  const is_ensemble = own === undefined && entries.some((entry) => entry.id === id);
  if (own === undefined && !is_ensemble) throw new Error(`There is no model "${id}"`);
  const kept = new Set(manifests.filter((one) => one !== own).flatMap((one) => filesOf(one).map(({ path }) => path)));
  const files = own === undefined ? [] : [...new Set(filesOf(own).map(({ path }) => path))];
  return [await manifestFile(folder, id), ...files.filter((path) => !kept.has(path) && existsSync(join(folder, path)))];
}

/** The file whose `id` this is: its name may be another. */
async function manifestFile(folder: string, id: string): Promise<string> {
  for (const name of (await readdir(folder)).filter((one) => one.endsWith(".json"))) {
    const text = await readFile(join(folder, name), "utf8");
    try {
      if ((JSON.parse(text) as { id?: unknown } | null)?.id === id) return name;
    } catch {
      // Describes no model.
    }
  }
  throw new Error(`There is no manifest of "${id}"`);
}

/** Returns what was removed. Nothing outside of the folder is: not by a link either. */
export async function removeModel(id: string, settings: ModelSettings): Promise<readonly string[]> {
  const folder = await realpath(folderOf(settings));
  const paths = await planRemoval(id, settings);
  for (const path of paths) {
    const parent = await realpath(dirname(join(folder, path)));
    if (parent !== folder && !parent.startsWith(folder + sep))
      throw new Error(`"${path}" lies outside of the folder of models, behind a link: nothing was removed`);
  }
  for (const path of paths) await rm(join(folder, path));
  // A folder of the model's own, where nothing is left in it.
  for (const path of paths) {
    const parent = dirname(path);
    if (parent !== ".") await rmdir(join(folder, parent)).catch(() => undefined);
  }
  return paths;
}
