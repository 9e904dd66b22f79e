/** The reference server (examples/sidecar) and the protocol's test kit: the one passes the other, and the other finds what is wrong. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Pool } from "../../../../core/ports/mod.ts";
import { exchange } from "../../../../runners/models/sidecars/exchange.ts";
import { joinFrames } from "../../../../runners/models/sidecars/frames.ts";
import { sidecars } from "../../../../runners/models/sidecars/mod.ts";
import { audioLine } from "../../../../runners/models/sidecars/own.ts";
import { createPool } from "../../../../runners/pool/pool.ts";
import { DOCUMENT, sidecarDocument } from "../../../../scripts/sidecar_openapi.ts";
import { makeEnvironment, why_not } from "../../../sdk/python.ts";
import { options, snr } from "../fixtures.ts";
import { generated, manifestOf, separated, settings } from "./fixtures.ts";
import { audioFrame, DONE, encoded, FRAMES, frames, HEALTH, json, startServer, type TestServer } from "./server.ts";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const example = join(here, "../../../../examples/sidecar");
const skip = "Deno" in globalThis ? "the server is the same for every runtime" : why_not;
const AUDIO = { sample_rate: 44_100, channels: [new Float32Array(44_100).fill(0.1)] };
const folder = mkdtempSync(join(tmpdir(), "tonwerk-sidecars-"));
let pool: Pool;
let python: string;
let server: TestServer;
before(async () => {
  pool = createPool({ threads_max: 2, processes_max: 1, idle_ms: 60_000 });
  server = await startServer();
  if (skip === false)
    python = await makeEnvironment(join(folder, "env"), [
      "numpy==2.4.6",
      "uvicorn==0.54.0",
      "mypy==2.4.1",
      "ruff==0.17.6",
    ]);
});
after(async () => {
  await pool.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A manifest by which Tonwerk starts the reference server with this model. */
const served = (id: string, model: string, fields: object = {}) => {
  const socket = join(folder, `${id}.sock`);
  const token_file = join(folder, "token");
  writeFileSync(token_file, "sesame\n");
  const command = [python, "-m", "tonwerk_sidecar", "--uds", socket, "--model", model, "--token-file", token_file];
  const env = { PYTHONPATH: [join(example, "src"), here].join(delimiter) };
  return manifestOf(`unix:${socket}`, { id, serves: ["generate"], command, env, token_file, ...fields });
};
const check = async (manifest: ReturnType<typeof manifestOf>) => {
  const spec = { manifest, memory_mb: 6000 };
  const answer = await pool.run({ ...sidecars, resident: manifest.id }, { type: "check", spec }, options());
  assert.ok(answer.type === "checked");
  return answer;
};

test("the reference server passes the kit", { skip }, async () => {
  const { facts, checks } = await check(
    served("example", "tonwerk_sidecar.example:Example", { serves: ["generate", "remix", "separate"] }),
  );
  assert.deepEqual([facts.name, facts.licence, facts.device], ["example", "MIT", "cpu"]);
  assert.equal(checks.length, 17);
  assert.deepEqual(
    checks.filter(({ fault }) => fault !== null),
    [],
  );
});

test("a server that serves songs and nothing else, two at once, passes it too, and hums the lines that it was sent", {
  skip,
}, async () => {
  const manifest = served("singer", "models:Singer", { serves: ["song"] });
  const { facts, checks } = await check(manifest);
  assert.deepEqual(Object.keys(facts.tasks), ["song"]);
  assert.equal(facts.concurrency, 2);
  assert.equal(checks.length, 14);
  assert.deepEqual(
    checks.filter(({ fault }) => fault !== null),
    [],
  );
  const request = {
    prompt: "calm",
    lyrics: "[Verse]\nten longs.\n\n[Chorus]\nand 20 more letters.",
    seconds: 2,
    seed: 1,
  };
  const { channels, sample_rate } = await pool.run(generated, { manifest, settings, request }, options());
  assert.deepEqual([sample_rate, channels.length, channels[0]!.length], [44_100, 1, 88_200]);
  const crossings = (from: number) =>
    channels[0]!.subarray(from, from + 22_050).filter((value, n, all) => n > 0 && value >= 0 && all[n - 1]! < 0).length;
  assert.deepEqual(
    [crossings(5000), crossings(60_000)].map((count) => 20 * Math.round(count / 10)),
    [420, 620],
  );
});

test("its model plucks equal samples for equal seeds, and tells strikes from what sounds on", { skip }, async () => {
  const serves = ["generate", "remix", "separate"];
  const manifest = served("example", "tonwerk_sidecar.example:Example", { serves });
  const make = (seed: number) =>
    pool.run(generated, { manifest, settings, request: { prompt: "calm minor", seconds: 2, seed } }, options());
  const [one, again, other] = [await make(1), await make(1), await make(2)];
  assert.deepEqual(one, again);
  assert.notDeepEqual(one, other);
  // A steady tone, and a click each quarter of a second.
  const [tone, clicks] = [new Float32Array(88_200), new Float32Array(88_200)];
  for (let n = 0; n < tone.length; n++) tone[n] = 0.3 * Math.sin((2 * Math.PI * 440 * n) / 44_100);
  for (let n = 5000; n < clicks.length; n += 11_025) clicks[n] = 0.9;
  const mix = tone.map((value, n) => value + clicks[n]!);
  const audio = { sample_rate: 44_100, channels: [mix, mix] };
  const anew = { prompt: "calm minor", seconds: 2, seed: 1, reference: audio };
  const remixed = await pool.run(generated, { manifest, settings, request: anew }, options());
  // Each click stands out of the plucks around it.
  const peak = (from: number, to: number) => Math.max(...remixed.channels[0]!.subarray(from, to).map(Math.abs));
  for (let n = 5000; n < clicks.length - 100; n += 11_025) assert.ok(peak(n - 2, n + 3) > 1.5 * peak(n - 80, n - 10));
  assert.equal(remixed.channels[0]!.length, 88_200);
  const [drums, rest] = await pool.run(separated, { manifest, settings, request: audio }, options());
  assert.ok(snr(rest![0]!, tone, 1, 8000, 80_000) > 20);
  assert.ok(snr(drums![0]!, clicks, 1, 8000, 80_000) > 5);
});

test("docs/sidecar.openapi.json is what Tonwerk checks by", () => {
  const written = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  assert.deepEqual(written, JSON.parse(JSON.stringify(sidecarDocument)), "bun scripts/sidecar_openapi.ts writes it");
});

test("the reference server answers as docs/sidecar.openapi.json says", {
  skip,
}, async () => {
  const manifest = served("example", "tonwerk_sidecar.example:Example", { serves: ["generate", "separate"] });
  const lines = joinFrames([
    { line: { job: "one", stems: ["drums"] } },
    { line: audioLine(AUDIO), channels: AUDIO.channels },
  ]);
  const words = { job: "one", prompt: "calm", seconds: 0.1, seed: 1 };
  const bodies: Readonly<Record<string, readonly (Uint8Array | undefined)[]>> = {
    generate: [new TextEncoder().encode(JSON.stringify(words)), new TextEncoder().encode("{}")],
    separate: [lines, lines.subarray(0, -1)],
  };
  const signal = new AbortController().signal;
  for (const [path, methods] of Object.entries(sidecarDocument.paths))
    for (const [method, { operationId, responses }] of Object.entries(methods))
      for (const body of bodies[operationId] ?? [undefined])
        for (const place of [manifest, { url: manifest.url }]) {
          let seen: { status: number; type: string | undefined } | undefined;
          const asked = {
            method: method.toUpperCase() as "GET",
            path: path.replace("{job}", "two"),
            silence_ms: 20_000,
            signal,
          };
          await exchange(place, body === undefined ? asked : { ...asked, body }, (status, headers) => {
            seen = { status, type: headers["content-type"] };
            return { take: () => false, end: () => undefined };
          });
          const said = (responses as Record<string, { content?: object }>)[String(seen?.status)];
          assert.ok(said !== undefined, `${method} ${path} answers ${seen?.status}`);
          if (said.content !== undefined)
            assert.deepEqual(Object.keys(said.content), [seen?.type], `${method} ${path}`);
          if (place !== manifest) assert.equal(seen?.status, 401, `${method} ${path}`);
          // It loads anew before it is asked again.
          if (operationId.endsWith("load"))
            await pool.run(
              { ...sidecars, resident: "example" },
              { type: "open", spec: { manifest, memory_mb: 6000 } },
              options(),
            );
        }
});

for (const [model, fields, said] of [
  ["Greedy", {}, /it is out of memory/u],
  ["Hung", { ms_max: 1500 }, /it exceeded 1500 ms/u],
  ["Wild", {}, /it failed \("failed"\): "ValueError: the model gave samples that are not finite"/u],
  ["Absent", {}, /it says that it has failed: "FileNotFoundError: weights.safetensors"/u],
] as const) {
  test(`a model of the reference server that is ${model.toLowerCase()} is told by name`, { skip }, async () => {
    const manifest = served(model.toLowerCase(), `models:${model}`, fields);
    const request = { prompt: "calm piano", seconds: 0.5, seed: 7 };
    await assert.rejects(pool.run(generated, { manifest, settings, request }, options()), said);
  });
}

test("the kit finds what a server does not do, by name", async () => {
  server.behave({
    "GET /v1/health": json({ ...HEALTH, memory: undefined }),
    "POST /v1/generate": (response) => {
      response.writeHead(200, { "content-type": FRAMES });
      response.write(encoded({ type: "progress", fraction: 3 }));
      for (const part of [...audioFrame(1), DONE]) response.write(encoded(part));
      response.end();
    },
    "POST /v1/separate": frames(...audioFrame(1, { stem: "vocals" }), ...audioFrame(1, { stem: "instrumental" }), DONE),
    "POST /v1/unload": json("", 202),
    "POST /v1/load": json("", 202),
  });
  const { checks } = await check(manifestOf(server.url, { id: "sloppy" }));
  assert.deepEqual(Object.fromEntries(checks.flatMap(({ name, fault }) => (fault === null ? [] : [[name, fault]]))), {
    "makes a piece as it was asked for": 'it sends progress of "3" after 0; progress of "3" after 0',
    "separates mono":
      "its vocals has 44100 Hz, 2 channels, 44100 frames, its source 44100 Hz, 1 channels, 44100 frames",
    "says what it holds in memory": 'its health has no "memory"',
    "refuses a body that is not JSON with 400": "it answers 200, expected 400",
    "refuses a piece without a prompt with 400": "it answers 200, expected 400",
    "refuses a stem that there is not with 400": "it answers 200, expected 400",
    "refuses audio that is cut short with 400": "it answers 200, expected 400",
    "gives its memory back, and loads again": "it is ready after 5 s, expected unloaded",
  });
});

test("mypy --strict and ruff find nothing in the reference server", { skip }, async () => {
  const options = ["--config-file", join(example, "pyproject.toml"), "--cache-dir", join(folder, "mypy")];
  const env = { ...process.env, MYPYPATH: join(example, "src") };
  await run(join(dirname(python), "mypy"), [...options, join(example, "src"), join(here, "models.py")], {
    cwd: example,
    env,
  });
  for (const how of [["check"], ["format", "--check"]])
    await run(join(dirname(python), "ruff"), [
      ...how,
      "--no-cache",
      "--config",
      join(example, "pyproject.toml"),
      example,
      join(here, "models.py"),
    ]);
});
