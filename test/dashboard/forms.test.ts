/** Forms follow from declarations, also from those of plugins that nobody here has seen. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import type { Registry } from "../../core/actions/registered.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import { type Field, formOf } from "../../plugins/dashboard/forms/fields.ts";
import { bodyOf, valuesOf } from "../../plugins/dashboard/forms/read.ts";
import { renderForm } from "../../plugins/dashboard/forms/render.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { ownerLink, startTestService, type TestService } from "../service.ts";
import { entered } from "./visitor.ts";

let folder: string;
let registry: Registry;
let tonwerk: TestService;

before(async () => {
  folder = await pluginFolder();
  // The eleventh action, with a field of every kind that a declaration may have.
  await addAction(folder, "acme.everything", {
    summary: '"Take one of everything that can be declared"',
    request: `Type.Object({
      title: Type.String({ maxLength: 80, description: "A name" }),
      story: Type.Optional(Type.String({ maxLength: 5000 })),
      amount: Type.Number({ minimum: 0.5, maximum: 3 }),
      count: Type.Optional(Type.Integer({ minimum: 1 })),
      loud: Type.Boolean({ default: true }),
      maybe: Type.Optional(Type.Boolean()),
      mood: Type.Union([Type.Literal("calm"), Type.Literal("wild")]),
      level: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2)])),
      nested: Type.Optional(Type.Object({ depth_db: Type.Number(), inner: Type.Object({ on: Type.Boolean({ default: false }) }) })),
      tags: Type.Optional(Type.Array(Type.String({ maxLength: 10 }))),
      parts: Type.Optional(Type.Array(Type.Union([Type.Literal("drums"), Type.Literal("bass")]))),
      note: Type.Optional(Type.Union([Type.String({ maxLength: 20 }), Type.Null()])),
    })`,
    echo: '["title"]',
    examples: '[{ title: "t", amount: 1, mood: "calm", loud: true, source: { url: "https://example.com/a.wav" } }]',
    cost: "({ amount }) => Math.ceil(amount)",
  });
  registry = await loadRegistry(["./plugins", folder], new URL("../../", import.meta.url).href);
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: `./plugins,${folder}` } });
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

const everything = () => formOf(registry.actions.get("acme.everything")!);
const field = (name: string): Field => everything().fields.find(({ path }) => path[0] === name)!;

test("every kind of field has its widget", () => {
  const kinds = Object.fromEntries(everything().fields.map(({ path, kind, required }) => [path[0], [kind, required]]));
  assert.deepEqual(kinds, {
    title: ["text", true],
    story: ["text", false],
    amount: ["number", true],
    count: ["number", false],
    loud: ["switch", false],
    maybe: ["choice", false],
    mood: ["choice", true],
    level: ["choice", false],
    nested: ["group", false],
    tags: ["json", false],
    parts: ["set", false],
    note: ["text", false],
    source: ["audio", true],
    callback_url: ["text", false],
    metadata: ["pairs", false],
    timeout_seconds: ["number", false],
  });
  const amount = field("amount");
  assert.ok(amount.kind === "number" && amount.minimum === 0.5 && amount.maximum === 3 && !amount.whole);
  const story = field("story");
  assert.ok(story.kind === "text" && story.lines === "many" && story.characters_max === 5000);
  const mood = field("mood");
  assert.deepEqual(mood.kind === "choice" && mood.options, ["calm", "wild"]);
});

test("what is typed becomes the body that a program would send", () => {
  const form = everything();
  const read = (values: Record<string, string>) =>
    bodyOf(form, new Map(Object.entries(values)), { source: "https://example.com/a" });
  assert.deepEqual(read({}), { loud: false, source: { url: "https://example.com/a" } });
  assert.deepEqual(
    read({
      "f.title": " spaces stay ",
      "f.amount": " 1.5 ",
      "f.count": "3",
      "f.loud": "on",
      "f.maybe": "false",
      "f.mood": '"wild"',
      "f.level": "2",
      "f.nested.__on": "on",
      "f.nested.depth_db": "-6",
      "f.nested.inner.on": "on",
      "f.tags": '["a", "b"]',
      "f.parts.bass": "on",
      "f.metadata.0.key": "project",
      "f.metadata.0.value": "film",
      "f.metadata.1.key": "",
      "f.metadata.1.value": " ",
      "f.metadata.2.key": " a key ",
      "f.metadata.2.value": "",
    }),
    {
      title: " spaces stay ",
      amount: 1.5,
      count: 3,
      loud: true,
      maybe: false,
      mood: "wild",
      level: 2,
      nested: { depth_db: -6, inner: { on: true } },
      tags: ["a", "b"],
      parts: ["bass"],
      metadata: { project: "film", "a key": "" },
      source: { url: "https://example.com/a" },
    },
  );
  const metadata = { project: "film", take: "3" };
  assert.deepEqual(bodyOf(form, valuesOf(form, { metadata }), {}), { loud: true, metadata });
  // What is none stays what it is, for the validator to say so at its place.
  assert.deepEqual(read({ "f.amount": "9,5", "f.count": "0x10", "f.mood": "purple", "f.tags": "[1" }), {
    amount: "9,5",
    count: "0x10",
    loud: false,
    mood: "purple",
    tags: "[1",
    source: { url: "https://example.com/a" },
  });
});

test("every action's examples come back from its form as they went in", () => {
  for (const [name, registered] of registry.actions) {
    const form = formOf(registered);
    for (const example of registered.action.examples as readonly Record<string, unknown>[]) {
      const urls = Object.fromEntries(
        Object.keys(registered.action.sources).flatMap((source) => {
          const given = example[source] as { url: string } | undefined;
          return given === undefined ? [] : [[source, given.url]];
        }),
      );
      const body = bodyOf(form, valuesOf(form, example), urls);
      const [sent, meant] = [body, example].map((one) => registered.schema.validate(one, { dry_run: true }));
      assert.ok(sent!.ok && meant!.ok, `${name}: ${JSON.stringify(sent)}`);
      assert.deepEqual(sent!.ok && sent!.value, meant!.ok && meant!.value, name);
    }
  }
});

test("a form escapes what it is filled with and names what is wrong at its field", () => {
  const nasty = `"><script>alert(1)</script>`;
  const values = new Map(
    everything().fields.flatMap(
      ({ name }) =>
        [
          [name, nasty],
          [`${name}.url`, nasty],
          [`${name}.0.key`, nasty],
          [`${name}.0.value`, nasty],
          [`${name}.result`, nasty],
        ] as [string, string][],
    ),
  );
  const problems = new Map([
    ["title", nasty],
    ["nested.depth_db", "too deep"],
  ]);
  const brought = new Map([["source", { upload_id: nasty, name: nasty, seconds: 1, play: "/x" }]]);
  const offered = { value: nasty, title: nasty, words: nasty, seconds: 1, when: nasty, play: nasty };
  const { text } = renderForm(everything(), {
    values,
    problems,
    brought,
    choices: { results: { offered: [offered], older: null } },
  });
  assert.ok(!text.includes("<script>"));
  assert.match(text, /aria-describedby="f-title-help f-title-problem" aria-invalid="true"/u);
  assert.match(text, /<details open>[\s\S]*too deep|too deep/u);
});

test("the eleventh action has a form that prices and submits", async () => {
  const owner = await entered(tonwerk, await ownerLink(tonwerk.service), "owner@example.com");
  assert.match(await owner.text("/playground"), /acme\.everything/u);
  const page = await owner.text("/playground/acme.everything");
  assert.match(page, /Take one of everything that can be declared/u);
  const path = "/playground/acme.everything";
  const priced = await owner.post(`${path}/price`, { "f.title": "t", "f.amount": "2.2", "f.mood": '"calm"' }, path);
  const { code, ...told } = (await priced.json()) as { code: readonly { readonly text: string }[] };
  assert.deepEqual(told, { cost: 3, balance: 1000, sufficient: true });
  assert.ok(
    code.every(({ text }) => text.includes("everything")),
    "as code, too",
  );
  const values = {
    "f.title": "t",
    "f.amount": "7",
    "f.mood": '"calm"',
    "f.source.url": "http://example.com/a.wav",
    intent: "run",
  };
  const refused = await owner.post(path, values);
  assert.equal(refused.status, 422);
  const said = await refused.text();
  assert.match(said, /id="f-amount-problem"/u);
  assert.match(said, /value="http:\/\/example\.com\/a\.wav"/u, "nothing that was typed is lost");
  const idempotency_key = "8a1b0c6e-3a56-4b63-9c8f-0123456789ab";
  const sound = { ...values, "f.amount": "1", "f.source.url": "https://audio.invalid/a.wav", idempotency_key };
  const first = await owner.post(path, sound);
  assert.equal(first.status, 303, await first.text());
  assert.match(first.headers.get("location") ?? "", /\/dashboard\/operations\/op_/u);
  // Sent twice, made once.
  assert.equal((await owner.post(path, sound)).headers.get("location"), first.headers.get("location"));
});

test("a list of sources is one address a line, there and back", () => {
  const form = formOf(registry.actions.get("adapt.normalise_loudness")!);
  const album = [{ url: "https://example.com/1.flac" }, { url: "https://example.com/2.flac" }];
  const values = valuesOf(form, { album });
  assert.equal(values.get("f.album"), "https://example.com/1.flac\nhttps://example.com/2.flac");
  values.set("f.album", "https://example.com/1.flac\r\n\r\n https://example.com/2.flac \r\n");
  assert.deepEqual(bodyOf(form, values, {}).album, album);
  const problems = new Map([["album.1", "Must be an https URL"]]);
  const page = String(
    renderForm(form, { values, problems, brought: new Map(), choices: { results: { offered: [], older: null } } }),
  );
  assert.match(page, /<textarea[^>]+name="f\.album"/u);
  assert.match(page, /Line 2: Must be an https URL/u);
});

test("the form tells what its words will be heard as, with script and without", async () => {
  const owner = await entered(tonwerk, await ownerLink(tonwerk.service), "listener@example.com");
  const path = "/playground/create.new_fx";
  const values = { "f.prompt": "two knocks on a wooden door, no rain, <b>zorble</b>" };
  const ask = async () =>
    (await (await owner.post(`${path}/price`, values, path)).json()) as {
      cost: number;
      heard: readonly { readonly title: string; readonly texts: readonly string[] }[];
    };
  let { cost, heard } = await ask();
  // Nothing is told where a busy machine took more than five seconds to load what reads words.
  while (heard.length === 0) ({ cost, heard } = await ask());
  assert.equal(cost, 3);
  const texts = new Map(heard.map(({ title, texts: told }) => [title, told]));
  assert.deepEqual(texts.get("Taken"), ["knock, material wood, count 2, said knocks door"]);
  assert.deepEqual(texts.get("Without"), ["rain"]);
  const page = await (await owner.post(path, { ...values, intent: "price" })).text();
  assert.match(page, /Will be heard as[\s\S]*knock, material wood, count 2/u);
  assert.ok(!page.includes("<b>zorble"), "words are no markup");
  // Where nothing was written yet, there is nothing to be told.
  assert.match(await owner.text(path), /<section data-heard [^>]*hidden/u);
  const silent = await (await owner.post(`${path}/price`, { "f.prompt": "" }, path)).json();
  const { missing, cost: cost_before } = silent as { readonly missing: string; readonly cost: number };
  assert.equal(missing, "Fill in prompt.", "the form's word for it, and none of the API's");
  assert.equal(cost_before, 3, "the price is there before anything is typed");
  assert.match(await owner.text(path), /data-cost[^>]*>Costs 3 credits\. You have/u);
  assert.ok(!(await owner.text("/playground/adapt.auto_duck")).includes("data-heard"));
});

test("what an action is about is in sight, and mistakes are called as the form calls them", async () => {
  const owner = await entered(tonwerk, await ownerLink(tonwerk.service), "about@example.com");
  const path = "/playground/adapt.normalise_loudness";
  const [before_fold = ""] = (await owner.text(path)).split("<summary>More");
  assert.match(before_fold, /<legend>Loudness<\/legend>/u);
  const wrong = {
    "f.source.url": "https://audio.invalid/a.wav",
    "f.loudness.__on": "on",
    "f.loudness.target_lufs": "7",
  };
  const page = await (await owner.post(path, { ...wrong, intent: "run" }, path)).text();
  assert.match(page, /<a href="#f-loudness-target_lufs">Loudness, Target \(LUFS\)<\/a>/u);
  assert.match(page, /id="f-loudness-target_lufs"/u);
});
