/** Webhook endpoints: who is told of what, with which secret, and what becomes of one that cannot be reached. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Webhook as Receiver } from "standardwebhooks";
import { SERVICE } from "../../core/accounts/audit.ts";
import { createAccountAdmin } from "../../plugins/administration/account_admin.ts";
import { entered } from "../dashboard/visitor.ts";
import { openMailbox } from "../mailbox.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { freePort } from "../process.ts";
import { type Delivery, listen } from "../receiver.ts";
import { adminOf, hastyClock, ownerLink, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

const TONE = `({ audio: { sample_rate: 44100, channels: [Float32Array.from({ length: 4410 }, (_, at) => 0.1 * Math.sin(at / 20))] }, engine: "sine" })`;
const PLAIN = { request: "Type.Object({})", sources: "{}", echo: "[]", examples: "[{}]" };

let folder: string;
let tonwerk: TestService;
before(async () => {
  folder = await pluginFolder();
  await addAction(folder, "test.tone", { ...PLAIN, process: `() => ${TONE}` });
  await addAction(folder, "test.refusal", {
    ...PLAIN,
    failures: '["not_today"]',
    process: `({ fail }) => fail("not_today", "Closed")`,
  });
  await addAction(folder, "test.slow", {
    ...PLAIN,
    process: `({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }))`,
  });
  tonwerk = await startTestService({
    env: {
      TONWERK_PLUGINS: `${folder},./plugins`,
      TONWERK_WORKERS: "1",
      TONWERK_PRIVATE_HOSTS: "127.0.0.1",
      TONWERK_WEBHOOK_ENDPOINTS: "3",
    },
  });
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

const PATH = "/v1/webhook_endpoints";

async function make(wanted: object): Promise<{ id: string; secret: string }> {
  const { status, body } = await tonwerk.json("POST", PATH, wanted);
  assert.equal(status, 200, JSON.stringify(body));
  return { id: body.webhook_endpoint.id, secret: body.secret };
}
async function read(id: string) {
  const { status, body } = await tonwerk.json("GET", `${PATH}/${id}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.webhook_endpoint;
}
const change = (id: string, changes: object) => tonwerk.json("PATCH", `${PATH}/${id}`, changes);
const remove = (id: string) => tonwerk.json("DELETE", `${PATH}/${id}`);

async function submit(action: string, callback_url?: string): Promise<string> {
  const request = { idempotency_key: randomUUID(), ...(callback_url === undefined ? {} : { callback_url }) };
  const { status, body } = await tonwerk.json("PUT", `/v1/${action}`, request);
  assert.equal(status, 200, JSON.stringify(body));
  return body[action.replace(".", "_")].id;
}
const webhooksOf = (id: string) => tonwerk.service.store.webhooks(id);
/** When everything that is to be told of the operation has been, or has failed. */
const settled = (id: string) =>
  until(async () => {
    const { body } = await tonwerk.json("GET", `/v1/operations/${id}`);
    if (body.operation.status === "processing") return false;
    return (await webhooksOf(id)).every(({ state }) => state !== "pending");
  });
const typesOf = (seen: readonly Delivery[]) => seen.map(({ headers }) => headers["webhook-type"]);
const accountId = async (): Promise<string> => (await tonwerk.json("GET", "/v1/account")).body.account.id;

test("an event goes to the callback and to each endpoint that wants it, each signed with its own secret", async () => {
  const [callback, all, failures] = [await listen(), await listen(), await listen()];
  const one = await make({ url: all.url, description: "everything" });
  const other = await make({ url: failures.url, events: ["*.failed", "test.refusal.ready"] });
  const ready = await submit("test.tone", callback.url);
  const failed = await submit("test.refusal");
  await Promise.all([settled(ready), settled(failed)]);

  assert.deepEqual(typesOf(callback.seen), ["test.tone.ready"]);
  assert.deepEqual(typesOf(all.seen).sort(), ["test.refusal.failed", "test.tone.ready"]);
  assert.deepEqual(typesOf(failures.seen), ["test.refusal.failed"]);
  const verify = (secret: string, { headers, body }: Delivery) => new Receiver(secret).verify(body, headers);
  const told = all.seen.find(({ headers }) => headers["webhook-type"] === "test.tone.ready")!;
  assert.ok(verify(one.secret, told));
  assert.throws(() => verify(other.secret, told), /signature/u);
  assert.throws(() => verify(one.secret, callback.seen[0]!), /signature/u);
  assert.ok(verify(other.secret, failures.seen[0]!));
  assert.equal(told.body, callback.seen[0]?.body, "the same bytes");
  assert.notEqual(told.headers["webhook-id"], callback.seen[0]?.headers["webhook-id"], "deliveries of their own");

  const { health, events, description, enabled, disabled } = await read(one.id);
  assert.deepEqual([events, description, enabled, disabled], [["*.ready", "*.failed"], "everything", true, null]);
  assert.deepEqual([health.attempts_24h, health.success_share_24h, health.failures_in_a_row], [2, 1, 0]);
  assert.ok(Date.parse(health.last_success_at) > 0);
  const { body: list } = await tonwerk.json("GET", PATH);
  assert.deepEqual(
    list.webhook_endpoints.map(({ id }: { id: string }) => id),
    [one.id, other.id],
  );
  assert.ok(!JSON.stringify(list).includes("whsec_"), "secrets are shown once");
  for (const { id } of [one, other]) assert.deepEqual((await remove(id)).body, { id, deleted: true });
  await Promise.all([callback.close(), all.close(), failures.close()]);
});

test("an endpoint that is disabled is told nothing, and one that moved is told where it is", async () => {
  const [old, now] = [await listen(() => 503), await listen()];
  const { id } = await make({ url: old.url, enabled: false });
  await settled(await submit("test.tone"));
  assert.deepEqual([old.seen.length, (await read(id)).disabled.reason], [0, "request"]);
  assert.equal((await change(id, { enabled: true })).body.webhook_endpoint.enabled, true);
  const operation = await submit("test.tone");
  await until(() => old.seen.length === 1);
  assert.equal((await change(id, { url: now.url })).body.webhook_endpoint.url, now.url);
  await settled(operation);
  assert.deepEqual(typesOf(now.seen), ["test.tone.ready"]);
  assert.equal(now.seen[0]?.headers["webhook-id"], old.seen[0]?.headers["webhook-id"], "the same event");
  await remove(id);
  await Promise.all([old.close(), now.close()]);
});

test("an endpoint that wants everything of an action is told of starts too", async () => {
  const receiver = await listen();
  const { id } = await make({ url: receiver.url, events: ["test.slow.*"] });
  const slow = await submit("test.slow");
  await until(() => receiver.seen.length === 1);
  await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id: slow });
  await settled(await submit("test.refusal"));
  await settled(slow);
  assert.deepEqual(typesOf(receiver.seen), ["test.slow.started", "test.slow.failed"]);
  await remove(id);
  await receiver.close();
});

test("a secret is replaced with an overlap", async () => {
  const receiver = await listen();
  const { id, secret } = await make({ url: receiver.url });
  const rotate = (body?: object) => tonwerk.json("POST", `${PATH}/${id}/secret`, body);
  const { body } = await rotate();
  assert.ok(Date.parse(body.previous_until) > Date.now() + 23 * 3_600_000);
  await settled(await submit("test.tone"));
  const [{ body: text, headers }] = receiver.seen as [Delivery];
  for (const one of [secret, body.secret]) assert.ok(new Receiver(one).verify(text, headers));

  const next = (await rotate({ overlap_seconds: 0 })).body;
  await settled(await submit("test.tone"));
  const [, last] = receiver.seen as [Delivery, Delivery];
  assert.ok(new Receiver(next.secret).verify(last.body, last.headers));
  for (const one of [secret, body.secret])
    assert.throws(() => new Receiver(one).verify(last.body, last.headers), /signature/u);
  await remove(id);
  await receiver.close();
});

test("a test event is signed, attempted once, and told by the endpoint's health", async () => {
  let status = 500;
  const receiver = await listen(() => status);
  const { id, secret } = await make({ url: receiver.url, enabled: false });
  const ping = () => tonwerk.json("POST", `${PATH}/${id}/ping`);
  const first = await ping();
  await until(async () => (await read(id)).health.last_failure?.status === 500);
  const [{ headers, body }] = receiver.seen as [Delivery];
  assert.deepEqual([headers["webhook-type"], headers["webhook-id"]], ["ping", first.body.webhook_id]);
  assert.deepEqual(new Receiver(secret).verify(body, headers), { type: "ping", data: { webhook_endpoint: { id } } });
  status = 204;
  await ping();
  await until(async () => (await read(id)).health.last_success_at !== null);
  const { health } = await read(id);
  assert.deepEqual([health.attempts_24h, health.success_share_24h, health.failing_since], [2, 0.5, null]);
  assert.equal(receiver.seen.length, 2, "a test event is not sent again");
  for (let n = 0; n < 8; n++) assert.equal((await ping()).status, 200);
  const refused = await ping();
  assert.deepEqual([refused.status, refused.body.code], [429, "redelivered_too_often"]);
  await remove(id);
  await receiver.close();
});

test("an endpoint that answers 410 is disabled, with an entry and a notice, until it is enabled again", async () => {
  let status = 410;
  const [gone, other] = [await listen(() => status), await listen()];
  const { id } = await make({ url: gone.url });
  const healthy = await make({ url: other.url });
  const operation = await submit("test.tone");
  await settled(operation);
  await until(async () => !(await read(id)).enabled);
  const { disabled, health } = await read(id);
  assert.deepEqual([disabled.reason, health.last_failure.status, health.failures_in_a_row], ["gone", 410, 1]);
  assert.equal((await read(healthy.id)).enabled, true);
  const entries = await tonwerk.service.store.auditEntries({
    account_id: await accountId(),
    about: "endpoint",
    limit: 9,
  });
  const [entry, , made] = entries;
  assert.deepEqual([entry?.action, entry?.actor, entry?.target], ["endpoint.disabled", "service", id]);
  assert.deepEqual([made?.action, made?.target], ["endpoint.created", id]);
  assert.match(made?.actor ?? "", /^key_/u);

  await settled(await submit("test.tone"));
  assert.deepEqual([gone.seen.length, other.seen.length], [1, 2]);
  status = 200;
  const { body } = await change(id, { enabled: true });
  assert.deepEqual([body.webhook_endpoint.disabled, body.webhook_endpoint.health.failures_in_a_row], [null, 0]);
  await settled(await submit("test.tone"));
  assert.equal(gone.seen.length, 2);
  for (const one of [id, healthy.id]) await remove(one);
  await Promise.all([gone.close(), other.close()]);
});

test("an endpoint that hangs holds up neither the callback nor another endpoint", async () => {
  const hanging = await listen(() => new Promise(() => {}));
  const [callback, healthy] = [await listen(), await listen()];
  const slow = await make({ url: hanging.url });
  const quick = await make({ url: healthy.url });
  const ids = await Promise.all(Array.from({ length: 12 }, () => submit("test.tone", callback.url)));
  await until(() => callback.seen.length === 12 && healthy.seen.length === 12);
  assert.ok(hanging.seen.length <= 8, "no more than 8 at a time");
  for (const one of [slow, quick]) await remove(one.id);
  assert.equal(new Set(ids).size, 12);
  await Promise.all([hanging.close(), callback.close(), healthy.close()]);
});

test("failed deliveries are sent again by endpoint, action and time, once for each key", async () => {
  let status = 404;
  const [endpoint, callback] = [await listen(() => status), await listen(() => status)];
  const { id } = await make({ url: endpoint.url });
  const began = new Date().toISOString();
  const tone = await submit("test.tone", callback.url);
  const refusal = await submit("test.refusal");
  await Promise.all([settled(tone), settled(refusal)]);
  assert.deepEqual([endpoint.seen.length, callback.seen.length], [2, 1]);
  const redeliver = (asked: object, idempotency_key = randomUUID()) =>
    tonwerk.json("PUT", "/v1/operations.redeliver_failed", { idempotency_key, since: began, ...asked });

  const nothing = { redelivered: 0, next_cursor: null };
  assert.deepEqual((await redeliver({ until: began })).body, nothing);
  assert.deepEqual((await redeliver({ since: new Date(Date.now() + 60_000).toISOString() })).body, nothing);
  await change(id, { enabled: false });
  assert.deepEqual((await redeliver({ endpoint: id })).body, nothing, "it is disabled");
  await change(id, { enabled: true });
  status = 200;
  const key = randomUUID();
  const first = await redeliver({ endpoint: id, action: "test.tone" }, key);
  assert.deepEqual(first.body, { redelivered: 1, next_cursor: null });
  await settled(tone);
  assert.deepEqual(typesOf(endpoint.seen.slice(2)), ["test.tone.ready"]);
  const again = await redeliver({ endpoint: id, action: "test.tone" }, key);
  assert.deepEqual([again.body, again.headers.get("idempotent-replayed")], [first.body, "true"]);
  const other = await redeliver({ action: "test.refusal" }, key);
  assert.deepEqual([other.status, other.body.code], [422, "idempotency_key_reused"]);
  assert.deepEqual((await redeliver({})).body, { redelivered: 2, next_cursor: null });
  await Promise.all([settled(tone), settled(refusal)]);
  assert.deepEqual([endpoint.seen.length, callback.seen.length], [4, 2]);
  assert.deepEqual((await redeliver({})).body, nothing, "all of them arrived");
  await remove(id);
  await Promise.all([endpoint.close(), callback.close()]);
});

test("what no endpoint can be made of is refused, and what is another account's is not found", async () => {
  const refused = async (wanted: object) => {
    const { status, body } = await tonwerk.json("POST", PATH, wanted);
    return [
      status,
      body.code,
      ...(Array.isArray(body.detail) ? body.detail.map((one: { loc: unknown }) => one.loc) : []),
    ];
  };
  const url = "https://example.com/hook";
  assert.deepEqual(await refused({}), [422, "invalid_request", ["body", "url"]]);
  assert.deepEqual(await refused({ url: "https://10.0.0.1/" }), [422, "invalid_request", ["body", "url"]]);
  assert.deepEqual(await refused({ url: "http://example.com/" }), [422, "invalid_request", ["body", "url"]]);
  assert.deepEqual(await refused({ url, events: [] }), [422, "invalid_request", ["body", "events"]]);
  assert.deepEqual(await refused({ url, events: ["*.completed"] }), [422, "invalid_request", ["body", "events", 0]]);
  assert.deepEqual(await refused({ url, events: ["test.no.ready"] }), [422, "invalid_request", ["body", "events", 0]]);
  const made = await make({ url, enabled: false });
  assert.deepEqual(await refused({ url }), [409, "conflict"]);
  const others = [await make({ url: `${url}/2`, enabled: false }), await make({ url: `${url}/3`, enabled: false })];
  assert.deepEqual(await refused({ url: `${url}/4` }), [409, "conflict"], "three are as many as it may have");
  const moved = await change(made.id, { url: `${url}/2` });
  assert.deepEqual([moved.status, moved.body.code], [409, "conflict"]);

  const { account, key } = await adminOf(tonwerk.service).createAccount({ name: "Other", credits: 1 });
  const foreign = (method: string, path: string, body?: object) =>
    tonwerk.json(method, path, body, { authorization: `Bearer ${key.plain}` });
  for (const [method, path, body] of [
    ["GET", made.id],
    ["PATCH", made.id, { enabled: true }],
    ["DELETE", made.id],
    ["POST", `${made.id}/secret`],
    ["POST", `${made.id}/ping`],
  ] as const)
    assert.equal((await foreign(method, `${PATH}/${path}`, body)).status, 404, `${method} ${path}`);
  assert.deepEqual((await foreign("GET", PATH)).body, { webhook_endpoints: [] });

  // A key for some actions alone would hear of all.
  const admin = createAccountAdmin(tonwerk.service.facade, SERVICE);
  const rights = { read_only: false, actions: ["test.tone"], budget: null, test: false };
  const narrow = await admin.createKey(account.id, "narrow", rights);
  const { status, body } = await tonwerk.json("POST", PATH, { url }, { authorization: `Bearer ${narrow.plain}` });
  assert.deepEqual([status, body.code], [403, "key_scope_missing"]);
  for (const { id } of [made, ...others]) await remove(id);
});

test("owners are mailed of an endpoint that was disabled, and the dashboard marks it", async () => {
  const mailbox = await openMailbox(await freePort());
  const gone = await listen(() => 410);
  const one = await startTestService({
    env: {
      TONWERK_PLUGINS: `${folder},./plugins`,
      TONWERK_WORKERS: "1",
      TONWERK_PRIVATE_HOSTS: "127.0.0.1",
      TONWERK_SMTP_URL: `smtp://mailer:p%40ss@127.0.0.1:${mailbox.port}`,
    },
    clock: hastyClock(50),
  });
  const owner = await entered(one, await ownerLink(one.service), "owner@example.com");
  assert.doesNotMatch(await owner.text("/webhooks"), /disabled/u);
  const { body } = await one.json("POST", PATH, { url: gone.url, description: "Our <shop>" });
  await one.json("POST", `${PATH}/${body.webhook_endpoint.id}/ping`);
  await until(() => mailbox.mails.length > 0);
  const [mail, ...more] = mailbox.mails;
  assert.deepEqual([mail?.to, more], [["owner@example.com"], []]);
  assert.match(mail?.text ?? "", /Subject: A webhook endpoint of First account was disabled/u);
  assert.ok(mail?.text.includes(`${body.webhook_endpoint.id} at ${new URL(gone.url).host}`));
  const page = await owner.text("/webhooks");
  assert.match(page, /disabled: gone/u);
  assert.match(page, /Our &lt;shop&gt;/u);
  await one.stop();
  await Promise.all([gone.close(), mailbox.close()]);
});
