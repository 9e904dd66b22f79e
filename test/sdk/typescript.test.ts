/** sdk/typescript against a server: every action, what breaks on the way, and the package as one installs it. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { readRights } from "../../plugins/administration/typed_rights.ts";
import { writeSdks } from "../../scripts/sdk.ts";
import {
  type ActionName,
  type AnyOutput,
  ApiError,
  ChecksumError,
  ConnectionError,
  type EventOptions,
  type Fetch,
  InsufficientCreditsError,
  NotFoundError,
  OperationFailedError,
  type Output,
  Tonwerk,
  ValidationError,
  verifyWebhook,
  WebhookVerificationError,
} from "../../sdk/typescript/src/mod.ts";
import { adminOf, startTestService } from "../service.ts";
import { findProgram } from "../services/programs.ts";
import { CREDITS, KEY, LONG, requestsOf, SECRET, SONG, startTestServer, type TestServer, voiceWav } from "./tonwerk.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const IS_DENO = "Deno" in globalThis;

let folder: string;
let server: TestServer;
let tonwerk: Tonwerk;
let song: string;
let voice: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tonwerk-sdk-test-"));
  server = await startTestServer();
  tonwerk = new Tonwerk({ baseUrl: server.url, apiKey: KEY });
  song = (await tonwerk.files.upload(SONG)).url;
  voice = (await tonwerk.files.upload(voiceWav())).url;
});
after(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Of an operation of any action. */
const outputsOf = (ended: object): readonly Output<AnyOutput>[] => {
  const { output, outputs } = ended as { output?: Output<AnyOutput>; outputs?: readonly Output<AnyOutput>[] };
  return output === undefined ? (outputs ?? []) : [output];
};

test("what is generated is what the document says", async () => {
  for (const [path, text] of await writeSdks()) {
    // Not assert.equal, which would print both.
    assert.ok((await readFile(join(root, path), "utf8")) === text, `${path} is old: run bun scripts/sdk.ts`);
  }
});

test("a dry run tells what the words are taken to ask for", async () => {
  // Null where a busy machine took more than five seconds to load what reads words.
  const ask = () => tonwerk.effects.dryRun({ prompt: "two knocks on wood, no rain" });
  let { understood } = await ask();
  while (understood === null) ({ understood } = await ask());
  const [knock] = understood!.sounds;
  assert.deepEqual([knock!.material, knock!.count, understood!.without], ["wood", 2, ["rain"]]);
  const { cost, understood: nothing } = await tonwerk.stems.dryRun({ source: song });
  assert.deepEqual([cost, nothing], [3, undefined]);
});

test("an action without audio: its report has a type and nothing to download", async () => {
  const analysis = await tonwerk.analyses.create({ source: song }).wait();
  const { report } = analysis;
  assert.ok(report.loudness.integrated_lufs! < 0 && report.beats.length > 10 && report.chords[0]!.label !== "");
  assert.ok(!("output" in analysis) && !("outputs" in analysis));
});

test("what has happened is told once, with a stream that breaks, and on a server that tells no events", async () => {
  const told: unknown[] = [];
  const onProgress = (progress: unknown) => void told.push(progress);
  let streams = 0;
  server.disturb = (request) => (request.url?.endsWith("/events") === true && streams++ === 0 ? "cut" : false);
  const stems = await tonwerk.stems.create({ source: song, stems: ["vocals"] }).wait({ onProgress });
  assert.equal(stems.status, "ready");
  assert.ok(streams >= 2, "the stream that broke off is opened again");
  assert.equal(new Set(told.map((one) => JSON.stringify(one))).size, told.length, "nothing is told twice");

  const polled: number[] = [];
  server.disturb = (request, response) => {
    if (request.url?.endsWith("/events") !== true) return false;
    response.writeHead(404).end('{"detail":"Not found","code":"route_not_found"}');
    return true;
  };
  const cut = await tonwerk.cuts
    .create({ source: song, target_duration: 6 })
    .wait({ onProgress: ({ progress }) => void polled.push(progress) });
  server.disturb = undefined;
  assert.ok(cut.status === "ready" && polled.length > 0);
  const stems_of_song = await tonwerk.stems.create({ source: song });
  await assert.rejects(stems_of_song.wait({ timeoutMs: 100 }), /still in work/);
  await tonwerk.operations.cancel(stems_of_song.id);
});

test("events of an operation end with it; those of the account go on where they were left", async () => {
  const operation = await tonwerk.samples.create({ prompt: "kick", duration: 0.5 });
  const types: string[] = [];
  for await (const event of operation.events()) types.push(event.type);
  assert.equal(types.at(-1), "ready");

  /** The event of this operation's end; those of others, and repetitions, come too. */
  const findEnd = async (key: string, options: EventOptions) => {
    for await (const event of tonwerk.operations.events(options)) {
      if (event.type !== "progress" && event.operation.idempotency_key === key) return event;
    }
    return undefined;
  };
  const submit = (idempotencyKey: string) =>
    tonwerk.samples.create({ prompt: "snare", duration: 0.5 }, { idempotencyKey });
  const keys = [randomUUID(), randomUUID()] as const;
  const opened = Promise.withResolvers<void>();
  const finding = findEnd(keys[0], { onOpen: opened.resolve });
  await opened.promise;
  await submit(keys[0]);
  const end = await finding;
  assert.ok(end?.type === "ready" && end.eventId !== undefined);
  await submit(keys[1]).wait();
  const resumed = await findEnd(keys[1], { lastEventId: end.eventId });
  assert.equal(resumed?.type, "ready");
  const signal = AbortSignal.timeout(300);
  await assert.rejects(findEnd("", { signal }), { name: "TimeoutError" });
});

test("operations by id, by filter and many at once; metadata, and a deadline", async () => {
  const metadata = { order: randomUUID(), shop: "a b" };
  const made = await tonwerk.samples.create({ prompt: "kick", duration: 0.5, metadata, timeout_seconds: 600 }).wait();
  assert.deepEqual(made.metadata, metadata);
  const other = await tonwerk.samples.create({ prompt: "kick 2", duration: 0.5 });
  const unknown = "op_00000000000000000000000000";
  const many = await tonwerk.operations.getMany([other.id, unknown, made.id], { wait: true });
  assert.deepEqual(
    [many.operations.map(({ id, status }) => [id, status]), many.missing],
    [
      [
        [other.id, "ready"],
        [made.id, "ready"],
      ],
      [unknown],
    ],
  );
  const found = await tonwerk.operations.get(made.id);
  assert.equal(found.action, "create.new_sample");
  assert.equal((await found.wait()).id, made.id);
  const list = async (filters: Parameters<typeof tonwerk.operations.list>[0]) =>
    (await Array.fromAsync(tonwerk.operations.list(filters), (one) => one)).map(({ id }) => id);
  const listed = { action: ["create.new_sample", "create.new_fx"], status: "ready", limit: 1 } as const;
  assert.deepEqual(await list({ ...listed, metadata }), [made.id]);
  assert.deepEqual(await list({ ...listed, metadata: { order: "another" } }), []);
  assert.equal((await list({ ...listed, created_after: new Date(other.created_at) }))[0], other.id);
  assert.ok(!(await list({ ...listed, created_before: other.created_at })).includes(other.id));
  const canceled = await tonwerk.operations.cancel((await tonwerk.stems.create({ source: song })).id);
  assert.equal((await canceled.wait().catch((error) => error)).code, "canceled");
});

test("a batch: each submission has its own end, and sent again by itself it is the same one", async () => {
  let lost = 0;
  server.disturb = (request) => (request.url === "/v1/batches" && lost++ === 0 ? "lose" : false);
  const { credits } = await tonwerk.account();
  const [effect, cut, far] = await tonwerk.batches.create([
    { action: "create.new_fx", request: { prompt: "door knock", duration: 0.5 } },
    { action: "adapt.auto_cut_down", request: { source: song, target_duration: 1 } },
    { action: "create.nothing", request: {} },
  ]);
  server.disturb = undefined;
  assert.equal(lost, 2);
  assert.ok(effect.operation !== undefined);
  const { output, cost } = await effect.operation.wait();
  assert.equal(output.duration, 0.5);
  assert.equal((await tonwerk.account()).credits, credits - cost);
  assert.ok(cut.error instanceof ValidationError && cut.error.issues[0]?.loc.at(-1) === "target_duration");
  assert.equal(far.error?.status, 404);
});

test("an output in other forms: preview, WAV, peaks; stems as one archive", async () => {
  const { output } = await tonwerk.normalisations.create({ source: song }).wait();
  const wav = Buffer.from(await output.arrayBuffer({ format: "wav", bits: 16, preview: true }));
  assert.deepEqual([wav.toString("latin1", 0, 4), wav.readUInt16LE(34)], ["RIFF", 16]);
  const blob = await output.blob({ format: "wav" });
  assert.equal(blob.type, "audio/wav");
  // Cut in its middle: the rest comes of the same form.
  let cuts = 0;
  server.disturb = (request) => (request.url?.includes("bits=16") === true && cuts++ === 0 ? "cut" : false);
  const path = join(folder, "short.wav");
  await output.download(path, { format: "wav", bits: 16, preview: true });
  server.disturb = undefined;
  assert.ok(cuts === 2 && (await readFile(path)).equals(wav));
  const { min, max, bins } = await output.peaks(40);
  assert.ok(bins === 40 && min.length === 40 && max.every((peak) => peak <= 1) && Math.max(...max) > 0.1);
  const wrong = await output.arrayBuffer({ format: "mp3", bits: 16 }).catch((error) => error);
  assert.ok(wrong instanceof ValidationError && wrong.issues.length === 1, String(wrong));

  const stems = await tonwerk.stems.create({ source: voice, stems: ["vocals"] }).wait();
  await stems.archive.download(join(folder, "stems.zip"));
  assert.equal((await readFile(join(folder, "stems.zip"))).toString("latin1", 0, 2), "PK");
  assert.equal(stems.outputs.length, 1);
});

test("webhook endpoints: made, changed, told, turned, deleted; failed deliveries again", async () => {
  const arrived: { body: string; headers: Record<string, string> }[] = [];
  let status = 500;
  const receiver = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    arrived.push({ body, headers: request.headers as Record<string, string> });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { webhook_endpoint, secret } = await tonwerk.webhookEndpoints.create({ url, events: ["*.ready"] });
  const { id } = webhook_endpoint;
  const again = await tonwerk.webhookEndpoints.create({ url }).catch((error) => error);
  assert.ok(again instanceof ApiError && again.status === 409);
  const pinged = await tonwerk.webhookEndpoints.ping(id);
  while (arrived.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const ping = await verifyWebhook(arrived[0]!.body, arrived[0]!.headers, { secret });
  assert.deepEqual(ping, { id: pinged, type: "ping", endpointId: id });
  const changed = await tonwerk.webhookEndpoints.update(id, { description: "Orders" });
  assert.equal(changed.description, "Orders");
  assert.deepEqual(
    (await tonwerk.webhookEndpoints.list()).map((one) => one.id),
    [id],
  );
  status = 204;
  const turned = await tonwerk.webhookEndpoints.rotateSecret(id);
  const made = await tonwerk.samples.create({ prompt: "kick", duration: 0.5 }).wait();
  while (arrived.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const one of [secret, turned.secret]) {
    const event = await verifyWebhook(arrived[1]!.body, arrived[1]!.headers, { secret: one });
    assert.ok(event.type === "create.new_sample.ready" && event.operation.id === made.id);
  }
  assert.ok((await tonwerk.webhookEndpoints.get(id)).health.attempts_24h >= 1);
  // 410 ends a delivery at once, and disables the endpoint.
  status = 410;
  const lost = await tonwerk.samples.create({ prompt: "snare", duration: 0.5 }).wait();
  while ((await tonwerk.webhookEndpoints.get(id)).enabled) await new Promise((resolve) => setTimeout(resolve, 50));
  status = 204;
  assert.equal((await tonwerk.webhookEndpoints.update(id, { enabled: true })).disabled, null);
  assert.equal((await tonwerk.operations.redeliverFailed({ endpoint: id })).redelivered, 1);
  while (arrived.length < 4) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(arrived[3]!.body.includes(lost.id));
  assert.deepEqual(await tonwerk.webhookEndpoints.delete(id), { id, deleted: true });
  receiver.close();
});

test("a request that may do its work twice is sent again only where the answer says that nothing was done", async () => {
  const answers = [503, 502];
  server.disturb = (_, response) => {
    const status = answers.shift();
    if (status === undefined) return false;
    response.writeHead(status).end();
    return true;
  };
  const refused = await tonwerk.uploadTokens.create().catch((error) => error);
  server.disturb = undefined;
  assert.ok(refused instanceof ApiError && refused.status === 502, String(refused));
  assert.deepEqual(answers, []);
});

test("all ten actions on a server that is killed before any answer and in the midst of work: price, progress, end, download, one operation and one charge each", async () => {
  const { credits } = await tonwerk.account();
  const trial = new Tonwerk({ baseUrl: server.url, apiKey: await server.makeTestKey() });
  const calls = Object.entries(requestsOf(song, voice)).map(([name, body]) => {
    const is_live = !(IS_DENO && LONG.includes(name));
    return { name, body, key: randomUUID(), is_live, action: (is_live ? tonwerk : trial).action(name as ActionName) };
  });
  const keys = new Set<string>(calls.map(({ key }) => key));
  const made = async () => {
    const lists = [tonwerk, trial].map((its) => Array.fromAsync(its.operations.list({ limit: 100 }), (one) => one));
    return (await Promise.all(lists)).flat().filter(({ idempotency_key: key }) => keys.has(key));
  };
  const until = async (met: (operations: Awaited<ReturnType<typeof made>>) => boolean): Promise<void> => {
    while (!met(await made())) await new Promise((resolve) => setTimeout(resolve, 200));
  };
  const prices = await Promise.all(
    calls.map(({ name, body }) => tonwerk.action(name as ActionName).dryRun(body as never)),
  );
  for (const [at, { cost, sufficient }] of prices.entries()) assert.ok(sufficient && cost >= 1, calls[at]!.name);
  server.disturb = ({ method }) => (method === "PUT" ? "hold" : false);
  let told = 0;
  const ended = Promise.all(
    calls.map(async ({ name, body, key, is_live, action }, at) => {
      const seen: number[] = [];
      const onProgress = ({ progress }: { readonly progress: number }) => void seen.push(progress);
      const operation = await action.create(body as never, { idempotencyKey: key }).wait({ onProgress });
      assert.deepEqual([operation.status, operation.cost], ["ready", is_live ? prices[at]!.cost : 0], name);
      assert.ok(
        seen.every((progress) => progress >= 0 && progress <= 1),
        name,
      );
      // What ends before anybody looks has none.
      told += seen.length;
      const [output] = outputsOf(operation);
      const bytes = Buffer.from(await output!.arrayBuffer());
      assert.equal(createHash("sha256").update(bytes).digest("hex"), output!.sha256, name);
      assert.equal(bytes.subarray(0, 4).toString("latin1"), "fLaC", name);
      assert.equal((await action.get(operation.id)).status, "ready");
      return operation;
    }),
  );
  const accepted = until((operations) => operations.length === calls.length);
  await Promise.race([accepted, ended.then(() => assert.fail("No call may end before the server is killed"))]);
  await server.kill();
  server.disturb = undefined;
  await server.start();
  await until((operations) => operations.filter(({ status }) => status !== "processing").length >= 2);
  await server.kill();
  await server.start();

  await ended;
  assert.ok(told > 0, "no action told its progress");
  const cost = (await ended).reduce((sum, operation) => sum + operation.cost, 0);
  assert.deepEqual(
    (await made()).map(({ action, idempotency_key: key }) => `${action} ${key}`).sort(),
    calls.map(({ name, key }) => `${name} ${key}`).sort(),
  );
  assert.equal((await tonwerk.account()).credits, credits - cost);
});

test("a server that stays away: ConnectionError has the key, and the same key later gets the one operation", async () => {
  const hasty = new Tonwerk({ baseUrl: server.url, apiKey: KEY, retries: 1 });
  server.disturb = () => "lose";
  const idempotencyKey = randomUUID();
  const failed = await hasty.samples
    .create({ prompt: "snare", duration: 0.5 }, { idempotencyKey })
    .catch((error) => error);
  server.disturb = undefined;
  assert.ok(failed instanceof ConnectionError, String(failed));
  assert.equal(failed.idempotencyKey, idempotencyKey);
  const { credits } = await tonwerk.account();
  const operation = await tonwerk.samples.create({ prompt: "snare", duration: 0.5 }, { idempotencyKey });
  assert.equal((await tonwerk.account()).credits, credits, "it was charged when it was first sent");
  assert.equal(operation.idempotency_key, idempotencyKey);
});

test("429 and 503 are tried again, not sooner than Retry-After says; other refusals are not", async () => {
  const at: number[] = [];
  server.disturb = (_, response) => {
    at.push(performance.now());
    if (at.length > 2) return false;
    const status = at.length === 1 ? 429 : 503;
    response
      .writeHead(status, { "content-type": "application/json", "retry-after": "1" })
      .end('{"detail":"Too many requests"}');
    return true;
  };
  await tonwerk.account();
  assert.equal(at.length, 3);
  assert.ok(at[1]! - at[0]! >= 990 && at[2]! - at[1]! >= 990, at.join());
  const count = server.seen.length;
  server.disturb = undefined;
  const refused = await tonwerk.cuts.create({ source: song, target_duration: 4 }).catch((error) => error);
  assert.ok(refused instanceof ValidationError);
  assert.deepEqual(refused.issues[0]?.loc, ["body", "target_duration"]);
  assert.equal(refused.status, 422);
  assert.equal(server.seen.length, count + 1);
  const far = await tonwerk
    .action("create.nothing")
    .create({})
    .catch((error) => error);
  assert.ok(far instanceof ApiError && far.status === 404);
});

test("a download that breaks off goes on with the rest; one that was changed is refused; an expired URL is signed again", async () => {
  const { output } = await tonwerk.normalisations.create({ source: song }).wait();
  let cut = 0;
  const ranges: (string | undefined)[] = [];
  server.disturb = (request) => {
    if (request.headers.authorization !== undefined) return false;
    ranges.push(request.headers.range);
    cut += 1;
    return cut <= 2 ? "cut" : false;
  };
  const path = join(folder, "whole.flac");
  await output.download(path);
  server.disturb = undefined;
  assert.equal(ranges.length, 3);
  assert.deepEqual([ranges[0], ranges[1] === ranges[2]], [undefined, false]);
  assert.equal(
    createHash("sha256")
      .update(await readFile(path))
      .digest("hex"),
    output.sha256,
  );

  server.disturb = (request, response) => {
    if (request.headers.authorization !== undefined) return false;
    response.writeHead(200).end(Buffer.alloc(output.bytes));
    return true;
  };
  await assert.rejects(output.download(join(folder, "false.flac")), ChecksumError);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith("false")),
    [],
  );

  let refused = 0;
  server.disturb = (request, response) => {
    if (request.headers.authorization !== undefined || refused++ > 0) return false;
    response.writeHead(403).end('{"detail":"expired"}');
    return true;
  };
  assert.equal((await output.arrayBuffer()).byteLength, output.bytes);
  server.disturb = undefined;
});

test("uploads of a path, bytes, a blob and a stream; each once, listed and deleted", async () => {
  const bytes = await readFile(SONG);
  const stream = new Blob([bytes]).stream();
  for (const audio of [SONG, bytes, new Blob([bytes]), stream]) {
    const { duration, id } = await tonwerk.files.upload(audio);
    assert.equal(Math.round(duration), 12);
    assert.equal((await tonwerk.files.get(id)).id, id);
  }
  const wrong = await tonwerk.files.upload(new TextEncoder().encode("no audio")).catch((error) => error);
  assert.ok(wrong instanceof ValidationError && wrong.issues[0]?.type === "audio_invalid");

  const list = () => Array.fromAsync(tonwerk.files.list({ limit: 2 }), ({ id }) => id);
  const before_ids = await list();
  let lost = 0;
  server.disturb = (request) => (request.method === "PUT" && lost++ < 2 ? "lose" : false);
  const idempotencyKey = randomUUID();
  const file = await tonwerk.files.upload(bytes, { name: "song & more.flac", idempotencyKey });
  server.disturb = undefined;
  assert.equal(lost, 3);
  assert.equal(file.name, "song & more.flac");
  assert.deepEqual(await list(), [file.id, ...before_ids], "three tries made one upload");
  assert.equal((await tonwerk.files.upload(bytes, { name: "song & more.flac", idempotencyKey })).id, file.id);
  assert.deepEqual(await tonwerk.files.delete(file.id), { id: file.id, deleted: true, in_use: false });
  await assert.rejects(tonwerk.files.get(file.id), NotFoundError);
});

test("an upload token uploads and does nothing else", async () => {
  const { token, uploads } = await tonwerk.uploadTokens.create({ seconds: 60 });
  assert.equal(uploads, 1);
  const page = new Tonwerk({ baseUrl: server.url, apiKey: token });
  const { url } = await page.files.upload(SONG);
  const refused = await page.account().catch((error) => error);
  assert.ok(refused instanceof ApiError && refused.code === "upload_token_forbidden");
  assert.equal((await tonwerk.cuts.create({ source: url, target_duration: 6 }).wait()).status, "ready");
});

test("aborting a wait cancels the operation, and `keepOnAbort` lets it go on", async () => {
  for (const keepOnAbort of [false, true]) {
    const controller = new AbortController();
    const operation = await tonwerk.stems.create({ source: voice });
    const waiting = operation.wait({ signal: controller.signal, keepOnAbort });
    controller.abort(new Error("enough"));
    await assert.rejects(waiting, /enough/);
    const ended = await operation.wait().catch((error) => error);
    if (keepOnAbort) assert.equal(ended.status, "ready");
    else assert.ok(ended instanceof OperationFailedError && ended.code === "canceled");
  }
});

test("errors of operations and credits by their codes", async () => {
  const failed = await tonwerk.cuts
    .create({ source: voice, target_duration: 300 })
    .wait()
    .catch((error) => error);
  assert.ok(failed instanceof OperationFailedError);
  assert.equal(failed.code, "source_too_short");
  assert.ok((await tonwerk.account()).credits <= CREDITS);
  server.disturb = (_, response) => {
    response
      .writeHead(402)
      .end(
        '{"detail":"Insufficient credits: 3 required, 1 available","code":"insufficient_credits","required":3,"available":1}',
      );
    return true;
  };
  const poor = await tonwerk.samples.create({ prompt: "kick", duration: 1 }).catch((error) => error);
  server.disturb = undefined;
  assert.ok(poor instanceof InsufficientCreditsError);
  assert.deepEqual([poor.code, poor.required, poor.available], ["insufficient_credits", 3, 1]);
});

test("with a test key each end comes on demand, at once and for nothing", async () => {
  const house = await startTestService();
  try {
    const { service } = house;
    const { plain } = await adminOf(service).createKey(service.first!.account_id, "sdk", readRights({ mode: "test" }));
    const fetch: Fetch = (url, init) => service.app(new Request(url, init), { address: "127.0.0.1" });
    const trial = new Tonwerk({ baseUrl: "http://localhost", apiKey: plain, fetch });
    const failed = await trial.effects
      .create({ prompt: "door knock" }, { testOutcome: "generation_timeout" })
      .wait()
      .catch((error) => error);
    assert.ok(failed instanceof OperationFailedError && failed.code === "generation_timeout", String(failed));
    const made = await trial.effects.create({ prompt: "door knock" }).wait();
    assert.equal(made.test, true);
    const unknown = await trial.effects
      .create({ prompt: "x" }, { testOutcome: "no_such_code" })
      .catch((error) => error);
    assert.ok(unknown instanceof ValidationError);
  } finally {
    await house.stop();
  }
});

test("a delivery verifies; a changed, old or foreign one does not", async () => {
  const arrived = await new Promise<{ headers: Record<string, string>; body: string }>((resolve) => {
    const receiver = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += String(part);
      response.end();
      receiver.close();
      resolve({ headers: request.headers as Record<string, string>, body });
    });
    receiver.listen(0, "127.0.0.1", () => {
      const callback_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      void tonwerk.samples.create({ prompt: "kick", duration: 0.5, callback_url });
    });
  });
  const event = await verifyWebhook(arrived.body, arrived.headers, { secret: ["whsec_AAAA", SECRET] });
  assert.ok(event.type !== "ping");
  assert.deepEqual(
    [event.type, event.action, event.operation.status],
    ["create.new_sample.ready", "create.new_sample", "ready"],
  );
  const verify = (body: string, headers: Record<string, string>, secret = SECRET, now = Date.now()) =>
    verifyWebhook(body, headers, { secret, now });
  await assert.rejects(verify(`${arrived.body} `, arrived.headers), WebhookVerificationError);
  await assert.rejects(
    verify(arrived.body, arrived.headers, `whsec_${Buffer.alloc(32, 8).toString("base64")}`),
    WebhookVerificationError,
  );
  await assert.rejects(verify(arrived.body, arrived.headers, SECRET, Date.now() + 301_000), WebhookVerificationError);
  // What the official library signs.
  const now = new Date();
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(SECRET).sign("msg_1", now, '{"type":"a.b.ready","data":{"x":{"id":"op_1"}}}'),
    "webhook-type": "a.b.ready",
  };
  const enveloped = await verify('{"type":"a.b.ready","data":{"x":{"id":"op_1"}}}', headers);
  assert.ok(enveloped.type === "a.b.ready" && enveloped.operation.id === "op_1");
});

test("the package from its tarball, in an empty project, on Node and this runtime, with strict types", async () => {
  const built = join(folder, "package");
  await mkdir(built);
  await run(join(root, "node_modules/.bin/tsc"), ["-p", join(root, "sdk/typescript"), "--outDir", join(built, "dist")]);
  for (const name of ["package.json", "README.md"])
    await writeFile(join(built, name), await readFile(join(root, "sdk/typescript", name)));
  const project = join(folder, "project");
  const installed = join(project, "node_modules/@tonwerk/sdk");
  await mkdir(installed, { recursive: true });
  const { stdout: tarball } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: built });
  await run("tar", ["-xzf", join(folder, tarball.trim()), "-C", installed, "--strip-components=1"]);
  await writeFile(join(project, "package.json"), '{"type":"module"}');
  await writeFile(
    join(project, "main.ts"),
    [
      'import { Tonwerk } from "@tonwerk/sdk";',
      "const tonwerk = new Tonwerk();",
      'const effect = await tonwerk.effects.create({ prompt: "door knock", duration: 0.5 }).wait();',
      'await effect.output.download("knock.flac");',
      "const seconds: number = effect.output.duration;",
      'const song = () => tonwerk.songs.create({ lyrics: "la", prompt: "folk" }).wait();',
      "const kept = async (): Promise<string> => (await song()).outputs[0]!.url;",
      "console.log(seconds, typeof kept);",
      "// @ts-expect-error",
      'void (() => tonwerk.songs.create({ lyric: "la" }));',
      "// @ts-expect-error",
      "void (async () => (await tonwerk.effects.create({ prompt: 'x' })).output.url);",
    ].join("\n"),
  );
  const options = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--types",
    "",
    "--outDir",
    ".",
  ];
  await run(join(root, "node_modules/.bin/tsc"), [...options, "main.ts"], { cwd: project });
  const node = findProgram("node");
  const runtimes = [[process.execPath, "run", ...(IS_DENO ? ["-A"] : [])], ...(node === undefined ? [] : [[node]])];
  for (const [program = "", ...args] of runtimes) {
    const env = { ...process.env, TONWERK_URL: server.url, TONWERK_KEY: KEY };
    const { stdout } = await run(program, [...args, "main.js"], { cwd: project, env });
    assert.equal(stdout, "0.5 function\n");
    assert.equal((await readFile(join(project, "knock.flac"))).subarray(0, 4).toString("latin1"), "fLaC");
    await rm(join(project, "knock.flac"));
  }
});
