/** How far a denial or a comparison reaches: which of the things behind it, or before it, it is said of. */
import type { Kind, Polarity } from "./ask.ts";
import type { Role } from "./grammar.ts";
import { kindOf } from "./lexicon.ts";
import { type Found, isHead, type Phrases } from "./phrases.ts";
import { coordinated, type Draft, isThing, type Reading, type Scope, standsBehind } from "./reading.ts";
import type { Token } from "./tokens.ts";

/** What of an instrument may be denied without the instrument: "no guitar solo". */
const PARTS: ReadonlySet<Kind> = new Set<Kind>(["trait", "form", "clip"]);

/** Words that a list may hold before "or" tells that it is one. */
const LIST_WORDS_MAX = 8;

/** What `role`, whose words end before `opened`, says of what comes next. */
export function openScope(polarity: Scope["polarity"], role: Role, opened: number): Scope {
  const governs = role !== "negation" && role !== "no" && role !== "instead_of";
  return { ...{ polarity, role, opened, governs }, of: [], listing: false, amount: false, manner: false };
}

/** How what was just met is meant, by the scope that is open; closes it where it does not reach so far. */
export function polarityOf(reading: Reading, draft: Draft, last: Draft | undefined): Polarity {
  const { scope } = reading;
  if (scope === null) return "wanted";
  const before = scope.of.at(-1);
  // "Faster than it is now and brighter".
  if (before === undefined && scope.role === "than" && !draft.head && standsBehind(reading.phrases, draft, "and")) {
    reading.scope = null;
    return "wanted";
  }
  if (before !== undefined && last === before && !draft.head && isOfBefore(reading, scope, draft)) {
    // "Don't let the drums be loud": loudness is denied.
    for (const one of scope.of.splice(0)) one.polarity = "wanted";
    scope.of.push(draft);
    return scope.polarity;
  }
  if (before !== undefined && (last !== before || !reaches(reading, scope, before, draft))) {
    reading.scope = null;
    return "wanted";
  }
  // "Not too loud footsteps", "less cheerful piano": the manner alone is meant. "Not too much reverb" means the thing.
  const manner_only = scope.polarity === "softened" || scope.polarity === "less";
  const mannered = (before !== undefined && !before.head) || (scope.manner && scope.polarity === "softened");
  if (manner_only && draft.head && mannered && !scope.amount) {
    reading.scope = null;
    return "wanted";
  }
  scope.of.push(draft);
  return scope.polarity;
}

function isSound({ concepts }: Draft): boolean {
  return concepts.some((concept) => kindOf(concept) === "sound");
}

/** Whether a manner is how what stands before is not to be. */
function isOfBefore({ phrases }: Reading, { role, of }: Scope, { first }: Draft): boolean {
  const before = of.at(-1)!;
  if (role !== "negation" || !of.every(({ head }) => head)) return false;
  for (let at = before.end; at < first; at++)
    if (phrases.isBreak(at) || !phrases.hasRole(at, "verbs", "being", "articles", "very")) return false;
  return phrases.hasRole(before.end, "being") && !phrases.isBreak(first);
}

/** Whether what is denied goes on from one mention to the next. */
function reaches(reading: Reading, scope: Scope, before: Draft, now: Draft): boolean {
  const { phrases, drafts } = reading;
  const { polarity, listing, role, opened } = scope;
  if (polarity === "compared" || listing) return true;
  const places = Array.from({ length: now.first - before.end }, (_, n) => before.end + n);
  const broken = [...places, now.first].some((at) => phrases.isBreak(at));
  const has = (wanted: Role): boolean => places.some((at) => phrases.hasRole(at, wanted));
  if (places.length === 0 && !broken) {
    if (role === "negation" && now.head && isAside(reading, scope, before)) return false;
    // "No church echo", "no jazz piano".
    // "No engine roar": one sound's.
    if (!before.head || (isThing(now) && !isThing(before)) || (isSound(now) && isSound(before))) return true;
    const part = now.concepts.every((concept) => PARTS.has(kindOf(concept)));
    if (part && polarity === "unwanted") before.of = drafts.length - 1;
    return part;
  }
  if (has("or")) return true;
  if (has("and")) {
    if (has("verbs")) return false;
    // "Without the heavy drums and the loud guitars": alike, so one list.
    const first_has_article = before.first > opened && phrases.hasRole(opened, "articles");
    // "Without the roar and an owl hooting".
    if (isSound(now) && has("single") && !phrases.hasRole(opened, "single")) return false;
    if (role === "without" && has("articles") && first_has_article) return true;
    const leads = !now.head && phrases.beginsHead(now.end);
    const afresh = has("articles") && (role === "no" || role === "without") && now.head;
    return before.head === now.head && !leads && !afresh;
  }
  // A break that did not end it is one of a list.
  if (broken) return true;
  // "Without drums a piano is fine".
  if (role === "without" && has("single") && !phrases.hasRole(opened, "single")) return false;
  // "Statt der Gitarre eine Geige": what is wanted in its place.
  return role !== "instead_of" && places.every((at) => phrases.hasRole(at, "articles"));
}

/** "Sad but not hopeless piano", "non-aggressive techno": a manner alone is denied. */
function isAside({ drafts, phrases }: Reading, { opened, of }: Scope, before: Draft): boolean {
  if (of.length > 1 || before.first !== opened) return false;
  if (phrases.all[opened]!.joined) return true;
  const first = drafts[drafts.indexOf(before) - 1];
  return !before.head && first?.head === false && opened - first.end <= 2;
}

/** What is left of the open scope behind a comma or a full stop. */
export function scopeBehindBreak(reading: Reading, token: Token, at: number): Scope | null {
  const { scope: open, drafts, phrases } = reading;
  if (open === null) return null;
  if (open.polarity === "unwanted" && open.of.length === 0 && open.opened === at && token.after_colon)
    return { ...open, listing: true };
  if (open.listing && !token.after_stop) return open;
  const last = open.of.at(-1);
  if (!token.after_stop && open.polarity === "unwanted" && last !== undefined && last === drafts.at(-1)) {
    if (isListed(reading, at)) return open;
    // "No loud, heavy drums": the drums are still to come.
    const headless = open.of.every(({ head }) => !head);
    if (headless && open.role !== "negation" && !phrases.beginsHead(at) && phrases.leadsToHead(at)) return open;
    // Something was asked for before what is denied, so the prompt needs nothing more.
    const asked = drafts.some((one) => one.polarity === "wanted" && one.first < open.of[0]!.first);
    if (open.governs && isListedBare(reading, at, asked)) return { ...open, listing: true };
  }
  closeScope(reading, at);
  return null;
}

/** "No drums, bass or vocals": a list goes on over commas if "or" comes before its end. */
function isListed({ phrases }: Reading, at: number): boolean {
  const { all } = phrases;
  for (let n = at, words = 0; n < all.length && words < LIST_WORDS_MAX; n++, words++) {
    if (n > at && all[n]!.after_stop) return false;
    if (phrases.hasRole(n, "or")) return true;
    if (phrases.hasRole(n, "with", "but") || phrases.denies(n)) return false;
  }
  return false;
}

/**
 * "…, bass and vocals" up to the end of the sentence, no manner alone among them, where something else is asked for
 * before or behind it.
 */
function isListedBare({ phrases }: Reading, at: number, asked_before: boolean): boolean {
  const { all } = phrases;
  let joined = false;
  let items = 0;
  let mannered = false;
  // "Just a piano", "with a piano".
  if (phrases.hasRole(at, "but", "only", "with")) return false;
  for (let n = at; n < all.length; ) {
    if (n > at && all[n]!.after_stop) return (joined || (items > 1 && !mannered)) && !phrases.denies(n);
    const found = phrases.entryAt(n);
    const next = found?.end ?? n + 1;
    if (found !== null && found.entry.concepts.length > 0) {
      if (!isHead(found.entry) && !phrases.leadsToHead(n)) return false;
      mannered ||= !isHead(found.entry);
      items++;
    } else if (phrases.hasRole(n, "and")) joined = true;
    else if (!phrases.hasRole(n, "articles") && !isPolite(phrases, found, n)) {
      // A thing that nobody knows.
      if (found !== null || phrases.functionsAt(n).length > 0 || !isClosing(phrases, next)) return false;
      items++;
    }
    n = next;
  }
  // "Without drums, warm piano, soft pads": how something is to be is said of what is wanted.
  return asked_before && (joined || (items > 1 && !mannered));
}

/** "Please" and the like at the end of a list. */
function isPolite(phrases: Phrases, found: Found | null, at: number): boolean {
  return found !== null && found.entry.concepts.length === 0 && phrases.functionsAt(at).length === 0;
}

/** Whether a clause ends before a place. */
export function isClosing({ all }: Phrases, at: number): boolean {
  return at >= all.length || all[at]!.after_break;
}

/** A scope that met nothing: "drums should not be there", "vocals are not wanted" deny what stands before. */
export function closeScope(reading: Reading, at: number): void {
  const { scope: open, drafts, phrases, clause, unknown } = reading;
  if (open === null || open.of.length > 0 || open.role !== "negation" || open.polarity !== "unwanted") return;
  const last = drafts.at(-1);
  if (last === undefined || last.clause !== clause || last.polarity !== "wanted") return;
  const between = phrases.all.slice(last.end, open.opened - 1);
  if (between.some(({ after_break }) => after_break)) return;
  const denying = phrases.all[open.opened - 1]!;
  // "Il sassofono non ci deve essere": what is said of it stands behind.
  const said = Array.from({ length: at - open.opened }, (_, n) => open.opened + n);
  const led =
    between.length > 0 ||
    (denying.word.endsWith("nt") && denying.word.length > 3) ||
    (said.length > 0 && said.every((place) => phrases.hasRole(place, "verbs")));
  if (!led || !between.every((_, n) => phrases.hasRole(last.end + n, "verbs"))) return;
  denyBack(reading, last, unknown.some(({ from }) => from >= denying.from && at > 0) ? "softened" : "unwanted");
}

/** Whether only words of being stand between what was mentioned and a place: "vocals are forbidden". */
export function leadsBack({ phrases, clause }: Reading, at: number, { end, clause: own }: Draft): boolean {
  if (own !== clause) return false;
  for (let n = end; n < at; n++) if (!phrases.hasRole(n, "verbs")) return false;
  return true;
}

/** "Take the choir out": what is taken stands between. */
export function takesOut({ phrases }: Reading, at: number, { first, end }: Draft): boolean {
  if (end !== at) return false;
  for (let n = first - 1; n >= Math.max(0, first - 3) && !phrases.isBreak(n + 1); n--)
    if (phrases.hasRole(n, "take")) return true;
  return false;
}

export function denyBack(reading: Reading, last: Draft, polarity: Polarity): void {
  for (const one of coordinated(reading, last)) one.polarity = polarity;
}
