/** A neural singer, on miniature models of the true shapes: every frame says which sound and pitch the graphs were given. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Manifest } from "../../../runners/models/fields.ts";
import { parseManifest } from "../../../runners/models/manifest.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { file, options, SETTINGS, sing } from "./fixtures.ts";

const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

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
} as const satisfies Manifest;

/** Numbers in diffsinger_phonemes.txt. */
const NUMBER: Readonly<Record<string, number>> = { SP: 1, S: 33, AA: 3, T: 35, N: 29 };
const RATE = 44_100;
const HOP = 512;
/** As the miniature vocoder makes a sample of what it and the acoustic model are given. */
const sample = (number: number, hertz: number): number => number / 64 + hertz / 6400 + hertz / 102_400;

const passage = (start: number, hertz: number, sounds: readonly (readonly [string, number])[]) => ({
  start,
  hertz,
  sounds: sounds.map(([name, seconds]) => ({ name, seconds })),
});
const ONE = passage(1, 220, [
  ["S", 0.1],
  ["AA", 0.5],
  ["T", 0.1],
]);

test("each sound has its length and pitch, at its time, and silence is nothing but the model's", async () => {
  const later = passage(2.5, 330, [["AN", 0.4]]);
  const out = await pool.run(
    sing,
    { manifest: SINGER, settings: SETTINGS, request: { passages: [ONE, later], seconds: 4 } },
    options(),
  );
  assert.equal(out.length, 4 * RATE);
  const at = (second: number): number => out[Math.round(second * RATE)]!;
  assert.equal(at(0.5), 0);
  for (const [second, name, hertz] of [
    [0.94, "SP", 220],
    [1.05, "S", 220],
    [1.3, "AA", 220],
    [1.65, "T", 220],
    [1.76, "SP", 220],
    // A nasal vowel is a vowel and a short n.
    [2.6, "AA", 330],
    [2.86, "N", 330],
  ] as const) {
    const wanted = sample(NUMBER[name]!, hertz);
    assert.ok(Math.abs(at(second) - wanted) < 1e-5, `${name} at ${second}: ${at(second)}, not ${wanted}`);
  }
  // Borders lie within a frame of where they belong.
  let first = Math.round(0.95 * RATE);
  while (Math.abs(out[first]! - sample(NUMBER.S!, 220)) > 1e-5) first++;
  assert.ok(Math.abs(first / RATE - 1) <= HOP / RATE, `S begins at ${first / RATE}`);
});

test("melodies are moved into the model's range by octaves", async () => {
  const manifest: Manifest = { ...SINGER, id: "high", range: [60, 76] };
  const out = await pool.run(
    sing,
    { manifest, settings: SETTINGS, request: { passages: [ONE], seconds: 2 } },
    options(),
  );
  assert.ok(Math.abs(out[Math.round(1.3 * RATE)]! - sample(NUMBER.AA!, 440)) < 1e-5);
});

test("a long passage is cut at a sound, and nothing of it is lost", async () => {
  const long = passage(
    0.5,
    220,
    Array.from({ length: 60 }, (_, k) => [k % 2 === 0 ? "AA" : "N", 0.5] as const),
  );
  const out = await pool.run(
    sing,
    { manifest: SINGER, settings: SETTINGS, request: { passages: [long], seconds: 31 } },
    options(),
  );
  for (let k = 0; k < 60; k++) {
    const found = out[Math.round((0.5 + 0.5 * k + 0.25) * RATE)]!;
    assert.ok(Math.abs(found - sample(NUMBER[k % 2 === 0 ? "AA" : "N"]!, 220)) < 1e-5, `sound ${k}`);
  }
});

test("a speaker is read from its file, and its lack is told", async () => {
  const acoustic = file("diffsinger_speaker.onnx");
  const manifest: Manifest = { ...SINGER, id: "coloured", files: { ...SINGER.files, acoustic } };
  const request = { passages: [ONE], seconds: 2 };
  await assert.rejects(pool.run(sing, { manifest, settings: SETTINGS, request }, options()), /no file "speaker"/u);
  const wrong: Manifest = { ...manifest, id: "strange", files: { ...manifest.files, speaker: file("vad_v5.onnx") } };
  await assert.rejects(
    pool.run(sing, { manifest: wrong, settings: SETTINGS, request }, options()),
    /its speaker has \d+ bytes, not 16/u,
  );
});

test("energy, breath, voicing and tension follow the sounds, and the manifest moves them", async () => {
  const acoustic = file("diffsinger_variances.onnx");
  /** The first bin is the curve that `steps` counts to; the rest of a sample is the pitch. */
  const heard = async (curve: number, second: number, variances = {}): Promise<number> => {
    const id = `varied-${curve}-${Object.keys(variances).length}`;
    const manifest: Manifest = { ...SINGER, id, steps: curve, variances, files: { ...SINGER.files, acoustic } };
    const out = await pool.run(
      sing,
      { manifest, settings: SETTINGS, request: { passages: [ONE], seconds: 2 } },
      options(),
    );
    return 64 * (out[Math.round(second * RATE)]! - sample(0, 220));
  };
  const [vowel, hiss, silence] = [1.4, 1.05, 0.92];
  for (const [curve, second, wanted] of [
    [1, vowel, -24],
    [1, hiss, -38],
    [1, silence, -90],
    [2, vowel, -56],
    [3, vowel, -24],
    [3, hiss, -80],
    [4, vowel, 0],
  ] as const) {
    const found = await heard(curve, second);
    assert.ok(Math.abs(found - wanted) < 0.01, `curve ${curve} at ${second} s: ${found}, not ${wanted}`);
  }
  // What sounds follows the vowels; silence stays.
  assert.ok(Math.abs((await heard(1, vowel, { energy: -18 })) + 18) < 0.01);
  assert.ok(Math.abs((await heard(1, hiss, { energy: -18 })) + 32) < 0.01);
  assert.ok(Math.abs((await heard(1, silence, { energy: -18 })) + 90) < 0.01);
});

test("sounds that its phonemes do not have are named", async () => {
  const manifest: Manifest = { ...SINGER, id: "other", symbols: { AA: ["ah0"] } };
  await assert.rejects(
    pool.run(sing, { manifest, settings: SETTINGS, request: { passages: [ONE], seconds: 2 } }, options()),
    /no "ah0": name what it has in "symbols"/u,
  );
  await assert.rejects(parseManifest({ ...SINGER, range: [60, 64] }), /less than an octave/u);
});
