/** Downloads in other forms than they are stored in, held against ffmpeg's decoders. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { expire, sweepOrphans } from "../../core/work/upkeep.ts";
import { music, sine, wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, scratchOf, startTestService, type TestService } from "../service.ts";

const DAY_MS = 86_400_000;
let shift_ms = 0;
let folder: string;
let tonwerk: TestService;
let outputs: readonly { readonly url: string; readonly bytes: number; readonly duration: number }[];
let operation_id: string;

before(async () => {
  const { systemClock } = await import("../../core/base/timers.ts");
  folder = await pluginFolder(["docs", "files", "formats"]);
  await addAction(folder, "test.copy", {
    output: '"variations"',
    request: "Type.Object({ sections: Type.Optional(Type.Boolean()) })",
    echo: "[]",
    process: `({ sources, request }) => Array.from({ length: request.n_variations }, () => ({
      audio: sources.source,
      ...(request.sections ? { report: { composed: { sections: [
        { start: 0, end: 20, kind: "verse", energy: 0.9 }, { start: 20, end: 40, kind: "chorus", energy: 0.8 },
      ] } } } : {}),
    }))`,
  });
  await addAction(folder, "test.split", {
    output: '"stems"',
    request: "Type.Object({})",
    echo: "[]",
    process: `({ sources: { source } }) => {
      const scaled = (gain) => ({ audio: { ...source, channels: source.channels.map((c) => c.map((x) => x * gain)) } });
      const drums = scaled(0.25);
      return { vocals: scaled(0.5), drums, bass: undefined, other: undefined, instrumental: drums };
    }`,
  });
  tonwerk = await startTestService({
    clock: { ...systemClock, now: () => Date.now() + shift_ms },
    env: { TONWERK_PLUGINS: folder, TONWERK_RETENTION_DAYS: "2" },
  });
  ({ outputs, id: operation_id } = await run(wav(music(1, 3)), { n_variations: 2 }));
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

async function run(sound: Uint8Array, fields: object = {}, action = "test.copy"): Promise<Answer["body"]> {
  const { url } = (await tonwerk.json("PUT", "/v1/files", sound)).body.file;
  const request = { idempotency_key: randomUUID(), source: { url }, ...fields };
  const wrapper = action.replace(".", "_");
  const { status, body } = await tonwerk.json("PUT", `/v1/${action}`, request);
  assert.equal(status, 200, JSON.stringify(body));
  const { id } = body[wrapper];
  for (;;) {
    const { [wrapper]: made } = (await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`)).body;
    assert.notEqual(made.status, "failed", JSON.stringify(made.error));
    if (made.status === "ready") return made;
  }
}

/** Without a key, as a browser would; follows where the bucket serves it itself. */
async function get(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await tonwerk.service.app(new Request(url, init), { address: "198.51.100.1" });
  const location = response.headers.get("location");
  return location === null ? response : fetch(location, init);
}

async function bytesOf(url: string): Promise<Uint8Array> {
  const response = await get(url);
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.equal(response.status, 200, new TextDecoder().decode(bytes.subarray(0, 400)));
  return bytes;
}

/** By ffmpeg, as whole numbers of 32 bits, channels in turn. */
function decoded(bytes: Uint8Array): Int32Array {
  const args = ["-loglevel", "error", "-i", put(bytes), "-f", "s32le", "-c:a", "pcm_s32le", "-"];
  return new Int32Array(Uint8Array.from(execFileSync("ffmpeg", args, { maxBuffer: 2 ** 28 })).buffer);
}

/** As a file: of a pipe ffmpeg does not look for where the padding of an MP3 begins. */
function put(bytes: Uint8Array): string {
  const path = join(folder, "made");
  writeFileSync(path, bytes);
  return path;
}

interface Facts {
  readonly codec_name: string;
  readonly sample_fmt: string;
}

function facts(bytes: Uint8Array): Facts {
  const args = ["-v", "error", "-show_streams", "-of", "json", "-i", put(bytes)];
  return JSON.parse(execFileSync("ffprobe", args).toString()).streams[0];
}

/** By their names in lower case, of the file or of its stream. */
function tags(bytes: Uint8Array): Readonly<Record<string, string>> {
  const args = ["-v", "error", "-show_format", "-show_streams", "-of", "json", "-i", put(bytes)];
  const { format, streams } = JSON.parse(execFileSync("ffprobe", args).toString());
  const all = Object.entries<string>({ ...format.tags, ...streams[0].tags });
  return Object.fromEntries(all.map(([name, text]) => [name.toLowerCase(), text]));
}

async function kept(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of tonwerk.service.bucket.list("op/")) if (key.includes(".kept.")) keys.push(key);
  return keys.sort();
}

test("WAV has the samples of the FLAC; its URL needs no other signature and the FLAC stays as it is", async () => {
  const { url, bytes } = outputs[0]!;
  const flac = await bytesOf(url);
  assert.equal(flac.length, bytes);
  assert.deepEqual(await bytesOf(`${url}&format=flac`), flac);
  assert.deepEqual(await bytesOf(`${url}&format=flac&bits=24`), flac);
  assert.deepEqual(await kept(), []);
  for (const asked of ["format=wav", "format=wav&bits=24"]) {
    const made = await bytesOf(`${url}&${asked}`);
    assert.equal(facts(made).codec_name, "pcm_s24le");
    assert.deepEqual(decoded(made), decoded(flac));
  }
  assert.equal((await kept()).length, 1);
});

test("16 bits are dithered: within a step and a half, without a bias, the same as WAV and as FLAC", async () => {
  const { url } = outputs[0]!;
  const [whole, wav16, flac16] = await Promise.all([
    bytesOf(url),
    bytesOf(`${url}&format=wav&bits=16`),
    bytesOf(`${url}&format=flac&bits=16`),
  ]);
  assert.equal(facts(wav16).codec_name, "pcm_s16le");
  assert.equal(facts(flac16).sample_fmt, "s16");
  const [exact, rounded] = [decoded(whole), decoded(wav16)];
  assert.deepEqual(decoded(flac16), rounded);
  let [sum, squares, largest] = [0, 0, 0];
  for (const [n, value] of exact.entries()) {
    const error = (rounded[n]! - value) / 65_536;
    sum += error;
    squares += error * error;
    largest = Math.max(largest, Math.abs(error));
  }
  assert.ok(largest <= 1.5, `${largest} steps`);
  assert.ok(Math.abs(sum / exact.length) < 0.01, `bias ${sum / exact.length}`);
  // Triangular noise of one step and the rounding: 1/6 + 1/12 of a step squared.
  assert.ok(Math.abs(squares / exact.length - 0.25) < 0.01, `${squares / exact.length}`);
});

test("MP3 and Opus have the length and the level of the output", async () => {
  const { outputs } = await run(wav([sine(997, 4, 44_100, 0.5)]), { n_variations: 1 });
  const { url } = outputs[0];
  for (const [format, codec, rate] of [
    ["mp3", "mp3", 44_100],
    ["opus", "opus", 48_000],
  ] as const) {
    const response = await get(`${url}&format=${format}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), format === "mp3" ? "audio/mpeg" : "audio/ogg");
    assert.match(response.headers.get("content-disposition")!, new RegExp(`; filename="test.copy-1.${format}"`));
    const made = new Uint8Array(await response.arrayBuffer());
    assert.equal(response.headers.get("content-length"), String(made.length));
    assert.equal(facts(made).codec_name, codec);
    const samples = decoded(made);
    assert.ok(Math.abs(samples.length / rate - 4) < 0.001, `${format} lasts ${samples.length / rate} s`);
    const middle = samples.subarray(rate, 3 * rate);
    const level = Math.sqrt(middle.reduce((sum, value) => sum + (value / 2 ** 31) ** 2, 0) / middle.length);
    assert.ok(Math.abs(20 * Math.log10(level / (0.5 * Math.SQRT1_2))) < 0.1, `${format} is at ${level}`);
  }
});

test("what is made is made once, served by range, and named", async () => {
  const { url } = outputs[1]!;
  let runs = 0;
  const { pool } = tonwerk.service;
  const plain = pool.run.bind(pool);
  pool.run = (runner, ...rest) => {
    if (runner.name === "convert") runs++;
    return plain(runner, ...rest);
  };
  const all = await Promise.all(Array.from({ length: 5 }, () => bytesOf(`${url}&format=wav&bits=16`)));
  pool.run = plain;
  assert.equal(runs, 1);
  const response = await get(`${url}&format=wav&bits=16`, { headers: { range: "bytes=0-3" } });
  assert.equal(response.status, 206);
  assert.equal(await response.text(), "RIFF");
  assert.equal(response.headers.get("content-range"), `bytes 0-3/${all[0]!.length}`);
  assert.ok(response.headers.get("etag"));
  assert.match(response.headers.get("content-disposition")!, /^inline; filename="test\.copy-2\.wav"$/u);
  const head = await get(`${url}&format=wav&bits=16`, { method: "HEAD" });
  assert.equal(head.headers.get("content-length"), String(all[0]!.length));
});

test("wrong values are a 422 with one entry each, and a changed URL stays a 403", async () => {
  const { url } = outputs[0]!;
  for (const [asked, name, type] of [
    ["format=aac", "format", "enum"],
    ["bits=20", "bits", "enum"],
    ["format=mp3&bits=16", "bits", "value_error"],
    ["format=wav&format=flac", "format", "value_error"],
    ["preview=yes", "preview", "enum"],
    ["peaks=0", "peaks", "value_error"],
    ["peaks=8001", "peaks", "value_error"],
    ["peaks=80&format=wav", "peaks", "value_error"],
    ["quality=9", "quality", "extra_forbidden"],
  ] as const) {
    const response = await get(`${url}&${asked}`);
    assert.equal(response.status, 422, asked);
    const { detail, code } = (await response.json()) as Answer["body"];
    assert.deepEqual(
      [code, detail.length, detail[0].loc, detail[0].type],
      ["invalid_request", 1, ["query", name], type],
    );
    assert.ok(response.headers.get("x-request-id"));
  }
  for (const wrong of [url.replace("expires=", "format=wav&expires="), `${url}x&format=wav`, url.replace(/.$/u, "")])
    assert.equal((await get(wrong)).status, 403);
  const upload = (await tonwerk.json("PUT", "/v1/files", wav(music(2, 1)))).body.file;
  assert.equal((await get(`${upload.url}&format=wav`)).status, 422);
});

test("the preview is 30 s from the chorus, or from the beginning where no section is known", async () => {
  const long = wav([Float32Array.from([...sine(220, 20), ...sine(880, 40)])]);
  for (const [sections, hertz] of [
    [true, 880],
    [false, 220],
  ] as const) {
    const { outputs } = await run(long, { n_variations: 1, sections });
    const response = await get(`${outputs[0].url}&preview=true&format=wav`);
    assert.match(response.headers.get("content-disposition")!, /test\.copy-1-preview\.wav/u);
    const samples = decoded(new Uint8Array(await response.arrayBuffer()));
    assert.equal(samples.length, 30 * 44_100);
    let crossings = 0;
    for (let n = 44_101; n < 2 * 44_100; n++) if (samples[n - 1]! < 0 && samples[n]! >= 0) crossings++;
    assert.ok(Math.abs(crossings - hertz) <= 2, `${crossings} Hz`);
  }
  // What is shorter is its own preview.
  assert.deepEqual(await bytesOf(`${outputs[0]!.url}&preview=true`), await bytesOf(outputs[0]!.url));
});

test("the document says what may be asked for, and the answers are of the types that it names", async () => {
  const { paths, components } = (await tonwerk.json("GET", "/openapi.json")).body;
  const { parameters, responses } = paths[DOWNLOAD].get;
  const asked = new Map(queryOf(parameters).map(({ name, schema }) => [name, schema]));
  assert.deepEqual([...asked.keys()], ["expires", "signature", "format", "bits", "preview", "peaks"]);
  const { url } = outputs[0]!;
  const typeOf = async (asked: string) => {
    const response = await get(`${url}&${asked}`);
    await response.body?.cancel();
    assert.equal(response.status, 200, asked);
    return response.headers.get("content-type");
  };
  const types: (string | null)[] = [];
  for (const format of asked.get("format")!.enum!) types.push(await typeOf(`format=${format}`));
  for (const bits of asked.get("bits")!.enum!) assert.equal(await typeOf(`format=wav&bits=${bits}`), "audio/wav");
  const archive = await get((await run(wav(music(1, 1)), {}, "test.split")).archive.url);
  await archive.body?.cancel();
  types.push(archive.headers.get("content-type"));
  assert.deepEqual(Object.keys(responses["200"].content), [...types, "application/json"]);
  const { minimum, maximum } = asked.get("peaks")!;
  for (const bins of [minimum!, maximum!]) {
    const peaks = (await (await get(`${url}&peaks=${bins}`)).json()) as Answer["body"];
    const check = new Ajv2020({ strict: false, validateFormats: false }).compile(components.schemas.Peaks);
    assert.equal(peaks.min.length, peaks.bins);
    assert.ok(check(peaks), JSON.stringify(check.errors));
  }
  for (const bins of [minimum! - 1, maximum! + 1]) assert.equal((await get(`${url}&peaks=${bins}`)).status, 422);
});

test("without the surface the document names no other forms", async () => {
  const bare = await pluginFolder(["docs", "files"]);
  await addAction(bare, "test.copy");
  const without = await startTestService({ env: { TONWERK_PLUGINS: bare } });
  const { paths } = (await without.json("GET", "/openapi.json")).body;
  const { parameters, responses } = paths[DOWNLOAD].get;
  assert.deepEqual(
    queryOf(parameters).map(({ name }) => name),
    ["expires", "signature"],
  );
  assert.deepEqual(Object.keys(responses["200"].content), ["audio/flac"]);
  await without.stop();
  await rm(bare, { recursive: true, force: true });
});

test("peaks are the extremes of each bin", async () => {
  const { url, duration } = outputs[0]!;
  const response = await get(`${url}&peaks=100`);
  const peaks = (await response.json()) as Answer["body"];
  assert.deepEqual([peaks.bins, peaks.duration, peaks.min.length, peaks.max.length], [100, duration, 100, 100]);
  const samples = decoded(await bytesOf(url));
  const each = samples.length / 100;
  // The grid of levels is finer than a bin, and not its divisor.
  for (let bin = 1; bin < 99; bin++) {
    const within = samples.subarray(bin * each + 20, (bin + 1) * each - 20);
    const around = samples.subarray(bin * each - 20, (bin + 1) * each + 20);
    const highest = (part: Int32Array) => part.reduce((most, value) => Math.max(most, value), -(2 ** 31)) / 2 ** 31;
    assert.ok(peaks.max[bin] >= highest(within) - 1e-4 && peaks.max[bin] <= highest(around) + 1e-4, `bin ${bin}`);
    assert.ok(peaks.min[bin] <= 0);
  }
  assert.equal(((await (await get(`${url}&peaks=1`)).json()) as Answer["body"]).max.length, 1);
});

test("conversions are free work of the account, a few of each output are kept, and they go with it", async () => {
  const used = async () => (await tonwerk.json("GET", "/v1/account")).body.account.limits.free_seconds.used;
  const before = await used();
  const { outputs, id } = await run(wav([Float32Array.from([...sine(300, 40)])]), { n_variations: 1 });
  const { url } = outputs[0];
  const all = ["format=wav", "format=wav&bits=16", "format=flac&bits=16", "format=mp3", "format=opus"];
  for (const asked of [...all, ...all.map((one) => `${one}&preview=true`), "peaks=10"])
    await bytesOf(`${url}&${asked}`);
  assert.ok((await used()) > before);
  const mine = (await kept()).filter((key) => key.includes(id));
  assert.equal(mine.length, 7, mine.join());
  // As old as a day, and named by nothing but what they belong to.
  shift_ms += DAY_MS + 3_600_000;
  await sweepOrphans(tonwerk.service);
  assert.deepEqual(
    (await kept()).filter((key) => key.includes(id)),
    mine,
  );
  shift_ms += 2 * DAY_MS;
  await expire(tonwerk.service);
  await sweepOrphans(tonwerk.service);
  assert.deepEqual(
    (await kept()).filter((key) => key.includes(id) || key.includes(operation_id)),
    [],
  );
  shift_ms = 0;
  assert.deepEqual(
    (await readdir(await scratchOf(tonwerk.data))).filter((name) => name.startsWith("audio-")),
    [],
  );
});

test("stems come as one ZIP, byte for byte the FLACs, at a URL of its own", async () => {
  const made = await run(wav(music(5, 2)), {}, "test.split");
  assert.deepEqual(
    made.outputs.map(({ kind }: { kind: string }) => kind),
    ["vocals", "drums", "instrumental"],
  );
  const response = await get(made.archive.url);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/zip");
  assert.equal(response.headers.get("content-disposition"), 'attachment; filename="test.split.zip"');
  const zip = new Uint8Array(await response.arrayBuffer());
  assert.equal(response.headers.get("content-length"), String(zip.length));
  // By an independent reader, which holds every entry to its checksum.
  const script = `import sys, zipfile, hashlib
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
for i in z.infolist(): print(i.filename, i.file_size, hashlib.sha256(z.read(i)).hexdigest())`;
  const listed = execFileSync("python3", ["-c", script, put(zip)])
    .toString()
    .trim()
    .split("\n");
  assert.deepEqual(
    listed,
    made.outputs.map(
      ({ kind, bytes, sha256 }: { kind: string; bytes: number; sha256: string }) => `${kind}.flac ${bytes} ${sha256}`,
    ),
  );
  assert.equal((await get(`${made.archive.url}&format=wav`)).status, 422);
  // Who was given one stem was not given the others.
  const { pathname } = new URL(made.archive.url);
  assert.equal((await get(made.outputs[0].url.replace(/\/audio\/[^?]+/u, pathname))).status, 403);
  // Rounded and not dithered: a silent stem stays silent, and stems still sum.
  const [flac, wav16] = await Promise.all(
    [made.outputs[0].url, `${made.outputs[0].url}&format=wav&bits=16`].map(bytesOf),
  );
  const [exact, rounded] = [decoded(flac!), decoded(wav16!)];
  for (const [n, value] of exact.entries()) assert.ok(Math.abs(rounded[n]! - value) <= 32_768, `sample ${n}`);
});

test("title, artist and album of a source stand in the output, as text on one line, and in its other forms", async () => {
  const sound = put(wav(music(6, 1)));
  const long = "x".repeat(5_000);
  const words = ["title=Ä song\n\u0007of mine", "artist=Ωmega 歌", `album=${long}`, "comment=none of ours"];
  const metadata = words.flatMap((one) => ["-metadata", one]);
  for (const [format, ...more] of [
    ["flac"],
    ["wav"],
    ["mp3", "-id3v2_version", "3"],
    ["mp3", "-id3v2_version", "4"],
  ] as const) {
    const tagged = join(folder, `tagged.${format}`);
    execFileSync("ffmpeg", ["-y", "-loglevel", "error", "-i", sound, ...metadata, ...more, tagged]);
    const { outputs } = await run(readFileSync(tagged), { n_variations: 2 });
    assert.equal(outputs[0].sha256, outputs[1].sha256);
    const wanted = { title: "Ä song of mine", artist: "Ωmega 歌", album: "x".repeat(200) };
    for (const asked of ["", "&format=flac&bits=16", "&format=wav", "&format=mp3", "&format=opus"]) {
      const found = tags(await bytesOf(outputs[0].url + asked));
      for (const [name, text] of Object.entries(wanted))
        assert.equal(found[name], text, `${name} of ${format}${asked}`);
      assert.equal(found.comment, undefined);
    }
  }
});

test("past the budget of free work only what is there is served", async () => {
  const { url } = (await run(wav(music(4, 2)), { n_variations: 1 })).outputs[0];
  await bytesOf(`${url}&format=wav`);
  const { facade } = tonwerk.service;
  const account = tonwerk.service.first!.account_id;
  await facade.store.addFreeWork(account, Math.floor(Date.now() / DAY_MS) * DAY_MS, 10 ** 9);
  await bytesOf(`${url}&format=wav`);
  const response = await get(`${url}&format=wav&bits=16`);
  assert.equal(response.status, 429);
  assert.equal(((await response.json()) as Answer["body"]).code, "free_work_used_up");
  assert.ok(Number(response.headers.get("retry-after")) > 0);
});

const DOWNLOAD = "/audio/op/{operation}/{attempt}/{file}";

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: {
    readonly enum?: readonly (string | number)[];
    readonly minimum?: number;
    readonly maximum?: number;
  };
}
const queryOf = (parameters: readonly Parameter[]) => parameters.filter((one) => one.in === "query");
