/** Pieces of several jobs as rows of one run: each is what it is alone, and none suffers from another. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, test } from "node:test";
import { parseManifest } from "../../../runners/models/manifest.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { folderOf, readCase } from "./cases.ts";
import { generate, options, SETTINGS } from "./fixtures.ts";
import { CASES, type Mishap, oneAfterAnother, sideBySide, variations } from "./together.ts";

const pool = createPool({ threads_max: 4, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

const MISHAPS: readonly (readonly [Mishap, RegExp, steps: number])[] = [
  ["fails", /GatherV?2?|indices|out of/i, 4],
  ["is aborted", /given up/, 2],
  ["does not come", /^$/, 4],
];
for (const [mishap, fault, steps] of MISHAPS) {
  test(`where one of three pieces side by side ends and one ${mishap}, each gives the same bits as alone`, async () => {
    const seen = await pool.run(sideBySide, { mishap }, options());
    assert.deepEqual(seen.answers, ["begun", "begun", "begun", "later"]);
    assert.ok(seen.waited);
    assert.match(seen.fault, fault);
    assert.deepEqual(
      seen.made.map(({ length }) => length),
      [4, 2, steps],
    );
    assert.deepEqual(seen.made, seen.alone);
    assert.equal(seen.afterwards, "begun");
  });
}

test("who begins later catches up while the others wait, then shares their steps; who is too short for that comes later", async () => {
  const seen = await pool.run(oneAfterAnother, null, options());
  assert.deepEqual(seen.answers, ["begun", "begun", "later"]);
  assert.ok(seen.waited);
  assert.deepEqual(
    seen.made.map(({ length }) => length),
    [4, 5],
  );
  assert.deepEqual(seen.made, seen.alone);
});

for (const name of ["musicgen", "musicgen_stereo"]) {
  test(`pieces of ${name} with other words, lengths and seeds are equal side by side and alone; one is cancelled`, async () => {
    const { manifest } = await parseManifest({ ...readCase(CASES, name).manifest, top_k: 20 });
    const settings = { ...SETTINGS, models: CASES };
    const make = (index: number, signal = options().signal) => {
      const request = {
        prompt: ["calm piano", "a", "loud drums and a long bass line, 82 bpm"][index % 3]!,
        seconds: 0.2 + 0.1 * (index % 2),
        seed: index,
      };
      return pool.run(generate, { manifest, settings, request }, { ...options(), signal });
    };
    const alone = [await make(0), await make(1), await make(2)];
    const cancelled = new AbortController();
    const four = [make(0), make(1), make(2), make(3, cancelled.signal)];
    setTimeout(() => cancelled.abort(), 60);
    const [first, second, third, fourth] = await Promise.allSettled(four);
    assert.deepEqual(
      [first, second, third].map((one) => one!.status === "fulfilled" && one!.value),
      alone,
    );
    assert.equal(fourth!.status, "rejected");
    assert.notDeepEqual(alone[0], alone[1]);
  });
}

test("variations of one request are made side by side, each as alone", async () => {
  const { manifest } = readCase(CASES, "musicgen");
  const folder = folderOf(CASES, [{ ...manifest, id: "takes", top_k: 20 } as { id: string }]);
  try {
    const made = await pool.run(variations, { ...SETTINGS, models: folder }, options());
    // One after another it would be half of it.
    assert.ok(made.done > 0.75, `${made.done}`);
    assert.deepEqual(made.engines, ["takes", "takes"]);
    assert.ok(made.are_equal);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
