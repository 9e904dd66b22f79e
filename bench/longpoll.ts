/**
 * `bun bench/longpoll.ts [connections=10000] [operations=100]` (or `deno run -A --no-check --unstable-no-legacy-abort …`): so many open
 * `wait=true` over loopback, spread over so many operations that are then cancelled. Tells the server's resident memory for each of them
 * (Linux), when the last one was answered, and how many statements the reading connection ran meanwhile. Server and client are processes
 * of their own; the client writes to raw sockets, so that it is not what is measured. Needs `ulimit -n` above the number of connections.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { StatementSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { args, exit, runtime, serve } from "../core/adapters/runtime/runtime.ts";
import { loadConfig } from "../core/base/config.ts";
import { newApiKey } from "../core/base/keys.ts";
import { startService } from "../core/service.ts";
import { freePort, runFile } from "../test/process.ts";

const PATH = "/v1/adapt.normalise_loudness";
const [role = "10000", second = "100"] = args;
const SELF = fileURLToPath(import.meta.url);

if (role === "server") await beServer();
else if (role === "client") beClient();
else await measure(Number(role), Number(second));

// --------------------------------------------------------------------------------------------------------------- measure

async function measure(connections: number, operations: number): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-longpoll-"));
  const key = newApiKey();
  const port = await freePort();
  const server = start(["server"], {
    PORT: String(port),
    TONWERK_DATA: data,
    TONWERK_FIRST_KEY: key,
    TONWERK_FIRST_CREDITS: "1000000",
    TONWERK_ROLE: "api",
    TONWERK_PUT_PER_MINUTE: "0",
    TONWERK_GET_PER_MINUTE: "0",
    TONWERK_LONG_POLLS: "0",
  });
  const client = start(["client"], { PORT: String(port), KEY: key });
  try {
    await server.ask("ready");
    const call = (method: string, path: string, body: object) =>
      request(`http://127.0.0.1:${port}`, key, method, path, body);
    const submit = async (): Promise<string> => {
      const answered = await call("PUT", PATH, { source: { url: "https://example.com/song.flac" } });
      return (answered as { normalised_audio: { id: string } }).normalised_audio.id;
    };
    const cancel = (id: string) => call("PUT", "/v1/operations.cancel", { id });
    const round = async (count: number, open: number) => {
      const ids = await Promise.all(Array.from({ length: count }, submit));
      await client.ask(`open ${open} ${ids.join(",")}`);
      return ids;
    };
    // The first ones pay for compiled code, pools and heap that stays: they are opened, answered and forgotten.
    const warm_up = await round(operations, connections / 10);
    const warm = client.ask("woken");
    await Promise.all(warm_up.map(cancel));
    await warm;
    const before_kib = await settled(server);
    const ids = await round(operations, connections);
    const after_kib = await settled(server);
    const reads_before = Number(await server.ask("reads"));
    const cpu_before = Number(await server.ask("cpu"));
    const woken = client.ask("woken");
    const began = Date.now();
    await Promise.all(ids.map(cancel));
    const cancelled_ms = Date.now() - began;
    const { ok, last_at } = JSON.parse(await woken) as Woken;
    const cpu_ms = Number(await server.ask("cpu")) - cpu_before;
    const reads = Number(await server.ask("reads")) - reads_before;
    const rows: readonly (readonly [string, string])[] = [
      ["long-polls open", `${connections} on ${operations} operations, ${runtime.name} ${runtime.version}`],
      ["resident before, warmed up", `${Math.round(before_kib / 1024)} MiB`],
      ["resident with all of them open", `${Math.round(after_kib / 1024)} MiB`],
      ["for each", `${((after_kib - before_kib) / connections).toFixed(1)} KiB`],
      ["answered 200 with the end", `${ok}`],
      ["from the first cancellation to the last answer", `${last_at - began} ms`],
      ["of which the cancellations", `${cancelled_ms} ms`],
      ["processor time of the server meanwhile", `${cpu_ms.toFixed(0)} ms`],
      ["statements read meanwhile", `${reads}, ${(reads / operations).toFixed(1)} for each cancelled operation`],
    ];
    for (const [what, value] of rows) console.log(`${what.padEnd(48)} ${value}`);
  } finally {
    client.process.kill("SIGTERM");
    server.process.kill("SIGTERM");
    await rm(data, { recursive: true, force: true });
  }
  exit(0);
}

async function request(origin: string, key: string, method: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ idempotency_key: randomUUID(), ...body }),
  });
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Resident memory in KiB once garbage is collected and nothing moves any more. */
async function settled(server: Role): Promise<number> {
  await server.ask("collect");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await server.ask("collect");
  const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN);
}

interface Role {
  readonly process: ChildProcess;
  /** Resolves to the next line that it prints. */
  ask(line: string): Promise<string>;
}

function start(args: readonly string[], env: Readonly<Record<string, string>>): Role {
  const flags = "Deno" in globalThis ? ["--v8-flags=--expose-gc"] : [];
  const [run = "run", ...rest] = runFile(SELF);
  const child = spawn(process.execPath, [run, ...flags, ...rest, ...args], {
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines: Interface = createInterface({ input: child.stdout! });
  return {
    process: child,
    async ask(line) {
      child.stdin!.write(`${line}\n`);
      const [answer] = (await once(lines, "line")) as [string];
      return answer;
    },
  };
}

/** Answers each line of standard input with one line. */
function onLines(answer: (line: string) => string | Promise<string>): void {
  createInterface({ input: process.stdin }).on("line", async (line) => console.log(await answer(line)));
}

// ---------------------------------------------------------------------------------------------------------------- server

async function beServer(): Promise<void> {
  let reads = 0;
  for (const name of ["get", "all", "run"] as const) {
    const original = StatementSync.prototype[name] as (...values: unknown[]) => unknown;
    StatementSync.prototype[name] = function (this: unknown, ...values: unknown[]) {
      reads++;
      return original.apply(this, values);
    } as never;
  }
  const config = loadConfig(process.env);
  const service = await startService(config, () => undefined);
  await serve({ hostname: config.host, port: config.port, fetch: service.app, idle_seconds: 60 });
  const { Bun: bun, gc } = globalThis as { Bun?: { gc(force: boolean): void }; gc?: () => void };
  onLines((line) => {
    if (line === "collect") bun === undefined ? gc?.() : bun.gc(true);
    if (line === "cpu") return String((process.cpuUsage().user + process.cpuUsage().system) / 1000);
    return line === "reads" ? String(reads) : "ok";
  });
}

// ---------------------------------------------------------------------------------------------------------------- client

interface Woken {
  readonly ok: number;
  /** Milliseconds since 1970. */
  readonly last_at: number;
}

function beClient(): void {
  let answers: Promise<Woken> = Promise.resolve({ ok: 0, last_at: 0 });
  onLines(async (line) => {
    const [what, count, ids = ""] = line.split(" ");
    if (what === "woken") return JSON.stringify(await answers);
    const sockets = await openAll(Number(count), ids.split(","));
    answers = answered(sockets);
    return "ok";
  });
}

async function openAll(connections: number, ids: readonly string[]): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  // Some at a time: the listener's backlog is shorter than all of them.
  while (sockets.length < connections) {
    const more = Array.from({ length: Math.min(250, connections - sockets.length) }, (_, i) =>
      open(ids[(sockets.length + i) % ids.length] ?? ""),
    );
    sockets.push(...(await Promise.all(more)));
  }
  // What was written last is read by then.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return sockets;
}

async function open(id: string): Promise<Socket> {
  const { PORT, KEY } = process.env;
  const socket = connect(Number(PORT), "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `GET ${PATH}?id=${id}&wait=true HTTP/1.1\r\nHost: 127.0.0.1:${PORT}\r\nAuthorization: Bearer ${KEY}\r\nConnection: close\r\n\r\n`,
  );
  return socket;
}

async function answered(sockets: readonly Socket[]): Promise<Woken> {
  let ok = 0;
  let last_at = 0;
  await Promise.all(
    sockets.map(async (socket) => {
      let text = "";
      socket.on("data", (chunk: Uint8Array) => (text += Buffer.from(chunk).toString("latin1")));
      await once(socket, "close");
      if (text.startsWith("HTTP/1.1 200") && text.includes('"status":"failed"')) ok++;
      last_at = Math.max(last_at, Date.now());
    }),
  );
  return { ok, last_at };
}
