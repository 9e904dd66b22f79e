import assert from "node:assert/strict";
import { test } from "node:test";
import { HARMS } from "../../../../bench/critic/harms.ts";
import { clockOf } from "../../../../runners/music/compose/clock.ts";
import { compose } from "../../../../runners/music/compose/compose.ts";
import { judge } from "../../../../runners/music/compose/critic/critic.ts";
import { genres } from "../../../../runners/music/compose/genres.ts";
import { instruments } from "../../../../runners/music/compose/instruments.ts";
import type { Score } from "../../../../runners/music/compose/score.ts";
import { musicOf } from "../../../../runners/packs/mod.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { briefOf, KEYS } from "./form.briefs.ts";

function assertPlayable(score: Score, what: string): void {
  assert.ok(score.parts.length > 0, what);
  assert.equal(new Set(score.parts.map(({ name }) => name)).size, score.parts.length, what);
  for (const { name, instrument, notes, pan } of score.parts) {
    assert.ok(instruments().includes(instrument) && Math.abs(pan) <= 1, `${what}: ${name}`);
    let before = Number.NEGATIVE_INFINITY;
    for (const note of notes) {
      const said = `${what}: ${name} ${JSON.stringify(note)}`;
      assert.ok(note.beat >= before && note.beat >= -score.lead_in && note.beat < score.beats && note.beats > 0, said);
      assert.ok(note.velocity > 0 && note.velocity <= 1 && note.pitch >= 0 && note.pitch <= 127, said);
      assert.ok(Number.isFinite(note.shift) && Math.abs(note.shift) < 0.2, said);
      before = note.beat;
    }
  }
  const last = score.chords.at(-1)!;
  assert.ok(Math.abs(last.beat + last.beats - score.beats) < 1e-9, what);
}

/** Seconds of the longest stretch in which no part but textures and transitions sounds. */
function longestHole(score: Score): number {
  const { seconds } = clockOf(score);
  const spans = score.parts
    .filter(({ role }) => role !== "texture" && role !== "transition")
    .flatMap(({ notes }) =>
      notes.map(({ beat, beats }) => [seconds(beat), Math.max(seconds(beat) + 0.35, seconds(beat + beats))] as const),
    )
    .sort((a, b) => a[0] - b[0]);
  let [reach, hole] = [0, 0];
  for (const [from, to] of spans) {
    hole = Math.max(hole, from - reach);
    reach = Math.max(reach, to);
  }
  return Math.max(hole, seconds(score.beats) - reach);
}

test("compose() writes playable scores without holes for every genre", () => {
  for (const [at, genre] of genres().entries()) {
    const score = compose(briefOf(genre, { key: KEYS[at % KEYS.length]!, explicit: ["key"] }), {}, at);
    assertPlayable(score, genre);
    assert.deepEqual(score.key, KEYS[at % KEYS.length], genre);
    assert.ok(longestHole(score) < 1.5, `${genre}: a hole of ${longestHole(score)} s`);
  }
});

test("compose() writes loops and clips of any length", () => {
  for (const genre of ["house", "cinematic", "jazz", "waltz"] as const) {
    for (const seconds of [0.5, 1.7, 4, 10, 31, 60]) {
      const ring = compose(briefOf(genre), { seconds, ring: true }, 2);
      assertPlayable(ring, `${genre} ring of ${seconds} s`);
      assert.equal(Math.round(((ring.beats * 60) / ring.bpm) * 44_100), Math.round(seconds * 44_100));
      const clip = compose(briefOf(genre), { seconds, clip: true }, 2);
      assertPlayable(clip, `${genre} clip of ${seconds} s`);
      assert.ok((clip.beats * 60) / clip.bpm < seconds);
    }
  }
});

test("compose() gives three seeds three pieces: other tunes, chords, forms or tempi", () => {
  for (const genre of ["pop", "techno", "jazz", "ambient", "celtic", "epic"] as const) {
    const scores = [1, 2, 3].map((seed) => compose(briefOf(genre), {}, seed));
    for (const of of [
      ({ parts }: Score) => JSON.stringify(parts.map(({ notes }) => notes.slice(0, 40))),
      ({ chords }: Score) => chords.map(({ symbol }) => symbol).join(),
      ({ bpm, sections, key }: Score) =>
        `${bpm} ${key.tonic} ${sections.map(({ label, beats }) => label + beats).join()}`,
    ])
      assert.equal(new Set(scores.map(of)).size, 3, genre);
    assert.deepEqual(compose(briefOf(genre), {}, 2), scores[1]);
  }
});

test("compose() steers by the words it does not know", () => {
  const chords = [1, 2, 3, 4].map((colour) =>
    compose(briefOf("pop", { colour, explicit: ["key"] }), {}, 1)
      .chords.map(({ symbol }) => symbol)
      .join(),
  );
  assert.ok(new Set(chords).size >= 3);
});

test("compose() keeps to what the brief asks for by name: endings, drops, breakdowns", () => {
  const kinds = (traits: readonly string[], genre: "pop" | "ambient" = "pop") =>
    compose(briefOf(genre, { traits }), {}, 5).sections.map(({ kind }) => kind);
  assert.ok(kinds(["drop"]).includes("drop"));
  assert.ok(kinds(["breakdown"]).includes("break"));
  assert.equal(kinds(["soft ending"]).at(-1), "outro");
  assert.notEqual(kinds(["epic ending"]).at(-1), "outro");
});

test("compose() changes the key towards the end where that is asked for, and fades where that is", () => {
  for (const seed of [1, 2, 3, 4]) {
    const plain = compose(briefOf("pop"), {}, seed);
    const score = compose(briefOf("pop", { traits: ["key change", "fade out"] }), {}, seed);
    assertPlayable(score, "with a key change");
    const { beat, key } = score.key_change!;
    const up = (key.tonic - score.key.tonic + 12) % 12;
    assert.ok((up === 1 || up === 2) && key.mode === score.key.mode);
    assert.ok(beat > 0.4 * score.beats && beat < 0.95 * score.beats);
    const home = score.chords.filter((chord) => chord.beat >= beat && chord.root === key.tonic);
    assert.ok(home.length > 0 && home.every(({ symbol }) => symbol[0] !== undefined), "the new key's tonic is played");
    for (const part of score.parts)
      for (const note of part.notes)
        assert.ok(
          note.beat >= beat ||
            note.beat + note.beats <= beat + 1e-6 ||
            part.role === "drums" ||
            part.role === "percussion" ||
            part.role === "texture",
        );
    assert.equal(plain.key_change, undefined);
    assert.deepEqual(
      score.moves.filter(({ kind }) => kind === "fade_out").map(({ beat: from, beats }) => from + beats),
      [score.beats],
    );
    assert.ok(!plain.moves.some(({ kind }) => kind === "fade_out"));
  }
  const ring = compose(
    briefOf("pop", { traits: ["key change", "fade out", "fade in"] }),
    { seconds: 8, ring: true },
    1,
  );
  assert.ok(ring.key_change === undefined && !ring.moves.some(({ kind }) => kind.startsWith("fade")));
});

test("compose() lets tempo breathe where the genre does, and keeps the tempo and the length that were asked for", () => {
  for (const genre of genres()) {
    const free = compose(briefOf(genre), { seconds: 90 }, 4);
    const asked = compose(briefOf(genre, { bpm: 84, explicit: ["bpm"] }), { seconds: 90 }, 4);
    for (const score of [free, asked]) {
      const { seconds, bpm } = clockOf(score);
      const tempi = Array.from({ length: score.beats }, (_, beat) => bpm(beat + 0.5)).sort((a, b) => a - b);
      const bar = score.metre.beats_per_bar * (60 / score.bpm);
      assert.ok(Math.abs(tempi[tempi.length >> 1]! / score.bpm - 1) < 1e-9, `${genre}: the median is told`);
      assert.ok(Math.abs(seconds(score.beats) - 90) <= bar, `${genre}: ${seconds(score.beats)} s`);
      assert.ok(tempi[0]! > 0.25 * score.bpm && tempi.at(-1)! < 1.15 * score.bpm, genre);
      const { time, sequenced } = musicOf(genre).styles;
      assert.ok(score.tempo === undefined || (time !== undefined && !sequenced), `${genre} is on a grid`);
      if ((time?.final_tempo ?? 1) < 0.8) assert.ok(tempi[0]! < 0.9 * score.bpm, `${genre} slows down in the end`);
    }
    assert.ok(Math.abs(asked.bpm - 84) < 1e-9, genre);
  }
  // Neither loops nor clips, nor what fades out or stops at once.
  const late = ({ tempo = [], beats }: Score): boolean => tempo.some(({ beat, bpm }) => beat > beats - 4 && bpm < 60);
  assert.equal(compose(briefOf("romantic"), { seconds: 20, ring: true }, 1).tempo, undefined);
  assert.equal(compose(briefOf("romantic"), { seconds: 20, clip: true }, 1).tempo, undefined);
  assert.ok(late(compose(briefOf("folk", { bpm: 80 }), {}, 1)));
  assert.ok(!late(compose(briefOf("folk", { bpm: 80, traits: ["fade out"] }), {}, 1)));
});

test("compose() holds the beat before the last chorus where the genre does", () => {
  const sections = (["verse", "chorus", "verse", "chorus"] as const).map(
    (kind) => ({ kind, label: kind, lines: 0, bars: 8 }) as const,
  );
  for (const [genre, holds] of [
    ["gospel", true],
    ["soul", false],
  ] as const) {
    const score = compose(briefOf(genre), { sections }, 3);
    const clock = clockOf(score);
    const { beat } = score.sections[3]!;
    const [before, last] = [2, 1].map((from) => clock.seconds(beat - from + 1) - clock.seconds(beat - from));
    assert.equal(last! > 1.5 * before!, holds, `${genre}: ${last} s after ${before} s`);
  }
});

test("compose() gives solos in a row to several players, who rise and trade at last, with a tune each", () => {
  for (const seed of [1, 2, 3]) {
    const solos = ["solo", "solo", "solo"].map(() => ({ kind: "solo", label: "solo", lines: 0, bars: 16 }) as const);
    const theme = { kind: "theme", label: "A", lines: 0, bars: 16 } as const;
    const score = compose(briefOf("jazz"), { sections: [theme, ...solos, theme] }, seed);
    const played = score.sections.slice(1, 4).map(({ beat, beats }) =>
      score.parts
        .filter(({ role }) => role === "lead")
        .map(({ name, notes }) => ({
          name,
          notes: notes.filter((note) => note.beat >= beat && note.beat < beat + beats),
        }))
        .filter(({ notes }) => notes.length > 3),
    );
    const [first, second, last] = played;
    assert.deepEqual([first!.length, second!.length, last!.length], [1, 1, 2], `${seed}`);
    assert.notEqual(first![0]!.name, second![0]!.name);
    // Four bars each: nobody plays into the other's.
    const phrase = 4 * score.metre.beats_per_bar;
    const turns = last!.map(({ notes }) =>
      notes.map(({ beat }) => Math.floor((beat - score.sections[3]!.beat) / phrase + 0.01) % 2),
    );
    assert.deepEqual(
      turns.map((some) => [...new Set(some)]),
      [[0], [1]],
    );
    const energies = score.sections.slice(1, 4).map(({ energy }) => energy);
    assert.ok(energies[0]! + 0.1 < energies[1]! && energies[1]! + 0.1 < energies[2]!, `${energies}`);
  }
});

test("compose() swings as a ride cymbal does, less the faster, and its soloists follow behind on the beat alone", () => {
  const swings = [100, 150, 200, 290].map((bpm) => {
    const score = compose(briefOf("jazz", { bpm, swing: 0.64, explicit: ["bpm"] }), {}, 3);
    const { notes } = score.parts.find(({ role }) => role === "lead")!;
    const late = (place: number): number => {
      const there = notes.filter(({ beat }) => Math.abs(beat - Math.round(beat - place) - place) < 0.02);
      return there.reduce((sum, { shift }) => sum + shift, 0) / there.length;
    };
    const apart = late(0) - late(score.swing);
    assert.ok(bpm > 250 ? apart < 0.015 : apart > 0.012 && apart < 0.06, `${bpm}: ${apart} s`);
    return score.swing;
  });
  // 3:1 and less, about 2:1 at 200.
  assert.ok(swings[0]! > 0.72 && Math.abs(swings[2]! - 0.667) < 0.03 && swings[3]! < 0.56, swings.join());
  const said = compose(briefOf("jazz", { bpm: 100, swing: 0.6, explicit: ["bpm", "swing"] }), {}, 3);
  assert.equal(said.swing, 0.6);
});

test("clockOf() is the integral of the tempo, forwards and backwards, from the first sample on", () => {
  const tempo = [
    { beat: 0, bpm: 96 },
    { beat: 16, bpm: 96.0001 },
    { beat: 32, bpm: 120 },
    { beat: 32, bpm: 60 },
    { beat: 33, bpm: 60 },
    { beat: 33, bpm: 120 },
    { beat: 40, bpm: 55 },
  ];
  const clock = clockOf({ bpm: 100, lead_in: 2, tempo });
  // The sum of ten thousand slices a beat.
  let sum = (2 * 60) / 96;
  for (let beat = 0; beat < 44; beat++) {
    assert.ok(Math.abs(clock.seconds(beat) - sum) < 1e-6, `${beat}: ${clock.seconds(beat)} ${sum}`);
    assert.ok(Math.abs(clock.beat(clock.seconds(beat + 0.3)) - beat - 0.3) < 1e-9);
    for (let n = 0; n < 10_000; n++) sum += 60 / clock.bpm(beat + (n + 0.5) / 10_000) / 10_000;
  }
  assert.equal(clock.seconds(-2), 0);
  assert.ok(Math.abs(clock.beat(-1) + 2 + 96 / 60) < 1e-9);
  const steady = clockOf({ bpm: 90, lead_in: 1 });
  assert.ok(Math.abs(steady.seconds(5) - 4) < 1e-12 && Math.abs(steady.beat(4) - 5) < 1e-12);
});

test("judge() prefers whole scores to harmed ones", () => {
  let [preferred, all] = [0, 0];
  for (const [at, genre] of (["indie_pop", "techno", "baroque", "funk", "folk"] as const).entries()) {
    const brief = briefOf(genre);
    const score = compose(brief, {}, at);
    const { worth, measures } = judge(score);
    assert.ok(worth > 0.8 && worth <= 1, `${genre}: ${worth}`);
    for (const value of Object.values(measures)) assert.ok(value === undefined || Number.isFinite(value), genre);
    for (const harm of Object.values(HARMS)) {
      const harmed = harm(score, random(at), (turn) => compose(brief, {}, 100 + turn));
      if (harmed === undefined) continue;
      all++;
      if (judge(harmed).worth < worth) preferred++;
    }
  }
  // Over 20 prompts it is 97 % of 400 (bench/critic.ts).
  assert.ok(all >= 25 && preferred >= 0.9 * all, `${preferred} of ${all}`);
});

test("judge() finds little to say of a score that has little in it", () => {
  const score = compose(briefOf("ambient"), { seconds: 2, clip: true }, 1);
  assert.ok(Number.isFinite(judge({ ...score, parts: [] }).worth));
  assert.ok(Number.isFinite(judge(score).worth));
});
