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
  keyedCall,
  newFile,
  newWebhook,
  nextId,
  RETENTION_MS,
  submission,
  wholeLedger,
} from "./fixtures.ts";

/** Submitting, replaying, reading, listing and ending operations. */
export function operationChecks(check: Check): void {
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

  check("submit() keeps the budget of a key, and a refund gives back to its period", async (h) => {
    const account_id = await addAccount(h, 100);
    const [key_id, since] = ["key_1", 1_000];
    await h.store.createKey({
      ...{ id: key_id, account_id, label: "", sha256: "a".repeat(64), last_four: "aaaa", created_at: 0 },
      rights: { test: false, read_only: false, actions: ["adapt.*"], budget: { credits: 10, period: "day" } },
    });
    assert.deepEqual((await h.store.keys(account_id))[0]?.rights?.actions, ["adapt.*"]);
    assert.deepEqual((await h.store.findKey("a".repeat(64)))?.key.rights?.budget, { credits: 10, period: "day" });
    const budget = { key_id, credits: 10, since };
    const sent = Array.from({ length: 8 }, () => submission(account_id, h.now(), { budget }));
    const plain = submission(account_id, h.now());
    const [unbudgeted, ...answers] = await Promise.all([plain, ...sent].map((one) => h.store.submit(one)));
    assert.deepEqual(unbudgeted, { kind: "accepted" });
    const refused = answers.filter(({ kind }) => kind !== "accepted");
    assert.deepEqual(refused, Array(5).fill({ kind: "key_budget_exceeded", left: 1 }));
    assert.equal(await h.store.keySpending(key_id, since), 9);
    await assertBalance(h.store, account_id, 100 - 12);
    const accepted = sent.filter((_, index) => answers[index]?.kind === "accepted");
    const again = await h.store.submit({ ...accepted[0]!, id: nextId("op") });
    assert.equal(again.kind, "replayed");
    // Nothing of it counts where it costs nothing, and periods have nothing to do with one another.
    await accept(h, account_id, { budget, cost: 0 });
    await accept(h, account_id, { budget: { ...budget, since: since + 1 }, cost: 10 });
    await h.store.terminate(endOf(plain.id, 0, h.now(), FAILED));
    assert.equal(await h.store.keySpending(key_id, since), 9);
    const ends = accepted.slice(0, 2).map(({ id }) => h.store.terminate(endOf(id, 0, h.now(), FAILED)));
    assert.deepEqual(await Promise.all(ends), [true, true]);
    await h.store.terminate(endOf(accepted[2]!.id, 0, h.now()));
    assert.equal(await h.store.keySpending(key_id, since), 3);
    assert.equal(await h.store.keySpending(key_id, since + 1), 10);
    await accept(h, account_id, { budget, cost: 7 });
    assert.equal(
      (await h.store.submit(submission(account_id, h.now(), { budget, cost: 1 }))).kind,
      "key_budget_exceeded",
    );
  });

  check(
    "list() finds operations by pairs of metadata, all of them, newest first, beside the other filters",
    async (h) => {
      const [account_id, other] = [await addAccount(h), await addAccount(h)];
      const add = async (metadata: Readonly<Record<string, string>> | null, account = account_id, action?: string) => {
        await h.advance(1);
        return accept(h, account, { metadata, ...(action === undefined ? {} : { action }) });
      };
      const both = { project: "intro", take: "1" };
      const first = await add(both);
      const second = await add({ project: "intro", take: "2" }, account_id, "create.new_fx");
      await add({ project: "intro, the first" });
      await add(null);
      await add(both, other);
      const third = await add({ ...both, note: '\u{1F3B5} "quoted\\' });
      await h.store.terminate(endOf(first, 0, h.now()));
      const ids = async (metadata: Readonly<Record<string, string>>, filter = {}) =>
        (await h.store.list(account_id, { limit: 10, metadata, ...filter })).map(({ id }) => id);
      assert.deepEqual(await ids({ project: "intro" }), [third, second, first]);
      assert.deepEqual(await ids({ take: "1", project: "intro" }), [third, first]);
      assert.deepEqual(await ids({ ...both, note: '\u{1F3B5} "quoted\\' }), [third]);
      assert.deepEqual(await ids({ project: "1" }), []);
      assert.deepEqual(await ids({ project: "intro", take: "3" }), []);
      assert.deepEqual(await ids(both, { statuses: ["ready"] }), [first]);
      assert.deepEqual(await ids({ project: "intro" }, { actions: ["create.new_fx"] }), [second]);
      assert.deepEqual(await ids({ project: "intro" }, { before: third, limit: 1 }), [second]);
      assert.deepEqual(await ids({ project: "intro" }, { after: first, reports: true }), [third, second]);
      const tagged = (page: object) => h.store.tagged(account_id, "project", "intro", { skip: 0, limit: 9, ...page });
      assert.deepEqual(await tagged({}), [third, second, first]);
      assert.deepEqual(await tagged({ skip: 1, limit: 1 }), [second]);
      assert.deepEqual(await tagged({ before: third, after: first }), [second]);
      await h.store.expire(h.now() + RETENTION_MS, 10);
      assert.deepEqual(await tagged({}), [third, second], "forgotten with its operation");
    },
  );

  check("search() looks so far back for words, in any case and anywhere, beside the other filters", async (h) => {
    const [account_id, other] = [await addAccount(h), await addAccount(h)];
    const add = async (prompt: string, more: Parameters<typeof submission>[2] = {}) => {
      await h.advance(1);
      return accept(h, more.account_id ?? account_id, { request: JSON.stringify({ fields: { prompt } }), ...more });
    };
    const first = await add("A violin in the rain");
    const second = await add('VIOLIN, "quoted" 100 % \\ under_score', { action: "create.new_fx" });
    const third = await add("Ein Gehölz, ein Violinkonzert");
    await add("a drum");
    await add("a violin", { account_id: other });
    await h.store.terminate(endOf(first, 0, h.now()));
    const search = async (words: readonly string[], filter = {}) => {
      const { found, reached } = await h.store.search(account_id, { limit: 100, ...filter }, words);
      return [found.map(({ id }) => id), reached];
    };
    assert.deepEqual(await search(["violin"]), [[third, second, first], null]);
    assert.deepEqual(await search(["violin", "rain"]), [[first], null]);
    assert.deepEqual(await search(["GEHÖLZ"]), [[third], null]);
    assert.deepEqual(await search(['"quoted"', "under_score", "100 % \\"]), [[second], null]);
    assert.deepEqual(await search(["underscore"]), [[], null]);
    assert.deepEqual(await search(["violin"], { statuses: ["ready"] }), [[first], null]);
    assert.deepEqual(await search(["violin"], { actions: ["create.new_fx"] }), [[second], null]);
    assert.deepEqual(await search(["violin"], { before: third, after: first }), [[second], null]);
    // Two at a time, the drum among them.
    assert.deepEqual(await search(["violin"], { limit: 2 }), [[third], third]);
    assert.deepEqual(await search(["violin"], { limit: 2, before: third }), [[second, first], first]);
    assert.deepEqual(await search(["violin"], { limit: 2, before: first }), [[], null]);
    const [one] = (await h.store.search(account_id, { limit: 9 }, ["rain"])).found;
    assert.deepEqual(one, (await h.store.list(account_id, { limit: 9, statuses: ["ready"] }))[0]);
  });

  check("of submissions that share a commit only those that are accepted have metadata", async (h) => {
    const account_id = await addAccount(h, 3);
    const pairs = (take: string) => ({ metadata: { take } });
    const first = submission(account_id, h.now(), pairs("1"));
    const answers = await Promise.all([
      h.store.submit(first),
      h.store.submit({ ...submission(account_id, h.now(), pairs("2")), idempotency_key: first.idempotency_key }),
      h.store.submit(submission(account_id, h.now(), pairs("3"))),
    ]);
    assert.deepEqual(
      answers.map(({ kind }) => kind),
      ["accepted", "replayed", "insufficient_credits"],
    );
    for (const [take, count] of Object.entries({ 1: 1, 2: 0, 3: 0 }))
      assert.equal((await h.store.list(account_id, { limit: 10, metadata: { take } })).length, count);
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
    assert.deepEqual(await list({ limit: 101, actions: ["create.new_fx"] }), [f, d, b]);
    assert.deepEqual(await list({ limit: 2, actions: ["create.new_fx"], before: f }), [d, b]);
    assert.deepEqual(await list({ limit: 101, statuses: ["processing"] }), [f, e, d, c]);
    assert.deepEqual(await list({ limit: 101, statuses: ["ready"], before: b }), [a]);
    assert.deepEqual(await list({ limit: 101, actions: ["create.new_song"], statuses: ["processing"] }), [e, c]);
    assert.deepEqual(await list({ limit: 101, statuses: ["failed"] }), []);
    assert.deepEqual(await list({ limit: 101, actions: ["create.new_fx", "create.new_song"] }), [f, e, d, c, b, a]);
    assert.deepEqual(await list({ limit: 3, actions: ["create.new_fx", "adapt.auto_duck"], before: f }), [d, b]);
    assert.deepEqual(await list({ limit: 101, statuses: ["processing", "ready"] }), [f, e, d, c, b, a]);
    assert.deepEqual(await list({ limit: 101, statuses: ["ready", "failed"] }), [b, a]);
    const both = { statuses: ["ready", "processing"], actions: ["create.new_song", "create.new_fx"] } as const;
    assert.deepEqual(await list({ ...both, limit: 3, before: d }), [c, b, a]);
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
            ...(action === undefined ? {} : { actions: [action] }),
            ...(status === undefined ? {} : { statuses: [status] }),
            ...(before === undefined ? {} : { before }),
          });
          found.push(...page.map(({ id }) => id));
          if (page.length < 4) break;
        }
        assert.deepEqual(found, wanted, `${action} ${status}`);
      }
  });

  check("list() has outputs without reports, unless they are asked for", async (h) => {
    const account_id = await addAccount(h);
    const ids = [await accept(h, account_id), await accept(h, account_id)];
    const [outputs, outputs_listed] = ['[{"object":"op/a","report":{"beats":[1,2]}}]', '[{"object":"op/a"}]'];
    for (const _ of ids) {
      const { id, attempt } = await claim(h);
      await h.store.terminate(endOf(id, attempt, h.now(), { outputs, outputs_listed }));
    }
    for (const filter of [{}, { statuses: ["ready"] }, { actions: ["create.new_song"] }] as const) {
      const seen = async (reports?: boolean) =>
        (await h.store.list(account_id, { ...filter, limit: 5, ...(reports === undefined ? {} : { reports }) })).map(
          (operation) => [operation.id, operation.outputs],
        );
      const each = (text: string) =>
        [...ids]
          .sort()
          .reverse()
          .map((id) => [id, text]);
      assert.deepEqual(await seen(true), each(outputs));
      for (const brief of [await seen(), await seen(false)]) assert.deepEqual(brief, each(outputs_listed));
    }
    for (const id of ids) assert.equal((await h.store.snapshot(id))?.outputs, outputs);
    const brief = await h.store.snapshots(ids, false);
    assert.deepEqual(
      brief.map((operation) => operation.outputs),
      [outputs_listed, outputs_listed],
    );
  });

  check("terminate() ends an operation as ready, with outputs, objects and webhook", async (h) => {
    const account_id = await addAccount(h, 10);
    const id = await accept(h, account_id, { cost: 3 });
    const { attempt, started_at } = await claim(h);
    await h.store.renew([{ id, attempt, progress: 0.9, stage: "mastering" }], 1_000);
    await h.advance(500);
    const webhook = newWebhook();
    const outputs = '[{"object":"op/1/1/a.flac"}]';
    const end = endOf(id, attempt, h.now(), { outputs, objects: ["op/1/1/a.flac"], webhooks: [webhook] });
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
    const late = endOf(id, attempt, h.now() + 9, { objects: ["op/1/1/a.flac"], webhooks: [newWebhook()] });
    assert.equal(await h.store.terminate(late), false);
    assert.deepEqual(await h.store.operation(id), after);
    assert.deepEqual(await h.store.webhooks(id), []);
    assert.deepEqual(await h.store.unnamed(["op/1/1/a.flac"]), ["op/1/1/a.flac"]);
  });

  check("terminate() binds the key of the call that ends it, or writes nothing", async (h) => {
    const account = await addAccount(h, 20);
    const [id, other, third] = [await accept(h, account), await accept(h, account), await accept(h, account)];
    const call = keyedCall(account);
    const { fingerprint, response, idempotency_key } = call;
    assert.equal(await h.store.terminate(endOf(id, 7, h.now(), { ...FAILED, call })), false);
    assert.equal(await h.store.keyUse(account, idempotency_key), undefined, "an end that lost binds nothing");
    // Among others.
    const together = [endOf(id, 0, h.now(), { ...FAILED, call }), endOf(other, 0, h.now(), FAILED)];
    assert.deepEqual(await Promise.all(together.map((end) => h.store.terminate(end))), [true, true]);
    assert.deepEqual(await h.store.keyUse(account, idempotency_key), { fingerprint, response });
    // Taken by a call, and by a submission.
    const { idempotency_key: submitted } = await getOperation(h.store, third);
    for (const key of [idempotency_key, submitted]) {
      const taken = { ...call, idempotency_key: key };
      assert.equal(await h.store.terminate(endOf(third, 0, h.now(), { ...FAILED, call: taken })), false);
    }
    assert.equal((await getOperation(h.store, third)).status, "processing");
    const fresh = keyedCall(account);
    assert.equal(await h.store.terminate(endOf(third, 0, h.now(), { ...FAILED, call: fresh })), true);
  });

  check("terminate() gives a key to one of many ends at once", async (h) => {
    const account = await addAccount(h, 100);
    const call = keyedCall(account);
    const ids = await Promise.all(Array.from({ length: 8 }, () => accept(h, account)));
    const won = await Promise.all(ids.map((id) => h.store.terminate(endOf(id, 0, h.now(), { ...FAILED, call }))));
    assert.equal(won.filter(Boolean).length, 1);
    const ended = await Promise.all(ids.map(async (id) => (await getOperation(h.store, id)).status === "failed"));
    assert.deepEqual(ended, won);
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
        return h.store.terminate(endOf(id, 0, h.now(), { objects: [object], webhooks: webhooks.slice(n, n + 1) }));
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

  check("onProgress() hears of progress after it can be read, until it is stopped", async (h) => {
    const account_id = await addAccount(h);
    const ids = [await accept(h, account_id), await accept(h, account_id)];
    const heard: string[] = [];
    const all = Promise.withResolvers<void>();
    const stop = h.store.onProgress(async (told) => {
      for (const id of told) assert.equal((await h.store.snapshot(id))?.stage, "mixing");
      heard.push(...told);
      if (heard.length === ids.length) all.resolve();
    });
    const held = await Promise.all(ids.map(() => claim(h)));
    const renewed = held.map(({ id, attempt }) => ({ id, attempt, progress: 0.5, stage: "mixing" }));
    await h.store.renew(renewed, 30_000);
    await all.promise;
    assert.deepEqual(heard.sort(), ids.sort());
    stop();
    const other = Promise.withResolvers<void>();
    h.store.onProgress(() => other.resolve());
    await h.store.renew(renewed, 30_000);
    await other.promise;
    assert.equal(heard.length, 2);
  });

  check("endedAfter() pages through the account's ends in their order, not that of their submission", async (h) => {
    const [account_id, other] = [await addAccount(h), await addAccount(h)];
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) ids.push(await accept(h, account_id));
    await h.store.terminate(endOf(await accept(h, other), 0, h.now(), FAILED));
    await accept(h, account_id);
    // The last submitted ends first; two end in one millisecond.
    const began = h.now();
    for (const [place, id] of [...ids].reverse().entries()) {
      const at = began + Math.max(place, 1);
      await h.store.terminate(endOf(id, 0, at, { ...FAILED, completed_at: at }));
    }
    const wanted = [ids[4], ids[5], ids[3], ids[2], ids[1], ids[0]];
    const found: string[] = [];
    let after = { completed_at: began, id: "" };
    for (;;) {
      const page = await h.store.endedAfter(account_id, after, 2);
      found.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (last === undefined) break;
      after = { completed_at: last.completed_at!, id: last.id };
    }
    assert.deepEqual(found, wanted);
    assert.deepEqual(await h.store.endedAfter("acc_nobody", { completed_at: 0, id: "" }, 9), []);
  });

  check("list() keeps to ids after and before others", async (h) => {
    const account_id = await addAccount(h);
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await accept(h, account_id, i === 2 ? { action: "adapt.auto_duck" } : {}));
    const between = { after: ids[0]!, before: ids[4]!, limit: 9 };
    const listed = async (filter: object) =>
      (await h.store.list(account_id, { ...between, ...filter })).map(({ id }) => id);
    assert.deepEqual(await listed({}), [ids[3], ids[2], ids[1]]);
    assert.deepEqual(await listed({ actions: ["adapt.auto_duck"] }), [ids[2]]);
    assert.deepEqual(await listed({ statuses: ["processing"], after: ids[1]! }), [ids[3], ids[2]]);
    assert.deepEqual(await listed({ statuses: ["processing"], actions: ["create.new_song"], limit: 1 }), [ids[3]]);
  });
}
