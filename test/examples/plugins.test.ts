/** examples/plugins as an author tests and an operator adds them, away from the repository: one packed as a tarball, the others as folders. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPlugin, LIMITS } from "../../cli/plugins/check.ts";
import { addPackage } from "../../cli/plugins/place.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { packPlugin } from "../../scripts/plugin_package.ts";
import { wav } from "../audio.ts";
import { installPlugin } from "../packages/project.ts";
import { startTestService, type TestService } from "../service.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const NAMES = ["tremolo", "bands", "words"];
const TOKEN = "t0k3n-of-the-operator";
let folder: string;
let tonwerk: TestService;
/** What acme.words asks. */
let server: Server;
const heard: { readonly token: string; readonly bytes: number }[] = [];
/** Called once a request that gets no answer is there; and once it is given up. */
const onSlow = { came: (): void => undefined, gone: (): void => undefined };

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "tonwerk-examples-plugins-")));
  const kit = await packPlugin(folder);
  for (const name of NAMES) {
    await cp(join(root, "examples/plugins", name), join(folder, name), { recursive: true });
    await installPlugin(kit, join(folder, name));
  }
  const place = join(folder, "data/plugins");
  const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH}` };
  const typeRoots = join(root, "node_modules/@types");
  // As `npm pack` does by `prepack`, with types of node from here: tests ask no registry.
  const project = join(folder, "tremolo");
  await run("tsc", ["-p", join(project, "tsconfig.build.json"), "--typeRoots", typeRoots], { cwd: project, env });
  const { stdout } = await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], {
    cwd: project,
  });
  await addPackage(place, join(folder, stdout.trim()), ["./plugins"]);
  await addPackage(place, join(folder, "bands"), ["./plugins"]);
  await addPackage(place, join(folder, "words"), ["./plugins"]);
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    heard.push({ token: String(request.headers.authorization), bytes: Buffer.concat(pieces).length });
    if (request.url?.endsWith("language=en") === true) return void response.end('{ "text": "la", "language": "en" }');
    if (request.url?.endsWith("language=xx") === true) return void response.writeHead(401).end();
    response.on("close", () => onSlow.gone());
    onSlow.came();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, { ACME_WORDS_URL: address, ACME_WORDS_TOKEN: TOKEN });
  // As an operator may demand: one of a tarball and one of a folder run apart from the server, as far as this machine can keep them there.
  const demanded = { TONWERK_PRIVATE_HOSTS: "127.0.0.1", TONWERK_ISOLATE: "acme.tremolo,acme.words" };
  tonwerk = await startTestService({ data: join(folder, "data"), env: demanded });
});
after(async () => {
  await tonwerk.stop();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly report?: unknown;
  readonly output?: { readonly duration: number; readonly engine: string; readonly report: unknown };
  readonly outputs?: readonly { readonly kind: string; readonly url: string }[];
}

async function submit(action: string, fields: object, channels = 1): Promise<string> {
  const audio = tone(440, 2, { channels });
  const { body } = await tonwerk.json("PUT", "/v1/files", wav(audio.channels));
  const request = { idempotency_key: randomUUID(), source: { url: body.file.url }, ...fields };
  const submitted = await tonwerk.json("PUT", `/v1/${action}`, request);
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body));
  return (Object.values(submitted.body) as [{ id: string }])[0].id;
}

async function perform(action: string, fields: object, channels = 1): Promise<Ended> {
  const id = await submit(action, fields, channels);
  const ended = await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`);
  return Object.values(ended.body)[0] as Ended;
}

for (const name of NAMES) {
  test(`${name} passes check where the package is installed from its tarball`, async () => {
    const lines: string[] = [];
    const code = await checkPlugin(join(folder, name), ["./plugins"], LIMITS, (line) => lines.push(line));
    assert.equal(code, 0, lines.join("\n"));
  });
}

test("acme.tremolo is served from a tarball, and fails with its own code", async () => {
  const done = await perform("acme.tremolo", { rate_hz: 4 });
  assert.equal(done.status, "ready", JSON.stringify(done));
  assert.deepEqual([done.output!.engine, done.output!.duration, done.output!.report], ["tremolo", 2, { falls: 8 }]);
  const failed = await perform("acme.tremolo", { rate_hz: 4 }, 2);
  assert.deepEqual([failed.status, failed.error?.code], ["failed", "mono_expected"]);
});

test("acme.bands is served from a folder of TypeScript, with a runner in a process", async () => {
  const done = await perform("acme.bands", { hertz: 300 });
  assert.equal(done.status, "ready", JSON.stringify(done));
  assert.deepEqual(
    done.outputs!.map(({ kind }) => kind),
    ["low", "high"],
  );
  const { body } = await tonwerk.json("GET", "/v1/capabilities");
  const whose = body.actions.filter(({ plugin }: { plugin: { name: string } }) =>
    plugin.name.startsWith("tonwerk-acme"),
  );
  assert.deepEqual(
    whose.map(({ name, plugin }: { name: string; plugin: object }) => [name, plugin]),
    [
      ["acme.bands", { name: "tonwerk-acme-bands", version: "1.0.0" }],
      ["acme.tremolo", { name: "tonwerk-acme-tremolo", version: "1.0.0" }],
      ["acme.words", { name: "tonwerk-acme-words", version: "1.0.0" }],
    ],
  );
});

test("acme.words asks the operator's service, which alone sees the token", async () => {
  const done = await perform("acme.words", { language: "en" });
  assert.deepEqual([done.status, done.report], ["ready", { text: "la", language: "en" }]);
  assert.deepEqual(heard, [{ token: `Bearer ${TOKEN}`, bytes: 44 + 2 * 88_200 }]);
  const refused = await perform("acme.words", { language: "xx" });
  assert.deepEqual([refused.status, refused.error?.code], ["failed", "internal_error"]);
  const told = tonwerk.logged.filter((line) => line.includes("plugin.error"));
  assert.match(told.join("\n"), /The service answered 401/u);
  assert.ok(!tonwerk.logged.join("\n").includes(TOKEN));
});

test("acme.words gives its request up when the operation is cancelled", async () => {
  const came = new Promise<void>((resolve) => {
    onSlow.came = resolve;
  });
  const gone = new Promise<void>((resolve) => {
    onSlow.gone = resolve;
  });
  const id = await submit("acme.words", {});
  await came;
  await tonwerk.json("PUT", "/v1/operations.cancel", { id, idempotency_key: randomUUID() });
  await gone;
  const { body } = await tonwerk.json("GET", `/v1/acme.words?id=${id}&wait=true`);
  assert.equal(body.acme_words.error.code, "canceled");
});
