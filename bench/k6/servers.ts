/** The servers under load: the kernel of any checkout, the peer, and one that only answers. Each a fresh process on a fresh data folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "../../core/base/ids.ts";
import { hashApiKey, lastFour, newApiKey } from "../../core/base/keys.ts";
import { createSecrets, newSigningSecret } from "../../core/base/secrets.ts";
import { systemClock } from "../../core/base/timers.ts";
import type { Store } from "../../core/ports/mod.ts";
import { freePort } from "../../test/process.ts";
import { commandOf, HERE, type RuntimeName, THIS_RUNTIME } from "../measure.ts";

export interface Target {
  readonly name: string;
  readonly process_id: number;
  readonly url: string;
  /** One API key for each account. */
  readonly keys: readonly string[];
  stop(): Promise<void>;
}

const ACCOUNTS = 20;
/** No run spends it. */
const CREDITS = 1_000_000_000;
const START_MS = 30_000;
/** Seals the accounts' signing secrets: without one no webhook is sent. */
const SECRET = Buffer.alloc(32, 1).toString("base64");

/** `api`: requests alone, jobs stay queued. `all`: the jobs run too. */
export async function startKernel(
  name: string,
  root: string,
  role: "api" | "all",
  runtime: RuntimeName = THIS_RUNTIME,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Target> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-bench-"));
  const keys = makeKeys();
  await seed(root, data, keys);
  return launch(name, root, role, data, keys, runtime, flags, env);
}

/** The kernel on a database that is empty and, where `redis_url` is given, on Redis; as `startKernel` in everything else. */
export async function startKernelOnPostgres(
  name: string,
  root: string,
  database_url: string,
  redis_url: string | undefined,
): Promise<Target> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-bench-"));
  const keys = makeKeys();
  const { openPostgresStore } = (await import(
    join(root, "core/adapters/postgres/store.ts")
  )) as typeof import("../../core/adapters/postgres/store.ts");
  await seedStore(await openPostgresStore({ url: database_url, clock: systemClock }), keys);
  return launch(name, root, "api", data, keys, THIS_RUNTIME, [], {
    DATABASE_URL: database_url,
    ...(redis_url === undefined ? {} : { REDIS_URL: redis_url }),
  });
}

/** The peer on Postgres by `pg`, and BullMQ. */
export async function startPeerOnPostgres(name: string, database_url: string, redis_url: string): Promise<Target> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-bench-"));
  const keys = makeKeys();
  return start(commandOf(THIS_RUNTIME, runtimeFlags()), name, join(HERE, "bench/peer/server.ts"), data, keys, {
    DATABASE_URL: database_url,
    REDIS_URL: redis_url,
    KEYS: keys.join(","),
  });
}

function launch(
  name: string,
  root: string,
  role: "api" | "all",
  data: string,
  keys: readonly string[],
  runtime: RuntimeName,
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Target> {
  const command = commandOf(runtime, [...runtimeFlags(), ...flags], root);
  return start(command, name, join(root, "core/main.ts"), data, keys, {
    ...env,
    TONWERK_DATA: data,
    TONWERK_SECRET: SECRET,
    TONWERK_ROLE: role,
    TONWERK_PUT_PER_MINUTE: "0",
    TONWERK_GET_PER_MINUTE: "0",
    TONWERK_LONG_POLLS: "0",
    TONWERK_PRIVATE_HOSTS: "127.0.0.1",
    TONWERK_DRAIN_SECONDS: "0",
    // Actions of others, as a start of the service would have them.
    ...(process.env.TONWERK_PLUGINS === undefined ? {} : { TONWERK_PLUGINS: process.env.TONWERK_PLUGINS }),
  });
}

export async function startPeer(): Promise<Target> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-bench-"));
  const keys = makeKeys();
  return start(commandOf(THIS_RUNTIME, runtimeFlags()), "peer", join(HERE, "bench/peer/server.ts"), data, keys, {
    DATA: data,
    KEYS: keys.join(","),
  });
}

export async function startTrivial(): Promise<Target> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-bench-"));
  return start(commandOf(THIS_RUNTIME), "trivial", join(HERE, "bench/k6/trivial.ts"), data, makeKeys(), {});
}

const makeKeys = (): readonly string[] => Array.from({ length: ACCOUNTS }, newApiKey);

/** Accounts are written before the start, by the checkout's own store: a first start then makes none. */
async function seed(root: string, data: string, keys: readonly string[]): Promise<void> {
  const file = join(root, "core/adapters/sqlite/store.ts");
  const { openSqliteStore } = (await import(file)) as typeof import("../../core/adapters/sqlite/store.ts");
  await seedStore(await openSqliteStore({ file: join(data, "tonwerk.db"), clock: systemClock }), keys);
}

/** One account for each key; closes the store. */
async function seedStore(store: Pick<Store, "createAccount" | "close">, keys: readonly string[]): Promise<void> {
  const secrets = createSecrets({ secret: SECRET });
  try {
    for (const [index, key] of keys.entries()) {
      const created_at = Date.now();
      const id = newId("acc_", created_at);
      const secret_id = newId("sec_", created_at);
      await store.createAccount(
        { id, name: `Account ${index}`, credits: CREDITS, created_at },
        {
          id: newId("key_", created_at),
          account_id: id,
          label: "Load",
          sha256: hashApiKey(key),
          last_four: lastFour(key),
          created_at,
        },
        {
          id: secret_id,
          account_id: id,
          label: "Load",
          sealed: secrets.seal(newSigningSecret(), secret_id),
          created_at,
        },
      );
    }
  } finally {
    await store.close();
  }
}

async function start(
  [program, ...args]: readonly [string, ...string[]],
  name: string,
  file: string,
  data: string,
  keys: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Target> {
  const port = await freePort();
  const child = spawn(program, [...args, file], {
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", PORT: String(port), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    // The last of it tells why a start failed; a long run may print a lot.
    stream?.on("data", (chunk: Uint8Array) => (printed = (printed + chunk.toString()).slice(-4_000)));
  }
  const url = `http://127.0.0.1:${port}`;
  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
    await rm(data, { recursive: true, force: true });
  }
  if (await answers(`${url}/health`, child)) return { name, process_id: child.pid ?? 0, url, keys, stop };
  await stop();
  throw new Error(`Cannot start "${name}" from "${file}":\n${printed}`);
}

/** `BENCH_FLAGS`, such as `--cpu-prof`, go to the runtime of the servers. */
const runtimeFlags = (): readonly string[] => (process.env.BENCH_FLAGS ?? "").split(" ").filter((flag) => flag !== "");

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  const until = performance.now() + START_MS;
  while (performance.now() < until && child.exitCode === null && child.signalCode === null) {
    const healthy = await fetch(url).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
    if (healthy) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
