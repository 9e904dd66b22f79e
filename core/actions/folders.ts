/** Folders that plugins live in: which they are, what is in them, and how a module of one is loaded. */
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A plugin that cannot be served. Stops the start. */
export class RegistrationError extends Error {
  override readonly name = "RegistrationError";
}

/** A leading `?`: a failing origin does not stop the start. */
export function splitOrigin(listed: string): { readonly origin: string; readonly tolerated: boolean } {
  const tolerated = listed.startsWith("?");
  return { origin: tolerated ? listed.slice(1) : listed, tolerated };
}

export const isFolder = (origin: string): boolean =>
  origin.startsWith(".") || isAbsolute(origin) || origin.startsWith("file:");

/** The folders in the folder `origin`, sorted by name; links to folders count, under the link's name. None where it is a package. */
export async function subfolders(
  origin: string,
  base: string,
): Promise<readonly { readonly name: string; readonly url: URL }[]> {
  if (!isFolder(origin)) return [];
  const folder = fileURLToPath(isAbsolute(origin) ? pathToFileURL(origin) : new URL(origin, base));
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new RegistrationError(
      `Cannot read the plugin folder "${origin}": ${String(error)}; name a folder that exists`,
    );
  });
  const found: { name: string; url: URL }[] = [];
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const { name } = entry;
    let path = join(folder, name);
    if (entry.isSymbolicLink()) {
      // What a module imports is sought beside the file itself, not beside the link.
      path = await realpath(path).catch(() => path);
      if (!(await stat(path).catch(() => undefined))?.isDirectory()) continue;
    } else if (!entry.isDirectory()) continue;
    if (!name.startsWith(".")) found.push({ name, url: new URL(`${pathToFileURL(path).href}/`) });
  }
  return found;
}

/** A module that waits at its top for a network or a model would hold up the start, or a job's thread, for ever. */
const IMPORT_MS = 10_000;

export async function importInTime(module: string, import_ms = IMPORT_MS): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`it did not load within ${import_ms / 1000} s`)), import_ms);
  try {
    return await Promise.race([import(module), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
