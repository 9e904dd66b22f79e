/** The queue's length is counted in stretches: right over their borders, and with turns for others between them. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { migrate } from "../../core/adapters/sqlite/migrate.ts";
import { createQueueStats } from "../../core/adapters/sqlite/queue_stats.ts";

/** Jobs of 50 accounts, whose oldest stand far behind in the fair order. */
function fill(db: DatabaseSync, count: number): void {
  db.exec(`PRAGMA foreign_keys = OFF;
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
    INSERT INTO jobs (operation_id, account_id, action, work, turn)
      SELECT printf('op_%08d', n), 'acc_' || n % 50, 'create.new_song', 'generation', (${count} - n) / 50 * 64 FROM n;
    UPDATE jobs SET work = 'dsp' WHERE operation_id <= 'op_00000003';
    UPDATE jobs SET state = 'leased', worker = 'w', lease_until = 9 WHERE operation_id = 'op_00000004';
    INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, response, created_at)
      VALUES ('op_00000005', 'acc_5', 'create.new_song', 'generation', 'processing', '', '', 3, '{}', '{}', 77)`);
}

test("a long queue is counted exactly, and others have turns meanwhile", async () => {
  const db = new DatabaseSync(":memory:");
  try {
    migrate(db, ":memory:", 5);
    const count = createQueueStats(db);
    assert.deepEqual(await count("generation"), { queued: 0, running: 0, oldest_at: null });
    fill(db, 30_004);
    let turns = 0;
    let counting = true;
    const others = () => {
      turns++;
      if (counting) setImmediate(others);
    };
    setImmediate(others);
    assert.deepEqual(await count("generation"), { queued: 30_000, running: 1, oldest_at: 77 });
    counting = false;
    assert.ok(turns >= 2, `others had ${turns} turns`);
    assert.equal((await count("dsp")).queued, 3);
  } finally {
    db.close();
  }
});
