/** What is kept of operations that are polled: as much as fits, until their end. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSqliteStore } from "../../core/adapters/sqlite/store.ts";
import { fakeClock } from "../clock.ts";
import { accept, addAccount, endOf, FAILED } from "./store/fixtures.ts";

test("operations that fit are kept until their end; what does not fit is read each time, and is right", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-"));
  const clock = fakeClock();
  const store = await openSqliteStore({ file: join(folder, "test.db"), clock });
  try {
    const h = { store, now: clock.now, advance: async () => undefined, close: async () => undefined };
    const account_id = await addAccount(h);
    const request = `"${"x".repeat(1_000_000)}"`;
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push(await accept(h, account_id, { request }));
    const isKept = async (id: string) => {
      const [one, other] = [await store.snapshot(id), await store.snapshot(id)];
      return one === other;
    };
    const count = async () => {
      const kept = await Promise.all(ids.map(isKept));
      return kept.filter(Boolean).length;
    };
    for (const id of ids) await store.snapshot(id);
    const fitting = await count();
    assert.ok(fitting >= 5 && fitting < 12, `${fitting} of 12 MB are kept`);
    assert.equal(await isKept(ids[0]!), true);
    assert.equal(await isKept(ids.at(-1)!), false);
    assert.equal((await store.snapshot(ids.at(-1)!))?.queue_position, 11);
    // Whose end comes makes room, whether anybody asks for it again or not.
    for (const id of ids.slice(0, 6)) assert.ok(await store.terminate(endOf(id, 0, clock.now(), FAILED)));
    await store.snapshot(ids.at(-1)!);
    assert.equal(await isKept(ids.at(-1)!), true);
    assert.equal((await store.snapshot(ids.at(-1)!))?.queue_position, 5);
    assert.equal((await store.snapshot(ids[0]!))?.status, "failed");
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});
