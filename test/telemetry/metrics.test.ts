/** Metrics move as requests, jobs and webhooks do, once each, and name nobody. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { freePort, startProcess } from "../process.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";
import { quickActions, readMetrics, receiver, type Sample, sumOf } from "./harness.ts";

let tonwerk: TestService;
let folder: string;
let hooks: Awaited<ReturnType<typeof receiver>>;

before(async () => {
  folder = await quickActions();
  hooks = await receiver();
  tonwerk = await startTestService({
    env: { TONWERK_PLUGINS: folder, TONWERK_METRICS_PORT: "9464", TONWERK_PRIVATE_HOSTS: "127.0.0.1" },
  });
});
after(async () => {
  await tonwerk.stop();
  await hooks.close();
  await rm(folder, { recursive: true, force: true });
});

const scrape = async (): Promise<readonly Sample[]> => readMetrics(await tonwerk.service.telemetry.metrics!.text());

/** How much each of these rose while `act` ran. */
async function rises(
  watched: readonly (readonly [name: string, labels?: Record<string, string>])[],
  act: () => Promise<unknown>,
): Promise<readonly number[]> {
  const before = await scrape();
  await act();
  const then = await scrape();
  return watched.map(([name, labels]) => sumOf(then, name, labels) - sumOf(before, name, labels));
}

const REQUESTS = "tonwerk_http_request_duration_seconds_count";
const submit = (action: string, body: object, key: string = randomUUID()) =>
  tonwerk.json("PUT", `/v1/${action}`, { idempotency_key: key, ...body });
const idOf = ({ body }: Answer): string => (Object.values(body)[0] as { id: string }).id;

async function ended(action: string, id: string): Promise<Answer["body"]> {
  for (;;) {
    const { body } = await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`);
    const operation = Object.values(body)[0] as Answer["body"];
    if (operation.status !== "processing") return operation;
  }
}

test("a submission, its job and its output count once each, whatever is asked about it", async () => {
  const key = randomUUID();
  const deltas = await rises(
    [
      [REQUESTS, { method: "PUT", route: "/v1/test.tone", status: "200" }],
      ["tonwerk_submissions_total"],
      ["tonwerk_replays_total", { action: "test.tone" }],
      ["tonwerk_credits_debited_total"],
      ["tonwerk_operations_ended_total", { action: "test.tone", status: "ready", code: "" }],
      ["tonwerk_job_duration_seconds_count", { action: "test.tone", outcome: "ready" }],
      ["tonwerk_job_duration_seconds_count"],
      ["tonwerk_outputs_total", { action: "test.tone", engine: "sine" }],
      ["tonwerk_queue_wait_seconds_count", { work: "generation" }],
      ["tonwerk_credits_refunded_total"],
      ["tonwerk_port_duration_seconds_count", { port: "store", verb: "submit" }],
      ["tonwerk_port_duration_seconds_count", { port: "bucket", verb: "put" }],
      ["tonwerk_port_duration_seconds_count", { port: "queue", verb: "wake" }],
      ["tonwerk_port_errors_total"],
    ],
    async () => {
      const first = await submit("test.tone", {}, key);
      await submit("test.tone", {}, key);
      // The same bytes otherwise: found by the store instead of by this node's memory.
      await submit("test.tone", { lyrics: null }, key);
      await ended("test.tone", idOf(first));
      await until(async () => sumOf(await scrape(), "tonwerk_worker_jobs") === 0);
    },
  );
  // The store is asked twice: it judges the replay that this node does not remember.
  assert.deepEqual(deltas, [3, 1, 2, 3, 1, 1, 1, 1, 1, 0, 2, 1, 1, 0]);
});

test("a failure counts its code and its refund", async () => {
  const deltas = await rises(
    [
      ["tonwerk_operations_ended_total", { action: "test.refuse", status: "failed", code: "too_plain" }],
      ["tonwerk_job_duration_seconds_count", { action: "test.refuse", outcome: "failed" }],
      ["tonwerk_credits_debited_total", { action: "test.refuse" }],
      ["tonwerk_credits_refunded_total", { action: "test.refuse" }],
      ["tonwerk_outputs_total"],
    ],
    async () => {
      await ended("test.refuse", idOf(await submit("test.refuse", {})));
      await until(async () => sumOf(await scrape(), "tonwerk_worker_jobs") === 0);
    },
  );
  assert.deepEqual(deltas, [1, 1, 2, 2, 0]);
});

test("routes are templates: aliases, queries, strangers' paths and methods make no series of their own", async () => {
  const id = idOf(await submit("test.tone", {}));
  await ended("test.tone", id);
  const deltas = await rises(
    [
      [REQUESTS, { method: "GET", route: "/v1/test.tone", status: "200" }],
      [REQUESTS, { route: "unmatched", status: "404" }],
      [REQUESTS, { method: "other", route: "unmatched" }],
      [REQUESTS, { route: "/audio/*", status: "403" }],
      [REQUESTS, { route: "/v1/test.tone", status: "405" }],
      [REQUESTS, { method: "PUT", route: "/v1/test.tone", status: "422" }],
      [REQUESTS, { method: "GET", route: "/openapi.json", status: "200" }],
      [REQUESTS],
    ],
    async () => {
      await tonwerk.call("GET", `/v1/test.tone?id=${id}`);
      await tonwerk.call("GET", `/rpc/test.tone?id=${id}`);
      await tonwerk.call("GET", `/v1/nothing-${randomUUID()}`);
      await tonwerk.call("PROPFIND", `/${randomUUID()}`);
      await tonwerk.call("GET", `/audio/op/${randomUUID()}.flac?expires=1&signature=x`);
      await tonwerk.call("POST", "/v1/test.tone", {});
      await tonwerk.call("PUT", "/v1/test.tone", {});
      await tonwerk.call("GET", "/openapi.json");
    },
  );
  assert.deepEqual(deltas, [2, 2, 1, 1, 1, 1, 1, 8]);
});

test("webhooks count by outcome, with their lag", async () => {
  const deltas = await rises(
    [["tonwerk_webhook_duration_seconds_count", { outcome: "delivered" }], ["tonwerk_webhook_lag_seconds_count"]],
    async () => {
      const told = hooks.got.length;
      await ended("test.tone", idOf(await submit("test.tone", { callback_url: `${hooks.url}/hook` })));
      await until(() => hooks.got.length > told);
      await until(async () => sumOf(await scrape(), "tonwerk_webhook_lag_seconds_count") > 0);
    },
  );
  assert.deepEqual(deltas, [1, 1]);
});

test("on a node without workers: queue, oldest wait, long-polls, a cancel with its refund, pool and process", async () => {
  const api = await startTestService({
    env: { TONWERK_PLUGINS: folder, TONWERK_METRICS_PORT: "9464", TONWERK_ROLE: "api" },
  });
  try {
    const text = async () => readMetrics(await api.service.telemetry.metrics!.text());
    await api.json("PUT", "/v1/test.tone", { idempotency_key: randomUUID() });
    await api.json("PUT", "/v1/test.tone", { idempotency_key: randomUUID() });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const samples = await text();
    assert.equal(sumOf(samples, "tonwerk_queue_jobs", { work: "generation" }), 2);
    assert.equal(sumOf(samples, "tonwerk_queue_jobs", { work: "dsp" }), 0);
    const oldest = sumOf(samples, "tonwerk_queue_oldest_seconds", { work: "generation" });
    assert.ok(oldest >= 0.02 && oldest < 60, String(oldest));
    assert.equal(sumOf(samples, "tonwerk_queue_oldest_seconds", { work: "dsp" }), 0);
    for (const name of ["process_resident_memory_bytes", "process_cpu_seconds_total", "tonwerk_build_info"]) {
      assert.ok(sumOf(samples, name) > 0, name);
    }
    assert.equal(samples.filter(({ name }) => name === "tonwerk_pool").length, 4);
    const first = await api.json("PUT", "/v1/test.tone", { idempotency_key: randomUUID() });
    const poll = api.json("GET", `/v1/test.tone?id=${idOf(first)}&wait=true`);
    await until(async () => sumOf(await text(), "tonwerk_long_polls") === 1);
    await api.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id: idOf(first) });
    await poll;
    const then = await text();
    assert.equal(sumOf(then, "tonwerk_long_polls"), 0);
    assert.equal(sumOf(then, "tonwerk_operations_ended_total", { status: "failed", code: "canceled" }), 1);
    assert.equal(sumOf(then, "tonwerk_credits_refunded_total"), 3);
    assert.equal(sumOf(then, "tonwerk_http_long_poll_duration_seconds_count", { route: "/v1/test.tone" }), 1);
    assert.equal(sumOf(then, REQUESTS, { method: "GET" }), 0);
    await until(async () => sumOf(await text(), "tonwerk_event_loop_lag_seconds_count") > 0);
  } finally {
    await api.stop();
  }
});

test("no metric names an account, an operation, a key or what a client wrote", async () => {
  const key = randomUUID();
  const id = idOf(await submit("test.tone", { lyrics: "velvet thunder" }, key));
  await ended("test.tone", id);
  const upload = await tonwerk.json("PUT", "/v1/files", wav(tone(440, 0.5, { channels: 1 }).channels));
  const account = (await tonwerk.json("GET", "/v1/account")).body.account.id;
  const text = await tonwerk.service.telemetry.metrics!.text();
  for (const told of [key, id, account, upload.body.file.id, tonwerk.key, "velvet", "127.0.0.1"]) {
    assert.ok(!text.includes(told), told);
  }
  const series = readMetrics(text).length;
  for (let round = 0; round < 20; round++) await tonwerk.call("GET", `/v1/test.tone?id=${randomUUID()}`);
  await tonwerk.call("GET", `/v1/test.tone?id=${id}`);
  const more = readMetrics(await tonwerk.service.telemetry.metrics!.text()).length - series;
  // One new status of one route at most.
  assert.ok(more <= 17, String(more));
});

test("/metrics has a port of its own, and the API's has none", async () => {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-metrics-"));
  const [port, metrics_port] = [await freePort(), await freePort()];
  const env = { TONWERK_DATA: data, TONWERK_PLUGINS: folder, TONWERK_METRICS_PORT: String(metrics_port) };
  const started = await startProcess(env, port);
  try {
    const url = `http://127.0.0.1:${metrics_port}`;
    const answer = await fetch(`${url}/metrics`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
    assert.ok(sumOf(readMetrics(await answer.text()), REQUESTS, { route: "/health", status: "200" }) >= 1);
    assert.equal((await fetch(`${url}/health`)).status, 404);
    assert.equal((await fetch(`${url}/metrics`, { method: "POST" })).status, 405);
    assert.equal((await fetch(`${started.url}/metrics`)).status, 404);
  } finally {
    started.kill("SIGTERM");
    assert.equal(await started.exited, 0, started.output());
    await rm(data, { recursive: true, force: true });
  }
});
