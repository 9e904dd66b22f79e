/** What the hot statements read, on tables that are not small: counted by the server itself, functions' inside included. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CLAIM, CLAIM_MANY } from "../../core/adapters/postgres/claims.ts";
import { OVERDUE, QUEUED, RECONCILE, RENEW, STATS } from "../../core/adapters/postgres/jobs.ts";
import type { Link, Parameter } from "../../core/adapters/postgres/link.ts";
import {
  ENDED_AFTER,
  HAVING,
  idsOf,
  listOf,
  OPERATIONS,
  SNAPSHOTS,
  TAGGED,
  TAGGED_IDS,
} from "../../core/adapters/postgres/operations.ts";
import { openPostgresStore } from "../../core/adapters/postgres/store.ts";
import { SUBMIT } from "../../core/adapters/postgres/submit.ts";
import { TERMINATE } from "../../core/adapters/postgres/terminate.ts";
import { systemClock } from "../../core/base/timers.ts";
import { openTestLink, POSTGRES_MISSING, sharedPostgres } from "../services/postgres.ts";
import { whenThere } from "../services/services.ts";

const QUEUE = 20_000;
const KEY = "00000000-0000-4000-8000-000000000000";

/** 20,000 queued jobs of 100 accounts, 40 leased ones, 4,000 ended operations. Statistics are as old as the empty tables. */
const FILL = `
  INSERT INTO accounts (id, name, credits, created_at, allowlist, webhook_body, webhook_long_retries)
    SELECT 'acc_' || n, 'Ada', 1000000, 0, '[]', 'operation', false FROM generate_series(1, 100) n;
  INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, sources, response, created_at,
      completed_at, expires_at)
    SELECT 'op_' || lpad(n::text, 9, '0'), 'acc_' || n % 100 + 1, 'create.new_song', 'generation',
      CASE WHEN n > ${QUEUE + 40} THEN 'ready' ELSE 'processing' END, gen_random_uuid(), repeat('f', 64), 3, '{}', '[]', '{}', 0,
      CASE WHEN n > ${QUEUE + 40} THEN 1 END, CASE WHEN n > ${QUEUE + 40} THEN 1 END
    FROM generate_series(1, ${QUEUE + 4_040}) n;
  INSERT INTO jobs (operation_id, account_id, action, work, created_at, turn, state, worker, lease_until, attempt)
    SELECT 'op_' || lpad(n::text, 9, '0'), 'acc_' || n % 100 + 1, 'create.new_song', 'generation', 0, n / 100 * 64 + 3,
      CASE WHEN n > ${QUEUE} THEN 'leased' ELSE 'queued' END, CASE WHEN n > ${QUEUE} THEN 'w' END,
      CASE WHEN n > ${QUEUE} THEN 9e15 END, CASE WHEN n > ${QUEUE} THEN 1 ELSE 0 END
    FROM generate_series(1, ${QUEUE + 40}) n;
  UPDATE jobs SET deadline_at = CASE WHEN operation_id <= 'op_000000005' THEN 1 ELSE 9e15 END WHERE operation_id <= 'op_000000500';
  INSERT INTO operation_metadata (account_id, key, value, operation_id)
    SELECT account_id, 'project', substr(id, 12, 1), id FROM operations UNION ALL SELECT account_id, 'by', 'ada', id FROM operations;
  INSERT INTO account_turns SELECT 'acc_' || n, 'generation', 64000 FROM generate_series(1, 100) n;`;

const BIG = ["operations", "jobs", "ledger", "accounts", "webhooks", "operation_metadata"];

whenThere("postgres: plans", POSTGRES_MISSING, () => {
  test("hot statements find their rows by index, and few of them, with 20,000 jobs queued", async () => {
    const server = await sharedPostgres();
    // Not one that was used before: its tables only look empty.
    const name = await server.createDatabase();
    await (await openPostgresStore({ url: server.url(name), clock: systemClock })).close();
    const behind = await openTestLink(server.url(name));
    try {
      // Prepared while the tables are empty, as on the first start: plans are made once, and must be right later too.
      for (const [index, [, text]] of HOT.entries()) await behind.script(`PREPARE hot_${index} AS ${text}`);
      for (const [index, [, , parameters]] of HOT.entries()) await touched(behind, index, parameters);
      await behind.script(FILL);
      for (const [index, [title, , parameters, most]] of HOT.entries()) {
        // The first run reads the server's own catalogue as well.
        await touched(behind, index, parameters);
        const { sequential, pages } = await touched(behind, index, parameters);
        assert.deepEqual(sequential, [], `${title} reads whole tables`);
        assert.ok(pages <= most, `${title} touches ${pages} pages, ${most} at most are expected`);
      }
    } finally {
      await behind.close();
      await server.dropDatabase(name);
    }
  });
});

const submitted = [
  ...['{"acc_7"}', "{3}", '{"acc_7"}', '{"generation"}', "{1}", "{3}", "{1}", "{1}"],
  ...["op_new\u001f", "create.new_song\u001f", `{"${KEY}"}`, `${"e".repeat(64)}\u001f`, "{3}"],
  ...[
    "{}\u001f",
    "[]\u001f",
    "{}\u001f",
    "\u001f",
    "{1}",
    "{NULL}",
    "{}",
    "{}",
    "{}",
    "{}",
    "{}",
    "{}",
    "{}",
    "{}",
    "{3}",
  ],
];

/** Title, statement, parameters, and how many pages it may touch. */
const HOT: readonly (readonly [string, string, readonly Parameter[], number])[] = [
  ["submit", SUBMIT, submitted, 120],
  ["claim", CLAIM, ["generation", "worker", 30_000, null, "{}"], 80],
  ["claim by action", CLAIM, ["generation", "worker", 30_000, '{"create.new_song"}', "{}"], 80],
  ["claims together", CLAIM_MANY, ["generation", "{w1,w2,w3,w4}", 30_000, null], 220],
  ["claims together by action", CLAIM_MANY, ["generation", "{w1,w2,w3,w4}", 30_000, '{"create.new_song"}'], 220],
  // Account by account: a few pages for each of those that have jobs waiting.
  ["claim beside an account that is passed over", CLAIM, ["generation", "worker", 30_000, null, '{"acc_7"}'], 1_000],
  ["claim of what nobody queued", CLAIM, ["dsp", "worker", 30_000, null, "{}"], 10],
  ["renew", RENEW, ['{"op_000020001"}', "{1}", "{0.5}", "{NULL}", 30_000], 15],
  ["reconcile", RECONCILE, [3], 15],
  [
    "terminate",
    TERMINATE,
    [
      ...['{"op_000000777"}', "{0}", '{"failed"}', "{NULL}", '{"{}"}', "{true}", "{1}", "{1}", "{}", "{}"],
      ...["{}", "{}", "{}", "{}", "{}", "{}", "{}", "{NULL}"],
      ...["{}", "{}", "{}", "{}", "{}", "{}", "{3}"],
    ],
    120,
  ],
  [
    "terminate by a call",
    TERMINATE,
    [
      ...['{"op_000000777"}', "{0}", '{"failed"}', "{NULL}", '{"{}"}', "{true}", "{1}", "{1}", "{}", "{}"],
      ...["{}", "{}", "{}", "{}", "{}", "{}", "{}", "{NULL}"],
      ...["{1}", '{"acc_78"}', `{"${KEY}"}`, '{"f"}', '{"{}"}', "{9}", "{3}"],
    ],
    150,
  ],
  ["snapshot near the front", SNAPSHOTS, ['{"op_000000005"}'], 25],
  ["snapshot far behind", SNAPSHOTS, ['{"op_000019000"}'], 25],
  ["operation", OPERATIONS, ['{"op_000019000"}'], 15],
  ["list", listOf(false), ["acc_7", "op_1", 10, ""], 250],
  ["list by action", listOf(true), ["acc_7", "op_1", 10, "", "{create.new_song}"], 200],
  ["list by two actions", listOf(true), ["acc_7", "op_1", 10, "", "{create.new_song,create.new_fx}"], 400],
  ["list of processing", listOf(false, ["processing"]), ["acc_7", "op_1", 10, ""], 250],
  ["list of ready", listOf(false, ["ready"]), ["acc_7", "op_1", 10, ""], 150],
  ["ids that are looked at for words", idsOf(false), ["acc_7", "op_1", 100, ""], 250],
  ["words in some", HAVING, ["{op_000000777,op_000019000}", "{%violin%}"], 30],
  ["list of failed", listOf(false, ["failed"]), ["acc_7", "op_1", 10, ""], 5],
  ["ends after another", ENDED_AFTER, ["acc_7", 1, "op_0", 10], 60],
  ["list by metadata", TAGGED, ["acc_7", "by", "ada", "op_1", "", null, "{ready,failed,processing}", "{}", 10], 400],
  ["ids by metadata", TAGGED_IDS, ["acc_7", "by", "ada", "op_1", "", 2, 999], 250],
  ["what is overdue", OVERDUE, [10], 40],
  ["first of the queue", QUEUED, ["generation", 10], 10],
  ["queue's length", STATS, ["dsp"], 10],
  ["due webhooks", "SELECT * FROM claim_webhooks($1, $2, $3, $4, $5, $6)", ["w", 10, 30_000, 4, 4, 4], 5],
];

/** Tables that were read as a whole, and how many pages of tables and indices were touched, by a statement that is undone. */
async function touched(
  link: Link,
  index: number,
  parameters: readonly Parameter[],
): Promise<{ sequential: string[]; pages: number }> {
  // What this session has counted so far is put away first.
  await link.script("SELECT pg_stat_force_next_flush()");
  await link.script("BEGIN");
  try {
    const values = parameters.map((value) => (typeof value === "string" ? `'${value}'` : String(value ?? "NULL")));
    const [row] = await link.query(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE hot_${index}(${values.join(", ")})`,
      [],
    );
    const [explained] = (row?.["QUERY PLAN"] ?? []) as { Plan: Record<string, number> }[];
    const plan = explained?.Plan ?? {};
    const seen = await link.query("SELECT relname FROM pg_stat_xact_user_tables WHERE seq_scan > 0", []);
    return {
      sequential: seen.map(({ relname }) => String(relname)).filter((name) => BIG.includes(name)),
      pages: (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0),
    };
  } finally {
    await link.script("ROLLBACK");
  }
}
