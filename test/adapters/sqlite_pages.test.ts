import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Call, createBatchRunner } from "../../core/adapters/sqlite/batch.ts";
import { openForWriting } from "../../core/adapters/sqlite/connection.ts";
import { migrate } from "../../core/adapters/sqlite/migrate.ts";
import { createCallClock } from "../../core/adapters/sqlite/sync.ts";
import { createVerbs } from "../../core/adapters/sqlite/verbs.ts";
import { submission } from "./store/fixtures.ts";

const ACCOUNTS = 20;
const TOGETHER = 64;
/** A page with its header in the log; the log's own header. */
const FRAME_BYTES = 4_096 + 24;
const HEADER_BYTES = 32;

// Pages written are what a shared commit costs, on any machine alike. 1.0 are needed here; an index of random keys adds 1.0, one that begins with the
// account 0.6.
test("a submission in a shared commit writes few pages", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-"));
  const file = join(folder, "test.db");
  const db = openForWriting(file);
  try {
    db.exec("PRAGMA synchronous = OFF");
    migrate(db, file, 1);
    const clock = createCallClock(1);
    const verbs = createVerbs(db, clock);
    const run = createBatchRunner(db, verbs, clock);
    const account = (index: number): string => `acc_${String(index % ACCOUNTS).padStart(26, "0")}`;
    for (let n = 0; n < ACCOUNTS; n++)
      verbs.createAccount({ id: account(n), name: "Ada", credits: 1e9, created_at: 1 });
    let made = 0;
    const commit = (): void => {
      const calls = Array.from({ length: TOGETHER }, (): Call => {
        const id = `op_${String(made).padStart(26, "0")}`;
        const text = "x".repeat(400);
        const changes = { id, idempotency_key: randomUUID(), response: text, request: text, files: [] };
        return { verb: "submit", now: 1, args: [submission(account(made++), 1, changes)] };
      });
      assert.ok(run(calls).every((outcome) => outcome.ok));
    };
    for (let n = 0; n < 60; n++) commit();
    let pages = 0;
    for (let n = 0; n < 10; n++) {
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      commit();
      pages += ((await stat(`${file}-wal`)).size - HEADER_BYTES) / FRAME_BYTES;
    }
    const each = pages / (10 * TOGETHER);
    assert.ok(each < 1.2, `${each} pages a submission`);
  } finally {
    db.close();
    await rm(folder, { recursive: true, force: true });
  }
});
