/** A fresh node of any checkout, with its defaults, and the two accounts: the victim's is the first, the attacker's is made by the operator's command. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { newApiKey } from "../../core/base/keys.ts";
import { freePort } from "../../test/process.ts";
import { startPostgres } from "../../test/services/postgres.ts";
import { startRedis } from "../../test/services/redis.ts";
import { startS3 } from "../../test/services/s3.ts";
import { commandOf, type RuntimeName } from "../measure.ts";
import { ask } from "./wire.ts";

export interface Account {
  readonly key: string;
  /** Link of its first owner. */
  readonly link: string;
}

export interface Node {
  readonly process_id: number;
  readonly port: number;
  readonly victim: Account;
  readonly attacker: Account;
  /** File of SQLite, or URL of Postgres. */
  readonly database: string;
  /** What it printed, the last of it. */
  printed(): string;
  stop(): Promise<void>;
}

/** Where the data of nodes is: one environment for each node. */
export interface Stack {
  lease(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

export const STACKS: Readonly<Record<string, () => Promise<Stack>>> = {
  embedded: async () => ({ lease: async () => ({}), close: async () => undefined }),
  async services() {
    const [postgres, redis, s3] = await Promise.all([startPostgres(), startRedis(), startS3()]);
    return {
      async lease() {
        await redis.flush(0);
        const { bucket, endpoint } = s3.options();
        return {
          DATABASE_URL: postgres.url(await postgres.createDatabase()),
          REDIS_URL: redis.url,
          S3_ENDPOINT: endpoint ?? "",
          S3_BUCKET: bucket,
          S3_ACCESS_KEY_ID: s3.access_key_id,
          S3_SECRET_ACCESS_KEY: s3.secret_access_key,
        };
      },
      close: async () => void (await Promise.all([postgres.close(), redis.end(), s3.end()])),
    };
  },
};

/** The free account of the attacker, and the victim's, which pays. */
const CREDITS = { attacker: 1_000, victim: 1_000_000 } as const;
/** It pays for what it does, and measures more often than a client would ask. */
const VICTIM_SETTINGS = ["put_per_minute=6000", "get_per_minute=12000", "uploads_open=1000"];
const START_MS = 60_000;
/** Nobody answers here. One for each process, so that two benches do not meet. */
const SILENT = `127.64.${(process.pid >> 8) & 255}.${process.pid & 255}`;

export async function startNode(options: {
  readonly root: string;
  readonly runtime: RuntimeName;
  readonly env: Readonly<Record<string, string>>;
  /** Its resolver takes every question and never answers: needs a mount namespace of its own. */
  readonly silent_resolver: boolean;
}): Promise<Node> {
  const { root, runtime, silent_resolver } = options;
  const data = await mkdtemp(join(tmpdir(), "tonwerk-abuse-"));
  const resolver = silent_resolver ? await startSilentResolver(data) : undefined;
  const port = await freePort();
  const victim_key = newApiKey();
  const env: Record<string, string> = {
    ...{ PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", PORT: String(port), TONWERK_DATA: data },
    ...{ TONWERK_SECRET: randomBytes(32).toString("base64"), TONWERK_DRAIN_SECONDS: "0" },
    ...{ TONWERK_FIRST_KEY: victim_key, TONWERK_FIRST_CREDITS: String(CREDITS.victim) },
    ...options.env,
  };
  const command = commandOf(runtime, [], root);
  const [program, ...args] = [...(resolver?.within ?? []), ...command, join(root, "core/main.ts")];
  const child = spawn(program!, args, { env, cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const gone = new Promise<void>((resolve) => child.on("close", () => resolve()));
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Uint8Array) => (printed = (printed + chunk.toString()).slice(-20_000)));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await gone;
    resolver?.stop();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await isUp(port, child, () => printed);
    const link = /\S+\/dashboard\/link\?token=\S+/u.exec(printed)?.[0] ?? "";
    const [cli, ...cli_args] = command;
    const words = ["accounts", "create", "Attacker", "--credits", String(CREDITS.attacker), "--json"];
    const operator = (...said: string[]) =>
      promisify(execFile)(cli, [...cli_args, join(root, "cli/tonwerk.ts"), ...said], { env, cwd: root });
    const made = await operator(...words);
    const listed = JSON.parse((await operator("accounts", "list", "--json")).stdout) as { id: string; name: string }[];
    for (const { id, name } of listed)
      if (name !== "Attacker") await operator("settings", "set", ...VICTIM_SETTINGS, "--account", id);
    const attacker = JSON.parse(made.stdout) as { api_key: string; link: { url: string } };
    return {
      process_id: child.pid ?? 0,
      port,
      database: env.DATABASE_URL ?? join(data, "tonwerk.db"),
      victim: { key: victim_key, link },
      attacker: { key: attacker.api_key, link: attacker.link.url },
      printed: () => printed,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function isUp(port: number, child: ChildProcess, printed: () => string): Promise<void> {
  const give_up = performance.now() + START_MS;
  for (;;) {
    if ((await ask({ port, path: "/health", ms_max: 2_000 })).status === 200 && printed().includes("/dashboard/link"))
      return;
    if (child.exitCode !== null || performance.now() > give_up)
      throw new Error(`The node does not start:\n${printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What to put before a command so that its names are asked for at a server that is there and says nothing. */
async function startSilentResolver(folder: string): Promise<{ within: readonly string[]; stop(): void }> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(53, SILENT, resolve);
  });
  const file = join(folder, "resolv.conf");
  await writeFile(file, `nameserver ${SILENT}\n`);
  const flags = process.getuid?.() === 0 ? "-m" : "-rm";
  const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
  return { within: ["unshare", flags, "sh", "-c", script, file], stop: () => socket.close() };
}

/** Why no node can have a resolver of its own here; undefined: it can. */
export async function silentResolverMissing(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-abuse-"));
  try {
    const { within, stop } = await startSilentResolver(folder);
    try {
      const [program = "", ...args] = [...within, "true"];
      await promisify(execFile)(program, args);
      return undefined;
    } finally {
      stop();
    }
  } catch (error) {
    return `needs util-linux, a mount namespace and port 53 of ${SILENT}: ${String(error).split("\n")[0]}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
