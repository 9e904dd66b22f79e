/** One account's sources come from a server that takes its time; on a node with one place another's job is done meanwhile. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { sine, wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { adminOf, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

const AUDIO = wav([sine(440, 1)]);
const SUBMISSIONS = 12;

let folder: string;
let tonwerk: TestService;
/** Sources that somebody waits for. */
const waiting: ServerResponse[] = [];
const sender = createServer((_request, response) => void waiting.push(response));
const host = (): string => `http://127.0.0.1:${(sender.address() as AddressInfo).port}`;

before(async () => {
  folder = await pluginFolder();
  await addAction(folder, "test.copy");
  await new Promise<void>((resolve) => sender.listen(0, "127.0.0.1", resolve));
  tonwerk = await startTestService({
    env: { TONWERK_PLUGINS: folder, TONWERK_WORKERS: "1", TONWERK_PRIVATE_HOSTS: "127.0.0.1" },
    // None of them gives up before the test does.
    limits: { first_byte_ms: 60_000, idle_ms: 60_000, download_ms: 120_000 },
  });
});
after(async () => {
  sender.closeAllConnections();
  sender.close();
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

async function submit(url: string, headers = {}): Promise<string> {
  const body = { idempotency_key: randomUUID(), source: { url } };
  const answer = await tonwerk.json("PUT", "/v1/test.copy", body, headers);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.test_copy.id;
}
const ended = async (id: string): Promise<string | undefined> => (await tonwerk.service.store.operation(id))?.status;

test("sources that do not come hold up no other account's job, and few of one account are fetched at a time", async () => {
  const crowd: string[] = [];
  for (let n = 0; n < SUBMISSIONS; n++) crowd.push(await submit(`${host()}/${n}.wav`));
  await until(() => waiting.length >= 4);

  const { key } = await adminOf(tonwerk.service).createAccount({ name: "Victim", credits: 50, settings: {} });
  const victim = { authorization: `Bearer ${key.plain}` };
  const upload = await tonwerk.json("PUT", "/v1/files", AUDIO, victim);
  for (let n = 0; n < 3; n++) {
    const id = await submit(upload.body.file.url, victim);
    await until(async () => (await ended(id)) === "ready");
  }
  assert.equal(waiting.length, 4);

  // What comes in the end is worked on, and the next ones are asked for; what breaks off fails and holds up nothing.
  let served = 0;
  await until(async () => {
    for (const response of waiting.splice(0)) {
      if (served++ % 3 === 2) response.destroy();
      else response.end(AUDIO);
    }
    return (await Promise.all(crowd.map(ended))).every((status) => status === "ready" || status === "failed");
  });
  assert.equal(served, SUBMISSIONS);
  const all = await Promise.all(crowd.map(ended));
  assert.equal(all.filter((status) => status === "ready").length, 8);
});
