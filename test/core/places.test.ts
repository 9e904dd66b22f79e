/** Places at work: who waits for what others send holds none, and nobody waits for longer than that takes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AWAY_MAX, createPlaces, type Place, type Places } from "../../core/work/places.ts";
import { fakeClock } from "../clock.ts";

const never = new AbortController().signal;
const take = async (places: Places): Promise<Place> => (await places.enter(never))!;
/** Whether it has resolved once all that is due has been done. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  let done = false;
  void work.then(
    () => (done = true),
    () => (done = true),
  );
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  return done;
}

test("enter() gives so many places, and each that is left once", async () => {
  const places = createPlaces(2, fakeClock());
  const [first] = [await take(places), await take(places)];
  const third = places.enter(never);
  assert.equal(await isDone(third), false);
  first!.leave();
  first!.leave();
  assert.equal(await isDone(third), true);
  assert.equal(await isDone(places.enter(never)), false, "leaving twice gives one place");
});

test("enter() ends with nothing where its signal aborts, and the place goes to the next", async () => {
  const places = createPlaces(1, fakeClock());
  const held = await take(places);
  const stop = new AbortController();
  const given_up = places.enter(stop.signal);
  stop.abort();
  assert.equal(await given_up, undefined);
  const next = places.enter(never);
  held.leave();
  assert.notEqual(await next, undefined);
  assert.equal(await places.enter(stop.signal), undefined);
});

test("away() lets another one work meanwhile, and resolves when there is a place again", async () => {
  const places = createPlaces(1, fakeClock());
  const slow = await take(places);
  const sent = Promise.withResolvers<string>();
  const away = slow.away("acc_1", () => sent.promise);
  const quick = await take(places);
  sent.resolve("a song");
  assert.equal(await isDone(away), false);
  quick.leave();
  assert.equal(await away, "a song");
  assert.equal(await isDone(places.enter(never)), false, "it has its place again");
});

test("enter() gives one place beside those that stay taken, which nobody else gets before it is left", async () => {
  const clock = fakeClock();
  const places = createPlaces(1, clock);
  const held = await take(places);
  const waiting = places.enter(never);
  clock.advance(99);
  assert.equal(await isDone(waiting), false);
  clock.advance(1);
  const beside = (await waiting)!;
  assert.deepEqual([held.beside, beside.beside], [false, true]);
  const next = places.enter(never);
  clock.advance(1_000);
  assert.equal(await isDone(next), false);
  assert.equal(await beside.away("acc_1", async () => "fetched"), "fetched");
  beside.leave();
  clock.advance(100);
  assert.equal((await next)!.beside, true);
  const last = places.enter(never);
  held.leave();
  assert.equal((await last)!.beside, false, "a place that gets free goes to who waits");
});

test("away() rejects at once, without a place", async () => {
  const places = createPlaces(1, fakeClock());
  const slow = await take(places);
  const sent = Promise.withResolvers<never>();
  const away = slow.away("acc_1", () => sent.promise);
  await take(places);
  sent.reject(new Error("nothing came"));
  await assert.rejects(away, /nothing came/u);
  slow.leave();
  assert.equal(await isDone(places.enter(never)), false, "it has none to leave");
});

test("what comes back and what claims take turns; of what comes back, accounts do", async () => {
  const places = createPlaces(1, fakeClock());
  const order: string[] = [];
  const sent = Promise.withResolvers<void>();
  for (const account of ["crowd", "crowd", "single"]) {
    const place = await take(places);
    void place
      .away(account, () => sent.promise)
      .then(() => {
        order.push(account);
        place.leave();
      });
  }
  const last = await take(places);
  sent.resolve();
  void (async () => {
    for (let n = 0; n < 3; n++) {
      const place = await take(places);
      order.push("claim");
      place.leave();
    }
  })();
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  last.leave();
  for (let turn = 0; turn < 40; turn++) await Promise.resolve();
  assert.deepEqual(order, ["crowd", "claim", "single", "claim", "crowd", "claim"]);
});

test("passed() names who has as many away as one account may, and changed() aborts when that ends", async () => {
  const places = createPlaces(1, fakeClock());
  const sent: PromiseWithResolvers<void>[] = [];
  const away: Promise<void>[] = [];
  for (let n = 0; n < 4; n++) {
    assert.deepEqual(places.passed(), []);
    const place = await take(places);
    const one = Promise.withResolvers<void>();
    sent.push(one);
    away.push(place.away("acc_1", () => one.promise).then(() => place.leave()));
  }
  assert.deepEqual(places.passed(), ["acc_1"]);
  const [changed, held] = [places.changed(), await take(places)];
  sent[0]!.resolve();
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  assert.equal(changed.aborted, false, "whoever comes back still waits for a place");
  held.leave();
  await away[0];
  assert.equal(changed.aborted, true);
  assert.equal(places.changed().aborted, false);
  assert.deepEqual(places.passed(), []);
});

test("changed() aborts where what an account waited for did not come", async () => {
  const places = createPlaces(1, fakeClock());
  const failing: PromiseWithResolvers<never>[] = [];
  for (let n = 0; n < 4; n++) {
    const place = await take(places);
    const one = Promise.withResolvers<never>();
    failing.push(one);
    void place.away("acc_1", () => one.promise).catch(() => undefined);
  }
  const changed = places.changed();
  assert.deepEqual(places.passed(), ["acc_1"]);
  failing[0]!.reject(new Error("nothing came"));
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  assert.equal(changed.aborted, true);
  assert.deepEqual(places.passed(), []);
});

test("away() keeps its place where too many are away already, whosever they are", async () => {
  const places = createPlaces(1, fakeClock());
  const sent = Promise.withResolvers<void>();
  for (let n = 0; n < AWAY_MAX; n++) void (await take(places)).away(`acc_${n}`, () => sent.promise);
  const place = await take(places);
  const away = place.away("acc_last", () => sent.promise);
  assert.equal(await isDone(places.enter(never)), false);
  sent.resolve();
  await away;
});
