/** Several nodes on one database: what one does the others hear, and claims, keys and migrations meet without harm. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MIGRATIONS, migrate } from "../../core/adapters/postgres/migrate.ts";
import { openPostgresStore, type PostgresStore } from "../../core/adapters/postgres/store.ts";
import { systemClock } from "../../core/base/timers.ts";
import type { Store, Work } from "../../core/ports/mod.ts";
import { openTestLink, POSTGRES_MISSING, sharedPostgres } from "../services/postgres.ts";
import { leaseDatabase, type TestDatabase } from "../services/postgres_database.ts";
import { whenThere } from "../services/services.ts";
import { until } from "../until.ts";
import { addEndpoint } from "./store/endpoints.ts";
import {
  accept,
  addAccount,
  assertBalance,
  claim,
  endOf,
  FAILED,
  nextId,
  type StoreHarness,
  submission,
} from "./store/fixtures.ts";

const harness = (store: PostgresStore): StoreHarness => ({
  store,
  now: Date.now,
  advance: async () => undefined,
  close: async () => undefined,
});

/** Runs with as many nodes as `run` has use for, each with connections of its own. */
async function withNodes(
  run: (nodes: readonly [PostgresStore, PostgresStore, PostgresStore], database: TestDatabase) => Promise<void>,
): Promise<void> {
  const database = await leaseDatabase();
  const open = (name: string) => openPostgresStore({ url: database.url, clock: systemClock, name, call_ms: 30_000 });
  const nodes = [await open("tonwerk"), await open("other"), await open("third")] as const;
  try {
    await run(nodes, database);
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
    await database.giveBack();
  }
}

whenThere("postgres: many nodes", POSTGRES_MISSING, () => {
  test("every node hears of an end once, after it can be read there", () =>
    withNodes(async (nodes) => {
      const [one] = nodes;
      const h = harness(one);
      const account_id = await addAccount(h);
      const ids = await Promise.all(Array.from({ length: 20 }, () => accept(h, account_id)));
      const heard = nodes.map(() => [] as string[]);
      for (const [index, node] of nodes.entries()) {
        node.onEnded((ended) => {
          heard[index]?.push(...(ended ?? ["missed"]));
          for (const id of ended ?? []) void node.snapshot(id).then((found) => assert.equal(found?.status, "failed"));
        });
      }
      await Promise.all(ids.map((id, index) => nodes[index % 3]?.terminate(endOf(id, 0, Date.now(), FAILED))));
      await until(() => heard.every((of) => of.length >= ids.length));
      for (const of of heard) assert.deepEqual([...of].sort(), [...ids].sort());
    }));

  test("the budget of a key holds on all nodes together", () =>
    withNodes(async (nodes) => {
      const h = harness(nodes[0]);
      const account_id = await addAccount(h);
      const budget = { key_id: "key_shared", credits: 50, since: 0 };
      const sent = Array.from({ length: 150 }, () => submission(account_id, h.now(), { budget, cost: 1 }));
      const answers = await Promise.all(sent.map((one, index) => nodes[index % 3]!.submit(one)));
      assert.equal(answers.filter(({ kind }) => kind === "accepted").length, 50);
      assert.equal(await nodes[1].keySpending(budget.key_id, 0), 50);
      await assertBalance(nodes[2], account_id, 950);
    }));

  test("every node hears of progress, wherever the job runs", () =>
    withNodes(async (nodes) => {
      const h = harness(nodes[0]);
      const id = await accept(h, await addAccount(h));
      const heard = nodes.map(() => [] as string[]);
      for (const [index, node] of nodes.entries()) node.onProgress((ids) => heard[index]?.push(...ids));
      const { attempt } = await claim(h);
      await nodes[1].renew([{ id, attempt, progress: 0.5, stage: "mixing" }], 30_000);
      await until(() => heard.every((of) => of.length > 0));
      for (const of of heard) assert.deepEqual(of, [id]);
      assert.equal((await nodes[2].snapshot(id))?.progress, 0.5);
    }));

  test("every node hears of changed settings, revoked keys and announced work", () =>
    withNodes(async ([one, other]) => {
      const account_id = await addAccount(harness(one));
      const key = {
        id: nextId("key"),
        account_id,
        label: "",
        sha256: "a".repeat(64),
        last_four: "wxyz",
        created_at: 1,
      };
      await one.createKey(key);
      const told: (string | null)[] = [];
      other.onAccountChanged((id) => told.push(id));
      await one.updateSettings(account_id, { long_polls: 3 });
      await until(() => told.length === 1);
      await one.revokeKey(account_id, key.id, Date.now());
      await until(() => told.length === 2);
      assert.deepEqual(told, [account_id, account_id]);
      const endpoint = await addEndpoint(harness(one), account_id);
      await until(() => told.length === 3);
      assert.equal(await one.updateEndpoint(account_id, endpoint.id, { events: ["*"] }), "updated");
      await until(() => told.length === 4);
      assert.deepEqual(told.slice(2), [account_id, account_id]);
      const work: string[] = [];
      for (const node of [one, other]) node.onWork((kind, id) => work.push(`${kind} ${id}`));
      for (let n = 0; n < 200; n++) one.announceWork("dsp", `op_${n}`);
      await until(() => work.length === 400);
      assert.equal(new Set(work).size, 200);
    }));

  test("a node listens over one connection, and after losing it asks everybody to look again", () =>
    withNodes(async ([one, other], { behind }) => {
      for (let n = 0; n < 50; n++) one.onEnded(() => undefined);
      const listeners = async () =>
        (await behind.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'tonwerk listener'", [])).map(
          ({ pid }) => Number(pid),
        );
      const before = await listeners();
      assert.equal(before.length, 1);
      const heard: (readonly string[] | null)[] = [];
      const told: (string | null)[] = [];
      one.onEnded((ids) => heard.push(ids));
      one.onAccountChanged((id) => told.push(id));
      await behind.query("SELECT pg_terminate_backend($1)", [before[0] ?? 0]);
      await until(() => heard.includes(null) && told.includes(null));
      const h = harness(other);
      const id = await accept(h, await addAccount(h));
      await other.terminate(endOf(id, 0, Date.now(), FAILED));
      await until(() => heard.some((ids) => ids?.includes(id)));
      assert.equal((await listeners()).length, 1);
    }));

  test("1,000 identical keys over three nodes make one operation", () =>
    withNodes(async (nodes) => {
      const account_id = await addAccount(harness(nodes[0]));
      const { idempotency_key } = submission(account_id, Date.now());
      const answers = await Promise.all(
        Array.from({ length: 1_000 }, (_, n) =>
          nodes[n % 3]?.submit(
            submission(account_id, Date.now(), {
              idempotency_key,
              ...(n % 10 === 7 ? { fingerprint: "e".repeat(64) } : {}),
            }),
          ),
        ),
      );
      const count = (kind: string) => answers.filter((answer) => answer?.kind === kind).length;
      assert.equal(count("accepted"), 1);
      assert.equal(count("accepted") + count("replayed") + count("key_reused"), 1_000);
      await assertBalance(nodes[1], account_id, 997);
    }));

  test("nodes that submit for the same accounts at once neither deadlock nor overdraw", () =>
    withNodes(async (nodes) => {
      const h = harness(nodes[0]);
      const accounts = await Promise.all(Array.from({ length: 8 }, () => addAccount(h, 60)));
      const answers = await Promise.all(
        Array.from({ length: 600 }, (_, n) =>
          nodes[n % 3]?.submit(submission(accounts[(n * 5) % 8] ?? "", Date.now())),
        ),
      );
      assert.equal(answers.filter((answer) => answer?.kind === "accepted").length, 8 * 20);
      for (const id of accounts) await assertBalance(nodes[1], id, 0);
    }));

  test("workers of many nodes claim each job once, and a cap of running jobs holds for all together", () =>
    withNodes(async (nodes) => {
      const h = harness(nodes[0]);
      const [account_id, capped] = [await addAccount(h), await addAccount(h)];
      const ids = await Promise.all(Array.from({ length: 60 }, () => accept(h, account_id)));
      const claims = await Promise.all(
        Array.from({ length: 90 }, (_, n) => nodes[n % 3]?.claim("generation", `worker-${n}`, 30_000)),
      );
      assert.deepEqual(claims.flatMap((operation) => operation?.id ?? []).sort(), ids.sort());
      await nodes[0].updateSettings(capped, { jobs_max: 3 });
      for (let n = 0; n < 10; n++) await accept(h, capped);
      const few = await Promise.all(
        Array.from({ length: 12 }, (_, n) => nodes[n % 3]?.claim("generation", `worker-${n}`, 30_000)),
      );
      assert.equal(few.filter((operation) => operation !== undefined).length, 3);
    }));

  test("claims of one moment take the first jobs of the fair order, each under its own name", () =>
    withNodes(async ([node]) => {
      const h = harness(node);
      const accounts = [await addAccount(h), await addAccount(h)];
      for (const account_id of accounts) for (let n = 0; n < 3; n++) await accept(h, account_id);
      const order = await node.queued("generation", 10);
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, n) => node.claim("generation", `worker-${n}`, 30_000)),
      );
      assert.deepEqual(
        claims.map((operation) => operation?.id),
        [...order, undefined, undefined],
      );
      assert.equal(new Set(claims.flatMap((operation) => operation?.started_at ?? [])).size, 1, "one statement");
      assert.ok(claims.every((operation) => operation === undefined || (operation.attempt === 1 && operation.running)));
      assert.deepEqual(await node.releaseAll("generation", "worker-2"), [order[2]]);
      const [again, other] = await Promise.all([
        node.claim("generation", "worker-2", 30_000, ["create.other"]),
        node.claim("generation", "worker-2", 30_000),
      ]);
      assert.deepEqual([again, other?.id, other?.attempt], [undefined, order[2], 2]);
    }));

  test("what no worker has asked for in hours is given up, while workers of its kind were there all the time", () =>
    withNodes(async (nodes, { setNow }) => {
      const h = harness(nodes[0]);
      const [begin, minute] = [1_000_000_000, 60_000];
      await setNow(begin);
      const account_id = await addAccount(h);
      const job = async (work: Work, action: string) => {
        const one = submission(account_id, begin, { work, action });
        assert.equal((await nodes[0].submit(one)).kind, "accepted");
        return one.id;
      };
      const [forgotten, known, after_pause] = [
        await job("generation", "create.forgotten"),
        await job("generation", "create.song"),
        await job("dsp", "create.forgotten"),
      ];
      // What each asks for is written down at its first claim.
      const ask = (node: Store, work: Work) => node.claim(work, "w", 30_000, ["create.other"]);
      await ask(nodes[0], "generation");
      await ask(nodes[0], "dsp");
      await setNow(begin + 50 * minute);
      await ask(nodes[1], "generation");
      await setNow(begin + 100 * minute);
      assert.equal(
        await nodes[2].claim("generation", "w", 30_000, ["create.other", "create.song"]).then((o) => o?.id),
        known,
      );
      await ask(nodes[1], "dsp");
      const { requeued, exhausted } = await nodes[0].reconcile(3, 90 * minute);
      assert.deepEqual([requeued.length, exhausted.map(({ id }) => id)], [0, [forgotten]]);
      assert.equal(await nodes[1].terminate(endOf(forgotten, 0, Date.now(), FAILED)), true);
      await assertBalance(nodes[1], account_id, 1_000 - 6);
      assert.equal((await nodes[1].snapshot(after_pause))?.status, "processing");
      // Another node's look at them leaves both alone.
      assert.deepEqual((await nodes[1].reconcile(3, 90 * minute)).exhausted, []);
    }));

  test("leases run on the database's clock", () =>
    withNodes(async ([one, other], { setNow }) => {
      const h = harness(one);
      await setNow(1_000_000);
      const id = await accept(h, await addAccount(h));
      const { started_at } = await claim(h);
      assert.equal(started_at, 1_000_000);
      await setNow(1_029_999);
      assert.deepEqual(await other.reconcile(3), { requeued: [], exhausted: [] });
      await setNow(1_030_000);
      assert.deepEqual(await other.reconcile(3), { requeued: [{ id, work: "generation" }], exhausted: [] });
    }));
});

const EXPAND = {
  number: MIGRATIONS.length + 1,
  name: "later_expand",
  sql: `ALTER TABLE operations ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey';
    ALTER TABLE jobs ADD COLUMN weight INTEGER NOT NULL DEFAULT 1;
    CREATE INDEX operations_colour ON operations (colour, id);
    CREATE FUNCTION submit_2() RETURNS INTEGER LANGUAGE sql AS 'SELECT 2'`,
};
const BREAK = {
  number: MIGRATIONS.length + 2,
  name: "later_break",
  sql: "--! breaking\nALTER TABLE jobs RENAME TO work",
};

whenThere("postgres: migrations", POSTGRES_MISSING, () => {
  /** Runs on an empty database, without the schema. */
  async function onEmpty(run: (url: string) => Promise<void>): Promise<void> {
    const server = await sharedPostgres();
    const name = await server.createDatabase();
    try {
      await run(server.url(name));
    } finally {
      await server.dropDatabase(name);
    }
  }

  test("nodes that start at once on an empty database migrate it once", () =>
    onEmpty(async (url) => {
      const open = () => openPostgresStore({ url, clock: systemClock, connections: 2, call_ms: 30_000 });
      const nodes = await Promise.all([open(), open(), open(), open()]);
      const behind = await openTestLink(url);
      const rows = await behind.query("SELECT number, name, breaking FROM migrations ORDER BY number", []);
      assert.deepEqual(
        rows.map(({ number, name }) => [number, name]),
        MIGRATIONS.map(({ number, name }) => [number, name]),
      );
      assert.equal((await behind.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'", [])).length, 0);
      await behind.close();
      for (const node of nodes) await node.health();
      await Promise.all(nodes.map((node) => node.close()));
    }));

  test("a node of the version before works on while a newer one expands the schema, and after", () =>
    onEmpty(async (url) => {
      const older = await openPostgresStore({ url, clock: systemClock, call_ms: 30_000 });
      const h = harness(older);
      const account_id = await addAccount(h, 1_000_000_000);
      let stopping = false;
      let rounds = 0;
      const working = (async () => {
        while (!stopping) {
          const id = await accept(h, account_id);
          const { attempt } = await claim(h);
          assert.equal(
            await older.renew([{ id, attempt, progress: 0.5, stage: null }], 30_000).then((lost) => lost.length),
            0,
          );
          assert.equal(await older.terminate(endOf(id, attempt, Date.now())), true);
          rounds += 1;
        }
      })();
      const newer = await openTestLink(url);
      await until(() => rounds > 5);
      await migrate(newer, [...MIGRATIONS, EXPAND]);
      const then = rounds;
      await until(() => rounds > then + 5);
      stopping = true;
      await working;
      assert.equal((await newer.query("SELECT 1 FROM operations WHERE colour = 'grey'", [])).length, rounds);
      // And it may start again: an upgrade that is taken back.
      const again = await openPostgresStore({ url, clock: systemClock });
      await again.health();
      await Promise.all([older.close(), again.close(), newer.close()]);
    }));

  test("a migration in parts is applied once, and begins again where one broke off", () =>
    onEmpty(async (url) => {
      const link = await openTestLink(url);
      const shade = "ALTER TABLE operations ADD COLUMN IF NOT EXISTS shade TEXT";
      const index = "CREATE INDEX CONCURRENTLY operations_shade ON operations (shade)";
      const parts = (last: string): typeof EXPAND => ({
        ...EXPAND,
        sql: [shade, "DROP INDEX CONCURRENTLY IF EXISTS operations_shade;", index, last].join("\n--! next\n"),
      });
      const applied = async () => (await link.query("SELECT max(number) AS n FROM migrations", []))[0]?.n;
      await assert.rejects(migrate(link, [...MIGRATIONS, parts("SELECT 1 / 0")]), /division by zero/u);
      assert.equal(await applied(), MIGRATIONS.length);
      await migrate(link, [...MIGRATIONS, parts("CREATE TABLE shades (id TEXT)")]);
      assert.equal(await applied(), EXPAND.number);
      const [made] = await link.query(
        "SELECT indisvalid FROM pg_index WHERE indexrelid = 'operations_shade'::regclass",
        [],
      );
      assert.equal(made?.indisvalid, true);
      // Once more: nothing is left to do.
      await migrate(link, [...MIGRATIONS, parts("SELECT 1 / 0")]);
      await link.close();
    }));

  test("a migration does not wait for a table with everybody behind it", () =>
    onEmpty(async (url) => {
      const older = await openPostgresStore({ url, clock: systemClock });
      const h = harness(older);
      const account_id = await addAccount(h, 1_000_000_000);
      const [newer, reader] = [await openTestLink(url), await openTestLink(url)];
      await reader.script("BEGIN; SELECT count(*) FROM operations");
      let done = false;
      const migrating = migrate(newer, [...MIGRATIONS, EXPAND]).then(() => {
        done = true;
      });
      // Longer than it waits for a lock: calls that came behind it in the line were answered all the same.
      for (const end = performance.now() + 2_500; performance.now() < end; ) await accept(h, account_id);
      assert.equal(done, false);
      await reader.script("COMMIT");
      await migrating;
      await accept(h, account_id);
      await Promise.all([older.close(), newer.close(), reader.close()]);
    }));

  test("a database that a newer version has changed for good is refused, saying so", () =>
    onEmpty(async (url) => {
      const link = await openTestLink(url);
      await migrate(link, [...MIGRATIONS, EXPAND, BREAK]);
      await link.close();
      await assert.rejects(openPostgresStore({ url, clock: systemClock }), {
        name: "Error",
        message: `Cannot use the database: it is at migration ${BREAK.number}, which breaks with earlier versions, and this version knows migrations up to ${MIGRATIONS.length}; start the newer version, or restore a backup from before the upgrade`,
      });
    }));

  test("a database that other migrations have begun is refused, saying so", () =>
    onEmpty(async (url) => {
      const link = await openTestLink(url);
      const [first] = MIGRATIONS;
      await migrate(link, [{ ...first!, name: "0001_init" }]);
      await link.close();
      await assert.rejects(
        openPostgresStore({ url, clock: systemClock }),
        /its migration 1 is "0001_init", which this version does not have; start with an empty one/u,
      );
    }));

  test("a migration that fails changes nothing, and is tried again by the next start", () =>
    onEmpty(async (url) => {
      const link = await openTestLink(url);
      const wrong = { ...EXPAND, sql: "CREATE TABLE half (id TEXT); SELECT 1 / 0" };
      await assert.rejects(migrate(link, [...MIGRATIONS, wrong]), /division by zero/u);
      assert.equal((await link.query("SELECT to_regclass('half') AS half", []))[0]?.half, null);
      await migrate(link, [...MIGRATIONS, EXPAND]);
      assert.equal((await link.query("SELECT max(number) AS n FROM migrations", []))[0]?.n, EXPAND.number);
      await link.close();
    }));
});
