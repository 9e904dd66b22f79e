/** Webhook endpoints: their rows and secrets, and what attempts say of their health. */
import assert from "node:assert/strict";
import type { NewEndpoint, NewSecret, WebhookAttempt } from "../../../core/ports/mod.ts";
import {
  accept,
  addAccount,
  type Check,
  endOf,
  keyedCall,
  LEASE_MS,
  newWebhook,
  nextId,
  type StoreHarness,
} from "./fixtures.ts";

const CAPS = { lane_max: 9, host_max: 9, account_max: 9 };
const MAX = 3;
const HOUR_MS = 3_600_000;

const newEndpoint = (account_id: string, created_at: number, changes: Partial<NewEndpoint> = {}): NewEndpoint => ({
  id: nextId("hook"),
  account_id,
  url: `https://example.com/${nextId("path")}`,
  host: "example.com",
  events: ["*.ready", "*.failed"],
  description: "",
  created_at,
  disabled_at: null,
  disabled_why: null,
  ...changes,
});
const newSecret = (account_id: string, created_at: number): NewSecret => ({
  id: nextId("sec"),
  account_id,
  label: "",
  sealed: `v1.${nextId("sealed")}`,
  created_at,
});
const HEALTHY = {
  last_success_at: null,
  last_failure_at: null,
  last_failure_status: null,
  last_failure_detail: null,
  failing_since: null,
  failures: 0,
};

export async function addEndpoint(h: StoreHarness, account_id: string, changes: Partial<NewEndpoint> = {}) {
  const endpoint = newEndpoint(account_id, h.now(), changes);
  assert.equal(await h.store.createEndpoint(endpoint, newSecret(account_id, h.now()), MAX), "created");
  return endpoint;
}

/** One event to the endpoint, attempted once. */
async function attempt(
  h: StoreHarness,
  { id: endpoint_id, account_id, url, host }: NewEndpoint,
  tells: "succeeded" | "failed" | "given_up" | undefined,
  changes: Partial<WebhookAttempt> = {},
): Promise<string> {
  const id = nextId("evt");
  const webhook = newWebhook({ id, endpoint_id, url, host, type: "ping" });
  await h.store.announce(account_id, webhook, h.now(), h.now() + 1_000_000_000);
  const [row] = await h.store.claimWebhooks("worker-1", 1, LEASE_MS, CAPS);
  assert.deepEqual([row?.id, row?.endpoint_id, row?.operation_id], [id, endpoint_id, null]);
  const made = {
    webhook_id: id,
    attempt: 1,
    started_at: h.now(),
    duration_ms: 5,
    status: 500,
    detail: "oh",
    exchange: null,
    ...changes,
  };
  assert.ok(await h.store.recordWebhook(made, tells === "succeeded" ? "delivered" : "failed", null, tells));
  return id;
}

export function endpointChecks(check: Check): void {
  check("createEndpoint() makes as many as there may be, each with a URL of its own", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const first = await addEndpoint(h, one, { events: ["*", "create.new_song.failed"], description: "Ours" });
    const again = newEndpoint(one, h.now(), { url: first.url });
    const make = (endpoint: NewEndpoint) => h.store.createEndpoint(endpoint, newSecret(one, h.now()), MAX);
    assert.equal(await make(again), "taken");
    await addEndpoint(h, one);
    const last = await addEndpoint(h, one, {
      disabled_at: 7,
      disabled_why: "request",
      url: `https://a.b/${"x".repeat(2_000)}ü`,
    });
    assert.equal(await make(newEndpoint(one, h.now())), "full");
    await addEndpoint(h, other, { url: first.url });
    assert.deepEqual(await h.store.endpoint(first.id), { ...first, ...HEALTHY });
    const all = await h.store.endpoints(one);
    assert.deepEqual([all.length, all[0]?.id, all[2]], [3, first.id, { ...last, ...HEALTHY }]);
    assert.deepEqual(await h.store.endpoint("hook_none"), undefined);
  });

  check("an endpoint's secrets are not its account's, rotate with an overlap, and go with it", async (h) => {
    const account_id = await addAccount(h);
    const own = newSecret(account_id, h.now());
    await h.store.createSecret(own);
    const endpoint = await addEndpoint(h, account_id);
    const idsAt = async (at: number) => (await h.store.endpointSecrets(endpoint.id, at)).map(({ id }) => id);
    const [first] = await idsAt(h.now());
    assert.ok(first !== undefined);
    assert.deepEqual(
      (await h.store.secrets(account_id)).map(({ id }) => id),
      [own.id],
    );
    assert.equal(await h.store.retireSecret(account_id, own.id, h.now()), "last", "an endpoint's counts for nothing");
    assert.equal(await h.store.retireSecret(account_id, first, h.now()), "unknown");

    await h.advance(1);
    const second = newSecret(account_id, h.now());
    const until = h.now() + 60_000;
    assert.equal(await h.store.rotateEndpointSecret(endpoint.id, second, until), "rotated");
    assert.deepEqual(await idsAt(until - 1), [second.id, first]);
    assert.deepEqual(await idsAt(until), [second.id]);
    await h.advance(1);
    const third = newSecret(account_id, h.now());
    assert.equal(await h.store.rotateEndpointSecret(endpoint.id, third, until), "rotated");
    assert.deepEqual(await idsAt(h.now()), [third.id, second.id], "two sign at most");
    const stranger = newSecret(await addAccount(h), h.now());
    assert.equal(await h.store.rotateEndpointSecret(endpoint.id, stranger, until), "unknown");
    // Sealed anew with all others.
    const sealed = await h.store.sealedSecrets({ after: "", limit: 10 });
    assert.deepEqual(
      sealed.map(({ id }) => id),
      [own.id, second.id, third.id].sort(),
    );

    assert.equal(await h.store.deleteEndpoint(stranger.account_id, endpoint.id), false);
    assert.equal(await h.store.deleteEndpoint(account_id, endpoint.id), true);
    assert.deepEqual(await idsAt(h.now()), []);
    assert.deepEqual(await h.store.endpoints(account_id), []);
  });

  check("updateEndpoint() changes what it is given, and forgives one that is enabled again", async (h) => {
    const account_id = await addAccount(h);
    const [endpoint, other] = [await addEndpoint(h, account_id), await addEndpoint(h, account_id)];
    await attempt(h, endpoint, "given_up");
    const update = (changes: object, by = account_id) => h.store.updateEndpoint(by, endpoint.id, changes);
    const off = { disabled_at: h.now(), disabled_why: "request" as const };
    assert.equal(await update({ ...off, events: ["*"], description: "ours" }), "updated");
    const seen = await h.store.endpoint(endpoint.id);
    assert.deepEqual(
      [seen?.events, seen?.description, seen?.disabled_why, seen?.failures, seen?.url],
      [["*"], "ours", "request", 1, endpoint.url],
    );
    assert.equal(await update({ url: other.url, host: other.host }), "taken");
    assert.equal(await update({ url: endpoint.url, host: endpoint.host }), "updated", "its own is free");
    assert.equal(await update({}, await addAccount(h)), "unknown");
    assert.equal(await update({ disabled_at: null, disabled_why: null, url: "https://a.b/", host: "a.b" }), "updated");
    const on = await h.store.endpoint(endpoint.id);
    assert.deepEqual(
      [on?.disabled_at, on?.failures, on?.failing_since, on?.url, on?.host],
      [null, 0, null, "https://a.b/", "a.b"],
    );
  });

  check("recordWebhook() notes what an attempt tells of an endpoint, by the hour too", async (h) => {
    const account_id = await addAccount(h);
    const endpoint = await addEndpoint(h, account_id);
    const seen = async () => {
      const { id: _, account_id: __, ...row } = (await h.store.endpoint(endpoint.id))!;
      return row;
    };
    const began = h.now();
    await attempt(h, endpoint, "failed");
    await h.advance(10);
    await attempt(h, endpoint, "given_up", { status: null, detail: "no answer" });
    assert.deepEqual(
      (await h.store.failingEndpoints(9)).map(({ id }) => id),
      [endpoint.id],
    );
    const { last_failure_at, last_failure_status, last_failure_detail, failing_since, failures } = await seen();
    assert.deepEqual(
      [last_failure_at, last_failure_status, last_failure_detail, failing_since, failures],
      [began + 10, null, "no answer", began, 1],
    );
    await h.advance(10);
    await attempt(h, endpoint, undefined);
    assert.equal((await seen()).last_failure_at, began + 10, "what tells nothing is not noted");
    await attempt(h, endpoint, "succeeded", { status: 200 });
    const after = await seen();
    assert.deepEqual(
      [after.last_success_at, after.failing_since, after.failures, after.last_failure_at],
      [began + 20, null, 0, began + 10],
    );
    const hour = began - (began % HOUR_MS);
    const sum = (since: number) => h.store.endpointAttempts(account_id, since);
    const found = (await sum(hour)).map(({ succeeded, failed }) => [succeeded, failed]);
    assert.deepEqual(found, [[1, 2]]);
    assert.deepEqual(await sum(hour + 2 * HOUR_MS), []);
    // Of an endpoint that is gone nothing is noted.
    await attempt(h, { ...endpoint, id: "hook_gone" }, "failed");
  });

  check(
    "disableEndpoint() does so once, for failures that nothing has ended; its notice is due until it is told",
    async (h) => {
      const account_id = await addAccount(h);
      const [endpoint, healthy] = [await addEndpoint(h, account_id), await addEndpoint(h, account_id)];
      const since = h.now();
      await attempt(h, endpoint, "given_up");
      await h.advance(5);
      const disable = (failing_since: number) =>
        h.store.disableEndpoint(endpoint.id, failing_since, "failures", h.now());
      assert.equal(await disable(since - 1), false);
      assert.equal(await disable(since), true);
      assert.equal(await disable(since), false);
      assert.equal(await h.store.disableEndpoint(healthy.id, since, "failures", h.now()), false);
      const row = await h.store.endpoint(endpoint.id);
      assert.deepEqual([row?.disabled_at, row?.disabled_why], [h.now(), "failures"]);

      const claim = async () =>
        (await h.store.claimEndpointNotices(h.now(), 1_000, 9)).map(({ endpoint: { id }, attempts }) => [id, attempts]);
      assert.deepEqual(await claim(), [[endpoint.id, 1]]);
      assert.deepEqual(await claim(), []);
      await h.advance(1_000);
      assert.deepEqual(await claim(), [[endpoint.id, 2]]);
      await h.store.recordEndpointNotice(endpoint.id, null);
      await h.advance(1_000);
      assert.deepEqual(await claim(), []);
    },
  );

  check("an event is told once to each receiver of an operation, and again to all of them", async (h) => {
    const account_id = await addAccount(h);
    const endpoint = await addEndpoint(h, account_id);
    const id = await accept(h, account_id);
    const webhooks = [newWebhook(), newWebhook({ endpoint_id: endpoint.id }), newWebhook({ endpoint_id: "hook_2" })];
    await h.store.terminate(endOf(id, 0, h.now(), { webhooks }));
    const rows = await h.store.webhooks(id);
    assert.deepEqual(
      rows.map((row) => row.endpoint_id),
      [null, endpoint.id, "hook_2"],
    );
    for (const row of await h.store.claimWebhooks("worker-1", 9, LEASE_MS, CAPS)) {
      const made = { webhook_id: row.id, attempt: 1, started_at: h.now(), duration_ms: 1, status: 404, detail: "" };
      await h.store.recordWebhook({ ...made, exchange: null }, row.endpoint_id === null ? "delivered" : "failed", null);
    }
    const states = async () => (await h.store.webhooks(id)).map(({ state }) => state);
    const ids = rows.map((row) => row.id);
    assert.equal(await h.store.resend(await addAccount(h), ids, ["failed"], h.now()), 0, "another account's");
    assert.equal(await h.store.resend(account_id, [...ids.slice(0, 2), "evt_none"], ["failed"], h.now()), 1);
    assert.deepEqual(await states(), ["delivered", "pending", "failed"]);
    const [again] = await h.store.claimWebhooks("worker-1", 9, LEASE_MS, CAPS);
    assert.deepEqual([again?.id, again?.attempts, again?.first_attempt_at], [ids[1], 2, h.now()]);
    assert.equal(await h.store.resend(account_id, ids, ["delivered", "pending"], h.now()), 2);
    const late = { webhook_id: again!.id, attempt: 2, started_at: h.now(), duration_ms: 1, status: 404, detail: "" };
    assert.equal(await h.store.recordWebhook({ ...late, exchange: null }, "failed", null), false, "it was under way");
    assert.deepEqual(await states(), ["pending", "pending", "failed"]);
    assert.equal(await h.store.redeliver(id, webhooks[0]!.type, h.now(), keyedCall(account_id)), true);
    assert.deepEqual(await states(), ["pending", "pending", "pending"]);
  });

  check("what was announced of no operation is forgotten at its time", async (h) => {
    const account_id = await addAccount(h);
    const endpoint = await addEndpoint(h, account_id);
    const id = await attempt(h, endpoint, "succeeded");
    const listed = async () => (await h.store.deliveries(account_id, { limit: 9 })).map((row) => row.id);
    await h.store.expire(h.now() + 999_999_999, 9);
    assert.deepEqual(await listed(), [id]);
    await h.store.expire(h.now() + 1_000_000_000, 9);
    assert.deepEqual(await listed(), []);
  });
}
