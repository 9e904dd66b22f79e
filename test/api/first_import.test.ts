/** The first import of what is not ours: a loop at its top, or an exit, refuses its origin by name and not the whole service. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createProbe } from "../../core/adapters/plugins/probe.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import * as tasks from "../../core/adapters/thread/tasks.ts";
import { createPool } from "../../runners/pool/pool.ts";
import { addAction } from "../plugin_folder.ts";

const HOME = new URL("../../", import.meta.url).href;
const made: string[] = [];
after(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))));

async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-import-"));
  made.push(folder);
  return folder;
}

/** A start with a pool of its own. `data`: where it notes what came through. */
async function start(origins: readonly string[], data: string, import_ms = 10_000) {
  const pool = createPool({ threads_max: 2, processes_max: 2, idle_ms: 60_000 }, 100);
  try {
    const probe = createProbe(pool, tasks, join(data, "imported.json"));
    const { actions, failed } = await loadRegistry(["./plugins", ...origins], HOME, { import_ms, probe });
    return { names: [...actions.keys()], failed, began: pool.stats().threads + pool.stats().processes };
  } finally {
    await pool.close();
  }
}

async function pack(text: string): Promise<string> {
  const folder = await tempFolder();
  await writeFile(
    join(folder, "package.json"),
    '{ "name": "@acme/pack", "version": "1.0.0", "exports": "./index.js" }',
  );
  await writeFile(join(folder, "index.js"), text);
  return folder;
}

test("a loop at the top of a module refuses its origin by name, in a folder and in a package", async () => {
  const folder = await tempFolder();
  await addAction(folder, "acme.loops", {}, "for (;;);");
  const data = await tempFolder();
  await assert.rejects(start([folder], data, 500), {
    name: "RegistrationError",
    message: `Cannot load "file://${folder}/acme.loops/action.ts": it did not load within 0.5 s`,
  });
  const origin = await pack("export const actions = () => { for (;;); };");
  const { names, failed } = await start([`?${origin}`], data, 500);
  assert.ok(names.length > 0);
  assert.deepEqual(failed, [
    { origin, reason: `Cannot load "file://${origin}/index.js": it did not load within 0.5 s` },
  ]);
});

test("a module that ends its process ends a thread or a process of the pool", async () => {
  const origin = await pack("process.exit(0);");
  const { failed } = await start([`?${origin}`], await tempFolder());
  assert.match(failed[0]?.reason ?? "", /^Cannot load "file:.*index\.js": it ended whoever imported it: /u);
});

test("what came through is imported at once by later starts, until a file of it is another", async () => {
  const [folder, data] = [await tempFolder(), await tempFolder()];
  await addAction(folder, "acme.sound", { engine: "ENGINE" }, 'import { ENGINE } from "./parts/engine.ts";');
  await mkdir(join(folder, "acme.sound/parts"));
  const part = join(folder, "acme.sound/parts/engine.ts");
  await writeFile(part, 'export const ENGINE = "one";');
  const begun = async (): Promise<number> => (await start([folder], data)).began;
  assert.deepEqual([await begun(), await begun()], [1, 0]);
  await writeFile(part, 'export const ENGINE = "another";');
  assert.deepEqual([await begun(), await begun()], [1, 0]);
  assert.equal(JSON.parse(await readFile(join(data, "imported.json"), "utf8")).length, 2);
  // A start that was killed while it wrote.
  await writeFile(join(data, "imported.json"), '["abc');
  assert.deepEqual([await begun(), await begun()], [1, 0]);
});

test("what is wrong with a module is said by the import that follows, and our own need no look", async () => {
  const folder = await tempFolder();
  await addAction(folder, "acme.throws", {}, 'throw new Error("no table");');
  const { failed, began } = await start([`?${folder}`], await tempFolder());
  assert.match(
    failed[0]?.reason ?? "",
    /Error: no table at .*acme\.throws\/action\.ts:2:\d+; expected a module whose default/u,
  );
  assert.equal(began, 1);
  assert.equal((await start([], await tempFolder())).began, 0);
});
