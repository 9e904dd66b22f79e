/**
 * Just enough HTTP/1.1 over kept connections, plain or TLS, for load: `fetch` costs more than the server's own share of
 * a request. Bodies are counted, and kept only where somebody reads them.
 */
import { connect, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";

export interface Ask {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** Absolute, or below the origin. */
  readonly url: string;
  /** Lines that end with CR LF. */
  readonly head: string;
  readonly body?: string | Uint8Array;
  /** Whether the answer's text is wanted. */
  readonly read?: boolean;
}

export interface Answer {
  /** 0: none came; `fault` says why. */
  readonly status: number;
  /** The whole head as it came. */
  readonly head: string;
  /** Empty unless it was wanted. */
  readonly text: string;
  readonly bytes: number;
  readonly fault?: "timeout" | "closed" | "refused" | "not HTTP";
}

export interface Connections {
  ask(ask: Ask): Promise<Answer>;
  close(): void;
}

export interface Limits {
  /** Connections to one origin. What finds none free waits, and its latency tells. */
  readonly connections: number;
  /** Above the service's long-poll of 20 s. */
  readonly timeout_ms: number;
}

/** Connections are made when they are needed, and kept. */
export function openConnections(origin: string, { connections, timeout_ms }: Limits): Connections {
  const pools = new Map<string, Pool>();
  const own = new URL(origin).origin;
  return {
    ask(ask) {
      const absolute = ask.url.startsWith("/") ? undefined : new URL(ask.url);
      const to = absolute?.origin ?? own;
      const pool = pools.get(to) ?? new Pool(new URL(to), connections, timeout_ms);
      pools.set(to, pool);
      return pool.ask(ask, absolute === undefined ? ask.url : absolute.pathname + absolute.search);
    },
    close() {
      for (const pool of pools.values()) pool.close();
    },
  };
}

interface Waiting {
  readonly bytes: readonly (string | Uint8Array)[];
  readonly read: boolean;
  readonly resolve: (answer: Answer) => void;
  /** Whether it was sent before, on a connection that the server had closed. */
  again: boolean;
}

class Pool {
  readonly #free: Line[] = [];
  readonly #all = new Set<Line>();
  #queue: Waiting[] = [];
  #at = 0;
  readonly #most: number;
  readonly #host: string;
  readonly #open: () => Socket;
  readonly #timeout_ms: number;

  constructor(origin: URL, most: number, timeout_ms: number) {
    this.#most = most;
    this.#timeout_ms = timeout_ms;
    this.#host = `host: ${origin.host}\r\n`;
    const host = origin.hostname.replace(/^\[|\]$/gu, "");
    const secure = origin.protocol === "https:";
    const port = Number(origin.port || (secure ? 443 : 80));
    this.#open = () =>
      secure ? connectSecurely({ host, port, servername: host, ALPNProtocols: ["http/1.1"] }) : connect(port, host);
  }

  ask({ method, head, body, read = false }: Ask, path: string): Promise<Answer> {
    const length = body === undefined ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`;
    const first = `${method} ${path} HTTP/1.1\r\n${this.#host}${head}${length}\r\n`;
    const bytes = body === undefined ? [first] : typeof body === "string" ? [first + body] : [first, body];
    return new Promise((resolve) => {
      this.#send({ bytes, read, resolve, again: false });
    });
  }

  close(): void {
    for (const line of this.#all) line.close();
  }

  #send(asked: Waiting): void {
    const line = this.#free.pop() ?? (this.#all.size < this.#most ? this.#newLine() : undefined);
    if (line === undefined) this.#queue.push(asked);
    else this.#run(line, asked);
  }

  #newLine(): Line {
    const line = new Line(this.#open(), (answer) => this.#done(line, answer));
    this.#all.add(line);
    return line;
  }

  #run(line: Line, asked: Waiting): void {
    line.send(asked, this.#timeout_ms);
  }

  #done(line: Line, answer: Answer): void {
    const asked = line.asked;
    line.asked = undefined;
    if (line.isOver) this.#all.delete(line);
    else this.#free.push(line);
    if (asked === undefined) {
      // An idle connection that the server closed.
      const at = this.#free.indexOf(line);
      if (at >= 0) this.#free.splice(at, 1);
      return;
    }
    // One that was idle may be closed by the server in the moment in which it is used again: all requests here may be
    // sent twice (RFC 9110, 9.2.2).
    if (answer.fault === "closed" && answer.head === "" && line.idle_ms > IDLE_MS && !asked.again) {
      asked.again = true;
      this.#send(asked);
    } else asked.resolve(answer);
    this.#next();
  }

  #next(): void {
    if (this.#at === this.#queue.length) return;
    const next = this.#queue[this.#at++]!;
    if (this.#at > 1_024 && this.#at * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#at);
      this.#at = 0;
    }
    this.#send(next);
  }
}

/** A server that closes what was used just now broke off. */
const IDLE_MS = 1_000;

/** One connection with at most one request on it. */
class Line {
  asked: Waiting | undefined;
  /** How long it was idle before what is asked now. */
  idle_ms = 0;
  #since = performance.now();
  isOver = false;
  readonly #socket: Socket;
  readonly #done: (answer: Answer) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #head = "";
  #text = "";
  #bytes = 0;
  /** Of the body; -1 while the head is on its way, -2 for one in chunks. */
  #length = -1;

  constructor(socket: Socket, done: (answer: Answer) => void) {
    this.#socket = socket;
    this.#done = done;
    socket.setNoDelay(true);
    // One character for each byte, so that lengths are bytes.
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => this.#take(chunk));
    let fault: Answer["fault"] = "closed";
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOTFOUND") fault = "refused";
    });
    socket.on("close", () => {
      if (!this.isOver) this.#fail(fault);
    });
  }

  send(asked: Waiting, timeout_ms: number): void {
    this.asked = asked;
    this.idle_ms = performance.now() - this.#since;
    for (const part of asked.bytes) this.#socket.write(part);
    this.#timer = setTimeout(() => this.#fail("timeout"), timeout_ms);
  }

  close(): void {
    this.isOver = true;
    clearTimeout(this.#timer);
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    if (this.asked === undefined) {
      this.close();
      return;
    }
    let rest = chunk;
    if (this.#length === -1) {
      this.#head += chunk;
      const end = this.#head.indexOf("\r\n\r\n");
      if (end < 0) return;
      rest = this.#head.slice(end + 4);
      this.#head = this.#head.slice(0, end + 2);
      this.#length = this.#head.startsWith("HTTP/1.") ? lengthOf(this.#head) : -1;
      if (this.#length === -1) {
        this.#fail("not HTTP");
        return;
      }
    }
    this.#bytes += rest.length;
    const chunked = this.#length === -2;
    if (chunked || this.asked.read) this.#text += rest;
    if (chunked ? !isWhole(this.#text) : this.#bytes < this.#length) return;
    const text = this.asked.read ? Buffer.from(chunked ? joinChunks(this.#text) : this.#text, "latin1").toString() : "";
    this.#end({ status: Number(this.#head.slice(9, 12)), head: this.#head, text, bytes: this.#bytes });
  }

  #end(answer: Answer): void {
    this.#since = performance.now();
    if (/\r\nconnection: close/iu.test(answer.head)) this.close();
    this.#reset(answer);
  }

  #fail(fault: Answer["fault"]): void {
    const head = this.#head;
    this.close();
    this.#reset({ status: 0, head, text: "", bytes: this.#bytes, ...(fault && { fault }) });
  }

  #reset(answer: Answer): void {
    clearTimeout(this.#timer);
    this.#head = "";
    this.#text = "";
    this.#bytes = 0;
    this.#length = -1;
    this.#done(answer);
  }
}

function lengthOf(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/iu.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  if (/\r\ntransfer-encoding: *chunked/iu.test(head)) return -2;
  return /^HTTP\/1\.\d (?:1\d\d|204|304)/u.test(head) ? 0 : -1;
}

const isWhole = (chunks: string): boolean => chunks.startsWith("0\r\n") || chunks.endsWith("\r\n0\r\n\r\n");

function joinChunks(chunks: string): string {
  let joined = "";
  for (let at = 0; at < chunks.length; ) {
    const end = chunks.indexOf("\r\n", at);
    const length = Number.parseInt(chunks.slice(at, end), 16);
    if (!(length > 0)) break;
    joined += chunks.slice(end + 2, end + 2 + length);
    at = end + 2 + length + 2;
  }
  return joined;
}

/** The value of a header; undefined where there is none. */
export const headerOf = ({ head }: Answer, name: string): string | undefined =>
  new RegExp(`\\r\\n${name}: *([^\\r]*)`, "iu").exec(head)?.[1];
