/** What authors do wrong that stops the start: each message names origin, action, field and wish. plugin_faults.test.ts has the rest. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { RegistrationError } from "../../core/actions/imports.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";

const HOME = new URL("../../", import.meta.url).href;
const made: string[] = [];
after(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))));

async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-mistakes-"));
  made.push(folder);
  return folder;
}

type Changes = Readonly<Record<string, string>>;

/** A field of a sound declaration with something else in it, as source text, and what the refusal says. */
const declarations: readonly [mistake: string, changes: Changes, says: RegExp][] = [
  ["a missing name", { name: "undefined" }, /"name" must be "group\.action" in snake_case.*: it is missing/],
  ["a name that is a symbol", { name: 'Symbol("x")' }, /"name" must be .*: it is Symbol\(x\)/],
  ["a number for a wrapper", { wrapper: "7" }, /"wrapper" must be snake_case: it is 7/],
  ["a summary of two lines", { summary: '"One line\\nand another"' }, /"summary" must be one sentence/],
  [
    "a request that Type did not make",
    { request: '{ type: "object", properties: { note: { type: "string", maxLength: 20 } } }' },
    /field "note" must be made by Type: it is \{"type":"string"/,
  ],
  [
    "a pattern that is none",
    { request: 'Type.Object({ note: Type.Optional(Type.String({ maxLength: 20, pattern: "(" })) })' },
    /field "note" has the pattern "\(", expected a regular expression/,
  ],
  [
    "a default outside of its own bounds",
    { request: "Type.Object({ note: Type.Optional(Type.Integer({ maximum: 5, default: 9 })) })" },
    /field "note" has the default 9: Must be at most 5/,
  ],
  ["a list of sources", { sources: "[]" }, /"sources" must be sources: fields in snake_case.*: it is \[\]/],
  ["a text for the echo", { echo: '"note"' }, /"echo" must be a list of fields: it is "note"/],
  ["an output of another word", { output: '"mono"' }, /"output" must be one of single, .*: it is "mono"/],
  ["a text for seeded", { seeded: '"no"' }, /"seeded" must be true or false: it is "no"/],
  ["a bigint for an engine", { engine: "1n" }, /"engine" must be a text: it is the bigint 1/],
  ["null for failures", { failures: "null" }, /"failures" must be a list of codes, each once: it is null/],
  ["a misspelt field", { proces: "() => 1" }, /"proces" is unknown, expected only .*; did you mean "process"\?/],
  ["a number for a price", { cost: "3" }, /"cost" must be a function: it is 3/],
  [
    "a price that throws",
    { cost: "({ note }) => note.length" },
    /cost threw "TypeError: .*", expected it to serve every/,
  ],
  ["a price to wait for", { cost: "async () => 3" }, /cost returned a promise, expected a whole number of at least 0/],
  ["a price that changes the request", { cost: '(request) => { request.note = "x"; return 1; }' }, /must not change/],
  [
    "a price by sources that it is not given",
    { cost: "(_, sources) => 2" },
    /cost takes sources, which it is given where priced_by is "sources"/,
  ],
  ["a price by anything else", { priced_by: '"request"' }, /"priced_by" must be sources or absent: it is "request"/],
  [
    "a price that falls with the length",
    { priced_by: '"sources"', cost: "(_, { source }) => (source.seconds > 60 ? 1 : 2)" },
    /cost returned 2 for sources of .*, expected at most 1, as for the longest \(example 1\)/,
  ],
  [
    "a price by no sources",
    { priced_by: '"sources"', sources: "{}", examples: "[{}]" },
    /priced_by needs a source to go by/,
  ],
  ["seconds that are none", { work_seconds: "() => -1" }, /work_seconds returned -1, expected a number of seconds/],
  [
    "seconds that throw",
    { work_seconds: "({ note }) => note.length" },
    /work_seconds threw "TypeError: .*", expected it to serve every/,
  ],
  ["a dispose of nothing", { dispose: "() => {}" }, /dispose needs a setup that makes what it gives back/],
  ["a check that throws", { check: '() => { throw new Error("boom"); }' }, /check threw "Error: boom", expected/],
  ["a check to wait for", { check: "async () => []" }, /check returned a promise, expected a list of issues/],
  ["a check that says yes", { check: "() => true" }, /check returned true, expected a list of issues/],
  ["a check of texts", { check: '() => ["too loud"]' }, /check returned \["too loud"\], expected a list of issues/],
  ["a file for a function", { process: '"./engine.ts"' }, /"process" must be a function: it is "\.\/engine\.ts"/],
];

for (const [mistake, changes, says] of declarations) {
  test(`a start is refused for ${mistake}`, async () => {
    const folder = await pluginFolder([]);
    made.push(folder);
    await addAction(folder, "acme.pitch", changes);
    await refused([folder], /^Cannot register "acme\.pitch" from "file:.*acme\.pitch\/action\.ts": /, says);
  });
}

const CORE = new URL("../../core/", import.meta.url).href;
const SOUND = `name: "acme.pitch", wrapper: "pitch", summary: "Return the source as it came", request: Type.Object({}),
  sources: { source: { seconds_min: 1, seconds_max: 60, bytes_max: 1000000 } }, echo: [], output: "single", work: "dsp",
  seeded: false, level: "source", engine: "copy", loudness: "never", failures: [], cost: () => 2,
  examples: [{ source: { url: "https://example.com/a.wav" } }], process: ({ sources }) => ({ audio: sources.source })`;
const MANIFEST = JSON.stringify({ name: "@acme/pitch", version: "1.2.3", type: "module", exports: "./index.js" });
const pack = (actions: string): Files => ({
  "package.json": MANIFEST,
  "index.js": `export const actions = ({ defineAction, Type }) => ${actions};\n`,
});

type Files = Readonly<Record<string, string>>;

/** Files of an origin, and what the refusal says. */
const origins: readonly [mistake: string, files: Files, ...says: RegExp[]][] = [
  [
    "a syntax error, with its line",
    { "acme.pitch/action.ts": 'export default {\n  name: "acme.pitch"\n  wrapper: 1,\n};\n' },
    /Cannot load "file:.*": SyntaxError: .* at \/.*acme\.pitch\/action\.ts:3:3; expected a module/,
  ],
  [
    "a module that throws, with its line",
    { "acme.pitch/action.ts": '\nthrow new Error("boom");\n' },
    /Cannot load "file:.*": Error: boom at \/.*action\.ts:2:\d+; expected a module whose default export is an action/,
  ],
  ["a module that throws nothing in particular", { "acme.pitch/action.ts": "throw null;\n" }, /it threw null/],
  [
    "a module that never ends loading",
    { "acme.pitch/action.ts": "await new Promise((done) => setTimeout(done, 60_000).unref?.());\nexport {};\n" },
    /Cannot load "file:.*": .*it did not load within 0\.3 s/,
  ],
  [
    "an import of what is not there",
    { "acme.pitch/action.ts": 'import { x } from "./nothing.ts";\nexport default x;\n' },
    /Cannot load "file:.*(Cannot find module|Module not found).*nothing\.ts/,
  ],
  [
    "an import of the core's inside",
    { "acme.pitch/action.ts": `import { refuse } from "${CORE}base/errors.ts";\nexport default refuse;\n` },
    /"acme\.pitch" from .*imports ".*core\/base\/errors\.ts", the inside of the core; expected the contract/,
  ],
  [
    "an import of the core's inside by a file beside it",
    {
      "acme.pitch/action.ts": 'export { default } from "./more/helper.ts";\n',
      "acme.pitch/more/helper.ts": `import { refuse } from "${CORE}base/errors.ts";\nexport default refuse;\n`,
    },
    /more\/helper\.ts" imports ".*core\/base\/errors\.ts", the inside of the core/,
  ],
  [
    "no default export",
    { "acme.pitch/action.ts": "export const a = 1;\n" },
    /not an action but nothing, expected what/,
  ],
  ["a folder without its file", { "acme.pitch/index.ts": "" }, /"acme\.pitch" from ".*": there is no such file/],
  [
    "the contract of another version",
    { "acme.pitch/action.ts": `import { BRAND } from "${CORE}plugin.ts";\nexport default { [BRAND]: 2 };\n` },
    /Cannot register "acme\.pitch" from .*: it speaks contract 2, this core speaks 1/,
  ],
  ["an empty folder", { "README.md": "" }, /Cannot load the plugin folder ".*": it holds no action, expected folders/],
  [
    "a folder without a dot",
    { "pitch/action.ts": "" },
    /Cannot load the plugin folder ".*": "pitch" has an action\.ts and no dot in its name, expected folders/,
  ],
  ["the folder of one action", { "action.ts": "" }, /it is the folder of one action, name the folder that it lies in/],
  [
    "a package that exports something else",
    { "package.json": MANIFEST, "index.js": "export default [];\n" },
    /Cannot load package "file:.*index\.js": it exports no function 'actions'/,
  ],
  [
    "actions to wait for",
    pack("(async () => [])()"),
    /actions\(kit\) returned a promise, expected an array of actions/,
  ],
  [
    "actions that throw",
    pack('{ throw new Error("boom"); }'),
    /actions\(kit\) threw "Error: boom.*", expected an array/,
  ],
  ["no actions at all", pack("[]"), /actions\(kit\) returned no action, expected an array of at least one/],
  [
    "something else among actions",
    pack(`[defineAction({ ${SOUND} }), null]`),
    /Cannot register action 2 from "file:.*": it is not an action but null, expected what/,
  ],
  [
    "one name twice in a package",
    pack(`[defineAction({ ${SOUND} }), defineAction({ ${SOUND}, wrapper: "other" })]`),
    /Cannot register "acme\.pitch" from "file:.*": the name is taken by "file:.*", choose another/,
  ],
];

for (const [mistake, files, ...says] of origins) {
  test(`a start is refused for ${mistake}`, async () => refused([await written(files)], ...says));
}

test("a start is refused where two packages have one name, or one wrapper", async () => {
  const one = await written(pack(`[defineAction({ ${SOUND} })]`));
  const other = await written(pack(`[defineAction({ ${SOUND} })]`));
  await refused([one, other], /Cannot register "acme\.pitch" from "file:.*": the name is taken by "file:.*"/);
  const third = await written(pack(`[defineAction({ ${SOUND}, name: "other.pitch" })]`));
  await refused([one, third], /Cannot register "other\.pitch" .*: wrapper "pitch" is taken by "acme\.pitch"/);
});

test("a folder with a package.json that exports actions simply works, and its version is known", async () => {
  const { actions } = await loadRegistry([await written(pack(`[defineAction({ ${SOUND} })]`))], HOME);
  const { version, origin } = actions.get("acme.pitch")!;
  assert.deepEqual([version, origin.kind], ["1.2.3", "package"]);
});

async function written(files: Files): Promise<string> {
  const folder = await tempFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

async function refused(origins: readonly string[], ...says: readonly RegExp[]): Promise<void> {
  await assert.rejects(loadRegistry(origins, HOME, { import_ms: 300 }), (error: Error) => {
    assert.ok(error instanceof RegistrationError, `a raw ${error.name}: ${error.message}`);
    for (const say of says) assert.match(error.message, say);
    assert.ok(!error.message.includes("\n") && !error.message.includes("\u001b"), "one line without colours");
    return true;
  });
}
