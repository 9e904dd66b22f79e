/**
 * A proxy between a client and a server of this machine that does what networks do: breaks connections, delays, loses answers, cuts bodies
 * short, and answers with errors of its own. What is HTTP about it is one request line at a time; everything else is bytes.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface FaultProxy {
  readonly port: number;
  /** The next `count` requests are answered with this status and not passed on. HTTP only. */
  answer(status: number, count: number): void;
  /** Of the next `count` requests that fit, the answer is thrown away and the connection reset. HTTP only. */
  loseAnswers(which: { readonly method: string; readonly path?: RegExp; readonly count: number }): void;
  /** The next `count` answers longer than that are cut off after so many bytes, with a reset. */
  truncate(how: { readonly after_bytes: number; readonly count: number }): void;
  /** Bytes of the server wait so long. */
  delay(ms: number): void;
  /** Resets every connection, and new ones at once, until healed. */
  cut(): void;
  /** Connections stay open and carry nothing, until healed. */
  freeze(): void;
  /** No more faults. */
  heal(): void;
  readonly lost: number;
  readonly truncated: number;
  close(): Promise<void>;
}

export async function startFaultProxy(target: number): Promise<FaultProxy> {
  const state = {
    status: 0,
    statuses: 0,
    lose: undefined as { method: string; path: RegExp; count: number } | undefined,
    truncate: { after_bytes: 0, count: 0 },
    delay_ms: 0,
    cut: false,
    frozen: false,
    lost: 0,
    truncated: 0,
  };
  const open = new Set<Socket>();
  const thaw = new Set<() => void>();
  const flowing = (): Promise<void> | undefined =>
    state.frozen ? new Promise((resolve) => thaw.add(resolve)) : undefined;

  const server = createServer({ allowHalfOpen: false }, (client) => {
    open.add(client);
    client.on("error", () => undefined);
    if (state.cut) {
      client.resetAndDestroy();
      open.delete(client);
      return;
    }
    const upstream = connect(target, "127.0.0.1");
    open.add(upstream);
    upstream.on("error", () => client.destroy());
    const end = () => {
      open.delete(client);
      open.delete(upstream);
      client.destroy();
      upstream.destroy();
    };
    client.once("close", end);
    upstream.once("close", () => {
      client.end();
      open.delete(upstream);
    });
    /** Of the answer under way. */
    let fate: "pass" | "lose" = "pass";
    let answered = 0;

    client.on("data", async (chunk: Buffer) => {
      const line = requestLine(chunk);
      if (line !== undefined) {
        answered = 0;
        fate = "pass";
        if (state.statuses > 0) {
          state.statuses--;
          client.write(`HTTP/1.1 ${state.status} Fault\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
          client.end();
          return;
        }
        const { lose } = state;
        if (lose !== undefined && lose.count > 0 && line.method === lose.method && lose.path.test(line.path)) {
          lose.count--;
          fate = "lose";
        }
      }
      if (client.writableEnded) return;
      client.pause();
      await flowing();
      client.resume();
      if (!upstream.destroyed) upstream.write(chunk);
    });
    upstream.on("data", async (chunk: Buffer) => {
      if (fate === "lose") {
        state.lost++;
        client.resetAndDestroy();
        return;
      }
      if (state.delay_ms > 0 || state.frozen) {
        upstream.pause();
        if (state.delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, state.delay_ms));
        await flowing();
        upstream.resume();
      }
      const { truncate } = state;
      if (truncate.count > 0 && answered + chunk.length > truncate.after_bytes) {
        truncate.count--;
        state.truncated++;
        client.write(chunk.subarray(0, Math.max(0, truncate.after_bytes - answered)), () => client.resetAndDestroy());
        upstream.destroy();
        return;
      }
      answered += chunk.length;
      if (!client.destroyed && !client.write(chunk)) {
        upstream.pause();
        client.once("drain", () => upstream.resume());
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const release = () => {
    for (const go of thaw) go();
    thaw.clear();
  };

  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    answer(status, count) {
      state.status = status;
      state.statuses = count;
    },
    loseAnswers({ method, path = /(?:)/, count }) {
      state.lose = { method, path, count };
    },
    truncate(how) {
      state.truncate = { ...how };
    },
    delay(ms) {
      state.delay_ms = ms;
    },
    cut() {
      state.cut = true;
      for (const socket of open) socket.resetAndDestroy();
      open.clear();
    },
    freeze() {
      state.frozen = true;
    },
    heal() {
      state.statuses = 0;
      state.lose = undefined;
      state.truncate = { after_bytes: 0, count: 0 };
      state.delay_ms = 0;
      state.cut = false;
      state.frozen = false;
      release();
    },
    get lost() {
      return state.lost;
    },
    get truncated() {
      return state.truncated;
    },
    async close() {
      state.frozen = false;
      release();
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Where a chunk begins a request, its method and path. */
function requestLine(chunk: Buffer): { method: string; path: string } | undefined {
  const found = /^(GET|HEAD|PUT|POST|DELETE) (\S+) HTTP\/1\.1\r\n/.exec(chunk.subarray(0, 4_096).toString("latin1"));
  return found === null ? undefined : { method: found[1]!, path: found[2]! };
}
