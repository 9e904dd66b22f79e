/** The load tests' own reckoning, and one short scenario against a real server where k6 is installed. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { comparisonsOf, kneeOf, ratiosOf } from "../../bench/k6/compare.ts";
import { findK6, HOW_TO_GET_K6, type Measured, readSummary, runScript } from "../../bench/k6/k6.ts";
import { planActions } from "../../bench/k6/plan.ts";
import { htmlReport, type Results, textReport } from "../../bench/k6/report.ts";
import type { Saturation } from "../../bench/k6/wrk.ts";
import { median } from "../../bench/measure.ts";
import { actionExamples, withSources } from "../../cli/bench/examples.ts";
import { newApiKey } from "../../core/base/keys.ts";
import { freePort, startProcess } from "../process.ts";

const k6 = await findK6();

test("submit scenario accepts every request at its rate", {
  skip: k6 === undefined ? HOW_TO_GET_K6 : false,
}, async () => {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-load-"));
  const key = newApiKey();
  const env = { TONWERK_DATA: data, TONWERK_ROLE: "api", TONWERK_FIRST_KEY: key, TONWERK_PUT_PER_MINUTE: "0" };
  const service = await startProcess(env, await freePort());
  try {
    const target = { name: "this", process_id: service.pid, url: service.url, keys: [key], stop: async () => {} };
    const [row, ...others] = await runScript(k6 as string, "submit", target, { rate: 20, seconds: 2 });
    assert.deepEqual(others, []);
    assert.equal(row?.scenario, "submit");
    assert.deepEqual([row?.errors, row?.dropped, row?.thresholds_ok], [0, 0, true]);
    // 2 s at 20/s; the executor may begin one more at the very end.
    assert.ok(row !== undefined && Math.abs(row.rate_achieved - 20) <= 0.5, `achieved ${row?.rate_achieved}/s`);
    const account = await fetch(`${service.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } });
    const { credits } = ((await account.json()) as { account: { credits: number } }).account;
    assert.equal(1_000 - credits, Math.round((row?.rate_achieved ?? 0) * 2), "each accepted submission was paid for");
  } finally {
    service.kill("SIGTERM");
    await service.exited;
    await rm(data, { recursive: true, force: true });
  }
});

test("readSummary() counts dropped iterations and failed requests as errors", () => {
  const ok = { type: "counter", thresholds: { "count==0": { ok: true } } };
  const summary = {
    metrics: {
      "http_req_duration{scenario:submit}": {
        type: "trend",
        values: { med: 1, "p(95)": 2, "p(99)": 3, max: 4 },
        thresholds: { "p(99)<25": { ok: true } },
      },
      "http_req_failed{scenario:submit}": { type: "rate", values: { passes: 2, fails: 90, rate: 0.02 } },
      "checks{scenario:submit}": { type: "rate", values: { passes: 90, fails: 3, rate: 0.97 } },
      "iterations{scenario:submit}": { ...ok, values: { count: 92 } },
      "dropped_iterations{scenario:submit}": {
        type: "counter",
        values: { count: 8 },
        thresholds: { "count==0": { ok: false } },
      },
      operation_ms: { type: "trend", values: { med: 20, "p(99)": 40 } },
    },
  };
  assert.deepEqual(readSummary(summary, "this", { rate: 50, seconds: 2 }), [
    {
      target: "this",
      scenario: "submit",
      rate_asked: 50,
      rate_achieved: 46,
      p50_ms: 1,
      p95_ms: 2,
      p99_ms: 3,
      max_ms: 4,
      errors: 13,
      dropped: 8,
      trends: { operation_ms: { p50_ms: 20, p99_ms: 40 } },
      thresholds_ok: false,
    },
  ]);
});

test("readSummary() keeps the trends of each scenario apart", () => {
  const latency = { type: "trend", values: { med: 1, "p(95)": 2, "p(99)": 3, max: 4 } };
  const trend = (med: number) => ({ type: "trend", values: { med, "p(99)": 2 * med } });
  const metrics = {
    "http_req_duration{scenario:one}": latency,
    "http_req_duration{scenario:two}": latency,
    operation_ms: trend(15),
    "operation_ms{scenario:one}": trend(10),
    "operation_ms{scenario:two}": trend(20),
  };
  const rows = readSummary({ metrics }, "this", { rate: 2, seconds: 1 });
  assert.deepEqual(
    rows.map(({ scenario, trends }) => [scenario, trends]),
    [
      ["one", { operation_ms: { p50_ms: 10, p99_ms: 20 } }],
      ["two", { operation_ms: { p50_ms: 20, p99_ms: 40 } }],
    ],
  );
});

test("kneeOf() ends at the first rate that was not kept", () => {
  const steps = [step(3_000, 2_000, 400), step(500, 500, 4), step(1_000, 999, 9), step(2_000, 2_000, 30)];
  assert.equal(kneeOf(steps, 25), 1_000);
  assert.equal(kneeOf(steps, 50), 2_000);
  assert.equal(kneeOf([step(500, 400, 4)], 25), 0, "a rate that was not achieved is beyond the knee");
  assert.equal(kneeOf([{ ...step(500, 500, 4), errors: 1 }], 25), 0, "so is one with an error");
});

test("ratiosOf() compares within each round, by rate and by processor time", () => {
  // The second round was disturbed for both alike.
  const rounds = [
    round("this", 9_000, 100),
    round("peer", 3_000, 150),
    round("this", 3_000, 120),
    round("peer", 1_000, 180),
  ];
  assert.deepEqual(ratiosOf(rounds, "this"), [{ mode: "submit", other: "peer", per_second: 3, per_cpu: 1.5 }]);
});

test("median() of an even number is the mean of the middle two", () => {
  assert.equal(median([4, 1, 3, 100]), 3.5);
  assert.equal(median([7, 1, 5]), 5);
});

test("actionExamples() takes the first example of each action and nothing else", () => {
  const body = (value: object, details: object = {}) => ({
    put: {
      ...details,
      requestBody: { content: { "application/json": { examples: { one: { value }, two: { value: {} } } } } },
    },
  });
  const duck = { idempotency_key: "k", callback_url: "https://a.example/", source: { url: "u" } };
  const description = {
    paths: {
      "/v1/adapt.auto_duck": body(duck, { "x-tonwerk": { action: "adapt.auto_duck" } }),
      "/v1/operations.cancel": body({ ids: ["op_1"] }),
      "/health": {},
    },
  };
  assert.deepEqual(actionExamples(description), {
    adapt_auto_duck: { path: "/v1/adapt.auto_duck", body: { source: { url: "u" } }, sources: ["source"] },
  });
});

test("withSources() replaces each source by its own upload and nothing else", () => {
  const body = { music: { url: "a" }, voice: { url: "b" }, loudness: { preset: "podcast" }, target_duration: 30 };
  const example = { path: "/v1/adapt.auto_duck", body, sources: ["music", "voice"] };
  const urls = new Map([
    ["music", "m"],
    ["voice", "v"],
  ]);
  assert.deepEqual(withSources(example, urls).body, { ...body, music: { url: "m" }, voice: { url: "v" } });
});

test("planActions() asks for slow actions once and for quick ones often, within the time that all take one after another", () => {
  const example = { path: "/v1/a.b", body: {}, sources: [] };
  const prepared = new Map([
    ["quick", { example, alone_s: 0.1 }],
    ["middling", { example, alone_s: 9.9 }],
    ["slow", { example, alone_s: 50 }],
  ]);
  const { seconds, actions } = planActions(prepared, 5);
  assert.equal(seconds, 60);
  assert.deepEqual(
    Object.values(actions).map(({ times }) => times),
    [10, 2, 1],
  );
  for (const { times, start_s } of Object.values(actions))
    assert.ok(start_s >= 0 && start_s < seconds / times, "there is time for every iteration after the first");
  assert.equal(new Set(Object.values(actions).map(({ start_s }) => start_s)).size, 3, "they do not begin together");
  assert.equal(planActions(new Map([["quick", { example, alone_s: 0.1 }]]), 5).seconds, 5);
});

test("comparisonsOf() pairs the scenarios that both ran", () => {
  const ours = { ...step(500, 500, 10), trends: { operation_ms: { p50_ms: 40, p99_ms: 90 } } };
  const theirs = { ...ours, target: "abc", p99_ms: 20, trends: { operation_ms: { p50_ms: 80, p99_ms: 90 } } };
  const alone = { ...step(1_000, 1_000, 5) };
  assert.deepEqual(comparisonsOf([ours, alone, theirs], "this", "abc"), [
    { scenario: "rate_500", figure: "p50 ms", ours: 1, theirs: 1 },
    { scenario: "rate_500", figure: "p99 ms", ours: 10, theirs: 20 },
    { scenario: "rate_500", figure: "operation_ms p50", ours: 40, theirs: 80 },
  ]);
});

test("the report is one file that shows every figure and loads nothing", () => {
  const results: Results = {
    subject: "this",
    commit: "<abc>",
    at: "2026-01-01T00:00:00.000Z",
    machine: "2 x cores",
    load: "1.0, 1.0, 1.0 before",
    sync_ms: 0.42,
    generators: { "wrk, submit": 100_000 },
    saturation: [round("this", 9_876), round("peer", 3_210)],
    scenarios: [step(500, 499, 12.3), { ...step(500, 499, 24.6), target: "peer" }],
    ramps: { k6: [step(500, 500, 4), step(1_000, 990, 30)], pace: [step(500, 500, 4)] },
    knees: { k6: 500, pace: 0 },
    ratios: [{ mode: "submit", other: "peer", per_second: 3.08, per_cpu: 1.27 }],
  };
  const text = textReport(results);
  for (const figure of [
    "9,876",
    "3,210",
    "12.3",
    "3.08",
    "1.27",
    "this / peer",
    "Knee by k6: 500/s",
    "Knee by pace: below",
    "100,000/s",
    "0.42 ms",
    "0.50",
  ]) {
    assert.ok(text.includes(figure), figure);
  }
  const html = htmlReport(results);
  assert.equal(html.match(/<svg /gu)?.length, 3);
  assert.ok(html.includes("&lt;abc&gt;") && !html.includes("<abc>"));
  assert.doesNotMatch(html, /NaN|undefined|Infinity|(?:src|href)=/u);
});

function step(rate_asked: number, rate_achieved: number, p99_ms: number): Measured {
  return {
    target: "this",
    scenario: `rate_${rate_asked}`,
    rate_asked,
    rate_achieved,
    p50_ms: 1,
    p95_ms: 2,
    p99_ms,
    max_ms: p99_ms,
    errors: 0,
    dropped: 0,
    trends: {},
    thresholds_ok: true,
  };
}

function round(target: string, per_second: number, cpu_us = 90): Saturation {
  const latencies = { p50_ms: 1, p95_ms: 2, p99_ms: 3, max_ms: 4 };
  return {
    target,
    mode: "submit",
    accounts: 20,
    connections: 128,
    per_second,
    cpu_us,
    generator_us: 9,
    errors: 0,
    ...latencies,
  };
}
