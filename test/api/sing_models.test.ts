/** Songs sung by an operator's neural singer: it serves where it can, one that cannot is passed over with its reason. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CLIENT_REASONS } from "../../core/base/client_reasons.ts";
import { file, MODELS } from "../runners/models/fixtures.ts";
import { startTestService, type TestService } from "../service.ts";

const SINGER = {
  id: "singer",
  family: "diffsinger",
  licence: "MIT",
  threads: 1,
  files: {
    acoustic: file("diffsinger_acoustic.onnx"),
    vocoder: file("diffsinger_vocoder.onnx"),
    phonemes: file("diffsinger_phonemes.txt"),
  },
};
/** Preferred, but its speaker is not there. */
const SPEECHLESS = {
  ...SINGER,
  id: "speechless",
  priority: 1,
  files: { ...SINGER.files, acoustic: file("diffsinger_speaker.onnx") },
};

const models = mkdtempSync(join(tmpdir(), "tonwerk-singer-"));
let tonwerk: TestService;
before(async () => {
  cpSync(MODELS, models, { recursive: true, filter: (path) => !path.endsWith(".json") });
  writeFileSync(join(models, "singer.json"), JSON.stringify(SINGER));
  writeFileSync(join(models, "speechless.json"), JSON.stringify(SPEECHLESS));
  tonwerk = await startTestService({ env: { TONWERK_MODELS: models, TONWERK_PROVIDERS: "cpu" } });
});
after(async () => {
  await tonwerk.stop();
  rmSync(models, { recursive: true, force: true });
});

test("a neural singer sings the song, and who was passed over is told with the reason", async () => {
  const { status, error, outputs } = await tonwerk.perform("create.new_song", {
    lyrics: "[Verse]\nOnly one line",
    prompt: "a solo piano ballad, 140 bpm",
    duration: 10,
    seed: 1,
  });
  assert.equal(status, "ready", JSON.stringify(error));
  const [{ engine, report }] = outputs;
  assert.match(engine, /^studio\/\d+\+singer$/u);
  assert.equal(report.passed_over.length, 1);
  assert.equal(report.passed_over[0].model, "speechless");
  assert.equal(report.passed_over[0].reason, CLIENT_REASONS.model);
  assert.ok(tonwerk.logged.some((line) => /model\.passed_over.*no file \\"speaker\\" is named/u.test(line)));
});
