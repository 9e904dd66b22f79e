/**
 * Servers of other protocols: Cog's, the real one where Python has it, and ACE-Step's, by a server that answers as its
 * `acestep/api_server.py` does (it needs gigabytes of weights to run itself).
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import type { Pool } from "../../../../core/ports/mod.ts";
import type { GenerateRequest } from "../../../../runners/models/sidecars/types.ts";
import { createPool } from "../../../../runners/pool/pool.ts";
import { wav } from "../../../audio.ts";
import { makeEnvironment, why_not } from "../../../sdk/python.ts";
import { music, options, snr } from "../fixtures.ts";
import { generated, manifestOf, separated, settings } from "./fixtures.ts";
import { type Behaviour, json, startServer, type TestServer } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "tonwerk-sidecars-"));
let server: TestServer;
let pool: Pool;
before(async () => {
  server = await startServer();
  pool = createPool({ threads_max: 2, processes_max: 1, idle_ms: 60_000 });
});
after(async () => {
  await pool.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const REQUEST = { prompt: "calm piano", seconds: 1.5, seed: 7 };
const generate = (
  url: string,
  fields: object,
  request: GenerateRequest = REQUEST,
  signal = new AbortController().signal,
) => pool.run(generated, { manifest: manifestOf(url, fields), settings, request }, { signal, ms_max: 60_000 });

// ------------------------------------------------------------------------------------------------------------ ACE-Step

const ACE = { id: "ace", protocol: "ace-step", serves: ["generate"], with: { inference_steps: 4 } };
const wrapped = (data: unknown, code = 200, error: string | null = null) =>
  json({ data, code, error, timestamp: 1_700_000_000_000, extra: null });
const task = (status: number, result: object) =>
  wrapped([{ task_id: "t-1", status, result: JSON.stringify([result]), progress_text: "" }]);
const AUDIO = "/v1/audio?path=%2Ftmp%2Fapi_audio%2Fabc.wav";
const sound = wav([new Float32Array(480_000).fill(0.25), new Float32Array(480_000).fill(-0.25)], {
  sample_rate: 48_000,
});
const aceStep = (changes: Readonly<Record<string, Behaviour>> = {}): Readonly<Record<string, Behaviour>> => {
  let asked = 0;
  return {
    "GET /health": wrapped({ status: "ok", service: "ACE-Step API", version: "1.0" }),
    "POST /release_task": wrapped({ task_id: "t-1", status: "queued", queue_position: 1 }),
    "POST /query_result": (response, heard) =>
      (asked++ === 0
        ? task(0, { file: "", status: 0, progress: 0.4, stage: "running" })
        : task(1, { file: AUDIO, status: 1 }))(response, heard),
    [`GET ${AUDIO}`]: (response) => {
      response.writeHead(200, { "content-type": "audio/wav" });
      response.end(sound);
    },
    ...changes,
  };
};

test("ACE-Step's server makes a piece: what it is told, how it is asked, exactly as long as was wished", async () => {
  server.behave(aceStep());
  const told: number[] = [];
  const given = { manifest: manifestOf(server.url, ACE), settings, request: REQUEST };
  const { channels } = await pool.run(generated, given, {
    ...options(),
    onProgress: (fraction) => told.push(fraction),
  });
  assert.deepEqual(
    channels.map(({ length }) => length),
    [66_150, 66_150],
  );
  assert.ok(Math.abs(channels[0]![30_000]! - 0.25) < 1e-3 && Math.abs(channels[1]![30_000]! + 0.25) < 1e-3);
  assert.deepEqual(told, [0.4]);
  const released = server.heard.find(({ path }) => path === "/release_task")!;
  assert.deepEqual(JSON.parse(released.body.toString()), {
    prompt: "calm piano",
    lyrics: "[Instrumental]",
    audio_duration: 10,
    use_random_seed: false,
    seed: 7,
    batch_size: 1,
    audio_format: "wav",
    inference_steps: 4,
  });
});

const LYRICS = "[Verse]\nMorning on the river — 川の朝\n\n[Chorus: softly]\nCarry me over  \n";

test("ACE-Step's server is sent a song's lyrics as they are", async () => {
  server.behave(aceStep());
  await generate(server.url, { ...ACE, id: "ace-sings", serves: ["generate", "song"] }, { ...REQUEST, lyrics: LYRICS });
  const released = server.heard.findLast(({ path }) => path === "/release_task")!;
  const { prompt, lyrics } = JSON.parse(released.body.toString());
  assert.deepEqual([prompt, lyrics], ["calm piano", LYRICS]);
});

const ACE_LIES: readonly (readonly [string, Readonly<Record<string, Behaviour>>, RegExp])[] = [
  ["is not ACE-Step's", { "GET /health": json({ status: "ok" }) }, /its health says "null"/],
  ["breaks", { "POST /release_task": json({ detail: "No GPU" }, 500) }, /answers 500: "No GPU"/],
  [
    "answers an error in its envelope",
    { "POST /release_task": wrapped(null, 500, "no model") },
    /answers "500": "no model"/,
  ],
  ["releases nothing", { "POST /release_task": wrapped({}) }, /expected a task_id/],
  [
    "fails",
    { "POST /query_result": task(2, { file: "", error: "CUDA out of memory" }) },
    /task failed: "CUDA out of memory"/,
  ],
  [
    "names a file elsewhere",
    { "POST /query_result": task(1, { file: "http://10.0.0.1/x.wav" }) },
    /its file is "http:/,
  ],
  ["sends no audio", { [`GET ${AUDIO}`]: json("sorry") }, /cannot be read as audio/],
  [
    "forgets its task",
    { "POST /query_result": wrapped([{ task_id: "t-1", status: 0, result: "[]" }]) },
    /does not know its task/,
  ],
  [
    "gives a result that is none",
    { "POST /query_result": wrapped([{ status: 0, result: "{" }]) },
    /result of its task is not JSON/,
  ],
];
for (const [what, changes, said] of ACE_LIES) {
  test(`a server of ACE-Step's that ${what} is told by name`, async () => {
    server.behave(aceStep(changes));
    await assert.rejects(generate(server.url, ACE), (error: Error) => {
      assert.equal(error.name, "ModelError");
      assert.match(error.message, said);
      return true;
    });
  });
}

// ----------------------------------------------------------------------------------------------------------------- Cog

const COG = { id: "cog", protocol: "cog", serves: ["generate"] };
const dataUrl = (bytes: Uint8Array) => `data:audio/wav;base64,${Buffer.from(bytes).toString("base64")}`;
const cog = (answer: Behaviour, health: object = { status: "READY", version: { cog: "0.14.0" } }) => {
  const all: Record<string, Behaviour> = { "GET /health-check": json(health) };
  return new Proxy(all, {
    get: (known, key: string) => known[key] ?? (key.startsWith("PUT /predictions/") ? answer : undefined),
  });
};

test("a container's inputs are called as its manifest says", async () => {
  server.behave(cog(json({ status: "succeeded", output: { clip: dataUrl(sound) } })));
  const inputs = { prompt: "caption", seconds: "length", seed: null };
  const fields = { ...COG, inputs, with: { steps: 8 }, output: "clip", whole_seconds: true };
  assert.equal((await generate(server.url, fields)).channels[0]!.length, 66_150);
  const { body } = server.heard.findLast(({ method }) => method === "PUT")!;
  assert.deepEqual(JSON.parse(body.toString()), { input: { caption: "calm piano", length: 2, steps: 8 } });
});

test("a container gets a song's lyrics by the name that its manifest has for them", async () => {
  server.behave(cog(json({ status: "succeeded", output: dataUrl(sound) })));
  const fields = { ...COG, id: "cog-sings", serves: ["song"], inputs: { lyrics: "text", prompt: "style" } };
  await generate(server.url, fields, { ...REQUEST, lyrics: LYRICS });
  const { body } = server.heard.findLast(({ method }) => method === "PUT")!;
  assert.deepEqual(JSON.parse(body.toString()), {
    input: { style: "calm piano", text: LYRICS, duration: 1.5, seed: 7 },
  });
  assert.throws(
    () => manifestOf(server.url, { ...fields, inputs: { lyrics: null } }),
    /"inputs.lyrics": whoever sings is told which words/,
  );
});

const COG_LIES: readonly (readonly [string, Behaviour, RegExp])[] = [
  ["fails", json({ status: "failed", error: "CUDA out of memory" }), /prediction is "failed": "CUDA out of memory"/],
  ["refuses an input", json({ detail: "prompt: field required" }, 422), /answers 422: "prompt: field required"/],
  [
    "uploads its output elsewhere",
    json({ status: "succeeded", output: "https://bucket/x.wav" }),
    /without --upload-url/,
  ],
  ["gives a number", json({ status: "succeeded", output: 7 }), /its output is "7", expected a file/],
  ["gives text", json({ status: "succeeded", output: "data:text/plain,hello" }), /no data URL in base64/],
  ["gives an empty file", json({ status: "succeeded", output: "data:audio/wav;base64," }), /cannot be read as audio/],
  [
    "gives a second of three",
    json({ status: "succeeded", output: dataUrl(wav([new Float32Array(44_100).fill(0.1)])) }),
    /lasts 1.00 s, 1.5 s/,
  ],
];
for (const [what, answer, said] of COG_LIES) {
  test(`a container that ${what} is told by name`, async () => {
    server.behave(cog(answer));
    await assert.rejects(generate(server.url, COG), (error: Error) => {
      assert.equal(error.name, "ModelError");
      assert.match(error.message, said);
      return true;
    });
  });
}

test("a container whose set-up failed has failed", async () => {
  server.behave(cog(json({}), { status: "SETUP_FAILED" }));
  await assert.rejects(generate(server.url, COG), /it says that it has failed: "SETUP_FAILED"/);
});

const PREDICTOR = `
import base64, io, struct, tempfile, time, wave
from typing import Optional
from cog import BasePredictor, Input, Path

class Predictor(BasePredictor):
    def predict(
        self,
        prompt: str = Input(default=""),
        duration: float = Input(default=1.0),
        seed: int = Input(default=0),
        audio: Optional[Path] = Input(default=None),
    ) -> list[Path]:
        if prompt == "slow":
            for _ in range(6000):
                time.sleep(0.01)
        if prompt == "wrong":
            raise ValueError("no such thing")
        if audio is not None:
            data = open(audio, "rb").read()
            head, samples = data[:44], data[44:]
            values = struct.unpack(f"<{len(samples) // 4}f", samples)
            stems = [struct.pack(f"<{len(values)}f", *(share * v for v in values)) for share in (0.25, 0.75)]
            files = [head + stem for stem in stems]
        else:
            out = io.BytesIO()
            with wave.open(out, "wb") as writer:
                writer.setnchannels(1)
                writer.setsampwidth(2)
                writer.setframerate(32000)
                count = int(32000 * duration)
                writer.writeframes(struct.pack(f"<{count}h", *((1000 + seed) * (1 if n // 50 % 2 else -1) for n in range(count))))
            files = [out.getvalue()]
        paths = []
        for content in files:
            name = tempfile.mktemp(suffix=".wav")
            with open(name, "wb") as file:
                file.write(content)
            paths.append(Path(name))
        return paths
`;

test("Cog's own server generates, separates, fails and is cancelled", {
  skip: "Deno" in globalThis ? "the server is the same for every runtime" : why_not,
}, async () => {
  const python = await makeEnvironment(join(folder, "cog"), ["cog==0.23.1"]);
  writeFileSync(join(folder, "predict.py"), PREDICTOR);
  writeFileSync(join(folder, "cog.yaml"), 'build:\n  python_version: "3.11"\npredict: "predict.py:Predictor"\n');
  const port = await freePort();
  const program = spawn(python, ["-m", "cog.server.http", "--host", "127.0.0.1"], {
    cwd: folder,
    detached: true,
    stdio: "ignore",
    env: {
      ...process.env,
      PATH: `${dirname(python)}:${process.env.PATH}`,
      PORT: String(port),
      COG_PREDICT_TYPE_STUB: "predict.py:Predictor",
    },
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await untilListening(url, program);
    const { channels } = await generate(url, COG);
    assert.deepEqual(
      channels.map(({ length }) => length),
      [66_150],
    );
    assert.ok(Math.abs(Math.max(...channels[0]!) - 1007 / 32_768) < 0.01);
    await assert.rejects(
      generate(url, COG, { ...REQUEST, prompt: "wrong" }),
      /prediction is "failed": ".*no such thing"/,
    );
    const piece = music(0.5);
    const manifest = manifestOf(url, {
      ...COG,
      id: "cog-stems",
      serves: ["separate"],
      stems: ["vocals", "instrumental"],
    });
    const made = await pool.run(separated, { manifest, settings, request: piece }, options());
    for (const [s, share] of [0.25, 0.75].entries())
      for (const [c, channel] of made[s]!.entries()) assert.ok(snr(channel, piece.channels[c]!, share) > 100);
    // Of what is made anew it makes the same as of what is separated, the first of which is the piece.
    const anew = { ...REQUEST, prompt: "", seconds: 0.5, reference: piece };
    const remixed = await generate(url, { ...COG, id: "cog-remixes", serves: ["remix"] }, anew);
    for (const [c, channel] of remixed.channels.entries()) assert.ok(snr(channel, piece.channels[c]!, 0.25) > 100);
    // A container has one place, so that the next piece shows that the cancelled one left it.
    const controller = new AbortController();
    const slow = generate(url, COG, { ...REQUEST, prompt: "slow" }, controller.signal);
    slow.catch(() => undefined);
    for (;;) {
      const health = (await (await fetch(`${url}/health-check`)).json()) as { status: string };
      if (health.status === "BUSY") break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    controller.abort();
    await assert.rejects(slow, { code: "aborted" });
    assert.equal((await generate(url, COG)).channels[0]!.length, 66_150);
  } finally {
    process.kill(-program.pid!, "SIGKILL");
  }
});

async function untilListening(url: string, program: ChildProcess): Promise<void> {
  for (let i = 0; i < 3000 && program.exitCode === null; i++) {
    if (await fetch(`${url}/health-check`).catch(() => undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail("Cog's server does not listen");
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
