/** MusicGen on a miniature of its true shapes, whose likeliest codes are known: tokens, cache, delay pattern, guidance, decoding. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Manifest } from "../../../runners/models/fields.ts";
import { sample } from "../../../runners/models/sampling.ts";
import { readTokenizer } from "../../../runners/models/tokenizer.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { resample } from "../../../runners/signal/dsp/resample.ts";
import { file, generate, MODELS, options, SETTINGS, snr } from "./fixtures.ts";

const pool = createPool({ threads_max: 2, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

const MUSICGEN = {
  id: "musicgen",
  family: "musicgen",
  licence: "MIT",
  threads: 1,
  top_k: 1,
  files: {
    text_encoder: file("musicgen_text.onnx"),
    decoder: file("musicgen_decoder.onnx"),
    codec: file("musicgen_codec.onnx"),
    tokenizer: file("musicgen_tokenizer.txt"),
  },
} satisfies Manifest;

/** What the miniature answers: see make_models.py. */
function closedForm(largest_token: number, frames: number, guidance: number): Float32Array {
  const samples = new Float32Array(frames * 640);
  for (let frame = 0; frame < frames; frame++) {
    let level = 0;
    for (let k = 0; k < 4; k++) {
      const code = guidance * largest_token + (frame + k) + 7 * k + (frame > 0 ? 3 : 0);
      level += (code * [8, 4, 2, 1][k]!) / 16_384;
    }
    samples.fill(level, frame * 640, (frame + 1) * 640);
  }
  return resample([samples], 32_000, 44_100)[0]!;
}

test("the likeliest codes of every frame and codebook come out as the closed form says", async () => {
  // "▁calm" is 4, "▁piano" is 5, the end 1: the largest is 5, and 3 times that is what guidance leads to.
  const request = { prompt: "calm  piano", seconds: 0.5, seed: 1 };
  const audio = await pool.run(generate, { manifest: MUSICGEN, settings: SETTINGS, request }, options());
  assert.deepEqual([audio.sample_rate, audio.channels.length, audio.channels[0]!.length], [44_100, 1, 22_050]);
  const wanted = closedForm(5, 25, 3);
  assert.ok(snr(audio.channels[0]!, wanted.subarray(0, 22_050)) > 100);
});

test("other words and another guidance lead elsewhere, as the closed form says", async () => {
  const manifest: Manifest = { ...MUSICGEN, id: "guided", guidance: 5 };
  const request = { prompt: "calm", seconds: 0.2, seed: 1 };
  const audio = await pool.run(generate, { manifest, settings: SETTINGS, request }, options());
  const wanted = closedForm(4, 10, 5);
  assert.ok(snr(audio.channels[0]!, wanted.subarray(0, 8820)) > 100);
});

test("a seed decides among the likeliest codes, and the same seed decides the same", async () => {
  const manifest: Manifest = { ...MUSICGEN, id: "drawn", top_k: 8 };
  const make = (seed: number) =>
    pool.run(generate, { manifest, settings: SETTINGS, request: { prompt: "calm", seconds: 0.3, seed } }, options());
  const [first, again, other] = [await make(7), await make(7), await make(8)];
  assert.deepEqual(again, first);
  assert.notDeepEqual(other, first);
});

test("lengths are exact, and one beyond the model's is its fault", async () => {
  const manifest: Manifest = { ...MUSICGEN, id: "short", frames_max: 20 };
  const make = (seconds: number) =>
    pool.run(generate, { manifest, settings: SETTINGS, request: { prompt: "a", seconds, seed: 0 } }, options());
  assert.equal((await make(0.123)).channels[0]!.length, Math.round(0.123 * 44_100));
  await assert.rejects(make(0.5), { name: "ModelError", message: /makes 0.4 s at most, not 0.5 s/ });
});

test("the tokenizer cuts words into their likeliest pieces", async () => {
  const { encode } = await readTokenizer(join(MODELS, "musicgen_tokenizer.txt"));
  const END = 1;
  // "▁piano" as one piece (-7) beats "▁pi" and "ano" (-9).
  assert.deepEqual(encode("piano"), [5, END]);
  // "▁pi", "ano", "s" (-12.5) loses to "▁piano", "s" (-10.5).
  assert.deepEqual(encode(" piano s "), [5, 3, 11, END]);
  assert.deepEqual(encode("pianos"), [5, 11, END]);
  // "ano" (-4) beats "a", "n", "o" (-10.5).
  assert.deepEqual(encode("ano"), [3, 7, END]);
  // Characters without a piece are one unknown together, whatever their number; full-width letters are letters.
  assert.deepEqual(encode("xyz"), [3, 2, END]);
  assert.deepEqual(encode("ｃａｌｍ\n\tcalm"), [4, 4, END]);
  assert.deepEqual(encode(""), [END]);
  await assert.rejects(readTokenizer(join(MODELS, "..", "..", "..", "..", "package.json")), /no unigram model/);
});

test("sample() draws from the likeliest by their weights, ranks equals by number, and never draws what is not finite", () => {
  const logits = Float32Array.from([0, 2, 2, Number.NaN, -1, Number.NEGATIVE_INFINITY]);
  assert.equal(sample(logits, 1, 1, 0.999), 1);
  assert.equal(sample(logits, 2, 1, 0.49), 1);
  assert.equal(sample(logits, 2, 1, 0.51), 2);
  // Of weights 1, 1, e^-2 the third begins at 0.9367.
  assert.equal(sample(logits, 3, 1, 0.93), 2);
  assert.equal(sample(logits, 3, 1, 0.94), 0);
  assert.equal(sample(Float32Array.of(Number.NaN, Number.NaN), 3, 1, 0.5), undefined);
});
