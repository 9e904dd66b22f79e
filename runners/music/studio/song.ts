import type { Job, Making, Output } from "../../../contract/mod.ts";
import { Reel } from "../../reel.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { release } from "../../signal/dsp/release.ts";
import { type Clock, calledOn, clockOf, composer, type Key, type Note, type Part, type Score } from "../compose/mod.ts";
import { RATE } from "../play/mod.ts";
import { type Lyrics, loadSinger, type SingEngine, type SungPhrase } from "../sing/mod.ts";
import { byModel } from "./by_model.ts";
import type { SongInput } from "./input.ts";
import { layoutOf } from "./layout.ts";
import { type Guest, record } from "./record.ts";
import { scoreReport } from "./score_report.ts";
import { ENGINE, share, within } from "./shared.ts";
import { harmonySteps, type Singer, singerFor, sungAs } from "./singer.ts";
import { type Turns, turnsOf } from "./turns.ts";
import { type Vocalist, vocalist } from "./vocalist.ts";
import { heard, lasting, read, type Wish } from "./wish.ts";

/** Share of the progress that listening to a reference takes. */
const HEARD = 0.15;
/** Doubles and harmonies against the lead, dB; the desk levels each by loudness first. */
const DOUBLE_DB = -5;
const HARMONY_DB = -6;
/** Answers are sung where the lead is not. */
const ANSWER_DB = 2;

/** A syllable's first consonants come before its note. */
const CONSONANT_S = 0.1;

/** One song for each seed, each made when it is called for: stereo, not mastered. Equal input gives equal samples. */
export async function makeSongs(
  { lyrics, prompt, reference, seconds, seeds }: SongInput,
  job: Job,
): Promise<readonly Making[]> {
  const engine = await loadSinger();
  const open = prompt === undefined ? await heard(reference!, share(job, 0, HEARD)) : await read(prompt);
  const asked = lasting(open, seconds);
  const from = prompt === undefined ? HEARD : 0;
  const music = await composer.load();
  const ask = music.readPrompt(prompt ?? "");
  const words = engine.readLyrics(lyrics);
  const chords = words.sections.flatMap((one) => [
    ...(one.chords ?? []),
    ...one.lines.flatMap((line) => line.chords ?? []),
  ]);
  const wish: Wish = { ...asked, brief: music.keyedBy(asked.brief, chords) };
  const isKnown = (said: string): boolean => music.readPrompt(said).mentions.some(({ guessed }) => guessed === null);
  const duet = turnsOf(words, ask, isKnown).length > 0;
  const singers = seeds.map((seed) => singerFor(ask, wish.brief, seed, engine, duet));
  const choose = music.chooser(seeds, (seed, index) => {
    const { lyrics, brief, outline } = layoutOf(words, wish, seed, engine, music);
    return { lyrics, score: music.compose(brief, { ...outline, singer: singers[index]!.voice }, seed) };
  });
  const width = (1 - from) / seeds.length;
  return seeds.map((seed, index) => () => {
    const own = share(job, from + index * width, width);
    const perform = async (): Promise<Output> => {
      own.progress(0, "composing");
      const { lyrics, score, choice } = choose(index);
      const singer = singers[index]!;
      const who = vocalist(engine, own);
      const turns = turnsOf(lyrics, ask, isKnown);
      const { guests, lines } = vocals(lyrics, score, singer, seed, engine, who, turns);
      const audio = await record(score, seed, share(own, 0.02, 0.98), { guests, ...within(wish.seconds) });
      return {
        audio,
        engine: who.engine(ENGINE),
        report: {
          ...who.report(),
          understood: sungAs(music.reportOf(wish.brief), ask),
          composed: scoreReport(score, choice),
          voice: singer.name,
          language: lyrics.language,
          lines,
        },
      };
    };
    if (prompt === undefined) return perform();
    const seconds = (): number => wish.outline.seconds ?? layoutOf(words, wish, seed, engine, music).lasts;
    // Nobody knows what it took the words for, nor what is sung when.
    const report = { understood: null, composed: null, voice: null, language: words.language, lines: null };
    const piece = {
      what: "the song",
      words: { prompt, lyrics },
      seconds,
      seed,
      report: () => report,
      built_in: ENGINE,
    };
    return byModel("song", piece, own, perform);
  });
}

/**
 * The lead, its double, harmonies in what returns, and what stands in brackets.
 *
 * @param who sings, where it is not the built-in voice
 * @param turns who of a duet sings which section of the lyrics; empty: the first sings all of it
 */
export function vocals(
  lyrics: Lyrics,
  score: Score,
  singer: Singer,
  seed: number,
  engine: SingEngine,
  who: Vocalist = vocalist(engine, { signal: new AbortController().signal, progress: () => undefined }),
  turns: Turns = [],
): { readonly guests: readonly Guest[]; readonly lines: readonly object[] } {
  const { sections } = score;
  const clock = clockOf(score);
  const setting = engine.setLyrics(lyrics, score.voice ?? []);
  const { first, second, both } = partsOf(setting.lines, turns, singer);
  const leadOf = (lines: Setting["lines"]): SungPhrase[] => engine.phrasesOf({ lines }, "lead", clock, RATE);
  const lead = leadOf(
    [...first, ...both].sort((one, other) => setting.lines.indexOf(one) - setting.lines.indexOf(other)),
  );
  const answers = engine.phrasesOf(setting, "backing", clock, RATE);
  const choruses = [...new Set(setting.lines.map(({ section }) => section))].filter(
    (section) => sections[section]?.kind === "chorus",
  );
  const sungIn = (some: readonly number[]): SungPhrase[] =>
    leadOf(setting.lines.filter((line) => some.includes(line.section) && !second.includes(line)));
  // The first of several choruses is the lead's and its double's; the last has a third voice.
  const returning = sungIn(choruses.length > 1 ? choruses.slice(1) : choruses);
  const last = sungIn(choruses.length > 1 ? choruses.slice(-1) : []);
  const harmonised = (phrases: readonly SungPhrase[], steps: number): SungPhrase[] =>
    phrases.map((phrase) => {
      const sung_in = keyUntil(score, clock.beat((phrase.at(-1)?.frame ?? 0) / RATE));
      return engine.harmony(phrase, sung_in, steps, answerer.voice.range);
    });
  const singing = (salt: number, { voice } = singer) => ({ voice, seed: hash32(seed, salt) });
  const answerer = singer.second ?? singer;
  const guests: Guest[] = [];
  // Who answers has sections of his own, and a third beside the lead in those of both.
  const other = [
    ...leadOf(second).map((phrase) => withinReach(phrase, answerer.voice.range)),
    ...harmonised(leadOf(both), harmonySteps(answerer)),
  ].sort((one, later) => one[0]!.frame - later[0]!.frame);
  // The double is made of the very take, so a copy of it is kept until it has been.
  let take: Reel | undefined;
  guests.push({
    part: {
      ...part("vocal", "vocal", 0, score.voice_db ?? 0),
      notes: [...lead, ...other]
        .flatMap((phrase) => breathOf(phrase, clock))
        .sort((one, later) => one.beat - later.beat),
    },
    perform: async (frames) => {
      const sung = await who.perform(lead, frames, singing(6));
      if (other.length > 0) {
        const answered = await who.perform(other, frames, singing(14, answerer));
        for (let n = 0; n < frames; n++) sung[n]! += answered[n]!;
        release(answered);
      }
      take = Reel.of(sung);
      return [sung];
    },
  });
  // At once, so that the take is not kept while harmonies are sung.
  guests.push({
    part: part("double", "backing", 0, DOUBLE_DB),
    perform: async (frames) => {
      const sung = take?.whole() ?? (await who.perform(lead, frames, singing(6)));
      const doubled = engine.double(sung, RATE, hash32(seed, 11));
      release(sung);
      take = undefined;
      return [doubled];
    },
  });
  if (returning.length > 0) {
    const third = harmonised(returning, harmonySteps(answerer));
    for (const side of [-1, 1] as const) {
      guests.push({
        part: part(side < 0 ? "harmony left" : "harmony right", "backing", 0.6 * side, HARMONY_DB),
        perform: async (frames) => {
          const sung = await who.perform(third, frames, { ...singing(side < 0 ? 7 : 8, answerer), breaths: false });
          const doubled = engine.double(sung, RATE, hash32(seed, side < 0 ? 9 : 10));
          release(sung);
          return [doubled];
        },
      });
    }
  }
  if (last.length > 0) {
    const other = harmonised(last, -harmonySteps(answerer));
    guests.push({
      part: part("harmony last", "backing", 0.15, HARMONY_DB),
      perform: async (frames) => [await who.perform(other, frames, { ...singing(13, answerer), breaths: false })],
    });
  }
  if (answers.length > 0) {
    guests.push({
      part: part("answers", "backing", 0.3, ANSWER_DB),
      perform: async (frames) => [await who.perform(answers, frames, singing(12, answerer))],
    });
  }
  return { guests, lines: engine.timingsOf(setting, clock) };
}

type Setting = Parameters<SingEngine["phrasesOf"]>[0];

/** Lines by who sings them: all of them the first, where the words part nothing between two. */
function partsOf(
  lines: Setting["lines"],
  turns: Turns,
  { name, second }: Singer,
): Readonly<Record<"first" | "second" | "both", Setting["lines"]>> {
  const out = {
    first: [] as Setting["lines"][number][],
    second: [] as Setting["lines"][number][],
    both: [] as Setting["lines"][number][],
  };
  const man = name === "tenor" || name === "baritone";
  for (const line of lines) {
    const turn = second === undefined ? null : (turns[line.part] ?? null);
    const own =
      turn === "both" || turn === "second"
        ? turn
        : turn === null || turn === "first" || (turn === "man") === man
          ? "first"
          : "second";
    out[own].push(line);
  }
  return out;
}

/** The phrase in the octave that suits a voice best. */
function withinReach(phrase: SungPhrase, [low, high]: readonly [number, number]): SungPhrase {
  const pitches = phrase.flatMap(({ pitches: all }) => all.map(({ pitch }) => pitch));
  const middle = pitches.reduce((sum, pitch) => sum + pitch, 0) / Math.max(1, pitches.length);
  const octaves = 12 * Math.round(((low + high) / 2 - middle) / 12);
  return phrase.map((note) => ({
    ...note,
    pitches: note.pitches.map(({ frame, pitch }) => ({ frame, pitch: pitch + octaves })),
  }));
}

/** The key in which a phrase that ends at `beat` is sung. */
function keyUntil({ key, key_change }: Score, beat: number): Key {
  return key_change === undefined || beat <= key_change.beat ? key : key_change.key;
}

/** A phrase as one note, for those who make way for it. */
function breathOf(phrase: SungPhrase, clock: Clock): Note[] {
  const [first, last] = [phrase[0], phrase.at(-1)];
  if (first === undefined || last === undefined) return [];
  const beat = clock.beat(first.frame / RATE - CONSONANT_S);
  const end = clock.beat((last.frame + last.frames) / RATE);
  return [{ beat, beats: end - beat, pitch: 60, velocity: 1, shift: 0 }];
}

/** What the desk should know of a voice; its notes are in the singer's hands. */
function part(name: string, role: "vocal" | "backing", pan: number, level_db: number): Part {
  return { name, role, instrument: calledOn("sing")[0]!, notes: [], pan, level_db };
}
