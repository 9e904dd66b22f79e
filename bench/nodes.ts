/**
 * `bun bench/nodes.ts [samples=300] [waiters=100]` (or `deno run -A --no-check …`): 3 api nodes and 2 workers as processes on this machine, with
 * Postgres, Redis and S3 started for real. Tells how soon a waiter on one node is answered after an operation ended on another, while
 * `waiters` others stay open, and how soon a key that was revoked is refused by the other nodes.
 */
import { openPostgresStore } from "../core/adapters/postgres/store.ts";
import { args, exit, runtime } from "../core/adapters/runtime/runtime.ts";
import { hashApiKey, newApiKey } from "../core/base/keys.ts";
import { systemClock } from "../core/base/timers.ts";
import { startFleet } from "../test/e2e/fleet.ts";

const [samples = "300", waiters = "100"] = args;
const fleet = await startFleet();
const { call, submit } = fleet;
try {
  console.log(`${runtime.name} ${runtime.version}, ${samples} ends, ${waiters} other waiters`);
  const slow = async (node: number): Promise<string> => (await submit(node, "slow")).body.test_slow.id;
  const cancel = (node: number, id: string) =>
    call(node, "PUT", "/v1/operations.cancel", { idempotency_key: crypto.randomUUID(), id });
  const wait = (node: number, id: string) => call(node, "GET", `/v1/test.slow?id=${id}&wait=true`);

  const held = await slow(0);
  let open = true;
  const others = Array.from({ length: Number(waiters) }, async (_, n) => {
    while (open) await wait(n % 3, held);
  });
  /** From the answer to the cancel, and from its request: the commit lies between them. */
  const after_answer: number[] = [];
  const after_request: number[] = [];
  for (let n = 0; n < Number(samples); n++) {
    const id = await slow(n % 3);
    let woken_at = 0;
    const waiting = wait((n + 1) % 3, id).then(() => {
      woken_at = performance.now();
    });
    await pause(30);
    const requested_at = performance.now();
    await cancel(n % 3, id);
    const answered_at = performance.now();
    await waiting;
    after_answer.push(Math.max(0, woken_at - answered_at));
    after_request.push(woken_at - requested_at);
  }
  open = false;
  await cancel(0, held);
  await Promise.all(others);
  for (const [name, values] of [
    ["after the other node's answer", after_answer],
    ["after the request that ended it", after_request],
  ] as const) {
    const sorted = [...values].sort((a, b) => a - b);
    const at = (share: number) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
    console.log(`woken ${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, last ${at(1)} ms`);
  }

  const store = await openPostgresStore({ url: fleet.database_url, clock: systemClock });
  const account_id = (await call(0, "GET", "/v1/account")).body.account.id as string;
  const revoked: number[] = [];
  for (let n = 0; n < 20; n++) {
    const key = newApiKey();
    const id = `key_${crypto.randomUUID().replaceAll("-", "")}`;
    const sha256 = hashApiKey(key);
    await store.createKey({ id, account_id, label: "", sha256, last_four: key.slice(-4), created_at: Date.now() });
    for (const node of [0, 1, 2]) await call(node, "GET", "/v1/account", undefined, key);
    await store.revokeKey(account_id, id, Date.now());
    const began = performance.now();
    for (const node of [0, 1, 2]) while ((await call(node, "GET", "/v1/account", undefined, key)).status !== 401);
    revoked.push(performance.now() - began);
  }
  await store.close();
  console.log(`revoked key refused by all three: longest of 20 ${Math.max(...revoked).toFixed(1)} ms`);
} finally {
  await fleet.close();
}
exit(0);

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
