/** Accounts beside one another, seen through the front door: what is whose, who comes first, and what a change does. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Refusal } from "../../core/base/errors.ts";
import type { AccountSettings } from "../../core/ports/mod.ts";
import type { AccountAdmin } from "../../plugins/administration/account_admin.ts";
import { cookieOf } from "../core/sessions_harness.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { adminOf, sessionsOf, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

let tonwerk: TestService;
let folder: string;
before(async () => {
  folder = await pluginFolder();
  await addAction(folder, "test.beep", {
    request: "Type.Object({})",
    sources: "{}",
    echo: "[]",
    examples: "[{}]",
    // At most a hundred a second, so that a crowd is one on every machine.
    process: `async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { audio: { sample_rate: 44100, channels: [new Float32Array(441)] }, engine: "beep" };
    }`,
  });
  tonwerk = await startTestService({
    env: {
      TONWERK_PLUGINS: folder,
      TONWERK_WORKERS: "1",
      TONWERK_PUT_PER_MINUTE: "0",
      TONWERK_GET_PER_MINUTE: "0",
      TONWERK_FIRST_CREDITS: "100000",
    },
  });
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

const PATH = "/v1/test.beep";

async function addAccount(settings: Partial<AccountSettings> = {}, credits = 50) {
  const { account, key } = await adminOf(tonwerk.service).createAccount({ name: "Other", credits, settings });
  return { id: account.id, headers: { authorization: `Bearer ${key.plain}` }, key: key.plain };
}

async function submit(headers?: Readonly<Record<string, string>>): Promise<string> {
  const answer = await tonwerk.json("PUT", PATH, { idempotency_key: randomUUID() }, headers);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.test_beep.id;
}

test("one account's 1,000 waiting jobs do not delay another's first", async () => {
  const { headers } = await addAccount();
  const crowd: string[] = [];
  for (let i = 0; i < 20; i++) crowd.push(...(await Promise.all(Array.from({ length: 50 }, () => submit()))));
  const { queued } = await tonwerk.service.store.queueStats("dsp");
  assert.ok(queued > 500, `${queued} wait`);
  const id = await submit(headers);
  const { body } = await tonwerk.json("GET", `${PATH}?id=${id}&wait=true`, undefined, headers);
  assert.equal(body.test_beep.status, "ready");
  const first = await tonwerk.service.store.operation(id);
  const others = await Promise.all(crowd.map((one) => tonwerk.service.store.operation(one)));
  const between = others.filter(
    (one) => one?.started_at != null && one.started_at > first!.created_at && one.started_at < first!.started_at!,
  );
  // The one whose turn it was, and one that was claimed in the same millisecond.
  assert.ok(between.length <= 2, `${between.length} went before it`);
  assert.ok((await tonwerk.service.store.queueStats("dsp")).queued > 100, "the crowd still waits");
});

test("accounts share workers by the seconds that actions say their jobs take", async () => {
  const node = await startTestService({ env: { TONWERK_ROLE: "api" } });
  try {
    const songs: string[] = [];
    const effects: string[] = [];
    const song = { prompt: "rock", lyrics: "one line", n_variations: 3, duration: 198 };
    for (let n = 0; n < 2; n++)
      songs.push(
        (await node.json("PUT", "/v1/create.new_song", { idempotency_key: randomUUID(), ...song })).body.song.id,
      );
    const { key } = await adminOf(node.service).createAccount({ name: "Other", credits: 200, settings: {} });
    const headers = { authorization: `Bearer ${key.plain}` };
    for (let n = 0; n < 30; n++) {
      const body = { idempotency_key: randomUUID(), prompt: "knock" };
      effects.push((await node.json("PUT", "/v1/create.new_fx", body, headers)).body.fx.id);
    }
    // A minute of work apart: thirty of a second are done before the second of those, which prices do not tell.
    assert.deepEqual(await node.service.store.queued("generation", 50), [
      ...[effects[0], songs[0]],
      ...effects.slice(1),
      songs[1],
    ]);
  } finally {
    await node.stop();
  }
});

test("nothing of one account is to be had with another's key, and it looks as if it were not there", async () => {
  const [one, other] = [await addAccount(), await addAccount()];
  const id = await submit(one.headers);
  const unknown = `op_${"0".repeat(26)}`;
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await tonwerk.json(method, path, body, other.headers);
    return [answer.status, JSON.stringify(answer.body)];
  };
  for (const [method, path, of] of [
    ["GET", (op: string) => `${PATH}?id=${op}`, undefined],
    ["GET", (op: string) => `${PATH}?id=${op}&wait=true`, undefined],
    ["GET", (op: string) => `/rpc/test.beep?id=${op}`, undefined],
    ["PUT", () => "/v1/operations.cancel", (op: string) => ({ idempotency_key: randomUUID(), id: op })],
    ["PUT", () => "/v1/operations.redeliver", (op: string) => ({ idempotency_key: randomUUID(), id: op })],
  ] as const) {
    const foreign = await ask(method, path(id), of?.(id));
    assert.deepEqual(foreign, await ask(method, path(unknown), of?.(unknown)));
    assert.equal(foreign[0], 404);
  }
  for (const query of [
    "",
    "?status=processing",
    "?status=ready",
    "?action=test.beep",
    `?cursor=${unknown.replace(/0/g, "z")}`,
  ]) {
    assert.deepEqual(
      (await tonwerk.json("GET", `/v1/operations${query}`, undefined, other.headers)).body.operations,
      [],
    );
  }
  assert.equal((await tonwerk.json("GET", "/v1/account", undefined, other.headers)).body.account.id, other.id);
});

test("a first start's link leads to an owner, whose session opens no API and whose key opens no dashboard", async () => {
  const { service, key } = tonwerk;
  const greetings = await Promise.all(service.surfaces.map(({ greet }) => greet?.(service.first)));
  const url = /http\S+\/dashboard\/link\?token=\S+/u.exec(greetings.flat().join("\n"))?.[0] ?? "";
  const token = new URL(url).searchParams.get("token") ?? "";
  const base = service.config.base_url;
  const visit = { request: new Request(`${base}/dashboard/link`, { method: "POST" }), peer: { address: "127.0.0.1" } };
  const form = { email: "owner@example.com", password: "correct horse battery" };
  const outcome = await sessionsOf(service).redeem(visit, token, form);
  assert.ok(outcome.kind === "entered");
  const cookie = cookieOf(outcome.cookies);
  assert.equal((await sessionsOf(service).redeem(visit, token, form)).kind, "refused");
  const with_cookie = new Request(base, { headers: { cookie } });
  assert.equal((await sessionsOf(service).current(with_cookie))?.user.email, "owner@example.com");
  for (const [method, path] of [
    ["GET", "/v1/account"],
    ["GET", "/v1/operations"],
    ["PUT", PATH],
    ["PUT", "/v1/files"],
    ["PUT", "/v1/operations.cancel"],
    ["GET", "/v1/capabilities"],
  ] as const) {
    const request = new Request(`${base}${path}`, { method, headers: { cookie } });
    assert.equal((await service.app(request, { address: "127.0.0.1" })).status, 401, path);
  }
  const with_key = new Request(base, {
    headers: { authorization: `Bearer ${key}`, cookie: `__Host-tonwerk_session=${key}` },
  });
  assert.equal(await sessionsOf(service).current(with_key), undefined);
  // The real costs of scrypt, once: the others use cheap ones.
  assert.match((await service.store.findUser("owner@example.com"))?.password ?? "", /^\$scrypt\$ln=15,r=8,p=3\$/);
  assert.equal((await sessionsOf(service).signIn(visit, { ...form, password: "wrong password" })).kind, "refused");
  assert.equal((await sessionsOf(service).signIn(visit, form)).kind, "entered");
});

test("limits and allowlist of one account are its own, and count with the next request", async () => {
  const [tight, free] = [await addAccount({ get_per_minute: 2 }), await addAccount()];
  const get = async ({ headers }: { headers: Record<string, string> }) =>
    tonwerk.json("GET", "/v1/account", undefined, headers);
  const answers = [await get(tight), await get(tight), await get(tight)];
  assert.deepEqual(
    answers.map(({ status, headers }) => [
      status,
      headers.get("ratelimit-policy"),
      headers.get("ratelimit")?.split(";t=")[0],
    ]),
    [
      [200, '"get";q=2;w=60', '"get";r=1'],
      [200, '"get";q=2;w=60', '"get";r=0'],
      [429, '"get";q=2;w=60', '"get";r=0'],
    ],
  );
  assert.equal(answers[2]?.headers.get("retry-after"), "30");
  const unlimited = await get(free);
  assert.deepEqual([unlimited.status, unlimited.headers.get("ratelimit")], [200, null]);
  await adminOf(tonwerk.service).updateSettings(free.id, { allowlist: ["192.0.2.1"] });
  assert.equal((await get(free)).status, 401);
  await adminOf(tonwerk.service).updateSettings(free.id, { allowlist: ["127.0.0.0/8"] });
  assert.equal((await get(free)).status, 200);
});

test("a key says when it was used, and is refused with the request after its revocation", async () => {
  const { store } = tonwerk.service;
  const admin = adminOf(tonwerk.service);
  const account = await addAccount();
  const made = await admin.createKey(account.id, "  used once  ");
  const headers = { authorization: `Bearer ${made.plain}` };
  const find = async () => (await store.keys(account.id)).find(({ id }) => id === made.id);
  assert.deepEqual([(await find())?.label, (await find())?.used_at], ["used once", null]);
  assert.equal((await tonwerk.json("GET", "/v1/account", undefined, headers)).status, 200);
  // Written beside the request, not in it.
  await until(async () => ((await find())?.used_at ?? 0) > 0);
  await admin.revokeKey(account.id, made.id);
  assert.equal((await tonwerk.json("GET", "/v1/account", undefined, headers)).status, 401);
});

test("the admin refuses what people mistype, field by field, and nothing is changed", async () => {
  const { store } = tonwerk.service;
  const admin = adminOf(tonwerk.service);
  const [one, other] = [await addAccount(), await addAccount()];
  const key = (await store.keys(one.id))[0]!.id;
  const secret = (await store.secrets(one.id))[0]!.id;
  const table: readonly [act: (admin: AccountAdmin) => Promise<unknown>, status: number, text: RegExp][] = [
    [(a) => a.createAccount({ name: " ", credits: 1 }), 422, /"name".*empty/],
    [(a) => a.createAccount({ name: "x".repeat(101), credits: 1 }), 422, /at most 100/],
    [(a) => a.createAccount({ name: "x", credits: -1 }), 422, /"credits"/],
    [(a) => a.createKey(one.id, "two\nlines"), 422, /"label".*one line/],
    [(a) => a.createKey(one.id, "\u202ex\u0000"), 422, /"label"/],
    [(a) => a.createKey("acc_nobody", "x"), 404, /account/],
    [(a) => a.revokeKey(other.id, key), 404, /API key/],
    [(a) => a.retireSecret(other.id, secret), 404, /signing secret/],
    [(a) => a.retireSecret(one.id, secret), 409, /last signing secret/],
    [(a) => a.label("key", other.id, key, "stolen"), 404, /API key/],
    [(a) => a.label("account", one.id, one.id, ""), 422, /"name"/],
    [(a) => a.grant(one.id, 0, ""), 422, /"credits"/],
    [(a) => a.grant(one.id, 1.5, ""), 422, /"credits"/],
    [(a) => a.grant(one.id, Number.MAX_SAFE_INTEGER, ""), 422, /"credits"/],
    [(a) => a.grant("acc_nobody", 1, ""), 404, /account/],
    [(a) => a.updateSettings("acc_nobody", { jobs_max: 1 }), 404, /account/],
    [(a) => a.updateSettings(one.id, { allowlist: ["10.0.0.1", "10.0.0.0/40"] }), 422, /"allowlist".*10.0.0.0\/40/],
    [
      (a) => a.updateSettings(one.id, { allowlist: Array.from({ length: 201 }, (_, i) => `10.0.0.${i}`) }),
      422,
      /at most 200/,
    ],
    [(a) => a.updateSettings(one.id, { put_per_minute: -1 }), 422, /"put_per_minute"/],
    [(a) => a.updateSettings(one.id, { jobs_max: Number.NaN }), 422, /"jobs_max"/],
    [(a) => a.updateSettings(one.id, { webhook_body: "xml" as never }), 422, /"webhook_body"/],
    [(a) => a.updateSettings(one.id, { credits: 5 } as never), 422, /"credits".*no such setting/],
    [(a) => a.updateSettings(one.id, { __proto__: null, revoke_leaked: "yes" } as never), 422, /"revoke_leaked"/],
  ];
  const before = JSON.stringify([await store.account(one.id), await store.keys(one.id), await store.secrets(one.id)]);
  const accounts = await store.countAccounts();
  for (const [act, status, text] of table) {
    await assert.rejects(act(admin), (error) => {
      assert.ok(error instanceof Refusal, String(error));
      assert.equal(error.status, status, act.toString());
      assert.match(JSON.stringify(error.body), text);
      return true;
    });
  }
  assert.equal(
    JSON.stringify([await store.account(one.id), await store.keys(one.id), await store.secrets(one.id)]),
    before,
  );
  assert.equal(await store.countAccounts(), accounts);
  const changed = await admin.updateSettings(one.id, { allowlist: [" 10.0.0.7/8 ", "::ffff:192.0.2.1", "10.0.0.0/8"] });
  assert.deepEqual(changed.allowlist, ["10.0.0.0/8", "192.0.2.1"]);
});
