/** What a plugin made stays readable when it is no longer installed: by id, in lists, as downloads and in the dashboard. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { newApiKey } from "../../core/base/keys.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { entered } from "../dashboard/visitor.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, giveStackBack, ownerLink, startTestService, type TestService } from "../service.ts";

const KEY = newApiKey();
const made: string[] = [];
let data: string;
let tonwerk: TestService;
/** By action: the operation as it was told while its action was installed. */
const told = new Map<string, Answer["body"]>();

before(async () => {
  data = await mkdtemp(join(tmpdir(), "tonwerk-"));
  const surfaces = ["capabilities", "dashboard", "events", "files", "formats", "operator"];
  const [installed, without] = [await pluginFolder(surfaces), await pluginFolder(surfaces)];
  made.push(data, installed, without);
  await addAction(installed, "acme.copy", { loudness: '"optional"' });
  await addAction(installed, "acme.fails", {
    failures: '["too_plain"]',
    process: '({ fail }) => fail("too_plain", "It is too plain")',
  });
  await addAction(installed, "acme.report", { output: '"report"', process: "() => ({ report: { heard: true } })" });
  await addAction(installed, "acme.two", {
    output: '{ soft: "Softer", loud: "Louder" }',
    process: "({ sources: { source } }) => ({ soft: { audio: source }, loud: { audio: source } })",
  });
  await addAction(installed, "acme.takes", {
    output: '"variations"',
    seeded: "true",
    process: "({ sources: { source }, seeds }) => seeds.map(() => ({ audio: source }))",
  });
  await addAction(without, "other.copy");
  const start = (folder: string) =>
    startTestService({ data, env: { TONWERK_PLUGINS: folder, TONWERK_FIRST_KEY: KEY } });
  const before = await start(installed);
  const { body } = await before.json("PUT", "/v1/files", wav(tone(440, 1).channels));
  for (const [action, more] of Object.entries({
    "acme.copy": { note: "é", loudness: { target_lufs: -20 } },
    "acme.fails": {},
    "acme.report": {},
    "acme.two": {},
    "acme.takes": { n_variations: 2, seed: 9 },
  })) {
    const sent = { idempotency_key: randomUUID(), source: { url: body.file.url }, ...more };
    const submitted = await before.json("PUT", `/v1/${action}`, sent);
    const [first] = Object.values(submitted.body) as { id: string }[];
    for (;;) {
      const read = await before.json("GET", `/v1/operations/${first!.id}?wait=true`);
      if (read.body.operation.status === "processing") continue;
      told.set(action, read.body.operation);
      break;
    }
  }
  await before.stop();
  tonwerk = await start(without);
});
after(async () => {
  await tonwerk.stop();
  await Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true })));
  await giveStackBack(data);
});

/** Signed anew at each look. */
const unsigned = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (key === "url" || key === "expires_at" ? undefined : inner)),
  );

test("an operation of an action that is gone reads as it did, whatever it made", async () => {
  assert.equal(told.size, 5);
  for (const [action, before] of told) {
    const { status, body } = await tonwerk.json("GET", `/v1/operations/${before.id}`);
    assert.equal(status, 200, action);
    assert.deepEqual(unsigned(body.operation), unsigned(before), action);
  }
});

test("lists have them, and what they made can still be downloaded", async () => {
  const { body } = await tonwerk.json("GET", "/v1/operations?limit=10");
  assert.deepEqual(body.operations.map(({ action }: Answer["body"]) => action).sort(), [...told.keys()].sort());
  const ids = [...told.values()].map(({ id }) => id);
  const { body: some } = await tonwerk.json("GET", `/v1/operations?ids=${ids.join(",")}`);
  assert.deepEqual([some.operations.length, some.missing], [5, []]);
  const { body: one } = await tonwerk.json("GET", `/v1/operations/${told.get("acme.two").id}`);
  for (const { url } of [...one.operation.outputs, one.operation.archive]) {
    const { pathname, search } = new URL(url);
    const response = await tonwerk.call("GET", pathname + search);
    assert.equal(response.status, 200, pathname);
    assert.ok((await response.arrayBuffer()).byteLength > 1000);
  }
});

test("its events tell its end", async () => {
  const response = await tonwerk.call("GET", `/v1/operations/${told.get("acme.copy").id}/events`);
  assert.equal(response.status, 200);
  const text = await response.text();
  assert.match(text, /event: ready/u);
  assert.match(text, new RegExp(told.get("acme.copy").id, "u"));
});

test("a stranger sees none of them, and nobody can submit another", async () => {
  const { status } = await tonwerk.json("PUT", "/v1/acme.copy", { idempotency_key: randomUUID() });
  assert.equal(status, 404);
  const other = await tonwerk.call("GET", `/v1/operations/${told.get("acme.copy").id}`, undefined, {
    authorization: "Bearer nobody",
  });
  assert.equal(other.status, 401);
});

test("the dashboard shows them, without a way to do them again", async () => {
  const owner = await entered(
    tonwerk,
    await ownerLink(tonwerk.service, told.size > 0 ? await accountId() : ""),
    "owner@example.com",
  );
  const page = await owner.text(`/operations/${told.get("acme.two").id}`);
  assert.match(page, /acme\.two, which is no longer served here/u);
  assert.match(page, /aria-label="Soft"/u);
  assert.doesNotMatch(page, /\/playground\/acme\.two|As code/u);
  assert.match(await owner.text(`/operations/${told.get("acme.report").id}`), /Heard/u);
  assert.match(
    await owner.text("/operations"),
    new RegExp(`href="[^"]*/operations/${told.get("acme.takes").id}"`, "u"),
  );
});

const accountId = async (): Promise<string> => (await tonwerk.json("GET", "/v1/account")).body.account.id;
