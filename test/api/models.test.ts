/** Models seen through the front door: their states in /v1/capabilities, and operations that end as they should whatever a model does. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CLIENT_REASONS } from "../../core/base/client_reasons.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { file, MODELS } from "../runners/models/fixtures.ts";
import { startTestService, type TestService } from "../service.ts";

const plugins: string[] = [];
let tonwerk: TestService;
let models: string;

const MDX = {
  family: "mdx",
  licence: "MIT",
  threads: 1,
  stem: "vocals",
  stft: { n_fft: 6144, hop: 1024, dim_f: 2048, dim_t: 256 },
};

before(async () => {
  models = mkdtempSync(join(tmpdir(), "tonwerk-models-"));
  cpSync(MODELS, models, { recursive: true, filter: (path) => !path.endsWith(".json") });
  const write = (id: string, fields: object) =>
    writeFileSync(join(models, `${id}.json`), JSON.stringify({ id, ...MDX, ...fields }));
  write("hung", { priority: 2, ms_max: 700, files: { model: file("mdx_hang.onnx") } });
  write("gone", { priority: 1, files: { model: { path: "gone.onnx", sha256: "0".repeat(64) } } });
  // Of two, which serve within it only.
  write("vocals", { files: { model: file("mdx_2048.onnx") } });
  write("drums", { stem: "drums", files: { model: file("mdx_2048.onnx") } });
  const pair = { id: "pair", family: "ensemble", priority: -1, models: [{ id: "vocals" }, { id: "drums" }] };
  writeFileSync(join(models, "pair.json"), JSON.stringify(pair));
  write("good", { files: { model: file("mdx_2048.onnx") } });
  writeFileSync(join(models, "nonsense.json"), '{ "family": "magic" }');
  const folder = await pluginFolder();
  plugins.push(folder);
  const inside = (path: string): string => JSON.stringify(new URL(`../../runners/${path}`, import.meta.url).href);
  // The first stem of whichever engine serves. Plugins may not import the core's inside; this one stands for an action
  // of ours, and names it aside.
  await addAction(folder, "test.stem", {
    task: '"separate"',
    process: `async ({ sources, signal, progress }) => {
        const [engines, separator] = [${inside("engines.ts")}, ${inside("models/separator.ts")}];
        const { serve } = await import(engines);
        const { separateWhole } = await import(separator);
        const job = { signal, progress };
        const { made, engine, passed_over } = await serve("separate", job,
          async ({ members }) => separateWhole(await members[0].open(), sources.source, job),
          { name: "built-in", run: () => [sources.source.channels] });
        return { audio: { sample_rate: 44100, channels: made[0] }, engine, report: { passed_over } };
      }`,
  });
  await addAction(folder, "test.plain");
  tonwerk = await startTestService({
    env: { TONWERK_PLUGINS: folder, TONWERK_MODELS: models, TONWERK_SHIPPED_MODELS: "off", TONWERK_PROVIDERS: "cpu" },
  });
});
after(async () => {
  await tonwerk.stop();
  for (const folder of [models, ...plugins]) rmSync(folder, { recursive: true, force: true });
});

interface Listed {
  name: string;
  engine: string;
  device: string;
  models: { id: string; state: string; reason?: string }[];
}

async function listed(name: string): Promise<Listed> {
  const { body } = await tonwerk.json("GET", "/v1/capabilities");
  return body.actions.find((action: Listed) => action.name === name);
}

/** Polls until every model has left `starting`. */
async function settled(): Promise<Listed> {
  for (let i = 0; i < 3600; i++) {
    const found = await listed("test.stem");
    if (found.models.every(({ state }) => state !== "starting")) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail("Waited in vain for the models");
}

test("/v1/capabilities shows who serves, where, and each model's state; the log has the reason of a failure", async () => {
  const { engine, device, models } = await settled();
  assert.deepEqual([engine, device], ["hung", "cpu"]);
  assert.deepEqual(
    models.map(({ id, state }) => [id, state]),
    [
      ["hung", "ready"],
      ["gone", "failed"],
      ["good", "ready"],
      ["pair", "ready"],
    ],
  );
  assert.equal(models[1]!.reason, CLIENT_REASONS.model);
  assert.ok(tonwerk.logged.some((line) => line.includes("model.failed") && line.includes("there is no such file")));
  // Reasons name files and folders: they are the log's alone.
  const { body } = await tonwerk.json("GET", "/v1/capabilities");
  assert.ok(!JSON.stringify(body).includes(tmpdir()));
  const plain = await listed("test.plain");
  assert.deepEqual([plain.engine, plain.device, plain.models], ["copy", "cpu", []]);
  assert.ok(tonwerk.logged.some((line) => line.includes("model.refused") && line.includes("nonsense.json")));
  assert.ok(tonwerk.logged.some((line) => line.includes("model.ready") && line.includes('"good"')));
});

test("an operation whose models hang and are missing is served by the next, and says so; the service stays up", async () => {
  const body = wav(tone(440, 1).channels);
  const operation = await tonwerk.perform("test.stem", { source: await tonwerk.upload(body) });
  assert.equal(operation.status, "ready", JSON.stringify(operation));
  assert.equal(operation.output.engine, "good");
  assert.ok(!JSON.stringify(operation.output.report).includes(tmpdir()));
  const over = operation.output.report.passed_over;
  assert.deepEqual(
    over.map(({ model }: { model: string }) => model),
    ["hung", "gone"],
  );
  assert.deepEqual(
    over.map(({ reason }: { reason: string }) => reason),
    [CLIENT_REASONS.model, CLIENT_REASONS.model],
  );
  assert.ok(tonwerk.logged.some((line) => line.includes("model.passed_over") && line.includes("it exceeded 700 ms")));
  assert.ok(tonwerk.logged.some((line) => line.includes("model.failed") && line.includes('"hung"')));
  assert.equal((await tonwerk.json("GET", "/health")).status, 200);
  // The hung one's process was replaced, and it is loaded anew before anybody asks.
  for (let i = 0; ; i++) {
    const { models } = await listed("test.stem");
    if (models[0]!.state === "ready") break;
    assert.ok(i < 400, JSON.stringify(models));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});
