/** Requests that are routed by their exact path and the same requests routed by Elysia must be answered alike. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { createKeyring } from "../../core/accounts/keyring.ts";
import { createLimits } from "../../core/accounts/limits.ts";
import { type App, createApp } from "../../core/http/app.ts";
import { createUrlSigner } from "../../core/operations/urls.ts";
import { startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
let direct: App;
let elysia: App;
before(async () => {
  tonwerk = await startTestService({ env: { TONWERK_ROLE: "api", TONWERK_GET_PER_MINUTE: "1000" } });
  const { service } = tonwerk;
  const key = new Uint8Array(32);
  const make = (direct: boolean): App =>
    createApp(
      {
        ...service,
        signer: createUrlSigner({ base_url: service.config.base_url, keys: { current: key }, clock: service.clock }),
        limits: createLimits(service),
        keyring: createKeyring(service.store, service.clock, []),
        routes: [],
        engines: { models: () => [], refused: [], reload: () => undefined, close: () => undefined },
        runners: new URL("../../runners/mod.ts", import.meta.url).href,
        isDraining: () => false,
      },
      { direct },
    );
  direct = make(true);
  elysia = make(false);
});
after(() => tonwerk.stop());

const PATH = "/v1/adapt.normalise_loudness";
const source = { url: "https://example.invalid/song.wav" };

async function ask(app: App, method: string, url: string, body?: unknown, type = "application/json") {
  const response = await app(
    new Request(url, {
      method,
      headers: {
        authorization: `Bearer ${tonwerk.key}`,
        // Else each refusal has one of its own.
        "x-request-id": "a-test",
        ...(body === undefined ? {} : { "content-type": type }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
    { address: "127.0.0.1" },
  );
  const headers = Object.fromEntries(response.headers);
  // Counts down with every request.
  delete headers.ratelimit;
  return { status: response.status, headers, text: await response.text() };
}

test("both ways answer alike, refusals and headers included", async () => {
  const body = { idempotency_key: randomUUID(), source };
  const accepted = await ask(direct, "PUT", `http://127.0.0.1${PATH}`, body);
  assert.equal(accepted.status, 200);
  const { id } = JSON.parse(accepted.text).normalised_audio;
  const statuses = new Set<number>();
  for (const [method, path, sent, type] of [
    ["PUT", PATH, body],
    ["PUT", `/rpc/adapt.normalise_loudness`, body],
    ["PUT", PATH, { ...body, source: { url: "https://example.invalid/other.wav" } }],
    ["PUT", PATH, {}],
    ["PUT", PATH, "{"],
    ["PUT", PATH, body, "text/plain"],
    ["PUT", `${PATH}?dry_run=true`, { source }],
    ["PUT", `${PATH}?dry_run=maybe`, { source }],
    ["PUT", `${PATH}?`, body],
    ["GET", `${PATH}?id=${id}`],
    ["GET", `${PATH}?id=${id}&wait=false`],
    ["GET", `${PATH}?id=op_00000000000000000000000000&wait=true`],
    ["GET", `${PATH}?id=${id}&wait=true&wait=true`],
    ["GET", `${PATH}?wait=false&id=${id}`],
    ["GET", `${PATH}?id=${encodeURIComponent(id)}`],
    ["GET", `${PATH}?id=${id.replace("_", "%5F")}`],
    ["GET", `${PATH}?id=${id}#fragment`],
    ["GET", `${PATH}?id=${id}&id=${id}`],
    ["GET", `${PATH}?id=`],
    ["GET", PATH],
    ["GET", `${PATH}/`],
    ["GET", `/v1/./adapt.normalise_loudness?id=${id}`],
    ["GET", `/x/../v1/adapt.normalise_loudness?id=${id}`],
    ["GET", `/v1/%61dapt.normalise_loudness?id=${id}`],
    ["GET", `//v1/adapt.normalise_loudness?id=${id}`],
    ["HEAD", `${PATH}?id=${id}`],
    ["POST", PATH, body],
    ["GET", "/v1/account"],
    ["GET", "/v1/operations?limit=3"],
    ["GET", "/v1/operations?limit=x"],
    ["GET", "/v1/files?id=file_00000000000000000000000000"],
    ["GET", "/v1/capabilities"],
    ["PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id: "op_00000000000000000000000000" }],
    ["GET", "/audio/op/x.flac"],
    ["GET", "/health"],
    ["GET", "/nothing"],
  ] as const) {
    const one = await ask(direct, method, `http://127.0.0.1${path}`, sent, type);
    const other = await ask(elysia, method, `http://127.0.0.1${path}`, sent, type);
    assert.deepEqual(one, other, `${method} ${path}`);
    statuses.add(one.status);
  }
  for (const status of [200, 403, 404, 405, 415, 422]) assert.ok(statuses.has(status), `${status} came up`);
});

test("no Host header shifts the path, however short or odd", async () => {
  for (const app of [direct, elysia]) {
    for (const host of ["a", "a:1", "a.b.c.example.com:65535", "[::1]", "[::1]:80"]) {
      assert.equal((await ask(app, "GET", `http://${host}/health`)).status, 200, host);
      assert.equal((await ask(app, "GET", `http://${host}/pub/health`)).status, 404, host);
      assert.equal((await ask(app, "GET", `http://${host}/x/v1/account`)).status, 404, host);
      assert.equal((await ask(app, "GET", `http://${host}/v1/account`)).status, 200, host);
    }
  }
});
