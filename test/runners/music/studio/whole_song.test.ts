/** Songs of a length that was asked for: what comes again, what is played, and how near the length is met. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runAction } from "../../../../packages/plugin/testing.ts";
import newInstrumental from "../../../../plugins/create.new_instrumental/action.ts";
import newSong from "../../../../plugins/create.new_song/action.ts";
import * as composer from "../../../../runners/music/compose/composer.ts";
import { clockOf } from "../../../../runners/music/compose/mod.ts";
import { type Lyrics, loadSinger } from "../../../../runners/music/sing/mod.ts";
import { layoutOf } from "../../../../runners/music/studio/layout.ts";
import { createPluginEngines as engines } from "../../../../runners/plugin_engines.ts";

const FIVE = `[Verse]
Morning on the river, silver on the stone
Every road I wander leads me back to home
Paper boats are sailing down to where the lanterns burn
[Chorus]
Carry me over, carry me on
Sing till the night is gone`;
const LYRICS: Readonly<Record<string, string>> = {
  five: FIVE,
  one: "We are the lights in the city tonight",
  marked: `[Intro]\n${FIVE}\n[Verse]\nSmoke above the valley, ashes on the wind\nNobody remembers how it could begin\n[Chorus]\n[Bridge]\nHold on, hold on\n[Outro]`,
  plain:
    "Rain on the roof\nand nobody home\nthe kettle is singing\nan old song alone\n\nWind in the wires\nand dust on the floor\nsomebody whistling\noutside of my door",
};
const PROMPTS = [
  "indie folk, 96 bpm",
  "house",
  "slow soul ballad",
  "waltz",
  "punk rock",
  "trap",
  "bossa nova",
  "80s synthpop",
  "reggae",
  "jazz in 5/4",
];

const engine = await loadSinger();
const words = Object.fromEntries(Object.entries(LYRICS).map(([name, text]) => [name, engine.readLyrics(text)]));

function arranged(lyrics: Lyrics, prompt: string, seconds?: number, seed = 7) {
  const brief = composer.understand(prompt);
  const wish = { brief, outline: {}, ...(seconds === undefined ? {} : { seconds, outline: { seconds } }) };
  const laid = layoutOf(lyrics, wish, seed, engine, composer);
  const score = composer.compose(laid.brief, { ...laid.outline, singer: engine.VOICES.alto }, seed);
  const bar_seconds = (score.metre.beats_per_bar * 60) / score.bpm;
  return { whole: laid.lyrics, laid_s: laid.lasts, score, lasts: clockOf(score).seconds(score.beats), bar_seconds };
}

test("a model is asked for a song as long as ours is", () => {
  for (const prompt of PROMPTS.slice(0, 4)) {
    const { laid_s, lasts } = arranged(words.five!, prompt);
    assert.ok(Math.abs(Math.log(laid_s / lasts)) < 0.2, `${prompt}: ${laid_s} s, ours ${lasts} s`);
    assert.equal(arranged(words.five!, prompt, 60).laid_s, 60);
  }
});

test("forty songs are as long as was asked for, to a bar, and lose no line", () => {
  const far: string[] = [];
  for (const prompt of PROMPTS)
    for (const [name, seconds] of [
      ["five", 60],
      ["five", 180],
      ["one", 60],
      ["plain", 240],
    ] as const) {
      const lyrics = words[name]!;
      const { whole, lasts, bar_seconds } = arranged(lyrics, prompt, seconds);
      if (Math.abs(lasts - seconds) > 1.02 * bar_seconds)
        far.push(`${prompt}, ${name}: ${lasts.toFixed(1)} for ${seconds} s`);
      const lines = whole.sections.flatMap(({ lines: some }) => some);
      let at = -1;
      for (const line of lyrics.sections.flatMap(({ lines: some }) => some)) {
        const found = lines.indexOf(line, at + 1);
        assert.ok(found > at, `${prompt}, ${name}: "${line.text}" comes too late or not at all`);
        at = found;
      }
    }
  assert.deepEqual(far, []);
});

test("a long song begins and ends with the band, has a solo, and its chorus comes again", () => {
  const { whole } = arranged(words.five!, "indie folk, 96 bpm", 150);
  const kinds = whole.sections.map(({ kind }) => kind);
  assert.deepEqual([kinds[0], kinds.at(-1)], ["intro", "outro"]);
  assert.ok(kinds.filter((kind) => kind === "chorus").length >= 2, kinds.join(" "));
  // What was written keeps its order, and its own edges.
  const marked = arranged(words.marked!, "indie folk, 96 bpm", 200).whole.sections.map(
    ({ marker, kind }) => marker ?? kind,
  );
  assert.deepEqual([marked[0], marked.at(-1)], ["Intro", "Outro"]);
  assert.equal(marked.filter((name) => name === "intro" || name === "outro").length, 0, marked.join(", "));
});

test("a song that nobody gave a length is as long as its genre's are, and what was said of it is obeyed", () => {
  for (const [at, prompt] of PROMPTS.entries())
    for (const name of ["five", "one", "marked", "plain"]) {
      const { whole, lasts, score } = arranged(words[name]!, prompt, undefined, at);
      assert.ok(lasts >= 88 && lasts <= 245, `${prompt}, ${name}: ${lasts.toFixed(0)} s`);
      const edges = [score.sections[0]!, score.sections.at(-1)!];
      assert.ok(
        edges.every(({ lines }) => lines === undefined),
        `${prompt}, ${name}: ${whole.sections.map(({ kind }) => kind)}`,
      );
    }
  const short = arranged(words.five!, "a short pop song, no intro");
  assert.ok(short.lasts < 90, `${short.lasts}`);
  assert.ok((short.score.sections[0]!.lines ?? 0) > 0, "it begins with the voice");
  assert.ok(Math.abs(arranged(words.five!, "house, 30 seconds").lasts - 30) < 3);
});

test("songs of drops end with a way out, and songs of solos come back to what was sung", () => {
  for (const prompt of ["house, piano stabs", "trance, euphoric", "jazz", "slow blues"])
    for (const shape of ["one", "five"])
      for (let seed = 1; seed <= 4; seed++) {
        const { whole } = arranged(words[shape]!, prompt, undefined, seed);
        const kinds = whole.sections.map(({ kind }) => kind);
        assert.equal(kinds.at(-1), "outro", `${prompt}: ${kinds.join(" ")}`);
        assert.notEqual(kinds.at(-2), "solo", `${prompt}: ${kinds.join(" ")}`);
      }
});

test("markers keep their bars, and who they name has the tune", () => {
  const lyrics = engine.readLyrics(
    `[Intro: 7 bars]\n${FIVE}\n[Solo: cello]\n[Chorus]\n[Drum break: 2 bars]\n[Outro: fade]`,
  );
  const { score, whole } = arranged(lyrics, "indie folk, 96 bpm");
  const bars = (section: (typeof score.sections)[number]): number => section.beats / score.metre.beats_per_bar;
  assert.equal(bars(score.sections[0]!), 7);
  const solo = score.sections[whole.sections.findIndex(({ marker }) => marker === "Solo: cello")]!;
  const playing = (span: typeof solo): string[] =>
    score.parts.flatMap(({ role, instrument, notes }) =>
      notes.some(({ beat }) => beat >= span.beat - 0.01 && beat < span.beat + span.beats - 0.01)
        ? [`${role} ${instrument}`]
        : [],
    );
  assert.deepEqual(
    playing(solo).filter((name) => name.startsWith("lead")),
    ["lead cello"],
  );
  const drums = score.sections[whole.sections.findIndex(({ marker }) => marker === "Drum break: 2 bars")]!;
  assert.equal(bars(drums), 2);
  assert.deepEqual(
    playing(drums).filter((name) => !/^(?:drums|percussion|texture|transition)/u.test(name)),
    [],
  );
  assert.ok(score.moves.some(({ kind }) => kind === "fade_out"));
});

test("the last chorus of a song may be lifted, and is sung to the same tune", () => {
  const { score, whole } = arranged(words.five!, "soul, key change", 120);
  const { key, key_change } = score;
  const up = (key_change!.key.tonic - key.tonic + 12) % 12;
  assert.ok(up === 1 || up === 2);
  const { sections } = score;
  const { lines } = engine.setLyrics(whole, score.voice!);
  const tunes = lines
    .filter(({ text }) => text.startsWith("Carry"))
    .map(({ section, syllables }) => ({
      lifted: sections[section]!.beat >= key_change!.beat,
      tune: syllables.map(({ pitches }) => pitches[0]!.pitch),
    }));
  const [first, last] = [tunes[0]!, tunes.at(-1)!];
  assert.deepEqual([first.lifted, last.lifted], [false, true]);
  assert.deepEqual(
    last.tune,
    first.tune.map((pitch) => pitch + up),
  );
});

test("lyrics that fill the time by themselves are left as they are", () => {
  const lyrics = words.plain!;
  const { lasts } = arranged(lyrics, "indie folk, 96 bpm", 10);
  assert.ok(lasts > 20, `${lasts}: nothing is left out`);
  assert.deepEqual(arranged(lyrics, "indie folk, 96 bpm", 10).whole.sections, lyrics.sections);
});

test("a duration holds for what is delivered, song or instrumental, whatever the words say", async () => {
  const song = await runAction(newSong, {
    request: { lyrics: LYRICS.one!, prompt: "punk rock, two minutes", duration: 14, seed: 1 },
    engines,
  });
  const piece = await runAction(newInstrumental, { request: { prompt: "solo piano", duration: 12, seed: 1 }, engines });
  for (const [{ outputs }, seconds] of [
    [song, 14],
    [piece, 12],
  ] as const) {
    const { channels, sample_rate } = outputs[0]!.audio;
    const [left] = channels;
    const bpm = (outputs[0]!.report as { composed: { tempo_bpm: number } }).composed.tempo_bpm;
    const bar = 240 / bpm;
    assert.ok(
      Math.abs(left!.length / sample_rate - seconds) <= bar + 0.2,
      `${left!.length / sample_rate} for ${seconds} s`,
    );
    // It ends in silence, not in the middle of a sound.
    const last = left!.subarray(-441).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    assert.ok(last < 0.02, `${last}`);
  }
});
