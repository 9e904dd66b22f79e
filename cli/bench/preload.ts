/**
 * `tonwerk bench preload`: a store of its own with so many operations, written straight into the database, to see how
 * an installation fares that has grown. Whole rows: sizes as those of real operations, random idempotency keys, debits,
 * a balance that is the sum of its ledger. What is not there are the files of the results.
 */
import { hash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { newId, operationId } from "../../core/base/ids.ts";
import { canonicalJson } from "../../core/base/json.ts";
import { hashApiKey, lastFour } from "../../core/base/keys.ts";
import { systemClock } from "../../core/base/timers.ts";
import type { Submission } from "../../core/ports/mod.ts";

export interface Preload {
  /** Of an installation that does not exist yet. */
  readonly data: string;
  /** Ended ones; one in fifty failed and was refunded. */
  readonly ended: number;
  /** Those that wait for a worker. */
  readonly queued: number;
  /** One account for each. */
  readonly keys: readonly string[];
}

export const PRELOADED_ACTION = "adapt.normalise_loudness";
/** Reserved (RFC 6761): a worker that takes such an operation finds no host, and asks nobody. */
export const PRELOADED_SOURCE = { url: "https://source.invalid/song.flac" };
const LOUDNESS = { target_lufs: -14, allow_compression: true };
/** As core makes it of a body with this source and nothing else, so that these can be replayed. */
const FINGERPRINT = hash(
  "sha256",
  canonicalJson([PRELOADED_ACTION, { source: PRELOADED_SOURCE }, LOUDNESS, null, null]),
  "hex",
);
const CREDITS = 1_000_000_000;
const RETENTION_MS = 30 * 86_400_000;

const output = (report: object | null) =>
  JSON.stringify([
    {
      object: "op/op_00000000000000000000000000/1/output.flac",
      duration: 30,
      bytes: 3_000_000,
      sha256: "f".repeat(64),
      engine: "builtin",
      loudness: { lufs: -14, true_peak_dbtp: -1.2, compressed: false },
      report,
    },
  ]);
const REPORT = { input_lufs: -19.32, gain_db: 5.32, limiter: Array.from({ length: 60 }, (_, n) => n % 7) };

export const PRELOADED_OUTPUTS = output(null);

export const preloadedAccount = (index: number): string => `acc_${String(index + 1).padStart(26, "0")}`;
/** The ended operation at `index`; it belongs to the account at `index` modulo their number. */
export const preloadedId = (index: number): string => `op_${String(index).padStart(26, "0")}`;

export function preloadedSubmission(account_id: string): Submission {
  const now = Date.now();
  const id = operationId(now);
  return {
    id,
    account_id,
    action: PRELOADED_ACTION,
    idempotency_key: randomUUID(),
    fingerprint: FINGERPRINT,
    cost: 1,
    work: "dsp",
    weight: 3,
    request: JSON.stringify({ fields: { source: PRELOADED_SOURCE }, loudness: LOUDNESS, seed: 1 }),
    sources: [{ name: "source", object: null, url: PRELOADED_SOURCE.url }],
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

/** Returns the path of the database. */
export async function preload({ data, ended, queued, keys }: Preload): Promise<string> {
  await mkdir(data, { recursive: true });
  const file = join(data, "tonwerk.db");
  if (existsSync(file))
    throw new Error(`"${file}" is there already: an installation in use is not filled with made-up operations`);
  // Loaded here: other commands need no store.
  const { openSqliteStore } = await import("../../core/adapters/sqlite/store.ts");
  const open = () => openSqliteStore({ file, clock: systemClock });
  const made = await open();
  for (const [index, key] of keys.entries()) {
    const [account_id, created_at] = [preloadedAccount(index), 1];
    await made.createAccount(
      { id: account_id, name: `Preloaded ${index}`, credits: CREDITS, created_at },
      {
        id: newId("key_", Date.now()),
        account_id,
        label: "",
        sha256: hashApiKey(key),
        last_four: lastFour(key),
        created_at,
      },
    );
  }
  await made.close();
  for (let from = 0; from < ended; from += BATCH) {
    insertEnded(file, from, Math.min(ended, from + BATCH), { ended, accounts: keys.length });
    // Reads the new keys and writes them into their index, which would take gigabytes of memory for ten million at once.
    await (await open()).close();
  }
  if (ended > 0) countCredits(file);
  const store = await open();
  for (let done = 0; done < queued; done += 500) {
    const next = Array.from({ length: Math.min(500, queued - done) }, (_, n) =>
      preloadedAccount((done + n) % keys.length),
    );
    await Promise.all(next.map((account) => store.submit(preloadedSubmission(account))));
  }
  await store.close();
  return file;
}

/** Operations written at once. */
const BATCH = 200_000;

/** Those from `from` up to and without `to`, by one statement for each table. */
function insertEnded(
  file: string,
  from: number,
  to: number,
  { ended, accounts }: { readonly ended: number; readonly accounts: number },
): void {
  const db = openForBulk(file);
  const { request, response } = preloadedSubmission(preloadedAccount(0));
  const began = Date.now() - ended;
  const error = JSON.stringify({ code: "source_unreachable", message: "The source could not be fetched" });
  db.prepare(
    `WITH RECURSIVE n (i) AS (SELECT ?9 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
     INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, response, created_at,
       started_at, completed_at, expires_at, attempt, progress, outputs, outputs_listed, error)
     SELECT printf('op_%026d', i), printf('acc_%026d', i % ${accounts} + 1), '${PRELOADED_ACTION}', 'dsp', iif(i % 50 = 49, 'failed', 'ready'),
       lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' ||
         substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
       ?2, 1, ?3, ?4, ?5 + i, ?5 + i, ?5 + i, ?5 + i + ${RETENTION_MS}, 1, 1,
       iif(i % 50 = 49, NULL, ?6), iif(i % 50 = 49, NULL, ?7), iif(i % 50 = 49, ?8, NULL) FROM n`,
  ).run(to, FINGERPRINT, request, response, began, output(REPORT), PRELOADED_OUTPUTS, error, from);
  const first = `'${preloadedId(from)}'`;
  db.exec(
    `INSERT INTO operation_sources SELECT id, 0, 'source', NULL, '${PRELOADED_SOURCE.url}' FROM operations WHERE id >= ${first};
     INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
       SELECT account_id, id, 'debit', -1, action, created_at FROM operations WHERE id >= ${first};
     INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
       SELECT account_id, id, 'refund', 1, status, completed_at FROM operations WHERE id >= ${first} AND status = 'failed';
     INSERT INTO ledger_lists SELECT account_id, id FROM ledger WHERE id > (SELECT line FROM listed) ORDER BY account_id, id;
     UPDATE listed SET line = (SELECT max(id) FROM ledger);
     INSERT INTO objects SELECT 'op/' || id || '/1/output.flac', id FROM operations WHERE id >= ${first} AND status = 'ready'`,
  );
  db.close();
}

/** The balance of each account is the sum of its lines. */
function countCredits(file: string): void {
  const db = openForBulk(file);
  db.exec(
    `WITH sums AS (SELECT account_id, sum(credits) AS credits FROM ledger GROUP BY account_id)
     UPDATE accounts SET credits = sums.credits FROM sums WHERE sums.account_id = accounts.id;
     INSERT INTO usage_parts (day, account_id, action, key_id, operations, debited, refunded)
       SELECT created_at - created_at % 86400000, account_id, '${PRELOADED_ACTION}', '', sum(kind = 'debit'),
         -sum(min(credits, 0)), sum(iif(kind = 'refund', credits, 0)) FROM ledger WHERE kind <> 'grant' GROUP BY 1, 2`,
  );
  db.close();
}

/**
 * A file of made-up operations that breaks off is thrown away, and a log would be as large as the file. Both runtimes
 * refuse to have no journal at all; of pages that are new it keeps nothing.
 */
function openForBulk(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000");
  return db;
}
