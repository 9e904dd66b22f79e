/** `tonwerk plugins new`: a package with one action that passes `check` as it is, on both runtimes. */
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PLUGIN_VERSION } from "../../contract/mod.ts";

const TEMPLATE = new URL("./template/", import.meta.url);
const PACKAGE = fileURLToPath(new URL("../../packages/plugin", import.meta.url));
/** Files of the template that would mean something where they lie. */
const PLACES: Readonly<Record<string, string>> = { "ci.yml": ".github/workflows/ci.yml", gitignore: ".gitignore" };
const NAME = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/u;

export interface Scaffold {
  /** `group.action`; also the name of the folder. */
  readonly name: string;
  /** Where the folder is made. */
  readonly into: string;
  /** Tarball of `@tonwerk/plugin`, which is put beside the code; absent: the version that a registry has. */
  readonly kit: string | undefined;
}

/** Resolves to the folder. Rejects with a message for the author. */
export async function writeScaffold({ name, into, kit }: Scaffold): Promise<string> {
  if (!NAME.test(name) || name.startsWith("operations."))
    throw new Error(`Cannot make "${name}": expected "group.action" in snake_case; the group "operations" is taken`);
  const folder = resolve(into, name);
  if ((await readdir(folder).catch(() => [])).length > 0)
    throw new Error(`Cannot make "${folder}": there is something already`);
  // Before anything is made: the same command, mended, is to find an empty place.
  if (kit !== undefined && !existsSync(kit)) throw new Error(`Cannot make "${folder}": there is no file "${kit}"`);
  const vendored = kit === undefined ? undefined : `vendor/${basename(kit)}`;
  const fill = (text: string): string =>
    text
      .replaceAll("acme.echo", name)
      .replaceAll("acme_echo", name.replace(".", "_"))
      .replaceAll("tonwerk-acme-echo", packageName(name))
      .replaceAll("^HOST", `^${PLUGIN_VERSION.split(".").slice(0, 2).join(".")}`)
      .replaceAll('"KIT"', JSON.stringify(vendored === undefined ? PLUGIN_VERSION : `file:${vendored}`))
      .replaceAll("YEAR", String(new Date().getFullYear()));
  for (const file of await readdir(TEMPLATE)) {
    const path = join(folder, PLACES[file] ?? file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, fill(await readFile(new URL(file, TEMPLATE), "utf8")));
  }
  if (kit !== undefined && vendored !== undefined) {
    await mkdir(join(folder, "vendor"));
    await copyFile(kit, join(folder, vendored));
  }
  await linkPackage(folder);
  return folder;
}

const packageName = (action: string): string => `tonwerk-${action.replace(".", "-").replaceAll("_", "-")}`;

/**
 * `@tonwerk/plugin` of this installation, until an installer puts another one there: nothing has to be fetched to
 * begin.
 */
export async function linkPackage(folder: string): Promise<void> {
  const scope = join(folder, "node_modules/@tonwerk");
  await mkdir(scope, { recursive: true });
  await symlink(PACKAGE, join(scope, "plugin"), "dir").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}
