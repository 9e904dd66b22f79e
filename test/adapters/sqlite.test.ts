import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { MIGRATIONS } from "../../core/adapters/sqlite/migrate.ts";
import { openSqliteStore } from "../../core/adapters/sqlite/store.ts";
import type { Store } from "../../core/ports/mod.ts";
import { type FakeClock, fakeClock } from "../clock.ts";
import { spawnFile } from "./child.ts";
import {
  accept,
  addAccount,
  assertBalance,
  endOf,
  FAILED,
  getOperation,
  isUnavailable,
  newWebhook,
  wholeLedger,
} from "./store/fixtures.ts";
import { storeSuite } from "./store.suite.ts";

storeSuite("sqlite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-store-"));
  const clock = fakeClock();
  const store = await openSqliteStore({ file: join(folder, "tonwerk.db"), clock });
  return {
    store,
    now: clock.now,
    async advance(ms) {
      clock.advance(ms);
    },
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});

async function inFolder(run: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-store-"));
  try {
    await run(join(folder, "tonwerk.db"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("openSqliteStore() keeps everything over a close and a reopen", () =>
  inFolder(async (file) => {
    const clock = fakeClock();
    const h = await harness(file, clock);
    const account_id = await addAccount(h, 10);
    const id = await accept(h, account_id, { cost: 4 });
    const before = await getOperation(h.store, id);
    await h.store.close();
    const again = await openSqliteStore({ file, clock });
    assert.deepEqual(await again.operation(id), before);
    await assertBalance(again, account_id, 6);
    await again.close();
  }));

test("openSqliteStore() takes back what an earlier process had leased", () =>
  inFolder(async (file) => {
    const clock = fakeClock();
    const h = await harness(file, clock);
    const id = await accept(h, await addAccount(h, 10));
    assert.equal((await h.store.claim("generation", "gone", 60_000))?.id, id);
    await h.store.close();
    const again = await openSqliteStore({ file, clock });
    assert.deepEqual(await again.reconcile(3), { requeued: [{ id, work: "generation" }], exhausted: [] });
    const claimed = await again.claim("generation", "new", 60_000);
    assert.deepEqual([claimed?.id, claimed?.attempt], [id, 2]);
    await again.close();
  }));

test("openSqliteStore() makes the webhooks due whose attempts an earlier process had under way", () =>
  inFolder(async (file) => {
    const clock = fakeClock();
    const caps = { lane_max: 1, host_max: 1, account_max: 1 };
    const h = await harness(file, clock);
    const id = await accept(h, await addAccount(h, 10));
    await h.store.terminate(endOf(id, 0, clock.now(), { webhooks: [newWebhook()] }));
    const [lost] = await h.store.claimWebhooks("gone", 1, 60_000, caps);
    await h.store.close();
    const again = await openSqliteStore({ file, clock });
    const [claimed] = await again.claimWebhooks("new", 1, 60_000, caps);
    assert.deepEqual(claimed, { ...lost, attempts: 2 });
    await again.close();
  }));

test("openSqliteStore() rejects a path that cannot be opened, naming it", async () => {
  const file = join(tmpdir(), "tonwerk-no-such-folder", "tonwerk.db");
  await assert.rejects(openSqliteStore({ file, clock: fakeClock() }), (error) => {
    assert.ok(isUnavailable(error) && error instanceof Error);
    assert.ok(error.message.startsWith(`Cannot open database "${file}": unable to open database file`), error.message);
    return true;
  });
});

test("openSqliteStore() rejects a database of a newer version, saying so", () =>
  inFolder(async (file) => {
    const clock = fakeClock();
    await (await openSqliteStore({ file, clock })).close();
    noteMigration(file, MIGRATIONS.length + 1);
    await assert.rejects(openSqliteStore({ file, clock }), {
      name: "Error",
      message: `Cannot open database "${file}": it is at migration ${MIGRATIONS.length + 1}, this version knows migrations up to ${MIGRATIONS.length}; start the newer version, or restore a backup from before the upgrade`,
    });
  }));

test("a store whose process is killed keeps every acknowledged write", () =>
  inFolder(async (file) => {
    const clock = fakeClock();
    const setup = await openSqliteStore({ file, clock });
    await setup.createAccount({ id: "acc_crash", name: "Ada", credits: 1_000_000_000, created_at: clock.now() });
    await setup.close();
    const submitted = new Set<string>();
    const ended = new Set<string>();
    // The second life begins on what the first left behind.
    for (const lines_max of [400, 900]) {
      const child = spawnFile(new URL("./store/crash_child.ts", import.meta.url), file);
      let killed: Promise<void> | undefined;
      for await (const line of child.lines()) {
        const [what, id = ""] = line.split(" ");
        (what === "ended" ? ended : submitted).add(id);
        if (submitted.size + ended.size >= lines_max) killed ??= child.kill();
      }
      assert.ok(killed !== undefined, "the child ran until it was killed");
      await killed;
    }
    assert.ok(submitted.size > 100 && ended.size > 100, "the child did work");

    const store = await openSqliteStore({ file, clock });
    for (const id of submitted) assert.ok((await store.operation(id)) !== undefined, `${id} is there`);
    for (const id of ended) assert.equal((await getOperation(store, id)).status, "failed");
    // Whatever else was committed is whole: each operation has one debit, each failed one has one refund.
    const lines = await wholeLedger(store, "acc_crash");
    const failed = lines.filter((line) => line.kind === "refund").length;
    const debits = lines.filter((line) => line.kind === "debit").map((line) => line.operation_id ?? "");
    assert.equal(new Set(debits).size, debits.length);
    const operations = await store.snapshots(debits);
    assert.equal(operations.length, debits.length);
    assert.equal(operations.filter((operation) => operation.status === "failed").length, failed);
    assert.equal((await store.queueStats("generation")).queued, debits.length - failed);
    await assertBalance(store, "acc_crash", 1_000_000_000 - 3 * (debits.length - failed));
    await store.close();
  }));

test("a store whose thread dies rejects what was pending, tells waiters, and goes on with a new thread", () =>
  inFolder(async (file) => {
    const clock = fakeClock();
    const threads: Worker[] = [];
    const h = await harness(file, clock, threads);
    const account_id = await addAccount(h);
    const id = await accept(h, account_id);
    const heard: (readonly string[] | null)[] = [];
    h.store.onEnded((ids) => heard.push(ids));

    threads[0]?.postMessage("no message of ours");
    const pending = [h.store.health(), h.store.terminate(endOf(id, 0, clock.now(), FAILED))];
    for (const call of pending) await assert.rejects(call, isUnavailable);
    assert.deepEqual(heard, [null]);
    // Between two threads: writes are refused at once, reads are answered.
    await assert.rejects(h.store.health(), isUnavailable);
    assert.equal((await getOperation(h.store, id)).status, "processing");

    clock.advance(100);
    await h.store.health();
    assert.equal(threads.length, 2);
    assert.equal(await h.store.terminate(endOf(id, 0, clock.now(), FAILED)), true);
    await h.store.close();
  }));

test("a store whose new thread cannot open the database tries again, less and less often", () =>
  inFolder(async (file) => {
    const clock = fakeClock();
    const threads: Worker[] = [];
    const { store } = await harness(file, clock, threads);
    // Not what would happen, but what makes opening fail.
    noteMigration(file, MIGRATIONS.length + 1);
    threads[0]?.postMessage("no message of ours");
    await assert.rejects(store.health(), isUnavailable);
    clock.advance(100);
    await assert.rejects(store.health(), isUnavailable);
    assert.equal(threads.length, 2);
    clock.advance(199);
    assert.equal(threads.length, 2);
    clock.advance(1);
    await assert.rejects(store.health(), isUnavailable);
    assert.equal(threads.length, 3);
    const db = new DatabaseSync(file);
    // The thread that has just failed may not have let go of the file yet.
    db.exec("PRAGMA busy_timeout = 5000");
    db.exec(`DELETE FROM migrations WHERE number > ${MIGRATIONS.length}`);
    db.close();
    clock.advance(400);
    await store.health();
    await store.close();
  }));

test("close() ends a store whose thread is dead, without starting another one", () =>
  inFolder(async (file) => {
    const clock = fakeClock();
    const threads: Worker[] = [];
    const { store } = await harness(file, clock, threads);
    threads[0]?.postMessage("no message of ours");
    await assert.rejects(store.health(), isUnavailable);
    await store.close();
    clock.advance(60_000);
    assert.equal(threads.length, 1);
  }));

test("a locked database makes writes unavailable, not reads, until it is free", () =>
  inFolder(async (file) => {
    const h = await harness(file, fakeClock());
    const account_id = await addAccount(h, 10);
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    const calls = [h.store.health(), accept(h, account_id)];
    assert.equal((await h.store.account(account_id))?.credits, 10);
    for (const call of calls) await assert.rejects(call, isUnavailable);
    other.exec("ROLLBACK");
    other.close();
    await h.store.health();
    await assertBalance(h.store, account_id, 10);
    await h.store.close();
  }));

/** A store on `file` whose threads are added to `threads`. */
async function harness(
  file: string,
  clock: FakeClock,
  threads: Worker[] = [],
): Promise<{
  store: Store;
  now(): number;
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}> {
  const spawn = () => {
    const url = new URL("../../core/adapters/sqlite/thread.ts", import.meta.url);
    const thread = new Worker(url, { type: "module" });
    threads.push(thread);
    return thread;
  };
  const store = await openSqliteStore({ file, clock, spawn });
  return { store, now: clock.now, advance: async (ms) => clock.advance(ms), close: store.close };
}

function noteMigration(file: string, number: number): void {
  const db = new DatabaseSync(file);
  db.prepare("INSERT INTO migrations (number, name, breaking, applied_at) VALUES (?, 'later', 0, 0)").run(number);
  db.close();
}
