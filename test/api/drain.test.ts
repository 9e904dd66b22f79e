/** The end of a node: orderly, and when the store is away. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { StoreUnavailable } from "../../core/ports/mod.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { startTestService, type TestService } from "../service.ts";

/** Works until it is told to stop. */
const SLOW = {
  process: `async ({ sources, signal, progress }) => {
    progress(0.5, "dreaming");
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
    return { audio: sources.source, engine: "x" };
  }`,
};

async function withFolders(run: (plugins: string, data: string) => Promise<void>): Promise<void> {
  const plugins = await pluginFolder();
  const data = await mkdtemp(join(tmpdir(), "tonwerk-drain-"));
  try {
    await run(plugins, data);
  } finally {
    await rm(plugins, { recursive: true, force: true });
    await rm(data, { recursive: true, force: true });
  }
}

const uploadTone = async (tonwerk: TestService): Promise<string> =>
  (await tonwerk.json("PUT", "/v1/files", wav(tone(440, 0.5, { channels: 1 }).channels))).body.file.url;

test("drain() refuses new work, answers the waiters with the state there is, and gives unfinished work back for the next start", () =>
  withFolders(async (plugins, data) => {
    await addAction(plugins, "test.slow", SLOW);
    const env = { TONWERK_PLUGINS: `./plugins,${plugins}`, TONWERK_WORKERS: "1" };
    const first = await startTestService({ env, data });
    const source = { url: await uploadTone(first) };
    const body = { idempotency_key: randomUUID(), source };
    const { id } = (await first.json("PUT", "/v1/test.slow", body)).body.test_slow;
    const queued = (await first.json("PUT", "/v1/adapt.normalise_loudness", { ...body, idempotency_key: randomUUID() }))
      .body.normalised_audio.id;
    while ((await first.json("GET", `/v1/test.slow?id=${id}`)).body.test_slow.stage !== "dreaming") {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const poll = first.json("GET", `/v1/test.slow?id=${id}&wait=true`);
    while (first.service.waiters.open === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const drained = first.service.drain(200);
    const answer = await poll;
    assert.equal(answer.status, 200);
    assert.equal(answer.body.test_slow.status, "processing");
    for (const [method, path, sent] of [
      ["PUT", "/v1/test.slow", { ...body, idempotency_key: randomUUID() }],
      ["PUT", "/v1/files", wav(tone(440, 0.5).channels)],
      ["GET", "/health", undefined],
    ] as const) {
      const refused = await first.json(method, path, sent);
      assert.equal(refused.status, 503, path);
      assert.ok(Number(refused.headers.get("retry-after")) >= 1, path);
      assert.equal(typeof refused.body.detail, "string");
    }
    assert.equal((await first.json("GET", `/v1/test.slow?id=${id}&wait=true`)).body.test_slow.status, "processing");
    await drained;
    const given = await first.service.store.operation(id);
    assert.deepEqual([given?.status, given?.running, given?.attempt], ["processing", false, 1]);
    await first.service.close();

    const second = await startTestService({ env: { ...env, TONWERK_FIRST_KEY: first.key }, data });
    try {
      while (!(await second.service.store.operation(id))?.running)
        await new Promise((resolve) => setTimeout(resolve, 10));
      assert.equal((await second.service.store.operation(id))?.attempt, 2);
      const cancel = { idempotency_key: randomUUID(), id };
      assert.equal((await second.json("PUT", "/v1/operations.cancel", cancel)).body.test_slow.error.code, "canceled");
      const { body: read } = await second.json("GET", `/v1/adapt.normalise_loudness?id=${queued}&wait=true`);
      assert.equal(read.normalised_audio.status, "ready");
      // The key still answers as before the restart.
      assert.equal((await second.json("PUT", "/v1/test.slow", body)).headers.get("idempotent-replayed"), "true");
    } finally {
      await second.stop();
    }
  }));

test("a store that is away is a 503 with Retry-After, and nothing of the request is done", async () => {
  const tonwerk = await startTestService({ env: { TONWERK_ROLE: "api" } });
  try {
    const { store } = tonwerk.service;
    const request = { idempotency_key: randomUUID(), source: { url: "https://example.com/a.wav" } };
    const { credits } = (await tonwerk.json("GET", "/v1/account")).body.account;
    const { submit, snapshot, health } = store;
    const away = () => Promise.reject(new StoreUnavailable("The disk is full"));
    Object.assign(store, { submit: away, snapshot: away, health: away });
    for (const answer of [
      await tonwerk.json("PUT", "/v1/adapt.normalise_loudness", request),
      await tonwerk.json("GET", "/v1/adapt.normalise_loudness?id=op_00000000000000000000000000"),
      await tonwerk.json("GET", "/health"),
    ]) {
      assert.equal(answer.status, 503);
      assert.ok(Number(answer.headers.get("retry-after")) >= 1);
      assert.doesNotMatch(JSON.stringify(answer.body), /disk/);
    }
    Object.assign(store, { submit, snapshot, health });
    assert.equal((await tonwerk.json("GET", "/v1/account")).body.account.credits, credits);
    const retried = await tonwerk.json("PUT", "/v1/adapt.normalise_loudness", request);
    assert.equal(retried.status, 200);
    assert.equal(retried.headers.get("idempotent-replayed"), null);
  } finally {
    await tonwerk.stop();
  }
});

test("an unforeseen error is a bare 500, and the service goes on", async () => {
  const tonwerk = await startTestService({ env: { TONWERK_ROLE: "api" } });
  try {
    const { findKey } = tonwerk.service.store;
    Object.assign(tonwerk.service.store, { findKey: () => Promise.reject(new TypeError("secret detail")) });
    const failed = await tonwerk.json("GET", "/v1/account");
    assert.equal(failed.status, 500);
    assert.equal(failed.body.detail, "Internal error");
    assert.deepEqual(Object.keys(failed.body), ["detail", "code", "doc_url"]);
    assert.ok(tonwerk.logged.some((line) => line.includes("http.error") && line.includes("secret detail")));
    Object.assign(tonwerk.service.store, { findKey });
    assert.equal((await tonwerk.json("GET", "/v1/account")).status, 200);
  } finally {
    await tonwerk.stop();
  }
});
