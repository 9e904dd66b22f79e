/**
 * Where added packages live: a folder that set-up does not touch, `plugins` in the data folder or one of an image. It
 * holds generations: each change makes the next one beside it and then turns the link `current`, so that a server that
 * runs keeps the files it has loaded, and a change that is refused or killed changes nothing.
 */
import { execFile } from "node:child_process";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PLUGIN_VERSION } from "../../contract/mod.ts";
import { CURRENT } from "../../core/adapters/plugins/packages.ts";
import { runtime } from "../../core/adapters/runtime/runtime.ts";
import { inspectPlugin } from "./check.ts";
import { linkPackage } from "./scaffold.ts";

const run = promisify(execFile);
/** Installs packages: it comes with every installation. */
const BUN =
  runtime.name === "bun" ? process.execPath : fileURLToPath(new URL("../../node_modules/.bin/bun", import.meta.url));

interface Manifest {
  readonly private: true;
  readonly workspaces: readonly string[];
  readonly dependencies: Record<string, string>;
  readonly overrides: Readonly<Record<string, string>>;
  readonly tonwerk: { readonly added: Record<string, string> };
}

/** Stands for `@tonwerk/plugin` while an installer looks for it: this installation's own is linked in its place. */
const HOST = "@tonwerk/plugin";
const EMPTY: Manifest = {
  private: true,
  workspaces: ["sources/*"],
  dependencies: { [HOST]: "file:./host" },
  overrides: { [HOST]: "file:./host" },
  tonwerk: { added: {} },
};

/**
 * Adds a package by the name that a registry has, or from a tarball, a folder or a git repository. Resolves to its name
 * and actions.
 */
export async function addPackage(
  place: string,
  spec: string,
  origins: readonly string[],
): Promise<{ readonly name: string; readonly actions: readonly string[] }> {
  return change(place, async (folder, manifest) => {
    const before = new Set(Object.keys(manifest.dependencies));
    const source = await findSource(spec);
    let name: string;
    if (source === undefined) {
      await install(folder, await keepTarball(folder, spec));
      Object.assign(manifest, await readManifest(folder));
      const known = Object.keys(manifest.dependencies);
      // Added again, it is one that was there.
      name =
        known.find((one) => !before.has(one)) ?? known.find((one) => spec === one || spec.startsWith(`${one}@`)) ?? "";
      if (name === "") name = await nameOfTarball(folder, known, spec);
      const was = manifest.tonwerk.added[name];
      manifest.tonwerk.added[name] = `node_modules/${name}`;
      if (was?.startsWith("sources/") === true) {
        await rm(join(folder, was), { recursive: true });
        await install(folder);
      }
    } else {
      try {
        name = await nameOf(source.folder);
        const own = `sources/${name.replace("/", "__")}`;
        await rm(join(folder, own), { recursive: true, force: true });
        await cp(source.folder, join(folder, own), { recursive: true, filter: isOwn });
        // Only who writes it needs the rest.
        const { devDependencies: _, ...kept } = JSON.parse(await readFile(join(folder, own, "package.json"), "utf8"));
        await writeFile(join(folder, own, "package.json"), JSON.stringify(kept, null, 2));
        manifest.tonwerk.added[name] = own;
        delete manifest.dependencies[name];
        await writeManifest(folder, manifest);
        await install(folder);
      } finally {
        if (source.is_copy) await rm(source.folder, { recursive: true, force: true });
      }
    }
    await writeManifest(folder, manifest);
    const others = Object.entries(manifest.tonwerk.added).filter(([one]) => one !== name);
    const urlOf = (path: string): string => pathToFileURL(join(folder, path)).href;
    const { actions, problem } = await inspectPlugin(join(folder, manifest.tonwerk.added[name]!), [
      ...origins,
      ...others.map(([, path]) => `?${urlOf(path)}`),
    ]);
    if (problem !== null) throw new Error(`Cannot add "${spec}": ${problem}`);
    return { name, actions: actions.map((action) => action.name) };
  });
}

/** Takes a package away. Rejects where there is none of this name. */
export async function removePackage(place: string, name: string): Promise<void> {
  await change(place, async (folder, manifest) => {
    const path = manifest.tonwerk.added[name];
    const known = Object.keys(manifest.tonwerk.added).join(", ") || "none";
    if (path === undefined) throw new Error(`Cannot remove "${name}": it was not added to "${place}"; added: ${known}`);
    delete manifest.tonwerk.added[name];
    delete manifest.dependencies[name];
    await rm(join(folder, path), { recursive: true, force: true });
    await writeManifest(folder, manifest);
    await install(folder);
  });
}

/** Makes the next generation, and turns to it where `work` resolves. */
async function change<Result>(
  place: string,
  work: (folder: string, manifest: Manifest) => Promise<Result>,
): Promise<Result> {
  await mkdir(place, { recursive: true });
  const now = await readlink(join(place, CURRENT)).catch(() => undefined);
  const generation = 1 + Math.max(0, ...(await readdir(place)).map(Number).filter(Number.isInteger));
  const next = join(place, String(generation));
  try {
    if (now === undefined) await mkdir(next);
    else await cp(join(place, now), next, { recursive: true, verbatimSymlinks: true });
    const manifest: Manifest = now === undefined ? structuredClone(EMPTY) : await readManifest(next);
    if (now === undefined) await writeManifest(next, manifest);
    const result = await work(next, manifest);
    await symlink(String(generation), join(place, `${CURRENT}.${generation}`), "dir");
    await rename(join(place, `${CURRENT}.${generation}`), join(place, CURRENT));
    // The one before is kept for a server that runs.
    for (const name of await readdir(place))
      if (/^\d+$/u.test(name) && ![String(generation), now].includes(name))
        await rm(join(place, name), { recursive: true, force: true });
    return result;
  } catch (error) {
    await rm(next, { recursive: true, force: true });
    throw error;
  }
}

/** Installs what the manifest names, and `spec` where it is given. No package runs code of its own then. */
async function install(cwd: string, ...spec: readonly string[]): Promise<void> {
  await mkdir(join(cwd, "host"), { recursive: true });
  await writeFile(join(cwd, "host/package.json"), JSON.stringify({ name: HOST, version: PLUGIN_VERSION }));
  const args = [spec.length === 0 ? "install" : "add", "--ignore-scripts", "--omit=dev", "--linker=hoisted", ...spec];
  try {
    await run(BUN, args, { cwd, env: { ...process.env, NO_COLOR: "1" } });
  } catch (error) {
    const { stderr = "", message } = error as Error & { readonly stderr?: string };
    throw new Error(`Cannot install: ${stderr.trim() || message}`);
  }
  await rm(join(cwd, "node_modules", HOST), { recursive: true, force: true });
  await linkPackage(cwd);
}

/**
 * The folder that a spec is, or a fresh copy of the repository that it names; undefined: an installer knows what it is.
 */
async function findSource(spec: string): Promise<{ readonly folder: string; readonly is_copy: boolean } | undefined> {
  if ((await stat(spec).catch(() => undefined))?.isDirectory() === true)
    return { folder: resolve(spec), is_copy: false };
  const [, url, branch] = /^(?:git\+)?((?:https?|ssh|git|file):\/\/.+?\.git|git@.+?\.git)(?:#(.+))?$/u.exec(spec) ?? [];
  if (url === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-plugin-checkout-"));
  const of_branch = branch === undefined ? [] : ["--branch", branch];
  await run("git", ["clone", "--quiet", "--depth=1", ...of_branch, "--", url, folder]);
  return { folder, is_copy: true };
}

/** A tarball is kept: what is installed later looks for it again. */
async function keepTarball(folder: string, spec: string): Promise<string> {
  if ((await stat(spec).catch(() => undefined))?.isFile() !== true) {
    if (/^\.{0,2}\/|\.tgz$/u.test(spec)) throw new Error(`Cannot add "${spec}": there is no such file or folder`);
    return spec;
  }
  await mkdir(join(folder, "tarballs"), { recursive: true });
  await cp(spec, join(folder, "tarballs", basename(spec)));
  return `./tarballs/${basename(spec)}`;
}

/** What was installed and what keeps its history stays where it is. */
const isOwn = (path: string): boolean => !["node_modules", ".git", ".tonwerk"].includes(basename(path));

async function nameOf(folder: string): Promise<string> {
  const { name } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8").catch(() => {
      throw new Error(`Cannot add "${folder}": it has no package.json, expected the folder of a package`);
    }),
  ) as { readonly name?: unknown };
  if (typeof name === "string" && /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/u.test(name)) return name;
  throw new Error(
    `Cannot add "${folder}": its package.json names it ${JSON.stringify(name)}, expected a package's name`,
  );
}

/** Of a tarball that was added again: what is installed from it. */
async function nameOfTarball(folder: string, known: readonly string[], spec: string): Promise<string> {
  const { dependencies } = await readManifest(folder);
  const found = known.find((one) => dependencies[one]?.endsWith(basename(spec)) === true);
  if (found === undefined) throw new Error(`Cannot add "${spec}": it is no package that was not there already`);
  return found;
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;

const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
