import assert from "node:assert/strict";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openForWriting } from "../../core/adapters/sqlite/connection.ts";
import { createCheckpointer } from "../../core/adapters/sqlite/fast/checkpoint.ts";
import { createUnended } from "../../core/adapters/sqlite/fast/unended.ts";
import { openWriter, type Writer } from "../../core/adapters/sqlite/writer.ts";
import { newId } from "../../core/base/ids.ts";
import { systemClock } from "../../core/base/timers.ts";

const MANY = 10_000;

test("the log is copied by a thread of its own, which begins when there is something to copy and ends with close()", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-"));
  const file = join(folder, "test.db");
  const db = openForWriting(file);
  const threads: Worker[] = [];
  const copied: (() => void)[] = [];
  const checkpointer = createCheckpointer(file, {
    finish: () => undefined,
    spawn: () => {
      const thread = new Worker(new URL("../../core/adapters/sqlite/fast/checkpoint_thread.ts", import.meta.url), {
        type: "module",
      });
      threads.push(thread);
      thread.addEventListener("message", () => copied.shift()?.());
      return thread;
    },
  });
  const next = (): Promise<void> => new Promise((resolve) => copied.push(resolve));
  try {
    db.exec("CREATE TABLE numbers (n INTEGER) STRICT");
    const insert = db.prepare("INSERT INTO numbers VALUES (?)");
    checkpointer.committed(1);
    assert.equal(threads.length, 0, "nothing much was committed");
    const before = (await stat(file)).size;
    db.exec("BEGIN");
    for (let n = 0; n < MANY; n++) insert.run(n);
    db.exec("COMMIT");
    const first = next();
    checkpointer.committed(MANY);
    await first;
    assert.ok((await stat(file)).size > before, "the database has what was in the log");
    // Everything was copied, so the next commit begins the log anew.
    const log = (await stat(`${file}-wal`)).size;
    insert.run(MANY);
    assert.equal((await stat(`${file}-wal`)).size, log);
    const second = next();
    checkpointer.committed(MANY);
    await second;
    assert.equal(threads.length, 1, "the same thread again");
  } finally {
    await checkpointer.close();
    db.close();
  }
  checkpointer.committed(MANY);
  assert.equal(threads.length, 1, "nothing is copied after close()");
  const again = new DatabaseSync(file);
  assert.equal(again.prepare("SELECT count(*) AS n FROM numbers").get()?.n, MANY + 1);
  again.close();
  await rm(folder, { recursive: true, force: true });
});

test("a thread that dies is replaced at the next copy, and close() waits for none that is gone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-"));
  const file = join(folder, "test.db");
  const db = openForWriting(file);
  const died: Promise<unknown>[] = [];
  let threads = 0;
  const checkpointer = createCheckpointer(file, {
    finish: () => undefined,
    spawn: () => {
      threads += 1;
      const thread = new Worker("data:text/javascript,self.onmessage = () => { throw new Error('broken'); };", {
        type: "module",
      });
      died.push(new Promise((resolve) => thread.addEventListener("error", resolve)));
      return thread;
    },
  });
  try {
    for (let turn = 1; turn <= 2; turn++) {
      checkpointer.committed(MANY);
      assert.equal(threads, turn);
      await died[turn - 1];
    }
  } finally {
    await checkpointer.close();
    db.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("while one commit follows another, the log begins anew all the same", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-"));
  const file = join(folder, "test.db");
  let finished = 0;
  const finish = () => {
    finished += 1;
    writer.finishCopy();
  };
  const checkpointer = createCheckpointer(file, { finish, long_pages: 256 });
  const writer: Writer = await openWriter({
    file,
    clock: systemClock,
    spawn: () => new Worker(new URL("../../core/adapters/sqlite/thread.ts", import.meta.url), { type: "module" }),
    onLost: () => assert.fail("the thread died"),
    onCommitted: (calls) => checkpointer.committed(calls),
    watch: createUnended().watch,
  });
  const sizes: number[] = [];
  let accounts = 0;
  try {
    for (let turn = 0; turn < 60; turn++) {
      // The next ones are under way before the last ones are committed.
      const commits: Promise<unknown>[] = [];
      for (let n = 0; n < 8; n++) {
        for (let m = 0; m < 40; m++) {
          const id = newId("acc_", Date.now());
          commits.push(writer.call("createAccount", { id, name: `Account ${accounts++}`, credits: 1, created_at: 1 }));
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await Promise.all(commits.slice(0, 200));
      sizes.push((await stat(`${file}-wal`)).size);
      await Promise.all(commits);
    }
  } finally {
    await Promise.all([writer.close(), checkpointer.close()]);
  }
  assert.ok(finished >= 2, `finished ${finished} times`);
  // A log that only grows would by now have what the first turns wrote, as often as there were turns. How far it gets depends on who is quicker.
  const whole = (sizes.length * sizes[2]!) / 3;
  assert.ok(sizes.at(-1)! < whole / 3, `${sizes.at(-1)} bytes of ${whole}`);
  const db = new DatabaseSync(file);
  assert.equal(db.prepare("SELECT count(*) AS n FROM accounts").get()?.n, accounts);
  db.close();
  await rm(folder, { recursive: true, force: true });
});
