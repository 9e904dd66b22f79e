/** `GET /v1/operations`: lists leave reports out, and bring them where they are asked for. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";

const COUNT = 12;
/** Like a long song's. */
const NUMBERS = 20_000;

let tonwerk: TestService;
let folder: string;

before(async () => {
  folder = await pluginFolder(["docs", "files"]);
  await addAction(folder, "test.long", {
    process: `({ sources }) => {
      const beats = Array.from({ length: ${NUMBERS} }, (_, n) => n / 2);
      return { audio: sources.source, engine: "copy", report: { beats } };
    }`,
  });
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder, TONWERK_WORKERS: "2" } });
  const sound = wav(tone(440, 0.5, { channels: 1 }).channels);
  const { url } = (await tonwerk.json("PUT", "/v1/files", sound)).body.file;
  const ids = [];
  for (let n = 0; n < COUNT; n++) {
    const { body } = await tonwerk.json("PUT", "/v1/test.long", { idempotency_key: randomUUID(), source: { url } });
    ids.push(body.test_long.id);
  }
  for (const id of ids) await tonwerk.json("GET", `/v1/test.long?id=${id}&wait=true`);
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

const list = (query: string): Promise<Answer> => tonwerk.json("GET", `/v1/operations${query}`);

test("a list has outputs without reports; the operation has them", async () => {
  const { status, body } = await list("");
  assert.equal(status, 200);
  assert.equal(body.operations.length, COUNT);
  for (const { id, action, output, ...others } of body.operations) {
    assert.equal(others.status, "ready", JSON.stringify(others.error));
    const whole = (await tonwerk.json("GET", `/v1/${action}?id=${id}`)).body.test_long;
    assert.equal(whole.output.report.beats.length, NUMBERS);
    const { report: _, ...listed } = whole.output;
    assert.deepEqual(output, listed);
  }
  assert.ok(JSON.stringify(body).length < COUNT * 2_000);
});

test("expand=report brings the reports, ten operations a page", async () => {
  const first = await list("?expand=report");
  assert.equal(first.body.operations.length, 10);
  const second = await list(`?expand=report&limit=10&cursor=${first.body.next_cursor}`);
  assert.equal(second.body.operations.length, COUNT - 10);
  assert.equal(second.body.next_cursor, null);
  for (const { output } of [...first.body.operations, ...second.body.operations])
    assert.equal(output.report.beats.length, NUMBERS);
  assert.equal((await list("?expand=report&limit=3&status=ready")).body.operations.length, 3);
});

test("more than ten a page with reports, and other expansions, are refused", async () => {
  const { status, body } = await list("?expand=report&limit=11");
  assert.equal(status, 422);
  assert.deepEqual([body.detail[0].loc, body.detail[0].type], [["query", "limit"], "less_than_equal"]);
  assert.equal((await list("?expand=outputs")).status, 422);
  assert.equal((await list("?expand=report&expand=report")).status, 422);
  const document = (await tonwerk.json("GET", "/openapi.json")).body;
  const names = document.paths["/v1/operations"].get.parameters.map(({ name }: { name: string }) => name);
  assert.ok(names.includes("expand"));
});
