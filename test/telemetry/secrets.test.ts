/** Nothing that a client or an operator keeps secret, or wrote, reaches the log, the traces or the metrics. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { newApiKey } from "../../core/base/keys.ts";
import { newSigningSecret } from "../../core/base/secrets.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { freePort, startProcess } from "../process.ts";
import { until } from "../until.ts";
import { visitDashboard } from "./dashboard_visit.ts";
import { quickActions, readMetrics, receiver } from "./harness.ts";

test("keys, secrets, signed URLs, passwords, cookies, links and texts of clients stay out of log, traces and metrics", async () => {
  const folder = await quickActions();
  const data = await mkdtemp(join(tmpdir(), "tonwerk-secrets-"));
  const collector = await receiver();
  // Refuses all: the failures are logged too.
  const hooks = await receiver(() => 410);
  const [port, metrics_port] = [await freePort(), await freePort()];
  const [key, other_key, secret, root] = [newApiKey(), newApiKey(), newSigningSecret(), "rootsecret".repeat(8)];
  const env = {
    TONWERK_DATA: data,
    TONWERK_PLUGINS: `./plugins,${folder}`,
    TONWERK_FIRST_KEY: key,
    TONWERK_FIRST_SECRET: secret,
    TONWERK_SECRET: Buffer.from(root).toString("base64"),
    TONWERK_METRICS_PORT: String(metrics_port),
    TONWERK_LOG_LEVEL: "debug",
    TONWERK_PRIVATE_HOSTS: "127.0.0.1",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "20",
  };
  // A first start prints key and secret, once and on purpose.
  const first = await startProcess(env, port);
  first.kill("SIGTERM");
  assert.equal(await first.exited, 0, first.output());
  const started = await startProcess(env, port);
  const call = (method: string, path: string, body?: unknown, bearer = key) =>
    fetch(`${started.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body instanceof Uint8Array || body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined
        ? {}
        : { body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    });
  const json = async (response: Response) => JSON.parse(await response.text());
  try {
    const { file } = await json(await call("PUT", "/v1/files", wav(tone(440, 0.5, { channels: 1 }).channels)));
    const lyrics = "velvet thunder over Babylon";
    const hook = `${hooks.url}/hook-8aa1?token=callback-token-41`;
    const idempotency_key = randomUUID();
    const ids: [string, string, string][] = [];
    for (const [action, wrapper, body] of [
      ["test.copy", "test_copy", { source: { url: file.url }, callback_url: hook }],
      ["test.tone", "test_tone", { lyrics, callback_url: hook }],
      ["test.refuse", "test_refuse", {}],
      // Fails while it is fetched: the host may be named, what follows it may not.
      ["test.copy", "test_copy", { source: { url: `${hooks.url}/source-path-77?signature=source-signature-9` } }],
      ["test.copy", "test_copy", { source: { url: "https://127.0.0.1:9/secret-path-12" } }],
    ] as const) {
      const sent = { idempotency_key: action === "test.tone" ? idempotency_key : randomUUID(), ...body };
      const answer = await json(await call("PUT", `/v1/${action}`, sent));
      ids.push([action, wrapper, answer[wrapper].id]);
    }
    const urls: string[] = [file.url];
    for (const [action, wrapper, id] of ids) {
      const { output } = (await json(await call("GET", `/v1/${action}?id=${id}&wait=true`)))[wrapper];
      if (output !== null) urls.push(output.url);
    }
    assert.equal(urls.length, 3);
    for (const url of urls) assert.equal((await fetch(url)).status, 200);
    // Refusals of every kind, each with something that must not be repeated.
    await call("GET", "/v1/account", undefined, other_key);
    await call("GET", `/v1/account?api_key=${other_key}`);
    await call("PUT", "/v1/test.tone", { idempotency_key: randomUUID(), lyrics: `${lyrics} ${"x".repeat(600)}` });
    await fetch(`${started.url}/audio/op/x.flac?expires=1&signature=tampered-signature-5`);
    await fetch(`${started.url}/v1/account`, { headers: { authorization: "Basic dXNlcjpwYXNzd29yZDE=" } });
    await fetch(`${started.url}/health`, { headers: { "x-request-id": `evil"${key}\tid` } }).catch(() => undefined);
    const link = /^Dashboard +(\S+token=\S+)$/mu.exec(first.output())?.[1];
    assert.ok(link !== undefined, first.output());
    const at_dashboard = await visitDashboard(link);
    assert.ok(at_dashboard.length > 10, `${at_dashboard.length}`);
    await until(() => hooks.got.filter(({ path }) => path.startsWith("/hook")).length === 2);
    const text = await (await fetch(`http://127.0.0.1:${metrics_port}/metrics`)).text();
    readMetrics(text);
    started.kill("SIGTERM");
    assert.equal(await started.exited, 0, started.output());

    const log = started.output();
    const lines = log.split("\n").filter((line) => line.startsWith("{"));
    for (const event of ["http.request", "operation.ready", "operation.failed", "webhook.failed", "service.stopped"]) {
      assert.ok(
        lines.some((line) => JSON.parse(line).event === event),
        `The log has ${event}`,
      );
    }
    const traced = collector.got.map(({ body }) => body).join("\n");
    assert.ok(traced.includes("PUT /v1/test.tone") && traced.includes('"webhook"'), "The traces have all of it");
    const signatures = urls.map((url) => new URL(url).searchParams.get("signature")!);
    const kept = [
      ...[key, other_key, secret, root, Buffer.from(root).toString("base64"), idempotency_key, ...signatures],
      ...["velvet", "Babylon", "callback-token", "hook-8aa1", "source-path", "source-signature", "secret-path"],
      ...at_dashboard,
      ...["tampered-signature", "dXNlcjpwYXNzd29yZDE=", "It is too plain"],
    ];
    for (const told of kept) {
      for (const [where, all] of Object.entries({ log, traced, text })) {
        assert.ok(
          !all.includes(told),
          `"${told}" is in the ${where}: ${all
            .split("\n")
            .find((line) => line.includes(told))
            ?.slice(0, 400)}`,
        );
      }
    }
  } finally {
    started.kill("SIGKILL");
    await started.exited;
    await collector.close();
    await hooks.close();
    await rm(data, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
});
