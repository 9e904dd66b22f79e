import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSqliteStore } from "../../core/adapters/sqlite/store.ts";
import { createWaiters } from "../../core/operations/waiters.ts";
import { type Store, StoreUnavailable } from "../../core/ports/mod.ts";
import { accept, addAccount, claim, endOf } from "../adapters/store/fixtures.ts";
import { fakeClock } from "../clock.ts";

const NEVER = new AbortController().signal;

test("an end that is told while the store cannot be read reaches its waiter once it can, not at the time limit", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-"));
  const clock = fakeClock();
  const store = await openSqliteStore({ file: join(folder, "tonwerk.db"), clock });
  try {
    let refused = 0;
    let is_away = true;
    const flaky: Store = {
      ...store,
      async snapshots(ids) {
        if (!is_away) return store.snapshots(ids);
        refused++;
        throw new StoreUnavailable("away");
      },
    };
    const waiters = createWaiters(flaky, clock);
    const h = { store, now: clock.now, advance: async () => undefined, close: async () => undefined };
    const account_id = await addAccount(h);
    const ids = [await accept(h, account_id), await accept(h, account_id)];
    const [one, other] = ids.map((id) => waiters.wait(id, 20_000, NEVER));
    const { id, attempt } = await claim(h);
    assert.equal(await store.terminate(endOf(id, attempt, clock.now())), true);
    await until(() => refused === 1);
    // Both rounds: what failed again is asked again.
    clock.advance(1_000);
    await until(() => refused === 2);
    is_away = false;
    clock.advance(1_000);
    assert.equal((await Promise.race([one!.ended, other!.ended]))?.id, id);
    assert.equal(waiters.open, 1, "who waits for another operation still does");
    other!.leave();
    one!.leave();
    clock.advance(60_000);
    assert.equal(refused, 2, "nobody is asked for once nobody waits");
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** And what follows from it in the same turn of the event loop has been done. */
async function until(isTrue: () => boolean): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, 1));
  while (!isTrue());
}
