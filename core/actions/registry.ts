/**
 * Finds actions, refuses the ones that cannot be served, and lists the rest. An origin is a folder (`./plugins`, `/srv/actions`,
 * a `file:` URL) whose sub-folders with a dot in their name hold an `action.ts`, or a package that exports `actions(kit)`: its name, or its
 * folder; or a place of `tonwerk plugins add`, which is all packages in it. A leading `?` lists a failing origin instead of stopping the start.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { maskInLog } from "../base/log.ts";
import { type ActionPack, type AnyAction, kit } from "../plugin.ts";
import { inspectAction, isAction } from "./declaration.ts";
import { describeValue } from "./faults.ts";
import {
  describeEmptyFolder,
  folderOf,
  importInTime,
  isFolder,
  RegistrationError,
  splitOrigin,
  subfolders,
} from "./folders.ts";
import { describeLoadError } from "./load_errors.ts";
import { type LongSources, raiseLimits } from "./long_sources.ts";
import { resourceOf, typeOf } from "./names.ts";
import { findInsideImport } from "./own_imports.ts";
import { addedTo, entryOf, familiesOf, findShipper, type Shipper } from "./packages.ts";
import { type ActionSchema, compileAction } from "./schema.ts";
import { isWrong, readSettings, type Settings, secretsOf } from "./settings.ts";

type Listed = ReturnType<typeof splitOrigin>;

/** Where an action comes from: enough for a pool thread to load the same one. */
export interface Origin {
  readonly kind: "folder" | "package";
  /** URL of the module, or name of the package. */
  readonly module: string;
  readonly name: string;
}

export interface Registered extends Shipper {
  readonly action: AnyAction;
  readonly origin: Origin;
  readonly schema: ActionSchema;
  /** Of its `config`; undefined where no jobs run. */
  readonly settings?: Settings;
}

export interface Registry {
  /** By name, sorted. */
  readonly actions: ReadonlyMap<string, Registered>;
  /** Origins with a leading `?` that could not be loaded. */
  readonly failed: readonly { readonly origin: string; readonly reason: string }[];
}

/** In the data folder: where `tonwerk plugins add` puts packages. */
export const ADDED = "plugins";

export interface RegistryOptions {
  /** What each module has to load. */
  readonly import_ms?: number;
  /** Bounds of long sources. */
  readonly long?: LongSources;
  /** A place of `tonwerk plugins add`, which may be missing. */
  readonly added?: string;
  /** Where settings of actions are read; absent: they are not, for no jobs run here. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Loads every origin, in order. `base` is the URL that relative folders start from. */
export async function loadRegistry(
  origins: readonly string[],
  base: string,
  { import_ms, long, added, environment }: RegistryOptions = {},
): Promise<Registry> {
  let found = new Map<string, Registered>();
  const failed: { origin: string; reason: string }[] = [];
  for (const { origin, tolerated } of await listAllOrigins(origins, base, added)) {
    try {
      // All or nothing: a package whose second action is refused leaves no trace of its first.
      const all = new Map(found);
      for (const entry of await loadOrigin(origin, base, import_ms)) {
        refuseTaken(entry, all);
        const known = long === undefined ? entry : raised(entry, long);
        all.set(entry.action.name, environment === undefined ? known : withSettings(known, environment));
      }
      found = all;
    } catch (error) {
      if (!tolerated) throw error;
      failed.push({ origin, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { actions: new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1))), failed };
}

/** Those that are named, then what was added to a place of `tonwerk plugins add`. */
export async function listAllOrigins(
  origins: readonly string[],
  base: string,
  added: string | undefined,
): Promise<readonly Listed[]> {
  return [...(await listOrigins(origins, base)), ...(await listAdded(added))];
}

/** A place of `tonwerk plugins add` stands for each package in it. */
async function listOrigins(origins: readonly string[], base: string): Promise<readonly Listed[]> {
  const all = origins.map(splitOrigin).map(async ({ origin, tolerated }) => {
    const added = isFolder(origin) ? await addedTo(fileURLToPath(folderOf(origin, base))) : undefined;
    return added === undefined
      ? [{ origin, tolerated }]
      : [...added.values()].map((its) => ({ origin: its, tolerated }));
  });
  return (await Promise.all(all)).flat();
}

/** What an upgrade left behind is told, and does not keep the others from being served. */
async function listAdded(folder: string | undefined): Promise<readonly Listed[]> {
  const added = folder === undefined ? undefined : await addedTo(folder);
  return [...(added?.values() ?? [])].map((origin) => ({ origin, tolerated: true }));
}

/** Loads one action again, in a pool thread; it was inspected at boot. */
export async function loadAction(origin: Origin): Promise<AnyAction> {
  const actions = origin.kind === "folder" ? [await importFolder(origin.module)] : await importPack(origin.module);
  const action = actions.find((candidate) => isAction(candidate) && candidate.name === origin.name);
  if (!isAction(action)) throw refusalOf(origin, "it is no longer there");
  return action;
}

async function loadOrigin(origin: string, base: string, import_ms?: number): Promise<readonly Registered[]> {
  if (!isFolder(origin)) return loadPackage(origin, import_ms);
  const all = await subfolders(origin, base);
  const named = all.filter(({ name }) => name.includes("."));
  if (named.length === 0) {
    const entry = entryOf(folderOf(origin, base));
    if (entry !== undefined) return loadPackage(entry, import_ms);
    const why = describeEmptyFolder(origin, base, all);
    if (why !== undefined) throw new RegistrationError(`Cannot load the plugin folder "${origin}": ${why}`);
  }
  const registered: Registered[] = [];
  for (const { name, url } of named) {
    const module = new URL("action.ts", url).href;
    const found: Origin = { kind: "folder", module, name };
    if (!existsSync(new URL(module)))
      throw refusalOf(found, "there is no such file, expected one in each folder with a dot");
    await refuseInside(found, module);
    const shipper = findShipper(module);
    registered.push(inspectCandidate(await importFolder(module, import_ms), found, shipper));
  }
  return registered;
}

/** All actions of a package: of its name, or of the URL of its module. */
async function loadPackage(module: string, import_ms?: number): Promise<readonly Registered[]> {
  // First: what wants another contract may fail to load for that very reason.
  const known = module.startsWith("file:") ? findShipper(module) : undefined;
  // A package may bring families of models and no action.
  if (known !== undefined && familiesOf(module) !== undefined && !existsSync(new URL(module))) return [];
  const pack = await importPack(module, import_ms);
  const url = module.startsWith("file:") ? module : import.meta.resolve(module);
  const found: Origin = { kind: "package", module, name: "all of it" };
  await refuseInside(found, url);
  const shipper = known ?? findShipper(url);
  return pack.map((candidate, index) =>
    inspectCandidate(candidate, { ...found, name: `its action ${index + 1}` }, shipper),
  );
}

async function refuseInside(origin: Origin, url: string): Promise<void> {
  const found = await findInsideImport(url);
  if (found === undefined) return;
  throw refusalOf(
    origin,
    `"${found.file}" imports "${found.imported}", the inside of the core; expected the contract, ` +
      "@tonwerk/plugin, which has engines as context.engines",
  );
}

function inspectCandidate(candidate: unknown, origin: Origin, shipper: Shipper): Registered {
  if (!isAction(candidate))
    throw refusalOf(
      origin,
      `it is not an action but ${describeValue(candidate)}, expected what defineAction() returns`,
    );
  const { name } = candidate;
  const known = typeof name === "string" ? { ...origin, name } : origin;
  const problems = inspectAction(candidate);
  if (problems.length > 0) throw refusalOf(known, problems.join("; "));
  if (origin.kind === "folder" && name !== origin.name)
    throw refusalOf(origin, `its name is "${name}", expected the folder's name "${origin.name}"`);
  return { action: candidate, origin: known, ...shipper, schema: compileAction(candidate) };
}

function raised(entry: Registered, long: LongSources): Registered {
  const action = raiseLimits(entry.action, long);
  return action === entry.action ? entry : { ...entry, action, schema: compileAction(action) };
}

function withSettings(entry: Registered, environment: NonNullable<RegistryOptions["environment"]>): Registered {
  const settings = readSettings(entry.action, environment);
  if (isWrong(settings)) throw refusalOf(entry.origin, settings.join("; "));
  maskInLog(secretsOf(entry.action, settings));
  return { ...entry, settings };
}

function refuseTaken({ action, origin }: Registered, taken: ReadonlyMap<string, Registered>): void {
  const namesake = taken.get(action.name);
  if (namesake !== undefined)
    throw refusalOf(origin, `the name is taken by "${namesake.origin.module}", choose another`);
  for (const [holder, { action: other }] of taken) {
    if (other.wrapper === action.wrapper)
      throw refusalOf(origin, `wrapper "${action.wrapper}" is taken by "${holder}", choose another`);
    if (typeOf(other) === typeOf(action))
      throw refusalOf(origin, `resource "${resourceOf(action)}" is taken by "${holder}", choose another`);
  }
}

async function importFolder(module: string, import_ms?: number): Promise<unknown> {
  try {
    return ((await importInTime(module, import_ms)) as { default?: unknown }).default;
  } catch (error) {
    throw new RegistrationError(
      `Cannot load "${module}": ${describeLoadError(error, module)}; expected a module whose default export is an action`,
    );
  }
}

/** By package, so that `actions(kit)` runs once in this thread however many of its actions are loaded here. */
const packs = new Map<string, Promise<readonly unknown[]>>();

function importPack(name: string, import_ms?: number): Promise<readonly unknown[]> {
  const known = packs.get(name);
  if (known !== undefined) return known;
  const loading = loadPack(name, import_ms);
  packs.set(name, loading);
  // One that failed may be installed, or mended, before it is asked for again.
  loading.catch(() => packs.delete(name));
  return loading;
}

/**
 * `@tonwerk/plugin` as added packages find it. Deno loads no TypeScript for an installed package, unless the thread has it already; a name, for
 * core knows nothing of the package.
 */
const HOST = new URL("../../packages/plugin/mod.ts", import.meta.url).href;

async function loadPack(name: string, import_ms?: number): Promise<readonly unknown[]> {
  const cannot = (why: string): RegistrationError => new RegistrationError(`Cannot load package "${name}": ${why}`);
  let pack: { actions?: ActionPack };
  try {
    if (name.includes("/node_modules/")) await import(HOST);
    pack = (await importInTime(name, import_ms)) as { actions?: ActionPack };
  } catch (error) {
    const wish = name.startsWith("file:")
      ? "expected a module that exports a function 'actions'"
      : "install it or remove it from TONWERK_PLUGINS";
    throw cannot(`${describeLoadError(error, name)}; ${wish}`);
  }
  if (typeof pack.actions !== "function")
    throw cannot("it exports no function 'actions', expected 'export const actions = (kit) => [...]'");
  let actions: unknown;
  try {
    actions = pack.actions(kit);
  } catch (error) {
    throw cannot(`actions(kit) threw "${describeLoadError(error, name)}", expected an array of actions`);
  }
  if (!Array.isArray(actions))
    throw cannot(`actions(kit) returned ${describeValue(actions)}, expected an array of actions`);
  if (actions.length === 0) throw cannot("actions(kit) returned no action, expected an array of at least one");
  return actions;
}

function refusalOf({ name, module }: Origin, why: string): RegistrationError {
  return new RegistrationError(`Cannot register "${name}" from "${module}": ${why}`);
}
