/** A server that says whatever a test wants, byte for byte, over TLS or plain, on an address of 127.0.0.0/8; and counts who came. */
import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

export interface HostileServer {
  readonly port: number;
  /** TCP connections so far, whether they went on to say something or not. */
  connections(): number;
  /** The heads of the requests so far, as they were sent. */
  readonly heads: readonly string[];
  /** How many connections are open now, counted from the end of their handshake. */
  open(): number;
  stop(): Promise<void>;
}

/** What a server does with a request. `body` is whatever came with the head. */
export type Behaviour = (socket: Socket, request: { readonly path: string; readonly head: string }) => void;

export interface HostileOptions {
  readonly address: string;
  /** Free by default. */
  readonly port?: number;
  /** Which certificate it shows; null: no TLS. */
  readonly certificate?: "server" | "expired" | "stranger" | null;
  readonly behave: Behaviour;
}

const file = (name: string): string => readFileSync(new URL(`certificates/${name}`, import.meta.url), "utf8");

/** The authority that signed `server` and `expired`. */
export const authority = file("authority.pem");

export async function startHostile(options: HostileOptions): Promise<HostileServer> {
  const { address, port = 0, certificate = "server", behave } = options;
  const sockets = new Set<Socket>();
  const talking = new Set<Socket>();
  const heads: string[] = [];
  let connections = 0;

  const hold = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // Clients that go away in the middle are what these tests are about.
    socket.on("error", () => undefined);
  };
  const talk = (socket: Socket) => {
    hold(socket);
    talking.add(socket);
    socket.on("close", () => talking.delete(socket));
    let head = "";
    const listen = (chunk: Uint8Array) => {
      head += Buffer.from(chunk).toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      socket.off("data", listen);
      socket.resume();
      heads.push(head);
      behave(socket, { path: head.split(" ")[1] ?? "", head });
    };
    socket.on("data", listen);
  };

  let server: Server;
  if (certificate === null) {
    server = createServer((socket) => {
      connections++;
      talk(socket);
    });
  } else {
    const tls = createTlsServer({ cert: file(`${certificate}.pem`), key: file("server.key") }, talk);
    tls.on("connection", (socket: Socket) => {
      connections++;
      hold(socket);
    });
    tls.on("tlsClientError", () => undefined);
    server = tls;
  }
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("No port");
  return {
    port: bound.port,
    connections: () => connections,
    heads,
    open: () => talking.size,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A whole answer: status line, header lines, body. The connection ends after it. */
export function answer(status: string, headers: readonly string[], body: string | Uint8Array = ""): Behaviour {
  const head = `HTTP/1.1 ${status}\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`;
  // In one piece: after `end("")`, a TLS server on Deno 2.9.6 never closes.
  return (socket) => void socket.end(Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)]));
}

/** Sends `text` as it is and keeps the connection. */
export function say(text: string): Behaviour {
  return (socket) => void socket.write(text, "latin1");
}

/** Sends `text`, then `piece` again and again: every `ms`, or where that is 0 as fast as it is taken, `times` times. */
export function repeat(
  text: string,
  piece: string | Uint8Array,
  ms: number,
  times = Number.POSITIVE_INFINITY,
): Behaviour {
  return (socket) => {
    let left = times;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = () => {
      while (!socket.destroyed && left > 0) {
        left--;
        const ready = socket.write(piece);
        if (ms > 0) {
          timer = setTimeout(next, ms);
          return;
        }
        if (!ready) {
          socket.once("drain", next);
          return;
        }
      }
      if (left === 0) socket.end();
    };
    socket.once("close", () => clearTimeout(timer));
    if (text !== "") socket.write(text);
    next();
  };
}
