/** A Redis server of its own, on a port of its own, without a file on disk. */
import { connect } from "node:net";
import { freePort } from "../process.ts";
import { findProgram, type Running, startServer } from "./programs.ts";

const redisServer = findProgram("redis-server");
/** Why no server can be started; undefined: it can. */
export const REDIS_MISSING =
  redisServer === undefined ? "redis-server is not installed (Debian: apt install redis-server)" : undefined;

let shared: Promise<RedisServer> | undefined;
/** The one server of this process. */
export function sharedRedis(): Promise<RedisServer> {
  shared ??= startRedis();
  return shared;
}

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Kills it at once; the data is gone. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
  /** Sends one command and resolves to the first line of the answer. */
  command(...words: readonly string[]): Promise<string>;
  /** Empties one database. */
  flush(database: number): Promise<void>;
  end(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  if (redisServer === undefined) throw new Error(REDIS_MISSING);
  const program = redisServer;
  const port = await freePort();
  const command = (...words: readonly string[]) => ask(port, words);
  const launch = (): Promise<Running> =>
    startServer(
      program,
      [
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
        "--maxmemory-policy",
        "noeviction",
      ],
      async () => (await command("PING")) === "+PONG",
    );
  let running: Running | undefined = await launch();
  return {
    url: `redis://127.0.0.1:${port}/0`,
    port,
    command,
    async flush(database) {
      await ask(port, ["SELECT", String(database)], ["FLUSHDB"]);
    },
    async kill() {
      await running?.kill();
      running = undefined;
    },
    async start() {
      running ??= await launch();
    },
    async end() {
      await running?.kill();
    },
  };
}

/** Sends commands on one connection and resolves to the first line of the last answer; each answers with one line. */
function ask(port: number, ...commands: readonly (readonly string[])[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setTimeout(5_000, () => socket.destroy(new Error("Redis does not answer")));
    socket.on("data", (chunk) => {
      answer += chunk.toString();
      const lines = answer.split("\r\n");
      if (lines.length <= commands.length) return;
      socket.destroy();
      resolve(lines[commands.length - 1] ?? "");
    });
    socket.once("error", reject);
    for (const words of commands) {
      socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`);
    }
  });
}
