/** Operations by id, whatever their action: one, and many at once; and lists by action, status and time. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, adminOf, startTestService, type TestService } from "../service.ts";

const SLOW_MS = 700;

let tonwerk: TestService;
let folder: string;
let url: string;
/** Ready ones, oldest first: quick, failing, quick. */
let ids: readonly string[];

before(async () => {
  folder = await pluginFolder();
  await addAction(folder, "test.quick", {
    process: '({ sources }) => ({ audio: sources.source, engine: "copy", report: { beats: [1, 2] } })',
  });
  await addAction(folder, "test.failing", { process: '({ fail }) => fail("never", "Never")', failures: '["never"]' });
  await addAction(folder, "test.slow", {
    process: `async ({ sources }) => {
      await new Promise((done) => setTimeout(done, ${SLOW_MS}));
      return { audio: sources.source };
    }`,
  });
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder, TONWERK_WORKERS: "2" } });
  url = (await tonwerk.json("PUT", "/v1/files", wav(tone(440, 0.5, { channels: 1 }).channels))).body.file.url;
  ids = [await submit("test.quick"), await submit("test.failing"), await submit("test.quick")];
  for (const id of ids) await tonwerk.json("GET", `/v1/operations/${id}?wait=true`);
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

async function submit(action: string): Promise<string> {
  const { body } = await tonwerk.json("PUT", `/v1/${action}`, { idempotency_key: randomUUID(), source: { url } });
  return body[action.replace(".", "_")].id;
}
const get = (path: string): Promise<Answer> => tonwerk.json("GET", path);
const idsOf = ({ body }: Answer): string[] => body.operations.map(({ id }: { id: string }) => id);

test("an operation is read by its id alone, as its action's GET has it", async () => {
  const [id] = ids;
  const { status, body } = await get(`/v1/operations/${id}`);
  assert.equal(status, 200);
  const { action, ...operation } = body.operation;
  assert.equal(action, "test.quick");
  assert.deepEqual(operation, (await get(`/v1/test.quick?id=${id}`)).body.test_quick);
  assert.deepEqual(operation.output.report, { beats: [1, 2] });
});

test("what is unknown, another account's or no id is one 404; what is no parameter a 422", async () => {
  const { key: theirs } = await adminOf(tonwerk.service).createAccount({ name: "other", credits: 10 });
  const key = theirs.plain;
  const foreign = await tonwerk.json("GET", `/v1/operations/${ids[0]}`, undefined, { authorization: `Bearer ${key}` });
  const unknown = await get(`/v1/operations/op_${"0".repeat(26)}`);
  for (const { status, body } of [foreign, unknown, await get("/v1/operations/song")]) {
    assert.equal(status, 404);
    assert.deepEqual(body, unknown.body);
  }
  assert.equal((await get(`/v1/operations/${ids[0]}?id=${ids[0]}`)).status, 422);
  const many = await tonwerk.json("GET", `/v1/operations?ids=${ids}`, undefined, { authorization: `Bearer ${key}` });
  assert.deepEqual([many.body.operations, many.body.missing], [[], ids]);
});

test("wait=true answers with the end of an operation of any action", async () => {
  const began = performance.now();
  const { body } = await get(`/v1/operations/${await submit("test.slow")}?wait=true`);
  assert.equal(body.operation.status, "ready");
  assert.ok(performance.now() - began > SLOW_MS / 2);
});

test("Prefer: wait answers a submission with its end, as far as it may wait", async () => {
  const put = (action: string, prefer: string, idempotency_key = randomUUID()) =>
    tonwerk.json("PUT", `/v1/${action}`, { idempotency_key, source: { url } }, { prefer });
  const key = randomUUID();
  const ready = await put("test.slow", "wait=99", key);
  assert.deepEqual([ready.body.test_slow.status, ready.headers.get("preference-applied")], ["ready", "wait=20"]);
  const again = await put("test.slow", 'respond-async, wait="5"', key);
  assert.deepEqual([again.body.test_slow.status, again.headers.get("idempotent-replayed")], ["ready", "true"]);
  assert.deepEqual(again.body.test_slow.id, ready.body.test_slow.id);
  for (const prefer of ["wait=0", "wait=soon", "nowait=5", "return=minimal"]) {
    const { status, body, headers } = await put("test.slow", prefer);
    assert.deepEqual(
      [status, body.test_slow.status, headers.get("preference-applied")],
      [200, "processing", null],
      prefer,
    );
  }
  const dry = await tonwerk.json("PUT", "/v1/test.slow?dry_run=true", { source: { url } }, { prefer: "wait=5" });
  assert.equal(dry.body.cost, 1);
  // Not refused where the account waits too often: the operation is accepted.
  const { id } = (await get("/v1/account")).body.account;
  await adminOf(tonwerk.service).updateSettings(id, { long_polls: 1 });
  const waiting = get(`/v1/operations/${await submit("test.slow")}?wait=true`);
  const late = await put("test.slow", "wait=5");
  assert.deepEqual([late.status, late.body.test_slow.status], [200, "processing"]);
  await waiting;
  await adminOf(tonwerk.service).updateSettings(id, { long_polls: null });
});

test("many are read at once, in the order asked for, without reports unless these are", async () => {
  const unknown = `op_${"0".repeat(26)}`;
  const asked = [ids[2], ids[0], unknown, ids[1]];
  const brief = await get(`/v1/operations?ids=${asked}`);
  assert.deepEqual(idsOf(brief), [ids[2], ids[0], ids[1]]);
  assert.deepEqual([brief.body.missing, brief.body.next_cursor], [[unknown], null]);
  assert.ok(!("report" in brief.body.operations[0].output));
  const whole = await get(`/v1/operations?ids=${asked}&expand=report`);
  assert.deepEqual(whole.body.operations[0].output.report, { beats: [1, 2] });
});

test("many are waited for as one long-poll, until the last has ended", async () => {
  const { id } = (await get("/v1/account")).body.account;
  await adminOf(tonwerk.service).updateSettings(id, { long_polls: 1 });
  const waited = [await submit("test.slow"), await submit("test.slow"), await submit("test.quick"), ids[1]];
  const both = get(`/v1/operations?ids=${waited}&wait=true`);
  const refused = await get(`/v1/operations?ids=${waited}&wait=true`);
  assert.equal(refused.status, 429);
  assert.equal(refused.body.code, "too_many_long_polls");
  // When the one that is open has been answered at the latest.
  assert.match(refused.headers.get("retry-after") ?? "", /^(?:19|20)$/);
  const { body } = await both;
  assert.deepEqual(
    body.operations.map((one: Answer["body"]) => [one.id, one.status]),
    waited.map((id) => [id, id === ids[1] ? "failed" : "ready"]),
  );
  assert.equal(tonwerk.service.waiters.open, 0);
  await adminOf(tonwerk.service).updateSettings(id, { long_polls: null });
});

test("ids go with nothing that chooses, each once, at most 100 and 10 with reports", async () => {
  const hundred = (count: number) => Array.from({ length: count }, (_, n) => `op_${String(n).padStart(26, "0")}`);
  assert.equal((await get(`/v1/operations?ids=${hundred(100)}`)).body.missing.length, 100);
  const refusals: readonly [string, string][] = [
    [`ids=${hundred(101)}`, "ids"],
    [`ids=${hundred(11)}&expand=report`, "ids"],
    [`ids=${ids[0]},${ids[0]}`, "ids"],
    [`ids=${ids[0]},`, "ids"],
    [`ids=${ids[0]}&limit=5`, "limit"],
    [`ids=${ids[0]}&status=ready`, "status"],
    ["wait=true", "wait"],
    ["status=ready,done", "status"],
    ["action=", "action"],
    ["created_after=yesterday", "created_after"],
    ["created_before=2026-13-01T00:00:00Z", "created_before"],
  ];
  for (const [query, name] of refusals) {
    const { status, body } = await get(`/v1/operations?${query}`);
    assert.equal(status, 422, query);
    assert.deepEqual(body.detail[0].loc, ["query", name], query);
  }
});

test("a list takes several actions and statuses, and times of creation", async () => {
  const listed = async (query: string) => {
    const found = idsOf(await get(`/v1/operations?limit=100&${query}`));
    return ids.filter((id) => found.includes(id));
  };
  assert.deepEqual(await listed("action=test.quick,test.failing"), ids);
  assert.deepEqual(await listed("action=test.quick"), [ids[0], ids[2]]);
  assert.deepEqual(await listed("action=test.slow,test.failing&status=ready,failed"), [ids[1]]);
  assert.deepEqual(await listed("status=processing"), []);
  const { created_at } = (await get(`/v1/operations/${ids[1]}`)).body.operation;
  const { created_at: later } = (await get(`/v1/operations/${ids[2]}`)).body.operation;
  assert.ok((await listed(`created_after=${created_at}`)).includes(ids[1]!));
  assert.ok(!(await listed(`created_before=${created_at}`)).includes(ids[1]!));
  assert.ok(!(await listed(`created_after=${new Date(Date.parse(later) + 1).toISOString()}`)).includes(ids[2]!));
  const zoned = new Date(Date.parse(later) + 7_200_000 + 1).toISOString().replace("Z", "%2B02:00");
  assert.deepEqual(await listed(`created_before=${zoned}`), ids);
  // Pages keep to the times.
  const page = await get(`/v1/operations?limit=1&action=test.quick&created_before=${zoned}`);
  const next = await get(
    `/v1/operations?limit=1&action=test.quick&created_before=${zoned}&cursor=${page.body.next_cursor}`,
  );
  assert.deepEqual([...idsOf(page), ...idsOf(next)].slice(0, 2).length, 2);
  assert.notEqual(idsOf(page)[0], idsOf(next)[0]);
});
