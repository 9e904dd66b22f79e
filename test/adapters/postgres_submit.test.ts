/** `submit` leaves to `submit_each` what must be judged one by one. Whatever it writes itself has to be what `submit_each` would have written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPostgresStore } from "../../core/adapters/postgres/store.ts";
import { systemClock } from "../../core/base/timers.ts";
import type { Submission } from "../../core/ports/mod.ts";
import { POSTGRES_MISSING } from "../services/postgres.ts";
import { leaseDatabase, type TestDatabase } from "../services/postgres_database.ts";
import { whenThere } from "../services/services.ts";
import { nextKey, submission } from "./store/fixtures.ts";

const ACCOUNTS = ["acc_a", "acc_b", "acc_c", "acc_poor"];
const BATCHES = 8;
const NOW = 1_700_000_000_000;

/** Everything that a submission writes; ids of ledger lines only tell their order. */
const WRITTEN = {
  operations: "SELECT * FROM operations ORDER BY id",
  jobs: "SELECT * FROM jobs ORDER BY operation_id",
  turns: "SELECT * FROM account_turns ORDER BY account_id, work",
  credits: "SELECT id, credits FROM accounts ORDER BY id",
  ledger: "SELECT account_id, operation_id, kind, credits, note, created_at FROM ledger ORDER BY account_id, ledger.id",
  usage: "SELECT * FROM usage_days ORDER BY account_id, day",
  bound: "SELECT * FROM bound_objects ORDER BY object, operation_id",
  files: "SELECT id, expires_at FROM files ORDER BY id",
};

/** The answers to batches that go as one call each, and what is in the database afterwards. */
async function written(database: TestDatabase, batches: readonly (readonly Submission[])[]) {
  const store = await openPostgresStore({ url: database.url, clock: systemClock });
  try {
    for (const id of ACCOUNTS)
      await store.createAccount({ id, name: "Ada", credits: id === "acc_poor" ? 30 : 10_000, created_at: NOW });
    await store.createFile({
      ...{ id: "file_1", account_id: "acc_a", object: "files/1", content_type: "audio/flac", bytes: 1, seconds: 1 },
      ...{ name: null, created_at: NOW, expires_at: NOW + 1 },
    });
    const answers = [];
    for (const batch of batches) answers.push(await Promise.all(batch.map((one) => store.submit(one))));
    const rows: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(WRITTEN)) rows[name] = await database.behind.query(text, []);
    return { answers, rows };
  } finally {
    await store.close();
  }
}

function batchesOf(pick: (below: number) => number): Submission[][] {
  const made: Submission[] = [];
  return Array.from({ length: BATCHES }, (_, number) => {
    const judged = number % 2 === 1;
    return Array.from({ length: 1 + pick(30) }, (_, index) => {
      // In every other batch: one account that runs out, and keys that were used before or twice in the same batch.
      const account_id = ACCOUNTS[pick(judged ? 4 : 3)] ?? "";
      const first = judged && pick(4) === 0 ? made[pick(made.length)] : undefined;
      const one = submission(first?.account_id ?? account_id, NOW + number, {
        action: `test.${pick(3)}`,
        work: pick(3) === 0 ? "dsp" : "generation",
        cost: pick(5) * 20,
        idempotency_key: first?.idempotency_key ?? nextKey(),
        fingerprint: pick(2) === 0 && first !== undefined ? "e".repeat(64) : "f".repeat(64),
        request: JSON.stringify({ prompt: `"quoted", {braced}\\ and ${index}` }),
        sources: pick(6) === 0 ? [{ name: "source", object: `objects/${pick(3)}`, url: "https://example.com/a" }] : [],
        callback_url: [null, "https://example.com/hook", "https://example.com/a\u001fb"][pick(judged ? 3 : 2)] ?? null,
        files: pick(6) === 0 ? ["file_1"] : [],
        files_until: NOW + pick(1_000),
      });
      made.push(one);
      return one;
    });
  });
}

whenThere("postgres: submissions", POSTGRES_MISSING, () => {
  test("a batch that is written at once leaves the same rows as one that is judged one by one", async () => {
    let state = 12345;
    const batches = batchesOf((below) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 16) % below;
    });
    const [database, other] = [await leaseDatabase(), await leaseDatabase()];
    const [found] = await other.behind.query(
      "SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = 'submit' ORDER BY pronargs DESC LIMIT 1",
      [],
    );
    const text = String(found?.text);
    const one_by_one = text.replace("IF locked IS DISTINCT", "IF true OR locked IS DISTINCT");
    assert.notEqual(one_by_one, text);
    try {
      await other.behind.script(one_by_one);
      const [fast, judged] = [await written(database, batches), await written(other, batches)];
      assert.deepEqual(fast, judged);
      const kinds = new Set(fast.answers.flat().map(({ kind }) => kind));
      assert.deepEqual([...kinds].sort(), ["accepted", "insufficient_credits", "key_reused", "replayed"]);
    } finally {
      await other.behind.script(text);
      await Promise.all([database.giveBack(), other.giveBack()]);
    }
  });
});
