#!/usr/bin/env bun
/**
 * Packs `@tonwerk/plugin` as others install it: `bun scripts/plugin_package.ts [folder]` writes `tonwerk-plugin-<version>.tgz` there.
 *
 * JavaScript and declarations, for no runtime strips types below `node_modules`. The kit in it is the service's own code, bundled.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "packages/plugin");
const program = (name: string): string => join(root, "node_modules/.bin", name);

/** Resolves to the path of the tarball. */
export async function packPlugin(into: string): Promise<string> {
  if (!existsSync(join(root, "node_modules/@types/node")))
    throw new Error("Cannot pack @tonwerk/plugin: its types need packages that npm run setup -- --test installs");
  const built = await mkdtemp(join(tmpdir(), "tonwerk-plugin-package-"));
  try {
    const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
    const entries: Record<string, string> = manifest.exports;
    const modules = Object.values(entries).map((entry) => join(source, entry));
    await Promise.all([bundle(modules, join(built, "dist")), declare(modules, join(built, "dist/types"))]);
    manifest.exports = Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => {
        const file = entry.slice(2).replace(/\.ts$/u, "");
        return [name, { types: `./dist/types/packages/plugin/${file}.d.ts`, default: `./dist/${file}.js` }];
      }),
    );
    await writeFile(join(built, "package.json"), JSON.stringify(manifest, null, 2));
    await cp(join(source, "README.md"), join(built, "README.md"));
    await cp(join(root, "LICENSE"), join(built, "LICENSE"));
    const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", into], { cwd: built });
    return join(into, stdout.trim());
  } finally {
    await rm(built, { recursive: true, force: true });
  }
}

async function bundle(modules: readonly string[], into: string): Promise<void> {
  const options = ["--target=node", "--format=esm", "--splitting", "--packages=external", `--outdir=${into}`];
  await run(program("bun"), ["build", ...modules, ...options], { cwd: root });
}

/** Declarations of the modules and of what these name, and of nothing else that the kit is made of. */
async function declare(modules: readonly string[], into: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-plugin-types-"));
  try {
    const options = ["--declaration", "--emitDeclarationOnly", "--noEmit", "false", "--rootDir", root];
    const project = join(folder, "tsconfig.json");
    const typeRoots = [join(root, "node_modules/@types"), join(root, "node_modules")];
    const compilerOptions = { typeRoots, types: ["node", "bun-types"] };
    await writeFile(
      project,
      JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, files: modules, include: [] }),
    );
    await run(program("tsc"), ["-p", project, ...options, "--outDir", folder], { cwd: root });
    const pending = modules.map((module) => relative(root, module).replace(/\.ts$/u, ".d.ts"));
    for (const file of pending) {
      const text = await readFile(join(folder, file), "utf8");
      await mkdir(dirname(join(into, file)), { recursive: true });
      await writeFile(join(into, file), text);
      for (const [, to = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+)"/gu)) {
        const named = join(dirname(file), to).replace(/\.ts$/u, ".d.ts");
        if (!pending.includes(named)) pending.push(named);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  try {
    console.log(await packPlugin(resolve(process.argv[2] ?? ".")));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}
