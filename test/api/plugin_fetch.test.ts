/** `context.fetch`: the guarded way out of an action, from a thread and from a process of its own, to declared hosts and nowhere else. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import { defineAction, Type } from "../../packages/plugin/mod.ts";
import { checkAction, runAction } from "../../packages/plugin/testing.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";

const HOME = new URL("../../", import.meta.url).href;
let tonwerk: TestService;
let folder: string;
let server: Server;
let host: string;
const asked: { readonly method: string; readonly url: string; readonly token: string; readonly body: string }[] = [];
let dropped = 0;

before(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      asked.push({ method, url, token: String(headers["x-token"]), body: Buffer.concat(pieces).toString() });
      if (url === "/long") response.end(Buffer.alloc(5000));
      else if (url === "/away") response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
      else if (url === "/slow") response.on("close", () => dropped++);
      else response.writeHead(201, { "x-kind": "voice" }).end(`{"heard":"${Buffer.concat(pieces)}"}`);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  folder = await pluginFolder([]);
  const base = {
    request: "Type.Object({ url: Type.String({ maxLength: 200 }) })",
    sources: "{}",
    echo: "[]",
    output: '"report"',
    examples: '[{ url: "https://example.com" }]',
    fetch: `{ hosts: ["${host}", "10.0.0.1"], bytes_max: 4000, seconds_max: 5 }`,
  };
  const asks = `async ({ request, fetch }) => {
    try {
      const { status, headers, body } = await fetch(request.url, { method: "POST", headers: { "x-token": "t" }, body: "é" });
      return { report: { status, kind: headers["x-kind"] ?? null, body: new TextDecoder().decode(body), is_job: process.argv.at(-1) === "job" } };
    } catch (error) {
      return { report: { name: error.name, code: error.code ?? null, message: error.message } };
    }
  }`;
  await addAction(folder, "acme.asks", { ...base, process: asks });
  await addAction(folder, "acme.apart", { ...base, isolation: '"process"', process: asks });
  await addAction(folder, "acme.nowhere", { ...base, fetch: "undefined", process: asks });
  await addAction(folder, "acme.waits", { ...base, process: "({ request, fetch }) => fetch(request.url)" });
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder, TONWERK_PRIVATE_HOSTS: "127.0.0.1" } });
});
after(async () => {
  await tonwerk.stop();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await rm(folder, { recursive: true, force: true });
});

async function submit(action: string, url: string): Promise<{ readonly id: string; readonly key: string }> {
  const key = randomUUID();
  const { body } = await tonwerk.json("PUT", `/v1/${action}`, { idempotency_key: key, url });
  return { id: (Object.values(body)[0] as { id: string }).id, key };
}

async function run(action: string, url: string): Promise<Answer["body"]> {
  const { id } = await submit(action, url);
  for (;;) {
    const { operation } = (await tonwerk.json("GET", `/v1/operations/${id}?wait=true`)).body;
    if (operation.status !== "processing") return operation.report;
  }
}

for (const action of ["acme.asks", "acme.apart"]) {
  test(`${action} sends a request and reads the answer, whatever its status`, async () => {
    asked.length = 0;
    const { is_job, ...report } = await run(action, `http://${host}/voices?a=b`);
    assert.deepEqual(report, { status: 201, kind: "voice", body: '{"heard":"é"}' });
    assert.equal(is_job, action === "acme.asks");
    assert.deepEqual(asked, [{ method: "POST", url: "/voices?a=b", token: "t", body: "é" }]);
    assert.equal((await run(action, `http://${host}/away`)).status, 302, "no redirect is followed");
  });

  test(`${action} reaches no other host, no private address and no long answer`, async () => {
    const elsewhere = await run(action, "https://example.com/");
    assert.match(
      elsewhere.message,
      /Cannot fetch from "example\.com", expected a host that acme\.\w+ declares: 127\.0\.0\.1:\d+, 10\.0\.0\.1/u,
    );
    assert.equal((await run(action, "not a URL")).name, "TypeError");
    const { name, code } = await run(action, "https://10.0.0.1/");
    assert.deepEqual([name, code], ["OutboundError", "forbidden_address"]);
    assert.equal((await run(action, `http://${host}/long`)).code, "too_large");
    assert.equal((await run(action, `http://${host}/slow`)).code, "timeout");
  });
}

test("an action that declares no host reaches none", async () => {
  assert.match(
    (await run("acme.nowhere", `http://${host}/`)).message,
    /expected a host that acme\.nowhere declares: none/u,
  );
});

test("a request ends with its operation", async () => {
  const before = [asked.length, dropped];
  const { id } = await submit("acme.waits", `http://${host}/slow`);
  while (asked.length === before[0]) await new Promise((done) => setTimeout(done, 20));
  await tonwerk.json("PUT", "/v1/operations.cancel", { id, idempotency_key: randomUUID() });
  while (dropped === before[1]) await new Promise((done) => setTimeout(done, 20));
  assert.equal((await tonwerk.json("GET", `/v1/operations/${id}`)).body.operation.error.code, "canceled");
});

test("a setting may hold the address, and a start is refused where it is none", async () => {
  const other = await pluginFolder([]);
  const config = 'Type.Object({ address: Type.String({ env: "ACME_ADDRESS", description: "x" }) })';
  const asks = `async ({ fetch, config: { address } }) => ({
    report: { status: (await fetch(address + "/set")).status, elsewhere: await fetch("https://example.com/").catch(String) },
  })`;
  const report = { request: "Type.Object({})", sources: "{}", echo: "[]", output: '"report"', examples: "[{}]" };
  await addAction(other, "acme.set", { ...report, config, fetch: '{ hosts_of: ["address"] }', process: asks });
  for (const address of ["titles", "ftp://example.com", "https://me:pass@example.com/"])
    await assert.rejects(
      loadRegistry([other], HOME, { environment: { ACME_ADDRESS: address } }),
      /config\.address, which is ACME_ADDRESS in the environment: Must be an address such as https:\/\/api\.example/u,
    );
  process.env.ACME_ADDRESS = `http://${host}/v1`;
  const own = await startTestService({ env: { TONWERK_PLUGINS: other, TONWERK_PRIVATE_HOSTS: "127.0.0.1" } });
  try {
    const { body } = await own.json("PUT", "/v1/acme.set", { idempotency_key: randomUUID() });
    const ended = await own.json("GET", `/v1/acme.set?id=${body.acme_set.id}&wait=true`);
    const { status, elsewhere } = ended.body.acme_set.report;
    assert.equal(status, 201);
    assert.match(elsewhere, /expected a host that acme\.set declares: 127\.0\.0\.1/u);
  } finally {
    delete process.env.ACME_ADDRESS;
    await own.stop();
    await rm(other, { recursive: true });
  }
});

test("a start is refused for hosts that are none", async () => {
  for (const [fetch, says] of [
    ["{ hosts: [] }", /"fetch\.hosts" must be a list of at least one host: it is \[\]/u],
    ['{ hosts: ["https://example.com"] }', /"fetch\.hosts\.0" must be a host such as/u],
    ["{}", /fetch must name hosts, or by hosts_of the settings that hold their addresses/u],
    ['{ hosts_of: ["address"] }', /fetch\.hosts_of names "address", which is no text of config/u],
    [
      "{ host: 1 }",
      /"fetch\.host" is unknown, expected an object of hosts, hosts_of, bytes_max and seconds_max; did you mean "hosts"/u,
    ],
  ] as const) {
    const other = await pluginFolder([]);
    await addAction(other, "acme.other", { fetch });
    await assert.rejects(loadRegistry([other], HOME), says);
    await rm(other, { recursive: true });
  }
});

test("a test answers in place of the hosts, and nothing leaves it", async () => {
  const action = defineAction({
    name: "acme.voices",
    wrapper: "voices",
    summary: "Ask which voices there are",
    request: Type.Object({}),
    sources: {},
    fetch: { hosts: ["api.example.com"] },
    echo: [],
    output: "report",
    work: "dsp",
    seeded: false,
    level: "source",
    engine: "voices",
    loudness: "never",
    failures: [],
    examples: [{}],
    cost: () => 1,
    async process({ fetch }) {
      const { status, body } = await fetch("https://api.example.com/voices");
      return { report: { status, voices: new TextDecoder().decode(body) } };
    },
  });
  checkAction(action);
  const answer = () => ({ status: 200, headers: {}, body: new TextEncoder().encode("two") });
  const { reports } = await runAction(action, { request: {}, fetch: answer });
  assert.deepEqual(reports[0]!.report, { status: 200, voices: "two" });
  await assert.rejects(runAction(action, { request: {} }), /Give runAction what context\.fetch answers/u);
});
