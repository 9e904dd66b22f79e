import { openPostgresStore } from "../../core/adapters/postgres.ts";
import { fakeClock } from "../clock.ts";
import { POSTGRES_MISSING } from "../services/postgres.ts";
import { leaseDatabase } from "../services/postgres_database.ts";
import { whenThere } from "../services/services.ts";
import { storeSuite } from "./store.suite.ts";

whenThere("postgres: the store's suite", POSTGRES_MISSING, () => {
  storeSuite("postgres", async () => {
    const database = await leaseDatabase();
    const clock = fakeClock();
    await database.setNow(clock.now());
    // A busy machine may take its time over 10,000 submissions at once.
    const store = await openPostgresStore({ url: database.url, clock, call_ms: 60_000 });
    return {
      store,
      now: clock.now,
      async advance(ms) {
        clock.advance(ms);
        await database.setNow(clock.now());
      },
      async close() {
        await store.close();
        await database.giveBack();
      },
    };
  });
});
