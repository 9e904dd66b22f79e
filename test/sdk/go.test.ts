/** sdk/go, built into a program, against a server that is killed and a proxy that misbehaves. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { findProgram } from "../services/programs.ts";
import { type Control, startControl } from "./control.ts";
import { KEY, requestsOf, SECRET, SONG, startTestServer, type TestServer } from "./tonwerk.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const sdk = join(root, "sdk/go");
const own = join(root, "test/sdk/go_client");
const go = findProgram("go");
if (go === undefined && process.env.TONWERK_TEST_SERVICES === "required") throw new Error("go is not installed");
const why_not = go === undefined ? "go is not installed" : "Deno" in globalThis && "the run on Bun tells it";

let folder: string;
let server: TestServer;
let control: Control;
let program: string;
let env: Record<string, string | undefined>;

before(async () => {
  if (why_not !== false) return;
  folder = await mkdtemp(join(tmpdir(), "tonwerk-go-"));
  program = join(folder, "test");
  [server] = await Promise.all([startTestServer(), run(go!, ["build", "-o", program, "."], { cwd: own })]);
  control = await startControl(server);
  const tonwerk = new Tonwerk({ baseUrl: server.url, apiKey: KEY });
  const song = (await tonwerk.files.upload(SONG)).url;
  const voice = (await tonwerk.effects.create({ prompt: "a voice says hello", duration: 2 }).wait()).output.url;
  const REQUESTS = JSON.stringify(requestsOf(song, voice));
  env = { ...process.env, TONWERK_URL: server.url, TONWERK_KEY: KEY, CONTROL: control.url, SONG, SECRET, REQUESTS };
});
after(async () => {
  if (why_not !== false) return;
  await control.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

for (const [name, title] of [
  ["actions", "all ten actions side by side: price, submission to a server that is killed, progress, end, download"],
  ["typed", "typed requests send what was asked and no more"],
  ["noAnswer", "a server that stays away: ConnectionError has the key, and the key later gets the operation"],
  ["refusals", "429 is tried again after Retry-After; other refusals and failures are errors by their codes"],
  ["downloads", "downloads that break off, were changed or expired"],
  ["uploads", "uploads of a path, of what can be read again and of what cannot"],
  ["cancelling", "the end of the context cancels the operation unless told to keep it"],
  ["deliveries", "a delivery verifies; a changed, old or foreign one does not"],
] as const) {
  test(title, { skip: why_not }, async () => {
    await run(program, [name], { env });
  });
}

test("gofmt and go vet find nothing", { skip: why_not }, async () => {
  for (const cwd of [sdk, own]) await run(go!, ["vet", "./..."], { cwd });
  const { stdout } = await run(findProgram("gofmt") ?? join(go!, "../gofmt"), ["-l", sdk, own]);
  assert.equal(stdout, "");
});
