/** What uploads cost others: who waits for whom, how much an account may keep and open, and what free work is allowed. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Refusal } from "../../core/base/errors.ts";
import { systemClock } from "../../core/base/timers.ts";
import type { AccountSettings } from "../../core/ports/mod.ts";
import { expire } from "../../core/work/upkeep.ts";
import { upload } from "../../plugins/files/upload.ts";
import { silentFlac } from "../audio.ts";
import { type Answer, adminOf, scratchOf, startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
/** The time of the service, moved by hand; timers stay real. */
let shift_ms = 0;
before(async () => {
  const clock = { ...systemClock, now: () => Date.now() + shift_ms };
  tonwerk = await startTestService({ clock, env: { TONWERK_WORKERS: "1" } });
});
after(() => tonwerk.stop());

/** Another account of the service: uploads as it. */
async function another({ service, json }: TestService, name: string, settings: Partial<AccountSettings> = {}) {
  const { key, account } = await adminOf(service).createAccount({ name, credits: 100, settings });
  const headers = { authorization: `Bearer ${key.plain}` };
  return {
    id: account.id,
    call: (method: string, path: string, body?: unknown): Promise<Answer> => json(method, path, body, headers),
  };
}

/** A WAV of 8 bits and one channel at 8 kHz: short to send, and long to look at. */
function long(seconds: number): Uint8Array {
  const file = new Uint8Array(44 + seconds * 8_000).map((_, n) => 128 + ((n * n) % 64));
  const view = new DataView(file.buffer);
  const text = (at: number, value: string) => file.set(new TextEncoder().encode(value), at);
  text(0, "RIFF");
  view.setUint32(4, file.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8_000, true);
  view.setUint32(28, 8_000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, "data");
  view.setUint32(40, seconds * 8_000, true);
  return file;
}

test("an upload behind five heavy ones of another account is looked at after one of them at most", async () => {
  const other = await another(tonwerk, "Other");
  // 8 KB that take long to look at: as much silence as a file may hold.
  const heavy = silentFlac(590, 2, 48_000);
  let looked_at = 0;
  const uploads = Array.from({ length: 5 }, async () => {
    const { status } = await tonwerk.json("PUT", "/v1/files", heavy);
    assert.equal(status, 200);
    looked_at++;
  });
  // Until the pool is busy and the others wait.
  while (tonwerk.service.pool.stats().waiting < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const before_it = looked_at;
  const { status } = await other.call("PUT", "/v1/files", long(1));
  assert.equal(status, 200);
  assert.ok(looked_at - before_it <= 1, `${looked_at - before_it} were looked at first`);
  await Promise.all(uploads);
});

test("what is longer than any action takes is refused as an upload", async () => {
  const refused = await tonwerk.json("PUT", "/v1/files", long(601));
  assert.equal(refused.status, 422);
  assert.equal(refused.body.detail[0].type, "audio_invalid");
});

const ACTION = "/v1/adapt.normalise_loudness";
const DAY_MS = 86_400_000;

test("uploads and failed operations have a budget of processor time for each account and day", async () => {
  // Tomorrow, so that the day does not end meanwhile.
  shift_ms = DAY_MS - (Date.now() % DAY_MS) + 1_000;
  const spender = await another(tonwerk, "Spender", { free_seconds: 1 });
  const other = await another(tonwerk, "Saver", { free_seconds: 1 });
  const free = async () => (await spender.call("GET", "/v1/account")).body.account.limits.free_seconds;
  const midnight = new Date(Math.ceil((Date.now() + shift_ms) / DAY_MS) * DAY_MS).toISOString();
  assert.deepEqual(await free(), { limit: 1, used: 0, resets_at: midnight });

  const silent = (await spender.call("PUT", "/v1/files", silentFlac(590, 2))).body.file;
  const { used: looked } = await free();
  assert.ok(looked > 0);
  // Decoded in full before it is known that nothing is to be heard.
  const body = () => ({ idempotency_key: randomUUID(), source: { url: silent.url } });
  let refused: Answer | undefined;
  let id = "";
  while (refused === undefined) {
    const answer = await spender.call("PUT", ACTION, body());
    if (answer.status === 429) refused = answer;
    else {
      id = answer.body.normalised_audio.id;
      const ended = await spender.call("GET", `${ACTION}?id=${id}&wait=true`);
      assert.equal(ended.body.normalised_audio.error.code, "source_silent");
      const { used } = await free();
      assert.ok(used < 60, String(used));
    }
  }
  assert.ok((await free()).used >= 1);
  assert.match(refused.body.detail, /used up the 1 s of processor time/);
  const retry = Number(refused.headers.get("retry-after"));
  assert.ok(retry > 80_000 && retry <= DAY_MS / 1000, String(retry));
  assert.equal((await spender.call("PUT", "/v1/files", long(1))).status, 429);

  assert.equal((await spender.call("GET", `${ACTION}?id=${id}`)).status, 200);
  assert.equal((await spender.call("GET", `/v1/files?id=${silent.id}`)).status, 200);
  assert.equal((await spender.call("PUT", `${ACTION}?dry_run=true`, { source: { url: silent.url } })).status, 200);
  const cancel = { idempotency_key: randomUUID(), id };
  assert.equal((await spender.call("PUT", "/v1/operations.cancel", cancel)).status, 200);
  assert.equal((await other.call("PUT", "/v1/files", long(1))).status, 200);

  // Kept, so that another node and the next start know it.
  let stored = await tonwerk.service.store.account(spender.id);
  while ((stored?.free_ms ?? 0) < 1_000) stored = await tonwerk.service.store.account(spender.id);
  assert.equal(stored?.free_day, Date.parse(midnight) - DAY_MS);
  await tonwerk.service.store.updateSettings(spender.id, { free_seconds: 0 });
  assert.equal((await spender.call("PUT", "/v1/files", long(1))).status, 200, "0 is unlimited");
  await tonwerk.service.store.updateSettings(spender.id, { free_seconds: 1 });
  shift_ms += DAY_MS;
  assert.equal((await spender.call("PUT", "/v1/files", long(1))).status, 200, "another day");
  shift_ms = 0;
});

test("what charged work costs is not free work", async () => {
  const payer = await another(tonwerk, "Payer");
  const { url } = (await payer.call("PUT", "/v1/files", long(2))).body.file;
  const free = async () => (await payer.call("GET", "/v1/account")).body.account.limits.free_seconds.used;
  const before_it = await free();
  const { body } = await payer.call("PUT", ACTION, { idempotency_key: randomUUID(), source: { url } });
  const { id } = body.normalised_audio;
  const ended = await payer.call("GET", `${ACTION}?id=${id}&wait=true`);
  assert.equal(ended.body.normalised_audio.status, "ready");
  assert.equal(await free(), before_it);
});

test("the bytes of an account's uploads are limited, until some are forgotten", async () => {
  const small = await another(tonwerk, "Small", { upload_bytes: 100_000 });
  const kept = async () => (await small.call("GET", "/v1/account")).body.account.limits.upload_bytes;
  assert.equal((await small.call("PUT", "/v1/files", long(10))).status, 200);
  assert.deepEqual(await kept(), { limit: 100_000, used: 80_044 });
  const before_it = await objects();
  const refused = await small.call("PUT", "/v1/files", long(10));
  assert.equal(refused.status, 429);
  assert.match(refused.body.detail, /100,000 bytes together/);
  const retry = Number(refused.headers.get("retry-after"));
  assert.ok(retry > 86_000 && retry <= 86_400, String(retry));
  // Both have room when they come; one of them has when they are stored.
  const both = await Promise.all([small.call("PUT", "/v1/files", long(2)), small.call("PUT", "/v1/files", long(2))]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 429]);
  assert.equal(await objects(), before_it + 1);
  assert.deepEqual(await kept(), { limit: 100_000, used: 96_088 });
  shift_ms = DAY_MS + 1_000;
  await expire(tonwerk.service);
  assert.deepEqual(await kept(), { limit: 100_000, used: 0 });
  assert.equal((await small.call("PUT", "/v1/files", long(10))).status, 200);
  shift_ms = 0;
});

async function objects(): Promise<number> {
  let count = 0;
  for await (const _ of tonwerk.service.bucket.list("files/")) count++;
  return count;
}

/** A body of which nothing comes, until it is ended. */
function standing() {
  let end = () => {};
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      end = () => controller.close();
    },
  });
  return { stream, end };
}

test("an account has so many uploads open at a time", async () => {
  const two = await another(tonwerk, "Two", { uploads_open: 2 });
  const account = await tonwerk.service.store.account(two.id);
  assert.ok(account);
  const bodies = [standing(), standing()];
  const open = bodies.map(({ stream }) =>
    upload(tonwerk.service.facade, account, {
      headers: new Headers(),
      body: stream,
      signal: new AbortController().signal,
    }).catch((error: unknown) => error as Refusal),
  );
  while ((await readdir(await scratchOf(tonwerk.data))).length < 2)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const refused = await two.call("PUT", "/v1/files", long(1));
  assert.deepEqual([refused.status, refused.body.detail], [429, "Too many uploads at a time"]);
  assert.equal(refused.headers.get("retry-after"), "1");
  for (const { end } of bodies) end();
  for (const ended of await Promise.all(open)) assert.equal((ended as Refusal).status, 422, "nothing came");
  assert.equal((await two.call("PUT", "/v1/files", long(1))).status, 200);
});

test("an upload that stands still is ended, and leaves nothing", async () => {
  const slow = await another(tonwerk, "Slow");
  const account = await tonwerk.service.store.account(slow.id);
  assert.ok(account);
  const body = { headers: new Headers(), body: standing().stream, signal: new AbortController().signal };
  const pace = { idle_ms: 50, whole_ms: 60_000 };
  await assert.rejects(
    upload(tonwerk.service.facade, account, body, { pace }),
    (error) => error instanceof Refusal && error.status === 408,
  );
  assert.deepEqual(await readdir(await scratchOf(tonwerk.data)), []);
});

test("below the floor of free space uploads are refused with 507, and jobs go on", async () => {
  const full = await startTestService({ env: { TONWERK_FREE_BYTES_MIN: "900000000000000" } });
  try {
    const refused = await full.json("PUT", "/v1/files", long(1));
    assert.equal(refused.status, 507);
    assert.equal(refused.headers.get("retry-after"), "60");
    assert.match(refused.body.detail, /no room/);
    assert.deepEqual(await readdir(await scratchOf(full.data)), []);
    const effect = { idempotency_key: randomUUID(), prompt: "a click", duration: 0.2 };
    const { body } = await full.json("PUT", "/v1/create.new_fx", effect);
    const wrapper = Object.keys(body)[0]!;
    const ended = await full.json("GET", `/v1/create.new_fx?id=${body[wrapper].id}&wait=true`);
    assert.equal(ended.body[wrapper].status, "ready");
  } finally {
    await full.stop();
  }
});

test("beside another account, what is more than 16 MB of uploads is taken at 16 MB a second", async () => {
  const other = await another(tonwerk, "Beside");
  assert.equal((await other.call("GET", "/v1/operations")).status, 200);
  const noise = new Uint8Array(40_000_000).fill(82);
  const began = performance.now();
  assert.equal((await tonwerk.json("PUT", "/v1/files", noise)).status, 422);
  const ms = performance.now() - began;
  assert.ok(ms > 1_300, `${ms} ms`);
});
