import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook as Receiver } from "standardwebhooks";
import { newSigningSecret } from "../../core/base/secrets.ts";
import { StoreUnavailable } from "../../core/ports/mod.ts";
import { OutboundError } from "../../core/ports/outbound.ts";
import { keyedCall, newWebhook, nextId } from "../adapters/store/fixtures.ts";
import { type Answer, type Harness, openHarness, type Post, withHarness } from "./webhook_harness.ts";

interface Sent {
  /** Milliseconds since 1970 UTC, of the test's clock. */
  readonly at: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const answer = (status: number, retry_after_seconds: number | null = null): Answer => ({
  status,
  retry_after_seconds,
  headers: { "content-type": "text/plain", "set-cookie": "session=s3cret" },
  detail: "what it said",
});

/** Notes what is sent, and answers with what `play` says of the how manieth it is. */
function receiver(h: Harness, play: (sent: Sent, count: number) => Promise<Answer> | Answer) {
  const seen: Sent[] = [];
  const post: Post = async (url, { headers, body, signal }) => {
    const sent = { at: h.clock.now(), url, headers, body: Buffer.from(body).toString() };
    seen.push(sent);
    const gone = Promise.withResolvers<never>();
    const leave = () => gone.reject(new OutboundError("aborted", "it was called off"));
    signal.addEventListener("abort", leave);
    try {
      return await Promise.race([play(sent, seen.length), gone.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  };
  return { seen, post };
}

/** Says nothing until the time limit of a POST is over. */
const hang = (h: Harness): Promise<Answer> =>
  new Promise((_, reject) => {
    h.clock.after(15_000, () => reject(new OutboundError("timeout", "it did not answer in time")));
  });
const fault = (code: OutboundError["code"]) => async (): Promise<Answer> => {
  throw new OutboundError(code, "no answer");
};

const ALL = [0, 5, 15, 45, 105, 270];
const SCHEDULES: readonly {
  readonly what: string;
  readonly play: (h: Harness, count: number) => Promise<Answer> | Answer;
  /** Seconds after the first attempt. */
  readonly attempts: readonly number[];
  readonly state: "delivered" | "failed";
  readonly long_retries?: true;
}[] = [
  { what: "200", play: () => answer(200), attempts: [0], state: "delivered" },
  { what: "204", play: () => answer(204), attempts: [0], state: "delivered" },
  { what: "301", play: () => answer(301), attempts: [0], state: "failed" },
  { what: "304", play: () => answer(304), attempts: [0], state: "failed" },
  { what: "400", play: () => answer(400), attempts: [0], state: "failed" },
  { what: "404", play: () => answer(404), attempts: [0], state: "failed" },
  { what: "410", play: () => answer(410), attempts: [0], state: "failed" },
  { what: "a forbidden address", play: fault("forbidden_address"), attempts: [0], state: "failed" },
  { what: "500", play: () => answer(500), attempts: ALL, state: "failed" },
  { what: "503", play: () => answer(503), attempts: ALL, state: "failed" },
  { what: "a reset or an unknown name", play: fault("unreachable"), attempts: ALL, state: "failed" },
  { what: "an answer that is no HTTP", play: fault("bad_response"), attempts: ALL, state: "failed" },
  { what: "a receiver that hangs", play: hang, attempts: [0, 15, 45, 105, 270], state: "failed" },
  { what: "429", play: () => answer(429), attempts: ALL, state: "failed" },
  { what: "429, retry after 20 s", play: () => answer(429, 20), attempts: [0, 20, 45, 105, 270], state: "failed" },
  { what: "429, retry after 1 h", play: () => answer(429, 3_600), attempts: [0, 270], state: "failed" },
  {
    what: "500 twice, then 200",
    play: (_, count) => answer(count < 3 ? 500 : 200),
    attempts: [0, 5, 15],
    state: "delivered",
  },
  {
    what: "503 up to the last of the long retries",
    play: (_, count) => answer(count < 10 ? 503 : 200),
    attempts: [...ALL, 1_800, 7_200, 18_000, 36_000],
    state: "delivered",
    long_retries: true,
  },
];

for (const { what, play, attempts, state, long_retries } of SCHEDULES) {
  test(`${what}: attempts at ${attempts.join(", ")} s, then ${state}`, () =>
    withHarness(async (h) => {
      const { seen, post } = receiver(h, (_, count) => play(h, count));
      h.start(post);
      const { id: account } = await h.account({ webhook_long_retries: long_retries === true });
      const began = h.clock.now();
      const webhook = await h.end(account);
      for (const [index, at] of attempts.entries()) {
        if (index > 0) {
          // Through what happens on the way, then to just before it.
          await h.until(Math.min(at - 0.001, attempts[index - 1]! + 15));
          await h.until(at - 0.001);
          assert.equal(seen.length, index, `no attempt before ${at} s`);
        }
        await h.until(at);
        assert.equal(seen.length, index + 1, `an attempt at ${at} s`);
      }
      await h.until(attempts.at(-1)! + 15);
      await h.until(attempts.at(-1)! + 100_000);
      assert.deepEqual(
        seen.map(({ at }) => (at - began) / 1000),
        attempts,
      );
      assert.equal(new Set(seen.map(({ headers }) => headers["webhook-id"])).size, 1);
      assert.equal(new Set(seen.map(({ body }) => body)).size, 1);
      for (const { at, headers } of seen) {
        const first = at - began <= 285_000;
        assert.equal(headers["webhook-timestamp"], String(Math.floor((first ? began : at) / 1000)));
      }
      const row = await h.row(webhook);
      assert.deepEqual([row.state, row.next_attempt_at, row.attempts], [state, null, attempts.length]);
      const noted = await h.store.webhookAttempts(webhook.id);
      assert.deepEqual(
        noted.map(({ attempt, started_at }) => [attempt, (started_at - began) / 1000]),
        attempts.map((at, index) => [index + 1, at]),
      );
      assert.ok(h.logged.some((line) => line.includes(`"event":"webhook.${state}"`) && line.includes(webhook.id)));
    }));
}

test("a delivery has the headers and the very bytes that were stored, signed by every live secret", () =>
  withHarness(async (h) => {
    const { seen, post } = receiver(h, () => answer(200));
    const { id: account, secret } = await h.account();
    const second = await h.addSecret(account);
    const retired = await h.addSecret(account);
    const [newest] = await h.store.secrets(account);
    assert.equal(await h.store.retireSecret(account, newest!.id, h.clock.now()), "retired");
    const body = '{ "song": {"prompt":"Grüße 𝄞"},  "n": 1.0 }';
    const webhook = await h.end(account, "https://example.com:8443/hook?a=b", body);
    h.start(post);
    await h.settle();
    const [sent] = seen;
    assert.ok(sent !== undefined);
    assert.deepEqual([sent.url, sent.body], ["https://example.com:8443/hook?a=b", body]);
    const { "webhook-signature": signature = "", ...headers } = sent.headers;
    assert.deepEqual(headers, {
      "content-type": "application/json",
      "user-agent": "Tonwerk/test",
      "webhook-id": webhook.id,
      "webhook-timestamp": String(Math.floor(h.clock.now() / 1000)),
      "webhook-type": "create.new_song.ready",
    });
    assert.equal(signature.split(" ").length, 2);
    for (const live of [secret, second]) assert.ok(new Receiver(live).verify(body, sent.headers));
    assert.throws(() => new Receiver(retired).verify(body, sent.headers), /No matching signature/);
    assert.throws(() => new Receiver(secret).verify(body.replace("1.0", "1.1"), sent.headers), /No matching/);
    // What was sent and came back is kept, and nothing that would let somebody in.
    const [noted] = await h.store.webhookAttempts(webhook.id);
    const live = (await h.store.secrets(account)).filter(({ retired_at }) => retired_at === null);
    assert.deepEqual(JSON.parse(noted?.exchange ?? "{}"), {
      url: sent.url,
      request: Object.entries(sent.headers),
      signed_by: live.map(({ id }) => id),
      response: [
        ["content-type", "text/plain"],
        ["set-cookie", "(hidden, 14 characters)"],
      ],
    });
    for (const one of [secret, second, "s3cret"]) assert.ok(!noted?.exchange?.includes(one));
  }));

test("a host that hangs holds 8 connections and delays no other host", () =>
  withHarness(async (h) => {
    let open = 0;
    let most = 0;
    const { seen, post } = receiver(h, async ({ url }) => {
      if (!url.includes("slow")) return answer(200);
      most = Math.max(most, ++open);
      return hang(h).finally(() => open--);
    });
    const { id: account } = await h.account();
    for (let i = 0; i < 200; i++) await h.end(account, "https://slow.example/hook");
    h.start(post);
    await h.settle();
    assert.equal(seen.length, 8);
    for (let second = 1; second <= 40; second += 3) {
      await h.until(second);
      const began = h.clock.now();
      const { id } = await h.end(account, "https://other.example/hook");
      await h.settle();
      const sent = seen.find(({ headers }) => headers["webhook-id"] === id);
      // In the test's time: at once.
      assert.equal(sent?.at, began);
    }
    assert.equal(most, 8);
    // What waited behind them has not begun: its schedule starts when it is sent.
    const slow = seen.filter(({ url }) => url.includes("slow"));
    assert.equal(slow[8]!.at - slow[0]!.at >= 15_000, true);
    assert.equal(slow[8]!.headers["webhook-timestamp"], String(Math.floor(slow[8]!.at / 1000)));
  }));

test("what one account has at a host that hangs for it delays no other account's there", () =>
  withHarness(async (h) => {
    const { seen, post } = receiver(h, ({ url }) => (url.includes("slow") ? hang(h) : answer(200)));
    const { id: hostile } = await h.account();
    for (let i = 0; i < 50; i++) await h.end(hostile, "https://shared.example/slow");
    h.start(post);
    await h.settle();
    assert.equal(seen.length, 8);
    const { id: other } = await h.account();
    for (let second = 1; second <= 40; second += 3) {
      await h.until(second);
      const began = h.clock.now();
      const { id } = await h.end(other, "https://shared.example/hook");
      await h.settle();
      assert.equal(seen.find(({ headers }) => headers["webhook-id"] === id)?.at, began);
    }
  }));

test("several accounts whose hosts all hang leave slots of the node for others", () =>
  withHarness(async (h) => {
    const { seen, post } = receiver(h, ({ url }) => (url.includes("slow") ? hang(h) : answer(200)));
    for (let n = 0; n < 6; n++) {
      const { id } = await h.account();
      for (let i = 0; i < 64; i++) await h.end(id, `https://slow-${i}.example/hook`);
    }
    h.start(post);
    await h.settle();
    const { id: other } = await h.account();
    const { id } = await h.end(other, "https://example.com/hook");
    await h.settle();
    assert.equal(seen.at(-1)?.headers["webhook-id"], id);
  }));

test("an account whose many hosts all hang holds 64 connections and delays no other account", () =>
  withHarness(async (h) => {
    const { seen, post } = receiver(h, ({ url }) => (url.includes("slow") ? hang(h) : answer(200)));
    const { id: hostile } = await h.account();
    for (let i = 0; i < 150; i++) await h.end(hostile, `https://slow-${i}.example/hook`);
    h.start(post);
    await h.settle();
    assert.equal(seen.length, 64);
    const { id: other } = await h.account();
    const { id } = await h.end(other, "https://slow-149.example.org/not");
    const fine = await h.end(other, "https://example.com/hook");
    await h.settle();
    assert.deepEqual(
      seen.slice(64).map(({ headers }) => headers["webhook-id"]),
      [id, fine.id],
    );
  }));

test("a delivery waits for nobody: it is sent when the end was committed, without a poll", () =>
  withHarness(async (h) => {
    const { seen, post } = receiver(h, async ({ headers }) => {
      // What the receiver would find if it asked.
      const [row] = (await h.store.webhooks(operation)).filter(({ id }) => id === headers["webhook-id"]);
      assert.equal((await h.store.operation(row!.operation_id!))?.status, "ready");
      return answer(200);
    });
    h.start(post);
    await h.settle();
    const { id: account } = await h.account();
    let operation = "";
    h.store.onEnded((ids) => {
      operation = ids?.[0] ?? "";
    });
    const webhook = await h.end(account);
    await h.settle();
    assert.equal(seen.length, 1);
    assert.equal((await h.row(webhook)).state, "delivered");
  }));

test("an attempt that a killed worker left is made again after its lease, with id, body and timestamp as before", () =>
  withHarness(async (h) => {
    const { seen, post } = receiver(h, () => answer(200));
    const { id: account } = await h.account();
    const webhook = await h.end(account);
    const began = h.clock.now();
    const [lost] = await h.store.claimWebhooks("killed", 1, 30_000, { lane_max: 1, host_max: 1, account_max: 1 });
    assert.equal(lost?.id, webhook.id);
    h.start(post);
    await h.until(29.999);
    assert.equal(seen.length, 0);
    await h.until(31);
    assert.equal(seen.length, 1);
    assert.equal(seen[0]!.headers["webhook-id"], webhook.id);
    assert.equal(seen[0]!.headers["webhook-timestamp"], String(Math.floor(began / 1000)));
    assert.deepEqual(
      (await h.store.webhookAttempts(webhook.id)).map(({ attempt }) => attempt),
      [2],
    );
  }));

test("an attempt that comes over 285 s late is stamped afresh", () =>
  withHarness(async (h) => {
    const { seen, post } = receiver(h, (_, count) => answer(count === 1 ? 500 : 200));
    const first = h.start(post);
    const { id: account } = await h.account();
    const webhook = await h.end(account);
    await h.settle();
    await first.drain(0);
    await h.until(400);
    h.start(post);
    await h.settle();
    assert.equal(seen.length, 2);
    assert.equal(seen[1]!.headers["webhook-timestamp"], String(Math.floor(h.clock.now() / 1000)));
    assert.notEqual(seen[1]!.headers["webhook-timestamp"], seen[0]!.headers["webhook-timestamp"]);
    assert.equal(seen[1]!.headers["webhook-id"], webhook.id);
    assert.equal(seen[1]!.body, seen[0]!.body);
    assert.equal((await h.row(webhook)).state, "delivered");
  }));

test("redeliver() sends again under the same id with a fresh timestamp and a new schedule", () =>
  withHarness(async (h) => {
    const { seen, post } = receiver(h, (_, count) => answer(count === 1 ? 404 : count === 2 ? 500 : 200));
    h.start(post);
    const { id: account } = await h.account();
    const webhook = await h.end(account);
    await h.settle();
    await h.until(100);
    assert.equal((await h.row(webhook)).state, "failed");
    assert.equal(await h.store.redeliver(webhook.operation_id!, webhook.type, h.clock.now(), keyedCall(account)), true);
    // Nobody was woken; the next look finds it.
    await h.until(101);
    assert.equal(seen.length, 2);
    await h.until(106);
    assert.equal(seen.length, 3);
    const stamps = seen.map(({ headers }) => Number(headers["webhook-timestamp"]));
    assert.deepEqual([stamps[1]! - stamps[0]! >= 100, stamps[2]], [true, stamps[1]]);
    assert.equal(new Set(seen.map(({ headers, body }) => headers["webhook-id"] + body)).size, 1);
    assert.equal((await h.row(webhook)).state, "delivered");
  }));

test("an answer that cannot be recorded is recorded once the store is back, and not sent twice", () =>
  withHarness(async (h) => {
    const { seen, post } = receiver(h, () => answer(200));
    let away = 3;
    const store = {
      ...h.store,
      recordWebhook: (...args: Parameters<typeof h.store.recordWebhook>) =>
        away-- > 0 ? Promise.reject(new StoreUnavailable("away")) : h.store.recordWebhook(...args),
    };
    h.start(post, { store });
    const { id: account } = await h.account();
    const webhook = await h.end(account);
    for (let second = 0; second <= 4; second++) await h.until(second);
    assert.equal(seen.length, 1);
    assert.equal((await h.row(webhook)).state, "delivered");
    assert.equal(h.logged.filter((line) => line.includes("webhook.store_away")).length, 3);
  }));

test("nothing is sent unsigned: where a secret does not open, it is tried again later", () =>
  withHarness(async (h) => {
    const { seen, post } = receiver(h, () => answer(200));
    let broken = true;
    const open = (sealed: string, context: string): string => {
      if (broken) throw new Error("it does not open");
      return h.secrets.open(sealed, context);
    };
    h.start(post, { secrets: { open } });
    const { id: account } = await h.account();
    const webhook = await h.end(account);
    await h.settle();
    assert.equal(seen.length, 0);
    assert.deepEqual(
      (await h.store.webhookAttempts(webhook.id)).map(({ status, detail }) => [status, detail]),
      [[null, "Internal failure"]],
    );
    assert.ok(h.logged.some((line) => line.includes("webhook.error") && line.includes("does not open")));
    broken = false;
    await h.until(5);
    assert.equal(seen.length, 1);
  }));

test("drain() lets an attempt end, and makes due at once what is given up", () =>
  withHarness(async (h) => {
    const { seen, post } = receiver(h, ({ url }) =>
      url.includes("slow") ? hang(h) : new Promise((resolve) => void h.clock.after(1_000, () => resolve(answer(200)))),
    );
    const webhooks = h.start(post);
    const { id: account } = await h.account();
    const slow = await h.end(account, "https://slow.example/hook");
    const soon = await h.end(account);
    await h.settle();
    assert.equal(seen.length, 2);
    const drained = webhooks.drain(3_000);
    const late = await h.end(account);
    await h.until(1);
    assert.equal((await h.row(soon)).state, "delivered");
    await h.until(3);
    await drained;
    // Begun by nobody, and given up: the next start sends both.
    assert.equal((await h.row(late)).attempts, 0);
    const row = await h.row(slow);
    assert.deepEqual([row.state, row.next_attempt_at], ["pending", h.clock.now()]);
    assert.equal((await h.store.webhookAttempts(slow.id))[0]?.detail, "The service was shutting down");
    const next = receiver(h, () => answer(200));
    h.start(next.post);
    await h.settle();
    assert.deepEqual(next.seen.map(({ headers }) => headers["webhook-id"]).sort(), [slow.id, late.id].sort());
  }));

test("what a receiver says is kept short and as text that every store takes", () =>
  withHarness(async (h) => {
    const { post } = receiver(h, () => ({ ...answer(500), detail: `a\0b\ud800${"x".repeat(20_000)}` }));
    h.start(post);
    const { id: account } = await h.account();
    const webhook = await h.end(account);
    await h.settle();
    const [noted] = await h.store.webhookAttempts(webhook.id);
    assert.equal(noted?.detail.slice(0, 5), "a\ufffdb\ufffdx");
    assert.equal(noted?.detail.length, 4_000);
  }));

test("an endpoint is disabled after three days without a success and ten deliveries given up, not before", async () => {
  const h = await openHarness();
  const { id: account_id } = await h.account();
  const now = h.clock.now();
  const id = nextId("hook");
  const address = { url: "https://example.com/all", host: "example.com" };
  const made = { id, account_id, ...address, events: ["*"], description: "", created_at: now };
  const secret = nextId("sec");
  const sealed = h.secrets.seal(newSigningSecret(), secret);
  const row = { id: secret, account_id, label: "", sealed, created_at: now };
  await h.store.createEndpoint({ ...made, disabled_at: null, disabled_why: null }, row, 1);
  let status = 404;
  h.start(async () => ({ status, retry_after_seconds: null, headers: {}, detail: "" }));
  let seconds = 0;
  const tell = async (after: number) => {
    seconds += after;
    await h.until(seconds);
    const event = { ...newWebhook(), ...address, endpoint_id: id, type: "ping" };
    await h.store.announce(account_id, event, h.clock.now(), h.clock.now() + 9e9);
    seconds += 2;
    await h.until(seconds);
    const { failures, disabled_why } = (await h.store.endpoint(id)) ?? assert.fail("it is there");
    return [failures, disabled_why];
  };
  const day = 86_400;
  for (let count = 1; count <= 12; count++) assert.deepEqual(await tell(60), [count, null], "many, on one day");
  assert.deepEqual(await tell(2 * day), [13, null]);
  status = 204;
  assert.deepEqual(await tell(60), [0, null], "one that got through");
  status = 404;
  assert.deepEqual(await tell(60), [1, null]);
  assert.deepEqual(await tell(4 * day), [2, null], "few, over days");
  for (let count = 3; count <= 9; count++) assert.deepEqual(await tell(60), [count, null]);
  assert.deepEqual(await tell(60), [10, "failures"]);
  await h.close();
});
