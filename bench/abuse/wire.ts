/**
 * Requests over plain sockets: cheap, from any address of the loopback network, with a limit that always holds. Victim and attackers speak
 * through it, so that neither shares a connection, or a pool of them, with anything else.
 */
import { connect, type Socket } from "node:net";

export interface Ask {
  readonly port: number;
  /** Address that the request comes from: 127.0.0.1 where it is absent. */
  readonly from?: string;
  readonly method?: string;
  readonly path: string;
  /** Beside Host, Content-Length and Connection. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Until the whole answer is there. */
  readonly ms_max: number;
  /** Aborted: the request is given up, as when its time is over. */
  readonly signal?: AbortSignal;
}

export interface Answer {
  /** 0: none came in time, or the connection broke. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly cookies: readonly string[];
  readonly text: string;
}

const NOTHING: Answer = { status: 0, headers: new Map(), cookies: [], text: "" };

/** One request on a connection of its own. Never rejects. */
export function ask(asked: Ask): Promise<Answer> {
  const { port, method = "GET", path, headers = {}, body = "" } = asked;
  const lines = Object.entries({ host: `127.0.0.1:${port}`, connection: "close", ...headers });
  const sized = body.length > 0 || method !== "GET";
  if (sized) lines.push(["content-length", String(Buffer.byteLength(body))]);
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return exchange(asked, typeof body === "string" ? head + body : Buffer.concat([Buffer.from(head), body]));
}

/** Sends bytes as they are and reads what comes until the other end closes. */
export function exchange(
  { port, from, ms_max, signal }: Pick<Ask, "port" | "from" | "ms_max" | "signal">,
  bytes: string | Uint8Array,
): Promise<Answer> {
  if (signal?.aborted === true) return Promise.resolve(NOTHING);
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const socket = open(port, from);
    const end = (answer: Answer): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      socket.destroy();
      resolve(answer);
    };
    const giveUp = (): void => end(NOTHING);
    const timer = setTimeout(giveUp, ms_max);
    signal?.addEventListener("abort", giveUp, { once: true });
    let length = Number.POSITIVE_INFINITY;
    let got = 0;
    socket.on("data", (piece) => {
      pieces.push(piece as Buffer);
      got += piece.length;
      // Not every server closes when it is asked to: an answer of known length ends with its last byte.
      if (length === Number.POSITIVE_INFINITY) length = lengthOf(Buffer.concat(pieces));
      if (got >= length) end(parse(Buffer.concat(pieces)));
    });
    socket.on("close", () => end(parse(Buffer.concat(pieces))));
    socket.write(bytes);
  });
}

/** What breaks is told by "close". */
export function open(port: number, from = "127.0.0.1"): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.setNoDelay(true);
  socket.on("error", () => undefined);
  return socket;
}

/** Bytes of the whole answer, head too; infinite: as long as it comes. */
function lengthOf(bytes: Buffer): number {
  const head = bytes.indexOf("\r\n\r\n");
  if (head < 0) return Number.POSITIVE_INFINITY;
  // No content, and no length of it.
  if (/^HTTP\/1\.1 (?:204|304)/u.test(bytes.toString("latin1", 0, 16))) return head + 4;
  const length = /\r\ncontent-length: *(\d+)/iu.exec(bytes.toString("latin1", 0, head))?.[1];
  return length === undefined ? Number.POSITIVE_INFINITY : head + 4 + Number(length);
}

function parse(bytes: Buffer): Answer {
  const end = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes.toString("latin1", 0, Math.max(0, end)).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/u.exec(first)?.[1] ?? 0);
  if (status === 0) return { ...NOTHING, text: bytes.toString("latin1") };
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const headers = new Map(fields);
  const body = bytes.subarray(end + 4);
  const text = /chunked/iu.test(headers.get("transfer-encoding") ?? "") ? unchunked(body) : body.toString();
  return { status, headers, cookies: fields.flatMap(([name, value]) => (name === "set-cookie" ? [value] : [])), text };
}

function unchunked(bytes: Buffer): string {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf("\r\n", at);
    const size = line < 0 ? Number.NaN : Number.parseInt(bytes.toString("latin1", at, line), 16);
    if (!(size > 0)) return Buffer.concat(pieces).toString();
    pieces.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

/** Somebody at the dashboard, with cookies and forms. */
export class Visitor {
  readonly #port: number;
  readonly #from: string;
  readonly #cookies = new Map<string, string>();
  constructor(port: number, from: string) {
    this.#port = port;
    this.#from = from;
  }

  /** Path and query below `/dashboard`. */
  get(path: string, ms_max = ANSWER_MS): Promise<Answer> {
    return this.#send({ path, ms_max });
  }

  /** A form as the page at `at` sends it: with its token. */
  async post(path: string, values: Readonly<Record<string, string>>, at = path, ms_max = ANSWER_MS): Promise<Answer> {
    const page = await this.get(at, ms_max);
    const csrf = /name="csrf" value="([^"]+)"/u.exec(page.text)?.[1] ?? "";
    return this.#send({ path, method: "POST", ms_max, body: new URLSearchParams({ csrf, ...values }).toString() });
  }

  /** Opens a one-time link and chooses address and password; throws where that is refused. */
  async enter(link: string, email: string): Promise<void> {
    const { pathname, search, searchParams } = new URL(link);
    const form = { token: searchParams.get("token") ?? "", password: PASSWORD, email };
    const { status, text } = await this.post("/link", form, pathname.replace("/dashboard", "") + search);
    if (status !== 303) throw new Error(`Cannot sign in by the link: ${status} ${text.slice(0, 300)}`);
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async #send(of: Pick<Ask, "path" | "ms_max"> & Partial<Pick<Ask, "method" | "body">>): Promise<Answer> {
    const type = of.method === "POST" ? { "content-type": "application/x-www-form-urlencoded" } : {};
    const cookie = this.cookie === "" ? {} : { cookie: this.cookie };
    const to = { ...of, path: `/dashboard${of.path}`, port: this.#port, from: this.#from };
    const answer = await ask({ ...to, headers: { ...type, ...cookie } });
    for (const line of answer.cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      if (value === "" || /max-age=0/iu.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}

export const PASSWORD = "a violin in the rain";
const ANSWER_MS = 30_000;
