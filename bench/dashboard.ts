/**
 * Pages of the dashboard and listings of the embedded store with many operations: the median and the 95th percentile of each, in this
 * process, through the same function that the socket calls. Everything is made by the store's own verbs: submissions with debits, ends,
 * webhooks with attempts, and leak reports, over 90 days of two accounts.
 *
 *     bun bench/dashboard.ts [operations] [repeats]
 *     deno run -A bench/dashboard.ts [operations] [repeats]
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../core/config.ts";
import { newId } from "../core/ids.ts";
import type { Store } from "../core/ports.ts";
import type { StoredOutput, StoredRequest } from "../core/render.ts";
import { type Service, startService } from "../core/service.ts";
import { median, THIS_RUNTIME } from "./measure.ts";

const count = Number(process.argv[2] ?? 100_000);
const repeats = Number(process.argv[3] ?? 50);
const DAY_MS = 86_400_000;
const DAYS = 90;
const ACTIONS = ["create.new_song", "create.new_fx", "adapt.normalise_loudness", "adapt.separate_stems"] as const;
const PASSWORD = "correct horse battery";
const HOST = { address: "127.0.0.1" };

/** One ready output, as a worker stores it. */
const OUTPUTS = JSON.stringify([
  {
    object: "op/none/1/0.flac",
    bytes: 1_234_567,
    sha256: "ab".repeat(32),
    duration: 12.5,
    engine: "built-in",
    report: { target_duration: 12.5, cuts: [] },
    loudness: { lufs: -14, true_peak_dbtp: -1.2, compressed: false },
  } satisfies StoredOutput,
]);

const folder = await mkdtemp(join(tmpdir(), "tonwerk-dashboard-"));
try {
  const config = loadConfig({ TONWERK_DATA: folder, TONWERK_ROLE: "api", TONWERK_FIRST_CREDITS: "1000000000" });
  const service = await startService(config, () => undefined);
  try {
    await measure(service);
  } finally {
    await service.drain(1_000);
    await service.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(service: Service): Promise<void> {
  const { store, admin } = service;
  const cookie = await signIn(service);
  const [{ id: account_id } = { id: "" }] = await store.accounts({ limit: 1 });
  const other = await admin.createAccount({ name: "Beside it", credits: 1_000_000 });
  const began = performance.now();
  const last = await seed(store, account_id, other.account.id);
  console.log(
    `${THIS_RUNTIME}: ${count.toLocaleString("en")} operations made in ${((performance.now() - began) / 1000).toFixed(0)} s, ${repeats} repeats`,
  );

  const middle = newId("op_", Date.now() - 45 * DAY_MS);
  const limit = 51;
  const now = Date.now();
  const looks: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["list: newest", () => store.list(account_id, { limit })],
    ["list: from the middle", () => store.list(account_id, { limit, before: middle })],
    ["list: one action, failed", () => store.list(account_id, { limit, action: ACTIONS[1], status: "failed" })],
    ["list: a day", () => store.list(account_id, { limit, before: middle, after: newId("op_", now - 46 * DAY_MS) })],
    ["list: processing", () => store.list(account_id, { limit, status: "processing" })],
    ["deliveries: newest", () => store.deliveries(account_id, { limit })],
    ["deliveries: failed", () => store.deliveries(account_id, { limit, state: "failed" })],
    ["ledger", () => store.ledger(account_id, { limit })],
    ["usage: 90 days", () => store.usage(account_id, now - DAYS * DAY_MS, now + DAY_MS)],
    ["keys", () => store.keys(account_id)],
    ["leaks", () => store.leaks(account_id, { limit })],
    ["users", () => store.users(account_id)],
  ];
  for (const [name, look] of looks) print(`store ${name}`, await time(look));

  const pages = [
    "",
    "/operations",
    "/operations?status=failed",
    `/operations?action=${ACTIONS[2]}&status=ready`,
    `/operations?before=${middle}`,
    `/operations/${last}`,
    "/deliveries",
    "/deliveries?state=failed",
    `/deliveries/${last}`,
    "/usage",
    "/keys",
    "/secrets",
    "/leaks",
    "/members",
    "/settings",
    "/playground",
    `/playground/${ACTIONS[0]}`,
  ];
  for (const path of pages) {
    const url = `${service.config.base_url}/dashboard${path}`;
    let status = 0;
    const times = await time(async () => {
      const response = await service.app(new Request(url, { headers: { cookie } }), HOST);
      await response.arrayBuffer();
      status = response.status;
    });
    print(`GET /dashboard${path.replace(/op_\w{26}/, "op_…")} ${status}`, times);
  }
}

async function time(work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = -5; i < repeats; i++) {
    const began = performance.now();
    await work();
    // The first few compile.
    if (i >= 0) times.push(performance.now() - began);
  }
  return times;
}

function print(name: string, times: readonly number[]): void {
  const sorted = [...times].sort((one, two) => one - two);
  const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
  console.log(`${name.padEnd(64)} ${median(times).toFixed(2).padStart(8)} ms  p95 ${p95.toFixed(2).padStart(8)} ms`);
}

async function signIn({ sessions, first, config }: Service): Promise<string> {
  const token = new URL(first?.link.url ?? "").searchParams.get("token") ?? "";
  const visit = { request: new Request(`${config.base_url}/dashboard/link`, { method: "POST" }), peer: HOST };
  const outcome = await sessions.redeem(visit, token, { email: "owner@example.com", password: PASSWORD });
  if (outcome.kind !== "entered") throw new Error(`Cannot sign in: ${outcome.message}`);
  return outcome.cookies.map((one) => one.split(";", 1)[0]).join("; ");
}

/** Resolves to the newest operation that has ended with a webhook. */
async function seed(store: Store, account_id: string, other: string): Promise<string> {
  const start = Date.now() - DAYS * DAY_MS;
  let last = "";
  const made: { id: string; at: number; index: number }[] = [];
  for (let index = 0; index < count; index += 500) {
    await Promise.all(
      Array.from({ length: Math.min(500, count - index) }, async (_, i) => {
        const n = index + i;
        const at = Math.floor(start + (n / count) * DAYS * DAY_MS);
        const id = newId("op_", at);
        const fields = {
          prompt: `A slow waltz about the sea, number ${n}`,
          lyrics: "La ".repeat(100),
          n_variations: 1,
        };
        const request = { fields, loudness: null, seed: n } satisfies StoredRequest;
        await store.submit({
          id,
          account_id: n % 5 === 0 ? other : account_id,
          action: ACTIONS[n % ACTIONS.length]!,
          idempotency_key: randomUUID(),
          fingerprint: "f".repeat(64),
          cost: 3,
          work: "dsp",
          request: JSON.stringify(request),
          sources: [],
          callback_url: n % 3 === 0 ? "https://example.com/hook" : null,
          response: JSON.stringify({ operation: { id, ...fields } }),
          created_at: at,
          files: [],
          files_until: at,
        });
        made.push({ id, at, index: n });
        if (n % 3 === 0 && n % 5 !== 0 && n < count - 100) last = id;
      }),
    );
    // All but the newest hundred have ended.
    await Promise.all(
      made
        .splice(0)
        .filter(({ index: n }) => n < count - 100)
        .map(({ id, at, index: n }) => {
          const failed = n % 10 === 9;
          return store.terminate({
            id,
            attempt: 0,
            status: failed ? "failed" : "ready",
            outputs: failed ? null : OUTPUTS,
            error: failed ? '{"code":"source_silent","message":"The source is silent"}' : null,
            refund: failed,
            completed_at: at + 5_000,
            expires_at: Date.now() + 30 * DAY_MS,
            objects: [],
            webhook:
              n % 3 === 0
                ? {
                    id: newId("evt_", at + 5_000),
                    type: "a.ready",
                    url: "https://example.com/hook",
                    host: `example.com:${n % 50}`,
                    body: JSON.stringify({ operation: { id, lyrics: "La ".repeat(100) } }),
                  }
                : null,
          });
        }),
    );
  }
  // Two attempts each of some thousand deliveries.
  for (let round = 0; round < 80; round++) {
    const claimed = await store.claimWebhooks("bench", 64, 30_000, { host_max: 64, account_max: 64 });
    await Promise.all(
      claimed.map(({ id, attempts }, i) => {
        const state = attempts < 2 ? "pending" : i % 4 === 0 ? "failed" : "delivered";
        const attempt = {
          webhook_id: id,
          attempt: attempts,
          started_at: Date.now(),
          duration_ms: 20,
          status: 500,
          detail: "",
        };
        return store.recordWebhook(attempt, state, state === "pending" ? Date.now() : null);
      }),
    );
  }
  const key = (await store.keys(account_id))[0]!;
  for (let i = 0; i < 200; i++) {
    const created_at = Date.now();
    const report = { id: newId("leak_", created_at), key_id: key.id, source: "content", created_at };
    await store.reportLeak({ ...report, url: `https://git.example/${i}` }, null);
  }
  return last;
}
