/**
 * Finds actions, refuses the ones that cannot be served, and lists the rest. An origin is a folder (`./plugins`,
 * `/srv/actions`, a `file:` URL) whose sub-folders with a dot in their name hold an `action.ts`, or a package that
 * exports `actions(kit)`: its name, or its folder; or a place of `tonwerk plugins add`, which is all packages in it. A
 * leading `?` lists a failing origin instead of stopping the start.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describeValue } from "../../actions/faults.ts";
import { IMPORT_MS, importFolder, importPack, isAction, RegistrationError } from "../../actions/imports.ts";
import { type LongSources, raiseLimits } from "../../actions/long_sources.ts";
import { resourceOf, typeOf } from "../../actions/names.ts";
import type { Importable, Origin, Registered, Registry } from "../../actions/registered.ts";
import { compileAction } from "../../actions/schema.ts";
import { maskInLog, messageOf } from "../../base/log.ts";
import { inspectAction } from "./declaration.ts";
import { describeEmptyFolder, folderOf, isFolder, splitOrigin, subfolders } from "./folders.ts";
import { type OwnFiles, readOwnFiles } from "./own_imports.ts";
import { addedTo, entryOf, familiesOf, findShipper, type Shipper } from "./packages.ts";
import { isWrong, readSettings, secretsOf } from "./settings.ts";

type Listed = ReturnType<typeof splitOrigin>;

/** In the data folder: where `tonwerk plugins add` puts packages. */
export const ADDED = "plugins";

export interface RegistryOptions {
  /** What each module has to load. */
  readonly import_ms?: number;
  /**
   * Imports what is not ours for the first time where a loop does no harm; `print` tells whether that was done before.
   * Throws RegistrationError where it does not end in time or ends whoever imports it; else the import here says what
   * is wrong.
   */
  readonly probe?: (origin: Importable, print: string, import_ms: number) => Promise<void>;
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
  { import_ms = IMPORT_MS, probe, long, added, environment }: RegistryOptions = {},
): Promise<Registry> {
  let found = new Map<string, Registered>();
  const failed: { origin: string; reason: string }[] = [];
  for (const { origin, tolerated } of await listAllOrigins(origins, base, added)) {
    try {
      // All or nothing: a package whose second action is refused leaves no trace of its first.
      const all = new Map(found);
      for (const entry of await loadOrigin(origin, base, { import_ms, probe })) {
        refuseTaken(entry, all);
        const known = long === undefined ? entry : raised(entry, long);
        all.set(entry.action.name, environment === undefined ? known : withSettings(known, environment));
      }
      found = all;
    } catch (error) {
      if (!tolerated) throw error;
      failed.push({ origin, reason: messageOf(error) });
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

type Importing = Required<Pick<RegistryOptions, "import_ms">> & { readonly probe: RegistryOptions["probe"] };

/** Ours need no look before they are imported. */
const OWN = new URL("../../../plugins/", import.meta.url).href;

async function probeFirst(
  origin: Importable,
  url: string,
  { print }: OwnFiles,
  { probe, import_ms }: Importing,
): Promise<void> {
  if (!url.startsWith(OWN)) await probe?.(origin, print, import_ms);
}

async function loadOrigin(origin: string, base: string, how: Importing): Promise<readonly Registered[]> {
  if (!isFolder(origin)) return loadPackage(origin, how);
  const all = await subfolders(origin, base);
  const named = all.filter(({ name }) => name.includes("."));
  if (named.length === 0) {
    const entry = entryOf(folderOf(origin, base));
    if (entry !== undefined) return loadPackage(entry, how);
    const why = describeEmptyFolder(origin, base, all);
    if (why !== undefined) throw new RegistrationError(`Cannot load the plugin folder "${origin}": ${why}`);
  }
  const registered: Registered[] = [];
  for (const { name, url } of named) {
    const module = new URL("action.ts", url).href;
    const found: Origin = { kind: "folder", module, name };
    if (!existsSync(new URL(module)))
      throw refusalOf(found, "there is no such file, expected one in each folder with a dot");
    const files = await readOwnFiles(module);
    refuseInside(found, files);
    const shipper = findShipper(module);
    await probeFirst(found, module, files, how);
    registered.push(inspectCandidate(await importFolder(module, how.import_ms), found, shipper));
  }
  return registered;
}

/** All actions of a package: of its name, or of the URL of its module. */
async function loadPackage(module: string, how: Importing): Promise<readonly Registered[]> {
  const found: Origin = { kind: "package", module, name: "all of it" };
  const url = resolveModule(module);
  // Before it is imported: what wants another contract may fail to load for that very reason.
  const whose = url === undefined ? undefined : findShipper(url);
  // A package may bring families of models and no action.
  if (url !== undefined && familiesOf(url) !== undefined && !existsSync(new URL(url))) return [];
  const files = url === undefined ? undefined : await readOwnFiles(url);
  if (url !== undefined && files !== undefined) await probeFirst(found, url, files, how);
  const pack = await importPack(module, how.import_ms);
  if (files !== undefined) refuseInside(found, files);
  const shipper = whose ?? findShipper(import.meta.resolve(module));
  return pack.map((candidate, index) =>
    inspectCandidate(candidate, { ...found, name: `action ${index + 1}` }, shipper),
  );
}

/** Undefined: it is not installed, which the import of it says best. */
function resolveModule(module: string): string | undefined {
  try {
    return module.startsWith("file:") ? module : import.meta.resolve(module);
  } catch {
    return undefined;
  }
}

function refuseInside(origin: Origin, { inside: found }: OwnFiles): void {
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

function refusalOf({ name, module }: Origin, why: string): RegistrationError {
  // Before it is known what an action is called, `name` says in words which one it is.
  const which = name.includes(" ") ? name : `"${name}"`;
  return new RegistrationError(`Cannot register ${which} from "${module}": ${why}`);
}
