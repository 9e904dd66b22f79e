import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { Failure } from "../../core/base/errors.ts";
import { hashApiKey, lastFour, newApiKey } from "../../core/base/keys.ts";
import type { Operation } from "../../core/ports/mod.ts";
import { entered } from "../dashboard/visitor.ts";
import { ownerLink, startTestService, type TestService } from "../service.ts";

/** An api node: nothing claims jobs but the tests themselves. */
let tonwerk: TestService;
before(async () => {
  const env = {
    TONWERK_ROLE: "api",
    TONWERK_PUT_PER_MINUTE: "0",
    TONWERK_GET_PER_MINUTE: "0",
    TONWERK_LONG_POLLS: "0",
  };
  tonwerk = await startTestService({ env: { ...env, TONWERK_FIRST_CREDITS: "100000" } });
});
after(() => tonwerk.stop());

const PATH = "/v1/adapt.normalise_loudness";
const request = () => ({ idempotency_key: randomUUID(), source: { url: "https://example.com/song.wav" } });

/** A fresh account of its own, so that counts are exact. */
async function account(credits: number): Promise<{ id: string; headers: Record<string, string> }> {
  const key = newApiKey();
  const id = `acc_${randomUUID()}`;
  await tonwerk.service.store.createAccount({ id, name: "Test", credits, created_at: 0 });
  const row = {
    id: `key_${id}`,
    account_id: id,
    label: "",
    sha256: hashApiKey(key),
    last_four: lastFour(key),
    created_at: 0,
  };
  await tonwerk.service.store.createKey(row);
  return { id, headers: { authorization: `Bearer ${key}` } };
}

async function ledgerSum(account_id: string): Promise<number> {
  let sum = 0;
  let before: number | undefined;
  for (;;) {
    const page = await tonwerk.service.store.ledger(account_id, {
      limit: 500,
      ...(before === undefined ? {} : { before }),
    });
    if (page.length === 0) return sum;
    for (const entry of page) sum += entry.credits;
    before = page.at(-1)!.id;
  }
}

const balance = async (id: string) => (await tonwerk.service.store.account(id))!.credits;

test("1,000 concurrent identical keys make one operation, one charge and 1,000 equal bodies", async () => {
  const { id, headers } = await account(100);
  const body = request();
  const spellings = [body.idempotency_key, body.idempotency_key.toUpperCase()];
  const answers = await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const response = await tonwerk.call("PUT", PATH, { ...body, idempotency_key: spellings[index % 2] }, headers);
      return {
        status: response.status,
        replayed: response.headers.get("idempotent-replayed"),
        text: await response.text(),
      };
    }),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(answers.filter(({ replayed }) => replayed === null).length, 1);
  assert.equal(await balance(id), 99);
  assert.equal(await ledgerSum(id), 99);
  assert.equal((await tonwerk.service.store.list(id, { limit: 100 })).length, 1);
});

test("balance for 10, 200 concurrent PUTs: exactly 10 are accepted and 190 told what is missing", async () => {
  const { id, headers } = await account(10);
  const answers = await Promise.all(Array.from({ length: 200 }, () => tonwerk.json("PUT", PATH, request(), headers)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const { status, body } of refused) {
    assert.equal(status, 402);
    assert.deepEqual(body, {
      detail: "Insufficient credits: 1 required, 0 available",
      code: "insufficient_credits",
      required: 1,
      available: 0,
      doc_url: "http://127.0.0.1:8787/docs/errors#insufficient_credits",
    });
  }
  assert.equal(await balance(id), 0);
  assert.equal(await ledgerSum(id), 0);
});

test("a key counts as the same request after validation and defaults, and as reused for another", async () => {
  const { id, headers } = await account(10);
  const body = request();
  const first = await tonwerk.call("PUT", PATH, body, headers);
  const original = await first.text();
  for (const same of [
    { ...body, loudness: {} },
    { ...body, loudness: { target_lufs: -14 } },
    { ...body, loudness: { allow_compression: true, target_lufs: -14 }, callback_url: null },
    { loudness: null, source: body.source, idempotency_key: body.idempotency_key.toUpperCase() },
  ]) {
    const replay = await tonwerk.call("PUT", PATH, same, headers);
    assert.equal(replay.headers.get("idempotent-replayed"), "true");
    assert.equal(await replay.text(), original);
  }
  for (const other of [
    { ...body, loudness: { target_lufs: -15 } },
    // A preset of the same target is another request: the echo differs.
    { ...body, loudness: { preset: "streaming" } },
    { ...body, source: { url: "https://example.com/other.wav" } },
    { ...body, callback_url: "https://example.com/hook" },
  ]) {
    const { status, body: refusal } = await tonwerk.json("PUT", PATH, other, headers);
    assert.equal(status, 422);
    assert.deepEqual(refusal.detail[0].loc, ["body", "idempotency_key"]);
    assert.equal(refusal.detail[0].type, "idempotency_key_reused");
  }
  assert.equal(await balance(id), 9);
});

test("refused requests bind no key, and a replay is free and works with an empty balance", async () => {
  const { id, headers } = await account(0);
  const body = request();
  assert.equal((await tonwerk.json("PUT", PATH, body, headers)).status, 402);
  assert.equal((await tonwerk.json("PUT", PATH, { ...body, bad: 1 }, headers)).status, 422);
  await tonwerk.service.store.grant(id, 1, "test", Date.now());
  assert.equal((await tonwerk.json("PUT", PATH, body, headers)).status, 200);
  assert.equal((await tonwerk.json("PUT", PATH, body, headers)).headers.get("idempotent-replayed"), "true");
  assert.equal((await tonwerk.json("PUT", PATH, request(), headers)).status, 402);
  assert.equal((await tonwerk.json("PUT", PATH, { ...body, bad: 1 }, headers)).status, 422);
});

test("the same key in another account is another operation", async () => {
  const [one, other] = [await account(5), await account(5)];
  const body = request();
  const first = await tonwerk.json("PUT", PATH, body, one.headers);
  const second = await tonwerk.json("PUT", PATH, body, other.headers);
  assert.equal(second.headers.get("idempotent-replayed"), null);
  assert.notEqual(first.body.normalised_audio.id, second.body.normalised_audio.id);
});

test("cancelling before work has begun gives the credits back, once", async () => {
  const { id, headers } = await account(5);
  const { body } = await tonwerk.json("PUT", PATH, request(), headers);
  const cancel = { idempotency_key: randomUUID(), id: body.normalised_audio.id };
  const owner = await entered(tonwerk, await ownerLink(tonwerk.service, id), `${randomUUID()}@example.com`);
  const page = `/operations/${cancel.id}`;
  assert.match(await owner.text(`${page}/cancel`), /Work has not begun: the 1 credit that it costs come back/u);
  const ended = await tonwerk.json("PUT", "/v1/operations.cancel", cancel, headers);
  assert.match(await owner.text(page), /<dt>Cost<\/dt><dd>1 credit, all came back/u);
  assert.equal(ended.status, 200);
  assert.equal(ended.body.normalised_audio.status, "failed");
  assert.deepEqual(ended.body.normalised_audio.error, { code: "canceled", message: "The operation was canceled" });
  assert.equal(ended.body.normalised_audio.output, null);
  assert.equal(ended.body.normalised_audio.queue_position, null);
  assert.deepEqual([body.normalised_audio.refunded, ended.body.normalised_audio.refunded], [0, 1]);
  assert.equal(await balance(id), 5);
  const again = await tonwerk.json(
    "PUT",
    "/v1/operations.cancel",
    { ...cancel, idempotency_key: randomUUID() },
    headers,
  );
  assert.deepEqual(again.body, ended.body);
  assert.equal(await balance(id), 5);
  assert.equal(await ledgerSum(id), 5);
});

test("operations.cancel honours its key: a replay is the first answer, and another use of the key a 422", async () => {
  const { id: account_id, headers } = await account(20);
  const submit = async () => (await tonwerk.json("PUT", PATH, request(), headers)).body.normalised_audio;
  const [one, other] = [await submit(), await submit()];
  const cancel = (idempotency_key: string, id: string) =>
    tonwerk.call("PUT", "/v1/operations.cancel", { idempotency_key, id }, headers);
  const key = randomUUID();
  const unknown = await cancel(key, `op_${"0".repeat(26)}`);
  assert.equal(unknown.status, 404);
  const answers = await Promise.all([cancel(key, one.id), cancel(key.toUpperCase(), one.id)]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  assert.equal(texts[0], texts[1]);
  assert.equal(JSON.parse(texts[0]!).normalised_audio.error.code, "canceled");
  const replay = await cancel(key, one.id);
  assert.equal(replay.headers.get("idempotent-replayed"), "true");
  assert.equal(await replay.text(), texts[0]);

  const reused = async (response: Response): Promise<void> => {
    const body = await response.json();
    assert.deepEqual([response.status, body.code], [422, "idempotency_key_reused"]);
    assert.deepEqual(body.detail[0].loc, ["body", "idempotency_key"]);
  };
  await reused(await cancel(key, other.id));
  await reused(await tonwerk.call("PUT", "/v1/operations.redeliver", { idempotency_key: key, id: one.id }, headers));
  await reused(await tonwerk.call("PUT", PATH, { ...request(), idempotency_key: key }, headers));
  await reused(await cancel(other.idempotency_key, other.id));
  const state = await tonwerk.json("GET", `${PATH}?id=${other.id}`, undefined, headers);
  assert.equal(state.body.normalised_audio.status, "processing");
  assert.equal(await balance(account_id), 19);
  // Another account's keys are its own.
  const stranger = await account(5);
  const same = await tonwerk.json("PUT", PATH, { ...request(), idempotency_key: key }, stranger.headers);
  assert.equal(same.status, 200);
});

/** Claims jobs until it meets `id`, ending the others. */
async function claim(id: string): Promise<Operation> {
  for (;;) {
    const operation = await tonwerk.service.store.claim("dsp", "test", 60_000);
    assert.ok(operation, `${id} cannot be claimed`);
    if (operation.id === id) return operation;
    await tonwerk.service.operations.fail(operation, new Failure("internal_error", "Not wanted"));
  }
}

test("cancelling after work has begun keeps the credits, and the worker's end loses", async () => {
  const { id, headers } = await account(5);
  const { body } = await tonwerk.json("PUT", PATH, request(), headers);
  const operation = await claim(body.normalised_audio.id);
  const working = await tonwerk.json("GET", `${PATH}?id=${operation.id}`, undefined, headers);
  assert.equal(working.body.normalised_audio.stage, "starting");
  assert.equal(working.body.normalised_audio.queue_position, null);
  assert.match(working.body.normalised_audio.started_at, /Z$/);
  const owner = await entered(tonwerk, await ownerLink(tonwerk.service, id), `${randomUUID()}@example.com`);
  assert.match(
    await owner.text(`/operations/${operation.id}/cancel`),
    /Work has begun: the 1 credit .* do not come back/u,
  );
  const ended = await tonwerk.json(
    "PUT",
    "/v1/operations.cancel",
    { idempotency_key: randomUUID(), id: operation.id },
    headers,
  );
  assert.equal(ended.body.normalised_audio.error.code, "canceled");
  assert.equal(ended.body.normalised_audio.refunded, 0);
  assert.match(await owner.text(`/operations/${operation.id}`), /<dt>Cost<\/dt><dd>1 credit, none came back/u);
  assert.equal(await balance(id), 4);
  assert.equal(await tonwerk.service.operations.finish(operation, []), false);
  assert.equal(await tonwerk.service.operations.fail(operation, new Failure("internal_error", "late")), false);
  assert.equal(await balance(id), 4);
  assert.equal(await ledgerSum(id), 4);
});

test("cancel against finish and failure, 1,000 races: one end each, ledger right", async () => {
  const { id, headers } = await account(1000);
  const ids: string[] = [];
  for (let batch = 0; batch < 10; batch++) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => tonwerk.json("PUT", PATH, request(), headers)));
    ids.push(...answers.map(({ body }) => body.normalised_audio.id));
  }
  const wanted = new Set(ids);
  const claimed = new Map<string, Operation>();
  let left = 800;
  // Some are cancelled while they are still queued, most while a worker holds them.
  while (left > 0) {
    const operation = await tonwerk.service.store.claim("dsp", "test", 60_000);
    assert.ok(operation);
    if (!wanted.has(operation.id)) {
      await tonwerk.service.operations.fail(operation, new Failure("internal_error", "Not wanted"));
      continue;
    }
    claimed.set(operation.id, operation);
    left--;
  }
  const outputs = [{ object: "op/x/1/0.flac", duration: 1, bytes: 1, sha256: "00", engine: "test", report: null }];
  const outcomes = await Promise.all(
    ids.map(async (operation_id, index) => {
      const operation = claimed.get(operation_id);
      const cancel = tonwerk.json(
        "PUT",
        "/v1/operations.cancel",
        { idempotency_key: randomUUID(), id: operation_id },
        headers,
      );
      const ends =
        operation === undefined
          ? []
          : [
              index % 3 === 0
                ? tonwerk.service.operations.fail(operation, new Failure("source_silent", "Silent"))
                : tonwerk.service.operations.finish(operation, outputs),
            ];
      const [answer, won = false] = await Promise.all([cancel, ...ends]);
      return { answer, won, begun: operation !== undefined };
    }),
  );
  let refunds = 0;
  for (const [index, { answer, won, begun }] of outcomes.entries()) {
    const { status, error, output } = answer.body.normalised_audio;
    const now = (await tonwerk.json("GET", `${PATH}?id=${ids[index]}`, undefined, headers)).body.normalised_audio;
    assert.equal(now.status, status);
    assert.deepEqual(now.error, error);
    assert.equal((output === null) !== (error === null), true);
    assert.equal(error?.code === "canceled", !won);
    if (won ? error !== null : !begun) refunds++;
  }
  assert.equal(await balance(id), refunds);
  assert.equal(await ledgerSum(id), refunds);
  assert.ok(outcomes.some(({ won, begun }) => begun && won) && outcomes.some(({ begun }) => !begun));
});

test("a long-poll answers when the operation ends, and 500 waiters share one read", async () => {
  const { headers } = await account(5);
  const { body } = await tonwerk.json("PUT", PATH, request(), headers);
  const { id } = body.normalised_audio;
  const polls = Array.from({ length: 500 }, () =>
    tonwerk.json("GET", `${PATH}?id=${id}&wait=true`, undefined, headers),
  );
  while (tonwerk.service.waiters.open < 500) await new Promise((resolve) => setTimeout(resolve, 5));
  const operation = await claim(id);
  await tonwerk.service.operations.fail(operation, new Failure("source_undecodable", "No audio"));
  const answers = await Promise.all(polls);
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body.normalised_audio.error, { code: "source_undecodable", message: "No audio" });
  }
  assert.equal(tonwerk.service.waiters.open, 0);
});

test("a long-poll of what has ended answers at once, and one whose client leaves is forgotten", async () => {
  const { headers } = await account(5);
  const { body } = await tonwerk.json("PUT", PATH, request(), headers);
  const { id } = body.normalised_audio;
  const leaving = new AbortController();
  const poll = tonwerk.service.app(
    new Request(`http://x.test${PATH}?id=${id}&wait=true`, { headers, signal: leaving.signal }),
    { address: "127.0.0.1" },
  );
  while (tonwerk.service.waiters.open === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  leaving.abort();
  await poll;
  assert.equal(tonwerk.service.waiters.open, 0);
  await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id }, headers);
  const ended = await tonwerk.json("GET", `${PATH}?id=${id}&wait=true`, undefined, headers);
  assert.equal(ended.body.normalised_audio.status, "failed");
});

test("/v1/operations pages newest first, with filters", async () => {
  const { headers } = await account(10);
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    ids.unshift((await tonwerk.json("PUT", PATH, request(), headers)).body.normalised_audio.id);
  }
  await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id: ids[2] }, headers);
  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const { body } = await tonwerk.json("GET", `/v1/operations?limit=2${query}`, undefined, headers);
    assert.ok(body.operations.length <= 2);
    for (const operation of body.operations) {
      assert.equal(operation.action, "adapt.normalise_loudness");
      seen.push(operation.id);
    }
    cursor = body.next_cursor;
  }
  assert.deepEqual(seen, ids);
  const list = async (query: string) =>
    (await tonwerk.json("GET", `/v1/operations?${query}`, undefined, headers)).body.operations.map(
      ({ id }: { id: string }) => id,
    );
  assert.deepEqual(await list("status=failed"), [ids[2]]);
  assert.equal((await list("status=processing")).length, 4);
  assert.equal((await list("action=adapt.normalise_loudness&limit=100")).length, 5);
  assert.deepEqual(await list("action=create.new_song"), []);
  for (const query of ["limit=0", "limit=101", "limit=x", "status=done", "cursor=x"]) {
    assert.equal((await tonwerk.json("GET", `/v1/operations?${query}`, undefined, headers)).status, 422, query);
  }
});

test("the place in the queue counts the jobs before one's own", async () => {
  const { headers } = await account(10);
  const positions: number[] = [];
  for (let count = 0; count < 3; count++) {
    const { id } = (await tonwerk.json("PUT", PATH, request(), headers)).body.normalised_audio;
    positions.push(
      (await tonwerk.json("GET", `${PATH}?id=${id}`, undefined, headers)).body.normalised_audio.queue_position,
    );
  }
  assert.ok(positions[0]! < positions[1]! && positions[1]! < positions[2]!, String(positions));
});

test("an ended operation with a callback has one webhook row, with the bytes a GET answers", async () => {
  const { headers } = await account(5);
  const { body } = await tonwerk.json("PUT", PATH, { ...request(), callback_url: "https://example.com/hook" }, headers);
  const operation = await claim(body.normalised_audio.id);
  await tonwerk.service.operations.fail(operation, new Failure("source_undecodable", "No audio"));
  const rows = await tonwerk.service.store.webhooks(operation.id);
  assert.equal(rows.length, 1);
  assert.match(rows[0]!.id, /^evt_[0-9a-z]{26}$/);
  assert.equal(rows[0]!.type, "adapt.normalise_loudness.failed");
  assert.equal(rows[0]!.state, "pending");
  const read = await tonwerk.json("GET", `${PATH}?id=${operation.id}`, undefined, headers);
  const { webhook, ...told } = read.body.normalised_audio;
  assert.equal(webhook.attempts, 0);
  assert.deepEqual(JSON.parse(rows[0]!.body).normalised_audio, told);
});
