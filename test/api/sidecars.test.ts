/** Models behind HTTP, seen through the front door: operations end as they should whatever a server does, and each is paid for once. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CLIENT_REASONS } from "../../core/base/client_reasons.ts";
import { noise, wav } from "../audio.ts";
import {
  audioFrame,
  type Behaviour,
  DONE,
  encoded,
  FRAMES,
  frames,
  HEALTH,
  json,
  readSent,
  startServer,
  type TestServer,
} from "../runners/models/sidecars/server.ts";
import { startTestService, type TestService } from "../service.ts";

const folder = mkdtempSync(join(tmpdir(), "tonwerk-sidecars-"));
let music: TestServer;
let stems: TestServer;
let tonwerk: TestService;
before(async () => {
  [music, stems] = await Promise.all([startServer(), startServer()]);
  const file = join(folder, "music.json");
  const times = { ms_max: 1500, silence_ms_max: 500 };
  writeFileSync(file, JSON.stringify({ id: "side-music", url: music.url, serves: ["generate", "song"], ...times }));
  const remixes = { id: "side-remix", url: music.url, serves: ["remix", "remix_song"] };
  writeFileSync(join(folder, "remix.json"), JSON.stringify(remixes));
  const short = { id: "short-song", url: music.url, serves: ["song"], seconds_max: 5, priority: 1 };
  writeFileSync(join(folder, "short.json"), JSON.stringify(short));
  writeFileSync(join(folder, "wrong.json"), '{ "id": "wrong", "url": "ftp://host", "serves": ["generate"] }');
  tonwerk = await startTestService({
    env: {
      TONWERK_SIDECARS: [
        file,
        ...["short", "remix", "wrong"].map((name) => join(folder, `${name}.json`)),
        `${stems.url}=separate`,
      ].join(),
      TONWERK_SHIPPED_MODELS: "off",
    },
  });
});
after(async () => {
  await tonwerk.stop();
  await Promise.all([music.close(), stems.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const creditsNow = async (): Promise<number> => (await tonwerk.json("GET", "/v1/account")).body.account.credits;
const submit = async (action: string, fields: object) => {
  const { status, body } = await tonwerk.json("PUT", `/v1/${action}`, { idempotency_key: randomUUID(), ...fields });
  assert.equal(status, 200, JSON.stringify(body));
  const [wrapper = ""] = Object.keys(body);
  return { wrapper, id: body[wrapper].id as string, cost: body[wrapper].cost as number };
};
async function ended(action: string, fields: object) {
  const { wrapper, id } = await submit(action, fields);
  for (;;) {
    const { body } = await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`);
    if (body[wrapper].status !== "processing") return body[wrapper];
  }
}
const SAMPLE = { prompt: "calm piano", duration: 0.7, loopable: false, seed: 1 };

test("/v1/capabilities names each by its id, what it runs on and its state; addresses are the log's alone", async () => {
  let listed: { name: string; engine: string; device: string; models: { id: string; state: string }[] }[] = [];
  for (let i = 0; i < 1200; i++) {
    const { body } = await tonwerk.json("GET", "/v1/capabilities");
    listed = body.actions;
    if (!JSON.stringify(listed).includes('"starting"')) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const of = (name: string) => {
    const { engine, device, models } = listed.find((action) => action.name === name)!;
    return { engine, device, models };
  };
  const ready = (id: string) => ({ engine: id, device: "cpu", models: [{ id, state: "ready" }] });
  assert.deepEqual(of("create.new_sample"), ready("side-music"));
  assert.deepEqual(of("create.new_song").models, [
    { id: "short-song", state: "ready" },
    { id: "side-music", state: "ready" },
  ]);
  assert.deepEqual(of("adapt.separate_stems"), ready("sidecar-separate"));
  assert.ok(!JSON.stringify(listed).includes("127.0.0.1"));
  assert.ok(
    tonwerk.logged.some((line) => line.includes("model.refused") && /wrong\.json.*"url\\": expected/u.test(line)),
  );
});

test("a sidecar makes the sample and separates the stems, and is named as the engine", async () => {
  const { status, output } = await ended("create.new_sample", SAMPLE);
  assert.deepEqual([status, output.engine, output.duration], ["ready", "side-music", 0.7]);
  const { body } = await tonwerk.json("PUT", "/v1/files", wav([noise(1, 1), noise(2, 1)]));
  const parted = await ended("adapt.separate_stems", { source: { url: body.file.url } });
  assert.equal(parted.status, "ready", JSON.stringify(parted));
  const engines = Object.fromEntries(
    parted.outputs.map(({ kind, engine }: { kind: string; engine: string }) => [kind, engine]),
  );
  assert.deepEqual(
    [engines.vocals, engines.instrumental, engines.drums],
    ["sidecar-separate", "sidecar-separate", "separate"],
  );
});

const LYRICS = "[Verse]\nMorning on the river — 川の朝\n\n[Chorus: softly]\nCarry me over";
const SONG = { lyrics: LYRICS, prompt: "solo piano ballad, 140 bpm", duration: 10, seed: 1 };
const SHORT = { model: "short-song", reason: CLIENT_REASONS.model };

test("a sidecar sings the song, and gets the lyrics as they were sent; one that makes shorter pieces is passed over", async () => {
  const before = await creditsNow();
  const sang = music.heard.length;
  const { status, outputs, cost } = await ended("create.new_song", { ...SONG, n_variations: 2 });
  assert.equal(status, "ready");
  assert.equal(cost, 6);
  assert.equal(await creditsNow(), before - cost);
  const asked = music.heard
    .slice(sang)
    .flatMap(({ path, body }) => (path === "/v1/generate" ? [JSON.parse(body.toString())] : []));
  assert.equal(new Set(asked.map(({ seed }) => seed)).size, 2);
  for (const { prompt, lyrics, seconds } of asked)
    assert.deepEqual([prompt, lyrics, seconds], [SONG.prompt, LYRICS, SONG.duration]);
  for (const { engine, duration, report } of outputs) {
    assert.deepEqual([engine, duration], ["side-music", 10]);
    const unknown = { understood: null, composed: null, voice: null, lines: null };
    assert.deepEqual(report, { ...unknown, language: "english", passed_over: [SHORT] });
  }
  assert.ok(tonwerk.logged.some((line) => line.includes("it makes 5 s at most, and the song takes 10 s")));
});

test("where the sidecar lies about the song, our own engine sings it, at the same price", async () => {
  music.behave({ "POST /v1/generate": frames(...audioFrame(10, {}, Number.NaN), DONE) });
  const before = await creditsNow();
  const { status, outputs, cost } = await ended("create.new_song", { ...SONG, lyrics: "[Verse]\nOnly one line" });
  const [output] = outputs;
  music.behave({});
  assert.equal(status, "ready");
  assert.deepEqual([cost, await creditsNow()], [3, before - 3]);
  assert.match(output.engine, /^studio\//u);
  assert.deepEqual(output.report.passed_over, [SHORT, { model: "side-music", reason: CLIENT_REASONS.model }]);
  assert.equal(output.report.lines.length > 0, true);
});

test("a sidecar makes remixes of the source itself; what it only hands back is passed over, and our own engine remixes", async () => {
  const { body } = await tonwerk.json("PUT", "/v1/files", wav([noise(1, 10), noise(2, 10)]));
  const source = { url: body.file.url };
  const asked = () => {
    const heard = music.heard.findLast(({ path }) => path === "/v1/generate")!;
    assert.equal(heard.headers["content-type"], FRAMES);
    return readSent(heard.body);
  };
  const remixed = await ended("create.remix_instrumental", { source, seed: 1, duration: 11 });
  const unknown = { heard: null, understood: null, composed: null, tune: null, returned: null };
  const [one] = remixed.outputs;
  assert.deepEqual([one.engine, one.duration, one.report], ["side-remix", 11, unknown]);
  const { line, audio } = asked();
  assert.deepEqual([line.prompt, line.lyrics, line.seconds], ["", undefined, 11]);
  // At the rate that its health says.
  assert.deepEqual([audio.sample_rate, audio.channels, audio.frames], [22_050, 2, 220_500]);
  const song = { source, lyrics: LYRICS, prompt: "warm soul", seed: 1 };
  const [sung] = (await ended("create.remix_song", song)).outputs;
  assert.deepEqual([sung.engine, sung.duration], ["side-remix", 10]);
  assert.deepEqual(sung.report, { ...unknown, voice: null, language: "english", lines: null });
  assert.deepEqual([asked().line.lyrics, asked().audio.sample_rate], [LYRICS, 44_100]);
  music.behave({
    "POST /v1/generate": (response, heard) => {
      const sent = readSent(heard.body);
      frames({ ...sent.audio }, new Uint8Array(sent.samples.buffer), DONE)(response, heard);
    },
  });
  const [own] = (await ended("create.remix_instrumental", { source, prompt: "solo piano", seed: 1 })).outputs;
  music.behave({});
  assert.match(own.engine, /^remix\//u);
  assert.deepEqual(own.report.passed_over, [{ model: "side-remix", reason: CLIENT_REASONS.model }]);
  assert.ok(tonwerk.logged.some((line) => line.includes("too much like the source")));
});

const FAULTS: readonly (readonly [string, Behaviour, RegExp])[] = [
  ["is killed in the middle of a piece", (response) => response.socket?.destroy(), /broke|closed/u],
  ["hangs", () => undefined, /it said nothing for 0.5 s/u],
  ["sends for ever and never ends", endless, /it exceeded 1500 ms/u],
  ["lies", frames(...audioFrame(0.7, {}, Number.NaN), DONE), /samples that are not finite/u],
  [
    "is out of memory",
    frames({ type: "error", code: "out_of_memory", message: "CUDA out of memory at /srv/model" }),
    /out of memory/u,
  ],
];

for (const [what, behaviour, reason] of FAULTS) {
  test(`where a sidecar ${what}, the built-in engine serves, the operation is paid once, the service is up`, async () => {
    music.behave({ "POST /v1/generate": behaviour });
    const before = await creditsNow();
    const operation = await ended("create.new_sample", SAMPLE);
    music.behave({});
    assert.equal(operation.status, "ready", JSON.stringify(operation));
    assert.match(operation.output.engine, /^studio\//u);
    assert.deepEqual(operation.output.report.passed_over, [{ model: "side-music", reason: CLIENT_REASONS.model }]);
    assert.equal(await creditsNow(), before - operation.cost);
    assert.ok(
      tonwerk.logged.some((line) => line.includes("model.passed_over") && reason.test(line)),
      tonwerk.logged.slice(-3).join("\n"),
    );
    assert.equal((await tonwerk.json("GET", "/health")).status, 200);
  });
}

test("cancelling an operation reaches the sidecar, and gives back what is due", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  music.behave({
    "POST /v1/generate": (response) => {
      response.writeHead(200, { "content-type": FRAMES });
      response.write(encoded({ type: "progress", fraction: 0.1 }));
      begin();
    },
  });
  const { wrapper, id } = await submit("create.new_sample", SAMPLE);
  await begun;
  const asked = music.heard.findLast(({ path }) => path === "/v1/generate")!;
  const canceled = await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id });
  assert.equal(canceled.status, 200, JSON.stringify(canceled.body));
  await asked.gone;
  music.behave({});
  const { body } = await tonwerk.json("GET", `/v1/create.new_sample?id=${id}&wait=true`);
  assert.equal(body[wrapper].error.code, "canceled");
  assert.equal((await ended("create.new_sample", SAMPLE)).output.engine, "side-music");
});

test("a sidecar whose server says that it failed is failed, and the next operation finds it well again", async () => {
  music.behave({ "GET /v1/health": json({ ...HEALTH, status: "failed", reason: "CUDA is gone" }) });
  assert.match((await ended("create.new_sample", SAMPLE)).output.engine, /^studio\//u);
  const { body } = await tonwerk.json("GET", "/v1/capabilities");
  const { models } = body.actions.find(({ name }: { name: string }) => name === "create.new_sample");
  assert.deepEqual(models, [{ id: "side-music", state: "failed", reason: CLIENT_REASONS.model }]);
  assert.ok(tonwerk.logged.some((line) => line.includes("model.failed") && line.includes("CUDA is gone")));
  music.behave({});
  assert.equal((await ended("create.new_sample", SAMPLE)).output.engine, "side-music");
});

function endless(response: Parameters<Behaviour>[0]): void {
  response.writeHead(200, { "content-type": FRAMES });
  const timer = setInterval(() => response.write("\n"), 100);
  response.on("close", () => clearInterval(timer));
}
