/** `POST /v1/batches`: many submissions in one call, each by itself. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { type Answer, adminOf, startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService({ env: { TONWERK_PUT_PER_MINUTE: "1000" } });
});
after(() => tonwerk.stop());

const knock = (more: object = {}) => ({
  action: "create.new_fx",
  request: { idempotency_key: randomUUID(), prompt: "door knock", duration: 0.5, seed: 1, ...more },
});
const send = (submissions: unknown, headers = {}) => tonwerk.json("POST", "/v1/batches", { submissions }, headers);
const creditsNow = async (): Promise<number> => (await tonwerk.json("GET", "/v1/account")).body.account.credits;

test("each submission is answered as its own PUT would be, and a bad one stops no other", async () => {
  const credits = await creditsNow();
  const twice = knock();
  const sent = [
    knock(),
    { action: "create.new_sample", request: { idempotency_key: randomUUID(), prompt: "kick", duration: 99 } },
    { action: "create.new_fxx", request: {} },
    { action: "create.new_fx" },
    "create.new_fx",
    knock({ idempotency_key: "none" }),
    twice,
    twice,
    knock({ idempotency_key: twice.request.idempotency_key, prompt: "rain" }),
    {
      action: "analyse.track",
      request: { idempotency_key: randomUUID(), source: { url: "https://audio.invalid/a.wav" } },
    },
  ];
  const { status, body } = await send(sent);
  assert.equal(status, 200, JSON.stringify(body));
  const answers = body.submissions as (Pick<Answer, "status" | "body"> & { replayed: boolean })[];
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 422, 404, 422, 422, 422, 200, 200, 422, 200],
  );
  const { idempotency_key, ...without } = (sent[1] as ReturnType<typeof knock>).request;
  const own = await tonwerk.json("PUT", "/v1/create.new_sample", { idempotency_key, ...without });
  assert.deepEqual(answers[1]!.body, own.body, "code, doc_url and places as of its own PUT");
  assert.match(answers[2]!.body.detail, /did you mean create\.new_fx\?/u);
  assert.deepEqual(answers[3]!.body.detail[0].loc, ["body", "submissions", 3, "request"]);
  assert.deepEqual(answers[4]!.body.detail[0].loc, ["body", "submissions", 4]);
  assert.deepEqual(answers[6]!.body, answers[7]!.body);
  assert.deepEqual([answers[6]!.replayed, answers[7]!.replayed].sort(), [false, true]);
  assert.equal(answers[8]!.body.code, "idempotency_key_reused");
  assert.equal(answers[9]!.body.analysis.status, "processing");
  assert.equal(await creditsNow(), credits - 3 - 3 - 2);
  const ids = [answers[0]!.body.fx.id, answers[6]!.body.fx.id];
  const { body: many } = await tonwerk.json("GET", `/v1/operations?ids=${ids.join()}&wait=true`);
  assert.deepEqual(
    many.operations.map(({ id, status }: { id: string; status: string }) => [id, status]),
    ids.map((id) => [id, "ready"]),
  );
});

test("a batch that is sent again makes and charges nothing again", async () => {
  const sent = Array.from({ length: 100 }, () => knock());
  const credits = await creditsNow();
  const first = await send(sent);
  assert.ok(first.body.submissions.every(({ status }: { status: number }) => status === 200));
  const again = await send(sent);
  assert.deepEqual(
    again.body.submissions,
    first.body.submissions.map((answer: object) => ({ ...answer, replayed: true })),
  );
  assert.equal(await creditsNow(), credits - 300);
  const ids = first.body.submissions.map(({ body }: { body: { fx: { id: string } } }) => body.fx.id);
  assert.equal(new Set(ids).size, 100);
  // Nothing of them is needed.
  for (const id of ids) await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id });
});

test("credits and the rate limit end where they would have ended", async () => {
  const poor = await adminOf(tonwerk.service).createAccount({
    name: "Poor",
    credits: 7,
    settings: { put_per_minute: 6 },
  });
  const headers = { authorization: `Bearer ${poor.key.plain}` };
  const { body, headers: told } = await send(
    Array.from({ length: 8 }, () => knock()),
    headers,
  );
  const statuses = body.submissions.map(({ status }: { status: number }) => status);
  // One of six a minute is the call itself.
  assert.deepEqual(
    [200, 402, 429].map((wanted) => statuses.filter((status: number) => status === wanted).length),
    [2, 3, 3],
  );
  const late = body.submissions.find(({ status }: { status: number }) => status === 429);
  assert.ok(late.retry_after >= 1 && late.body.code === "rate_limited", JSON.stringify(late));
  assert.ok(told.has("ratelimit") || told.has("ratelimit-limit"), [...told.keys()].join());
});

test("what is no batch is refused as a whole", async () => {
  for (const wrong of [[], Array.from({ length: 101 }, () => knock()), "x", null, {}]) {
    const { status, body } = await send(wrong);
    assert.equal(status, 422, JSON.stringify(wrong).slice(0, 50));
    assert.deepEqual(body.detail[0].loc, ["body", "submissions"]);
  }
  assert.equal((await tonwerk.json("POST", "/v1/batches?dry_run=true", { submissions: [knock()] })).status, 422);
  assert.equal(
    (await tonwerk.json("POST", "/v1/batches", { submissions: [knock()] }, { authorization: "x" })).status,
    401,
  );
  assert.equal((await tonwerk.json("GET", "/v1/batches")).status, 405);
  assert.equal((await send([knock({ prompt: "x".repeat(1_000_000) })])).status, 413);
  const text = await tonwerk.call("POST", "/v1/batches", new TextEncoder().encode("{}"), {
    "content-type": "text/plain",
  });
  assert.equal(text.status, 415);
});
