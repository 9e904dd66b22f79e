import assert from "node:assert/strict";
import { addAccount, type Check, nextId, type StoreHarness } from "./fixtures.ts";

/** Reports of leaked keys. */
export function leakChecks(check: Check): void {
  check("reportLeak() records a place once and revokes where the account wants that", async (h) => {
    const [calm, strict] = [await addAccount(h), await addAccount(h)];
    await h.store.updateSettings(strict, { revoke_leaked: true });
    const [kept, revoked] = [await addKey(h, calm), await addKey(h, strict)];
    const told: (string | null)[] = [];
    h.store.onAccountChanged((id) => told.push(id));
    const found = { source: "content", url: "https://a.test/1", created_at: h.now() };
    const first = { ...found, id: "leak_1", account_id: calm, key_id: kept.id };
    assert.equal(await h.store.reportLeak(first, null), "recorded");
    assert.equal(await h.store.reportLeak({ ...first, id: "leak_2" }, null), "known");
    const elsewhere = { ...first, id: "leak_3", url: "" };
    assert.equal(await h.store.reportLeak(elsewhere, null), "recorded");
    assert.equal(await h.store.reportLeak({ ...first, id: "leak_4", key_id: "key_nothing" }, null), "unknown");
    assert.equal(await h.store.reportLeak({ ...first, id: "leak_4", key_id: revoked.id }, null), "unknown");
    assert.ok(await h.store.findKey(kept.sha256));
    const other = { ...first, id: "leak_5", account_id: strict, key_id: revoked.id };
    assert.equal(await h.store.reportLeak(other, null), "revoked");
    assert.ok(told.includes(strict));
    assert.equal(await h.store.findKey(revoked.sha256), undefined);
    // Revoked already: there is nothing left to revoke.
    assert.equal(await h.store.reportLeak({ ...other, id: "leak_6", url: "" }, null), "recorded");
    assert.deepEqual(await h.store.leaks(calm, { limit: 9 }), [
      { ...elsewhere, revoked: false, closed_at: null },
      { ...first, revoked: false, closed_at: null },
    ]);
    assert.deepEqual(
      (await h.store.leaks(strict, { before: "leak_6", limit: 9 })).map(({ id, revoked: was }) => [id, was]),
      [["leak_5", true]],
    );
    assert.equal(await h.store.closeLeak(strict, "leak_1", h.now()), false);
    assert.equal(await h.store.closeLeak(calm, "leak_1", h.now() + 1), true);
    assert.equal(await h.store.closeLeak(calm, "leak_1", h.now() + 2), false);
    assert.equal((await h.store.leaks(calm, { limit: 9 }))[1]?.closed_at, h.now() + 1);
  });

  check("claimLeakMails() hands each report out once for a lease, until it is settled", async (h) => {
    const account_id = await addAccount(h);
    const { id: key_id } = await addKey(h, account_id);
    const now = h.now();
    const report = { account_id, key_id, source: "", created_at: now };
    await h.store.reportLeak({ ...report, id: "leak_1", url: "1" }, now);
    await h.store.reportLeak({ ...report, id: "leak_2", url: "2" }, now + 10);
    await h.store.reportLeak({ ...report, id: "leak_3", url: "3" }, null);
    const claim = async (at: number, limit = 9) =>
      (await h.store.claimLeakMails(at, 100, limit)).map((due) => [due.report.id, due.attempts]);
    assert.deepEqual(await claim(now + 9), [["leak_1", 1]]);
    assert.deepEqual(await claim(now + 10, 1), [["leak_2", 1]]);
    assert.deepEqual(await claim(now + 11), []);
    assert.deepEqual(await claim(now + 109, 9), [["leak_1", 2]]);
    await h.store.recordLeakMail("leak_1", now + 500);
    await h.store.recordLeakMail("leak_2", null);
    assert.deepEqual(await claim(now + 499), []);
    assert.deepEqual(await claim(now + 500), [["leak_1", 3]]);
    const races = await Promise.all([claim(now + 900), claim(now + 900)]);
    assert.deepEqual(races.flat(), [["leak_1", 4]]);
  });
}

async function addKey(h: StoreHarness, account_id: string): Promise<{ id: string; sha256: string }> {
  const key = { id: nextId("key"), account_id, label: "", sha256: hash(), last_four: "abcd", created_at: h.now() };
  await h.store.createKey(key);
  return key;
}

const hash = (): string => (crypto.randomUUID() + crypto.randomUUID()).replaceAll("-", "");
