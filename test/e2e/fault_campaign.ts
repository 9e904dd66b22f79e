/**
 * Makes one fault after another under load, and checks from outside that nothing acknowledged was lost, nothing hangs,
 * and the ledger is right.
 */
import assert from "node:assert/strict";
import { openTestLink } from "../services/postgres.ts";
import { CREDITS, type Fleet } from "./fleet.ts";

interface Fault {
  readonly name: string;
  /** From the service's return to the first submission that was accepted, and to the first operation that came to its end after that. */
  readonly accepted_ms: number;
  readonly ended_ms: number;
}

export interface Campaign {
  readonly acknowledged: number;
  /** Requests that were answered with 503 or whose connection broke; each was sent again with its key. */
  readonly refused: number;
  readonly faults: readonly Fault[];
}

export interface CampaignOptions {
  /** How long each service is away. */
  readonly outage_ms: number;
  /** Between two operations of a client. */
  readonly pace_ms: number;
  /** Credits that were spent before. */
  readonly spent: number;
  readonly say?: (line: string) => void;
}

const CLIENTS = 3;

/** Rejects with an AssertionError on a lost or doubled operation, a wrong ledger, or a request beyond its deadline. */
export async function faultCampaign(
  fleet: Fleet,
  { outage_ms, pace_ms, spent, say }: CampaignOptions,
): Promise<Campaign> {
  const { postgres, redis, s3, submit, call } = fleet;
  const acknowledged = new Map<string, string>();
  const unsure = new Set<string>();
  let refused = 0;
  let loading = true;

  /** True: accepted. A fault may answer 503 or break the connection; anything else is a failure of the test. */
  const attempt = async (node: number, key: string): Promise<boolean> => {
    try {
      const { status, text, body } = await submit(node, "copy", key);
      if (status === 503) {
        unsure.add(key);
        refused++;
        return false;
      }
      assert.equal(status, 200, text);
      const known = acknowledged.get(key);
      assert.ok(known === undefined || known === body.test_copy.id, "a repeated key is the same operation");
      acknowledged.set(key, body.test_copy.id);
      unsure.delete(key);
      return true;
    } catch (error) {
      // TimeoutError: a request that hung beyond its deadline.
      if (error instanceof assert.AssertionError || (error as Error).name === "TimeoutError") throw error;
      unsure.add(key);
      refused++;
      return false;
    }
  };
  /** Waits for the end, on one node after another; what a fault answers is asked again. */
  const untilEnded = async (node: number, key: string): Promise<void> => {
    const id = acknowledged.get(key);
    for (let turn = node; ; turn++) {
      try {
        const { status, body } = await call(turn % 3, "GET", `/v1/test.copy?id=${id}&wait=true`);
        if (status === 200 && body.test_copy.status !== "processing") return;
      } catch (error) {
        if ((error as Error).name === "TimeoutError") throw error;
      }
      await pause(20);
    }
  };
  // Each has one operation under way: what is measured is the recovery, not a backlog.
  const clients = Array.from({ length: CLIENTS }, async (_, node) => {
    while (loading) {
      const key = crypto.randomUUID();
      if (await attempt(node, key)) await untilEnded(node, key);
      await pause(pace_ms);
    }
  });
  const all = Promise.all(clients);
  const failed = all.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  // Servers are children that nobody waits for: without this Deno would see nothing left to do between two requests.
  const alive = setInterval(() => undefined, 1_000);

  const away = async (begin: () => unknown, end: () => unknown): Promise<void> => {
    await begin();
    await pause(outage_ms);
    await end();
  };
  const kinds: readonly (readonly [string, () => Promise<void>])[] = [
    ["Postgres stops at once and starts again", () => away(postgres.stopImmediately, postgres.start)],
    ["Postgres backends are killed", () => killBackends(fleet)],
    ["Redis is killed and starts again empty", () => away(redis.kill, redis.start)],
    ["Redis is flushed", async () => void (await redis.command("FLUSHALL"))],
    ["S3 answers 500", () => away(() => s3.answer(500, 1_000_000), s3.heal)],
    ["S3 resets every connection", () => away(s3.cut, s3.heal)],
    ["S3 cuts answers short", () => away(() => s3.truncate({ after_bytes: 20_000, count: 1_000_000 }), s3.heal)],
    ["S3 answers late", () => away(() => s3.delay(300), s3.heal)],
  ];
  const faults: Fault[] = [];
  for (const [name, make] of kinds) {
    await Promise.race([make(), failed]);
    const back = performance.now();
    let node = 0;
    const key = crypto.randomUUID();
    while (!(await attempt(node++ % 3, key))) await pause(20);
    const accepted_ms = performance.now() - back;
    await untilEnded(node, key);
    const ended_ms = performance.now() - back;
    faults.push({ name, accepted_ms, ended_ms });
    say?.(`${name}: accepted after ${accepted_ms.toFixed(0)} ms, ended after ${ended_ms.toFixed(0)} ms`);
  }
  loading = false;
  await all;
  clearInterval(alive);

  // What was interrupted is accepted now, or had been.
  for (const key of [...unsure]) assert.ok(await attempt(0, key), "accepted once all is well");
  let paid = 0;
  for (const [key, id] of acknowledged) {
    const operation = await ended(fleet, id);
    assert.equal(operation.status, "ready", JSON.stringify(operation.error) + logged(fleet, id));
    assert.equal(operation.idempotency_key, key);
    paid += operation.cost;
  }
  assert.equal((await call(0, "GET", "/v1/account")).body.account.credits, CREDITS - spent - paid);
  await checkLedger(fleet, CREDITS - spent - paid);
  return { acknowledged: acknowledged.size, refused, faults };
}

/** What the workers said of it. */
function logged({ workers }: Fleet, id: string): string {
  const lines = workers.flatMap((worker) => worker.output().split("\n"));
  return lines.filter((line) => line.includes(id)).join("\n");
}

async function ended({ call }: Fleet, id: string) {
  for (let node = 0; ; node++) {
    const { status, text, body } = await call(node % 3, "GET", `/v1/test.copy?id=${id}&wait=true`);
    assert.equal(status, 200, text);
    if (body.test_copy.status !== "processing") return body.test_copy;
  }
}

async function killBackends({ database_url }: Fleet): Promise<void> {
  const link = await openTestLink(database_url);
  try {
    await link.script(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
  } finally {
    await link.close();
  }
}

/** The ledger's sum is the balance, and no operation was charged or refunded twice. */
async function checkLedger({ database_url }: Fleet, credits: number): Promise<void> {
  const link = await openTestLink(database_url);
  try {
    const [sum] = await link.query("SELECT sum(credits)::BIGINT AS n FROM ledger", []);
    assert.equal(Number(sum?.n), credits);
    const twice = await link.query(
      "SELECT operation_id FROM ledger WHERE operation_id IS NOT NULL GROUP BY operation_id, kind HAVING count(*) > 1",
      [],
    );
    assert.deepEqual(twice, []);
  } finally {
    await link.close();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
