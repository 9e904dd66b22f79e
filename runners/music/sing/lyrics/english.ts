/**
 * English words to sounds: what singers say, then the dictionary, then its words with endings and in compounds, then
 * the rules of spelling.
 */
import { isVowel, phonemes, type Sound } from "../phonemes.ts";
import { lookUp, soundsOf } from "./dictionary.ts";
import data from "./languages/english.json" with { type: "json" };
import { spell } from "./letters.ts";

/** The words beside one; empty at the ends of a line, and at commas. */
export interface Beside {
  readonly before: string;
  readonly next: string;
}

const ALONE: Beside = { before: "", next: "" };

/** Sounds of one word, lower case, of letters and inner apostrophes. Empty where it has no letter. */
export function english(word: string, beside = ALONE): Sound[] {
  const { next } = beside;
  if (word === "the")
    return soundsOf(/^[aeiou]/u.test(next) && !/^(?:u[nst]i|one|once|eu)/u.test(next) ? "DH IY0" : "DH AH0");
  return inContext(word, beside) ?? known(word) ?? lengthened(word) ?? ended(word) ?? compound(word) ?? spell(word);
}

/** Whether the dictionary, or the singer's own list, has it. */
export function isEnglish(word: string): boolean {
  return known(word) !== null;
}

/** Names of letters, for what is spelled out. */
export function letterNames(letters: string): Sound[] {
  return [...letters].flatMap((letter) => soundsOf((data.letters as Readonly<Record<string, string>>)[letter] ?? ""));
}

/**
 * Words of one spelling and several sounds, with patterns of the words beside them: "close your eyes", "tear it down".
 * The first that fits is taken; where none does, the word's usual sounds.
 */
const HETERONYMS = new Map(
  Object.entries(data.heteronyms as Readonly<Record<string, readonly Heteronym[]>>).map(([word, all]) => [
    word,
    all.map(({ before, next, sounds: said }) => ({ before: whole(before), next: whole(next), said })),
  ]),
);

interface Heteronym {
  readonly before?: string;
  readonly next?: string;
  readonly sounds: string;
}

function whole(pattern = ".*"): RegExp {
  return new RegExp(`^(?:${pattern})$`, "u");
}

function inContext(word: string, { before, next }: Beside): Sound[] | null {
  const fits = HETERONYMS.get(word)?.find((one) => one.before.test(before) && one.next.test(next));
  return fits === undefined ? null : soundsOf(fits.said);
}

/** What lyrics have and the dictionary has not, or has first as something else that is rarely sung. */
const OWN: Readonly<Record<string, string>> = data.words;
/** Cries of any length, by patterns. */
const CRIES = Object.entries(data.cries).map(([pattern, sounds]) => [new RegExp(pattern, "u"), sounds] as const);
/**
 * Endings put on words of the dictionary. The stem is tried as it stands, with an e, with a y for its i, and with a
 * doubled letter undone.
 */
const ENDINGS = Object.entries(data.endings);

function known(word: string): Sound[] | null {
  const own = Object.hasOwn(OWN, word) ? OWN[word] : undefined;
  if (own !== undefined) return soundsOf(own);
  const cry = CRIES.find(([pattern]) => pattern.test(word));
  if (cry !== undefined) return soundsOf(cry[1]);
  return lookUp(word) ?? dropped(word);
}

/** "lovin'", "'round", "dancin": an apostrophe, or the g, that stands for nothing sung. */
function dropped(word: string): Sound[] | null {
  if (word.length > 3 && /in'?$/u.test(word)) {
    const whole = lookUp(`${word.replace(/'$/u, "")}g`);
    if (whole !== null && (word.endsWith("'") || lookUp(word) === null)) return [...whole.slice(0, -1), ...sounds("N")];
  }
  if (word.startsWith("'") || word.endsWith("'")) return lookUp(word.replace(/^'+|'+$/gu, ""));
  return null;
}

/** "soooo", "loooove", "yessss": letters said at length are written more often than words have them. */
function lengthened(word: string): Sound[] | null {
  if (!/(.)\1\1/u.test(word) && !/([aeiouyh])\1$/u.test(word)) return null;
  const runs = word.match(/(.)\1*/gu) ?? [];
  // At the end of a word "e", "l", "s" and "f" are doubled, "o" and "y" single; elsewhere double vowels come first.
  const form = (swap: boolean): string =>
    runs
      .map((run, n) => {
        const letter = run[0]!;
        if (run.length === 1 || (run.length === 2 && !/[aiuyh]/u.test(letter))) return run;
        const double = n === runs.length - 1 ? /[elsf]/u.test(letter) && n > 0 : /[oe]/u.test(letter);
        return double !== swap ? letter + letter : letter;
      })
      .join("");
  const single = word.replace(/(.)\1+/gu, "$1");
  for (const guess of [form(false), form(true), single]) {
    const found = known(guess);
    if (found !== null) return found;
  }
  return /(.)\1\1/u.test(word) ? (ended(form(false)) ?? spell(form(false))) : null;
}

function ended(word: string): Sound[] | null {
  for (const [ending, tail] of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    if (stem.length < (ending.includes("'") ? 1 : 3)) continue;
    const base = stemOf(stem, ending);
    if (base !== null) return [...base, ...endingAfter(base, tail)];
  }
  for (const prefix of data.prefixes) {
    if (!word.startsWith(prefix) || word.length < prefix.length + 3) continue;
    const rest = lookUp(word.slice(prefix.length));
    const first = prefix === "re" ? soundsOf("R IY0") : (lookUp(prefix) ?? spell(prefix));
    if (rest !== null) return [...first.map(({ phoneme }) => ({ phoneme, stress: 0 as const })), ...rest];
  }
  return null;
}

function stemOf(stem: string, ending: string): Sound[] | null {
  const plain = lookUp(stem);
  if (plain !== null || ending.startsWith("'")) return plain ?? (ending.startsWith("'") ? english(stem) : null);
  if (ending.startsWith("i") && ending !== "ing" && ending !== "in" && ending !== "ings" && ending !== "ish") {
    return lookUp(`${stem}y`);
  }
  if (/^[aeiy]/u.test(ending)) {
    const doubled = /([bdgklmnprtvz])\1$/u.test(stem) ? lookUp(stem.slice(0, -1)) : null;
    return doubled ?? lookUp(`${stem}e`);
  }
  return null;
}

/** -s and -ed sound after what comes before them. */
function endingAfter(base: readonly Sound[], tail: string): Sound[] {
  const last = base.at(-1)?.phoneme ?? "AX";
  if (tail === "s") {
    if (["S", "Z", "SH", "ZH", "CH", "JH"].includes(last)) return sounds("AX Z");
    return sounds(VOICELESS.has(last) ? "S" : "Z");
  }
  if (tail === "d") return sounds(last === "T" || last === "D" ? "AX D" : VOICELESS.has(last) ? "T" : "D");
  if (tail === "V" || tail === "M") return sounds(isVowel(last) ? tail : `AX ${tail}`);
  return sounds(tail);
}

const VOICELESS: ReadonlySet<string> = new Set(["P", "T", "K", "F", "TH", "S", "SH", "CH"]);

function sounds(text: string): Sound[] {
  return phonemes(text).map((phoneme) => ({ phoneme, stress: 0 }));
}

/** Two words of the dictionary in one, the longer first part first: "heartstrings", "starlit". */
function compound(word: string): Sound[] | null {
  for (let at = word.length - 3; at >= 3; at--) {
    const rest = lookUp(word.slice(at));
    if (rest === null || !rest.some(({ phoneme }) => isVowel(phoneme))) continue;
    const first = lookUp(word.slice(0, at));
    if (first === null || !first.some(({ phoneme }) => isVowel(phoneme))) continue;
    return [
      ...first,
      ...rest.map(({ phoneme, stress }) => ({ phoneme, stress: stress === 1 ? (2 as const) : stress })),
    ];
  }
  return null;
}
