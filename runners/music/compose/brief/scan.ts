/** Finds what the lexicon knows in a prompt: longest phrases first, with negations and degrees. Linear in the length of the text. */
import { correct, lexicon, type Meaning } from "./lexicon.ts";
import { isDense, type Token, tokens } from "./text.ts";

export interface Hit {
  readonly meaning: Meaning;
  /** First token and one past the last. */
  readonly at: number;
  readonly end: number;
  readonly negated: boolean;
  /** "not too fast": the opposite, by half, instead of nothing. */
  readonly softly: boolean;
  /** 1; more for "very", less for "slightly". */
  readonly degree: number;
  /** Made of an ending ("rockish"): a genre only colours. */
  readonly derived: boolean;
}

export interface Scan {
  readonly hits: readonly Hit[];
  /** In order, each once. */
  readonly unknown: readonly string[];
}

const NEGATIONS = new Set(
  "no not non without minus never nor neither zero except excluding exclude avoid avoiding remove lacking sans sin sem senza ohne kein keine keinen без بدون बना dont doesnt isnt nothing lose omit skip zonder bez hold".split(
    " ",
  ),
);
/** Go on from a negation without ending it. */
const STEPS = new Set(
  "any a an the of too very so much that overly more real really as many lot lots super or nor and no not use using include have having be t kind sort heavy loud obvious big actual de des da trop muy zu troppo demasiado".split(
    " ",
  ),
);
const SOFTENERS = new Set([
  "too",
  "very",
  "so",
  "overly",
  "super",
  "that",
  "zu",
  "trop",
  "troppo",
  "demasiado",
  "really",
]);
const AFTERWARDS = new Set(["less", "free", "없이", "없는", "なし", "抜き"]);
const MORE = new Set(
  "very extremely super really ultra incredibly mega muy molto tres sehr so hyper deeply intensely pure 很 очень 아주".split(
    " ",
  ),
);
const LESS = new Set(
  "slightly somewhat bit little subtle hint touch hints mildly moderately poco peu etwas faintly semi quasi vaguely".split(
    " ",
  ),
);
const ENDINGS = [
  "s",
  "es",
  "ish",
  "esque",
  "like",
  "ly",
  "y",
  "ey",
  "ic",
  "er",
  "est",
  "ness",
  "ed",
  "ing",
  "ian",
  "style",
];
const DERIVING = new Set(["ish", "esque", "like", "y", "ey", "ic", "ly", "style"]);

export function scan(given: readonly Token[], used: readonly boolean[]): Scan {
  const { exact, spelt, words_max } = lexicon();
  const hits: Hit[] = [];
  const unknown: string[] = [];
  let negation: { softly: boolean; hit: boolean } | null = null;
  let degree = 1;
  for (let at = 0; at < given.length; ) {
    const token = given[at]!;
    if (token.after_break) {
      degree = 1;
      if (negation !== null && !(negation.hit && lists(given, at))) negation = null;
    }
    if (used[at]) {
      at++;
      continue;
    }
    const found = longest(given, used, at);
    if (
      (AFTERWARDS.has(token.word) || found?.meaning.phrase === "less") &&
      !token.after_break &&
      hits.at(-1)?.end === at
    ) {
      hits.push({ ...hits.pop()!, negated: true, softly: false });
      at++;
      continue;
    }
    const opens =
      (NEGATIONS.has(token.word) && (found === null || found.meaning.filler === true)) ||
      found?.meaning.phrase === "without";
    if (opens) {
      const after = given[at + 1]?.word ?? "";
      // "nothing but piano", "not only", "no doubt" deny nothing.
      negation = after === "but" || after === "only" || after === "just" ? null : { softly: false, hit: false };
      at++;
      continue;
    }
    if (negation !== null && !token.after_break && STEPS.has(token.word) && (found === null || found.meaning.filler)) {
      if (SOFTENERS.has(token.word)) negation.softly = true;
      if (negation.hit && token.word === "and" && !nextIsBare(given, used, at + 1)) negation = null;
      at++;
      continue;
    }
    if (found === null || found.meaning.filler === true) {
      if (MORE.has(token.word)) degree = 1.4;
      else if (LESS.has(token.word)) degree = 0.5;
      else if (/^(?:but|with|then|just|only|yet|instead|rather|however|mais|aber|pero|ma|mas|но)$/u.test(token.word))
        negation = null;
      else if (found === null && /[^\d]/u.test(token.word) && !isFunction(token.word)) {
        if (negation?.hit) negation = null;
        if (isDense(token.word)) {
          let denied = false;
          for (const { word, meaning } of divide(token.word)) {
            if (meaning === null) unknown.push(word);
            else if (meaning.phrase === "without") denied = true;
            else if (meaning.phrase === "less" && hits.at(-1)?.at === at) hits.push({ ...hits.pop()!, negated: true });
            else if (meaning.filler !== true) {
              hits.push({ meaning, at, end: at + 1, negated: denied, softly: false, degree, derived: false });
              denied = false;
            }
          }
        } else unknown.push(token.word);
      }
      at = found === null ? at + 1 : found.end;
      continue;
    }
    // A second thing after the denied one, with no "or" between, is wanted: "no drums piano".
    if (negation?.hit && given[at - 1] !== undefined && !joins(given, at)) negation = null;
    hits.push({ ...found, negated: negation !== null, softly: negation?.softly ?? false, degree });
    if (negation !== null) negation.hit = true;
    degree = 1;
    at = found.end;
  }
  return { hits: resolveDense(hits), unknown: [...new Set(unknown)] };

  function longest(
    all: readonly Token[],
    taken: readonly boolean[],
    at: number,
  ): Omit<Hit, "negated" | "softly" | "degree"> | null {
    let span = 1;
    while (span < words_max && at + span < all.length && !all[at + span]!.after_break && !taken[at + span]) span++;
    for (let length = span; length >= 1; length--) {
      const words = all.slice(at, at + length).map(({ word }) => word);
      const meaning = phrase(words);
      if (meaning !== null) return { meaning, at, end: at + length, derived: false };
      if (length > 1) continue;
      const other = related(words[0]!);
      if (other !== null) return { meaning: other.meaning, at, end: at + 1, derived: other.derived };
    }
    return null;
  }

  function phrase(words: readonly string[]): Meaning | null {
    const key = words.join("");
    if (key.length > 48) return null;
    for (const form of [key, key.endsWith("s") ? key.slice(0, -1) : ""]) {
      const meaning = form === "" ? undefined : exact.get(form);
      if (meaning === undefined) continue;
      const spaced = words.join(" ");
      if (words.length === 1 || spelt.has(spaced) || spelt.has(spaced.slice(0, -1))) return meaning;
      // Joined otherwise than the lexicon has it: fine ("synth wave"), save for little words ("in die").
      if (words.every((word) => word.length > 1 && exact.get(word)?.filler !== true)) return meaning;
    }
    return null;
  }
}

/** "no drums, bass or vocals": a list goes on over commas if "or" or "nor" comes before its end. */
function lists(given: readonly Token[], at: number): boolean {
  for (let n = at, words = 0; n < given.length && words < 8; n++, words++) {
    const { word } = given[n]!;
    if (word === "or" || word === "nor") return true;
    if (word === "with" || word === "but" || word === "no" || word === "just") return false;
  }
  return false;
}

/** Whether "or", "and", "nor" or a listing comma stands right before. */
function joins(given: readonly Token[], at: number): boolean {
  return (
    given[at]!.after_break ||
    STEPS.has(given[at - 1]!.word) ||
    /^(?:o|ou|y|e|et|oder|und|и|или)$/u.test(given[at - 1]!.word)
  );
}

/** After "and": an instrument straight away goes on with the denial ("no drums and bass"), an adjective begins something new. */
function nextIsBare(given: readonly Token[], used: readonly boolean[], at: number): boolean {
  const token = given[at];
  if (token === undefined || token.after_break || used[at]) return false;
  const meaning = lexicon().exact.get(token.word);
  return meaning?.instrument !== undefined || meaning?.trait?.name === "vocal" || NEGATIONS.has(token.word);
}

function related(word: string): { readonly meaning: Meaning; readonly derived: boolean } | null {
  const { exact, stems } = lexicon();
  const direct = exact.get(word);
  if (direct !== undefined) return { meaning: direct, derived: false };
  if (isDense(word) || isFunction(word)) return null;
  for (const ending of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue;
    const stem = word.slice(0, -ending.length);
    for (const form of ending === "ing" || ending === "ed" || ending === "er" || ending === "est" || ending === "y"
      ? [stem, `${stem}e`, `${stem}y`]
      : [stem, ending === "es" ? `${stem}e` : `${stem}y`]) {
      const meaning = exact.get(form);
      if (meaning !== undefined && meaning.filler !== true) return { meaning, derived: DERIVING.has(ending) };
    }
    if (/(.)\1$/u.test(stem)) {
      const meaning = exact.get(stem.slice(0, -1));
      if (meaning !== undefined && meaning.filler !== true) return { meaning, derived: DERIVING.has(ending) };
    }
  }
  if (word.endsWith("ies") && exact.has(`${word.slice(0, -3)}y`))
    return { meaning: exact.get(`${word.slice(0, -3)}y`)!, derived: false };
  for (let length = Math.min(24, word.length); length >= 3; length--) {
    const meaning = stems.get(word.slice(0, length));
    if (meaning !== undefined) return { meaning, derived: false };
  }
  for (const [start, end] of [
    ["ال", ""],
    ["", "musik"],
    ["", "music"],
    ["", "muziek"],
    ["", "beats"],
    ["", "beat"],
  ] as const) {
    const inner =
      start !== "" && word.startsWith(start)
        ? word.slice(start.length)
        : end !== "" && word.endsWith(end)
          ? word.slice(0, -end.length)
          : "";
    const meaning = inner.length < 3 ? undefined : (exact.get(inner) ?? stems.get(inner));
    if (meaning !== undefined && meaning.filler !== true) return { meaning, derived: false };
  }
  const corrected = correct(word);
  return corrected === null ? null : { meaning: exact.get(corrected)!, derived: false };
}

/** Greedy longest match inside a run of a script without spaces. */
function divide(run: string): { readonly word: string; readonly meaning: Meaning | null }[] {
  const { exact, dense_max } = lexicon();
  const out: { word: string; meaning: Meaning | null }[] = [];
  let rest = "";
  for (let at = 0; at < run.length; ) {
    let length = Math.min(dense_max, run.length - at);
    while (length > 0 && !exact.has(run.slice(at, at + length))) length--;
    // One syllable of Hangul inside a word means nothing by itself.
    if (length > 0 && !(length === 1 && run.length > 1 && /\p{sc=Hangul}/u.test(run))) {
      if (rest !== "") out.push({ word: rest, meaning: null });
      rest = "";
      const word = run.slice(at, at + length);
      out.push({ word, meaning: exact.get(word)! });
      at += length;
    } else {
      rest += run[at];
      at++;
    }
  }
  if (rest !== "") out.push({ word: rest, meaning: null });
  return out;
}

/** In a dense run all hits share a token; nothing else needs to be resolved, but two of the same meaning say it once. */
function resolveDense(hits: readonly Hit[]): Hit[] {
  return hits.filter(
    (hit, n) =>
      !hits.slice(Math.max(0, n - 4), n).some((other) => other.meaning === hit.meaning && other.at === hit.at),
  );
}

const FUNCTION_WORDS = new Set(
  "am was were has had have do does did if because since although though why whom whose yes ok okay hi hello thanks thank cannot im youre id lets let go get got say says said know knows".split(
    " ",
  ),
);

function isFunction(word: string): boolean {
  return FUNCTION_WORDS.has(word) || (word.length === 1 && /[a-z&~#]/u.test(word));
}

/** Hits of the single words and pairs inside a phrase: the piano of "jazz piano". */
export function inside(meaning: Meaning): Meaning[] {
  const { exact } = lexicon();
  const words = tokens(meaning.phrase).map(({ word }) => word);
  const out: Meaning[] = [];
  for (let length = Math.min(2, words.length - 1); length >= 1; length--) {
    for (let at = 0; at + length <= words.length; at++) {
      const found = exact.get(words.slice(at, at + length).join(""));
      if (found !== undefined) out.push(found);
    }
  }
  return out;
}
