/**
 * Outputs that come together under names of the action's own, wherever they show: answers, document, downloads,
 * archive, dashboard, kit.
 */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { linkTo } from "../../cli/mcp/tools.ts";
import { defineAction, Type } from "../../packages/plugin/mod.ts";
import { checkAction, runAction, tone } from "../../packages/plugin/testing.ts";
import { readRights } from "../../plugins/administration/typed_rights.ts";
import { wav } from "../audio.ts";
import { entered } from "../dashboard/visitor.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, adminOf, ownerLink, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

let tonwerk: TestService;
let folder: string;
let source: { readonly url: string };

const NAMES = '{ dry: "The voice alone", wet: "Its hall alone" }';
const SPLIT = `({ request, sources: { source } }) => {
  const part = (gain) => ({ audio: { ...source, channels: source.channels.map((channel) => channel.map((sample) => sample * gain)) } });
  return { wet: request.note === "dry" ? undefined : part(0.25), dry: part(0.5) };
}`;

before(async () => {
  folder = await pluginFolder(["capabilities", "dashboard", "docs", "files", "formats", "operator"]);
  await addAction(folder, "acme.hall", { output: NAMES, process: SPLIT, loudness: '"optional"', seeded: "true" });
  await addAction(folder, "acme.missing", {
    output: NAMES,
    process: "({ sources }) => ({ dry: { audio: sources.source } })",
  });
  await addAction(folder, "acme.none", { output: NAMES, process: "() => ({ dry: undefined, wet: undefined })" });
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder } });
  source = await tonwerk.upload(wav(tone(440, 1).channels));
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (action: string, more: object = {}, headers = {}) => tonwerk.perform(action, { source, ...more }, headers);

const fetched = async (url: string): Promise<Response> => {
  const { pathname, search } = new URL(url);
  return tonwerk.call("GET", pathname + search);
};

test("named outputs come in the order of their declaration, each mastered and with its kind", async () => {
  const ended = await run("acme.hall", { seed: 7, loudness: { target_lufs: -20 } });
  assert.equal(ended.status, "ready", JSON.stringify(ended.error));
  assert.deepEqual(
    ended.outputs.map(({ kind, seed }: Answer["body"]) => [kind, seed]),
    [
      ["dry", 7],
      ["wet", 7],
    ],
  );
  for (const { loudness } of ended.outputs) assert.ok(Math.abs(loudness.lufs + 20) < 0.2, `${loudness.lufs}`);
  assert.equal(ended.output, undefined);
  const archive = Buffer.from(await (await fetched(ended.archive.url)).arrayBuffer()).toString("latin1");
  assert.match(archive, /dry\.flac/u);
  assert.match(archive, /wet\.flac/u);
  assert.match(
    (await fetched(`${ended.outputs[1].url}&format=wav`)).headers.get("content-disposition") ?? "",
    /-wet\.wav"/u,
  );
  assert.equal(linkTo("acme.hall", ended.id, ended.outputs[1], 1).name, "acme.hall wet");

  const owner = await entered(tonwerk, await ownerLink(tonwerk.service), "owner@example.com");
  const page = await owner.text(`/operations/${ended.id}`);
  assert.match(page, /data-players="choose"[^>]*aria-label="Results"/u);
  assert.match(page, /aria-label="Dry"/u);
  assert.match(page, /aria-label="Wet"/u);
});

test("a named output that was not asked for is left out", async () => {
  const { outputs } = await run("acme.hall", { note: "dry" });
  assert.deepEqual(
    outputs.map(({ kind }: Answer["body"]) => kind),
    ["dry"],
  );
});

test("a named output that is not mentioned, or none at all, is a fault of the plugin's", async () => {
  for (const [action, says] of [
    ["acme.missing", "Cannot deliver without wet, expected dry, wet, undefined for what was not asked for"],
    ["acme.none", "Cannot deliver no output at all"],
  ] as const) {
    const { status, error } = await run(action);
    assert.deepEqual([status, error.code], ["failed", "internal_error"]);
    await until(() => tonwerk.logged.some((line) => line.includes("plugin.error") && line.includes(says)));
  }
});

test("document, capabilities and clients know the names", async () => {
  const { body: document } = await tonwerk.json("GET", "/openapi.json");
  const { outputs, output } = document.components.schemas.AcmeHallOperation.properties;
  assert.equal(output, undefined);
  assert.match(JSON.stringify(outputs), /#\/components\/schemas\/AcmeHallOutput/u);
  const { kind } = document.components.schemas.AcmeHallOutput.properties;
  assert.deepEqual(kind.enum, ["dry", "wet"]);
  assert.match(kind.description, /`wet`: Its hall alone/u);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, discriminator: false });
  ajv.addSchema({ $id: "doc", components: document.components });
  const validate = ajv.getSchema("doc#/components/schemas/AcmeHallOperation")!;
  const ended = await run("acme.hall");
  assert.ok(validate(ended), JSON.stringify(validate.errors));
  const { actions } = (await tonwerk.json("GET", "/v1/capabilities")).body;
  assert.equal(actions.find(({ name }: { name: string }) => name === "acme.hall").output, "named");
});

test("a test key gets a stand-in of each name", async () => {
  const account_id = tonwerk.service.first!.account_id;
  const { plain } = await adminOf(tonwerk.service).createKey(account_id, "CI", readRights({ mode: "test" }));
  const { status, test, outputs } = await run("acme.hall", {}, { authorization: `Bearer ${plain}` });
  assert.deepEqual([status, test], ["ready", true]);
  assert.deepEqual(
    outputs.map(({ kind }: Answer["body"]) => kind),
    ["dry", "wet"],
  );
});

test("the kit hands named outputs out by kind", async () => {
  const limits = { seconds_min: 0.5, seconds_max: 60, bytes_max: 1_000_000 } as const;
  const action = defineAction({
    name: "acme.halves",
    wrapper: "halves",
    summary: "Give both halves of a recording",
    request: Type.Object({}),
    sources: { source: limits },
    echo: [],
    output: { first: "The first half", second: "The second half" },
    work: "dsp",
    seeded: false,
    level: "source",
    engine: "halves",
    loudness: "never",
    failures: [],
    examples: [{ source: { url: "https://example.com/a.wav" } }],
    cost: () => 1,
    process({ sources: { source } }) {
      const middle = source.channels[0]!.length >> 1;
      const part = (from: number, to?: number) => ({
        audio: { ...source, channels: source.channels.map((channel) => channel.slice(from, to)) },
      });
      return { first: part(0, middle), second: part(middle) };
    },
  });
  checkAction(action);
  const { outputs } = await runAction(action, {
    request: { source: { url: "https://example.com/a.wav" } },
    sources: { source: tone(440, 1) },
  });
  assert.deepEqual(
    outputs.map(({ kind, audio }) => [kind, audio.channels[0]!.length]),
    [
      ["first", 22050],
      ["second", 22050],
    ],
  );
});
