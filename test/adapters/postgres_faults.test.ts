/** What a server does at its worst, done to a real one: nothing acknowledged is lost, no call hangs, and work goes on. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openPostgresStore, type PostgresStore } from "../../core/adapters/postgres/store.ts";
import { systemClock } from "../../core/base/timers.ts";
import { startFaultProxy } from "../services/fault_proxy.ts";
import { openTestLink, POSTGRES_MISSING, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { whenThere } from "../services/services.ts";
import { until } from "../until.ts";
import { startLoad } from "./postgres_load.ts";
import { addAccount, endOf, FAILED, isUnavailable, submission } from "./store/fixtures.ts";

// The store's own limit for a call, and what a machine that is busy may add to a timer.
const DEADLINE_MS = 5_000;
const SLACK_MS = 10_000;

whenThere("postgres: faults", POSTGRES_MISSING, () => {
  let server: Promise<PostgresServer> | undefined;
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
  after(async () => {
    process.off("uncaughtException", note);
    process.off("unhandledRejection", note);
    await (await server)?.close();
  });

  /** Runs on a fresh database of this file's own server. */
  async function onServer(run: (server: PostgresServer, store: PostgresStore, url: string) => Promise<void>) {
    server ??= startPostgres();
    const own = await server;
    const url = own.url(await own.createDatabase());
    const store = await openPostgresStore({ url, clock: systemClock });
    try {
      await run(own, store, url);
      assert.deepEqual(uncaught, []);
    } finally {
      await store.close();
    }
  }

  test("backends that are terminated under load lose nothing and hang nobody", () =>
    onServer(async (_own, store, url) => {
      const behind = await openTestLink(url);
      const load = await startLoad(store, 24);
      for (let round = 0; round < 8; round++) {
        await load.more(40);
        await behind.script(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name LIKE 'tonwerk%' AND datname = current_database() AND random() < 0.6`,
        );
      }
      await load.more(40);
      await load.stop();
      await behind.close();
      assert.ok(load.slowest_ms() < DEADLINE_MS + SLACK_MS, `${load.slowest_ms()} ms`);
      await load.verify(store);
    }));

  test("an immediate stop of the server for 2 s refuses calls and loses nothing", () =>
    onServer(async (own, store) => {
      const heard: (readonly string[] | null)[] = [];
      store.onEnded((ids) => heard.push(ids));
      const load = await startLoad(store, 24);
      await load.more(100);
      await own.stopImmediately();
      const stopped = performance.now();
      await load.refused(20);
      await assert.rejects(store.health(), isUnavailable);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, 2_000 - (performance.now() - stopped))));
      heard.length = 0;
      await own.start();
      await load.more(100);
      await until(() => heard.includes(null));
      await load.stop();
      assert.ok(load.slowest_ms() < DEADLINE_MS + SLACK_MS, `${load.slowest_ms()} ms`);
      await load.verify(store);
    }));

  test("a server that stands still is given up within the deadline, and used again when it goes on", () =>
    onServer(async (own, store) => {
      const load = await startLoad(store, 8);
      await load.more(50);
      own.signalAll("SIGSTOP");
      try {
        await load.refused(8);
        const began = performance.now();
        await assert.rejects(store.health(), isUnavailable);
        assert.ok(performance.now() - began < DEADLINE_MS + SLACK_MS);
      } finally {
        own.signalAll("SIGCONT");
      }
      await load.more(50);
      await load.stop();
      assert.ok(load.slowest_ms() < DEADLINE_MS + SLACK_MS, `${load.slowest_ms()} ms`);
      await load.verify(store);
    }));

  test("a network that resets, stalls and is slow loses nothing and hangs nobody", () =>
    onServer(async (own, _store, url) => {
      const proxy = await startFaultProxy(own.port);
      const store = await openPostgresStore({
        url: url.replace(`:${own.port}/`, `:${proxy.port}/`),
        clock: systemClock,
      });
      const load = await startLoad(store, 8);
      await load.more(50);
      proxy.delay(100);
      await load.more(30);
      proxy.delay(0);
      for (let round = 0; round < 3; round++) {
        proxy.cut();
        await load.refused(8);
        proxy.heal();
        await load.more(30);
      }
      // Half-open: nothing comes, and nobody says goodbye.
      proxy.freeze();
      await load.refused(8);
      proxy.heal();
      await load.more(30);
      await load.stop();
      assert.ok(load.slowest_ms() < DEADLINE_MS + SLACK_MS, `${load.slowest_ms()} ms`);
      await load.verify(store);
      await store.close();
      await proxy.close();
    }));

  test("a lock that another holds makes a call unavailable in time, and leaves the others alone", () =>
    onServer(async (_own, store, url) => {
      const h = { store, now: Date.now, advance: async () => undefined, close: async () => undefined };
      const [locked, free] = [await addAccount(h), await addAccount(h)];
      const behind = await openTestLink(url);
      await behind.script(`BEGIN; SELECT 1 FROM accounts WHERE id = '${locked}' FOR UPDATE`);
      const began = performance.now();
      const waiting = assert.rejects(store.grant(locked, 1, "", Date.now()), isUnavailable);
      assert.equal(await store.grant(free, 1, "", Date.now()), 1_001);
      await waiting;
      assert.ok(performance.now() - began < DEADLINE_MS + SLACK_MS);
      await behind.script("ROLLBACK");
      await behind.close();
      assert.equal(await store.grant(locked, 1, "", Date.now()), 1_001);
    }));

  test("deadlocks are tried again until both are done", () =>
    onServer(async (own, store, url) => {
      const h = { store, now: Date.now, advance: async () => undefined, close: async () => undefined };
      const account_id = await addAccount(h);
      const sent = submission(account_id, Date.now());
      await store.submit(sent);
      // Holds the account and then wants the job, where the end holds the job and then wants the account. Whoever waits for a second looks
      // for a deadlock, and gives way: that is the end.
      const behind = await openTestLink(url);
      await behind.script(
        `SET deadlock_timeout = '10s'; BEGIN; SELECT 1 FROM accounts WHERE id = '${account_id}' FOR UPDATE`,
      );
      const ended = store.terminate(endOf(sent.id, 0, Date.now(), FAILED));
      await waitsForLock(own, url);
      await behind.script(`SELECT 1 FROM jobs WHERE operation_id = '${sent.id}' FOR UPDATE`);
      await behind.script("COMMIT");
      assert.equal(await ended, true);
      assert.equal((await store.account(account_id))?.credits, 1_000);
      await behind.close();
    }));

  test("one bad submission in a batch fails alone", () =>
    onServer(async (_own, store) => {
      const h = { store, now: Date.now, advance: async () => undefined, close: async () => undefined };
      const account_id = await addAccount(h);
      const all = Array.from({ length: 40 }, () => submission(account_id, Date.now()));
      const guilty = { ...all[20]!, id: all[3]!.id };
      const answers = await Promise.allSettled(all.map((one, index) => store.submit(index === 20 ? guilty : one)));
      assert.deepEqual(
        answers.flatMap(({ status }, index) => (status === "rejected" ? [index] : [])),
        [20],
      );
      assert.equal((await store.account(account_id))?.credits, 1_000 - 39 * 3);
    }));

  test("openPostgresStore() rejects a server that is not there, hiding the password", async () => {
    const opening = openPostgresStore({ url: "postgres://ada:sesame@127.0.0.1:1/none", clock: systemClock });
    await assert.rejects(opening, (error: Error) => {
      assert.ok(isUnavailable(error), String(error));
      assert.ok(error.message.startsWith('Cannot open database "postgres://ada:…@127.0.0.1:1/none": '), error.message);
      assert.ok(!error.message.includes("sesame"));
      return true;
    });
  });
});

/** Resolves when a statement of the store waits for a lock in the database of `url`. */
async function waitsForLock(server: PostgresServer, url: string): Promise<void> {
  const link = await openTestLink(server.url());
  const name = new URL(url).pathname.slice(1);
  for (;;) {
    const [row] = await link.query(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock' AND application_name = 'tonwerk'",
      [name],
    );
    if (Number(row?.n) > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await link.close();
}
