/** The plugin of docs/writing-a-plugin.md, as an author would add it: one folder, and everything else is there. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SAMPLE_RATE } from "../../contract/mod.ts";
import { checkAction, runAction } from "../../packages/plugin/testing.ts";
import { studio } from "../../runners/delivery.ts";
import { wav } from "../audio.ts";
import { startTestService, type TestService } from "../service.ts";

const root = new URL("../../", import.meta.url);
const NAME = "adapt.reverse";
let tonwerk: TestService;
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tonwerk-eleventh-"));
  const page = await readFile(new URL("docs/writing-a-plugin.md", root), "utf8");
  const code = /```ts\n([\s\S]*?)```/u.exec(page)?.[1] ?? "";
  await mkdir(join(folder, NAME));
  // The folder lies elsewhere in this test, so that nothing is written into the installation.
  await writeFile(
    join(folder, NAME, "action.ts"),
    code.replace("../../packages/plugin/mod.ts", new URL("packages/plugin/mod.ts", root).href),
  );
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: `./plugins,${folder}` } });
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

const ANYTHING = { seconds_min: 0.1, seconds_max: 60, bytes_max: 10_000_000 };

/** One second that rises, so that backwards is unmistakable. */
const rising = {
  sample_rate: SAMPLE_RATE,
  channels: [
    Float32Array.from({ length: SAMPLE_RATE }, (_, at) => Math.round(((0.5 * at) / SAMPLE_RATE) * 32768) / 32768),
  ],
};

test("the eleventh action is listed, documented and priced", async () => {
  const { body: capabilities } = await tonwerk.json("GET", "/v1/capabilities");
  const names = capabilities.actions.map(({ name }: { name: string }) => name);
  assert.ok(names.includes("adapt.normalise_loudness"), names.join());
  assert.ok(names.includes(NAME), names.join());
  const { body: document } = await tonwerk.json("GET", "/openapi.json");
  const { $ref } = document.paths[`/v1/${NAME}`].put.requestBody.content["application/json"].schema;
  assert.equal($ref, "#/components/schemas/ReversedAudioRequest");
  const { properties } = document.components.schemas.ReversedAudioRequest;
  assert.deepEqual(Object.keys(properties).sort(), [
    "callback_url",
    "fade_seconds",
    "idempotency_key",
    "loudness",
    "metadata",
    "source",
    "timeout_seconds",
    "webhook_events",
  ]);
  const dry = await tonwerk.json("PUT", `/v1/${NAME}?dry_run=true`, { source: { url: "https://example.com/a.wav" } });
  assert.equal(dry.body.cost, 1);
});

test("the eleventh action validates, charges, works and delivers", async () => {
  const bad = await tonwerk.json("PUT", `/v1/${NAME}`, { idempotency_key: randomUUID(), fade_seconds: 11 });
  assert.deepEqual(
    bad.body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join(".")} ${type}`).sort(),
    ["body.fade_seconds less_than_equal", "body.source missing"],
  );
  const { credits } = (await tonwerk.json("GET", "/v1/account")).body.account;
  const { body: uploaded } = await tonwerk.json("PUT", "/v1/files", wav(rising.channels));
  const submitted = await tonwerk.json("PUT", `/v1/${NAME}`, {
    idempotency_key: randomUUID(),
    source: { url: uploaded.file.url },
    fade_seconds: 2,
  });
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body));
  const { id } = submitted.body.reversed_audio;
  const { body } = await tonwerk.json("GET", `/v1/${NAME}?id=${id}&wait=true`);
  const { status, output, fade_seconds, loudness } = body.reversed_audio;
  assert.equal(status, "ready", JSON.stringify(body));
  assert.equal(fade_seconds, 2);
  assert.equal(loudness, null);
  assert.equal(output.engine, "reverse");
  assert.equal(output.duration, 1);
  const flac = new Uint8Array(await (await tonwerk.call("GET", output.url)).arrayBuffer());
  const path = join(folder, "delivered.flac");
  await writeFile(path, flac);
  const { audio } = await studio.decode(path, ANYTHING, new AbortController().signal);
  assert.equal(audio.channels.length, 1);
  assert.deepEqual(audio.channels[0], rising.channels[0]!.slice().reverse());
  assert.equal((await tonwerk.json("GET", "/v1/account")).body.account.credits, credits - 1);
});

test("the example passes the author kit", async () => {
  const { default: action } = (await import(`file://${join(folder, NAME, "action.ts")}`)) as { default: unknown };
  checkAction(action, {
    refuses: [
      [{ source: { url: "https://example.com/a.wav" }, fade_seconds: -1 }, [["fade_seconds", "greater_than_equal"]]],
    ],
  });
  const { outputs } = await runAction(action, {
    request: { source: { url: "https://example.com/a.wav" } },
    sources: { source: rising },
  });
  assert.deepEqual(outputs[0]?.audio.channels[0], rising.channels[0]!.slice().reverse());
});
