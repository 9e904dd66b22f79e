/** Sound effects by an operator's model of the task `effect`: who is asked for what, and what is said where it cannot. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { createPool } from "../../../runners/pool/pool.ts";
import { folderOf, readCase } from "../models/cases.ts";
import { MODELS, options, SETTINGS, soundServed } from "../models/fixtures.ts";

const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

test("a model of the task makes effects, and sounds of samples; what is too long for it is synthesised, with the reason", async () => {
  const cases = join(MODELS, "../conformance");
  const { manifest } = readCase(cases, "stable_audio");
  const folders = [{}, { tasks: ["generate"] }, { tasks: ["effect"] }].map((more) =>
    folderOf(cases, [{ ...manifest, id: "sounds", ...more }]),
  );
  const ask = (index: number, seconds: number, more: object = {}) =>
    pool.run(soundServed, { settings: { ...SETTINGS, models: folders[index]! }, seconds, ...more }, options());
  try {
    const one = await ask(0, 1);
    assert.deepEqual([one.engine, one.frames], ["sounds", 44_100]);
    assert.deepEqual(Object.keys(one.report!), ["understood"]);
    const long = await ask(0, 2);
    assert.deepEqual([long.engine, long.frames], [undefined, 88_200]);
    assert.deepEqual((long.report as { passed_over: unknown }).passed_over, [
      { model: "sounds", reason: "it makes 1.5 s at most, and 2 s were asked for" },
    ]);
    const music = await ask(1, 1);
    assert.deepEqual([music.engine, (music.report as { passed_over?: unknown }).passed_over], [undefined, undefined]);
    const sample = await ask(2, 1, { as_sample: true });
    assert.equal(sample.engine, "sounds");
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
});
