/** A server that is killed (-9) while each of the ten actions is called by `tonwerk`, and most by `tonwerk mcp`: once each, charged once, and the end is the documented one. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Operation, Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { freePort } from "../process.ts";
import { KEY, LONG, SONG, startTestServer, type TestServer, triedOf } from "../sdk/tonwerk.ts";
import { command, type Running, run, type Shell, start } from "./run.ts";

let folder: string;
let server: TestServer;
let tonwerk: Tonwerk;
let shell: Shell;
let http: Running;
/** One over stdio, one over HTTP. */
let clients: readonly Client[];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tonwerk-killed-"));
  server = await startTestServer();
  tonwerk = new Tonwerk({ baseUrl: server.url, apiKey: KEY });
  shell = { folder, env: { TONWERK_URL: server.url, TONWERK_KEY: KEY } };
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

/** Words of a request: its command, then what is no source as options. */
function wordsOf(command_of: string, request: Readonly<Record<string, unknown>>): string[] {
  const words = [command_of];
  for (const [name, value] of Object.entries(request)) {
    const option = `--${name.replaceAll("_", "-")}`;
    if (typeof value !== "object" || value === null) words.push(option, String(value));
    else
      for (const [inner, one] of Object.entries(value))
        words.push(inner === "url" ? option : `--${inner}`, String(one));
  }
  return words;
}

/** Arguments of a tool: sources are their URLs. */
const toolArguments = (request: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(request).map(([name, value]) => [name, (value as { readonly url?: string }).url ?? value]),
  );

async function listOperations(): Promise<Operation[]> {
  return Array.fromAsync(tonwerk.operations.list({ limit: 100 }), (operation) => operation);
}

async function until(met: () => Promise<boolean>): Promise<void> {
  while (!(await met())) await new Promise((resolve) => setTimeout(resolve, 200));
}

test("killed twice, once before any call was answered and once in the midst of work: one operation and one charge each", async () => {
  const voice = (await tonwerk.effects.create({ prompt: "a voice says hello", duration: 2 }).wait()).output.url;
  const requests = Object.entries(triedOf((await tonwerk.files.upload(SONG)).url, voice));
  const { credits } = await tonwerk.account();
  const [before_calls] = await listOperations();
  const made = async () => (await listOperations()).filter(({ id }) => id !== before_calls!.id);
  server.disturb = ({ method, url }) => (method === "PUT" && /^\/v1\/\w+\.\w+$/u.test(url ?? "") ? "hold" : false);

  const typed = requests.map(async ([name, request]) => {
    const key = randomUUID();
    const words = wordsOf(name, request);
    const ended = await run(shell, [...words, "--idempotency-key", key, "-o", `${name}.flac`]);
    assert.equal(ended.code, 0, `${name}: ${ended.stdout.slice(-800)}${ended.stderr}`);
    const { type, files } = ended.lines.at(-1) as { type: string; files: string[] };
    assert.deepEqual([type, files.length], ["ready", name === "adapt.separate_stems" ? 5 : 1], name);
    for (const file of files)
      assert.equal((await readFile(join(folder, file))).subarray(0, 4).toString("latin1"), "fLaC", file);
    return { name, key };
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
  const accepted = until(async () => (await made()).length === requests.length + brief.length);
  await Promise.race([accepted, calls.then(() => assert.fail("No call may end before the server is killed"))]);
  await server.kill();
  server.disturb = undefined;
  await server.start();
  await until(async () => (await made()).filter(({ status }) => status !== "processing").length >= 3);
  await server.kill();
  await server.start();

  const ended = await calls;
  const operations = await made();
  assert.deepEqual(
    operations.map(({ action, idempotency_key: key }) => `${action} ${key}`).sort(),
    ended.map(({ name, key }) => `${name} ${key}`).sort(),
  );
  assert.ok(operations.every(({ status }) => status === "ready"));
  const cost = operations.reduce((sum, operation) => sum + operation.cost, 0);
  assert.ok(cost >= operations.length);
  assert.equal((await tonwerk.account()).credits, credits - cost);
});
