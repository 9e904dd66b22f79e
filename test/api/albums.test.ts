/** Several sources in one request: `adapt.normalise_loudness` brings an album to its loudness by one gain. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { samplesOf } from "../../runners/samples.ts";
import { encodeFlacToBytes } from "../../runners/signal/flac/mod.ts";
import { sine } from "../audio.ts";
import { type Answer, scratchOf, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

const RATE = 44_100;
const ACTION = "adapt.normalise_loudness";

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService();
});
after(() => tonwerk.stop());

/** A tone of that level as FLAC, full scale being 1. */
function toneFlac(hertz: number, level: number, seconds = 4): Uint8Array {
  return flacOf(sine(hertz, seconds, RATE, level));
}

function flacOf(sound: Float32Array): Uint8Array {
  const samples = sound.map((value) => Math.round(value * 32_767) / 32_768);
  return encodeFlacToBytes({ ...samplesOf({ sample_rate: RATE, channels: [samples, samples] }), bits: 16 }, RATE);
}

async function urlOf(bytes: Uint8Array): Promise<string> {
  const { status, body } = await tonwerk.json("PUT", "/v1/files", bytes);
  assert.equal(status, 200, JSON.stringify(body));
  return body.file.url;
}

const put = (body: object, query = ""): Promise<Answer> =>
  tonwerk.json("PUT", `/v1/${ACTION}${query}`, { idempotency_key: randomUUID(), ...body });

async function ended(body: object): Promise<Answer["body"]> {
  const { status, body: answer } = await put(body);
  assert.equal(status, 200, JSON.stringify(answer));
  const { id } = answer.normalised_audio;
  await until(async () => (await tonwerk.service.store.operation(id))?.status !== "processing");
  return (await tonwerk.json("GET", `/v1/${ACTION}?id=${id}`)).body.normalised_audio;
}

/** Integrated loudness in LUFS of files one after the other, by ffmpeg. */
async function concatenatedLufs(files: readonly Uint8Array[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "album-"));
  try {
    const paths = files.map((_, index) => join(folder, `${index}.flac`));
    for (const [index, path] of paths.entries()) await writeFile(path, files[index]!);
    const inputs = paths.flatMap((path) => ["-i", path]);
    const filter = `${paths.map((_, index) => `[${index}:a]`).join("")}concat=n=${paths.length}:v=0:a=1,ebur128=framelog=verbose`;
    const said = execFileSync("sh", [
      "-c",
      'ffmpeg -hide_banner -nostats "$@" -f null - 2>&1',
      "ffmpeg",
      ...inputs,
      "-filter_complex",
      filter,
    ]).toString();
    // The last: a graph that is set up anew says what it had before.
    return Number([...said.matchAll(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/gu)].at(-1)?.[1]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("an album is brought to its loudness by one gain, an output of each track in their order", async () => {
  const levels = [0.05, 0.2, 0.1];
  const sent = await Promise.all(levels.map((level, index) => urlOf(toneFlac(440 + 110 * index, level, 4 + index))));
  const before = (await tonwerk.json("GET", "/v1/account")).body.account.credits;
  const made = await ended({ album: sent.map((url) => ({ url })), loudness: { target_lufs: -20 } });
  assert.equal(made.status, "ready", JSON.stringify(made));
  assert.equal(made.output, null);
  assert.equal(made.cost, 3);
  assert.equal((await tonwerk.json("GET", "/v1/account")).body.account.credits, before - 3);
  assert.deepEqual(
    made.outputs.map(({ duration }: { duration: number }) => duration),
    [4, 5, 6],
  );
  const [one, two, three] = made.outputs;
  for (const output of made.outputs) {
    assert.deepEqual(output.report, one.report);
    assert.equal(output.loudness.compressed, false);
  }
  const { lufs, gain_db } = one.report.album;
  assert.ok(Math.abs(lufs + 20) < 0.01, `${lufs}`);
  assert.ok(Math.abs(gain_db) > 1, `${gain_db}`);
  // 12 and 6 dB below the second, as they were: the tones lie where the weighting hardly differs.
  assert.ok(Math.abs(two.loudness.lufs - one.loudness.lufs - 12.04) < 0.3, JSON.stringify(made.outputs));
  assert.ok(Math.abs(two.loudness.lufs - three.loudness.lufs - 6.02) < 0.3);
  const files = await Promise.all(
    made.outputs.map(
      async ({ url }: { url: string }) => new Uint8Array(await (await tonwerk.call("GET", url)).arrayBuffer()),
    ),
  );
  const measured = await concatenatedLufs(files);
  assert.ok(Math.abs(measured + 20) <= 0.1, `ffmpeg says ${measured} LUFS of the concatenation`);
  assert.deepEqual(await readdir(await scratchOf(tonwerk.data)), []);
});

test("the loudest peak of all tracks bounds an album's gain, and no limiter runs", async () => {
  // Loud for 50 ms of two seconds: far from the target when its peak is at the ceiling.
  const burst = sine(550, 2, RATE, 0.9).fill(0, RATE / 20);
  const sent = await Promise.all([urlOf(toneFlac(440, 0.05, 12)), urlOf(flacOf(burst))]);
  const made = await ended({ album: sent.map((url) => ({ url })), loudness: { target_lufs: -6 } });
  assert.equal(made.status, "ready", JSON.stringify(made));
  const [quiet, loud] = made.outputs;
  assert.ok(loud.loudness.true_peak_dbtp <= -1 && loud.loudness.true_peak_dbtp > -1.1, JSON.stringify(loud.loudness));
  assert.ok(quiet.loudness.true_peak_dbtp < -20, JSON.stringify(quiet.loudness));
  assert.ok(made.outputs.every(({ loudness }: Answer["body"]) => loudness.compressed === false));
});

test("an album is one list of 1 to 30 sources, each held to the rules of URLs", async () => {
  const source = { url: "https://example.com/a.flac" };
  const refused = async (body: object): Promise<unknown> => {
    const { status, body: answer } = await put(body);
    assert.equal(status, 422, JSON.stringify(answer));
    return answer.detail.map(({ loc, type }: { loc: unknown; type: string }) => [loc, type]);
  };
  assert.deepEqual(await refused({}), [[["body", "source"], "missing"]]);
  assert.deepEqual(await refused({ source, album: [source] }), [[["body"], "one_of"]]);
  assert.deepEqual(await refused({ album: [] }), [[["body", "album"], "value_error"]]);
  assert.deepEqual(await refused({ album: Array(31).fill(source) }), [[["body", "album"], "value_error"]]);
  assert.deepEqual(await refused({ album: [source, { url: "http://example.com/a.flac" }] }), [
    [["body", "album", 1, "url"], "url_scheme"],
  ]);
  const forged = { url: (await urlOf(toneFlac(440, 0.1))).replace(/signature=.{8}/u, "signature=AAAAAAAA") };
  assert.deepEqual(await refused({ album: [source, source, forged] }), [[["body", "album", 2, "url"], "url_invalid"]]);
  const price = await put({ album: [source, source] }, "?dry_run=true");
  assert.equal(price.body.cost, 2, JSON.stringify(price.body));
});

test("the track that cannot be used is named, and everything is given back", async () => {
  const good = { url: await urlOf(toneFlac(440, 0.1)) };
  const short = { url: await urlOf(toneFlac(440, 0.1, 0.25)) };
  const made = await ended({ album: [good, good, good, short] });
  assert.deepEqual([made.status, made.error.code, made.error.source], ["failed", "source_too_short", "album.3"]);
  assert.deepEqual([made.cost, made.refunded], [4, 4]);
  assert.equal(made.outputs, null);
  const single = await ended({ source: short });
  assert.deepEqual(
    [single.error.code, "source" in single.error, "outputs" in single],
    ["source_too_short", false, false],
  );
  const silent = await ended({ album: [{ url: await urlOf(toneFlac(440, 0)) }] });
  assert.deepEqual([silent.status, silent.error.code], ["failed", "source_silent"]);
});

test("the same album under the same key is the same operation; the same track may stand in it twice", async () => {
  const track = { url: await urlOf(toneFlac(440, 0.1)) };
  const body = { idempotency_key: randomUUID(), album: [track, track], loudness: { target_lufs: -20 } };
  const first = await put(body);
  const again = await put(body);
  assert.deepEqual(again.body, first.body);
  const other = await put({ ...body, album: [track] });
  assert.equal(other.body.code, "idempotency_key_reused", JSON.stringify(other.body));
  const { id } = first.body.normalised_audio;
  await until(async () => (await tonwerk.service.store.operation(id))?.status !== "processing");
  const { outputs } = (await tonwerk.json("GET", `/v1/${ACTION}?id=${id}`)).body.normalised_audio;
  assert.equal(outputs.length, 2);
  assert.equal(outputs[0].sha256, outputs[1].sha256);
});
