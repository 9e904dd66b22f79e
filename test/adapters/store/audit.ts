import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type AuditEntry, auditText, type NewAuditEntry } from "../../../core/ports/mod.ts";
import { addUser } from "../../add_user.ts";
import { addAccount, type Check, nextId, type StoreHarness } from "./fixtures.ts";

/** The audit log. */
export function auditChecks(check: Check): void {
  check("audit() adds entries to one chain, read newest first by account, subject and time", async (h) => {
    const { store } = h;
    const made = [
      entry(h, { account_id: "acc_1", action: "key.created", details: '{"label":"ü \\u0000 🎵"}', target: "key_1" }),
      entry(h, { account_id: "acc_2", action: "key.revoked", at: h.now() + 5, actor_email: "ada@example.com" }),
      entry(h, { account_id: null, action: "operator.keys.create", at: h.now() + 9, address: "2001:db8::1" }),
      entry(h, { account_id: "acc_1", action: "keys.other", at: h.now() + 9 }),
    ];
    for (const one of made) await store.audit(one);
    const all = await store.auditEntries({ limit: 9 });
    assert.deepEqual(
      all.map(({ position, previous: _, sha256: __, ...rest }) => [position, rest]),
      made.map((one, n) => [n + 1, one]).reverse(),
    );
    assertChain(all);
    const ids = async (filter: object) =>
      (await store.auditEntries({ limit: 9, ...filter })).map(({ position }) => position);
    assert.deepEqual(await ids({ account_id: "acc_1" }), [4, 1]);
    assert.deepEqual(await ids({ about: "key" }), [2, 1]);
    assert.deepEqual(await ids({ account_id: "acc_1", about: "key" }), [1]);
    assert.deepEqual(await ids({ since: h.now() + 5 }), [4, 3, 2]);
    assert.deepEqual(await ids({ before: 3, limit: 1 }), [2]);
    assert.deepEqual(await ids({ account_id: "acc_1", before: 4, since: h.now() }), [1]);
    assert.deepEqual(await ids({ until: h.now() + 5 }), [1]);
    assert.deepEqual(await ids({ action: "keys.other" }), [4]);
    assert.deepEqual(await ids({ action: "keys.other", account_id: "acc_2" }), []);
    assert.deepEqual(await ids({ action: "keys.other", account_id: "acc_1", until: h.now() }), []);
    assert.deepEqual(await ids({ actor: "service", account_id: "acc_1", about: "key" }), [1]);
    assert.deepEqual(await ids({ actor: "usr_nobody" }), []);
  });

  check("audited() writes the entry with what was done, and none where nothing was", async (h) => {
    const { store } = h;
    const account_id = await addAccount(h);
    const now = h.now();
    const told: (string | null)[] = [];
    store.onAccountChanged((id) => told.push(id));
    const logged = async () => (await store.auditEntries({ limit: 99 })).length;
    const user = { id: nextId("usr"), account_id, email: "ada@example.com", role: "owner", password: "p" } as const;
    await addUser(store, { ...user, created_at: now });
    const hash = (n: number) => String(n).padStart(64, "0");
    const session = { sha256: hash(1), user_id: user.id, created_at: now, expires_at: now + 9, seen_at: now };
    const invitation = {
      id: nextId("inv"),
      account_id,
      email: "bob@example.com",
      role: "member",
      sha256: hash(2),
    } as const;
    const times = { created_at: now, sent_at: now, expires_at: now + 9 };
    const entrant = { id: nextId("usr"), password: "q" };
    const key = { id: nextId("key"), account_id, label: "", sha256: hash(3), last_four: "abcd", created_at: now };
    const leaked = { ...key, id: nextId("key"), sha256: hash(4) };
    const report = { id: nextId("leak"), account_id, key_id: leaked.id, source: "", url: "u", created_at: now };
    const secret = { id: nextId("sec"), account_id, label: "", sealed: "v1.", created_at: now };
    const link = { sha256: hash(5), account_id, user_id: user.id, created_at: now, expires_at: now + 9 };
    let count = await logged();
    /** The answer, once with an entry and once without. */
    const expect = async (answer: unknown, entries: 0 | 1, run: (e: NewAuditEntry) => Promise<unknown>) => {
      const one = entry(h, { account_id });
      assert.deepEqual(await run(one), answer);
      count += entries;
      assert.equal(await logged(), count, String(run));
      if (entries === 1) assert.equal((await store.auditEntries({ limit: 1 }))[0]?.id, one.id);
    };
    const fresh = { id: nextId("acc"), name: "New", credits: 5, created_at: now };
    await expect(undefined, 1, (e) => store.audited(e, "createAccount", fresh));
    await expect(undefined, 1, (e) => store.audited(e, "createKey", key));
    await store.createKey(leaked);
    await expect(true, 1, (e) => store.audited(e, "label", "key", account_id, key.id, "new"));
    await expect(false, 0, (e) => store.audited(e, "label", "key", account_id, "key_x", "new"));
    await expect(true, 1, (e) => store.audited(e, "updateSettings", account_id, { revoke_leaked: true }));
    await expect(false, 0, (e) => store.audited(e, "updateSettings", "acc_x", { revoke_leaked: true }));
    await expect(true, 1, (e) => store.audited(e, "revokeKey", account_id, key.id, now));
    await expect(false, 0, (e) => store.audited(e, "revokeKey", account_id, key.id, now));
    await expect("revoked", 1, (e) => store.audited(e, "reportLeak", report, null));
    await expect("known", 0, (e) => store.audited(e, "reportLeak", { ...report, id: "leak_z" }, null));
    const elsewhere = { ...report, id: "leak_y", url: "other" };
    await expect("recorded", 0, (e) => store.audited(e, "reportLeak", elsewhere, null));
    assert.ok(told.filter((id) => id === account_id).length >= 3, "and listeners hear of it as ever");
    const { credits } = (await store.account(account_id))!;
    await expect(credits + 7, 1, (e) => store.audited(e, "grant", account_id, 7, "", now));
    await expect(undefined, 0, (e) => store.audited(e, "grant", "acc_x", 7, "", now));
    await expect(undefined, 1, (e) => store.audited(e, "createSecret", secret));
    await expect("last", 0, (e) => store.audited(e, "retireSecret", account_id, secret.id, now));
    await store.createSecret({ ...secret, id: nextId("sec") });
    await expect("retired", 1, (e) => store.audited(e, "retireSecret", account_id, secret.id, now));
    await expect(true, 1, (e) => store.audited(e, "createSession", session, "p"));
    await expect(false, 0, (e) => store.audited(e, "createSession", { ...session, sha256: hash(6) }, "wrong"));
    await expect(1, 1, (e) => store.audited(e, "endSessions", { sha256: session.sha256 }));
    await expect(0, 0, (e) => store.audited(e, "endSessions", { sha256: session.sha256 }));
    const invited = { ...invitation, ...times, invited_by: user.id };
    await expect("invited", 1, (e) => store.audited(e, "invite", invited, 1));
    const further = { ...invited, id: nextId("inv"), email: "c@example.com", sha256: hash(7) };
    await expect("full", 0, (e) => store.audited(e, "invite", further, 1));
    const { user_id: _, ...opened } = session;
    await expect("redeemed", 1, (e) => store.audited(e, "redeemInvitation", hash(2), now, entrant, opened));
    await expect("unknown", 0, (e) => store.audited(e, "redeemInvitation", hash(2), now, entrant, opened));
    await expect(false, 0, (e) => store.audited(e, "withdrawInvitation", account_id, invited.id));
    await store.createLink(link, 1);
    const newcomer = { ...entrant, email: "x@example.com" };
    const again = { ...opened, sha256: hash(8) };
    await expect("redeemed", 1, (e) => store.audited(e, "redeemLink", hash(5), now, newcomer, again));
    await expect("unknown", 0, (e) => store.audited(e, "redeemLink", hash(5), now, newcomer, again));
    await expect("last_owner", 0, (e) => store.audited(e, "updateUser", account_id, user.id, { role: "member" }));
    await expect("updated", 1, (e) => store.audited(e, "updateUser", account_id, entrant.id, { role: "owner" }));
    await expect(true, 1, (e) => store.audited(e, "setOperator", entrant.id, now));
    await expect(false, 0, (e) => store.audited(e, "setOperator", entrant.id, now));
    await expect(true, 1, (e) => store.audited(e, "setOperator", entrant.id, null));
    await expect("removed", 1, (e) => store.audited(e, "removeUser", account_id, entrant.id));
    await expect("unknown", 0, (e) => store.audited(e, "removeUser", account_id, entrant.id));
    assertChain(await store.auditEntries({ limit: 99 }));
  });

  check("audited() does nothing at all where the entry cannot be written", async (h) => {
    const { store } = h;
    const account_id = await addAccount(h);
    const one = entry(h, { account_id });
    await store.audit(one);
    const key = {
      id: nextId("key"),
      account_id,
      label: "",
      sha256: "e".repeat(64),
      last_four: "abcd",
      created_at: h.now(),
    };
    await assert.rejects(store.audited(one, "createKey", key));
    assert.equal((await store.keys(account_id)).length, 0);
    assertChain(await store.auditEntries({ limit: 9 }));
  });

  check("audit() keeps one chain where many write at once", async (h) => {
    await Promise.all(Array.from({ length: 40 }, () => h.store.audit(entry(h))));
    const all = await h.store.auditEntries({ limit: 99 });
    assert.equal(all.length, 40);
    assertChain(all);
  });

  check("expire() forgets the oldest in line whose time is over, and never the newest", async (h) => {
    const { store } = h;
    const ends = [1, 1, Date.now() + 1e9, 1, 1];
    for (const keep_until of ends) await store.audit(entry(h, { keep_until }));
    await store.expire(h.now(), 10);
    const kept = async () => (await store.auditEntries({ limit: 9 })).map(({ position }) => position);
    assert.deepEqual(await kept(), [5, 4, 3], "what stands behind one that is kept stays in the chain");
    assertChain(await store.auditEntries({ limit: 9 }));
    await store.expire(Date.now() + 2e9, 10);
    assert.deepEqual(await kept(), [5, 4, 3], "nor by a clock that runs ahead");
  });
}

/** Newest first. */
function assertChain(entries: readonly AuditEntry[]): void {
  for (const [n, one] of entries.entries()) {
    assert.equal(
      one.sha256,
      createHash("sha256")
        .update(`${one.previous}\n${auditText(one)}`)
        .digest("hex"),
    );
    const before = entries[n + 1];
    if (before === undefined) continue;
    assert.equal(one.previous, before.sha256);
    assert.equal(one.position, before.position + 1);
  }
}

function entry(h: StoreHarness, changes: Partial<NewAuditEntry> = {}): NewAuditEntry {
  const who = { account_id: null, actor: "service", actor_email: null, address: null };
  const what = { action: "test.done", target: null, details: "{}" };
  // The stores' own rules go by the clock on the wall.
  return { id: nextId("aud"), at: h.now(), ...who, ...what, keep_until: Date.now() + 1e9, ...changes };
}
