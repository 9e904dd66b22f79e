/** The guard's reckoning and its plot; what the ratios are on some machine is no matter of a test. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BOUNDS, complaints, judge, NAMES, type RatioName } from "../../bench/guard/bounds.ts";
import { parseHistory } from "../../bench/guard/history.ts";
import { historyPlot } from "../../bench/guard/plot.ts";
import { rounds } from "../../bench/guard/rounds.ts";

const all = (factor: number): Record<string, number> =>
  Object.fromEntries(NAMES.map((name) => [name, BOUNDS[name] * factor]));

test("judge() passes what is at its bound and fails what is below, by name", () => {
  assert.deepEqual(complaints(judge(all(1))), []);
  const fell: RatioName = "FLAC encode: ours / flac -5";
  const verdicts = judge({ ...all(2), [fell]: BOUNDS[fell] * 0.9 });
  assert.deepEqual(
    verdicts.filter(({ ok }) => !ok).map(({ name }) => name),
    [fell],
  );
  const [complaint, ...others] = complaints(verdicts);
  assert.deepEqual(others, []);
  assert.match(complaint ?? "", /"FLAC encode: ours \/ flac -5" is \d[\d.]*, expected at least \d/u);
});

test("rounds() begins no round that would not end in time, and makes one at least", async () => {
  const run = async (most: number, seconds: number, took: readonly number[]): Promise<number> => {
    let now = 0;
    let made = 0;
    const found = await rounds(
      most,
      seconds,
      async () => {
        now += took[made++]!;
        return made;
      },
      () => now,
    );
    assert.deepEqual(
      found,
      Array.from({ length: made }, (_, index) => index + 1),
    );
    return made;
  };
  assert.equal(await run(3, 60, [10, 10, 10, 10]), 3);
  assert.equal(await run(3, 25, [10, 10, 10, 10]), 2);
  assert.equal(await run(3, 25, [10, 16, 10]), 2);
  assert.equal(await run(3, 25, [14, 10, 10]), 1, "a round like the longest would not fit");
  assert.equal(await run(3, 5, [10, 10, 10]), 1);
});

test("judge() fails what was not measured, and what is not a number", () => {
  const [first, second] = NAMES as [RatioName, RatioName];
  const verdicts = judge({ [first]: Number.NaN }, [first, second]);
  assert.deepEqual(
    verdicts.map(({ ok }) => ok),
    [false, false],
  );
  assert.deepEqual(complaints(verdicts)[1], `"${second}" was not measured`);
  assert.equal(judge(all(2), [first]).length, 1, "only what was asked for");
});

test("parseHistory() names the line that is no entry", () => {
  const line = JSON.stringify({ at: "2026-01-01T00:00:00Z", commit: "a", machine: "m", load: "0", ratios: {} });
  assert.equal(parseHistory(`${line}\n${line}\n`).length, 2);
  assert.deepEqual(parseHistory(""), []);
  assert.throws(() => parseHistory(`${line}\n{"at":`), /line 2/u);
  assert.throws(() => parseHistory("7"), /line 1/u);
});

test("historyPlot() shows every ratio with its bound, also before anything was recorded", () => {
  const entry = { at: "2026-01-01T00:00:00Z", commit: "a", machine: "m", load: "0" };
  const [first] = NAMES as [RatioName];
  for (const entries of [
    [],
    [
      { ...entry, ratios: all(2) },
      { ...entry, ratios: { [first]: 9.87 } },
    ],
  ]) {
    const drawn = historyPlot(entries);
    for (const name of NAMES) assert.ok(drawn.includes(name), name);
    assert.doesNotMatch(drawn, /NaN|undefined|Infinity|href|script/u);
  }
  assert.ok(historyPlot([{ ...entry, ratios: { [first]: 9.87 } }]).includes(">9.87<"));
});
