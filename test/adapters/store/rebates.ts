import assert from "node:assert/strict";
import {
  accept,
  addAccount,
  assertBalance,
  type Check,
  claim,
  endOf,
  FAILED,
  getOperation,
  wholeLedger,
} from "./fixtures.ts";

const DAY_MS = 86_400_000;

/** What operations cost less than was debited. */
export function rebateChecks(check: Check): void {
  check("rebate() lowers what an operation costs, with a line, to its account, its key and its day", async (h) => {
    const account_id = await addAccount(h, 100);
    const since = h.now() - (h.now() % DAY_MS);
    const rights = { test: false, read_only: false, actions: null, budget: { credits: 50, period: "day" as const } };
    const key = { account_id, label: "", sha256: "a".repeat(64), last_four: "aaaa", created_at: 0, rights };
    await h.store.createKey({ id: "key_1", ...key });
    const budget = { key_id: "key_1", credits: 50, since };
    const id = await accept(h, account_id, { cost: 20, budget });
    const { attempt } = await claim(h);
    assert.equal((await h.store.snapshot(id))?.cost, 20);
    assert.equal(await h.store.rebate({ id, attempt, cost: 3, at: h.now() + 5 }), 3);
    await assertBalance(h.store, account_id, 97);
    assert.equal(await h.store.keySpending("key_1", since), 3);
    assert.deepEqual([(await h.store.snapshot(id))?.cost, (await getOperation(h.store, id)).cost], [3, 3]);
    const [line] = await h.store.ledger(account_id, { limit: 1 });
    assert.deepEqual(
      [line?.kind, line?.credits, line?.operation_id, line?.note, line?.created_at],
      ["rebate", 17, id, "measured", h.now() + 5],
    );
    const [day] = await h.store.usage(account_id, since, since + DAY_MS);
    assert.deepEqual([day?.debited, day?.refunded, day?.rebated, day?.operations], [20, 0, 17, 1]);
  });

  check("rebate() is given once, whatever later attempts measure, and a refund gives the rest back", async (h) => {
    const account_id = await addAccount(h, 100);
    const id = await accept(h, account_id, { cost: 20 });
    const first = await claim(h);
    const rebates = [5, 5, 1, 9].map((cost) => h.store.rebate({ id, attempt: first.attempt, cost, at: h.now() }));
    assert.deepEqual(await Promise.all(rebates), [5, 5, 5, 5]);
    assert.equal(await h.store.release(id, first.attempt), true);
    const second = await claim(h);
    assert.deepEqual([second.id, second.cost], [id, 5]);
    assert.equal(await h.store.rebate({ id, attempt: first.attempt, cost: 1, at: h.now() }), undefined);
    assert.equal(await h.store.rebate({ id, attempt: second.attempt, cost: 1, at: h.now() }), 5);
    await assertBalance(h.store, account_id, 95);
    assert.equal(await h.store.terminate(endOf(id, second.attempt, h.now(), FAILED)), true);
    await assertBalance(h.store, account_id, 100);
    const kinds = (await wholeLedger(h.store, account_id)).map(({ kind, credits }) => `${kind} ${credits}`);
    assert.deepEqual(kinds.toSorted(), ["debit -20", "grant 100", "rebate 15", "refund 5"]);
    assert.equal(await h.store.rebate({ id, attempt: second.attempt, cost: 1, at: h.now() }), undefined);
    assert.equal((await wholeLedger(h.store, account_id)).length, 4);
  });

  check("rebate() never raises what an operation costs, and writes nothing where nothing is left over", async (h) => {
    const account_id = await addAccount(h, 100);
    const id = await accept(h, account_id, { cost: 20 });
    const { attempt } = await claim(h);
    for (const cost of [20, 21]) assert.equal(await h.store.rebate({ id, attempt, cost, at: h.now() }), 20);
    assert.equal(await h.store.rebate({ id: "op_nothing", attempt, cost: 1, at: h.now() }), undefined);
    await assertBalance(h.store, account_id, 80);
    assert.equal((await wholeLedger(h.store, account_id)).length, 2);
  });

  check("terminate() loses where its end was rendered before a rebate, and writes nothing", async (h) => {
    const account_id = await addAccount(h, 100);
    const id = await accept(h, account_id, { cost: 20 });
    const { attempt } = await claim(h);
    await h.store.rebate({ id, attempt, cost: 0, at: h.now() });
    assert.equal(await h.store.terminate(endOf(id, attempt, h.now(), { ...FAILED, cost: 20 })), false);
    assert.equal((await getOperation(h.store, id)).status, "processing");
    assert.equal(await h.store.terminate(endOf(id, attempt, h.now(), { ...FAILED, cost: 0 })), true);
    await assertBalance(h.store, account_id, 100);
    // A refund of nothing is no line.
    assert.equal((await wholeLedger(h.store, account_id)).length, 3);
  });
}
