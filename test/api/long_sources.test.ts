/** Sources that are longer than the specification's, where the operator lets them in. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { samplesOf } from "../../runners/samples.ts";
import { encodeFlacToBytes } from "../../runners/signal/flac/mod.ts";
import { sine } from "../audio.ts";
import { type Answer, scratchOf, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

/** Few samples, and few bytes: decoding is quick. */
const RATE = 8_000;
const SECONDS = 610;

let tonwerk: TestService;
/** What is longer than ten minutes, and its upload. */
let long: Uint8Array;
let source: { readonly url: string };
before(async () => {
  tonwerk = await startTestService({ env: { TONWERK_SOURCE_SECONDS: "660", TONWERK_SOURCE_BYTES: "60000000" } });
  long = toneFlac(440);
  const { status, body } = await upload(long);
  assert.deepEqual([status, body.file?.duration], [200, SECONDS], JSON.stringify(body));
  source = { url: body.file.url };
});
after(() => tonwerk.stop());

/** A tone in whole steps, loud in its last minute: as FLAC of 16 bits. */
function toneFlac(hertz: number, seconds = SECONDS): Uint8Array {
  const second = sine(hertz, 1, RATE).map((value) => Math.round(value * 8192) / 32_768);
  const samples = new Float32Array(RATE * seconds);
  for (let n = 0; n < seconds; n++) samples.set(n < seconds - 60 ? second : second.map((value) => 3 * value), n * RATE);
  return encodeFlacToBytes({ ...samplesOf({ sample_rate: RATE, channels: [samples] }), bits: 16 }, RATE);
}

async function upload(bytes: Uint8Array, service = tonwerk): Promise<Answer> {
  return service.json("PUT", "/v1/files", bytes);
}

/** The operation when it has ended. */
async function ended(action: string, wrapper: string, body: object): Promise<Answer["body"]> {
  const answer = await tonwerk.json("PUT", `/v1/${action}`, { idempotency_key: randomUUID(), ...body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { id } = answer.body[wrapper];
  await until(async () => (await tonwerk.service.store.operation(id))?.status !== "processing");
  return (await tonwerk.json("GET", `/v1/${action}?id=${id}`)).body[wrapper];
}

test("adapt.normalise_loudness takes what is longer than ten minutes, and leaves nothing behind", async () => {
  const made = await ended("adapt.normalise_loudness", "normalised_audio", { source, loudness: { target_lufs: -20 } });
  assert.equal(made.status, "ready", JSON.stringify(made));
  assert.equal(made.output.duration, SECONDS);
  assert.ok(Math.abs(made.output.loudness.lufs + 20) < 0.05, JSON.stringify(made.output.loudness));
  await until(async () => (await readdir(await scratchOf(tonwerk.data))).length === 0);
});

test("adapt.auto_duck mixes a voice onto what is longer than ten minutes", async () => {
  const voice = await upload(toneFlac(660, 20));
  const made = await ended("adapt.auto_duck", "ducked_audio", {
    music: source,
    voice: { url: voice.body.file.url },
    duck_db: 6,
  });
  assert.equal(made.status, "ready", JSON.stringify(made));
  assert.equal(made.output.duration, SECONDS);
  assert.ok(Math.abs(made.output.loudness.lufs + 14) < 0.05, JSON.stringify(made.output.loudness));
  await until(async () => (await readdir(await scratchOf(tonwerk.data))).length === 0);
});

test("adapt.auto_cut_down cuts what is longer than ten minutes from its beginning and its ending", async () => {
  const made = await ended("adapt.auto_cut_down", "auto_cut", { target_duration: 15, source });
  assert.equal(made.status, "ready", JSON.stringify(made));
  const { duration, report } = made.output;
  assert.ok(Math.abs(duration - 15) <= 1, `${duration}`);
  assert.deepEqual(report.heard, [
    { start: 0, end: 300 },
    { start: SECONDS - 300, end: SECONDS },
  ]);
  assert.ok(report.cuts.length > 0 && report.ending.source_time > SECONDS - 300, JSON.stringify(report.cuts));
});

test("an action that was not made for it refuses it as too long, and nobody takes more than the configuration says", async () => {
  const stems = await ended("adapt.separate_stems", "stems", { source });
  assert.deepEqual([stems.status, stems.error.code], ["failed", "source_too_long"]);
  const longer = await upload(toneFlac(330, 661));
  assert.equal(longer.status, 422);
  assert.match(JSON.stringify(longer.body), /longer than 660 s/u);
  const larger = await upload(new Uint8Array(60_000_001));
  assert.equal(larger.status, 413);
});

test("without configuration an upload lasts ten minutes at the most", async () => {
  const plain = await startTestService();
  try {
    const refused = await upload(long, plain);
    assert.equal(refused.status, 422);
    assert.match(JSON.stringify(refused.body), /longer than 600 s/u);
  } finally {
    await plain.stop();
  }
});
