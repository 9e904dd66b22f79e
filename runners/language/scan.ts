/**
 * Finds what the lexicon knows in a prompt, longest phrases first, and how each is meant: denied, softened, counted, one after another. Linear
 * in the length of the text.
 */
import type { FormAsked, Kind, Mention, Polarity, Span, Unknown } from "./ask.ts";
import type { Grammars, Role, Use } from "./grammar.ts";
import type { Entry, Foreign, Lexicon } from "./lexicon.ts";
import { related } from "./related.ts";
import { isDense, type Token } from "./tokens.ts";
import { stemsOf } from "./tongues.ts";

export interface Scan {
  readonly mentions: readonly Mention[];
  readonly unknown: readonly Unknown[];
  readonly form: readonly FormAsked[];
  readonly references: readonly Span[];
  readonly retold: string;
  readonly languages: readonly string[];
}

type Draft = { -readonly [K in keyof Mention]: Mention[K] } & {
  /** First token and one past the last. */
  readonly first: number;
  readonly end: number;
  readonly head: boolean;
};

interface Scope {
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

/** What says how something is, rather than what. */
const MANNERS: ReadonlySet<Kind> = new Set<Kind>(["mood", "tempo", "dynamics", "manner", "material"]);
/** What of an instrument may be denied without the instrument: "no guitar solo". */
const PARTS: ReadonlySet<Kind> = new Set<Kind>(["trait", "form", "clip"]);

/** Unknown words of a prompt that the dictionary is asked for: a third of a millisecond each. */
const LOOK_UPS_MAX = 24;
/** Words that a list may hold before "or" tells that it is one. */
const LIST_WORDS_MAX = 8;

export function scan(given: readonly Token[], taken: readonly boolean[], lexicon: Lexicon, grammars: Grammars): Scan {
  const { all, used } = spread(...divideDenied(given, taken, lexicon, grammars), lexicon, grammars);
  const languages = languagesOf(all, grammars, lexicon);
  const english = languages[0] === "en";
  const functions_at: (readonly Use[])[] = [];
  const entries_at: (Found | null)[] = [];
  const drafts: Draft[] = [];
  const unknown: Unknown[] = [];
  const form: FormAsked[] = [];
  const references: Span[] = [];
  const told: { readonly words: string; readonly of?: Draft }[] = [];
  let scope: Scope | null = null;
  let degree = 1;
  let clause = 0;
  let part = 0;
  let only = false;
  let count: { readonly value: number; readonly at: number } | null = null;
  let like = false;
  let opening: { readonly event: FormAsked["event"]; readonly who: number[] } | null = null;
  let behind = false;
  let clause_begins = 0;
  let looked_up = 0;

  for (let at = 0; at < all.length; ) {
    const token = all[at]!;
    if (token.after_break && at > 0) {
      scope = atBreak(scope, token, at);
      degree = 1;
      clause++;
      clause_begins = drafts.length;
      only = false;
      like = false;
      behind = false;
      opening = null;
      told.push({ words: "," });
    }
    if (used[at]) {
      told.push({ words: token.raw });
      at++;
      continue;
    }
    const found = entryAt(at);
    const known = found !== null && found.entry.concepts.length > 0;
    const functions = functionsAt(at);
    const words = functions[0]?.words ?? 0;
    // "Guitar alone" is not lonely.
    const lone = known && !isHead(found.entry) && functions.some(({ role }) => role === "only_after");
    const stands_alone = lone && drafts.at(-1)?.end === at && drafts.at(-1)!.head;
    if (functions.length > 0 && (!known || words > found.end - at || stands_alone)) {
      const end = apply(functions, at, found?.end ?? at + 1);
      told.push({ words: retellFunction(functions, at, end) });
      at = end;
      continue;
    }
    const near = found === null ? nearestAt(at) : null;
    if (near !== null) {
      mention(near);
      at = near.end;
      continue;
    }
    if (!known) {
      const denied = found === null && !isSmall(token.word) && meetUnknown(token, at);
      const end = found?.end ?? at + 1;
      if (!denied) told.push({ words: rawWords(at, end) });
      at = end;
      continue;
    }
    mention(found);
    at = found.end;
  }
  closeWithout(scope, all.length);
  return {
    mentions: drafts.map(({ first: _, end: __, head: ___, ...mention }) => mention),
    unknown: onceEach(unknown),
    form,
    references,
    retold: told
      .filter(({ words, of }) => words !== "" && (of === undefined || HEARD.has(of.polarity)))
      .map(({ words }) => words)
      .join(" "),
    languages,
  };

  /** What an unknown word is by its meaning; it colours, and names nothing. */
  function nearestAt(at: number): Found | null {
    const { word } = all[at]!;
    if (lexicon.nearest === undefined || languages[0] !== "en" || !/^[a-z]{4,24}$/u.test(word)) return null;
    if (isSmall(word) || looked_up++ >= LOOK_UPS_MAX) return null;
    const entry = lexicon.nearest(word);
    return entry === null ? null : { entry, at, end: at + 1, derived: true, guessed: "meaning", translated: true };
  }

  function rawWords(from: number, to: number): string {
    return all
      .slice(from, to)
      .map(({ raw }) => raw)
      .join(" ");
  }

  /** Denials are told by leaving out what they deny; numbers in English. */
  function retellFunction(functions: readonly Use[], from: number, to: number): string {
    if (functions.some(({ role }) => DENIES.has(role) || (role === "or" && scope?.polarity === "unwanted"))) return "";
    const number = functions.find(({ role, language }) => role === "number" && language !== "en");
    return number === undefined ? rawWords(from, to) : number.value === 1 ? "one" : `${number.value}`;
  }

  /** What the words at a place do, and where reading goes on. */
  function apply(functions: readonly Use[], at: number, next: number): number {
    const token = all[at]!;
    const roles = new Map(functions.map((one) => [one.role, one]));
    const end = Math.max(at + functions[0]!.words, roles.has("fillers") ? next : 0);
    const last = drafts.at(-1);
    const touching = last !== undefined && last.end === at && !token.after_break;
    const closing = end >= all.length || all[end]!.after_break;
    if (roles.has("fillers")) return end;
    const behind_thing = last !== undefined && !token.after_break && leadsBack(at, last);
    const after = roles.get("negation_after");
    // What stands behind in English may stand before: "less" alone. Where it always does, the next word is another's.
    const ends_thing =
      after !== undefined && (after.language !== "en" || token.joined || closing || !beginsMention(end));
    if (ends_thing && behind_thing) {
      denyBack(last, "unwanted");
      scope = null;
      return end;
    }
    // "Trumpet yes, brass no".
    if ((roles.has("no") || roles.has("negation")) && touching && closing && last.polarity === "wanted") {
      denyBack(last, "unwanted");
      return end;
    }
    if (roles.has("out") && touching && takesOut(at, last)) {
      denyBack(last, "unwanted");
      return end;
    }
    if (roles.has("only_after") && touching && (closing || !roles.has("only"))) {
      for (const one of coordinated(last)) one.alone = true;
      return end;
    }
    if (scope !== null && scope.of.length === 0 && scope.polarity !== "compared") {
      if (roles.has("too")) {
        if (scope.polarity === "unwanted" && (scope.role === "negation" || scope.role === "no"))
          scope.polarity = "softened";
        return end;
      }
      if (roles.has("much")) {
        scope.amount = true;
        return end;
      }
    }
    if (roles.has("only")) {
      scope = null;
      only = !(all[end] !== undefined && functionsAt(end).some(({ role }) => role === "slightly" || role === "like"));
      return end;
    }
    if (roles.has("except") && scope?.polarity === "unwanted") {
      scope = null;
      only = scope === null;
      return end;
    }
    const opens = (["without", "no", "negation", "instead_of", "except"] as const).find((role) => roles.has(role));
    if (opens !== undefined) {
      // "Nor" goes on with what is denied.
      if (roles.has("or") && scope !== null) return end;
      // "No longer than": a bound, and nothing denied.
      if (functionsAt(end + 1).some(({ role }) => role === "than")) return end;
      const denied = scope !== null && scope.of.length === 0 && scope.polarity === "unwanted" && !token.after_break;
      // "Don't forget the drums", "not without": two negations.
      if (denied && opens === "without" && scope!.role !== "without") {
        scope = null;
        return end;
      }
      closeWithout(scope, at);
      scope = open("unwanted", opens, end);
      return end;
    }
    if (roles.has("less")) {
      if (scope !== null && scope.of.length === 0) scope = null;
      else scope = open("less", "less", end);
      return end;
    }
    if (roles.has("than")) {
      scope = open("compared", "than", end);
      return end;
    }
    if (roles.has("until") && scope?.polarity === "unwanted" && scope.of.length > 0 && last?.end === at) {
      for (const one of scope.of) one.polarity = "wanted";
      form.push({ event: "enters", who: scope.of.map((one) => drafts.indexOf(one)), where: clauseFrom(end) });
      scope = null;
      return end;
    }
    for (const role of ["starts_with", "ends_with"] as const) {
      if (!roles.has(role)) continue;
      opening = { event: role === "starts_with" ? "starts" : "ends", who: [] };
      form.push(opening);
      return end;
    }
    if (roles.has("then")) {
      scope = null;
      opening = null;
      if (drafts.some((one) => one.part === part)) part++;
      return end;
    }
    if (roles.has("behind")) {
      const under = drafts.slice(clause_begins).filter((one) => !joinsBefore(one, "with") || one === last);
      if (under.length === 0) behind = true;
      else under.at(-1)!.behind = true;
      return end;
    }
    if (roles.has("very")) degree = 1.4;
    else if (roles.has("slightly")) degree = 0.5;
    else if (roles.has("like")) {
      if (touching && token.joined) last.likened = true;
      else like = true;
    } else if (roles.has("but") || (roles.has("with") && scope !== null && scope.of.length > 0)) {
      closeWithout(scope, at);
      scope = null;
      opening = null;
    } else if (roles.has("number")) {
      const { value } = roles.get("number")!;
      const times = all[end] !== undefined && functionsAt(end).some(({ role }) => role === "times");
      if (roles.has("times") || times) {
        if (last !== undefined && last.clause === clause && last.count === null) last.count = value;
        else count = { value, at: end };
        return times ? end + 1 : end;
      }
      count = { value, at: end };
    } else if (roles.has("verbs") && scope !== null && scope.of.length === 0) scope.governs = true;
    if (
      only &&
      !["articles", "number", "very", "small_words"].some((role) => roles.has(role as Role)) &&
      !roles.has("and")
    )
      only = false;
    return end;
  }

  function mention({ entry, at, end, derived, guessed, translated }: Found): void {
    const head = isHead(entry);
    const draft: Draft = {
      ...{ first: at, end, from: all[at]!.from, to: all[end - 1]!.to },
      ...{ concepts: entry.concepts, phrase: entry.phrase, head, derived, guessed, degree, part, clause },
      ...{ polarity: "wanted", count: null, behind, of: null, alone: false, likened: false },
      adjacent: drafts.at(-1)?.end === at && !all[at]!.after_break,
    };
    const last = drafts.at(-1);
    const index = drafts.push(draft) - 1;
    told.push({ words: translated ? entry.phrase : rawWords(at, end), of: draft });
    // "Soft piano": the manner is the piano's.
    if (last !== undefined && !last.head && head && draft.adjacent) last.of = index;
    draft.polarity = polarityOf(draft, last);
    degree = 1;
    if (count !== null && at - count.at <= 3 && !all[at]!.after_break && head) {
      draft.count = count.value;
      count = null;
    }
    if (only && head) {
      draft.alone = draft.polarity === "wanted";
      only = false;
    } else if (last?.alone === true && draft.adjacent) draft.alone = draft.polarity === "wanted";
    if (like) references.push({ from: draft.from, to: draft.to });
    if (opening !== null && draft.polarity === "wanted") opening.who.push(index);
  }

  /** How what was just met is meant, by the scope that is open; closes it where it does not reach so far. */
  function polarityOf(draft: Draft, last: Draft | undefined): Polarity {
    if (scope === null) return "wanted";
    const { polarity, of } = scope;
    const before = of.at(-1);
    if (before !== undefined && last === before && !reaches(scope, before, draft)) scope = null;
    else if (before !== undefined && last !== before) scope = null;
    if (scope === null) return "wanted";
    // "Not too loud footsteps", "less cheerful piano": the manner alone is meant. "Not too much reverb" means the thing.
    const manner_only = polarity === "softened" || polarity === "less";
    const mannered = (before !== undefined && !before.head) || (scope.manner && polarity === "softened");
    if (manner_only && draft.head && mannered && !scope.amount) {
      scope = null;
      return "wanted";
    }
    of.push(draft);
    return polarity;
  }

  /** Whether what is denied goes on from one mention to the next. */
  function reaches({ polarity, listing, role, opened }: Scope, before: Draft, now: Draft): boolean {
    if (polarity === "compared" || listing) return true;
    const between = all.slice(before.end, now.first).map((_, n) => functionsAt(before.end + n));
    const broken = all.slice(before.end, now.first + 1).some(({ after_break }) => after_break);
    const has = (wanted: Role): boolean => between.some((some) => some.some((one) => one.role === wanted));
    if (between.length === 0 && !broken) {
      // "No church echo", "no jazz piano".
      if (!before.head || (isThing(now) && !isThing(before))) return true;
      const part = now.concepts.every((concept) => PARTS.has(kindOf(concept)));
      if (part && polarity === "unwanted") before.of = drafts.length - 1;
      return part;
    }
    if (has("or")) return true;
    if (has("and")) {
      if (has("verbs")) return false;
      // "Without the heavy drums and the loud guitars": alike, so one list.
      const alike = role === "without" && has("articles") && beginsWithArticle(opened, before);
      if (alike) return true;
      const leads = !now.head && beginsHead(now.end);
      const afresh = has("articles") && role === "no" && now.head;
      return before.head === now.head && !leads && !afresh;
    }
    // A break that did not end it is one of a list.
    if (broken) return true;
    return between.every((some) => some.some(({ role: one }) => one === "articles"));
  }

  /** Whether what is denied first has an article of its own, which those after it repeat. */
  function beginsWithArticle(opened: number, { first }: Draft): boolean {
    return first > opened && functionsAt(opened).some(({ role }) => role === "articles");
  }

  function atBreak(open: Scope | null, token: Token, at: number): Scope | null {
    if (open === null) return null;
    if (open.polarity === "unwanted" && open.of.length === 0 && open.opened === at && token.after_colon)
      return { ...open, listing: true };
    if (open.listing && !token.after_stop) return open;
    const last = open.of.at(-1);
    if (!token.after_stop && open.polarity === "unwanted" && last !== undefined && last === drafts.at(-1)) {
      if (lists(at)) return open;
      // "No loud, heavy drums": the drums are still to come.
      const headless = open.of.every(({ head }) => !head);
      if (headless && open.role !== "negation" && !beginsHead(at) && leadsToHead(at)) return open;
      if (open.governs && listsBare(at, asked(open))) return { ...open, listing: true };
    }
    closeWithout(open, at);
    return null;
  }

  /** Whether something was asked for before what is denied, so that the prompt needs nothing more. */
  function asked({ of }: Scope): boolean {
    return drafts.some((one) => one.polarity === "wanted" && one.first < of[0]!.first);
  }

  /** "No drums, bass or vocals": a list goes on over commas if "or" comes before its end. */
  function lists(at: number): boolean {
    for (let n = at, words = 0; n < all.length && words < LIST_WORDS_MAX; n++, words++) {
      if (n > at && all[n]!.after_stop) return false;
      const some = functionsAt(n);
      if (some.some(({ role }) => role === "or")) return true;
      if (some.some(({ role }) => role === "with" || role === "but" || DENIES.has(role))) return false;
    }
    return false;
  }

  /** "…, bass and vocals" up to the end of the sentence, no manner among them, where something else is asked for before or behind it. */
  function listsBare(at: number, asked_before: boolean): boolean {
    let joined = false;
    let items = 0;
    for (let n = at; n < all.length; ) {
      if (n > at && all[n]!.after_stop) return (joined || items > 1) && !denies(n);
      const found = entryAt(n);
      if (found !== null && found.entry.concepts.length > 0) {
        if (!isHead(found.entry)) return false;
        items++;
        n = found.end;
        continue;
      }
      const some = functionsAt(n);
      joined ||= some.some(({ role }) => role === "and");
      if (!some.some(({ role }) => role === "and" || role === "articles")) return false;
      n++;
    }
    return asked_before && (joined || items > 1);
  }

  function denies(at: number): boolean {
    return functionsAt(at).some(({ role }) => DENIES.has(role));
  }

  /** A scope that met nothing: "drums should not be there", "vocals are not wanted" deny what stands before. */
  function closeWithout(open: Scope | null, at: number): void {
    if (open === null || open.of.length > 0 || open.role !== "negation" || open.polarity !== "unwanted") return;
    const last = drafts.at(-1);
    if (last === undefined || last.clause !== clause || last.polarity !== "wanted") return;
    const between = all.slice(last.end, open.opened - 1);
    if (between.some(({ after_break }) => after_break)) return;
    const denies = all[open.opened - 1]!.word;
    const led = between.length > 0 || (denies.endsWith("nt") && denies.length > 3);
    if (!led || !between.every((_, n) => functionsAt(last.end + n).some(({ role }) => role === "verbs"))) return;
    denyBack(last, unknown.some(({ from }) => from >= all[open.opened - 1]!.from && at > 0) ? "softened" : "unwanted");
  }

  /** Whether only words of being stand between what was mentioned and a place: "vocals are forbidden". */
  function leadsBack(at: number, { end, clause: own }: Draft): boolean {
    if (own !== clause) return false;
    for (let n = end; n < at; n++) if (!functionsAt(n).some(({ role }) => role === "verbs")) return false;
    return true;
  }

  /** "Take the choir out": what is taken stands between. */
  function takesOut(at: number, { first, end }: Draft): boolean {
    if (end !== at) return false;
    for (let n = first - 1; n >= Math.max(0, first - 3) && !all[n + 1]!.after_break; n--)
      if (functionsAt(n).some(({ role }) => role === "take")) return true;
    return false;
  }

  function denyBack(last: Draft, polarity: Polarity): void {
    for (const one of coordinated(last)) one.polarity = polarity;
  }

  /** A mention and those that "and" or "or" join to it. */
  function coordinated(last: Draft): Draft[] {
    const out = [last];
    for (let n = drafts.indexOf(last) - 1; n >= 0; n--) {
      const one = drafts[n]!;
      const next = out.at(-1)!;
      if (one.clause !== next.clause || one.head !== next.head || one.polarity !== last.polarity) break;
      if (!joinsBefore(next, "and") && !joinsBefore(next, "or")) break;
      out.push(one);
    }
    return out;
  }

  function joinsBefore({ first }: Draft, role: Role): boolean {
    return first > 0 && functionsAt(first - 1).some((one) => one.role === role);
  }

  /** @returns whether it stands among what is denied */
  function meetUnknown({ word, from, to, after_break }: Token, at: number): boolean {
    const listed = !after_break && at > 0 && functionsAt(at - 1).some(({ role }) => role === "or");
    if (scope !== null && scope.of.length > 0 && !scope.listing && !listed) scope = null;
    if (scope !== null) scope.manner = true;
    const polarity = scope?.polarity ?? "wanted";
    unknown.push({ word, from, to, polarity });
    // "Only real strings": one word may stand between.
    only &&= beginsMention(at + 1);
    return polarity === "unwanted";
  }

  function beginsMention(at: number): boolean {
    const found = at < all.length && !all[at]!.after_break && !used[at] ? entryAt(at) : null;
    return found !== null && found.entry.concepts.length > 0;
  }

  function beginsHead(at: number): boolean {
    return beginsMention(at) && isHead(entryAt(at)!.entry);
  }

  /** Whether manners at a place end in a thing: "heavy drums". */
  function leadsToHead(at: number): boolean {
    const found = entryAt(at);
    return found !== null && found.entry.concepts.length > 0 && beginsHead(found.end);
  }

  /** From a place to the end of its clause. */
  function clauseFrom(at: number): Span {
    let end = at;
    while (end < all.length && (end === at || !all[end]!.after_break)) end++;
    return { from: all[at]?.from ?? 0, to: all[end - 1]?.to ?? 0 };
  }

  /** The longest phrase of any grammar at a place, with all that it is in the languages that the prompt is in. */
  function functionsAt(at: number): readonly Use[] {
    functions_at[at] ??= functionsFound(at);
    return functions_at[at]!;
  }

  function functionsFound(at: number): readonly Use[] {
    for (let length = Math.min(grammars.words_max, all.length - at); length >= 1; length--) {
      const some = all.slice(at, at + length);
      if (some.slice(1).some(({ after_break }) => after_break)) continue;
      const found = grammars.exact.get(some.map(({ word }) => word).join(" "));
      if (found === undefined) continue;
      const spoken = found.filter(({ language, role }) => languages.includes(language) || DENIES.has(role));
      // The language that the prompt is in decides what a word is: Portuguese "no" denies nothing.
      const [first] = [...spoken].sort((a, b) => rank(languages, a.language) - rank(languages, b.language));
      if (first !== undefined) return spoken.filter(({ language }) => language === first.language);
    }
    return [];
  }

  function entryAt(at: number): Found | null {
    if (entries_at[at] === undefined) entries_at[at] = longest(at);
    return entries_at[at]!;
  }

  function longest(at: number): Found | null {
    if (at >= all.length) return null;
    const most = Math.max(lexicon.words_max, lexicon.tongues.words_max);
    let span = 1;
    while (span < most && at + span < all.length && !all[at + span]!.after_break && !used[at + span]) span++;
    for (let length = span; length >= 1; length--) {
      const found = spokenEntry(at, length);
      if (found !== null) return { ...found, at, end: at + length, derived: false, guessed: null };
    }
    const { word } = all[at]!;
    if (isSmall(word)) return null;
    const inflected = spokenFirst(stemsOf(word, lexicon.tongues).filter(({ language }) => isSureOf(language)));
    if (inflected !== null)
      return { entry: inflected.entry, at, end: at + 1, derived: false, guessed: null, translated: true };
    // "Keine" is no misspelt "chaîne".
    const other = grammars.exact.has(word) ? null : related(word, lexicon, english);
    if (other === null) return null;
    const translated = other.guessed !== null || word[0] !== other.entry.phrase[0];
    return { ...other, at, end: at + 1, translated };
  }

  /** What a phrase is in the languages of the prompt, that of most words first: German "hell" is no hell. */
  function spokenEntry(at: number, length: number): Pick<Found, "entry" | "translated"> | null {
    const words = all.slice(at, at + length).map(({ word }) => word);
    const own = spokenFirst(lexicon.tongues.exact.get(words.join(" ")) ?? []);
    const english = phraseOf(words, lexicon);
    if (own !== null && (english === null || rank(languages, own.language) < rank(languages, "en")))
      return { entry: own.entry, translated: true };
    if (english === null || (own === null && length === 1 && isForeignFunction(at))) return null;
    return { entry: english, translated: !words.join("").startsWith(english.phrase.replaceAll(" ", "")) };
  }

  function spokenFirst(some: readonly Foreign[]): Foreign | null {
    let first: Foreign | null = null;
    for (const one of some)
      if (
        languages.includes(one.language) &&
        (first === null || rank(languages, one.language) < rank(languages, first.language))
      )
        first = one;
    return first;
  }

  /** Whether a word is one of grammar in a language that the prompt has more of than of English: German "war". */
  function isForeignFunction(at: number): boolean {
    const [use] = functionsAt(at);
    return use !== undefined && use.words === 1 && rank(languages, use.language) < rank(languages, "en");
  }

  /** Whether what only begins like a word of a language may be one: English "gravel" is not grave. */
  function isSureOf(language: string): boolean {
    return !IN_LATIN.has(language) || rank(languages, language) < rank(languages, "en");
  }
}

interface Found {
  readonly entry: Entry;
  readonly at: number;
  readonly end: number;
  readonly derived: boolean;
  readonly guessed: Mention["guessed"];
  /** The word is of another language than the lexicon's, or misspelt. */
  readonly translated: boolean;
}

const HEARD: ReadonlySet<Polarity> = new Set<Polarity>(["wanted", "softened", "less"]);

/** Nobody uses these for anything else, whatever the rest of a prompt is written in. */
const DENIES: ReadonlySet<Role> = new Set<Role>(["negation", "no", "without", "instead_of", "negation_after"]);

function rank(languages: readonly string[], language: string): number {
  const at = languages.indexOf(language);
  return at === -1 ? languages.length : at;
}

function open(polarity: Scope["polarity"], role: Role, opened: number): Scope {
  return {
    polarity,
    role,
    opened,
    of: [],
    governs: role !== "negation" && role !== "no",
    listing: false,
    amount: false,
    manner: false,
  };
}

function kindOf(concept: string): Kind {
  return concept.slice(0, concept.indexOf(":")) as Kind;
}

/** What sounds by itself, and not what it is of or where. */
const THINGS: ReadonlySet<Kind> = new Set<Kind>(["instrument", "drum", "voice", "sound", "clip"]);

function isThing({ concepts }: Entry): boolean {
  return concepts.some((concept) => THINGS.has(kindOf(concept)));
}

function isHead({ concepts }: Entry): boolean {
  return !concepts.every((concept) => MANNERS.has(kindOf(concept)));
}

function onceEach(all: readonly Unknown[]): Unknown[] {
  const seen = new Set<string>();
  return all.filter(({ word }) => !seen.has(word) && seen.add(word));
}

function phraseOf(words: readonly string[], { exact, spelt }: Lexicon): Entry | null {
  const key = words.join("");
  if (key.length > 48) return null;
  for (const form of [key, key.endsWith("s") ? key.slice(0, -1) : ""]) {
    const entry = form === "" ? undefined : exact.get(form);
    if (entry === undefined) continue;
    const spaced = words.join(" ");
    if (words.length === 1 || spelt.has(spaced) || spelt.has(spaced.slice(0, -1))) return entry;
    // Joined otherwise than the lexicon has it: fine ("synth wave"), save for little words ("in die").
    if (words.every((word) => word.length > 1 && exact.get(word)?.concepts.length !== 0)) return entry;
  }
  return null;
}

const FUNCTION_WORDS = new Set(
  "am was were has had have do does did if because since although though why whom whose yes ok okay hi hello thanks thank cannot im youre id lets let go get got say says said know knows".split(
    " ",
  ),
);

/** Words that are never reported as unknown. */
function isSmall(word: string): boolean {
  return FUNCTION_WORDS.has(word) || (word.length === 1 && /[a-z&~#]/u.test(word)) || /^\d/u.test(word);
}

/** Evidence of a language, in words, from which it counts as spoken, and as a share of what is English. */
const SPOKEN = 0.45;
const SPOKEN_SHARE = 0.25;
/** What begins like a word of a language tells less than a word of it; so do little words, which others have as well. */
const STEM_WEIGHT = 0.5;
const SMALL_WEIGHT = 0.4;
const SHARED_WEIGHT = 0.2;

/** Languages of the prompt, that of most words first; English is understood everywhere. */
function languagesOf(all: readonly Token[], { exact }: Grammars, lexicon: Lexicon): string[] {
  const counts = new Map<string, number>([["en", SPOKEN]]);
  const count = (languages: Iterable<string>, weight: number): void => {
    const own = new Set(languages);
    for (const language of own) counts.set(language, (counts.get(language) ?? 0) + weight / Math.min(2, own.size));
  };
  for (const word of new Set(all.map((token) => token.word))) {
    const uses = exact.get(word) ?? [];
    const functions = new Set(uses.map(({ language }) => language));
    const weight =
      uses.every(({ role }) => role === "small_words") || (word.length < 3 && /^[a-z]+$/u.test(word))
        ? SMALL_WEIGHT
        : 1;
    const foreign = (lexicon.tongues.exact.get(word) ?? []).map(({ language }) => language);
    if (functions.has("en")) count(["en"], weight);
    else if (lexicon.exact.has(word)) {
      // What English has as well tells little of another language.
      if (foreign.length + functions.size === 0) count(["en"], STEM_WEIGHT);
      else count([...foreign, ...functions], SHARED_WEIGHT);
    } else if (functions.size > 0) count(functions, weight);
    else if (foreign.length > 0) count(foreign, 1);
    else count(new Set(stemsOf(word, lexicon.tongues).map(({ language }) => language)), STEM_WEIGHT);
  }
  // Kana are written in Japanese alone.
  if (all.some(({ word }) => /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word))) counts.set("zh", 0);
  const least = Math.max(SPOKEN, SPOKEN_SHARE * counts.get("en")!);
  return [...counts]
    .filter(([language, found]) => language === "en" || found >= (IN_LATIN.has(language) ? least : SHARED_WEIGHT))
    .sort(([, a], [, b]) => b - a)
    .map(([language]) => language);
}

/** Languages that share their letters with English: a word of theirs may be an English one that nobody knows. */
const IN_LATIN: ReadonlySet<string> = new Set("de fr es it pt nl pl tr".split(" "));

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
    return some.some((entry) => entry?.concepts.some((concept) => HAD.has(concept.slice(0, concept.indexOf(":")))));
  };
  const all: Token[] = [];
  const used: boolean[] = [];
  for (const [at, token] of given.entries()) {
    const { word, raw, from, to } = token;
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
function spread(
  given: readonly Token[],
  taken: readonly boolean[],
  { exact, dense_max, tongues }: Lexicon,
  grammars: Grammars,
): { readonly all: readonly Token[]; readonly used: readonly boolean[] } {
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
    const push = (from: number, to: number): void => {
      const word = run.slice(from, to);
      const begins = from === 0;
      all.push({
        ...{ raw: word, word, joined: begins && token.joined },
        ...{ after_break: begins && token.after_break, after_stop: begins && token.after_stop },
        after_colon: begins && token.after_colon,
        ...{ from: token.from + from, to: token.from + to },
      });
      used.push(false);
    };
    let rest = 0;
    for (let at = 0; at < run.length; ) {
      let length = Math.min(Math.max(dense_max, tongues.dense_max), run.length - at);
      const knows = (): boolean => {
        const word = run.slice(at, at + length);
        return exact.has(word) || tongues.exact.has(word) || grammars.exact.has(word);
      };
      while (length > 0 && !knows()) length--;
      // One syllable of Hangul inside a word means nothing by itself.
      if (length === 0 || (length === 1 && run.length > 1 && /\p{sc=Hangul}/u.test(run))) {
        at++;
        continue;
      }
      if (rest < at) push(rest, at);
      push(at, at + length);
      at += length;
      rest = at;
    }
    if (rest < run.length) push(rest, run.length);
  }
  return { all, used };
}
