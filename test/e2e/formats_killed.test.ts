/** A server that is killed while it makes a form leaves nothing half, and one without ffmpeg says what it can make. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { newApiKey } from "../../core/base/keys.ts";
import { music, wav } from "../audio.ts";
import { freePort, type ServiceProcess, startProcess } from "../process.ts";

const key = newApiKey();
const headers = { authorization: `Bearer ${key}` };
let data: string;
let port: number;
let server: ServiceProcess;

const start = (env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> =>
  startProcess({ TONWERK_DATA: data, TONWERK_FIRST_KEY: key, PORT: String(port), ...env }, port);

before(async () => {
  data = await mkdtemp(join(tmpdir(), "tonwerk-formats-"));
  port = await freePort();
  server = await start();
});
after(async () => {
  server.kill("SIGKILL");
  await server.exited;
  await rm(data, { recursive: true, force: true });
});

async function json(path: string, init: RequestInit = {}): Promise<Record<string, never>> {
  return (await fetch(server.url + path, { ...init, headers: { ...headers, ...init.headers } })).json() as never;
}

/** Of a fresh output, which is as long as MP3 takes seconds. */
async function makeOutput(seconds: number): Promise<string> {
  const { file } = (await json("/v1/files", { method: "PUT", body: wav(music(1, seconds)) as never })) as never as {
    file: { url: string };
  };
  const body = JSON.stringify({ idempotency_key: randomUUID(), source: { url: file.url } });
  const path = "/v1/adapt.normalise_loudness";
  const init = { method: "PUT", body, headers: { "content-type": "application/json" } };
  type Answer = { normalised_audio: { id: string; status: string; output: { url: string } | null } };
  const { normalised_audio: first } = (await json(path, init)) as never as Answer;
  for (;;) {
    const { normalised_audio: made } = (await json(`${path}?id=${first.id}&wait=true`)) as never as Answer;
    if (made.output !== null) return made.output.url;
    assert.equal(made.status, "processing");
  }
}

/** Looked for again where a folder vanishes meanwhile. */
async function named(folder: string, part: string): Promise<string[]> {
  const names = await readdir(join(data, folder), { recursive: true }).catch(() => undefined);
  return names?.filter((name) => name.includes(part)) ?? named(folder, part);
}

test("a server that is killed while it makes a form leaves nothing half, and its next start makes it whole", async () => {
  const url = await makeOutput(150);
  const broken = fetch(`${url}&format=mp3`).then(
    (response) => response.status,
    () => "broken off",
  );
  while ((await named("work", "made")).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  server.kill("SIGKILL");
  await server.exited;
  assert.equal(await broken, "broken off");
  assert.deepEqual(await named(".", ".kept."), []);
  server = await start();
  assert.deepEqual(await named("work", "audio-"), []);
  let response = await fetch(`${url}&format=mp3`);
  // On a busy machine it takes longer than one answer waits for: then it says to come again.
  while (response.status === 503 && response.headers.has("retry-after")) {
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 500));
    response = await fetch(`${url}&format=mp3`);
  }
  const bytes = (await response.arrayBuffer()).byteLength;
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-length"), String(bytes));
  assert.ok(bytes > 150 * 10_000, `${bytes} bytes`);
});

test("without ffmpeg there are FLAC and WAV, the capabilities say so, and the rest is refused by name", async () => {
  server.kill("SIGTERM");
  await server.exited;
  server = await start({ FFMPEG_PATH: "none" });
  const { codec } = (await json("/v1/capabilities")) as never as { codec: { formats: string[] } };
  assert.deepEqual(codec.formats, ["flac", "wav"]);
  const url = await makeOutput(1);
  assert.equal((await (await fetch(`${url}&format=wav`)).arrayBuffer()).byteLength > 44, true);
  const refused = await fetch(`${url}&format=opus`);
  assert.equal(refused.status, 422);
  const { code, detail, doc_url } = (await refused.json()) as { code: string; detail: unknown; doc_url: string };
  assert.equal(code, "format_unavailable");
  assert.match(JSON.stringify(detail), /cannot make opus/u);
  assert.ok((await (await fetch(doc_url)).text()).includes("format_unavailable"));
});
