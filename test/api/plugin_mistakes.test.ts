/**
 * What authors do wrong, in two tables: what stops the start, and what a service meets while it serves. Each message names origin, action,
 * field and wish; the service stays up, its clients learn nothing of it, and the work of others goes on.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { RegistrationError } from "../../core/actions/imports.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, hastyClock, startTestService, type TestService } from "../service.ts";

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
    /Cannot register "its action 2" from "file:.*": it is not an action but null, expected what/,
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

/** What an action does wrong while it serves, the kind that it is counted as, and what its operator is told. */
const faults: readonly [action: string, mistake: string, kind: string, changes: Changes, says: RegExp][] = [
  [
    "throws",
    "that throws",
    "process",
    { process: '() => { throw new TypeError("no luck"); }' },
    /process threw "TypeError: no luck"/,
  ],
  [
    "throws_text",
    "that throws a text",
    "process",
    { process: '() => { throw "no luck"; }' },
    /process threw "no luck"/,
  ],
  [
    "forges",
    "that throws a failure of its own make",
    "process",
    { process: '() => { throw Object.assign(new Error("no luck"), { name: "Failure", code: "canceled" }); }' },
    /process threw "Failure: no luck"/,
  ],
  [
    "undeclared",
    "that fails with a code it does not declare",
    "failure",
    { failures: '["too_plain"]', process: '({ fail }) => fail("too_loud", "no luck")' },
    /Cannot fail with "too_loud", expected a code it declares: too_plain/,
  ],
  ["nothing", "that returns nothing", "output", { process: "() => undefined" }, /output 1: Cannot deliver it/],
  [
    "wrong_rate",
    "at another rate",
    "output",
    { process: "({ sources }) => ({ audio: { ...sources.source, sample_rate: 48000 } })" },
    /output 1: Cannot deliver a sample rate of 48000 Hz, expected 44100/,
  ],
  [
    "three_channels",
    "of three channels",
    "output",
    {
      process:
        "({ sources: { source } }) => ({ audio: { ...source, channels: [0, 0, 0].map(() => source.channels[0]) } })",
    },
    /Cannot deliver 3 channels, expected 1 or 2/,
  ],
  [
    "unequal",
    "of unequal channels",
    "output",
    {
      process:
        "({ sources: { source: { channels: [one] } } }) => ({ audio: { sample_rate: 44100, channels: [one, one.subarray(9)] } })",
    },
    /Channel 2 has \d+ samples, expected \d+/,
  ],
  [
    "no_samples",
    "of no samples",
    "output",
    { process: "() => ({ audio: { sample_rate: 44100, channels: [new Float32Array(0)] } })" },
    /Cannot deliver 0 samples/,
  ],
  [
    "nan",
    "with a sample that is none",
    "output",
    { process: "() => ({ audio: { sample_rate: 44100, channels: [new Float32Array(100).fill(NaN)] } })" },
    /Sample 0 of channel 1 is NaN, expected a finite number/,
  ],
  [
    "doubles",
    "of another kind of numbers",
    "output",
    { process: "() => ({ audio: { sample_rate: 44100, channels: [new Float64Array(100)] } })" },
    /Channel 1 must be a Float32Array/,
  ],
  [
    "streams_nan",
    "that streams a sample that is none",
    "output",
    {
      process: `() => ({ audio: { sample_rate: 44100, channels: 1, frames: 44100, peak: 1,
        samples: (from, to, out) => out[0].fill(NaN, 0, to - from) } })`,
    },
    /not finite/,
  ],
  [
    "streams_badly",
    "whose stream throws",
    "output",
    {
      process: `() => ({ audio: { sample_rate: 44100, channels: 1, frames: 44100, peak: 1,
        samples: () => { throw new Error("no luck"); } } })`,
    },
    /output threw "Error: no luck"/,
  ],
  [
    "reports_nan",
    "with NaN in its report",
    "report",
    { process: "({ sources }) => ({ audio: sources.source, report: { levels: [1, { peak: NaN }] } })" },
    /Cannot keep its report: report\.levels\[1\]\.peak is NaN, expected a finite number or null/,
  ],
  [
    "reports_map",
    "with a Map in its report",
    "report",
    { process: "({ sources }) => ({ audio: sources.source, report: { levels: new Map([[1, 2]]) } })" },
    /report\.levels is \{\}, expected what JSON can carry/,
  ],
  [
    "reports_much",
    "with 5 MB of report",
    "report",
    { process: '({ sources }) => ({ audio: sources.source, report: { text: "x".repeat(5_000_000) } })' },
    /Cannot keep its report: it has 5000011 bytes as JSON, expected at most 2000000/,
  ],
  [
    "reports_itself",
    "whose report holds itself",
    "report",
    {
      process:
        "({ sources }) => { const report = {}; report.report = report; return { audio: sources.source, report }; }",
    },
    /lies more than 32 levels deep/,
  ],
  [
    "reports_other",
    "whose report is not what it declares",
    "report",
    {
      output: '"report"',
      report: "Type.Object({ bpm: Type.Number() })",
      process: '() => ({ report: { bpm: "fast" } })',
    },
    /Cannot deliver its report: bpm is "fast", expected as declared/,
  ],
  [
    "exits",
    "that exits",
    "crash",
    { process: "() => { process.exit(3); }" },
    /process\.exit\(3\)|exit code 3|Cannot exit from within|its thread ended/,
  ],
  [
    "rejects",
    "that rejects where nobody looks",
    "crash",
    { process: '() => { void Promise.reject(new Error("no luck")); return new Promise(() => {}); }' },
    /no luck/,
  ],
  [
    "throws_later",
    "that throws outside of its promise",
    "crash",
    { process: '() => { setTimeout(() => { throw new Error("no luck"); }, 0); return new Promise(() => {}); }' },
    /no luck/,
  ],
];

let tonwerk: TestService;
let source: { readonly url: string };

before(async () => {
  const folder = await pluginFolder();
  made.push(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "@acme/mistakes", version: "4.5.6" }));
  for (const [action, , , changes] of faults) await addAction(folder, `acme.${action}`, changes);
  await addAction(folder, "acme.copy");
  await addAction(folder, "acme.writes", {
    process:
      "({ sources: { source } }) => { for (const channel of source.channels) channel.fill(0.5); return { audio: source }; }",
  });
  await addAction(folder, "acme.priceless", {
    cost: '({ note }) => { if (note === "throw") throw new Error("no luck"); return note === undefined ? 1 : Number(note); }',
    check: '({ note }) => (note === "check" ? [7] : [])',
  });
  await addAction(folder, "acme.forgets", {
    understand: "{ schema: Type.Object({ words: Type.Integer() }), read: () => ({ words: 0.5 }) }",
  });
  // Yields to nobody, and lets the processor go. Ends when nobody holds it any more: on Deno a thread outlives its end
  // (denoland/deno#35657).
  await addAction(folder, "acme.loops", {
    process: `() => {
      const never = new Int32Array(new SharedArrayBuffer(4));
      for (const end = Date.now() + 20_000; Date.now() < end; ) Atomics.wait(never, 0, 0, 20);
    }`,
  });
  tonwerk = await startTestService({
    env: {
      TONWERK_PLUGINS: folder,
      TONWERK_WORKERS: "2",
      TONWERK_METRICS_PORT: "9464",
      TONWERK_WORK_SECONDS: "10",
    },
    // Lost jobs are looked for every 0.1 s instead of every 2 s.
    clock: hastyClock(20),
  });
  source = await tonwerk.upload(wav(tone(440, 0.5, { channels: 1 }).channels));
});
after(() => tonwerk.stop());

for (const [action, mistake, kind, , says] of faults) {
  test(`an action ${mistake} is its own fault and nobody else's`, async () => {
    const name = `acme.${action}`;
    const counted = await countOf(name, kind);
    const before = await tonwerk.credits();
    // Beside it, and after it.
    const [operation, other] = await Promise.all([run(name), run("acme.copy")]);
    assert.deepEqual([operation.status, operation.error.code], ["failed", "internal_error"]);
    assert.doesNotMatch(JSON.stringify(operation), /no luck|NaN|acme\.[a-z_]+:/u, "its client learns nothing of it");
    assert.equal(operation.refunded, 1);
    assert.equal(other.status, "ready", "work beside it ends well");
    assert.equal(await tonwerk.credits(), before - 1, "and alone is paid for");
    const told = tonwerk.logged
      .map((line) => JSON.parse(line))
      .filter(({ event, id }) => event === "plugin.error" && id === operation.id);
    assert.ok(told.length > 0, "the operator is told");
    for (const { action, origin, version, kind: logged, error } of told) {
      assert.deepEqual([action, version, logged], [name, "4.5.6", kind]);
      assert.match(origin, new RegExp(`^file:.*/${name}/action\\.ts$`, "u"));
      assert.match(error, says);
    }
    assert.equal(await countOf(name, kind), counted + told.length, "and it is counted");
    assert.equal((await run("acme.copy")).status, "ready", "work after it ends well");
  });
}

test("a price or a check that fails while it serves answers 500, creates nothing and is told", async () => {
  const before = await tonwerk.credits();
  for (const [note, kind, says] of [
    ["throw", "cost", /cost threw "Error: no luck"/],
    ["-1", "cost", /cost returned -1, expected a whole number of at least 0/],
    ["0.5", "cost", /cost returned 0\.5/],
    ["NaN", "cost", /cost returned NaN/],
    ["check", "check", /check returned \[7\], expected a list of issues/],
  ] as const) {
    for (const query of ["", "?dry_run=true"]) {
      const counted = await countOf("acme.priceless", kind);
      const logged = tonwerk.logged.length;
      const { status, body } = await submit("acme.priceless", { note }, query);
      assert.deepEqual([status, body.code, body.detail], [500, "internal_error", "Internal error"], note);
      const [told, ...more] = tonwerk.logged.slice(logged).map((line) => JSON.parse(line));
      assert.deepEqual([told.event, told.kind, told.version, more], ["plugin.error", kind, "4.5.6", []]);
      assert.match(told.error, says);
      assert.equal(await countOf("acme.priceless", kind), counted + 1);
    }
  }
  assert.equal(await tonwerk.credits(), before);
  assert.equal((await submit("acme.priceless", {})).status, 200);
});

test("what is understood and is not as declared costs the price nothing", async () => {
  const { status, body } = await submit("acme.forgets", {}, "?dry_run=true");
  assert.deepEqual([status, body.cost, body.understood], [200, 1, null]);
  assert.ok(
    tonwerk.logged.some((line) => line.includes("plugin.error") && line.includes("Cannot tell what was understood")),
  );
  assert.equal(await countOf("acme.forgets", "understand"), 1);
});

test("an action that writes to its sources harms none but itself", async () => {
  const [, copy] = await Promise.all([run("acme.writes"), run("acme.copy")]);
  const bytes = async (url: string) =>
    Buffer.from(await (await tonwerk.call("GET", new URL(url).pathname + new URL(url).search)).arrayBuffer());
  const again = await run("acme.copy");
  assert.ok(
    (await bytes(copy.output.url)).equals(await bytes(again.output.url)),
    "others get the source as it was sent",
  );
});

test("an action that never ends is ended with its thread, and nobody waits for it", async () => {
  const [operation, ...others] = await Promise.all([run("acme.loops"), run("acme.copy"), run("acme.copy")]);
  assert.deepEqual([operation.status, operation.error.code, operation.refunded], ["failed", "generation_timeout", 1]);
  assert.deepEqual(
    others.map(({ status }) => status),
    ["ready", "ready"],
  );
  const [told] = tonwerk.logged
    .map((line) => JSON.parse(line))
    .filter(({ id, event }) => id === operation.id && event === "plugin.error");
  assert.match(told.error, /it exceeded \d+ ms, and was ended by force, for it went on/u);
  assert.equal(await countOf("acme.loops", "hang"), 1);
  assert.equal((await run("acme.copy")).status, "ready");
});

async function submit(action: string, fields: object, query = ""): Promise<Answer> {
  return tonwerk.json("PUT", `/v1/${action}${query}`, { idempotency_key: randomUUID(), source, ...fields });
}

/** The ended operation, without its wrapper. */
const run = (action: string): Promise<Answer["body"]> => tonwerk.perform(action, { source });

async function countOf(action: string, kind: string): Promise<number> {
  const text = (await tonwerk.service.telemetry.metrics?.text()) ?? "";
  const line = text
    .split("\n")
    .find((line) => line.startsWith(`tonwerk_plugin_errors_total{action="${action}",kind="${kind}"}`));
  return Number(line?.split(" ").at(-1) ?? 0);
}
