/**
 * `bun bench/dashboard.ts [operations=100000] [rounds=40]`: how long each page of the dashboard takes, over loopback with a session, when
 * the account has so many operations, as many ledger lines and as many webhooks. Every page in turn, `rounds` times; median and p95.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { args, exit, runtime, serve } from "../core/adapters/runtime/runtime.ts";
import { loadConfig } from "../core/base/config.ts";
import { startService } from "../core/service.ts";
import { issueLink, LINK_MS } from "../plugins/dashboard/people/sign_in_links.ts";
import { freePort } from "../test/process.ts";

const [count_text = "100000", rounds_text = "40"] = args;
const [COUNT, ROUNDS] = [Number(count_text), Number(rounds_text)];
const DAY_MS = 86_400_000;
const ACTION = "create.new_song";
/** A song's lyrics; `COUNT` is replaced by the number of the operation. */
const REQUEST = JSON.stringify({
  fields: {
    lyrics: "[Verse]\nThe lamps go out along the quay\nand nobody is left but me\n".repeat(12),
    prompt: "a slow waltz, take COUNT",
  },
  loudness: { target_lufs: -14, allow_compression: true },
  seed: 1,
  metadata: { project: "film" },
});
const OUTPUTS = JSON.stringify([
  {
    object: "op/op_00000000000000000000000000/1/0.flac",
    duration: 30,
    bytes: 3_000_000,
    sha256: "f".repeat(64),
    engine: "master",
    loudness: { lufs: -14, true_peak_dbtp: -1.2, compressed: false },
    report: null,
  },
]);

/** Ended operations of the last 30 days, written by one statement a table. */
function fill(file: string, account: string): void {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN");
  const began = Date.now() - 30 * DAY_MS;
  const step = Math.floor((30 * DAY_MS) / COUNT);
  db.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
     INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, response, callback_url,
       created_at, started_at, completed_at, expires_at, attempt, progress, outputs)
     SELECT printf('op_%026d', i), ?2, ?3, 'dsp', 'ready', 'key ' || i, '', 1, ?4, '{}', 'https://hooks.example.com/x',
       ?5 + i * ?6, ?5 + i * ?6, ?5 + i * ?6, ?5 + i * ?6 + 5184000000, 1, 1, ?7 FROM n`.replace(
      "?4",
      "replace(?4, 'COUNT', 'no' || i)",
    ),
  ).run(COUNT, account, ACTION, REQUEST, began, step, OUTPUTS);
  db.exec("UPDATE operations SET outputs_listed = outputs");
  db.prepare(
    `INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
     SELECT account_id, id, 'debit', -1, '', created_at FROM operations`,
  ).run();
  db.prepare("UPDATE accounts SET credits = credits - ?").run(COUNT);
  db.prepare(
    `INSERT INTO webhooks (id, operation_id, account_id, type, url, host, body, state, created_at, first_attempt_at, attempts)
     SELECT 'evt_' || substr(id, 4), id, account_id, action || '.ready', callback_url, 'hooks.example.com', '{}', 'delivered', created_at, created_at, 1
     FROM operations`,
  ).run();
  db.prepare(
    "INSERT INTO webhook_attempts (webhook_id, attempt, started_at, duration_ms, status, detail) SELECT id, 1, created_at, 40, 200, '' FROM webhooks",
  ).run();
  db.exec("COMMIT");
  db.close();
}

const data = await mkdtemp(join(tmpdir(), "tonwerk-dashboard-"));
const port = await freePort();
const config = loadConfig({
  TONWERK_DATA: data,
  PORT: String(port),
  TONWERK_FIRST_CREDITS: String(10 * COUNT),
  TONWERK_ROLE: "api",
});
try {
  const first = await startService(config, () => undefined);
  const made = await issueLink(
    { ...first.facade, base_url: config.base_url },
    first.first!.account_id,
    null,
    LINK_MS.first,
  );
  const link = new URL(made.url);
  const account = (await first.store.accounts({ limit: 1 }))[0]!.id;
  await first.close();
  fill(join(data, "tonwerk.db"), account);

  const service = await startService(config, () => undefined);
  const server = await serve({ hostname: "127.0.0.1", port, fetch: service.app });
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit = {}): Promise<{ text: string; status: number }> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(server.url + path, { redirect: "manual", ...init, headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      cookies.set(name, value);
    }
    return { text: await response.text(), status: response.status };
  };
  const form = await ask(link.pathname + link.search);
  const csrf = /name="csrf" value="([^"]+)"/u.exec(form.text)?.[1] ?? "";
  const values = {
    csrf,
    token: link.searchParams.get("token") ?? "",
    email: "owner@example.com",
    password: "a violin in the rain",
  };
  await ask("/dashboard/link", { method: "POST", body: new URLSearchParams(values) });

  const middle = `op_${String(Math.floor(COUNT / 2)).padStart(26, "0")}`;
  const pages = [
    "",
    "/playground",
    "/playground/create.new_song",
    "/playground/adapt.auto_duck",
    "/operations",
    `/operations?before=${middle}`,
    `/operations?status=failed&action=${ACTION}`,
    "/operations?find=waltz",
    "/operations?find=no5",
    "/operations?find=violin",
    "/operations?find=project%3Dfilm",
    `/operations/${middle}`,
    "/usage",
    "/usage?days=90",
    "/keys",
    "/secrets",
    "/deliveries",
    `/deliveries?state=failed`,
    `/deliveries/${middle.replace("op_", "evt_")}`,
    "/leaks",
    "/members",
    "/settings",
  ];
  const times = new Map<string, number[]>(pages.map((page) => [page, []]));
  for (let round = -3; round < ROUNDS; round++) {
    for (const page of pages) {
      const before = performance.now();
      const { status } = await ask(`/dashboard${page}`);
      if (status !== 200) throw new Error(`${page} is answered with ${status}`);
      // The first rounds warm up.
      if (round >= 0) times.get(page)!.push(performance.now() - before);
    }
  }
  console.log(
    `${runtime.name} ${runtime.version}, ${COUNT} operations, ${ROUNDS} rounds, load average ${loadavg()[0]!.toFixed(1)}`,
  );
  for (const [page, taken] of times) {
    const sorted = taken.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1);
    console.log(`| \`${page.replace(middle, "op_…") || "/"}\` | ${at(0.5)} | ${at(0.95)} |`);
  }
  await server.stop();
  await service.drain(0);
  await service.close();
} finally {
  await rm(data, { recursive: true, force: true });
}
exit(0);
