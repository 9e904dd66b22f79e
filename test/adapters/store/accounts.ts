import assert from "node:assert/strict";
import { testAccountOf } from "../../../core/base/ids.ts";
import type { KeyRights } from "../../../core/ports/mod.ts";
import { addUser } from "../../add_user.ts";
import {
  accept,
  addAccount,
  assertBalance,
  type Check,
  endedWithWebhook,
  endOf,
  FAILED,
  getAccount,
  isMistake,
  isUnavailable,
  nextId,
  wholeLedger,
} from "./fixtures.ts";

/** Accounts, keys, secrets, grants; health and close. */
const DAY_MS = 86_400_000;

export function accountChecks(check: Check): void {
  check("createAccount() writes the first grant to the ledger", async ({ store, now }) => {
    assert.equal(await store.countAccounts(), 0);
    await store.createAccount({ id: "acc_a", name: "Ada", credits: 1_000, created_at: now() });
    await store.createAccount({ id: "acc_b", name: "Bob", credits: 0, created_at: now() });
    assert.equal(await store.countAccounts(), 2);
    const [line, ...others] = await store.ledger("acc_a", { limit: 10 });
    assert.deepEqual(others, []);
    assert.equal(line?.kind, "grant");
    assert.equal(line?.credits, 1_000);
    assert.equal(line?.operation_id, null);
    assert.deepEqual(await store.ledger("acc_b", { limit: 10 }), []);
  });

  check("createAccount() adds the first key and secret, or nothing at all", async ({ store, now }) => {
    const at = now();
    const key = {
      id: "key_1",
      account_id: "acc_a",
      label: "",
      sha256: "ab".repeat(32),
      last_four: "abcd",
      created_at: at,
    };
    const secret = { id: "sec_1", account_id: "acc_a", label: "", sealed: "sealed", created_at: at };
    await store.createAccount({ id: "acc_a", name: "Ada", credits: 3, created_at: at }, key, secret);
    assert.equal((await store.findKey(key.sha256))?.account.credits, 3);
    assert.deepEqual(
      (await store.secrets("acc_a")).map(({ id }) => id),
      ["sec_1"],
    );
    const second = { id: "acc_b", name: "Bob", credits: 3, created_at: at };
    await assert.rejects(store.createAccount(second, { ...key, account_id: "acc_b" }), isMistake);
    assert.equal(await store.account("acc_b"), undefined);
    assert.deepEqual(await store.ledger("acc_b", { limit: 10 }), []);
  });

  check("createAccount() fills settings with defaults and keeps given ones", async ({ store, now }) => {
    const settings = { put_per_minute: 0, allowlist: ["10.0.0.0/8"], webhook_body: "envelope" } as const;
    await store.createAccount({ id: "acc_a", name: "Ada", credits: 0, created_at: now(), settings });
    assert.deepEqual(await store.account("acc_a"), {
      id: "acc_a",
      name: "Ada",
      credits: 0,
      created_at: now(),
      put_per_minute: 0,
      get_per_minute: null,
      long_polls: null,
      allowlist: ["10.0.0.0/8"],
      webhook_body: "envelope",
      webhook_long_retries: false,
      jobs_max: 0,
      revoke_leaked: false,
      free_seconds: null,
      uploads_open: null,
      upload_bytes: null,
      free_day: 0,
      free_ms: 0,
    });
    assert.equal(await store.account("acc_b"), undefined);
  });

  check("addFreeWork() adds up within a day and begins anew with the next", async (h) => {
    const [id, other] = [await addAccount(h), await addAccount(h)];
    const day = 86_400_000;
    assert.equal(await h.store.addFreeWork(id, 5 * day, 300), 300);
    const together = await Promise.all(Array.from({ length: 5 }, () => h.store.addFreeWork(id, 5 * day, 10)));
    assert.equal(Math.max(...together), 350);
    assert.equal(await h.store.addFreeWork(id, 6 * day, 7), 7);
    assert.equal(await h.store.addFreeWork(id, 5 * day, 1_000), 7, "a node whose clock is behind");
    const { free_day, free_ms } = await getAccount(h.store, id);
    assert.deepEqual([free_day, free_ms], [6 * day, 7]);
    assert.equal((await getAccount(h.store, other)).free_ms, 0);
    assert.equal(await h.store.addFreeWork("acc_nobody", day, 1), 0);
  });

  check("createAccount() rejects a taken id as a mistake and keeps the first", async ({ store, now }) => {
    await store.createAccount({ id: "acc_a", name: "Ada", credits: 5, created_at: now() });
    await assert.rejects(store.createAccount({ id: "acc_a", name: "Eve", credits: 7, created_at: now() }), isMistake);
    assert.equal((await getAccount(store, "acc_a")).name, "Ada");
    await assertBalance(store, "acc_a", 5);
  });

  check("updateSettings() changes only what is named", async (h) => {
    const id = await addAccount(h);
    assert.equal(await h.store.updateSettings(id, { long_polls: 7, webhook_long_retries: true }), true);
    assert.equal(await h.store.updateSettings(id, { allowlist: ["::1"], long_polls: null }), true);
    const account = await getAccount(h.store, id);
    assert.equal(account.long_polls, null);
    assert.equal(account.webhook_long_retries, true);
    assert.deepEqual(account.allowlist, ["::1"]);
    assert.equal(account.credits, 1_000);
    assert.equal(await h.store.updateSettings("acc_nobody", { long_polls: 7 }), false);
  });

  check("grant() adds credits with a line and resolves to the balance", async (h) => {
    const id = await addAccount(h, 10);
    assert.equal(await h.store.grant(id, 5, "Thank you", h.now()), 15);
    assert.equal(await h.store.grant("acc_nobody", 5, "", h.now()), undefined);
    await assertBalance(h.store, id, 15);
    const [line] = await h.store.ledger(id, { limit: 1 });
    assert.equal(line?.note, "Thank you");
    assert.equal(line?.created_at, h.now());
  });

  check("grant() rejects credits of 0 and below as a mistake", async (h) => {
    const id = await addAccount(h, 10);
    await assert.rejects(h.store.grant(id, 0, "", h.now()), isMistake);
    await assert.rejects(h.store.grant(id, -5, "", h.now()), isMistake);
    await assertBalance(h.store, id, 10);
  });

  check("ledger() pages newest first, own lines only", async (h) => {
    const [id, other] = [await addAccount(h, 1), await addAccount(h, 1)];
    for (let i = 2; i <= 5; i++) {
      await h.store.grant(id, i, "", h.now());
      await h.store.grant(other, 100, "", h.now());
    }
    const first = await h.store.ledger(id, { limit: 2 });
    assert.deepEqual(
      first.map((line) => line.credits),
      [5, 4],
    );
    const before = first.at(-1)?.id;
    assert.ok(before !== undefined);
    const second = await h.store.ledger(id, { before, limit: 10 });
    assert.deepEqual(
      second.map((line) => line.credits),
      [3, 2, 1],
    );
  });

  check("findKey() finds live keys with their account, and no others", async (h) => {
    const id = await addAccount(h);
    const key = {
      id: nextId("key"),
      account_id: id,
      label: "laptop",
      sha256: "a".repeat(64),
      last_four: "wxyz",
      created_at: h.now(),
    };
    await h.store.createKey(key);
    assert.deepEqual(await h.store.findKey(key.sha256), {
      key: { ...key, revoked_at: null, used_at: null, rights: null },
      account: await getAccount(h.store, id),
    });
    assert.equal(await h.store.findKey("b".repeat(64)), undefined);
    assert.equal(await h.store.revokeKey(id, key.id, h.now() + 5), true);
    assert.equal(await h.store.findKey(key.sha256), undefined);
    assert.deepEqual(await h.store.keys(id), [{ ...key, revoked_at: h.now() + 5, used_at: null, rights: null }]);
  });

  check("createKey() of a test key makes its account, once, which no list and no count of accounts has", async (h) => {
    const [id, other] = [await addAccount(h, 7), await addAccount(h)];
    const count = await h.store.countAccounts();
    const rights: KeyRights = { test: true, read_only: false, actions: null, budget: null };
    const key = (sha256: string) => {
      const names = { id: nextId("key"), account_id: id, label: "tests", sha256: sha256.repeat(64), last_four: "wxyz" };
      return { ...names, created_at: h.now(), rights };
    };
    const first = key("a");
    await h.store.createKey(first);
    await h.store.createKey(key("b"));
    const tests = await getAccount(h.store, testAccountOf(id));
    assert.deepEqual([tests.credits, tests.name], [0, "Tests"]);
    assert.equal(await h.store.account(testAccountOf(other)), undefined);
    assert.equal(await h.store.countAccounts(), count);
    const listed = (await h.store.accounts({ limit: 100 })).map((account) => account.id);
    assert.deepEqual([listed.includes(id), listed.includes(testAccountOf(id))], [true, false]);
    // The key is the account's own.
    assert.deepEqual(await h.store.findKey(first.sha256), {
      key: { ...first, revoked_at: null, used_at: null },
      account: await getAccount(h.store, id),
    });
    assert.equal((await h.store.keys(id)).length, 2);
  });

  check("revokeKey() says false for foreign, unknown and revoked keys", async (h) => {
    const [owner, other] = [await addAccount(h), await addAccount(h)];
    const key = { id: "key_1", account_id: owner, label: "", sha256: "a".repeat(64), last_four: "wxyz", created_at: 1 };
    await h.store.createKey(key);
    assert.equal(await h.store.revokeKey(other, key.id, h.now()), false);
    assert.equal(await h.store.revokeKey(owner, "key_2", h.now()), false);
    assert.ok((await h.store.findKey(key.sha256)) !== undefined);
    assert.equal(await h.store.revokeKey(owner, key.id, h.now()), true);
    assert.equal(await h.store.revokeKey(owner, key.id, h.now() + 1), false);
    assert.deepEqual(await h.store.keys(other), []);
  });

  check("onAccountChanged() is told before revokeKey() and updateSettings() resolve", async (h) => {
    const [id, other] = [await addAccount(h), await addAccount(h)];
    const key = { id: "key_1", account_id: id, label: "", sha256: "a".repeat(64), last_four: "wxyz", created_at: 1 };
    await h.store.createKey(key);
    const told: (string | null)[] = [];
    const stop = h.store.onAccountChanged((account_id) => told.push(account_id));
    await h.store.updateSettings(other, { allowlist: ["192.0.2.1"] });
    assert.ok(told.includes(other) || told.includes(null));
    told.length = 0;
    await h.store.revokeKey(id, key.id, h.now());
    assert.ok(told.includes(id) || told.includes(null));
    stop();
    told.length = 0;
    await h.store.updateSettings(other, { allowlist: [] });
    assert.deepEqual(told, []);
  });

  check("createKey() rejects a taken hash as a mistake", async (h) => {
    const account_id = await addAccount(h);
    const key = { id: "key_1", account_id, label: "", sha256: "a".repeat(64), last_four: "wxyz", created_at: 1 };
    await h.store.createKey(key);
    await assert.rejects(h.store.createKey({ ...key, id: "key_2" }), isMistake);
    assert.equal((await h.store.keys(account_id)).length, 1);
  });

  check("secrets() lists live ones first, newest first", async (h) => {
    const account_id = await addAccount(h);
    for (const [index, id] of ["sec_1", "sec_2", "sec_3"].entries()) {
      await h.store.createSecret({ id, account_id, label: id, sealed: `sealed ${id}`, created_at: h.now() + index });
    }
    assert.equal(await h.store.retireSecret(account_id, "sec_3", h.now() + 9), "retired");
    const secrets = await h.store.secrets(account_id);
    assert.deepEqual(
      secrets.map((secret) => secret.id),
      ["sec_2", "sec_1", "sec_3"],
    );
    assert.deepEqual(secrets[2], {
      id: "sec_3",
      account_id,
      label: "sec_3",
      sealed: "sealed sec_3",
      created_at: h.now() + 2,
      retired_at: h.now() + 9,
    });
  });

  check("sealedSecrets() pages over all accounts' secrets; resealSecret() changes one that is as it was", async (h) => {
    const accounts = [await addAccount(h), await addAccount(h)];
    for (const [n, account_id] of [...accounts, ...accounts].entries()) {
      await h.store.createSecret({ id: `sec_${n}`, account_id, label: "", sealed: `v1.${n}`, created_at: h.now() });
    }
    await h.store.retireSecret(accounts[0]!, "sec_0", h.now());
    const page = await h.store.sealedSecrets({ after: "", limit: 3 });
    assert.deepEqual(
      page,
      [0, 1, 2].map((n) => ({ id: `sec_${n}`, sealed: `v1.${n}` })),
    );
    assert.deepEqual(await h.store.sealedSecrets({ after: "sec_2", limit: 3 }), [{ id: "sec_3", sealed: "v1.3" }]);
    assert.equal(await h.store.resealSecret("sec_1", "v1.0", "v1.x"), false);
    assert.equal(await h.store.resealSecret("sec_9", "v1.1", "v1.x"), false);
    const races = ["v1.x", "v1.y"].map((sealed) => h.store.resealSecret("sec_1", "v1.1", sealed));
    assert.deepEqual((await Promise.all(races)).sort(), [false, true]);
    assert.match((await h.store.secrets(accounts[1]!)).find(({ id }) => id === "sec_1")!.sealed, /^v1\.[xy]$/);
  });

  check("retireSecret() refuses to retire the last live one", async (h) => {
    const [owner, other] = [await addAccount(h), await addAccount(h)];
    const secret = { account_id: owner, label: "", sealed: "x", created_at: 1 };
    await h.store.createSecret({ ...secret, id: "sec_1" });
    assert.equal(await h.store.retireSecret(owner, "sec_1", h.now()), "last");
    await h.store.createSecret({ ...secret, id: "sec_2" });
    assert.equal(await h.store.retireSecret(other, "sec_1", h.now()), "unknown");
    assert.equal(await h.store.retireSecret(owner, "sec_9", h.now()), "unknown");
    // Both at once: one of them is the last.
    const answers = await Promise.all(["sec_1", "sec_2"].map((id) => h.store.retireSecret(owner, id, h.now())));
    assert.deepEqual(answers.sort(), ["last", "retired"]);
  });

  check("health() resolves while writes can be committed", async ({ store }) => {
    assert.equal(await store.health(), undefined);
  });

  check("close() commits what was called before and refuses what comes after", async (h) => {
    const id = await addAccount(h);
    const granted = h.store.grant(id, 5, "", h.now());
    const closing = h.store.close();
    await assert.rejects(h.store.health(), isUnavailable);
    await assert.rejects(h.store.account(id), isUnavailable);
    assert.equal(await granted, 1_005);
    await closing;
    await h.store.close();
  });

  check("one call's mistake leaves the calls beside it alone", async (h) => {
    const id = await addAccount(h, 10);
    const [bad, good, sent] = await Promise.allSettled([
      h.store.createAccount({ id, name: "Eve", credits: 0, created_at: h.now() }),
      h.store.grant(id, 5, "", h.now()),
      accept(h, id, { cost: 4 }),
    ]);
    assert.equal(bad?.status, "rejected");
    assert.equal(good?.status, "fulfilled");
    assert.equal(sent?.status, "fulfilled");
    await assertBalance(h.store, id, 11);
    assert.equal((await wholeLedger(h.store, id)).length, 3);
  });

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
      { day: start, debited: 12, refunded: 0, rebated: 0, granted: 1_050, operations: 2 },
      { day: start + DAY_MS, debited: 2, refunded: 0, rebated: 0, granted: 0, operations: 1 },
      { day: start + 3 * DAY_MS, debited: 0, refunded: 9, rebated: 0, granted: 0, operations: 0 },
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

  check("usageParts() sums by action and key, and each day adds up to that of the ledger", async (h) => {
    const [one, other] = [await addAccount(h, 1_000), await addAccount(h, 50)];
    const start = h.now() - (h.now() % DAY_MS);
    const by = (key: string) => `{"key":"${key}","fields":{}}`;
    const canceled = await accept(h, one, { cost: 9, request: by("key_a") });
    await accept(h, one, { cost: 3, request: by("key_a") });
    await accept(h, one, { cost: 2, request: by("key_b"), action: "adapt.auto_cut_down" });
    await accept(h, one, { cost: 0, request: by("key_b") });
    // Nobody's key; and words that only look like one.
    await accept(h, one, { cost: 4, request: '{"fields":{"key":"key_a"}}' });
    await accept(h, other, { cost: 1, request: by("key_a") });
    const measured = await accept(h, one, { cost: 5, request: by("key_a"), created_at: start + DAY_MS, work: "dsp" });
    // Several in one commit, two of them alike.
    const many = await Promise.all([1, 2, 3].map((n) => accept(h, other, { cost: n, request: by(`key_${n % 2}`) })));
    await h.store.terminate(endOf(canceled, 0, start + 2 * DAY_MS, FAILED));
    assert.equal(await h.store.rebate({ id: measured, attempt: 0, cost: 2, at: start + DAY_MS }), 2);
    await Promise.all(many.map((id) => h.store.terminate(endOf(id, 0, h.now(), FAILED))));
    const song = { action: "create.new_song", operations: 1, debited: 0, refunded: 0, rebated: 0 };
    const parts = [
      { ...song, day: start, key_id: "key_b", action: "adapt.auto_cut_down", debited: 2 },
      { ...song, day: start, key_id: "", debited: 4 },
      { ...song, day: start, key_id: "key_a", operations: 2, debited: 12 },
      { ...song, day: start, key_id: "key_b" },
      { ...song, day: start + DAY_MS, key_id: "key_a", debited: 5, rebated: 3 },
      { ...song, day: start + 2 * DAY_MS, key_id: "key_a", operations: 0, refunded: 9 },
    ];
    assert.deepEqual(await h.store.usageParts(one, start, start + 9 * DAY_MS), parts);
    assert.deepEqual(await h.store.usageParts(one, start + DAY_MS, start + 2 * DAY_MS), parts.slice(4, 5));
    assert.deepEqual(
      (await h.store.usageParts(other, start, start + DAY_MS)).map(({ key_id, debited, refunded }) => [
        key_id,
        debited,
        refunded,
      ]),
      [
        ["key_0", 2, 2],
        ["key_1", 4, 4],
        ["key_a", 1, 0],
      ],
    );
    for (const id of [one, other]) {
      const [days, all] = [
        await h.store.usage(id, start, start + 9 * DAY_MS),
        await h.store.usageParts(id, start, start + 9 * DAY_MS),
      ];
      for (const { day, debited, refunded, rebated } of days) {
        const sum = { debited: 0, refunded: 0, rebated: 0 };
        for (const part of all.filter((part) => part.day === day)) {
          sum.debited += part.debited;
          sum.refunded += part.refunded;
          sum.rebated += part.rebated;
        }
        assert.deepEqual(sum, { debited, refunded, rebated });
      }
    }
  });

  check("no listing shows another account's rows", async (h) => {
    const [one, other] = [await addAccount(h, 10), await addAccount(h, 10)];
    const { store } = h;
    await endedWithWebhook(h, one);
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
}
