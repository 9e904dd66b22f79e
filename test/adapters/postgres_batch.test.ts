/** Calls that share round trips: order, company, and whose mistake is whose. No database is needed for that. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBatcher, createLanes, type LanesOptions, togetherOrEach } from "../../core/adapters/postgres/batch.ts";
import { StoreUnavailable } from "../../core/ports/mod.ts";

interface Call {
  readonly items: readonly string[];
  answer(): void;
}

/** Lanes by the first letter, a and b; each call of `run` is answered by the test, with its items. */
function lanes(options: Partial<LanesOptions<string, string>> = {}) {
  const calls: Call[] = [];
  const submit = createLanes<string, string>({
    run(items) {
      const { promise, resolve } = Promise.withResolvers<readonly string[]>();
      calls.push({ items, answer: () => resolve(items) });
      return promise;
    },
    max: 100,
    waiting_max: 1_000,
    lanes: 2,
    laneOf: (item) => (item.startsWith("a") ? 0 : 1),
    together_max: 10,
    spread_ms: 0,
    company_min: 2,
    company_max: 10,
    ...options,
  });
  return { calls, submit };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const many = (letter: string, count: number) => Array.from({ length: count }, (_, n) => `${letter}${n}`);

test("what is alone goes at once; what comes meanwhile goes together, with its own answers", async () => {
  const { calls, submit } = lanes();
  const first = submit("a0");
  await turn();
  assert.deepEqual(calls[0]?.items, ["a0"]);
  const rest = ["b1", "a1", "b2"].map(submit);
  await turn();
  assert.equal(calls.length, 1, "few that wait are worth no second call");
  calls[0]?.answer();
  assert.equal(await first, "a0");
  await turn();
  assert.deepEqual(calls[1]?.items.toSorted(), ["a1", "b1", "b2"]);
  calls[1]?.answer();
  assert.deepEqual(await Promise.all(rest), ["b1", "a1", "b2"]);
});

test("more than are worth one call go side by side, a lane's own one after another", async () => {
  const { calls, submit } = lanes({ max: 8 });
  const all = [...many("a", 20), ...many("b", 6)].map(submit);
  await turn();
  assert.deepEqual(
    calls.map(({ items }) => items),
    [many("a", 8), many("b", 6)],
  );
  calls[0]?.answer();
  await turn();
  assert.deepEqual(calls[2]?.items, many("a", 16).slice(8), "in the order of their arrival");
  // The other lane's call is still under way.
  const last = submit("b6");
  await turn();
  assert.equal(calls.length, 3);
  for (let n = 1; n < calls.length; n++) {
    calls[n]?.answer();
    await turn();
  }
  assert.deepEqual(await Promise.all([...all, last]), [...many("a", 20), ...many("b", 6), "b6"]);
  assert.deepEqual(
    calls.slice(3).flatMap(({ items }) => items.filter((item) => item.startsWith("a"))),
    many("a", 20).slice(16),
  );
});

test("a stream is collected for a while; whoever has no company, or too much of it, is not kept", async () => {
  const { calls, submit } = lanes({ spread_ms: 60_000, together_max: 10 });
  void submit("a0");
  await turn();
  void submit("a1");
  calls[0]?.answer();
  await turn();
  assert.deepEqual(calls[1]?.items, ["a1"], "one is no company");
  for (const item of many("b", 3)) void submit(item);
  calls[1]?.answer();
  await turn();
  await turn();
  assert.equal(calls.length, 2, "three are: more are waited for");
  for (const item of many("a", 8)) void submit(item);
  await turn();
  assert.deepEqual(
    calls.slice(2).map(({ items }) => items),
    [many("a", 8), many("b", 3)],
    "enough for two calls",
  );
});

test("as many as make a call worth it are put off no longer", async () => {
  const { calls, submit } = lanes({ spread_ms: 60_000, company_max: 5 });
  void submit("a0");
  await turn();
  for (const item of many("b", 4)) void submit(item);
  calls[0]?.answer();
  await turn();
  await turn();
  assert.equal(calls.length, 1, "four are not enough");
  void submit("a1");
  await turn();
  assert.deepEqual(calls[1]?.items.toSorted(), ["a1", "b0", "b1", "b2", "b3"]);
  for (const item of many("a", 6)) void submit(item);
  calls[1]?.answer();
  await turn();
  assert.deepEqual(calls[2]?.items, many("a", 6), "enough came during the call");
});

test("a stream's next call comes by itself", async () => {
  const { calls, submit } = lanes({ spread_ms: 30 });
  void submit("a0");
  await turn();
  const both = ["a1", "b1"].map(submit);
  calls[0]?.answer();
  while (calls.length < 2) await turn();
  calls[1]?.answer();
  assert.deepEqual(await Promise.all(both), ["a1", "b1"]);
});

test("what cannot be waited for is refused, and a call that fails, fails for those in it", async () => {
  let calls = 0;
  const fail = createBatcher<string, string>({
    run: () => Promise.reject(new Error(`call ${++calls}`)),
    max: 2,
    flights_max: 1,
    waiting_max: 3,
  });
  const outcomes = await Promise.allSettled(["x", "y", "z", "too many"].map(fail));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === "rejected" && (outcome.reason as Error).message),
    ["call 1", "call 1", "call 2", "Cannot use the database: too many calls wait"],
  );
  const { calls: flying, submit } = lanes({ waiting_max: 1 });
  void submit("a0");
  await turn();
  void submit("a1");
  await assert.rejects(submit("b1"), StoreUnavailable);
  assert.equal(flying.length, 1);
});

test("a mistake in one of many is its own; a store that is away is everybody's, and is not asked again", async () => {
  const run = async (items: readonly string[]) => {
    if (items.includes("bad")) throw new Error("a mistake");
    return items;
  };
  const [one, bad, two] = await togetherOrEach(["1", "bad", "2"], run);
  assert.deepEqual([one, two], ["1", "2"]);
  assert.ok(bad instanceof Error);
  let asked = 0;
  const away = () => {
    asked += 1;
    return Promise.reject(new StoreUnavailable("away"));
  };
  await assert.rejects(togetherOrEach(["1", "2"], away), StoreUnavailable);
  assert.equal(asked, 1);
});
