/** The audit log seen from outside the store: what verify notices, and what happens to an entry that cannot be written. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createAudit, OPERATOR } from "../../core/accounts/audit.ts";
import { openSqliteStore } from "../../core/adapters/sqlite/store.ts";
import { StoreUnavailable } from "../../core/ports/mod.ts";
import { verifyAudit } from "../../plugins/administration/audit_chain.ts";
import { fakeClock } from "../clock.ts";

const TAMPERINGS: readonly [how: string, sql: string, fault: RegExp | null][] = [
  ["nothing", "", null],
  ["another actor", "UPDATE audit SET actor = 'eve' WHERE position = 3", /Entry 3 .* was changed/],
  ["another time", "UPDATE audit SET at = at + 1 WHERE position = 1", /Entry 1 .* was changed/],
  ["shorter kept", "UPDATE audit SET keep_until = 0 WHERE position = 5", /Entry 5 .* was changed/],
  ["one taken out", "DELETE FROM audit WHERE position = 3", /Entries 3 to 3 are missing/],
  [
    "one taken out and the gap closed",
    "DELETE FROM audit WHERE position = 3; UPDATE audit SET position = 3 WHERE position = 4; UPDATE audit SET position = 4 WHERE position = 5",
    /Entry 3 .* does not follow the one before it/,
  ],
  [
    "the beginning cut off and renumbered",
    "DELETE FROM audit WHERE position = 1; UPDATE audit SET position = position - 1",
    /Entry 1 does not begin the chain/,
  ],
  ["the beginning forgotten after its time", "DELETE FROM audit WHERE position < 3", null],
];

for (const [how, sql, fault] of TAMPERINGS) {
  test(`verify notices what was done to the file: ${how}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "tonwerk-audit-"));
    const file = join(folder, "tonwerk.db");
    const clock = fakeClock();
    try {
      const store = await openSqliteStore({ file, clock });
      const audit = createAudit({ store, clock, log: () => undefined, days: 400 });
      for (let n = 1; n <= 5; n++)
        await audit.write(audit.entry(OPERATOR, "operator.test", { account_id: null, details: { n } }));
      await store.close();
      // As somebody who has the file can.
      const db = new DatabaseSync(file);
      for (const name of ["no_update", "no_delete", "in_line"]) db.exec(`DROP TRIGGER audit_${name}`);
      db.exec(sql);
      db.close();
      const again = await openSqliteStore({ file, clock });
      const { faults, entries, newest } = await verifyAudit(again);
      await again.close();
      if (fault === null) assert.deepEqual(faults, []);
      else assert.match(faults.join("\n"), fault);
      assert.ok(entries >= 3 && newest !== null);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

test("an entry that the store does not take stands in the log, whole", async () => {
  const logged: { readonly event: string; readonly entry?: string; readonly error?: string }[] = [];
  const store = { audit: () => Promise.reject(new StoreUnavailable("away")) };
  const log = (event: string, fields: object = {}) => void logged.push({ event, ...fields });
  const audit = createAudit({ store, clock: fakeClock(), log, days: 400 });
  const entry = audit.entry(OPERATOR, "operator.keys.create", { account_id: null, details: { label: "x" } });
  await audit.write(entry);
  assert.deepEqual([logged[0]?.event, logged[0]?.entry, logged.length], ["audit.lost", JSON.stringify(entry), 1]);
  assert.match(logged[0]?.error ?? "", /^StoreUnavailable: away/);
});
