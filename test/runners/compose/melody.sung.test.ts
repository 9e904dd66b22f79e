import assert from "node:assert/strict";
import { test } from "node:test";
import { plan } from "../../../runners/compose/form/plan.ts";
import { chordAt, strengthOf } from "../../../runners/compose/melody/pitch.ts";
import { melodyFor, type SungPhrase } from "../../../runners/compose/melody/sung.ts";
import type { Plan } from "../../../runners/compose/plan.ts";
import { briefOf } from "./form.briefs.ts";

const SONG = [
  { kind: "verse", label: "verse", lines: 4 },
  { kind: "chorus", label: "chorus", lines: 4 },
  { kind: "verse", label: "verse", lines: 4 },
  { kind: "chorus", label: "chorus", lines: 4 },
] as const;
/** Iambs, with an upbeat, and a short line. */
const LINES = [
  [0, 1, 0, 1, 0, 1, 0, 2],
  [0, 1, 0, 0, 1, 0, 2],
  [1, 0, 2, 0, 1, 0, 1, 0, 2],
  [0, 1, 0, 2],
];

function phrasesOf(made: Plan): SungPhrase[] {
  return made.sections.flatMap((section, at) =>
    Array.from({ length: section.lines }, (_, line) => {
      const beats = section.phrase_bars * made.brief.metre.beats_per_bar;
      return { section: at, line, beat: section.beat + line * beats, beats, stresses: LINES[line]! };
    }),
  );
}

test("melodyFor() gives every syllable a note within its line and the voice's range", () => {
  for (const genre of ["pop", "country", "rnb", "waltz", "metal", "folk"] as const) {
    for (let seed = 0; seed < 4; seed++) {
      const made = plan(briefOf(genre), { sections: SONG, vocal: true }, seed);
      const phrases = phrasesOf(made);
      for (const [n, notes] of melodyFor(made, phrases, [57, 76]).entries()) {
        const { beat, beats, stresses } = phrases[n]!;
        assert.equal(notes.length, stresses.length);
        let reach = beat;
        for (const note of notes) {
          assert.ok(note.beat >= reach - 1e-9 && note.beats > 0, `${genre} ${seed}`);
          assert.ok(note.pitch >= 57 && note.pitch <= 76);
          reach = note.beat + note.beats;
        }
        assert.ok(reach <= beat + beats, `${genre} ${seed}: ${reach} past ${beat + beats}`);
      }
    }
  }
});

test("melodyFor() puts stresses on beats, strong beats on chord tones, and sings a label's lines alike", () => {
  let [stressed, on, strong, chordal, equal, all] = [0, 0, 0, 0, 0, 0];
  let [low, high] = [0, 0];
  for (let seed = 0; seed < 12; seed++) {
    const made = plan(briefOf("pop"), { sections: SONG, vocal: true }, seed);
    const phrases = phrasesOf(made);
    const sung = melodyFor(made, phrases, [57, 76]);
    for (const [n, notes] of sung.entries()) {
      for (const [k, { beat, pitch }] of notes.entries()) {
        const strength = strengthOf(beat, 4);
        if (phrases[n]!.stresses[k]! > 0) {
          stressed++;
          if (strength > 0) on++;
        }
        if (strength === 2) {
          strong++;
          if (chordAt(made.chords, beat).tones.includes(pitch % 12)) chordal++;
        }
        if (made.sections[phrases[n]!.section]!.kind === "chorus") high += pitch / notes.length;
        else low += pitch / notes.length;
      }
    }
    for (let n = 4; n < 8; n++) {
      const again = sung[n + 8]!;
      for (const [k, { pitch }] of sung[n]!.entries()) {
        all++;
        if (again[k]!.pitch === pitch) equal++;
      }
    }
  }
  assert.ok(on / stressed > 0.8, `${on / stressed} of stresses on beats`);
  assert.ok(chordal / strong > 0.7, `${chordal / strong} of strong beats`);
  assert.ok(equal / all > 0.6, `${equal / all} alike`);
  assert.ok((high - low) / (12 * 8) > 1, `${(high - low) / (12 * 8)} semitones higher`);
});

test("melodyFor() makes do with no syllables, one, and far too many", () => {
  const made = plan(briefOf("pop"), { sections: SONG }, 1);
  const of = (count: number) =>
    melodyFor(
      made,
      [{ section: 0, line: 0, beat: 0, beats: 8, stresses: Array.from({ length: count }, (_, n) => n % 2) }],
      [57, 76],
    )[0]!;
  for (const count of [0, 1, 2, 17, 30, 60]) {
    const notes = of(count);
    assert.equal(notes.length, count);
    for (const [n, note] of notes.entries()) assert.ok(note.beats > 0 && (n === 0 || note.beat > notes[n - 1]!.beat));
  }
});
