/**
 * What a prompt says of the course of a piece: who begins, comes in, stays out and ends, which sections there are, what is louder than what, and
 * whether it gets faster. Works on what was found already, and on words that say where and how ("second", "verse", "until", "softer").
 */
import { derived, packs } from "../packs/mod.ts";
import type { DynamicsAsked, FormAsked, Mention, PaceAsked, PlaceAsked, Polarity, Span, Where } from "./ask.ts";
import { isDense, type Token, wordsOf } from "./tokens.ts";
import { mayBeIn, type Writing } from "./writing.ts";

export interface Course {
  readonly form: readonly FormAsked[];
  readonly dynamics: readonly DynamicsAsked[];
  readonly pace: PaceAsked | null;
  readonly place: PlaceAsked | null;
  readonly era: number | null;
  /** Mentions that mean something else for the whole: "no drums until the last chorus" wants drums, "ends softly" is no soft piece. */
  readonly turned: ReadonlyMap<number, Polarity>;
  /** What was read here and is thereby known. */
  readonly spans: readonly Span[];
}

/** Something that a word says: a list of a language's grammar, or a concept of its words, such as "form:verse". */
interface Sign {
  readonly role: string;
  readonly value: number;
  readonly language: string;
}

interface Unit extends Span {
  readonly word: string;
  readonly raw: string;
  /** All its words, in small letters. */
  readonly said: string;
  readonly signs: readonly Sign[];
  /** Index of the mention that stands here; -1 for none. */
  readonly mention: number;
  readonly begins: boolean;
}

/** A place and where it is named. */
interface Placed {
  readonly at: number;
  readonly last: number;
  readonly where: Where;
  readonly edge: Where["edge"];
}

interface Signs {
  readonly exact: ReadonlyMap<string, readonly Sign[]>;
  /** By their first letter, longest first. */
  readonly stems: ReadonlyMap<string, readonly (readonly [stem: string, sign: Sign])[]>;
  readonly dense_max: number;
}

const WORDS_MAX = 5;
/** Words of a clause, of which longer ones are divided: time grows with the length of a prompt, not with its square. */
const CLAUSE_MAX = 60;
/** Kinds of concepts whose words say something of the course. */
const KINDS = /^(?:form|dynamics|pace|place|era):/u;
const ROLES =
  "starts_with ends_with after before until but faster slower louder softer less more only than negation no without instead_of and or with articles very too second minute bar half verbs".split(
    " ",
  );

/** Signs of a language, made when it is first spoken. */
const languages = derived(() => new Map<string, Signs>());

/** Kinds whose phrases are unlike anything in other languages: decades in words, tempo that changes. */
const SURE = /^(?:pace|era):/u;
const SURE_LETTERS = 8;

/** @param sure only what is understood though the prompt speaks another language, or too few words of this one */
function signsOf(language: string, sure = false): Signs {
  const name = sure ? `${language}?` : language;
  const known = languages().get(name);
  if (known !== undefined) return known;
  const exact = new Map<string, Sign[]>();
  const stems: [string, Sign][] = [];
  let dense_max = 0;
  const put = (phrase: string, sign: Sign): void => {
    if (sure && !(SURE.test(sign.role) && phrase.length >= SURE_LETTERS)) return;
    const words = wordsOf(phrase.replace(/\*$/u, ""));
    if (words.length === 0) return;
    const key = words.join(isDense(words[0]!) ? "" : " ");
    if (isDense(key)) dense_max = Math.max(dense_max, key.length);
    if (phrase.endsWith("*") && words.length === 1) stems.push([key, sign]);
    const some = exact.get(key);
    if (some === undefined) exact.set(key, [sign]);
    else some.push(sign);
  };
  const { grammar = {}, words = {} } = packs("words").get(language) ?? {};
  for (const role of ROLES) {
    const list = grammar[role];
    // "More" alone is of loudness: "lots of" is of number.
    const phrases = Array.isArray(list) ? (list as readonly string[]).slice(0, role === "more" ? 1 : undefined) : [];
    for (const phrase of phrases) put(phrase, { role, value: 0, language });
  }
  for (const role of ["ordinals", "numbers"])
    for (const [word, value] of Object.entries(grammar[role] ?? {}))
      if (typeof value === "number") put(word, { role, value, language });
  for (const [role, phrases] of Object.entries(words))
    if (KINDS.test(role)) for (const phrase of phrases) put(phrase, { role, value: 0, language });
  stems.sort(([a], [b]) => b.length - a.length);
  const signs = { exact, stems: Map.groupBy(stems, ([stem]) => stem[0]!), dense_max };
  languages().set(name, signs);
  return signs;
}

/**
 * @param spoken languages of the prompt
 * @param writing letters of the prompt where words are left that none of these knows, else null
 */
export function readCourse(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  spoken: readonly string[],
  writing: Writing | null,
): Course {
  const own = [...new Set([...spoken, "en"])];
  const may = (language: string): boolean => writing !== null && mayBeIn(language, writing) && !own.includes(language);
  const others = [...packs("words").keys()].filter(may);
  const signs = [...own.map((language) => signsOf(language)), ...others.map((language) => signsOf(language, true))];
  const units = unitsOf(tokens, mentions, signs);
  const form: FormAsked[] = [];
  const dynamics: DynamicsAsked[] = [];
  const turned = new Map<number, Polarity>();
  const consumed = new Set<number>();
  const spans: Span[] = [];
  let pace: PaceAsked | null = null;
  let place: PlaceAsked | null = null;
  let era: number | null = null;

  const is = (at: number, ...roles: readonly string[]): boolean =>
    units[at]?.signs.some(({ role }) => roles.includes(role)) === true;
  const numberOf = (at: number, role: string): number | null =>
    units[at]?.signs.find((sign) => sign.role === role)?.value ?? null;
  const named = (at: number, kind: string): string | null =>
    units[at]?.signs.find(({ role }) => role.startsWith(kind))?.role.slice(kind.length) ?? null;
  const isPlayer = (at: number): boolean => {
    const said = mentions[units[at]?.mention ?? -1];
    return said?.concepts.some((concept) => PLAYER.test(concept)) === true;
  };
  const opens = (at: number): boolean => at >= units.length || units[at]!.begins;
  const isDenied = (at: number): boolean => {
    const { polarity } = mentions[units[at]?.mention ?? -1] ?? {};
    return polarity === "unwanted" || isNegated(at);
  };
  const isNegated = (at: number): boolean => {
    for (let n = at - 1; n >= 0 && n >= at - 3 && !units[n + 1]!.begins; n--) {
      if (is(n, "negation", "no", "without", "instead_of")) return true;
      if (!is(n, "articles", "very", "too", "or", "form:long", "form:short", "form:big", "form:build", "verbs"))
        return false;
    }
    return false;
  };
  const mark = (from: number, end: number): void => {
    for (let n = from; n < end; n++) if (units[n]!.signs.length > 0) spans.push(units[n]!);
  };

  for (let from = 0; from < units.length; ) {
    let end = from + 1;
    while (!opens(end) && end - from < CLAUSE_MAX) end++;
    readClause(from, end);
    from = end;
  }
  const louder = dynamics.filter(({ who }) => !who.some((one) => turned.get(one) === "wanted"));
  return { form: onceEach(form), dynamics: onceEach(louder), pace, place, era, turned, spans };

  /** What is said of a stretch of the music alone colours nothing else. */
  function keepWithin(from: number, end: number): void {
    for (let n = from; n < end; n++) {
      const { mention } = units[n]!;
      const colours = mention >= 0 && !isPlayer(n) && !ofSource(mention);
      if (colours && mentions[mention]!.polarity !== "unwanted") turned.set(mention, "compared");
    }
  }

  /** "Twice as slow" as the source: who remixes it asks for that. */
  function ofSource(mention: number): boolean {
    const { concepts } = mentions[mention]!;
    return concepts.some((one) => one.startsWith("source:")) && !concepts.some((one) => one.startsWith("tempo:"));
  }

  function readClause(from: number, end: number): void {
    const before = form.length;
    readEdges(from, end);
    readSizes(from, end);
    if (form.length === before || wheresIn(from, end).length > 0) readPlaces(from, end);
    readLoudness(from, end);
    for (let at = from; at < end; at++) readWord(at, from, end);
  }

  /** Tempo that changes, acoustics, decades. */
  function readWord(at: number, from: number, end: number): void {
    // "Builds up slowly" is no slow piece; "bars" and "second" are known words.
    if (is(at, "form:build", "form:builds"))
      for (const n of [at - 1, at + 1])
        if (n >= from && !(n > at && opens(n)) && isTempo(n)) turned.set(units[n]!.mention, "compared");
    if (is(at, "bar", "ordinals", "form:enters", "form:leaves", "form:half")) mark(at, at + 1);
    const going = named(at, "pace:");
    if (going !== null && !isDenied(at)) {
      pace ??= going as PaceAsked;
      mark(at, at + 1);
      // "Faster and faster" is no fast piece.
      for (let n = units[at]!.mention; n >= 0 && n < mentions.length && mentions[n]!.from < units[at]!.to; n++)
        if (!ofSource(n)) turned.set(n, "compared");
      if (is(at + 1, "and") && isTempo(at + 2)) turned.set(units[at + 2]!.mention, "compared");
    }
    const compared = units[at]!.signs.find(({ role }) => role === "faster" || role === "slower");
    if (compared !== undefined && (isTempo(at) || compared.language !== "en")) {
      const going = compared.role as "faster" | "slower";
      pace ??= isDenied(at) ? `not ${going}` : going;
      mark(at, at + 1);
      // "Plus lente" says nothing of a slowed tape.
      if (!isTempo(at)) keepWithin(at, at + 1);
    }
    const where = units[at]!.signs.find(({ role }) => role.startsWith("place:"));
    if (where !== undefined) readPlace(at, from, end, where);
    const decade = named(at, "era:");
    if (decade !== null && !isDenied(at)) {
      era ??= Number(decade);
      mark(at, at + 1);
    }
  }

  /** "Sleepy hotel lobby": the place ends its clause, and nothing but manners stands before it. */
  function isWholeClause(at: number, from: number, end: number): boolean {
    if (at + 1 !== end) return false;
    for (let n = from; n <= at; n++) {
      const said = mentions[units[n]!.mention];
      if (said !== undefined && !said.concepts.every((one) => MANNER.test(one) || one.startsWith("scene:")))
        return false;
      if (is(n, "negation", "no", "without")) return false;
    }
    return true;
  }

  /** "Recorded in a church", "dry", "no reverb", "in einer Kirche". */
  function readPlace(at: number, from: number, end: number, { role, language }: Sign): void {
    const name = role.slice("place:".length);
    const sure =
      SURE_PLACES.has(name) || language !== "en" || (spoken[0] === "en" && hasBefore(at - 1, from, "form:at"));
    const standing = sure || isWholeClause(at, from, end);
    if (!standing || name === "background" || is(at - 1, "than") || is(at - 2, "than")) return;
    mark(at, at + 1);
    // "리버브는 적게".
    const lessened = at + 1 < end && is(at + 1, "less", "without");
    const damped = lessened || isNegated(at) || DAMPED.has(mentions[units[at]!.mention]?.polarity ?? "wanted");
    const heard = damped ? WITHOUT[name] : name;
    if (heard === undefined) return;
    const said = damped || language !== "en" ? heard.replaceAll("_", " ") : units[at]!.said;
    place ??= { name: heard, said };
  }

  function isTempo(at: number): boolean {
    return mentions[units[at]?.mention ?? -1]?.concepts.some((one) => one.startsWith("tempo:")) === true;
  }

  function hasBefore(at: number, from: number, role: string): boolean {
    for (let n = at; n >= Math.max(from, at - 3); n--) if (is(n, role)) return true;
    return false;
  }

  /** "Starts with a solo oboe", "piano first", "guitar intro"; "ends on a big chord", "fades out", "abrupt ending". */
  function readEdges(from: number, end: number): void {
    for (let at = from; at < end; at++) {
      if (is(at, "starts_with") || (is(at, "form:begins") && (is(at + 1, "with", "form:at") || is(at + 2, "with")))) {
        const last = edgeOf(at + 1, end);
        const who = playersIn(at + 1, last);
        const all = isNegated(at) ? [] : who.length > 0 ? who : playersIn(from, at).slice(-1);
        if (all.length > 0) add({ event: "starts", who: all, what: null, where: null, bars: null }, at, at + 1);
        readManner("start", at + 1, last);
        if (all.length > 0) keepWithin(at + 1, last);
      } else if (is(at, "form:intro") && isPlayer(at - 1) && at > from && !isDenied(at - 1))
        add({ event: "starts", who: [units[at - 1]!.mention], what: null, where: null, bars: null }, at, at + 1);
      else if (numberOf(at, "ordinals") === 1 && at > from && isPlayer(at - 1) && (opens(at + 1) || !isSection(at + 1)))
        add({ event: "starts", who: [units[at - 1]!.mention], what: null, where: null, bars: null }, at, at + 1);
      else if (is(at, "ends_with", "form:ending") || (is(at, "form:ends") && !isPlayer(at - 1)))
        readEnding(at, from, end);
      else if (is(at, "form:at_once") && playersIn(from, at).length > 0)
        add({ event: "starts", who: playersIn(from, at).slice(-1), what: null, where: null, bars: null }, at, at + 1);
      else if (is(at, "form:fade") && !is(at, "dynamics:falling")) {
        const denied = isDenied(at);
        if (denied) add({ event: "ends", who: [], what: "no fade", where: null, bars: null }, at, at + 1);
      }
    }
  }

  function readEnding(at: number, from: number, end: number): void {
    const noun = is(at, "form:ending");
    const [first, last] = noun ? [Math.max(from, at - 4), end] : [at + 1, edgeOf(at + 1, end)];
    const find = (role: string): number => {
      for (let n = first; n < last; n++) if (is(n, role)) return n;
      return -1;
    };
    const fades = find("form:fade");
    const hard = find("form:abrupt");
    const hits = find("form:hit");
    const chord = find("form:chord");
    const big = find("form:big") >= 0;
    const who = playersIn(first, last);
    const said = (what: string | null, where: number, count: number | null = null): void =>
      add(
        { event: "ends", who: what === null ? who : [], what, where: null, bars: count },
        at,
        Math.max(at, where) + 1,
      );
    if (fades >= 0 && !(hard >= 0 && hard < fades)) said(isDenied(fades) ? "no fade" : "fade out", fades);
    else if (hard >= 0) said(isDenied(hard) ? "fade out" : "abrupt", hard);
    else if (chord >= 0) {
      const name = chordIn(first, chord);
      said(name !== null ? `${name} chord` : big ? "big chord" : "final chord", chord);
    } else if (hits >= 0) said(countOf(first, hits) > 1 ? "hits" : "big chord", hits, countOf(first, hits));
    else if (who.length > 0 && !noun) said(null, at);
    readManner("end", first, last);
    if (form.at(-1)?.event === "ends" || dynamics.at(-1)?.section === "end") keepWithin(first, last);
  }

  /** "Ends softly": how the beginning or the end is. */
  function readManner(part: "start" | "end", from: number, end: number): void {
    for (let n = from; n < end; n++) {
      const level = levelAt(n);
      if (level === null || isPlayer(n + 1)) continue;
      dynamics.push({ who: [], section: part, level, than: [] });
      mark(n, n + 1);
      consumed.add(n);
      return;
    }
  }

  /** "Intro of 8 bars", "no intro", "long outro". */
  function readSizes(from: number, end: number): void {
    for (let at = from; at < end; at++) {
      const what = is(at, "form:intro") ? "intro" : is(at, "form:outro") ? "outro" : null;
      if (what === null) {
        const without = (["bridge", "break", "drop", "solo", "build"] as const).find((one) => is(at, `form:${one}`));
        const bare = without !== undefined && isNegated(at) && !isPlayer(at - 1) && wheresIn(at, end).length === 0;
        if (bare) add({ event: "lacks", who: [], what: without, where: null, bars: null }, at, at + 1);
        continue;
      }
      const bars = barsNear(at, from, end);
      const long = is(at - 1, "form:long") && at > from;
      const short = is(at - 1, "form:short") && at > from;
      if (isDenied(at)) add({ event: "lacks", who: [], what, where: null, bars: null }, at, at + 1);
      else if (bars !== null || long || short)
        add(
          {
            event: "has",
            who: [],
            what: long ? `long ${what}` : short ? `short ${what}` : what,
            where: null,
            bars: bars ?? (long ? 16 : short ? 2 : null),
          },
          at - (long || short ? 1 : 0),
          at + 1,
        );
    }
  }

  /** "8 bar intro", "intro of 8 bars". */
  function barsNear(at: number, from: number, end: number): number | null {
    for (let n = Math.max(from, at - 3); n < Math.min(end, at + 5); n++) {
      const count = numberOf(n, "numbers");
      if (count !== null && is(n + 1, "bar") && n + 1 < end && (n + 1 === at - 1 || n > at)) {
        mark(n, n + 2);
        return count;
      }
    }
    return null;
  }

  /** All that happens at a place: "drums from the second verse", "no drums until …", "drop after the second chorus". */
  function readPlaces(from: number, end: number): void {
    const wheres = wheresIn(from, end);
    let begin = from;
    for (const [index, { at, last, where, edge: named_edge }] of wheres.entries()) {
      const rest = wheres[index + 1]?.at ?? end;
      const denied_place = is(at - 1, "negation") && at > from;
      if (denied_place) {
        mark(at, last);
        begin = last;
        continue;
      }
      const event = eventBefore(begin, at);
      const who = nearest(begin, at, last, rest);
      const has = (...roles: readonly string[]): boolean =>
        hasIn(begin, index + 1 < wheres.length ? last : end, ...roles);
      const denied =
        who.some((one) => mentions[one]!.polarity === "unwanted") ||
        (who.length > 0 && hasIn(begin, at, "negation", "no", "without"));
      // "Not before" is "until", and "before" says when something else happens.
      const edge = named_edge === "until" && !denied && is(at, "before") ? "before" : named_edge;
      const tutti = who.length === 0 && has("form:tutti");
      const cue = (what: FormAsked["event"], some: string | null = null): void =>
        add({ event: what, who, what: some, where: { ...where, edge }, bars: null }, begin, last);
      const fresh = who.length > 0 || tutti;
      if (event !== null && (edge !== "until" || !denied)) {
        if (!isDenied(event.at)) cue("has", event.name);
      } else if (where.share === 0 && fresh && !denied) cue("starts");
      else if (where.section === "intro" && fresh && !denied) cue("starts");
      else if (where.share === 1 && !has("form:enters") && edge === "at" && fresh && !denied) cue("ends");
      else if (
        where.share === 1 &&
        edge === "at" &&
        has("form:abrupt") &&
        !has("instead_of", "negation", "no", "without")
      )
        add({ event: "ends", who: [], what: "abrupt", where: null, bars: null }, begin, end);
      else if (fresh && edge === "until" && !denied) cue("leaves");
      else if (fresh && denied && (edge === "until" || edge === "before")) {
        for (const one of who) turned.set(one, "wanted");
        cue("enters");
      } else if (fresh && denied && (where.section !== undefined || where.share !== undefined) && edge === "at") {
        // "No crash at the end" asks for none elsewhere.
        for (const one of who) turned.set(one, where.share === 1 ? "compared" : "wanted");
        cue("rests");
      } else if (fresh && has("form:leaves") && !denied)
        cue(edge === "after" || where.section === undefined ? "leaves" : "rests");
      else if (
        fresh &&
        !denied &&
        edge === "at" &&
        where.section !== undefined &&
        (where.nth === 0 || has("only")) &&
        !has("form:enters")
      )
        cue("only");
      else if (fresh && !denied && edge !== "before") cue("enters");
      begin = last;
    }
  }

  function hasIn(from: number, end: number, ...roles: readonly string[]): boolean {
    for (let n = from; n < end; n++) if (is(n, ...roles)) return true;
    return false;
  }

  /** A section or a turn of the music that is named right before a place: "drop after …", "a break in …". */
  function eventBefore(from: number, at: number): { readonly name: string; readonly at: number } | null {
    for (let n = at - 1; n >= Math.max(from, at - 3); n--) {
      const name = named(n, "form:");
      if (name !== null && EVENTS.has(name)) return { name, at: n };
      if (isPlayer(n)) return null;
    }
    return null;
  }

  /** Players that a place is said of: those right before it, else right behind. */
  function nearest(begin: number, at: number, last: number, rest: number): number[] {
    for (let n = at - 1; n >= begin; n--) if (isPlayer(n)) return joined(n, begin);
    for (let n = last; n < rest; n++) if (isPlayer(n)) return allIn(n, rest);
    return [];
  }

  /** A player and those that "and" or "or" join to him. */
  function joined(at: number, begin: number): number[] {
    const out = [units[at]!.mention];
    for (let n = at - 1; n >= begin; n--) {
      if (isPlayer(n) && is(n + 1, "and", "or")) out.unshift(units[n]!.mention);
      else if (!is(n, "and", "or", "articles") && units[n]!.mention < 0) break;
    }
    return [...new Set(out)];
  }

  function playersIn(from: number, end: number): number[] {
    const out: number[] = [];
    for (let n = from; n < end; n++)
      if (isPlayer(n) && mentions[units[n]!.mention]!.polarity !== "unwanted") out.push(units[n]!.mention);
    return [...new Set(out)];
  }

  /** Where what is said of a beginning or an end ends itself: at the next turn of the sentence. */
  function edgeOf(from: number, end: number): number {
    for (let n = from; n < end; n++)
      if (is(n, "starts_with", "ends_with", "form:then", "form:enters", "form:ends", "negation", "without", "no"))
        return n;
    return end;
  }

  function wheresIn(from: number, end: number): Placed[] {
    const out: Placed[] = [];
    for (let at = from; at < end; ) {
      const found = whereAt(at, end);
      if (found === null) at++;
      else {
        out.push({ at, ...found });
        at = found.last;
      }
    }
    return out;
  }

  /** "After the second chorus", "at bar 9", "until the last chorus", "second half", "after 30 seconds", "in the middle". */
  function whereAt(at: number, end: number): Omit<Placed, "at"> | null {
    let n = at;
    const edge = (["until", "after", "before"] as const).find((one) => is(n, one)) ?? (is(n, "form:at") ? "at" : null);
    if (edge !== null) n++;
    while (
      n < end &&
      n <= at + 3 &&
      is(n, "articles", "form:at", "form:whole", "very", "until", "after", "only") &&
      numberOf(n, "ordinals") === null
    )
      n++;
    const told: Where["edge"] = edge ?? "at";
    const found = (last: number, where: Omit<Where, "edge">) => ({ last, where: { ...where, edge: told }, edge: told });
    if (n >= end) return null;
    const ordinal = numberOf(n, "ordinals");
    const number = numberOf(n, "numbers");
    const section = sectionAt(n);
    if (ordinal !== null && n + 1 < end) {
      const other = sectionAt(n + 1);
      if (other !== null) return found(n + 2, { section: other, nth: ordinal });
      if (is(n + 1, "half", "form:half")) return found(n + 2, { share: ordinal === 1 ? 0 : 0.5 });
      if (is(n + 1, "bar") && edge !== null) return found(n + 2, { bar: ordinal });
    }
    if (section !== null && numberOf(n + 1, "numbers") !== null && n + 1 < end && !is(n + 2, "bar"))
      return found(n + 2, { section, nth: numberOf(n + 1, "numbers")! });
    if (is(n, "form:half_way") || (is(n, "form:middle") && edge !== null)) return found(n + 1, { share: 0.5 });
    // "The bridge must be without drums".
    if (edge === null && section !== null && deniesBehind(n, end)) return found(n + 1, { section, nth: 0 });
    if (edge === null) return null;
    if (is(n, "bar") && numberOf(n + 1, "numbers") !== null && n + 1 < end)
      return found(n + 2, { bar: numberOf(n + 1, "numbers")! });
    const timed = timeAt(n, end);
    if (timed !== null) return found(timed.last, { seconds: timed.seconds });
    if (number !== null && is(n + 1, "bar") && n + 1 < end)
      return found(n + 2, { bar: number + (edge === "at" ? 0 : 1) });
    if (is(n, "form:end")) return found(n + 1, { share: 1 });
    if (is(n, "form:start")) return found(n + 1, { share: 0 });
    return section === null ? null : found(n + 1, { section, nth: edge === "at" ? 0 : 1 });
  }

  function deniesBehind(at: number, end: number): boolean {
    for (let n = at + 1; n < Math.min(end, at + 5); n++) {
      if (is(n, "without", "no")) return true;
      if (isPlayer(n)) return false;
    }
    return false;
  }

  /** "30 seconds", "half a minute", "1:30". */
  function timeAt(at: number, end: number): { readonly last: number; readonly seconds: number } | null {
    const number = is(at, "half") ? 0.5 : numberOf(at, "numbers");
    if (number === null) return is(at, "minute") ? { last: at + 1, seconds: 60 } : null;
    let n = at + 1;
    const clock =
      units[n] !== undefined && n < end && /^\d\d$/u.test(units[n]!.word) && /^\d{1,2}$/u.test(units[at]!.word);
    if (clock && units[n]!.from === units[at]!.to + 1)
      return { last: n + 1, seconds: 60 * number + Number(units[n]!.word) };
    while (n < end && is(n, "articles", "form:whole") && !is(n, "second", "minute")) n++;
    if (n >= end) return null;
    if (is(n, "minute")) return { last: n + 1, seconds: 60 * number };
    return is(n, "second") ? { last: n + 1, seconds: number } : null;
  }

  function sectionAt(at: number): string | null {
    const name = named(at, "form:");
    return name !== null && SECTIONS.has(name) ? name : null;
  }

  function isSection(at: number): boolean {
    return sectionAt(at) !== null || is(at, "form:half", "half", "bar");
  }

  function levelAt(at: number): DynamicsAsked["level"] | null {
    const level = is(at, "louder")
      ? "louder"
      : is(at, "softer")
        ? "softer"
        : is(at, "dynamics:loud")
          ? "loud"
          : is(at, "dynamics:soft")
            ? "soft"
            : is(at, "dynamics:front")
              ? "up front"
              : is(at, "dynamics:back")
                ? "in the background"
                : null;
    return level === null ? null : deniedLevel(at) ? (OPPOSITE[level] ?? level) : level;
  }

  /** "Not too loud", "never loud". */
  function deniedLevel(at: number): boolean {
    const { polarity } = mentions[units[at]!.mention] ?? {};
    if (polarity === "unwanted" || polarity === "softened") return true;
    for (let n = at - 1; n >= Math.max(0, at - 6) && !units[n + 1]!.begins; n--) {
      if (is(n, "negation", "no", "without")) return true;
      if (isPlayer(n) || is(n, "but", "and") || levelIs(n)) return false;
    }
    return false;
  }

  function levelIs(at: number): boolean {
    return is(at, "louder", "softer", "dynamics:loud", "dynamics:soft");
  }

  /** "Soft piano", "the bass quieter than the piano", "quiet verses", "louder and louder", "quiet". */
  function readLoudness(from: number, end: number): void {
    for (let at = from; at < end; at++) {
      if (is(at, "dynamics:rising", "dynamics:falling") && !isDenied(at)) {
        dynamics.push({
          who: [],
          section: null,
          level: is(at, "dynamics:rising") ? "crescendo" : "decrescendo",
          than: [],
        });
        mark(at, at + 1);
        continue;
      }
      if (is(at, "dynamics:same")) {
        dynamics.push({ who: [], section: null, level: "same", than: [] });
        mark(at, at + 1);
        keepWithin(at, end);
        return;
      }
      const amount = amountAt(at, from, end);
      if (amount !== null) {
        dynamics.push(amount);
        mark(at, at + 1);
        continue;
      }
      const level = consumed.has(at) ? null : levelAt(at);
      if (level === null) continue;
      mark(at, at + 1);
      const compared = comparedBehind(at, end);
      const section = sectionAt(at + 1) ?? (is(at, "louder", "softer") && at > from ? sectionAt(at - 1) : null);
      if (section !== null && at + 1 <= end) {
        dynamics.push({ who: [], section, level, than: [] });
        keepWithin(at, at + 1);
        continue;
      }
      const who = saidOf(at, from, end, compared?.at ?? end);
      if (who.length > 0) {
        // "Buried, quieter than the guitars".
        const last = dynamics.at(-1);
        if (last?.who.length === who.length && last.who[0] === who[0] && compared !== null) dynamics.pop();
        const than = compared?.who ?? [];
        dynamics.push({ who, section: null, level, than });
        // Who is to be softer than the trumpets plays with them.
        for (const one of than)
          if (mentions[one]!.polarity === "compared" && isPlaying(mentions[one]!)) turned.set(one, "wanted");
      } else if (isWhole(at, from, end)) {
        const last = dynamics.at(-1);
        if (last?.level === "crescendo" || last?.level === "decrescendo") continue;
        // "Quiet, then loud".
        const turns =
          last?.who.length === 0 && last.section === null && is(from, "form:then") && OPPOSITE[last.level] === level;
        if (turns)
          dynamics[dynamics.length - 1] = { ...last, level: level === "loud" ? "soft, then loud" : "loud, then soft" };
        else dynamics.push({ who: [], section: null, level, than: [] });
      }
    }
  }

  /** "More cello", "less bass", "hardly any drums". */
  function amountAt(at: number, from: number, end: number): DynamicsAsked | null {
    const { mention } = units[at]!;
    const polarity = mentions[mention]?.polarity;
    if (isPlayer(at) && (polarity === "less" || (polarity === "softened" && hasBefore(at - 1, from, "too"))))
      return { who: [mention], section: null, level: "softer", than: [] };
    const more = is(at, "more") && !is(at, "less");
    if ((!more && !is(at, "less")) || at + 1 >= end || !isPlayer(at + 1) || isDenied(at) || polarity === "less")
      return null;
    return { who: [units[at + 1]!.mention], section: null, level: more ? "louder" : "softer", than: [] };
  }

  /** Players that are named to measure by: "than the kick". */
  function comparedBehind(at: number, end: number): { readonly at: number; readonly who: readonly number[] } | null {
    for (let n = at + 1; n < end; n++) if (is(n, "than")) return { at: n, who: allIn(n, end) };
    return null;
  }

  function allIn(from: number, end: number): number[] {
    const out: number[] = [];
    for (let n = from; n < end; n++) if (isPlayer(n)) out.push(units[n]!.mention);
    return [...new Set(out)];
  }

  /** Who is so loud: the next player where nothing but manners stands between, else the one before. */
  function saidOf(at: number, from: number, end: number, until: number): number[] {
    for (let n = at + 1; n < Math.min(end, until); n++) {
      if (isPlayer(n)) return mentions[units[n]!.mention]!.polarity === "unwanted" ? [] : [units[n]!.mention];
      const manner = units[n]!.mention >= 0 && mentions[units[n]!.mention]!.concepts.every((one) => MANNER.test(one));
      if (!manner) break;
    }
    for (let n = at - 1; n >= Math.max(from, at - 5); n--) {
      if (isPlayer(n)) return mentions[units[n]!.mention]!.polarity === "unwanted" ? [] : [units[n]!.mention];
      if (is(n, "with", "form:at") || (is(n, "and") && !levelBefore(n, from))) break;
    }
    return [];
  }

  function levelBefore(at: number, from: number): boolean {
    return at > from && levelAt(at - 1) !== null;
  }

  /** Whether a level is the whole's: it stands alone in its clause, save for words that say how. */
  function isWhole(at: number, from: number, end: number): boolean {
    if (is(at, "dynamics:front", "dynamics:back")) return false;
    const next = units[at + 1];
    return (
      at + 1 >= end ||
      next === undefined ||
      next.mention < 0 ||
      mentions[next.mention]!.concepts.every((one) => !PLAYER.test(one)) ||
      from === at
    );
  }

  /** "C major" of "a C major chord". */
  function chordIn(from: number, at: number): string | null {
    for (let n = from; n < at; n++) {
      const word = tokenAt(n);
      if (
        !/^[A-Ga-g](?:b|is|es)?$/u.test(word) ||
        (word === "a" && n + 1 >= at) ||
        (word === "a" && !MODES.test(tokenAt(n + 1)))
      )
        continue;
      const sharp = /^(?:#|sharp)$/u.test(tokenAt(n + 1)) ? "#" : /^flat$/u.test(tokenAt(n + 1)) ? "b" : "";
      const mode = MODES.exec(tokenAt(n + (sharp === "" ? 1 : 2)))?.[0];
      const minor = mode !== undefined && /^(?:min|m$|moll)/u.test(mode);
      mark(n, at);
      return `${word[0]!.toUpperCase()}${word.slice(1)}${sharp} ${minor ? "minor" : "major"}`;
    }
    return null;
  }

  function tokenAt(at: number): string {
    const unit = units[at];
    return unit === undefined ? "" : unit.raw;
  }

  function countOf(from: number, at: number): number {
    for (let n = from; n < at; n++) {
      const count = numberOf(n, "numbers");
      if (count !== null) return count;
    }
    return 1;
  }

  function add(cue: FormAsked, from: number, end: number): void {
    form.push(cue);
    mark(Math.max(0, from), Math.min(units.length, end));
  }
}

const PLAYER = /^(?:instrument|drum|voice|sound):|^trait:(?:vocal|orchestral|live_band)$/u;
const MANNER = /^(?:mood|tempo|dynamics|manner|material|trait):/u;
const SECTIONS: ReadonlySet<string> = new Set(
  "verse prechorus chorus bridge intro outro solo break build drop".split(" "),
);
const EVENTS: ReadonlySet<string> = new Set("drop break solo build bridge key_change".split(" "));
const MODES = /^(?:major|minor|maj|min|dur|moll|m$)/iu;
/** Acoustics that need no "in a …" before them. */
const SURE_PLACES: ReadonlySet<string> = new Set(["dry", "reverb", "underwater", "spring_reverb", "lo_fi", "far"]);
const DAMPED: ReadonlySet<string> = new Set(["unwanted", "less", "softened"]);
const WITHOUT: Readonly<Record<string, string>> = { reverb: "dry", spring_reverb: "dry", dry: "reverb" };
const OPPOSITE: Readonly<Record<string, DynamicsAsked["level"]>> = {
  ...{ loud: "soft", soft: "loud", louder: "softer", softer: "louder" },
  ...{ "up front": "in the background", "in the background": "up front" },
};

/** Words and phrases of a prompt with what they say, the longest first. */
function unitsOf(tokens: readonly Token[], mentions: readonly Mention[], spoken: readonly Signs[]): Unit[] {
  const out: Unit[] = [];
  let next = 0;
  // Asked in the order of the text.
  const mentionIn = (from: number, to: number): number => {
    while (next < mentions.length && mentions[next]!.to <= from) next++;
    return next < mentions.length && mentions[next]!.from < to ? next : -1;
  };
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]!;
    const begins = token.after_break && !token.after_colon;
    const pair = spokenPair(tokens, at, spoken);
    if (pair !== null) {
      out.push({ ...pair, mention: mentionIn(pair.from, pair.to), begins });
      at += 2;
      continue;
    }
    if (isDense(token.word)) {
      out.push(...denseUnits(token, begins, spoken, mentionIn));
      at++;
      continue;
    }
    let length = 1;
    while (length < WORDS_MAX && at + length < tokens.length && !tokens[at + length]!.after_break) length++;
    let signs: readonly Sign[] = [];
    for (; length >= 1; length--) {
      const key = tokens
        .slice(at, at + length)
        .map(({ word }) => word)
        .join(" ");
      signs = spoken.flatMap(({ exact }) => exact.get(key) ?? []);
      if (signs.length > 0) break;
    }
    length = Math.max(1, length);
    if (signs.length === 0 && token.word.length > 2)
      signs = spoken.flatMap(
        ({ stems }) => stems.get(token.word[0]!)?.find(([stem]) => token.word.startsWith(stem))?.[1] ?? [],
      );
    if (/^\d/u.test(token.word)) signs = [{ role: "numbers", value: Number(token.word), language: "" }];
    const mention = mentionIn(token.from, tokens[at + length - 1]!.to);
    const said = tokens
      .slice(at, at + length)
      .map(({ word }) => word)
      .join(" ");
    // A player's name is one, whatever else its words are.
    if (mention >= 0) while (at + length < tokens.length && tokens[at + length]!.from < mentions[mention]!.to) length++;
    out.push({
      word: token.word,
      raw: token.raw,
      said,
      signs,
      mention,
      begins,
      from: token.from,
      to: tokens[at + length - 1]!.to,
    });
    at += length;
  }
  return out;
}

/** Two words of Hangul that say something together: "두 번째". */
function spokenPair(
  tokens: readonly Token[],
  at: number,
  spoken: readonly Signs[],
): Omit<Unit, "mention" | "begins"> | null {
  const [first, second] = [tokens[at]!, tokens[at + 1]];
  if (second === undefined || second.after_break || !isDense(first.word) || !isDense(second.word)) return null;
  const word = first.word + second.word;
  const signs = spoken.flatMap(({ exact }) => exact.get(word) ?? []);
  return signs.length === 0 ? null : { word, raw: word, said: word, signs, from: first.from, to: second.to };
}

/** Words of a script without spaces, as far as they say something. */
function denseUnits(
  { word, from }: Token,
  begins: boolean,
  spoken: readonly Signs[],
  mentionIn: (from: number, to: number) => number,
): Unit[] {
  const out: Unit[] = [];
  const longest = Math.max(...spoken.map(({ dense_max }) => dense_max));
  for (let at = 0; at < word.length; ) {
    let length = Math.min(longest, word.length - at);
    let signs: readonly Sign[] = [];
    for (; length >= 1; length--) {
      const key = word.slice(at, at + length);
      signs = spoken.flatMap(({ exact }) => exact.get(key) ?? []);
      if (signs.length > 0) break;
    }
    length = Math.max(1, length);
    const mention = mentionIn(from + at, from + at + length);
    if (signs.length > 0 || (mention >= 0 && out.at(-1)?.mention !== mention))
      out.push({
        ...{ word: word.slice(at, at + length), raw: "", said: "" },
        signs,
        mention,
        begins: begins && out.length === 0,
        from: from + at,
        to: from + at + length,
      });
    at += length;
  }
  if (begins && out.length === 0)
    out.push({ word, raw: word, said: word, signs: [], mention: -1, begins, from, to: from + word.length });
  return out;
}

function onceEach<T>(all: readonly T[]): T[] {
  const seen = new Set<string>();
  return all.filter((one) => {
    const key = JSON.stringify(one);
    return !seen.has(key) && seen.add(key);
  });
}

function isPlaying({ concepts }: Mention): boolean {
  return concepts.some((concept) => /^(?:instrument|drum|voice):/u.test(concept));
}
