/** Tokens with which pages upload: what they allow, what ends them, and what nobody can do with them. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { systemClock } from "../../core/base/timers.ts";
import type { AccountSettings } from "../../core/ports/mod.ts";
import { noise } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { type Answer, adminOf, giveStackBack, startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
/** The time of the service, moved by hand; timers stay real. */
let shift_ms = 0;
const clock = { ...systemClock, now: () => Date.now() + shift_ms };
before(async () => {
  tonwerk = await startTestService({ clock });
});
after(() => tonwerk.stop());

const TOKENS = "/v1/upload_tokens";
const song = wav(noise(1).channels);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Another account of the service. */
async function another(settings: Partial<AccountSettings> = {}) {
  const admin = adminOf(tonwerk.service);
  const { key, account } = await admin.createAccount({ name: "Another", credits: 100, settings });
  const call = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    tonwerk.json(method, path, body, { ...bearer(key.plain), ...headers });
  const makeToken = async (terms: object = {}): Promise<string> => {
    const { status, body } = await call("POST", TOKENS, terms);
    assert.equal(status, 200, JSON.stringify(body));
    return body.upload_token.token;
  };
  return { id: account.id, key_id: key.id, call, makeToken };
}

const upload = (token: string, headers = {}, body: unknown = song, service = tonwerk): Promise<Answer> =>
  service.json("PUT", "/v1/files", body, { ...bearer(token), ...headers });
const codeOf = ({ status, body }: Answer) => [status, body.code];

test("a token uploads for the account that made it, and says what it allows", async () => {
  const { call, makeToken } = await another();
  const { body } = await call("POST", TOKENS, { seconds: 60, uploads: 2, bytes: 1_000_000 });
  const { token, expires_at, ...rest } = body.upload_token;
  assert.deepEqual(rest, { uploads: 2, bytes: 1_000_000, origin: null });
  assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 60_000) < 5_000);
  assert.match(token, /^tonwerk_upload_[\w-]+\.[\w-]{43}$/);
  const made = await upload(token);
  assert.deepEqual([made.status, made.body.file.duration], [200, 1]);
  assert.ok(made.headers.get("ratelimit"));
  const { files } = (await call("GET", "/v1/files")).body;
  assert.deepEqual(
    files.map(({ id }: { id: string }) => id),
    [made.body.file.id],
  );
  const { used } = (await call("GET", "/v1/account")).body.account.limits.upload_bytes;
  assert.equal(used, song.length);
  const usual = (await call("POST", TOKENS, {})).body.upload_token;
  assert.deepEqual([usual.uploads, usual.bytes], [1, 50_000_000]);
  assert.ok(await makeToken());
});

test("a key that only reads makes none", async () => {
  const { id } = await another();
  const rights = { test: false, read_only: true, actions: null, budget: null };
  const { plain } = await adminOf(tonwerk.service).createKey(id, "reads", rights);
  assert.deepEqual(codeOf(await tonwerk.json("POST", TOKENS, {}, bearer(plain))), [403, "key_scope_missing"]);
});

test("what a token may be is bounded", async () => {
  const { call } = await another();
  const wrong = [
    { seconds: 901 },
    { seconds: 0 },
    { uploads: 101 },
    { uploads: 0 },
    { bytes: 0 },
    { origin: "app.example.com" },
    { origin: "https://app.example.com/" },
    { colour: "red" },
  ];
  for (const terms of wrong) assert.equal((await call("POST", TOKENS, terms)).status, 422, JSON.stringify(terms));
});

test("nothing else is answered to a token, and it makes no other", async () => {
  const { call, makeToken } = await another();
  const token = await makeToken({ uploads: 100 });
  const { id } = (await upload(token)).body.file;
  const asked: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ["GET", "/v1/files"],
    ["GET", `/v1/files/${id}`],
    ["DELETE", `/v1/files/${id}`],
    ["POST", TOKENS, {}],
    ["GET", "/v1/account"],
    ["GET", "/v1/capabilities"],
    ["GET", "/v1/operations"],
    ["GET", "/v1/events"],
    ["PUT", "/v1/create.new_fx", { idempotency_key: randomUUID(), prompt: "a click" }],
    ["PUT", "/rpc/create.new_fx?dry_run=true", { prompt: "a click" }],
    ["PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id: "op_1" }],
  ];
  // A forged one is told the same, so that nobody learns by it which are good.
  for (const one of [token, "tonwerk_upload_x.y"]) {
    for (const [method, path, body] of asked)
      assert.deepEqual(
        codeOf(await tonwerk.json(method, path, body, bearer(one))),
        [403, "upload_token_forbidden"],
        `${method} ${path}`,
      );
  }
  assert.equal((await call("GET", `/v1/files/${id}`)).status, 200);
});

test("a token stands for so many files and bytes, whoever comes at once", async () => {
  const { call, makeToken } = await another();
  const one = await makeToken();
  assert.equal((await upload(one)).status, 200);
  assert.deepEqual(codeOf(await upload(one)), [403, "upload_token_spent"]);
  const two = await makeToken({ uploads: 2 });
  const twins = await Promise.all(Array.from({ length: 5 }, () => upload(two)));
  assert.equal(twins.filter(({ status }) => status === 200).length, 2);
  for (const answer of twins.filter(({ status }) => status !== 200))
    assert.ok(["upload_token_spent", "too_many_uploads"].includes(answer.body.code), answer.body.code);
  const bytes = await makeToken({ uploads: 9, bytes: song.length + 10 });
  const larger = wav(noise(2).channels);
  assert.deepEqual(codeOf(await upload(bytes, {}, larger)), [413, "body_too_large"]);
  assert.equal((await upload(bytes)).status, 200);
  assert.deepEqual(codeOf(await upload(bytes)), [413, "body_too_large"]);
  const exact = await makeToken({ uploads: 9, bytes: song.length });
  assert.equal((await upload(exact)).status, 200);
  assert.deepEqual(codeOf(await upload(exact)), [403, "upload_token_spent"]);
  // What is deleted does not come back to the token.
  for (const { id } of (await call("GET", "/v1/files")).body.files) await call("DELETE", `/v1/files/${id}`);
  assert.deepEqual(codeOf(await upload(one)), [403, "upload_token_spent"]);
});

test("whoever lost the answer finds the upload again with a token that is spent", async () => {
  const { makeToken } = await another();
  const token = await makeToken();
  const headers = { "idempotency-key": randomUUID() };
  const first = await upload(token, headers);
  const again = await upload(token, headers);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.equal(again.body.file.id, first.body.file.id);
  assert.deepEqual(codeOf(await upload(token, headers, wav(noise(2).channels))), [422, "idempotency_key_reused"]);
});

test("what is refused spends nothing", async () => {
  const { makeToken } = await another();
  const token = await makeToken();
  assert.equal((await upload(token, {}, new Uint8Array(100))).body.code, "audio_invalid");
  assert.equal((await upload(token)).status, 200);
});

test("a token is over with its time, with its key, and nothing of it can be changed", async () => {
  const { id, key_id, call, makeToken } = await another();
  const token = await makeToken({ seconds: 10 });
  const dead = [401, "upload_token_invalid"];
  shift_ms = 10_001;
  assert.deepEqual(codeOf(await upload(token)), dead);
  shift_ms = 0;
  const [payload = "", signature = ""] = token.replace("tonwerk_upload_", "").split(".");
  const fields = JSON.parse(Buffer.from(payload, "base64url").toString());
  const changed = Buffer.from(JSON.stringify(fields.with(4, 100))).toString("base64url");
  for (const forged of [`${changed}.${signature}`, `${payload}.${"A".repeat(43)}`, payload, `${payload}.`, ".", "x"])
    assert.deepEqual(codeOf(await upload(`tonwerk_upload_${forged}`)), dead, forged);
  const foreign = await another();
  assert.notEqual(foreign.id, id);
  const second = (await adminOf(tonwerk.service).createKey(id, "second")).plain;
  const of_second = (await tonwerk.json("POST", TOKENS, {}, bearer(second))).body.upload_token.token;
  assert.equal((await call("GET", "/v1/account")).status, 200);
  assert.equal(await tonwerk.service.store.revokeKey(id, key_id, Date.now()), true);
  assert.deepEqual(codeOf(await upload(token)), dead);
  assert.equal((await upload(of_second)).status, 200, "the other key's");
});

test("one that is bound to an origin works on its pages alone", async () => {
  const { makeToken } = await another();
  const token = await makeToken({ origin: "https://app.example.com" });
  const forbidden = [403, "upload_token_origin"];
  assert.deepEqual(codeOf(await upload(token)), forbidden);
  assert.deepEqual(codeOf(await upload(token, { origin: "https://evil.example.com" })), forbidden);
  assert.equal((await upload(token, { origin: "https://app.example.com" })).status, 200);
});

test("quotas, limits and allowlists of the account hold for its tokens", async () => {
  const small = await another({ upload_bytes: song.length });
  const token = await small.makeToken({ uploads: 9 });
  assert.equal((await upload(token)).status, 200);
  assert.deepEqual(codeOf(await upload(token)), [429, "upload_quota_reached"]);
  const slow = await another({ put_per_minute: 2 });
  const once = await slow.makeToken({ uploads: 9 });
  assert.equal((await upload(once)).status, 200);
  assert.deepEqual(codeOf(await upload(once)), [429, "rate_limited"]);
  const closed = await another();
  const there = await closed.makeToken();
  await tonwerk.service.store.updateSettings(closed.id, { allowlist: ["203.0.113.7"] });
  assert.deepEqual(codeOf(await upload(there)), [401, "address_not_allowed"]);
});

test("a token is tried so often a minute, and an address forges so many", async () => {
  const { makeToken } = await another();
  const token = await makeToken();
  const codes = new Set<string>();
  // Tries are earned back while this goes on, one in two seconds.
  for (let n = 0; n < 60; n++) codes.add((await upload(token, {}, new Uint8Array(1))).body.code);
  assert.deepEqual([...codes], ["audio_invalid", "rate_limited"]);
  const from = (address: string, text: string) =>
    tonwerk.service.app(new Request("http://x.test/v1/files", { method: "PUT", headers: bearer(text), body: "x" }), {
      address,
    });
  const forged = async (n: number) => (await from("198.51.100.77", `tonwerk_upload_${n}.x`)).status;
  let tries = 1;
  let status = await forged(0);
  // Five more are earned each second that this takes.
  for (; status === 401 && tries < 400; tries++) status = await forged(tries);
  assert.ok(status === 429 && tries > 300, `${tries} tries, then ${status}`);
  assert.equal((await from("198.51.100.77", await makeToken())).status, 422, "good ones of the same address go on");
});

test("a token outlives a rotation of the secret, and no second one", async () => {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-"));
  const secrets = [1, 2, 3].map((n) => Buffer.alloc(32, n).toString("base64"));
  const start = (now: number, before_it?: number) =>
    startTestService({
      data,
      env: {
        TONWERK_SECRET: secrets[now]!,
        ...(before_it === undefined ? {} : { TONWERK_SECRET_PREVIOUS: secrets[before_it]! }),
      },
    });
  try {
    const first = await start(0);
    const { token } = (await first.json("POST", TOKENS, { uploads: 9 })).body.upload_token;
    await first.stop();
    const second = await start(1, 0);
    assert.equal((await upload(token, {}, song, second)).status, 200);
    await second.stop();
    const third = await start(2, 1);
    assert.deepEqual(codeOf(await upload(token, {}, song, third)), [401, "upload_token_invalid"]);
    await third.stop();
  } finally {
    await rm(data, { recursive: true, force: true });
    await giveStackBack(data);
  }
});
