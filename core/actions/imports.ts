/**
 * How modules of plugins are imported: of a folder one by one, of a package all of its actions, each with a limit of
 * time.
 */
import { type ActionPack, type AnyAction, BRAND, kit } from "../../contract/mod.ts";
import { describeValue } from "./faults.ts";
import { describeLoadError } from "./load_errors.ts";
import type { Importable, Origin } from "./registered.ts";

/** A plugin that cannot be served. Stops the start. */
export class RegistrationError extends Error {
  override readonly name = "RegistrationError";
}

/** A module that waits at its top for a network or a model would hold up the start, or a job's thread, for ever. */
export const IMPORT_MS = 10_000;

export async function importInTime(module: string, import_ms = IMPORT_MS): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`it did not load within ${import_ms / 1000} s`)), import_ms);
  try {
    return await Promise.race([import(module), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whoever calls it ends it. */
export async function importOrigin({ kind, module }: Importable): Promise<void> {
  await (kind === "folder" ? importFolder(module, UNLIMITED_MS) : importPack(module, UNLIMITED_MS));
}

/** Loads one action again, in a pool thread; it was inspected at boot. */
export async function loadAction(origin: Origin): Promise<AnyAction> {
  const actions = origin.kind === "folder" ? [await importFolder(origin.module)] : await importPack(origin.module);
  const action = actions.find((candidate) => isAction(candidate) && candidate.name === origin.name);
  if (!isAction(action)) {
    const { name, module } = origin;
    throw new RegistrationError(`Cannot register "${name}" from "${module}": it is no longer there`);
  }
  return action;
}

/** True for what `defineAction` returned, in this or another copy of the contract. */
export function isAction(value: unknown): value is AnyAction {
  return typeof value === "object" && value !== null && typeof (value as Record<symbol, unknown>)[BRAND] === "number";
}

/** The default export of an action's module. */
export async function importFolder(module: string, import_ms?: number): Promise<unknown> {
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

export function importPack(name: string, import_ms?: number): Promise<readonly unknown[]> {
  const known = packs.get(name);
  if (known !== undefined) return known;
  const loading = loadPack(name, import_ms);
  packs.set(name, loading);
  // One that failed may be installed, or mended, before it is asked for again.
  loading.catch(() => packs.delete(name));
  return loading;
}

/**
 * `@tonwerk/plugin` as added packages find it. Deno loads no TypeScript for an installed package, unless the thread has
 * it already; a name, for core knows nothing of the package.
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

/** What timers take. */
const UNLIMITED_MS = 2 ** 31 - 1;
