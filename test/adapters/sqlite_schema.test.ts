import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { MIGRATIONS, migrate } from "../../core/adapters/sqlite_migrate.ts";
import { createReads } from "../../core/adapters/sqlite_reads.ts";
import { createVerbs } from "../../core/adapters/sqlite_verbs.ts";

function openMigrated(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  migrate(db, ":memory:", 5);
  return db;
}

test("migrate() applies each migration once and notes it", () => {
  const db = openMigrated();
  migrate(db, ":memory:", 9);
  const rows = db.prepare("SELECT number, name, breaking, applied_at FROM migrations").all();
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ number: 1, name: "0001_init", breaking: 0, applied_at: 5 }],
  );
  db.close();
});

test("migrate() notes a breaking migration", () => {
  const db = new DatabaseSync(":memory:");
  const sql = "--! breaking\nCREATE TABLE more (id TEXT) STRICT;";
  migrate(db, ":memory:", 5, [...MIGRATIONS, { number: 2, name: "0002_more", sql }]);
  assert.equal(db.prepare("SELECT breaking FROM migrations WHERE number = 2").get()?.breaking, 1);
  db.close();
});

test("migrate() leaves nothing of a migration that fails", () => {
  const db = openMigrated();
  const broken = { number: 2, name: "0002_broken", sql: "CREATE TABLE more (id TEXT) STRICT; SELECT * FROM nothing;" };
  assert.throws(() => migrate(db, ":memory:", 5, [...MIGRATIONS, broken]), /nothing/);
  assert.equal(db.isTransaction, false);
  assert.equal(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'more'").get(), undefined);
  assert.equal(db.prepare("SELECT max(number) AS n FROM migrations").get()?.n, 1);
  db.close();
});

test("migrations are numbered without gaps and named by their number", () => {
  for (const [index, { number, name }] of MIGRATIONS.entries()) {
    assert.equal(number, index + 1);
    assert.equal(Number(name.slice(0, 4)), number);
  }
});

test("every table is STRICT", () => {
  const db = openMigrated();
  const loose = db.prepare(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0",
  );
  const names = loose.all().map((row) => String(row.name));
  assert.deepEqual(
    names.filter((name) => !name.startsWith("sqlite_")),
    [],
  );
  db.close();
});

test("the ledger refuses changes and deletions", () => {
  const db = openMigrated();
  const account = { id: "acc_a", name: "Ada", credits: 5, created_at: 1 };
  createVerbs(db).createAccount(1, account);
  assert.throws(() => db.exec("UPDATE ledger SET credits = 6"), /append-only/);
  assert.throws(() => db.exec("DELETE FROM ledger"), /append-only/);
  assert.equal(db.prepare("SELECT sum(credits) AS credits FROM ledger").get()?.credits, 5);
  db.close();
});

test("the balance refuses to fall below zero", () => {
  const db = openMigrated();
  createVerbs(db).createAccount(1, { id: "acc_a", name: "Ada", credits: 5, created_at: 1 });
  assert.throws(() => db.exec("UPDATE accounts SET credits = credits - 6"), /CHECK constraint/);
  db.close();
});

test("every statement of the store finds its rows by index", () => {
  const db = openMigrated();
  const wrong: string[] = [];
  for (const sql of statementsOf(db)) {
    for (const { detail } of db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()) {
      const step = String(detail);
      const scans = step.startsWith("SCAN") && !SCANS_ALLOWED.has(step);
      // Keys and secrets are few for each account; everything else comes out of its index in order.
      const sorts = step === "USE TEMP B-TREE FOR ORDER BY" && !/FROM (api_keys|signing_secrets)/.test(sql);
      if (scans || sorts) wrong.push(`${step}: ${sql}`);
    }
  }
  assert.deepEqual(wrong, []);
  db.close();
});

test("the index test notices a missing index", () => {
  const db = openMigrated();
  db.exec("DROP INDEX jobs_queued; DROP INDEX jobs_lease;");
  const plans = statementsOf(db).flatMap((sql) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  assert.ok(plans.some(({ detail }) => String(detail).startsWith("SCAN jobs")));
  db.close();
});

const SCANS_ALLOWED = new Set([
  // Accounts are few, and only the first start counts them.
  "SCAN accounts USING COVERING INDEX sqlite_autoindex_accounts_1",
  // An index of nothing but the rows wanted.
  "SCAN j USING INDEX jobs_exhausted",
  "SCAN json_each VIRTUAL TABLE INDEX 1:",
  "SCAN CONSTANT ROW",
  // Rows of the inner query, which stops at the port's bound.
  "SCAN (subquery-1)",
]);

/** The text of every statement that verbs and reads prepare. */
function statementsOf(db: DatabaseSync): string[] {
  const statements = new Set<string>();
  const recorder = new Proxy(db, {
    get(target, name) {
      if (name !== "prepare") throw new Error(`Cannot record "${String(name)}": statements are only prepared here`);
      return (sql: string) => {
        statements.add(sql);
        return target.prepare(sql);
      };
    },
  });
  createVerbs(recorder);
  createReads(recorder);
  assert.ok(statements.size > 40, "the recorder saw them");
  return [...statements];
}
