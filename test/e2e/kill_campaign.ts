/** Kills a loaded service again and again and checks from outside that nothing acknowledged was lost. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newApiKey } from "../../core/base/keys.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { freePort, type ServiceProcess, startProcess } from "../process.ts";

export interface CampaignResult {
  readonly kills: number;
  readonly acknowledged: number;
  /** Requests whose answer was lost with the process; each was sent again with its key. */
  readonly interrupted: number;
  readonly ready: number;
  readonly failed: number;
  readonly restart_ms: readonly number[];
}

const CREDITS = 1_000_000;
const CLIENTS = 8;
const PATH = "/v1/adapt.normalise_loudness";

interface Seen {
  readonly operation: string;
  readonly text: string;
}

/** Rejects with an AssertionError on a lost or doubled operation, a wrong ledger, or an operation that does not end. */
export async function killCampaign({
  kills,
  load_ms = 700,
}: {
  kills: number;
  load_ms?: number;
}): Promise<CampaignResult> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-kill-"));
  const key = newApiKey();
  const env = {
    TONWERK_DATA: data,
    TONWERK_FIRST_KEY: key,
    TONWERK_FIRST_CREDITS: String(CREDITS),
    TONWERK_PUT_PER_MINUTE: "0",
    TONWERK_GET_PER_MINUTE: "0",
  };
  const headers = { authorization: `Bearer ${key}` };
  const port = await freePort();
  const acknowledged = new Map<string, Seen>();
  const unsure = new Set<string>();
  const restart_ms: number[] = [];
  let interrupted = 0;
  let service = await startProcess(env, port);
  try {
    const uploaded = await fetch(`${service.url}/v1/files`, {
      method: "PUT",
      headers,
      body: wav(tone(440, 0.5, { channels: 1 }).channels) as Uint8Array<ArrayBuffer>,
    });
    assert.equal(uploaded.status, 200);
    const source = { url: ((await uploaded.json()) as { file: { url: string } }).file.url };
    const submit = async (idempotency_key: string): Promise<void> => {
      const response = await fetch(service.url + PATH, {
        method: "PUT",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ idempotency_key, source }),
      });
      const text = await response.text();
      assert.equal(response.status, 200, text);
      const operation = (JSON.parse(text) as { normalised_audio: { id: string } }).normalised_audio.id;
      const before = acknowledged.get(idempotency_key);
      // A repeated key answers the same bytes, whether the first answer arrived or not.
      if (before !== undefined) assert.deepEqual({ operation, text }, before);
      acknowledged.set(idempotency_key, { operation, text });
      unsure.delete(idempotency_key);
    };

    for (let kill = 0; kill < kills; kill++) {
      let loading = true;
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (loading) {
          const idempotency_key = randomUUID();
          try {
            await submit(idempotency_key);
          } catch (error) {
            if (error instanceof assert.AssertionError) throw error;
            unsure.add(idempotency_key);
            interrupted++;
            return;
          }
          // A pace that the worker keeps up with, more or less: each of these is work to the end.
          await pause(60);
        }
      });
      await pause(load_ms * (0.5 + Math.random()));
      service.kill("SIGKILL");
      await service.exited;
      loading = false;
      await Promise.all(clients);
      const began = performance.now();
      service = await startProcess(env, port);
      restart_ms.push(performance.now() - began);
      // What was acknowledged is there, unchanged; what was interrupted is accepted now, or had been.
      for (const idempotency_key of [...unsure]) await submit(idempotency_key);
      for (const idempotency_key of sample([...acknowledged.keys()], 20)) await submit(idempotency_key);
    }

    const ended = await allEnded(
      service,
      headers,
      new Set([...acknowledged.values()].map(({ operation }) => operation)),
    );
    const account = (await (await fetch(`${service.url}/v1/account`, { headers })).json()) as {
      account: { credits: number };
    };
    // Every operation was charged once; the failed ones, lost too often, were given back.
    assert.equal(account.account.credits, CREDITS - ended.ready);
    service.kill("SIGTERM");
    assert.equal(await service.exited, 0);
    await checkLedger(data, account.account.credits, acknowledged.size);
    return { kills, acknowledged: acknowledged.size, interrupted, ...ended, restart_ms };
  } finally {
    service.kill("SIGKILL");
    await service.exited;
    await rm(data, { recursive: true, force: true });
  }
}

/** Lists until everything has ended. Every acknowledged operation must be among the account's, and no other. */
async function allEnded(
  service: ServiceProcess,
  headers: Readonly<Record<string, string>>,
  wanted: ReadonlySet<string>,
): Promise<{ ready: number; failed: number }> {
  for (;;) {
    const seen = new Map<string, string>();
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const response = await fetch(`${service.url}/v1/operations?limit=100${query}`, { headers });
      const page = (await response.json()) as {
        operations: { id: string; status: string; error: { code: string } | null }[];
        next_cursor: string | null;
      };
      for (const { id, status, error } of page.operations) {
        seen.set(id, status);
        if (error !== null) assert.equal(error.code, "internal_error");
      }
      cursor = page.next_cursor;
    }
    assert.deepEqual(
      [...wanted].filter((id) => !seen.has(id)),
      [],
      "acknowledged operations were lost",
    );
    assert.equal(seen.size, wanted.size, "operations exist that nobody was told of");
    const count = (status: string) => [...seen.values()].filter((found) => found === status).length;
    if (count("processing") === 0) return { ready: count("ready"), failed: count("failed") };
    await pause(200);
  }
}

/** Reads the database of the stopped service: the ledger must equal the balance, with one debit for each operation. */
async function checkLedger(data: string, credits: number, operations: number): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(join(data, "tonwerk.db"), { readOnly: true });
  try {
    const one = (sql: string) => Object.values(database.prepare(sql).get() as Record<string, unknown>)[0];
    assert.equal(one("SELECT sum(credits) FROM ledger"), credits);
    assert.equal(one("SELECT count(*) FROM ledger WHERE kind = 'debit'"), operations);
    assert.equal(one("SELECT count(DISTINCT operation_id) FROM ledger WHERE kind = 'debit'"), operations);
    assert.equal(one("PRAGMA integrity_check"), "ok");
  } finally {
    database.close();
  }
}

function sample<T>(values: readonly T[], count: number): T[] {
  return Array.from(
    { length: Math.min(count, values.length) },
    () => values[Math.floor(Math.random() * values.length)]!,
  );
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
