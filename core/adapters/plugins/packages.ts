/**
 * The package that a plugin belongs to: who it says it is, which contract it wants, and where it begins if an origin
 * names its folder.
 */
import { existsSync, readFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { PLUGIN_VERSION } from "../../../contract/mod.ts";
import { RegistrationError } from "../../actions/imports.ts";
import type { Registered } from "../../actions/registered.ts";
import { isInRange } from "../../base/versions.ts";

export type Shipper = Pick<Registered, "package" | "version">;

interface Manifest {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly exports?: unknown;
  readonly main?: unknown;
  readonly tonwerk?: {
    /** Versions of `@tonwerk/plugin` that it was written for, as `^1.2`. */
    readonly host?: unknown;
    /** Module in TypeScript that it begins with where it is no installed package: there no runtime strips types. */
    readonly source?: unknown;
    /** Folder of families of models that it brings. */
    readonly families?: unknown;
    /** In a place that `tonwerk plugins add` keeps: folders of packages, by name. */
    readonly added?: Readonly<Record<string, string>>;
  };
}

/**
 * Who ships `module`, by the nearest `package.json` above it. Throws RegistrationError where that wants another
 * contract than ours.
 */
export function findShipper(module: string): Shipper {
  const manifest = findPackage(module)?.manifest;
  const [name, version] = [textOr(manifest?.name), textOr(manifest?.version)];
  const host = manifest?.tonwerk?.host;
  if (host === undefined) return { package: name, version };
  const cannot = (why: string) =>
    new RegistrationError(`Cannot load package "${name}"${version === null ? "" : ` ${version}`}: ${why}`);
  const fits = typeof host === "string" ? isInRange(PLUGIN_VERSION, host) : undefined;
  if (fits === undefined) throw cannot(`"tonwerk.host" is ${JSON.stringify(host)}, expected a range such as "^1.2"`);
  if (!fits)
    throw cannot(
      `it wants @tonwerk/plugin ${host}, this installation has ${PLUGIN_VERSION}; ` +
        "upgrade Tonwerk, or take a version of the package that was written for it",
    );
  return { package: name, version };
}

/** The folder of families that the package of `module` brings. */
export function familiesOf(module: string): URL | undefined {
  const found = findPackage(module);
  const families = textOr(found?.manifest.tonwerk?.families);
  return families === null ? undefined : new URL(`${families.replace(/\/$/u, "")}/`, found!.folder);
}

/** The nearest `package.json` above `module`, as runtimes look for it, and where it lies. */
function findPackage(module: string): { readonly manifest: Manifest; readonly folder: URL } | undefined {
  for (let folder = new URL("./", module); ; folder = new URL("../", folder)) {
    const manifest = readManifest(folder);
    if (manifest !== undefined) return { manifest, folder };
    if (folder.pathname === "/" || folder.pathname.endsWith("/node_modules/")) return undefined;
  }
}

const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The module that the package in `folder` begins with; undefined where there is no package. */
export function entryOf(folder: URL): string | undefined {
  const manifest = readManifest(folder);
  if (manifest === undefined) return undefined;
  const source = textOr(manifest.tonwerk?.source);
  if (source !== null && !folder.pathname.includes("/node_modules/") && existsSync(new URL(source, folder)))
    return new URL(source, folder).href;
  return new URL(pick(manifest.exports) ?? textOr(manifest.main) ?? "./index.js", folder).href;
}

/** What `import` gets of `exports`. */
function pick(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  const of = exports as Readonly<Record<string, unknown>>;
  return pick(of["."] ?? of.import ?? of.default);
}

/**
 * In a place that `tonwerk plugins add` keeps, links to what is in use: it is replaced as a whole, and a server that
 * runs keeps its own.
 */
export const CURRENT = "current";

/** Origins of the packages that were added to the place `folder`, by name; undefined where it is no such place. */
export async function addedTo(folder: string): Promise<ReadonlyMap<string, string> | undefined> {
  const current = await realpath(join(folder, CURRENT)).catch(() => undefined);
  if (current === undefined) return undefined;
  const base = pathToFileURL(`${current}/`);
  const { added = {} } = readManifest(base)?.tonwerk ?? {};
  const found = Object.entries(added).map(async ([name, path]): Promise<[string, string]> => {
    const its = fileURLToPath(new URL(path, base));
    // Where it really lies: what it imports is sought there.
    return [name, pathToFileURL(await realpath(its).catch(() => its)).href];
  });
  return new Map(await Promise.all(found));
}

/** Not awaited: each of a pack's small files would wait for its turn at the start, some 0.5 ms. */
function readManifest(folder: URL): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as Manifest;
  } catch {
    // Not there; or no JSON, which whoever installs it is told.
    return undefined;
  }
}
