import assert from "node:assert/strict";
import { test } from "node:test";
import { clockOf, type Genre } from "../../../../runners/music/compose/mod.ts";
import { readLyrics } from "../../../../runners/music/sing/lyrics/lyrics.ts";
import type { Frame } from "../../../../runners/music/sing/setting/frame.ts";
import { notesOf, outlineOf, phrasesOf, timingsOf } from "../../../../runners/music/sing/setting/phrases.ts";
import { setLyrics } from "../../../../runners/music/sing/setting/setting.ts";
import { VOICES } from "../../../../runners/music/sing/voice/voices.ts";

const LYRICS = `[Intro]
[Verse 1]
Walking down the empty street tonight
Every window holds a little light
I was waiting for the sun to rise over all the unbelievable mountains
Now
[Chorus]
Hold me now, don't let me go (oh oh)
There is something you should know
[Instrumental]
[Verse 2]
Morning comes and paints the city gold
Take my hand before the night is cold
[Chorus]
Hold me now, don't let me go (oh oh)
There is something you should know`;

function frameOf(lyrics: ReturnType<typeof readLyrics>, changes: Partial<Frame> = {}, bars = 2): Frame {
  const metre = changes.metre ?? { beats_per_bar: 4, division: 2 };
  let beat = 0;
  const sections = outlineOf(lyrics).map(({ kind, label, lines }) => {
    const beats = Math.max(1, lines) * bars * metre.beats_per_bar;
    beat += beats;
    return { kind, label, lines, beat: beat - beats, beats, energy: kind === "chorus" ? 0.9 : 0.5 };
  });
  const roots = [9, 5, 0, 7];
  // Each section begins the same progression anew.
  const chords = sections.flatMap(({ beat: begin, beats }) =>
    Array.from({ length: Math.ceil(beats / metre.beats_per_bar) }, (_, n) => {
      const root = roots[n % 4]!;
      const tones = [root, (root + (root === 9 ? 3 : 4)) % 12, (root + 7) % 12];
      return { beat: begin + n * metre.beats_per_bar, beats: metre.beats_per_bar, root, bass: root, tones, symbol: "" };
    }),
  );
  return { bpm: 112, metre, key: { tonic: 9, mode: "minor" }, swing: 0.5, genre: "pop", sections, chords, ...changes };
}

test("every syllable of every line is sung once, in order, within the voice's range", () => {
  const lyrics = readLyrics(LYRICS);
  const wanted = lyrics.sections.flatMap(({ lines }) =>
    lines.flatMap(({ words }) => words.flatMap(({ syllables }) => syllables.map(({ phonemes }) => phonemes.join(" ")))),
  );
  const cases: readonly Partial<Frame>[] = [
    {},
    { bpm: 60, genre: "soul" },
    { bpm: 174, swing: 0.62 },
    { metre: { beats_per_bar: 3, division: 2 } },
    { metre: { beats_per_bar: 2, division: 3 } },
    { genre: "trap" as Genre, bpm: 140 },
    { chords: [] },
  ];
  for (const changes of cases) {
    for (const bars of [0.5, 1, 2, 4]) {
      for (const voice of [VOICES.baritone, VOICES.soprano]) {
        const frame = frameOf(lyrics, changes, bars);
        const { lines } = setLyrics(lyrics, frame, voice, 3);
        const label = JSON.stringify({ ...changes, bars });
        const sung = lines.flatMap(({ syllables }) => syllables);
        assert.deepEqual(
          sung.map(({ phonemes }) => phonemes.join(" ")),
          wanted,
          label,
        );
        let end = Number.NEGATIVE_INFINITY;
        for (const { beat, beats, pitches, velocity } of sung) {
          assert.ok(beat >= end - 1e-6 && beats > 0.01, `${label}: ${beat} ${beats} after ${end}`);
          end = beat + beats;
          assert.ok(velocity > 0.3 && velocity <= 1);
          for (const { pitch } of pitches) assert.ok(pitch >= voice.range[0] - 1 && pitch <= voice.range[1] + 1, label);
        }
        for (const { section, syllables } of lines) {
          const { beat, beats } = frame.sections[section]!;
          assert.ok(syllables[0]!.beat >= beat - 1.01 && syllables.at(-1)!.beat < beat + beats, label);
        }
      }
    }
  }
});

test("a chorus returns note for note", () => {
  const lyrics = readLyrics(LYRICS);
  const frame = frameOf(lyrics);
  const { lines } = setLyrics(lyrics, frame, VOICES.alto, 9);
  const choruses = [2, 5].map((section) =>
    lines
      .filter((line) => line.section === section)
      .map(({ syllables }) => syllables.map(({ beat, pitches }) => [beat - frame.sections[section]!.beat, pitches])),
  );
  assert.equal(choruses[0]!.length, 2);
  assert.deepEqual(choruses[0], choruses[1]);
});

test("stressed syllables fall on the beat, strong notes are tones of the chord, another seed sings otherwise", () => {
  const lyrics = readLyrics(LYRICS);
  const frame = frameOf(lyrics);
  const all = [1, 2, 3, 4].flatMap((seed) => setLyrics(lyrics, frame, VOICES.tenor, seed).lines);
  const sung = all.flatMap(({ syllables }) => syllables);
  const on = (stress: number): number => {
    const some = sung.filter((syllable) => (syllable.stress === 1) === (stress === 1));
    return some.filter(({ beat }) => Math.abs(beat - Math.round(beat)) < 0.01).length / some.length;
  };
  assert.ok(on(1) > 0.65 && on(1) > on(0) + 0.2, `${on(1)} of the stressed, ${on(0)} of the others`);
  const strong = sung.filter(({ beat }) => Math.abs(beat / 2 - Math.round(beat / 2)) < 0.01);
  const fit = strong.filter(({ beat, pitches }) =>
    frame.chords.findLast((chord) => chord.beat <= beat + 0.01)!.tones.includes(pitches.at(-1)!.pitch % 12),
  );
  assert.ok(fit.length / strong.length > 0.8, `${fit.length} of ${strong.length}`);
  assert.notDeepEqual(setLyrics(lyrics, frame, VOICES.tenor, 1), setLyrics(lyrics, frame, VOICES.tenor, 2));
  assert.deepEqual(setLyrics(lyrics, frame, VOICES.tenor, 1), setLyrics(lyrics, frame, VOICES.tenor, 1));
});

test("phrases, notes and timings agree; backing words are apart", () => {
  const lyrics = readLyrics(LYRICS);
  const setting = setLyrics(lyrics, frameOf(lyrics), VOICES.alto, 1);
  const lead = phrasesOf(setting, "lead", clockOf({ bpm: 112, lead_in: 0 }), 44_100).flat();
  const backing = phrasesOf(setting, "backing", clockOf({ bpm: 112, lead_in: 0 }), 44_100).flat();
  assert.equal(backing.length, 4);
  assert.equal(lead.length + backing.length, setting.lines.flatMap(({ syllables }) => syllables).length);
  for (let n = 1; n < lead.length; n++) assert.ok(lead[n]!.frame >= lead[n - 1]!.frame + lead[n - 1]!.frames - 1);
  const timings = timingsOf(setting, clockOf({ bpm: 112, lead_in: 0 }));
  assert.deepEqual(
    timings.map(({ line }) => line),
    lyrics.sections.flatMap(({ lines }) => lines.map(({ text }) => text)),
  );
  assert.ok(timings.every(({ start, end }, n) => end > start && start >= (timings[n - 1]?.end ?? 0)));
  assert.ok(notesOf(setting, "lead").length >= lead.length);
});

test("more sections of lyrics than sections to sing in, or none, lose no word", () => {
  const lyrics = readLyrics(LYRICS);
  const whole = frameOf(lyrics);
  const one = { ...whole, sections: [{ ...whole.sections[1]!, beat: 0, beats: 64 }] };
  assert.equal(setLyrics(lyrics, one, VOICES.alto, 1).lines.length, 10);
  assert.equal(setLyrics(lyrics, { ...whole, sections: [] }, VOICES.alto, 1).lines.length, 0);
  assert.equal(setLyrics(readLyrics(""), whole, VOICES.alto, 1).lines.length, 0);
});

test("a line that is longer than a breath is sung in parts, at a pace that can be sung, and told as one", () => {
  const lyrics = readLyrics(
    `[Verse]\n${"la".repeat(150)}\n${"so many words, in one line that never ends ".repeat(12)}\nshort`,
  );
  assert.ok(outlineOf(lyrics)[0]!.lines > 20);
  const frame = frameOf(lyrics);
  const { lines } = setLyrics(lyrics, frame, VOICES.alto, 3);
  assert.deepEqual(
    lines.map(({ syllables }) => syllables.length),
    lyrics.sections[0]!.lines.map(({ words }) => words.reduce((sum, { syllables }) => sum + syllables.length, 0)),
  );
  for (const { syllables } of lines)
    for (let n = 1; n < syllables.length; n++)
      assert.ok((60 / frame.bpm) * (syllables[n]!.beat - syllables[n - 1]!.beat) > 0.1, `${n}`);
  const [long, many] = timingsOf({ lines }, clockOf({ bpm: frame.bpm, lead_in: 0 }));
  assert.equal(long!.words.length, 1);
  assert.equal(many!.words.length, 12 * 9);
});
