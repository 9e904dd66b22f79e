/**
 * Prices that go by the sources: the most is told and debited while a source is not measured, and what it costs less
 * comes back once, whatever becomes of the operation. What a plugin's price does wrong then is its bug.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { newApiKey } from "../../core/base/keys.ts";
import { sine, wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { freePort, startProcess } from "../process.ts";
import { type Answer, giveStackBack, hastyClock, stackEnv, startTestService, type TestService } from "../service.ts";
import { readMetrics, sumOf } from "../telemetry/harness.ts";
import { until } from "../until.ts";

const SOUND = sine(440, 1.25);
const MONO = wav([SOUND]);
const STEREO = wav([SOUND, SOUND]);

let folder: string;
let tonwerk: TestService;
let account_id: string;
const sender = createServer((request, response) => void response.end(request.url?.includes("mono") ? MONO : STEREO));
const elsewhere = (name = "stereo"): string => `http://127.0.0.1:${(sender.address() as AddressInfo).port}/${name}.wav`;

/** Waits in its first attempt, until `<note>` is there. */
const WAITS = `async ({ sources, request, signal }) => {
  const { existsSync } = await import("node:fs");
  while (!existsSync(request.note)) { signal.throwIfAborted(); await new Promise((done) => setTimeout(done, 20)); }
  return { audio: sources.source };
}`;

before(async () => {
  folder = await pluginFolder(["files", "capabilities"]);
  const priced = {
    priced_by: '"sources"',
    sources: "{ source: { seconds_min: 0.1, seconds_max: 60, bytes_max: 9e6 } }",
  };
  const by_length = { ...priced, cost: "(_, { source }) => Math.ceil(source.seconds * 2)" };
  await addAction(folder, "test.by_length", by_length);
  await addAction(folder, "test.by_channels", { ...priced, cost: "(_, { source }) => 2 * source.channels" });
  await addAction(folder, "test.album", {
    ...priced,
    sources:
      "{ album: { seconds_min: 0.1, seconds_max: 60, bytes_max: 9e6, repeated: 4 }, voice: { seconds_min: 1, seconds_max: 9, bytes_max: 9e6, optional: true } }",
    cost: "(_, { album, voice }) => album.reduce((sum, { seconds }) => sum + Math.ceil(seconds), voice === undefined ? 0 : 50)",
    examples: '[{ album: [{ url: "https://example.com/a.wav" }] }]',
    process: "({ sources }) => ({ audio: { sample_rate: 44100, channels: [new Float32Array(44100)] } })",
  });
  await addAction(folder, "test.bug", {
    ...priced,
    cost: `({ note }, { source }) => {
      if (source.seconds !== 1.25) return 10;
      if (note === "throws") throw new Error("no price");
      return { negative: -1, none: NaN, later: Promise.resolve(3), dearer: 11 }[note] ?? 10;
    }`,
  });
  await addAction(folder, "test.waits", {
    ...by_length,
    request: "Type.Object({ note: Type.String({ maxLength: 200 }) })",
    examples: '[{ source: { url: "https://example.com/a.wav" }, note: "/tmp/go" }]',
    process: WAITS,
  });
  await addAction(folder, "test.takes", {
    ...by_length,
    output: '"variations"',
    seeded: "true",
    side_by_side: "true",
    process: `({ sources: { source }, seeds }) =>
      seeds.map(() => () => ({ audio: { ...source, channels: source.channels.map((channel) => channel.slice()) } }))`,
  });
  await addAction(folder, "test.exits", { ...by_length, process: "() => process.exit(1)" });
  await new Promise<void>((resolve) => sender.listen(0, "127.0.0.1", resolve));
  tonwerk = await startTestService({
    env: { TONWERK_PLUGINS: folder, TONWERK_PRIVATE_HOSTS: "127.0.0.1", TONWERK_METRICS_PORT: "9464" },
    clock: hastyClock(20),
  });
  account_id = tonwerk.service.first!.account_id;
});
after(async () => {
  sender.closeAllConnections();
  sender.close();
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

const put = (action: string, fields: object, query = ""): Promise<Answer> =>
  tonwerk.json("PUT", `/v1/${action}${query}`, { idempotency_key: randomUUID(), ...fields });

async function submit(action: string, fields: object): Promise<Answer["body"]> {
  const { status, body } = await put(action, fields);
  assert.equal(status, 200, JSON.stringify(body));
  return body[action.replace(".", "_")];
}

async function ended(action: string, fields: object): Promise<Answer["body"]> {
  const { id } = await submit(action, fields);
  return endOf(action, id);
}

async function endOf(action: string, id: string): Promise<Answer["body"]> {
  await until(async () => (await tonwerk.service.store.operation(id))?.status !== "processing");
  return (await tonwerk.json("GET", `/v1/${action}?id=${id}`)).body[action.replace(".", "_")];
}

async function upload(bytes: Uint8Array): Promise<string> {
  return (await tonwerk.json("PUT", "/v1/files", bytes)).body.file.url;
}

/** Kinds and credits of an operation's lines, oldest first; the balance is the sum of all there are. */
async function linesOf(id: string): Promise<readonly string[]> {
  const lines = await tonwerk.service.store.ledger(account_id, { limit: 1_000 });
  const credits = (await tonwerk.service.store.account(account_id))?.credits;
  assert.equal(
    credits,
    lines.reduce((sum, line) => sum + line.credits, 0),
  );
  const own = lines.filter(({ operation_id }) => operation_id === id).toReversed();
  return own.map(({ kind, credits }) => `${kind} ${credits}`);
}

const priceOf = ({ cost, cost_max, rebated, refunded }: Answer["body"]) => [cost, cost_max, rebated, refunded];

test("a source by URL costs the most until it is measured, and what it costs less comes back", async () => {
  const fields = { source: { url: elsewhere() } };
  const dry = await put("test.by_length", fields, "?dry_run=true");
  assert.deepEqual([dry.body.cost, dry.body.cost_max, dry.body.sufficient], [120, 120, true]);
  const key = randomUUID();
  const first = await submit("test.by_length", { ...fields, idempotency_key: key });
  assert.deepEqual(priceOf(first), [120, 120, 0, 0]);
  const done = await endOf("test.by_length", first.id);
  assert.equal(done.status, "ready");
  assert.deepEqual(priceOf(done), [3, 120, 117, 0]);
  assert.deepEqual(await linesOf(first.id), ["debit -120", "rebate 117"]);
  // A replay repeats the first answer, and neither debits nor gives back.
  assert.deepEqual(await submit("test.by_length", { ...fields, idempotency_key: key }), first);
  assert.deepEqual(await linesOf(first.id), ["debit -120", "rebate 117"]);
  const listed = (await tonwerk.json("GET", "/v1/operations?limit=1")).body.operations[0];
  assert.deepEqual(priceOf(listed), [3, 120, 117, 0]);
});

test("what was measured when it came has its price at once: an upload, and a finished output", async () => {
  const url = await upload(STEREO);
  const dry = await put("test.by_length", { source: { url } }, "?dry_run=true");
  assert.deepEqual([dry.body.cost, dry.body.cost_max], [3, undefined]);
  const done = await ended("test.by_length", { source: { url } });
  assert.deepEqual(priceOf(done), [3, undefined, undefined, 0]);
  assert.deepEqual(await linesOf(done.id), ["debit -3"]);
  const again = await ended("test.by_length", { source: { url: done.output.url } });
  assert.deepEqual(await linesOf(again.id), ["debit -3"]);
});

test("channels are measured too, in variations side by side once, and entries of a list each", async () => {
  const mono = await ended("test.by_channels", { source: { url: await upload(MONO) } });
  assert.deepEqual(priceOf(mono), [2, 4, 2, 0]);
  const stereo = await ended("test.by_channels", { source: { url: elsewhere() } });
  assert.deepEqual([priceOf(stereo), await linesOf(stereo.id)], [[4, 4, 0, 0], ["debit -4"]]);
  const takes = await ended("test.takes", { source: { url: elsewhere("mono") }, n_variations: 3 });
  assert.deepEqual([takes.status, await linesOf(takes.id)], ["ready", ["debit -120", "rebate 117"]]);
  const album = [{ url: elsewhere("mono") }, { url: await upload(MONO) }];
  const [one, both] = [await ended("test.album", { album }), await ended("test.album", { album, voice: album[0] })];
  assert.deepEqual(
    [priceOf(one), priceOf(both)],
    [
      [4, 62, 58, 0],
      [54, 112, 58, 0],
    ],
  );
});

test("a price that throws, waits, or is none or dearer once the sources are measured is a bug of the plugin, refunded", async () => {
  const source = { url: elsewhere() };
  assert.equal((await ended("test.bug", { source })).status, "ready");
  const bugs: readonly (readonly [note: string, says: RegExp])[] = [
    ["throws", /cost threw "Error: no price"/],
    ["negative", /cost returned -1, expected a whole number/],
    ["none", /cost returned NaN, expected/],
    ["later", /cost returned a promise, expected/],
    ["dearer", /cost returned 11 for sources of .*1\.25.*, expected at most 10/],
  ];
  for (const [note, says] of bugs) {
    const failed = await ended("test.bug", { source, note });
    assert.deepEqual(
      [failed.status, failed.error.code, ...priceOf(failed)],
      ["failed", "internal_error", 10, 10, 0, 10],
    );
    assert.deepEqual(await linesOf(failed.id), ["debit -10", "refund 10"]);
    const told = tonwerk.logged
      .map((line) => JSON.parse(line))
      .filter(({ event, id }) => event === "plugin.error" && id === failed.id);
    assert.equal(told.length, 1);
    assert.deepEqual([told[0].kind, told[0].action, "version" in told[0]], ["cost", "test.bug", true]);
    assert.match(told[0].error, says);
  }
});

test("a cancel spends what the measured sources cost, and a job that is lost again and again gives all of it back", async () => {
  const { id } = await submit("test.waits", { source: { url: elsewhere() }, note: join(folder, "never") });
  await until(async () => (await tonwerk.service.store.operation(id))?.cost === 3);
  const canceled = await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id });
  assert.deepEqual(priceOf(canceled.body.test_waits), [3, 120, 117, 0]);
  assert.deepEqual(await linesOf(id), ["debit -120", "rebate 117"]);

  const lost = await ended("test.exits", { source: { url: elsewhere() } });
  assert.deepEqual([lost.status, lost.error.code, ...priceOf(lost)], ["failed", "internal_error", 3, 120, 117, 3]);
  assert.deepEqual(await linesOf(lost.id), ["debit -120", "rebate 117", "refund 3"]);
  const samples = readMetrics(await tonwerk.service.telemetry.metrics!.text());
  assert.equal(sumOf(samples, "tonwerk_credits_rebated_total", { action: "test.exits" }), 117);
});

test("a service that is killed after a rebate gives none again", async () => {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-rebate-"));
  const [port, key] = [await freePort(), newApiKey()];
  const env = {
    ...{ TONWERK_DATA: data, TONWERK_FIRST_KEY: key, TONWERK_PLUGINS: folder, TONWERK_PRIVATE_HOSTS: "127.0.0.1" },
    ...(await stackEnv(data)),
  };
  const go = join(data, "go");
  let service = await startProcess(env, port);
  const call = async (method: string, path: string, body?: object): Promise<Answer["body"]> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    return (
      await fetch(`${service.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    ).json();
  };
  try {
    const request = { idempotency_key: randomUUID(), source: { url: elsewhere() }, note: go };
    const { id } = (await call("PUT", "/v1/test.waits", request)).test_waits;
    const look = async () => (await call("GET", `/v1/test.waits?id=${id}`)).test_waits;
    await until(async () => (await look()).cost === 3);
    const { credits } = (await call("GET", "/v1/account")).account;
    service.kill("SIGKILL");
    await service.exited;
    await writeFile(go, "");
    service = await startProcess(env, port);
    await until(async () => (await look()).status === "ready");
    assert.deepEqual(priceOf(await look()), [3, 120, 117, 0]);
    assert.equal((await call("GET", "/v1/account")).account.credits, credits);
  } finally {
    service.kill("SIGKILL");
    await service.exited;
    await rm(data, { recursive: true, force: true });
    await giveStackBack(data);
  }
});
