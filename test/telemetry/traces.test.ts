/** One trace from a request to its webhook, as a real collector receives it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";
import { quickActions, receiver, type SpanSeen, spansOf, withEnvironment } from "./harness.ts";

let folder: string;
let collector: Awaited<ReturnType<typeof receiver>>;
let hooks: Awaited<ReturnType<typeof receiver>>;
before(async () => {
  folder = await quickActions();
  collector = await receiver();
  hooks = await receiver();
});
after(async () => {
  await collector.close();
  await hooks.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (data: string, env: Record<string, string> = {}, otel: Record<string, string> = {}) =>
  withEnvironment(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: "tonwerk-test",
      OTEL_BSP_SCHEDULE_DELAY: "20",
      ...otel,
    },
    () => startTestService({ data, env: { TONWERK_PLUGINS: folder, TONWERK_PRIVATE_HOSTS: "127.0.0.1", ...env } }),
  );

const idOf = ({ body }: Answer): string => (Object.values(body)[0] as { id: string }).id;

async function ended(tonwerk: TestService, action: string, id: string): Promise<Answer["body"]> {
  for (;;) {
    const { body } = await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`);
    const operation = Object.values(body)[0] as Answer["body"];
    if (operation.status !== "processing") return operation;
  }
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

/** The spans by name; fails where one name comes more than once. */
function byName(spans: readonly SpanSeen[]): ReadonlyMap<string, SpanSeen> {
  const names = new Map<string, SpanSeen>();
  for (const span of spans) {
    assert.ok(!names.has(span.name), `${span.name} twice`);
    names.set(span.name, span);
  }
  return names;
}

test("one trace goes from the caller through the API node, the queue and a worker node to the linked webhook", async () => {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-traces-"));
  try {
    const api = await start(data, { TONWERK_ROLE: "api" });
    const source = await api.json("PUT", "/v1/files", wav(tone(440, 0.5, { channels: 1 }).channels));
    const submitted = await api.json(
      "PUT",
      "/v1/test.copy",
      {
        idempotency_key: randomUUID(),
        source: { url: source.body.file.url },
        callback_url: `${hooks.url}/hook`,
      },
      { traceparent: `00-${TRACE}-${PARENT}-01` },
    );
    assert.equal(submitted.status, 200, JSON.stringify(submitted.body));
    assert.match(submitted.headers.get("x-request-id") ?? "", /^req_/);
    const id = idOf(submitted);
    await api.stop();

    // Another process as far as traces know: nothing of the first one's memory is left.
    const worker = await start(data, { TONWERK_ROLE: "worker" });
    await until(() => hooks.got.length === 1);
    const operation = (await worker.service.store.operation(id))!;
    assert.equal(operation.status, "ready", operation.error ?? "");
    await worker.stop();

    const spans = spansOf(collector.got);
    const of = byName(spans.filter(({ trace, name }) => trace === TRACE && !name.startsWith("store.")));
    const request = of.get("PUT /v1/test.copy")!;
    assert.equal(request.parent, PARENT);
    assert.equal(request.kind, 2, "a server's span");
    assert.equal(request.attributes["http.response.status_code"], 200);
    assert.equal(request.resource["service.name"], "tonwerk-test");
    const inTrace = spans.filter(({ trace }) => trace === TRACE);
    const submit = inTrace.find(({ name }) => name === "store.submit")!;
    assert.equal(submit.parent, request.id);
    // Begins are whole milliseconds.
    assert.ok(submit.start >= request.start && submit.end <= request.end + 1_000_000n);

    const queue = of.get("queue")!;
    const job = of.get("job test.copy")!;
    assert.equal(queue.parent, request.id);
    assert.equal(job.parent, request.id);
    assert.ok(queue.end <= job.start + 1_000_000n, "claimed at the end of the wait");
    assert.equal(job.kind, 5, "a consumer's span");
    assert.equal(job.attributes["tonwerk.outcome"], "ready");
    assert.equal(job.attributes["tonwerk.operation"], id);
    assert.notEqual(job.resource["service.instance.id"], request.resource["service.instance.id"]);

    const stages = [
      "fetch sources",
      "starting",
      "decoding",
      "processing",
      "copying",
      "mastering",
      "encoding",
      "upload",
    ];
    let at = job.start;
    for (const name of stages) {
      const stage = of.get(name);
      assert.ok(stage !== undefined, name);
      assert.equal(stage.parent, job.id, name);
      // Two clocks of one machine: the thread's and this one's differ by less than 50 ms.
      assert.ok(stage.start >= at - 50_000_000n && stage.end >= stage.start, `${name} after the one before`);
      at = stage.start;
    }
    const put = of.get("bucket.put")!;
    assert.equal(put.parent, of.get("upload")!.id);
    const terminate = inTrace.find(({ name }) => name === "store.terminate")!;
    assert.equal(terminate.parent, job.id);
    assert.ok(terminate.end <= job.end + 1_000_000n);

    const webhook = spans.find(({ name }) => name === "webhook")!;
    assert.notEqual(webhook.trace, TRACE);
    assert.deepEqual(webhook.links, [{ trace: TRACE, id: request.id }]);
    assert.equal(spans.find(({ name }) => name === "POST")!.parent, webhook.id);
    // The trace travels beside the request and shows nowhere.
    assert.ok(!JSON.stringify(submitted.body).includes(TRACE) && !hooks.got[0]!.body.includes(TRACE));
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

test("a failed job and a refused traceparent: marked, and a trace of its own", async () => {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-traces-"));
  try {
    collector.got.length = 0;
    const tonwerk = await start(data);
    const malformed = { traceparent: `00-${"0".repeat(32)}-${PARENT}-01` };
    const submitted = await tonwerk.json("PUT", "/v1/test.refuse", { idempotency_key: randomUUID() }, malformed);
    await ended(tonwerk, "test.refuse", idOf(submitted));
    await tonwerk.stop();
    const spans = spansOf(collector.got);
    const request = spans.find(({ name }) => name === "PUT /v1/test.refuse")!;
    assert.equal(request.parent, "");
    assert.match(request.trace, /^(?!0+$)[0-9a-f]{32}$/);
    const job = spans.find(({ name }) => name === "job test.refuse")!;
    assert.equal(job.trace, request.trace);
    assert.equal(job.failed, true);
    assert.equal(job.attributes["error.type"], "failed");
    // Background tasks make no traces.
    assert.deepEqual(
      spans.filter(({ name }) => name === "store.claim" || name === "store.reconcile"),
      [],
    );
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

test("a caller's decision not to sample holds for the job too, and the sampler's for those without a caller", async () => {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-traces-"));
  try {
    collector.got.length = 0;
    const tonwerk = await start(
      data,
      {},
      { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" },
    );
    const send = async (headers: Record<string, string>) =>
      ended(
        tonwerk,
        "test.tone",
        idOf(await tonwerk.json("PUT", "/v1/test.tone", { idempotency_key: randomUUID() }, headers)),
      );
    await send({ traceparent: `00-${TRACE.replace("4", "5")}-${PARENT}-00` });
    await send({});
    await send({ traceparent: `00-${TRACE.replace("4", "6")}-${PARENT}-01` });
    await tonwerk.stop();
    const traces = new Set(spansOf(collector.got).map(({ trace }) => trace));
    assert.deepEqual([...traces], [TRACE.replace("4", "6")]);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

test("a collector that is away or refuses disturbs nothing", async () => {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-traces-"));
  const refusing = await receiver(() => 503);
  try {
    for (const url of [refusing.url, "http://127.0.0.1:9"]) {
      const otel = {
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_BSP_EXPORT_TIMEOUT: "200",
        OTEL_EXPORTER_OTLP_TIMEOUT: "100",
      };
      const tonwerk = await start(data, {}, otel);
      assert.equal((await tonwerk.call("GET", "/health")).status, 200);
      await tonwerk.stop();
    }
  } finally {
    await refusing.close();
    await rm(data, { recursive: true, force: true });
  }
});

test("settings without a meaning stop the start with what was expected", async () => {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-traces-"));
  try {
    for (const [otel, message] of [
      [{ OTEL_TRACES_SAMPLER: "sometimes" }, /OTEL_TRACES_SAMPLER must be one of always_on/],
      [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" }, /must be a number from 0 to 1, not "2"/],
      [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /must be http\/json, not "grpc"/],
      [{ OTEL_BSP_SCHEDULE_DELAY: "soon" }, /OTEL_BSP_SCHEDULE_DELAY must be a whole number/],
    ] as const) {
      await assert.rejects(start(data, {}, otel), message);
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});
