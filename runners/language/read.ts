/** A prompt to what it asks. Never throws; the same words give the same Ask. */
import { derived } from "../packs/mod.ts";
import { log2 } from "../signal/dsp/exact.ts";
import { hash32 } from "../signal/dsp/random.ts";
import type { Ask, TuningAsked } from "./ask.ts";
import { readCourse } from "./course/read.ts";
import { readEra } from "./figures/era.ts";
import { inFigures } from "./figures/in_figures.ts";
import { readKey } from "./figures/key.ts";
import { readMetre, readMetreWords } from "./figures/metre.ts";
import { readProgression } from "./figures/progression.ts";
import { readStrings } from "./figures/strings.ts";
import { readTempo } from "./figures/tempo.ts";
import { readTuning } from "./figures/tuning.ts";
import { type Grammars, grammarsIn } from "./grammar.ts";
import { readBars, readFade, readLength } from "./length.ts";
import type { Lexicon } from "./lexicon.ts";
import { type PitchesSaid, readPitches } from "./pitches.ts";
import { scan } from "./scan.ts";
import { clean, type Token, tokens } from "./tokens.ts";
import { type Writing, wordsFor, writingOf } from "./writing.ts";

const grammars = derived(() => new Map<Writing, Grammars>());

/** Grammars of the languages that a text may be in. */
function grammarsFor(writing: Writing): Grammars {
  const known = grammars().get(writing);
  if (known !== undefined) return known;
  const made = grammarsIn(wordsFor(writing));
  grammars().set(writing, made);
  return made;
}

/**
 * @param prompt tags or sentences in any language; what is beyond a few thousand characters is not read
 * @param left of it cleaned, with blanks for what was read already
 */
export function readAsk(prompt: string, lexicon: Lexicon, left?: string): Ask {
  const text = clean(prompt);
  const { rest, written } = readMetre(inFigures(text));
  const { dropped, left_over: all } = readStrings(tokens(rest));
  const progression = readProgression(text);
  const used = all.map(
    ({ from }) => left?.[from] === " " || (progression !== null && from >= progression.from && from < progression.to),
  );
  const writing = writingOf(all, lexicon, grammarsFor("english"));
  const tuning = readTuning(all, used, writing);
  const tempo = readTempo(all, used, lexicon, writing);
  // What is played in drop D is mostly in D.
  const key = readKey(all, used, lexicon) ?? (dropped === null ? null : { tonic: dropped, mode: null });
  const metre = written ?? readMetreWords(all, used);
  const spoken = lexicon.speak === undefined ? lexicon : { ...lexicon, tongues: lexicon.speak(writing) };
  // A decade is a word of music as well: "fifties rock".
  const dated = used.slice();
  const era = readEra(all, dated);
  const found = scan(all, used, spoken, grammarsFor(writing));
  const { mentions: met, unknown, references, times, languages, words } = found;
  const { form, turn, dynamics, pace, place, turned, spans, ...course } = readCourse(
    words,
    met,
    languages,
    unknown.length === 0 ? null : writing,
  );
  // Who begins or ends alone is not alone for good.
  const edges = new Set(form.flatMap(({ event, who }) => (event === "starts" || event === "ends" ? who : [])));
  const mentions = met.map((one, at) => {
    const polarity = turned.get(at) ?? one.polarity;
    return polarity === one.polarity && !edges.has(at) ? one : { ...one, polarity, alone: one.alone && !edges.has(at) };
  });
  const seconds = readLength(rest, writing);
  const known = new Set(all.flatMap(({ from }, at) => (dated[at] && !used[at] ? [from] : [])));
  for (const { from, to } of spans) for (let at = from; at < to; at++) known.add(at);
  return {
    ...{ text, languages, mentions, tuning, tempo, key, form, turn, dynamics, place, references, times },
    // "No faster than 120" is a number.
    pace: tempo !== null && /faster|slower/u.test(pace ?? "") && pace?.startsWith("getting") !== true ? null : pace,
    era: era ?? course.era,
    unknown: unknown.filter(({ from }) => !known.has(from)),
    ...(progression === null
      ? withTuning(readPitches(text), tuning)
      : { note: null, chord: null, chords: progression.bars.flat().length }),
    progression,
    metre: metre?.metre ?? null,
    metre_name: metre?.name ?? null,
    // "After 30 seconds" is a place, in whatever language.
    seconds: [turn, ...form].some((one) => one?.where?.seconds === seconds) ? null : seconds,
    // "An intro of 8 bars".
    bars: form.some(({ event, bars }) => event === "has" && bars !== null) ? null : readBars(rest, writing),
    fade: readFade(rest, writing),
    colour: colourOf(all),
  };
}

/** What is tuned is a note where nobody names another: of a frequency the nearest. */
function withTuning(said: PitchesSaid, tuning: TuningAsked | null): PitchesSaid {
  if (said.note !== null || tuning === null) return said;
  const { tonic, octave, hertz } = tuning;
  const pitch =
    hertz !== null ? Math.round(69 + 12 * log2(hertz / 440)) : octave === null ? null : 12 * (octave + 1) + tonic!;
  return { ...said, note: { pitch, tonic } };
}

/** Of the words alone: case, blanks and signs do not matter, order does. */
function colourOf(all: readonly Token[]): number {
  let state = 0x811c9dc5;
  for (const { word } of all) {
    for (let n = 0; n < word.length; n++) state = hash32(state, word.charCodeAt(n));
    state = hash32(state, 0x20);
  }
  return state >>> 0;
}
