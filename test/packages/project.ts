/** `@tonwerk/plugin` as others install it: from its tarball, in a folder outside of the repository. */
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Unpacks the tarball where an installer would, with what it depends on: tests ask no registry. */
export async function installPlugin(tarball: string, project: string): Promise<void> {
  const installed = join(project, "node_modules/@tonwerk/plugin");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  const { dependencies } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies as object)) {
    await mkdir(join(project, "node_modules", name, ".."), { recursive: true });
    await symlink(join(root, "node_modules", name), join(project, "node_modules", name));
  }
}

/** Programs in a page of Markdown, in order. */
export const blocksOf = (page: string, language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gmsu"))].map(([, code = ""]) => code);

/** Types of a project's files, as strict as ours. `more`: options of the compiler. */
export async function checkTypes(project: string, files: readonly string[], more: object = {}): Promise<void> {
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, allowImportingTsExtensions: true },
    ...{ module: "nodenext", target: "es2024", types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
    ...more,
  };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  await run(join(root, "node_modules/.bin/tsc"), ["-p", project]);
}
