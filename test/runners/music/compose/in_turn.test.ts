/** One kind of music after another: what is read of it, and the score. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compose, reportOf, understand } from "../../../../runners/music/compose/composer.ts";
import { clockOf, type OutlineSection, type Score } from "../../../../runners/music/compose/mod.ts";

test("understand() reads one kind of music after another, and where it turns", () => {
  const turns: readonly (readonly [prompt: string, first: string, then: string, told: string])[] = [
    ["starts as jazz, becomes techno", "jazz", "techno", "becomes techno"],
    ["starts as jazz, then turns into techno at one minute", "jazz", "techno", "becomes techno after 60 seconds"],
    ["first half punk, second half reggae", "punk", "reggae", "becomes reggae in the second half"],
    ["ambient intro, then house", "ambient", "house", "becomes house after the intro"],
    ["beginnt als ruhiger Walzer und wird dann zu Techno", "waltz", "techno", "becomes techno"],
    ["commence en bossa nova puis devient du métal", "bossa_nova", "metal", "becomes metal"],
    ["empieza como flamenco y se convierte en techno", "flamenco", "techno", "becomes techno"],
    ["начинается как джаз и переходит в техно", "jazz", "techno", "becomes techno"],
    ["ジャズで始まりテクノに変わる", "jazz", "techno", "becomes techno"],
    ["以爵士开始，然后变成电子舞曲", "jazz", "edm", "becomes EDM"],
    ["starts with a solo piano, then becomes trance", "piano_solo", "trance", "becomes trance"],
  ];
  for (const [prompt, first, then, told] of turns) {
    const brief = understand(prompt);
    assert.deepEqual([brief.genre, brief.turn?.brief.genre], [first, then], prompt);
    assert.ok(reportOf(brief).form.includes(told), `${prompt}: ${reportOf(brief).form}`);
  }
});

test("understand() lets music stay what it is where only a player, a mood or a section follows", () => {
  for (const prompt of [
    "funk, disco and soul",
    "house music, then a breakdown",
    "a calm lo-fi hip hop track, then a guitar solo",
    "epic trailer, starts soft, then epic drums",
    "rock, then jazz drums",
    "techno at 130 bpm",
    "jazz that becomes louder",
  ])
    assert.equal(understand(prompt).turn, undefined, prompt);
});

test("understand() gives each half its own tempo, players and moods, and what is denied to both", () => {
  const { bpm, moods, wanted, turn } = understand(
    "calm jazz with a clarinet at 90 bpm that switches to aggressive dubstep at 140 bpm, no piano",
  );
  assert.deepEqual([bpm, moods, wanted], [90, ["calm"], ["clarinet"]]);
  assert.deepEqual([turn?.brief.bpm, turn?.brief.moods, turn?.brief.wanted], [140, ["aggressive"], []]);
  assert.ok(turn?.brief.unwanted.instruments.includes("piano"));
  const { cues = [] } = understand("a lullaby on celesta and halfway through it turns into metal");
  assert.deepEqual(cues, [], "the celesta begins");
  assert.deepEqual(understand("techno at 128 bpm, becomes a waltz").turn?.brief.bpm, 128, "a waltz may be that fast");
  assert.notEqual(understand("techno at 140 bpm, becomes reggae").turn?.brief.bpm, 140, "reggae may not");
});

const EDGE = 1e-6;

/** Seconds of the turn, by the first part of the second kind. */
function turnOf(score: Score): number {
  const second = score.parts.filter(({ name }) => name.endsWith("(techno)"));
  assert.ok(second.length >= 3 && second.length < score.parts.length);
  const beat = score.sections.findLast((one) =>
    second.every(({ notes }) => notes.every((note) => note.beat >= one.beat - 2)),
  )!.beat;
  for (const part of score.parts)
    for (const { beat: at, beats } of part.notes)
      if (!second.includes(part)) assert.ok(at + beats <= beat + EDGE, `${part.name} at ${at}`);
  return clockOf(score).seconds(beat);
}

test("compose() plays one band after the other, at the tempo of each, and turns where it is told to", () => {
  const score = compose(understand("starts as jazz at 100 bpm, turns into techno at 130 bpm after 40 seconds"), {}, 3);
  assert.ok(Math.abs(turnOf(score) - 40) < 2.5, `turns at ${turnOf(score)} s`);
  const clock = clockOf(score);
  assert.ok(Math.abs(clock.bpm(8) - 100) < 6);
  assert.ok(Math.abs(clock.bpm(score.beats - 32) - 130) < 2);
  assert.equal(new Set(score.parts.map(({ name }) => name)).size, score.parts.length, "names are unique");
  const ends = [...score.sections.slice(1).map(({ beat }) => beat), score.beats];
  for (const [at, { beat, beats }] of score.sections.entries()) assert.ok(Math.abs(beat + beats - ends[at]!) < EDGE);
  for (const { beat, beats } of score.chords) assert.ok(beat >= 0 && beat + beats <= score.beats + EDGE);
  assert.ok(score.moves.every(({ kind, beat }) => kind !== "fade_out" || clock.seconds(beat) > 40));
});

test("compose() lasts as long as asked when music turns, half of it each", () => {
  const score = compose(understand("starts as jazz, becomes techno"), { seconds: 90 }, 5);
  const lasts = clockOf(score).seconds(score.beats);
  assert.ok(Math.abs(lasts - 90) < 4, `${lasts} s`);
  assert.ok(Math.abs(turnOf(score) - 45) < 4, `turns at ${turnOf(score)} s`);
});

test("compose() turns at the edge of a sung section, and each line stays in its own", () => {
  const line = (text: string) => ({
    text,
    syllables: [...text].map(() => ({ stress: 1, begins: true, pause: false, carries: 1, backing: false }) as const),
  });
  const section = (kind: OutlineSection["kind"], words: string): OutlineSection => {
    return { kind, label: kind, lines: 2, words: [line(words), line(words)] };
  };
  const sections = [
    section("verse", "aaaa"),
    section("chorus", "bbbbb"),
    section("verse", "aaaa"),
    section("chorus", "bbbbb"),
  ];
  const brief = understand("starts as jazz, becomes techno after the first chorus");
  const score = compose(brief, { sections, singer: { range: [57, 74] } }, 2);
  const kinds = score.sections.map(({ kind }) => kind);
  assert.deepEqual(kinds, ["verse", "chorus", "verse", "chorus"]);
  assert.equal(turnOf(score), clockOf(score).seconds(score.sections[2]!.beat));
  assert.deepEqual(
    score.voice!.map((one) => one.section),
    [0, 0, 1, 1, 2, 2, 3, 3],
  );
  for (const { section: at, notes } of score.voice!) {
    const { beat, beats } = score.sections[at]!;
    assert.ok(notes.every((note) => note.beat > beat - 4 && note.beat < beat + beats));
  }
});
