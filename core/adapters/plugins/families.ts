/**
 * Families of models that packages bring: `tonwerk.families` in a `package.json` names their folder, which the engines
 * then read.
 */
import { existsSync, readdirSync } from "node:fs";
import { RegistrationError } from "../../actions/imports.ts";
import { folderOf, isFolder } from "./folders.ts";
import { readOwnFiles } from "./own_imports.ts";
import { entryOf, familiesOf, findShipper } from "./packages.ts";
import { listAllOrigins } from "./registry.ts";

/**
 * URLs of the folders, each with a folder for every family in it. Their code runs in the service's threads, with its
 * rights, as that of actions does.
 *
 * @param base URL that relative origins start from
 * @param added a place of `tonwerk plugins add`, which may be missing
 */
export async function findFamilyFolders(
  origins: readonly string[],
  base: string,
  added: string,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { origin, tolerated } of await listAllOrigins(origins, base, added)) {
    try {
      const module = isFolder(origin) ? entryOf(folderOf(origin, base)) : import.meta.resolve(origin);
      const folder = module === undefined ? undefined : familiesOf(module);
      if (module === undefined || folder === undefined) continue;
      findShipper(module);
      await inspect(folder);
      found.add(folder.href);
    } catch (error) {
      // What cannot be loaded at all the registry tells of.
      if (error instanceof RegistrationError && !tolerated) throw error;
    }
  }
  return [...found];
}

async function inspect(folder: URL): Promise<void> {
  const cannot = (why: string) => new RegistrationError(`Cannot load families from "${folder.href}": ${why}`);
  if (!existsSync(folder)) throw cannot('there is no such folder, which "tonwerk.families" names');
  for (const name of readdirSync(folder)) {
    for (const file of ["family.ts", "family.js", "family.mjs"]) {
      const { inside } = await readOwnFiles(new URL(`${name}/${file}`, folder).href);
      if (inside !== undefined)
        throw cannot(
          `"${inside.file}" imports "${inside.imported}", the inside of the core; expected what the family is given`,
        );
    }
  }
}
