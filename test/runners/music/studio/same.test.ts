/**
 * Equal requests give equal samples, on every runtime: the prints were made on one and hold on the other. A new print
 * is a new version of the engine.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Audio } from "../../../../contract/mod.ts";
import { makeInstrumentals } from "../../../../runners/music/studio/instrumental.ts";
import { makeSample } from "../../../../runners/music/studio/sample.ts";
import { makeSongs } from "../../../../runners/music/studio/song.ts";
import { useKernels } from "../../../../runners/signal/dsp/arena.ts";
import { makeAll } from "../../../audio.ts";

const job = { signal: new AbortController().signal, progress: () => undefined };

function print({ channels }: Audio): string {
  const hash = createHash("sha256");
  for (const { buffer, byteOffset, byteLength } of channels)
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  return hash.digest("hex").slice(0, 16);
}

const SAMPLES: readonly (readonly [prompt: string, loop: boolean, print: string])[] = [
  ["lo-fi beat with rhodes and vinyl crackle", true, "efa80e091c1ba607"],
  ["heavy metal riff, E minor", false, "4b0c1f94a70d774f"],
  ["trance lead and supersaw", true, "cf5b1105cd4b9221"],
  ["string quartet", false, "a16d1ed6017c3cd6"],
];

for (const [prompt, loop, wanted] of SAMPLES) {
  test(`"${prompt}" has the samples that it had`, async () => {
    const { audio } = await makeSample({ prompt, seconds: 3.2, loop, seed: 7 }, job);
    assert.equal(print(audio), wanted);
  });
}

test("set-ups without kernels make the same samples", async () => {
  useKernels(false);
  try {
    for (const [prompt, loop, wanted] of [SAMPLES[1]!, SAMPLES[3]!])
      assert.equal(print((await makeSample({ prompt, seconds: 3.2, loop, seed: 7 }, job)).audio), wanted, prompt);
  } finally {
    useKernels(true);
  }
});

test("a song has the samples that it had", async () => {
  const lyrics = "[Chorus]\nWe are the lights in the city tonight";
  const [song] = await makeAll(await makeSongs({ lyrics, prompt: "synthpop, 128 bpm", seconds: 10, seeds: [7] }, job));
  assert.equal(print(song!.audio), "9665573cc5fd09e0");
});

test("a further variation is the same choice with the same samples", async () => {
  const makings = await makeInstrumentals({ prompt: "bossa nova trio", seconds: 10, seeds: [7, 8] }, job);
  assert.equal(print((await makings[1]!()).audio), "c04b0232d1c7d101");
});
