/** Actions whose output is a report without audio: `analyse.track` as clients meet it, and what an author may do wrong. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { entered } from "../dashboard/visitor.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { ownerLink, startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
let folder: string;
let source: { readonly url: string };
/** Of `analyse.track`, with what was said first. */
let analysed: Awaited<ReturnType<typeof perform>>;
const SONG = new URL("../../examples/song.flac", import.meta.url);

before(async () => {
  folder = await pluginFolder([]);
  const report = { output: '"report"' };
  await addAction(folder, "acme.count", {
    ...report,
    process: "({ sources }) => ({ report: { channels: sources.source.channels.length } })",
  });
  await addAction(folder, "acme.audio", {
    ...report,
    process: "({ sources }) => ({ report: {}, audio: sources.source })",
  });
  await addAction(folder, "acme.list", { ...report, process: "() => ({ report: [] })" });
  await addAction(folder, "acme.nothing", { ...report, process: "() => undefined" });
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: `./plugins,${folder}` } });
  source = await tonwerk.upload(new Uint8Array(await readFile(SONG)));
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

async function perform(action: string, more: object = {}) {
  const body = { idempotency_key: randomUUID(), source, ...more };
  const submitted = await tonwerk.json("PUT", `/v1/${action}`, body);
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body));
  const [wrapper, first] = Object.entries(submitted.body)[0] as [string, { id: string }];
  for (;;) {
    const { body } = await tonwerk.json("GET", `/v1/${action}?id=${first.id}&wait=true`);
    if (body[wrapper].status !== "processing") return { first, ended: body[wrapper] };
  }
}

test("analyse.track answers with a report and without audio", async () => {
  const { credits } = (await tonwerk.json("GET", "/v1/account")).body.account;
  analysed = await perform("analyse.track");
  const { first, ended } = analysed;
  const held = Object.keys(ended);
  assert.deepEqual(
    ["engine", "report", "output", "outputs", "archive"].filter((name) => held.includes(name)),
    ["engine", "report"],
  );
  assert.deepEqual(
    [first, ended].map(({ engine }) => engine),
    [null, "analyse"],
  );
  assert.equal((first as { report?: unknown }).report, null);
  assert.deepEqual([ended.status, ended.error, ended.cost], ["ready", null, 2]);
  assert.ok(ended.report.beats.length > 10 && ended.report.loudness.integrated_lufs < 0);
  assert.equal((await tonwerk.json("GET", "/v1/account")).body.account.credits, credits - 2);
});

test("lists leave the report out, and give it where they are expanded", async () => {
  const { ended } = await perform("acme.count");
  assert.deepEqual(ended.report, { channels: 2 });
  const listed = async (query: string) =>
    (await tonwerk.json("GET", `/v1/operations?${query}`)).body.operations.find(
      ({ id }: { id: string }) => id === ended.id,
    );
  for (const query of ["limit=10", `ids=${ended.id}`]) {
    const plain = await listed(query);
    assert.deepEqual([plain.engine, "report" in plain], ["copy", false]);
    assert.deepEqual((await listed(`${query}&expand=report`)).report, { channels: 2 });
  }
});

test("a report fails, is cancelled and is priced as all else", async () => {
  const dry = await tonwerk.json("PUT", "/v1/analyse.track?dry_run=true", { source });
  assert.equal(dry.body.cost, 2);
  const short = await perform("analyse.track", { source: { url: "https://audio.invalid/a.wav" } });
  assert.deepEqual([short.ended.status, short.ended.report, short.ended.engine], ["failed", null, null]);
  assert.equal(short.ended.error.code, "source_unreachable");
  assert.equal(short.ended.refunded, 2);
});

test("what is no report ends as a fault of the plugin, and nothing of it is delivered", async () => {
  for (const name of ["acme.audio", "acme.list", "acme.nothing"]) {
    const { ended } = await perform(name);
    assert.deepEqual([ended.status, ended.error.code, ended.report], ["failed", "internal_error", null], name);
  }
});

test("the document, capabilities and the dashboard know of reports", async () => {
  const { body: document } = await tonwerk.json("GET", "/openapi.json");
  const { report, output, outputs } = document.components.schemas.AnalysisOperation.properties;
  assert.deepEqual([output, outputs], [undefined, undefined]);
  assert.match(JSON.stringify(report), /#\/components\/schemas\/AnalysisReport/u);
  const { actions } = (await tonwerk.json("GET", "/v1/capabilities")).body;
  const listed = actions.find(({ name }: { name: string }) => name === "analyse.track");
  assert.deepEqual([listed.output, listed.resource, listed.cost], ["report", "analyses", 2]);

  const owner = await entered(tonwerk, await ownerLink(tonwerk.service), "owner@example.com");
  const { ended } = analysed;
  const page = await owner.text(`/operations/${ended.id}`);
  assert.match(page, /<h2>Report<\/h2>/u);
  assert.match(page, /<dt>Integrated \(LUFS\)<\/dt>/u);
  assert.match(page, new RegExp(ended.report.key, "u"));
  assert.match(page, /class="track"[^>]*aria-label="Source"/u, "the source can be heard");
  assert.ok(!page.includes("/outputs/0/"), "there is no audio to play or download");
  assert.equal((await owner.get(`/operations/${ended.id}/outputs/0/audio`)).status, 404);
  assert.equal((await owner.get("/")).status, 200);
  assert.match(await owner.text("/playground/analyse.track"), /Report loudness/u);
  const chooser = await owner.text("/playground/adapt.normalise_loudness");
  assert.ok(!chooser.includes(`${ended.id}:0`), "no source for another action");
});
