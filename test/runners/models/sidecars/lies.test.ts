/** What a server of the sidecars' protocol may say and does not mean: each lie is told by name, and the next request is served. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Pool } from "../../../../core/ports/mod.ts";
import { createPool } from "../../../../runners/pool/pool.ts";
import { music, options, snr } from "../fixtures.ts";
import { generated, manifestOf, separated, settings } from "./fixtures.ts";
import {
  audioFrame,
  type Behaviour,
  DONE,
  encoded,
  FRAMES,
  frames,
  HEALTH,
  json,
  startServer,
  type TestServer,
} from "./server.ts";

let server: TestServer;
let pool: Pool;
before(async () => {
  server = await startServer();
  pool = createPool({ threads_max: 2, processes_max: 1, idle_ms: 60_000 });
});
after(async () => {
  await pool.close();
  await server.close();
});

const REQUEST = { prompt: "calm piano", seconds: 0.5, seed: 7 };
const MUSIC = music(0.5);
/** Short, so that a server that hangs is known to soon. */
const TIMES = { silence_ms_max: 400, ms_max: 1500 };

const generate = (fields: object = {}) =>
  pool.run(
    generated,
    { manifest: manifestOf(server.url, { ...TIMES, ...fields }), settings, request: REQUEST },
    options(),
  );
const separate = (fields: object = {}) =>
  pool.run(
    separated,
    { manifest: manifestOf(server.url, { ...TIMES, ...fields }), settings, request: MUSIC },
    options(),
  );

test("a piece comes as it was asked for, at 44.1 kHz and exactly so long", async () => {
  const { sample_rate, channels } = await generate();
  assert.deepEqual([sample_rate, channels.map(({ length }) => length)], [44_100, [22_050, 22_050]]);
  assert.ok(channels.every((channel) => channel.every((value) => value === 0.25)));
  const asked = server.heard.find(({ path }) => path === "/v1/generate")!;
  const { job, ...words } = JSON.parse(asked.body.toString());
  assert.match(job, /^[0-9a-f-]{36}$/u);
  assert.deepEqual(words, REQUEST);
});

test("stems come frame for frame, in windows where the piece is longer, at the rate that the server wants", async () => {
  for (const [rate, fields, db] of [
    [44_100, {}, 120],
    [44_100, { window_seconds: 1 }, 120],
    [48_000, {}, 60],
  ] as const) {
    const tasks = { separate: { ...HEALTH.tasks.separate, sample_rate: rate, seconds_max: 1 } };
    server.behave({ "GET /v1/health": json({ ...HEALTH, tasks }) });
    const piece = music(2.3);
    const manifest = manifestOf(server.url, { id: `at-${rate}`, serves: ["separate"], ...fields });
    const made = await pool.run(separated, { manifest, settings, request: piece }, options());
    for (const [s, share] of [1 / 4, 3 / 4].entries())
      for (const [c, channel] of made[s]!.entries()) {
        assert.equal(channel.length, piece.channels[c]!.length);
        assert.ok(snr(channel, piece.channels[c]!, share, 2000, channel.length - 2000) > db, `${rate} ${s} ${c}`);
      }
  }
  server.behave({});
});

const health = (changes: object): Behaviour => json({ ...HEALTH, ...changes });
const stem = (name: string, changes: object = {}, value?: number) => audioFrame(0.5, { stem: name, ...changes }, value);
const both = [...stem("vocals"), ...stem("instrumental")];
const trickle =
  (piece: string, ms: number): Behaviour =>
  (response) => {
    response.writeHead(200, { "content-type": FRAMES });
    const timer = setInterval(() => response.write(piece), ms);
    response.on("close", () => clearInterval(timer));
  };

/** What is asked, how the server behaves, and what is said of it. */
const LIES: readonly (readonly [string, "health" | "generate" | "separate", Behaviour, RegExp])[] = [
  ["another version of the protocol", "health", health({ protocol: 2 }), /it speaks protocol "2", Tonwerk speaks 1/],
  ["no protocol at all", "health", json({ status: "ok" }), /it speaks protocol "null"/],
  ["a health that is not JSON", "health", json("<html>"), /its answer is not JSON: "<html>"/],
  ["a health without end", "health", json(`"${"x".repeat(70_000)}"`), /at most 65536 are taken|more than 65536 bytes/],
  [
    "a health that never ends",
    "health",
    (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 100);
      response.on("close", () => clearInterval(timer));
    },
    /it took more than 5 s/,
  ],
  ["a state that there is not", "health", health({ status: "splendid" }), /its health says "splendid" in "status"/],
  ["no task", "health", health({ tasks: {} }), /its health has no task/],
  [
    "a rate that cannot be",
    "health",
    health({ tasks: { generate: { sample_rate: 1e9, seconds_max: 30 } } }),
    /its health says "1000000000" in "tasks.generate.sample_rate"/,
  ],
  [
    "a stem that there is not",
    "health",
    health({ tasks: { separate: { ...HEALTH.tasks.separate, stems: ["bongos"] } } }),
    /its health says "bongos" in "tasks.separate.stems.0"/,
  ],
  [
    "a task that it does not do",
    "health",
    health({ tasks: { separate: HEALTH.tasks.separate } }),
    /it does not serve generate, as "serves" has it, but separate/,
  ],
  ["that it has failed", "health", health({ status: "failed", reason: "CUDA is gone" }), /has failed: "CUDA is gone"/],
  ["a redirect", "health", json("", 302, { location: "http://127.0.0.1:9/" }), /answers 302, a redirect/],
  [
    "that our token is wrong",
    "health",
    json({ error: { message: "who are you?" } }, 401),
    /refuses our token \(401\): "who/,
  ],
  ["a redirect of the work", "generate", json("", 307, { location: "/elsewhere" }), /answers 307, a redirect/],
  [
    "an error by its status",
    "generate",
    json({ error: { message: "no\nsuch thing" } }, 500),
    /answers 500: "no such thing"/,
  ],
  ["an error without end", "generate", json("x".repeat(70_000), 500), /at most 65536 are taken|more than 65536 bytes/],
  ["JSON where lines should be", "generate", json({}), /its answer is "application\/json", expected/],
  [
    "a gzip bomb",
    "generate",
    (response) => {
      response.writeHead(200, { "content-type": FRAMES, "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(1_000_000)));
    },
    /its answer is compressed \("gzip"\)/,
  ],
  ["lines that are none", "generate", frames("hello\n"), /a line of its answer is not JSON/],
  ["a line that is no object", "generate", frames("[1]\n"), /a line of its answer is no object/],
  ["a line without end", "generate", frames("x".repeat(70_000)), /longer than 65536 bytes/],
  ["audio of another rate", "generate", frames(...audioFrame(0.5, { sample_rate: 7 }), DONE), /"7" in "sample_rate"/],
  ["audio of nine channels", "generate", frames(...audioFrame(0.5, { channels: 9 }), DONE), /"9" in "channels"/],
  [
    "more bytes than frames",
    "generate",
    frames(...audioFrame(0.5, { bytes: 1 }), DONE),
    /1 bytes, its frames have 176400/,
  ],
  [
    "an hour where half a second was asked for",
    "generate",
    frames({ type: "audio", sample_rate: 44_100, channels: 2, frames: 158_760_000, bytes: 1_270_080_000 }),
    /wants to send 158760000 frames, at most 242550/,
  ],
  ["a piece that is too short", "generate", frames(...audioFrame(0.1), DONE), /lasts 0.10 s, 0.5 s were asked for/],
  ["silence", "generate", frames(...audioFrame(0.5, {}, 0), DONE), /its piece is silence/],
  ["NaN", "generate", frames(...audioFrame(0.5, {}, Number.NaN), DONE), /samples that are not finite/],
  [
    "16-bit numbers",
    "generate",
    frames(...audioFrame(0.5, {}, 32_000), DONE),
    /samples of 32000, expected about -1 to 1/,
  ],
  ["two pieces", "generate", frames(...audioFrame(0.5), ...audioFrame(0.5), DONE), /sends audio twice/],
  [
    "a stem where a piece should be",
    "generate",
    frames(...stem("vocals"), DONE),
    /gives "vocals", and no stem was asked/,
  ],
  ["nothing", "generate", frames(DONE), /it is done and sent no audio/],
  [
    "bytes of something else",
    "generate",
    frames({ type: "picture", bytes: 5 }, "12345"),
    /sends "picture", which is not known/,
  ],
  [
    "that it is out of memory",
    "generate",
    frames({ type: "error", code: "out_of_memory", message: "CUDA" }),
    /out of memory: "CUDA"/,
  ],
  ["half of the audio", "generate", frames(audioFrame(0.5)[0]!, new Uint8Array(1000)), /broke off|ends in the middle/],
  ["no end", "generate", frames(...audioFrame(0.5)), /ends before it says that it is done/],
  [
    "an end that never comes",
    "generate",
    trickle(`${JSON.stringify({ type: "progress", fraction: 0.1 })}\n`, 50),
    /it exceeded 1500 ms/,
  ],
  ["empty lines for ever", "generate", trickle("\n", 50), /it exceeded 1500 ms/],
  ["a byte now and then", "generate", trickle("{", 100), /it exceeded 1500 ms/],
  ["nothing at all", "generate", () => undefined, /it said nothing for 0.4 s/],
  [
    "headers, and then nothing",
    "generate",
    (response) => response.writeHead(200, { "content-type": FRAMES }).flushHeaders(),
    /said nothing for 0.4 s/,
  ],
  [
    "a stem that nobody asked for",
    "separate",
    frames(...stem("guitar"), DONE),
    /gives "guitar", asked for vocals, instrumental/,
  ],
  ["a stem without a name", "separate", frames(...audioFrame(0.5), DONE), /gives "null", asked for vocals/],
  ["one stem twice", "separate", frames(...stem("vocals"), ...stem("vocals"), DONE), /gives vocals twice/],
  ["one stem of two", "separate", frames(...stem("vocals"), DONE), /done and sent no instrumental/],
  [
    "stems of another length",
    "separate",
    frames(...audioFrame(0.4, { stem: "vocals" }), DONE),
    /17640 frames, its source .* 22050 frames/,
  ],
  [
    "stems of another rate",
    "separate",
    frames(...stem("vocals", { sample_rate: 48_000 }), DONE),
    /48000 Hz.*its source 44100 Hz/,
  ],
  [
    "a stem that is not finite",
    "separate",
    frames(...stem("vocals"), ...stem("instrumental", {}, Number.POSITIVE_INFINITY), DONE),
    /its instrumental has samples that are not finite/,
  ],
];

for (const [what, asked, behaviour, said] of LIES) {
  test(`${asked}: ${what}`, async () => {
    const path = { health: "GET /v1/health", generate: "POST /v1/generate", separate: "POST /v1/separate" }[asked];
    server.behave({ [path]: behaviour });
    const id = "liar";
    await assert.rejects(asked === "separate" ? separate({ id }) : generate({ id }), (error: Error) => {
      assert.equal(error.name, "ModelError");
      assert.match(error.message, said);
      // Reasons may name what a server said, never where it is.
      assert.ok(!error.message.includes("127.0.0.1"), error.message);
      return true;
    });
    server.behave({});
  });
}

test("after all of them the same process serves", async () => {
  server.behave({});
  assert.equal((await generate({ id: "liar" })).channels[0]!.length, 22_050);
  assert.equal(pool.residents().find(({ name }) => name === "liar")?.state, "ready");
});

test("progress that falls, or goes beyond the end, is forgiven and not handed on", async () => {
  const line = (fraction: unknown, stage: string) => ({ type: "progress", fraction, stage });
  const lines = [line(0.4, "one"), line(0.1, "two"), line(7, "three"), line("much", "four"), line(-1, "/etc/passwd")];
  server.behave({ "POST /v1/generate": frames(...lines, { type: "gossip" }, ...audioFrame(0.5), DONE, "garbage") });
  const told: [number, string][] = [];
  const given = { manifest: manifestOf(server.url), settings, request: REQUEST };
  const { channels } = await pool.run(generated, given, {
    ...options(),
    onProgress: (fraction, stage) => told.push([fraction, stage]),
  });
  server.behave({});
  assert.equal(channels[0]!.length, 22_050);
  assert.ok(told.length > 0);
  for (const [index, [fraction, stage]] of told.entries()) {
    assert.ok(fraction >= (told[index - 1]?.[0] ?? 0) && fraction <= 1, `${fraction}`);
    assert.ok(["one", "three", "working"].includes(stage), stage);
  }
});

test("stems of both come together where they are right", async () => {
  server.behave({ "POST /v1/separate": frames(encoded(""), ...both, DONE) });
  assert.deepEqual(
    (await separate()).map(([left]) => left![0]),
    [0.25, 0.25],
  );
  server.behave({});
});
