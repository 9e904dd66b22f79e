/**
 * A server that is killed (-9) while each of the ten actions is called by `tonwerk`, and those that take no seconds by
 * `tonwerk mcp`: once each, charged once, and the end is the documented one.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Operation, Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { freePort } from "../process.ts";
import { KEY, LONG, requestsOf, SONG, startTestServer, type TestServer, voiceWav } from "../sdk/tonwerk.ts";
import { until } from "../until.ts";
import { command, type Running, run, type Shell, start } from "./run.ts";

let folder: string;
let server: TestServer;
/** With a live key, and with a test key for actions that take seconds. */
let tonwerk: Tonwerk;
let trial: Tonwerk;
let shell: Shell;
let trial_shell: Shell;
let http: Running;
/** One over stdio, one over HTTP. */
let clients: readonly Client[];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tonwerk-killed-"));
  server = await startTestServer();
  tonwerk = new Tonwerk({ baseUrl: server.url, apiKey: KEY });
  shell = { folder, env: { TONWERK_URL: server.url, TONWERK_KEY: KEY } };
  const test_key = await server.makeTestKey();
  trial = new Tonwerk({ baseUrl: server.url, apiKey: test_key });
  trial_shell = { folder, env: { ...shell.env, TONWERK_KEY: test_key } };
  await mkdir(join(folder, "results"));
  await copyFile(SONG, join(folder, "song.flac"));
  await writeFile(join(folder, "voice.wav"), voiceWav());
  await writeFile(join(folder, "song.txt"), "[Verse]\nMorning on the river\n");
  const [program = "", ...args] = command;
  const port = await freePort();
  http = start({ folder, env: { TONWERK_URL: server.url } }, ["mcp", "--http", String(port)]);
  await http.said("MCP on");
  clients = [new Client({ name: "test", version: "1" }), new Client({ name: "test", version: "1" })];
  const env = { PATH: process.env.PATH ?? "", HOME: folder, ...shell.env };
  await clients[0]!.connect(new StdioClientTransport({ command: program, args: [...args, "mcp"], env, cwd: folder }));
  const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
  await clients[1]!.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }),
  );
});
after(async () => {
  await Promise.all(clients.map((client) => client.close()));
  process.kill(http.child.pid!, "SIGTERM");
  await http.ended;
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Words of each action's command; `-o` follows. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "create.new_song": ["song", "folk, 120 bpm", "--lyrics", "song.txt", "--duration", "10", "--seed", "1"],
  "create.new_instrumental": ["instrumental", "solo piano, 10 seconds", "--seed", "1"],
  "create.new_sample": ["sample", "kick drum", "--duration", "0.5", "--seed", "1"],
  "create.new_fx": ["fx", "door knock", "--duration", "0.5"],
  "create.remix_song": ["remix-song", "song.flac", "--lyrics", "@song.txt", "--prompt", "house", "--seed", "1"],
  "create.remix_instrumental": ["remix", "instrumental", "song.flac", "--no-allow-compression"],
  "adapt.separate_stems": ["stems", "voice.wav"],
  "adapt.auto_cut_down": ["cut", "song.flac", "--target-duration", "6"],
  "adapt.normalise_loudness": ["normalise", "song.flac", "--target-lufs", "-18"],
  "adapt.auto_duck": ["duck", "song.flac", "voice.wav"],
};

/** Arguments of a tool: sources are their URLs. */
const toolArguments = (request: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(request).map(([name, value]) => [name, (value as { readonly url?: string }).url ?? value]),
  );

async function listOperations(): Promise<Operation[]> {
  const lists = [tonwerk, trial].map((its) => Array.fromAsync(its.operations.list({ limit: 100 }), (one) => one));
  return (await Promise.all(lists)).flat();
}

test("killed twice, once before any call was answered and once in the midst of work: one operation and one charge each", async () => {
  const [song, voice] = await Promise.all([SONG, voiceWav()].map(async (one) => (await tonwerk.files.upload(one)).url));
  const requests = Object.entries(requestsOf(song!, voice!));
  assert.deepEqual(
    Object.keys(COMMANDS),
    requests.map(([name]) => name),
  );
  const { credits } = await tonwerk.account();
  server.disturb = ({ method, url }) => (method === "PUT" && /^\/v1\/\w+\.\w+$/u.test(url ?? "") ? "hold" : false);

  const typed = Object.entries(COMMANDS).map(async ([name, words]) => {
    const key = randomUUID();
    const its = LONG.includes(name) ? trial_shell : shell;
    const ended = await run(its, [...words, "--idempotency-key", key, "-o", `results/${name}.flac`]);
    assert.equal(ended.code, 0, `${name}: ${ended.stdout.slice(-800)}${ended.stderr}`);
    const last = ended.lines.at(-1) as { type: string; files: string[]; operation: Record<string, unknown> };
    const { type, files, operation } = last;
    assert.deepEqual([type, files.length], ["ready", name === "adapt.separate_stems" ? 5 : 1], name);
    for (const file of files)
      assert.equal((await readFile(join(folder, file))).subarray(0, 4).toString("latin1"), "fLaC", file);
    return { name, key, operation };
  });
  // By `tonwerk` alone what takes seconds: a server knows no caller.
  const brief = requests.filter(([name]) => !LONG.includes(name));
  const called = brief.map(async ([name, request], at) => {
    const idempotency_key = randomUUID();
    const given = { ...toolArguments(request), idempotency_key };
    const done = (await clients[at % 2]!.callTool(
      { name: name.replace(".", "_"), arguments: given },
      { timeout: 300_000 },
    )) as CallToolResult;
    assert.notEqual(done.isError, true, `${name}: ${JSON.stringify(done.content)}`);
    const links = done.content.filter(({ type }) => type === "resource_link");
    assert.equal(links.length, name === "adapt.separate_stems" ? 5 : 1, name);
    return { name, key: idempotency_key };
  });
  const calls = Promise.all([...typed, ...called]);
  // A call that ends too early is heard of at once.
  const accepted = until(async () => (await listOperations()).length === requests.length + brief.length, 200);
  await Promise.race([accepted, calls.then(() => assert.fail("No call may end before the server is killed"))]);
  await server.kill();
  server.disturb = undefined;
  await server.start();
  await until(async () => (await listOperations()).filter(({ status }) => status !== "processing").length >= 3, 200);
  await server.kill();
  await server.start();

  const ended = await calls;
  const operations = await listOperations();
  assert.deepEqual(
    operations.map(({ action, idempotency_key: key }) => `${action} ${key}`).sort(),
    ended.map(({ name, key }) => `${name} ${key}`).sort(),
  );
  assert.ok(operations.every(({ status }) => status === "ready"));
  const cost = operations.reduce((sum, operation) => sum + operation.cost, 0);
  assert.ok(cost >= 2 * brief.length);
  assert.equal((await tonwerk.account()).credits, credits - cost);

  const performed = new Map((await Promise.all(typed)).map(({ name, operation }) => [name, operation]));
  assert.equal(performed.get("create.new_song")!.lyrics, "[Verse]\nMorning on the river");
  assert.equal(performed.get("create.new_song")!.prompt, "folk, 120 bpm");
  const loudness = { target_lufs: -18, allow_compression: true };
  assert.deepEqual(performed.get("adapt.normalise_loudness")!.loudness, loudness);
  const remixed = performed.get("create.remix_instrumental")!.loudness as { allow_compression: boolean };
  assert.equal(remixed.allow_compression, false);
  assert.ok((await readdir(join(folder, "results"))).includes("adapt.separate_stems-vocals.flac"));
});
