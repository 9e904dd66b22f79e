/**
 * Accepted submissions a second on Postgres: the store's group commit beside pgbench, which runs the same transaction one at a time on each of
 * its 16 connections. Both take turns on one server, the ratio is taken within each round, and the median told. Processor time of the
 * server and of the client stands beside each rate: it hardly changes when others use the machine.
 *
 *     bun bench/postgres.ts [seconds] [rounds]
 *     deno run -A bench/postgres.ts [seconds] [rounds]
 *
 * Needs PostgreSQL's server and pgbench (Debian: apt install postgresql); starts a server of its own in a temporary folder, fsync on.
 */
import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SETTINGS } from "../core/adapters/postgres/link.ts";
import { openPostgresStore } from "../core/adapters/postgres/store.ts";
import { systemClock } from "../core/base/timers.ts";
import type { Submission } from "../core/ports/mod.ts";
import { POSTGRES_BIN, type PostgresServer, startPostgres } from "../test/services/postgres.ts";
import { serverCpu } from "./peer/postgres_cpu.ts";

const seconds = Number(process.argv[2] ?? 5);
const rounds = Number(process.argv[3] ?? 5);
/** Enough to fill two batches while two are under way. */
const CONCURRENCY = 800;
const ACCOUNTS = 50;
const PGBENCH_CLIENTS = 16;
const COST = 9;

interface Rate {
  readonly per_second: number;
  /** Processor time of the server for one accepted submission, µs, and of the client where it is this process. */
  readonly server_us: number;
  readonly client_us: number | null;
}

// About what a song with lyrics has.
const REQUEST = JSON.stringify({
  prompt: "A slow waltz about the sea",
  lyrics: "La ".repeat(200),
  n_variations: 2,
  seed: 1,
});
const RESPONSE = JSON.stringify({ song: { id: "op_", status: "processing", prompt: "A slow waltz about the sea" } });
const SOURCES = JSON.stringify([{ name: "reference", object: null, url: "https://example.com/song.flac" }]);

function submission(account_id: string): Submission {
  const now = Date.now();
  return {
    id: `op_${now.toString(32).padStart(10, "0")}${randomBytes(8).toString("hex")}`,
    account_id,
    action: "create.new_song",
    idempotency_key: randomUUID(),
    fingerprint: randomBytes(32).toString("hex"),
    cost: COST,
    work: "generation",
    weight: 3,
    request: REQUEST,
    sources: [{ name: "reference", object: null, url: "https://example.com/song.flac" }],
    callback_url: "https://example.com/hook",
    response: RESPONSE,
    created_at: now,
    metadata: null,
    deadline_at: null,
    files: [],
    files_until: now,
  };
}

async function measureStore(server: PostgresServer, url: string): Promise<Rate> {
  const store = await openPostgresStore({ url, clock: systemClock });
  try {
    const [cpu, own] = [serverCpu(server), process.cpuUsage()];
    let accepted = 0;
    const begin = performance.now();
    const end = begin + seconds * 1_000;
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async (_, client) => {
        while (performance.now() < end) {
          const answer = await store.submit(submission(`acc_${client % ACCOUNTS}`));
          if (answer.kind !== "accepted") throw new Error(`Cannot go on: a submission was answered ${answer.kind}`);
          accepted += 1;
        }
      }),
    );
    const took_s = (performance.now() - begin) / 1_000;
    const used = process.cpuUsage(own);
    return {
      per_second: accepted / took_s,
      server_us: (serverCpu(server) - cpu) / accepted,
      client_us: (used.user + used.system) / accepted,
    };
  } finally {
    await store.close();
  }
}

const OPTIONS = Object.entries(SETTINGS)
  .map(([name, value]) => `-c ${name}=${value.replace(" ", "\\ ")}`)
  .join(" ");

/** pgbench takes `:2` for a variable. */
const quoted = (json: string): string => `'${json.replaceAll(/:(?=\w)/gu, ": ")}'`;

/** The same judgement and the same rows, statement by statement, as one would write it first. */
const PLAIN = `\\set account random(0, ${ACCOUNTS - 1})
BEGIN;
SELECT credits FROM accounts WHERE id = 'acc_' || :account FOR NO KEY UPDATE;
SELECT id, fingerprint, response FROM operations WHERE account_id = 'acc_' || :account AND idempotency_key = gen_random_uuid();
INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, sources, response, callback_url,
  created_at) VALUES ('op_' || to_hex(now_ms()) || substr(gen_random_uuid()::text, 1, 23), 'acc_' || :account, 'create.new_song', 'generation',
  'processing', gen_random_uuid(), repeat('f', 64), ${COST}, ${quoted(REQUEST)}, ${quoted(SOURCES)}, ${quoted(RESPONSE)}, 'https://example.com/hook', now_ms())
  RETURNING id AS op \\gset
UPDATE accounts SET credits = credits - ${COST} WHERE id = 'acc_' || :account AND credits >= ${COST};
INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
  VALUES ('acc_' || :account, :op, 'debit', -${COST}, 'create.new_song', now_ms());
INSERT INTO account_turns AS t (account_id, work, turn) VALUES ('acc_' || :account, 'generation', 64)
  ON CONFLICT (account_id, work) DO UPDATE SET turn = t.turn + 64 RETURNING turn AS turn \\gset
INSERT INTO jobs (operation_id, account_id, action, work, created_at, turn)
  VALUES (:op, 'acc_' || :account, 'create.new_song', 'generation', now_ms(), :turn);
COMMIT;
`;

/** The store's own function with one submission at a time: one round trip instead of eight. */
const SINGLE = `\\set account random(0, ${ACCOUNTS - 1})
SELECT count(*) FROM submit_each(ARRAY['op_' || to_hex(now_ms()) || substr(gen_random_uuid()::text, 1, 23)], ARRAY['acc_' || :account],
  '{create.new_song}', '{generation}', ARRAY[gen_random_uuid()], ARRAY[repeat('f', 64)], '{${COST}}', ARRAY[${quoted(REQUEST)}],
  ARRAY[${quoted(SOURCES)}], ARRAY[${quoted(RESPONSE)}], '{https://example.com/hook}', ARRAY[now_ms()], '{NULL}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{3}');
`;

function measurePgbench(server: PostgresServer, url: string, script: string): Rate {
  const folder = mkdtempSync(join(tmpdir(), "tonwerk-bench-"));
  try {
    const file = join(folder, "script.sql");
    writeFileSync(file, script);
    const { hostname, port, pathname, username } = new URL(url);
    const cpu = serverCpu(server);
    const { stdout, stderr, status } = spawnSync(
      join(POSTGRES_BIN ?? "", "pgbench"),
      [
        ...["-n", "-f", file, "-c", String(PGBENCH_CLIENTS), "-j", "2", "-T", String(seconds), "-M", "prepared"],
        ...["-h", hostname, "-p", port, "-U", username, pathname.slice(1)],
      ],
      // As the store's connections are set.
      {
        encoding: "utf8",
        env: { ...process.env, PGOPTIONS: OPTIONS },
      },
    );
    const per_second = Number(/tps = ([\d.]+)/u.exec(stdout)?.[1]);
    const done = Number(/transactions actually processed: (\d+)/u.exec(stdout)?.[1]);
    if (status !== 0 || !(per_second > 0)) throw new Error(`pgbench: ${stderr}${stdout}`);
    return { per_second, server_us: (serverCpu(server) - cpu) / done, client_us: null };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const show = (name: string, rates: readonly Rate[]): void => {
  const of = (pick: (rate: Rate) => number) => median(rates.map(pick));
  const client = rates[0]?.client_us === null ? "" : `, client ${of((rate) => rate.client_us ?? 0).toFixed(0)} us`;
  console.log(
    `${name.padEnd(44)} ${of((rate) => rate.per_second)
      .toFixed(0)
      .padStart(6)}/s   server ${of((rate) => rate.server_us).toFixed(0)} us${client}`,
  );
};

const server = await startPostgres(["shared_buffers=512MB", "max_wal_size=4GB", "checkpoint_timeout=30min"]);
try {
  const made: Rate[][] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    // A fresh database each time: none pays for another's rows.
    const fresh = async (): Promise<string> => {
      const url = server.url(await server.createDatabase());
      const store = await openPostgresStore({ url, clock: systemClock });
      for (let n = 0; n < ACCOUNTS; n++) {
        await store.createAccount({
          id: `acc_${n}`,
          name: `Account ${n}`,
          credits: 1_000_000_000,
          created_at: Date.now(),
        });
      }
      await store.close();
      await server.sql("CHECKPOINT");
      return url;
    };
    made[0]?.push(await measureStore(server, await fresh()));
    made[1]?.push(measurePgbench(server, await fresh(), SINGLE));
    made[2]?.push(measurePgbench(server, await fresh(), PLAIN));
  }
  const [store = [], single = [], plain = []] = made;
  show("store, group commit", store);
  show(`pgbench, ${PGBENCH_CLIENTS} clients, the function with one each`, single);
  show(`pgbench, ${PGBENCH_CLIENTS} clients, statement by statement`, plain);
  const ratio = (other: readonly Rate[]) =>
    median(store.map((rate, n) => rate.per_second / (other[n]?.per_second ?? Number.NaN)));
  const ratios = { to_single: ratio(single), to_plain: ratio(plain) };
  console.log(`store / pgbench: ${ratios.to_single.toFixed(2)} (function), ${ratios.to_plain.toFixed(2)} (statements)`);
  console.log(JSON.stringify(ratios));
} finally {
  await server.close();
}
