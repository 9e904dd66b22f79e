/** What is taken of a source, before anything is played: grid, chords, key, tune, form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPrompt, understand } from "../../../../runners/music/compose/brief/understand.ts";
import { compose } from "../../../../runners/music/compose/compose.ts";
import * as composed from "../../../../runners/music/compose/composer.ts";
import type { Given } from "../../../../runners/music/compose/plan.ts";
import { sectionsOn } from "../../../../runners/music/remix/form.ts";
import { beatGrid, stepsOf } from "../../../../runners/music/remix/grid.ts";
import { chordsOn, Transposition } from "../../../../runners/music/remix/harmony.ts";
import { rebarred, withEnding } from "../../../../runners/music/remix/metre.ts";
import { readSource } from "../../../../runners/music/remix/source.ts";
import { treated } from "../../../../runners/music/remix/tune.ts";
import { wishesFor } from "../../../../runners/music/remix/wishes.ts";
import type { Analysis, Chord } from "../../../../runners/signal/analyse/analysis.ts";
import { topLine } from "../../../../runners/signal/analyse/melody/top_line.ts";

const job = { signal: new AbortController().signal, progress: () => undefined };
const FOUR = { beats_per_bar: 4, division: 2 } as const;

/** 120 BPM, the first downbeat at 0.6 s after a pick-up of one beat, 16 s. */
function analysis(change: Partial<Analysis["rhythm"]> = {}, chords: readonly Chord[] = []): Analysis {
  const beats = Array.from({ length: 31 }, (_, k) => 0.1 + k / 2);
  return {
    seconds: 16,
    rhythm: {
      tempo_bpm: 120,
      confidence: 0.9,
      beats,
      positions: beats.map((_, k) => ((k + 3) % 4) + 1),
      metre: FOUR,
      downbeat_confidence: 1,
      swing: 0.5,
      onsets: beats,
      ...change,
    },
    tonality: { tuning_hz: 440, tonic: 0, mode: "major", confidence: 0.8, chords },
    form: {
      sections: [
        { start: 0, end: 8.6, label: "A", level_db: 0 },
        { start: 8.6, end: 16, label: "B", level_db: -3 },
      ],
      energy: { hop_seconds: 0.5, values: new Float32Array(32).fill(0.5) },
      loudness: { hop_seconds: 0.1, values: new Float32Array(160).fill(-20) },
      features: [],
      grid: [],
    },
    timbre: { centroid_hz: 1000, octaves_db: [], percussive: 0.3, onset_density: 2, width_db: -10 },
  };
}

test("beats of a steady source become whole bars from its first bar line on", () => {
  const grid = beatGrid(analysis(), { bpm: 100, metre: FOUR });
  assert.deepEqual([grid.steady, grid.bpm, grid.bars], [true, 120, 8]);
  assert.ok(Math.abs(grid.times[0]! - 0.6) < 1e-9, `${grid.times[0]}`);
  assert.equal(grid.times.length, 33);
  assert.ok(Math.abs(grid.times[4]! - 2.6) < 1e-9);
});

test("beats that the ear missed are filled in, and a slip of the count does not move the bars", () => {
  const whole = analysis().rhythm;
  const kept = whole.beats.map((_, k) => k).filter((k) => k !== 9 && k !== 10);
  const grid = beatGrid(
    analysis({
      beats: kept.map((k) => whole.beats[k]!),
      positions: kept.map((k) => (k > 25 ? ((k + 1) % 4) + 1 : whole.positions[k]!)),
    }),
    { bpm: 100, metre: FOUR },
  );
  assert.equal(grid.bars, 8);
  for (const [beat, time] of grid.times.entries())
    assert.ok(Math.abs(time - 0.6 - beat / 2) < 1e-6, `${beat}: ${time}`);
});

test("a source without a beat is laid out in bars near the usual tempo, down to less than a bar", () => {
  for (const seconds of [1, 2, 3, 7.7, 60]) {
    const base = analysis({ confidence: 0.1, tempo_bpm: 0, beats: [], positions: [] });
    const short: Analysis = {
      ...base,
      seconds,
      form: { ...base.form, loudness: { hop_seconds: 0.1, values: new Float32Array(10 * seconds).fill(-20) } },
    };
    const grid = beatGrid(short, { bpm: 100, metre: FOUR });
    assert.equal(grid.steady, false);
    assert.ok(grid.bpm >= 87 && grid.bpm <= 113, `${grid.bpm}`);
    const length = (60 * grid.bars * grid.metre.beats_per_bar) / grid.bpm;
    assert.ok(length > 0.6 * seconds && length < 1.5 * seconds, `${length} s for ${seconds} s`);
    assert.equal(stepsOf(grid, 4).length, 4 * grid.bars * grid.metre.beats_per_bar + 1);
  }
});

test("chords come one or two a bar, and holes take what is beside them", () => {
  const chords: Chord[] = [
    { start: 0, end: 2.6, root: null, quality: "none" },
    { start: 2.6, end: 4.6, root: 9, quality: "min" },
    { start: 4.6, end: 5.6, root: 5, quality: "maj" },
    { start: 5.6, end: 6.6, root: 7, quality: "7" },
    { start: 6.6, end: 16, root: 0, quality: "maj7" },
  ];
  const source = analysis({}, chords);
  const grid = beatGrid(source, { bpm: 100, metre: FOUR });
  assert.deepEqual(chordsOn(source, grid), [
    { beat: 0, beats: 8, root: 9, suffix: "m" },
    { beat: 8, beats: 2, root: 5, suffix: "" },
    { beat: 10, beats: 2, root: 7, suffix: "7" },
    { beat: 12, beats: 20, root: 0, suffix: "maj7" },
  ]);
  assert.equal(chordsOn(analysis({}, [{ start: 0, end: 16, root: null, quality: "none" }]), grid), undefined);
});

test("sections begin on bar lines and fill the piece", () => {
  const source = analysis();
  const grid = beatGrid(source, { bpm: 100, metre: FOUR });
  const sections = sectionsOn(source, grid, []);
  assert.deepEqual(
    sections.map(({ label, bars }) => [label, bars]),
    [
      ["A", 4],
      ["B", 4],
    ],
  );
});

test("another key moves all by the nearest way, another mode by degrees", () => {
  const up = new Transposition({ tonic: 9, mode: "minor" }, { tonic: 7, mode: "minor" });
  assert.deepEqual([up.pitch(69), up.chord({ beat: 0, beats: 4, root: 2, suffix: "m7" }).root], [67, 0]);
  const dark = new Transposition({ tonic: 0, mode: "major" }, { tonic: 0, mode: "minor" });
  assert.deepEqual(
    [60, 62, 64, 65, 67, 69, 71].map((pitch) => dark.pitch(pitch)),
    [60, 62, 63, 65, 67, 68, 70],
  );
  const chord = (root: number, suffix: string): string => {
    const moved = dark.chord({ beat: 0, beats: 1, root, suffix });
    return `${moved.root}${moved.suffix}`;
  };
  assert.deepEqual([chord(0, ""), chord(9, "m"), chord(5, "maj7"), chord(7, "7")], ["0m", "8", "5m7", "77"]);
});

test("other metres keep the order of bars; an open end is brought home", () => {
  const given: Given = {
    sections: [{ kind: "theme", label: "A", bars: 4, energy: 1 }],
    chords: [
      { beat: 0, beats: 8, root: 0, suffix: "" },
      { beat: 8, beats: 8, root: 7, suffix: "" },
    ],
    tune: [
      { beat: 0, beats: 2, pitch: 64 },
      { beat: 10, beats: 2, pitch: 67 },
    ],
  };
  const three = rebarred(given, 4, 3);
  assert.deepEqual(
    three.chords?.map(({ beat, beats }) => [beat, beats]),
    [
      [0, 6],
      [6, 6],
    ],
  );
  assert.deepEqual(
    three.tune.map(({ beat }) => beat),
    [0, 7.5],
  );
  const ended = withEnding(given, { key: { tonic: 0, mode: "major" }, metre: FOUR });
  assert.equal(ended.sections[0]!.bars, 5);
  assert.deepEqual(ended.chords?.at(-1), { beat: 16, beats: 4, root: 0, suffix: "" });
  assert.equal(ended.tune.at(-1)!.pitch % 12, 0);
});

test("a broad tune has one note a beat at most; heads are the first halves of phrases", () => {
  const notes = Array.from({ length: 64 }, (_, k) => ({ beat: k / 2, beats: 0.5, pitch: 60 + (k % 5) }));
  const broad = treated(notes, "broad", 4);
  assert.equal(broad.length, 32);
  assert.ok(broad.every(({ beats }) => beats >= 1));
  assert.ok(treated(notes, "heads", 4).every(({ beat }) => beat % 16 < 8));
});

/** Sines with three harmonics. */
function played(
  notes: readonly { at: number; until: number; pitch: number; gain: number }[],
  seconds: number,
): Float32Array {
  const out = new Float32Array(Math.round(seconds * 44_100));
  for (const { at, until, pitch, gain } of notes) {
    const hertz = 440 * 2 ** ((pitch - 69) / 12);
    const [from, to] = [Math.round(at * 44_100), Math.min(out.length, Math.round(until * 44_100))];
    for (let n = from; n < to; n++) {
      const t = (n - from) / 44_100;
      const shape = Math.min(1, t / 0.01, (to - n) / 441) * Math.exp(-1.5 * t);
      for (const [h, level] of [
        [1, 1],
        [2, 0.5],
        [3, 0.25],
      ] as const)
        out[n]! += gain * level * shape * Math.sin(2 * Math.PI * h * hertz * t);
    }
  }
  return out;
}

test("the top line is followed over chords and a bass", async () => {
  const tune = [72, 74, 76, 72, 79, 77, 76, 74, 72, 76, 79, 81, 79, 76, 74, 72];
  const roots = [48, 45, 41, 43];
  const notes = tune.map((pitch, k) => ({ at: k / 2, until: k / 2 + 0.48, pitch, gain: 0.3 }));
  for (const [bar, root] of roots.entries())
    for (const up of [-12, 0, root === 45 ? 3 : 4, 7])
      notes.push({ at: 2 * bar, until: 2 * bar + 1.95, pitch: root + up + (up < 0 ? 0 : 12), gain: 0.12 });
  const audio = { sample_rate: 44_100, channels: [played(notes, 8)] };
  const heard = await topLine({ audio, edges: Array.from({ length: 33 }, (_, k) => k / 4) }, job);
  const found = tune.filter((pitch, k) => heard.some((note) => note.pitch === pitch && note.step === 2 * k)).length;
  assert.ok(
    found >= 14,
    `${found} of 16: ${heard.map(({ step, steps, pitch }) => `${step}+${steps}:${pitch}`).join(" ")}`,
  );
  assert.ok(heard.length <= 20, `${heard.length} notes`);
  assert.ok(heard.every(({ confidence }) => confidence >= 0 && confidence <= 1));
});

test("given sections, chords and tune stand in the score, whatever the genre", () => {
  const given: Given = {
    sections: [
      { kind: "intro", label: "A", bars: 3, energy: 0.4 },
      { kind: "chorus", label: "B", bars: 5, energy: 1 },
    ],
    chords: [
      { beat: 0, beats: 8, root: 2, suffix: "m7" },
      { beat: 8, beats: 12, root: 7, suffix: "7" },
      { beat: 20, beats: 12, root: 0, suffix: "maj7" },
    ],
    tune: Array.from({ length: 40 }, (_, k) => ({ beat: 12 + k / 2, beats: 0.5, pitch: 72 + [0, 2, 4, 7, 9][k % 5]! })),
  };
  for (const words of ["techno", "string quartet", "jazz", "ambient", "punk", "solo piano"]) {
    const own = understand(words);
    const brief = {
      ...own,
      bpm: 117.3,
      key: { tonic: 0, mode: "major" } as const,
      metre: FOUR,
      swing: 0.5,
      explicit: [...own.explicit, "bpm", "key", "metre", "swing"],
    };
    const score = compose(brief, { given }, 3);
    assert.deepEqual([score.bpm, score.beats], [117.3, 32], words);
    assert.deepEqual(
      score.sections.map(({ kind, beats }) => [kind, beats]),
      [
        ["intro", 12],
        ["chorus", 20],
      ],
    );
    // The second chord is cut at the edge of the section.
    assert.deepEqual(
      score.chords.map(({ beat, symbol }) => [beat, symbol]),
      [
        [0, "Dm7"],
        [8, "G7"],
        [12, "G7"],
        [20, "Cmaj7"],
      ],
    );
    const leads = score.parts.filter(({ role }) => role === "lead");
    const quoted = given.tune.filter(({ beat, pitch }) =>
      leads.some(({ notes }) =>
        notes.some((note) => Math.abs(note.beat - beat) < 0.13 && (note.pitch - pitch) % 12 === 0),
      ),
    ).length;
    assert.ok(quoted >= 0.9 * given.tune.length, `${words}: ${quoted} of ${given.tune.length}`);
  }
});

test("whoever comps on the chords of a source plays their roots, also in jazz", () => {
  const chords = [
    { beat: 0, beats: 16, root: 4, suffix: "m7" },
    { beat: 16, beats: 16, root: 0, suffix: "maj7" },
  ];
  const given: Given = { sections: [{ kind: "verse", label: "A", bars: 8, energy: 0.9 }], chords, tune: [] };
  const own = understand("jazz");
  const explicit = [...own.explicit, "bpm", "key", "metre"];
  const brief = { ...own, bpm: 140, key: { tonic: 0, mode: "major" } as const, metre: FOUR, explicit };
  for (const seed of [1, 2, 3]) {
    const score = compose(brief, { given }, seed);
    const comps = score.parts.filter(({ role }) => role === "chords");
    assert.ok(comps.length > 0, `${seed}`);
    for (const { beat, beats, root } of chords) {
      const roots = comps.flatMap(({ notes }) =>
        notes.filter((note) => note.beat >= beat && note.beat < beat + beats - 1 && (note.pitch - root) % 12 === 0),
      );
      assert.ok(roots.length > 0, `${seed}: nobody comps on ${root}`);
    }
  }
});

test("a piece that its chords make is not taken for one that covers them", () => {
  const heard = { ...analysis(), timbre: { ...analysis().timbre, percussive: 0.4, centroid_hz: 2500 } };
  const grid = beatGrid(heard, { bpm: 120, metre: FOUR });
  const brief = { ...understand("techno"), bpm: 128, metre: FOUR, swing: 0.5 };
  const genres = (changes: number): readonly string[] =>
    wishesFor(brief, undefined, grid, heard, [1, 2, 3, 4, 5], composed, { drums: 0.3, changes }).map(
      (wish) => wish.brief.genre,
    );
  assert.equal(genres(0)[0], "techno");
  assert.deepEqual(
    genres(grid.bars).filter((genre) => ["techno", "tech_house", "hardstyle", "industrial", "dub"].includes(genre)),
    [],
  );
});

test("what is counted in four is not taken for a waltz", () => {
  const grid = beatGrid(analysis(), { bpm: 120, metre: FOUR });
  const brief = { ...understand("waltz"), bpm: 120, metre: FOUR, swing: 0.5 };
  const [wish] = wishesFor(brief, undefined, grid, analysis(), [1], composed);
  assert.notEqual(wish!.brief.genre, "waltz");
  const three = { beats_per_bar: 3, division: 2 } as const;
  const [counted] = wishesFor(brief, undefined, { ...grid, metre: three }, analysis(), [1], composed);
  assert.equal(counted!.brief.genre, "waltz");
});

test("words say what stays of a source, how fast and how high it is played", () => {
  const ASKED: readonly (readonly [prompt: string, keep: string, tempo: string | null, semitones: number | null])[] = [
    ["house, but leave the vocals alone", "vocals", null, null],
    ["remove everything except the voice and the guitar", "vocals guitar", null, null],
    ["preserve the original drums, twice as slow", "drums", "half", null],
    ["keep it simple, up two semitones", "", null, 2],
    ["a whole step lower and slower than the original", "", "slower", -2],
    ["einen Halbton höher und etwas schneller", "", "faster", 1],
    ["вокал оставь, but make it lo-fi house", "vocals", null, null],
    ["보컬은 그대로 두고 기타는 없애 줘", "vocals", null, null],
    ["garde la voix, enlève la batterie", "vocals", null, null],
    ["hazlo reggaeton a 95 sin quitar la voz", "vocals", null, null],
    ["fais un remix techno sans toucher à la voix", "vocals", null, null],
    ["техно, не убирая голос", "vocals", null, null],
    ["techno, 130 bpm, faster", "", null, null],
  ];
  for (const [prompt, keep, tempo, semitones] of ASKED) {
    const asked = readSource(readPrompt(prompt));
    assert.deepEqual([asked.keep.join(" "), asked.tempo, asked.semitones], [keep, tempo, semitones], prompt);
  }
  const grid = beatGrid(analysis(), { bpm: 120, metre: FOUR });
  const own = { ...understand("techno"), bpm: 120, metre: FOUR, key: { tonic: 11, mode: "minor" } as const };
  const [wish] = wishesFor(own, readPrompt("slower, a whole step up"), grid, analysis(), [1], composed);
  assert.ok(wish!.brief.bpm < grid.bpm);
  assert.equal(wish!.brief.key.tonic, 1);
});
