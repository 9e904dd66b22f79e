/** Wake-ups between nodes over the connection that listens. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPostgresQueue } from "../../core/adapters/postgres/queue.ts";
import { openPostgresStore } from "../../core/adapters/postgres/store.ts";
import { systemClock } from "../../core/base/timers.ts";
import type { Errand } from "../../core/ports/mod.ts";
import { fakeClock } from "../clock.ts";
import { POSTGRES_MISSING } from "../services/postgres.ts";
import { leaseDatabase } from "../services/postgres_database.ts";
import { whenThere } from "../services/services.ts";
import { until } from "../until.ts";
import { queueSuite } from "./queue.suite.ts";

const LONG_MS = 3_600_000;
const never = new AbortController().signal;

whenThere("postgres queue", POSTGRES_MISSING, () => {
  queueSuite("postgres queue", async () => {
    const database = await leaseDatabase();
    const store = await openPostgresStore({ url: database.url, clock: systemClock, call_ms: 30_000 });
    const clock = fakeClock();
    const heard = hearing(store);
    const queue = createPostgresQueue({ ...store, announceWork: heard.announceWork }, clock);
    return {
      queue,
      async advance(ms) {
        await heard.all();
        clock.advance(ms);
        await Promise.resolve();
      },
      async close() {
        await queue.close();
        await store.close();
        await database.giveBack();
      },
    };
  });

  test("a wake-up is for the waiters of every node, once each, and for those of its own before the server has it", async () => {
    const database = await leaseDatabase();
    const open = () => openPostgresStore({ url: database.url, clock: systemClock, call_ms: 30_000 });
    const stores = [await open(), await open()] as const;
    const heard = hearing(stores[0]);
    const said: string[] = [];
    const announceWork = (errand: Errand, id: string) => {
      said.push(id);
      if (id !== "op_unsaid") heard.announceWork(errand, id);
    };
    const own = createPostgresQueue({ ...stores[0], announceWork }, systemClock);
    const other = createPostgresQueue(stores[1], systemClock);
    try {
      const unsaid = own.wait("dsp", LONG_MS, never);
      own.wake("dsp", "op_unsaid");
      assert.equal(await unsaid, "op_unsaid");

      const waiters = [own.wait("dsp", LONG_MS, never), other.wait("dsp", LONG_MS, never)];
      let second = false;
      const late = own.wait("dsp", LONG_MS, never).then((id) => {
        second = true;
        return id;
      });
      own.wake("dsp", "op_1");
      assert.deepEqual(await Promise.all(waiters), ["op_1", "op_1"]);
      await heard.all();
      assert.equal(second, false, "hearing of its own wake-up wakes nobody again");
      other.wake("dsp", "op_2");
      assert.equal(await late, "op_2");
      assert.deepEqual(said, ["op_unsaid", "op_1"]);
    } finally {
      for (const one of [own, other, ...stores]) await one.close();
      await database.giveBack();
    }
  });
});

/** The store's announcements, and a wait until it has heard of all of them itself. */
function hearing({ announceWork, onWork }: Awaited<ReturnType<typeof openPostgresStore>>) {
  const said = new Set<string>();
  onWork((_, id) => said.delete(id));
  return {
    announceWork(errand: Errand, id: string): void {
      said.add(id);
      announceWork(errand, id);
    },
    all: () => until(() => said.size === 0),
  };
}
