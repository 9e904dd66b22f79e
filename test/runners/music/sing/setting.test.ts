import assert from "node:assert/strict";
import { test } from "node:test";
import { type Brief, clockOf, composer, type Score } from "../../../../runners/music/compose/mod.ts";
import { type Lyrics, readLyrics } from "../../../../runners/music/sing/lyrics/lyrics.ts";
import { outlineOf, phrasesOf, timingsOf } from "../../../../runners/music/sing/setting/phrases.ts";
import { type Setting, setLyrics } from "../../../../runners/music/sing/setting/setting.ts";
import { VOICES, type Voice } from "../../../../runners/music/sing/voice/voices.ts";

const { compose, understand } = await composer.load();

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

interface Sung {
  readonly score: Score;
  readonly setting: Setting;
}

/** @param bars of a line; absent: as the tempo and the words have it */
function sung(lyrics: Lyrics, voice: Voice, seed: number, changes: Partial<Brief> = {}, bars?: number): Sung {
  const brief: Brief = { ...understand("pop in A minor"), bpm: 112, explicit: ["bpm", "key"], ...changes };
  const sections = outlineOf(lyrics).map((section) =>
    bars === undefined || section.lines === 0
      ? section
      : { ...section, bars: Math.max(1, Math.ceil(section.lines * bars)), exact: true as const },
  );
  const score = compose(brief, { sections, singer: voice }, seed);
  return { score, setting: setLyrics(lyrics, score.voice!) };
}

test("every syllable of every line is sung once, in order, within the voice's range", () => {
  const lyrics = readLyrics(LYRICS);
  const wanted = lyrics.sections.flatMap(({ lines }) =>
    lines.flatMap(({ words }) => words.flatMap(({ syllables }) => syllables.map(({ phonemes }) => phonemes.join(" ")))),
  );
  const cases: readonly Partial<Brief>[] = [
    {},
    { bpm: 60, genre: "soul" },
    { bpm: 174, swing: 0.62 },
    { metre: { beats_per_bar: 3, division: 2 } },
    { metre: { beats_per_bar: 2, division: 3 } },
    { genre: "trap", bpm: 140 },
  ];
  for (const changes of cases) {
    for (const bars of [0.5, 1, 2, 4, undefined]) {
      for (const voice of [VOICES.baritone, VOICES.soprano]) {
        const { score, setting } = sung(lyrics, voice, 3, changes, bars);
        const label = JSON.stringify({ ...changes, bars });
        const all = setting.lines.flatMap(({ syllables }) => syllables);
        assert.deepEqual(
          all.map(({ phonemes }) => phonemes.join(" ")),
          wanted,
          label,
        );
        const up = score.key_change === undefined ? 0 : 2;
        let end = Number.NEGATIVE_INFINITY;
        for (const { beat, beats, pitches, velocity } of all) {
          assert.ok(beat >= end - 1e-6 && beats > 0.01, `${label}: ${beat} ${beats} after ${end}`);
          end = beat + beats;
          assert.ok(velocity > 0.3 && velocity <= 1);
          for (const { pitch } of pitches)
            assert.ok(pitch >= voice.range[0] - 1 && pitch <= voice.range[1] + 1 + up, `${label}: ${pitch}`);
        }
        for (const { section, syllables } of setting.lines) {
          const { beat, beats } = score.sections[section]!;
          assert.ok(syllables[0]!.beat >= beat - 2.01 && syllables.at(-1)!.beat < beat + beats, label);
        }
      }
    }
  }
});

test("a chorus returns note for note, and a line that is said again is sung again", () => {
  const lyrics = readLyrics(`${LYRICS}\nHold me now, don't let me go (oh oh)`);
  const { score, setting } = sung(lyrics, VOICES.alto, 9);
  const tunes = setting.lines
    .filter(({ text }) => text.startsWith("Hold me"))
    .map(({ syllables }) =>
      syllables.map(({ beat, pitches }) => [beat - syllables[0]!.beat, pitches.map(({ pitch }) => pitch)]),
    );
  assert.equal(tunes.length, 3);
  assert.equal(score.key_change, undefined);
  assert.deepEqual(tunes[1], tunes[0]);
  assert.deepEqual(tunes[2], tunes[0]);
});

test("a later verse is the first one's tune, with other ends and a higher peak", () => {
  const lyrics = readLyrics(
    "[Verse]\nMorning on the river, silver on the stone\nEvery road I wander leads me back to home\n[Chorus]\nCarry me over, carry me on\n[Verse]\nMotel on the corner, neon in the rain\nWriting down your number waiting for the train\n[Chorus]\nCarry me over, carry me on",
  );
  for (const seed of [1, 2, 3]) {
    const { score, setting } = sung(lyrics, VOICES.tenor, seed);
    const verses = score.sections.flatMap(({ kind, beat }, at) =>
      kind !== "verse"
        ? []
        : [
            setting.lines
              .filter(({ section }) => section === at)
              .map(({ syllables }) =>
                syllables.map(({ beat: from, pitches }) => ({ at: from - beat, pitch: pitches.at(-1)!.pitch })),
              ),
          ],
    );
    const [first, second] = verses as [(typeof verses)[0], (typeof verses)[0]];
    const peakOf = (verse: typeof first): number => Math.max(...verse.flat().map(({ pitch }) => pitch));
    assert.ok(peakOf(second) > peakOf(first), `${peakOf(second)} after ${peakOf(first)}`);
    const near = second.map((line, n) =>
      line.map(({ at, pitch }) => {
        const before = first[n]!.findLast((note) => note.at <= at + 0.13) ?? first[n]![0]!;
        return Math.abs(pitch - before.pitch) <= 2;
      }),
    );
    const alike = near.flat().filter(Boolean).length / near.flat().length;
    assert.ok(alike > 0.6 && alike < 1, `${alike}`);
    assert.ok(second.some((line, n) => line.at(-1)!.pitch !== first[n]!.at(-1)!.pitch));
  }
});

test("stressed syllables fall on the beat, strong notes are tones of the chord, another seed sings otherwise", () => {
  const lyrics = readLyrics(LYRICS);
  const songs = [1, 2, 3, 4].map((seed) => sung(lyrics, VOICES.tenor, seed));
  const all = songs.flatMap(({ score, setting }) =>
    setting.lines.flatMap(({ syllables }) => syllables.map((syllable) => ({ ...syllable, score }))),
  );
  const on = (stress: number): number => {
    const some = all.filter((syllable) => (syllable.stress === 1) === (stress === 1));
    return some.filter(({ beat }) => Math.abs(beat - Math.round(beat)) < 0.01).length / some.length;
  };
  assert.ok(on(1) > 0.9 && on(1) > on(0) + 0.2, `${on(1)} of the stressed, ${on(0)} of the others`);
  const strong = all.filter(({ beat }) => Math.abs(beat / 2 - Math.round(beat / 2)) < 0.01);
  const fit = strong.filter(({ beat, pitches, score }) =>
    score.chords.findLast((chord) => chord.beat <= beat + 0.01)!.tones.includes(pitches.at(-1)!.pitch % 12),
  );
  assert.ok(fit.length / strong.length > 0.75, `${fit.length} of ${strong.length}`);
  assert.notDeepEqual(songs[0]!.setting, songs[1]!.setting);
  assert.deepEqual(songs[0]!.setting, sung(lyrics, VOICES.tenor, 1).setting);
});

test("vowels that carry are held, light beginnings lead into a bar, and there is a breath before every line", () => {
  const lyrics = readLyrics(LYRICS);
  let [long, shut, light, into] = [0, 0, 0, 0];
  for (const seed of [1, 2, 3, 4]) {
    const { score, setting } = sung(lyrics, VOICES.tenor, seed);
    const seconds = (beats: number): number => (beats * 60) / score.bpm;
    for (const [n, { syllables }] of setting.lines.entries()) {
      const before = setting.lines[n - 1]?.syllables.at(-1);
      if (before !== undefined) assert.ok(seconds(syllables[0]!.beat - before.beat - before.beats) > 0.15);
      for (const { beats, phonemes, nucleus } of syllables) {
        if (seconds(beats) < 0.6) continue;
        long++;
        if (["IH", "UH", "AX"].includes(phonemes[nucleus]!)) shut++;
      }
      const first = syllables.find(({ stress }) => stress === 1)!;
      if (first === syllables[0]) continue;
      light++;
      if (first.beat % score.metre.beats_per_bar === 0) into++;
    }
  }
  assert.ok(shut < 0.15 * long, `${shut} of ${long}`);
  assert.ok(into > 0.6 * light && light > 3, `${into} of ${light}`);
});

test("where a band is off the beat a held syllable may come a quaver early", () => {
  const lyrics = readLyrics("[Chorus]\nHold me now\nLet it go\nStay with me tonight\nNever say no");
  let early = 0;
  for (const genre of ["funk", "reggae", "soul"] as const)
    for (let seed = 1; seed < 9; seed++) {
      const { score, setting } = sung(lyrics, VOICES.alto, seed, { genre, swing: 0.5 });
      for (const { syllables } of setting.lines)
        for (const [n, { stress, beat, beats }] of syllables.entries()) {
          if (stress !== 1 || beat % 1 === 0) continue;
          const on = Math.ceil(beat);
          if (on % (score.metre.beats_per_bar / 2) !== 0 || beat % 1 !== 0.5) continue;
          early++;
          assert.ok(beats > 0.75 && (syllables[n + 1]?.beat ?? on + 1) >= on + 0.5, `${genre} ${seed}: ${beat}`);
        }
    }
  assert.ok(early > 5, `${early}`);
});

test("phrases and timings agree; backing words are apart", () => {
  const lyrics = readLyrics(LYRICS);
  const { setting } = sung(lyrics, VOICES.alto, 1);
  const clock = clockOf({ bpm: 112, lead_in: 2 });
  const lead = phrasesOf(setting, "lead", clock, 44_100).flat();
  const backing = phrasesOf(setting, "backing", clock, 44_100).flat();
  assert.equal(backing.length, 4);
  assert.equal(lead.length + backing.length, setting.lines.flatMap(({ syllables }) => syllables).length);
  for (let n = 1; n < lead.length; n++) assert.ok(lead[n]!.frame >= lead[n - 1]!.frame + lead[n - 1]!.frames - 1);
  const timings = timingsOf(setting, clock);
  assert.deepEqual(
    timings.map(({ line }) => line),
    lyrics.sections.flatMap(({ lines }) => lines.map(({ text }) => text)),
  );
  assert.ok(timings.every(({ start, end }, n) => end > start && start >= (timings[n - 1]?.end ?? 0)));
});

test("what no score was written for is not sung", () => {
  assert.equal(setLyrics(readLyrics(LYRICS), []).lines.length, 0);
  const nothing = compose(understand("pop"), { sections: outlineOf(readLyrics("[Intro]")), singer: VOICES.alto }, 1);
  assert.equal(nothing.voice, undefined);
});

test("a line that is longer than a breath is sung in parts, at a pace that can be sung, and told as one", () => {
  const lyrics = readLyrics(
    `[Verse]\n${"la".repeat(150)}\n${"so many words, in one line that never ends ".repeat(12)}\nshort`,
  );
  assert.ok(outlineOf(lyrics)[0]!.lines > 20);
  const { score, setting } = sung(lyrics, VOICES.alto, 3);
  const { lines } = setting;
  assert.deepEqual(
    lines.map(({ syllables }) => syllables.length),
    lyrics.sections[0]!.lines.map(({ words }) => words.reduce((sum, { syllables }) => sum + syllables.length, 0)),
  );
  for (const { syllables } of lines)
    for (let n = 1; n < syllables.length; n++)
      assert.ok((60 / score.bpm) * (syllables[n]!.beat - syllables[n - 1]!.beat) > 0.1, `${n}`);
  const [long, many] = timingsOf({ lines }, clockOf(score));
  assert.equal(long!.words.length, 1);
  assert.equal(many!.words.length, 12 * 9);
});
