/** Every refusal says its code and where that is explained, and every answer has an id. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { FAILURES, REFUSALS } from "../../core/base/error_codes.ts";
import { startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService();
});
after(() => tonwerk.stop());

const NORMALISE = "/v1/adapt.normalise_loudness";
const source = { url: "https://example.com/song.flac" };
const other = { url: "https://example.com/voice.flac" };

test("refusals of each kind carry code, doc_url and a request id", async () => {
  const key = randomUUID();
  await tonwerk.json("PUT", NORMALISE, { idempotency_key: key, source });
  const cases: readonly [
    code: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ][] = [
    ["api_key_malformed", "GET", "/v1/account", undefined, { authorization: "Basic x" }],
    ["api_key_invalid", "GET", "/v1/account", undefined, { authorization: "Bearer tonwerk_x" }],
    ["download_url_invalid", "GET", "/audio/op_x/0.flac?expires=1&signature=x"],
    ["not_found", "GET", "/v1/adapt.normalize"],
    ["operation_not_found", "GET", `${NORMALISE}?id=op_${"0".repeat(26)}`],
    ["file_not_found", "GET", `/v1/files?id=file_${"0".repeat(26)}`],
    ["method_not_allowed", "DELETE", NORMALISE],
    ["body_too_large", "PUT", NORMALISE, { source, x: "x".repeat(70_000) }],
    ["unsupported_media_type", "PUT", NORMALISE, "{}", { "content-type": "text/plain" }],
    ["invalid_request", "PUT", NORMALISE, {}],
    ["idempotency_key_reused", "PUT", NORMALISE, { idempotency_key: key, source: other }],
    ["same_source", "PUT", "/v1/adapt.auto_duck", { idempotency_key: randomUUID(), music: source, voice: source }],
    ["audio_invalid", "PUT", "/v1/files", new TextEncoder().encode("no audio")],
  ];
  const page = await (await tonwerk.call("GET", "/docs/errors")).text();
  const document = (await tonwerk.json("GET", "/openapi.json")).body;
  for (const [code, method, path, body, headers] of cases) {
    const answer = await tonwerk.json(method, path, body, headers);
    assert.equal(answer.body.code, code, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    assert.equal(answer.status, REFUSALS[code as keyof typeof REFUSALS].status, code);
    const { hash, pathname } = new URL(answer.body.doc_url);
    assert.equal(pathname, "/docs/errors");
    assert.ok(page.includes(`id="${hash.slice(1)}"`), code);
    assert.match(answer.headers.get("x-request-id") ?? "", /^req_/u, code);
    // What the document shows is allowed.
    if (code !== "method_not_allowed") assert.ok(JSON.stringify(document.components).includes(`"${code}"`), code);
  }
});

test("an answer has the id that its request named, or one of its own", async () => {
  const named = await tonwerk.call("GET", "/v1/account", undefined, { "x-request-id": "mine-1" });
  assert.equal(named.headers.get("x-request-id"), "mine-1");
  const ids = new Set<string>();
  for (const path of ["/v1/account", "/health", "/docs", "/openapi.json", "/nowhere"]) {
    const id = (await tonwerk.call("GET", path)).headers.get("x-request-id") ?? "";
    assert.match(id, /^req_[0-9a-z]+$/u, path);
    ids.add(id);
  }
  assert.equal(ids.size, 5);
});

test("/docs/errors explains every code, those of actions too", async () => {
  const response = await tonwerk.call("GET", "/docs/errors");
  assert.match(response.headers.get("content-type") ?? "", /^text\/html/u);
  const page = await response.text();
  for (const code of Object.keys(REFUSALS)) assert.ok(page.includes(`id="${code}"`), code);
  for (const code of [...Object.keys(FAILURES), "target_duration_too_long"])
    assert.ok(page.includes(`id="failure-${code}"`), code);
});
