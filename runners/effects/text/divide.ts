/** What was read, in the order in which it is heard: parts one after another, and in each what sounds at once. */
import { type Ask, kindOf } from "../../language/mod.ts";
import type { Pause } from "../brief.ts";
import type { Recipe } from "../recipe.ts";
import { isLedBy, isMoving, isVerb, type Match, match, type Unit } from "./match.ts";
import { has, type Join, OVER, type Piece, piecesOf, SOUNDING } from "./pieces.ts";

export interface Clause {
  readonly units: Unit[];
  readonly behind: boolean;
  /** Which of its words is measured by what: "softer" than "cicadas". */
  than: { readonly unit: Unit; readonly word: string } | null;
  /** It is further away than what is measured by it. */
  farther: boolean;
}

export interface Stretch {
  pause: Pause | null;
  readonly clauses: Clause[];
}

/** Whether words that no name of ours is for mean a sound all the same. */
export type Means = (units: readonly Unit[]) => boolean;

/** What only says of which stuff a thing is ("metal bucket") begins no part of its own. */
const NAMED_MIN = 0.45;
/** A name has to be plain for its sound to be a place's: what only leans towards a sound ("night", "restaurant") is none. */
const PLAIN = 0.95;
/** More words than this say something of their own. */
const AGAIN_WORDS_MAX = 6;
/** "Rain, a door slams": what of these goes on is there all the time. An engine may have stopped. */
const SETTINGS: ReadonlySet<string> = new Set("weather water fire crowd animal ambience electric machine".split(" "));
/** Seconds of a silence of which no length is said. */
const SILENCE = 1;

export function divide(ask: Ask, means: Means): Stretch[] {
  const out: Stretch[] = [];
  // The first clause of each sound.
  const clauses = new Map<Recipe, Clause>();
  let named: readonly Unit[] = [];
  // The clause before the last comma or "and".
  let current: Clause | null = null;
  for (const { units: said, join, pause } of again(piecesOf(ask))) {
    const before_it = out.at(-1)?.clauses.at(-1);
    const units = countsOf(said, before_it, join) ? said.map(unnamed) : withSubject(said, before_it, join);
    const found = match(units);
    const names = found !== null || means(units);
    const stretch = out.at(-1);
    const last = stretch?.clauses.at(-1);
    const behind = units.some(({ mention }) => mention?.behind === true);
    const compared = units.some(({ polarity }) => polarity === "compared");
    const clause: Clause = { units: [...units], behind, than: null, farther: false };
    const same = countsOf(said, last, join) ? last : found === null ? undefined : clauses.get(found.recipe);
    if (isSilent(units)) {
      out.push({ pause: { seconds: SILENCE, from: "end" }, clauses: [] });
      continue;
    }
    const before = last === undefined ? null : match(last.units);
    // "Old pickup truck, engine cranks twice": what is to be started does not run before.
    if (join === "comma" && out.length === 1 && starts(found) && runs(before)) {
      const kept = last!.units.filter((_, at) => !before!.places.includes(at));
      out[0] = { pause: null, clauses: [{ ...clause, units: [...kept, ...units] }] };
      continue;
    }
    const named_before = last !== undefined && (before !== null || means(last.units));
    if (
      stretch === undefined ||
      last === undefined ||
      join === "then" ||
      (joinsNext(said, join) &&
        names &&
        (leads(before) || (found?.recipe.kind !== "bed" && (isOver(last, before) || isTold(said, before, found)))))
    )
      out.push({ pause, clauses: [clause] });
    else if (join === "comma") {
      const begins =
        (found === null ? names : found.score >= NAMED_MIN && !onlyMoves(units, found)) && !units.every(isQuality);
      // "Footsteps, …, one walking away": what was named before, in other words.
      if (begins && named_before && same !== undefined) {
        same.units.push(...units);
        current = same;
      } else if (begins && named_before && (behind || isSetting(found))) stretch.clauses.push(clause);
      else if (begins && named_before)
        out.push({ pause: pause ?? (stretch.clauses.every(goesOn) ? OVER : null), clauses: [clause] });
      else last.units.push(...units);
    } else if (join === "with" && names && named_before) {
      const measured = current ?? last;
      const by = compared ? measured.units.findLast((unit) => isQuality(unit)) : undefined;
      if (by !== undefined) measured.than = { unit: by, word: units[0]!.word };
      const of = compared && same !== undefined ? same : clause;
      of.farther ||= by !== undefined && has(by, "distance:near");
      // "Softer than a whisper" has both at their levels; "lower than a fridge" is a measure alone.
      const measures = by !== undefined && isLedBy(units[0]!, "single") && !by.concepts.some((one) => LEVELS.has(one));
      if (of === clause && !measures) stretch.clauses.push(clause);
    } else if (join === "at" && isAround(last.units, before, units, found))
      stretch.clauses.push({ ...clause, behind: true });
    else last.units.push(...units);
    if (found !== null && !clauses.has(found.recipe) && out.at(-1)!.clauses.at(-1) === clause)
      clauses.set(found.recipe, clause);
    if (found !== null && found.recipe.kind !== "bed") named = found.places.map((place) => units[place]!);
  }
  return out;

  /** "Two explosions far and one near": the second part is an explosion as well. */
  function* again(pieces: Iterable<Piece>): Generator<Piece> {
    let first = true;
    for (const piece of pieces) {
      const number = piece.units[0]!.led_by.find(({ role }) => role === "number");
      const refers =
        !first &&
        named.length > 0 &&
        piece.units.length <= AGAIN_WORDS_MAX &&
        (piece.units.some((unit) => isLedBy(unit, "again")) || (number !== undefined && piece.units.some(isQuality))) &&
        match(piece.units) === null;
      first = false;
      if (!refers) yield piece;
      else {
        const meant = named.map((unit) => ({ ...unit, led_by: [], count: number?.value ?? null }));
        yield { ...piece, join: "then", units: [...piece.units, ...meant] };
      }
    }
  }
}

/** "Silence", "a sudden silence". */
function isSilent(units: readonly Unit[]): boolean {
  return (
    units.some((unit) => has(unit, "sound:silence")) &&
    units.every((unit) => has(unit, "sound:silence") || !unit.concepts.some((one) => SOUNDING.has(kindOf(one))))
  );
}

/** Silence that nothing follows. */
export function silenceAfter({ times, mentions, unknown }: Ask): number {
  const end = Math.max(-1, ...[...mentions, ...unknown].map(({ to }) => to));
  return times.reduce((sum, { how, from, seconds, closing }) => {
    return how === "pause" && !closing && from >= end ? sum + seconds : sum;
  }, 0);
}

/** "A balloon inflates, then bursts": what bursts is the balloon, where that has a sound of its own. */
function withSubject(units: readonly Unit[], before: Clause | undefined, join: Join): readonly Unit[] {
  const goes_on = join !== "comma" || units.some(isVerb);
  if (before === undefined || !goes_on || isLedBy(units[0]!, "with", "while")) return units;
  const named = before.units
    .filter(({ polarity, concepts }) => polarity === "wanted" && concepts.some((one) => SOUNDING.has(kindOf(one))))
    .map((unit) => ({ ...unit, led_by: [], count: null }));
  // "Engine cranks twice, then starts": the engine does.
  const subject = units.some(isVerb) ? named.slice(0, 1) : named;
  const [alone, whole, known] = [match(units), match([...subject, ...units]), match(subject)];
  // "A space door opens, and later closes": the same sound once more.
  const twice = join === "then" && alone === null && whole?.recipe.kind !== "bed";
  if (whole === null || whole.recipe === alone?.recipe || (whole.recipe === known?.recipe && !twice)) return units;
  const [of_subject, of_verb] = [true, false].map((is) => whole.places.filter((at) => at < subject.length === is));
  if (of_subject!.length === 0 || of_verb!.length === 0) return units;
  return [...of_subject!.map((at) => subject[at]!), ...units];
}

/** "Three long tones" of a horn: how many they are, and no sound of their own. */
function unnamed(unit: Unit): Unit {
  return has(unit, `sound:${TONE}`) ? { ...unit, stems: [] } : unit;
}

/** What every sound that is blown, rung or sent may be called. */
const TONE = "tone";

/** "Camera shutter, three quick shots": how often, in a word that has another meaning by itself. */
function countsOf(units: readonly Unit[], before: Clause | undefined, join: Join): boolean {
  if (before === undefined || join !== "comma" || !units.some(({ count }) => count !== null)) return false;
  const known = match(before.units);
  if (known === null || known.recipe.kind === "bed" || before.units.some(({ count }) => count !== null)) return false;
  // "Ship's horn, three long tones".
  if (match(units)?.recipe.name === TONE) return true;
  const named = known.places.map((place) => ({ ...before.units[place]!, led_by: [] }));
  // "Sonar ping, five pings".
  if (
    units.some(
      ({ count, stems }) => count !== null && named.some((one) => stems.some((stem) => one.stems.includes(stem))),
    )
  )
    return true;
  const whole = match([...named, ...units]);
  return (
    whole !== null &&
    whole.recipe === known.recipe &&
    whole.places.some((place) => place >= named.length && units[place - named.length]!.count !== null)
  );
}

/** "A laser shot, descending" names nothing more. */
function onlyMoves(units: readonly Unit[], { places }: Match): boolean {
  return places.every((place) => isMoving(units[place]!));
}

/** What only says of which stuff, or how, a thing is; a "glass" by itself is a thing. */
function isQuality({ concepts }: Unit): boolean {
  const kinds = concepts.map(kindOf);
  return kinds.some((kind) => QUALITIES.has(kind)) && !kinds.includes("sound") && !kinds.includes("thing");
}

const QUALITIES: ReadonlySet<string> = new Set(["quality", "dynamics", "distance", "material", "place"]);

/** By these two sounds stand beside each other. */
const LEVELS: ReadonlySet<string> = new Set(
  "quality:loud quality:soft dynamics:loud dynamics:soft distance:near distance:far".split(" "),
);

/** Sounds that lead to another: "riser into impact". */
const LEADS: ReadonlySet<string> = new Set([
  ..."engine_fails engine_start riser whoosh downer drum_roll tension warp rewind charge_up".split(" "),
  ..."arrow throw torpedo ballista catapult trebuchet skid".split(" "),
]);

/** "Riser into impact", "charging up and firing". */
function joinsNext([first]: readonly Unit[], join: Join): boolean {
  return join === "into" || (join === "with" && isLedBy(first!, "and"));
}

/** "Dings twice and the doors open": what was counted comes to an end. */
function isOver({ units }: Clause, found: Match | null): boolean {
  if (found === null || found.recipe.kind === "bed" || found.recipe.together === true) return false;
  return (
    !HERDS.has(found.recipe.group) && units.some(({ count }, at) => (count ?? 0) > 1 && isCountOf(units, at, found))
  );
}

/** "Then the bolt slides back and the door creaks": what is told in order goes on so. */
function isTold([first]: readonly Unit[], before: Match | null, found: Match | null): boolean {
  if (first!.part === 0 || !isLedBy(first!, "and") || before === null || found === null || before.recipe.kind === "bed")
    return false;
  return !HERDS.has(before.recipe.group) || before.recipe.group !== found.recipe.group;
}

function isCountOf(units: readonly Unit[], at: number, { places }: Match): boolean {
  return places.includes(at) && !units[at]!.concepts.some((concept) => kindOf(concept) === "person");
}

/** Of these several are there at once. */
const HERDS: ReadonlySet<string> = new Set(["animal", "creature", "crowd", "vehicle", "human"]);

function isSetting(found: Match | null): boolean {
  return found !== null && found.recipe.kind === "bed" && SETTINGS.has(found.recipe.group);
}

function goesOn({ units }: Clause): boolean {
  return isSetting(match(units));
}

const STARTS: ReadonlySet<string> = new Set(["engine_fails", "engine_start"]);
const VEHICLES: ReadonlySet<string> = new Set(["vehicle", "engine"]);

function starts(found: Match | null): boolean {
  return found !== null && STARTS.has(found.recipe.name);
}

function runs(found: Match | null): boolean {
  return found !== null && found.recipe.kind === "bed" && VEHICLES.has(found.recipe.group);
}

function leads(found: Match | null): boolean {
  return found !== null && LEADS.has(found.recipe.name);
}

/** "Pew pew pew" is three. */
export function timesSaid(units: readonly Unit[], places: readonly number[]): number {
  const isSame = (one: Unit | undefined, other: Unit): boolean =>
    one?.word === other.word && one.written === other.written;
  let most = 0;
  for (const place of places) {
    let end = place;
    while (isSame(units[end], units[place]!)) end++;
    most = Math.max(most, end - place);
  }
  return most;
}

/** "A cat by the fireplace" is a cat, and a fire behind it. */
function isAround(last: readonly Unit[], sound: Match | null, units: readonly Unit[], around: Match | null): boolean {
  if (sound === null || around === null || around.recipe.kind !== "bed" || around.recipe === sound.recipe) return false;
  // "Hit in the background of a machine shop" and the like: a name of several words that lies on both sides.
  const whole = match([...last, ...units])?.recipe;
  return around.score >= PLAIN && (whole === sound.recipe || whole === around.recipe);
}
