/**
 * An immediate stop of Postgres under load, for as long as is asked: what clients are told meanwhile, and how soon work goes on after the
 * server accepts connections again. Everything acknowledged is looked for at the end; the ledger must equal the balances.
 *
 *     bun bench/postgres_outage.ts [seconds away, 60] [how: stop|freeze] [clients, 32]
 */
import { openPostgresStore } from "../core/adapters/postgres/store.ts";
import { systemClock } from "../core/base/timers.ts";
import { startLoad } from "../test/adapters/postgres_load.ts";
import { startPostgres } from "../test/services/postgres.ts";

const away_s = Number(process.argv[2] ?? 60);
const how = process.argv[3] ?? "stop";
const clients = Number(process.argv[4] ?? 32);

const server = await startPostgres();
const store = await openPostgresStore({ url: server.url(await server.createDatabase()), clock: systemClock });
try {
  const load = await startLoad(store, clients);
  await load.more(500);
  if (how === "freeze") server.signalAll("SIGSTOP");
  else await server.stopImmediately();
  await new Promise((resolve) => setTimeout(resolve, away_s * 1_000));
  if (how === "freeze") server.signalAll("SIGCONT");
  else await server.start();
  const back = performance.now();
  await load.more(1);
  const first_ms = performance.now() - back;
  await load.more(500);
  await load.stop();
  await load.verify(store);
  const { acknowledged, refused } = load.counts();
  console.log(
    `${how} for ${away_s} s, ${clients} clients: ${acknowledged} calls acknowledged, ${refused} refused, none lost; ` +
      `the longest took ${load.slowest_ms().toFixed(0)} ms; first answer ${first_ms.toFixed(0)} ms after the server was back`,
  );
} finally {
  await store.close();
  await server.close();
}
