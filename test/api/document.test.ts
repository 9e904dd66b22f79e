/** The OpenAPI document: true to what the service takes and answers, and kept by clients that have it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { RESERVED_FIELDS } from "../../core/actions/schema.ts";
import { REFUSALS } from "../../core/base/error_codes.ts";
import { startTestService, type TestService } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: read as clients read it, without our types
type Json = any;

let tonwerk: TestService;
let document: Json;
let source: string;

before(async () => {
  tonwerk = await startTestService();
  document = (await tonwerk.json("GET", "/openapi.json")).body;
  const song = await readFile(fileURLToPath(new URL("../../examples/song.flac", import.meta.url)));
  source = (await tonwerk.json("PUT", "/v1/files", song)).body.file.url;
});
after(() => tonwerk.stop());

test("every route has its description, and every description its route", () => {
  /** Other names of the same, and what serves several descriptions or none. */
  const elsewhere = (name: string) => / \/(rpc|docs)\b| \/(openapi\.json|audio\/\*)$/u.test(name);
  const routes = tonwerk.service.facade.listRoutes().map(({ method, path }) => `${method} ${path}`);
  const described = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/gu, ":$1")}`),
  );
  assert.ok(described.includes("GET /v1/operations/:id"), "paths are written as routes write them");
  const without = routes.filter((name) => !elsewhere(name) && !described.includes(name));
  const gone = described.filter((name) => !routes.includes(name));
  assert.deepEqual({ without, gone }, { without: [], gone: ["GET /audio/op/:operation/:attempt/:file"] });
  assert.ok(routes.includes("GET /audio/*"), "which serves that one");
});

test("what operations have beside the fields of their requests, no declaration may take", () => {
  const { actions } = tonwerk.service.facade;
  for (const [name, { action }] of actions) {
    const answer = document.paths[`/v1/${name}`].get.responses["200"].content["application/json"].schema;
    const { properties } = document.components.schemas[answer.$ref.split("/").at(-1)];
    const { $ref } = properties[action.wrapper].$ref ? properties[action.wrapper] : properties[action.wrapper].oneOf[0];
    const fields = Object.keys(document.components.schemas[$ref.split("/").at(-1)].properties);
    assert.deepEqual(
      fields.filter(
        (field) => ![...action.echo, ...(action.echo_sent ?? [])].includes(field) && !RESERVED_FIELDS.has(field),
      ),
      [],
      name,
    );
  }
});

test("no component has a property of its own name: openapi-python-client takes one for the other", () => {
  const nameOf = (type: string) => type.replace(/(?<=[a-z0-9])(?=[A-Z])/gu, "_").toLowerCase();
  const both = Object.entries<Json>(document.components.schemas).filter(([name, { properties = {} }]) =>
    Object.hasOwn(properties, nameOf(name)),
  );
  assert.deepEqual(both, []);
});

test("every property, parameter and operation is described", () => {
  const missing: string[] = [];
  const visit = (value: Json, path: string): void => {
    if (typeof value !== "object" || value === null || /\/(examples|not)$/u.test(path)) return;
    for (const [name, property] of Object.entries<Json>(path.endsWith("/properties") ? value : {}))
      if (property.description === undefined) missing.push(`${path}/${name}`);
    for (const [key, inner] of Object.entries(value)) visit(inner, `${path}/${key}`);
  };
  visit([document.components, document.paths, document.webhooks], "");
  for (const [path, methods] of Object.entries<Json>({ ...document.paths, ...document.webhooks })) {
    for (const { description, operationId, parameters = [] } of Object.values<Json>(methods)) {
      if (!description || !operationId) missing.push(path);
      for (const { name, description: told } of parameters) if (!told) missing.push(`${path} ${name}`);
    }
  }
  assert.deepEqual(missing, []);
});

/** A check of what is under `pointer` of the document's schemas. */
function checker(): (name: string, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, discriminator: false });
  ajv.addSchema({ $id: "doc", components: document.components });
  return (name, value) => {
    const validate = ajv.getSchema(`doc#/components/schemas/${name}`)!;
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

const actions = () =>
  Object.entries<Json>(document.paths).flatMap(([path, { put, get }]) =>
    put?.["x-tonwerk"] === undefined ? [] : [{ path, put, get, wrapper: put["x-tonwerk"].wrapper as string }],
  );
const exampleOf = (response: Json, name: string): Json => response.content["application/json"].examples[name].value;
const nameOf = (content: Json): string => content["application/json"].schema.$ref.split("/").at(-1);
/** The same request on a source that there is. */
const withSources = (body: Json): Json =>
  Object.fromEntries(
    Object.entries<Json>(body).map(([name, value]) => [name, value?.url === undefined ? value : { url: source }]),
  );
/** What it is made of, without what differs from call to call. */
const shapeOf = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
};

test("every request that is shown is taken and answered as shown; canceled, it fails as shown", async () => {
  const check = checker();
  const keys = new Set<string>();
  for (const { path, put, get, wrapper } of actions()) {
    const examples = Object.values<Json>(put.requestBody.content["application/json"].examples);
    for (const [index, { value }] of examples.entries()) {
      keys.add(value.idempotency_key);
      // The one source that there is cannot be music and voice.
      const sent = path.endsWith("auto_duck") ? value : withSources(value);
      assert.deepEqual(check(nameOf(put.requestBody.content), sent), [], path);
      if (path.endsWith("auto_duck")) continue;
      const { status, body } = await tonwerk.json("PUT", path, sent);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(check(nameOf(put.responses["200"].content), body), [], path);
      const dry = await tonwerk.json("PUT", `${path}?dry_run=true`, sent);
      const dry_shown = exampleOf(put.responses["200"], "dry_run");
      assert.deepEqual(Object.keys(dry.body), Object.keys(dry_shown), path);
      assert.deepEqual(shapeOf({ ...dry.body, understood: 0 }), shapeOf({ ...dry_shown, understood: 0 }), path);
      assert.deepEqual(check(nameOf(put.responses["200"].content), dry.body), [], path);
      const { id } = body[wrapper];
      const canceled = await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id });
      assert.equal(canceled.status, 200);
      assert.deepEqual(check("OperationAnswer", canceled.body), []);
      if (index > 0) continue;
      const shown = exampleOf(put.responses["200"], "processing")[wrapper];
      assert.deepEqual({ ...shapeOf(body[wrapper]), seed: "" }, { ...shapeOf(shown), seed: "" }, path);
      const failed = exampleOf(get.responses["200"], "failed")[wrapper];
      if (canceled.body[wrapper].status === "failed")
        assert.deepEqual(canceled.body[wrapper].error, failed.error, path);
    }
  }
  assert.ok(keys.size > 20, "each example has its own key");
  const shown = actions().flatMap(({ put }) => Object.values(put.requestBody.content["application/json"].examples));
  assert.equal(keys.size, shown.length);
});

test("null equals absent, and one of two is one, in the schema as in the service", async () => {
  const check = checker();
  const path = "/v1/create.new_instrumental";
  const cases: readonly [object, boolean][] = [
    [{ prompt: "piano", reference: null, loudness: null, seed: null, callback_url: null, n_variations: null }, true],
    [{ reference: { url: source }, prompt: null }, true],
    [{ prompt: "piano", reference: { url: source } }, false],
    [{ prompt: null }, false],
    [{}, false],
    [{ prompt: "piano", loudness: { preset: "podcast", target_lufs: null, allow_compression: null } }, true],
    [{ prompt: "piano", loudness: { preset: "podcast", target_lufs: -14 } }, false],
    [{ prompt: "piano", loudness: { presett: "podcast" } }, false],
  ];
  for (const [fields, is_right] of cases) {
    const body = { idempotency_key: randomUUID(), ...fields };
    assert.equal(check("InstrumentalRequest", body).length === 0, is_right, JSON.stringify(fields));
    const { status } = await tonwerk.json("PUT", `${path}?dry_run=true`, body);
    assert.equal(status, is_right ? 200 : 422, JSON.stringify(fields));
  }
});

test("a ready operation, a list and the rest of the reads are as shown", async () => {
  const check = checker();
  const sent = { idempotency_key: randomUUID(), prompt: "door knock", duration: 0.5, seed: 1 };
  const { id } = (await tonwerk.json("PUT", "/v1/create.new_fx", sent)).body.fx;
  const ended = await tonwerk.json("GET", `/v1/create.new_fx?id=${id}&wait=true`);
  assert.equal(ended.body.fx.status, "ready");
  assert.deepEqual(check("EffectAnswer", ended.body), []);
  const { get } = document.paths["/v1/create.new_fx"];
  const shown = exampleOf(get.responses["200"], "ready").fx;
  assert.deepEqual(Object.keys(ended.body.fx), Object.keys(shown));
  assert.deepEqual(Object.keys(ended.body.fx.output), Object.keys(shown.output));
  assert.deepEqual(check("OperationPage", (await tonwerk.json("GET", "/v1/operations")).body), []);
  assert.deepEqual(check("OperationPage", (await tonwerk.json("GET", "/v1/operations?expand=report")).body), []);
  for (const [path, name] of [
    ["/v1/account", "AccountAnswer"],
    ["/v1/capabilities", "Capabilities"],
    ["/health", "Health"],
  ] as const) {
    const { body } = await tonwerk.json("GET", path);
    assert.deepEqual(check(name, body), [], path);
    const { content } = document.paths[path].get.responses["200"];
    const [{ value }] = Object.values<Json>(content["application/json"].examples) as [Json];
    assert.deepEqual(Object.keys(body), Object.keys(value), path);
  }
});

test("every refusal is shown by its code", async () => {
  const check = checker();
  const shown = new Map<string, Json>();
  for (const { content } of Object.values<Json>(document.components.responses))
    for (const [code, { value }] of Object.entries<Json>(content["application/json"].examples)) {
      shown.set(code, value);
      assert.deepEqual(check(nameOf(content), value), [], code);
    }
  const path = "/v1/adapt.normalise_loudness";
  const cases: readonly [code: keyof typeof REFUSALS, method: string, path: string, body?: unknown, key?: string][] = [
    ["api_key_malformed", "GET", "/v1/account", undefined, "Basic x"],
    ["operation_not_found", "GET", `${path}?id=op_${"0".repeat(26)}`],
    ["file_not_found", "GET", `/v1/files?id=file_${"0".repeat(26)}`],
    ["invalid_request", "PUT", path, {}],
    ["audio_invalid", "PUT", "/v1/files", new TextEncoder().encode("no audio")],
    ["body_too_large", "PUT", path, { x: "x".repeat(70_000) }],
  ];
  for (const [code, method, at, body, key] of cases) {
    const headers = key === undefined ? undefined : { authorization: key };
    const answer = await tonwerk.json(method, at, body, headers);
    assert.equal(answer.body.code, code, JSON.stringify(answer.body));
    assert.equal(answer.status, REFUSALS[code].status);
    assert.deepEqual(Object.keys(answer.body).sort(), Object.keys(shown.get(code)).sort(), code);
    assert.equal(typeof answer.body.detail, typeof shown.get(code).detail, code);
    assert.ok(new URL(answer.body.doc_url).hash === new URL(shown.get(code).doc_url).hash, code);
  }
});

test("the headers that are documented are sent", async () => {
  const { headers } = document.paths["/v1/create.new_fx"].put.responses["200"];
  const sent = { idempotency_key: randomUUID(), prompt: "door knock", duration: 0.5 };
  await tonwerk.call("PUT", "/v1/create.new_fx", sent);
  const again = await tonwerk.call("PUT", "/v1/create.new_fx", sent);
  for (const name of Object.keys(headers)) assert.ok(again.headers.get(name), name);
  assert.deepEqual(Object.keys(headers).sort(), [
    "Idempotent-Replayed",
    "RateLimit",
    "RateLimit-Policy",
    "x-request-id",
  ]);
});

test("who has the document is answered with 304", async () => {
  const first = await tonwerk.call("GET", "/openapi.json");
  const etag = first.headers.get("etag") ?? "";
  assert.match(etag, /^"[\w-]{43}"$/u);
  const again = await tonwerk.call("GET", "/openapi.json", undefined, { "if-none-match": etag });
  assert.deepEqual([again.status, await again.text(), again.headers.get("etag")], [304, "", etag]);
  assert.equal((await tonwerk.call("GET", "/openapi.json", undefined, { "if-none-match": '"other"' })).status, 200);
});
