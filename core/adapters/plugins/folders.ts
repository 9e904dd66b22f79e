/** Folders that plugins live in: which they are, what is in them, and how a module of one is loaded. */
import { existsSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { RegistrationError } from "../../actions/imports.ts";

/** A leading `?`: a failing origin does not stop the start. */
export function splitOrigin(listed: string): { readonly origin: string; readonly tolerated: boolean } {
  const tolerated = listed.startsWith("?");
  return { origin: tolerated ? listed.slice(1) : listed, tolerated };
}

export const isFolder = (origin: string): boolean =>
  origin.startsWith(".") || isAbsolute(origin) || origin.startsWith("file:");

export interface Subfolder {
  readonly name: string;
  readonly url: URL;
}

/** The folder that an origin names, with a slash at its end. */
export function folderOf(origin: string, base: string): URL {
  const { href } = isAbsolute(origin) ? pathToFileURL(origin) : new URL(origin, base);
  return new URL(href.endsWith("/") ? href : `${href}/`);
}

/**
 * The folders in the folder `origin`, sorted by name; links to folders count, under the link's name. None where it is a
 * package.
 */
export async function subfolders(origin: string, base: string): Promise<readonly Subfolder[]> {
  if (!isFolder(origin)) return [];
  const folder = fileURLToPath(folderOf(origin, base));
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new RegistrationError(
      `Cannot read the plugin folder "${origin}": ${String(error)}; name a folder that exists`,
    );
  });
  const found: Subfolder[] = [];
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

const holds = (folder: URL, file: string): boolean => existsSync(new URL(file, folder));

/** Why a folder has no action, where it is no folder of surfaces either: an origin that loads nothing is a mistake. */
export function describeEmptyFolder(origin: string, base: string, all: readonly Subfolder[]): string | undefined {
  if (all.some(({ url }) => holds(url, "surface.ts") || holds(url, "commands.ts"))) return undefined;
  const folder = folderOf(origin, base);
  const wished =
    'expected folders such as "acme.pitch" with an action.ts, or a package.json of a package that exports actions';
  if (holds(folder, "action.ts"))
    return `it is the folder of one action, name the folder that it lies in: "${fileURLToPath(new URL("../", folder))}"`;
  const undotted = all.find(({ url }) => holds(url, "action.ts"))?.name;
  return undotted === undefined
    ? `it holds no action, ${wished}`
    : `"${undotted}" has an action.ts and no dot in its name, ${wished}`;
}
