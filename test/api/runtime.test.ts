import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { test } from "node:test";
import { runtime, type ServeOptions, type Server, serve } from "../../core/adapters/runtime/runtime.ts";

/** Longer than Bun's own limit of 10 s, which cuts an answer off at about 12 s. */
const SILENT_SECONDS = Number(process.env.TONWERK_TEST_SILENT_SECONDS ?? 13);

async function withServer(
  fetch: ServeOptions["fetch"],
  body: (server: Server) => Promise<void>,
  options: Partial<ServeOptions> = {},
): Promise<void> {
  const server = await serve({ hostname: "127.0.0.1", port: 0, fetch, ...options });
  try {
    await body(server);
  } finally {
    await server.stop();
  }
}

/** GET on a connection of its own, so that nothing is kept open or repeated. */
async function get(url: string): Promise<{ status: number; body: string }> {
  const request = httpRequest(url, { agent: false, headers: { connection: "close" } });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode ?? 0, body };
}

test("serve() gives the handler the request and the peer's address", () =>
  withServer(
    (request, peer) => Response.json({ path: new URL(request.url).pathname, address: peer.address }),
    async ({ url, port }) => {
      assert.equal(url, `http://127.0.0.1:${port}`);
      assert.deepEqual(JSON.parse((await get(`${url}/a`)).body), { path: "/a", address: "127.0.0.1" });
    },
  ));

const has_ipv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ family }) => family === "IPv6"));
test("serve() gives an IPv4 address inside IPv6 as IPv4", { skip: has_ipv6 ? false : "this machine has no IPv6" }, () =>
  withServer(
    (_, peer) => Response.json({ address: peer.address }),
    async ({ port, url }) => {
      assert.equal(url, `http://[::]:${port}`);
      assert.deepEqual(JSON.parse((await get(`http://127.0.0.1:${port}`)).body), { address: "127.0.0.1" });
    },
    { hostname: "::" },
  ),
);

const INTERNAL = '{"detail":"Internal error","code":"internal_error"}';

test("serve() answers 500 without detail when the handler throws", () => {
  const { write } = process.stderr;
  const printed: string[] = [];
  process.stderr.write = (line: string | Uint8Array) => printed.push(String(line)) > 0;
  return withServer(
    (request) => {
      if (request.url.includes("sync")) throw new Error("secret");
      return Promise.reject(new Error("secret"));
    },
    async ({ url }) => {
      for (const path of ["/sync?signature=hidden", "/async"]) {
        assert.deepEqual(await get(url + path), { status: 500, body: INTERNAL });
      }
      assert.deepEqual(
        printed.map((line) => JSON.parse(line)).map(({ level, event, path }) => [level, event, path]),
        [
          ["error", "http.error", "/sync"],
          ["error", "http.error", "/async"],
        ],
      );
    },
  ).finally(() => {
    process.stderr.write = write;
  });
});

test("serve() streams a body of 10 MB to the handler as it arrives", () => {
  const CHUNK = new Uint8Array(1_000_000);
  const first = Promise.withResolvers<void>();
  return withServer(
    async (request) => {
      let bytes = 0;
      for await (const chunk of request.body as ReadableStream<Uint8Array>) {
        bytes += chunk.byteLength;
        first.resolve();
      }
      return Response.json({ bytes });
    },
    async ({ url }) => {
      const upload = httpRequest(url, { method: "PUT", agent: false, headers: { "content-length": 10_000_000 } });
      upload.write(CHUNK);
      // The other 9 MB leave only when the handler has seen some of the first: buffering would wait for ever.
      await first.promise;
      for (let i = 1; i < 10; i++) upload.write(CHUNK);
      upload.end();
      const [response] = (await once(upload, "response")) as [IncomingMessage];
      let body = "";
      for await (const chunk of response) body += String(chunk);
      assert.equal(body, '{"bytes":10000000}');
    },
  );
});

test(`serve() does not cut an answer that is silent for ${SILENT_SECONDS} s`, { timeout: 300_000 }, () =>
  withServer(
    () => new Promise((resolve) => setTimeout(() => resolve(new Response("late")), SILENT_SECONDS * 1000)),
    async ({ url }) => assert.deepEqual(await get(url), { status: 200, body: "late" }),
  ),
);

test("serve() aborts the request's signal when the client goes away", () => {
  const arrived = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  return withServer(
    async (request) => {
      request.signal.addEventListener("abort", () => gone.resolve());
      arrived.resolve();
      await gone.promise;
      return new Response();
    },
    async ({ port }) => {
      const socket = connect(port, "127.0.0.1");
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await arrived.promise;
      socket.destroy();
      await gone.promise;
    },
  );
});

test("stop() refuses new connections and lets a request in flight finish", async () => {
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const server = await serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async () => {
      arrived.resolve();
      await finish.promise;
      return new Response("finished");
    },
  });
  const inFlight = get(server.url);
  await arrived.promise;
  let stopped = false;
  const stopping = server.stop().then(() => {
    stopped = true;
  });
  await assert.rejects(get(server.url), { code: "ECONNREFUSED" });
  assert.equal(stopped, false);
  finish.resolve();
  assert.deepEqual(await inFlight, { status: 200, body: "finished" });
  await stopping;
});

test("answers to chunked requests that nobody reads take turns on Deno, and let others through", {
  skip: runtime.name === "deno" ? false : "only Deno takes the chunks apart that nobody read",
}, () => {
  let chunked = 0;
  const all_here = Promise.withResolvers<void>();
  return withServer(
    (request) => {
      if (request.method === "PUT" && ++chunked === UNREAD) all_here.resolve();
      return new Response("unread", { status: 403 });
    },
    async ({ port, url }) => {
      let answered = 0;
      const sockets = Array.from({ length: UNREAD }, () => {
        const socket = connect(port, "127.0.0.1");
        socket.once("data", () => answered++);
        socket.once("error", () => undefined);
        socket.write("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
        return socket;
      });
      await all_here.promise;
      await get(url);
      const before = answered;
      while (answered < UNREAD) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const socket of sockets) socket.destroy();
      assert.ok(before < UNREAD, "the other request was answered after all that nobody read");
    },
  );
});
const UNREAD = 30;

test("serve() says when the port is taken", () =>
  withServer(
    () => new Response(),
    async ({ port }) => {
      const second = serve({ hostname: "127.0.0.1", port, fetch: () => new Response() });
      await assert.rejects(second, { message: `Cannot listen on 127.0.0.1:${port}: the port is taken` });
    },
  ));

test("the peer may still be asked for its address when the request is answered", async () => {
  const asked = Promise.withResolvers<string>();
  const server = await serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(_request, peer) {
      setTimeout(() => asked.resolve(Promise.try(() => peer.address)), 100);
      return new Response("answered");
    },
  });
  try {
    assert.equal(await (await fetch(server.url)).text(), "answered");
    // Deno knows it no longer, and says so by throwing.
    assert.ok(["", "127.0.0.1"].includes(await asked.promise));
  } finally {
    await server.stop();
  }
});

test("runtime names what runs this", () => {
  assert.equal(runtime.version, process.versions[runtime.name]);
});

for (const [what, handler, signals, code] of [
  ["stops in order on a signal", "exit(0)", ["SIGTERM"], 0],
  ["stops in order on an interrupt", "exit(0)", ["SIGINT"], 0],
  ["ends at once on a second signal", "console.log('stopping')", ["SIGTERM", "SIGINT"], 1],
  ["ends with 1 when the handler fails", "Promise.reject(new Error('broken'))", ["SIGTERM"], 1],
] as const) {
  test(`onStop() ${what}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "tonwerk-"));
    let child: ChildProcess | undefined;
    try {
      const file = join(folder, "main.ts");
      const runtime_url = new URL("../../core/adapters/runtime/runtime.ts", import.meta.url);
      await writeFile(
        file,
        `import { args, exit, onStop } from "${runtime_url}";
         setInterval(() => undefined, 1000);
         onStop(() => ${handler});
         console.log(args.join());`,
      );
      child = spawn(process.execPath, [file, "a", "b"], { stdio: ["ignore", "pipe", "ignore"] });
      const closed = once(child, "close");
      for (const signal of signals) {
        const [line] = (await once(child.stdout as Readable, "data")) as [Uint8Array];
        assert.equal(new TextDecoder().decode(line).trim(), signal === signals[0] ? "a,b" : "stopping");
        // Not `child.kill`, which on Deno works once.
        process.kill(child.pid as number, signal);
      }
      assert.deepEqual(await closed, [code, null]);
    } finally {
      // Nothing where the test passed: it has ended.
      child?.kill("SIGKILL");
      await rm(folder, { recursive: true });
    }
  });
}

const linux = process.platform === "linux" ? false : "only Linux tells which sockets hold unread bytes";
for (const [where, answer] of [
  ["a request that waits", (over: Promise<void>) => over.then(() => new Response())],
  ["an answer that goes on", async (over: Promise<void>) => new Response(until(over), EVENTS)],
] as const)
  test(`what is sent behind ${where} is not kept without a bound, and ends nobody else's connection`, {
    skip: linux,
  }, async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    await withServer(
      () => answer(over),
      async ({ port }) => {
        const open = (path: string) => {
          const socket = connect(port, "127.0.0.1").on("error", () => undefined);
          socket.resume().write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
          return socket;
        };
        const [quiet, flood] = [open("/quiet"), open("/flood")];
        const closed = new Promise((resolve) => flood.on("close", resolve));
        const taken = await Promise.race([closed.then(() => 0), pour(flood)]);
        const served = !quiet.destroyed && !quiet.readableEnded;
        for (const socket of [quiet, flood]) socket.destroy();
        end();
        assert.ok(taken < POURED_MAX, `${taken} bytes were taken`);
        assert.ok(served);
      },
    );
  });

const EVENTS = { headers: { "content-type": "text/event-stream" } };
/** More than any buffer between two sockets holds. */
const POURED_MAX = 1_000_000_000;

/** Sends requests until nothing has been taken for a second and a half, or it is too much. */
function pour(socket: Socket): Promise<number> {
  const bytes = Buffer.from("GET /behind HTTP/1.1\r\nHost: a\r\n\r\n".repeat(8_000));
  let taken = 0;
  return new Promise((resolve) => {
    const send = (): void => {
      const held = setTimeout(() => resolve(taken), 1_500);
      socket.write(bytes, (error) => {
        clearTimeout(held);
        taken += bytes.length;
        if (error || taken >= POURED_MAX) resolve(taken);
        else send();
      });
    };
    send();
  });
}

function until(over: Promise<void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      const timer = setInterval(() => controller.enqueue(new TextEncoder().encode(": on\n\n")), 100);
      void over.then(() => clearInterval(timer));
    },
  });
}
