/** Where a request goes by its method and path as they were sent: spellings of a path, HEAD, other methods, odd hosts. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService({ env: { TONWERK_ROLE: "api", TONWERK_GET_PER_MINUTE: "1000" } });
});
after(() => tonwerk.stop());

const PATH = "/v1/adapt.normalise_loudness";
const source = { url: "https://example.invalid/song.wav" };

async function ask(method: string, url: string, body?: unknown, type = "application/json") {
  const request = new Request(url, {
    method,
    headers: {
      authorization: `Bearer ${tonwerk.key}`,
      "x-request-id": "a-test",
      ...(body === undefined ? {} : { "content-type": type }),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await tonwerk.service.app(request, { address: "127.0.0.1" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test("every spelling of a path and a query leads to its route, and no other", async () => {
  const body = { idempotency_key: randomUUID(), source };
  const accepted = await ask("PUT", `http://127.0.0.1${PATH}`, body);
  assert.equal(accepted.status, 200);
  const { id } = JSON.parse(accepted.text).normalised_audio;
  for (const [status, method, path, sent, type] of [
    [200, "PUT", PATH, body],
    [200, "PUT", "/rpc/adapt.normalise_loudness", body],
    [422, "PUT", PATH, { ...body, source: { url: "https://example.invalid/other.wav" } }],
    [422, "PUT", PATH, {}],
    [422, "PUT", PATH, "{"],
    [415, "PUT", PATH, body, "text/plain"],
    [200, "PUT", `${PATH}?dry_run=true`, { source }],
    [422, "PUT", `${PATH}?dry_run=maybe`, { source }],
    [200, "PUT", `${PATH}?`, body],
    [200, "GET", `${PATH}?id=${id}`],
    [200, "GET", `${PATH}?id=${id}&wait=false`],
    [404, "GET", `${PATH}?id=op_00000000000000000000000000&wait=true`],
    [422, "GET", `${PATH}?id=${id}&wait=true&wait=true`],
    [200, "GET", `${PATH}?wait=false&id=${id}`],
    [200, "GET", `${PATH}?id=${encodeURIComponent(id)}`],
    [200, "GET", `${PATH}?id=${id.replace("_", "%5F")}`],
    [200, "GET", `${PATH}?id=${id}#fragment`],
    [422, "GET", `${PATH}?id=${id}&id=${id}`],
    [422, "GET", `${PATH}?id=`],
    [422, "GET", PATH],
    [404, "GET", `${PATH}/?id=${id}`],
    [200, "GET", `/v1/./adapt.normalise_loudness?id=${id}`],
    [200, "GET", `/x/../v1/adapt.normalise_loudness?id=${id}`],
    [404, "GET", `/v1/%61dapt.normalise_loudness?id=${id}`],
    [404, "GET", `//v1/adapt.normalise_loudness?id=${id}`],
    [200, "HEAD", `${PATH}?id=${id}`],
    [405, "POST", PATH, body],
    [200, "GET", "/v1/account"],
    [200, "GET", "/v1/operations?limit=3"],
    [422, "GET", "/v1/operations?limit=x"],
    [404, "GET", "/v1/files?id=file_00000000000000000000000000"],
    [200, "GET", "/v1/capabilities"],
    [404, "PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id: "op_00000000000000000000000000" }],
    [403, "GET", "/audio/op/x.flac"],
    [403, "GET", "/audio/"],
    [404, "GET", "/audio"],
    [200, "GET", "/audio/../health"],
    [404, "GET", "/v1/constructor"],
    [200, "GET", "/health"],
    [404, "GET", "/nothing"],
  ] as const) {
    const found = await ask(method, `http://127.0.0.1${path}`, sent, type);
    assert.equal(found.status, status, `${method} ${path}: ${found.text}`);
    assert.equal(found.headers.get("x-request-id"), "a-test", path);
  }
});

test("HEAD has the headers of GET, and what has no route no body either", async () => {
  for (const path of ["/health", "/openapi.json", "/v1/account", "/nothing", "/v1/./capabilities", "/audio/x"]) {
    const get = await ask("GET", `http://127.0.0.1${path}`);
    const head = await ask("HEAD", `http://127.0.0.1${path}`);
    assert.equal(head.status, get.status, path);
    assert.equal(head.text, "");
    assert.equal(head.headers.get("content-length"), String(Buffer.byteLength(get.text)), path);
    assert.equal(head.headers.get("content-type"), get.headers.get("content-type"), path);
  }
});

test("a known path names its methods to any other", async () => {
  for (const [path, allow] of [
    [PATH, "PUT, GET, HEAD"],
    ["/rpc/adapt.normalise_loudness", "PUT, GET, HEAD"],
    ["/v1/operations.cancel", "PUT"],
    ["/audio/op/x.flac", "GET, HEAD"],
    ["/openapi.json", "GET, HEAD"],
    ["/v1/./files", "PUT, GET, HEAD"],
  ] as const) {
    for (const method of ["POST", "DELETE", "OPTIONS"]) {
      const { status, headers } = await ask(method, `http://127.0.0.1${path}`);
      assert.deepEqual([status, headers.get("allow")], [405, allow], `${method} ${path}`);
    }
  }
});

test("no Host header shifts the path, however short or odd", async () => {
  for (const host of ["a", "a:1", "a.b.c.example.com:65535", "[::1]", "[::1]:80"]) {
    assert.equal((await ask("GET", `http://${host}/health`)).status, 200, host);
    assert.equal((await ask("GET", `http://${host}/pub/health`)).status, 404, host);
    assert.equal((await ask("GET", `http://${host}/x/v1/account`)).status, 404, host);
    assert.equal((await ask("GET", `http://${host}/v1/account`)).status, 200, host);
  }
});
