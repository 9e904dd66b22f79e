import assert from "node:assert/strict";
import { addUser } from "../../add_user.ts";
import {
  accept,
  addAccount,
  type Check,
  claim,
  endOf,
  FAILED,
  newWebhook,
  nextId,
  type StoreHarness,
} from "./fixtures.ts";

const DAY_MS = 86_400_000;

/** What the dashboard lists: accounts, labels, usage, deliveries, and each account's own only. */
export function listingChecks(check: Check): void {
  check("accounts() pages through all, newest first", async (h) => {
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await addAccount(h, i));
    const page = async (before?: string) =>
      (await h.store.accounts({ limit: 2, ...(before === undefined ? {} : { before }) })).map(({ id }) => id);
    ids.reverse();
    assert.deepEqual(await page(), ids.slice(0, 2));
    assert.deepEqual(await page(ids[1]), ids.slice(2, 4));
    assert.deepEqual(await page(ids[3]), ids.slice(4));
    assert.deepEqual(await page(ids[4]), []);
    assert.deepEqual((await h.store.accounts({ limit: 1 }))[0], await h.store.account(ids[0]!));
  });

  check("label() renames an account and its own keys and secrets", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const { store } = h;
    const made = { account_id: one, label: "old", created_at: h.now() };
    await store.createKey({ ...made, id: "key_1", sha256: "ab".repeat(32), last_four: "abcd" });
    await store.createSecret({ ...made, id: "sec_1", sealed: "sealed" });
    assert.equal(await store.label("key", one, "key_1", "new key"), true);
    assert.equal(await store.label("secret", one, "sec_1", "new secret"), true);
    assert.equal(await store.label("account", one, one, "New name"), true);
    for (const [what, id] of [
      ["key", "key_1"],
      ["secret", "sec_1"],
      ["account", one],
    ] as const) {
      assert.equal(await store.label(what, other, id, "stolen"), false, what);
      assert.equal(await store.label(what, one, "nothing", "x"), false, what);
    }
    assert.equal((await store.keys(one))[0]?.label, "new key");
    assert.equal((await store.secrets(one))[0]?.label, "new secret");
    assert.equal((await store.account(one))?.name, "New name");
    await store.revokeKey(one, "key_1", h.now());
    assert.equal(await store.label("key", one, "key_1", "the revoked one"), true);
  });

  check("touchKey() keeps when a key was used last", async (h) => {
    const account_id = await addAccount(h);
    const key = { id: "key_1", account_id, label: "", sha256: "ab".repeat(32), last_four: "abcd", created_at: 1 };
    await h.store.createKey(key);
    assert.equal((await h.store.keys(account_id))[0]?.used_at, null);
    await h.store.touchKey("key_1", 50);
    await h.store.touchKey("key_1", 20);
    await h.store.touchKey("key_nothing", 20);
    assert.equal((await h.store.keys(account_id))[0]?.used_at, 50);
    assert.equal((await h.store.findKey(key.sha256))?.key.used_at, 50);
  });

  check("usage() sums the ledger by day", async (h) => {
    const [one, other] = [await addAccount(h, 1_000), await addAccount(h, 7)];
    const start = h.now() - (h.now() % DAY_MS);
    const canceled = await accept(h, one, { cost: 9 });
    await accept(h, one, { cost: 3 });
    await accept(h, other, { cost: 1 });
    await h.store.grant(one, 50, "gift", start + DAY_MS - 1);
    await accept(h, one, { cost: 2, created_at: start + DAY_MS });
    await h.store.terminate(endOf(canceled, 0, start + 3 * DAY_MS + 5, FAILED));
    const days = [
      { day: start, debited: 12, refunded: 0, granted: 1_050, operations: 2 },
      { day: start + DAY_MS, debited: 2, refunded: 0, granted: 0, operations: 1 },
      { day: start + 3 * DAY_MS, debited: 0, refunded: 9, granted: 0, operations: 0 },
    ];
    assert.deepEqual(await h.store.usage(one, start, start + 9 * DAY_MS), days);
    // From the first day to before the last one.
    assert.deepEqual(await h.store.usage(one, start + DAY_MS, start + 3 * DAY_MS), days.slice(1, 2));
    assert.deepEqual(await h.store.usage("acc_nobody", 0, start + 9 * DAY_MS), []);
    assert.deepEqual(
      (await h.store.usage(other, start, start + DAY_MS)).map(({ debited, granted }) => [debited, granted]),
      [[1, 7]],
    );
  });

  check("list() keeps to ids after and before others", async (h) => {
    const account_id = await addAccount(h);
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await accept(h, account_id, i === 2 ? { action: "adapt.auto_duck" } : {}));
    const between = { after: ids[0]!, before: ids[4]!, limit: 9 };
    const listed = async (filter: object) =>
      (await h.store.list(account_id, { ...between, ...filter })).map(({ id }) => id);
    assert.deepEqual(await listed({}), [ids[3], ids[2], ids[1]]);
    assert.deepEqual(await listed({ action: "adapt.auto_duck" }), [ids[2]]);
    assert.deepEqual(await listed({ status: "processing", after: ids[1]! }), [ids[3], ids[2]]);
    assert.deepEqual(await listed({ status: "processing", action: "create.new_song", limit: 1 }), [ids[3]]);
  });

  check("deliveries() pages through the account's own, newest first, with the last attempt", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const ids: string[] = [];
    for (const account_id of [one, other, one, one]) {
      const { id, event } = await endWithWebhook(h, account_id);
      if (account_id === one) ids.unshift(event);
      assert.ok(id);
    }
    const caps = { lane_max: 9, host_max: 9, account_max: 9 };
    const [taken] = await h.store.claimWebhooks("worker-1", 1, 1_000, caps);
    const attempt = { webhook_id: taken!.id, started_at: h.now(), duration_ms: 12, status: 500, detail: "oh" };
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
    const { body: _body, ...known } = (await h.store.webhooks(taken!.operation_id))[0]!;
    const last = { started_at: h.now(), duration_ms: 12, status: 200, detail: "ok" };
    assert.deepEqual(done, { ...known, last });
    assert.equal(all.find(({ id }) => id !== taken!.id)?.last, null);
  });

  check("no listing shows another account's rows", async (h) => {
    const [one, other] = [await addAccount(h, 10), await addAccount(h, 10)];
    const { store } = h;
    await endWithWebhook(h, one);
    const at = h.now();
    const made = { account_id: one, label: "", created_at: at };
    await store.createKey({ ...made, id: "key_1", sha256: "ab".repeat(32), last_four: "abcd" });
    await store.createSecret({ ...made, id: "sec_1", sealed: "sealed" });
    const user = { id: "usr_1", account_id: one, email: "a@b.test", role: "owner", password: "p" } as const;
    await addUser(store, { ...user, created_at: at });
    await store.reportLeak(
      { id: "leak_1", account_id: one, key_id: "key_1", source: "", url: "", created_at: at },
      null,
    );
    const ofEach = async (account_id: string) => [
      await store.list(account_id, { limit: 9 }),
      await store.deliveries(account_id, { limit: 9 }),
      await store.keys(account_id),
      await store.secrets(account_id),
      await store.users(account_id),
      await store.leaks(account_id, { limit: 9 }),
      (await store.ledger(account_id, { limit: 9 })).filter(({ kind }) => kind === "debit"),
      (await store.usage(account_id, 0, at + DAY_MS)).filter(({ operations }) => operations > 0),
    ];
    assert.ok((await ofEach(one)).every(({ length }) => length === 1));
    assert.ok((await ofEach(other)).every(({ length }) => length === 0));
  });

  check("claim() passes over an account that has as many jobs leased as it may", async (h) => {
    const [capped, other] = [await addAccount(h), await addAccount(h)];
    await h.store.updateSettings(capped, { jobs_max: 2 });
    for (let i = 0; i < 4; i++) await accept(h, capped);
    await accept(h, capped, { work: "dsp" });
    const first = [await claim(h), await claim(h)];
    assert.equal(await h.store.claim("generation", "worker-1", 1_000), undefined);
    // Each kind of work by itself; other accounts go on; what ended makes room; the order stays.
    assert.equal((await claim(h, "dsp")).account_id, capped);
    await accept(h, other);
    assert.equal((await claim(h)).account_id, other);
    await h.store.terminate(endOf(first[0]!.id, 1, h.now()));
    const third = await claim(h);
    assert.ok(third.account_id === capped && third.id > first[1]!.id);
    assert.equal(await h.store.claim("generation", "worker-1", 1_000), undefined);
    await h.store.updateSettings(capped, { jobs_max: 0 });
    assert.equal((await claim(h)).account_id, capped);
  });

  check("claim() passes over the accounts that it is told to, and takes their jobs in order afterwards", async (h) => {
    const [passed, other] = [await addAccount(h), await addAccount(h)];
    const [first, second] = [await accept(h, passed), await accept(h, passed)];
    const third = await accept(h, other);
    const take = (accounts?: readonly string[]) =>
      h.store.claim("generation", "worker-1", 1_000, undefined, accounts).then((operation) => operation?.id);
    assert.equal(await take([passed]), third);
    assert.equal(await take([passed]), undefined);
    assert.equal(await take([passed, other]), undefined);
    assert.equal(await h.store.claim("generation", "worker-1", 1_000, ["create.new_song"], [passed]), undefined);
    assert.deepEqual([await take([other]), await take([])], [first, second]);
  });

  check("claim() gives an account its first job however many another has waiting", async (h) => {
    const [crowd, single] = [await addAccount(h), await addAccount(h)];
    const sent: Promise<string>[] = [];
    for (let i = 0; i < 1_000; i++) sent.push(accept(h, crowd, { cost: 1 }));
    await Promise.all(sent);
    await claim(h);
    const id = await accept(h, single);
    const next = [await claim(h), await claim(h)].map((operation) => operation.id);
    assert.ok(next.includes(id));
  });
}

async function endWithWebhook(h: StoreHarness, account_id: string): Promise<{ id: string; event: string }> {
  const id = await accept(h, account_id);
  const event = nextId("evt");
  await h.store.terminate(endOf(id, 0, h.now(), { ...FAILED, refund: false, webhook: newWebhook({ id: event }) }));
  return { id, event };
}
