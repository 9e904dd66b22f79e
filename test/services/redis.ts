/** A Redis server of its own, on a port of its own, without a file on disk. */
import { connect } from "node:net";
import { freePort } from "../process.ts";
import { findProgram, type Running, startServer } from "./programs.ts";

export const redisServer = findProgram("redis-server");

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Kills it at once; the data is gone. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
  /** Sends one command and resolves to the first line of the answer. */
  command(...words: readonly string[]): Promise<string>;
  end(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  if (redisServer === undefined) throw new Error("redis-server is not installed here");
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
    async kill() {
      await running?.end("SIGKILL");
      running = undefined;
    },
    async start() {
      running ??= await launch();
    },
    async end() {
      await running?.end("SIGKILL");
    },
  };
}

function ask(port: number, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setTimeout(5_000, () => socket.destroy(new Error("Redis does not answer")));
    socket.on("data", (chunk) => {
      answer += chunk.toString();
      if (!answer.includes("\r\n")) return;
      socket.destroy();
      resolve(answer.slice(0, answer.indexOf("\r\n")));
    });
    socket.once("error", reject);
    socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`);
  });
}
