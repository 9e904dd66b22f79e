/** What tests of SDKs share: a server process, a proxy in front of it that misbehaves when told, and requests of all ten actions. */

import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newApiKey } from "../../core/base/keys.ts";
import { wav } from "../audio.ts";
import { run } from "../cli/run.ts";
import { freePort, type ServiceProcess, startProcess } from "../process.ts";
import { speech } from "../speech.ts";

export const SONG = fileURLToPath(new URL("../../examples/song.flac", import.meta.url));
export const KEY = newApiKey();
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
export const CREDITS = 1000;

export interface TestServer {
  /** Of the proxy, which stays where it is when the server is started again. */
  readonly url: string;
  /** As `kill -9`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** What the proxy does to the next requests, until it answers `false`, which lets the request through. */
  disturb: Disturb | undefined;
  /** Requests so far, as `PUT /v1/create.new_song`. */
  readonly seen: string[];
  /**
   * A test key of the first account: what is submitted with it is real in all but the work of its action, takes no time
   * and costs nothing.
   */
  makeTestKey(): Promise<string>;
  stop(): Promise<void>;
}
/** True: it has answered. */
type Disturb = (request: IncomingMessage, response: ServerResponse) => boolean | "cut" | "lose" | "hold";

/** `more`: further settings of the server. */
export async function startTestServer(more: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-sdk-"));
  const TONWERK_DATA = join(data, "data");
  const port = await freePort();
  let process: ServiceProcess;
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    seen.push(`${request.method} ${request.url?.split("?")[0]}`);
    const asked = test_server.disturb?.(request, response) ?? false;
    if (asked !== true) void forward(port, request, response, asked);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const test_server: TestServer = {
    url,
    seen,
    disturb: undefined,
    async makeTestKey() {
      const made = await run({ folder: data, env: { TONWERK_DATA } }, ["keys", "create", "--mode", "test", "--json"]);
      return (JSON.parse(made.stdout) as { key: string }).key;
    },
    async start() {
      const env = {
        TONWERK_DATA,
        TONWERK_BASE_URL: url,
        TONWERK_FIRST_KEY: KEY,
        TONWERK_FIRST_SECRET: SECRET,
        TONWERK_FIRST_CREDITS: String(CREDITS),
        TONWERK_PRIVATE_HOSTS: "127.0.0.1",
        ...more,
      };
      process = await startProcess(env, port);
    },
    async kill() {
      process.kill("SIGKILL");
      await process.exited;
      for (const socket of held) socket.destroy();
      held.clear();
    },
    async stop() {
      process.kill("SIGTERM");
      await process.exited;
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await rm(data, { recursive: true, force: true });
    },
  };
  await test_server.start();
  return test_server;
}

/** Connections of requests that the server got, which end without an answer when it is killed. */
const held = new Set<Socket>();

/**
 * `cut`: half of the answer, then the connection ends. `lose`: the server gets the request, the client no answer.
 * `hold`: the same, when the server is killed.
 */
async function forward(
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
  how: false | "cut" | "lose" | "hold",
): Promise<void> {
  request.on("error", () => undefined);
  try {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { host: _, connection: __, "transfer-encoding": ___, "content-length": ____, ...headers } = request.headers;
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const answer = await fetch(`http://127.0.0.1:${port}${request.url}`, {
      // A stream that nobody reads any more; what was asked for besides is done all the same.
      ...(request.url?.includes("/events") === true ? { signal: gone.signal } : {}),
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
      redirect: "manual",
    });
    if (how !== "lose" && answer.headers.get("content-type")?.startsWith("text/event-stream") === true) {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const part of answer.body!) {
        response.write(part);
        if (how === "cut") return void setTimeout(() => request.socket.destroy(), 50);
      }
      return void response.end();
    }
    const body = Buffer.from(await answer.arrayBuffer());
    if (how === "hold") return void held.add(request.socket);
    if (how === "lose") return void request.socket.destroy();
    const given = Object.fromEntries(
      [...answer.headers].filter(([name]) => !["transfer-encoding", "connection", "keep-alive"].includes(name)),
    );
    response.writeHead(answer.status, { ...given, "content-length": String(body.length) });
    if (how === false) return void response.end(body);
    response.write(body.subarray(0, body.length >> 1), () => setTimeout(() => request.socket.destroy(), 50));
  } catch {
    request.socket.destroy();
  }
}

/** Two seconds of somebody who speaks: short for what has to be taken apart, and what music is lowered under. */
export function voiceWav(): Uint8Array {
  const { samples } = speech(1, 2, [{ start: 0.2, end: 1.8 }]);
  return wav([samples, samples]);
}

/** A small request of each action; `song` and `voice` are URLs. */
export function requestsOf(song: string, voice: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return {
    "create.new_song": { lyrics: "[Verse]\nMorning on the river", prompt: "folk, 120 bpm", duration: 10, seed: 1 },
    "create.new_instrumental": { prompt: "solo piano, 10 seconds", seed: 1 },
    "create.new_sample": { prompt: "kick drum", duration: 0.5, seed: 1 },
    "create.new_fx": { prompt: "door knock", duration: 0.5, seed: 1 },
    "create.remix_song": { source: { url: song }, lyrics: "[Verse]\nMorning on the river", prompt: "house", seed: 1 },
    "create.remix_instrumental": { source: { url: song }, seed: 1 },
    "adapt.separate_stems": { source: { url: voice } },
    "adapt.auto_cut_down": { source: { url: song }, target_duration: 6 },
    "adapt.normalise_loudness": { source: { url: song }, loudness: { preset: "podcast" } },
    "adapt.auto_duck": { music: { url: song }, voice: { url: voice } },
  };
}

/**
 * Actions that take seconds. A client does not know what makes an output, and a server no caller: by one client on one
 * runtime (`typescript.test.ts` on Bun) they are called as they are, by all others under a test key, and test/plugins
 * has each of them made on both runtimes.
 */
export const LONG: readonly string[] = [
  "create.new_song",
  "create.new_instrumental",
  "create.remix_song",
  "create.remix_instrumental",
];
