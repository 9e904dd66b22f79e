/** Lists of accounts are written later than what they list; whatever is where, they read the same. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createUnended } from "../../core/adapters/sqlite/fast/unended.ts";
import { migrate } from "../../core/adapters/sqlite/migrate.ts";
import { createReads } from "../../core/adapters/sqlite/reads.ts";
import { createVerbs } from "../../core/adapters/sqlite/verbs.ts";
import { submission } from "./store/fixtures.ts";

const ACCOUNTS = ["acc_a", "acc_b", "acc_c"];

function open() {
  const db = new DatabaseSync(":memory:");
  db.exec("PRAGMA foreign_keys = ON");
  migrate(db, ":memory:", 1);
  const verbs = createVerbs(db, { now: () => 1 });
  const reads = createReads(db, { now: () => 9 }, createUnended());
  for (const id of ACCOUNTS) verbs.createAccount({ id, name: "Ada", credits: 100_000, created_at: 1 });
  const listed = (): number => Number(db.prepare("SELECT count(*) AS n FROM job_lists").get()?.n);
  return { db, verbs, reads, listed };
}

const idOf = (n: number): string => `op_${String(n).padStart(26, "0")}`;
const actionOf = (n: number): string => (n % 5 < 2 ? "a.one" : "a.two");
const accountOf = (n: number): string => ACCOUNTS[n % ACCOUNTS.length]!;
const made = (n: number) =>
  submission(accountOf(n), 1, { id: idOf(n), idempotency_key: `key ${n}`, action: actionOf(n), files: [] });

test("operations are listed newest first, in pages, whether they are in the lists yet or not", () => {
  const { db, verbs, reads, listed } = open();
  let numbers: number[] = [];
  const same = (): void => {
    for (const account_id of ACCOUNTS) {
      for (const action of [undefined, "a.one", "a.two"]) {
        const expected = numbers
          .filter((n) => accountOf(n) === account_id && (action === undefined || actionOf(n) === action))
          .sort((one, other) => other - one)
          .map(idOf);
        for (const status of [undefined, "processing"] as const) {
          const page = (before?: string, after?: string, limit = 5_000) =>
            reads
              .list(account_id, {
                limit,
                ...(before === undefined ? {} : { before }),
                ...(after === undefined ? {} : { after }),
                ...(action === undefined ? {} : { actions: [action] }),
                ...(status === undefined ? {} : { statuses: [status] }),
              })
              .map(({ id }) => id);
          assert.deepEqual(page(), expected);
          const [begin = 0, end = 0] = [0.2, 0.8].map((part) => Math.floor(part * expected.length));
          assert.deepEqual(page(expected[begin], expected[end]), expected.slice(begin + 1, end));
          assert.deepEqual(page(expected[begin], undefined, 7), expected.slice(begin + 1, begin + 8));
        }
      }
    }
  };
  const states = new Set<string>();
  for (let n = 1_000; n < 3_600; n += 200) {
    const more = Array.from({ length: 200 }, (_, index) => n + index);
    verbs.submitAll(more.map(made));
    numbers.push(...more);
    states.add(listed() === 0 ? "none" : listed() === numbers.length ? "all" : "some");
    if (n % 600 === 0) same();
  }
  assert.ok(states.has("all") && states.has("some"), "a list was behind, and caught up");
  // As where the clock went back: older than what is listed.
  const late = Array.from({ length: 30 }, (_, n) => n);
  verbs.submitAll(late.map(made));
  numbers.push(...late);
  same();
  // Ends leave the lists, also of what was not in them; ended ones are listed by themselves.
  const ended = new Set(numbers.filter((n) => n % 7 === 0));
  for (const n of ended) {
    const done = { id: idOf(n), attempt: 0, status: "failed", outputs: null, error: "{}", completed_at: 5 } as const;
    assert.ok(
      verbs.terminate({ ...done, outputs_listed: null, expires_at: 50, refund: false, objects: [], webhooks: [] }),
    );
  }
  const all = reads.list("acc_a", { limit: 5_000 }).map(({ id }) => id);
  assert.equal(all.length, numbers.filter((n) => accountOf(n) === "acc_a").length);
  numbers = numbers.filter((n) => !ended.has(n));
  assert.deepEqual(
    reads.list("acc_a", { limit: 5_000, statuses: ["processing"] }).map(({ id }) => id),
    numbers
      .filter((n) => accountOf(n) === "acc_a")
      .sort((one, other) => other - one)
      .map(idOf),
  );
  assert.equal(listed(), numbers.length, "a cancel lists what was not, and nothing is left of what ended");
  db.close();
});

test("the ledger of an account reads the same in pages, whether its lines are in the lists yet or not", () => {
  const { db, verbs, reads } = open();
  for (let n = 0; n < 2_600; n += 200) {
    verbs.submitAll(Array.from({ length: 200 }, (_, index) => made(n + index)));
    const account_id = ACCOUNTS[(n / 200) % 3]!;
    verbs.grant(account_id, 5, `grant ${n}`, 3);
    const whole = reads.ledger(account_id, { limit: 10_000 });
    assert.equal(
      whole.reduce((sum, { credits }) => sum + credits, 0),
      reads.account(account_id)?.credits,
      "every line once",
    );
    const paged = [];
    for (let before: number | undefined; ; before = paged.at(-1)?.id) {
      const page = reads.ledger(account_id, { limit: 97, ...(before === undefined ? {} : { before }) });
      if (page.length === 0) break;
      paged.push(...page);
    }
    assert.deepEqual(paged, whole);
    assert.ok(whole.every(({ id }, index) => index === 0 || id < whole[index - 1]!.id));
  }
  db.close();
});

test("a transaction that fails takes back what it listed", () => {
  const { db, verbs, reads, listed } = open();
  db.exec("BEGIN");
  verbs.submitAll(Array.from({ length: 1_500 }, (_, n) => made(n)));
  assert.equal(listed(), 1_500);
  db.exec("ROLLBACK");
  assert.equal(listed(), 0);
  verbs.submitAll([made(3)]);
  assert.deepEqual(
    reads.list("acc_a", { limit: 9 }).map(({ id }) => id),
    [idOf(3)],
  );
  assert.equal(reads.ledger("acc_a", { limit: 9 }).length, 2);
  db.close();
});
