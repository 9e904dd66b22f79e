/** Families that listen, on miniature models: voice activity and notes. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Audio } from "../../../contract/mod.ts";
import type { Manifest } from "../../../runners/models/fields.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { detect, file, options, SETTINGS, transcribe } from "./fixtures.ts";

const pool = createPool({ threads_max: 2, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

const common = { licence: "MIT", threads: 1 } as const;
const V5: Manifest = { ...common, id: "v5", family: "vad", files: { model: file("vad_v5.onnx") } };
const LEGACY: Manifest = { ...common, id: "legacy", family: "vad", files: { model: file("vad_legacy.onnx") } };
const NOTES: Manifest = { ...common, id: "notes", family: "notes", files: { model: file("notes.onnx") } };

/** A tone of `hertz` that sounds within each of `spans` (seconds) and is silent elsewhere. */
function toneWithin(seconds: number, spans: readonly (readonly [number, number])[], hertz = 440, level = 0.5): Audio {
  const rate = 44_100;
  const channel = new Float32Array(Math.round(seconds * rate));
  for (const [from, to] of spans) {
    for (let n = Math.round(from * rate); n < to * rate; n++)
      channel[n] = level * Math.sin((2 * Math.PI * hertz * n) / rate);
  }
  return { sample_rate: rate, channels: [channel, channel] };
}

for (const [manifest, window] of [
  [V5, 512],
  [LEGACY, 1536],
] as const) {
  test(`vad ${manifest.id}: windows that sound are told from silent ones, and every window is there`, async () => {
    // More windows than one message carries.
    const request = toneWithin(37, [
      [1, 2.5],
      [35, 36],
    ]);
    const { hop_seconds, values } = await pool.run(detect, { manifest, settings: SETTINGS, request }, options());
    assert.equal(hop_seconds, window / 16_000);
    assert.equal(values.length, Math.ceil((37 * 16_000) / window));
    for (const [index, value] of values.entries()) {
      const from = index * hop_seconds;
      const to = from + hop_seconds;
      const inside = (from > 1 && to < 2.5) || (from > 35 && to < 36);
      const outside = to < 0.95 || (from > 2.55 && to < 34.95) || from > 36.05;
      if (inside) assert.equal(value, 1, `window ${index}`);
      if (outside) assert.equal(value, 0, `window ${index}`);
    }
  });
}

test("vad takes a piece of any length, an empty one too", async () => {
  for (const frames of [0, 1, 441, 44_100]) {
    const request: Audio = { sample_rate: 44_100, channels: [new Float32Array(frames)] };
    const found: { values: Float32Array } = await pool.run(
      detect,
      { manifest: V5, settings: SETTINGS, request },
      options(),
    );
    assert.equal(found.values.length, Math.ceil(Math.round((frames * 16_000) / 44_100) / 512));
  }
});

test("notes: what sounds becomes notes of its key with times to a few hundredths, across windows", async () => {
  const spans = [
    [0.4, 0.9],
    [1.4, 2.9],
    [4, 4.6],
    [9, 9.5],
    // Sixty windows later, and close to the end.
    [98, 98.4],
    [99.2, 99.7],
  ] as const;
  const request = toneWithin(100, spans, 440, 0.9);
  const events = await pool.run(transcribe, { manifest: NOTES, settings: SETTINGS, request }, options());
  assert.equal(events.length, spans.length, JSON.stringify(events));
  for (const [index, [start, end]] of spans.entries()) {
    const event = events[index]!;
    assert.equal(event.pitch, 60);
    assert.ok(Math.abs(event.start - start) < 0.04, `note ${index} starts at ${event.start}, not ${start}`);
    assert.ok(Math.abs(event.end - end) < 0.06, `note ${index} ends at ${event.end}, not ${end}`);
    assert.ok(Math.abs(event.strength - 0.9) < 0.1);
  }
});

test("notes: silence and a piece shorter than a window give no notes and no fault", async () => {
  for (const seconds of [0.05, 0.5, 5]) {
    const request = toneWithin(seconds, []);
    assert.deepEqual(await pool.run(transcribe, { manifest: NOTES, settings: SETTINGS, request }, options()), []);
  }
});
