/** What a prompt says in figures and letters: tempo, key, metre, decade. Each reader marks the tokens that it has used up. */
import { derived } from "../packs/mod.ts";
import type { Metre } from "../signal/analyse/mod.ts";
import type { KeyAsked, Mode, TempoAsked } from "./ask.ts";
import data from "./facts.json" with { type: "json" };
import { listIn } from "./length.ts";
import type { Lexicon } from "./lexicon.ts";
import { isDense, type Token, wordsOf } from "./tokens.ts";
import { type Writing, wordsFor } from "./writing.ts";

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
const NOT =
  /^(?:no|not|nothing|never|without|isnt|arent|dont|avoid|nicht|kein|keine|keinen|ohne|pas|sans|sin|sem|nao|non|senza|niet|geen|zonder|nie|bez|не|без)$/u;
/** What may stand between a denial and the figure that it denies: "not in the key of A minor". */
const SMALL =
  /^(?:in|the|key|of|a|an|any|be|make|making|it|use|using|set|at|to|is|tempo|time|im|en|des?|l|uma?|una?)$/u;

/** Whether what stands at a place is denied: "not in A minor but in D". */
function isDenied(tokens: readonly Token[], at: number): boolean {
  for (let n = at; n > 0 && !tokens[n]!.after_break; n--) {
    const { word } = tokens[n - 1]!;
    const before = tokens[n - 2]?.word;
    if (NOT.test(word) || (word === "of" && before === "instead") || (word === "than" && before === "rather"))
      return true;
    if (!SMALL.test(word)) return false;
  }
  return false;
}

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
    if (start > 0 && !tokens[start]!.after_break && NOT.test(tokens[start - 1]!.word)) {
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
          LOOSELY_BEFORE.test(before) ||
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
const LOOSELY_BEFORE = /^(?:major|minor|maj|min|dorian|loop|loops|beat|beats|groove|bassline|drums|arp|riff)$/u;

/** "1 bar 128", "2 bars 174". */
function countsBars(tokens: readonly Token[], at: number): boolean {
  return (
    /^(?:bars?|measures?)$/u.test(tokens[at]!.word) && /^(?:\d|one|two|four|eight)/u.test(tokens[at - 1]?.word ?? "")
  );
}

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety";
const WORDED = new RegExp(
  `\\b(?:(one|a|two) hundred(?:(?: and)? |(?= ?b)))?(?:(${TENS.slice(4).replaceAll(" ", "|")})(?:[ -](${ONES.split(" ").slice(1, 10).join("|")}))?|(${ONES.replaceAll(" ", "|")}))?(?= ?(?:bpm|beats (?:per|a) minute))`,
  "giu",
);

/** "One hundred and twenty bpm" in figures; places stay. */
export function inFigures(cleaned: string): string {
  if (!/[a-z] ?(?:bpm|beats (?:per|a) minute)/iu.test(cleaned)) return cleaned;
  return cleaned.replace(WORDED, (all: string, hundreds?: string, tens?: string, ones?: string, small?: string) => {
    const place = (list: string, word: string | undefined): number =>
      word === undefined ? 0 : Math.max(0, list.split(" ").indexOf(word.toLowerCase()));
    const hundred = hundreds === undefined ? 0 : hundreds.toLowerCase() === "two" ? 200 : 100;
    const value = hundred + 10 * place(TENS, tens) + place(ONES, ones ?? small);
    return value === 0 ? all : `${value} `.padEnd(all.length);
  });
}

function namesGenre(tokens: readonly Token[], at: number, { exact }: Lexicon): boolean {
  const word = tokens[at]!.word;
  const before = tokens[at - 1]?.word ?? "";
  return [word, before + word].some((key) => exact.get(key)?.concepts.some((concept) => concept.startsWith("genre:")));
}

/** A denial right before. */
const DENIED = /\b(?:no|not|never|without|avoid|nicht|kein|ohne)(?: (?:in|a|an|the|any|be|use))*\s*$/iu;

/** A metre as it is played, and as it was written: 7/8 is seven beats. */
export interface MetreRead {
  readonly metre: Metre;
  readonly name: string;
}

/** "3/4" and the like, blanked out of the text, whose places stay. */
export function readMetre(cleaned: string): { readonly rest: string; readonly written: MetreRead | null } {
  let written: MetreRead | null = null;
  const rest = cleaned.replace(
    /(?<![\d/.])(\d{1,2}) ?\/ ?(\d{1,2})(?![\d/])/gu,
    (all: string, above: string, below: string, index: number) => {
      const metre = metreOf(Number(above), Number(below));
      if (metre === null) return all;
      if (!DENIED.test(cleaned.slice(0, index))) written ??= { metre, name: `${above}/${below}` };
      return " , ".padEnd(all.length);
    },
  );
  return { rest, written };
}

function metreOf(above: number, below: number): Metre | null {
  if (below === 8 && above % 3 === 0 && above >= 6 && above <= 12) return { beats_per_bar: above / 3, division: 3 };
  if (below === 8 && above === 3) return metreOf(3, 4);
  if (below === 8 && (above === 5 || above === 7)) return { beats_per_bar: above, division: 2 };
  if (below === 4 && above >= 2 && above <= 7) return { beats_per_bar: above, division: 2 };
  if (below === 2 && (above === 2 || above === 3)) return { beats_per_bar: above * 2, division: 2 };
  return null;
}

/** Metres in words, longest first. */
const METRE_WORDS = Object.entries(data.metre_words)
  .map(([words, metre]) => [wordsOf(words), metre] as const)
  .sort(([a], [b]) => b.length - a.length || b.join("").length - a.join("").length);

/** Words of scripts without spaces stand among others. */
function isWord({ word }: Token, wanted: string): boolean {
  return word === wanted || (isDense(wanted) && word.includes(wanted));
}

export function readMetreWords(tokens: readonly Token[], used: boolean[]): MetreRead | null {
  for (const [words, metre] of METRE_WORDS) {
    for (let at = 0; at + words.length <= tokens.length; at++) {
      if (!words.every((word, n) => isWord(tokens[at + n]!, word))) continue;
      // "in three parts", "in two minutes" count something else.
      const next = tokens[at + words.length];
      const counts = words[0] === "in" && next !== undefined && !next.after_break && next.word !== "time";
      if (counts && !/^(?:four|feel|metre|meter|with|and)$/u.test(next.word)) continue;
      for (let n = 0; n < words.length; n++) used[at + n] = true;
      const [above, below] = metre.split("/").map(Number);
      const found = metreOf(above!, below!);
      return found === null ? null : { metre: found, name: metre };
    }
  }
  return null;
}

const NOTES: Readonly<Record<string, number>> = data.notes;
/** German: H is B, B is B flat; -is raises, -es lowers. */
const GERMAN: Readonly<Record<string, number>> = data.german;
const SOLFEGE: Readonly<Record<string, number>> = data.solfege;
const ACCIDENTALS: Readonly<Record<string, number>> = data.accidentals;
const MODES = data.modes as Readonly<Record<string, Mode>>;
const EAST_NOTES: Readonly<Record<string, number>> = data.east_notes;
const EAST_MODES = data.east_modes as Readonly<Record<string, Mode>>;
const SIGNS_BEFORE: Readonly<Record<string, number>> = { 嬰: 1, 올림: 1, 升: 1, 變: -1, 変: -1, 내림: -1, 降: -1 };
/** After "a minor", these make "a" the article. */
const MODE_NOUNS = new Set(data.mode_nouns);
/** What is not a note although it is written like one. */
const KEY_HEADS = new Set(["key", "tonality", "scale", "tonalite", "tonalidad", "tonart", "tonalita"]);

/** "in F# minor", "Bb major", "key of D", "c-moll", "A dorian", "la mineur"; "minor key" says the mode alone. */
export function readKey(tokens: readonly Token[], used: boolean[], lexicon: Lexicon): KeyAsked | null {
  let mode_only: KeyAsked | null = null;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const east =
      /^(嬰|變|変|올림|내림)?([ハニホヘトイロ다라마바사가나])?(長調|短調|大调|小调|大調|小調|장조|단조)/u.exec(
        token.word,
      );
    if (east !== null) {
      const latin = tokens[at - 1];
      const [, sign, note, mode] = east;
      const letter = latin !== undefined && !token.after_break ? NOTES[latin.word] : undefined;
      // "降E大调": the sign stands before the letter.
      const before = letter === undefined || latin!.after_break ? undefined : tokens[at - 2]?.word.at(-1);
      const change = SIGNS_BEFORE[sign ?? before ?? ""] ?? 0;
      const tonic = note === undefined ? (letter ?? null) : EAST_NOTES[note]!;
      if (token.word.length === east[0].length)
        used.fill(true, note === undefined && letter !== undefined ? at - 1 : at, at + 1);
      return { tonic: tonic === null ? null : (tonic + change + 12) % 12, mode: EAST_MODES[mode!]! };
    }
    const found = keyAt(tokens, at, lexicon);
    if (found !== null) {
      used.fill(true, at, found.end);
      if (!isDenied(tokens, at)) return found;
      at = found.end - 1;
      continue;
    }
    const mode = MODES[token.word];
    if (mode === undefined || mode_only !== null || token.word === "min" || token.word === "maj") continue;
    const next = tokens[at + 1];
    const named = mode !== "major" && mode !== "minor";
    const noun = next !== undefined && !next.after_break && (MODE_NOUNS.has(next.word) || next.word === "chords");
    const alone = token.after_break && (next === undefined || next.after_break);
    const in_it = tokens[at - 1]?.word === "in" && (next === undefined || next.after_break);
    if ((named || noun || alone || in_it) && !isDenied(tokens, at)) {
      mode_only = { tonic: null, mode };
      // A chord is a kind of clip as well.
      used.fill(true, at, at + (noun && !next.word.startsWith("chord") ? 2 : 1));
    }
  }
  return mode_only;
}

function keyAt(tokens: readonly Token[], at: number, { exact }: Lexicon): (KeyAsked & { readonly end: number }) | null {
  const { raw, word, after_break } = tokens[at]!;
  const before = after_break ? "" : (tokens[at - 1]?.word ?? "");
  const headed =
    KEY_HEADS.has(tokens[at - 1]?.word ?? "") || (before === "of" && KEY_HEADS.has(tokens[at - 2]?.word ?? ""));
  const led = before === "in" || before === "en" || before === "im" || headed;
  const near = (n: number): Token | undefined => (tokens[n]?.after_break ? undefined : tokens[n]);

  // "Am", "F#m", "Cmin", "Bbm", "Ebmaj": as musicians write it, capital first.
  const short = /^([A-G])(b?)(m|min|maj)$/u.exec(raw);
  if (short !== null) {
    const next = near(at + 1);
    const plain = led || (after_break && next === undefined) || short[2] !== "" || short[3] !== "m";
    const spoken = raw === "Am" || raw === "Dm" || raw === "Em";
    if (plain || (!spoken && /^[A-G]m$/u.test(raw)) || (after_break && raw !== "Am")) {
      return {
        tonic: (NOTES[short[1]!.toLowerCase()]! + (short[2] === "b" ? 11 : 0)) % 12,
        mode: short[3] === "maj" ? "major" : "minor",
        end: at + 1,
      };
    }
  }

  let end = at + 1;
  let tonic: number | undefined;
  const letters = /^([a-g])(b|s)?$/u.exec(word);
  if (letters !== null && letters[2] !== "s") {
    tonic = NOTES[letters[1]!]! + (letters[2] === "b" ? -1 : 0);
    const change = ACCIDENTALS[near(end)?.word ?? ""];
    if (change !== undefined) {
      tonic += change;
      end++;
    }
  } else if (SOLFEGE[word] !== undefined) {
    tonic = SOLFEGE[word]!;
    const change = ACCIDENTALS[near(end)?.word ?? ""];
    if (change !== undefined) {
      tonic += change;
      end++;
    }
  }
  const german = GERMAN[word];
  const german_mode = near(at + 1)?.word ?? "";
  if (german !== undefined && /^(?:dur|moll|dorisch|groot|klein|majeur|mineur|дур|моль)$/u.test(german_mode)) {
    return { tonic: german, mode: MODES[german_mode]!, end: at + 2 };
  }
  if (tonic === undefined) return null;
  tonic = (tonic + 12) % 12;
  const changed = end > at + 1 || letters?.[2] === "b";

  // "F#m", "C # min": the mode stuck to the sharp.
  const after = near(end);
  if (after !== undefined && changed && (after.word === "m" || after.word === "min")) {
    return { tonic, mode: "minor", end: end + 1 };
  }
  // "A natural minor", "C harmonic minor", "E melodic minor".
  const bent = after !== undefined && /^(?:natural|harmonic|melodic|natural)$/u.test(after.word) ? 1 : 0;
  const said = near(end + bent);
  const mode = said === undefined ? undefined : MODES[said.word];
  if (mode !== undefined) {
    const next = near(end + bent + 1);
    if (word === "a" && !headed && bent === 0 && (mode === "major" || mode === "minor")) {
      const capital = raw === "A" && (!after_break || next === undefined || next.word === "key");
      if (next !== undefined && MODE_NOUNS.has(next.word) && !(raw === "A" && next.word === "scale")) return null;
      const open = next === undefined || /^(?:with|at|and|key|bpm|for|\d.*)$/u.test(next.word);
      const known = next !== undefined && exact.has(next.word);
      // "A minor techno track" is a key; "a minor techno track", "A major hit" are articles.
      const heads = raw === "A" && mode === "minor" && known;
      if (!capital && !open && !heads && !(led && known)) return null;
    }
    // "do major", "si minor" are rare; "do minor changes" is English.
    if (word === "do" && next !== undefined && (said!.word === "minor" || said!.word === "major")) return null;
    return { tonic, mode, end: end + bent + 1 };
  }
  // "key of D", "in Bb", "in E": no mode said. A lone "a" or a small letter is a word.
  if (letters === null) return null;
  const ends = after === undefined || /^(?:key|with|at|and|but|not|no|or|please|tuning|bpm|\d.*)$/u.test(after.word);
  // "Blues in E slow and dirty"; "in A" may be an article's.
  const last = ends || (word !== "a" && raw !== word && before === "in" && !exact.has(word + after.word));
  // A small letter that ends its clause behind "in" is one as well: "1 bar in g".
  const closes = after === undefined;
  if (
    headed ||
    (led && (changed || closes || (raw !== word && last))) ||
    (changed && after_break && after === undefined)
  ) {
    return { tonic, mode: null, end };
  }
  return null;
}

const SPELT_DECADES: Readonly<Record<string, number>> = {
  ...{ twenties: 1920, thirties: 1930, forties: 1940, fifties: 1950, sixties: 1960, seventies: 1970, eighties: 1980 },
  ...{ nineties: 1990, noughties: 2000, aughts: 2000, y2k: 2000 },
};
/** After "30s", these make it a length. */
const LENGTHS = new Set(["loop", "clip", "long", "spot", "ad", "cut", "bumper", "jingle", "sting", "duration"]);

const ERA_WORDS: Readonly<Record<string, number>> = { victorian: 1880, renaissance: 1550, prehistoric: 0 };

/** Decade, such as 1980: "80s", "1985", "early nineties", "y2k", "medieval" is for the lexicon. */
export function readEra(tokens: readonly Token[], used: boolean[]): number | null {
  for (let at = 0; at < tokens.length; at++) {
    const { word } = tokens[at]!;
    const spelt = SPELT_DECADES[word] ?? ERA_WORDS[word];
    if (spelt !== undefined) {
      if (SPELT_DECADES[word] !== undefined) used[at] = true;
      return spelt;
    }
    if (word === "y" && tokens[at + 1]?.word === "2" && tokens[at + 2]?.word === "k") {
      for (let n = 0; n < 3; n++) used[at + n] = true;
      return 2000;
    }
    if (used[at] || !/^\d{2}(?:\d{2})?$/u.test(word)) continue;
    const value = Number(word);
    const plural =
      /^(?:(?:s|er|ern|ies|лет|х|lar|ler|larin|lerin|lardan)$|年代|년대)/u.test(tokens[at + 1]?.word ?? "") &&
      !tokens[at + 1]!.after_break;
    if (word.length === 4) {
      if (value < 1000 || value > 2099) continue;
      used[at] = true;
      if (plural) used[at + 1] = true;
      return value - (value % 10);
    }
    // "A basement in 82".
    const next = tokens[at + 1];
    if (tokens[at - 1]?.word === "in" && value >= 50 && (next === undefined || next.after_break)) {
      used[at] = true;
      return 1900 + value - (value % 10);
    }
    const foreign = isDecadeLed(tokens, at);
    if ((!plural && !foreign) || value % 10 !== 0) continue;
    if (plural && value <= 60 && LENGTHS.has(tokens[at + 2]?.word ?? "") && !tokens[at + 2]!.after_break) continue;
    used[at] = true;
    if (plural) used[at + 1] = true;
    return value >= 30 || value === 20 ? 1900 + value : 2000 + value;
  }
  return null;
}

/** "Anni 90", "los 90", "lat 90", "jaren 90". */
function isDecadeLed(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]!.after_break) return false;
  const before = tokens[at - 1]?.word ?? "";
  return DECADE_LED.has(before) || DECADE_LED.has(`${tokens[at - 2]?.word ?? ""} ${before}`);
}
const DECADE_LED = new Set(data.decade_led);
