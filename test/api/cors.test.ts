/** Pages of other origins: what browsers are told of them, with and without a key. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { noise } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { startTestService, type TestService } from "../service.ts";

const ORIGIN = "https://app.example.com";
const FOREIGN = "https://evil.example.com";

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService({
    env: { TONWERK_CORS_ORIGINS: `${ORIGIN},http://localhost:3000`, TONWERK_PUT_PER_MINUTE: "2" },
  });
});
after(() => tonwerk.stop());

const song = wav(noise(1).channels);

function preflight(path: string, origin: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const sent = { origin, "access-control-request-method": "PUT", ...headers };
  return tonwerk.service.app(new Request(`http://x.test${path}`, { method: "OPTIONS", headers: sent }), {
    address: "203.0.113.9",
  });
}

/** Every header of CORS. */
const corsOf = ({ headers }: Response): readonly string[] =>
  [...headers.keys()].filter((name) => name.startsWith("access-control-")).sort();

const words = (header: string | null): readonly string[] => (header ?? "").toLowerCase().split(/,\s*/u);

test("a preflight of an allowed origin is answered without a key, on every path of the API", async () => {
  for (const path of [
    "/v1/files",
    "/v1/files/file_1",
    "/v1/create.new_song",
    "/rpc/create.new_song",
    "/audio/x.flac",
  ]) {
    const response = await preflight(path, ORIGIN, { "access-control-request-headers": "authorization" });
    assert.equal(response.status, 204, path);
    assert.equal(response.headers.get("access-control-allow-origin"), ORIGIN);
    for (const name of ["authorization", "content-type", "idempotency-key", "prefer", "range", "last-event-id"])
      assert.ok(words(response.headers.get("access-control-allow-headers")).includes(name), name);
    for (const method of ["get", "put", "post", "delete"])
      assert.ok(words(response.headers.get("access-control-allow-methods")).includes(method), method);
    assert.ok(words(response.headers.get("vary")).includes("origin"));
    assert.equal(response.headers.get("access-control-max-age"), "7200");
    assert.equal(response.headers.get("access-control-allow-credentials"), null);
    assert.equal(await response.text(), "");
  }
  assert.equal((await preflight("/v1/nothing", ORIGIN)).status, 404);
});

test("preflights cost no request of any limit", async () => {
  for (let n = 0; n < 100; n++) assert.equal((await preflight("/v1/files", ORIGIN)).status, 204);
  const { status, headers } = await tonwerk.json("PUT", "/v1/files", song);
  assert.deepEqual([status, headers.get("ratelimit")?.includes("r=1")], [200, true]);
});

test("other origins are told nothing: neither by preflight nor by answers", async () => {
  for (const origin of [FOREIGN, "null", "http://app.example.com", `${ORIGIN}:8443`, `${ORIGIN}.evil.example`]) {
    const refused = await preflight("/v1/files", origin);
    assert.deepEqual([refused.status, corsOf(refused)], [405, []], origin);
    const answered = await tonwerk.call("GET", "/v1/account", undefined, { origin });
    assert.deepEqual([answered.status, corsOf(answered)], [200, []], origin);
    assert.ok(words(answered.headers.get("vary")).includes("origin"));
  }
});

test("answers name the origin, and what a page may read: refusals too, never with credentials", async () => {
  const asked: readonly (readonly [status: number, path: string, headers: Readonly<Record<string, string>>])[] = [
    [200, "/v1/account", {}],
    [401, "/v1/account", { authorization: "Bearer x" }],
    [404, "/v1/files/file_1", {}],
    [404, "/v1/nothing", {}],
    [422, "/v1/operations?limit=0", {}],
    [200, "/openapi.json", {}],
  ];
  for (const [status, path, headers] of asked) {
    const response = await tonwerk.call("GET", path, undefined, { origin: ORIGIN, ...headers });
    assert.equal(response.status, status, path);
    assert.deepEqual(corsOf(response), ["access-control-allow-origin", "access-control-expose-headers"], path);
    assert.equal(response.headers.get("access-control-allow-origin"), ORIGIN);
    const exposed = words(response.headers.get("access-control-expose-headers"));
    for (const name of ["x-request-id", "ratelimit", "ratelimit-policy", "retry-after", "etag", "idempotent-replayed"])
      assert.ok(exposed.includes(name), name);
    assert.ok(words(response.headers.get("vary")).includes("origin"), path);
    assert.equal(response.headers.get("set-cookie"), null);
    await response.arrayBuffer();
  }
});

test("a signed URL is read by pages, by range too, through this service and not by a redirect", async () => {
  const { files } = (await tonwerk.json("GET", "/v1/files")).body;
  const { url } = files[0];
  const get = (origin: string | null) => {
    const headers = { range: "bytes=0-99", ...(origin === null ? {} : { origin }) };
    return tonwerk.service.app(new Request(url, { headers }), { address: "203.0.113.9" });
  };
  const page = await get(ORIGIN);
  assert.equal(page.status, 206);
  assert.equal(page.headers.get("access-control-allow-origin"), ORIGIN);
  assert.ok(words(page.headers.get("access-control-expose-headers")).includes("content-range"));
  assert.deepEqual(new Uint8Array(await page.arrayBuffer()), song.slice(0, 100));
  const foreign = await get(FOREIGN);
  assert.deepEqual(corsOf(foreign), []);
  await foreign.arrayBuffer();
  const plain = await get(null);
  assert.deepEqual([corsOf(plain), words(plain.headers.get("vary")).includes("origin")], [[], true]);
  await plain.arrayBuffer();
});

test("the dashboard answers no other origin", async () => {
  const response = await tonwerk.call("GET", "/dashboard/sign-in", undefined, { origin: ORIGIN });
  assert.deepEqual(corsOf(response), []);
  await response.arrayBuffer();
  assert.deepEqual(corsOf(await preflight("/dashboard/sign-in", ORIGIN)), []);
});

test("without the setting nobody is told anything", async () => {
  const closed = await startTestService();
  try {
    const response = await closed.call("GET", "/v1/account", undefined, { origin: ORIGIN });
    assert.deepEqual([corsOf(response), response.headers.get("vary")], [[], null]);
    const asked = { origin: ORIGIN, "access-control-request-method": "PUT" };
    const refused = await closed.call("OPTIONS", "/v1/files", undefined, asked);
    assert.deepEqual([refused.status, corsOf(refused)], [405, []]);
  } finally {
    await closed.stop();
  }
});
