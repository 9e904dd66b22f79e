/** examples/client.mjs as a newcomer runs it, against a server started for it. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { newApiKey } from "../../core/base/keys.ts";
import { freePort, type ServiceProcess, startProcess } from "../process.ts";
import { findProgram } from "../services/programs.ts";

interface Operation {
  readonly id: string;
}
interface Client {
  connect(
    base_url: string,
    key: string,
  ): {
    upload(bytes: Uint8Array): Promise<string>;
    submit(action: string, request: object): Promise<Operation>;
  };
  verifyWebhook(
    secret: string,
    headers: Headers,
    body: string,
    now_ms?: number,
  ): { readonly type: string; readonly operation: Operation };
}
const EXAMPLE = new URL("../../examples/client.mjs", import.meta.url);
const { connect, verifyWebhook } = (await import(EXAMPLE.href)) as Client;

const CLIENT = fileURLToPath(EXAMPLE);
const SONG = fileURLToPath(new URL("../../examples/song.flac", import.meta.url));
const KEY = newApiKey();
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

let folder: string;
let tonwerk: ServiceProcess;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tonwerk-example-"));
  tonwerk = await startProcess(
    {
      TONWERK_DATA: join(folder, "data"),
      TONWERK_FIRST_KEY: KEY,
      TONWERK_FIRST_SECRET: SECRET,
      // The receiver of webhooks listens here, without TLS.
      TONWERK_PRIVATE_HOSTS: "127.0.0.1",
    },
    await freePort(),
  );
});
after(async () => {
  tonwerk.kill("SIGTERM");
  await tonwerk.exited;
  await rm(folder, { recursive: true, force: true });
});

const node = findProgram("node");
const commands: readonly [name: string, command: readonly string[] | undefined][] = [
  ["this runtime", [process.execPath, "run", ...("Deno" in globalThis ? ["-A"] : [])]],
  ["Node", node === undefined ? undefined : [node]],
];
for (const [name, command] of commands)
  test(`the client normalises a track on ${name}`, { skip: command === undefined && "no Node" }, async () => {
    const [program = "", ...args] = command ?? [];
    const song = join(folder, `${name}.flac`);
    await copyFile(SONG, song);
    const { stdout } = await promisify(execFile)(program, [...args, CLIENT, song], {
      env: { ...process.env, TONWERK_URL: tonwerk.url, TONWERK_KEY: KEY },
    });
    assert.match(stdout, /normalised\.flac: 12 s at -16(\.\d+)? LUFS\n$/u);
    const saved = await readFile(join(folder, `${name}.normalised.flac`));
    assert.equal(saved.subarray(0, 4).toString("latin1"), "fLaC");
  });

test("the client tells what was refused, and why", async () => {
  const client = connect(tonwerk.url, KEY);
  await assert.rejects(client.submit("adapt.normalise_loudness", {}), /PUT .*: 422 .*"missing"/u);
});

test("the client verifies webhooks, and refuses what was changed or is old", async () => {
  const received = new Promise<{ headers: IncomingHttpHeaders; body: string }>((resolve) => {
    receiver.once("request", async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      response.end();
      resolve({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    });
  });
  const client = connect(tonwerk.url, KEY);
  const url = await client.upload(await readFile(SONG));
  const { id } = await client.submit("adapt.normalise_loudness", {
    source: { url },
    callback_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
  });
  const { headers: sent, body } = await received;
  const headers = new Headers(sent as Record<string, string>);
  const event = verifyWebhook(SECRET, headers, body);
  assert.equal(event.type, "adapt.normalise_loudness.ready");
  assert.equal(event.operation.id, id);
  assert.throws(() => verifyWebhook(SECRET, headers, body.replace("ready", "reedy")), /does not fit/u);
  const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  assert.throws(() => verifyWebhook(other, headers, body), /does not fit/u);
  assert.throws(() => verifyWebhook(SECRET, headers, body, Date.now() + 301_000), /older/u);
  assert.throws(() => verifyWebhook(SECRET, new Headers(), body), /older|does not fit/u);
});

const receiver = createServer();
before(() => new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve)));
after(() => {
  receiver.close();
});
