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
  isMistake,
  newWebhook,
  RETENTION_MS,
  wholeLedger,
} from "./fixtures.ts";

/** The one end of an operation. */
export function endChecks(check: Check): void {
  check("list() has outputs without reports, unless they are asked for", async (h) => {
    const account_id = await addAccount(h);
    const ids = [await accept(h, account_id), await accept(h, account_id)];
    const [outputs, outputs_listed] = ['[{"object":"op/a","report":{"beats":[1,2]}}]', '[{"object":"op/a"}]'];
    for (const listed of [outputs_listed, null]) {
      const { id, attempt } = await claim(h);
      await h.store.terminate(endOf(id, attempt, h.now(), { outputs, outputs_listed: listed }));
    }
    // Where an end gave none, as every end before this could, the whole.
    for (const filter of [{}, { status: "ready" }, { action: "create.new_song" }] as const) {
      const seen = async (reports?: boolean) =>
        (await h.store.list(account_id, { ...filter, limit: 5, ...(reports === undefined ? {} : { reports }) })).map(
          (operation) => [operation.id, operation.outputs],
        );
      const whole = [...ids]
        .sort()
        .reverse()
        .map((id) => [id, outputs]);
      assert.deepEqual(await seen(true), whole);
      for (const brief of [await seen(), await seen(false)])
        assert.deepEqual(brief.map(([, text]) => text).sort(), [outputs_listed, outputs].sort());
    }
    for (const id of ids) assert.equal((await h.store.snapshot(id))?.outputs, outputs);
  });

  check("terminate() ends an operation as ready, with outputs, objects and webhook", async (h) => {
    const account_id = await addAccount(h, 10);
    const id = await accept(h, account_id, { cost: 3 });
    const { attempt, started_at } = await claim(h);
    await h.store.renew([{ id, attempt, progress: 0.9, stage: "mastering" }], 1_000);
    await h.advance(500);
    const webhook = newWebhook();
    const outputs = '[{"object":"op/1/1/a.flac"}]';
    const end = endOf(id, attempt, h.now(), { outputs, objects: ["op/1/1/a.flac"], webhook });
    assert.equal(await h.store.terminate(end), true);
    const operation = await getOperation(h.store, id);
    assert.equal(operation.status, "ready");
    assert.equal(operation.outputs, outputs);
    assert.equal(operation.error, null);
    assert.equal(operation.started_at, started_at);
    assert.equal(operation.completed_at, h.now());
    assert.equal(operation.expires_at, h.now() + RETENTION_MS);
    assert.equal(operation.attempt, attempt);
    assert.equal(operation.running, false);
    assert.equal(operation.progress, 1);
    assert.equal(operation.stage, null);
    await assertBalance(h.store, account_id, 7);
    assert.deepEqual(await h.store.unnamed(["op/1/1/a.flac", "op/1/1/b.flac"]), ["op/1/1/b.flac"]);
    assert.deepEqual(await h.store.webhooks(id), [
      {
        ...webhook,
        operation_id: id,
        account_id,
        state: "pending",
        created_at: h.now(),
        first_attempt_at: null,
        next_attempt_at: h.now(),
        attempts: 0,
      },
    ]);
    assert.deepEqual(await h.store.queueStats("generation"), { queued: 0, running: 0, oldest_at: null });
  });

  check("terminate() gives the cost back once, with a line", async (h) => {
    const account_id = await addAccount(h, 10);
    const id = await accept(h, account_id, { cost: 4 });
    const { attempt } = await claim(h);
    await h.store.renew([{ id, attempt, progress: 0.5, stage: "singing" }], 1_000);
    const end = endOf(id, attempt, h.now(), FAILED);
    assert.equal(await h.store.terminate(end), true);
    assert.equal(await h.store.terminate(end), false);
    const operation = await getOperation(h.store, id);
    assert.equal(operation.status, "failed");
    assert.equal(operation.error, FAILED.error);
    assert.equal(operation.outputs, null);
    assert.equal(operation.progress, 0.5);
    await assertBalance(h.store, account_id, 10);
    const [refund, debit] = await h.store.ledger(account_id, { limit: 2 });
    assert.deepEqual([refund?.kind, refund?.credits, refund?.operation_id], ["refund", 4, id]);
    assert.deepEqual([debit?.kind, debit?.credits, debit?.operation_id], ["debit", -4, id]);
  });

  check("terminate() keeps the cost where no refund is due", async (h) => {
    const account_id = await addAccount(h, 10);
    const [paid, free] = [await accept(h, account_id, { cost: 4 }), await accept(h, account_id, { cost: 0 })];
    assert.equal(await h.store.terminate(endOf(paid, 0, h.now(), { ...FAILED, refund: false })), true);
    assert.equal(await h.store.terminate(endOf(free, 0, h.now(), FAILED)), true);
    await assertBalance(h.store, account_id, 6);
    assert.equal((await wholeLedger(h.store, account_id)).length, 2);
  });

  check("terminate() ends a job that nobody claimed, so that nobody will", async (h) => {
    const account_id = await addAccount(h);
    const id = await accept(h, account_id);
    assert.equal(await h.store.terminate(endOf(id, 1, h.now(), FAILED)), false);
    assert.equal(await h.store.terminate(endOf(id, 0, h.now(), FAILED)), true);
    assert.equal(await h.store.claim("generation", "worker-1", 1_000), undefined);
    assert.equal((await getOperation(h.store, id)).started_at, null);
    assert.equal(await h.store.terminate(endOf("op_nothing", 0, h.now())), false);
  });

  check("terminate() writes nothing when it lost", async (h) => {
    const account_id = await addAccount(h);
    const id = await accept(h, account_id);
    const { attempt } = await claim(h);
    await h.store.terminate(endOf(id, attempt, h.now(), FAILED));
    const after = await h.store.operation(id);
    const late = endOf(id, attempt, h.now() + 9, { objects: ["op/1/1/a.flac"], webhook: newWebhook() });
    assert.equal(await h.store.terminate(late), false);
    assert.deepEqual(await h.store.operation(id), after);
    assert.deepEqual(await h.store.webhooks(id), []);
    assert.deepEqual(await h.store.unnamed(["op/1/1/a.flac"]), ["op/1/1/a.flac"]);
  });

  check("terminate() is won by one of three in each of 1,000 races", async (h) => {
    const account_id = await addAccount(h, 3_000);
    const ids = await Promise.all(Array.from({ length: 1_000 }, () => accept(h, account_id, { cost: 3 })));
    const canceled = { ...FAILED, error: '{"code":"canceled"}' };
    const timeout = { ...FAILED, error: '{"code":"generation_timeout"}' };
    const races = await Promise.all(
      ids.map(async (id, index) => {
        const ends = [endOf(id, 0, h.now()), endOf(id, 0, h.now(), canceled), endOf(id, 0, h.now(), timeout)];
        // Each comes first as often as the others.
        const order = [0, 1, 2].map((n) => (n + index) % 3);
        const won = await Promise.all(order.map((n) => h.store.terminate(ends[n] ?? assert.fail())));
        return { id, winners: order.filter((_, place) => won[place]) };
      }),
    );
    let refunded = 0;
    for (const { id, winners } of races) {
      assert.equal(winners.length, 1);
      const operation = await getOperation(h.store, id);
      assert.equal(operation.status, winners[0] === 0 ? "ready" : "failed");
      assert.equal(operation.error, [null, canceled.error, timeout.error][winners[0] ?? 0]);
      if (winners[0] !== 0) refunded += 1;
    }
    assert.ok(refunded > 0 && refunded < 1_000, "both kinds of end win some");
    await assertBalance(h.store, account_id, 3 * refunded);
    assert.equal((await wholeLedger(h.store, account_id)).length, 1 + 1_000 + refunded);
  });

  check("terminate() answers each of many at once by itself, and a mistake in one harms no other", async (h) => {
    const accounts = await Promise.all([1, 2, 3].map(() => addAccount(h, 100)));
    const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => accept(h, accounts[n % 3] ?? "", { cost: 2 })));
    const webhooks = ids.map(() => newWebhook());
    const answers = await Promise.allSettled(
      ids.map((id, n) => {
        const object = `op/${n}`;
        if (n === 7) return h.store.terminate(endOf(id, 0, h.now(), { objects: [object, object] }));
        if (n === 8) return h.store.terminate(endOf(id, 1, h.now()));
        if (n % 2 === 1) return h.store.terminate(endOf(id, 0, h.now(), FAILED));
        return h.store.terminate(endOf(id, 0, h.now(), { objects: [object], webhook: webhooks[n] ?? null }));
      }),
    );
    for (const [n, id] of ids.entries()) {
      const [answer, operation] = [answers[n], await getOperation(h.store, id)];
      if (n === 7 || n === 8) {
        assert.ok(n === 7 ? answer?.status === "rejected" : answer?.status === "fulfilled" && !answer.value);
        assert.equal(operation.status, "processing");
        continue;
      }
      assert.ok(answer?.status === "fulfilled" && answer.value, `${n} won`);
      assert.equal(operation.status, n % 2 === 1 ? "failed" : "ready");
      assert.deepEqual(await h.store.unnamed([`op/${n}`]), n % 2 === 1 ? [`op/${n}`] : []);
      const bodies = (await h.store.webhooks(id)).map(({ id: webhook }) => webhook);
      assert.deepEqual(bodies, n % 2 === 1 ? [] : [webhooks[n]?.id]);
    }
    // Fourteen of the fifteen odd ones were refunded.
    const left = await Promise.all(accounts.map(async (id) => (await h.store.account(id))?.credits ?? 0));
    assert.equal(
      left.reduce((sum, credits) => sum + credits, 0),
      300 - 2 * (30 - 14),
    );
    for (const [n, id] of accounts.entries()) await assertBalance(h.store, id, left[n] ?? 0);
  });

  check("terminate() rejects an object named twice by one operation as a mistake", async (h) => {
    const account_id = await addAccount(h);
    const id = await accept(h, account_id);
    await assert.rejects(h.store.terminate(endOf(id, 0, h.now(), { objects: ["op/a", "op/a"] })), isMistake);
    assert.equal((await getOperation(h.store, id)).status, "processing");
  });

  check("onEnded() hears of ends after they can be read, until it is stopped", async (h) => {
    const account_id = await addAccount(h);
    const ids = await Promise.all(Array.from({ length: 5 }, () => accept(h, account_id)));
    const heard: string[] = [];
    const all = Promise.withResolvers<void>();
    const stop = h.store.onEnded(async (ended) => {
      assert.ok(ended !== null);
      for (const id of ended) assert.equal((await getOperation(h.store, id)).status, "failed");
      heard.push(...ended);
      if (heard.length === ids.length) all.resolve();
    });
    await Promise.all(ids.map((id) => h.store.terminate(endOf(id, 0, h.now(), FAILED))));
    await all.promise;
    assert.deepEqual(heard.sort(), ids.sort());

    // An end that lost tells nobody; a listener that was stopped hears nothing.
    const last = await accept(h, account_id);
    stop();
    const others: string[] = [];
    const told = Promise.withResolvers<void>();
    h.store.onEnded((ended) => {
      others.push(...(ended ?? []));
      told.resolve();
    });
    await h.store.terminate(endOf(ids[0] ?? "", 0, h.now(), FAILED));
    await h.store.terminate(endOf(last, 0, h.now(), FAILED));
    await told.promise;
    assert.deepEqual(others, [last]);
    assert.equal(heard.length, 5);
  });
}
