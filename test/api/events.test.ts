/** Server-sent events of one operation and of an account: what happens is told, what ended meanwhile is told to whoever comes again. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { serve } from "../../core/adapters/runtime/runtime.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { adminOf, hastyClock, startTestService, type TestService } from "../service.ts";

const STEPS = 3;
const STEP_MS = 700;

let tonwerk: TestService;
let folder: string;
let url: string;
let account_id: string;

before(async () => {
  folder = await pluginFolder(["events", "files"]);
  await addAction(folder, "test.quick");
  await addAction(folder, "test.failing", { process: '({ fail }) => fail("never", "Never")', failures: '["never"]' });
  await addAction(folder, "test.stepped", {
    process: `async ({ sources, progress }) => {
      for (let step = 1; step <= ${STEPS}; step++) {
        progress(step / ${STEPS + 1}, "step " + step);
        await new Promise((done) => setTimeout(done, ${STEP_MS}));
      }
      return { audio: sources.source, engine: "copy", report: { beats: [1] } };
    }`,
  });
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder, TONWERK_WORKERS: "2" } });
  url = (await tonwerk.json("PUT", "/v1/files", wav(tone(440, 0.5, { channels: 1 }).channels))).body.file.url;
  account_id = (await tonwerk.json("GET", "/v1/account")).body.account.id;
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

async function submit(action: string, on = tonwerk): Promise<string> {
  const { body } = await on.json("PUT", `/v1/${action}`, { idempotency_key: randomUUID(), source: { url } });
  return body[action.replace(".", "_")].id;
}

interface Told {
  readonly name: string;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: read as a client reads it
  readonly data: any;
}

/** Reads as the standard says: fields of a block, and what stands before each colon. */
class Reader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";
  /** Of the last block with an id, dispatched or not. */
  last_id = "";
  comments = 0;
  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }
  /** Undefined: the stream has ended. */
  async next(): Promise<Told | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end === -1) {
        const { value, done } = await this.#reader.read();
        if (done) return undefined;
        this.#text += this.#decoder.decode(value, { stream: true });
        continue;
      }
      const block = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      const fields = new Map(
        block.split("\n").map((line) => [line.split(": ")[0]!, line.slice(line.indexOf(": ") + 2)]),
      );
      const id = fields.get("id");
      if (id !== undefined) this.last_id = id;
      if (fields.has("")) this.comments++;
      const data = fields.get("data");
      if (data !== undefined) return { name: fields.get("event") ?? "message", id, data: JSON.parse(data) };
    }
  }
  async until(isLast: (told: Told) => boolean): Promise<Told[]> {
    const all: Told[] = [];
    for (let told = await this.next(); told !== undefined; told = await this.next()) {
      all.push(told);
      if (isLast(told)) return all;
    }
    throw new Error(`The stream ended after ${JSON.stringify(all)}`);
  }
  async close(): Promise<void> {
    await this.#reader.cancel();
  }
}

async function follow(path: string, last_id?: string, on = tonwerk): Promise<Reader> {
  const response = await on.call("GET", path, undefined, last_id === undefined ? {} : { "last-event-id": last_id });
  assert.equal(response.status, 200, path);
  assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/u);
  return new Reader(response.body!);
}

test("an operation's stream tells its state, progress with stages, its end, and ends", async () => {
  const id = await submit("test.stepped");
  const reader = await follow(`/v1/operations/${id}/events`);
  const told: Told[] = [];
  for (let one = await reader.next(); one !== undefined; one = await reader.next()) told.push(one);
  const end = told.pop()!;
  assert.deepEqual([end.name, end.data.status, end.data.id, end.data.action], ["ready", "ready", id, "test.stepped"]);
  const { action: _, ...listed } = (await tonwerk.json("GET", `/v1/operations?ids=${id}`)).body.operations[0];
  const { action: __, ...sent } = end.data;
  assert.deepEqual(sent, listed);
  assert.ok(!("report" in end.data.output));
  assert.equal(told[0]!.data.progress, 0);
  for (const { name, id: place } of told) assert.deepEqual([name, place], ["progress", undefined]);
  const stages = told.map(({ data }) => data.stage);
  for (let step = 1; step <= STEPS; step++) assert.ok(stages.includes(`step ${step}`), String(stages));
  const numbers = told.map(({ data }) => data.progress);
  assert.deepEqual(numbers, [...numbers].sort());
  assert.equal(new Set(told.map(({ data }) => JSON.stringify(data))).size, told.length, "nothing is told twice");

  // Whoever comes late is told the end, and whoever has it nothing.
  const late = await (await follow(`/v1/operations/${id}/events`)).until(() => true);
  assert.deepEqual(late, [end]);
  const again = await tonwerk.call("GET", `/v1/operations/${id}/events`, undefined, { "last-event-id": end.id! });
  assert.equal(again.status, 204);
});

test("an account's stream tells of all its operations, and resumes after the last one that was read", async () => {
  const reader = await follow("/v1/events");
  const [stepped, failing] = [await submit("test.stepped"), await submit("test.failing")];
  const first = await reader.until(({ name }) => name === "failed");
  assert.deepEqual([first.at(-1)!.data.id, first.at(-1)!.data.error.code], [failing, "never"]);
  await reader.close();
  const place = reader.last_id;
  await tonwerk.json("GET", `/v1/operations/${stepped}?wait=true`);
  const quick = await submit("test.quick");
  await tonwerk.json("GET", `/v1/operations/${quick}?wait=true`);

  const next = await follow("/v1/events", place);
  const told = (await next.until(({ data }) => data.id === quick)).filter(({ id }) => id !== undefined);
  // At least once; what was told already may come again, but not the last one that was read.
  assert.ok(!told.some(({ data }) => data.id === failing));
  assert.deepEqual(
    told.slice(-2).map(({ data }) => data.id),
    [stepped, quick],
  );
  const live = await submit("test.quick");
  assert.equal((await next.until(({ id }) => id !== undefined)).at(-1)!.data.id, live);
  await next.close();
});

test("who broke off before anything was told resumes where the stream began", async () => {
  const reader = await follow("/v1/events");
  const pending = reader.next();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await reader.close();
  await pending;
  assert.match(reader.last_id, /^\d+$/u);
  const id = await submit("test.quick");
  await tonwerk.json("GET", `/v1/operations/${id}?wait=true`);
  const next = await follow("/v1/events", reader.last_id);
  await next.until(({ data }) => data.id === id);
  await next.close();
});

test("another account sees nothing of it", async () => {
  const { key } = await adminOf(tonwerk.service).createAccount({ name: "other", credits: 10 });
  const id = await submit("test.stepped");
  const theirs = { authorization: `Bearer ${key.plain}` };
  assert.equal((await tonwerk.call("GET", `/v1/operations/${id}/events`, undefined, theirs)).status, 404);
  const response = await tonwerk.call("GET", "/v1/events", undefined, theirs);
  const reader = new Reader(response.body!);
  const pending = reader.next();
  await tonwerk.json("GET", `/v1/operations/${id}?wait=true`);
  await reader.close();
  assert.equal(await pending, undefined);
  for (const bad of ["x", "op_1", "1-2"]) {
    const refused = await tonwerk.json("GET", "/v1/events", undefined, { "last-event-id": bad });
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ["header", "last-event-id"]]);
  }
  const head = await tonwerk.call("HEAD", "/v1/events");
  assert.deepEqual([head.status, await head.text()], [200, ""]);
});

test("a stream counts as a long-poll while it is open, on either side", async () => {
  const admin = adminOf(tonwerk.service);
  await admin.updateSettings(account_id, { long_polls: 1 });
  try {
    const reader = await follow("/v1/events");
    const refused = await tonwerk.json("GET", "/v1/events");
    assert.deepEqual([refused.status, refused.body.code], [429, "too_many_long_polls"]);
    await reader.close();
    await (await follow("/v1/events")).close();
    // One that ends by itself gives its place back too.
    const id = await submit("test.quick");
    const ending = await follow(`/v1/operations/${id}/events`);
    while ((await ending.next()) !== undefined);
    await (await follow("/v1/events")).close();
  } finally {
    await admin.updateSettings(account_id, { long_polls: null });
  }
});

test("a revoked key ends the account's streams, and nobody else's", async () => {
  const admin = adminOf(tonwerk.service);
  const { account } = await admin.createAccount({ name: "neighbour", credits: 10 });
  const { id, plain } = await admin.createKey(account_id, "short-lived");
  const own = await tonwerk.call("GET", "/v1/events", undefined, { authorization: `Bearer ${plain}` });
  const neighbour = await admin.createKey(account.id, "theirs");
  const theirs = await tonwerk.call("GET", "/v1/events", undefined, { authorization: `Bearer ${neighbour.plain}` });
  const [reader, other] = [new Reader(own.body!), new Reader(theirs.body!)];
  await admin.revokeKey(account_id, id);
  assert.equal(await reader.next(), undefined);
  const still = await Promise.race([other.next(), new Promise((resolve) => setTimeout(resolve, 50, "open"))]);
  assert.equal(still, "open");
  await other.close();
});

test("a reader who does not read is let go, and loses nothing by it", async () => {
  const { key, account } = await adminOf(tonwerk.service).createAccount({ name: "slow", credits: 1_000 });
  const theirs = { authorization: `Bearer ${key.plain}` };
  const response = await tonwerk.call("GET", "/v1/events", undefined, theirs);
  const ids = new Set<string>();
  for (let n = 0; n < 300; n++) {
    const { body } = await tonwerk.json(
      "PUT",
      "/v1/test.quick",
      { idempotency_key: randomUUID(), source: { url } },
      theirs,
    );
    const { id } = body.test_quick;
    ids.add(id);
    await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id }, theirs);
  }
  const reader = new Reader(response.body!);
  const seen = new Set<string>();
  for (let one = await reader.next(); one !== undefined; one = await reader.next())
    if (one.id !== undefined) seen.add(one.data.id);
  assert.ok(seen.size < ids.size, "the stream was closed before all was told");
  const again = await tonwerk.call("GET", "/v1/events", undefined, { ...theirs, "last-event-id": reader.last_id });
  const next = new Reader(again.body!);
  while (seen.size < ids.size) {
    const one = await next.next();
    assert.ok(one !== undefined);
    if (one.id !== undefined) seen.add(one.data.id);
  }
  await next.close();
  assert.deepEqual([...seen].sort(), [...ids].sort());
  assert.equal((await tonwerk.service.store.account(account.id))?.id, account.id);
});

test("over a connection: heartbeats while nothing happens, and a node that drains lets go", async () => {
  const hasty = await startTestService({ env: { TONWERK_PLUGINS: folder }, clock: hastyClock(100) });
  const server = await serve({ hostname: "127.0.0.1", port: 0, fetch: hasty.service.app });
  try {
    const headers = { authorization: `Bearer ${hasty.key}` };
    const response = await fetch(`${server.url}/v1/events`, { headers });
    const reader = new Reader(response.body!);
    const ended = reader.next();
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.ok(reader.comments >= 2, `${reader.comments} heartbeats`);
    // A client that goes gives its place back.
    const gone = new AbortController();
    const other = await fetch(`${server.url}/v1/events`, { headers, signal: gone.signal });
    await other.body!.getReader().read();
    gone.abort();
    await hasty.service.drain(1_000);
    assert.equal(await ended, undefined);
    assert.equal((await hasty.json("GET", "/v1/events")).status, 503);
  } finally {
    await server.stop();
    await hasty.stop();
  }
});
