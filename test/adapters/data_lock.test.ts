import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { lockDataFolder } from "../../core/adapters/files/data_lock.ts";
import { type Child, spawnFile } from "./child.ts";

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-lock-"));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts a process that tries to lock the folder; resolves once it said how that went. */
async function lockElsewhere(folder: string): Promise<{ readonly child: Child; readonly said: string }> {
  const child = spawnFile(new URL("./lock_child.ts", import.meta.url), folder);
  for await (const said of child.lines()) return { child, said };
  throw new Error("The process that locks said nothing");
}

test("lockDataFolder() keeps another process out and names the holder, until that is killed", () =>
  inFolder(async (folder) => {
    const { child, said } = await lockElsewhere(folder);
    try {
      assert.equal(said, "locked");
      const { started_at } = JSON.parse(await readFile(join(folder, "holder.json"), "utf8"));
      assert.throws(() => lockDataFolder(folder), {
        message: `Cannot use data folder "${folder}": process ${child.pid} holds it since ${started_at}; stop it or choose another TONWERK_DATA`,
      });
    } finally {
      await child.kill();
    }
    // Nobody released it; the kernel did.
    assert.ok(existsSync(join(folder, "holder.json")));
    lockDataFolder(folder).release();
  }));

test("lockDataFolder() holds against another process until release()", () =>
  inFolder(async (folder) => {
    const lock = lockDataFolder(folder);
    const refused = await lockElsewhere(folder);
    await refused.child.kill();
    assert.match(refused.said, new RegExp(`process ${process.pid} holds it since \\d{4}-\\d\\d-\\d\\dT`));
    lock.release();
    const free = await lockElsewhere(folder);
    await free.child.kill();
    assert.equal(free.said, "locked");
  }));

test("lockDataFolder() keeps this process out of its own folder too", () =>
  inFolder(async (folder) => {
    const lock = lockDataFolder(folder);
    assert.throws(() => lockDataFolder(folder), /Cannot use data folder/);
    lock.release();
    lock.release();
    const again = lockDataFolder(folder);
    // A second release of the first must not touch the second.
    lock.release();
    assert.throws(() => lockDataFolder(folder), /Cannot use data folder/);
    again.release();
  }));

test("lockDataFolder() makes a missing folder and leaves no holder behind", () =>
  inFolder(async (parent) => {
    const folder = join(parent, "a", "b");
    const lock = lockDataFolder(folder);
    assert.deepEqual(Object.keys(JSON.parse(await readFile(join(folder, "holder.json"), "utf8"))), [
      "pid",
      "started_at",
      "host",
    ]);
    lock.release();
    assert.equal(existsSync(join(folder, "holder.json")), false);
  }));

test("lockDataFolder() names the host of a holder elsewhere, and nobody where the note cannot be read", () =>
  inFolder(async (folder) => {
    const lock = lockDataFolder(folder);
    const note = join(folder, "holder.json");
    await writeFile(
      note,
      JSON.stringify({ pid: 7, started_at: "2026-01-01T00:00:00.000Z", host: `not-${hostname()}` }),
    );
    assert.throws(
      () => lockDataFolder(folder),
      new RegExp(`process 7 on host "not-${hostname()}" holds it since 2026-`),
    );
    for (const content of ["{", '{"pid":"7"}', "null"]) {
      await writeFile(note, content);
      assert.throws(() => lockDataFolder(folder), /another process holds it; stop it or choose another TONWERK_DATA$/);
    }
    lock.release();
  }));

test("lockDataFolder() says what is wrong when it is not the lock", () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "lock.db"), "no database, but long enough to look like something else\n".repeat(20));
    assert.throws(() => lockDataFolder(folder), /Cannot use data folder ".*": file is not a database/);
  }));
