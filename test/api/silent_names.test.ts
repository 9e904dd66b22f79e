/** One account names hosts whose name server never answers; another uploads, downloads and is told of its operations meanwhile. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { sine, wav } from "../audio.ts";
import { type DnsServer, startDns } from "../hostile/dns.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { adminOf, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

const AUDIO = wav([sine(440, 1)]);
const SUBMISSIONS = 80;
/** The look-ups of this test end by themselves long after everything else has. */
const LOOKUP_MS = 30_000;

let folder: string;
let dns: DnsServer;
let tonwerk: TestService;
const seen: string[] = [];
const receiver = createServer((request, response) => {
  seen.push(String(request.headers.host));
  request.resume().on("end", () => response.end());
});

before(async () => {
  folder = await pluginFolder();
  await addAction(folder, "test.refusal", {
    request: "Type.Object({})",
    sources: "{}",
    echo: "[]",
    examples: "[{}]",
    failures: '["not_today"]',
    process: `({ fail }) => fail("not_today", "Closed")`,
  });
  dns = await startDns((name) => (name === "receiver.test" ? { addresses: ["127.0.0.1"] } : "silent"));
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  tonwerk = await startTestService({
    env: {
      TONWERK_PLUGINS: folder,
      TONWERK_WORKERS: "1",
      TONWERK_DNS: dns.address,
      TONWERK_PRIVATE_HOSTS: "receiver.test",
    },
    limits: { lookup_ms: LOOKUP_MS, connect_ms: LOOKUP_MS, post_ms: LOOKUP_MS },
  });
});
after(async () => {
  await tonwerk.stop();
  await dns.close();
  receiver.close();
  receiver.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});

async function submit(callback_url: string, headers = {}): Promise<string> {
  const { status, body } = await tonwerk.json(
    "PUT",
    "/v1/test.refusal",
    { idempotency_key: randomUUID(), callback_url },
    headers,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body.test_refusal.id;
}

test("callbacks to names that are never answered delay no upload, no download and no other account's webhook", async () => {
  const crowd = await Promise.all(
    Array.from({ length: SUBMISSIONS }, (_, i) => submit(`https://n${i}.silent.test/hook`)),
  );
  await until(async () => (await tonwerk.service.store.operation(crowd.at(-1)!))?.status === "failed");
  const askedNames = () =>
    new Set(dns.asked.filter((line) => line.includes("silent")).map((line) => line.split(" ")[1]));
  await until(() => askedNames().size >= 4);

  const { key } = await adminOf(tonwerk.service).createAccount({ name: "Victim", credits: 50, settings: {} });
  const victim = { authorization: `Bearer ${key.plain}` };
  const upload = await tonwerk.json("PUT", "/v1/files", AUDIO, victim);
  assert.equal(upload.status, 200, JSON.stringify(upload.body));
  const download = await tonwerk.call("GET", upload.body.file.url, undefined, victim);
  assert.equal((await download.arrayBuffer()).byteLength, AUDIO.length);
  assert.equal((await tonwerk.call("GET", "/health")).status, 200);
  const { port } = receiver.address() as { port: number };
  const told = await submit(`http://receiver.test:${port}/hook`, victim);
  await until(async () => (await tonwerk.service.store.webhooks(told))[0]?.state === "delivered");
  assert.deepEqual(seen, [`receiver.test:${port}`]);

  // All of that came before one of the names was given up; four of them at a time were asked for.
  assert.equal(askedNames().size, 4);
  for (const id of crowd) {
    const [webhook] = await tonwerk.service.store.webhooks(id);
    assert.equal(webhook?.state, "pending");
    assert.deepEqual(await tonwerk.service.store.webhookAttempts(webhook!.id), []);
  }
});
