import assert from "node:assert/strict";
import { test } from "node:test";
import { Value } from "@sinclair/typebox/value";
import { type Audio, SAMPLE_RATE, type Static } from "../../contract/mod.ts";
import { checkAction, noise, runAction, silence } from "../../packages/plugin/testing.ts";
import action from "../../plugins/analyse.track/action.ts";
import { TrackReport } from "../../plugins/analyse.track/report.ts";
import { createPluginEngines as engines } from "../../runners/plugin_engines.ts";
import { joined, sine } from "../audio.ts";
import { loop } from "../runners/signal/analyse/loops.ts";
import { add, speech, timetable } from "../speech.ts";

const source = { url: "https://example.com/song.flac" };

async function reportOf(audio: Audio): Promise<Static<typeof TrackReport>> {
  const { outputs, reports, cost } = await runAction(action, {
    request: { source },
    sources: { source: audio },
    engines,
  });
  assert.deepEqual([outputs.length, reports.length, cost], [0, 1, 2]);
  const { engine, report } = reports[0]!;
  assert.equal(engine, "analyse");
  assert.deepEqual([...Value.Errors(TrackReport, report)], [], "it is what the document says");
  assert.deepEqual(JSON.parse(JSON.stringify(report)), report);
  return report as Static<typeof TrackReport>;
}

const stereo = (samples: Float32Array): Audio => ({ sample_rate: SAMPLE_RATE, channels: [samples, samples] });
const near = (found: number | null, wanted: number, tolerance: number, what: string): void =>
  assert.ok(
    found !== null && Math.abs(found - wanted) <= tolerance,
    `${what}: ${found}, expected ${wanted} ± ${tolerance}`,
  );

test("analyse.track takes a source and nothing else of its own", () => {
  checkAction(action, {
    accepts: [{ source, callback_url: "https://example.com/hook" }],
    refuses: [
      [{}, [["source", "missing"]]],
      [{ source, loudness: {} }, [["loudness", "extra_forbidden"]]],
      [{ source, seed: 1 }, [["seed", "extra_forbidden"]]],
    ],
  });
});

test("tempo, beats and bars are those that were played", async () => {
  const played = loop({ bpm: 120, seconds: 20 });
  const report = await reportOf(stereo(played.samples));
  near(report.tempo_bpm, 120, 0.5, "tempo");
  for (const [found, wanted] of [
    [report.beats, played.beats],
    [report.downbeats, played.downbeats],
  ] as const) {
    assert.equal(found.length, wanted.length);
    for (const [index, time] of found.entries()) near(time, wanted[index]!, 0.02, `beat ${index}`);
  }
  assert.equal(report.metre, "4/4");
  assert.ok(report.beat_confidence > 0.5);
  assert.equal(report.seconds, 20);
});

test("key and chords are those that sound", async () => {
  const chord = (notes: readonly number[]): Float32Array => {
    const sum = new Float32Array(2 * SAMPLE_RATE);
    for (const note of notes) {
      const hertz = 440 * 2 ** ((note - 69) / 12);
      for (let k = 1; k <= 4; k++) add(sum, sine(hertz * k, 2, SAMPLE_RATE, 0.1 / k), 0);
    }
    return sum;
  };
  // Am Dm E Am, twice.
  const turns = [chord([57, 60, 64]), chord([62, 65, 69]), chord([64, 68, 71]), chord([57, 60, 64])];
  const report = await reportOf(stereo(joined(...turns, ...turns)));
  assert.equal(report.key, "A minor");
  const at = (time: number) => report.chords.find(({ start, end }) => time >= start && time < end)?.label;
  assert.deepEqual([at(1), at(3), at(5), at(9)], ["Am", "Dm", "E", "Am"]);
});

test("a voice is found over music, and none in music alone", async () => {
  const seconds = 24;
  const phrases = timetable(seconds, 2, [3, 4], [3, 2]);
  const { samples: voice } = speech(3, seconds, phrases);
  const { samples: music } = loop({ bpm: 96, seconds });
  const mixed = await reportOf(stereo(music.map((sample, n) => 0.15 * sample + (voice[n] ?? 0))));
  const is_in = (spans: readonly { start: number; end: number }[], time: number): boolean =>
    spans.some(({ start, end }) => time >= start && time < end);
  const times = Array.from({ length: seconds * 20 }, (_, index) => index / 20);
  const right = times.filter((time) => is_in(mixed.speech, time) === is_in(phrases, time));
  assert.ok(right.length / times.length > 0.85, `${right.length} of ${times.length}: ${JSON.stringify(mixed.speech)}`);
  assert.deepEqual((await reportOf(stereo(music))).speech, []);
});

test("of silence and of half a second it says what there is to say", async () => {
  const silent = await reportOf(silence(4));
  assert.deepEqual(Object.values(silent.loudness), [null, null, null, null, null]);
  assert.deepEqual([silent.tempo_bpm, silent.metre, silent.key, silent.speech], [0, null, null, []]);
  const short = await reportOf(noise(0.5));
  assert.equal(short.loudness.range_lu, null);
  assert.equal(short.loudness.short_term_lufs_max, null);
  assert.ok(short.loudness.integrated_lufs !== null && short.loudness.momentary_lufs_max !== null);
});
