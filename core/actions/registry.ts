/**
 * Finds actions, refuses the ones that cannot be served, and lists the rest. An origin is a folder (`./plugins`, `/srv/actions`,
 * a `file:` URL) whose sub-folders with a dot in their name hold an `action.ts`, or the name of a package that exports `actions(kit)`.
 * A leading `?` lists a failing origin instead of stopping the start.
 */
import { type ActionPack, type AnyAction, kit } from "../plugin.ts";
import { inspectAction, isAction } from "./declaration.ts";
import { importInTime, isFolder, RegistrationError, splitOrigin, subfolders } from "./folders.ts";
import { type LongSources, raiseLimits } from "./long_sources.ts";
import { resourceOf, typeOf } from "./names.ts";
import { type ActionSchema, compileAction } from "./schema.ts";

/** Where an action comes from: enough for a pool thread to load the same one. */
export interface Origin {
  readonly kind: "folder" | "package";
  /** URL of the module, or name of the package. */
  readonly module: string;
  readonly name: string;
}

export interface Registered {
  readonly action: AnyAction;
  readonly origin: Origin;
  readonly schema: ActionSchema;
}

export interface Registry {
  /** By name, sorted. */
  readonly actions: ReadonlyMap<string, Registered>;
  /** Origins with a leading `?` that could not be loaded. */
  readonly failed: readonly { readonly origin: string; readonly reason: string }[];
}

/**
 * Loads every origin, in order. `base` is the URL that relative folders start from; `import_ms`: what each module has to load; `long`: bounds
 * of long sources.
 */
export async function loadRegistry(
  origins: readonly string[],
  base: string,
  { import_ms, long }: { readonly import_ms?: number; readonly long?: LongSources } = {},
): Promise<Registry> {
  let found = new Map<string, Registered>();
  const failed: { origin: string; reason: string }[] = [];
  for (const listed of origins) {
    const { origin, tolerated } = splitOrigin(listed);
    try {
      // All or nothing: a package whose second action is refused leaves no trace of its first.
      const all = new Map(found);
      for (const entry of await loadOrigin(origin, base, import_ms)) {
        refuseTaken(entry, all);
        all.set(entry.action.name, long === undefined ? entry : raised(entry, long));
      }
      found = all;
    } catch (error) {
      if (!tolerated) throw error;
      failed.push({ origin, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { actions: new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1))), failed };
}

/** Loads one action again, in a pool thread; it was inspected at boot. */
export async function loadAction(origin: Origin): Promise<AnyAction> {
  const actions = origin.kind === "folder" ? [await importFolder(origin.module)] : await importPack(origin.module);
  const action = actions.find((candidate) => isAction(candidate) && candidate.name === origin.name);
  if (!isAction(action)) throw refusalOf(origin, "it is no longer there");
  return action;
}

async function loadOrigin(origin: string, base: string, import_ms?: number): Promise<readonly Registered[]> {
  if (!isFolder(origin)) {
    const pack = await importPack(origin, import_ms);
    return pack.map((candidate) => inspectCandidate(candidate, { kind: "package", module: origin, name: "" }));
  }
  const registered: Registered[] = [];
  for (const { name, url } of await subfolders(origin, base)) {
    if (!name.includes(".")) continue;
    const module = new URL("action.ts", url).href;
    registered.push(inspectCandidate(await importFolder(module, import_ms), { kind: "folder", module, name }));
  }
  return registered;
}

function inspectCandidate(candidate: unknown, origin: Origin): Registered {
  if (!isAction(candidate)) throw refusalOf(origin, "it is not an action, expected what defineAction() returns");
  const { name } = candidate;
  const problems = inspectAction(candidate);
  if (problems.length > 0) throw refusalOf({ ...origin, name }, problems.join("; "));
  if (origin.kind === "folder" && name !== origin.name)
    throw refusalOf(origin, `its name is "${name}", expected the folder's name "${origin.name}"`);
  return { action: candidate, origin: { ...origin, name }, schema: compileAction(candidate) };
}

function raised(entry: Registered, long: LongSources): Registered {
  const action = raiseLimits(entry.action, long);
  return action === entry.action ? entry : { ...entry, action, schema: compileAction(action) };
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
      `Cannot load "${module}": ${String(error)}; expected a module whose default export is an action`,
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

async function loadPack(name: string, import_ms?: number): Promise<readonly unknown[]> {
  const cannot = (why: string): RegistrationError => new RegistrationError(`Cannot load package "${name}": ${why}`);
  let pack: { actions?: ActionPack };
  try {
    pack = (await importInTime(name, import_ms)) as { actions?: ActionPack };
  } catch (error) {
    throw cannot(`${String(error)}; install it or remove it from TONWERK_PLUGINS`);
  }
  if (typeof pack.actions !== "function")
    throw cannot("it exports no function 'actions', expected 'export const actions = (kit) => [...]'");
  let actions: unknown;
  try {
    actions = pack.actions(kit);
  } catch (error) {
    throw cannot(`actions(kit) ended with "${String(error)}"`);
  }
  if (!Array.isArray(actions)) throw cannot("actions(kit) returned no array, expected an array of actions");
  return actions;
}

function refusalOf({ name, module }: Origin, why: string): RegistrationError {
  return new RegistrationError(`Cannot register "${name}" from "${module}": ${why}`);
}
