/** Sources from the outside, through the front door: 127.0.0.2 is a host that TONWERK_PRIVATE_HOSTS names, 127.0.0.1 is not. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { hashApiKey, lastFour, newApiKey } from "../../core/base/keys.ts";
import { systemClock } from "../../core/base/timers.ts";
import { silence, tone } from "../../packages/plugin/testing.ts";
import { silentFlac, wav } from "../audio.ts";
import { answer, type Behaviour, type HostileServer, repeat, say, startHostile } from "../hostile/server.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, scratchOf, startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
let folder: string;
let outside: HostileServer;
let inside: HostileServer;
/** Its certificate is nobody's that is known. */
let stranger: HostileServer;
/** The time of the service, moved by hand; timers stay real. */
let shift_ms = 0;

const mono = (hertz = 440, seconds = 1) => wav(tone(hertz, seconds, { channels: 1 }).channels);
const song = mono();

const FILES: Readonly<Record<string, Behaviour>> = {
  "/song.wav": answer("200 OK", ["Content-Type: text/html", `Content-Length: ${song.length}`], song),
  "/other.wav": answer("200 OK", [], mono(330)),
  "/long.wav": answer("200 OK", [], mono(440, 3)),
  "/tiny.wav": answer("200 OK", [], mono(440, 0.05)),
  "/silent.wav": answer("200 OK", [], wav(silence(1, { channels: 1 }).channels)),
  "/hours.flac": answer("200 OK", [], silentFlac(36_000)),
  "/moved": answer("302 Found", ["Location: /song.wav"]),
  "/moved-too": answer("307 Temporary Redirect", ["Location: /moved"]),
  "/inwards": (socket, request) =>
    answer("302 Found", [`Location: https://127.0.0.1:${inside.port}/secret`])(socket, request),
  "/loop": answer("302 Found", ["Location: /loop"]),
  "/html": answer("200 OK", ["Content-Type: audio/wav"], "<!doctype html><title>Sign in</title>"),
  "/again.html": answer("200 OK", [], "<!doctype html><title>Sign in</title>"),
  "/playlist.wav": answer("200 OK", ["Content-Type: audio/wav"], "ffconcat version 1.0\nfile '/etc/passwd'\n"),
  "/empty": answer("200 OK", ["Content-Length: 0"]),
  "/damaged.wav": answer("200 OK", [], song.slice(0, 44)),
  "/short.wav": answer("200 OK", [`Content-Length: ${song.length + 1}`], song),
  "/gzip": answer("200 OK", ["Content-Encoding: gzip"], song),
  "/large": say("HTTP/1.1 200 OK\r\nContent-Length: 50000001\r\n\r\n"),
  "/endless": repeat("HTTP/1.1 200 OK\r\n\r\n", new Uint8Array(65_536), 0),
  "/hang": () => undefined,
  "/drip": repeat("HTTP/1.1 200 OK\r\n\r\n", "R", 100),
};

before(async () => {
  outside = await startHostile({
    address: "127.0.0.2",
    certificate: null,
    behave: (socket, request) => (FILES[request.path] ?? answer("404 Not Found", [], "no"))(socket, request),
  });
  inside = await startHostile({ address: "127.0.0.1", certificate: null, behave: answer("200 OK", [], song) });
  stranger = await startHostile({ address: "127.0.0.2", certificate: "stranger", behave: answer("200 OK", [], song) });
  folder = await pluginFolder();
  const limits = "{ seconds_min: 0.1, seconds_max: 2, bytes_max: 1_000_000 }";
  await addAction(folder, "test.copy", { sources: `{ source: ${limits} }` });
  await addAction(folder, "test.pair", {
    sources: `{ music: ${limits}, voice: ${limits} }`,
    distinct_sources: '["music", "voice"]',
    examples: '[{ music: { url: "https://example.com/a.wav" }, voice: { url: "https://example.com/b.wav" } }]',
    process: '({ sources }) => ({ audio: sources.music, engine: "copy" })',
  });
  tonwerk = await startTestService({
    env: {
      TONWERK_PLUGINS: `./plugins,${folder}`,
      TONWERK_PRIVATE_HOSTS: "127.0.0.2",
      TONWERK_WORKERS: "3",
      TONWERK_URL_SECONDS: "600",
      // Beyond the time that a test lets pass at once: a job that is at work then has not used it up.
      TONWERK_WORK_SECONDS: "3600",
    },
    clock: { ...systemClock, now: () => Date.now() + shift_ms },
    limits: { first_byte_ms: 500 },
  });
});
after(async () => {
  await tonwerk.stop();
  for (const server of [outside, inside, stranger]) await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = (path: string): string => `http://127.0.0.2:${outside.port}${path}`;
function put(action: string, fields: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return tonwerk.json("PUT", `/v1/${action}`, { idempotency_key: randomUUID(), ...fields }, headers);
}

/** The ended operation, without its wrapper. */
async function run(action: string, fields: object, headers: Readonly<Record<string, string>> = {}) {
  const { status, body } = await put(action, fields, headers);
  assert.equal(status, 200, JSON.stringify(body));
  return await ended(action, (Object.values(body)[0] as Answer["body"]).id, headers);
}

async function ended(action: string, id: string, headers: Readonly<Record<string, string>> = {}) {
  for (;;) {
    const { body } = await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`, undefined, headers);
    const operation = Object.values(body)[0] as Answer["body"];
    if (operation.status !== "processing") return operation;
  }
}

async function upload(bytes: Uint8Array): Promise<string> {
  return (await tonwerk.json("PUT", "/v1/files", bytes)).body.file.url;
}

test("a WAV on a host of the list is fetched, over http and through redirects, and normalised", async () => {
  for (const path of ["/song.wav", "/moved-too"]) {
    const { status, output, error } = await run("adapt.normalise_loudness", { source: { url: at(path) } });
    assert.deepEqual([status, error], ["ready", null]);
    assert.equal(output.duration, 1);
    assert.ok(Math.abs(output.loudness.lufs + 14) <= 0.05, String(output.loudness.lufs));
  }
});

test("every failure of a source ends the operation with its code and gives the credits back", {
  timeout: 300_000,
}, async () => {
  const rows: readonly (readonly [action: string, url: string, code: string])[] = [
    ["test.copy", at("/missing.wav"), "source_unreachable"],
    ["test.copy", "http://127.0.0.2:1/song.wav", "source_unreachable"],
    ["test.copy", "https://name.invalid/song.wav", "source_unreachable"],
    ["test.copy", `https://127.0.0.2:${stranger.port}/song.wav`, "source_unreachable"],
    ["test.copy", at("/loop"), "source_unreachable"],
    ["test.copy", at("/gzip"), "source_unreachable"],
    ["test.copy", at("/short.wav"), "source_unreachable"],
    ["test.copy", `https://127.0.0.1:${inside.port}/secret`, "source_forbidden_address"],
    ["test.copy", `https://0x7f.1:${inside.port}/secret`, "source_forbidden_address"],
    ["test.copy", `https://[::ffff:127.0.0.1]:${inside.port}/secret`, "source_forbidden_address"],
    ["test.copy", `https://localhost:${inside.port}/secret`, "source_forbidden_address"],
    ["test.copy", "https://169.254.169.254/latest/meta-data/", "source_forbidden_address"],
    ["test.copy", at("/inwards"), "source_forbidden_address"],
    ["test.copy", at("/hang"), "source_timeout"],
    ["test.copy", at("/large"), "source_too_large"],
    ["test.copy", at("/endless"), "source_too_large"],
    ["adapt.normalise_loudness", at("/large"), "source_too_large"],
    ["adapt.normalise_loudness", at("/endless"), "source_too_large"],
    ["test.copy", at("/long.wav"), "source_too_long"],
    ["test.copy", at("/hours.flac"), "source_too_long"],
    ["adapt.normalise_loudness", at("/hours.flac"), "source_too_long"],
    ["test.copy", at("/tiny.wav"), "source_too_short"],
    ["adapt.normalise_loudness", at("/silent.wav"), "source_silent"],
    ["test.copy", at("/html"), "source_unsupported_format"],
    ["test.copy", at("/playlist.wav"), "source_unsupported_format"],
    ["test.copy", at("/empty"), "source_unsupported_format"],
    ["test.copy", at("/damaged.wav"), "source_undecodable"],
  ];
  const before = await tonwerk.credits();
  const operations = await Promise.all(rows.map(([action, url]) => run(action, { source: { url } })));
  const codes = operations.map(({ error }, index) => [rows[index]![1], error?.code]);
  assert.deepEqual(
    codes,
    rows.map(([, url, code]) => [url, code]),
  );
  for (const { error, status } of operations) {
    assert.equal(status, "failed");
    assert.doesNotMatch(error.message, /secret|passwd|\bat \/|node:/u);
  }
  assert.equal(await tonwerk.credits(), before);
  assert.equal(inside.connections(), 0);
});

test("fetching counts as work, and has as long", async () => {
  const hurried = await startTestService({
    env: { TONWERK_PLUGINS: folder, TONWERK_PRIVATE_HOSTS: "127.0.0.2", TONWERK_WORK_SECONDS: "1" },
  });
  try {
    const request = { idempotency_key: randomUUID(), source: { url: at("/drip") } };
    const { id } = (await hurried.json("PUT", "/v1/test.copy", request)).body.test_copy;
    let seen: Answer["body"];
    do seen = (await hurried.json("GET", `/v1/test.copy?id=${id}&wait=true`)).body.test_copy;
    while (seen.status === "processing");
    assert.equal(seen.error.code, "generation_timeout");
  } finally {
    await hurried.stop();
  }
});

test("the failure names the input that it is about", async () => {
  const music = { url: at("/song.wav") };
  const { error } = await run("test.pair", { music, voice: { url: at("/missing.wav") } });
  assert.deepEqual([error.code, error.source], ["source_unreachable", "voice"]);
  assert.equal(error.message, `Cannot fetch from "127.0.0.2:${outside.port}": the server answered 404`);
  const long = await run("test.pair", { music, voice: { url: at("/long.wav") } });
  assert.deepEqual([long.error.code, long.error.source], ["source_too_long", "voice"]);
});

test("a source and a callback that are not HTTPS are 422 at their fields, in one answer; a private source is not", async () => {
  const before = await tonwerk.credits();
  const { status, body } = await put("test.pair", {
    music: { url: "http://example.com/a.wav" },
    voice: { url: "http://127.0.0.1/b.wav" },
    callback_url: "https://10.0.0.1/hook",
  });
  assert.equal(status, 422);
  const found = body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join("."), type]);
  assert.deepEqual(found, [
    ["body.music.url", "url_scheme"],
    ["body.voice.url", "url_scheme"],
    ["body.callback_url", "url_forbidden_address"],
  ]);
  const dry = await tonwerk.json("PUT", "/v1/test.copy?dry_run=true", { source: { url: "http://example.com/a.wav" } });
  assert.deepEqual([dry.status, dry.body.detail[0].type], [422, "url_scheme"]);
  assert.equal(await tonwerk.credits(), before);
});

test("same_source: redirects that lead to the same content, and to other content", async () => {
  const before = await tonwerk.credits();
  const pair = (music: string, voice: string) =>
    run("test.pair", { music: { url: at(music) }, voice: { url: at(voice) } });
  for (const [music, voice] of [
    ["/song.wav", "/moved"],
    ["/moved-too", "/moved"],
  ] as const) {
    const { error } = await pair(music, voice);
    assert.deepEqual([error.code, error.source], ["same_source", "voice"]);
  }
  const own = { url: await upload(song) };
  const mixed = await run("test.pair", { music: own, voice: { url: at("/moved-too") } });
  assert.equal(mixed.error.code, "same_source");
  assert.equal(await tonwerk.credits(), before);
  assert.equal((await pair("/moved", "/other.wav")).status, "ready");
  const request = { music: { url: at("/song.wav#a") }, voice: { url: at("/song.wav") } };
  const submitted = await put("test.pair", request);
  assert.deepEqual([submitted.status, submitted.body.code], [422, "same_source"]);
  const dry = await tonwerk.json("PUT", "/v1/test.pair?dry_run=true", request);
  assert.deepEqual([dry.status, dry.body], [422, submitted.body], "A dry run answers what the submission would");
});

test("equal files are same_source before anything of them is decoded", async () => {
  // Were they decoded first, the first would be said to be no audio.
  const { error } = await run("test.pair", { music: { url: at("/html") }, voice: { url: at("/again.html") } });
  assert.deepEqual([error.code, error.source], ["same_source", "voice"]);
  const other = await run("test.pair", { music: { url: at("/html") }, voice: { url: at("/playlist.wav") } });
  assert.deepEqual([other.error.code, other.error.source], ["source_unsupported_format", "music"]);
});

test("the content policy is asked before a source is fetched", async () => {
  const requests = outside.heads.length;
  const prompt = "I'm going to shoot up the school tomorrow";
  const { error } = await run("create.remix_instrumental", { prompt, source: { url: at("/song.wav") } });
  assert.equal(error.code, "content_policy");
  assert.equal(outside.heads.length, requests);
});

/** Headers of another account. */
test("heads of all sources are checked before the first is decoded", async () => {
  // That it is too short shows when it is decoded; that the other is too long, in its head.
  const short = { url: await upload(wav([new Float32Array(2205).fill(0.1)])) };
  const long = { url: await upload(wav([new Float32Array(5 * 44_100).fill(0.2)])) };
  const { error } = await run("test.pair", { music: short, voice: long });
  assert.deepEqual([error.code, error.source], ["source_too_long", "voice"]);
  const turned = await run("test.pair", { music: long, voice: short });
  assert.deepEqual([turned.error.code, turned.error.source], ["source_too_long", "music"]);
});

async function addStranger(): Promise<Readonly<Record<string, string>>> {
  const key = newApiKey();
  const { store } = tonwerk.service;
  const account_id = `acc_${randomUUID()}`;
  await store.createAccount({ id: account_id, name: "Stranger", credits: 100, created_at: 0 });
  await store.createKey({
    id: `key_${randomUUID()}`,
    account_id,
    label: "",
    sha256: hashApiKey(key),
    last_four: lastFour(key),
    created_at: 0,
  });
  return { authorization: `Bearer ${key}` };
}

test("a URL of another account works as long as its signature does, and so does one's own", async () => {
  const headers = await addStranger();
  const file = await upload(song);
  const { output } = await run("test.copy", { source: { url: at("/song.wav") } });
  for (const url of [file, output.url]) {
    assert.equal((await run("test.copy", { source: { url } }, headers)).status, "ready");
    const tampered = url.replace(/expires=(\d+)/u, (_: string, seconds: string) => `expires=${Number(seconds) + 1}`);
    assert.equal((await put("test.copy", { source: { url: tampered } }, headers)).body.detail[0].type, "url_invalid");
  }
  shift_ms += 601_000;
  for (const url of [file, output.url]) {
    for (const who of [headers, {}]) {
      const { status, body } = await put("test.copy", { source: { url } }, who);
      assert.deepEqual([status, body.detail[0].type], [422, "url_invalid"]);
      assert.match(body.detail[0].msg, /expired/u);
    }
  }
});

test("a URL that expires while its operation waits breaks nothing that is one's own, and ends what is another's", async () => {
  const url = await upload(song);
  const headers = await addStranger();
  // As many jobs as an account may have waiting for their sources: its next one waits until the server that hangs has used up its time.
  const hang = (as?: typeof headers) => put("test.copy", { source: { url: at("/hang") } }, as);
  const busy = await Promise.all(Array.from({ length: 4 }, () => hang()));
  await Promise.all(Array.from({ length: 4 }, () => hang(headers)));
  const { body } = await put("test.copy", { source: { url } });
  const lent = await put("test.copy", { source: { url } }, headers);
  shift_ms += 601_000;
  assert.equal((await ended("test.copy", body.test_copy.id)).status, "ready");
  const { error } = await ended("test.copy", lent.body.test_copy.id, headers);
  assert.equal(error?.code, "source_unreachable");
  assert.match(error.message, /expired/u);
  for (const one of busy) assert.equal((await ended("test.copy", one.body.test_copy.id)).error.code, "source_timeout");
});

test("cancelling while a source is being fetched ends the request to its server, and leaves nothing", async () => {
  const before = outside.heads.length;
  const { body } = await put("test.copy", { source: { url: at("/drip") } });
  const { id } = body.test_copy;
  while (outside.heads.length === before) await new Promise((resolve) => setTimeout(resolve, 10));
  let seen: Answer["body"];
  do {
    await new Promise((resolve) => setTimeout(resolve, 20));
    seen = (await tonwerk.json("GET", `/v1/test.copy?id=${id}`)).body.test_copy;
  } while (seen.stage !== "fetching");
  await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id });
  assert.equal((await ended("test.copy", id)).error.code, "canceled");
  for (let tries = 0; tries < 3000 && outside.open() > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(outside.open(), 0);
  const work = await scratchOf(tonwerk.data);
  for (let tries = 0; tries < 3000 && (await readdir(work)).length > 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(await readdir(work), []);
});
