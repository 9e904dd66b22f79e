import assert from "node:assert/strict";
import type { Webhook, WebhookAttempt } from "../../../core/ports/mod.ts";
import {
  accept,
  addAccount,
  type Check,
  claim,
  endedWithWebhook,
  endOf,
  isMistake,
  keyedCall,
  newWebhook,
  type StoreHarness,
} from "./fixtures.ts";

const WORKER = "worker-1";
const LEASE_MS = 20_000;
/** More than any check has under way. */
const CAPS = { lane_max: 100, host_max: 100, account_max: 100 };

/** Deliveries of webhooks. */
export function webhookChecks(check: Check): void {
  check("claimWebhooks() hands out due rows once, oldest first", async (h) => {
    const first = await endWithWebhook(h);
    await h.advance(1);
    const second = await endWithWebhook(h);
    const third = await endWithWebhook(h);
    const claimed = await h.store.claimWebhooks(WORKER, 2, LEASE_MS, CAPS);
    assert.equal(claimed.length, 2);
    assert.deepEqual(claimed[0], {
      ...first,
      first_attempt_at: h.now(),
      attempts: 1,
    });
    const rest = await h.store.claimWebhooks(WORKER, 10, LEASE_MS, CAPS);
    assert.deepEqual([claimed[1]?.id, ...rest.map((row) => row.id)].sort(), [second.id, third.id].sort());
    assert.deepEqual(await h.store.claimWebhooks(WORKER, 10, LEASE_MS, CAPS), []);
    assert.deepEqual(await h.store.webhooks(first.operation_id!), [claimed[0]]);
  });

  check("claimWebhooks() hands a row out again when its worker was lost", async (h) => {
    await endWithWebhook(h);
    const [first] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS);
    await h.advance(LEASE_MS - 1);
    assert.deepEqual(await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS), []);
    await h.advance(1);
    const [second] = await h.store.claimWebhooks("worker-2", 1, LEASE_MS, CAPS);
    assert.ok(first !== undefined);
    assert.deepEqual(second, { ...first, attempts: 2 });
    assert.equal(await h.store.recordWebhook(attemptOf(first), "delivered", null), false);
    assert.equal(await h.store.recordWebhook(attemptOf(second), "delivered", null), true);
    assert.deepEqual(
      (await h.store.webhookAttempts(first.id)).map((attempt) => attempt.attempt),
      [2],
    );
  });

  check("claimWebhooks() passes over what is at its host's cap", async (h) => {
    const caps = { lane_max: 2, host_max: 2, account_max: 100 };
    const slow = await addAccount(h);
    for (let i = 0; i < 5; i++) await endWithWebhook(h, slow, { host: "slow.example" });
    await h.advance(1);
    // Another account's row for the same host waits too; another host's does not.
    const sharing = await endWithWebhook(h, undefined, { host: "slow.example" });
    const other = await endWithWebhook(h, slow, { host: "other.example" });
    const claimed = await h.store.claimWebhooks(WORKER, 10, LEASE_MS, caps);
    assert.deepEqual(claimed.map((row) => row.host).sort(), ["other.example", "slow.example", "slow.example"]);
    assert.ok(claimed.some((row) => row.id === other.id));
    assert.deepEqual(await h.store.claimWebhooks(WORKER, 10, LEASE_MS, caps), []);
    // Those that were passed over are as they were.
    assert.deepEqual(await h.store.webhooks(sharing.operation_id!), [sharing]);

    const [done] = claimed.filter((row) => row.host === "slow.example");
    assert.ok(done !== undefined);
    assert.equal(await h.store.recordWebhook(attemptOf(done), "delivered", null), true);
    const [next, ...more] = await h.store.claimWebhooks("worker-2", 10, LEASE_MS, caps);
    assert.deepEqual([next?.host, next?.attempts, more], ["slow.example", 1, []]);
  });

  check(
    "claimWebhooks() passes over what an account has too much of at one host, and not other accounts' there",
    async (h) => {
      const caps = { lane_max: 2, host_max: 5, account_max: 100 };
      const slow = await addAccount(h);
      for (let i = 0; i < 8; i++) await endWithWebhook(h, slow, { host: "shared.example" });
      await h.advance(1);
      const elsewhere = await endWithWebhook(h, slow, { host: "other.example" });
      // A limit that the slow account's lane alone would fill.
      const hanging = await h.store.claimWebhooks(WORKER, 2, LEASE_MS, caps);
      assert.deepEqual(
        hanging.map((row) => [row.account_id, row.host]),
        [
          [slow, "shared.example"],
          [slow, "shared.example"],
        ],
      );
      const other = await addAccount(h);
      for (let i = 0; i < 3; i++) await endWithWebhook(h, other, { host: "shared.example" });
      const [first, ...others] = await h.store.claimWebhooks(WORKER, 3, LEASE_MS, caps);
      assert.equal(first?.id, elsewhere.id);
      assert.deepEqual(
        others.map((row) => [row.account_id, row.host]),
        [
          [other, "shared.example"],
          [other, "shared.example"],
        ],
      );
      // Of the five places that the host has in all, one is left for whoever comes next.
      for (let i = 0; i < 2; i++) await endWithWebhook(h, undefined, { host: "shared.example" });
      assert.equal((await h.store.claimWebhooks(WORKER, 10, LEASE_MS, caps)).length, 1);
      assert.deepEqual(await h.store.claimWebhooks(WORKER, 10, LEASE_MS, caps), []);
    },
  );

  check("claimWebhooks() passes over what is at its account's cap", async (h) => {
    const caps = { lane_max: 100, host_max: 100, account_max: 3 };
    const busy = await addAccount(h);
    for (let i = 0; i < 8; i++) await endWithWebhook(h, busy, { host: `host-${i}.example` });
    await h.advance(1);
    const other = await endWithWebhook(h, undefined, { host: "host-7.example" });
    // A limit that the busy account's lanes alone would fill.
    const claimed = await h.store.claimWebhooks(WORKER, 4, LEASE_MS, caps);
    assert.deepEqual(
      claimed.map((row) => row.account_id),
      [busy, busy, busy, other.account_id],
    );
    assert.deepEqual(await h.store.claimWebhooks(WORKER, 4, LEASE_MS, caps), []);
  });

  check("claimWebhooks() does not count attempts whose lease ran out", async (h) => {
    const caps = { lane_max: 1, host_max: 1, account_max: 1 };
    await endWithWebhook(h);
    const [lost] = await h.store.claimWebhooks(WORKER, 10, LEASE_MS, caps);
    await h.advance(LEASE_MS);
    const [again] = await h.store.claimWebhooks("worker-2", 10, LEASE_MS, caps);
    assert.deepEqual([again?.id, again?.attempts], [lost?.id, 2]);
  });

  check("claimWebhooks() finds rows of one host at their own times", async (h) => {
    const account = await addAccount(h);
    const rows = [await endWithWebhook(h, account), await endWithWebhook(h, account)];
    const claimed = await h.store.claimWebhooks(WORKER, 10, LEASE_MS, CAPS);
    assert.equal(claimed.length, 2);
    const [late, soon] = claimed as [Webhook, Webhook];
    await h.store.recordWebhook(attemptOf(late), "pending", h.now() + 9_000);
    await h.store.recordWebhook(attemptOf(soon), "pending", h.now() + 5_000);
    const claimedIds = async () => (await h.store.claimWebhooks(WORKER, 10, 60_000, CAPS)).map((row) => row.id);
    await h.advance(4_999);
    assert.deepEqual(await claimedIds(), []);
    await h.advance(1);
    assert.deepEqual(await claimedIds(), [soon.id]);
    await h.advance(4_000);
    assert.deepEqual(await claimedIds(), [late.id]);
    assert.deepEqual(rows.map((row) => row.id).sort(), [late.id, soon.id].sort());
  });

  check("recordWebhook() schedules the next attempt", async (h) => {
    await endWithWebhook(h);
    const [row] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS);
    assert.ok(row !== undefined);
    const attempt = attemptOf(row, {
      status: null,
      detail: "connection refused",
      duration_ms: 12,
      exchange: '{"url":"x"}',
    });
    const next = h.now() + 5_000;
    assert.equal(await h.store.recordWebhook(attempt, "pending", next), true);
    assert.deepEqual(await h.store.webhookAttempts(row.id), [attempt]);
    assert.deepEqual(await h.store.webhooks(row.operation_id!), [{ ...row, next_attempt_at: next }]);
    await h.advance(4_999);
    assert.deepEqual(await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS), []);
    await h.advance(1);
    const [again] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS);
    assert.deepEqual(again, { ...row, next_attempt_at: next, attempts: 2 });
  });

  check("recordWebhook() ends the schedule, and takes each attempt once", async (h) => {
    for (const state of ["delivered", "failed"] as const) {
      await endWithWebhook(h);
      const [row] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS);
      assert.ok(row !== undefined);
      assert.equal(await h.store.recordWebhook(attemptOf(row), state, null), true);
      assert.equal(await h.store.recordWebhook(attemptOf(row), "pending", h.now()), false);
      assert.deepEqual(await h.store.webhooks(row.operation_id!), [{ ...row, state, next_attempt_at: null }]);
      await h.advance(LEASE_MS);
      assert.deepEqual(await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS), []);
    }
  });

  check("recordWebhook() rejects a pending row without a next attempt as a mistake", async (h) => {
    await endWithWebhook(h);
    const [row] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS);
    assert.ok(row !== undefined);
    await assert.rejects(h.store.recordWebhook(attemptOf(row), "pending", null), isMistake);
    assert.deepEqual(await h.store.webhookAttempts(row.id), []);
  });

  check("redeliver() begins a new schedule, whatever the state", async (h) => {
    await endWithWebhook(h);
    const [row] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS);
    assert.ok(row !== undefined);
    await h.store.recordWebhook(attemptOf(row), "failed", null);
    await h.advance(1_000);
    assert.equal(await h.store.redeliver(row.operation_id!, row.type, h.now(), keyedCall(row.account_id)), true);
    assert.deepEqual(await h.store.webhooks(row.operation_id!), [
      { ...row, state: "pending", next_attempt_at: h.now(), first_attempt_at: null },
    ]);
    const [again] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS);
    assert.equal(again?.first_attempt_at, h.now());
    assert.equal(again?.attempts, 2);
    assert.equal(again?.body, row.body);
    assert.equal(await h.store.redeliver("op_nothing", row.type, h.now(), keyedCall(row.account_id)), false);
  });

  check("announceStart() writes one start while the attempt holds the job, and the end stands beside it", async (h) => {
    const account_id = await addAccount(h);
    const id = await accept(h, account_id);
    const started = () => newWebhook({ type: "create.new_song.started" });
    const announce = (attempt: number) => h.store.announceStart(id, attempt, started(), h.now());
    assert.equal(await announce(1), false, "nobody has claimed it");
    assert.equal((await claim(h)).id, id);
    assert.equal(await announce(2), false, "another attempt");
    const tries = await Promise.all([announce(1), announce(1), announce(1)]);
    assert.deepEqual(tries.toSorted(), [false, false, true]);
    await h.store.release(id, 1);
    await claim(h);
    assert.equal(await announce(2), false, "told by the attempt before");
    await h.advance(1);
    await h.store.terminate(endOf(id, 2, h.now(), { webhooks: [newWebhook()] }));
    assert.equal(await announce(2), false, "it has ended");
    const rows = await h.store.webhooks(id);
    assert.deepEqual(
      rows.map(({ type, account_id, state }) => ({ type, account_id, state })),
      ["create.new_song.started", "create.new_song.ready"].map((type) => ({ type, account_id, state: "pending" })),
    );
    assert.equal((await h.store.claimWebhooks(WORKER, 10, LEASE_MS, CAPS)).length, 2);
    const attempted = (await h.store.webhooks(id)).map((row) => attemptOf(row, { attempt: 1 }));
    for (const attempt of attempted) assert.equal(await h.store.recordWebhook(attempt, "delivered", null), true);
    assert.equal(await h.store.redeliver(id, "create.new_song.ready", h.now(), keyedCall(account_id)), true);
    const states = (await h.store.webhooks(id)).map(({ state }) => state);
    assert.deepEqual(states, ["delivered", "pending"], "only what is named is sent again");
  });

  check("webhooksBehind() counts what is due and not under way", async (h) => {
    assert.deepEqual(await h.store.webhooksBehind(), { due: 0, oldest_due_at: null });
    const first = await endWithWebhook(h);
    await h.advance(5);
    await endWithWebhook(h, first.account_id);
    assert.deepEqual(await h.store.webhooksBehind(), { due: 2, oldest_due_at: first.next_attempt_at });
    const [claimed] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS);
    assert.deepEqual(await h.store.webhooksBehind(), { due: 1, oldest_due_at: h.now() });
    await h.store.recordWebhook(attemptOf(claimed!), "pending", h.now() + 1_000);
    assert.equal((await h.store.webhooksBehind()).due, 1);
    await h.advance(1_000);
    assert.equal((await h.store.webhooksBehind()).due, 2);
    assert.deepEqual(await h.store.webhook(claimed!.id), { ...claimed, next_attempt_at: h.now() });
    assert.equal(await h.store.webhook("evt_none"), undefined);
  });

  check("redeliver() is not undone by an attempt that was under way", async (h) => {
    await endWithWebhook(h);
    const [row] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS);
    assert.ok(row !== undefined);
    assert.equal(await h.store.redeliver(row.operation_id!, row.type, h.now(), keyedCall(row.account_id)), true);
    assert.equal(await h.store.recordWebhook(attemptOf(row), "delivered", null), false);
    const [again] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS);
    assert.equal(again?.attempts, 2);
  });

  check("delivery() is the operation's of this type, with its last attempt", async (h) => {
    await endWithWebhook(h);
    const [row] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS, CAPS);
    assert.ok(row !== undefined);
    const { body: _, ...known } = row;
    assert.deepEqual(await h.store.delivery(row.operation_id!, row.type), { ...known, last: null });
    await h.store.recordWebhook(attemptOf(row, { status: 200, detail: "ok" }), "delivered", null);
    const found = await h.store.delivery(row.operation_id!, row.type);
    const { started_at, duration_ms } = attemptOf(row);
    assert.deepEqual(found?.last, { started_at, duration_ms, status: 200, detail: "ok" });
    assert.equal(found?.state, "delivered");
    assert.equal(await h.store.delivery(row.operation_id!, "create.new_song.started"), undefined);
  });

  check("deliveries() pages through the account's own, newest first, with the last attempt", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const ids: string[] = [];
    for (const account_id of [one, other, one, one]) {
      const { id, event } = await endedWithWebhook(h, account_id);
      if (account_id === one) ids.unshift(event);
      assert.ok(id);
    }
    const caps = { lane_max: 9, host_max: 9, account_max: 9 };
    const [taken] = await h.store.claimWebhooks("worker-1", 1, 1_000, caps);
    const attempt = {
      webhook_id: taken!.id,
      started_at: h.now(),
      duration_ms: 12,
      status: 500,
      detail: "oh",
      exchange: null,
    };
    await h.store.recordWebhook({ ...attempt, attempt: 1 }, "pending", h.now());
    await h.store.claimWebhooks("worker-1", 9, 1_000, caps);
    await h.store.recordWebhook({ ...attempt, attempt: 2, status: 200, detail: "ok" }, "delivered", null);

    const page = async (filter: object) => (await h.store.deliveries(one, { limit: 9, ...filter })).map(({ id }) => id);
    assert.deepEqual(await page({}), ids);
    assert.deepEqual(await page({ limit: 1 }), ids.slice(0, 1));
    assert.deepEqual(await page({ before: ids[0] }), ids.slice(1));
    assert.deepEqual(await page({ state: "delivered" }), [taken!.id]);
    assert.deepEqual(
      await page({ state: "pending" }),
      ids.filter((id) => id !== taken!.id),
    );
    assert.deepEqual(await page({ state: "failed" }), []);
    const all = await h.store.deliveries(one, { limit: 9 });
    const done = all.find(({ id }) => id === taken!.id);
    const { body: _body, ...known } = (await h.store.webhooks(taken!.operation_id!))[0]!;
    const last = { started_at: h.now(), duration_ms: 12, status: 200, detail: "ok" };
    assert.deepEqual(done, { ...known, last });
    assert.equal(all.find(({ id }) => id !== taken!.id)?.last, null);
  });
}

/** Submits and ends an operation with a webhook; resolves to its row. */
async function endWithWebhook(
  h: StoreHarness,
  account?: string,
  changes: Parameters<typeof newWebhook>[0] = {},
): Promise<Webhook> {
  const id = await accept(h, account ?? (await addAccount(h)));
  await h.store.terminate(endOf(id, 0, h.now(), { webhooks: [newWebhook(changes)] }));
  const [row] = await h.store.webhooks(id);
  assert.ok(row !== undefined, "the end wrote a webhook");
  return row;
}

function attemptOf(row: Webhook, changes: Partial<WebhookAttempt> = {}): WebhookAttempt {
  return {
    webhook_id: row.id,
    attempt: row.attempts,
    started_at: row.created_at,
    duration_ms: 3,
    status: 204,
    detail: "",
    exchange: null,
    ...changes,
  };
}
