import assert from "node:assert/strict";
import {
  accept,
  addAccount,
  assertBalance,
  type Check,
  claim,
  endOf,
  FAILED,
  isMistake,
  newFile,
  submission,
  wholeLedger,
} from "./fixtures.ts";

/** Submitting, replaying, reading and listing operations. */
export function submissionChecks(check: Check): void {
  check("submit() writes operation, debit, line and job together", async (h) => {
    const account_id = await addAccount(h, 10);
    const sources = [
      { name: "voice", object: null, url: "https://example.com/voice.wav" },
      { name: "music", object: "upload/1", url: "http://localhost/v1/files/1" },
    ];
    const sent = submission(account_id, h.now(), { sources, callback_url: "https://example.com/hook", cost: 4 });
    assert.deepEqual(await h.store.submit(sent), { kind: "accepted" });
    assert.deepEqual(await h.store.operation(sent.id), {
      id: sent.id,
      account_id,
      action: "create.new_song",
      work: "generation",
      status: "processing",
      idempotency_key: sent.idempotency_key,
      cost: 4,
      request: sent.request,
      sources,
      callback_url: "https://example.com/hook",
      created_at: h.now(),
      started_at: null,
      completed_at: null,
      expires_at: null,
      attempt: 0,
      running: false,
      progress: 0,
      stage: null,
      outputs: null,
      error: null,
    });
    await assertBalance(h.store, account_id, 6);
    const [debit] = await h.store.ledger(account_id, { limit: 1 });
    assert.equal(debit?.kind, "debit");
    assert.equal(debit?.credits, -4);
    assert.equal(debit?.operation_id, sent.id);
    assert.deepEqual(await h.store.queueStats("generation"), { queued: 1, running: 0, oldest_at: sent.created_at });
    assert.deepEqual(await h.store.queueStats("dsp"), { queued: 0, running: 0, oldest_at: null });
  });

  check("submit() writes no line for a cost of 0", async (h) => {
    const account_id = await addAccount(h, 0);
    await accept(h, account_id, { cost: 0 });
    assert.deepEqual(await wholeLedger(h.store, account_id), []);
  });

  check("submit() returns the first response when the key repeats", async (h) => {
    const account_id = await addAccount(h, 3);
    const first = submission(account_id, h.now(), { response: '{"ü":"\\u0000 \u{1F3B5}"}' });
    await h.store.submit(first);
    // The balance is 0 by now: a replay comes before it.
    const again = submission(account_id, h.now(), { idempotency_key: first.idempotency_key });
    assert.deepEqual(await h.store.submit(again), { kind: "replayed", response: first.response });
    await h.store.terminate(endOf(first.id, 0, h.now(), FAILED));
    assert.deepEqual(await h.store.submit(again), { kind: "replayed", response: first.response });
    assert.equal(await h.store.operation(again.id), undefined);
    await assertBalance(h.store, account_id, 3);
  });

  check("submit() refuses a key with another fingerprint, and only in the same account", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const first = submission(one, h.now());
    await h.store.submit(first);
    const key = { idempotency_key: first.idempotency_key, fingerprint: "e".repeat(64) };
    assert.deepEqual(await h.store.submit(submission(one, h.now(), key)), { kind: "key_reused" });
    assert.deepEqual(await h.store.submit(submission(other, h.now(), key)), { kind: "accepted" });
    await assertBalance(h.store, one, 997);
  });

  check("submit() binds no key when credits are short", async (h) => {
    const account_id = await addAccount(h, 2);
    const sent = submission(account_id, h.now(), { cost: 3 });
    assert.deepEqual(await h.store.submit(sent), { kind: "insufficient_credits", balance: 2 });
    assert.equal(await h.store.operation(sent.id), undefined);
    assert.deepEqual(await h.store.queueStats("generation"), { queued: 0, running: 0, oldest_at: null });
    await h.store.grant(account_id, 1, "", h.now());
    assert.deepEqual(await h.store.submit(sent), { kind: "accepted" });
    await assertBalance(h.store, account_id, 0);
  });

  check("submit() rejects an unknown account as a mistake", async (h) => {
    await assert.rejects(h.store.submit(submission("acc_nobody", h.now())), isMistake);
  });

  check("submit() keeps the uploads that it uses", async (h) => {
    const account_id = await addAccount(h);
    const file = newFile(account_id, h.now());
    await h.store.createFile(file);
    await accept(h, account_id, { files: [file.id], files_until: file.expires_at + 50 });
    assert.equal((await h.store.file(file.id))?.expires_at, file.expires_at + 50);
    await accept(h, account_id, { files: [file.id], files_until: file.expires_at - 50 });
    assert.equal((await h.store.file(file.id))?.expires_at, file.expires_at + 50);
  });

  check("submit() accepts one of 1,000 identical keys and replays it to the others", async (h) => {
    const account_id = await addAccount(h, 1_000);
    const { idempotency_key } = submission(account_id, h.now());
    const sent = Array.from({ length: 1_000 }, () => submission(account_id, h.now(), { idempotency_key }));
    const answers = await Promise.all(sent.map((one) => h.store.submit(one)));
    const winner = answers.findIndex((answer) => answer.kind === "accepted");
    assert.equal(answers.filter((answer) => answer.kind === "accepted").length, 1);
    for (const [index, answer] of answers.entries()) {
      if (index !== winner) assert.deepEqual(answer, { kind: "replayed", response: sent[winner]?.response });
    }
    await assertBalance(h.store, account_id, 997);
    assert.equal((await wholeLedger(h.store, account_id)).length, 2);
    assert.equal((await h.store.list(account_id, { limit: 101 })).length, 1);
  });

  check("submit() accepts exactly 10 of 200 when the balance is for 10", async (h) => {
    const account_id = await addAccount(h, 30);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => h.store.submit(submission(account_id, h.now(), { cost: 3 }))),
    );
    assert.equal(answers.filter((answer) => answer.kind === "accepted").length, 10);
    for (const answer of answers) {
      if (answer.kind !== "accepted") assert.deepEqual(answer, { kind: "insufficient_credits", balance: 0 });
    }
    await assertBalance(h.store, account_id, 0);
    assert.equal((await h.store.list(account_id, { limit: 101 })).length, 10);
  });

  check("submit() judges an account's calls in the order of their arrival", async (h) => {
    const account_id = await addAccount(h, 5);
    const answers = await Promise.all(
      [5, 1, 0].map((cost) => h.store.submit(submission(account_id, h.now(), { cost }))),
    );
    assert.deepEqual(
      answers.map((answer) => answer.kind),
      ["accepted", "insufficient_credits", "accepted"],
    );
  });

  check("firstResponse() is what was submitted, before the end and after", async (h) => {
    const account_id = await addAccount(h);
    const response = '{"song":{"prompt":"waltz \\u00e9 🎵","id":"op"}}';
    const id = await accept(h, account_id, { response });
    assert.equal(await h.store.firstResponse(id), response);
    const { attempt } = await claim(h);
    await h.store.terminate(endOf(id, attempt, h.now()));
    assert.equal(await h.store.firstResponse(id), response);
    assert.equal(await h.store.firstResponse("op_nobody"), undefined);
  });

  check("snapshots() finds many and leaves out unknown ids", async (h) => {
    const account_id = await addAccount(h);
    const ids = [await accept(h, account_id), await accept(h, account_id)];
    const found = await h.store.snapshots([...ids, "op_nothing"]);
    assert.deepEqual(found.map(({ id }) => id).sort(), ids);
    assert.deepEqual(
      found.find(({ id }) => id === ids[0]),
      await h.store.snapshot(ids[0] ?? ""),
    );
    assert.deepEqual(await h.store.snapshots([]), []);
  });

  check("list() filters and pages newest first, own operations only", async (h) => {
    const [account_id, other] = [await addAccount(h), await addAccount(h)];
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) {
      const action = i % 2 === 0 ? "create.new_song" : "create.new_fx";
      ids.push(await accept(h, account_id, { action, work: "dsp" }));
      await accept(h, other, { action });
    }
    const [a, b, c, d, e, f] = ids as [string, string, string, string, string, string];
    for (const id of [a, b]) {
      const { attempt } = await claim(h, "dsp");
      await h.store.terminate(endOf(id, attempt, h.now()));
    }
    const list = async (filter: Parameters<typeof h.store.list>[1]) =>
      (await h.store.list(account_id, filter)).map((operation) => operation.id);
    assert.deepEqual(await list({ limit: 101 }), [f, e, d, c, b, a]);
    assert.deepEqual(await list({ limit: 2 }), [f, e]);
    assert.deepEqual(await list({ limit: 2, before: e }), [d, c]);
    assert.deepEqual(await list({ limit: 101, action: "create.new_fx" }), [f, d, b]);
    assert.deepEqual(await list({ limit: 2, action: "create.new_fx", before: f }), [d, b]);
    assert.deepEqual(await list({ limit: 101, status: "processing" }), [f, e, d, c]);
    assert.deepEqual(await list({ limit: 101, status: "ready", before: b }), [a]);
    assert.deepEqual(await list({ limit: 101, action: "create.new_song", status: "processing" }), [e, c]);
    assert.deepEqual(await list({ limit: 101, status: "failed" }), []);
    assert.deepEqual(await h.store.list("acc_nobody", { limit: 101 }), []);
    assert.deepEqual((await h.store.list(account_id, { limit: 1 }))[0], await h.store.snapshot(f));
  });

  check("list() and snapshot() follow operations that end in any order", async (h) => {
    const account_id = await addAccount(h);
    const actions = ["create.new_song", "create.new_fx", "adapt.auto_duck"];
    const all: { readonly id: string; readonly action: string; status: "processing" | "failed" }[] = [];
    for (let i = 0; i < 24; i++) {
      const action = actions[i % 3]!;
      all.push({
        id: await accept(h, account_id, { action, work: i % 2 === 0 ? "dsp" : "generation" }),
        action,
        status: "processing",
      });
    }
    const reads = async () => {
      const found = await Promise.all(all.map(({ id }) => h.store.snapshot(id)));
      assert.deepEqual(
        found.map((snapshot) => snapshot?.status),
        all.map(({ status }) => status),
      );
    };
    await reads();
    for (const [place, operation] of all.entries()) {
      if (place % 5 === 0 || place > 18) continue;
      assert.equal(await h.store.terminate(endOf(operation.id, 0, h.now(), FAILED)), true);
      operation.status = "failed";
    }
    await reads();
    const newest = [...all].reverse();
    for (const action of [undefined, ...actions])
      for (const status of [undefined, "processing", "failed"] as const) {
        const wanted = newest
          .filter(
            (one) => (action === undefined || one.action === action) && (status === undefined || one.status === status),
          )
          .map(({ id }) => id);
        const found: string[] = [];
        for (let before: string | undefined; ; before = found.at(-1)!) {
          const page = await h.store.list(account_id, {
            limit: 4,
            ...(action === undefined ? {} : { action }),
            ...(status === undefined ? {} : { status }),
            ...(before === undefined ? {} : { before }),
          });
          found.push(...page.map(({ id }) => id));
          if (page.length < 4) break;
        }
        assert.deepEqual(found, wanted, `${action} ${status}`);
      }
  });
}
