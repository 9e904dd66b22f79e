import assert from "node:assert/strict";
import { test } from "node:test";
import { clarity, plainness, within } from "../../../../runners/music/compose/form/clarity.ts";
import { mended } from "../../../../runners/music/compose/form/mend.ts";
import { chordOf } from "../../../../runners/music/compose/form/numerals.ts";
import { plan } from "../../../../runners/music/compose/form/plan.ts";
import type { PlanSection } from "../../../../runners/music/compose/plan.ts";
import type { Key, ScoreChord } from "../../../../runners/music/compose/score.ts";
import { briefOf } from "./form.briefs.ts";

const A_MINOR: Key = { tonic: 9, mode: "minor" };
const C_MAJOR: Key = { tonic: 0, mode: "major" };

function chords(line: string, key: Key): ScoreChord[] {
  return line.split(" ").map((numeral, at) => ({ beat: 4 * at, beats: 4, ...chordOf(numeral, key) }));
}

test("clarity() tells a key from its relatives and neighbours", () => {
  assert.ok(clarity(chords("i iv V i", A_MINOR), A_MINOR) > 0.05);
  assert.ok(clarity(chords("I IV V I", C_MAJOR), C_MAJOR) > 0.1);
  // The relative major's cadence, and the dominant's.
  assert.ok(clarity(chords("bVI bVII bIII bIII", A_MINOR), A_MINOR) < 0);
  assert.ok(clarity(chords("V V7>V V V7>V", C_MAJOR), C_MAJOR) < 0);
  assert.deepEqual([clarity([], C_MAJOR), within([], C_MAJOR)], [0, 1]);
});

test("clarity() is the same in every transposition", () => {
  const of = (tonic: number) => clarity(chords("i bVI iv V i", { tonic, mode: "minor" }), { tonic, mode: "minor" });
  for (let tonic = 1; tonic < 12; tonic++) assert.ok(Math.abs(of(tonic) - of(0)) < 1e-9);
});

test("within() counts harmonics: borrowed chords take from it", () => {
  const own = within(chords("I IV V I", C_MAJOR), C_MAJOR);
  const foreign = within(chords("I bVI bII I", C_MAJOR), C_MAJOR);
  assert.ok(own > 0.9 && foreign < 0.8, `${own}, ${foreign}`);
});

test("mended() makes a key plainer and leaves first chord, last chord and length", () => {
  const section = { kind: "theme", label: "A", beat: 0, beats: 32, bar: 0, bars: 8, phrase_bars: 4 } as PlanSection;
  const given = chords("i bVII bIII bVII i bVII bIII i", A_MINOR);
  const { brief } = plan(briefOf("pop", { key: A_MINOR }), {}, 1);
  const pillars = ["i", "iv", "V"].map((numeral) => chordOf(numeral, A_MINOR));
  const made = mended(given, [section], brief, pillars, { enough: 1, most: 3, driven: false });
  assert.ok(plainness(made, A_MINOR) > plainness(given, A_MINOR) + 0.05);
  assert.equal(made[0]!.symbol, given[0]!.symbol);
  assert.equal(made.at(-1)!.symbol, given.at(-1)!.symbol);
  assert.equal(
    made.reduce((sum, { beats }) => sum + beats, 0),
    32,
  );
  const home = made.reduce((sum, { root, beats }) => sum + (root === 9 ? beats : 0), 0);
  assert.ok(home <= 0.65 * 32, `${home} beats on the tonic`);
});

test("a key that was asked for is plain to several ears, in genres and keys of all kinds", () => {
  let [plain, all] = [0, 0];
  const genres = [
    "pop",
    "house",
    "synthwave",
    "funk",
    "metal",
    "bossa_nova",
    "trap",
    "lofi",
    "cinematic",
    "reggae",
  ] as const;
  for (const [at, genre] of genres.entries())
    for (const mode of ["major", "minor"] as const)
      for (let seed = 0; seed < 3; seed++) {
        const key: Key = { tonic: (5 * at + seed) % 12, mode };
        const made = plan(briefOf(genre, { key, explicit: ["key"] }), {}, seed);
        all++;
        if (clarity(made.chords, key) > 0.07) plain++;
      }
  assert.ok(plain >= 0.95 * all, `${plain} of ${all}`);
});
