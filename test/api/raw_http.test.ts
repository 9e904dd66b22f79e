/**
 * The socket as a hostile client uses it: nothing that is written to it gets a 5xx, a path, a stack or a version back, or keeps others from
 * their answers. TONWERK_TEST_RAW_CASES and TONWERK_TEST_RAW_SEED make a longer or another campaign.
 */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { runtime, type Server, serve } from "../../core/adapters/runtime/runtime.ts";
import { createFault } from "../../core/http/app.ts";
import { startTestService, type TestService } from "../service.ts";
import { drawRequests, seededRandom } from "./raw_requests.ts";

const CASES = Number(process.env.TONWERK_TEST_RAW_CASES ?? 400);
const SEED = Number(process.env.TONWERK_TEST_RAW_SEED ?? 1);
const AT_ONCE = 16;
/** After a request that has no end, the client ends its side; by then whoever is there has answered. */
const SILENT_MS = 150;
/** A connection must be over by then, generously for a busy machine. */
const HANG_MS = 20_000;
const IDLE_SECONDS = 5;

let tonwerk: TestService;
let server: Server;
before(async () => {
  tonwerk = await startTestService();
  server = await serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: tonwerk.service.app,
    fault: createFault(tonwerk.service),
    body_bytes_max: 100_000_000,
    idle_seconds: IDLE_SECONDS,
  });
});
after(async () => {
  await server.stop();
  await tonwerk.stop();
});

/** What the server says to these bytes (latin1) until it ends the connection, or the client does after a silence of `silent_ms`. */
function exchange(bytes: string, silent_ms?: number): Promise<{ text: string; over: boolean }> {
  return new Promise((resolve) => {
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    let text = "";
    let silence: ReturnType<typeof setTimeout> | undefined;
    const hang = setTimeout(() => end(false), HANG_MS);
    const end = (over: boolean): void => {
      clearTimeout(silence);
      clearTimeout(hang);
      socket.destroy();
      resolve({ text, over });
    };
    const wait = (): void => {
      clearTimeout(silence);
      if (silent_ms !== undefined) silence = setTimeout(() => socket.end(), silent_ms);
    };
    socket.on("data", (chunk: Uint8Array) => {
      text += Buffer.from(chunk).toString("latin1");
      wait();
    });
    socket.once("end", () => end(true));
    // Reset while we still wrote: over as well.
    socket.once("error", () => end(true));
    socket.once("close", () => end(true));
    wait();
    socket.write(Buffer.from(bytes, "latin1"));
  });
}

const statuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.[01] (\d{3}) [A-Z]/gu)].map(([, code]) => Number(code));

/** What no answer may hold. */
const TELLING = [
  process.cwd(),
  "node_modules",
  // And no package whose name ends so.
  /(?<!\w)core\//u,
  /\.m?[jt]s:\d/u,
  /^\s+at /mu,
  /\bbun\b|\bdeno\b|\bv8\b|elysia/iu,
  /^(?:server|x-powered-by):/imu,
];

function assertTellsNothing(text: string, sent: string): void {
  for (const telling of TELLING) {
    const tells = typeof telling === "string" ? text.includes(telling) : telling.test(text);
    assert.ok(!tells, `${telling} in the answer to ${JSON.stringify(sent.slice(0, 500))}:\n${text.slice(0, 2_000)}`);
  }
}

/** Bun's parser calls a version, a line end or a control character in the target that it does not know "505", with nothing else in the answer. */
const isFault = (status: number, text: string): boolean =>
  status >= 500 && !(status === 505 && /\r\n\r\n$/u.test(text));

const LOCAL = "HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

for (const host of ["", " ", "a b", "a/b", "a?b", "#", "u:p@h", "[::1", "a:99999", "a%zz", "<x>"]) {
  test(`Host "${host}" is a 400 that says so and nothing else`, async () => {
    for (const path of ["/health", "/v1/account", "/nowhere", "/dashboard", "/"]) {
      for (const version of ["1.1", "1.0"]) {
        const { text } = await exchange(`GET ${path} HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        const [head = "", body = ""] = text.split("\r\n\r\n");
        assert.match(head, /^HTTP\/1\.[01] 400 /u, path);
        assert.match(head, /content-type: application\/json/iu);
        assert.match(head, /^x-request-id: \S+/imu);
        const { detail, code, doc_url } = JSON.parse(body) as Record<string, unknown>;
        assert.deepEqual([typeof detail, code], ["string", "malformed_request"]);
        assert.match(String(doc_url), /\/docs\/errors#malformed_request$/u);
        assertTellsNothing(text, host);
      }
    }
  });
}

test("two Host headers are a 400, equal or not", async () => {
  for (const [one, other] of [
    ["127.0.0.1", "example.com"],
    ["127.0.0.1", "127.0.0.1"],
    ["", "127.0.0.1"],
  ]) {
    const { text } = await exchange(
      `GET /health HTTP/1.1\r\nHost: ${one}\r\nHost: ${other}\r\nConnection: close\r\n\r\n`,
    );
    // Deno's parser refuses them itself, with nothing else in the answer.
    assert.match(text, /^HTTP\/1\.1 400 /u);
    assertTellsNothing(text, other!);
  }
});

test("HTTP/1.0 without Host is served", async () => {
  for (const [path, status] of [
    ["/health", 200],
    ["/openapi.json", 200],
    ["/v1/account", 401],
    ["/nowhere", 404],
  ] as const) {
    const { text } = await exchange(`GET ${path} HTTP/1.0\r\n\r\n`);
    assert.deepEqual(statuses(text), [status], path);
  }
  const body = "{}";
  const { text } = await exchange(
    `PUT /v1/operations.cancel HTTP/1.0\r\nAuthorization: Bearer ${tonwerk.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  assert.deepEqual(statuses(text), [422]);
});

for (const method of ["CONNECT", "TRACE", "TRACK", "FOO", "get", "PROPFIND"]) {
  test(`${method} is refused as a client's mistake`, async () => {
    for (const target of ["/health", "/nowhere", "/dashboard", "evil.example:443"]) {
      const { text } = await exchange(`${method} ${target} ${LOCAL}`);
      // Bun hangs up on methods that it does not know.
      for (const status of statuses(text)) assert.ok(status >= 400 && status < 500, `${method} ${target}: ${text}`);
      assertTellsNothing(text, method);
    }
  });
}

test(`no request out of ${CASES} of seed ${SEED} gets a 5xx, a path, a stack or a version, or hangs`, {
  timeout: 3_600_000,
}, async () => {
  const random = seededRandom(SEED);
  const known = {
    key: tonwerk.key,
    host: new URL(tonwerk.service.config.base_url).host,
    paths: ["/health", "/", "/openapi.json", "/docs", "/v1/account", "/v1/operations", "/v1/files", "/leaks"].concat(
      ["/v1/operations.cancel", "/v1/create.new_sample", "/rpc/create.new_song", "/dashboard", "/dashboard/sign-in"],
      ["/dashboard/link", "/dashboard/playground", "/dashboard/forgotten", "/v1/capabilities"],
    ),
  };
  const all = Array.from({ length: CASES }, () => drawRequests(random, known));
  const seen = new Map<number, number>();
  let next = 0;
  const client = async (): Promise<void> => {
    for (let index = next++; index < all.length; index = next++) {
      const sent = all[index]!;
      const { text, over } = await exchange(sent, SILENT_MS);
      const what = `case ${index}: ${JSON.stringify(sent.slice(0, 1_000))}`;
      assert.ok(over, `hangs: ${what}`);
      for (const status of statuses(text)) {
        seen.set(status, (seen.get(status) ?? 0) + 1);
        assert.ok(!isFault(status, text), `${what}\n${text.slice(0, 2_000)}`);
      }
      assertTellsNothing(text, sent);
      if (index % 20 === 0) assert.deepEqual(statuses((await exchange(`GET /health ${LOCAL}`)).text), [200], what);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  // The grammar reaches past the parsers.
  for (const status of [200, 400, 401, 404, 405, 415, 422])
    assert.ok(seen.has(status), `no ${status} among ${[...seen]}`);
  const faults = tonwerk.logged.filter((line) => /"event":"(?:http|dashboard)\.error"/u.test(line));
  assert.deepEqual(faults, []);
});

test("pipelined requests are answered in order, or the connection ends", async () => {
  const one = "GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  const { text, over } = await exchange(`${one}${one}GET /nowhere ${LOCAL}`);
  assert.ok(over);
  const answered = statuses(text);
  if (runtime.name === "deno") assert.deepEqual(answered, [404, 404, 404]);
  for (const status of answered) assert.equal(status, 404);
});

test(
  "a connection on which a request never ends is closed",
  { skip: runtime.name === "deno" ? "Deno.serve has no limit: see docs/deploying.md" : false, timeout: 60_000 },
  () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(server.port, "127.0.0.1");
      socket.write("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nx: ");
      const trickle = setInterval(() => socket.write("y"), 1_000);
      const limit = setTimeout(
        () => {
          socket.destroy();
          reject(new Error("still open"));
        },
        8 * IDLE_SECONDS * 1_000,
      );
      socket.on("error", () => undefined);
      socket.once("close", () => {
        clearInterval(trickle);
        clearTimeout(limit);
        resolve();
      });
    }),
);
