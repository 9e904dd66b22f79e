/** Ducking by an operator's voice detector: it decides where the music goes down, and one that cannot serve is passed over. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { spansOf } from "../../runners/signal/duck/speech.ts";
import { wav } from "../audio.ts";
import { file, MODELS } from "../runners/models/fixtures.ts";
import { startTestService, type TestService } from "../service.ts";

const DETECTOR = { id: "detector", family: "vad", licence: "MIT", threads: 1, files: { model: file("vad_v5.onnx") } };
const RATE = 44_100;
const models = mkdtempSync(join(tmpdir(), "tonwerk-duck-"));
let tonwerk: TestService;
before(async () => {
  cpSync(MODELS, models, { recursive: true, filter: (path) => !path.endsWith(".json") });
  writeFileSync(join(models, "detector.json"), JSON.stringify(DETECTOR));
  const broken = { ...DETECTOR, id: "broken", priority: 1, files: { model: file("mdx_2048.onnx") } };
  writeFileSync(join(models, "broken.json"), JSON.stringify(broken));
  tonwerk = await startTestService({ env: { TONWERK_MODELS: models, TONWERK_PROVIDERS: "cpu" } });
});
after(async () => {
  await tonwerk.stop();
  rmSync(models, { recursive: true, force: true });
});

/** A tone that the miniature takes for speech, and that no real detector would. */
function tone(seconds: number, from: number, to: number): Float32Array {
  return Float32Array.from({ length: seconds * RATE }, (_, n) =>
    n >= from * RATE && n < to * RATE ? 0.5 * Math.sin((2 * Math.PI * 440 * n) / RATE) : 0,
  );
}

test("the music goes down where the operator's detector hears the voice", async () => {
  const upload = (sound: Float32Array) => tonwerk.upload(wav([sound], { samples: "f32", sample_rate: RATE }));
  const { status, error, output } = await tonwerk.perform("adapt.auto_duck", {
    music: await upload(tone(8, 0, 8)),
    voice: await upload(tone(8, 2, 5)),
    duck_db: 10,
  });
  assert.equal(status, "ready", JSON.stringify(error));
  const { engine, report } = output;
  assert.equal(engine, "duck+detector");
  assert.deepEqual(
    report.passed_over.map(({ model }: { model: string }) => model),
    ["broken"],
  );
  assert.equal(report.speech.length, 1);
  const [{ start, end }] = report.speech;
  assert.ok(Math.abs(start - 2) < 0.08 && Math.abs(end - 5) < 0.08, `${start} to ${end}`);
});

test("spans bridge short pauses, drop short sounds and stay within the piece", () => {
  const hop = 0.032;
  const spans = (pattern: string) =>
    spansOf(
      Float32Array.from(pattern, (digit) => Number(digit) / 10),
      hop,
      pattern.length * hop,
    );
  // From 0.5 on, down to 0.35; a pause of two windows is bridged, one of six is not.
  const found = spans(`00${"9".repeat(10)}00${"9".repeat(6)}444000000${"9".repeat(9)}000`);
  assert.deepEqual(
    found.map(({ start, end }) => [Math.round((start + 0.03) / hop), Math.round((end - 0.03) / hop)]),
    [
      [2, 23],
      [29, 38],
    ],
  );
  assert.deepEqual(spans("0000999900"), []);
  const [whole] = spans("9".repeat(20));
  assert.deepEqual(whole, { start: 0, end: 20 * hop });
});
