import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openPostgresStore } from "../../core/adapters/postgres/store.ts";
import { systemClock } from "../../core/base/timers.ts";
import type { ServiceProcess } from "../process.ts";
import { whenThere } from "../services/services.ts";
import { STACK_MISSING } from "../services/stack.ts";
import { until } from "../until.ts";
import { faultCampaign } from "./fault_campaign.ts";
import { CREDITS, startFleet } from "./fleet.ts";

await whenThere("3 api nodes and 2 workers on Postgres, Redis and S3", STACK_MISSING, async () => {
  const fleet = await startFleet();
  const store = await openPostgresStore({ url: fleet.database_url, clock: systemClock });
  after(async () => {
    await store.close();
    await fleet.close();
  });
  const { call, submit } = fleet;

  const ready = async (node: number, action: string, id: string) => {
    const began = Date.now();
    for (;;) {
      assert.ok(Date.now() - began < 90_000, `${id} did not end. Workers:\n${tails(fleet.workers)}`);
      const { status, text, body } = await call(node, "GET", `/v1/test.${action}?id=${id}&wait=true`);
      assert.equal(status, 200, text);
      const operation = body[`test_${action}`];
      if (operation.status !== "processing") return operation;
    }
  };
  const accepted = async (node: number, action: string): Promise<string> => {
    const { status, text, body } = await submit(node, action);
    assert.equal(status, 200, text);
    return body[`test_${action}`].id as string;
  };

  test("several nodes that start at once on an empty database make one account", async () => {
    assert.equal(await store.countAccounts(), 1);
    const shown = fleet.apis.filter((node) => node.output().includes(fleet.key));
    assert.ok(shown.length <= 1, "at most one of the nodes that answer says what it made");
  });

  test("workers answer those who look after them and no client", async () => {
    for (const { url } of fleet.workers) {
      assert.equal(await statusOf(`${url}/health`), 200);
      assert.equal(await statusOf(`${url}/v1/account`), 404);
    }
  });

  test("1,000 identical keys spread over the nodes make one operation, one charge and equal bodies", async () => {
    const before = (await call(0, "GET", "/v1/account")).body.account.credits as number;
    const key = crypto.randomUUID();
    const texts = new Set<string>();
    let sent = 0;
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        while (sent < 1_000) {
          const { status, text } = await submit(sent++ % 3, "copy", key);
          assert.equal(status, 200, text);
          texts.add(text);
        }
      }),
    );
    assert.equal(texts.size, 1);
    const { id } = JSON.parse([...texts][0]!).test_copy;
    assert.equal((await ready(1, "copy", id)).status, "ready");
    assert.equal((await call(2, "GET", "/v1/account")).body.account.credits, before - 1);
  });

  test("what one node accepts another one reads, waits for and delivers; downloads lead to the bucket", async () => {
    const id = await accepted(0, "copy");
    const [one, other] = await Promise.all([ready(1, "copy", id), ready(2, "copy", id)]);
    assert.deepEqual(one, other);
    assert.equal(one.status, "ready");
    const { pathname, search } = new URL(one.output.url);
    const redirect = await fetch(`${fleet.apis[2]?.url}${pathname}${search}`, { redirect: "manual" });
    await redirect.body?.cancel();
    assert.equal(redirect.status, 302);
    const flac = await fetch(redirect.headers.get("location") ?? "");
    assert.equal(flac.headers.get("content-type"), "audio/flac");
    assert.equal((await flac.arrayBuffer()).byteLength, one.output.bytes);
  });

  test("progress and cancel cross nodes, and the worker is free again", async () => {
    const ids = await Promise.all([accepted(0, "slow"), accepted(1, "slow"), accepted(2, "slow"), accepted(0, "slow")]);
    // All places of both workers are taken by what never ends by itself.
    for (const id of ids) {
      const isCopying = async () => (await call(1, "GET", `/v1/test.slow?id=${id}`)).body.test_slow.stage === "copying";
      await until(isCopying).catch((error: Error) =>
        assert.fail(`${error.message}. Workers:\n${tails(fleet.workers)}`),
      );
    }
    const waiting = ids.map((id, n) => ready((n + 1) % 3, "slow", id));
    for (const [n, id] of ids.entries()) {
      assert.equal(
        (await call((n + 2) % 3, "PUT", "/v1/operations.cancel", { idempotency_key: crypto.randomUUID(), id })).status,
        200,
      );
    }
    for (const operation of await Promise.all(waiting)) assert.equal(operation.error.code, "canceled");
    assert.equal((await ready(2, "copy", await accepted(1, "copy"))).status, "ready");
  });

  test("an account's rate limit holds for all nodes together", async () => {
    const account_id = (await call(0, "GET", "/v1/account")).body.account.id as string;
    // Once a minute: what is refilled meanwhile is nothing.
    await store.updateSettings(account_id, { get_per_minute: 6 });
    try {
      // Nodes that know the key from before ask again after 5 s at the latest.
      for (const node of [0, 1, 2])
        await until(async () => (await call(node, "GET", "/v1/account")).status === 429, 50);
      const left = await Promise.all([0, 1, 2].map((node) => call(node, "GET", "/v1/account")));
      assert.deepEqual(
        left.map(({ status }) => status),
        [429, 429, 429],
      );
    } finally {
      await store.updateSettings(account_id, { get_per_minute: null });
      for (const node of [0, 1, 2])
        await until(async () => (await call(node, "GET", "/v1/account")).status === 200, 50);
    }
  });

  test("a worker leaves actions that it does not know to workers of the next version", async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => accepted(2, "newer")));
    const mixed = await Promise.all(Array.from({ length: 6 }, (_, n) => accepted(n % 3, "copy")));
    for (const id of ids) assert.equal((await ready(2, "newer", id)).status, "ready");
    for (const id of mixed) assert.equal((await ready(0, "copy", id)).status, "ready");
    // Nodes of the old version show what was made of actions that they do not serve, and have no path for them.
    assert.equal((await call(0, "GET", `/v1/test.newer?id=${ids[0]}`)).status, 404);
    const listed = (await call(0, "GET", "/v1/operations?limit=100")).body.operations as { action: string }[];
    assert.ok(listed.some(({ action }) => action === "test.newer"));
    assert.equal((await call(0, "GET", `/v1/operations/${ids[0]}`)).body.operation.status, "ready");
    assert.equal((await call(2, "GET", "/v1/operations?action=test.newer&limit=100")).body.operations.length, 12);
  });

  test("what a model on an accelerator serves is done by the workers that have one, and by them alone", async () => {
    const ids = await Promise.all([0, 1, 2, 0].map((node) => accepted(node, "model")));
    for (const id of ids) assert.equal((await store.operation(id))?.work, "gpu");
    for (const id of ids) assert.equal((await ready(1, "model", id)).status, "ready");
    const [without, having] = fleet.workers;
    // A worker says that it has done a job after the store knows.
    await until(async () => ids.every((id) => having!.output().includes(id)));
    for (const id of ids) assert.ok(!without!.output().includes(id), id);
  });

  test("a key that is revoked on one node is refused by all", async () => {
    const account_id = (await call(0, "GET", "/v1/account")).body.account.id as string;
    const { hashApiKey, newApiKey } = await import("../../core/base/keys.ts");
    const key = newApiKey();
    const id = `key_${crypto.randomUUID().replaceAll("-", "")}`;
    await store.createKey({
      id,
      account_id,
      label: "second",
      sha256: hashApiKey(key),
      last_four: key.slice(-4),
      created_at: Date.now(),
    });
    const as = (node: number) => call(node, "GET", "/v1/account", undefined, key);
    for (const node of [0, 1, 2]) assert.equal((await as(node)).status, 200);
    assert.equal(await store.revokeKey(account_id, id, Date.now()), true);
    for (const node of [0, 1, 2]) await until(async () => (await as(node)).status === 401);
  });

  test("an output that the bucket took without saying so is delivered", async () => {
    // More than the client asks again by itself, and the worker's second try too.
    fleet.s3.loseAnswers({ method: "PUT", path: /\/op\//, count: 9 });
    const lost = fleet.s3.lost;
    const operation = await ready(1, "copy", await accepted(0, "copy"));
    assert.equal(operation.status, "ready", JSON.stringify(operation.error));
    assert.equal(fleet.s3.lost - lost, 9);
    fleet.s3.heal();
    const { pathname, search } = new URL(operation.output.url);
    const flac = await fetch(`${fleet.apis[2]?.url}${pathname}${search}`);
    assert.equal((await flac.arrayBuffer()).byteLength, operation.output.bytes);
  });

  test("faults of Postgres, Redis and S3 under load lose nothing, hang nothing, and leave the ledger right", {
    timeout: 600_000,
  }, async () => {
    const spent = CREDITS - ((await call(0, "GET", "/v1/account")).body.account.credits as number);
    const { acknowledged, faults } = await faultCampaign(fleet, { outage_ms: 2_000, pace_ms: 250, spent });
    assert.ok(acknowledged >= 10, `${acknowledged} acknowledged`);
    assert.equal(faults.length, 8);
  });
});

/** What each printed last, to say why it does nothing. */
function tails(nodes: readonly ServiceProcess[]): string {
  return nodes.map((node) => `${node.pid}: ${node.output().slice(-1_500)}`).join("\n");
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}
