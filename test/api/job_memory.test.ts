/** A job that takes memory without end: it fails with the limit in the log, and the service and others' jobs go on. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

/** Above what the process of the test holds by itself. */
const MEMORY_MB = Math.round(process.memoryUsage.rss() / 2 ** 20) + 700;

let folder: string;
let tonwerk: TestService;
let url: string;

before(async () => {
  folder = await pluginFolder(["files"]);
  const take = "held.push(new Float64Array(1_000_000).fill(held.length));";
  await addAction(folder, "acme.takes", {
    process: `async () => {
      const held = [];
      for (;;) { ${take} await new Promise((done) => setTimeout(done, 3)); }
    }`,
  });
  await addAction(folder, "acme.loops", { process: `() => { const held = []; for (;;) { ${take} } }` });
  await addAction(folder, "acme.waits", {
    process: `async ({ sources, signal }) => {
      for (let turn = 0; turn < 40; turn++) { signal.throwIfAborted(); await new Promise((done) => setTimeout(done, 50)); }
      return { audio: sources.source };
    }`,
  });
  tonwerk = await startTestService({
    env: { TONWERK_PLUGINS: folder, TONWERK_WORKERS: "3", TONWERK_MEMORY_MB: String(MEMORY_MB) },
  });
  url = (await tonwerk.json("PUT", "/v1/files", wav(tone(440, 0.2).channels))).body.file.url;
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

async function run(action: string): Promise<Answer["body"]> {
  const submitted = await tonwerk.json("PUT", `/v1/${action}`, { idempotency_key: randomUUID(), source: { url } });
  const [[wrapper, { id }]] = Object.entries(submitted.body) as [[string, { id: string }]];
  await until(async () => (await tonwerk.service.store.operation(id))?.status !== "processing");
  return (await tonwerk.json("GET", `/v1/${action}?id=${id}`)).body[wrapper];
}

const events = (event: string) => tonwerk.logged.map((line) => JSON.parse(line)).filter((line) => line.event === event);

async function fails(action: string): Promise<void> {
  const [taken, other] = await Promise.all([run(action), run("acme.waits")]);
  assert.deepEqual([taken.status, taken.error.code, taken.refunded], ["failed", "internal_error", 1]);
  assert.equal(other.status, "ready", JSON.stringify(other.error));
  const told = events("plugin.error").filter(({ id }) => id === taken.id);
  assert.deepEqual(
    told.map(({ kind, action: whose }) => [kind, whose]),
    [["memory", action]],
  );
  assert.match(
    told[0].error,
    new RegExp(
      `^Run of "job" ended: the service held \\d+ MB of memory, and may hold ${MEMORY_MB}: its job held most of it$`,
      "u",
    ),
  );
  // Final: a second attempt would take as much.
  assert.equal((await tonwerk.service.store.operation(taken.id))?.attempt, 1);
  assert.equal((await run("acme.waits")).status, "ready");
}

test("a job that takes memory without end is ended, and fails alone", () => fails("acme.takes"));

test("so is one in a loop that never yields", () => fails("acme.loops"));
