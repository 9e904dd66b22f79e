import assert from "node:assert/strict";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openSqliteStore } from "../../core/adapters/sqlite/store.ts";
import { newId } from "../../core/base/ids.ts";
import { systemClock } from "../../core/base/timers.ts";

test("while one commit follows another, the log is copied into the database and begins anew all the same", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-"));
  const file = join(folder, "test.db");
  const store = await openSqliteStore({ file, clock: systemClock });
  const sizes: number[] = [];
  let accounts = 0;
  try {
    for (let turn = 0; turn < 60; turn++) {
      // The next ones are under way before the last ones are committed.
      const commits: Promise<unknown>[] = [];
      for (let n = 0; n < 8; n++) {
        for (let m = 0; m < 40; m++) {
          const id = newId("acc_", Date.now());
          commits.push(store.createAccount({ id, name: `Account ${accounts++}`, credits: 1, created_at: 1 }));
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await Promise.all(commits.slice(0, 200));
      sizes.push((await stat(`${file}-wal`)).size);
      await Promise.all(commits);
    }
    assert.ok((await stat(file)).size > 1_000_000, "the database has what was in the log");
  } finally {
    await store.close();
  }
  // A log that only grows would by now have what the first turns wrote, as often as there were turns.
  const whole = (sizes.length * sizes[2]!) / 3;
  assert.ok(sizes.at(-1)! < whole / 2, `${sizes.at(-1)} bytes of ${whole}`);
  const db = new DatabaseSync(file);
  assert.equal(db.prepare("SELECT count(*) AS n FROM accounts").get()?.n, accounts);
  db.close();
  await rm(folder, { recursive: true, force: true });
});
