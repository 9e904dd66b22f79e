import assert from "node:assert/strict";
import { test } from "node:test";
import { plan } from "../../../../runners/music/compose/form/plan.ts";
import { genres } from "../../../../runners/music/compose/genres.ts";
import { melodies, withVoice } from "../../../../runners/music/compose/melody/melodies.ts";
import { chordAt, strengthOf } from "../../../../runners/music/compose/melody/pitch.ts";
import type { Plan, PlanSection, WordLine } from "../../../../runners/music/compose/plan.ts";
import type { Note, VoiceNote } from "../../../../runners/music/compose/score.ts";
import { MODES, pitchClass } from "../../../../runners/notes.ts";
import { briefOf, duo, KEYS } from "./form.briefs.ts";

const within = (notes: readonly Note[], { beat, beats }: PlanSection) =>
  notes.filter((note) => note.beat >= beat - 0.2 && note.beat < beat + beats - 0.2);
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!;

function facts(made: Plan, notes: readonly Note[]) {
  let [strong, chordal, scaled, leaps] = [0, 0, 0, 0];
  for (const [n, { beat, pitch }] of notes.entries()) {
    const tone = pitchClass(Math.floor(pitch));
    if (strengthOf(beat, made.brief.metre.beats_per_bar) === 2) {
      strong++;
      if (chordAt(made.chords, beat).tones.includes(tone)) chordal++;
    }
    if (MODES[made.brief.key.mode].includes(pitchClass(tone - made.brief.key.tonic))) scaled++;
    if (n > 0 && Math.abs(pitch - notes[n - 1]!.pitch) > 9) leaps++;
  }
  return { strong: chordal / strong, scaled: scaled / notes.length, leaps: leaps / notes.length };
}

test("melodies() of every genre keep to chords, scale and range, and sing rather than jump", () => {
  for (const [at, genre] of genres().entries()) {
    for (let seed = 0; seed < 2; seed++) {
      const key = KEYS[(at + seed) % 4]!;
      const made = plan(briefOf(genre, { key, colour: at }), {}, seed);
      const [lead, counter] = melodies(made, duo(made));
      const { strong, scaled, leaps } = facts(made, lead!.notes);
      assert.ok(strong >= 0.7, `${genre}: ${strong} of strong beats`);
      // Blue notes are no notes of the major scale, nor are those that frighten.
      assert.ok(
        scaled >= (["blues", "rockabilly", "horror"].includes(genre) ? 0.7 : 0.8),
        `${genre}: ${scaled} in scale`,
      );
      assert.ok(leaps <= 0.05, `${genre}: ${leaps} leaps`);
      assert.ok(lead!.notes.length > 15, `${genre}: ${lead!.notes.length} notes`);
      for (const [part, low, high] of [
        [lead!, 62, 86],
        [counter!, 50, 72],
      ] as const) {
        let before = 0;
        for (const note of part.notes) {
          assert.ok(note.pitch >= low && note.pitch <= high + 0.5, `${genre}: ${note.pitch}`);
          assert.ok(note.beat >= before && note.beat < made.beats && note.beats > 0, genre);
          assert.ok(note.velocity > 0 && note.velocity <= 1 && Math.abs(note.shift) <= 0.06, genre);
          before = note.beat;
        }
      }
    }
  }
});

/** Rhythm and contour of each bar. */
function bars(made: Plan, notes: readonly Note[]): string[] {
  const length = made.brief.metre.beats_per_bar;
  const found: string[] = [];
  for (let bar = 0; bar * length < made.beats; bar++) {
    const here = notes.filter(({ beat }) => beat >= bar * length - 0.13 && beat < (bar + 1) * length - 0.13);
    if (here.length > 1) found.push(here.map(({ beat }) => Math.round((beat - bar * length) * 4)).join());
  }
  return found;
}

test("melodies() come back to their motifs: rhythms of bars recur", () => {
  for (const genre of ["pop", "rock", "house", "cinematic", "celtic", "classical", "lofi", "jazz"] as const) {
    for (let seed = 0; seed < 4; seed++) {
      const made = plan(briefOf(genre), {}, seed);
      const rhythms = bars(made, melodies(made, duo(made))[0]!.notes);
      const recurring = rhythms.filter((rhythm) => rhythms.indexOf(rhythm) !== rhythms.lastIndexOf(rhythm)).length;
      assert.ok(recurring / rhythms.length > 0.5, `${genre} ${seed}: ${recurring} of ${rhythms.length}`);
    }
  }
});

test("melodies() play equal labels alike and others otherwise", () => {
  const alike = (notes: readonly Note[], a: PlanSection, b: PlanSection) => {
    const of = (section: PlanSection) =>
      new Set(
        within(notes, section).map(
          ({ beat, pitch }) => `${Math.round((beat - section.beat) * 8)}:${Math.round(pitch)}`,
        ),
      );
    const [one, two] = [of(a), of(b)];
    return [...one].filter((note) => two.has(note)).length / Math.max(1, Math.min(one.size, two.size));
  };
  const [same, other]: [number[], number[]] = [[], []];
  for (const genre of ["pop", "rock", "country", "soul", "synthwave", "latin_pop"] as const) {
    for (let seed = 0; seed < 4; seed++) {
      const made = plan(briefOf(genre), {}, seed);
      const { notes } = melodies(made, duo(made))[0]!;
      const choruses = made.sections.filter(({ kind }) => kind === "chorus");
      const verse = made.sections.find(({ kind }) => kind === "verse");
      if (choruses.length > 1) same.push(alike(notes, choruses[0]!, choruses[1]!));
      if (choruses.length > 0 && verse !== undefined) other.push(alike(notes, choruses[0]!, verse));
    }
  }
  assert.ok(median(same) > 0.75, `${median(same)}`);
  assert.ok(median(other) < 0.4, `${median(other)}`);
});

test("melodies() lie higher in choruses than in verses, and breathe", () => {
  for (const genre of ["pop", "rock", "country", "soul"] as const) {
    for (let seed = 0; seed < 6; seed++) {
      const made = plan(briefOf(genre), {}, seed);
      const { notes } = melodies(made, duo(made))[0]!;
      const mean = (kind: string) => {
        const pitches = made.sections
          .filter((one) => one.kind === kind)
          .flatMap((one) => within(notes, one).map(({ pitch }) => pitch));
        return pitches.length === 0 ? null : pitches.reduce((sum, pitch) => sum + pitch, 0) / pitches.length;
      };
      const [verse, chorus] = [mean("verse"), mean("chorus")];
      if (verse !== null && chorus !== null) assert.ok(chorus > verse + 1, `${genre} ${seed}: ${chorus} over ${verse}`);
      const rests = notes.filter(
        ({ beat, beats }, n) => (notes[n + 1]?.beat ?? beat + beats) - beat - beats > 0.5,
      ).length;
      assert.ok(rests >= made.sections.length, `${genre} ${seed}: ${rests} rests`);
    }
  }
});

const WORDS: readonly WordLine[] = ["a", "b", "a", "c"].map((text) => ({
  text,
  syllables: Array.from({ length: 9 }, (_, n) => ({
    stress: n % 2 === 0 ? (1 as const) : (0 as const),
    begins: true,
    pause: false,
    carries: n % 2 === 0 ? 1 : 0,
    backing: false,
  })),
}));

test("melodies() play what is sung where nobody sings, answer it between the lines, and nothing over its words", () => {
  for (const [genre, seed] of [
    ["pop", 1],
    ["country", 2],
    ["soul", 3],
    ["rock", 4],
  ] as const) {
    const sections = [
      { kind: "intro", label: "intro", lines: 0, usual_bars: 8 },
      { kind: "verse", label: "verse", lines: 3, words: WORDS.slice(1) },
      { kind: "chorus", label: "chorus", lines: 4, words: WORDS },
      { kind: "solo", label: "solo", lines: 0 },
    ] as const;
    const made = withVoice(plan(briefOf(genre), { sections, singer: { range: [57, 74] } }, seed));
    const parts = melodies(made, duo(made));
    const spans = made.voice!.map(({ notes }) => [notes[0]!.beat, notes.at(-1)!.beat + notes.at(-1)!.beats] as const);
    for (const { notes } of parts)
      for (const { beat, beats } of notes)
        for (const [from, to] of spans)
          assert.ok(Math.min(to, beat + beats) - Math.max(from, beat) < 0.05, `${genre}: ${beat} in ${from} to ${to}`);
    assert.ok(
      within(
        parts.flatMap(({ notes }) => notes).sort((a, b) => a.beat - b.beat),
        made.sections[1]!,
      ).length > 0,
    );
    // The title is said twice: one tune, and the intro begins with it.
    const title = made.voice!.filter(({ section }) => section === 2).map(({ notes }) => notes);
    const tuneOf = (notes: readonly VoiceNote[]) => notes.map(({ pitches }) => pitches[0]!.pitch);
    assert.deepEqual(tuneOf(title[2]!), tuneOf(title[0]!));
    const steps = (pitches: readonly number[]) => pitches.slice(1).map((pitch, n) => pitch - pitches[n]!);
    const played = within(parts[0]!.notes, made.sections[0]!)
      .filter(({ beats }) => beats > 0.25)
      .slice(0, 8)
      .map(({ pitch }) => Math.floor(pitch));
    const wanted = tuneOf(title[0]!).slice(0, 8);
    const same = steps(played).filter((step, n) => step === steps(wanted)[n]).length;
    assert.ok(same >= 5, `${genre}: ${played} for ${wanted}`);
  }
});

test("melodies() swing quavers and leave whole beats", () => {
  const straight = plan(briefOf("jazz"), {}, 3);
  const swinging = { ...straight, brief: { ...straight.brief, swing: 0.66 } };
  const [a, b] = [straight, swinging].map((made) => melodies(made, duo(made))[0]!.notes) as [Note[], Note[]];
  assert.equal(a.length, b.length);
  let bent = 0;
  for (const [n, note] of a.entries()) {
    const part = note.beat % 1;
    if (part === 0) assert.equal(b[n]!.beat, note.beat);
    if (part === 0.5) {
      assert.ok(Math.abs(b[n]!.beat - note.beat - 0.16) < 1e-9);
      bent++;
    }
  }
  assert.ok(bent > 10);
});

test("melodies() double a tune where the piece is strongest, answer it elsewhere, and make do with no lead", () => {
  const made = plan(briefOf("pop"), {}, 2);
  const [lead, counter] = duo(made).seats as [ReturnType<typeof duo>["seats"][0], ReturnType<typeof duo>["seats"][0]];
  const two = melodies(made, { seats: [lead, { ...lead, name: "lead 2", instrument: "violin" }] });
  const top = made.sections.find(({ energy }) => energy === 1)!;
  const tops = two.map(({ notes }) => within(notes, top).map(({ pitch }) => pitchClass(Math.round(pitch))));
  assert.deepEqual(tops[0], tops[1]);
  assert.equal(new Set(two.map(({ name }) => name)).size, 2);
  const alone = melodies(made, { seats: [counter] });
  assert.ok(alone[0]!.notes.length > 8);
  assert.deepEqual(melodies(made, { seats: [] }), []);
});

test("melodies() of loops, clips, odd metres and triple beats hold notes", () => {
  for (const metre of [
    { beats_per_bar: 2, division: 3 },
    { beats_per_bar: 4, division: 3 },
    { beats_per_bar: 5, division: 2 },
    { beats_per_bar: 7, division: 2 },
    { beats_per_bar: 3, division: 2 },
    { beats_per_bar: 4, division: 2 },
  ] as const) {
    for (const outline of [
      {},
      { seconds: 0.5, ring: true },
      { seconds: 8, ring: true },
      { seconds: 1, clip: true },
      { seconds: 14, clip: true },
    ] as const) {
      const made = plan(briefOf("folk", { metre }), outline, 6);
      const [lead] = melodies(made, duo(made));
      assert.ok(lead!.notes.length > 0, `${metre.beats_per_bar} ${JSON.stringify(outline)}`);
      for (const { beat } of lead!.notes) assert.ok(beat >= 0 && beat < made.beats);
    }
  }
});

test("melodies() are the same for the same seed and others for another", () => {
  const of = (seed: number) => {
    const made = plan(briefOf("pop"), {}, seed);
    return melodies(made, duo(made));
  };
  assert.deepEqual(of(4), of(4));
  assert.notDeepEqual(
    bars(plan(briefOf("pop"), {}, 4), of(4)[0]!.notes),
    bars(plan(briefOf("pop"), {}, 5), of(5)[0]!.notes),
  );
});
