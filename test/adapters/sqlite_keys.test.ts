/** An idempotency key is used once, whether its row is in the index of keys yet or not, and whatever became of the transaction that took it. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type Call, createBatchRunner } from "../../core/adapters/sqlite/batch.ts";
import { createKeyFilters } from "../../core/adapters/sqlite/fast/key_filters.ts";
import { createKeyIndex } from "../../core/adapters/sqlite/key_index.ts";
import { migrate } from "../../core/adapters/sqlite/migrate.ts";
import { openSqliteStore } from "../../core/adapters/sqlite/store.ts";
import { createCallClock } from "../../core/adapters/sqlite/sync.ts";
import { createVerbs } from "../../core/adapters/sqlite/verbs.ts";
import { systemClock } from "../../core/base/timers.ts";
import type { Submission } from "../../core/ports/mod.ts";
import { submission } from "./store/fixtures.ts";

const ACCOUNTS = ["acc_a", "acc_b"];
const LIST = (all: boolean): Call => ({ verb: "listKeys", now: 1, args: [all] });
/** Beyond what is held in memory, so that some is written on the way. */
const MANY = 18_000;

const idOf = (n: number): string => `op_${String(n).padStart(26, "0")}`;
const made = (n: number, more: Partial<Submission> = {}): Submission =>
  submission(ACCOUNTS[n % 2]!, 1, {
    id: idOf(n),
    idempotency_key: `key ${n >> 1}`,
    response: `{"n":${n}}`,
    files: [],
    ...more,
  });

function open(db: DatabaseSync) {
  db.exec("PRAGMA foreign_keys = ON");
  migrate(db, "", 1);
  const clock = createCallClock(1);
  const keys = createKeyIndex(db);
  const verbs = createVerbs(db, clock, keys);
  const run = createBatchRunner(db, verbs, clock);
  /** As the writing thread does. */
  const submitAll = (...all: readonly Submission[]) => {
    const calls = all.map((one): Call => ({ verb: "submit", now: 1, args: [one] }));
    const isDue = keys.isDue();
    const outcomes = run(isDue ? [...calls, LIST(false)] : calls);
    if (isDue && outcomes.pop()?.ok) keys.settle();
    return outcomes.map((outcome) => (outcome.ok ? outcome.value : outcome.error));
  };
  const count = (table: string): number => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  return { keys, verbs, run, submitAll, count };
}

test("each key is replayed, in memory, in the table, and after a crash with some in neither", () => {
  const db = new DatabaseSync(":memory:");
  const first = open(db);
  for (const id of ACCOUNTS) first.verbs.createAccount({ id, name: "Ada", credits: 100_000, created_at: 1 });
  for (let n = 0; n < MANY; n += 500) first.submitAll(...Array.from({ length: 500 }, (_, index) => made(n + index)));
  const written = first.count("operation_keys");
  assert.ok(written > 0 && written < MANY / 2, `${written} of ${MANY} keys are written`);
  const allReplay = ({ submitAll }: ReturnType<typeof open>, step: number): void => {
    for (let n = 0; n < MANY; n += step) {
      assert.deepEqual(
        submitAll(made(n, { id: "op_again" })),
        [{ kind: "replayed", response: `{"n":${n}}` }],
        `key of ${n}`,
      );
      assert.deepEqual(submitAll(made(n, { id: "op_again", fingerprint: "other" })), [{ kind: "key_reused" }]);
    }
  };
  allReplay(first, 37);
  // What was in memory is gone with the thread.
  const second = open(db);
  allReplay(second, 41);
  second.keys.load();
  second.run([LIST(true)]);
  second.keys.settle();
  assert.equal(second.count("operation_keys"), MANY);
  allReplay(open(db), 43);
  db.close();
});

test("filters let every written key through and hardly another, as a part grows and after a start", () => {
  const db = new DatabaseSync(":memory:");
  migrate(db, "", 1);
  const width = 2 ** 43;
  const part = 3;
  let state = 1;
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  const newHash = (): number => part * width + (draw() >>> 21) * 2 ** 32 + draw();
  const insert = db.prepare("INSERT INTO operation_keys VALUES (?, 1)");
  const filters = createKeyFilters(db, width);
  assert.ok(filters.mayHave(part, newHash()), "a part without one is looked up");
  const written: number[] = [];
  for (const count of [0, 1, 40, 300, 300, 300, 300, 2_000, 100]) {
    const more = Array.from({ length: count }, newHash);
    for (const hashed of more) insert.run(hashed);
    written.push(...more);
    filters.add(part, more);
    const started = createKeyFilters(db, width);
    started.load();
    for (const one of [filters, started]) {
      for (const hashed of written) assert.ok(one.mayHave(part, hashed), `${hashed} of ${written.length}`);
      const wrong = Array.from({ length: 1_000 }, newHash).filter((hashed) => one.mayHave(part, hashed)).length;
      assert.ok(wrong < 60, `${wrong} of 1,000 are looked for in vain among ${written.length}`);
    }
  }
  // Those that are gone leave when it is full.
  db.exec("DELETE FROM operation_keys");
  filters.add(part, Array.from({ length: 10_000 }, newHash));
  assert.deepEqual(
    written.filter((hashed) => filters.mayHave(part, hashed)),
    [],
  );
  db.close();
});

test("a key whose row was rolled back is free, and its row's number is not used again", () => {
  const db = new DatabaseSync(":memory:");
  const { submitAll, verbs, run, keys, count } = open(db);
  for (const id of ACCOUNTS) verbs.createAccount({ id, name: "Ada", credits: 100, created_at: 1 });
  // The second has the id of the first: all three are rolled back, and tried again one by one.
  const answers = submitAll(made(0), made(2, { id: idOf(0) }), made(4));
  assert.deepEqual(
    answers.map((answer) => (answer as { kind?: string }).kind),
    ["accepted", undefined, "accepted"],
  );
  assert.deepEqual(submitAll(made(2)), [{ kind: "accepted" }]);
  run([LIST(true)]);
  // Not settled, as if the commit had failed: memory still has them.
  db.exec("DELETE FROM operation_keys");
  assert.deepEqual(submitAll(made(4, { id: "op_again" })), [{ kind: "replayed", response: '{"n":4}' }]);
  const rows = db
    .prepare("SELECT row FROM operations ORDER BY row")
    .all()
    .map(({ row }) => Number(row));
  assert.equal(new Set(rows).size, 3);
  assert.ok(rows[2]! > 3, `${rows} skip what was rolled back`);
  // Keys of rows that are gone leave with their part.
  run([LIST(true)]);
  keys.settle();
  db.exec("DELETE FROM jobs; DELETE FROM job_lists; DELETE FROM operations");
  assert.deepEqual(submitAll(made(0, { id: "op_new" })), [{ kind: "accepted" }], "what is forgotten may come again");
  run([LIST(true)]);
  keys.settle();
  assert.ok(count("operation_keys") <= 4, `${count("operation_keys")} keys`);
  db.close();
});

test("a store that is closed has written all keys, and one that was not reads the newest rows again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-keys-"));
  const file = join(folder, "test.db");
  try {
    const store = await openSqliteStore({ file, clock: systemClock });
    await store.createAccount({ id: "acc_a", name: "Ada", credits: 100, created_at: 1 });
    const one = made(0);
    assert.deepEqual(await store.submit(one), { kind: "accepted" });
    assert.equal((await store.keyUse("acc_a", one.idempotency_key))?.response, one.response);
    await store.close();
    const db = new DatabaseSync(file);
    assert.equal(Number(db.prepare("SELECT count(*) AS n FROM operation_keys").get()?.n), 1);
    const parts = db
      .prepare("SELECT count(*) AS n, min(upto) AS least, max(upto) AS most FROM operation_key_parts")
      .get();
    assert.deepEqual({ ...parts }, { n: 512, least: 1, most: 1 }, "the next start reads no row again");
    // As a crash leaves it.
    db.exec("DELETE FROM operation_keys; DELETE FROM operation_key_parts");
    db.close();
    const again = await openSqliteStore({ file, clock: systemClock });
    assert.deepEqual(await again.submit({ ...one, id: "op_again" }), { kind: "replayed", response: one.response });
    await again.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
