import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAction, runAction, tone } from "../../packages/plugin/testing.ts";
import action from "../../plugins/adapt.normalise_loudness/action.ts";
import { createPluginEngines as engines } from "../../runners/plugin_engines.ts";

const source = { url: "https://example.com/song.wav" };

test("adapt.normalise_loudness accepts and refuses what the specification says", () => {
  checkAction(action, {
    accepts: [
      { source },
      { source, loudness: {} },
      { source, loudness: null, callback_url: null },
      { source, loudness: { preset: "broadcast", allow_compression: false } },
      { source, loudness: { target_lufs: -36 } },
      { source, loudness: { target_lufs: -6 } },
      { album: [source] },
      { album: Array(30).fill(source), source: null },
      { source, callback_url: "https://example.com/hook" },
    ],
    refuses: [
      [{}, [["source", "missing"]]],
      [{ source: null }, [["source", "missing"]]],
      [{ source: {} }, [["source.url", "missing"]]],
      [{ source: "https://example.com/song.wav" }, [["source", "object_type"]]],
      [{ source: { url: 7 } }, [["source.url", "string_type"]]],
      [{ source: { url: "" } }, [["source.url", "string_too_short"]]],
      [{ source: { url: `https://example.com/${"a".repeat(2029)}` } }, [["source.url", "string_too_long"]]],
      [{ source: { url: "song.wav" } }, [["source.url", "url_invalid"]]],
      [{ source: { url: "ftp://example.com/song.wav" } }, [["source.url", "url_scheme"]]],
      [{ source: { ...source, name: "x" } }, [["source.name", "extra_forbidden"]]],
      [{ source, loudness: { preset: "loud" } }, [["loudness.preset", "enum"]]],
      [{ source, loudness: { target_lufs: -36.1 } }, [["loudness.target_lufs", "greater_than_equal"]]],
      [{ source, loudness: { target_lufs: -5.9 } }, [["loudness.target_lufs", "less_than_equal"]]],
      [{ source, loudness: { target_lufs: "-14" } }, [["loudness.target_lufs", "number_type"]]],
      [{ source, loudness: { preset: "podcast", target_lufs: -16 } }, [["loudness", "one_of"]]],
      [{ source, loudness: { allow_compression: 1 } }, [["loudness.allow_compression", "boolean_type"]]],
      [{ source, album: [source] }, [["", "one_of"]]],
      [{ album: [] }, [["album", "value_error"]]],
      [{ album: Array(31).fill(source) }, [["album", "value_error"]]],
      [{ album: source }, [["album", "array_type"]]],
      [{ album: [source, null] }, [["album.1", "object_type"]]],
      [{ album: [source, { url: "song.wav" }] }, [["album.1.url", "url_invalid"]]],
      [{ source, seed: 1 }, [["seed", "extra_forbidden"]]],
      [{ source, n_variations: 1 }, [["n_variations", "extra_forbidden"]]],
      [
        { source: { url: "x" }, callback_url: 5, loudness: { preset: 1 } },
        [
          ["source.url", "url_invalid"],
          ["callback_url", "string_type"],
          ["loudness.preset", "enum"],
        ],
      ],
    ],
  });
});

test("adapt.normalise_loudness hands its source to the mastering that every output passes", async () => {
  const audio = tone(440, 1, { channels: 1 });
  const { outputs, cost } = await runAction(action, { request: { source }, sources: { source: audio } });
  assert.equal(cost, 1);
  assert.equal(outputs.length, 1);
  assert.deepEqual(outputs[0]?.audio, audio);
});

test("adapt.normalise_loudness takes away an offset that costs headroom, and nothing else", async () => {
  const clean = tone(440, 1, { amplitude: 0.2 });
  const moved = (by: (n: number) => number) => ({
    ...clean,
    channels: clean.channels.map((channel, c) => channel.map((value, n) => value + (c === 0 ? by(n) : 0))),
  });
  const run = async (audio: typeof clean, loudness: object) =>
    (await runAction(action, { request: { source, loudness }, sources: { source: audio } })).outputs[0]!;
  const freed = await run(
    moved(() => 0.5),
    {},
  );
  assert.deepEqual(freed.report, { offset_removed: [0.5, 0] });
  for (const [c, channel] of freed.audio.channels.entries())
    assert.ok(channel.every((value, n) => Math.abs(value - clean.channels[c]![n]!) < 1e-5));
  // One gain alone, no offset, a small one, and one that comes and goes.
  const swaying = moved((n) => 0.5 * (n < 22_050 ? 1 : 0));
  for (const [audio, loudness] of [
    [moved(() => 0.5), { allow_compression: false }],
    [clean, {}],
    [moved(() => 0.005), {}],
    [swaying, {}],
  ] as const) {
    const kept = await run(audio, loudness);
    assert.deepEqual(kept.audio, audio);
    assert.equal(kept.report, undefined);
  }
});

test("adapt.normalise_loudness gives all tracks of an album one gain", async () => {
  const album = [tone(997, 1, { amplitude: 0.05 }), tone(997, 3, { amplitude: 0.1 })];
  const request = { album: album.map(() => source), loudness: { target_lufs: -20 } };
  const { outputs, cost } = await runAction(action, { request, sources: { album }, engines });
  assert.equal(cost, 2);
  assert.deepEqual(
    outputs.map(({ audio }) => audio),
    album,
  );
  // By hand: a tone of 997 Hz in two channels reads 0.0 dB above its peak level (BS.1770: 0 dBFS is -3.01 LUFS in one). The blocks of the
  // two are 7 and 27, and none lies across the edge.
  const mean = (7 * 0.05 ** 2 + 27 * 0.1 ** 2) / 34;
  const gain_db = -20 - 10 * Math.log10(mean);
  for (const output of outputs) assert.ok(Math.abs(output.gain_db! - gain_db) < 0.02, `${output.gain_db} ${gain_db}`);
});
