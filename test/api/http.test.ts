import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { newApiKey } from "../../core/base/keys.ts";
import { startTestService, type TestService } from "../service.ts";

/** An api node: what is accepted here is not worked on, so nothing outside is reached. */
let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService({
    env: { TONWERK_ROLE: "api", TONWERK_PUT_PER_MINUTE: "0", TONWERK_GET_PER_MINUTE: "0" },
  });
});
after(() => tonwerk.stop());

const PATH = "/v1/adapt.normalise_loudness";
const source = { url: "https://example.invalid/song.wav" };
const valid = () => ({ idempotency_key: randomUUID(), source });

test("an authorised PUT answers 200 with the first snapshot, complete and null where it must be", async () => {
  const body = valid();
  const answer = await tonwerk.json("PUT", PATH, body);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "application/json");
  const { normalised_audio: operation, ...rest } = answer.body;
  assert.deepEqual(rest, {});
  assert.match(operation.id, /^op_[0-9a-z]{26}$/);
  assert.match(operation.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const { id: _id, created_at: _created, ...known } = operation;
  assert.deepEqual(known, {
    status: "processing",
    idempotency_key: body.idempotency_key,
    metadata: {},
    loudness: { target_lufs: -14, allow_compression: true },
    output: null,
    error: null,
    progress: 0,
    stage: "queued",
    queue_position: null,
    started_at: null,
    completed_at: null,
    cost: 1,
    refunded: 0,
    webhook: null,
  });
});

test("every wrong key is a 401 with a text, on every route", async () => {
  const { key } = tonwerk;
  const other = newApiKey();
  const headers: readonly (string | undefined)[] = [
    undefined,
    "",
    "Bearer",
    `Basic ${key}`,
    key,
    `Bearer ${key} ${key}`,
    `Bearer ${key}, Bearer ${key}`,
    `Bearer ${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`,
    `Bearer ${key.toLowerCase()}`,
    `Bearer ${other}`,
  ];
  const routes = [
    ["PUT", PATH],
    ["GET", `${PATH}?id=op_00000000000000000000000000`],
    ["PUT", "/v1/files"],
    ["GET", "/v1/files?id=x"],
    ["GET", "/v1/account"],
    ["GET", "/v1/operations"],
    ["GET", "/v1/operations/op_00000000000000000000000000"],
    ["PUT", "/v1/operations.cancel"],
    ["PUT", "/v1/operations.redeliver"],
    ["GET", "/v1/capabilities"],
  ] as const;
  for (const [method, path] of routes) {
    for (const authorization of headers) {
      const request = new Request(`http://127.0.0.1${path}`, {
        method,
        headers: authorization === undefined ? {} : { authorization },
      });
      const response = await tonwerk.service.app(request, { address: "127.0.0.1" });
      const body = (await response.json()) as { detail: unknown };
      assert.equal(response.status, 401, `${method} ${path} with ${authorization}`);
      assert.deepEqual(Object.keys(body), ["detail", "code", "doc_url"]);
      assert.equal(typeof body.detail, "string");
    }
  }
  const inQuery = new Request(`http://127.0.0.1/v1/account?api_key=${key}`);
  assert.equal((await tonwerk.service.app(inQuery, { address: "127.0.0.1" })).status, 401);
});

test("a revoked key is a 401", async () => {
  const { store } = tonwerk.service;
  const second = newApiKey();
  const { hashApiKey, lastFour } = await import("../../core/base/keys.ts");
  const { body } = await tonwerk.json("GET", "/v1/account");
  const account_id = body.account.id;
  await store.createKey({
    id: "key_second",
    account_id,
    label: "",
    sha256: hashApiKey(second),
    last_four: lastFour(second),
    created_at: 0,
  });
  const headers = { authorization: `Bearer ${second}` };
  assert.equal((await tonwerk.call("GET", "/v1/account", undefined, headers)).status, 200);
  assert.equal(await store.revokeKey(account_id, "key_second", Date.now()), true);
  assert.equal((await tonwerk.call("GET", "/v1/account", undefined, headers)).status, 401);
  assert.equal((await tonwerk.call("GET", "/v1/account")).status, 200);
});

test("the allowlist admits its addresses only, IPv4-mapped ones included", async () => {
  const { store, app } = tonwerk.service;
  const { body } = await tonwerk.json("GET", "/v1/account");
  const ask = (address: string) =>
    app(new Request("http://x.test/v1/account", { headers: { authorization: `Bearer ${tonwerk.key}` } }), { address });
  await store.updateSettings(body.account.id, { allowlist: ["192.0.2.0/24", "2001:db8::/32"] });
  try {
    assert.equal((await ask("192.0.2.7")).status, 200);
    assert.equal((await ask("::ffff:192.0.2.7")).status, 200);
    assert.equal((await ask("2001:db8::1")).status, 200);
    for (const address of ["192.0.3.7", "127.0.0.1", "::1", "nonsense", ""]) {
      assert.equal((await ask(address)).status, 401, address);
    }
  } finally {
    await store.updateSettings(body.account.id, { allowlist: [] });
  }
});

test("paths and methods: unknown 404, known with another method 405 with Allow, HEAD as GET", async () => {
  for (const path of [
    "/",
    "/v1",
    "/v1/",
    "/v1/create.nothing",
    "/v2/adapt.normalise_loudness",
    "/rpc/nothing",
    "/v1/ADAPT.normalise_loudness",
  ]) {
    const { status, body } = await tonwerk.json("GET", path);
    assert.equal(status, 404, path);
    assert.deepEqual([body.detail, body.code], ["Not found", "not_found"]);
  }
  for (const path of ["/v1/adapt.normalize_loudness", `${PATH}/`, `${PATH}x`]) {
    const { status, body } = await tonwerk.json("GET", path);
    assert.deepEqual([status, body.detail], [404, `Not found; did you mean ${PATH}?`]);
  }
  for (const [method, path, allow] of [
    ["POST", PATH, "PUT, GET, HEAD"],
    ["DELETE", PATH, "PUT, GET, HEAD"],
    ["OPTIONS", PATH, "PUT, GET, HEAD"],
    ["POST", "/v1/account", "GET, HEAD"],
    ["GET", "/v1/operations.cancel", "PUT"],
    ["PUT", "/health", "GET, HEAD"],
    ["PUT", "/audio/op/x", "GET, HEAD"],
  ] as const) {
    const { status, headers, body } = await tonwerk.json(method, path);
    assert.equal(status, 405, `${method} ${path}`);
    assert.equal(headers.get("allow"), allow);
    assert.equal(typeof body.detail, "string");
  }
  const head = await tonwerk.call("HEAD", "/health");
  assert.equal(head.status, 200);
  assert.equal(await head.text(), "");
});

test("/rpc/<action> answers as /v1/<action>", async () => {
  const body = valid();
  const first = await tonwerk.json("PUT", "/rpc/adapt.normalise_loudness", body);
  assert.equal(first.status, 200);
  const { id } = first.body.normalised_audio;
  const read = await tonwerk.json("GET", `/rpc/adapt.normalise_loudness?id=${id}`);
  assert.equal(read.body.normalised_audio.id, id);
  assert.equal((await tonwerk.json("PUT", PATH, body)).headers.get("idempotent-replayed"), "true");
});

test("bodies: too large 413, not JSON 415, and nothing is charged for either", async () => {
  const before = (await tonwerk.json("GET", "/v1/account")).body.account.credits;
  const large = JSON.stringify({ ...valid(), note: "x".repeat(70_000) });
  assert.equal((await tonwerk.json("PUT", PATH, large, { "content-type": "application/json" })).status, 413);
  let chunks = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunks++;
      controller.enqueue(new Uint8Array(1000).fill(32));
    },
  });
  const stream = new Request(`http://x.test${PATH}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${tonwerk.key}`, "content-type": "application/json" },
    body: endless,
    duplex: "half",
  } as RequestInit);
  assert.equal((await tonwerk.service.app(stream, { address: "127.0.0.1" })).status, 413);
  assert.ok(chunks < 80, `${chunks} chunks were read of a body that has no end`);
  for (const type of [
    "text/plain",
    "application/xml",
    "application/json; charset=utf-16",
    "multipart/form-data",
    "application/jsonx",
  ]) {
    const { status, body } = await tonwerk.json("PUT", PATH, JSON.stringify(valid()), { "content-type": type });
    assert.equal(status, 415, type);
    assert.equal(typeof body.detail, "string");
  }
  for (const coding of ["gzip", "identity"]) {
    const headers = { "content-type": "application/json", "content-encoding": coding };
    const { status, body } = await tonwerk.json("PUT", PATH, JSON.stringify({}), headers);
    assert.equal(status, coding === "gzip" ? 415 : 422);
    if (coding === "gzip") assert.match(body.detail, /Content-Encoding/u);
  }
  for (const type of ["application/json; charset=utf-8", 'application/json; charset="UTF-8"', "Application/JSON"]) {
    assert.equal((await tonwerk.json("PUT", PATH, JSON.stringify({}), { "content-type": type })).status, 422, type);
  }
  assert.equal((await tonwerk.json("GET", "/v1/account")).body.account.credits, before);
});

test("text hygiene: hostile JSON is a 422 that says where, never a 500", async () => {
  const key = randomUUID();
  const wrap = (text: string) => `{"idempotency_key":"${key}",${text}}`;
  const cases: readonly [what: string, body: string | Uint8Array][] = [
    ["an empty body", ""],
    ["half a body", '{"idempotency_key":'],
    ["a comma too many", wrap('"source":{"url":"https://a.test/x"},')],
    ["NaN", wrap('"source":NaN')],
    ["an array", "[]"],
    ["a text", '"x"'],
    ["null", "null"],
    ["NUL in a URL", wrap('"source":{"url":"https://a.test/\\u0000"}')],
    ["a lone surrogate", wrap('"source":{"url":"https://a.test/\\ud800"}')],
    ["a doubled key", wrap('"source":{"url":"https://a.test/x"},"source":{"url":"https://a.test/y"}')],
    ["a doubled key, escaped", wrap('"source":{"url":"https://a.test/x","\\u0075rl":"https://a.test/y"}')],
    ["a line break in a URL", wrap('"source":{"url":"https://a.test/\\r\\nX-Evil: 1"}')],
    ["a tab in a URL", wrap('"source":{"url":"ht\\ttps://a.test/x"}')],
    ["deep nesting", wrap(`"source":${"[".repeat(17)}${"]".repeat(17)}`)],
    ["very deep nesting", wrap(`"source":${"[".repeat(30_000)}${"]".repeat(30_000)}`)],
    ["__proto__", wrap('"__proto__":{"polluted":1},"source":{"url":"https://a.test/x"}')],
    ["constructor", wrap('"constructor":{"prototype":{}},"source":{"url":"https://a.test/x"}')],
    ["invalid UTF-8", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ["a byte order mark", `\ufeff${wrap('"source":{"url":"https://a.test/x"}')}`],
    ["user and password in a URL", wrap('"source":{"url":"https://me:secret@a.test/x"}')],
  ];
  for (const [what, body] of cases) {
    const answer = await tonwerk.json("PUT", PATH, body, { "content-type": "application/json" });
    assert.equal(answer.status, 422, what);
    assert.ok(Array.isArray(answer.body.detail) && answer.body.detail.length > 0, what);
    for (const entry of answer.body.detail) {
      assert.deepEqual(Object.keys(entry).sort(), ["loc", "msg", "type"], what);
      assert.equal(entry.loc[0], "body", what);
    }
  }
  assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
});

test("a 422 has one entry for every failing field at once", async () => {
  const { status, body } = await tonwerk.json("PUT", PATH, {
    idempotency_key: "not-a-uuid",
    source: { url: "nowhere", extra: 1 },
    loudness: { target_lufs: 0 },
    callback_url: "ftp://a.test",
    n_variation: 2,
  });
  assert.equal(status, 422);
  const found = body.detail
    .map((entry: { loc: unknown[]; type: string }) => `${entry.loc.join(".")} ${entry.type}`)
    .sort();
  assert.deepEqual(found, [
    "body.callback_url url_scheme",
    "body.idempotency_key uuid",
    "body.loudness.target_lufs less_than_equal",
    "body.n_variation extra_forbidden",
    "body.source.extra extra_forbidden",
    "body.source.url url_invalid",
  ]);
});

test("callback URLs: HTTPS only, no private literal in any spelling", async () => {
  const refused = [
    ["http://example.com/hook", "url_scheme"],
    ["https://127.0.0.1/", "url_forbidden_address"],
    ["https://0x7f.1/", "url_forbidden_address"],
    ["https://2130706433/", "url_forbidden_address"],
    ["https://0177.0.0.1/", "url_forbidden_address"],
    ["https://10.1.2.3/", "url_forbidden_address"],
    ["https://169.254.169.254/latest/meta-data", "url_forbidden_address"],
    ["https://[::1]/", "url_forbidden_address"],
    ["https://[::ffff:10.0.0.1]/", "url_forbidden_address"],
    ["https://[64:ff9b::7f00:1]/", "url_forbidden_address"],
    ["https://[fd00::1]/", "url_forbidden_address"],
    ["https://localhost/", "url_forbidden_address"],
    ["https://localhost./", "url_forbidden_address"],
    ["https://a.localhost/", "url_forbidden_address"],
  ] as const;
  for (const [callback_url, type] of refused) {
    const { status, body } = await tonwerk.json("PUT", PATH, { ...valid(), callback_url });
    assert.equal(status, 422, callback_url);
    assert.deepEqual(
      body.detail.map(({ loc, type: found }: { loc: unknown[]; type: string }) => [loc, found]),
      [[["body", "callback_url"], type]],
      callback_url,
    );
  }
  for (const callback_url of [
    "https://example.com/hook",
    "https://93.184.216.34:8443/h",
    "https://[2606:2800:220:1::1]/",
  ]) {
    assert.equal((await tonwerk.json("PUT", PATH, { ...valid(), callback_url })).status, 200, callback_url);
  }
});

test("queries: booleans are exactly true or false, ids well-formed, nothing unknown or doubled", async () => {
  const id = "op_00000000000000000000000000";
  for (const [query, loc] of [
    ["", "query.id"],
    ["?id=", "query.id"],
    ["?id=op_1", "query.id"],
    [`?id=${id.toUpperCase()}`, "query.id"],
    [`?id=${id}&wait=1`, "query.wait"],
    [`?id=${id}&wait=TRUE`, "query.wait"],
    [`?id=${id}&wait=`, "query.wait"],
    [`?id=${id}&wiat=true`, "query.wiat"],
    [`?id=${id}&id=${id}`, "query.id"],
  ] as const) {
    const { status, body } = await tonwerk.json("GET", PATH + query);
    assert.equal(status, 422, query);
    assert.deepEqual(
      body.detail.map(({ loc: at }: { loc: string[] }) => at.join(".")),
      [loc],
      query,
    );
  }
  assert.equal((await tonwerk.json("PUT", `${PATH}?dry_run=yes`, valid())).status, 422);
});

test("unknown, foreign and other-action operations are one and the same 404", async () => {
  const { body } = await tonwerk.json("PUT", PATH, valid());
  const { id } = body.normalised_audio;
  const { store } = tonwerk.service;
  const { hashApiKey, lastFour } = await import("../../core/base/keys.ts");
  const stranger = newApiKey();
  await store.createAccount({ id: "acc_stranger", name: "Stranger", credits: 5, created_at: 0 });
  await store.createKey({
    id: "key_stranger",
    account_id: "acc_stranger",
    label: "",
    sha256: hashApiKey(stranger),
    last_four: lastFour(stranger),
    created_at: 0,
  });
  const foreign = { authorization: `Bearer ${stranger}` };
  const answers = [
    await tonwerk.json("GET", `${PATH}?id=op_00000000000000000000000000`),
    await tonwerk.json("GET", `${PATH}?id=${id}`, undefined, foreign),
    await tonwerk.json("GET", `${PATH}?id=${id}&wait=true`, undefined, foreign),
    await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id }, foreign),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 404);
    assert.deepEqual(answer.body, answers[0]!.body);
    assert.deepEqual([answer.body.detail, answer.body.code], ["Operation not found", "operation_not_found"]);
  }
  const mine = await tonwerk.json("GET", "/v1/operations", undefined, foreign);
  assert.deepEqual(mine.body, { operations: [], next_cursor: null });
});

test("a dry run says what it would cost and creates nothing", async () => {
  const before = (await tonwerk.json("GET", "/v1/account")).body.account.credits;
  const { status, body } = await tonwerk.json("PUT", `${PATH}?dry_run=true`, { source });
  assert.equal(status, 200);
  assert.deepEqual(body, { cost: 1, balance: before, sufficient: true });
  assert.equal((await tonwerk.json("GET", "/v1/account")).body.account.credits, before);
  assert.equal((await tonwerk.json("PUT", `${PATH}?dry_run=true`, {})).status, 422);
  assert.equal((await tonwerk.json("PUT", `${PATH}?dry_run=true`, { source, idempotency_key: "x" })).status, 422);
  assert.equal((await tonwerk.json("PUT", `${PATH}?dry_run=false`, { source })).status, 422);
});

test("a dry run under a used key answers what the submission would", async () => {
  const request = valid();
  const dry = (body: object) => tonwerk.json("PUT", `${PATH}?dry_run=true`, body);
  assert.equal((await dry(request)).status, 200);
  assert.equal((await tonwerk.json("PUT", PATH, request)).status, 200);
  assert.equal((await dry(request)).status, 200);
  const other = { ...request, loudness: { target_lufs: -20 } };
  const [asked, submitted] = [await dry(other), await tonwerk.json("PUT", PATH, other)];
  assert.deepEqual([asked.status, asked.body], [422, submitted.body]);
  assert.equal(asked.body.detail[0].type, "idempotency_key_reused");
});

test("/v1/account shows credits, limits and webhook options", async () => {
  const { body } = await tonwerk.json("GET", "/v1/account");
  const { id, credits, ...rest } = body.account;
  assert.match(id, /^acc_[0-9a-z]{26}$/);
  assert.ok(Number.isInteger(credits));
  assert.deepEqual(rest, {
    key: { id: rest.key.id, read_only: false, actions: null, budget: null, test: false },
    limits: {
      put_per_minute: 0,
      get_per_minute: 0,
      long_polls: 100,
      uploads_open: 8,
      upload_bytes: { limit: 5_000_000_000, used: rest.limits.upload_bytes.used },
      free_seconds: {
        limit: 3600,
        used: rest.limits.free_seconds.used,
        resets_at: `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`,
      },
    },
    webhooks: { body: "operation", long_retries: false },
  });
});

test("/v1/capabilities lists every action as it is declared", async () => {
  let { body } = await tonwerk.json("GET", "/v1/capabilities");
  // On a busy machine ffmpeg is not asked in time at first: then the codec is null, and the next call asks again.
  for (let n = 0; body.codec === null && n < 10; n++) body = (await tonwerk.json("GET", "/v1/capabilities")).body;
  assert.equal(body.version, "0.1.0");
  assert.equal(typeof body.codec.name, "string");
  assert.equal(typeof body.codec.version, "string");
  const action = body.actions.find(({ name }: { name: string }) => name === "adapt.normalise_loudness");
  assert.equal(action.wrapper, "normalised_audio");
  assert.equal(action.cost, 1);
  assert.equal(action.output, "single");
  // As outputs name it: runAction() holds every action's outputs to its declaration.
  assert.equal(action.engine, "master");
});

test("/health needs no key", async () => {
  const response = await tonwerk.service.app(new Request("http://x.test/health"), { address: "203.0.113.9" });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { status: "ok" });
});

test("a short Host header does not shift the path", async () => {
  const response = await tonwerk.service.app(new Request("http://a/pub/health"), { address: "127.0.0.1" });
  assert.equal(response.status, 404);
  assert.equal((await tonwerk.service.app(new Request("http://a/health"), { address: "127.0.0.1" })).status, 200);
});

test("/openapi.json describes every route from its declaration, and /docs loads nothing from elsewhere", async () => {
  const { status, body } = await tonwerk.json("GET", "/openapi.json");
  assert.equal(status, 200);
  assert.match(body.openapi, /^3\.1\./);
  assert.equal(body.info.version, "0.1.0");
  const { actions } = (await tonwerk.json("GET", "/v1/capabilities")).body;
  assert.deepEqual(
    Object.keys(body.paths).sort(),
    [
      ...actions.map(({ name }: { name: string }) => `/v1/${name}`),
      "/audio/op/{operation}/{attempt}/{file}",
      "/health",
      "/leaks",
      "/v1/account",
      "/v1/batches",
      "/v1/capabilities",
      "/v1/changelog",
      "/v1/events",
      "/v1/files",
      "/v1/files/{id}",
      "/v1/operations",
      "/v1/operations/{id}",
      "/v1/operations/{id}/events",
      "/v1/operations.cancel",
      "/v1/operations.redeliver",
      "/v1/operations.redeliver_failed",
      "/v1/upload_tokens",
      "/v1/webhook_endpoints",
      "/v1/webhook_endpoints/{id}",
      "/v1/webhook_endpoints/{id}/ping",
      "/v1/webhook_endpoints/{id}/secret",
    ].sort(),
  );
  const { put, get } = body.paths[PATH];
  const { schemas } = body.components;
  assert.equal(put.requestBody.content["application/json"].schema.$ref, "#/components/schemas/NormalisationRequest");
  const request = schemas.NormalisationRequest;
  // Of `source` and `album` exactly one, which `not` says.
  assert.deepEqual(request.required, ["idempotency_key"]);
  assert.equal(request.description, "Exactly one of source, album must be sent");
  assert.equal(request.additionalProperties, false);
  // Null equals absent.
  assert.deepEqual(request.properties.callback_url.type, ["string", "null"]);
  assert.deepEqual(request.properties.loudness.oneOf, [
    { $ref: "#/components/schemas/LoudnessSettings" },
    { type: "null" },
  ]);
  assert.equal(schemas.LoudnessSettings.properties.target_lufs.minimum, -36);
  assert.equal(schemas.LoudnessSettings.required, undefined);
  assert.deepEqual(put["x-tonwerk"], {
    action: "adapt.normalise_loudness",
    command: "normalise",
    resource: "normalisations",
    wrapper: "normalised_audio",
  });
  assert.deepEqual([put.operationId, get.operationId], ["normalisations_create", "normalisations_read"]);
  for (const code of ["200", "401", "402", "413", "415", "422", "429", "503"])
    assert.ok(put.responses[code], `PUT ${code}`);
  for (const code of ["200", "401", "404", "422", "429", "503"]) assert.ok(get.responses[code], `GET ${code}`);
  // Every reference leads somewhere.
  for (const [, kind = "", name = ""] of JSON.stringify(body).matchAll(/"#\/components\/([a-zA-Z]+)\/([^"]+)"/g)) {
    assert.ok(body.components[kind][name], name);
  }
  const page = await (await tonwerk.call("GET", "/docs")).text();
  assert.match(page, /swagger-ui/);
  assert.doesNotMatch(page, /(src|href)="(https?:)?\/\//);
  for (const [, path = ""] of page.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)) {
    const response = await tonwerk.call("GET", `/${path}`);
    assert.equal(response.status, 200, path);
    assert.ok((await response.arrayBuffer()).byteLength > 50, path);
  }
});

test("rate limits answer 429 with Retry-After and the RateLimit headers", async () => {
  const { store } = tonwerk.service;
  const { body } = await tonwerk.json("GET", "/v1/account");
  await store.updateSettings(body.account.id, { put_per_minute: 2, long_polls: 1 });
  try {
    const answers = [];
    for (let count = 0; count < 3; count++) answers.push(await tonwerk.json("PUT", PATH, {}));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [422, 422, 429],
    );
    assert.match(answers[0]!.headers.get("ratelimit") ?? "", /"put";r=1/);
    assert.match(answers[0]!.headers.get("ratelimit-policy") ?? "", /"put";q=2;w=60/);
    assert.ok(Number(answers[2]!.headers.get("retry-after")) >= 1);
    assert.equal(typeof answers[2]!.body.detail, "string");
    assert.equal((await tonwerk.json("GET", "/v1/account")).status, 200);
  } finally {
    await store.updateSettings(body.account.id, { put_per_minute: null, long_polls: null });
  }
});
