import assert from "node:assert/strict";
import { test } from "node:test";
import progressions from "../../../../runners/language/figures/progressions.json" with { type: "json" };
import { compose, keyedBy, reportOf, understand } from "../../../../runners/music/compose/composer.ts";
import { parse } from "../../../../runners/music/compose/form/harmony.ts";
import { chordOf, type Dress } from "../../../../runners/music/compose/form/numerals.ts";
import { keyName } from "../../../../runners/music/compose/key_name.ts";
import { readLyrics } from "../../../../runners/music/sing/lyrics/lyrics.ts";
import { outlineOf } from "../../../../runners/music/sing/setting/phrases.ts";
import { packs, type Shelf } from "../../../../runners/packs/mod.ts";

const C = { tonic: 0, mode: "major" } as const;

test("chordOf() reads numerals as musicians write the chords", () => {
  const read = (numeral: string, tonic: number, mode: "major" | "minor") => chordOf(numeral, { tonic, mode }).symbol;
  assert.equal(read("V7", 9, "minor"), "E7");
  assert.equal(read("bVI", 9, "minor"), "F");
  assert.equal(read("iv", 0, "minor"), "Fm");
  assert.equal(read("bVII", 0, "minor"), "Bb");
  assert.equal(read("V/3", 7, "major"), "D/F#");
  assert.equal(read("V7>ii", 0, "major"), "A7");
  assert.equal(read("IV@1", 3, "major"), "Ab/Eb");
  assert.equal(read("iiø7", 9, "minor"), "Bm7b5");
  assert.equal(read("#iv°7", 5, "major"), "Bdim7");
  assert.equal(read("i", 6, "minor"), "F#m");
  assert.equal(read("bII", 4, "minor"), "F");
  assert.equal(read("I69", 10, "major"), "Bb6/9");
  assert.deepEqual(chordOf("V7/3", C).tones, [7, 11, 2, 5]);
  assert.equal(chordOf("V7/3", C).bass, 11);
});

test("chordOf() dresses triads with tones of the key", () => {
  for (const dress of ["add", "open", "seventh", "ninth"] as const satisfies readonly Dress[])
    for (const numeral of ["I", "ii", "iii", "IV", "V", "vi"])
      for (const draw of [0.01, 0.1, 0.3, 0.6, 0.9])
        for (const tone of chordOf(numeral, C, dress, draw).tones)
          assert.ok([0, 2, 4, 5, 7, 9, 11].includes(tone), `${dress} ${numeral}: ${tone}`);
  assert.equal(chordOf("V", C, "seventh").symbol, "G7");
  assert.equal(chordOf("IV", C, "seventh").symbol, "Fmaj7");
  assert.equal(chordOf("ii", C, "power").symbol, "D5");
});

test("every progression can be read, and rests on its tonic somewhere", () => {
  const shelves = [...packs("modes")].map(([mode, { progressions }]): [string, Shelf] => [mode, progressions]);
  for (const [genre, { progressions }] of packs("genres"))
    for (const third of ["major", "minor"] as const)
      if (progressions?.[third] !== undefined) shelves.push([`${genre}, ${third}`, progressions[third]]);
  for (const [name, { verse, chorus, bridge }] of shelves) {
    assert.ok(verse.length > 1 && chorus.length > 1 && bridge.length > 0, name);
    for (const line of [...verse, ...chorus, ...bridge]) {
      const bars = parse(line);
      assert.ok([1, 2, 4, 8, 12, 16].includes(bars.length), `${name}: ${line} has ${bars.length} bars`);
      for (const bar of bars) for (const numeral of bar) chordOf(numeral, C);
    }
    for (const line of verse)
      assert.ok(
        parse(line)
          .flat()
          .some((numeral) => /^[iI](?![iIvV])/u.test(numeral)) ||
          name.startsWith("jazz") ||
          name.startsWith("lofi") ||
          name.startsWith("smooth") ||
          name.startsWith("afro"),
        `${name}: ${line}`,
      );
  }
});

test("chords that a prompt names are played, in the key that they are in", () => {
  const asked: readonly (readonly [prompt: string, key: string, chords: string])[] = [
    ["pop piano, Am F C G", "A minor", "Am F C G"],
    ["folk with the chords G, D, Em, C", "G major", "G D Em C"],
    ["neo soul, Dm7 G7 Cmaj7", "C major", "Dm7 G7 Cmaj7 Cmaj7"],
    ["funk vamp Dm7 G7", "D dorian", "Dm7 G7"],
    ["blues A7 D7 E7", "A mixolydian", "A7 D7 E7 E7"],
    ["pop, I-V-vi-IV in D major", "D major", "D A Bm G"],
    ["sad piano, i VI III VII in E minor", "E minor", "Em C G D"],
    ["jazz, 2-5-1 progression in F", "F major", "Gm C F F"],
    ["tango, Bm7b5 E7b9 Am(maj7)", "A minor", "Bm7b5 E7b9 Am(maj7) Am(maj7)"],
    ["ballad, C G/B Am F in C major", "C major", "C G/B Am F"],
    ["pop in F minor, Bb Fm C7", "F minor", "Bb Fm C7 C7"],
  ];
  for (const [prompt, key, chords] of asked) {
    const brief = understand(prompt);
    assert.equal(keyName(brief.key), key, prompt);
    const { chords: ring } = compose(brief, { seconds: 20, ring: true }, 3);
    const cycle = chords.split(" ");
    // A chord that goes on into the next phrase is written once.
    const heard = ring.flatMap(({ symbol, beats }) => Array<string>(Math.round(beats / 4)).fill(symbol));
    assert.deepEqual(
      heard,
      heard.map((_, bar) => cycle[bar % cycle.length]),
      prompt,
    );
    assert.ok(heard.length >= cycle.length, prompt);
  }
  const brief = understand("rock ballad, Em C G D, 90 bpm");
  assert.deepEqual(reportOf(brief).progression, ["Em", "C", "G", "D"]);
  assert.ok(brief.explicit.includes("progression"));
  const whole = compose(brief, { seconds: 90 }, 4);
  assert.equal(whole.chords.at(-1)!.root, 4, "it ends at home");
  const few = compose(understand("piano, Am F C G, 80 bpm"), { seconds: 7, clip: true }, 4);
  assert.deepEqual(
    [...new Set(few.chords.map(({ symbol }) => symbol))],
    ["Am", "F", "C", "G"],
    "two to a bar where bars are few",
  );
});

test("chords of a lyric sheet fill the bars of their lines", () => {
  const lyrics = readLyrics(
    "[Intro]\n| G | D |\n[Verse]\nG         D\nMorning light is falling down\nEm\nAll the people leave the town\n[Chorus]\nC  G  D\nCome to me\nCome to me\n[Verse]\nEvening light is falling too\nNobody is asking who",
  );
  const chords = lyrics.sections.flatMap((one) => [
    ...(one.chords ?? []),
    ...one.lines.flatMap((line) => line.chords ?? []),
  ]);
  const brief = keyedBy(understand("folk, 110 bpm"), chords);
  assert.equal(keyName(brief.key), "G major");
  assert.equal(keyName(keyedBy(understand("folk in C major"), chords).key), "C major", "what was said stays");
  const { sections, chords: played } = compose(brief, { sections: outlineOf(lyrics) }, 3);
  const told = sections.map(({ kind, beat, beats }) => [
    kind,
    played
      .filter((one) => one.beat >= beat && one.beat < beat + beats)
      .map((one) => `${one.symbol}:${one.beats}`)
      .join(" "),
  ]);
  const verse = "G:4 D:4 Em:8";
  assert.deepEqual(told.slice(0, 4), [
    ["intro", "G:4 D:4 G:4 D:4"],
    ["verse", verse],
    ["chorus", "C:2 G:2 D:4 D:8"],
    ["verse", "G:4 D:4 Em:4 G:4"],
  ]);
});

test("whatever chords can be written can be played", () => {
  const roots = ["C", "F#", "Bb"];
  const symbols = Object.keys(progressions.suffixes).flatMap((suffix) => roots.map((root) => `${root}${suffix}`));
  const numerals = ["I", "iv", "bVII", "#iv"].flatMap((degree) =>
    progressions.degree_suffixes.map((end) => degree + end),
  );
  const basses = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"].flatMap((bass) => [
    `C7/${bass}`,
    `Am/${bass}`,
  ]);
  for (const chord of [...symbols, ...numerals, ...basses])
    for (const key of ["", " in E minor", " in D dorian"]) {
      const brief = understand(`chords: ${chord} - ${chord} - ${chord}, piano${key}`);
      assert.equal(brief.progression?.length, 3, chord);
      assert.equal(reportOf(brief).progression?.length, 3, chord);
    }
});
