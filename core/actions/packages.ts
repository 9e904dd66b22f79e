/** The package that a plugin belongs to: its version for the log, and where it begins if an origin names its folder. */
import { readFileSync } from "node:fs";

interface Manifest {
  readonly version?: unknown;
  readonly exports?: unknown;
  readonly main?: unknown;
}

/** The nearest `package.json` above `module`, as runtimes look for it. Null: there is none, or it has no version. */
export function versionOf(module: string): string | null {
  for (let folder = new URL("./", module); ; folder = new URL("../", folder)) {
    const manifest = readManifest(folder);
    if (manifest !== undefined) return typeof manifest.version === "string" ? manifest.version : null;
    if (folder.pathname === "/" || folder.pathname.endsWith("/node_modules/")) return null;
  }
}

/** The module that the package in `folder` begins with; undefined where there is no package. */
export function entryOf(folder: URL): string | undefined {
  const manifest = readManifest(folder);
  if (manifest === undefined) return undefined;
  const target = pick(manifest.exports) ?? (typeof manifest.main === "string" ? manifest.main : "./index.js");
  return new URL(target, folder).href;
}

/** What `import` gets of `exports`. */
function pick(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  const of = exports as Readonly<Record<string, unknown>>;
  return pick(of["."] ?? of.import ?? of.default);
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
