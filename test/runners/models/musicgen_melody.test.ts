/**
 * MusicGen's melody models against `transformers`: the chroma of a sound, the logits of every step with it and without
 * one, and pieces side by side.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, test } from "node:test";
import type { Audio } from "../../../contract/mod.ts";
import { chromaOf, loudestOf } from "../../../runners/models/families/musicgen-melody/chroma.ts";
import { parseManifest } from "../../../runners/models/manifest.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { agreements, folderOf, plucked, readCase, readFloats, runInside } from "./cases.ts";
import { generate, options, remixServed, SETTINGS } from "./fixtures.ts";
import { CASES, sideBySide } from "./together.ts";

const pool = createPool({ threads_max: 3, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

const { manifest, input } = readCase(CASES, "musicgen_melody");
const melody = "melody" in input ? input.melody! : assert.fail("the case has no melody");

test("chroma are the original's, and so is the loudest class of every frame", () => {
  const { channels, sample_rate } = plucked(melody);
  const made = chromaOf(channels[0]!, sample_rate);
  const wanted = readFloats(CASES, "musicgen_melody", "chroma.f32");
  assert.equal(made.length, wanted.length);
  for (const [n, value] of wanted.entries()) assert.ok(Math.abs(made[n]! - value) <= 1e-5, `value ${n}: ${made[n]}`);
  const loudest = loudestOf(made);
  assert.deepEqual(loudest, loudestOf(wanted));
  assert.ok(new Set(loudest).size >= 3);
  // Shorter than a transform, and of nothing at all: one frame more than there are hops in a transform.
  assert.deepEqual([...loudestOf(chromaOf(new Float32Array(10), sample_rate))], [0, 0, 0, 0, 0]);
});

for (const name of ["musicgen_melody", "musicgen_melody_free"]) {
  test(`${name} gives the original's logits and codes in every step`, async () => {
    const one = readCase(CASES, name);
    const { made, inside } = (await runInside(pool, CASES, one))!;
    assert.equal(inside.steps, 15);
    assert.ok(inside.largest < 1e-3, `logits ${inside.largest} apart`);
    for (const agreement of agreements(CASES, name, one, made)) assert.ok(agreement > 60, `${agreement} dB`);
  });
}

test("a source decides the piece, in one channel or in two", async () => {
  const { manifest: parsed } = await parseManifest({ ...manifest, id: "musicgen_melody" } as never);
  const make = async (reference?: Audio) => {
    const request = { prompt: "a", seconds: 0.1, seed: 3, ...(reference === undefined ? {} : { reference }) };
    const settings = { ...SETTINGS, models: CASES };
    return (await pool.run(generate, { manifest: parsed, settings, request }, options())).channels[0]!;
  };
  const mono = plucked({ ...melody, seconds: 2 });
  const [channel] = mono.channels;
  const heard = await make(mono);
  assert.notDeepEqual(heard, await make());
  const stereo = { ...mono, channels: [channel!, channel!] };
  assert.deepEqual(await make(stereo), heard);
  // And that is what a remix is given.
  const folder = folderOf(CASES, [{ ...manifest, id: "melody" }]);
  const asked = { settings: { ...SETTINGS, models: folder }, source: stereo, prompt: "a", seconds: 0.1 };
  const remixed = await pool.run(remixServed, asked, options()).finally(() => rmSync(folder, { recursive: true }));
  assert.deepEqual(remixed, { engine: "melody", left: heard });
});

test("pieces side by side, of which one fails, give the same bits as alone: each keeps its melody", async () => {
  const seen = await pool.run(sideBySide, { mishap: "fails", name: "musicgen_melody" }, options());
  assert.deepEqual(seen.answers, ["begun", "begun", "begun", "later"]);
  assert.ok(seen.waited);
  assert.deepEqual(
    seen.made.map(({ length }) => length),
    [4, 2, 4],
  );
  assert.deepEqual(seen.made, seen.alone);
  assert.notDeepEqual(seen.made[0]![0], seen.made[1]![0]);
});
