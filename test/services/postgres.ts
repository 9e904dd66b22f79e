/**
 * A real Postgres server for tests: initdb in a temporary folder, fsync on, a random port of the loopback interface. A watchdog owns it:
 * when the process that asked for it ends, however it ends, the watchdog stops the server and removes the folder.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { accessSync, chmodSync, chownSync, constants, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Link, openLink } from "../../core/adapters/postgres/link.ts";
import { freePort } from "../process.ts";
import { endsWithParent } from "./programs.ts";

export interface PostgresServer {
  readonly port: number;
  readonly folder: string;
  /** Address of a database of this server; the maintenance database by default. */
  url(database?: string): string;
  /** Runs statements on the maintenance database, or on `database`. */
  sql(text: string, database?: string): Promise<void>;
  /** A fresh database, a copy of `template` where one is given; resolves to its name. */
  createDatabase(template?: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** What `pg_ctl stop -m immediate` does: no goodbye, recovery at the next start. Resolves when the server is gone. */
  stopImmediately(): Promise<void>;
  /** Starts it again after `stopImmediately`; resolves when it accepts connections. */
  start(): Promise<void>;
  /** SIGSTOP or SIGCONT to the server and all its backends. */
  signalAll(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Stops it for good and removes its folder. */
  close(): Promise<void>;
}

/** Where the server's programs are; undefined: not installed. */
export const POSTGRES_BIN: string | undefined = findBin();
/** Why no server can be started; undefined: it can. For `whenThere`. */
export const POSTGRES_MISSING: string | undefined =
  POSTGRES_BIN === undefined
    ? "PostgreSQL is not installed (Debian: apt install postgresql), or set PG_BIN"
    : undefined;

let shared: Promise<PostgresServer> | undefined;
/** The one server of this process, started when first asked for; it ends with the process. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startPostgres();
  return shared;
}

/** Some containers make /dev/null writable for root alone; no shell of another user, and so no initdb, works there. */
function letAllUseNull(): void {
  if ((statSync("/dev/null").mode & 0o666) !== 0o666) chmodSync("/dev/null", 0o666);
}

/** Starts a server of one's own, with further settings (`name=value`) where given. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  if (POSTGRES_BIN === undefined) throw new Error(POSTGRES_MISSING);
  const parent = mkdtempSync(join(tmpdir(), "tonwerk-pg-"));
  const folder = join(parent, "data");
  // The server refuses to run as root.
  const as = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--"] : [];
  if (as.length > 0) {
    const { uid, gid } = idsOf("postgres");
    chownSync(parent, uid, gid);
    letAllUseNull();
  }
  const [program = "", ...args] = [
    ...as,
    join(POSTGRES_BIN, "initdb"),
    ...["-D", folder, "-U", "tonwerk", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-instructions"],
  ];
  const made = spawnSync(program, args, { encoding: "utf8", cwd: parent });
  if (made.status !== 0) throw new Error(`Cannot make a database folder: ${made.stderr}`);

  const port = await freePort();
  const command = [
    ...endsWithParent("QUIT"),
    ...[join(POSTGRES_BIN, "postgres"), "-D", folder, "-p", String(port), "-h", "127.0.0.1", "-k", ""],
    ...[...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]),
  ];
  const [guard = "", ...guarded] = [...as, "/bin/sh", "-c", WATCHDOG, "watchdog", parent, ...command];
  const watchdog = spawn(guard, guarded, { stdio: ["pipe", "pipe", "inherit"], cwd: parent, detached: true });
  // Nothing waits for it at the end: its input closes then, and it cleans up.
  letGo(watchdog);
  const answers = linesOf(watchdog);
  const tell = async (order: string): Promise<void> => {
    watchdog.stdin?.write(`${order}\n`);
    await awake(answers());
  };
  const url = (database = "postgres") => `postgres://tonwerk@127.0.0.1:${port}/${database}`;
  await isUp(port, url(), join(parent, "log"));
  let databases = 0;

  const server: PostgresServer = {
    port,
    folder,
    url,
    async sql(text, database) {
      const link = await openTestLink(url(database));
      try {
        await link.script(text);
      } finally {
        await link.close();
      }
    },
    async createDatabase(template) {
      databases += 1;
      const name = `db_${process.pid}_${databases}`;
      await server.sql(`CREATE DATABASE ${name}${template === undefined ? "" : ` TEMPLATE ${template}`}`);
      return name;
    },
    dropDatabase: (name) => server.sql(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    stopImmediately: () => tell("stop"),
    async start() {
      await tell("start");
      await isUp(port, url(), join(parent, "log"));
    },
    signalAll(signal) {
      const postmaster = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n", 1)[0]);
      for (const pid of [postmaster, ...childrenOf(postmaster)]) process.kill(pid, signal);
    },
    async close() {
      const gone = new Promise((resolve) => watchdog.once("exit", resolve));
      watchdog.stdin?.end();
      await awake(gone);
    },
  };
  return server;
}

/** A connection for what tests do behind the store's back. */
export const openTestLink = (url: string): Promise<Link> =>
  openLink({
    url,
    name: "test",
    connect_ms: 10_000,
    silence_ms: 60_000,
    statement_ms: 60_000,
    lock_ms: 0,
    onLost: () => undefined,
  });

// Small, for many run beside each other; fsync stays on, as in production.
const SETTINGS = ["shared_buffers=64MB", "max_connections=400", "max_wal_size=256MB", "log_min_messages=fatal"];

/** Arguments: folder to remove, then the server's command. Orders by line; the end of its input ends everything. */
const WATCHDOG = `
parent="$1"; shift
start() { "$@" >>"$parent/log" 2>&1 </dev/null & server=$!; }
quit() { kill -QUIT $server 2>/dev/null; kill -CONT $server 2>/dev/null; wait $server 2>/dev/null; }
trap '' INT TERM HUP
start "$@"
while read -r order; do
  case "$order" in
    stop) quit; echo done ;;
    start) start "$@"; echo done ;;
  esac
done
quit
rm -rf "$parent"
`;

function findBin(): string | undefined {
  const versions = (folder: string): string[] => {
    try {
      return readdirSync(folder)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(folder, version, "bin"));
    } catch {
      return [];
    }
  };
  const folders = [
    ...(process.env.PG_BIN === undefined ? [] : [process.env.PG_BIN]),
    ...versions("/usr/lib/postgresql"),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  return folders.find((folder) =>
    ["initdb", "postgres"].every((program) => {
      try {
        accessSync(join(folder, program), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}

function idsOf(user: string): { uid: number; gid: number } {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((one) => one.startsWith(`${user}:`));
  if (line === undefined) throw new Error(`There is no user "${user}" to run the server as`);
  const [, , uid, gid] = line.split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout]) {
    if (stream !== null && "unref" in stream && typeof stream.unref === "function") stream.unref();
  }
}

/** Keeps the process alive until `work` is done: the watchdog itself does not. */
async function awake<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 1_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** Resolves once for each line that the child writes. */
function linesOf(child: ChildProcess): () => Promise<void> {
  let lines = 0;
  const waiting: (() => void)[] = [];
  child.stdout?.on("data", (chunk: Uint8Array) => {
    for (const byte of chunk) if (byte === 10) (waiting.shift() ?? (() => lines++))();
  });
  return () => {
    if (lines > 0) {
      lines--;
      return Promise.resolve();
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
}

function childrenOf(pid: number): number[] {
  const found = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return found.stdout.split("\n").map(Number).filter(Boolean);
}

async function isUp(port: number, url: string, log: string): Promise<void> {
  const until = performance.now() + START_MS;
  for (;;) {
    if (await accepts(port)) {
      try {
        await (await openTestLink(url)).close();
        return;
      } catch {
        // It recovers still.
      }
    }
    if (performance.now() > until)
      throw new Error(`The server did not start: ${readFileSync(log, "utf8").slice(-2_000)}`);
    // Each attempt is a process of the server, which has enough to do when it recovers on a busy machine.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

const START_MS = 120_000;
