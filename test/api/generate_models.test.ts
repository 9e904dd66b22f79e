/** Samples and instrumentals by an operator's model of music: the model serves where it can, the built-in engine everywhere else. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { decodedFlac } from "../flac.ts";
import { file, MODELS } from "../runners/models/fixtures.ts";
import { startTestService, type TestService } from "../service.ts";

const MUSICGEN = {
  id: "musicgen",
  family: "musicgen",
  licence: "MIT",
  threads: 1,
  frames_max: 40,
  files: {
    text_encoder: file("musicgen_text.onnx"),
    decoder: file("musicgen_decoder.onnx"),
    codec: file("musicgen_codec.onnx"),
    tokenizer: file("musicgen_tokenizer.txt"),
  },
};

const models = mkdtempSync(join(tmpdir(), "tonwerk-music-"));
let tonwerk: TestService;
before(async () => {
  cpSync(MODELS, models, { recursive: true, filter: (path) => !path.endsWith(".json") });
  writeFileSync(join(models, "musicgen.json"), JSON.stringify(MUSICGEN));
  tonwerk = await startTestService({ env: { TONWERK_MODELS: models, TONWERK_PROVIDERS: "cpu" } });
});
after(async () => {
  await tonwerk.stop();
  rmSync(models, { recursive: true, force: true });
});

const sample = (duration: number, loopable: boolean) =>
  tonwerk.perform("create.new_sample", { prompt: "calm piano", duration, loopable, seed: 1 });

test("a model of music makes the sample, in stereo and to the sample", async () => {
  const { status, output } = await sample(0.7, false);
  assert.deepEqual([status, output.engine, output.duration], ["ready", "musicgen", 0.7]);
  const bytes = new Uint8Array(await (await tonwerk.call("GET", output.url)).arrayBuffer());
  const channels = await decodedFlac(bytes);
  assert.deepEqual(
    channels.map(({ length }) => length),
    [30_870, 30_870],
  );
  assert.equal((await sample(0.7, false)).output.sha256, output.sha256);
});

test("what the model cannot do, a loop or a longer clip, the built-in engine makes", async () => {
  assert.match((await sample(0.7, true)).output.engine, /^studio\//u);
  const { output } = await sample(1.5, false);
  assert.match(output.engine, /^studio\//u);
  assert.deepEqual(
    output.report.passed_over.map(({ model }: { model: string }) => model),
    ["musicgen"],
  );
});

test("an instrumental is as long as the model can make it", async () => {
  const { status, outputs } = await tonwerk.perform("create.new_instrumental", { prompt: "calm piano", seed: 1 });
  assert.deepEqual([status, outputs[0].engine, outputs[0].duration], ["ready", "musicgen", 0.8]);
});

test("an instrumental that is asked for longer than the model can make it is the built-in engine's, and the log says why", async () => {
  const { status, outputs } = await tonwerk.perform("create.new_instrumental", {
    prompt: "calm piano",
    duration: 10,
    seed: 1,
  });
  assert.equal(status, "ready");
  assert.match(outputs[0].engine, /^studio\//u);
  assert.deepEqual(
    outputs[0].report.passed_over.map(({ model }: { model: string }) => model),
    ["musicgen"],
  );
  assert.ok(Math.abs(outputs[0].duration - 10) < 2, `${outputs[0].duration} s`);
  assert.ok(tonwerk.logged.some((line) => line.includes("it makes 0.8 s at most, and 10 s were asked for")));
});
