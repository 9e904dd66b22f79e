import assert from "node:assert/strict";
import { test } from "node:test";
import type { Analysis, Mode } from "../../../../runners/signal/analyse/analysis.ts";
import { reportOf } from "../../../../runners/signal/analyse/report.ts";
import { FREE, steady } from "./tones.ts";

function analysis(tonic: number, mode: Mode, rhythm = steady(8)): Analysis {
  return {
    seconds: 8.00012,
    rhythm,
    tonality: {
      tuning_hz: 441.2345,
      tonic,
      mode,
      confidence: 0.8765,
      chords: [
        { start: 0, end: 2.00049, root: 10, quality: "min7" },
        { start: 2.00049, end: 4, root: 1, quality: "maj" },
        { start: 4, end: 8, root: null, quality: "none" },
      ],
    },
    form: {
      sections: [{ start: 0, end: 8, label: "A", level_db: -0.04 }],
      energy: { hop_seconds: 0.5, values: new Float32Array(16).fill(0.3333) },
      loudness: { hop_seconds: 0.1, values: new Float32Array(80).fill(-20) },
      features: [],
      grid: [0, 8],
    },
    timbre: { centroid_hz: 0, octaves_db: [], percussive: 0, onset_density: 0, width_db: 0 },
  };
}

test("reportOf() rounds, names and thins out, and survives JSON", () => {
  const report = reportOf(analysis(5, "major"));
  assert.deepEqual(JSON.parse(JSON.stringify(report)), report);
  assert.equal(report.seconds, 8);
  assert.equal(report.key, "F major");
  assert.equal(report.metre, "4/4");
  assert.deepEqual(report.downbeats, [0, 2, 4, 6]);
  assert.equal(report.beats.length, 16);
  assert.equal(report.tuning_hz, 441.2);
  assert.deepEqual(
    report.chords.map(({ start, label }) => [start, label]),
    [
      [0, "Bbm7"],
      [2, "Db"],
      [4, "N"],
    ],
  );
  assert.deepEqual(report.sections, [{ start: 0, end: 8, label: "A", level_db: 0 }]);
  assert.equal(report.loudness.hop_seconds, 0.5);
  assert.deepEqual(report.loudness.values, new Array(16).fill(-20));
  assert.deepEqual(report.energy.values, new Array(16).fill(0.33));
});

test("reportOf() spells as the key's signature does", () => {
  const names = (mode: Mode): (string | null)[] =>
    Array.from({ length: 12 }, (_, tonic) => reportOf(analysis(tonic, mode)).key);
  assert.deepEqual(
    names("major").map((name) => name?.split(" ")[0]),
    ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"],
  );
  assert.deepEqual(
    names("minor").map((name) => name?.split(" ")[0]),
    ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"],
  );
  assert.equal(reportOf(analysis(4, "minor")).chords[0]!.label, "A#m7");
});

test("reportOf() names metres and claims no beat that is not steady", () => {
  const of = (beats_per_bar: number, division: 2 | 3): string | null =>
    reportOf(analysis(0, "major", { ...steady(8), metre: { beats_per_bar, division } })).metre;
  assert.deepEqual([of(3, 2), of(4, 2), of(2, 3), of(4, 3)], ["3/4", "4/4", "6/8", "12/8"]);
  const free = reportOf(
    analysis(0, "major", { ...FREE, beats: [1, 2], positions: [1, 2], tempo_bpm: 60, confidence: 0.1 }),
  );
  assert.deepEqual([free.metre, free.tempo_bpm, free.beats, free.downbeats], [null, 0, [], []]);
});
