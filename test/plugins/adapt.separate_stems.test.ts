import assert from "node:assert/strict";
import { test } from "node:test";
import { type Audio, STEMS } from "../../contract/mod.ts";
import { checkAction, noise, runAction, silence, tone } from "../../packages/plugin/testing.ts";
import action from "../../plugins/adapt.separate_stems/action.ts";
import { createPluginEngines as engines } from "../../runners/plugin_engines.ts";
import { wav } from "../audio.ts";
import { decodedFlac } from "../flac.ts";
import { startTestService } from "../service.ts";

const source = { url: "https://example.com/song.wav" };
const RATE = 44_100;

test("adapt.separate_stems accepts and refuses what the specification says", () => {
  checkAction(action, {
    accepts: [
      { source },
      { source, stems: ["other", "vocals"] },
      { source, callback_url: null },
      { source, callback_url: "https://example.com/hook" },
    ],
    refuses: [
      [{}, [["source", "missing"]]],
      [{ source: null }, [["source", "missing"]]],
      [{ source: {} }, [["source.url", "missing"]]],
      [{ source: { url: "ftp://example.com/song.wav" } }, [["source.url", "url_scheme"]]],
      [{ source, loudness: {} }, [["loudness", "extra_forbidden"]]],
      [{ source, seed: 1 }, [["seed", "extra_forbidden"]]],
      [{ source, stems: [] }, [["stems", "value_error"]]],
      [{ source, stems: ["vocals", "vocals"] }, [["stems", "value_error"]]],
      [{ source, stems: ["piano"] }, [["stems.0", "enum"]]],
    ],
  });
});

async function split(audio: Audio): Promise<Record<string, Audio>> {
  const { outputs, cost } = await runAction(action, { request: { source }, sources: { source: audio }, engines });
  assert.equal(cost, 3);
  assert.deepEqual(
    outputs.map(({ kind }) => kind),
    [...STEMS],
  );
  return Object.fromEntries(outputs.map(({ kind, audio }) => [kind!, audio]));
}

/** Largest difference between the source and the sum of the stems, and between the instrumental and the sum of the last three. */
function gaps(audio: Audio, stems: Record<string, Audio>): readonly [number, number] {
  let [whole, instrumental] = [0, 0];
  for (const [c, channel] of audio.channels.entries()) {
    const at = (kind: string) => stems[kind]!.channels[c]!;
    for (const kind of STEMS) assert.equal(at(kind).length, channel.length);
    for (let n = 0; n < channel.length; n++) {
      const band = at("drums")[n]! + at("bass")[n]! + at("other")[n]!;
      whole = Math.max(whole, Math.abs(channel[n]! - band - at("vocals")[n]!));
      instrumental = Math.max(instrumental, Math.abs(at("instrumental")[n]! - band));
    }
  }
  return [whole, instrumental];
}

const sources: readonly (readonly [string, Audio])[] = [
  ["a tone", tone(220, 1.3)],
  ["mono", tone(220, 0.5, { channels: 1 })],
  ["noise at full scale", noise(0.8, { amplitude: 1 })],
  ["silence", silence(0.5)],
  [
    "a constant",
    { sample_rate: RATE, channels: [new Float32Array(30_000).fill(0.5), new Float32Array(30_000).fill(0.5)] },
  ],
  ["a square of full scale", clipped(1)],
  ["a square above full scale", clipped(1.6)],
];

function clipped(peak: number): Audio {
  const { channels } = tone(97, 1, { amplitude: 8 });
  return { sample_rate: RATE, channels: channels.map((one) => one.map((x) => Math.max(-peak, Math.min(peak, x)))) };
}

for (const [name, audio] of sources) {
  test(`adapt.separate_stems: stems of ${name} sum to it and stay within its peak`, async () => {
    const stems = await split(audio);
    // Float32 rounds at 2^-24 of the largest sample; -90 dB is 3.2e-5.
    const [whole, instrumental] = gaps(audio, stems);
    assert.ok(whole < 1e-6 && instrumental < 1e-6, `${whole} ${instrumental}`);
    const peak = Math.max(1, ...audio.channels.map((channel) => channel.reduce((m, x) => Math.max(m, Math.abs(x)), 0)));
    for (const kind of STEMS) {
      for (const channel of stems[kind]!.channels)
        for (const x of channel) assert.ok(Math.abs(x) <= peak * (1 + 1e-6), `${kind}: ${x}`);
    }
  });
}

test("adapt.separate_stems through the front door: five FLAC files of the source's length that sum to it, 3 credits", async () => {
  const tonwerk = await startTestService();
  try {
    const before = await tonwerk.credits();
    const sound = noise(1.7, { amplitude: 0.3 });
    const source = await tonwerk.upload(wav(sound.channels, { samples: "f32" }));
    const operation = await tonwerk.perform(action.name, { source });
    assert.equal(operation.status, "ready", JSON.stringify(operation.error));
    assert.equal(await tonwerk.credits(), before - 3);
    assert.deepEqual(
      operation.outputs.map(({ kind, gain_db, loudness }: Record<string, unknown>) => [kind, gain_db, loudness]),
      STEMS.map((kind) => [kind, 0, undefined]),
    );
    const files: Record<string, readonly Float32Array[]> = {};
    for (const { kind, url } of operation.outputs as { kind: string; url: string }[]) {
      const file = await tonwerk.call("GET", url);
      files[kind] = decodedFlac(new Uint8Array(await file.arrayBuffer()));
    }
    for (const [c, channel] of sound.channels.entries()) {
      for (const kind of STEMS) assert.equal(files[kind]![c]!.length, channel.length);
      let [whole, instrumental] = [0, 0];
      for (let n = 0; n < channel.length; n++) {
        const band = files.drums![c]![n]! + files.bass![c]![n]! + files.other![c]![n]!;
        whole = Math.max(whole, Math.abs(channel[n]! - band - files.vocals![c]![n]!));
        instrumental = Math.max(instrumental, Math.abs(files.instrumental![c]![n]! - band));
      }
      // -90 dB.
      assert.ok(whole < 3.2e-5 && instrumental < 3.2e-5, `${whole} ${instrumental}`);
    }
  } finally {
    await tonwerk.stop();
  }
});

test("adapt.separate_stems delivers only the stems that are wanted, in the usual order, at the same price and with the same samples", async () => {
  const audio = noise(0.7, { amplitude: 0.6 });
  const all = await split(audio);
  const request = { source, stems: ["instrumental", "vocals"] as const };
  const { outputs, cost } = await runAction(action, { request, sources: { source: audio }, engines });
  assert.equal(cost, 3);
  assert.deepEqual(
    outputs.map(({ kind }) => kind),
    ["vocals", "instrumental"],
  );
  for (const { kind, audio } of outputs) assert.deepEqual(audio, all[kind!]);
});
