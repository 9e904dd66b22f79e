/**
 * Finds what the lexicon knows in a prompt, longest phrases first, and how each is meant: denied, softened, counted,
 * one after another. Linear in the length of the text.
 */
import type { Kind, Mention, Span, TimeAsked, Unknown } from "./ask.ts";
import { closeScope, openScope, polarityOf, scopeBehindBreak } from "./denial.ts";
import { divide } from "./divide.ts";
import { applyFunctions } from "./functions.ts";
import type { Grammars } from "./grammar.ts";
import { kindOf, type Lexicon } from "./lexicon.ts";
import { type Found, isHead, Phrases } from "./phrases.ts";
import { beginReading, type Draft, type Reading } from "./reading.ts";
import { readTimes } from "./times.ts";
import type { Token } from "./tokens.ts";

export interface Scan {
  readonly mentions: readonly Mention[];
  readonly unknown: readonly Unknown[];
  readonly references: readonly Span[];
  readonly times: readonly TimeAsked[];
  readonly languages: readonly string[];
  readonly words: readonly Token[];
}

/** Words between a number and what it counts: "three very loud knocks". */
const COUNT_REACH = 3;

export function scan(given: readonly Token[], taken: readonly boolean[], lexicon: Lexicon, grammars: Grammars): Scan {
  const phrases = new Phrases(divide(given, taken, lexicon, grammars), lexicon, grammars);
  const times = readTimes(phrases);
  const reading = beginReading(phrases);
  const references: Span[] = [];

  for (let at = 0; at < phrases.all.length; ) {
    const token = phrases.all[at]!;
    if (token.after_break && at > 0) {
      repeatLast(reading, at);
      beginClause(reading, token, at);
    }
    if (phrases.isUsed(at)) {
      at++;
      continue;
    }
    const found = phrases.entryAt(at);
    const known = found !== null && found.entry.concepts.length > 0;
    const functions = phrases.functionsAt(at);
    const words = functions[0]?.words ?? 0;
    // "Guitar alone" is not lonely.
    const last = reading.drafts.at(-1);
    const lone = known && !isHead(found.entry) && functions.some(({ role }) => role === "only_after");
    const stands_alone = lone && last?.end === at && last.head;
    // "Füge ein Klavier hinzu": no fugue.
    const adds = addsApart(phrases, at);
    if (adds) reading.led_by.push({ role: "adding", value: 1 });
    if (functions.length > 0 && (!known || words > found.end - at || stands_alone || adds)) {
      const end = applyFunctions(reading, functions, at, found?.end ?? at + 1);
      // What counted the thing before it leads nowhere.
      const counts_back = reading.count === null && functions.some(({ role }) => role === "number");
      if (!counts_back) reading.led_by.push(...functions.map(({ role, value }) => ({ role, value })));
      at = end;
      continue;
    }
    const meant = known ? found : found === null ? phrases.nearestAt(at) : null;
    if (meant !== null) {
      // "Near" is a distance, and leads to a place.
      reading.led_by.push(...functions.map(({ role, value }) => ({ role, value })));
      const draft = mention(reading, meant);
      if (reading.like) references.push({ from: draft.from, to: draft.to });
      at = meant.end;
      continue;
    }
    if (found === null && !phrases.isSmall(token.word)) meetUnknown(reading, token, at);
    at = found?.end ?? at + 1;
  }
  repeatLast(reading, phrases.all.length);
  closeScope(reading, phrases.all.length);
  return {
    mentions: reading.drafts.map(({ first: _, end: __, head: ___, ...mention }) => mention),
    unknown: onceEach(reading.unknown),
    references,
    times,
    languages: phrases.languages,
    words: phrases.all,
  };
}

/** Words between the halves of a verb. */
const APART_REACH = 12;

function addsApart(phrases: Phrases, at: number): boolean {
  if (!phrases.hasRole(at, "adding_apart")) return false;
  for (let n = at + 1; n < Math.min(phrases.all.length, at + APART_REACH) && !phrases.isBreak(n); n++)
    if (phrases.hasRole(n, "adding_end")) return true;
  return false;
}

function beginClause(reading: Reading, token: Token, at: number): void {
  reading.scope = scopeBehindBreak(reading, token, at);
  reading.degree = 1;
  reading.clause++;
  reading.clause_begins = reading.drafts.length;
  reading.only = false;
  reading.like = false;
  reading.preferring = false;
  reading.behind = false;
}

function mention(reading: Reading, { entry, at, end, derived, guessed }: Found): Draft {
  const { phrases, drafts, degree, part, clause, behind, count } = reading;
  const { all } = phrases;
  const head = isHead(entry);
  const draft: Draft = {
    ...{ first: at, end, from: all[at]!.from, to: all[end - 1]!.to },
    ...{ concepts: entry.concepts, phrase: entry.phrase, head, derived, guessed, degree, part, clause },
    ...{ polarity: "wanted", count: null, behind, of: null, alone: false, likened: false },
    led_by: reading.led_by,
    adjacent: drafts.at(-1)?.end === at && !phrases.isBreak(at),
  };
  reading.led_by = [];
  const last = drafts.at(-1);
  const index = drafts.push(draft) - 1;
  // "Soft piano": the manner is the piano's.
  if (last !== undefined && !last.head && head && draft.adjacent) last.of = index;
  draft.polarity = isSubject(phrases, draft) ? "compared" : polarityOf(reading, draft, last);
  // "Without vocals" is known as it stands, and may begin a list: "and claps"; "without losing" keeps.
  const keeps = entry.concepts.every((concept) => concept.startsWith("source:"));
  const denying = draft.polarity === "wanted" && !keeps ? /^(?:no|without)(?= )/u.exec(entry.phrase)?.[0] : undefined;
  if (denying !== undefined)
    reading.scope = { ...openScope("unwanted", denying as "no" | "without", at + 1), of: [draft] };
  reading.degree = 1;
  if (count !== null && at - count.at <= COUNT_REACH && !phrases.isBreak(at) && head) {
    draft.count = count.value;
    reading.count = null;
  }
  if (reading.only && head) {
    draft.alone = draft.polarity === "wanted";
    reading.only = false;
  } else if (last?.alone === true && draft.adjacent) draft.alone = draft.polarity === "wanted";
  return draft;
}

/** What is heard once more where nothing else is named. */
const REPEATED: ReadonlySet<Kind> = new Set<Kind>(["sound", "thing", "drum"]);

/** What leads to a place, a means or a person. */
const PLACING: ReadonlySet<string> = new Set(["into", "on", "at", "with", "about", "over", "behind", "like", "until"]);

/** "Three gunshots, then one more", "noch einer": what was named last, in a part of its own. */
function repeatLast(reading: Reading, end: number): void {
  const { phrases, drafts, led_by, clause } = reading;
  const again = led_by.some(({ role }) => role === "again");
  const number = led_by.find(({ role }) => role === "number");
  const counted = number !== undefined && phrases.hasRole(end - 1, "more");
  const of = drafts.findLast(
    ({ head, polarity, concepts }) =>
      head && polarity === "wanted" && concepts.some((one) => REPEATED.has(kindOf(one))) && !isSilence(concepts),
  );
  // "Clacks into another one" strikes what was there.
  const apart = of?.clause !== clause || led_by.some(({ role }) => role === "then" || role === "and");
  const placed = led_by.some(({ role }) => PLACING.has(role));
  if ((!again && !counted) || !apart || placed || of === undefined || end < 2) return;
  if (drafts.some(({ part }) => part === reading.part)) reading.part++;
  const { from, to } = phrases.all[end - 1]!;
  const led = led_by.filter(({ role }) => role !== "again");
  drafts.push({
    ...{ ...of, first: end - 1, end, from, to, part: reading.part, clause, led_by: led },
    ...{ count: number?.value ?? 1, adjacent: false, behind: false, of: null, alone: false, likened: false },
  });
  reading.led_by = [];
  reading.count = null;
}

function isSilence(concepts: Draft["concepts"]): boolean {
  return concepts.includes("sound:silence");
}

/** Words between "about" and the person whom a song is about. */
const SUBJECT_REACH = 3;

/** "A song about a boy", "for my sister's wedding": they do not sing it. */
function isSubject(phrases: Phrases, { first, end, concepts }: Draft): boolean {
  if (!concepts.every((concept) => concept.startsWith("person:"))) return false;
  const sings = phrases.entryAt(end)?.entry.concepts.some((concept) => concept.startsWith("voice:")) === true;
  if (first > 0 && !phrases.isBreak(first) && phrases.hasRole(first - 1, "possessives") && !sings) return true;
  for (let at = first - 1; at >= Math.max(0, first - SUBJECT_REACH) && !phrases.isBreak(at + 1); at--)
    if (phrases.hasRole(at, "about")) return true;
  return false;
}

function meetUnknown(reading: Reading, { word, from, to, after_break }: Token, at: number): void {
  const { phrases } = reading;
  const listed = !after_break && at > 0 && phrases.hasRole(at - 1, "or");
  if (reading.scope !== null && reading.scope.of.length > 0 && !reading.scope.listing && !listed) reading.scope = null;
  if (reading.scope !== null) reading.scope.manner = true;
  const polarity = reading.scope?.polarity ?? "wanted";
  const { part, clause, led_by } = reading;
  reading.unknown.push({ word, from, to, polarity, part, clause, led_by });
  reading.led_by = [];
  // "Only real strings": one word may stand between.
  reading.only &&= phrases.beginsMention(at + 1);
}

function onceEach(all: readonly Unknown[]): Unknown[] {
  const seen = new Set<string>();
  return all.filter(({ word }) => !seen.has(word) && seen.add(word));
}
