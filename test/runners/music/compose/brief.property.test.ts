/** What holds of every brief, whatever the words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { correct } from "../../../../runners/language/mod.ts";
import { lexicon } from "../../../../runners/music/compose/brief/lexicon.ts";
import { briefOf, outlineOf, reportOf, understand, vary } from "../../../../runners/music/compose/brief/mod.ts";
import { MOODS } from "../../../../runners/music/compose/brief/moods.ts";
import { TEXTURES } from "../../../../runners/music/compose/brief/textures.ts";
import { TRAITS } from "../../../../runners/music/compose/brief/traits.ts";
import { profileOf } from "../../../../runners/music/compose/genres.ts";
import { type Brief, genres, instruments } from "../../../../runners/music/compose/mod.ts";
import { packs } from "../../../../runners/packs/mod.ts";
import type { Analysis } from "../../../../runners/signal/analyse/mod.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";

const LEVELS = ["energy", "valence", "brightness", "density", "space", "drive", "age"] as const;

function assertSound(brief: Brief, from: string): void {
  assert.ok(genres().includes(brief.genre), from);
  assert.ok(
    brief.second_genre === null || (genres().includes(brief.second_genre) && brief.second_genre !== brief.genre),
  );
  assert.ok(brief.bpm >= 30 && brief.bpm <= 300, `${from}: ${brief.bpm}`);
  assert.ok(Number.isInteger(brief.key.tonic) && brief.key.tonic >= 0 && brief.key.tonic < 12, from);
  assert.ok(brief.metre.beats_per_bar >= 2 && brief.metre.beats_per_bar <= 7, from);
  assert.ok(brief.swing >= 0.5 && brief.swing <= 0.75, from);
  for (const field of LEVELS) assert.ok(brief[field] >= 0 && brief[field] <= 1, `${from}: ${field}`);
  for (const instrument of brief.wanted) {
    assert.ok(instruments().includes(instrument), instrument);
    assert.ok(!brief.unwanted.instruments.includes(instrument), `${from}: ${instrument} is wanted and unwanted`);
  }
  assert.ok(Number.isInteger(brief.colour) && brief.colour >= 0 && brief.colour < 2 ** 32, from);
}

test("the lexicon is as large as it is said to be, and every foreign word has its English", () => {
  const { counts, untranslated } = lexicon();
  assert.deepEqual(untranslated(), []);
  assert.equal(counts.genres, genres().length);
  assert.ok(counts.genres >= 60 && counts.moods >= 80 && counts.instruments >= 60, JSON.stringify(counts));
  assert.ok(counts.subgenres >= 150 && counts.scenes >= 40 && counts.phrases >= 4000, JSON.stringify(counts));
  assert.equal(counts.instruments, instruments().length);
});

test("tables and packs name only what exists", () => {
  const moods = Object.keys(MOODS).map((name) => name.replace(/_mood$/u, ""));
  const known = (names: readonly string[] | undefined, list: readonly string[], from: string): void => {
    for (const name of names ?? []) assert.ok(list.includes(name), `${from}: ${name}`);
  };
  for (const [id, { tempo_bpm, modes, suggested_by, solo, subgenres }] of packs("genres")) {
    assert.ok(tempo_bpm.low < tempo_bpm.usual && tempo_bpm.usual < tempo_bpm.high, id);
    assert.ok(Object.keys(modes).length > 0, id);
    known(Object.keys(suggested_by?.instruments ?? {}), instruments(), id);
    known(Object.keys(suggested_by?.moods ?? {}), moods, id);
    known(Object.keys(suggested_by?.traits ?? {}), Object.keys(TRAITS), id);
    known(Object.keys(suggested_by?.scenes ?? {}), [...packs("scenes").keys()], id);
    known(solo && [solo.instrument], instruments(), id);
    for (const subgenre of subgenres ?? []) {
      known(subgenre.instruments, instruments(), subgenre.id);
      known(subgenre.traits, Object.keys(TRAITS), subgenre.id);
      known(subgenre.scene, TEXTURES, subgenre.id);
    }
  }
});

test("every genre is reached by its own name", () => {
  for (const genre of genres()) {
    // "Romantic" by itself is a mood.
    const name = genre === "romantic" ? "romantic era" : genre.replaceAll("_", " ");
    assert.equal(understand(name).genre, genre);
  }
});

test("every instrument is reached by its own name", () => {
  for (const instrument of instruments()) {
    // The name alone may mean the member of its family that suits the genre ("piano" in ragtime is an upright).
    const { wanted } = understand(`pop, ${instrument.replaceAll("_", " ")}`);
    assert.ok(wanted.includes(instrument), `${instrument}: ${wanted.join(" ")}`);
  }
});

test("every mood is reached by its first word and stands in the brief", () => {
  for (const name of Object.keys(MOODS)) {
    const word = packs("words").get("en")?.words?.[`mood:${name}`]?.[0];
    const { moods } = understand(`${word} xyzzy`);
    assert.ok(moods.includes(name), `${name}: ${moods.join(" ")}`);
  }
});

test("names of genres survive a slip of the pen", () => {
  for (const [wrong, right] of [
    ["orchastral", "orchestral"],
    ["cinamatic", "cinematic"],
    ["regae", "reggae"],
    ["reggaton", "reggaeton"],
    ["synthwvae", "synthwave"],
    ["tecno", "techno"],
    ["ambiant", "ambient"],
    ["guittar", "guitar"],
    ["melancholly", "melancholy"],
    ["zilophone", "xylophone"],
    ["bosanova", "bossa nova"],
  ] as const)
    assert.equal(correct(wrong, lexicon())?.phrase, right);
  for (const word of ["xylotomy", "zzzzzz", "qwertyuiop", "setback"])
    assert.equal(correct(word, lexicon()), null, word);
});

test("anything at all becomes a sound brief, and the same one again", () => {
  const draw = random(20_261_121);
  const keys = [...lexicon().exact.values()].map(({ phrase }) => phrase);
  const glue = [
    " ",
    ", ",
    "",
    " no ",
    " and ",
    "/",
    " in ",
    " without ",
    "-",
    "\n",
    " 7",
    " not too ",
    " a ",
    "#",
    " or ",
  ];
  const strange = [
    "\u0000",
    "\ud800",
    "💀",
    "ﷺ",
    "Z͑ͫ̓ͪ",
    "ＦＵＬＬ",
    "\u202e",
    "🏳️‍🌈",
    "½",
    "①",
    "ß",
    "İ",
    "ﬁ",
    "가힣",
    "〆",
    "٣/٤",
  ];
  for (let n = 0; n < 1500; n++) {
    let prompt = "";
    const length = Math.floor(draw() * 12);
    for (let k = 0; k < length; k++) {
      const kind = draw();
      if (kind < 0.6) prompt += keys[Math.floor(draw() * keys.length)];
      else if (kind < 0.75) prompt += strange[Math.floor(draw() * strange.length)];
      else if (kind < 0.9) prompt += String.fromCodePoint(32 + Math.floor(draw() * 0xd000));
      else prompt += `${Math.floor(draw() * 2000)}`;
      prompt += glue[Math.floor(draw() * glue.length)];
    }
    const brief = understand(prompt);
    assertSound(brief, JSON.stringify(prompt));
    assertSound(vary(brief, n), JSON.stringify(prompt));
    if (n % 10 === 0) assert.deepEqual(understand(prompt), brief);
    JSON.stringify(reportOf(brief));
  }
  for (const prompt of ["", " ", "...", "a", "#", "—", "\n\n", "🫠", "in", "no", "not", "key of", "bpm", "1/0", "/"])
    assertSound(understand(prompt), JSON.stringify(prompt));
});

test("1,024 code points of the worst kind are read", () => {
  for (const piece of [
    "a",
    "no ",
    "drum and ",
    "/",
    "3/",
    "1 ",
    ",",
    "悲しい",
    "고",
    "aaaaaaaaaaaa ",
    "in a ",
    "'s",
    "not too ",
    "b",
    "very ",
    "💀",
    "pop",
  ])
    assertSound(understand(piece.repeat(Math.ceil(1024 / piece.length)).slice(0, 1024)), piece);
});

test("words that the lexicon does not know steer, within what is known", () => {
  const some = ["blorp", "snark", "wibble", "quux", "frobnicate", "zonk"].map((word) => understand(`techno, ${word}`));
  assert.deepEqual(new Set(some.map(({ genre }) => genre)), new Set(["techno"]));
  assert.equal(new Set(some.map(({ colour }) => colour)).size, some.length);
  assert.ok(new Set(some.map(({ bpm, key, energy }) => `${bpm} ${key.tonic} ${energy}`)).size === some.length);
  for (const { bpm, energy } of some) {
    assert.ok(bpm >= profileOf("techno").bpm.low && bpm <= profileOf("techno").bpm.high);
    assert.ok(Math.abs(energy - profileOf("techno").energy) < 0.06);
  }
  const lost = Array.from({ length: 40 }, (_, n) => understand(`gnarf${n} blim`).genre);
  assert.ok(new Set(lost).size >= 8, [...new Set(lost)].join(" "));
});

test("case, spaces and signs change nothing", () => {
  const brief = understand("Dark  TRAP-beat, 140 BPM!");
  assert.deepEqual(understand("dark trap beat 140 bpm"), brief);
});

test("vary() moves what was left open and nothing that was said", () => {
  const open = understand("jazz");
  const varied = Array.from({ length: 24 }, (_, seed) => vary(open, seed));
  assert.ok(new Set(varied.map(({ bpm }) => bpm)).size > 6);
  assert.ok(new Set(varied.map(({ key }) => key.tonic)).size > 6);
  for (const { bpm } of varied) assert.ok(bpm >= profileOf("jazz").bpm.low && bpm <= profileOf("jazz").bpm.high);
  assert.deepEqual(vary(open, 5), varied[5]);
  const funk = understand("funk");
  assert.ok(new Set(Array.from({ length: 24 }, (_, seed) => vary(funk, seed).key.mode)).size > 1);
  const said = understand("swung jazz in F# minor, 92 bpm, 3/4, piano, no drums");
  for (let seed = 0; seed < 24; seed++) {
    const { bpm, key, metre, swing, wanted, unwanted } = vary(said, seed);
    assert.deepEqual(
      { bpm, key, metre, swing, wanted, unwanted },
      {
        bpm: 92,
        key: { tonic: 6, mode: "minor" },
        metre: said.metre,
        swing: said.swing,
        wanted: said.wanted,
        unwanted: said.unwanted,
      },
    );
  }
  const sad = understand("sad piano in a minor key");
  const keys = Array.from({ length: 12 }, (_, seed) => vary(sad, seed).key);
  assert.deepEqual(new Set(keys.map(({ mode }) => mode)), new Set(["minor"]));
  assert.ok(new Set(keys.map(({ tonic }) => tonic)).size > 3);
});

test("reportOf() speaks as a person writes", () => {
  const report = reportOf(understand("sad drum and bass in F# minor, 6/8, 170 bpm, 80s, rain, no piano, blorp"));
  assert.equal(report.genre, "drum and bass");
  assert.equal(report.key, "F# minor");
  assert.equal(report.metre, "6/8");
  assert.equal(report.tempo_bpm, 170);
  assert.equal(report.era, "1980s");
  assert.deepEqual(report.moods, ["sad"]);
  assert.deepEqual(report.scene, ["rain"]);
  assert.deepEqual(report.unknown_words, ["blorp"]);
  assert.ok((report.without as string[]).includes("piano"));
  for (const field of ["genre", "tempo_bpm", "key", "metre", "without"])
    assert.ok((report.explicit as string[]).includes(field), field);
  assert.deepEqual(JSON.parse(JSON.stringify(report)), report);
});

interface Features {
  readonly bpm: number;
  readonly percussive: number;
  readonly onsets: number;
  readonly octaves: readonly number[];
  readonly mode?: "major" | "minor";
  readonly beats?: number;
  readonly division?: 2 | 3;
  readonly swing?: number;
  readonly confidence?: number;
  readonly sections?: Analysis["form"]["sections"];
}

function analysisOf(features: Features): Analysis {
  const curve = { hop_seconds: 0.5, values: new Float32Array(4) };
  return {
    seconds: 120,
    rhythm: {
      tempo_bpm: features.bpm,
      confidence: features.confidence ?? 0.9,
      beats: [],
      positions: [],
      metre: { beats_per_bar: features.beats ?? 4, division: features.division ?? 2 },
      downbeat_confidence: 0.8,
      swing: features.swing ?? 0.5,
      onsets: [],
    },
    tonality: { tuning_hz: 440, tonic: 9, mode: features.mode ?? "minor", confidence: 0.8, chords: [] },
    form: { sections: features.sections ?? [], energy: curve, loudness: curve, features: [], grid: [] },
    timbre: {
      centroid_hz: 1500,
      octaves_db: features.octaves,
      percussive: features.percussive,
      onset_density: features.onsets,
      width_db: -9,
    },
  };
}

const BASSY = [-20, -5, -6, -11, -15, -19, -22, -25, -28, -34];
const MIDDLE = [-50, -24, -12, -8, -7, -12, -20, -30, -40, -60];

test("briefOf() takes tempo, key and metre, and finds a genre of the kind", () => {
  const cases: readonly (readonly [Features, readonly string[]])[] = [
    [{ bpm: 174, percussive: 0.48, onsets: 6, octaves: BASSY }, ["drum_and_bass", "jungle"]],
    [
      { bpm: 124, percussive: 0.42, onsets: 4.2, octaves: BASSY },
      ["house", "deep_house", "tech_house", "techno", "disco", "electro", "uk_garage"],
    ],
    [
      { bpm: 70, percussive: 0.1, onsets: 1.8, octaves: MIDDLE, mode: "major" },
      ["piano_solo", "romantic", "classical", "lullaby"],
    ],
    [
      { bpm: 0, confidence: 0.1, percussive: 0.04, onsets: 0.7, octaves: MIDDLE },
      ["ambient", "dark_ambient", "new_age", "piano_solo", "lullaby"],
    ],
    [{ bpm: 140, percussive: 0.12, onsets: 3, octaves: MIDDLE, mode: "major", beats: 3 }, ["waltz"]],
  ];
  for (const [features, genres] of cases) {
    const brief = briefOf(analysisOf(features), 77);
    assertSound(brief, genres.join(" "));
    assert.ok(genres.includes(brief.genre), `${brief.genre} for ${genres.join(" ")}`);
    assert.deepEqual(brief.key, { tonic: 9, mode: features.mode ?? "minor" });
    assert.deepEqual(brief.wanted, []);
    if (features.bpm > 0) {
      assert.equal(brief.bpm, features.bpm);
      assert.equal(vary(brief, 3).bpm, features.bpm);
    }
  }
});

test("briefOf() bears silence", () => {
  const silent = analysisOf({ bpm: 0, confidence: 0, percussive: Number.NaN, onsets: 0, octaves: [] });
  const brief = briefOf({ ...silent, tonality: { ...silent.tonality, confidence: 0 } }, 1);
  assertSound(brief, "silence");
  assert.deepEqual(outlineOf(silent), []);
});

test("outlineOf() keeps sections in whole bars and finds what returns loudest", () => {
  const section = (start: number, end: number, label: string, level_db: number) => ({ start, end, label, level_db });
  const features: Features = {
    bpm: 120,
    percussive: 0.3,
    onsets: 4,
    octaves: BASSY,
    sections: [
      section(0, 8, "A", -8),
      section(8, 40, "B", -3),
      section(40, 56, "C", 1),
      section(56, 88, "B", -2.5),
      section(88, 104.1, "C", 1.2),
      section(104.1, 120, "D", -9),
    ],
  };
  const outline = outlineOf(analysisOf(features));
  assert.deepEqual(
    outline.map(({ kind, label, bars }) => `${kind} ${label} ${bars}`),
    ["intro A 4", "verse B 16", "chorus C 8", "verse B 16", "chorus C 8", "outro D 8"],
  );
  assert.ok(outline[2]!.energy! > outline[1]!.energy! && outline[1]!.energy! > outline[0]!.energy!);
  assert.deepEqual(outlineOf(analysisOf({ ...features, confidence: 0.2 })), []);
});
