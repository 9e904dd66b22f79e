/** The separator that Tonwerk ships, as a job runs it: loaded from its own folder, in a child process, and what serves where it cannot. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Audio } from "../../../../contract/mod.ts";
import type { ModelSettings } from "../../../../core/ports/mod.ts";
import { modelsIn, readEntries } from "../../../../runners/models/entries.ts";
import { filesOf } from "../../../../runners/models/fields.ts";
import { createPool } from "../../../../runners/pool/pool.ts";
import { SHIPPED } from "../../../../runners/shipped.ts";
import { options } from "../../models/fixtures.ts";
import { type Part, pieceOf, stems } from "./shipped_fixtures.ts";

const SETTINGS: ModelSettings = {
  models: null,
  providers: ["cpu"],
  devices: [],
  model_mb: 4000,
  model_seconds: 120,
  shipped: true,
  families: [],
  sidecars: [],
};
const ID = "tonwerk-separator-5";
const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

const separated = (audio: Audio, settings = SETTINGS) => pool.run(stems, { settings, audio }, options());

/** 9 s, so that two blocks join: a low bass, bursts of noise, a chord to one side and a voice-like line. */
const piece = pieceOf(9);

test("the shipped model's file is that of its manifest, and of at most 15 MB", async () => {
  const folder = SHIPPED.separate!;
  const { entries, refused } = await readEntries(folder, []);
  const models = entries.flatMap(modelsIn);
  assert.deepEqual(refused, []);
  assert.deepEqual(
    models.map(({ id, family }) => [id, family]),
    [[ID, "bands"]],
  );
  for (const { path, sha256 } of filesOf(models[0]!)) {
    const file = join(folder, path);
    assert.equal(createHash("sha256").update(readFileSync(file)).digest("hex"), sha256);
    assert.ok(statSync(file).size <= 15e6);
  }
});

test("it serves without any setting; stems sum to the mix, are its parts, and are the same again", async () => {
  const first = await separated(piece.mix);
  assert.deepEqual(
    [...new Set(Object.values(first.stems).map(({ engine }) => engine))],
    [ID],
    JSON.stringify(first.passed_over),
  );
  const again = await separated(piece.mix);
  for (const [c, channel] of piece.mix.channels.entries()) {
    let [whole, instrumental] = [0, 0];
    for (let n = 0; n < channel.length; n++) {
      const at = (kind: Part) => first.stems[kind].channels[c]![n]!;
      const band = at("drums") + at("bass") + at("other");
      whole = Math.max(whole, Math.abs(channel[n]! - band - at("vocals")));
      instrumental = Math.max(instrumental, Math.abs(at("instrumental") - band));
    }
    assert.ok(whole < 3.2e-5 && instrumental < 3.2e-5, `${whole} ${instrumental}`);
    for (const kind of ["vocals", "drums", "bass", "other"] as const)
      assert.deepEqual(first.stems[kind].channels[c], again.stems[kind].channels[c], kind);
  }
  // A low note with overtones, plucked on every half beat, is bass to any separator.
  const reached = ratio(piece.parts.bass.channels, first.stems.bass.channels);
  assert.ok(reached > 3, `bass: ${reached.toFixed(1)} dB`);
});

test("mono, a moment and silence come back as long as they were", async () => {
  for (const [channels, frames] of [
    [1, 30_000],
    [2, 1],
    [2, 700],
  ] as const) {
    const audio: Audio = {
      sample_rate: 44_100,
      channels: Array.from({ length: channels }, () => piece.mix.channels[0]!.slice(0, frames)),
    };
    const { stems: made } = await separated(audio);
    for (const stem of Object.values(made)) {
      assert.equal(stem.engine, ID);
      assert.deepEqual(
        stem.channels.map(({ length }) => length),
        audio.channels.map(({ length }) => length),
      );
    }
  }
  const silence: Audio = { sample_rate: 44_100, channels: [new Float32Array(50_000), new Float32Array(50_000)] };
  for (const { channels } of Object.values((await separated(silence)).stems))
    for (const channel of channels) assert.ok(channel.every((value) => value === 0));
});

test("where it cannot run, the classical engine serves and the report says why", async () => {
  const { stems: made, passed_over } = await separated(pieceOf(1).mix, {
    ...SETTINGS,
    model_mb: 1,
    providers: ["tensorrt"],
  });
  for (const { engine } of Object.values(made)) assert.equal(engine, "separate");
  assert.deepEqual(
    passed_over.map(({ model }) => model),
    [ID],
  );
  assert.match(passed_over[0]!.reason, /tensorrt|memory|MB/);
  // Switched off, there is nothing to pass over.
  const off = await separated(pieceOf(1).mix, { ...SETTINGS, shipped: false });
  assert.equal(off.stems.vocals.engine, "separate");
  assert.deepEqual(off.passed_over, []);
});

/** SI-SDR, dB. */
function ratio(truth: readonly Float32Array[], made: readonly Float32Array[]): number {
  let [tt, te, ee] = [0, 0, 0];
  for (const [c, channel] of truth.entries()) {
    for (let n = 0; n < channel.length; n++) {
      const [t, e] = [channel[n]!, made[c]![n]!];
      tt += t * t;
      te += t * e;
      ee += e * e;
    }
  }
  const target = (te * te) / tt;
  return 10 * Math.log10(target / (ee - target + 1e-12));
}
