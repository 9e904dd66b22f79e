/** Uploads by their owner: found again by their key, listed, read and deleted. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { systemClock } from "../../core/base/timers.ts";
import { expire } from "../../core/work/upkeep.ts";
import { noise } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { type Answer, adminOf, startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
/** The time of the service, moved by hand; timers stay real. */
let shift_ms = 0;
before(async () => {
  tonwerk = await startTestService({ clock: { ...systemClock, now: () => Date.now() + shift_ms } });
});
after(() => tonwerk.stop());

const DAY_MS = 86_400_000;
const ACTION = "/v1/adapt.normalise_loudness";
const song = wav(noise(1).channels);
const other_song = wav(noise(2).channels);

/** Another account of the service. */
async function another(settings: { readonly upload_bytes?: number } = {}) {
  const { key } = await adminOf(tonwerk.service).createAccount({ name: "Another", credits: 100, settings });
  const authorization = `Bearer ${key.plain}`;
  return (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    tonwerk.json(method, path, body, { authorization, ...headers });
}
type Call = Awaited<ReturnType<typeof another>>;

const put = (call: Call, key: string, body: unknown = song) =>
  call("PUT", "/v1/files", body, { "idempotency-key": key });
const used = async (call: Call) => (await call("GET", "/v1/account")).body.account.limits.upload_bytes.used;

async function objects(): Promise<number> {
  let count = 0;
  for await (const _ of tonwerk.service.bucket.list("files/")) count++;
  return count;
}

test("the same key with the same bytes is the same upload, with a URL that works", async () => {
  const call = await another();
  const key = randomUUID();
  const first = await put(call, key.toUpperCase());
  assert.deepEqual([first.status, first.headers.get("idempotent-replayed")], [200, null]);
  shift_ms = 3 * 3_600_000;
  const again = await put(call, key);
  assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [200, "true"]);
  assert.equal(again.body.file.id, first.body.file.id);
  assert.equal(again.body.file.created_at, first.body.file.created_at);
  assert.notEqual(again.body.file.url, first.body.file.url);
  assert.ok(again.body.file.kept_until > first.body.file.kept_until, "to be found is a use");
  const { status } = await tonwerk.call("GET", again.body.file.url);
  assert.equal(status, 200);
  assert.equal(await used(call), song.length);
  shift_ms = 0;
});

test("a body without a length is found again by its key too", async () => {
  const key = randomUUID();
  const { id } = (await put(tonwerk.json, key)).body.file;
  const chunks = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < song.length; at += 30_000) controller.enqueue(song.slice(at, at + 30_000));
      controller.close();
    },
  });
  const headers = { authorization: `Bearer ${tonwerk.key}`, "idempotency-key": key };
  const init = { method: "PUT", headers, body: chunks, duplex: "half" } as RequestInit;
  const answer = await tonwerk.service.app(new Request("http://x.test/v1/files", init), { address: "127.0.0.1" });
  assert.equal(answer.headers.get("idempotent-replayed"), "true");
  assert.equal(((await answer.json()) as Answer["body"]).file.id, id);
});

test("the key of an upload with other bytes, or of something else, is a 422 at the header", async () => {
  const call = await another();
  const key = randomUUID();
  const { url } = (await put(call, key)).body.file;
  const before_it = await objects();
  const reused = await put(call, key, other_song);
  assert.deepEqual([reused.status, reused.body.code], [422, "idempotency_key_reused"]);
  assert.deepEqual(reused.body.detail[0].loc, ["header", "idempotency-key"]);
  const submitted = await call("PUT", ACTION, { idempotency_key: key, source: { url } });
  assert.deepEqual([submitted.status, submitted.body.code], [422, "idempotency_key_reused"]);
  const of_operation = randomUUID();
  assert.equal((await call("PUT", ACTION, { idempotency_key: of_operation, source: { url } })).status, 200);
  assert.equal((await put(call, of_operation)).body.code, "idempotency_key_reused");
  const wrong = await put(call, "take-1");
  assert.deepEqual([wrong.status, wrong.body.detail[0].type], [422, "uuid"]);
  assert.equal(await objects(), before_it);
  const foreign = await another();
  assert.equal((await put(foreign, key, other_song)).status, 200, "keys are the account's");
});

test("parallel twins make one file", async () => {
  const call = await another();
  const key = randomUUID();
  const before_it = await objects();
  const twins = await Promise.all(Array.from({ length: 4 }, () => put(call, key)));
  assert.deepEqual(
    twins.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.equal(new Set(twins.map(({ body }) => body.file.id)).size, 1);
  assert.equal(twins.filter(({ headers }) => headers.get("idempotent-replayed") === "true").length, 3);
  assert.equal(await objects(), before_it + 1);
  assert.equal(await used(call), song.length);
});

test("an upload that is there already needs no room, and one that is gone is made again", async () => {
  const call = await another({ upload_bytes: song.length });
  const key = randomUUID();
  const { id } = (await put(call, key)).body.file;
  assert.equal((await put(call, randomUUID())).body.code, "upload_quota_reached");
  assert.equal((await put(call, key)).body.file.id, id);
  assert.equal((await call("DELETE", `/v1/files/${id}`)).status, 200);
  const made = await put(call, key);
  assert.deepEqual([made.status, made.headers.get("idempotent-replayed")], [200, null]);
  assert.notEqual(made.body.file.id, id);
  assert.equal((await put(call, key)).body.file.id, made.body.file.id);
  shift_ms = DAY_MS + 1_000;
  await expire(tonwerk.service);
  const late = await put(call, key);
  assert.equal(late.headers.get("idempotent-replayed"), null);
  assert.notEqual(late.body.file.id, made.body.file.id);
  shift_ms = 0;
});

test("a refused upload binds no key", async () => {
  const call = await another();
  const key = randomUUID();
  assert.equal((await put(call, key, new Uint8Array(100))).body.code, "audio_invalid");
  assert.equal((await put(call, key)).status, 200);
});

test("uploads are listed, newest first, page by page, with what is known of them", async () => {
  const call = await another();
  assert.deepEqual((await call("GET", "/v1/files")).body, { files: [], next_cursor: null });
  const names = ["take%201.wav", "Stück.wav", ""];
  const made: Answer["body"][] = [];
  for (const name of names)
    made.push((await call("PUT", name === "" ? "/v1/files" : `/v1/files?name=${name}`, song)).body.file);
  const { body } = await call("GET", "/v1/files?limit=2");
  assert.deepEqual(
    body.files.map(({ name }: { name: string }) => name),
    [null, "Stück.wav"],
  );
  assert.equal(body.next_cursor, made[1].id);
  const next = (await call("GET", `/v1/files?limit=2&cursor=${body.next_cursor}`)).body;
  assert.deepEqual(next, { files: [made[0]], next_cursor: null });
  const { id, url, expires_at, created_at, kept_until, ...rest } = made[0];
  assert.deepEqual(rest, {
    name: "take 1.wav",
    duration: 1,
    bytes: song.length,
    content_type: "audio/wav",
    in_use: false,
  });
  assert.ok(url.includes(id) && expires_at > created_at);
  assert.equal(Date.parse(kept_until) - Date.parse(created_at), DAY_MS);
  const foreign = await another();
  assert.deepEqual((await foreign("GET", "/v1/files")).body.files, []);
  shift_ms = DAY_MS + 1_000;
  assert.deepEqual((await call("GET", "/v1/files")).body.files, [], "their time is over");
  shift_ms = 0;
});

test("one is read by id, in the path or in the query, by its account alone", async () => {
  const call = await another();
  const { file } = (await call("PUT", "/v1/files", song)).body;
  const read = (await call("GET", `/v1/files/${file.id}`)).body;
  assert.equal(read.file.id, file.id);
  const queried = (await call("GET", `/v1/files?id=${file.id}`)).body;
  assert.deepEqual([queried.file.id, queried.files.length, queried.next_cursor], [file.id, 1, null]);
  const foreign = await another();
  for (const path of [`/v1/files/${file.id}`, `/v1/files?id=${file.id}`, "/v1/files/file_nothing"])
    assert.equal((await foreign("GET", path)).body.code, "file_not_found", path);
  const wrong = await call("GET", `/v1/files?id=${file.id}&limit=2`);
  assert.deepEqual([wrong.status, wrong.body.detail[0].loc], [422, ["query", "limit"]]);
  for (const query of ["?limit=0", "?limit=101", "?cursor=op_1", "?colour=red"])
    assert.equal((await call("GET", `/v1/files${query}`)).status, 422, query);
  for (const query of [`?name=${"x".repeat(201)}`, "?name=", "?name=a%0Ab", "?colour=red"])
    assert.equal((await call("PUT", `/v1/files${query}`, song)).status, 422, query);
});

test("DELETE forgets an upload with its bytes, and answers the same again", async () => {
  const call = await another();
  const { id, url } = (await call("PUT", "/v1/files", song)).body.file;
  const before_it = await objects();
  const foreign = await another();
  const unknown = await foreign("DELETE", `/v1/files/${id}`);
  assert.deepEqual([unknown.status, unknown.body], [200, { file: { id, deleted: true, in_use: false } }]);
  assert.equal((await call("GET", `/v1/files/${id}`)).status, 200, "it is not theirs");
  for (const _ of [1, 2]) {
    const { status, body } = await call("DELETE", `/v1/files/${id}`);
    assert.deepEqual([status, body], [200, { file: { id, deleted: true, in_use: false } }]);
  }
  assert.equal(await objects(), before_it - 1);
  assert.equal(await used(call), 0);
  assert.equal((await call("GET", `/v1/files/${id}`)).status, 404);
  assert.equal((await tonwerk.call("GET", url)).status, 404);
  assert.equal((await call("PATCH", `/v1/files/${id}`)).headers.get("allow"), "GET, HEAD, DELETE");
  assert.equal((await call("DELETE", "/v1/files/null")).body.code, "file_not_found", "what is no id never was a file");
});

test("what an operation under way reads is not lost to it, and to everybody else it is", async () => {
  const call = await another();
  // Long enough that it has not ended when it is deleted.
  const long = wav(noise(20, { channels: 2 }).channels);
  const { id, url } = (await call("PUT", "/v1/files", long)).body.file;
  const { body } = await call("PUT", ACTION, { idempotency_key: randomUUID(), source: { url } });
  const operation = body.normalised_audio.id;
  assert.equal((await call("GET", `/v1/files/${id}`)).body.file.in_use, true);
  assert.deepEqual((await call("DELETE", `/v1/files/${id}`)).body.file, { id, deleted: true, in_use: true });
  assert.equal((await call("GET", `/v1/files/${id}`)).status, 404);
  assert.deepEqual((await call("GET", "/v1/files")).body.files, []);
  assert.equal(await used(call), long.length, "its bytes count while they are there");
  await expire(tonwerk.service);
  let ended = await call("GET", `${ACTION}?id=${operation}&wait=true`);
  while (ended.body.normalised_audio.status === "processing")
    ended = await call("GET", `${ACTION}?id=${operation}&wait=true`);
  assert.equal(ended.body.normalised_audio.status, "ready", JSON.stringify(ended.body.normalised_audio.error));
  await expire(tonwerk.service);
  assert.equal(await used(call), 0);
  assert.equal((await tonwerk.call("GET", url)).status, 404);
});
