import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type Call, createBatchRunner } from "../../core/adapters/sqlite/batch.ts";
import { isUnavailable } from "../../core/adapters/sqlite/errors.ts";
import { migrate } from "../../core/adapters/sqlite/migrate.ts";
import { createCallClock } from "../../core/adapters/sqlite/sync.ts";
import { createVerbs } from "../../core/adapters/sqlite/verbs.ts";

function openBatch() {
  const db = new DatabaseSync(":memory:");
  migrate(db, ":memory:", 0);
  const clock = createCallClock();
  const verbs = createVerbs(db, clock);
  verbs.createAccount({ id: "acc_a", name: "Ada", credits: 10, created_at: 0 });
  const credits = () => db.prepare("SELECT credits FROM accounts WHERE id = 'acc_a'").get()?.credits;
  return { db, verbs, clock, credits };
}

const grant = (credits: number, note = ""): Call => ({ verb: "grant", now: 0, args: ["acc_a", credits, note, 0] });

test("a batch answers each call in order, after one commit", () => {
  const { db, verbs, clock, credits } = openBatch();
  const run = createBatchRunner(db, verbs, clock);
  const unknown: Call = { verb: "grant", now: 0, args: ["acc_nobody", 1, "", 0] };
  assert.deepEqual(run([grant(1), unknown, grant(2)]), [
    { ok: true, value: 11 },
    { ok: true, value: undefined },
    { ok: true, value: 13 },
  ]);
  assert.equal(credits(), 13);
  assert.equal(db.isTransaction, false);
  db.close();
});

test("a batch with a mistake in it fails the guilty call alone", () => {
  const { db, verbs, clock, credits } = openBatch();
  const outcomes = createBatchRunner(db, verbs, clock)([grant(1), grant(-1), grant(2)]);
  assert.deepEqual(outcomes[0], { ok: true, value: 11 });
  assert.deepEqual(outcomes[2], { ok: true, value: 13 });
  const guilty = outcomes[1];
  assert.ok(guilty !== undefined && !guilty.ok && !guilty.error.unavailable);
  assert.equal(credits(), 13);
  db.close();
});

test("a batch on a full disk fails every call as unavailable and writes nothing", () => {
  const { db, verbs, clock, credits } = openBatch();
  const run = createBatchRunner(db, verbs, clock);
  const pages = Number(db.prepare("PRAGMA page_count").get()?.page_count);
  db.exec(`PRAGMA max_page_count = ${pages}`);
  const outcomes = run([grant(1), grant(1, "x".repeat(100_000)), grant(1)]);
  assert.deepEqual(
    outcomes.map((outcome) => !outcome.ok && outcome.error.unavailable),
    [true, true, true],
  );
  assert.equal(credits(), 10);
  assert.equal(db.isTransaction, false);
  db.exec("PRAGMA max_page_count = 100000");
  assert.deepEqual(run([grant(1)]), [{ ok: true, value: 11 }]);
  db.close();
});

test("a commit that fails is unavailable to every call, and the next batch works", () => {
  const { db, verbs, clock, credits } = openBatch();
  // A reference that is only looked at by the commit makes exactly that fail.
  db.exec("CREATE TABLE late (account_id TEXT REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED) STRICT");
  const dangling = db.prepare("INSERT INTO late VALUES ('acc_nobody')");
  const run = createBatchRunner(db, { ...verbs, health: () => void dangling.run() }, clock);
  const outcomes = run([grant(1), { verb: "health", now: 0, args: [] }]);
  assert.deepEqual(
    outcomes.map((outcome) => !outcome.ok && outcome.error.unavailable),
    [true, true],
  );
  assert.equal(credits(), 10);
  assert.deepEqual(run([grant(1)]), [{ ok: true, value: 11 }]);
  db.close();
});

test("isUnavailable() tells trouble with the database from a mistake, however the runtime reports it", () => {
  const error = (message: string, more: object) => Object.assign(new Error(message), more);
  const sqlite = { code: "ERR_SQLITE_ERROR" };
  assert.equal(isUnavailable(error("x", { ...sqlite, errcode: 13 })), true);
  // IOERR_FSYNC: the extended code of IOERR.
  assert.equal(isUnavailable(error("x", { ...sqlite, errcode: 1034 })), true);
  assert.equal(isUnavailable(error("database is locked", sqlite)), true);
  assert.equal(isUnavailable(error("x", { ...sqlite, errcode: 1555 })), false);
  assert.equal(isUnavailable(error("UNIQUE constraint failed: accounts.id", sqlite)), false);
  assert.equal(isUnavailable(error("the door is locked", {})), false);
  assert.equal(isUnavailable("database is locked"), false);
});
