/** An operation whose action the node that ends it does not know: its client is told all the same, and its credits come back. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Webhook as Receiver } from "standardwebhooks";
import { newApiKey } from "../../core/base/keys.ts";
import { newSigningSecret } from "../../core/base/secrets.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { giveStackBack, stackEnv, startTestService, type TestService } from "../service.ts";
import { readMetrics, receiver, sumOf } from "../telemetry/harness.ts";
import { until } from "../until.ts";

const KEY = newApiKey();
const SECRET = newSigningSecret();
/** By name: everything in a document that only the action's declaration decides. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "test.plain": {},
  "test.many": {
    request: "Type.Object({ mood: Type.Optional(Type.String({ maxLength: 20 })) })",
    sources: "{}",
    echo: '["mood"]',
    output: '"variations"',
    loudness: '"optional"',
    examples: "[{ n_variations: 1 }]",
    work: '"generation"',
    seeded: "true",
    level: '"peak"',
    cost: "() => 7",
  },
};

let data: string;
let knowing: string;
let unknowing: string;
before(async () => {
  [data, knowing, unknowing] = await Promise.all([mkdtemp(join(tmpdir(), "tonwerk-")), pluginFolder(), pluginFolder()]);
  for (const [name, changes] of Object.entries(ACTIONS)) await addAction(knowing, name, changes);
  await addAction(unknowing, "test.other");
});
after(async () => {
  await Promise.all([data, knowing, unknowing].map((folder) => rm(folder, { recursive: true, force: true })));
  await giveStackBack(data);
});

const start = (folder: string, role: string): Promise<TestService> =>
  startTestService({
    data,
    env: {
      TONWERK_PLUGINS: folder,
      TONWERK_ROLE: role,
      TONWERK_FIRST_KEY: KEY,
      TONWERK_FIRST_SECRET: SECRET,
      TONWERK_FIRST_CREDITS: "100",
      TONWERK_METRICS_PORT: "9464",
      TONWERK_PRIVATE_HOSTS: "127.0.0.1",
    },
  });

/** Many nodes wait for one that knows the action, a day by default: test/adapters/postgres_nodes.test.ts has that wait; here it is over. */
async function endWaits(): Promise<void> {
  const { DATABASE_URL } = await stackEnv(data);
  if (DATABASE_URL === undefined) return;
  const { openTestLink } = await import("../services/postgres.ts");
  const behind = await openTestLink(DATABASE_URL);
  try {
    await behind.script("UPDATE jobs SET state = 'exhausted' WHERE state = 'queued'");
  } finally {
    await behind.close();
  }
}

test("it ends as failed, with a webhook that says what a node would that knows the action, and is counted", async () => {
  const hooks = await receiver();
  const ids = new Map<string, string>();
  const old = await start(knowing, "api");
  for (const [name, body] of [
    ["test.plain", { note: "é", source: { url: "https://example.com/a.wav" } }],
    ["test.many", { mood: "calm", n_variations: 3, seed: 5 }],
  ] as const) {
    const sent = { idempotency_key: randomUUID(), callback_url: hooks.url, ...body };
    const answer = await old.json("PUT", `/v1/${name}`, sent);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    ids.set(name, answer.body[name.replace(".", "_")].id);
  }
  assert.equal((await old.json("GET", "/v1/account")).body.account.credits, 92);
  await old.stop();

  const next = await start(unknowing, "all");
  await endWaits();
  await until(() => hooks.got.length === 2);
  assert.equal((await next.json("GET", "/v1/account")).body.account.credits, 100);
  // To clients of such a node there is no such operation.
  for (const [name, id] of ids) assert.equal((await next.json("GET", `/v1/${name}?id=${id}`)).status, 404);
  const samples = readMetrics(await next.service.telemetry.metrics!.text());
  for (const [action, credits] of [
    ["test.plain", 1],
    ["test.many", 7],
  ] as const) {
    const labels = { action, status: "failed", code: "internal_error" };
    assert.equal(sumOf(samples, "tonwerk_operations_ended_total", labels), 1, action);
    assert.equal(sumOf(samples, "tonwerk_credits_refunded_total", { action }), credits, action);
  }
  await next.stop();

  const again = await start(knowing, "api");
  for (const [name, id] of ids) {
    const told = hooks.got.find(({ body }) => body.includes(id))!;
    new Receiver(SECRET).verify(told.body, told.headers);
    assert.equal(told.headers["webhook-type"], `${name}.failed`);
    const wrapper = name.replace(".", "_");
    // How the webhook itself fares is not in its body.
    const { webhook, ...shown } = (await again.json("GET", `/v1/${name}?id=${id}`)).body[wrapper];
    assert.equal(webhook.last_status, 200);
    assert.equal(told.body, JSON.stringify({ [wrapper]: shown }));
    const { status, error } = JSON.parse(told.body)[wrapper];
    assert.deepEqual([status, error.code], ["failed", "internal_error"]);
  }
  await again.stop();
  await hooks.close();
});
