/** Divides what is written as one word and read as several: "gitarrenlos", and runs of scripts without spaces. */
import type { Kind } from "./ask.ts";
import type { Grammars } from "./grammar.ts";
import { kindOf, type Lexicon } from "./lexicon.ts";
import { isDense, type Token } from "./tokens.ts";

export interface Divided {
  readonly all: readonly Token[];
  readonly used: readonly boolean[];
}

export function divide(
  given: readonly Token[],
  taken: readonly boolean[],
  lexicon: Lexicon,
  grammars: Grammars,
): Divided {
  return divideRuns(...divideDenied(given, taken, lexicon, grammars), lexicon, grammars);
}

/** What a suffix may deny: "gitarsız", "gitarrenlos"; not "hopeless". */
const HAD: ReadonlySet<string> = new Set<Kind>(["instrument", "drum", "voice", "sound"]);
/** Letters that join the parts of a compound: "gitarren-los". */
const JOINTS = ["", "s", "n", "en", "e"];

/** "Gitarrenlos" becomes "gitarre" and "-los", which denies what stands before it. */
function divideDenied(
  given: readonly Token[],
  taken: readonly boolean[],
  { exact, tongues }: Lexicon,
  grammars: Grammars,
): [readonly Token[], readonly boolean[]] {
  const knows = (stem: string): boolean => {
    const some = [exact.get(stem), ...(tongues.exact.get(stem) ?? []).map(({ entry }) => entry)];
    return some.some((entry) => entry?.concepts.some((concept) => HAD.has(kindOf(concept))));
  };
  const all: Token[] = [];
  const used: boolean[] = [];
  for (const [at, token] of given.entries()) {
    const { word, raw, from, to } = token;
    // "Hi-hat'siz".
    if (!taken[at] && token.joined && at > 0 && grammars.without_suffixes.includes(word)) {
      all.push({ ...token, word: `-${word}` });
      used.push(false);
      continue;
    }
    const whole = taken[at] || exact.has(word) || tongues.exact.has(word) || grammars.exact.has(word);
    const suffix = whole ? undefined : grammars.without_suffixes.find((one) => word.endsWith(one));
    const stem = word.slice(0, word.length - (suffix?.length ?? 0));
    const joint = JOINTS.find((one) => stem.endsWith(one) && knows(stem.slice(0, stem.length - one.length)));
    used.push(taken[at]!);
    if (suffix === undefined || joint === undefined) {
      all.push(token);
      continue;
    }
    const known = stem.slice(0, stem.length - joint.length);
    const end = from + stem.length;
    all.push({ ...token, raw: raw.slice(0, known.length), word: known, to: end });
    all.push({
      ...{ raw: raw.slice(stem.length), word: `-${suffix}`, joined: true, from: end, to },
      ...{ after_break: false, after_stop: false, after_colon: false },
    });
    used.push(false);
  }
  return [all, used];
}

/** Runs of scripts without spaces, divided where lexicon and grammar know a word: greedily, the longest first. */
function divideRuns(
  given: readonly Token[],
  taken: readonly boolean[],
  { exact, dense_max, tongues }: Lexicon,
  grammars: Grammars,
): Divided {
  if (!given.some(({ word }, at) => !taken[at] && isDense(word) && word.length > 1)) return { all: given, used: taken };
  const all: Token[] = [];
  const used: boolean[] = [];
  for (const [index, token] of given.entries()) {
    if (taken[index] || !isDense(token.word) || exact.has(token.word) || tongues.exact.has(token.word)) {
      all.push(token);
      used.push(taken[index]!);
      continue;
    }
    const run = token.word;
    const push = (from: number, to: number, word = run.slice(from, to)): void => {
      const begins = from === 0;
      all.push({
        ...{ raw: run.slice(from, to), word, joined: begins && token.joined },
        ...{ after_break: begins && token.after_break, after_stop: begins && token.after_stop },
        after_colon: begins && token.after_colon,
        ...{ from: token.from + from, to: token.from + to },
      });
      used.push(false);
    };
    const longest = Math.max(dense_max, tongues.dense_max);
    const knows = (word: string): boolean => exact.has(word) || tongues.exact.has(word) || grammars.exact.has(word);
    const knownAt = (at: number): number => {
      let length = Math.min(longest, run.length - at);
      while (length > 0 && !knows(run.slice(at, at + length))) length--;
      return length;
    };
    let rest = 0;
    for (let at = 0; at < run.length; ) {
      const length = knownAt(at);
      // One syllable of Hangul inside a word means nothing by itself, save before a particle.
      const syllable = length === 1 && run.length > 1 && /\p{sc=Hangul}/u.test(run);
      const stands_alone = at === 0 && (tongues.stems.has(run[0]!) || grammars.exact.has(run.slice(1)));
      if (length === 0 || (syllable && !stands_alone)) {
        at++;
        continue;
      }
      if (rest < at) push(rest, at);
      const word = run.slice(at, at + length);
      let end = at + length;
      if (tongues.stems.has(word)) while (end < run.length && isEnding(run[end]!) && knownAt(end) < 2) end++;
      push(at, end, word);
      at = end;
      rest = at;
    }
    if (rest < run.length) push(rest, run.length);
  }
  return { all, used };
}

/** What a stem goes on with: "暗くて", "조용하게"; no particle of Japanese. */
function isEnding(letter: string): boolean {
  return /[\p{sc=Hiragana}\p{sc=Hangul}]/u.test(letter) && !/[のをはがともへや]/u.test(letter);
}
