/** The page of results is what the records say, and no longer than somebody reads. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readLoad } from "../../bench/capacity/load.ts";
import { readHistory } from "../../bench/guard/history.ts";
import { HERE } from "../../bench/measure.ts";
import { recordsPlot, resultsPage } from "../../bench/records/page.ts";
import { isKept, parseRecords, readRecords } from "../../bench/records/records.ts";

test("docs/benchmarks.md and its plots are made of the records", async () => {
  const records = await readRecords();
  const page = resultsPage(records, await readHistory());
  const how = "run bun bench/records.ts";
  assert.equal(await readFile(join(HERE, "docs/benchmarks.md"), "utf8"), page, how);
  assert.equal(await readFile(join(HERE, "docs/benchmarks.svg"), "utf8"), `${recordsPlot(records)}\n`, how);
  assert.ok(page.split("\n").length < 220, "a page, not a history");
  for (const { page: name, metric } of records) assert.ok(existsSync(join(HERE, "docs/measured", name)), metric);
});

test("a value that misses its bound stands out, with the one before it", () => {
  const line = (value: number, at: string): string =>
    JSON.stringify({
      area: "music",
      metric: "speed",
      value,
      unit: "times",
      better: "more",
      bound: 8,
      at,
      commit: "abc",
      command: "bun x",
      page: "music.md",
    });
  const records = parseRecords(`${line(9, "2026-01-01")}\n${line(4, "2026-01-02")}\n`);
  assert.deepEqual(records.map(isKept), [true, false]);
  assert.match(resultsPage(records, []), /\| speed \| \*\*4×\*\* \(9× before\) \| ≥ 8 \|/u);
  assert.match(recordsPlot(records), /<polyline[^>]*>.*stroke-dasharray|stroke-dasharray.*<polyline/su);
  assert.throws(() => parseRecords(`${line(9, "2026-01-01")}\n{"area":"music"}`), /line 2.*"metric" is missing/u);
});

test("a metric that another one replaces leaves the page and stays in the records", () => {
  const record = (metric: string, replaces?: readonly string[]): string =>
    JSON.stringify({
      ...{ area: "music", metric, value: 9, unit: "times", better: "more", ...(replaces && { replaces }) },
      ...{ at: "2026-01-01", commit: "abc", command: "bun x", page: "music.md" },
    });
  const records = parseRecords([record("slow"), record("slow"), record("whole", ["slow"])].join("\n"));
  assert.equal(records.length, 3);
  assert.doesNotMatch(resultsPage(records, []), /slow/u);
  assert.match(resultsPage(records, []), /\| whole \| 9×/u);
  assert.doesNotMatch(recordsPlot(records), /slow/u);
});

test("the model of cost finds the speed of each of its actions in the records", async () => {
  for (const { name, work_s } of (await readLoad()).actions)
    assert.ok(work_s > 0.1 && work_s < 60, `${name}: ${work_s}`);
});
