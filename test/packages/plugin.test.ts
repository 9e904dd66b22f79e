/** packages/plugin: the tarball in an empty project, as strict as the service, and its version. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { inspectAction } from "../../core/adapters/plugins/declaration.ts";
import * as own from "../../packages/plugin/mod.ts";
import { packPlugin } from "../../scripts/plugin_package.ts";
import { findProgram } from "../services/programs.ts";
import { blocksOf, checkTypes, installPlugin } from "./project.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
/** The compiler is the same program on both. */
const is_told = "Deno" in globalThis && "the run on Bun tells it";
let project: string;

before(async () => {
  project = await mkdtemp(join(tmpdir(), "tonwerk-plugin-"));
  await installPlugin(await packPlugin(project), project);
  const [action = "", kit = ""] = blocksOf(await readFile(join(root, "packages/plugin/README.md"), "utf8"), "ts");
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  await writeFile(join(project, "action.ts"), action);
  await writeFile(join(project, "action.test.ts"), kit);
});
after(() => rm(project, { recursive: true, force: true }));

test("the package has the version of the contract", async () => {
  const { version } = JSON.parse(await readFile(join(root, "packages/plugin/package.json"), "utf8"));
  assert.equal(own.PLUGIN_VERSION, version);
});

test("the programs of its README have strict types and pass, on this runtime", async () => {
  await checkTypes(project, ["action.ts", "action.test.ts"]);
  const args = "Deno" in globalThis ? ["test", "-A", "--no-check", "action.test.ts"] : ["test", "./action.test.ts"];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: project });
  assert.match(`${stdout}${stderr}`, /2 pass|ok \| 2 passed/u);
});

test("the compiler refuses with the package what it refuses here", { skip: is_told }, async () => {
  const action = await readFile(join(project, "action.ts"), "utf8");
  const wrongs = ['echo: ["factr"]', 'failures: "none"', "process: () => ({})"];
  const files = wrongs.map((_, index) => `wrong_${index}.ts`);
  for (const [index, wrong] of wrongs.entries()) {
    const key = wrong.split(":")[0]!;
    const text = action.replace(new RegExp(`^ {2}${key}: [^]*?(?=^ {2}[a-z_]+:|^\\}\\))`, "mu"), `  ${wrong},\n`);
    assert.notEqual(text, action);
    await writeFile(join(project, files[index]!), text);
  }
  await assert.rejects(checkTypes(project, files), ({ stdout = "" }: { stdout?: string }) =>
    files.every((file) => stdout.includes(`${file}(`)),
  );
});

test("an action of the package's defineAction is one here, and what is refused here is refused by its kit", async () => {
  const theirs: typeof own = await import(
    pathToFileURL(join(project, "node_modules/@tonwerk/plugin/dist/mod.js")).href
  );
  const kit = await import(pathToFileURL(join(project, "node_modules/@tonwerk/plugin/dist/testing.js")).href);
  assert.notEqual(theirs.defineAction, own.defineAction);
  assert.deepEqual(Object.keys(theirs).sort(), Object.keys(own).sort());
  const { default: sound } = await import(pathToFileURL(join(project, "action.ts")).href);
  assert.deepEqual(inspectAction(sound), []);
  const changes: readonly object[] = [
    { name: "gain" },
    { request: theirs.Type.Object({ words: theirs.Type.String() }) },
    { cost: () => -1 },
    { examples: [] },
    { faliures: [] },
  ];
  for (const change of changes) {
    const action = theirs.defineAction({ ...sound, ...change } as never);
    const problems = inspectAction(action);
    assert.ok(problems.length > 0);
    assert.throws(
      () => kit.checkAction(action),
      (error: Error) => problems.every((one) => error.message.includes(one)),
    );
  }
});

test("it is JavaScript and declarations, and runs on Node", { skip: findProgram("node") === undefined }, async () => {
  const files = await readdir(join(project, "node_modules/@tonwerk/plugin"), { recursive: true });
  assert.deepEqual(
    files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts")),
    [],
  );
  const script =
    'import { tone } from "@tonwerk/plugin/testing"; import { WHOLE_TRACK } from "@tonwerk/plugin"; console.log(tone(1, 1).channels.length, WHOLE_TRACK.seconds_max)';
  const { stdout } = await run("node", ["--input-type=module", "-e", script], { cwd: project });
  assert.equal(stdout, "2 600\n");
});
