/** The peer keeps the promises that it is compared by: otherwise the comparison would flatter the kernel or the peer. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type NewOperation, openPeerStore } from "../../bench/peer/store.ts";

test("submit() debits once, replays the first response and refuses a key of another request", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-peer-"));
  const store = openPeerStore(join(folder, "peer.db"), ["hash"]);
  try {
    const account_id = store.accountOf("hash");
    assert.equal(account_id, "acc_0");
    assert.equal(store.accountOf("another"), undefined);
    const first = operation("op_a", randomUUID());
    assert.deepEqual(store.submit(first), { kind: "accepted" });
    assert.deepEqual(store.submit({ ...first, id: "op_b", response: "other" }), {
      kind: "replayed",
      response: "response of op_a",
    });
    assert.deepEqual(store.submit({ ...first, id: "op_c", fingerprint: "g" }), { kind: "key_reused" });
    assert.deepEqual(store.submit(operation("op_d", randomUUID(), 2 ** 40)), { kind: "insufficient_credits" });
    assert.equal(store.operation("acc_0", "op_d"), undefined, "what could not be paid for left nothing");
    store.submit(operation("op_e", randomUUID()));
    assert.equal(store.operation("acc_0", "op_a")?.queue_position, 0);
    assert.equal(store.operation("acc_0", "op_e")?.queue_position, 1);
    assert.equal(store.operation("acc_1", "op_a"), undefined, "another account sees nothing");
  } finally {
    store.close();
    await rm(folder, { recursive: true, force: true });
  }
});

function operation(id: string, idempotency_key: string, cost = 1): NewOperation {
  return {
    id,
    account_id: "acc_0",
    idempotency_key,
    fingerprint: "f",
    cost,
    request: "{}",
    response: `response of ${id}`,
    created_at: 0,
  };
}
