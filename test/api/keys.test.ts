/** Keys that may do less than their account: scopes and budgets, through the front door. Nothing is worked on here. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { systemClock } from "../../core/base/timers.ts";
import { readRights, type TypedRights } from "../../plugins/administration/typed_rights.ts";
import { entered } from "../dashboard/visitor.ts";
import { adminOf, ownerLink, startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
let shift = 0;
before(async () => {
  tonwerk = await startTestService({
    env: {
      ...{ TONWERK_ROLE: "api", TONWERK_PUT_PER_MINUTE: "0", TONWERK_GET_PER_MINUTE: "0", TONWERK_LONG_POLLS: "0" },
      TONWERK_FIRST_CREDITS: "500",
    },
    clock: { ...systemClock, now: () => systemClock.now() + shift },
  });
});
after(() => tonwerk.stop());

const DUCK = "/v1/adapt.normalise_loudness";
const FX = "/v1/create.new_fx";
const source = { url: "https://example.com/song.wav" };
const duck = () => ({ idempotency_key: randomUUID(), source });
/** Costs 3. */
const fx = () => ({ idempotency_key: randomUUID(), prompt: "a door" });

async function makeKey(typed: TypedRights) {
  const { account_id } = tonwerk.service.first!;
  const { id, plain } = await adminOf(tonwerk.service).createKey(account_id, "made", readRights(typed));
  const ask = (method: string, path: string, body?: unknown) =>
    tonwerk.json(method, path, body as Record<string, unknown>, { authorization: `Bearer ${plain}` });
  return { id, plain, ask };
}

async function balance(): Promise<number> {
  return (await tonwerk.json("GET", "/v1/account")).body.account.credits;
}

function assertLacks(answer: Awaited<ReturnType<TestService["json"]>>, scope: string): void {
  assert.equal(answer.status, 403, JSON.stringify(answer.body));
  assert.equal(answer.body.code, "key_scope_missing");
  assert.equal(answer.body.scope, scope);
  assert.match(answer.body.doc_url, /\/docs\/errors#key_scope_missing$/u);
}

test("a key without rights says so, and does what its account may", async () => {
  const { ask } = await makeKey({});
  const { body } = await ask("GET", "/v1/account");
  const { id, ...key } = body.account.key;
  assert.match(id, /^key_/u);
  assert.deepEqual(key, { test: false, read_only: false, actions: null, budget: null });
  assert.equal((await ask("PUT", DUCK, duck())).status, 200);
});

test("a key that only reads reads everything and changes nothing", async () => {
  const { ask } = await makeKey({ scopes: "read" });
  const made = await tonwerk.json("PUT", DUCK, duck());
  const { id } = made.body.normalised_audio;
  const before = await balance();
  assertLacks(await ask("PUT", DUCK, duck()), "write");
  assertLacks(await ask("PUT", `${DUCK}?dry_run=true`, { source }), "write");
  assertLacks(await ask("PUT", "/rpc/adapt.normalise_loudness", duck()), "write");
  assertLacks(await ask("PUT", "/v1/operations.cancel", { id, idempotency_key: randomUUID() }), "write");
  assertLacks(await ask("PUT", "/v1/operations.redeliver", { id, idempotency_key: randomUUID() }), "write");
  assertLacks(await ask("PUT", "/v1/files", new Uint8Array(9)), "write");
  for (const path of [`${DUCK}?id=${id}`, `/v1/operations/${id}`, "/v1/operations", "/v1/account", "/v1/capabilities"])
    assert.equal((await ask("GET", path)).status, 200, path);
  assert.equal((await ask("GET", `${DUCK}?id=${id}`)).body.normalised_audio.status, "processing");
  assert.equal(await balance(), before);
});

test("a key of some actions submits these, and sees their operations alone", async () => {
  for (const scopes of ["adapt.*", "adapt.normalise_loudness adapt.auto_duck"]) {
    const { ask } = await makeKey({ scopes });
    const seen = (await ask("PUT", DUCK, duck())).body.normalised_audio.id;
    const hidden = (await tonwerk.json("PUT", FX, fx())).body.fx.id;
    const before = await balance();
    assertLacks(await ask("PUT", FX, fx()), "create.new_fx");
    // Refused before its body is looked at.
    assertLacks(await ask("PUT", FX, "{"), "create.new_fx");
    assertLacks(await ask("GET", `${FX}?id=${hidden}`), "create.new_fx");
    assertLacks(await ask("GET", `${FX}?id=${hidden}&wait=true`), "create.new_fx");
    assertLacks(await ask("GET", `/v1/operations/${hidden}`), "create.new_fx");
    assertLacks(await ask("GET", `/v1/operations/${hidden}/events`), "create.new_fx");
    assertLacks(await ask("GET", `/v1/operations?ids=${seen},${hidden}`), "create.new_fx");
    assertLacks(await ask("GET", "/v1/operations?action=create.new_fx"), "create.new_fx");
    const cancel = { id: hidden, idempotency_key: randomUUID() };
    assertLacks(await ask("PUT", "/v1/operations.cancel", cancel), "create.new_fx");
    assert.equal((await tonwerk.json("GET", `/v1/operations/${hidden}`)).body.operation.status, "processing");
    const listed: { action: string; id: string }[] = (await ask("GET", "/v1/operations?limit=100")).body.operations;
    assert.ok(listed.some(({ id }) => id === seen));
    assert.deepEqual([...new Set(listed.map(({ action }) => action))], ["adapt.normalise_loudness"]);
    assert.equal((await ask("GET", `/v1/operations/${seen}`)).status, 200);
    assert.equal(await balance(), before);
  }
});

test("a key of a group that is none sees nothing", async () => {
  const { ask } = await makeKey({ scopes: "adap.*, normalise.loudness" });
  assert.deepEqual((await ask("GET", "/v1/operations")).body.operations, []);
  assertLacks(await ask("PUT", DUCK, duck()), "adapt.normalise_loudness");
});

test("a budget holds under parallel submissions, and its account is charged what was accepted", async () => {
  const { ask } = await makeKey({ budget: "10/day" });
  const before = await balance();
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask("PUT", FX, fx())));
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(answers.length - refused.length, 3);
  for (const { status, body } of refused) {
    assert.equal(status, 402);
    assert.equal(body.code, "key_budget_exceeded");
    assert.match(body.detail, /3 credits required, 1 left/u);
    assert.deepEqual([body.required, body.available, body.period], [3, 1, "day"]);
    assert.match(body.resets_at, /T00:00:00\.000Z$/u);
  }
  assert.equal(before - (await balance()), 9);
  const { budget } = (await ask("GET", "/v1/account")).body.account.key;
  assert.deepEqual({ ...budget, resets_at: "" }, { credits: 10, period: "day", used: 9, resets_at: "" });
  // What is left is enough for a smaller one, a replay needs none, and other keys have nothing to do with it.
  assert.equal((await ask("PUT", `${FX}?dry_run=true`, { prompt: "x" })).body.sufficient, false);
  assert.equal((await tonwerk.json("PUT", FX, fx())).status, 200);
  assert.equal((await ask("PUT", DUCK, duck())).status, 200);
  assert.equal((await ask("PUT", DUCK, duck())).status, 402);
});

test("a replay costs no budget; one that is refused binds no key", async () => {
  const { ask } = await makeKey({ budget: "3/month" });
  const body = fx();
  const first = await ask("PUT", FX, body);
  const again = await ask("PUT", FX, { ...body, seed: null });
  assert.equal(again.status, 200);
  assert.deepEqual(again.body, first.body);
  const other = fx();
  assert.equal((await ask("PUT", FX, other)).status, 402);
  assert.equal((await tonwerk.json("PUT", FX, other)).status, 200);
});

test("a refund goes back to the budget that was charged, also when its period is over", async () => {
  const { ask } = await makeKey({ budget: "3/day" });
  const cancel = async (id: string) =>
    assert.equal((await ask("PUT", "/v1/operations.cancel", { id, idempotency_key: randomUUID() })).status, 200);
  const used = async () => (await ask("GET", "/v1/account")).body.account.key.budget.used;
  const first = (await ask("PUT", FX, fx())).body.fx.id;
  assert.equal((await ask("PUT", FX, fx())).status, 402);
  await cancel(first);
  assert.equal(await used(), 0);
  const second = (await ask("PUT", FX, fx())).body.fx.id;
  shift = 86_400_000;
  try {
    assert.equal(await used(), 0);
    assert.equal((await ask("PUT", FX, fx())).status, 200);
    await cancel(second);
    assert.equal(await used(), 3);
    assert.equal((await ask("PUT", FX, fx())).status, 402);
  } finally {
    shift = 0;
  }
  assert.equal(await used(), 0);
});

test("an account without credits refuses before the budget of its key", async () => {
  const { account, key } = await adminOf(tonwerk.service).createAccount({ name: "Poor", credits: 2 });
  assert.ok(key.plain);
  const made = await adminOf(tonwerk.service).createKey(account.id, "", readRights({ budget: "1/day" }));
  const headers = { authorization: `Bearer ${made.plain}` };
  assert.equal((await tonwerk.json("PUT", FX, fx(), headers)).body.code, "insufficient_credits");
});

test("rights that cannot be read are refused with the field", () => {
  const wrong: [TypedRights, string][] = [
    [{ scopes: "write" }, "scopes"],
    [{ scopes: "adapt.*x" }, "scopes"],
    [{ scopes: "*" }, "scopes"],
    [{ budget: "10" }, "budget"],
    [{ budget: "10/week" }, "budget"],
    [{ budget: "-1/day" }, "budget"],
    [{ budget: "9999999999999/day" }, "budget"],
  ];
  for (const [typed, field] of wrong)
    assert.throws(
      () => readRights(typed),
      (error: Error) => error.message.includes(`"${field}"`),
      JSON.stringify(typed),
    );
  assert.equal(readRights({ scopes: " , ", budget: " " }), null);
});

test("the dashboard makes restricted keys and shows what they may", async () => {
  const owner = await entered(tonwerk, await ownerLink(tonwerk.service), "owner@example.com");
  const wrong = await (await owner.post("/keys", { label: "ci", scopes: "everything", budget: "7/day" })).text();
  assert.match(wrong, /neither read nor an action/u);
  assert.match(wrong, /value="7\/day"/u);
  const page = await (await owner.post("/keys", { label: "ci", scopes: "adapt.*", budget: "7/day" })).text();
  const plain = /tonwerk_[0-9A-Za-z]{36}/u.exec(page)![0];
  const headers = { authorization: `Bearer ${plain}` };
  assertLacks(await tonwerk.json("PUT", FX, fx(), headers), "create.new_fx");
  assert.equal((await tonwerk.json("PUT", DUCK, duck(), headers)).status, 200);
  const text = (await owner.text("/keys")).replace(/<[^>]+>/gu, " ").replace(/\s+/gu, " ");
  assert.match(text, /adapt\.\* 1 of 7\/day credits/u);
});
