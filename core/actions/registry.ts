/**
 * Finds actions, refuses the ones that cannot be served, and lists the rest. An origin is a folder (`./plugins`, `/srv/actions`,
 * a `file:` URL) whose sub-folders with a dot in their name hold an `action.ts`, or the name of a package that exports `actions(kit)`.
 * A leading `?` lists a failing origin instead of stopping the start.
 */
import { type ActionPack, type AnyAction, kit } from "../plugin.ts";
import { inspectAction, isAction } from "./declaration.ts";
import { importInTime, isFolder, RegistrationError, splitOrigin, subfolders } from "./folders.ts";
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

/** Loads every origin, in order. `base` is the URL that relative folders start from; `import_ms`: what each module has to load. */
export async function loadRegistry(
  origins: readonly string[],
  base: string,
  { import_ms }: { readonly import_ms?: number } = {},
): Promise<Registry> {
  const found = new Map<string, Registered>();
  const wrappers = new Map<string, string>();
  const failed: { origin: string; reason: string }[] = [];
  for (const listed of origins) {
    const { origin, tolerated } = splitOrigin(listed);
    try {
      // All or nothing: a package whose second action is refused leaves no trace of its first.
      const loaded = await loadOrigin(origin, base, import_ms);
      const own = new Map<string, Registered>();
      for (const entry of loaded) {
        refuseTaken(entry, [found, own]);
        own.set(entry.action.name, entry);
      }
      for (const [name, entry] of own) {
        const holder = wrappers.get(entry.action.wrapper);
        if (holder !== undefined) {
          throw cannot(entry.origin, `wrapper "${entry.action.wrapper}" is taken by "${holder}", choose another`);
        }
        wrappers.set(entry.action.wrapper, name);
        found.set(name, entry);
      }
    } catch (error) {
      if (!tolerated) throw error;
      failed.push({ origin, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  const actions = new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
  return { actions, failed };
}

/** Loads one action again, in a pool thread; it was inspected at boot. */
export async function loadAction(origin: Origin): Promise<AnyAction> {
  const actions = origin.kind === "folder" ? [await importFolder(origin.module)] : await importPack(origin.module);
  const action = actions.find((candidate) => isAction(candidate) && candidate.name === origin.name);
  if (!isAction(action)) throw cannot(origin, "it is no longer there");
  return action;
}

async function loadOrigin(origin: string, base: string, import_ms?: number): Promise<Registered[]> {
  if (!isFolder(origin)) {
    const registered: Registered[] = [];
    for (const candidate of await importPack(origin, import_ms))
      registered.push(register(candidate, { kind: "package", module: origin, name: "" }));
    return registered;
  }
  const registered: Registered[] = [];
  for (const { name, url } of await subfolders(origin, base)) {
    if (!name.includes(".")) continue;
    const module = new URL("action.ts", url).href;
    const where: Origin = { kind: "folder", module, name };
    const one = register(await importFolder(module, import_ms), where);
    if (one.action.name !== name) {
      throw cannot(where, `its name is "${one.action.name}", expected the folder's name "${name}"`);
    }
    registered.push(one);
  }
  return registered;
}

function register(candidate: unknown, origin: Origin): Registered {
  if (!isAction(candidate)) {
    throw cannot(origin, "it is not an action, expected what defineAction() returns");
  }
  const named: Origin = { ...origin, name: candidate.name };
  const problems = inspectAction(candidate);
  if (problems.length > 0) throw cannot(named, problems.join("; "));
  return { action: candidate, origin: named, schema: compileAction(candidate) };
}

function refuseTaken({ action, origin }: Registered, taken: readonly ReadonlyMap<string, Registered>[]): void {
  for (const map of taken) {
    const holder = map.get(action.name);
    if (holder !== undefined) throw cannot(origin, `the name is taken by "${holder.origin.module}", choose another`);
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
  let pack: { actions?: ActionPack };
  try {
    pack = (await importInTime(name, import_ms)) as { actions?: ActionPack };
  } catch (error) {
    throw new RegistrationError(
      `Cannot load package "${name}": ${String(error)}; install it or remove it from TONWERK_PLUGINS`,
    );
  }
  if (typeof pack.actions !== "function") {
    throw new RegistrationError(
      `Cannot load package "${name}": it exports no function 'actions', expected 'export const actions = (kit) => [...]'`,
    );
  }
  let actions: unknown;
  try {
    actions = pack.actions(kit);
  } catch (error) {
    throw new RegistrationError(`Cannot load package "${name}": actions(kit) ended with "${String(error)}"`);
  }
  if (!Array.isArray(actions)) {
    throw new RegistrationError(
      `Cannot load package "${name}": actions(kit) returned no array, expected an array of actions`,
    );
  }
  return actions;
}

function cannot(origin: Origin, why: string): RegistrationError {
  return new RegistrationError(`Cannot register "${origin.name}" from "${origin.module}": ${why}`);
}
