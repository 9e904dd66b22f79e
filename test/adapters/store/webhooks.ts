import assert from "node:assert/strict";
import type { Webhook, WebhookAttempt } from "../../../core/ports.ts";
import { accept, addAccount, type Check, endOf, isMistake, newWebhook, type StoreHarness } from "./fixtures.ts";

const WORKER = "worker-1";
const LEASE_MS = 20_000;

/** Deliveries of webhooks. */
export function webhookChecks(check: Check): void {
  check("claimWebhooks() hands out due rows once, oldest first", async (h) => {
    const first = await endWithWebhook(h);
    await h.advance(1);
    const second = await endWithWebhook(h);
    const third = await endWithWebhook(h);
    const claimed = await h.store.claimWebhooks(WORKER, 2, LEASE_MS);
    assert.equal(claimed.length, 2);
    assert.deepEqual(claimed[0], {
      ...first,
      first_attempt_at: h.now(),
      attempts: 1,
    });
    const rest = await h.store.claimWebhooks(WORKER, 10, LEASE_MS);
    assert.deepEqual([claimed[1]?.id, ...rest.map((row) => row.id)].sort(), [second.id, third.id].sort());
    assert.deepEqual(await h.store.claimWebhooks(WORKER, 10, LEASE_MS), []);
    assert.deepEqual(await h.store.webhooks(first.operation_id), [claimed[0]]);
  });

  check("claimWebhooks() hands a row out again when its worker was lost", async (h) => {
    await endWithWebhook(h);
    const [first] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS);
    await h.advance(LEASE_MS - 1);
    assert.deepEqual(await h.store.claimWebhooks(WORKER, 1, LEASE_MS), []);
    await h.advance(1);
    const [second] = await h.store.claimWebhooks("worker-2", 1, LEASE_MS);
    assert.ok(first !== undefined);
    assert.deepEqual(second, { ...first, attempts: 2 });
    assert.equal(await h.store.recordWebhook(attemptOf(first), "delivered", null), false);
    assert.equal(await h.store.recordWebhook(attemptOf(second), "delivered", null), true);
    assert.deepEqual(
      (await h.store.webhookAttempts(first.id)).map((attempt) => attempt.attempt),
      [2],
    );
  });

  check("recordWebhook() schedules the next attempt", async (h) => {
    await endWithWebhook(h);
    const [row] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS);
    assert.ok(row !== undefined);
    const attempt = attemptOf(row, { status: null, detail: "connection refused", duration_ms: 12 });
    const next = h.now() + 5_000;
    assert.equal(await h.store.recordWebhook(attempt, "pending", next), true);
    assert.deepEqual(await h.store.webhookAttempts(row.id), [attempt]);
    assert.deepEqual(await h.store.webhooks(row.operation_id), [{ ...row, next_attempt_at: next }]);
    await h.advance(4_999);
    assert.deepEqual(await h.store.claimWebhooks(WORKER, 1, LEASE_MS), []);
    await h.advance(1);
    const [again] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS);
    assert.deepEqual(again, { ...row, next_attempt_at: next, attempts: 2 });
  });

  check("recordWebhook() ends the schedule, and takes each attempt once", async (h) => {
    for (const state of ["delivered", "failed"] as const) {
      await endWithWebhook(h);
      const [row] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS);
      assert.ok(row !== undefined);
      assert.equal(await h.store.recordWebhook(attemptOf(row), state, null), true);
      assert.equal(await h.store.recordWebhook(attemptOf(row), "pending", h.now()), false);
      assert.deepEqual(await h.store.webhooks(row.operation_id), [{ ...row, state, next_attempt_at: null }]);
      await h.advance(LEASE_MS);
      assert.deepEqual(await h.store.claimWebhooks(WORKER, 1, LEASE_MS), []);
    }
  });

  check("recordWebhook() rejects a pending row without a next attempt as a mistake", async (h) => {
    await endWithWebhook(h);
    const [row] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS);
    assert.ok(row !== undefined);
    await assert.rejects(h.store.recordWebhook(attemptOf(row), "pending", null), isMistake);
    assert.deepEqual(await h.store.webhookAttempts(row.id), []);
  });

  check("redeliver() begins a new schedule, whatever the state", async (h) => {
    await endWithWebhook(h);
    const [row] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS);
    assert.ok(row !== undefined);
    await h.store.recordWebhook(attemptOf(row), "failed", null);
    await h.advance(1_000);
    assert.equal(await h.store.redeliver(row.operation_id, h.now()), true);
    assert.deepEqual(await h.store.webhooks(row.operation_id), [
      { ...row, state: "pending", next_attempt_at: h.now(), first_attempt_at: null },
    ]);
    const [again] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS);
    assert.equal(again?.first_attempt_at, h.now());
    assert.equal(again?.attempts, 2);
    assert.equal(again?.body, row.body);
    assert.equal(await h.store.redeliver("op_nothing", h.now()), false);
  });

  check("redeliver() is not undone by an attempt that was under way", async (h) => {
    await endWithWebhook(h);
    const [row] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS);
    assert.ok(row !== undefined);
    assert.equal(await h.store.redeliver(row.operation_id, h.now()), true);
    assert.equal(await h.store.recordWebhook(attemptOf(row), "delivered", null), false);
    const [again] = await h.store.claimWebhooks(WORKER, 1, LEASE_MS);
    assert.equal(again?.attempts, 2);
  });
}

/** Submits and ends an operation with a webhook; resolves to its row. */
async function endWithWebhook(h: StoreHarness): Promise<Webhook> {
  const account_id = await addAccount(h);
  const id = await accept(h, account_id);
  await h.store.terminate(endOf(id, 0, h.now(), { webhook: newWebhook() }));
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
    ...changes,
  };
}
