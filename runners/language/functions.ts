/** What words of grammar do to the reading: they deny, compare, count, put in order, and single out. */

import { closeScope, denyBack, isClosing, leadsBack, openScope, takesOut } from "./denial.ts";
import { CIRCUMSTANCES, type Role, type Use } from "./grammar.ts";
import { coordinated, type Draft, isThing, type Reading, standsBehind } from "./reading.ts";
import { isDense } from "./tokens.ts";

type Roles = ReadonlyMap<Role, Use>;
/** @returns whether it was one of its own, and nothing else is to be sought in it */
type Rule = (reading: Reading, roles: Roles, at: number, end: number) => boolean;

/** What stands behind what it says something of comes first, what opens something new last. */
const RULES: readonly Rule[] = [
  denyWhatIsBefore,
  singleOutWhatIsBefore,
  soften,
  singleOut,
  deny,
  compare,
  order,
  refer,
];

/**
 * @param next one past the entry of the lexicon at this place
 * @returns where reading goes on
 */
export function applyFunctions(reading: Reading, functions: readonly Use[], at: number, next: number): number {
  const roles: Roles = new Map(functions.map((one) => [one.role, one]));
  const end = Math.max(at + functions[0]!.words, roles.has("fillers") ? next : 0);
  if (roles.has("fillers") || RULES.some((rule) => rule(reading, roles, at, end))) return end;
  const number = roles.get("number");
  if (!qualify(reading, roles, at) && number !== undefined) return count(reading, number, roles, at, end);
  if (reading.only && !KEEPS_ONLY.some((role) => roles.has(role))) reading.only = false;
  return end;
}

/** "Only the two very calm pianos". */
const KEEPS_ONLY: readonly Role[] = ["articles", "very", "and", ...CIRCUMSTANCES];

/** "Vocals are forbidden", "trumpet yes, brass no", "drums? never", "take the choir out". */
function denyWhatIsBefore(reading: Reading, roles: Roles, at: number, end: number): boolean {
  const { phrases, drafts } = reading;
  const last = drafts.at(-1);
  const answered = phrases.all[at]!.after_question === true;
  if (last === undefined || (phrases.isBreak(at) && !answered)) return false;
  const closing = isClosing(reading.phrases, end);
  const touching = last.end === at;
  const after = roles.get("negation_after");
  // What stands behind in English may stand before: "less" alone. Where it always does, the next word is another's.
  // "R&B 不要鼓": what may stand before as well denies what comes next, unless nothing comes.
  const before = roles.has("without") || roles.has("no") || roles.has("negation");
  const ends_thing =
    after !== undefined &&
    (closing || after.language === "en" || !before) &&
    (after.language !== "en" || after.words > 1 || phrases.all[at]!.joined || closing || !phrases.beginsMention(end));
  if (ends_thing && !answered && leadsBack(reading, at, last)) {
    denyBack(reading, last, "unwanted");
    reading.scope = null;
    return true;
  }
  if (roles.has("except_after") && leadsBack(reading, at, last)) {
    const exclusive = deniesLater(reading, end);
    if (!exclusive) denyBack(reading, last, "unwanted");
    else for (const one of coordinated(reading, last)) Object.assign(one, { polarity: "wanted", alone: true });
    reading.scope = null;
    return true;
  }
  // "Громче бас, тише барабаны": what may stand before as well is said of what comes next.
  if (roles.has("less_after") && leadsBack(reading, at, last) && (closing || !roles.has("less"))) {
    denyBack(reading, last, "less");
    reading.scope = null;
    return true;
  }
  const no = roles.has("no") || roles.has("negation");
  if (
    (no && touching && closing && last.polarity === "wanted") ||
    (roles.has("out") && touching && takesOut(reading, at, last))
  ) {
    denyBack(reading, last, "unwanted");
    return true;
  }
  return false;
}

/** Whether a clause goes on to deny something. */
function deniesLater({ phrases }: Reading, from: number): boolean {
  for (let at = from; at < phrases.all.length && !phrases.isBreak(at); at++)
    if (phrases.hasRole(at, "negation", "negation_after", "no")) return true;
  return false;
}

/** "Guitar alone", "a clarinet, nothing else". */
function singleOutWhatIsBefore(reading: Reading, roles: Roles, at: number, end: number): boolean {
  const last = reading.drafts.at(-1);
  if (!roles.has("only_after") || last?.end !== at || last.polarity !== "wanted") return false;
  if (roles.has("only") && (!isClosing(reading.phrases, end) || reading.phrases.isBreak(at))) return false;
  // "Leave the vocals alone" leaves them as they are.
  if (!takesOut(reading, at, last)) for (const one of coordinated(reading, last)) one.alone = true;
  return true;
}

/** "Not too", "not much", "don't make the drums too loud". */
function soften(reading: Reading, roles: Roles, _: number, end: number): boolean {
  const { scope } = reading;
  if (scope === null || scope.polarity === "compared") return false;
  if (scope.of.length > 0) {
    const softens = roles.has("too") && scope.role === "negation" && reading.phrases.beginsMention(end);
    if (!softens || reading.phrases.beginsHead(end) || !scope.of.every(({ head }) => head)) return false;
    for (const one of scope.of) one.polarity = "wanted";
    reading.scope = openScope("softened", "negation", end);
    return true;
  }
  // "Nothing that sounds loud" is no "not that loud".
  if (roles.has("too") && !(scope.role === "no" && roles.has("articles"))) {
    if (scope.polarity === "unwanted" && (scope.role === "negation" || scope.role === "no"))
      scope.polarity = "softened";
    return true;
  }
  if (!roles.has("much")) return false;
  if (scope.polarity === "unwanted" && scope.role === "negation") scope.polarity = "softened";
  scope.amount = true;
  return true;
}

/** "Only", "no instruments except", "remove everything but". */
function singleOut(reading: Reading, roles: Roles, at: number, end: number): boolean {
  const { phrases, scope } = reading;
  if (roles.has("only")) {
    reading.scope = null;
    reading.only = !(end < phrases.all.length && phrases.hasRole(end, "slightly", "like"));
    return true;
  }
  if (!roles.has("except") || (scope?.polarity !== "unwanted" && !isEmpty(reading, at))) return false;
  // "No percussion except a triangle" says nothing of the rest.
  reading.only = scope === null || scope.of.length === 0;
  reading.scope = null;
  return true;
}

/** "A silent room" before "except": all that is there is still to come. */
function isEmpty({ phrases }: Reading, at: number): boolean {
  for (let n = at - 1; n >= 0; n--) {
    if (phrases.hasRole(n, "void")) return true;
    if (phrases.isBreak(n)) return false;
  }
  return false;
}

function deny(reading: Reading, roles: Roles, at: number, end: number): boolean {
  const { phrases, scope } = reading;
  const opens = (["without", "no", "negation", "instead_of", "except"] as const).find((role) => roles.has(role));
  if (opens === undefined) return false;
  // "Nor" goes on with what is denied; "no longer than" is a bound, and nothing is denied.
  if ((roles.has("or") && scope !== null) || phrases.hasRole(end + 1, "than")) return true;
  const denied = scope !== null && scope.of.length === 0 && scope.polarity === "unwanted" && !phrases.isBreak(at);
  // "Don't forget the drums", "not without", "without losing the drums": two negations.
  if (
    denied &&
    opens === "without" &&
    (["negation", "no"].includes(scope.role) || (scope.role === "without" && scope.opened === at))
  ) {
    reading.scope = null;
    return true;
  }
  closeScope(reading, at);
  // "Niezbyt", "不太": not too, in a word.
  const softens = roles.has("negation") && roles.has("too");
  reading.scope = openScope(softens ? "softened" : "unwanted", opens, end);
  return true;
}

function compare(reading: Reading, roles: Roles, at: number, end: number): boolean {
  const { scope, phrases, drafts } = reading;
  const last = drafts.at(-1);
  if (roles.has("as") && last?.end === at && !phrases.isBreak(at) && standsBehind(phrases, last, "as")) {
    // "As loud as the original" asks for nothing loud.
    if (phrases.hasRole(end, "original")) last.polarity = "compared";
    reading.scope = openScope("compared", "as", end);
    return true;
  }
  if (roles.has("over") && reading.preferring && last?.end === at && !phrases.isBreak(at)) {
    reading.scope = openScope("unwanted", "instead_of", end);
    return true;
  }
  if (roles.has("less"))
    reading.scope = scope !== null && scope.of.length === 0 ? null : openScope("less", "less", end);
  else if (roles.has("than")) reading.scope = openScope("compared", "than", end);
  else return false;
  return true;
}

/** "No drums until the last chorus", "the drums should not come in before the second verse". */
function delayed({ scope, drafts, phrases, clause }: Reading, at: number): readonly Draft[] {
  if (scope?.polarity !== "unwanted" || phrases.isBreak(at)) return [];
  const last = drafts.at(-1);
  if (scope.of.length > 0) return last?.end === at ? scope.of : [];
  return scope.role === "negation" && last?.clause === clause && last.polarity === "wanted" ? [last] : [];
}

/** "Until", "starts with", "then", "in the background". */
function order(reading: Reading, roles: Roles, at: number, end: number): boolean {
  const { phrases, drafts } = reading;
  const last = drafts.at(-1);
  // "Never mind the riser before it" waits for nothing.
  const late = roles.has("until") && !phrases.hasRole(end, "verbs") ? delayed(reading, at) : [];
  if (late.length > 0) {
    for (const one of late) one.polarity = "wanted";
    reading.scope = null;
    return true;
  }
  if (roles.has("starts_with") || roles.has("ends_with")) {
    // "Don't start with drums" leaves them for later.
    const later = roles.has("starts_with") && reading.scope?.role === "negation" && reading.scope.of.length === 0;
    if (later && phrases.beginsHead(phrases.hasRole(end, "articles") ? end + 1 : end))
      reading.scope = openScope("compared", "than", end);
    return true;
  }
  if (roles.has("then")) {
    reading.scope = null;
    if (drafts.some((one) => one.part === reading.part)) reading.part++;
    return true;
  }
  if (!roles.has("behind")) return false;
  const under = drafts
    .slice(reading.clause_begins)
    .filter((one) => !standsBehind(phrases, one, "with") || one === last);
  if (under.length === 0) reading.behind = true;
  else under.at(-1)!.behind = true;
  return true;
}

/** "Distorted ones": of what was named last. */
function refer({ phrases, drafts }: Reading, roles: Roles, at: number): boolean {
  const last = drafts.at(-1);
  if (!roles.has("pronouns") || last === undefined || last.end !== at || last.head || phrases.isBreak(at)) return false;
  const of = drafts.findLastIndex((one) => one.head && isThing(one));
  if (of === -1) return false;
  last.of = of;
  return true;
}

/** "Very", "slightly", "like", and what ends a denial. */
function qualify(reading: Reading, roles: Roles, at: number): boolean {
  const { phrases, drafts, scope } = reading;
  const last = drafts.at(-1);
  if (roles.has("prefer")) reading.preferring = true;
  else if (roles.has("very")) reading.degree = 1.4;
  else if (roles.has("slightly")) reading.degree = 0.5;
  else if (roles.has("like")) {
    if (last?.end === at && phrases.all[at]!.joined) last.likened = true;
    else reading.like = true;
  } else if (roles.has("but") || (roles.has("with") && scope !== null && scope.of.length > 0)) {
    closeScope(reading, at);
    reading.scope = null;
  } else {
    if (!roles.has("number") && roles.has("verbs") && scope?.of.length === 0) scope.governs = true;
    return false;
  }
  return true;
}

/** "Two", "three times", but not "never twice": of what comes next, or of what was just said. @returns where reading goes on */
function count(reading: Reading, { value }: Use, roles: Roles, at: number, end: number): number {
  const { scope, phrases, drafts, clause, clause_begins } = reading;
  const last = reading.drafts.at(-1);
  // "Ein Hund": an article before it is a number.
  if (roles.has("articles") || roles.has("single")) return end;
  const times = phrases.hasRole(end, "times");
  const denied = scope?.polarity === "unwanted" && scope.role === "negation" && scope.of.length === 0;
  if (denied && (times || roles.has("times"))) {
    reading.scope = null;
    return times ? end + 1 : end;
  }
  // "The clock strikes three", "strikes nine in a hall": nothing else comes that could be counted.
  const closing = last?.end === end - 1 && (isClosing(phrases, end) || phrases.hasRole(end, "at", "on"));
  // "Then a scream, three times", "a bell, three times in quick succession".
  const next = times ? end + 1 : end;
  const closed = isClosing(phrases, next) || ((times || roles.has("times")) && !phrases.beginsHead(next));
  const apart = phrases.isBreak(at) && drafts.length === clause_begins && closed;
  // "二匹の犬": what is counted comes behind.
  const leads = phrases.beginsMention(end) || (phrases.hasRole(end, "small_words") && phrases.beginsMention(end + 1));
  const ahead = leads && isDense(phrases.all[end - 1]!.word);
  const reached = last?.clause === clause || (apart && (times || roles.has("times")));
  const free = last?.count === null && reached && !ahead;
  if (free && (roles.has("times") || times || closing)) {
    last.count = value;
    reading.count = null;
  } else reading.count = { value, at: end };
  return times ? end + 1 : end;
}
