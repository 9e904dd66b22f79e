/**
 * `bun bench/growth.ts [--sizes 10000,100000,1000000] [--rounds 5] [--data folder] [--seed-only]`: what a submission, a replay, a status read and a page of the list cost on
 * a service that holds so many operations, as a client on loopback sees it, and beside it the store's own part, with claim and end. One
 * service for each size, all open at once and measured in turn, so that a busy machine slows them alike; ratios between neighbours are
 * taken within each round and their median is told. A million takes some minutes to write and 3 GB of disk: with `--data` what was written is
 * kept there and copied before it is measured, so that a quiet quarter of an hour is spent on measuring alone.
 */
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import {
  PRELOADED_ACTION,
  PRELOADED_OUTPUTS,
  PRELOADED_SOURCE,
  preload,
  preloadedAccount,
  preloadedId,
  preloadedSubmission,
} from "../cli/bench/preload.ts";
import { args, exit, runtime, type Server, serve } from "../core/adapters/runtime/runtime.ts";
import { loadConfig } from "../core/base/config.ts";
import { newApiKey } from "../core/base/keys.ts";
import type { Store } from "../core/ports/mod.ts";
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

const PATH = `/v1/${PRELOADED_ACTION}`;
const API_KEYS = await apiKeys(options.data);

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

const account = (index: number): string => preloadedAccount(index % ACCOUNTS);
const submission = preloadedSubmission;

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

/** The kept database of that size, written where there is none. */
async function kept(folder: string, size: number): Promise<string> {
  const file = join(folder, `${size}.db`);
  if (await stat(file).catch(() => undefined)) return file;
  const data = `${file}.new`;
  await copyFile(await preload({ data, ended: size, queued: 0, keys: API_KEYS }), file);
  await rm(data, { recursive: true });
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
  const ids = Array.from({ length: SAMPLES }, (_, i) => preloadedId(Math.floor((i * size) / SAMPLES)));
  const recent = Array.from({ length: SAMPLES }, (_, i) => preloadedId(size - 1 - (i % size)));
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

const bodyOf = (idempotency_key: string): string => JSON.stringify({ idempotency_key, source: PRELOADED_SOURCE });
const submit = (subject: Subject, index: number): Promise<void> =>
  ask(subject, API_KEYS[index % ACCOUNTS] ?? "", "PUT", PATH, bodyOf(randomUUID()));
let spaces = "";

/** Calls one at a time: what is timed is each of them, for all sizes in turn, so that whatever slows the machine or its disk slows them alike. */
const CALLS: Readonly<Record<string, (subject: Subject, index: number) => Promise<unknown>>> = {
  "PUT, one at a time": submit,
  "PUT, replay of any operation": (subject, index) => {
    const [account_id, key] = subject.keys[index] ?? ["", ""];
    // More space in each round: the same bytes would be answered from memory.
    return ask(subject, API_KEYS[Number(account_id.slice(4)) - 1] ?? "", "PUT", PATH, bodyOf(key) + spaces);
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
          outputs: PRELOADED_OUTPUTS,
          outputs_listed: PRELOADED_OUTPUTS,
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
    if (options.data === undefined) await preload({ data, ended: size, queued: 0, keys: API_KEYS });
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
