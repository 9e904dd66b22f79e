/** Words that German and Dutch write in one: "Klavierakkord" is read as "Klavier" and "Akkord". */
import type { Divided } from "./divide.ts";
import type { Grammars } from "./grammar.ts";
import { inflected } from "./inflection.ts";
import type { Foreign, Lexicon } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

/** Letters of a part at least, and of a head whose first part nobody knows. */
const PART_MIN = 3;
const HEAD_MIN = 5;
/** What a compound is when only its head is known: a "Schulglocke" is a bell. */
const HEADS = /^(?:instrument|drum|sound|voice):/u;

/** What German and Dutch call as English does, and its letters at least. */
const LENT = /^(?:genre|instrument|drum|trait|clip):/u;
const LENT_MIN = 4;

interface Speech {
  readonly language: string;
  readonly lexicon: Lexicon;
  readonly grammars: Grammars;
}

/** Compounds among tokens are replaced by their parts. */
export function divideCompounds(given: Divided, speech: Speech): Divided {
  if (!speech.lexicon.tongues.joints.has(speech.language)) return given;
  const all: Token[] = [];
  const used: boolean[] = [];
  const parted = new Map<string, readonly Part[] | null>();
  for (const [at, token] of given.all.entries()) {
    if (!parted.has(token.word)) parted.set(token.word, partsOf(token.word, speech));
    const parts = given.used[at] ? null : parted.get(token.word)!;
    if (parts === null) {
      all.push(token);
      used.push(given.used[at]!);
      continue;
    }
    let begin = 0;
    for (const { word, end } of parts) {
      const first = begin === 0;
      all.push({
        ...{ raw: first && token.raw !== token.word ? capital(word) : word, word },
        ...{ from: token.from + begin, to: token.from + end, joined: first && token.joined },
        ...{ after_break: first && token.after_break, after_stop: first && token.after_stop },
        after_colon: first && token.after_colon,
      });
      used.push(false);
      begin = end;
    }
  }
  return { all, used };
}

interface Part {
  readonly word: string;
  /** One past its last letter in the compound, what joins it to the next included. */
  readonly end: number;
}

/**
 * Parts of a compound that no list has whole; null where it is none. Both are known, the first by what it names, or the
 * last names a thing.
 */
export function partsOf(word: string, speech: Speech): readonly Part[] | null {
  const { lexicon, language, grammars } = speech;
  if (word.length < 2 * PART_MIN || !/^[a-z]+$/u.test(word) || !lexicon.tongues.joints.has(language)) return null;
  if (lexicon.exact.has(word) || isFunction(word, language, grammars) || wordIn(word, speech) !== null) return null;
  let head: readonly Part[] | null = null;
  for (let cut = PART_MIN; cut <= word.length - PART_MIN; cut++) {
    const right = word.slice(cut);
    const thing = wordIn(right, speech);
    if (thing === null && !isFunction(right, language, grammars)) continue;
    const left = firstPart(word.slice(0, cut), speech);
    const last: Part = { word: right, end: word.length };
    if (left !== null) return [...left, last];
    if (right.length >= HEAD_MIN && thing?.entry.concepts.some((concept) => HEADS.test(concept)))
      head ??= [{ word: word.slice(0, cut), end: cut }, last];
  }
  return head;
}

/** What stands before the head: a word with what joins it, or a compound by itself. */
function firstPart(written: string, speech: Speech): readonly Part[] | null {
  const { language, lexicon } = speech;
  for (const joint of lexicon.tongues.joints.get(language)!) {
    const word = written.slice(0, written.length - joint.length);
    if (word.length < PART_MIN || !written.endsWith(joint)) continue;
    if (wordIn(word, speech) !== null) return [{ word, end: written.length }];
  }
  const parts = written.length < 2 * PART_MIN ? undefined : (partsOf(written, speech) ?? undefined);
  return parts?.every(({ word }) => wordIn(word, speech) !== null) ? parts : null;
}

/** In the language itself, or what it has from English: "Reggaenummer". */
function wordIn(word: string, { language, lexicon: { exact, tongues } }: Speech): Foreign | null {
  const own = tongues.exact.get(word)?.find((one) => one.language === language) ?? inflected([word], language, tongues);
  const lent = own !== null || word.length < LENT_MIN ? undefined : exact.get(word);
  return lent === undefined || !lent.concepts.some((concept) => LENT.test(concept)) ? own : { language, entry: lent };
}

function isFunction(word: string, language: string, { exact }: Grammars): boolean {
  return exact.get(word)?.some((use) => use.language === language) === true;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
