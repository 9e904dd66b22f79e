/** Settings of actions: declared by a schema, read from the environment where jobs run, and secret where they say so. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, afterEach, test } from "node:test";
import { configCommand } from "../../cli/config.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import { createLog } from "../../core/base/log.ts";
import { defineAction, Type } from "../../packages/plugin/mod.ts";
import { checkAction, runAction, tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, startTestService } from "../service.ts";

const HOME = new URL("../../", import.meta.url).href;
const SECRET = 'pa"ss-5c1f0e';
const made: string[] = [];
after(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))));
const VARIABLES = ["ACME_TOKEN", "ACME_TRIES", "ACME_STRICT", "ACME_MODE"] as const;
afterEach(() => {
  for (const name of VARIABLES) delete process.env[name];
});

const CONFIG = `Type.Object({
  token: Type.String({ env: "ACME_TOKEN", secret: true, minLength: 8, description: "Key of the service" }),
  tries: Type.Integer({ env: "ACME_TRIES", minimum: 1, maximum: 9, default: 3, description: "How often it is asked" }),
  strict: Type.Optional(Type.Boolean({ env: "ACME_STRICT", description: "Whether it is strict" })),
  mode: Type.Optional(Type.Union([Type.Literal("fast"), Type.Literal("good")], { env: "ACME_MODE", description: "How" })),
})`;

async function folderWith(changes: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await pluginFolder(["files"]);
  made.push(folder);
  await addAction(folder, "acme.ask", { config: CONFIG, ...changes });
  return folder;
}

async function run(
  folder: string,
): Promise<{ readonly operation: Answer["body"]; readonly logged: readonly string[] }> {
  const tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder } });
  try {
    const source = await tonwerk.upload(wav(tone(440, 0.5).channels));
    return { operation: await tonwerk.perform("acme.ask", { source }), logged: tonwerk.logged };
  } finally {
    await tonwerk.stop();
  }
}

test("process gets the settings as their schema has them", async () => {
  Object.assign(process.env, { ACME_TOKEN: SECRET, ACME_STRICT: "true", ACME_MODE: "good" });
  const process_ =
    "({ sources, config: { token, ...rest } }) => ({ audio: sources.source, report: { ...rest, letters: token.length } })";
  const { operation } = await run(await folderWith({ process: process_ }));
  const report = { tries: 3, strict: true, mode: "good", letters: SECRET.length };
  assert.deepEqual([operation.status, operation.output.report], ["ready", report]);
});

test("a start is refused for settings that are missing or wrong, by variable and without the value", async () => {
  const folder = await folderWith();
  const start = (environment: object) =>
    loadRegistry([folder], HOME, { environment: environment as Record<string, string> });
  await assert.rejects(
    start({}),
    /Cannot register "acme\.ask" from "file:.*": config\.token must be set as ACME_TOKEN in the environment$/u,
  );
  await assert.rejects(start({ ACME_TOKEN: "short" }), (error: Error) => {
    assert.match(
      error.message,
      /config\.token, which is ACME_TOKEN in the environment: Must have at least 8 characters/u,
    );
    assert.doesNotMatch(error.message, /short/u);
    return true;
  });
  const rest = { ACME_TOKEN: SECRET, ACME_TRIES: "many", ACME_STRICT: "yes", ACME_MODE: "slow" };
  await assert.rejects(
    start(rest),
    /ACME_TRIES in the environment: Must be a whole number; .*ACME_STRICT in .*: Must be true or false; .*ACME_MODE in .*: Must be one of "fast", "good"/u,
  );
  const { settings } = (await start({ ACME_TOKEN: SECRET })).actions.get("acme.ask")!;
  assert.deepEqual({ ...settings }, { token: SECRET, tries: 3 });
});

test("a node that runs no jobs needs no settings", async () => {
  const tonwerk = await startTestService({ env: { TONWERK_PLUGINS: await folderWith(), TONWERK_ROLE: "api" } });
  await tonwerk.stop();
});

test("a start is refused for settings that are declared wrongly", async () => {
  for (const [config, says] of [
    [
      'Type.Object({ token: Type.String({ description: "x" }) })',
      /"config\.properties\.token\.env" must be the name of a variable.*: it is missing/u,
    ],
    [
      'Type.Object({ token: Type.String({ env: "TONWERK_SECRET", description: "x" }) })',
      /none of Tonwerk's own: it is "TONWERK_SECRET"/u,
    ],
    [
      'Type.Object({ token: Type.String({ env: "ACME_TOKEN" }) })',
      /token\.description" must be a text that tells the operator/u,
    ],
    [
      'Type.Object({ token: Type.Array(Type.String(), { env: "ACME_TOKEN", description: "x" }) })',
      /config\.token must be one of String, Number, Integer, Boolean, Union: it is Array/u,
    ],
    ["{ token: 1 }", /"config\.type" must be that of a Type\.Object/u],
  ] as const)
    await assert.rejects(loadRegistry([await folderWith({ config })], HOME), says);
  const ours = 'Type.Object({ token: Type.Optional(Type.String({ env: "DATABASE_URL", description: "x" })) })';
  const start = loadRegistry([await folderWith({ config: ours })], HOME, { environment: {} });
  await assert.rejects(start, /config\.token must have a variable of its own: DATABASE_URL is Tonwerk's/u);
});

test("what is secret shows in no line of the log and in no answer", async () => {
  process.env.ACME_TOKEN = SECRET;
  const told = `({ fail, config }) => fail("refused", "The service refused " + config.token)`;
  const { operation } = await run(await folderWith({ failures: '["refused"]', process: told }));
  assert.deepEqual(operation.error, { code: "refused", message: "The service refused [redacted]" });

  const bug = "({ config }) => { throw new Error('refused ' + config.token); }";
  const { logged } = await run(await folderWith({ process: bug }));
  const fault = JSON.parse(logged.find((line) => line.includes("plugin.error")) ?? "{}");
  const lines: string[] = [];
  createLog((line) => lines.push(line))("plugin.error", fault);
  assert.match(lines[0]!, /refused \[redacted\]/u);
  assert.doesNotMatch(lines[0]!, /5c1f0e/u);
});

test("tonwerk config shows every variable and nothing secret", async () => {
  const folder = await folderWith();
  const lines: string[] = [];
  const show = (environment: object) =>
    configCommand([], { TONWERK_PLUGINS: folder, ...environment }, (line) => lines.push(line));
  const secrets = { ACME_TOKEN: SECRET, TONWERK_SMTP_URL: "smtps://me:hunter22@mail.example.com" };
  assert.equal(await show({ ...secrets, PORT: "9000" }), 0);
  const text = lines.join("\n");
  assert.match(text, /^PORT +9000$/mu);
  assert.match(text, /^TONWERK_WORK_SECONDS +600 {2}\(default\)$/mu);
  assert.match(text, /^ACME_TOKEN +\[set\] {2}acme\.ask: Key of the service$/mu);
  assert.match(text, /^ACME_TRIES +3 {2}\(default\) {2}acme\.ask: How often it is asked$/mu);
  assert.match(text, /^ACME_STRICT +- {2}acme\.ask: Whether it is strict$/mu);
  assert.doesNotMatch(text, /5c1f0e|hunter22/u);
  lines.length = 0;
  assert.equal(await show({}), 1);
  assert.match(lines.at(-1)!, /^Cannot register "acme\.ask": config\.token must be set as ACME_TOKEN/u);
  assert.equal(await configCommand(["x"], {}, () => undefined), 2);
});

test("the kit hands settings to process, and refuses what the environment could not say", async () => {
  const action = defineAction({
    name: "acme.gain",
    wrapper: "gain",
    summary: "Make a recording softer",
    request: Type.Object({}),
    sources: { source: { seconds_min: 0.5, seconds_max: 60, bytes_max: 1_000_000 } },
    config: Type.Object({ factor: Type.Number({ env: "ACME_FACTOR", maximum: 1, description: "How much is left" }) }),
    echo: [],
    output: "single",
    work: "dsp",
    seeded: false,
    level: "source",
    engine: "gain",
    loudness: "never",
    failures: [],
    examples: [{ source: { url: "https://example.com/a.wav" } }],
    cost: () => 1,
    process: ({ sources: { source }, config: { factor } }) => ({
      audio: { ...source, channels: source.channels.map((channel) => channel.map((sample) => sample * factor)) },
    }),
  });
  checkAction(action);
  const request = { source: { url: "https://example.com/a.wav" } };
  const sources = { source: tone(440, 1, { amplitude: 0.5 }) };
  const { outputs } = await runAction(action, { request, sources, config: { factor: 0.5 } });
  assert.ok(Math.abs(Math.max(...outputs[0]!.audio.channels[0]!) - 0.25) < 0.001);
  await assert.rejects(runAction(action, { request, sources }), /config\.factor: Field required/u);
});
