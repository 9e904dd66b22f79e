/** Bodies of hostile senders: in crumbs, without an end, too long, cut off, from strangers. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { serve } from "../../core/adapters/runtime/runtime.ts";
import { Refusal, refuse } from "../../core/base/errors.ts";
import { Collector, JSON_BYTES_MAX, readBytes, readJsonBytes } from "../../core/http/body.ts";
import { readFormWithFiles } from "../../plugins/dashboard/form_body.ts";
import { entered, visitor } from "../dashboard/visitor.ts";
import { ownerLink, startTestService, type TestService } from "../service.ts";

const FORM = "application/x-www-form-urlencoded";

/** A body of small chunks, which counts how many bytes were asked for. */
function crumbs(
  bytes: number,
  first = "",
  size = 128,
): { readonly body: ReadableStream<Uint8Array>; readonly taken: () => number } {
  const head = new TextEncoder().encode(first);
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken >= bytes) return controller.close();
        controller.enqueue(Uint8Array.from({ length: size }, (_, index) => head[taken + index] ?? 97));
        taken += size;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, taken: () => taken };
}

const posted = (body: ReadableStream<Uint8Array>, type: string): Request =>
  new Request("http://127.0.0.1/", {
    method: "POST",
    body,
    headers: { "content-type": type },
    duplex: "half",
  } as RequestInit);

async function withService(use: (tonwerk: TestService) => Promise<void>): Promise<void> {
  const tonwerk = await startTestService();
  try {
    await use(tonwerk);
  } finally {
    await tonwerk.stop();
  }
}

const ignoreFiles = async (): Promise<void> => undefined;
const MULTIPART = "multipart/form-data; boundary=x";
const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n';
for (const [what, type, read] of [
  ["a form", FORM, (request) => readFormWithFiles(request, 1e6, ignoreFiles)],
  ["a form with files", MULTIPART, (request) => readFormWithFiles(request, 1e6, ignoreFiles)],
  ["a JSON body", "application/json", readJsonBytes],
  ["any other body", "text/plain", (request) => readBytes(request, 1e6)],
] satisfies [string, string, (request: Request) => Promise<unknown>][]) {
  test(`${what} in chunks of one byte or of 64 bytes is refused after 250 of them, in chunks of 128 it is read`, async () => {
    const first = type === MULTIPART ? part : "";
    const crumbled = crumbs(64_000, first, 1);
    await assert.rejects(
      read(posted(crumbled.body, type)),
      (error) => error instanceof Refusal && error.status === 400,
    );
    assert.ok(crumbled.taken() <= 251, `${crumbled.taken()} bytes were read`);
    const larger = crumbs(64_000, first, 64);
    await assert.rejects(read(posted(larger.body, type)), (error) => error instanceof Refusal && error.status === 400);
    assert.ok(larger.taken() <= 251 * 64, `${larger.taken()} bytes were read`);
    const small = crumbs(64_000, first);
    // The parts of a form with files have no end here.
    await read(posted(small.body, type)).catch((error: unknown) =>
      assert.ok(error instanceof Refusal && error.status === 422),
    );
    assert.equal(small.taken(), 64_000);
  });
}

test("what is collected is copied a few times, however many pieces it comes in", () => {
  const whole = new Collector();
  const buffers = new Set<unknown>();
  for (let index = 0; index < 100_000; index++) {
    whole.add(Uint8Array.of(index));
    buffers.add(whole.bytes().buffer);
  }
  assert.ok(buffers.size <= 8, `${buffers.size} buffers`);
  assert.ok(whole.bytes().every((byte, index) => byte === (index & 255)));
  assert.equal(whole.length, 100_000);
});

test("bodies in crumbs that are just not refused leave the loop to others, however many they are", async () => {
  let whole = 0;
  const bodies = Array.from({ length: 8 }, () =>
    readBytes(posted(crumbs(256_000).body, FORM), 1e6).then(() => {
      whole++;
    }),
  );
  let turns = 0;
  while (whole === 0) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    turns++;
  }
  await Promise.all(bodies);
  // 16,000 pieces: without a pause there is one turn, or a few.
  assert.ok(turns > 50, `${turns} turns`);
});

test("bodies in crumbs are refused one after another, and each only when others had the loop", async () => {
  let turn = 0;
  let refused = 0;
  const turns = await Promise.all([
    ...Array.from({ length: 8 }, async () => {
      await assert.rejects(readBytes(posted(crumbs(64_000, "", 1).body, FORM), 1e6), Refusal);
      refused++;
      return turn;
    }),
    (async () => {
      for (; refused < 8; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
      return -1;
    })(),
  ]);
  assert.equal(new Set(turns).size, 9, `turns ${turns.join(", ")}`);
});

test("a byte stream is read into the same memory while its pieces are small, and every byte arrives", async () => {
  const sizes = [1, 100, 9_000, 3, 8_192, 70_000, 200, 50];
  const sent = Uint8Array.from({ length: sizes.reduce((sum, size) => sum + size) }, (_, index) => index % 251);
  let at = 0;
  let given = 0;
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const request = controller.byobRequest;
      // Without memory of the reader's, all comes in one piece.
      if (!request?.view) {
        controller.enqueue(sent.slice());
        return controller.close();
      }
      if (at === sent.length) {
        controller.close();
        return request.respond(0);
      }
      const { buffer, byteOffset, byteLength } = request.view;
      const piece = sent.subarray(at, at + Math.min(byteLength, sizes[given++] ?? 1_000));
      new Uint8Array(buffer, byteOffset).set(piece);
      at += piece.length;
      request.respond(piece.length);
    },
  });
  assert.deepEqual(
    await readBytes(new Request("http://127.0.0.1/", { method: "POST", body, duplex: "half" } as RequestInit), 1e6),
    sent,
  );
  assert.ok(given > sizes.length, `memory was given to ${given} reads`);
});

test("a body that is refused half-way is left alone until its sender has the answer", async () => {
  const order: string[] = [];
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
    cancel() {
      order.push("cancelled");
      resolve();
    },
  });
  await assert.rejects(readBytes(posted(body, FORM), 5_000), Refusal);
  order.push("refused");
  await cancelled;
  assert.deepEqual(order, ["refused", "cancelled"]);
});

test("a public form is read to 8 KB, a signed-in one to 128 KB", () =>
  withService(async (tonwerk) => {
    for (const path of ["/sign-in", "/sign-out", "/forgotten", "/link?token=x"]) {
      const guest = visitor(tonwerk);
      await guest.get("/sign-in");
      const endless = crumbs(102_400, "csrf=x&email=");
      const refused = await guest.raw("POST", path.split("?")[0]!, endless.body, { "content-type": FORM });
      assert.equal(refused.status, 413, path);
      assert.ok(endless.taken() <= 8_192 + 128, `${path}: ${endless.taken()} bytes were read`);
      const announced = crumbs(102_400);
      const headers = { "content-type": FORM, "content-length": "8193" };
      assert.equal((await guest.raw("POST", path.split("?")[0]!, announced.body, headers)).status, 413);
      assert.equal(announced.taken(), 0);
    }
    const owner = await entered(tonwerk, await ownerLink(tonwerk.service), "me@example.com");
    const longer = crumbs(102_400);
    // Its token is missing, which is seen when it has been read.
    assert.equal((await owner.raw("POST", "/settings", longer.body, { "content-type": FORM })).status, 403);
    assert.equal(longer.taken(), 102_400);
    // The limit of a minute fills again while they are sent.
    const send = async (body: BodyInit) =>
      (await owner.raw("POST", "/settings", body, { "content-type": FORM })).status;
    let forms = 1;
    while (forms < 1_000 && (await send("csrf=x")) === 403) forms++;
    assert.ok(forms >= 120 && forms < 1_000, `${forms} forms`);
    const unread = crumbs(100);
    assert.equal(await send(unread.body), 429);
    assert.equal(unread.taken(), 0);
  }));

test("nothing is read of a form from elsewhere, from nobody, or from an address that sends too many", () =>
  withService(async (tonwerk) => {
    const refusedUnread = async (who: ReturnType<typeof visitor>, status: number, headers = {}) => {
      const unread = crumbs(100);
      const response = await who.raw("POST", "/sign-in", unread.body, { "content-type": FORM, ...headers });
      assert.equal(response.status, status);
      assert.equal(unread.taken(), 0);
      return response;
    };
    await refusedUnread(visitor(tonwerk), 403);
    const guest = visitor(tonwerk);
    await guest.get("/sign-in");
    await refusedUnread(guest, 403, { origin: "http://evil.example" });
    for (let tries = 0; tries < 60; tries++) {
      const { status } = await guest.raw("POST", "/sign-in", "csrf=x", { "content-type": FORM });
      assert.equal(status, 403);
    }
    const limited = await refusedUnread(guest, 429);
    assert.ok(Number(limited.headers.get("retry-after")) >= 1);
  }));

test("nothing is read of leak reports from an address that sends too many", () =>
  withService(async (tonwerk) => {
    const headers = { "github-public-key-identifier": "x", "github-public-key-signature": "x" };
    for (let reports = 0; reports < 60; reports++) {
      assert.equal((await tonwerk.call("POST", "/leaks", [], headers)).status, 403);
    }
    assert.equal((await tonwerk.call("POST", "/leaks", [], headers)).status, 429);
  }));

const PACE = { idle_ms: 100, whole_ms: 400 };
const slow = (error: unknown): boolean => error instanceof Refusal && error.status === 408;

test("a body without an end is a 408: after a silence, and after a while however it trickles", async () => {
  const silent = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
  await assert.rejects(readBytes(posted(silent, FORM), 100, PACE), slow);
  let drops: ReturnType<typeof setInterval> | undefined;
  const trickling = new ReadableStream<Uint8Array>({
    start(controller) {
      drops = setInterval(() => controller.enqueue(new Uint8Array(1)), 20);
    },
    cancel: () => clearInterval(drops),
  });
  await assert.rejects(readBytes(posted(trickling, FORM), 1_000, PACE), slow);
});

for (const [framing, body] of [
  ["announced", "Content-Length: 100\r\n\r\n{"],
  ["chunked", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"],
] as const) {
  test(`an ${framing} JSON body that never comes is a 408 on the socket, and others are served`, async () => {
    const server = await serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) =>
        request.method === "GET"
          ? new Response("here")
          : readJsonBytes(request, JSON_BYTES_MAX, PACE).then(
              () => new Response("read"),
              (error: unknown) => new Response(null, { status: (error as Refusal).status ?? 500 }),
            ),
    });
    const socket = connect(server.port, "127.0.0.1");
    try {
      const answer = new Promise<string>((resolve) => socket.once("data", (chunk) => resolve(String(chunk))));
      socket.write(`PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${body}`);
      assert.match(await answer, /^HTTP\/1\.1 408 /u);
      assert.equal(await (await fetch(server.url)).text(), "here");
    } finally {
      socket.destroy();
      await server.stop();
    }
  });
}

test("who is refused half-way has the whole answer, and nothing of the rest is taken apart", async () => {
  const server = await serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) =>
      readBytes(request, 1e6).then(
        () => new Response("read"),
        (error: unknown) => Response.json((error as Refusal).body, { status: (error as Refusal).status }),
      ),
  });
  const head = `PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const crumbled = Buffer.from(head + "1\r\na\r\n".repeat(300_000));
  try {
    const used = process.cpuUsage();
    for (let body = 0; body < 4; body++) {
      const answer = await new Promise<string>((resolve, reject) => {
        let received = "";
        const socket = connect(server.port, "127.0.0.1");
        // The end of the connection comes before the end of the body, which has none.
        socket.on("data", (piece) => (received += String(piece)));
        socket.on("error", () => undefined);
        socket.on("close", () => resolve(received));
        socket.setTimeout(5_000, () => {
          reject(new Error("the connection is open after the answer"));
          socket.destroy();
        });
        socket.write(crumbled);
      });
      assert.match(answer, /^HTTP\/1\.1 400 /u);
      const [, sent = ""] = answer.split("\r\n\r\n");
      assert.deepEqual(JSON.parse(sent), refuse.bodyInCrumbs().body);
    }
    const { user, system } = process.cpuUsage(used);
    assert.ok(user + system < 400_000, `${user + system} µs of processor time`);
  } finally {
    await server.stop();
  }
});

test("a body in chunks of 2 KB is read at a cost that grows with it, and every byte arrives", async () => {
  const bytes = 40_000_000;
  const used = process.cpuUsage();
  const server = await serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => new Response(String((await readBytes(request, bytes)).length)),
  });
  const socket = connect(server.port, "127.0.0.1");
  try {
    const answer = new Promise<string>((resolve) => socket.once("data", (piece) => resolve(String(piece))));
    socket.write("PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n");
    socket.write(`${`9c4\r\n${"a".repeat(2_500)}\r\n`.repeat(bytes / 2_500)}0\r\n\r\n`);
    assert.ok((await answer).endsWith(`\r\n\r\n${bytes}`));
  } finally {
    socket.destroy();
    await server.stop();
  }
  const { user, system } = process.cpuUsage(used);
  assert.ok(user + system < 1_000_000, `${user + system} µs of processor time`);
});

test("a body that breaks off is a client's mistake, logged as no error of ours", () =>
  withService(async (tonwerk) => {
    for (const [method, path, type] of [
      ["PUT", "/v1/operations.cancel", "application/json"],
      ["PUT", "/v1/files", "audio/flac"],
    ] as const) {
      const broken = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.error(new TypeError("the connection is gone")),
      });
      const sent = new Request(new URL(path, tonwerk.service.config.base_url), {
        method,
        headers: { authorization: `Bearer ${tonwerk.key}`, "content-type": type },
        body: broken,
        duplex: "half",
      } as RequestInit);
      const response = await tonwerk.service.app(sent, { address: "127.0.0.1" });
      assert.equal(response.status, 400, path);
    }
    assert.deepEqual(
      tonwerk.logged.filter((line) => line.includes("http.error")),
      [],
    );
  }));
