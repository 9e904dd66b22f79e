/**
 * `bun bench/growth.ts [--sizes 10000,100000,1000000] [--rounds 5] [--data folder] [--seed-only]`: what a submission, a replay, a status read and a page of the list cost on
 * a service that holds so many operations, as a client on loopback sees it, and beside it the store's own part, with claim and end. One
 * service for each size, all open at once and measured in turn, so that a busy machine slows them alike; ratios between neighbours are
 * taken within each round and their median is told. A million takes some minutes to write and 3 GB of disk: with `--data` what was written is
 * kept there and copied before it is measured, so that a quiet quarter of an hour is spent on measuring alone.
 */
import { hash, randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { args, exit, runtime, type Server, serve } from "../core/adapters/runtime/runtime.ts";
import { openSqliteStore } from "../core/adapters/sqlite/store.ts";
import { loadConfig } from "../core/base/config.ts";
import { operationId } from "../core/base/ids.ts";
import { canonicalJson } from "../core/base/json.ts";
import { hashApiKey, lastFour, newApiKey } from "../core/base/keys.ts";
import { systemClock } from "../core/base/timers.ts";
import type { Store, Submission } from "../core/ports/mod.ts";
import { type Service, startService } from "../core/service.ts";

const { values: options } = parseArgs({
  args: [...args],
  options: {
    sizes: { type: "string", default: "10000,100000,1000000" },
    rounds: { type: "string", default: "5" },
    data: { type: "string" },
    "seed-only": { type: "boolean", default: false },
  },
});
const SIZES = options.sizes.split(",").map(Number);
const ROUNDS = Number(options.rounds);
const ACCOUNTS = 100;
/** Jobs that wait, in every database: what a backlog costs is another question. */
const QUEUED = 1_000;
/** Of each kind in a round. */
const SAMPLES = 400;
/** Submissions under way at a time, as a busy server has them. */
const TOGETHER = 50;

const PATH = "/v1/adapt.normalise_loudness";
const API_KEYS = await apiKeys(options.data);
const SOURCE = { url: "https://example.com/song.flac" };
const LOUDNESS = { target_lufs: -14, allow_compression: true };
/** As core makes it of a body with this source and nothing else: the replays below prove it. */
const FINGERPRINT = hash(
  "sha256",
  canonicalJson(["adapt.normalise_loudness", { source: SOURCE }, LOUDNESS, null, null]),
  "hex",
);

interface Subject {
  readonly size: number;
  readonly service: Service;
  readonly server: Server;
  readonly store: Store;
  /** Of operations anywhere in the store. */
  readonly ids: readonly string[];
  readonly recent: readonly string[];
  readonly keys: readonly (readonly [account_id: string, key: string])[];
}

const account = (index: number): string => `acc_${String(index % ACCOUNTS).padStart(26, "0")}`;
const OUTPUTS = JSON.stringify([
  {
    object: "op/op_00000000000000000000000000/1/output.flac",
    duration: 30,
    bytes: 3_000_000,
    sha256: "f".repeat(64),
    engine: "builtin",
    loudness: { lufs: -14, true_peak_dbtp: -1.2, compressed: false },
    report: null,
  },
]);

function submission(account_id: string): Submission {
  const now = Date.now();
  const id = operationId(now);
  return {
    id,
    account_id,
    action: "adapt.normalise_loudness",
    idempotency_key: randomUUID(),
    fingerprint: FINGERPRINT,
    cost: 1,
    work: "dsp",
    request: JSON.stringify({ fields: { source: SOURCE }, loudness: LOUDNESS, seed: 1 }),
    sources: [{ name: "source", object: null, url: SOURCE.url }],
    callback_url: null,
    response: JSON.stringify({
      normalised_audio: { id, status: "processing", loudness: LOUDNESS, output: null, cost: 1 },
    }),
    created_at: now,
    metadata: null,
    deadline_at: null,
    files: [],
    files_until: now,
  };
}

/** Those of an earlier run where its databases are kept. */
async function apiKeys(folder: string | undefined): Promise<readonly string[]> {
  const kept = folder === undefined ? undefined : join(folder, "keys.json");
  const known = kept && (await readFile(kept, "utf8").catch(() => undefined));
  if (known !== undefined) return JSON.parse(known) as string[];
  const made = Array.from({ length: ACCOUNTS }, newApiKey);
  if (folder !== undefined && kept !== undefined) {
    await mkdir(folder, { recursive: true });
    await writeFile(kept, JSON.stringify(made));
  }
  return made;
}

/** Writes a database with `size` ended operations, by one statement a table. */
async function seed(file: string, size: number): Promise<void> {
  const store = await openSqliteStore({ file, clock: systemClock });
  for (const [i, key] of API_KEYS.entries()) {
    const account_id = account(i);
    await store.createAccount(
      { id: account_id, name: "Load", credits: 1_000_000_000, created_at: 1 },
      { id: `key_${i}`, account_id, label: "", sha256: hashApiKey(key), last_four: lastFour(key), created_at: 1 },
    );
  }
  await store.close();
  const db = new DatabaseSync(file);
  db.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL; PRAGMA cache_size = -500000");
  const sample = submission(account(0));
  const began = Date.now() - size;
  db.exec("BEGIN");
  db.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
     INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, response, created_at,
       started_at, completed_at, expires_at, attempt, progress, outputs)
     SELECT printf('op_%026d', i), printf('acc_%026d', i % ${ACCOUNTS}), 'adapt.normalise_loudness', 'dsp', 'ready',
       lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' ||
         substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
       ?2, 1, ?3, ?4, ?5 + i, ?5 + i, ?5 + i, ?5 + i + 2592000000, 1, 1, ?6 FROM n`,
  ).run(size, FINGERPRINT, sample.request, sample.response, began, OUTPUTS);
  db.exec(
    `INSERT INTO operation_sources SELECT id, 0, 'source', NULL, 'https://example.com/song.flac' FROM operations;
     INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
       SELECT account_id, id, 'debit', -1, action, created_at FROM operations;
     INSERT INTO ledger_lists SELECT account_id, id FROM ledger WHERE id > (SELECT line FROM listed) ORDER BY account_id, id;
     UPDATE listed SET line = (SELECT max(id) FROM ledger);
     INSERT INTO objects SELECT 'op/' || id || '/1/output.flac', id FROM operations;
     UPDATE accounts SET credits = (SELECT sum(credits) FROM ledger WHERE account_id = accounts.id);`,
  );
  db.exec("COMMIT");
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

/** The kept database of that size, written where there is none. */
async function kept(folder: string, size: number): Promise<string> {
  const file = join(folder, `${size}.db`);
  if (await stat(file).catch(() => undefined)) return file;
  await seed(`${file}.new`, size);
  await copyFile(`${file}.new`, file);
  await rm(`${file}.new`);
  return file;
}

/** What is still on its way to the disk would be in the way of what is measured. */
async function settle(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}

/** A service on that database, with some operations that wait. */
async function start(data: string, size: number): Promise<Subject> {
  const file = join(data, "tonwerk.db");
  const config = loadConfig({
    TONWERK_DATA: data,
    TONWERK_ROLE: "api",
    TONWERK_PUT_PER_MINUTE: "0",
    TONWERK_GET_PER_MINUTE: "0",
  });
  const service = await startService(config, () => undefined);
  const server = await serve({ hostname: "127.0.0.1", port: 0, fetch: service.app });
  await Promise.all(Array.from({ length: QUEUED }, (_, i) => service.store.submit(submission(account(i)))));
  const look = new DatabaseSync(file, { readOnly: true });
  const ids = Array.from(
    { length: SAMPLES },
    (_, i) => `op_${String(Math.floor((i * size) / SAMPLES)).padStart(26, "0")}`,
  );
  const recent = Array.from({ length: SAMPLES }, (_, i) => `op_${String(size - 1 - (i % size)).padStart(26, "0")}`);
  const row = look.prepare("SELECT account_id, idempotency_key FROM operations WHERE id = ?");
  const keys = ids.map((id) => {
    const found = row.get(id);
    return [String(found?.account_id), String(found?.idempotency_key)] as const;
  });
  look.close();
  return { size, service, server, store: service.store, ids, recent, keys };
}

/** The API key of the account that seeded operation `id` belongs to. */
const ownerOf = (id: string): string => API_KEYS[Number(id.slice(3)) % ACCOUNTS] ?? "";

async function ask({ server }: Subject, key: string, method: string, path: string, body?: string): Promise<void> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
}

const bodyOf = (idempotency_key: string): string => JSON.stringify({ idempotency_key, source: SOURCE });
const submit = (subject: Subject, index: number): Promise<void> =>
  ask(subject, API_KEYS[index % ACCOUNTS] ?? "", "PUT", PATH, bodyOf(randomUUID()));
let spaces = "";

/** Calls one at a time: what is timed is each of them, for all sizes in turn, so that whatever slows the machine or its disk slows them alike. */
const CALLS: Readonly<Record<string, (subject: Subject, index: number) => Promise<unknown>>> = {
  "PUT, one at a time": submit,
  "PUT, replay of any operation": (subject, index) => {
    const [account_id, key] = subject.keys[index] ?? ["", ""];
    // More space in each round: the same bytes would be answered from memory.
    return ask(subject, API_KEYS[Number(account_id.slice(4))] ?? "", "PUT", PATH, bodyOf(key) + spaces);
  },
  "GET, any operation": (subject, index) => get(subject, subject.ids[index] ?? ""),
  "GET, recent operations": (subject, index) => get(subject, subject.recent[index] ?? ""),
  "GET list of 50": (subject, index) => list(subject, index, "?limit=50"),
  "GET list of 50, filtered": (subject, index) => list(subject, index, "?action=adapt.normalise_loudness&status=ready"),
  "store: read any operation": ({ store, ids }, index) => store.snapshot(ids[index] ?? ""),
  "store: read recent operations": ({ store, recent }, index) => store.snapshot(recent[index] ?? ""),
};

const get = (subject: Subject, id: string): Promise<void> => ask(subject, ownerOf(id), "GET", `${PATH}?id=${id}`);
const list = (subject: Subject, index: number, query: string): Promise<void> =>
  ask(subject, API_KEYS[index % ACCOUNTS] ?? "", "GET", `/v1/operations${query}`);

/** Milliseconds of one of many that are under way together. */
const TOGETHERS: Readonly<Record<string, (subject: Subject) => Promise<number>>> = {
  "PUT, 50 together": async (subject) => {
    let sent = 0;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: TOGETHER }, async () => {
        while (sent < SAMPLES) await submit(subject, sent++);
      }),
    );
    return (performance.now() - began) / SAMPLES;
  },
  "store: claim and end": async ({ store }) => {
    const began = performance.now();
    await Promise.all(
      Array.from({ length: SAMPLES }, async () => {
        const job = await store.claim("dsp", "growth", 60_000);
        if (job === undefined) throw new Error("There is nothing to claim");
        const now = Date.now();
        await store.terminate({
          id: job.id,
          attempt: job.attempt,
          status: "ready",
          outputs: OUTPUTS,
          outputs_listed: OUTPUTS,
          error: null,
          refund: false,
          completed_at: now,
          expires_at: now + 2_592_000_000,
          objects: [`op/${job.id}/1/output.flac`],
          webhooks: [],
        });
      }),
    );
    return (performance.now() - began) / SAMPLES;
  },
};

/** Median milliseconds of one call, for each subject. */
async function middles(
  subjects: readonly Subject[],
  call: (subject: Subject, index: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const times = subjects.map((): number[] => []);
  for (let index = 0; index < SAMPLES; index++) {
    for (const [at, subject] of subjects.entries()) {
      const began = performance.now();
      await call(subject, index);
      times[at]?.push(performance.now() - began);
    }
  }
  return times.map(median);
}

async function inTurn(
  subjects: readonly Subject[],
  work: (subject: Subject) => Promise<number>,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (const subject of subjects) found.push(await work(subject));
  return found;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

async function measure(subjects: readonly Subject[]): Promise<void> {
  const found = new Map<string, Map<number, number[]>>();
  const keep = (what: string, times: readonly number[]): void => {
    const rows = found.get(what) ?? new Map<number, number[]>();
    found.set(what, rows);
    for (const [at, { size }] of subjects.entries()) rows.set(size, [...(rows.get(size) ?? []), times[at] as number]);
  };
  // The round before the first warms up.
  for (let round = -1; round < ROUNDS; round++) {
    if (round === 0) found.clear();
    for (const [what, work] of Object.entries(TOGETHERS)) keep(what, await inTurn(subjects, work));
    spaces += " ";
    for (const [what, call] of Object.entries(CALLS)) keep(what, await middles(subjects, call));
  }
  console.log(`${runtime.name} ${runtime.version}, median of ${ROUNDS} rounds, µs; in brackets times the size before`);
  console.log(["".padEnd(30), ...SIZES.map((size) => String(size).padStart(18))].join(""));
  for (const [what, rows] of found) {
    const cells = SIZES.map((size, index) => {
      const mine = rows.get(size) ?? [];
      const before = index === 0 ? undefined : rows.get(SIZES[index - 1] as number);
      const ratio = before && median(mine.map((ms, round) => ms / (before[round] ?? Number.NaN)));
      return `${(median(mine) * 1000).toFixed(1)}${ratio === undefined ? "" : ` (${ratio.toFixed(2)})`}`.padStart(18);
    });
    console.log([what.padEnd(30), ...cells].join(""));
  }
}

const folder = await mkdtemp(join(tmpdir(), "tonwerk-growth-"));
const subjects: Subject[] = [];
try {
  for (const size of SIZES) {
    const began = performance.now();
    const data = join(folder, String(size));
    await mkdir(data);
    const file = join(data, "tonwerk.db");
    if (options.data === undefined) await seed(file, size);
    else {
      const from = await kept(options.data, size);
      if (!options["seed-only"]) await copyFile(from, file);
    }
    console.error(`${size} written in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    if (options["seed-only"]) continue;
    await settle(file);
    subjects.push(await start(data, size));
  }
  if (subjects.length > 0) await measure(subjects);
} finally {
  for (const { server, service } of subjects) {
    await server.stop();
    await service.close();
  }
  await rm(folder, { recursive: true, force: true });
}
exit(0);
