/** One account's jobs take long and are many: another's is done beside them, on a node with one place. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sine, wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { adminOf, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

const AUDIO = wav([sine(440, 1)]);

let folder: string;
let tonwerk: TestService;

before(async () => {
  folder = await pluginFolder();
  // Works until there is a file of that name.
  const wait = `while (!existsSync(${JSON.stringify(folder)} + "/go")) await new Promise((next) => setTimeout(next, 20));`;
  await addAction(
    folder,
    "test.hold",
    { process: `async ({ sources }) => { ${wait} return { audio: sources.source }; }` },
    'import { existsSync } from "node:fs";',
  );
  await addAction(folder, "test.copy");
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder, TONWERK_WORKERS: "1" } });
});
after(async () => {
  await writeFile(join(folder, "go"), "");
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

async function submit(action: string, headers: Record<string, string> = {}): Promise<string> {
  const upload = await tonwerk.json("PUT", "/v1/files", AUDIO, headers);
  const body = { idempotency_key: randomUUID(), source: { url: upload.body.file.url } };
  const answer = await tonwerk.json("PUT", `/v1/${action}`, body, headers);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body[action.replace(".", "_")].id;
}

/** Of operations that are not over: how many a worker has. */
async function atWork(ids: readonly string[]): Promise<number> {
  const all = await Promise.all(ids.map((id) => tonwerk.service.store.operation(id)));
  return all.filter((one) => one?.status === "processing" && one.started_at !== null).length;
}

test("another account's job is done beside jobs that have every place, and whoever has the places gets no more", async () => {
  const long = await Promise.all(Array.from({ length: 4 }, () => submit("test.hold")));
  await until(async () => (await atWork(long)) === 1);

  const { key } = await adminOf(tonwerk.service).createAccount({ name: "Other", credits: 50, settings: {} });
  const other = { authorization: `Bearer ${key.plain}` };
  for (let n = 0; n < 3; n++) {
    const id = await submit("test.copy", other);
    await until(async () => (await tonwerk.service.store.operation(id))?.status === "ready");
  }
  assert.equal(await atWork(long), 1);

  await writeFile(join(folder, "go"), "");
  await until(async () => {
    const all = await Promise.all(long.map((id) => tonwerk.service.store.operation(id)));
    return all.every((one) => one?.status === "ready");
  });
});
