import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createUnended } from "../../core/adapters/sqlite/fast/unended.ts";
import { MIGRATIONS, migrate } from "../../core/adapters/sqlite/migrate.ts";
import { createQueueStats } from "../../core/adapters/sqlite/queue_stats.ts";
import { createReads } from "../../core/adapters/sqlite/reads.ts";
import { createVerbs } from "../../core/adapters/sqlite/verbs.ts";

const AT_9 = { now: () => 9 };

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
    MIGRATIONS.map(({ number, name }) => ({ number, name, breaking: 0, applied_at: 5 })),
  );
  db.close();
});

test("migrate() notes a breaking migration", () => {
  const db = new DatabaseSync(":memory:");
  const sql = "--! breaking\nCREATE TABLE more (id TEXT) STRICT;";
  const number = MIGRATIONS.length + 1;
  migrate(db, ":memory:", 5, [...MIGRATIONS, { number, name: "more", sql }]);
  assert.equal(db.prepare("SELECT breaking FROM migrations WHERE number = ?").get(number)?.breaking, 1);
  db.close();
});

test("migrate() leaves nothing of a migration that fails", () => {
  const db = openMigrated();
  const number = MIGRATIONS.length + 1;
  const broken = { number, name: "broken", sql: "CREATE TABLE more (id TEXT) STRICT; SELECT * FROM nothing;" };
  assert.throws(() => migrate(db, ":memory:", 5, [...MIGRATIONS, broken]), /nothing/);
  assert.equal(db.isTransaction, false);
  assert.equal(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'more'").get(), undefined);
  assert.equal(db.prepare("SELECT max(number) AS n FROM migrations").get()?.n, MIGRATIONS.length);
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
  createVerbs(db, AT_9).createAccount(account);
  assert.throws(() => db.exec("UPDATE ledger SET credits = 6"), /append-only/);
  assert.throws(() => db.exec("DELETE FROM ledger"), /append-only/);
  assert.equal(db.prepare("SELECT sum(credits) AS credits FROM ledger").get()?.credits, 5);
  db.close();
});

test("the audit log refuses changes, deletions before their time, and entries out of line", () => {
  const db = openMigrated();
  const { audit } = createVerbs(db, AT_9);
  const who = { account_id: null, actor: "service", actor_email: null, address: null, target: null };
  const entry = { ...who, at: 1, action: "test.done", details: "{}", keep_until: Date.now() + 1e9 };
  for (const id of ["aud_1", "aud_2"]) audit({ ...entry, id });
  assert.throws(() => db.exec("UPDATE audit SET actor = 'somebody'"), /append-only/);
  assert.throws(() => db.exec("UPDATE audit SET keep_until = 0"), /append-only/);
  assert.throws(() => db.exec("DELETE FROM audit"), /append-only/);
  const replace = (position: number, id: string) =>
    db.exec(
      `INSERT OR REPLACE INTO audit SELECT ${position}, '${id}', at, account_id, 'somebody', actor_email, address, action, target, details, keep_until,
       previous, sha256 FROM audit WHERE position = 1`,
    );
  for (const [position, id] of [
    [1, "aud_1"],
    [2, "aud_9"],
    [3, "aud_1"],
    [9, "aud_9"],
  ] as const)
    assert.throws(() => replace(position, id), /append-only/, `${position} ${id}`);
  assert.equal(db.prepare("SELECT count(*) AS n FROM audit WHERE actor = 'service'").get()?.n, 2);
  db.close();
});

test("the balance refuses to fall below zero", () => {
  const db = openMigrated();
  createVerbs(db, AT_9).createAccount({ id: "acc_a", name: "Ada", credits: 5, created_at: 1 });
  assert.throws(() => db.exec("UPDATE accounts SET credits = credits - 6"), /CHECK constraint/);
  db.close();
});

test("migrate() brings what is there to the next version, and a later start on", () => {
  const db = openMigrated();
  createVerbs(db, AT_9).createAccount({ id: "acc_a", name: "Ada", credits: 5, created_at: 1 });
  const number = MIGRATIONS.length + 1;
  const more = [
    ...MIGRATIONS,
    { number, name: "more", sql: "ALTER TABLE accounts ADD COLUMN more INTEGER NOT NULL DEFAULT 7;" },
    { number: number + 1, name: "twice", sql: "UPDATE accounts SET more = more * 2;" },
  ];
  migrate(db, ":memory:", 6, more.slice(0, -1));
  migrate(db, ":memory:", 7, more);
  migrate(db, ":memory:", 8, more);
  assert.equal(db.prepare("SELECT more FROM accounts").get()?.more, 14);
  assert.throws(() => migrate(db, ":memory:", 9), /it is at migration \d+, this version knows migrations up to/);
  db.close();
});

test("migration 2 counts by action what the ledger has", () => {
  const db = new DatabaseSync(":memory:");
  migrate(db, ":memory:", 5, MIGRATIONS.slice(0, 1));
  db.exec(`
    INSERT INTO accounts (id, name, credits, created_at, allowlist, webhook_body, webhook_long_retries)
      VALUES ('acc_a', 'Ada', 50, 1, '[]', 'operation', 0);
    INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at) VALUES ('acc_a', NULL, 'grant', 100, '', 1),
      ('acc_a', 'op_1', 'debit', -3, 'create.new_fx', 1), ('acc_a', 'op_2', 'debit', -4, 'create.new_fx', 86400001),
      ('acc_a', 'op_1', 'refund', 3, 'failed', 86400002), ('acc_a', 'op_2', 'rebate', 1, 'measured', 86400003);`);
  migrate(db, ":memory:", 6);
  const parts = createReads(db, AT_9, createUnended()).usageParts("acc_a", 0, 3 * 86_400_000);
  const part = { action: "create.new_fx", key_id: "" };
  assert.deepEqual(parts, [
    { day: 0, ...part, operations: 1, debited: 3, refunded: 0, rebated: 0 },
    { day: 86_400_000, ...part, operations: 1, debited: 4, refunded: 3, rebated: 1 },
  ]);
  db.close();
});

test("what a column may say is judged by the row, without a table made for each", () => {
  const db = openMigrated();
  db.exec(`
    INSERT INTO accounts (id, name, credits, created_at, allowlist, webhook_body, webhook_long_retries)
      VALUES ('acc_a', 'Ada', 5, 1, '[]', 'operation', 0);
    INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, response, created_at)
      VALUES ('op_a', 'acc_a', 'a.b', 'dsp', 'processing', 'k', 'f', 0, '{}', '{}', 1);
    INSERT INTO jobs (operation_id, account_id, action, work, turn) VALUES ('op_a', 'acc_a', 'a.b', 'dsp', 64);
    INSERT INTO webhooks (id, operation_id, account_id, type, url, host, body, state, created_at, next_attempt_at, due_at)
      VALUES ('evt_a', 'op_a', 'acc_a', 'a.b.ready', 'https://example.com/', 'example.com', '{}', 'pending', 2, 2, 2);`);
  for (const [table, column] of [
    ["operations", "status"],
    ["operations", "work"],
    ["jobs", "state"],
    ["webhooks", "state"],
  ])
    assert.throws(() => db.exec(`UPDATE ${table} SET ${column} = 'strange'`), /CHECK constraint failed: \w+ = /);
  const line = "INSERT INTO ledger (account_id, kind, credits, note, created_at) VALUES ('acc_a', ?, 1, '', 1)";
  assert.throws(() => db.prepare(line).run("gift"), /CHECK constraint failed: kind = /);
  db.prepare(line).run("grant");
  // IN with three texts or more: SQLite makes a table of them for every row.
  const slow = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all();
  assert.deepEqual(
    slow.filter(({ sql }) => /IN \((?:[^,()]+,){2}/.test(String(sql))).map(({ name }) => name),
    [],
  );
  db.close();
});

test("lanes end with their webhooks", () => {
  const db = openMigrated();
  db.exec(`
    INSERT INTO accounts (id, name, credits, created_at, allowlist, webhook_body, webhook_long_retries)
      VALUES ('acc_a', 'Ada', 5, 1, '[]', 'operation', 0);
    INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, response, created_at,
      completed_at, expires_at) VALUES ('op_a', 'acc_a', 'a.b', 'dsp', 'ready', 'k', 'f', 0, '{}', '{}', 1, 2, 50);
    INSERT INTO webhooks (id, operation_id, account_id, type, url, host, body, state, created_at, next_attempt_at, due_at)
      VALUES ('evt_a', 'op_a', 'acc_a', 'a.b.ready', 'https://example.com/', 'example.com', '{}', 'pending', 2, 2, 2);`);
  const verbs = createVerbs(db, AT_9);
  const lanes = () =>
    db
      .prepare("SELECT account_id, host, due_at FROM webhook_lanes")
      .all()
      .map((row) => ({ ...row }));
  assert.deepEqual(lanes(), [{ account_id: "acc_a", host: "example.com", due_at: 2 }]);
  const caps = { lane_max: 1, host_max: 1, account_max: 1 };
  assert.deepEqual(
    verbs.claimWebhooks("worker-1", 10, 100, caps).map(({ id }) => id),
    ["evt_a"],
  );
  assert.deepEqual(lanes(), [{ account_id: "acc_a", host: "example.com", due_at: 109 }]);
  verbs.expire(60, 10);
  assert.deepEqual(lanes(), []);
  db.close();
});

test("every statement of the store finds its rows by index", () => {
  const db = openMigrated();
  const wrong: string[] = [];
  for (const sql of statementsOf(db)) {
    for (const { detail } of db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()) {
      const step = String(detail);
      const scans = step.startsWith("SCAN") && !SCANS_ALLOWED.has(step);
      // Keys, secrets, links and open invitations are few for each account or user, and so are the webhooks of an operation and what is not listed yet; everything else comes out of its index in order.
      const few =
        /FROM (api_keys|signing_secrets|sign_in_links|invitations)|FROM webhooks WHERE operation_id|INTO (job|ledger)_lists/.test(
          sql,
        );
      const sorts = step === "USE TEMP B-TREE FOR ORDER BY" && !few;
      if (scans || sorts) wrong.push(`${step}: ${sql}`);
    }
  }
  assert.deepEqual(wrong, []);
  db.close();
});

test("a page of rows reads none but its own: the index has every column that has to equal something", () => {
  const db = openMigrated();
  const wrong: string[] = [];
  let pages = 0;
  for (const sql of statementsOf(db)) {
    const where = /^\s*SELECT [^(]* FROM (?!audit)\w+(?: INDEXED BY \w+)? WHERE ((?:(?!SELECT).)*) LIMIT/s.exec(
      sql,
    )?.[1];
    if (where === undefined) continue;
    pages += 1;
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const plan = steps.map(({ detail }) => String(detail)).join("; ");
    for (const [, column] of where.matchAll(/(?<!\w)(\w+) = \?/g))
      if (!plan.includes(`${column}=?`)) wrong.push(`${column}: ${plan}: ${sql}`);
  }
  assert.ok(pages > 20, "there are pages");
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
  // Read once at a start, 512 rows at most.
  "SCAN operation_key_parts",
  "SCAN operation_key_filters",
  // An index of nothing but the rows wanted.
  "SCAN jobs USING COVERING INDEX jobs_exhausted",
  "SCAN accounts USING COVERING INDEX accounts_capped",
  "SCAN json_each VIRTUAL TABLE INDEX 1:",
  "SCAN x VIRTUAL TABLE INDEX 1:",
  "SCAN word VIRTUAL TABLE INDEX 1:",
  "SCAN CONSTANT ROW",
  // A handful of people.
  "SCAN operators",
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
  createVerbs(recorder, AT_9);
  createReads(recorder, AT_9, createUnended());
  createQueueStats(recorder);
  assert.ok(statements.size > 40, "the recorder saw them");
  return [...statements];
}
