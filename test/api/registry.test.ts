import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadAction, RegistrationError } from "../../core/actions/imports.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";

const CONTRACT = new URL("../../contract/mod.ts", import.meta.url).href;
const HOME = new URL("../../", import.meta.url).href;
const made: string[] = [];
after(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A plugin folder with one action; `changes` replaces parts of a sound declaration, as source text. */
async function folderWith(changes: Readonly<Record<string, string>> = {}, name = "test.copy"): Promise<string> {
  const folder = await pluginFolder();
  made.push(folder);
  await addAction(folder, name, changes);
  return folder;
}

test("loadRegistry() finds every folder with a dot in its name, sorted", async () => {
  const folder = await folderWith({}, "test.second");
  await addAction(folder, "test.first", {});
  await mkdir(join(folder, "helpers"));
  await writeFile(join(folder, "fields.ts"), "export {};\n");
  const { actions, failed } = await loadRegistry([folder], HOME);
  assert.deepEqual([...actions.keys()], ["test.first", "test.second"]);
  assert.deepEqual(failed, []);
});

test("loadRegistry() finds the built-in actions from the installation's folder", async () => {
  const { actions } = await loadRegistry(["./plugins"], HOME);
  assert.ok(actions.has("adapt.normalise_loudness"));
});

test("loadRegistry() takes actions that import the contract where it lay before", async () => {
  const folder = await pluginFolder([]);
  made.push(folder);
  await addAction(
    folder,
    "test.older",
    { cost: "() => SAMPLE_RATE" },
    `import { SAMPLE_RATE } from "${HOME}core/plugin.ts";`,
  );
  assert.deepEqual([...(await loadRegistry([folder], HOME)).actions.keys()], ["test.older"]);
});

test("loadAction() loads the registered action again from its origin", async () => {
  const { actions } = await loadRegistry([await folderWith()], HOME);
  const { origin } = actions.get("test.copy")!;
  assert.equal((await loadAction(origin)).name, "test.copy");
});

/** What is changed, and what the refusal must say beside name and origin. */
const refusals: readonly [why: string, changes: Readonly<Record<string, string>>, says: RegExp][] = [
  [
    "another name than its folder",
    { name: '"test.other"' },
    /its name is "test.other", expected the folder's name "test.copy"/,
  ],
  [
    "an ill-formed name",
    { name: '"Test.Copy"' },
    /"name" must be "group.action" in snake_case, of another group than operations: it is "Test.Copy"/,
  ],
  ["an ill-formed wrapper", { wrapper: '"no-dash"' }, /"wrapper" must be snake_case: it is "no-dash"/],
  ["no summary", { summary: '""' }, /"summary" must be one sentence of 11 to 200 characters on one line: it is ""/],
  [
    "a shared failure code",
    { failures: '["internal_error"]' },
    /"failures\.0" must be a code .* not shared by all actions: it is "internal_error"/,
  ],
  [
    "a source's failure code",
    { failures: '["source_silent"]' },
    /"failures\.0" must be a code .* not shared by all actions: it is "source_silent"/,
  ],
  [
    "a field of core's",
    { request: "Type.Object({ seed: Type.Number() })", echo: "[]" },
    /"request\.properties\.seed" is unknown, expected fields in snake_case, none of them core's own \(id, .*seed/,
  ],
  ["an echo of no field", { echo: '["nothing"]' }, /echo names "nothing", which is no field or source/],
  [
    "a field that is also a source",
    { request: "Type.Object({ source: Type.Number() })", echo: "[]" },
    /field "source" is also a source/,
  ],
  ["unbounded text", { request: "Type.Object({ note: Type.String() })" }, /field "note" must bound its length/],
  ["a type that JSON cannot carry", { request: "Type.Object({ note: Type.Date() })" }, /field "note" has type Date/],
  [
    "bounds the wrong way round",
    { sources: "{ source: { seconds_min: 5, seconds_max: 1, bytes_max: 1 } }" },
    /they are 5 and 1/,
  ],
  [
    "a source above the limit",
    { sources: "{ source: { seconds_min: 1, seconds_max: 5, bytes_max: 1e9 } }" },
    /"sources\.source\.bytes_max" must be a whole number of 1 to 50000000: it is 1000000000/,
  ],
  [
    "an example outside its schema",
    { examples: '[{ note: "x".repeat(21), source: { url: "https://example.com/a.wav" } }]' },
    /example 1 is refused at note: Must have at most 20 characters/,
  ],
  ["an example without its source", { examples: "[{}]" }, /example 1 is refused at source: Field required/],
  ["no example", { examples: "[]" }, /"examples" must be a list of at least one request: it is \[\]/],
  [
    "a cost that is no whole number",
    { cost: "() => 0.5" },
    /cost returned 0\.5, expected a whole number of at least 0 \(example 1\)/,
  ],
  ["a negative cost", { cost: "() => -1" }, /cost returned -1, expected/],
  [
    "an understanding without a schema",
    { understand: "{ read: () => ({}) }" },
    /"understand\.schema" must be a Type\.Object: it is missing/,
  ],
  [
    "an understanding that nobody reads",
    { understand: "{ schema: Type.Object({}), reed: 1 }" },
    /"understand\.reed" is unknown, expected an object of schema and read/,
  ],
  [
    "a misspelt key",
    { polcy: "{}" },
    /"polcy" is unknown, expected only name, wrapper, .*process; did you mean "policy"\?/,
  ],
  [
    "a key of another form in a policy",
    { policy: '{ fields: "note", code: "spam" }' },
    /"policy\.code" must be one of/,
  ],
  ["an operation's own prefix", { name: '"operations.copy"' }, /"name" must be .* of another group than operations/],
  ["a failure code twice", { failures: '["too_deep", "too_deep"]' }, /"failures" must be a list of codes, each once/],
  [
    "a misspelt limit",
    { sources: "{ source: { seconds_min: 1, seconds_max: 5, bytes_max: 9, optionl: true } }" },
    /"sources\.source\.optionl" is unknown, expected an object of limits; did you mean "optional"\?/,
  ],
  [
    "a request that is no object",
    { request: "Type.String({ maxLength: 9 })" },
    /"request\.type" must be that of a Type/,
  ],
  ["a key of nothing", { retries: "3" }, /"retries" is unknown, expected only name, wrapper/],
  ["a missing key", { echo: "undefined" }, /"echo" must be a list of fields: it is missing/],
  [
    "a key of another form",
    { failures: '"too_deep"' },
    /"failures" must be a list of codes, each once: it is "too_deep"/,
  ],
  ["limits that are none", { sources: "{ source: 600 }" }, /"sources\.source" must be an object of limits: it is 600/],
  ["an example that is none", { examples: "[null]" }, /"examples\.0" must be an object: it is null/],
  [
    "a check that throws",
    { check: "() => { throw new Error('no luck'); }" },
    /check threw "Error: no luck", expected it to serve every valid request \(example 1\)/,
  ],
  ["an unknown level", { level: '"loud"' }, /"level" must be one of source, peak, loudness: it is "loud"/],
  ["stems with a level", { output: '"stems"', level: '"peak"' }, /level must be source where output is stems/],
  [
    "a loudness that is always there beside another level",
    { loudness: '"always"' },
    /level must be loudness where loudness is always/,
  ],
  ["stems with a seed", { output: '"stems"', seeded: "true" }, /seeded must be false where output is stems/],
  ["a deprecation on no day", { deprecated: '{ since: "soon" }' }, /"deprecated.since" must be a day as 2026-11-23/],
  [
    "an end before its announcement",
    { deprecated: '{ since: "2026-11-23", sunset: "2026-11-22" }' },
    /deprecated.sunset must not be before its since/,
  ],
  ["a report with a level", { output: '"report"', level: '"peak"' }, /level must be source where output is report/],
  ["a report with loudness", { output: '"report"', loudness: '"optional"' }, /loudness must be never where output is/],
  [
    "a report's schema that is none",
    { output: '"report"', report: "Type.String()" },
    /"report.type" must be|"report" must/,
  ],
  [
    "a field that reports have",
    { request: "Type.Object({ report: Type.Boolean() })", echo: "[]" },
    /fields in snake_case/,
  ],
  ["an unknown kind of work", { work: '"gpu"' }, /"work" must be one of dsp, generation: it is "gpu"/],
  [
    "stems with loudness",
    { output: '"stems"', loudness: '"optional"' },
    /loudness must be never where output is stems/,
  ],
  [
    "one-of over a required source",
    { exactly_one_of: '["note", "source"]' },
    /exactly_one_of names "source", which is no optional/,
  ],
  ["distinct sources that are none", { distinct_sources: '["source", "voice"]' }, /distinct_sources names "voice"/],
  [
    "a policy over no text",
    { policy: '{ fields: ["source"], code: "content_policy" }' },
    /policy\.fields names "source", which is no text field/,
  ],
];

for (const [why, changes, says] of refusals) {
  test(`loadRegistry() refuses ${why}`, async () => {
    const folder = await folderWith(changes);
    await assert.rejects(loadRegistry([folder], HOME), (error: Error) => {
      assert.ok(error instanceof RegistrationError);
      assert.match(error.message, says);
      assert.match(error.message, /^Cannot register "[^"]*" from "file:.*test\.copy\/action\.ts": /);
      return true;
    });
  });
}

test("loadRegistry() refuses another contract by both numbers", async () => {
  const folder = await folderWith();
  await writeFile(
    join(folder, "test.copy", "action.ts"),
    `import { BRAND } from "${CONTRACT}";\nexport default { [BRAND]: 2, name: "test.copy" };\n`,
  );
  await assert.rejects(loadRegistry([folder], HOME), /"test\.copy" from .*: it speaks contract 2, this core speaks 1/);
});

test("loadRegistry() refuses what is no action, does not load, or is not there", async () => {
  const folder = await folderWith();
  await writeFile(join(folder, "test.copy", "action.ts"), 'export default { name: "test.copy" };\n');
  await assert.rejects(
    loadRegistry([folder], HOME),
    /it is not an action but \{.*\}, expected what defineAction\(\) returns/,
  );

  const broken = await folderWith();
  await writeFile(join(broken, "test.copy", "action.ts"), 'throw new Error("no luck");\n');
  await assert.rejects(loadRegistry([broken], HOME), /Cannot load ".*action\.ts": .*no luck.*expected a module/);

  await assert.rejects(loadRegistry(["./no-such-folder"], HOME), /Cannot read the plugin folder "\.\/no-such-folder"/);
  await assert.rejects(
    loadRegistry(["@acme/no-such-package"], HOME),
    /Cannot load package "@acme\/no-such-package".*install it or remove it/,
  );
});

test("loadRegistry() refuses a taken name and a taken wrapper by their holder", async () => {
  const [one, other] = [await folderWith(), await folderWith()];
  await assert.rejects(loadRegistry([one, other], HOME), /the name is taken by "file:.*action\.ts", choose another/);
  const third = await folderWith({ wrapper: '"test_copy"' }, "test.rival");
  await assert.rejects(
    loadRegistry([one, third], HOME),
    /wrapper "test_copy" is taken by "test\.copy", choose another/,
  );
});

test("loadRegistry() lists an origin marked with ? instead of stopping the start", async () => {
  const { actions, failed } = await loadRegistry([await folderWith(), "?@acme/no-such-package"], HOME);
  assert.deepEqual([...actions.keys()], ["test.copy"]);
  assert.equal(failed.length, 1);
  assert.equal(failed[0]?.origin, "@acme/no-such-package");
  assert.match(failed[0]?.reason ?? "", /Cannot load package/);
});

test("loadRegistry() takes the actions of a package that imports nothing of ours", async () => {
  const folder = fileURLToPath(new URL("../../node_modules/@tonwerk-test/", import.meta.url));
  const name = `pack-${process.pid}-${Date.now()}`;
  made.push(join(folder, name));
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(
    join(folder, name, "package.json"),
    JSON.stringify({ name: `@tonwerk-test/${name}`, version: "1.0.0", type: "module", exports: "./index.js" }),
  );
  const source = `globalThis.packs_made = 0;
  export const actions = ({ defineAction, Type }) => (globalThis.packs_made++, [defineAction({
    name: "pack.copy", wrapper: "pack_copy", summary: "Return the source as it came", request: Type.Object({}),
    sources: { source: { seconds_min: 1, seconds_max: 60, bytes_max: 1000000 } }, echo: [], output: "single", work: "dsp",
    seeded: false, level: "source", engine: "copy", loudness: "never", failures: [], examples: [{ source: { url: "https://example.com/a.wav" } }], cost: () => 2,
    process: ({ sources }) => ({ audio: sources.source, engine: "copy" }),
  })]);\n`;
  await writeFile(join(folder, name, "index.js"), source);
  const { actions } = await loadRegistry([`@tonwerk-test/${name}`], HOME);
  const { origin } = actions.get("pack.copy")!;
  assert.deepEqual(origin, { kind: "package", module: `@tonwerk-test/${name}`, name: "pack.copy" });
  assert.equal((await loadAction(origin)).name, "pack.copy");
  assert.equal((globalThis as { packs_made?: number }).packs_made, 1, "actions(kit) runs once a thread");
});

test("loadRegistry() refuses a module that does not finish loading", async () => {
  const folder = await folderWith();
  await writeFile(
    join(folder, "test.copy", "action.ts"),
    "await new Promise(() => setTimeout(() => {}, 60_000).unref?.());\nexport {};\n",
  );
  await assert.rejects(
    loadRegistry([folder], HOME, { import_ms: 50 }),
    /Cannot load ".*action\.ts": Error: it did not load within 0\.05 s; expected a module/,
  );
});
