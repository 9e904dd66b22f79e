/**
 * What the files of a plugin import of ours. The contract is promised, and until 2 the `mod.ts` of engines, which came
 * before `context.engines`; everything else may be another one after the next update, so a plugin that imports it is
 * refused now, and not then.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

const HOME = new URL("../../../", import.meta.url).href;
/** Of the installation, as paths from its folder: the parts that are ours, and what of them a plugin may import. */
const OURS = /^(?:core|cli|runners)\//u;
const PROMISED = /^(?:core\/(?:plugin|surface)\.ts|runners\/(?:[\w-]+\/)*mod\.ts)$/u;

/** Static imports and re-exports, and imports of a fixed text, at the begin of a statement. */
const IMPORT = /^[ \t]*(?:import|export)\b[^"'`;]*?["']([^"'\n]+)["']|\bimport\s*\(\s*["']([^"'\n]+)["']/gmu;

export interface OwnFiles {
  /** The first import of the core's inside; undefined: there is none. */
  readonly inside: { readonly file: string; readonly imported: string } | undefined;
  /** Another one for other files. */
  readonly print: string;
}

/** Reads `module` and the files of its folder that it imports. */
export async function readOwnFiles(module: string): Promise<OwnFiles> {
  const hash = createHash("sha256");
  let inside: OwnFiles["inside"];
  const folder = new URL("./", module).href;
  const seen = new Set([module]);
  for (const file of seen) {
    // What is not there, or is no text, is for the loader to say.
    const text = await readFile(new URL(file), "utf8").catch(() => "");
    hash.update(`${file}\0${text}\0`);
    for (const [, named, called] of text.matchAll(IMPORT)) {
      const imported = resolve((named ?? called)!, file);
      if (imported === undefined) continue;
      if (imported.startsWith(folder)) seen.add(imported);
      else if (isInside(imported)) inside ??= { file, imported };
    }
  }
  return { inside, print: hash.digest("hex") };
}

/** Undefined: the name of a package. */
const resolve = (specifier: string, from: string): string | undefined =>
  /^(?:\.{0,2}\/|file:)/u.test(specifier) ? new URL(specifier, from).href : undefined;

function isInside(url: string): boolean {
  if (!url.startsWith(HOME)) return false;
  const path = url.slice(HOME.length);
  return OURS.test(path) && !PROMISED.test(path);
}
