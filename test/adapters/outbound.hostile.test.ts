/**
 * What strangers may try with a URL and with the answer behind it. Servers listen on 127.0.0.2, which stands for the public network
 * here (TONWERK_PRIVATE_HOSTS would name it), and at the same port on 127.0.0.1, which must never see a connection.
 */
import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { after, before, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createOutbound, type OutboundOptions } from "../../core/adapters/outbound/outbound.ts";
import type { ResolvedAddress } from "../../core/adapters/outbound/target.ts";
import { type Outbound, OutboundError } from "../../core/ports/outbound.ts";
import { inFolder } from "../audio.ts";
import { ANSWERS, BYTES_MAX, type Code, type Expected, OK, sized, zeros } from "../hostile/answers.ts";
import { answer, authority, type Behaviour, type HostileServer, repeat, startHostile } from "../hostile/server.ts";

/** `PORT` is that of all servers. */
type Row = readonly [url: string, code: Code];

let open: HostileServer;
let port = "";
const blocked: HostileServer[] = [];
const others: HostileServer[] = [];

before(async () => {
  open = await startHostile({ address: "127.0.0.2", behave: serve });
  port = String(open.port);
  for (const address of ["127.0.0.1", "127.0.0.3", "::1"]) {
    try {
      blocked.push(await startHostile({ address, port: open.port, behave: answer("200 OK", [], "secret") }));
    } catch (error) {
      // A machine without IPv6 has nothing to protect there.
      if (address !== "::1") throw error;
    }
  }
});
after(async () => {
  for (const server of [open, ...blocked, ...others]) await server.stop();
});

const calls: string[] = [];
const v4 = (address: string): ResolvedAddress => ({ address, family: 4 });
const v6 = (address: string): ResolvedAddress => ({ address, family: 6 });
const PUBLIC = v4("127.0.0.2");

/** What the resolver of these tests says of a name; a list for each call in turn where there are several, the last for all later ones. */
const NAMES: Readonly<Record<string, readonly (readonly ResolvedAddress[])[]>> = {
  "audio.example.test": [[PUBLIC]],
  "other.example.test": [[PUBLIC]],
  "two.example.test": [[v4("127.0.0.9"), PUBLIC]],
  "loopback.example.test": [[v4("127.0.0.1")]],
  "neighbour.example.test": [[v4("127.0.0.3")]],
  "zero.example.test": [[v4("0.0.0.0")]],
  "metadata.example.test": [[v4("169.254.169.254")]],
  "ten.example.test": [[v4("10.0.0.1")]],
  "carrier.example.test": [[v4("100.64.0.1")]],
  "documentation.example.test": [[v4("192.0.2.1")]],
  "benchmark.example.test": [[v4("198.18.0.1")]],
  "multicast.example.test": [[v4("224.0.0.1")]],
  "broadcast.example.test": [[v4("255.255.255.255")]],
  "loopback6.example.test": [[v6("::1")]],
  "unspecified6.example.test": [[v6("::")]],
  "mapped.example.test": [[v6("::ffff:127.0.0.1")]],
  "mapped-hex.example.test": [[v6("::ffff:7f00:1")]],
  "compatible.example.test": [[v6("::127.0.0.1")]],
  "nat64.example.test": [[v6("64:ff9b::7f00:1")]],
  "local-nat64.example.test": [[v6("64:ff9b:1::a00:1")]],
  "sixtofour.example.test": [[v6("2002:7f00:1::")]],
  "teredo.example.test": [[v6("2001:0:4136:e378:8000:63bf:80ff:fffe")]],
  "unique-local.example.test": [[v6("fd00::1")]],
  "link-local.example.test": [[v6("fe80::1")]],
  "zone.example.test": [[v6("fe80::1%lo")]],
  "site-local.example.test": [[v6("fec0::1")]],
  "segment-routing.example.test": [[v6("5f00::1")]],
  "mixed-first.example.test": [[v4("127.0.0.1"), PUBLIC]],
  "mixed-last.example.test": [[PUBLIC, v4("127.0.0.1")]],
  "mixed6.example.test": [[PUBLIC, v6("::1")]],
  "hundred.example.test": [[...Array.from({ length: 99 }, () => PUBLIC), v4("127.0.0.1")]],
  "rebinding.example.test": [[PUBLIC], [v4("127.0.0.1")]],
  "empty.example.test": [[]],
  "nonsense.example.test": [[v4("nonsense")]],
  "number.example.test": [[v4("2130706433")]],
  "self.example.test": [[v4("93.184.215.14")]],
};

async function resolve(host: string): Promise<readonly ResolvedAddress[]> {
  const earlier = calls.filter((call) => call === host).length;
  calls.push(host);
  const answers = NAMES[host];
  if (answers === undefined) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" });
  return answers[Math.min(earlier, answers.length - 1)]!;
}

function outbound(options: Partial<OutboundOptions> = {}): Outbound {
  return createOutbound({ private_hosts: (host) => host === "127.0.0.2", resolve, ca: authority, ...options });
}

const never = new AbortController().signal;

interface Try {
  readonly by?: Outbound;
  readonly bytes_max?: number;
  readonly signal?: AbortSignal;
}

/** What became of a download: its bytes, or the code. Refused ones leave no file. */
async function get(url: string, { by = outbound(), bytes_max = BYTES_MAX, signal = never }: Try = {}) {
  return await inFolder(async (path) => {
    try {
      const { bytes } = await by.download(url.replaceAll("PORT", port), path("source"), {
        account_id: "acc_1",
        bytes_max,
        signal,
      });
      const { size } = await stat(path("source"));
      assert.equal(bytes, size);
      return bytes;
    } catch (error) {
      assert.ok(error instanceof OutboundError, String(error));
      // Nothing of what a name resolved to.
      assert.doesNotMatch(error.message, /\d+\.\d+\.\d+\.\d+|::/u);
      assert.deepEqual(await readdir(path("")), []);
      return error.code;
    }
  });
}

async function post(url: string, { by = outbound(), signal = never }: Try = {}): Promise<number | Code> {
  try {
    const options = { account_id: "acc_1", headers: { "webhook-id": "evt_1" }, body: new Uint8Array(10), signal };
    return (await by.post(url.replaceAll("PORT", port), options)).status;
  } catch (error) {
    assert.ok(error instanceof OutboundError, String(error));
    return error.code;
  }
}

const untouched = () => blocked.reduce((sum, server) => sum + server.connections(), 0) === 0;

// ---------------------------------------------------------------------------------------------------------------- URLs

const LITERALS: readonly Row[] = [
  "127.0.0.1",
  "127.0.0.3",
  "127.1",
  "127.0.1",
  "0x7f.1",
  "0x7f.0x0.0x0.0x1",
  "0x7f000001",
  "0177.0.0.1",
  "0177.1",
  "017700000001",
  "2130706433",
  "127.0.0.1.",
  "①②⑦.⓪.⓪.①",
  "１２７.0.0.1",
  "127。0。0。1",
  "127．0．0．1",
  "%31%32%37.0.0.1",
  "0",
  "0.0.0.0",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "ｌｏｃａｌｈｏｓｔ",
  "loc%61lhost",
  "a.localhost",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:127.0.0.1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b:1::127.0.0.1]",
  "[2002:7f00:1::]",
  "[2001::1]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[100::1]",
  "[5f00::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[fec0::1]",
  "[ff02::1]",
  "10.0.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "0xa9fea9fe",
  "172.16.0.1",
  "192.0.0.8",
  "192.168.0.1",
  "0300.0250.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
].map((host) => [`https://${host}:PORT/ok`, "forbidden_address"]);

const URLS: readonly Row[] = [
  ["http://audio.example.test:PORT/ok", "unreachable"],
  ["http://example.com/ok", "unreachable"],
  ["ftp://audio.example.test/ok", "unreachable"],
  ["file:///etc/passwd", "unreachable"],
  ["data:audio/wav;base64,UklGRg==", "unreachable"],
  ["gopher://127.0.0.1:PORT/_", "unreachable"],
  ["javascript:1", "unreachable"],
  ["//127.0.0.1:PORT/ok", "unreachable"],
  ["https://", "unreachable"],
  ["https://127.0.0.1:PORT\\@audio.example.test/", "unreachable"],
  ["https://audio.example.test@127.0.0.1:PORT/ok", "unreachable"],
  ["https://user:password@audio.example.test:PORT/ok", "unreachable"],
  ["https://127.0.0.1%09:PORT/ok", "unreachable"],
  ["https://127.0.0.1\t:PORT/ok", "unreachable"],
  ["https://audio.example.test:PORT/a\r\nX-Injected: 1", "unreachable"],
  ["https://audio.example.test:PORT/ok HTTP/1.1", "unreachable"],
  ["https://audio.example.test\u0000.evil.test:PORT/", "unreachable"],
  ["https://audio.example.test%00.evil.test:PORT/", "unreachable"],
  ["https://[fe80::1%25lo]:PORT/ok", "unreachable"],
  ["https://[::1:PORT/ok", "unreachable"],
  ["https://1.2.3.4.5:PORT/ok", "unreachable"],
  ["https://127.0.0.1:65536/ok", "unreachable"],
  ["https://127.0.0.1:-1/ok", "unreachable"],
  ["https://audio.example.test:0/ok", "unreachable"],
  ["https://127.0.0.1.nip.invalid:PORT/ok", "unreachable"],
  ["https://unknown.example.test:PORT/ok", "unreachable"],
];

const RESOLVED: readonly Row[] = Object.keys(NAMES)
  .filter((name) => !/^(?:audio|other|two|rebinding|self)\./u.test(name))
  .map((name) => [
    `https://${name}:PORT/ok`,
    /^(?:empty|nonsense|number)\./u.test(name) ? "unreachable" : "forbidden_address",
  ]);

for (const [what, rows] of Object.entries({ literals: LITERALS, URLs: URLS, names: RESOLVED })) {
  test(`download() and post() refuse ${rows.length} ${what} with their codes and connect to none`, async () => {
    const before = open.connections();
    for (const [url, code] of rows) {
      assert.deepEqual([url, await get(url), await post(url)], [url, code, code]);
    }
    assert.ok(untouched());
    assert.equal(open.connections(), before);
  });
}

test("no literal and no malformed URL asks the resolver", async () => {
  calls.length = 0;
  for (const [url] of [...LITERALS, ...URLS.filter(([url]) => !/invalid|unknown|:0\//u.test(url))]) await get(url);
  assert.deepEqual(calls, []);
});

test("a name is resolved once for each connection, and what is connected to is what was judged", async () => {
  calls.length = 0;
  // The first answer is public, every later one is not: a second look-up would show.
  assert.equal(await get("https://rebinding.example.test:PORT/ok"), 5);
  assert.deepEqual(calls, ["rebinding.example.test"]);
  assert.equal(await get("https://rebinding.example.test:PORT/ok"), "forbidden_address");
  assert.ok(untouched());
});

test("a redirect to the name that it came from is resolved and judged anew", async () => {
  calls.length = 0;
  assert.equal(await get("https://rebinding.example.test:PORT/to?/ok"), "forbidden_address");
  assert.deepEqual(calls, ["rebinding.example.test", "rebinding.example.test"]);
  assert.ok(untouched());
});

test("the next address of a name is tried where one lets nobody in, but no more than four", async () => {
  const private_hosts = (host: string) => /^127\.0\.0\.[29]$/u.test(host);
  assert.equal(await get("https://two.example.test:PORT/ok", { by: outbound({ private_hosts }) }), 5);
  const dead = Array.from({ length: 4 }, () => v4("127.0.0.9"));
  const by = outbound({ private_hosts, resolve: async () => [...dead, PUBLIC] });
  assert.equal(await get("https://audio.example.test:PORT/ok", { by }), "unreachable");
});

// --------------------------------------------------------------------------------------------------------- redirects

const REDIRECTS: readonly (readonly [location: string, result: Code | number])[] = [
  ["/ok", 5],
  ["ok", 5],
  ["//other.example.test:PORT/ok", 5],
  ["https://other.example.test:PORT/ok#fragment", 5],
  ["https://127.0.0.2:PORT/ok", 5],
  ["/to?/to?/ok", 5],
  ["/to?/to?/to?/ok", "bad_response"],
  ["/to?/to?/to?/to?/to?/ok", "bad_response"],
  ["/loop", "bad_response"],
  ["https://127.0.0.1:PORT/ok", "forbidden_address"],
  ["//127.0.0.1:PORT/ok", "forbidden_address"],
  ["https://0x7f.1:PORT/ok", "forbidden_address"],
  ["https://[::1]:PORT/ok", "forbidden_address"],
  ["https://[::ffff:127.0.0.1]:PORT/ok", "forbidden_address"],
  ["https://169.254.169.254/latest/meta-data", "forbidden_address"],
  ["http://169.254.169.254/latest/meta-data", "forbidden_address"],
  ["https://10.0.0.1/", "forbidden_address"],
  ["https://localhost:PORT/ok", "forbidden_address"],
  ["https://loopback.example.test:PORT/ok", "forbidden_address"],
  ["https://mixed-last.example.test:PORT/ok", "forbidden_address"],
  ["/to?https://127.0.0.1:PORT/ok", "forbidden_address"],
  ["/to?/to?https://127.0.0.1:PORT/ok", "forbidden_address"],
  ["http://audio.example.test:PORT/ok", "unreachable"],
  ["file:///etc/passwd", "unreachable"],
  ["ftp://audio.example.test/ok", "unreachable"],
  ["data:audio/wav;base64,UklGRg==", "unreachable"],
  ["gopher://127.0.0.1:PORT/_", "unreachable"],
  ["https://user:password@audio.example.test:PORT/ok", "unreachable"],
  ["https://unknown.example.test/", "unreachable"],
  ["https://", "bad_response"],
  ["https://audio.example.test:PORT\\@127.0.0.1/", "bad_response"],
  ["/a\tb", "bad_response"],
  ["", "bad_response"],
];

test(`download() takes ${REDIRECTS.length} redirects for what they are, and judges every hop`, async () => {
  for (const [location, result] of REDIRECTS) {
    const url = `https://audio.example.test:PORT/to?${encodeURIComponent(location)}`;
    assert.deepEqual([location, await get(url)], [location, result]);
  }
  for (const status of [301, 302, 303, 307, 308])
    assert.equal(await get(`https://audio.example.test:PORT/redirect/${status}`), 5);
  for (const status of [300, 304, 305, 306])
    assert.equal(await get(`https://audio.example.test:PORT/redirect/${status}`), "bad_response");
  assert.ok(untouched());
});

test("post() never follows a redirect", async () => {
  const before = open.heads.length;
  for (const status of [301, 302, 303, 307, 308])
    assert.equal(await post(`https://audio.example.test:PORT/redirect/${status}`), status);
  assert.equal(open.heads.length, before + 5);
});

test("a download carries no cookies, no credentials, no referrer, and asks for identity", async () => {
  const from = open.heads.length;
  assert.equal(await get("https://audio.example.test:PORT/cookies"), 5);
  const expected = (path: string) =>
    [
      `GET ${path} HTTP/1.1`,
      "accept-encoding: identity",
      "accept: */*",
      "connection: close",
      `host: audio.example.test:${port}`,
      "user-agent: Tonwerk",
    ].join("\n");
  const sent = open.heads.slice(from).map((head) => {
    const [first = "", ...lines] = head.trimEnd().split("\r\n");
    return [first, ...lines.map((line) => line.replace(/^[^:]+/u, (name) => name.toLowerCase())).sort()].join("\n");
  });
  assert.deepEqual(sent, [expected("/cookies"), expected("/ok")]);
});

test("what is encoded in a URL stays encoded on the wire", async () => {
  const from = open.heads.length;
  await get("https://audio.example.test:PORT/%0d%0aX-Injected:%201?q=%0d%0a%00#fragment");
  await get("https://audio.example.test:PORT/ä€\u{1f3b5}?ö");
  const lines = open.heads.slice(from).map((head) => head.slice(0, head.indexOf("\r\n")));
  assert.deepEqual(lines, [
    "GET /%0d%0aX-Injected:%201?q=%0d%0a%00 HTTP/1.1",
    "GET /%C3%A4%E2%82%AC%F0%9F%8E%B5?%C3%B6 HTTP/1.1",
  ]);
  assert.ok(open.heads.slice(from).every((head) => !/^x-injected/imu.test(head)));
});

test("post() refuses header names and values that could begin another header, and sends nothing", async () => {
  const before = open.heads.length;
  const bad = [{ "webhook-id": "a\r\nx: b" }, { "webhook-id": "a\nb" }, { "a\r\nb": "c" }, { "a b": "c" }, { a: "é" }];
  for (const headers of bad) {
    const options = { account_id: "acc_1", headers, body: new Uint8Array(1), signal: never };
    await assert.rejects(outbound().post(`https://audio.example.test:${port}/ok`, options), TypeError);
  }
  assert.equal(open.heads.length, before);
});

// ------------------------------------------------------------------------------------------------------------ answers

/** `/to?<location>` redirects there; `/redirect/<status>` to /ok; everything else is a row of ANSWERS. */
function serve(socket: Parameters<Behaviour>[0], request: Parameters<Behaviour>[1]): void {
  const { path } = request;
  const [, status = ""] = /^\/redirect\/(\d+)$/u.exec(path) ?? [];
  const given = ANSWERS[path]?.behave;
  if (path.startsWith("/to?")) {
    const location = decodeURIComponent(path.slice("/to?".length)).replaceAll("PORT", port);
    answer("302 Found", [`Location: ${location}`])(socket, request);
  } else if (status !== "") answer(`${status} Elsewhere`, ["Location: /ok"], "see there")(socket, request);
  else (given ?? answer("404 Not Found", [], "no"))(socket, request);
}

test(`download() and post() take ${Object.keys(ANSWERS).length} answers for what they are`, {
  timeout: 300_000,
}, async () => {
  const check = async ([path, expected]: readonly [string, Expected]): Promise<void> => {
    const by = outbound({ limits: expected.limits ?? {} });
    const url = `https://audio.example.test:PORT${path}`;
    const [got, posted] = [await get(url, { by }), await post(url, { by })];
    const result = Array.isArray(expected.result) ? expected.result.find((one) => one === got) : expected.result;
    assert.deepEqual([path, got, posted], [path, result, expected.post ?? result]);
  };
  const rows = Object.entries(ANSWERS);
  for (const row of rows.filter(([, { limits }]) => limits === undefined)) await check(row);
  // The slow ones side by side: all that they do is wait.
  await Promise.all(rows.filter(([, { limits }]) => limits !== undefined).map(check));
  assert.ok(untouched());
});

test("the table of hostile URLs and answers has at least 120 rows", () => {
  const rows = [LITERALS, URLS, RESOLVED, REDIRECTS, Object.keys(ANSWERS)].map(({ length }) => length);
  assert.ok(rows.reduce((sum, length) => sum + length, 0) >= 120, String(rows));
});

test("no connection outlives its request", async () => {
  for (let tries = 0; tries < 3000 && open.open() > 0; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(open.open(), 0);
});

// --------------------------------------------------------------------------------------------------- size and memory

test("50,000,000 bytes are taken and one more is not, announced or not", { timeout: 300_000 }, async () => {
  const bytes_max = 50_000_000;
  const send = (bytes: number, said: boolean): Behaviour => {
    const head = said ? sized(bytes) : `${OK}\r\n`;
    const whole = Math.floor(bytes / zeros.length);
    return (socket, request) => {
      socket.write(head + "x".repeat(bytes - whole * zeros.length));
      repeat("", zeros, 0, whole)(socket, request);
    };
  };
  const server = await startHostile({
    address: "127.0.0.2",
    behave(socket, request) {
      const [, bytes = "", said = ""] = /^\/(\d+)\/(.+)$/u.exec(request.path) ?? [];
      send(Number(bytes), said === "said")(socket, request);
    },
  });
  others.push(server);
  for (const [path, result] of [
    ["50000000/said", 50_000_000],
    ["50000000/unsaid", 50_000_000],
    ["50000001/said", "too_large"],
    ["50000001/unsaid", "too_large"],
  ] as const) {
    assert.equal(await get(`https://audio.example.test:${server.port}/${path}`, { bytes_max }), result, path);
  }
});

/** Collects what nobody holds: what is left after it does not depend on when the collector would have come. */
function collector(): () => void {
  const { Bun: bun } = globalThis as { Bun?: { gc(force: boolean): void } };
  if (bun !== undefined) return () => bun.gc(true);
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

test("memory stays flat while endless bodies are refused", { timeout: 300_000 }, async () => {
  const bytes_max = 20_000_000;
  const refuse = async () => {
    for (const path of ["/endless", "/endless-chunked"])
      assert.equal(await get(`https://audio.example.test:PORT${path}`, { bytes_max }), "too_large");
  };
  const collect = collector();
  await refuse();
  collect();
  const before = process.memoryUsage().rss;
  for (let round = 1; round <= 6; round++) {
    await refuse();
    collect();
    // 40 MB more have gone by in each, through this process as server and as client.
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown < 60_000_000, `grew by ${grown} bytes until round ${round}`);
  }
});

// -------------------------------------------------------------------------------------------------------- connecting

test("certificates of strangers, past ones and other names are refused before anything is said", async () => {
  for (const certificate of ["stranger", "expired"] as const) {
    const server = await startHostile({ address: "127.0.0.2", certificate, behave: answer("200 OK", [], "audio") });
    others.push(server);
    const url = `https://audio.example.test:${server.port}/ok`;
    assert.deepEqual([await get(url), await post(url)], ["unreachable", "unreachable"], certificate);
    assert.deepEqual([server.connections(), server.heads.length], [2, 0]);
  }
  const named = outbound({ resolve: async () => [PUBLIC] });
  const before = open.heads.length;
  for (const name of ["example.test", "a.b.example.test", "example.org"])
    assert.equal(await get(`https://${name}:PORT/ok`, { by: named }), "unreachable", name);
  // Known to nobody: the authority of these tests is not among the well-known ones.
  const by = createOutbound({ private_hosts: (host) => host === "127.0.0.2", resolve });
  assert.equal(await get("https://audio.example.test:PORT/ok", { by }), "unreachable");
  assert.equal(open.heads.length, before);
  // By its address, which the certificate names.
  assert.equal(await get("https://127.0.0.2:PORT/ok"), 5);
});

test("no variable of the environment makes a wrong certificate right, or sends a request through a proxy", async () => {
  const server = await startHostile({
    address: "127.0.0.2",
    certificate: "stranger",
    behave: answer("200 OK", [], "x"),
  });
  others.push(server);
  const proxy = `http://127.0.0.1:${port}`;
  const set = { NODE_TLS_REJECT_UNAUTHORIZED: "0", HTTPS_PROXY: proxy, https_proxy: proxy, ALL_PROXY: proxy };
  try {
    Object.assign(process.env, set);
    assert.equal(await get(`https://audio.example.test:${server.port}/ok`), "unreachable");
    assert.equal(await get("https://audio.example.test:PORT/ok"), 5);
  } finally {
    for (const name of Object.keys(set)) delete process.env[name];
  }
  assert.ok(untouched());
});

test("a server that speaks no TLS, or never finishes its handshake, is left in time", async () => {
  const plain = await startHostile({ address: "127.0.0.2", certificate: null, behave: answer("200 OK", [], "audio") });
  others.push(plain);
  const by = outbound({ limits: { connect_ms: 300 } });
  assert.ok(
    ["unreachable", "timeout"].includes(String(await get(`https://audio.example.test:${plain.port}/`, { by }))),
  );
  assert.equal(plain.heads.length, 0);
  assert.equal(await get("https://audio.example.test:1/ok"), "unreachable");
});

test("a resolver that never answers is a timeout, one that fails makes the source unreachable", async () => {
  const hanging = outbound({ limits: { connect_ms: 50 }, resolve: () => new Promise(() => undefined) });
  assert.equal(await get("https://audio.example.test:PORT/ok", { by: hanging }), "timeout");
  assert.equal(await post("https://audio.example.test:PORT/ok", { by: hanging }), "timeout");
  const failing = outbound({ resolve: () => Promise.reject(new Error("SERVFAIL at 10.0.0.53")) });
  assert.equal(await get("https://audio.example.test:PORT/ok", { by: failing }), "unreachable");
});

test("the service's own address is refused like a private one, unless it is allowed", async () => {
  const own = (address: string, at: number) => address === "93.184.215.14" && at === 8787;
  const by = outbound({ own });
  for (const url of ["https://93.184.215.14:8787/v1/files", "https://self.example.test:8787/v1/files"]) {
    assert.deepEqual([await get(url, { by }), await post(url, { by })], ["forbidden_address", "forbidden_address"]);
  }
  const mine = (address: string, at: number) => address === "127.0.0.2" && at === open.port;
  assert.equal(await get("https://audio.example.test:PORT/ok", { by: outbound({ own: mine }) }), 5);
});

test("an allowed host may be private and plain, by its name, its address or that of a name", async () => {
  const plain = await startHostile({ address: "127.0.0.3", certificate: null, behave: answer("200 OK", [], "audio") });
  others.push(plain);
  const allow = (...hosts: string[]) => ({ by: outbound({ private_hosts: (host) => hosts.includes(host) }) });
  const literal = `http://127.0.0.3:${plain.port}/`;
  const named = `http://neighbour.example.test:${plain.port}/`;
  assert.equal(await get(literal, allow("127.0.0.3")), 5);
  assert.equal(await get(named, allow("neighbour.example.test")), 5);
  assert.equal(await post(named, allow("neighbour.example.test")), 200);
  // The address alone makes no name trusted enough to be spoken to in the clear.
  assert.equal(await get(named, allow("127.0.0.3")), "unreachable");
  assert.equal(await get(literal, allow("neighbour.example.test")), "forbidden_address");
  assert.equal(plain.connections(), 3);
});

test("an abort ends a request at every stage, and leaves nothing", async () => {
  for (const path of ["/hang", "/hang-in-body", "/drip-body", "/ok"]) {
    const controller = new AbortController();
    const from = open.heads.length;
    const url = `https://audio.example.test:PORT${path}`;
    if (path === "/ok") controller.abort();
    const done = get(url, { signal: controller.signal });
    while (path !== "/ok" && open.heads.length === from) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    assert.equal(await done, "aborted", path);
  }
});

test("download() writes what was sent, and never over a file that is there", async () => {
  await inFolder(async (path) => {
    const options = { account_id: "acc_1", bytes_max: BYTES_MAX, signal: never };
    const url = `https://audio.example.test:${port}/ok`;
    await outbound().download(url, path("source"), options);
    assert.equal(await readFile(path("source"), "utf8"), "audio");
    await assert.rejects(outbound().download(url, path("source"), options), { code: "EEXIST" });
    assert.equal(await readFile(path("source"), "utf8"), "audio");
  });
});
