/** What an account can do with a download URL of another's: what whoever holds a URL can, until it expires, and nothing more. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { hashApiKey, lastFour, newApiKey } from "../../core/base/keys.ts";
import { systemClock } from "../../core/base/timers.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { entered, type Visitor } from "../dashboard/visitor.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, adminOf, ownerLink, startTestService, type TestService } from "../service.ts";

const HOUR_MS = 3_600_000;

let tonwerk: TestService;
let folder: string;
/** The account that lends. */
let owner: Visitor;
/** The account that borrows. */
let stranger: Visitor;
let stranger_id: string;
let headers: Readonly<Record<string, string>>;
/** The time of the service, moved by hand; timers stay real. */
let shift_ms = 0;

before(async () => {
  folder = await pluginFolder();
  const limits = "{ seconds_min: 0.1, seconds_max: 20, bytes_max: 1_000_000 }";
  await addAction(folder, "test.copy", { sources: `{ source: ${limits} }` });
  await addAction(folder, "test.pair", {
    sources: `{ music: ${limits}, voice: ${limits} }`,
    distinct_sources: '["music", "voice"]',
    examples: '[{ music: { url: "https://example.com/a.wav" }, voice: { url: "https://example.com/b.wav" } }]',
    process: '({ sources }) => ({ audio: sources.music, engine: "copy" })',
  });
  tonwerk = await startTestService({
    env: { TONWERK_PLUGINS: folder, TONWERK_URL_SECONDS: "7200" },
    clock: { ...systemClock, now: () => Date.now() + shift_ms },
  });
  const { service } = tonwerk;
  owner = await entered(tonwerk, await ownerLink(service), "owner@example.com");
  const other = await adminOf(service).createAccount({ name: "Others", credits: 100 });
  stranger = await entered(tonwerk, await ownerLink(service, other.account.id), "stranger@example.com");
  const key = newApiKey();
  stranger_id = (await service.store.accounts({ limit: 2 })).find(({ name }) => name === "Others")!.id;
  await service.store.createKey({
    id: `key_${randomUUID()}`,
    account_id: stranger_id,
    label: "",
    sha256: hashApiKey(key),
    last_four: lastFour(key),
    created_at: 0,
  });
  headers = { authorization: `Bearer ${key}` };
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

const put = (action: string, fields: object, as: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  tonwerk.json("PUT", `/v1/${action}`, { idempotency_key: randomUUID(), ...fields }, as);

async function run(action: string, fields: object, as: Readonly<Record<string, string>> = {}) {
  const { status, body } = await put(action, fields, as);
  assert.equal(status, 200, JSON.stringify(body));
  return await ended(action, (Object.values(body)[0] as Answer["body"]).id, as);
}

async function ended(action: string, id: string, as: Readonly<Record<string, string>> = {}) {
  for (;;) {
    const { body } = await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`, undefined, as);
    const operation = Object.values(body)[0] as Answer["body"];
    if (operation.status !== "processing") return operation;
  }
}

async function upload(seconds = 1): Promise<Answer["body"]> {
  const sound = wav(tone(440, seconds, { channels: 1 }).channels);
  return (await tonwerk.json("PUT", "/v1/files", sound)).body.file;
}

/** Of an upload of the owner's, or of an output of theirs. */
async function lentUrl(what: "upload" | "output"): Promise<string> {
  const { url } = await upload();
  return what === "upload" ? url : (await run("test.copy", { source: { url } })).output.url;
}

/** The download URLs of stored audio that a page of `who` shows. */
async function shown(who: Visitor, id: string): Promise<readonly string[]> {
  const page = (await who.text(`/operations/${id}`)).replaceAll("&amp;", "&");
  const outputs = `/audio/op/${id}/`;
  return [...page.matchAll(/https?:[^\s"'<&]*\/audio\/(?:op|files)\/[^\s"'<]+?&signature=[\w-]{43}/gu)]
    .map(([url]) => url)
    .filter((url) => !url.includes(outputs));
}

const statusOf = async (who: Visitor, path: string): Promise<number> => {
  const response = await who.get(path);
  await response.body?.cancel();
  return response.status;
};

test("a lent URL is used as any URL is: the operation is made, and nothing of the source is signed again, played or drawn", async () => {
  for (const what of ["upload", "output"] as const) {
    const url = await lentUrl(what);
    const { id, status, error } = await run("test.copy", { source: { url } }, headers);
    assert.deepEqual([status, error], ["ready", null]);
    assert.ok((await shown(stranger, id)).length > 0);
    for (const text of await shown(stranger, id)) assert.equal(text, url);
    // Long after it has expired, the page still shows the text that was sent.
    shift_ms += 3 * HOUR_MS;
    for (const text of await shown(stranger, id)) assert.equal(text, url);
    assert.equal(await statusOf(stranger, `/operations/${id}/sources/source/audio`), 404);
    assert.equal(await statusOf(stranger, `/operations/${id}/sources/source/pictures/waveform-light-1x`), 404);
    assert.equal(await statusOf(stranger, `/operations/${id}/outputs/0/audio`), 200);
    assert.equal(await statusOf(owner, `/operations/${id}/outputs/0/audio`), 404);
    for (const as of [headers, {}]) {
      const { status, body } = await put("test.copy", { source: { url } }, as);
      assert.deepEqual([status, body.detail[0].type], [422, "url_invalid"]);
      assert.match(body.detail[0].msg, /expired or was changed/);
    }
  }
});

test("one's own source is bound: played and kept alive, and the code that sends it again has no URL that expires", async () => {
  const { id: file, url } = await upload();
  const until = (await tonwerk.service.store.file(file))!.expires_at;
  shift_ms += HOUR_MS;
  const { id } = await run("test.copy", { source: { url } });
  assert.ok((await tonwerk.service.store.file(file))!.expires_at >= until + HOUR_MS);
  shift_ms += 3 * HOUR_MS;
  // What was sent is shown as it was; the code uploads the file.
  for (const text of await shown(owner, id)) assert.equal(text, url);
  assert.match(await owner.text(`/operations/${id}`), /--data-binary @source\.flac/u);
  assert.equal(await statusOf(owner, `/operations/${id}/sources/source/audio`), 200);
});

test("a download URL of the service that was changed is refused at submission, in a dry run too", async () => {
  const { url } = await upload();
  const changed = url.slice(0, -1) + (url.endsWith("A") ? "B" : "A");
  for (const query of ["", "?dry_run=true"]) {
    const request = { idempotency_key: randomUUID(), source: { url: changed } };
    const { status, body } = await tonwerk.json("PUT", `/v1/test.copy${query}`, request);
    assert.deepEqual([status, body.detail[0].type], [422, "url_invalid"]);
    assert.deepEqual(body.detail[0].loc, ["body", "source", "url"]);
  }
});

test("a use by another account does not keep an upload alive", async () => {
  const { id, url } = await upload();
  const until = (await tonwerk.service.store.file(id))!.expires_at;
  shift_ms += HOUR_MS;
  assert.equal((await run("test.copy", { source: { url } }, headers)).status, "ready");
  assert.equal((await tonwerk.service.store.file(id))!.expires_at, until);
  assert.equal((await tonwerk.json("GET", `/v1/files?id=${id}`, undefined, headers)).status, 404);
  assert.equal((await tonwerk.service.store.file(id))!.expires_at, until);
});

test("a lent source that is gone or larger than the action takes fails like any other", async () => {
  const { url, id } = await upload();
  await tonwerk.service.store.expire(Date.now() + shift_ms + 25 * HOUR_MS, 100);
  await tonwerk.service.bucket.delete([`files/${id}.wav`]);
  assert.equal((await run("test.copy", { source: { url } }, headers)).error.code, "source_unreachable");
  const large = await upload(12);
  assert.equal((await run("test.copy", { source: { url: large.url } }, headers)).error.code, "source_too_large");
});

test("two URLs of one lent object are the same source, and a replay is answered as the first time", async () => {
  const { id, url } = await upload();
  shift_ms += 1.5 * HOUR_MS;
  const { url: fresh } = (await tonwerk.json("GET", `/v1/files?id=${id}`)).body.file;
  assert.notEqual(fresh, url);
  for (const as of [headers, {}]) {
    const { status, body } = await put("test.pair", { music: { url }, voice: { url: fresh } }, as);
    assert.deepEqual([status, body.code], [422, "same_source"]);
    const dry = await tonwerk.json("PUT", "/v1/test.pair?dry_run=true", { music: { url }, voice: { url: fresh } }, as);
    assert.deepEqual([dry.status, dry.body.code], [422, "same_source"]);
  }
  const request = { idempotency_key: randomUUID(), source: { url: fresh } };
  const first = await tonwerk.json("PUT", "/v1/test.copy", request, headers);
  await ended("test.copy", first.body.test_copy.id, headers);
  shift_ms += 3 * HOUR_MS;
  const second = await tonwerk.json("PUT", "/v1/test.copy", { ...request, seed: null }, headers);
  assert.equal(second.headers.get("idempotent-replayed"), "true", JSON.stringify(second.body));
  assert.deepEqual(second.body, first.body);
});
