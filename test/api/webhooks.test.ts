/** Webhooks from the submission to a receiver that verifies as real ones do. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Webhook as Receiver } from "standardwebhooks";
import { hashApiKey, lastFour, newApiKey } from "../../core/base/keys.ts";
import { newSigningSecret } from "../../core/base/secrets.ts";
import { endOf, newWebhook, submission } from "../adapters/store/fixtures.ts";
import { entered, type Visitor } from "../dashboard/visitor.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { freePort, type ServiceProcess, startProcess } from "../process.ts";
import { type Delivery, listen } from "../receiver.ts";
import { adminOf, giveStackBack, ownerLink, stackEnv, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

const SECRET = newSigningSecret();
const TONE = `({ audio: { sample_rate: 44100, channels: [Float32Array.from({ length: 4410 }, (_, at) => 0.1 * Math.sin(at / 20))] }, engine: "sine" })`;
const PLAIN = { request: "Type.Object({})", sources: "{}", echo: "[]", examples: "[{}]" };

let folder: string;
let tonwerk: TestService;
let owner: Visitor | undefined;
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
      TONWERK_PLUGINS: folder,
      TONWERK_WORKERS: "1",
      TONWERK_FIRST_SECRET: SECRET,
      TONWERK_PRIVATE_HOSTS: "127.0.0.1",
    },
  });
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

async function submit(action: string, callback_url?: string): Promise<string> {
  const request = { idempotency_key: randomUUID(), ...(callback_url === undefined ? {} : { callback_url }) };
  const { status, body } = await tonwerk.json("PUT", `/v1/${action}`, request);
  assert.equal(status, 200, JSON.stringify(body));
  return body[action.replace(".", "_")].id;
}
const redeliver = (id: string, headers = {}) =>
  tonwerk.json("PUT", "/v1/operations.redeliver", { idempotency_key: randomUUID(), id }, headers);
const accountId = async (): Promise<string> => (await tonwerk.json("GET", "/v1/account")).body.account.id;

test("an operation that is ready is told with what GET answers, once, after it is so", async () => {
  const statuses: string[] = [];
  const receiver = await listen(async ({ body }) => {
    const { id } = JSON.parse(body).test_tone;
    statuses.push((await tonwerk.json("GET", `/v1/test.tone?id=${id}`)).body.test_tone.status);
    return 204;
  });
  const id = await submit("test.tone", receiver.url);
  await until(async () => (await tonwerk.service.store.webhooks(id))[0]?.state === "delivered");
  assert.deepEqual(statuses, ["ready"]);
  const [delivery, ...more] = receiver.seen;
  assert.deepEqual(more, []);
  assert.ok(delivery !== undefined);
  assert.match(delivery.headers["webhook-id"] ?? "", /^evt_[0-9a-z]{26}$/u);
  assert.equal(delivery.headers["webhook-type"], "test.tone.ready");
  assert.equal(delivery.headers["content-type"], "application/json");
  assert.match(delivery.headers["user-agent"] ?? "", /^Tonwerk\//u);
  const told = new Receiver(SECRET).verify(delivery.body, delivery.headers) as Record<string, Record<string, unknown>>;
  const { body } = await tonwerk.json("GET", `/v1/test.tone?id=${id}`);
  // How the webhook fares it cannot say itself.
  const withoutUrl = ({
    output: { url: _, expires_at: __, ...output },
    webhook: ___,
    ...rest
  }: typeof body.test_tone) => ({
    ...rest,
    output,
  });
  assert.deepEqual(withoutUrl(told.test_tone), withoutUrl(body.test_tone));
  // The URL in it works.
  assert.equal((await tonwerk.call("GET", (told.test_tone!.output as { url: string }).url)).status, 200);
  await receiver.close();
});

test("an operation that failed is told as such, a cancelled one too, and one without callback_url not at all", async () => {
  const receiver = await listen();
  const silent = await submit("test.refusal");
  const failed = await submit("test.refusal", receiver.url);
  await until(() => receiver.seen.length === 1);
  const slow = await submit("test.slow", receiver.url);
  const canceled = await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id: slow });
  const { completed_at: next_attempt_at, webhook } = canceled.body.test_slow;
  assert.deepEqual(webhook, { attempts: 0, last_status: null, next_attempt_at, delivered_at: null });
  await until(() => receiver.seen.length === 2);
  const told = receiver.seen.map(({ headers, body }) => [headers["webhook-type"], JSON.parse(body)]);
  assert.deepEqual(
    told.map(([type, body]) => [type, (Object.values(body)[0] as { id: string; error: { code: string } }).error.code]),
    [
      ["test.refusal.failed", "not_today"],
      ["test.slow.failed", "canceled"],
    ],
  );
  assert.equal(told[0]?.[1].test_refusal.id, failed);
  assert.deepEqual(await tonwerk.service.store.webhooks(silent), []);
  await receiver.close();
});

test("an account that chose the envelope gets type and data", async () => {
  const receiver = await listen();
  const id = await accountId();
  await tonwerk.service.store.updateSettings(id, { webhook_body: "envelope" });
  const operation = await submit("test.tone", receiver.url);
  await until(() => receiver.seen.length === 1);
  await tonwerk.service.store.updateSettings(id, { webhook_body: "operation" });
  const [{ headers, body }] = receiver.seen as [Delivery];
  const told = new Receiver(SECRET).verify(body, headers) as { type: string; data: { test_tone: { id: string } } };
  assert.deepEqual(Object.keys(told), ["type", "data"]);
  assert.deepEqual([told.type, told.data.test_tone.id], ["test.tone.ready", operation]);
  assert.equal(headers["webhook-type"], "test.tone.ready");
  await receiver.close();
});

test("during a rotation a delivery verifies with either secret", async () => {
  const receiver = await listen();
  const { store } = tonwerk.service;
  const admin = adminOf(tonwerk.service);
  const account_id = await accountId();
  const { id: second_id, plain: second } = await admin.createSecret(account_id, "second");
  await submit("test.tone", receiver.url);
  await until(() => receiver.seen.length === 1);
  assert.equal(await store.retireSecret(account_id, second_id, Date.now()), "retired");
  await submit("test.tone", receiver.url);
  await until(() => receiver.seen.length === 2);
  const [both, one] = receiver.seen as [Delivery, Delivery];
  for (const secret of [SECRET, second]) assert.ok(new Receiver(secret).verify(both.body, both.headers));
  assert.ok(new Receiver(SECRET).verify(one.body, one.headers));
  assert.throws(() => new Receiver(second).verify(one.body, one.headers), /No matching signature/);
  await receiver.close();
});

test("operations.redeliver sends the same event again and answers the operation under its wrapper", async () => {
  let status = 404;
  const receiver = await listen(() => status);
  const id = await submit("test.tone", receiver.url);
  await until(async () => (await tonwerk.service.store.webhooks(id))[0]?.state === "failed");
  status = 200;
  const key = randomUUID();
  // Three times under one key, two of them at once.
  const send = () => tonwerk.json("PUT", "/v1/operations.redeliver", { idempotency_key: key, id });
  const [again, same] = await Promise.all([send(), send()]);
  const replay = await send();
  assert.deepEqual([same.body, replay.body], [again.body, again.body]);
  assert.equal(replay.headers.get("idempotent-replayed"), "true");
  assert.equal(again.status, 200);
  assert.deepEqual([again.body.test_tone.id, again.body.test_tone.status], [id, "ready"]);
  await until(async () => (await tonwerk.service.store.webhooks(id))[0]?.state === "delivered");
  const [first, second] = receiver.seen as [Delivery, Delivery];
  assert.equal(second.headers["webhook-id"], first.headers["webhook-id"]);
  assert.equal(second.body, first.body);
  const [webhook] = await tonwerk.service.store.webhooks(id);
  const attempts = await tonwerk.service.store.webhookAttempts(webhook!.id);
  assert.deepEqual(
    attempts.map((attempt) => [attempt.attempt, attempt.status]),
    [
      [1, 404],
      [2, 200],
    ],
  );
  await receiver.close();
});

test("operations.redeliver refuses with 429 what was sent again ten times, in the dashboard too, and nothing else", async () => {
  const receiver = await listen();
  const id = await submit("test.tone", receiver.url);
  await until(async () => (await tonwerk.service.store.webhooks(id))[0]?.state === "delivered");
  for (let i = 0; i < 10; i++) assert.equal((await redeliver(id)).status, 200);
  const { status, headers, body } = await redeliver(id);
  assert.deepEqual([status, body.detail], [429, "This webhook was sent again too often"]);
  const wait = Number(headers.get("retry-after"));
  assert.ok(wait > 300 && wait <= 360, String(wait));
  owner ??= await entered(tonwerk, await ownerLink(tonwerk.service), "owner@example.com");
  const sendAgain = async (operation: string) => {
    const [webhook] = await tonwerk.service.store.webhooks(operation);
    return (await owner!.post(`/deliveries/${webhook!.id}/send`, {}, `/deliveries/${webhook!.id}`)).status;
  };
  assert.equal(await sendAgain(id), 429);
  const other = await submit("test.tone", receiver.url);
  await until(async () => (await tonwerk.service.store.webhooks(other))[0]?.state === "delivered");
  assert.equal(await sendAgain(other), 303);
  await receiver.close();
});

test("operations.redeliver refuses what has no webhook, and what is not the account's", async () => {
  const detailOf = (msg: string) => [{ loc: ["body", "id"], msg, type: "value_error" }];
  const silent = await submit("test.refusal");
  await until(async () => (await tonwerk.service.store.operation(silent))?.status === "failed");
  const none = await redeliver(silent);
  assert.equal(none.status, 422);
  assert.deepEqual(
    none.body.detail,
    detailOf(
      "This operation has no webhook: it was submitted without a callback_url, and no endpoint wanted to be told",
    ),
  );
  const slow = await submit("test.slow", "https://example.com/hook");
  const early = await redeliver(slow);
  assert.equal(early.status, 422);
  assert.deepEqual(early.body.detail, detailOf("This operation has not ended yet; its webhook is sent when it does"));
  // Ended here without its webhook, which would leave for the world.
  const ended = { status: "failed", outputs: null, error: '{"code":"canceled","message":""}' } as const;
  await until(async () => {
    const { attempt } = (await tonwerk.service.store.operation(slow)) ?? assert.fail("it is there");
    return tonwerk.service.store.terminate(endOf(slow, attempt, Date.now(), ended));
  });

  const unknown = await redeliver(`op_${"0".repeat(26)}`);
  assert.deepEqual([unknown.status, unknown.body.code], [404, "operation_not_found"]);
  const key = newApiKey();
  const { store } = tonwerk.service;
  await store.createAccount(
    { id: "acc_other", name: "Other", credits: 1, created_at: 0 },
    {
      id: "key_other",
      account_id: "acc_other",
      label: "",
      sha256: hashApiKey(key),
      last_four: lastFour(key),
      created_at: 0,
    },
  );
  const foreign = await redeliver(silent, { authorization: `Bearer ${key}` });
  assert.deepEqual([foreign.status, foreign.body.code], [404, "operation_not_found"]);
  assert.equal((await redeliver("not an id")).status, 422);
});

test("200 webhooks for a host that hangs delay no other host's", async () => {
  const over = Promise.withResolvers<number>();
  const hanging = await listen(() => over.promise);
  const receiver = await listen();
  const { store } = tonwerk.service;
  const account_id = await accountId();
  const end = async (url: string): Promise<string> => {
    const row = { ...submission(account_id, Date.now(), { cost: 0 }), action: "test.slow" };
    await store.submit(row);
    const webhook = newWebhook({ id: `evt_${row.id}`, url, host: new URL(url).host });
    // The worker may have taken it meanwhile.
    await until(async () => {
      const { attempt } = (await store.operation(row.id)) ?? assert.fail("it is there");
      return store.terminate(endOf(row.id, attempt, Date.now(), { webhooks: [webhook] }));
    });
    return row.id;
  };
  await Promise.all(Array.from({ length: 200 }, () => end(hanging.url)));
  await until(() => hanging.seen.length === 8);
  const others = await Promise.all(Array.from({ length: 20 }, () => end(receiver.url)));
  await until(() => receiver.seen.length === 20);
  // Nobody of the hanging ones was answered meanwhile, and no more were begun.
  assert.equal(hanging.seen.length, 8);
  for (const id of others) await until(async () => (await store.webhooks(id))[0]?.state === "delivered");
  over.resolve(200);
  await until(() => hanging.seen.length === 200);
  assert.equal(new Set(hanging.seen.map(({ headers }) => headers["webhook-id"])).size, 200);
  await hanging.close();
  await receiver.close();
});

test("kill -9 under load: every operation that ended is told, under one id and with one body", async () => {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-webhooks-"));
  const receiver = await listen(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20 * Math.random()));
    return 200;
  });
  const key = newApiKey();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const env = {
    TONWERK_DATA: data,
    TONWERK_PLUGINS: folder,
    TONWERK_FIRST_KEY: key,
    TONWERK_FIRST_SECRET: SECRET,
    TONWERK_FIRST_CREDITS: "1000000",
    TONWERK_PUT_PER_MINUTE: "0",
    TONWERK_GET_PER_MINUTE: "0",
    TONWERK_PRIVATE_HOSTS: "127.0.0.1",
    ...(await stackEnv(data)),
  };
  const port = await freePort();
  const accepted = new Set<string>();
  let service: ServiceProcess = await startProcess(env, port);
  const put = async (path: string, body: object): Promise<string> => {
    const response = await fetch(service.url + path, { method: "PUT", headers, body: JSON.stringify(body) });
    const { id } = Object.values((await response.json()) as object)[0] as { id: string };
    return id;
  };
  try {
    for (let kill = 0; kill < 2; kill++) {
      const before = receiver.seen.length;
      // Half of them are cancelled at once: ends come from the API as well as from the worker.
      const clients = Array.from({ length: 4 }, async (_, client) => {
        try {
          for (;;) {
            const request = { idempotency_key: randomUUID(), callback_url: receiver.url };
            const id = await put("/v1/test.tone", request);
            accepted.add(id);
            if (client % 2 === 0) await put("/v1/operations.cancel", { idempotency_key: randomUUID(), id });
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        } catch {
          // The process is gone: what it had answered is what counts.
        }
      });
      await until(() => receiver.seen.length >= before + 30);
      service.kill("SIGKILL");
      await service.exited;
      await Promise.all(clients);
      service = await startProcess(env, port);
    }
    const told = () => new Set(receiver.seen.map(({ body }) => JSON.parse(body).test_tone.id as string));
    await until(() => [...accepted].every((id) => told().has(id)));
    service.kill("SIGTERM");
    assert.equal(await service.exited, 0);

    const events = new Map<string, { readonly id: string | undefined; readonly body: string }>();
    for (const { headers, body } of receiver.seen) {
      const { id, status } = JSON.parse(body).test_tone;
      assert.ok(status === "ready" || status === "failed", status);
      new Receiver(SECRET).verify(body, headers);
      const event = { id: headers["webhook-id"], body };
      assert.deepEqual(event, events.get(id) ?? event);
      events.set(id, event);
    }
    assert.ok(accepted.size >= 60, "there was load");
  } finally {
    service.kill("SIGKILL");
    await service.exited;
    await receiver.close();
    await rm(data, { recursive: true, force: true });
    await giveStackBack(data);
  }
});
