/** Every program of docs/plugins and docs/writing-a-plugin.md, as it stands there: types, tests, commands. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { linkPackage } from "../../cli/plugins/scaffold.ts";
import { PLUGIN_VERSION } from "../../contract/mod.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import { blocksOf, checkTypes } from "./project.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const PAGES = join(root, "docs/plugins");
/** The compiler is the same program on both. */
const is_told = "Deno" in globalThis && "the run on Bun tells it";
let project: string;
const pages = new Map<string, string>();
/** Files that pages have, by path in the project. */
const written: string[] = [];

before(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), "tonwerk-plugin-docs-")));
  await linkPackage(project);
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  for (const name of await readdir(PAGES)) pages.set(name, await readFile(join(PAGES, name), "utf8"));
  for (const [name, text] of pages) {
    const folder = name.replace(/\.md$/u, "");
    for (const block of blocksOf(text, "ts")) {
      const [, file] = /^\/\/ ([\w.]+\.ts)\n/u.exec(block) ?? [];
      assert.ok(file, `A program of ${name} does not begin with the name of its file`);
      await mkdir(join(project, folder), { recursive: true });
      await writeFile(join(project, folder, file), block);
      written.push(`${folder}/${file}`);
    }
  }
});
after(() => rm(project, { recursive: true, force: true }));

test("their programs have strict types", { skip: is_told }, () => checkTypes(project, written));

test("their tests pass, on this runtime", async () => {
  const tests = written.filter((file) => file.endsWith(".test.ts")).map((file) => `./${file}`);
  assert.ok(tests.length >= 7);
  const args = "Deno" in globalThis ? ["test", "-A", "--no-check", ...tests] : ["test", "--timeout", "60000", ...tests];
  await run(process.execPath, args, { cwd: project, env: { ...process.env, NO_COLOR: "1" } });
});

test("a server takes all of their actions side by side", async () => {
  const files = written.filter((file) => file.endsWith("/action.ts"));
  const imports = files.map((file, index) => `import a${index} from "./${file}";`);
  const list = `export const actions = () => [${files.map((_, index) => `a${index}`).join(", ")}];`;
  await writeFile(join(project, "mod.ts"), [...imports, list].join("\n"));
  const manifest = { name: "pages", version: "1.0.0", type: "module", exports: "./mod.ts" };
  await writeFile(join(project, "package.json"), JSON.stringify(manifest));
  const { actions } = await loadRegistry(
    ["./plugins", pathToFileURL(`${project}/`).href],
    new URL("../../", import.meta.url).href,
  );
  assert.equal([...actions.values()].filter((one) => one.package === "pages").length, files.length);
});

test("pages name what there is: commands, the version, each other", async () => {
  const usage = await readFile(join(root, "cli/plugins/mod.ts"), "utf8");
  const guide = await readFile(join(root, "docs/writing-a-plugin.md"), "utf8");
  for (const [name, text] of [...pages, ["writing-a-plugin.md", guide] as const]) {
    for (const [, verb] of text.matchAll(/tonwerk plugins ([a-z]+)/gu))
      assert.ok(usage.includes(`tonwerk plugins ${verb}`), `${name}: plugins ${verb}`);
    for (const [, to = ""] of text.matchAll(/\]\(((?:\.\.\/)?[\w./-]+\.md)/gu)) {
      const folder = name === "writing-a-plugin.md" ? join(root, "docs") : PAGES;
      await readFile(join(folder, to));
    }
  }
  const [newest] = /(?<=^\| )\d+\.\d+(?= \|)/mu.exec(pages.get("upgrading.md")!)!;
  assert.ok(PLUGIN_VERSION.startsWith(`${newest}.`), `docs/plugins/upgrading.md ends with ${newest}`);
});
