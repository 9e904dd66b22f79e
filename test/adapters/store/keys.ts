import assert from "node:assert/strict";
import type { KeyUse } from "../../../core/ports/mod.ts";
import {
  accept,
  addAccount,
  type Check,
  endedWithWebhook,
  keyedCall,
  newWebhook,
  nextKey,
  submission,
} from "./fixtures.ts";

const READY = newWebhook().type;
const OTHER = "f".repeat(64);

/** Idempotency keys of calls that submit nothing. */
export function keyChecks(check: Check): void {
  check("useKey() binds a key once, and adds the response to a use that has none", async (h) => {
    const account = await addAccount(h);
    const call = keyedCall(account);
    const { account_id, idempotency_key, fingerprint } = call;
    const use = (changes: Partial<KeyUse> = {}) => h.store.useKey({ ...call, ...changes });
    assert.equal(await h.store.keyUse(account_id, idempotency_key), undefined);
    assert.deepEqual(await use({ response: null }), { fingerprint, response: null });
    assert.deepEqual(await use({ fingerprint: OTHER }), { fingerprint, response: null });
    assert.deepEqual(await use({ response: null }), { fingerprint, response: null });
    assert.deepEqual(await use({ response: "first" }), { fingerprint, response: "first" });
    assert.deepEqual(await use({ response: "second" }), { fingerprint, response: "first" });
    assert.deepEqual(await use({ fingerprint: OTHER }), { fingerprint, response: "first" });
    assert.deepEqual(await h.store.keyUse(account_id, idempotency_key), { fingerprint, response: "first" });
    const other = await addAccount(h);
    assert.equal(await h.store.keyUse(other, idempotency_key), undefined);
    assert.equal((await h.store.useKey({ ...call, account_id: other, fingerprint: OTHER })).fingerprint, OTHER);
  });

  check("a key is a submission's or a call's", async (h) => {
    const account = await addAccount(h, 5);
    const call = keyedCall(account);
    await h.store.useKey(call);
    const taken = submission(account, h.now(), { idempotency_key: call.idempotency_key });
    // Among others, alone, and where the credits are gone.
    const [free, reused] = await Promise.all([h.store.submit(submission(account, h.now())), h.store.submit(taken)]);
    assert.deepEqual([free, reused], [{ kind: "accepted" }, { kind: "key_reused" }]);
    assert.deepEqual(await h.store.submit({ ...taken, fingerprint: call.fingerprint }), { kind: "key_reused" });
    assert.deepEqual(await h.store.submit({ ...taken, cost: 100 }), { kind: "key_reused" });
    const idempotency_key = nextKey();
    const first = submission(account, h.now(), { idempotency_key, cost: 0 });
    assert.deepEqual(await h.store.submit(first), { kind: "accepted" });
    const { fingerprint, response } = first;
    assert.deepEqual(await h.store.keyUse(account, idempotency_key), { fingerprint, response });
    assert.deepEqual(await h.store.useKey({ ...call, idempotency_key }), { fingerprint, response });
  });

  check("of submissions and calls with one key at the same moment, one has it", async (h) => {
    const account = await addAccount(h);
    for (let round = 0; round < 10; round++) {
      const call = keyedCall(account);
      const [submitted, used] = await Promise.all([
        h.store.submit(submission(account, h.now(), { idempotency_key: call.idempotency_key })),
        h.store.useKey(call),
      ]);
      assert.equal(submitted.kind === "accepted", used.fingerprint !== call.fingerprint);
    }
  });

  check("redeliver() does it once for each key, and binds none where there is no webhook", async (h) => {
    const account = await addAccount(h);
    const { id } = await endedWithWebhook(h, account);
    const call = keyedCall(account);
    const { fingerprint, response } = call;
    const tries = await Promise.all([1, 2, 3].map(() => h.store.redeliver(id, READY, h.now(), call)));
    assert.deepEqual(tries.toSorted(), [false, false, true]);
    assert.deepEqual(await h.store.keyUse(account, call.idempotency_key), { fingerprint, response });
    const silent = await accept(h, account);
    const unused = keyedCall(account);
    assert.equal(await h.store.redeliver(silent, READY, h.now(), unused), false);
    assert.equal(await h.store.keyUse(account, unused.idempotency_key), undefined);
    const { idempotency_key } = (await h.store.operation(silent))!;
    assert.equal(await h.store.redeliver(id, READY, h.now(), { ...unused, idempotency_key }), false);
  });

  check("expire() forgets the keys of calls with their time", async (h) => {
    const account = await addAccount(h);
    const call = { ...keyedCall(account), expires_at: h.now() + 1_000 };
    await h.store.useKey(call);
    await h.store.expire(h.now() + 999, 10);
    assert.notEqual(await h.store.keyUse(account, call.idempotency_key), undefined);
    await h.store.expire(h.now() + 1_000, 10);
    assert.equal(await h.store.keyUse(account, call.idempotency_key), undefined);
  });
}
