/** `tonwerk mcp` with the client of the protocol's official SDK, over stdio and HTTP. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type AnyOutput, Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { copyExample } from "../plugin_folder.ts";
import { freePort } from "../process.ts";
import { KEY, LONG, requestsOf, SONG, startTestServer, type TestServer, voiceWav } from "../sdk/tonwerk.ts";
import { command, type Running, start } from "./run.ts";

let folder: string;
let server: TestServer;
let tonwerk: Tonwerk;
let local: Client;
let far: Client;
let http: Running;
let http_url: URL;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tonwerk-mcp-"));
  await copyFile(SONG, join(folder, "song.flac"));
  server = await startTestServer({ TONWERK_PLUGINS: `./plugins,${await copyExample(folder, "tremolo")}` });
  tonwerk = new Tonwerk({ baseUrl: server.url, apiKey: KEY });
  const env = { TONWERK_URL: server.url, TONWERK_KEY: KEY };
  const [program = "", ...args] = command;
  local = new Client({ name: "test", version: "1" });
  const own = { PATH: process.env.PATH ?? "", HOME: folder, ...env };
  await local.connect(new StdioClientTransport({ command: program, args: [...args, "mcp"], env: own, cwd: folder }));
  const port = await freePort();
  // Without a key of its own: every request brings one.
  http = start({ folder, env: { TONWERK_URL: server.url } }, ["mcp", "--http", String(port)]);
  await http.said("MCP on");
  http_url = new URL(`http://127.0.0.1:${port}/mcp`);
  far = await connect(KEY);
});
after(async () => {
  await Promise.all([local.close(), far.close()]);
  process.kill(http.child.pid!, "SIGTERM");
  await http.ended;
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** In the newest revision of the protocol; the local client begins as those before it do. */
async function connect(key: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(http_url, { requestInit: { headers } }));
  return client;
}

type Call = CallToolResult & { readonly structuredContent?: Record<string, unknown> };

const call = async (client: Client, name: string, given: object, onprogress?: (now: { progress: number }) => void) =>
  (await client.callTool(
    { name, arguments: given as Record<string, unknown> },
    { timeout: 120_000, ...(onprogress === undefined ? {} : { onprogress }) },
  )) as Call;

const textOf = ({ content }: Call): string =>
  content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
const operationOf = ({ structuredContent }: Call) =>
  structuredContent!.operation as {
    id: string;
    status: string;
    output: AnyOutput;
    report: { readonly beats: readonly number[] };
    cost: number;
  };

test("every action is a tool with its schema and price, a plugin's as well", async () => {
  assert.deepEqual(
    [local, far].map((client) => client.getProtocolEra()),
    ["legacy", "modern"],
  );
  for (const client of [local, far]) {
    const { tools } = await client.listTools();
    const names = [...Object.keys(requestsOf("", "")), "analyse.track", "acme.tremolo"].map((name) =>
      name.replace(".", "_"),
    );
    assert.deepEqual(tools.map(({ name }) => name).sort(), names.sort());
    const song = tools.find(({ name }) => name === "create_new_song")!;
    assert.deepEqual(song.inputSchema.required, ["lyrics"]);
    assert.match(song.description!, /Exactly one of prompt, reference must be sent. Costs 3 credits a variation\./);
    assert.ok(!JSON.stringify(tools).includes("$ref"));
    assert.equal("save_to" in song.inputSchema.properties!, client === local);
  }
});

test("all ten actions: each call makes one operation, reports progress and links to its audio", async () => {
  const voice = (await tonwerk.files.upload(voiceWav())).url;
  const uploaded = (await tonwerk.files.upload(SONG)).url;
  const trial = await connect(await server.makeTestKey());
  const requests = Object.entries(requestsOf(uploaded, voice));
  const perform = async (
    [name, { source, music, voice: over, ...fields }]: (typeof requests)[number],
    client: Client,
  ) => {
    const of = (given: unknown) => {
      const { url } = given as { url: string };
      return client === local && url === uploaded ? "song.flac" : url;
    };
    const sources = {
      ...(source ? { source: of(source) } : {}),
      ...(music ? { music: of(music), voice: of(over) } : {}),
    };
    const seen: number[] = [];
    const done = await call(client, name.replace(".", "_"), { ...fields, ...sources }, ({ progress }) =>
      seen.push(progress),
    );
    assert.notEqual(done.isError, true, `${name}: ${textOf(done)}`);
    assert.equal(operationOf(done).status, "ready");
    assert.ok(seen.length > 0 && seen.every((progress, at) => at === 0 || progress > seen[at - 1]!), name);
    const links = done.content.filter(({ type }) => type === "resource_link");
    assert.ok(!JSON.stringify(done.structuredContent).includes('"report"'), name);
    assert.equal(links.length, name === "adapt.separate_stems" ? 5 : 1, name);
  };
  const waiting = requests.map(
    (request, at) => [request, LONG.includes(request[0]) ? trial : at % 2 === 0 ? local : far] as const,
  );
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await perform(...next);
  };
  await Promise.all([lane(), lane(), lane()]);
  await trial.close();
});

test("a report is the result itself, a resource, and a file", async () => {
  const done = await call(local, "analyse_track", { source: "song.flac" });
  assert.notEqual(done.isError, true, textOf(done));
  const { id, report } = operationOf(done);
  assert.ok(report.beats.length > 10);
  assert.deepEqual(JSON.parse(textOf(done).split("\n").at(-1)!), report, "for clients that read text alone");
  const uri = `tonwerk://analyse.track/${id}`;
  assert.equal((await far.listResources()).resources[0]?.uri, uri);
  const [state] = (await far.readResource({ uri })).contents as { text: string }[];
  assert.deepEqual(JSON.parse(state!.text).report, report);
  const saved = await call(local, "analyse_track", { source: "song.flac", save_to: "found.json" });
  assert.deepEqual(JSON.parse(await readFile(join(folder, "found.json"), "utf8")), report);
  assert.ok(!JSON.stringify(saved).includes("beats"), "what is in a file need not fill a model's context");
});

test("results are resources; on this machine they are saved as well", async () => {
  const done = await call(local, "create_new_sample", { prompt: "kick", duration: 0.5, save_to: "kick.flac" });
  const { id, output } = operationOf(done);
  const saved = await readFile(join(folder, "kick.flac"));
  const uri = `tonwerk://create.new_sample/${id}/0`;
  const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  assert.equal(hash(saved), output.sha256);
  for (const client of [local, far]) {
    const { resources } = await client.listResources();
    assert.equal(resources[0]?.uri, uri);
    const [audio] = (await client.readResource({ uri })).contents as { blob: string; mimeType: string }[];
    assert.deepEqual([audio!.mimeType, hash(Buffer.from(audio!.blob, "base64"))], ["audio/flac", output.sha256]);
    const [state] = (await client.readResource({ uri: uri.slice(0, -2) })).contents as { text: string }[];
    assert.equal(JSON.parse(state!.text).id, id);
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 2);
    await assert.rejects(client.readResource({ uri: "tonwerk://create.new_sample/op_none/0" }));
  }
  const refused = await call(far, "adapt_separate_stems", { source: "/etc/passwd" });
  assert.ok(refused.isError === true && /is no URL/.test(textOf(refused)), "files of the server's machine stay there");
  assert.equal((await call(far, "create_new_fx", { prompt: "knock", save_to: "/tmp" })).isError, true);
});

test("a dry run says the price; refusals and failures are results that tell why", async () => {
  const { credits } = await tonwerk.account();
  const price = await call(local, "adapt_separate_stems", { source: "song.flac", dry_run: true });
  assert.deepEqual(price.structuredContent, { cost: 3, balance: credits, sufficient: true });
  const ask = () => call(far, "create_new_fx", { prompt: "two knocks on wood, no rain", dry_run: true });
  let told = await ask();
  // Null where a busy machine took more than five seconds to load what reads words.
  while (told.structuredContent!.understood === null) told = await ask();
  assert.deepEqual((told.structuredContent!.understood as { without: string[] }).without, ["rain"]);
  assert.match(textOf(told), /taken: sounds knock material wood count 2[\s\S]*without: rain/u);
  const refused = await call(far, "create_new_sample", { prompt: "kick", duration: 99 });
  assert.equal(refused.isError, true);
  assert.equal(refused.structuredContent!.code, "invalid_request");
  const failed = await call(local, "acme_tremolo", { source: "song.flac", rate_hz: 5 });
  assert.equal(failed.structuredContent!.code, "mono_expected");
  assert.equal((await tonwerk.account()).credits, credits);
});

test("aborting a call cancels its operation", async () => {
  const controller = new AbortController();
  const calling = local.callTool(
    { name: "adapt_separate_stems", arguments: { source: "song.flac" } },
    { signal: controller.signal, onprogress: () => controller.abort(new Error("enough")) },
  );
  await assert.rejects(calling);
  const [last] = await Array.fromAsync(tonwerk.operations.list({ limit: 1 }), (operation) => operation);
  await assert.rejects(last!.wait(), { code: "canceled" });
});

test("HTTP wants a key that the server knows", async () => {
  for (const headers of [{}, { authorization: `Bearer ${KEY}x` }, { authorization: "Basic abc" }]) {
    const response = await fetch(http_url, { method: "POST", body: "{}", headers: headers as Record<string, string> });
    await response.body?.cancel();
    assert.equal(response.status, 401);
    assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer/);
  }
  await assert.rejects(connect(`${KEY}x`));
});
