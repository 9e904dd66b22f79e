/**
 * What a request says of its operation beside the audio: metadata, a time limit, which events its webhook tells; and
 * how the webhook fares.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { submission } from "../adapters/store/fixtures.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, giveStackBack, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

const PLAIN = { request: "Type.Object({})", sources: "{}", echo: "[]", examples: "[{}]" };
/** The report says what the action was given. */
const TONE = `({ request }) => ({
  audio: { sample_rate: 44100, channels: [Float32Array.from({ length: 4410 }, (_, at) => 0.1 * Math.sin(at / 20))] },
  engine: "sine",
  report: { request },
})`;
const SLOW = `async ({ signal }) => {
  while (!signal.aborted) {
    for (const until = Date.now() + 3; Date.now() < until; );
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw signal.reason;
}`;

let folder: string;
let tonwerk: TestService;
const start = (data?: string): Promise<TestService> =>
  startTestService({
    env: { TONWERK_PLUGINS: folder, TONWERK_WORKERS: "1", TONWERK_PRIVATE_HOSTS: "127.0.0.1" },
    ...(data === undefined ? {} : { data }),
  });
before(async () => {
  folder = await pluginFolder(["docs"]);
  await addAction(folder, "test.tone", { ...PLAIN, process: TONE });
  await addAction(folder, "test.slow", { ...PLAIN, process: SLOW });
  tonwerk = await start();
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

const put = (action: string, fields: object, to = tonwerk): Promise<Answer> =>
  to.json("PUT", `/v1/${action}`, { idempotency_key: randomUUID(), ...fields });
async function submit(action: string, fields: object, to = tonwerk): Promise<string> {
  const { status, body } = await put(action, fields, to);
  assert.equal(status, 200, JSON.stringify(body));
  return body[action.replace(".", "_")].id;
}
const read = async (id: string, to = tonwerk) => (await to.json("GET", `/v1/operations/${id}`)).body.operation;
const ended = async (id: string, to = tonwerk) =>
  (await to.json("GET", `/v1/operations/${id}?wait=true`)).body.operation;
const list = (query: string): Promise<Answer> => tonwerk.json("GET", `/v1/operations?${query}`);
const idsOf = ({ body }: Answer): string[] => body.operations.map(({ id }: { id: string }) => id);
const cancel = (id: string) => tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id });
/** A receiver that answers as `play` says and notes the types and bodies that come. */
async function listen(play: (type: string) => Promise<number> | number = () => 204) {
  const seen: { type: string; body: string }[] = [];
  const server = createServer((request, response) => {
    const pieces: Uint8Array[] = [];
    request.on("data", (piece: Uint8Array) => pieces.push(piece));
    request.on("end", async () => {
      const type = String(request.headers["webhook-type"]);
      seen.push({ type, body: Buffer.concat(pieces).toString() });
      response.writeHead(await play(type)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { seen, types: () => seen.map(({ type }) => type), url: `http://127.0.0.1:${address.port}/hook`, close };
}

test("metadata is on the first answer, the operation, lists and the webhook, and the engine does not see it", async () => {
  const receiver = await listen();
  const metadata = { project: "intro", "take:2": "\u{1F3B5} ü", empty: "" };
  const first = await put("test.tone", { metadata, callback_url: receiver.url });
  assert.deepEqual(first.body.test_tone.metadata, metadata);
  const { id } = first.body.test_tone;
  const operation = await ended(id);
  assert.equal(operation.status, "ready", JSON.stringify(operation.error));
  assert.deepEqual(operation.metadata, metadata);
  assert.deepEqual(operation.output.report, { request: {} });
  assert.deepEqual((await list(`ids=${id}`)).body.operations[0].metadata, metadata);
  await until(() => receiver.seen.length === 1);
  const told = JSON.parse(receiver.seen[0]!.body).test_tone;
  assert.deepEqual(told.metadata, metadata);
  assert.equal("webhook" in told, false);
  assert.deepEqual((await put("test.tone", {})).body.test_tone.metadata, {});
  await receiver.close();
});

test("lists are filtered by pairs of metadata, all of which must hold", async () => {
  const key = randomUUID();
  const add = (take: string, action = "test.tone") => submit(action, { metadata: { key, take } });
  const [one, two, three] = [await add("1"), await add("2"), await add("1")];
  await ended(three);
  assert.deepEqual(idsOf(await list(`metadata[key]=${key}`)), [three, two, one]);
  assert.deepEqual(idsOf(await list(`metadata%5Bkey%5D=${key}&metadata[take]=1`)), [three, one]);
  assert.deepEqual(idsOf(await list(`metadata[key]=${key}&metadata[take]=3`)), []);
  assert.deepEqual(idsOf(await list(`metadata[key]=${key}&status=failed`)), []);
  assert.deepEqual(idsOf(await list(`metadata[key]=${key}&action=test.tone&status=ready,processing`)).length, 3);
  const page = await list(`metadata[key]=${key}&limit=2`);
  assert.deepEqual(idsOf(page), [three, two]);
  assert.deepEqual(idsOf(await list(`metadata[key]=${key}&limit=2&cursor=${page.body.next_cursor}`)), [one]);
  for (const [query, loc] of [
    ["metadata[]=1", ["query", "metadata", ""]],
    ["metadata[a b]=1", ["query", "metadata", "a b"]],
    ["metadata=1", ["query", "metadata"]],
    ["metadata[a]=1&metadata=1", ["query", "metadata"]],
    ["metadata[a]=1&metadata[a]=2", ["query", "metadata[a]"]],
    [`metadata[a]=${"x".repeat(513)}`, ["query", "metadata"]],
    [`ids=${one}&metadata[a]=1`, ["query", "metadata"]],
    ["limit[a]=1", ["query", "limit[a]"]],
    [Array.from({ length: 11 }, (_, n) => `metadata[k${n}]=1`).join("&"), ["query", "metadata"]],
  ] as const) {
    const { status, body } = await list(query);
    assert.equal(status, 422, query);
    assert.deepEqual(body.detail[0].loc, loc, query);
  }
});

test("a page of a list by metadata looks at a thousand operations, and the next goes on from there", async () => {
  const { store, first } = tonwerk.service;
  const account = first!.account_id;
  const key = randomUUID();
  const now = Date.now();
  // Work that nobody here does.
  const add = (n: number, metadata: Readonly<Record<string, string>>) => {
    const id = `op_${key.replaceAll("-", "").slice(0, 20)}${String(n).padStart(6, "0")}`;
    const request = JSON.stringify({ metadata, fields: {}, loudness: null, seed: 0 });
    return store.submit(submission(account, now, { id, metadata, request, action: "test.tone", work: "gpu", cost: 0 }));
  };
  await add(0, { key, rare: "yes" });
  await Promise.all(Array.from({ length: 1_004 }, (_, n) => add(n + 1, { key })));
  const empty = await list(`metadata[key]=${key}&metadata[rare]=yes`);
  assert.deepEqual(idsOf(empty), []);
  const found = await list(`metadata[key]=${key}&metadata[rare]=yes&cursor=${empty.body.next_cursor}`);
  assert.equal(idsOf(found).length, 1);
  assert.equal(found.body.next_cursor, null);
  let [count, cursor] = [0, ""];
  do {
    const page = await list(`metadata[key]=${key}&limit=100${cursor}`);
    count += idsOf(page).length;
    cursor = page.body.next_cursor === null ? "" : `&cursor=${page.body.next_cursor}`;
  } while (cursor !== "");
  assert.equal(count, 1_005);
});

test("what options may be is bounded, and they are part of the request that a key stands for", async () => {
  const pairs = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, "v".repeat(512)]));
  assert.equal((await put("test.tone", { metadata: pairs(20) })).status, 200);
  const url = "https://example.com/hook";
  for (const [fields, loc] of [
    [{ metadata: pairs(21) }, ["body", "metadata"]],
    [{ metadata: { a: "v".repeat(513) } }, ["body", "metadata", "a"]],
    [{ metadata: { a: 1 } }, ["body", "metadata", "a"]],
    [{ metadata: { "": "1" } }, ["body", "metadata", ""]],
    [{ metadata: { __proto__x: "1" } }, ["body", "metadata", "__proto__x"]],
    [{ metadata: { ["k".repeat(65)]: "1" } }, ["body", "metadata", "k".repeat(65)]],
    [{ metadata: [] }, ["body", "metadata"]],
    [{ timeout_seconds: 0 }, ["body", "timeout_seconds"]],
    [{ timeout_seconds: 86_401 }, ["body", "timeout_seconds"]],
    [{ timeout_seconds: 1.5 }, ["body", "timeout_seconds"]],
    [{ webhook_events: ["ready"] }, ["body", "webhook_events"]],
    [{ webhook_events: [], callback_url: url }, ["body", "webhook_events"]],
    [{ webhook_events: ["canceled"], callback_url: url }, ["body", "webhook_events", 0]],
    [{ webhook_events: ["ready", "ready"], callback_url: url }, ["body", "webhook_events"]],
  ] as const) {
    const { status, body } = await put("test.tone", fields);
    assert.equal(status, 422, JSON.stringify(fields));
    assert.deepEqual(body.detail[0].loc, loc, JSON.stringify(body));
  }
  const idempotency_key = randomUUID();
  const asked = { idempotency_key, metadata: { b: "2", a: "1" }, timeout_seconds: 600 };
  const first = await put("test.tone", asked);
  const again = await put("test.tone", { ...asked, metadata: { a: "1", b: "2" } });
  assert.equal(again.body.test_tone.id, first.body.test_tone.id);
  for (const other of [{ metadata: { a: "1" } }, { timeout_seconds: 601 }, { metadata: null }]) {
    const { status, body } = await put("test.tone", { ...asked, ...other });
    assert.deepEqual([status, body.detail[0].type], [422, "idempotency_key_reused"], JSON.stringify(other));
  }
  const plain = { idempotency_key: randomUUID() };
  await put("test.tone", plain);
  assert.equal((await put("test.tone", { ...plain, metadata: {}, timeout_seconds: null })).status, 200);
});

test("an operation that has not ended in its time fails as timed_out and is refunded, running or queued", async () => {
  const running = await submit("test.slow", { timeout_seconds: 2 });
  const queued = await submit("test.slow", { timeout_seconds: 1 });
  const in_time = await submit("test.tone", { timeout_seconds: 60 });
  await until(async () => (await read(running)).stage !== "queued");
  for (const id of [running, queued]) {
    const { status, error, refunded, cost, started_at } = await ended(id);
    assert.deepEqual([status, error.code, refunded], ["failed", "timed_out", cost]);
    assert.equal(started_at === null, id === queued);
  }
  assert.equal((await ended(in_time)).status, "ready");
  // Its work was free of charge, so it counts as such.
  await until(async () => (await tonwerk.json("GET", "/v1/account")).body.account.limits.free_seconds.used > 0);
});

test("the time goes on while no service runs", async () => {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-options-"));
  const one = await start(data);
  const blocking = await submit("test.slow", {}, one);
  const id = await submit("test.slow", { timeout_seconds: 1 }, one);
  const stopped = one.service.drain(0).then(() => one.service.close());
  await stopped;
  const two = await startTestService({
    data,
    env: { TONWERK_PLUGINS: folder, TONWERK_WORKERS: "1", TONWERK_FIRST_KEY: one.key },
  });
  assert.equal((await ended(id, two)).error.code, "timed_out");
  assert.equal((await read(blocking, two)).status, "processing");
  await two.service.drain(0);
  await two.service.close();
  await rm(data, { recursive: true, force: true });
  await giveStackBack(data);
});

test("a start is told where it was asked for, once, and before the end", async () => {
  const receiver = await listen();
  const both = await submit("test.slow", { callback_url: receiver.url, webhook_events: ["started", "failed"] });
  await until(() => receiver.seen.length === 1);
  const [{ type, body }] = receiver.seen as [{ type: string; body: string }];
  const { status, started_at, stage, id } = JSON.parse(body).test_slow;
  assert.deepEqual([type, id, status], ["test.slow.started", both, "processing"]);
  assert.notEqual(started_at, null);
  assert.equal(stage, "starting");
  // Taken from its worker, it begins again, and nothing more is said.
  const { attempt } = (await tonwerk.service.store.operation(both))!;
  assert.equal(await tonwerk.service.store.release(both, attempt), true);
  await cancel(both);
  await until(() => receiver.seen.length === 2);
  assert.deepEqual(receiver.types(), ["test.slow.started", "test.slow.failed"]);
  const unasked = await submit("test.tone", { callback_url: receiver.url, webhook_events: ["failed"] });
  assert.equal((await ended(unasked)).status, "ready");
  assert.deepEqual(await tonwerk.service.store.webhooks(unasked), []);
  const ready = await submit("test.tone", { callback_url: receiver.url });
  await until(() => receiver.seen.length === 3);
  assert.deepEqual(
    (await tonwerk.service.store.webhooks(ready)).map(({ type }) => type),
    ["test.tone.ready"],
  );
  await receiver.close();
});

test("a start that could not be delivered is not sent any more once the operation has ended", async () => {
  let answer = 503;
  const receiver = await listen((type) => (type.endsWith(".started") ? answer : 204));
  const id = await submit("test.slow", { callback_url: receiver.url, webhook_events: ["started", "failed"] });
  await until(async () => (await tonwerk.service.store.delivery(id, "test.slow.started"))?.last?.status === 503);
  answer = 204;
  await cancel(id);
  await until(async () => (await tonwerk.service.store.delivery(id, "test.slow.started"))?.state === "failed");
  assert.deepEqual(receiver.types(), ["test.slow.started", "test.slow.failed"]);
  const delivery = await tonwerk.service.store.delivery(id, "test.slow.started");
  assert.deepEqual([delivery?.attempts, delivery?.last?.status], [2, null]);
  await receiver.close();
});

test("the operation says how its webhook fares", async () => {
  let answer = 503;
  const receiver = await listen(() => answer);
  const unsent = { attempts: 0, last_status: null, next_attempt_at: null, delivered_at: null };
  assert.equal((await put("test.tone", {})).body.test_tone.webhook, null);
  const first = await put("test.slow", { callback_url: receiver.url });
  const { id } = first.body.test_slow;
  assert.deepEqual(first.body.test_slow.webhook, unsent);
  assert.deepEqual((await read(id)).webhook, unsent);
  await cancel(id);
  await until(async () => (await read(id)).webhook.last_status === 503);
  const { webhook } = await read(id);
  assert.deepEqual([webhook.attempts, webhook.delivered_at], [1, null]);
  assert.ok(Date.parse(webhook.next_attempt_at) > Date.now());
  assert.deepEqual((await tonwerk.json("GET", `/v1/test.slow?id=${id}`)).body.test_slow.webhook, webhook);
  assert.equal("webhook" in (await list(`ids=${id}`)).body.operations[0], false);
  answer = 200;
  await tonwerk.json("PUT", "/v1/operations.redeliver", { idempotency_key: randomUUID(), id });
  await until(async () => (await read(id)).webhook.delivered_at !== null);
  const { delivered_at, ...rest } = (await read(id)).webhook;
  assert.deepEqual(rest, { attempts: 2, last_status: 200, next_attempt_at: null });
  assert.ok(Math.abs(Date.parse(delivered_at) - Date.now()) < 60_000);
  await receiver.close();
});
