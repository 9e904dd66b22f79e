/** Receivers on real sockets, through the real way out: what each kind of answer does to the row and its log. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { test } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { createOutbound } from "../../core/adapters/outbound/outbound.ts";
import type { Webhook, WebhookAttempt } from "../../core/ports/mod.ts";
import { withHarness } from "./webhook_harness.ts";

interface Case {
  readonly what: string;
  /** What the receiver does once the request is there; undefined: nobody listens. */
  readonly play?: (socket: Socket) => void;
  readonly tls?: true;
  /** Instead of the receiver's. */
  readonly url?: string;
  readonly state: Webhook["state"];
  readonly status: number | null;
  /** Seconds until the next attempt; null: there is none. */
  readonly next: number | null;
  readonly detail?: RegExp;
}

const head = (status: string, ...headers: string[]) => `HTTP/1.1 ${[status, ...headers].join("\r\n")}\r\n\r\n`;
const say =
  (text: string) =>
  (socket: Socket): void => {
    socket.end(text);
  };
/** Writes `text` byte by byte for as long as anyone listens. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ""), 10);
  socket.on("close", () => clearInterval(timer));
}

const CASES: readonly Case[] = [
  { what: "200", play: say(`${head("200 OK", "content-length: 2")}ok`), state: "delivered", status: 200, next: null },
  { what: "204", play: say(head("204 No Content")), state: "delivered", status: 204, next: null },
  {
    what: "a hang",
    play: () => {},
    state: "pending",
    status: null,
    next: 5,
    detail: /./,
  },
  {
    what: "a drip of headers",
    play: (socket) =>
      drip(socket, "HTTP/1.1 200 OK\r\nx-slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
    state: "pending",
    status: null,
    next: 5,
    detail: /./,
  },
  {
    what: "a drip of body after 200",
    play(socket) {
      socket.write(head("200 OK", "content-length: 100000"));
      drip(socket, "a");
    },
    state: "delivered",
    status: 200,
    next: null,
  },
  { what: "a reset", play: (socket) => socket.resetAndDestroy(), state: "pending", status: null, next: 5, detail: /./ },
  { what: "an end without an answer", play: say(""), state: "pending", status: null, next: 5, detail: /./ },
  { what: "no HTTP", play: say("220 mail.example ESMTP\r\n"), state: "pending", status: null, next: 5, detail: /./ },
  { what: "nobody listening", state: "pending", status: null, next: 5, detail: /./ },
  {
    what: "301",
    play: say(head("301 Moved Permanently", "location: https://example.com/", "content-length: 0")),
    state: "failed",
    status: 301,
    next: null,
  },
  {
    what: "404",
    play: say(`${head("404 Not Found", "content-length: 4")}gone`),
    state: "failed",
    status: 404,
    next: null,
    detail: /^gone$/,
  },
  { what: "410", play: say(head("410 Gone", "content-length: 0")), state: "failed", status: 410, next: null },
  { what: "429", play: say(head("429 Slow Down", "content-length: 0")), state: "pending", status: 429, next: 5 },
  {
    what: "429 with Retry-After",
    play: say(head("429 Slow Down", "retry-after: 33", "content-length: 0")),
    state: "pending",
    status: 429,
    next: 33,
  },
  {
    what: "500",
    play: say(`${head("500 Oops", "content-length: 4")}oops`),
    state: "pending",
    status: 500,
    next: 5,
    detail: /^oops$/,
  },
  {
    what: "10 MB",
    play: say(`${head("200 OK", "content-length: 10000000")}${"a".repeat(10_000_000)}`),
    state: "delivered",
    status: 200,
    next: null,
    detail: /^a{4000}$/,
  },
  {
    what: "a certificate nobody knows",
    tls: true,
    play: say(head("200 OK")),
    state: "pending",
    status: null,
    next: 5,
    detail: /./,
  },
  {
    what: "an unknown name",
    url: "https://nowhere.invalid/hook",
    state: "pending",
    status: null,
    next: 5,
    detail: /./,
  },
  {
    what: "a private address",
    url: "https://10.0.0.1/hook",
    state: "failed",
    status: null,
    next: null,
    detail: /private|reserved/,
  },
  {
    what: "a name of a private address",
    url: "https://inside.example/hook",
    state: "failed",
    status: null,
    next: null,
    detail: /private|reserved/,
  },
];

for (const { what, state, status, next, detail, ...receiver } of CASES) {
  test(`a receiver's answer: ${what} -> ${state}`, () =>
    withHarness(async (h) => {
      const server = await listen(receiver);
      try {
        const outbound = createOutbound({
          private_hosts: (host) => host === "127.0.0.1",
          limits: { connect_ms: 2_000, first_byte_ms: 2_000, idle_ms: 150, post_ms: 600 },
          async resolve(host) {
            if (host === "inside.example") return [{ address: "10.0.0.1", family: 4 }];
            throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
          },
        });
        const { id: account } = await h.account();
        const webhook = await h.end(account, receiver.url ?? server.url);
        h.start(outbound.post);
        const attempt = await attemptOf(() => h.store.webhookAttempts(webhook.id));
        const row = await h.row(webhook);
        assert.deepEqual(
          [
            row.state,
            attempt.status,
            row.next_attempt_at === null ? null : (row.next_attempt_at - h.clock.now()) / 1000,
          ],
          [state, status, next],
        );
        assert.match(attempt.detail, detail ?? /^(ok|a*)$/);
        assert.equal(server.requests(), receiver.play === undefined || receiver.tls ? 0 : 1);
      } finally {
        await server.close();
      }
    }));
}

async function attemptOf(read: () => Promise<readonly WebhookAttempt[]>): Promise<WebhookAttempt> {
  for (;;) {
    const [attempt] = await read();
    if (attempt !== undefined) return attempt;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A receiver on a free port of 127.0.0.1; without `play` the port is given back, so that nobody listens there. */
async function listen({ play, tls }: Pick<Case, "play" | "tls">) {
  let requests = 0;
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // A client that refuses the certificate, or has read enough, is what the test is about.
    socket.on("error", () => socket.destroy());
    let read = "";
    socket.on("data", (piece: Uint8Array) => {
      const before = read.includes("\r\n\r\n{");
      read += Buffer.from(piece).toString("latin1");
      if (before || !read.includes("\r\n\r\n{")) return;
      requests++;
      play?.(socket);
    });
  };
  const file = (name: string) => readFileSync(new URL(`../hostile/certificates/${name}`, import.meta.url), "utf8");
  const server: Server = tls
    ? createTlsServer({ cert: file("server.pem"), key: file("server.key") }, serve)
    : createServer(serve);
  // The handshake that fails.
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  if (play === undefined) await close();
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${address.port}/hook`,
    requests: () => requests,
    close: play === undefined ? async () => {} : close,
  };
}
