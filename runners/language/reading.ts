/** What was read of a prompt up to a place: the common ground of the rules of denial, order and counting. */
import type { Kind, Led, Mention, Polarity, Unknown } from "./ask.ts";
import type { Role } from "./grammar.ts";
import { kindOf } from "./lexicon.ts";
import type { Phrases } from "./phrases.ts";

export type Draft = { -readonly [K in keyof Mention]: Mention[K] } & {
  /** First token and one past the last. */
  readonly first: number;
  readonly end: number;
  readonly head: boolean;
};

/** What is denied, softened or compared, from where it was opened. */
export interface Scope {
  polarity: Exclude<Polarity, "wanted">;
  readonly role: Role;
  /** First token behind the words that opened it. */
  readonly opened: number;
  /** What it was said of so far. */
  readonly of: Draft[];
  /** "Don't use", "without": a list without "or" may be meant whole. */
  governs: boolean;
  /** "Without: drums, bass": up to the end of the sentence. */
  listing: boolean;
  /** "Not too much reverb": of the thing itself, not of its manner. */
  amount: boolean;
  /** A word that nobody knows stood before what was denied: it may be the manner. */
  manner: boolean;
}

export interface Reading {
  readonly phrases: Phrases;
  readonly drafts: Draft[];
  readonly unknown: Unknown[];
  scope: Scope | null;
  clause: number;
  /** Index of the first mention of the clause. */
  clause_begins: number;
  part: number;
  /** 1; more behind "very", less behind "slightly". */
  degree: number;
  /** "Only": what comes next is alone. */
  only: boolean;
  like: boolean;
  /** "I prefer": what comes behind "over" is not wanted. */
  preferring: boolean;
  /** The next mention is under all the rest. */
  behind: boolean;
  /** Words of grammar since what was read last. */
  led_by: Led[];
  count: { readonly value: number; readonly at: number } | null;
}

export function beginReading(phrases: Phrases): Reading {
  return {
    ...{ phrases, drafts: [], unknown: [], scope: null, clause: 0, clause_begins: 0, part: 0, degree: 1 },
    ...{ only: false, like: false, preferring: false, behind: false, led_by: [], count: null },
  };
}

/** What sounds by itself, and not what it is of or where. */
const THINGS: ReadonlySet<Kind> = new Set<Kind>(["instrument", "drum", "voice", "sound", "clip"]);

export function isThing({ concepts }: Draft): boolean {
  return concepts.some((concept) => THINGS.has(kindOf(concept)));
}

/** A mention and those that "and" or "or" join to it. */
export function coordinated({ drafts, phrases }: Reading, last: Draft): Draft[] {
  const out = [last];
  for (let n = drafts.indexOf(last) - 1; n >= 0; n--) {
    const one = drafts[n]!;
    const next = out.at(-1)!;
    if (one.clause !== next.clause || one.head !== next.head || one.polarity !== last.polarity) break;
    if (!standsBehind(phrases, next, "and") && !standsBehind(phrases, next, "or")) break;
    out.push(one);
  }
  return out;
}

/** Whether a word of grammar stands right before a mention. */
export function standsBehind(phrases: Phrases, { first }: Draft, role: Role): boolean {
  return first > 0 && phrases.hasRole(first - 1, role);
}
