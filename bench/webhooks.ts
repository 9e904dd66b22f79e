/**
 * Webhooks: from the end of an operation to the first byte at the receiver, at a steady rate; how many a second at most; and what a host
 * that hangs does to the others. Real store, real sockets, a receiver in a process of its own on loopback addresses.
 *
 *     bun bench/webhooks.ts [ends a second] [seconds]
 *     deno run -A bench/webhooks.ts [ends a second] [seconds]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAudit } from "../core/accounts/audit.ts";
import { createOutbound } from "../core/adapters/outbound/outbound.ts";
import { openSqliteStore } from "../core/adapters/sqlite/store.ts";
import { newId, operationId } from "../core/base/ids.ts";
import type { Log } from "../core/base/log.ts";
import { createSecrets, newSigningSecret } from "../core/base/secrets.ts";
import { systemClock } from "../core/base/timers.ts";
import type { Store } from "../core/ports/mod.ts";
import { startWebhooks } from "../core/webhooks/deliver.ts";

const HOSTS = 20;
const ACCOUNTS = 20;
/** Comparable between processes of one machine. */
const now = (): number => performance.timeOrigin + performance.now();

async function measure(rate: number, seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-bench-"));
  const receiver = await startReceiver();
  const store = await openSqliteStore({ file: join(folder, "bench.db"), clock: systemClock });
  const secrets = createSecrets({ secret: Buffer.alloc(32, 1).toString("base64") });
  const accounts = await createAccounts(store, secrets);
  const log: Log = (event, fields) => {
    if (event.includes("error") || event.includes("away")) console.error(event, fields);
  };
  const webhooks = startWebhooks(
    {
      store,
      clock: systemClock,
      secrets,
      audit: createAudit({ store, clock: systemClock, log, days: 1 }),
      outbound: createOutbound({ private_hosts: () => true }),
      log,
    },
    { name: "bench", user_agent: "Tonwerk/bench" },
  );
  const url = (index: number): string => `http://127.0.1.${1 + (index % HOSTS)}:${receiver.port}/hook`;
  const bench: Bench = { store, accounts, receiver };
  try {
    console.log(`${cpus().length} cores, ${HOSTS} hosts, ${ACCOUNTS} accounts, bodies of ${BODY.length} bytes`);
    const operations = await submit(bench, rate * seconds);
    report(`${rate} ends a second`, await endAtRate(bench, operations, rate, url));
    await flood(bench, 5_000, url, `${HOSTS} hosts`);
    await flood(bench, 2_000, () => url(0), "one host");
    const hanging = await submit(bench, 2_000);
    await end(bench, hanging, () => `http://127.0.2.1:${receiver.port}/hook`);
    const others = await submit(bench, 100 * seconds);
    report("100 ends a second beside 2,000 webhooks for a host that hangs", await endAtRate(bench, others, 100, url));
  } finally {
    await webhooks.drain(0);
    await store.close();
    receiver.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Bench {
  readonly store: Store;
  readonly accounts: readonly string[];
  readonly receiver: Receiver;
}

interface Waiting {
  readonly id: string;
  readonly webhook: string;
}

/** About what an operation with two outputs renders to. */
const BODY = JSON.stringify({ song: { id: "op_".padEnd(29, "0"), status: "ready", outputs: "x".repeat(1_500) } });

async function createAccounts(store: Store, secrets: ReturnType<typeof createSecrets>): Promise<readonly string[]> {
  const ids = Array.from({ length: ACCOUNTS }, (_, index) => `acc_${index}`);
  for (const id of ids) {
    const secret_id = `sec_${id}`;
    const sealed = secrets.seal(newSigningSecret(), secret_id);
    const secret = { id: secret_id, account_id: id, label: "", sealed, created_at: 0 };
    await store.createAccount({ id, name: id, credits: 1, created_at: 0 }, undefined, secret);
  }
  return ids;
}

async function submit({ store, accounts }: Bench, count: number): Promise<readonly Waiting[]> {
  const at = Date.now();
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const id = operationId(at);
      await store.submit({
        id,
        account_id: accounts[index % accounts.length]!,
        action: "create.new_song",
        idempotency_key: crypto.randomUUID(),
        fingerprint: "f".repeat(64),
        cost: 0,
        work: "generation",
        weight: 3,
        request: "{}",
        sources: [],
        callback_url: "http://127.0.0.1/",
        response: "{}",
        created_at: at,
        metadata: null,
        deadline_at: null,
        files: [],
        files_until: at,
      });
      return { id, webhook: newId("evt_", at) };
    }),
  );
}

/** Ends them all now. Resolves to when each end was committed. */
async function end(
  { store }: Bench,
  operations: readonly Waiting[],
  url: (index: number) => string,
  first = 0,
): Promise<ReadonlyMap<string, number>> {
  const committed = new Map<string, number>();
  await Promise.all(
    operations.map(async ({ id, webhook }, index) => {
      const at = Date.now();
      const to = url(first + index);
      await store.terminate({
        id,
        attempt: 0,
        status: "ready",
        outputs: "[]",
        outputs_listed: "[]",
        error: null,
        refund: false,
        completed_at: at,
        expires_at: at + 86_400_000,
        objects: [],
        webhooks: [
          {
            ...{ id: webhook, endpoint_id: null, type: "create.new_song.ready" },
            ...{ url: to, host: new URL(to).host, body: BODY },
          },
        ],
      });
      committed.set(webhook, now());
    }),
  );
  return committed;
}

/** Milliseconds from commit to first byte, for each. */
async function endAtRate(
  bench: Bench,
  operations: readonly Waiting[],
  rate: number,
  url: (index: number) => string,
): Promise<readonly number[]> {
  const committed = new Map<string, number>();
  const ends: Promise<void>[] = [];
  const began = now();
  for (let sent = 0; sent < operations.length; ) {
    const due = Math.min(operations.length, Math.ceil(((now() - began) / 1000) * rate));
    const batch = operations.slice(sent, due);
    ends.push(
      end(bench, batch, url, sent).then((done) => {
        for (const [id, at] of done) committed.set(id, at);
      }),
    );
    sent = due;
    await pause(4);
  }
  await Promise.all(ends);
  const arrived = await bench.receiver.all([...committed.keys()]);
  return [...committed].map(([id, at]) => arrived.get(id)! - at);
}

async function flood(bench: Bench, count: number, url: (index: number) => string, what: string): Promise<void> {
  const operations = await submit(bench, count);
  const began = now();
  const committed = await end(bench, operations, url);
  const arrived = await bench.receiver.all([...committed.keys()]);
  const last = Math.max(...[...committed.keys()].map((id) => arrived.get(id)!));
  console.log(`${count} ended at once, ${what}: ${Math.round(count / ((last - began) / 1000))} webhooks a second`);
}

function report(what: string, latencies: readonly number[]): void {
  const sorted = [...latencies].sort((a, b) => a - b);
  const quantile = (q: number) => `${(sorted[Math.floor(q * (sorted.length - 1))] ?? 0).toFixed(1)} ms`;
  console.log(
    `${what}: commit to first byte p50 ${quantile(0.5)}, p99 ${quantile(0.99)}, most ${quantile(1)} (${sorted.length})`,
  );
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

// ------------------------------------------------------------------------------------------------------------- receiver

interface Receiver {
  readonly port: number;
  /** When the first byte of each came; waits until all have. */
  all(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  stop(): void;
}

async function startReceiver(): Promise<Receiver> {
  const file = fileURLToPath(import.meta.url);
  const run = "Deno" in globalThis ? ["run", "-A", "--no-check"] : ["run"];
  const child: ChildProcess = spawn(process.execPath, [...run, file, "receive"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const arrived = new Map<string, number>();
  const port = Promise.withResolvers<number>();
  let rest = "";
  child.stdout?.on("data", (piece: Uint8Array) => {
    const lines = (rest + Buffer.from(piece).toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [id = "", at = ""] = line.split(" ");
      if (id === "port") port.resolve(Number(at));
      else if (!arrived.has(id)) arrived.set(id, Number(at));
    }
  });
  return {
    port: await port.promise,
    async all(ids) {
      while (ids.some((id) => !arrived.has(id))) await pause(20);
      return arrived;
    },
    stop: () => void child.kill("SIGKILL"),
  };
}

/** Prints `<webhook-id> <ms>` for each delivery, ten times a second; what comes to 127.0.2.1 is never answered. */
async function receive(): Promise<void> {
  let lines: string[] = [];
  const serve = (hangs: boolean) => (socket: Socket) => {
    let read = "";
    let at = 0;
    socket.on("error", () => socket.destroy());
    socket.on("data", (piece: Uint8Array) => {
      if (read === "") at = now();
      read += Buffer.from(piece).toString("latin1");
      const body = read.indexOf("\r\n\r\n") + 4;
      if (body < 4 || read.length - body < BODY.length) return;
      lines.push(`${/webhook-id: (\S+)/iu.exec(read)?.[1]} ${at}`);
      if (!hangs) socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
    });
  };
  const listen = async (address: string, port: number): Promise<number> => {
    const server = createServer(serve(address === "127.0.2.1"));
    await new Promise<void>((resolve) => server.listen(port, address, 1_024, resolve));
    return (server.address() as { port: number }).port;
  };
  const port = await listen("127.0.1.1", 0);
  for (let host = 2; host <= HOSTS; host++) await listen(`127.0.1.${host}`, port);
  await listen("127.0.2.1", port);
  process.stdout.write(`port ${port}\n`);
  setInterval(() => {
    if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
    lines = [];
  }, 100);
}

if (process.argv[2] === "receive") await receive();
else await measure(Number(process.argv[2] ?? 300), Number(process.argv[3] ?? 10));
