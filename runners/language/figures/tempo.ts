/** Beats a minute: "92 bpm", "tempo of 92", "a bit faster than 90". Marks the tokens that it uses up. */
import { derived } from "../../packs/mod.ts";
import type { TempoAsked } from "../ask.ts";
import { listIn } from "../length.ts";
import type { Lexicon } from "../lexicon.ts";
import { isDense, type Token, wordsOf } from "../tokens.ts";
import { type Writing, wordsFor } from "../writing.ts";
import { DENIES, isDenied } from "./denied.ts";
import data from "./figures.json" with { type: "json" };

/** Beats a minute that anyone can mean. */
const BPM_MIN = 30;
const BPM_MAX = 300;

/** Numbers that are machines, not tempi. */
const MACHINES = new Set([303, 404, 606, 707, 808, 909]);

const BPM_WORDS = new Set(["bpm", "bpms", "ppm", "bmp"]);
interface TempoWords {
  /** "Beats per minute" and the like, by word, the longest first. */
  readonly beats: readonly (readonly string[])[];
  /** Last words of what compares. */
  readonly faster: ReadonlySet<string>;
  readonly slower: ReadonlySet<string>;
  readonly than: ReadonlySet<string>;
}

const tempo_words = derived(() => new Map<Writing, TempoWords>());

/** Of the languages that a text may be in. */
function tempoWords(writing: Writing): TempoWords {
  const known = tempo_words().get(writing);
  if (known !== undefined) return known;
  const phrases = (role: string): string[][] =>
    wordsFor(writing).flatMap(({ grammar = {} }) => listIn(grammar[role]).map((phrase) => wordsOf(phrase)));
  const last = (role: string): ReadonlySet<string> => new Set(phrases(role).flatMap((words) => words.slice(-1)));
  const made = {
    beats: [...phrases("beats_per_minute"), ...data.beats_a_minute.map((words) => words.split(" "))].sort(
      (a, b) => b.length - a.length,
    ),
    ...{ faster: last("faster"), slower: last("slower"), than: last("than") },
  };
  tempo_words().set(writing, made);
  return made;
}

/** Tokens that "beats a minute" takes at a place; 0 where something else stands. */
function unitAt(tokens: readonly Token[], at: number, { beats }: TempoWords): number {
  const next = tokens[at];
  if (next === undefined) return 0;
  if (BPM_WORDS.has(next.word)) return 1;
  const starts = (word: string, n: number): boolean => {
    const token = tokens[at + n];
    return token !== undefined && (token.word === word || (isDense(word) && token.word.startsWith(word)));
  };
  return beats.find((words) => words.every(starts))?.length ?? 0;
}
const TEMPO_WORDS = new Set(data.tempo_words.flatMap((word) => wordsOf(word)));
const BETWEEN = new Set(data.between.map((word) => wordsOf(word)[0] ?? word));

/** "92 bpm", "bpm: 92", "tempo of 92", "90-100 bpm", "120-ish", "at 92", "a bit faster than 90", a number on its own. */
export function readTempo(
  tokens: readonly Token[],
  used: boolean[],
  lexicon: Lexicon,
  writing: Writing,
): TempoAsked | null {
  const words = tempoWords(writing);
  return readCompared(tokens, used, words) ?? readPlain(tokens, used, lexicon, words);
}

const OVER = new Set(["over", "above", "beyond", "rapides"]);
const UNDER = new Set(["under", "below", "max", "maximum", "tops"]);
/** "A hair faster than 95", "no slower than 110", "under 90 bpm", "at least 120", "up to 100 bpm". */
function readCompared(tokens: readonly Token[], used: boolean[], words: TempoWords): TempoAsked | null {
  for (let at = 1; at < tokens.length; at++) {
    const value = Number(tokens[at]!.word);
    if (used[at] || !(value >= BPM_MIN && value <= BPM_MAX)) continue;
    const unit = unitAt(tokens, at + 1, words);
    const end = boundBehind(tokens, at + 1 + unit);
    if (tokens[at]!.after_break && end === null) continue;
    const closing = isClosing(tokens, end ?? at + 1 + unit);
    // "At most 100", "below 90": a tempo where nothing else follows that it could be of.
    const beaten = unit > 0 || (closing && value >= BARE_MIN && value <= BARE_MAX);
    const { faster, slower, than } = words;
    let start = at - 1;
    const before = tokens[at]!.after_break ? "" : tokens[start]!.word;
    const two = tokens[start - 1]?.word ?? "";
    let compared: TempoAsked["compared"] | null = null;
    if ((than.has(before) || /^(?:als|que|di|do)$/u.test(before)) && start > 0) {
      start--;
      compared = faster.has(two) || (beaten && two === "more") ? "faster" : null;
      if (slower.has(two) || (beaten && two === "less")) compared = "slower";
    } else if (beaten && (faster.has(before) || OVER.has(before))) compared = "faster";
    else if (beaten && (slower.has(before) || UNDER.has(before))) compared = "slower";
    else if (beaten && ((/^(?:least|most)$/u.test(before) && two === "at") || (before === "to" && two === "up"))) {
      start--;
      compared = before === "least" ? "faster" : "slower";
    } else if (beaten && end !== null) {
      // "165 tops", "120 bpm or less".
      start++;
      compared = "slower";
    }
    if (compared === null) continue;
    if (start > 0 && !tokens[start]!.after_break && DENIES.test(tokens[start - 1]!.word)) {
      start--;
      compared = compared === "faster" ? "slower" : "faster";
    }
    used.fill(true, start, end ?? at + 1 + unit);
    return { bpm: value, compared };
  }
  return null;
}

/** Numbers that are a tempo though nobody says of what. */
const BARE_MIN = 60;
const BARE_MAX = 200;

/** One past "tops", "max", "or less", "or slower" at a place; null where nothing like it stands. */
function boundBehind(tokens: readonly Token[], at: number): number | null {
  const [next, after] = [tokens[at], tokens[at + 1]];
  if (next === undefined || next.after_break) return null;
  if (/^(?:tops|max|maximum)$/u.test(next.word)) return at + 1;
  return next.word === "or" && /^(?:less|slower|below|under|lower)$/u.test(after?.word ?? "") ? at + 2 : null;
}

/** Whether nothing follows that a number could be of. */
function isClosing(tokens: readonly Token[], at: number): boolean {
  return at >= tokens.length || tokens[at]!.after_break || /^(?:and|but|please|with)$/u.test(tokens[at]!.word);
}

function readPlain(tokens: readonly Token[], used: boolean[], lexicon: Lexicon, words: TempoWords): TempoAsked | null {
  const number = (at: number): number | null => {
    const text = tokens[at]?.word;
    if (text === undefined || used[at] || !/^\d/u.test(text)) return null;
    return Number(text);
  };
  const bounded = (value: number, at: number): TempoAsked => ({
    bpm: Math.min(BPM_MAX, Math.max(BPM_MIN, value * shareBefore(tokens, at))),
    compared: "at",
  });
  for (let at = 0; at < tokens.length; at++) {
    const value = number(at);
    if (value === null || value < 1 || value > 1000) continue;
    let next = at + 1;
    if (tokens[next]?.word === "ish") next++;
    const unit = unitAt(tokens, next, words);
    // Eight beats are few, and not a minute's.
    if (unit === 1 && !BPM_WORDS.has(tokens[next]!.word) && (value < BPM_MIN || value > BPM_MAX)) continue;
    if (unit === 0 || isDenied(tokens, at)) continue;
    // "90-100 bpm", "90 to 100 bpm": the middle.
    const back = tokens[at - 1]?.word === "to" || tokens[at - 1]?.word === "and" ? at - 2 : at - 1;
    const first = tokens[at]!.after_break ? null : number(back);
    const range = first !== null && first >= BPM_MIN && first < value && value - first <= 60;
    used.fill(true, range ? back : at, next + unit);
    return bounded(range ? (first + value) / 2 : value, at);
  }
  for (let at = 0; at < tokens.length; at++) {
    if (!TEMPO_WORDS.has(tokens[at]!.word)) continue;
    let next = at + 1;
    while (BETWEEN.has(tokens[next]?.word ?? "")) next++;
    const value = number(next);
    if (value === null || value < BPM_MIN || value > BPM_MAX) continue;
    used.fill(true, at, next + 1);
    return bounded(value, next);
  }
  for (let at = 0; at < tokens.length; at++) {
    const value = number(at);
    if (value === null || value < 40 || value > 240 || MACHINES.has(value)) continue;
    const before = tokens[at - 1]?.word ?? "";
    const ish = aboutBehind(tokens, at + 1);
    const alone =
      (tokens[at]!.after_break || isAbout(tokens, at - 1)) && (at + 1 === tokens.length || tokens[at + 1]!.after_break);
    const said = !tokens[at]!.after_break && (before === "at" || before === "~") && tokens[at + 1]?.word !== "hz";
    // "uk drill 142", "174 dnb": a number beside a genre.
    const beside =
      value >= 56 &&
      value <= 200 &&
      ((!tokens[at]!.after_break &&
        (at + 1 === tokens.length || tokens[at + 1]!.after_break || GOES_ON.has(tokens[at + 1]!.word)) &&
        (namesGenre(tokens, at - 1, lexicon) ||
          LOOSELY_BEFORE.has(before) ||
          countsBars(tokens, at - 1) ||
          (AT.has(before) && at > 1 && namesGenre(tokens, at - 2, lexicon)))) ||
        (tokens[at]!.after_break && tokens[at + 1] !== undefined && namesGenre(tokens, at + 1, lexicon)));
    if (ish === 0 && !alone && !said && !beside) continue;
    used.fill(true, at, at + 1 + ish);
    return bounded(value, at);
  }
  return null;
}

/** "Reggaeton a 95", "House bei 124 mit …". */
const AT = new Set(data.at);
const GOES_ON = new Set(data.goes_on);

/** "Um 120", "so um die 120", "autour de 120". */
function isAbout(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.word ?? "";
  if (BETWEEN.has(word)) return true;
  const linked = /^(?:de|die|ai|los|las|os|les|aux|da|do)$/u.test(word) && !tokens[at]!.after_break;
  return linked && ABOUT.has(tokens[at - 1]?.word ?? "");
}
const ABOUT = new Set(data.about);

/** "Half of 160", "twice the tempo of 60". */
function shareBefore(tokens: readonly Token[], at: number): number {
  for (let n = at; n > 0 && !tokens[n]!.after_break; n--) {
    const { word } = tokens[n - 1]!;
    if (word === "half" && n < at) return 0.5;
    if (/^(?:double|twice)$/u.test(word) && n < at) return 2;
    if (!/^(?:of|the|tempo|speed|that)$/u.test(word)) return 1;
  }
  return 1;
}

/** Words that take a figure to be about right: "-ish", "or so". */
function aboutBehind(tokens: readonly Token[], at: number): number {
  const [next, after] = [tokens[at], tokens[at + 1]];
  if (next === undefined || next.after_break) return 0;
  if (next.word === "ish" || next.word === "thereabouts") return 1;
  return next.word === "or" && /^(?:so|thereabouts|about)$/u.test(after?.word ?? "") ? 2 : 0;
}

/** "arp C minor 128", "drum loop 90": what a producer's number stands behind. */
const LOOSELY_BEFORE = new Set(data.named_by_tempo);

/** "1 bar 128", "2 bars 174". */
function countsBars(tokens: readonly Token[], at: number): boolean {
  return (
    /^(?:bars?|measures?)$/u.test(tokens[at]!.word) && /^(?:\d|one|two|four|eight)/u.test(tokens[at - 1]?.word ?? "")
  );
}

function namesGenre(tokens: readonly Token[], at: number, { exact }: Lexicon): boolean {
  const word = tokens[at]!.word;
  const before = tokens[at - 1]?.word ?? "";
  const first = tokens[at - 2]?.word ?? "";
  return [word, before + word, first + before + word].some((key) =>
    exact.get(key)?.concepts.some((concept) => concept.startsWith("genre:")),
  );
}
