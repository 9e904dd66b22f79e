import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkAction, noise, runAction } from "../../packages/plugin/testing.ts";
import action from "../../plugins/adapt.auto_cut_down/action.ts";
import { studio } from "../../runners/delivery.ts";
import { createPluginEngines as engines } from "../../runners/plugin_engines.ts";
import { silence, wav } from "../audio.ts";
import { phaseError } from "../runners/signal/cut/judge.ts";
import { piece } from "../runners/signal/cut/material.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";

const source = { url: "https://example.com/song.wav" };
const ANYTHING = { seconds_min: 0.1, seconds_max: 600, bytes_max: 100_000_000 };
const song = piece({ bars: 20, bpm: 124, seed: 3 });
const song_seconds = song.audio.channels[0]!.length / 44_100;

let tonwerk: TestService;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tonwerk-cut-"));
  tonwerk = await startTestService();
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

const perform = async (file: Uint8Array, fields: object): Promise<Answer["body"]> =>
  tonwerk.perform(action.name, { source: await tonwerk.upload(file), ...fields });

test("adapt.auto_cut_down accepts and refuses what the specification says", () => {
  checkAction(action, {
    accepts: [
      { source, target_duration: 5 },
      { source, target_duration: 300 },
      { source, target_duration: 30.25, loudness: {}, callback_url: "https://example.com/hook" },
      { source, target_duration: 30, loudness: null, callback_url: null },
      { source, target_duration: 30, loudness: { target_lufs: -18, allow_compression: false } },
    ],
    refuses: [
      [
        {},
        [
          ["source", "missing"],
          ["target_duration", "missing"],
        ],
      ],
      [{ source }, [["target_duration", "missing"]]],
      [{ source, target_duration: null }, [["target_duration", "missing"]]],
      [{ source, target_duration: 4.999 }, [["target_duration", "greater_than_equal"]]],
      [{ source, target_duration: 300.001 }, [["target_duration", "less_than_equal"]]],
      [{ source, target_duration: "30" }, [["target_duration", "number_type"]]],
      [{ target_duration: 30, source: { url: "" } }, [["source.url", "string_too_short"]]],
      [{ source, target_duration: 30, fade: true }, [["fade", "extra_forbidden"]]],
      [{ source, target_duration: 30, n_variations: 1 }, [["n_variations", "extra_forbidden"]]],
      [{ source, target_duration: 30, loudness: { preset: "podcast", target_lufs: -16 } }, [["loudness", "one_of"]]],
    ],
  });
});

test("adapt.auto_cut_down refuses more than twice the source, and takes twice", async () => {
  const audio = noise(3, { channels: 1, amplitude: 0.2 });
  await assert.rejects(
    runAction(action, { request: { source, target_duration: 6.001 }, sources: { source: audio } }),
    (error: Error & { code?: string }) => error.code === "target_duration_too_long" && error.message.includes("3.00 s"),
  );
  const { outputs, cost } = await runAction(action, {
    request: { source, target_duration: 6 },
    sources: { source: audio },
    engines,
  });
  assert.equal(cost, 1);
  assert.ok(Math.abs(outputs[0]!.audio.channels[0]!.length / 44_100 - 6) <= 1);
});

test("adapt.auto_cut_down cuts a song on its bars, through the front door", async () => {
  const operation = await perform(wav(song.audio.channels), { target_duration: 20 });
  const { status, output, target_duration, loudness, cost, error } = operation;
  assert.equal(status, "ready", JSON.stringify(operation));
  assert.equal(error, null);
  assert.equal(target_duration, 20);
  assert.equal(loudness, null);
  assert.equal(cost, 1);
  assert.equal(output.engine, "cut");
  assert.ok(Math.abs(output.duration - 20) <= 0.5, `${output.duration}`);
  const { cuts, ending, analysis } = output.report;
  assert.ok(cuts.length >= 1 && cuts.length <= 3);
  for (const cut of cuts) {
    assert.ok(phaseError(song.known.beats, cut.source_time_left, cut.source_time) <= 0.03, JSON.stringify(cut));
    assert.ok(phaseError(song.downbeats, cut.source_time_left, cut.source_time) <= 0.03, JSON.stringify(cut));
  }
  assert.notEqual(ending.kind, "faded");
  assert.ok(Math.abs(analysis.tempo_bpm - 124) < 2 || Math.abs(analysis.tempo_bpm - 62) < 1, `${analysis.tempo_bpm}`);

  const path = join(folder, "cut.flac");
  await writeFile(path, new Uint8Array(await (await tonwerk.call("GET", output.url)).arrayBuffer()));
  const { audio } = await studio.decode(path, ANYTHING, new AbortController().signal);
  assert.equal(audio.channels.length, 2);
  assert.equal(audio.channels[0]!.length, Math.round(output.duration * 44_100));
  // The source's own level: nothing is normalised without a loudness block. 16-bit source, dither of one step.
  for (let n = 0; n < 44_100; n += 11) {
    assert.ok(Math.abs(audio.channels[0]![n]! - song.audio.channels[0]![n]!) < 2e-4, `${n}`);
  }
});

test("adapt.auto_cut_down lengthens by whole bars and normalises where it is asked to", async () => {
  const target_duration = Math.round(1.5 * song_seconds);
  const { status, output } = await perform(wav(song.audio.channels.slice(0, 1)), {
    target_duration,
    loudness: { preset: "broadcast" },
  });
  assert.equal(status, "ready");
  assert.ok(Math.abs(output.duration - target_duration) <= 1, `${output.duration}`);
  assert.ok(output.report.cuts.every(({ bars }: { bars: number }) => bars < 0));
  assert.ok(Math.abs(output.loudness.lufs + 23) <= 0.05, `${output.loudness.lufs}`);
});

test("adapt.auto_cut_down fails with the codes of the specification", async () => {
  const cases: readonly [Uint8Array, number, string][] = [
    [wav([silence(2.4)]), 5, "source_too_short"],
    [wav([silence(2.5)]), 5.01, "target_duration_too_long"],
  ];
  for (const [file, target_duration, code] of cases) {
    const { status, output, error } = await perform(file, { target_duration });
    assert.equal(status, "failed");
    assert.equal(output, null);
    assert.equal(error.code, code);
    assert.deepEqual(Object.keys(error).sort(), ["code", "message"], JSON.stringify(error));
  }
});

test("adapt.auto_cut_down takes silence for what it is", async () => {
  const { status, output } = await perform(wav([silence(8)]), { target_duration: 5 });
  assert.equal(status, "ready");
  assert.ok(Math.abs(output.duration - 5) <= 1);
  assert.equal(output.loudness.lufs, null);
});
