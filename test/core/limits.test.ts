import assert from "node:assert/strict";
import { test } from "node:test";
import { createLimits, limitHeaders } from "../../core/accounts/limits.ts";

const NOW = 1_700_000_000_000;

/** Limits on a clock that the test moves. */
function fixture() {
  const clock = { ms: NOW, now: () => clock.ms };
  return { clock, limits: createLimits({ clock }) };
}

test("take() lets a full bucket go at once, then refuses and says when to come back", async () => {
  const { limits } = fixture();
  for (let i = 1; i <= 60; i++) {
    assert.deepEqual(await limits.take("a", "put", 60), {
      ok: true,
      limit: 60,
      remaining: 60 - i,
      reset_seconds: i,
      retry_seconds: 0,
    });
  }
  assert.deepEqual(await limits.take("a", "put", 60), {
    ok: false,
    limit: 60,
    remaining: 0,
    reset_seconds: 60,
    retry_seconds: 1,
  });
});

test("take() refills evenly and never above the limit", async () => {
  const { clock, limits } = fixture();
  for (let i = 0; i < 600; i++) assert.equal((await limits.take("a", "put", 600)).ok, true);
  assert.equal((await limits.take("a", "put", 600)).ok, false);
  // One request every 100 ms, not a millisecond earlier.
  clock.ms += 99;
  assert.equal((await limits.take("a", "put", 600)).ok, false);
  clock.ms += 1;
  assert.equal((await limits.take("a", "put", 600)).ok, true);
  assert.equal((await limits.take("a", "put", 600)).ok, false);
  clock.ms += 30_000;
  assert.equal((await limits.take("a", "put", 600)).remaining, 299);
  clock.ms += 3_600_000;
  assert.deepEqual(await limits.take("a", "put", 600), {
    ok: true,
    limit: 600,
    remaining: 599,
    reset_seconds: 1,
    retry_seconds: 0,
  });
});

test("take() is exact for limits that do not divide a minute, over many small steps", async () => {
  for (const per_minute of [1, 7, 59, 601, 3_000, 100_000]) {
    const { clock, limits } = fixture();
    for (let i = 0; i < per_minute; i++) assert.equal((await limits.take("a", "get", per_minute)).ok, true);
    let taken = 0;
    for (let ms = 0; ms < 120_000; ms += 8) {
      clock.ms += 8;
      while ((await limits.take("a", "get", per_minute)).ok) taken++;
    }
    assert.equal(taken, 2 * per_minute, `${per_minute} a minute`);
  }
});

test("take() tells when the next request is possible", async () => {
  const { clock, limits } = fixture();
  assert.equal((await limits.take("a", "put", 1)).ok, true);
  clock.ms += 15_500;
  const refused = await limits.take("a", "put", 1);
  assert.deepEqual(refused, { ok: false, limit: 1, remaining: 0, reset_seconds: 45, retry_seconds: 45 });
  clock.ms += 45_000;
  assert.equal((await limits.take("a", "put", 1)).ok, true);
});

test("take() keeps accounts and kinds apart", async () => {
  const { limits } = fixture();
  assert.equal((await limits.take("a", "put", 1)).ok, true);
  assert.equal((await limits.take("a", "put", 1)).ok, false);
  assert.equal((await limits.take("a", "get", 1)).ok, true);
  assert.equal((await limits.take("b", "put", 1)).ok, true);
});

test("take() counts nothing where there is no limit", async () => {
  const { limits } = fixture();
  for (let i = 0; i < 10_000; i++) assert.equal((await limits.take("a", "put", 0)).ok, true);
  assert.equal(limits.size(), 0);
  assert.deepEqual(limitHeaders("put", await limits.take("a", "put", 0)), {});
});

test("take() follows a limit that changes", async () => {
  const { clock, limits } = fixture();
  assert.equal((await limits.take("a", "put", 600)).remaining, 599);
  assert.equal((await limits.take("a", "put", 10)).remaining, 9);
  assert.equal((await limits.take("a", "put", 600)).remaining, 8);
  clock.ms += 1_000;
  assert.equal((await limits.take("a", "put", 600)).remaining, 17);
});

test("take() survives clocks that step back and leap forward", async () => {
  const { clock, limits } = fixture();
  for (let i = 0; i < 5; i++) await limits.take("a", "put", 60);
  clock.ms -= 3_600_000;
  assert.equal((await limits.take("a", "put", 60)).remaining, 54);
  clock.ms += 1_000;
  assert.equal((await limits.take("a", "put", 60)).remaining, 54);
  clock.ms += 86_400_000;
  assert.equal((await limits.take("a", "put", 60)).remaining, 59);
});

test("take() forgets idle buckets and nothing that matters", async () => {
  const { clock, limits } = fixture();
  for (let i = 0; i < 1_000; i++) await limits.take(`account ${i}`, "get", 10);
  assert.equal(limits.size(), 1_000);
  for (let i = 0; i < 10; i++) await limits.take("busy", "get", 10);
  // Across the change of generations a bucket keeps its level.
  clock.ms += 59_999;
  assert.equal((await limits.take("busy", "get", 10)).remaining, 8);
  clock.ms += 1;
  assert.equal((await limits.take("busy", "get", 10)).remaining, 8);
  assert.equal(limits.size(), 1_001);
  clock.ms += 60_000;
  await limits.take("busy", "get", 10);
  assert.equal(limits.size(), 1);
  clock.ms += 600_000;
  await limits.take("other", "get", 10);
  assert.equal(limits.size(), 1);
});

test("take() with forgetting equals a bucket that is never forgotten, over random times", async () => {
  const { clock, limits } = fixture();
  let seed = 3;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (seed >> 8) % below;
  };
  const per_minute = 5;
  const level = new Map<string, { tokens: number; at: number }>();
  for (let i = 0; i < 20_000; i++) {
    clock.ms += random(10) === 0 ? random(130_000) : random(500);
    const account = `account ${random(4)}`;
    const model = level.get(account) ?? { tokens: per_minute, at: clock.ms };
    model.tokens = Math.min(per_minute, model.tokens + ((clock.ms - model.at) * per_minute) / 60_000);
    model.at = clock.ms;
    // The model adds floating-point fractions; a hair below a whole token is a whole one.
    const ok = model.tokens >= 1 - 1e-9;
    if (ok) model.tokens -= 1;
    level.set(account, model);
    assert.equal((await limits.take(account, "put", per_minute)).ok, ok, `step ${i}`);
  }
});

test("enter() counts long-polls until they leave, each once", async () => {
  const { clock, limits } = fixture();
  const first = await limits.enter("a", 2);
  clock.ms += 1_000;
  const second = await limits.enter("a", 2);
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(limits.openSince("a"), NOW);
  assert.equal(await limits.enter("a", 2), undefined);
  assert.notEqual(await limits.enter("b", 2), undefined);
  first();
  first();
  assert.equal(limits.openSince("a"), NOW + 1_000);
  const third = await limits.enter("a", 2);
  assert.ok(third !== undefined);
  assert.equal(await limits.enter("a", 2), undefined);
  second();
  third();
  assert.equal(limits.size(), 1);
});

test("enter() has no bound where it is 0, and still counts", async () => {
  const { limits } = fixture();
  const leave = await Promise.all(Array.from({ length: 1_000 }, () => limits.enter("a", 0)));
  assert.equal(await limits.enter("a", 1_000), undefined);
  for (const one of leave) one?.();
  assert.equal(limits.size(), 0);
});

test("limitHeaders() writes the fields of the IETF draft", async () => {
  const { limits } = fixture();
  assert.deepEqual(limitHeaders("put", await limits.take("a", "put", 600)), {
    "ratelimit-policy": '"put";q=600;w=60',
    ratelimit: '"put";r=599;t=1',
  });
  assert.deepEqual(limitHeaders("get", { ok: false, limit: 3000, remaining: 0, reset_seconds: 60, retry_seconds: 1 }), {
    "ratelimit-policy": '"get";q=3000;w=60',
    ratelimit: '"get";r=0;t=60',
  });
});
