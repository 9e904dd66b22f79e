/**
 * An open generator that is much lighter than k6: requests at a fixed rate over kept connections, latency counted from the moment that
 * each was due, so that neither a slow server nor a late generator can hide (no coordinated omission). It speaks just enough HTTP/1.1 for the
 * servers here, on plain sockets, because `fetch` costs more than the kernel's own share of a request. A process of its own; prints one
 * line of JSON.
 *
 *     MODE=submit URL=… KEYS=… RATE=4000 SECONDS=10 bun bench/k6/pace.ts
 *
 * MODE, KEYS, PATH_OF_ACTION, IDS and BODIES as for wrk.lua.
 */
import { randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";

export interface Paced {
  readonly requests: number;
  readonly errors: number;
  /** Answers a second, from the first that was due to the last that came, the warm-up's too: a line that it left is no fault of the rest. */
  readonly rate_achieved: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
}

/** As many as wrk has. A request that finds none free waits, and its latency tells. */
const CONNECTIONS = 128;
const WARM_UP_SECONDS = 2;
/** After this long without an answer, what is still open counts as an error. */
const PATIENCE_MS = 20_000;

const {
  URL: url = "",
  KEYS = "",
  MODE = "submit",
  RATE,
  SECONDS,
  PATH_OF_ACTION = "",
  IDS = "",
  BODIES = "",
} = process.env;
const { hostname, port } = new URL(url);
const heads = KEYS.split(",").map(
  (key) => `host: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`,
);
const ids = IDS.split(",");
const bodies = BODIES.split("\n");

const put = (index: number, body: string): string =>
  `PUT ${PATH_OF_ACTION} HTTP/1.1\r\n${heads[index % heads.length]}content-length: ${body.length}\r\n\r\n${body}`;
const MAKE: Readonly<Record<string, (index: number) => string>> = {
  submit: (index) =>
    put(index, `{"idempotency_key":"${randomUUID()}","source":{"url":"https://example.com/song.flac"}}`),
  replay: (index) => put(index % bodies.length, bodies[index % bodies.length]!),
  status: (index) =>
    `GET ${PATH_OF_ACTION}?id=${ids[index % ids.length]} HTTP/1.1\r\n${heads[(index % ids.length) % heads.length]}\r\n`,
};

/** One kept connection with at most one request on it. */
class Line {
  #socket: Socket;
  #received = "";
  /** Called with whether the answer was a 200. */
  #done: ((ok: boolean) => void) | undefined;

  constructor() {
    this.#socket = this.#open();
  }

  ask(request: string, done: (ok: boolean) => void): void {
    this.#done = done;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.removeAllListeners("close");
    this.#socket.destroy();
  }

  #open(): Socket {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    // One character for each byte, so that lengths are bytes.
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => this.#take(chunk));
    // What broke is told by "close".
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#received = "";
      this.#socket = this.#open();
      this.#end(false);
    });
    return socket;
  }

  #take(chunk: string): void {
    this.#received = this.#received === "" ? chunk : this.#received + chunk;
    const head = this.#received.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = /\r\ncontent-length: (\d+)/iu.exec(this.#received)?.[1];
    if (length === undefined) throw new Error(`An answer without a length:\n${this.#received.slice(0, head)}`);
    if (this.#received.length < head + 4 + Number(length)) return;
    const ok = this.#received.startsWith("HTTP/1.1 200");
    this.#received = "";
    this.#end(ok);
  }

  #end(ok: boolean): void {
    const done = this.#done;
    this.#done = undefined;
    done?.(ok);
  }
}

async function pace(rate: number, seconds: number): Promise<Paced> {
  const make = MAKE[MODE];
  if (make === undefined) throw new Error(`There is no mode "${MODE}", only ${Object.keys(MAKE).join(", ")}`);
  // The first seconds of a fresh process say how its compiler warms up; their errors count, their latencies do not.
  const warm_up = Math.round(rate * WARM_UP_SECONDS);
  const total = warm_up + Math.round(rate * seconds);
  const latencies = new Float64Array(total).fill(Number.NaN);
  const free = Array.from({ length: CONNECTIONS }, () => new Line());
  const lines = [...free];
  let errors = 0;
  let sent = 0;
  let answered = 0;
  let last_ms = 0;
  const began = performance.now() + 50;
  const dueOf = (index: number): number => began + (index / rate) * 1000;
  const submitDue = (): void => {
    const now = performance.now();
    while (sent < total && dueOf(sent) <= now) {
      const line = free.pop();
      if (line === undefined) return;
      const index = sent++;
      line.ask(make(index), (ok) => {
        last_ms = performance.now();
        latencies[index] = last_ms - dueOf(index);
        if (!ok) errors += 1;
        answered += 1;
        free.push(line);
        // Those that wait for a connection are due already.
        if (sent < total && dueOf(sent) <= last_ms) submitDue();
      });
    }
  };
  for (let patience = began; answered < total && performance.now() < patience + PATIENCE_MS; ) {
    submitDue();
    await new Promise((resolve) => setTimeout(resolve, 1));
    patience = Math.max(patience, last_ms);
  }
  for (const line of lines) line.close();
  // What was never answered took at least until now.
  const ended = performance.now();
  for (let index = 0; index < total; index++)
    if (Number.isNaN(latencies[index])) latencies[index] = Math.max(0, ended - dueOf(index));
  const counted = latencies.subarray(warm_up).sort();
  const quantile = (q: number): number => counted[Math.floor(q * (counted.length - 1))] ?? 0;
  return {
    requests: counted.length,
    errors: errors + total - answered,
    rate_achieved: answered / ((last_ms - began) / 1000),
    p50_ms: quantile(0.5),
    p95_ms: quantile(0.95),
    p99_ms: quantile(0.99),
    max_ms: quantile(1),
  };
}

console.log(JSON.stringify(await pace(Number(RATE), Number(SECONDS))));
