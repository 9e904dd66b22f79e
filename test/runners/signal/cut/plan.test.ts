/** The search against exhaustive enumeration, and the framing against its own definition. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { durationCost, Framing } from "../../../../runners/signal/cut/durations.ts";
import { findPlans, type Search } from "../../../../runners/signal/cut/plan.ts";
import { seeded } from "../../../audio.ts";

const RIGID = new Framing([{ start: 0, end: 40, fade: 0, cost: 0 }]);

/** `count` points a second apart in 40 s, with random join costs, forward or back. */
function search(seed: number, target: number, forward: boolean): Search {
  const next = seeded(seed);
  const count = 39;
  const costs = new Float32Array(count * count).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < count; j++) if (forward ? j > i : j < i) costs[i * count + j] = 0.3 + 3 * next() ** 2;
  }
  return {
    times: Float64Array.from({ length: count }, (_, n) => n + 1),
    costs,
    framing: RIGID,
    natural: 40,
    target,
    leave_min: 2,
    enter_max: 38,
    stretch_min: 2,
    stretch_good: 2,
    joins_max: 2,
  };
}

/** Cost of the best plan of up to two joins, by trying all of them. */
function exhaustive({
  times,
  costs,
  framing,
  natural,
  target,
  leave_min,
  enter_max,
  stretch_min,
  stretch_good,
}: Search): number {
  const count = times.length;
  const short = (seconds: number): number => (seconds >= stretch_good ? 0 : 0.3 * (1 - seconds / stretch_good));
  let best = framing.cost(natural - target);
  for (let i = 0; i < count; i++) {
    if (times[i]! < leave_min) continue;
    for (let j = 0; j < count; j++) {
      if (times[j]! > enter_max) continue;
      const first = costs[i * count + j]! + short(times[i]!);
      if (first === Number.POSITIVE_INFINITY) continue;
      const error = natural - target - (times[j]! - times[i]!);
      best = Math.min(best, first + short(natural - times[j]!) + framing.cost(error));
      for (let k = 0; k < count; k++) {
        if (times[k]! < times[j]! + stretch_min) continue;
        for (let l = 0; l < count; l++) {
          if (times[l]! > enter_max) continue;
          const both = first + costs[k * count + l]! + short(natural - times[l]!);
          best = Math.min(best, both + framing.cost(error - (times[l]! - times[k]!)));
        }
      }
    }
  }
  return best;
}

for (const forward of [true, false]) {
  test(`findPlans() finds what trying every ${forward ? "shortening" : "lengthening"} of two joins finds`, () => {
    for (let seed = 1; seed <= 6; seed++) {
      const given = search(seed, forward ? 8 + 4 * seed : 42 + 4 * seed, forward);
      const [best] = findPlans(given, () => undefined);
      // Costs are kept as 32-bit floats.
      assert.ok(
        Math.abs(best!.cost - exhaustive(given)) < 1e-4,
        `seed ${seed}: ${best!.cost} against ${exhaustive(given)}`,
      );
    }
  });
}

test("findPlans() hands on plans in order, each with its true error and joins that can be played", () => {
  const given = search(9, 20, true);
  const plans = findPlans(given, () => undefined);
  assert.ok(plans.length > 1);
  for (const [n, { joins, error, cost }] of plans.entries()) {
    if (n > 0) assert.ok(cost >= plans[n - 1]!.cost);
    const skipped = joins.reduce((sum, { leave, enter }) => sum + given.times[enter]! - given.times[leave]!, 0);
    assert.ok(Math.abs(40 - skipped - 20 - error) < 1e-9);
    for (const [k, { leave }] of joins.entries()) {
      if (k > 0) assert.ok(given.times[leave]! - given.times[joins[k - 1]!.enter]! >= given.stretch_min);
    }
  }
});

test("findPlans() returns nothing to join where the source has the length already, and nothing at all where no join can help", () => {
  assert.deepEqual(findPlans({ ...search(1, 40, true), joins_max: 0 }, () => undefined)[0]?.joins, []);
  const none = { ...search(1, 10, true), costs: new Float32Array(39 * 39).fill(Number.POSITIVE_INFINITY) };
  assert.deepEqual(
    findPlans(none, () => undefined).filter(({ cost }) => cost < Number.POSITIVE_INFINITY),
    [],
  );
});

test("durationCost() rises with the error and forbids what breaks the promise", () => {
  assert.equal(durationCost(0), 0);
  let last = 0;
  for (let off = 0.02; off < 0.93; off += 0.02) {
    assert.ok(durationCost(off) > last, `${off}`);
    assert.equal(durationCost(off), durationCost(-off));
    last = durationCost(off);
  }
  assert.equal(durationCost(0.95), Number.POSITIVE_INFINITY);
});

test("Framing mends a length by the cheapest ending that reaches it", () => {
  const framing = new Framing([
    { start: 0, end: 40, fade: 0, cost: 0 },
    { start: 0, end: 39, fade: 1, cost: 0.05 },
    { start: 0, end: 38, fade: 1, cost: 0.2 },
  ]);
  assert.equal(framing.choose(0).end, 40);
  assert.equal(framing.choose(1).end, 39);
  assert.equal(framing.choose(2.1).end, 38);
  assert.ok(Math.abs(framing.cost(1) - 0.05) < 1e-6);
  assert.equal(framing.cost(3.2), Number.POSITIVE_INFINITY);
  assert.equal(framing.cost(-1.2), Number.POSITIVE_INFINITY);
});
