import assert from "node:assert/strict";
import { test } from "node:test";
import { openPostgresStore } from "../../core/adapters/postgres/store.ts";
import { fakeClock } from "../clock.ts";
import { POSTGRES_MISSING } from "../services/postgres.ts";
import { leaseDatabase } from "../services/postgres_database.ts";
import { whenThere } from "../services/services.ts";
import { addAccount, submission } from "./store/fixtures.ts";
import { storeSuite } from "./store.suite.ts";

whenThere("postgres: the store's suite", POSTGRES_MISSING, () => {
  storeSuite("postgres", async () => {
    const database = await leaseDatabase();
    const clock = fakeClock();
    await database.setNow(clock.now());
    // A busy machine may take its time over 10,000 submissions at once.
    const store = await openPostgresStore({ url: database.url, clock, call_ms: 60_000 });
    return {
      store,
      now: clock.now,
      async advance(ms) {
        clock.advance(ms);
        await database.setNow(clock.now());
      },
      async close() {
        await store.close();
        await database.giveBack();
      },
    };
  });

  test("the audit log refuses changes, deletions before their time, and being emptied", async () => {
    const database = await leaseDatabase();
    const store = await openPostgresStore({ url: database.url, clock: fakeClock() });
    try {
      const who = { account_id: null, actor: "service", actor_email: null, address: null, target: null };
      const entry = { ...who, at: 1, action: "test.done", details: "{}", keep_until: Date.now() + 1e9 };
      for (const id of ["aud_1", "aud_2"]) await store.audit({ ...entry, id });
      for (const statement of [
        "UPDATE audit SET actor = 'somebody'",
        "UPDATE audit SET keep_until = 0",
        "DELETE FROM audit",
        "TRUNCATE audit",
      ])
        await assert.rejects(database.behind.query(statement, []), /append-only/, statement);
      assert.equal((await store.auditEntries({ limit: 9 })).length, 2);
    } finally {
      await store.close();
      await database.giveBack();
    }
  });

  test("text of others keeps every character but NUL, which becomes U+FFFD", async () => {
    const database = await leaseDatabase();
    const clock = fakeClock();
    const store = await openPostgresStore({ url: database.url, clock });
    try {
      const h = { store, now: clock.now, advance: async () => undefined, close: async () => undefined };
      const account_id = await addAccount(h);
      await store.grant(account_id, 1, 'a\0b "{\\},NULL" \u{1F3B5}', clock.now());
      assert.equal((await store.ledger(account_id, { limit: 1 }))[0]?.note, 'a\u{FFFD}b "{\\},NULL" \u{1F3B5}');
      // What goes in arrays: empty text, the word NULL, quotes, backslashes, braces and commas are not the array's own.
      const texts = ["", "NULL", '"', "\\", '{"a":"\\u0000,\\"}"}', "é\u{1F3B5}\n"];
      for (const request of texts) {
        const url = `https://example.com/${request}`;
        const sent = submission(account_id, clock.now(), { request, sources: [{ name: request, object: null, url }] });
        await store.submit(sent);
        const found = await store.operation(sent.id);
        assert.deepEqual([found?.request, found?.sources[0]?.name, found?.sources[0]?.url], [request, request, url]);
      }
    } finally {
      await store.close();
      await database.giveBack();
    }
  });
});
