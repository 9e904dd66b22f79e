/**
 * A server of the sidecars' protocol inside a test, that works, or does not, as the test wants: its paths, headers and
 * bytes are in its hands.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const FRAMES = "application/vnd.tonwerk.frames";

export const HEALTH = {
  protocol: 1,
  status: "ready",
  model: { name: "tone", version: "1.0", licence: "MIT" },
  tasks: {
    generate: { sample_rate: 44_100, seconds_max: 30 },
    song: { sample_rate: 44_100, seconds_max: 30 },
    remix: { sample_rate: 22_050, seconds_max: 30 },
    remix_song: { sample_rate: 44_100, seconds_max: 30 },
    separate: { sample_rate: 44_100, seconds_max: 30, stems: ["vocals", "instrumental"] },
  },
  device: "cpu",
  memory: { used_bytes: 50_000_000 },
};

interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** The connection ended before the answer did. */
  readonly gone: Promise<void>;
}

/** Writes an answer; what it leaves open stays open. */
export type Behaviour = (response: ServerResponse, heard: Heard) => unknown;

export interface TestServer {
  readonly url: string;
  readonly heard: readonly Heard[];
  /** By `METHOD /path`; what is not there is answered as a good server does. */
  behave(behaviours: Readonly<Record<string, Behaviour>>): void;
  close(): Promise<void>;
}

export async function startServer(listen?: string): Promise<TestServer> {
  const heard: Heard[] = [];
  let behaviours: Readonly<Record<string, Behaviour>> = {};
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    response.on("close", () => {
      if (!response.writableFinished) resolve();
    });
    response.on("error", () => undefined);
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      return;
    }
    const { method = "", url = "" } = request;
    const one = { method, path: url, headers: request.headers, body: Buffer.concat(parts), gone };
    heard.push(one);
    try {
      await (behaviours[`${method} ${url}`] ?? good[`${method} ${url}`] ?? missing)(response, one);
    } catch {
      json("", 500)(response, one);
    }
  });
  await new Promise<void>((resolve) =>
    listen === undefined ? server.listen(0, "127.0.0.1", resolve) : server.listen(listen, resolve),
  );
  return {
    url: listen === undefined ? `http://127.0.0.1:${(server.address() as AddressInfo).port}` : `unix:${listen}`,
    heard,
    behave(given) {
      behaviours = given;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof value === "string" ? value : JSON.stringify(value));
  };

/** Lines and bytes as they stand. */
export const frames =
  (...parts: readonly (object | string | Uint8Array)[]): Behaviour =>
  (response) => {
    response.writeHead(200, { "content-type": FRAMES });
    for (const part of parts) response.write(encoded(part));
    response.end();
  };

export const encoded = (part: object | string | Uint8Array): string | Uint8Array =>
  typeof part === "string" || part instanceof Uint8Array ? part : `${JSON.stringify(part)}\n`;

export function audioFrame(seconds: number, changes: object = {}, value = 0.25): readonly (object | Uint8Array)[] {
  const count = Math.round(44_100 * seconds);
  const line = { type: "audio", sample_rate: 44_100, channels: 2, frames: count, bytes: 8 * count };
  return [{ ...line, ...changes }, new Uint8Array(new Float32Array(2 * count).fill(value).buffer)];
}

export const DONE = { type: "done" };

interface Sent {
  readonly line: Record<string, unknown>;
  readonly audio: Record<string, number>;
  readonly samples: Float32Array;
}

/** What a separation was sent. */
export function readSent(body: Buffer): Sent {
  const first = body.indexOf(10);
  const second = body.indexOf(10, first + 1);
  const bytes = body.subarray(second + 1);
  const samples = new Float32Array(bytes.length / 4);
  new Uint8Array(samples.buffer).set(bytes);
  return {
    line: JSON.parse(body.subarray(0, first).toString()),
    audio: JSON.parse(body.subarray(first + 1, second).toString()),
    samples,
  };
}

const missing: Behaviour = json({ error: { code: "not_found", message: "There is nothing here" } }, 404);

/** A third is the voice, the rest is the band. */
const separated: Behaviour = (response, heard) => {
  const { line, audio, samples } = readSent(heard.body);
  response.writeHead(200, { "content-type": FRAMES });
  response.write(encoded({ type: "progress", fraction: 0.5, stage: "separating" }));
  for (const stem of line.stems as string[]) {
    const share = stem === "vocals" ? 1 / 4 : 3 / 4;
    response.write(encoded({ type: "audio", stem, ...audio }));
    response.write(new Uint8Array(samples.map((value) => share * value).buffer));
  }
  response.end(encoded(DONE));
};

const good: Readonly<Record<string, Behaviour>> = {
  "GET /v1/health": json(HEALTH),
  "POST /v1/generate": (response, heard) => {
    const anew = heard.headers["content-type"] === FRAMES;
    const { seconds } = (anew ? readSent(heard.body).line : JSON.parse(heard.body.toString())) as { seconds: number };
    frames({ type: "progress", fraction: 0.5, stage: "denoising" }, ...audioFrame(seconds), DONE)(response, heard);
  },
  "POST /v1/separate": separated,
};
