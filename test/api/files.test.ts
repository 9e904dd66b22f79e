import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { serve } from "../../core/adapters/runtime/runtime.ts";
import { hashApiKey, lastFour, newApiKey } from "../../core/base/keys.ts";
import { expire, startUpkeep, sweepOrphans } from "../../core/work/upkeep.ts";
import { noise, tone } from "../../packages/plugin/testing.ts";
import { uploadLimits } from "../../plugins/files/upload.ts";
import { silentFlac, wav } from "../audio.ts";
import { fakeClock } from "../clock.ts";
import { scratchOf, startTestService, type TestService } from "../service.ts";

/** The time of the service, moved by hand; timers stay real. */
let shift_ms = 0;
let tonwerk: TestService;
before(async () => {
  const { systemClock } = await import("../../core/base/timers.ts");
  const clock = { ...systemClock, now: () => Date.now() + shift_ms };
  tonwerk = await startTestService({ clock, env: { TONWERK_URL_SECONDS: "600", TONWERK_RETENTION_DAYS: "2" } });
});
after(() => tonwerk.stop());

const HOUR_MS = 3_600_000;
const song = wav(noise(1, { channels: 2 }).channels);

async function upload(bytes: Uint8Array = song) {
  const { status, body } = await tonwerk.json("PUT", "/v1/files", bytes);
  assert.equal(status, 200, JSON.stringify(body));
  return body.file;
}

/** Without a key, as a browser would. */
async function get(url: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Response> {
  const response = await tonwerk.service.app(new Request(url, { method, headers }), { address: "198.51.100.1" });
  // Read to the end, so that no file stays open.
  return new Response(response.body === null ? null : await response.arrayBuffer(), response);
}

test("PUT /v1/files stores what it is sent, byte for byte, at a signed URL that needs no key", async () => {
  const file = await upload();
  assert.match(file.id, /^file_[0-9a-z]{26}$/);
  assert.equal(file.duration, 1);
  assert.ok(Date.parse(file.expires_at) > Date.now());
  const response = await get(file.url);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "audio/wav");
  assert.equal(response.headers.get("content-length"), String(song.length));
  assert.equal(response.headers.get("cache-control"), "private, no-store");
  assert.equal(response.headers.get("accept-ranges"), "bytes");
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), song);
});

test("an upload with any content type or none is judged by its content", async () => {
  for (const type of ["audio/flac", "text/plain", "application/json", "multipart/form-data"]) {
    const { status } = await tonwerk.json("PUT", "/v1/files", song, { "content-type": type });
    assert.equal(status, 200, type);
  }
});

test("PUT /v1/files refuses what lasts longer than the longest source of any action", async () => {
  const { seconds_max } = uploadLimits(tonwerk.service.registry, 1);
  assert.equal(seconds_max, 600);
  assert.equal(uploadLimits({ actions: new Map() }, 1).seconds_max, 60);
  const { status, body } = await tonwerk.json("PUT", "/v1/files", silentFlac(seconds_max + 2));
  assert.equal(status, 422);
  assert.equal(body.detail[0].type, "audio_invalid");
  assert.match(body.detail[0].msg, /lasts longer than 600 s/);
});

test("PUT /v1/files refuses what is no audio with 422 and keeps nothing of it", async () => {
  const before = await count();
  const text = (value: string) => new TextEncoder().encode(value);
  const cases: readonly [what: string, bytes: Uint8Array][] = [
    ["nothing", new Uint8Array(0)],
    ["one byte", new Uint8Array(1)],
    ["zeros", new Uint8Array(10_000)],
    ["HTML", text("<!doctype html><html><body>RIFF</body></html>")],
    ["SVG", text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["a playlist", text("#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n")],
    ["a concat script", text("ffconcat version 1.0\nfile '/etc/passwd'\n")],
    ["a WAV header alone", song.slice(0, 44)],
    ["half a header", song.slice(0, 30)],
    ["NaN samples", wav([new Float32Array(44_100).fill(Number.NaN)], { samples: "f32" })],
    ["zero channels", wav([new Float32Array(100)], { claimed_channels: 0 })],
    ["rate zero", wav([new Float32Array(100)], { claimed_rate: 0 })],
  ];
  for (const [what, bytes] of cases) {
    const { status, body } = await tonwerk.json("PUT", "/v1/files", bytes);
    assert.equal(status, 422, `${what}: ${JSON.stringify(body)}`);
    assert.deepEqual(body.detail[0].loc, ["body"], what);
    assert.equal(body.detail[0].type, "audio_invalid", what);
    assert.doesNotMatch(body.detail[0].msg, /: Cannot/u, what);
  }
  assert.equal(await count(), before);
  assert.deepEqual(await readdir(await scratchOf(tonwerk.data)), []);
});

async function count(): Promise<number> {
  let objects = 0;
  for await (const _ of tonwerk.service.bucket.list("files/")) objects++;
  return objects;
}

test("PUT /v1/files stops reading above 50 MB, announced or not", async () => {
  const announced = await tonwerk.json("PUT", "/v1/files", song, { "content-length": "50000001" });
  assert.equal(announced.status, 413);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1_000_000;
      controller.enqueue(new Uint8Array(1_000_000));
    },
  });
  const headers = { authorization: `Bearer ${tonwerk.key}` };
  const request = new Request("http://x.test/v1/files", {
    method: "PUT",
    headers,
    body: endless,
    duplex: "half",
  } as RequestInit);
  const response = await tonwerk.service.app(request, { address: "127.0.0.1" });
  assert.equal(response.status, 413);
  assert.ok(sent < 60_000_000, String(sent));
  assert.deepEqual(await readdir(await scratchOf(tonwerk.data)), []);
});

test("ranges: first, last, open, outside, several and nonsense", async () => {
  const { url } = await upload();
  const bytes = song.length;
  const cases: readonly [range: string, status: number, from: number, to: number][] = [
    ["bytes=0-99", 206, 0, 99],
    ["bytes=100-", 206, 100, bytes - 1],
    ["bytes=-10", 206, bytes - 10, bytes - 1],
    [`bytes=${bytes - 1}-${bytes + 50}`, 206, bytes - 1, bytes - 1],
    [`bytes=-${bytes * 2}`, 206, 0, bytes - 1],
    ["bytes=0-1,5-6", 200, 0, bytes - 1],
    ["bytes=5-2", 200, 0, bytes - 1],
    ["items=0-1", 200, 0, bytes - 1],
    ["bytes=x", 200, 0, bytes - 1],
  ];
  for (const [range, status, from, to] of cases) {
    const response = await get(url, { range });
    assert.equal(response.status, status, range);
    const got = new Uint8Array(await response.arrayBuffer());
    assert.deepEqual(got, song.slice(from, to + 1), range);
    assert.equal(response.headers.get("content-length"), String(got.length), range);
    if (status === 206) assert.equal(response.headers.get("content-range"), `bytes ${from}-${to}/${bytes}`, range);
  }
  for (const range of [`bytes=${bytes}-`, "bytes=-0"]) {
    const response = await get(url, { range });
    assert.equal(response.status, 416, range);
    assert.equal(response.headers.get("content-range"), `bytes */${bytes}`);
  }
  const head = await get(url, {}, "HEAD");
  assert.equal(head.status, 200);
  assert.equal(head.headers.get("content-length"), String(bytes));
  assert.equal((await head.arrayBuffer()).byteLength, 0);
});

test("If-None-Match, and If-Range beside Range", async () => {
  const { url } = await upload();
  const { url: other } = await upload();
  const whole = await get(url);
  const etag = whole.headers.get("etag") ?? "";
  assert.match(etag, /^"[\w-]{20,}"$/);
  assert.notEqual((await get(other)).headers.get("etag"), etag);
  for (const value of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    for (const method of ["GET", "HEAD"]) {
      const response = await get(url, { "if-none-match": value, range: "bytes=0-9" }, method);
      assert.deepEqual([response.status, response.headers.get("etag")], [304, etag], value);
      assert.equal((await response.arrayBuffer()).byteLength, 0);
    }
  }
  assert.equal((await get(url, { "if-none-match": '"x"' })).status, 200);
  for (const [value, status] of [
    [etag, 206],
    [`W/${etag}`, 200],
    ['"x"', 200],
    ["Mon, 23 Nov 2026 12:00:00 GMT", 200],
  ] as const) {
    const response = await get(url, { "if-range": value, range: "bytes=0-9" });
    assert.deepEqual(
      [response.status, (await response.arrayBuffer()).byteLength],
      [status, status === 206 ? 10 : song.length],
    );
  }
});

test("a download through a socket has its length, whole and by range", async () => {
  const { url } = await upload();
  const server = await serve({ hostname: "127.0.0.1", port: 0, fetch: tonwerk.service.app });
  try {
    const { pathname, search } = new URL(url);
    for (const [range, bytes] of [
      ["bytes=0-", song.length],
      ["bytes=100-199", 100],
      ["bytes=x", song.length],
    ] as const) {
      const response = await fetch(server.url + pathname + search, { headers: { range } });
      const { headers } = response;
      // What Bun reads out of S3 it may send in chunks, whatever length is given with it.
      if (process.env.TONWERK_TEST_STACK !== "nodes" || "Deno" in globalThis)
        assert.deepEqual([headers.get("content-length"), headers.get("transfer-encoding")], [String(bytes), null]);
      assert.equal(headers.get("content-type"), "audio/wav");
      assert.equal(headers.get("content-disposition"), "inline");
      const from = range === "bytes=100-199" ? 100 : 0;
      assert.deepEqual(new Uint8Array(await response.arrayBuffer()), song.slice(from, from + bytes));
    }
  } finally {
    await server.stop();
  }
});

test("a URL that was changed anywhere is a 403 with a text", async () => {
  const { url } = await upload();
  const other = await upload();
  const { pathname, search, origin } = new URL(url);
  const changed = [
    `${origin}${pathname}`,
    `${origin}${pathname}${search}0`,
    `${origin}${pathname}${search.replace(/expires=(\d)/, "expires=9")}`,
    `${origin}${new URL(other.url).pathname}${search}`,
    `${origin}${pathname}${search}&disposition=attachment`,
    `${origin}/audio/../secret${search}`,
    `${origin}/audio/%2e%2e/secret${search}`,
    `${origin}/audio/op%00${search}`,
    `${origin}/audio//etc/passwd${search}`,
  ];
  for (const wrong of changed) {
    const response = await get(wrong);
    assert.ok(response.status === 403 || response.status === 404, `${wrong}: ${response.status}`);
    assert.equal(typeof ((await response.json()) as { detail: unknown }).detail, "string");
  }
});

test("a URL stops working at expires_at, and another GET gives a fresh one", async () => {
  const file = await upload();
  shift_ms += Date.parse(file.expires_at) - Date.now() - shift_ms - 1000;
  assert.equal((await get(file.url)).status, 200);
  shift_ms += 1500;
  assert.equal((await get(file.url)).status, 403);
  const { status, body } = await tonwerk.json("GET", `/v1/files?id=${file.id}`);
  assert.equal(status, 200);
  assert.notEqual(body.file.url, file.url);
  const left = Date.parse(body.file.expires_at) - Date.now() - shift_ms;
  assert.ok(left >= 300_000 && left <= 600_000, String(left));
  assert.equal((await get(body.file.url)).status, 200);
  const again = await tonwerk.json("GET", `/v1/files?id=${file.id}`);
  assert.equal(again.body.file.url, body.file.url);
});

test("GET /v1/files: ill-formed 422, unknown and foreign the same 404", async () => {
  const file = await upload();
  const stranger = newApiKey();
  const { store } = tonwerk.service;
  await store.createAccount({ id: "acc_stranger", name: "Stranger", credits: 5, created_at: 0 });
  const row = {
    id: "key_stranger",
    account_id: "acc_stranger",
    label: "",
    sha256: hashApiKey(stranger),
    last_four: lastFour(stranger),
    created_at: 0,
  };
  await store.createKey(row);
  assert.equal((await tonwerk.json("GET", "/v1/files?id=nonsense")).status, 422);
  const unknown = await tonwerk.json("GET", "/v1/files?id=file_00000000000000000000000000");
  const foreign = await tonwerk.json("GET", `/v1/files?id=${file.id}`, undefined, {
    authorization: `Bearer ${stranger}`,
  });
  assert.deepEqual([unknown.status, foreign.status], [404, 404]);
  assert.deepEqual(unknown.body, foreign.body);
});

test("an upload is forgotten a day after its last use, and an operation after its retention, files and all", async () => {
  const { service } = tonwerk;
  const unused = await upload();
  const used = await upload();
  shift_ms += 23 * HOUR_MS;
  const fresh = (await tonwerk.json("GET", `/v1/files?id=${used.id}`)).body.file.url;
  const key = randomUUID();
  const body = { idempotency_key: key, source: { url: fresh } };
  const { id } = (await tonwerk.json("PUT", "/v1/adapt.normalise_loudness", body)).body.normalised_audio;
  const path = `/v1/adapt.normalise_loudness?id=${id}`;
  const { output } = (await tonwerk.json("GET", `${path}&wait=true`)).body.normalised_audio;
  assert.ok(output !== null);

  shift_ms += 2 * HOUR_MS;
  assert.equal((await tonwerk.json("GET", `/v1/files?id=${unused.id}`)).status, 404);
  await expire(service);
  assert.equal(await service.store.file(unused.id), undefined);
  assert.ok(await service.store.file(used.id));
  assert.equal((await tonwerk.json("GET", path)).status, 200);

  shift_ms += 48 * HOUR_MS;
  assert.equal((await tonwerk.json("GET", path)).status, 404);
  await expire(service);
  assert.equal(await service.store.operation(id), undefined);
  assert.equal(await service.store.file(used.id), undefined);
  for await (const { key: left } of service.bucket.list("op/")) assert.ok(!left.includes(id), left);
  // The key went with the operation: it may be used again.
  const another = { ...body, source: { url: (await upload()).url } };
  const again = await tonwerk.json("PUT", "/v1/adapt.normalise_loudness", another);
  assert.equal(again.headers.get("idempotent-replayed"), null);
  assert.notEqual(again.body.normalised_audio.id, id);
});

test("only nodes that do work search the bucket for what nothing names", async () => {
  const { service } = tonwerk;
  const clock = fakeClock(Date.now());
  const seen: string[] = [];
  const swept = Promise.withResolvers<void>();
  const bucket = {
    ...service.bucket,
    list(prefix: string) {
      seen.push(prefix);
      return service.bucket.list(prefix);
    },
    async sweep(before: number) {
      const count = await service.bucket.sweep(before);
      swept.resolve();
      return count;
    },
  };
  const stop = startUpkeep({ ...service, clock, bucket }, { sweeps: false });
  clock.advance(HOUR_MS);
  stop();
  assert.deepEqual(seen, []);
  const stopWorker = startUpkeep({ ...service, clock, bucket }, { sweeps: true });
  clock.advance(HOUR_MS);
  await swept.promise;
  stopWorker();
  assert.deepEqual(seen, ["op/", "files/"]);
});

test("objects that nothing names are swept after a day, what was kept beside them at once, and no other", async () => {
  const { service } = tonwerk;
  const file = await upload(wav(tone(440, 0.2).channels));
  const orphan = "op/op_00000000000000000000000000/1/0.flac";
  await service.bucket.put(orphan, new Uint8Array(10), "audio/flac");
  const now = { ...service.clock, now: () => Date.now() };
  assert.equal(await sweepOrphans({ ...service, clock: now }), 0);
  assert.ok(await service.bucket.stat(orphan));
  const form = `${orphan}.kept.16.wav`;
  await service.bucket.put(form, new Uint8Array(10), "audio/wav");
  assert.equal(await sweepOrphans({ ...service, clock: now }), 1);
  assert.equal(await service.bucket.stat(form), undefined);
  assert.ok(await service.bucket.stat(orphan));
  const tomorrow = { ...service.clock, now: () => Date.now() + 25 * HOUR_MS };
  assert.ok((await sweepOrphans({ ...service, clock: tomorrow })) >= 1);
  assert.equal(await service.bucket.stat(orphan), undefined);
  assert.equal((await get((await tonwerk.json("GET", `/v1/files?id=${file.id}`)).body.file.url)).status, 200);
});
