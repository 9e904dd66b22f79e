/** A prompt to what is to be heard: parts one after another, layers at once, each a recipe with its traits. Never fails, never empty. */
import type { Thing } from "../pack.ts";
import type { Recipe } from "../recipe.ts";
import type { Material, Traits } from "../voice.ts";
import { placed, spelledOut } from "./clauses.ts";
import { forms } from "./fold.ts";
import { headOf, knows, match, misspelt, recipeOf, wordsOf } from "./lexicon.ts";
import { isNounAt, isWord, meantBy, thingMeant } from "./meaning.ts";
import { affirm } from "./negation.ts";
import { markPauses, type Pause, pauseOf, takeLength } from "./timing.ts";
import {
  ARTICLES,
  BACKGROUND,
  CROSSINGS,
  DENSE_COUNTS,
  ENVIRONMENTS,
  type Environment,
  FAR_PHRASES,
  FILLERS,
  LOUDER_THAN,
  MANNERS,
  MATERIALS,
  MOSTLY,
  MOTIONS,
  NUMBERS,
  type Pan,
  PLACES,
  SEQUENCE,
  SHADES,
  SOFTER_THAN,
  SURFACES,
  THINGS,
  TIMES,
  TOGETHER,
  WET,
  type Words,
  wordFor,
} from "./words.ts";

export interface Layer {
  readonly recipe: Recipe;
  readonly traits: Traits;
  /** Events asked for; null: the recipe's own number. */
  readonly count: number | null;
  /** 0 at hand to 1 far away. */
  readonly far: number;
  /** How much louder than what sounds beside it. */
  readonly level_db: number;
  /** Whether it comes nearer or goes away; null: neither. */
  readonly motion: "nearer" | "away" | null;
}

export interface Brief {
  /** One after another; each holds what sounds at once, 1 to 4. */
  readonly parts: readonly (readonly Layer[])[];
  /** Silence before each part; null for none. */
  readonly pauses: readonly (Pause | null)[];
  /** Under all of it. */
  readonly background: readonly Layer[];
  readonly environment: Environment | null;
  /** Where in the stereo field all of it stands, or which way it crosses. */
  readonly pan: Pan | null;
  /** Seconds, where the text names them. */
  readonly seconds: number | null;
  /** What must not be heard, in the words that say so. */
  readonly unwanted: readonly string[];
  /** Words nothing was made of. */
  readonly unknown: readonly string[];
  /** Unknown words and what they were taken for. */
  readonly guessed: Readonly<Record<string, string>>;
}

/** Stand in the text for how a sound moves. */
const MOTION_SIGNS = { nearer: "↙", away: "↗" } as const;

const LAYERS_MAX = 4;
const PARTS_MAX = 8;
const EVENTS_MAX = 60;

const ENDS =
  / and (?=(?:breaks|shatters|smashes|crashes|explodes|bursts|slams|lands|splashes|collapses|closes|shuts)\b)/gu;
const ALL_FAR = /[,،、，]\s*(?:very |quite |heard |from |in the )*(?:far|distance|afar)\s*(?=[,،、，]|$)/gu;

export function understand(prompt: string): Brief {
  const { text: affirmed, denied, english, unknown: unread } = affirm(prompt);
  let text = affirmed
    .replace(LOUDER_THAN, ` ${wordFor("loud")} with `)
    .replace(SOFTER_THAN, ` ${wordFor("soft")} with `);
  const length = takeLength(markPauses(text));
  text = length.text;
  let environment: Environment | null = null;
  for (const phrase of PLACES.keys()) {
    if (!text.includes(` ${phrase}`)) continue;
    environment = PLACES.get(phrase)!;
    text = text.replace(phrase, " ");
  }
  text = text
    .replace(/\bfar (?:away|off)\b/gu, "far")
    .replace(/\bhigh speed\b/gu, "fast")
    .replace(FAR_PHRASES, " far ");
  text = text.replace(DENSE_COUNTS, (_, digit: string) => ` ${NUMBERS.get(digit)} times `);
  // What ends a movement comes after it: a bottle that rolls and breaks.
  text = text.replace(ENDS, " then ");
  // Between commas it is said of all that is heard.
  let all_far = false;
  text = text.replace(ALL_FAR, () => {
    all_far = true;
    return " ";
  });
  let pan: Pan | null = null;
  for (const [words, heard] of CROSSINGS) {
    text = text.replace(words, () => {
      pan ??= heard;
      return " ";
    });
  }
  for (const [words, motion] of MOTIONS) {
    // "Galloping away" is still heard galloping.
    text = text.replace(words, (said) => {
      const heard = /^(?:walk|run|gallop)\p{L}*/u.exec(said)?.[0] ?? "";
      return ` ${heard} ${MOTION_SIGNS[motion]} `;
    });
  }
  const unknown: string[] = [];
  const guessed: Record<string, string> = {};
  const parts: (readonly Layer[])[] = [];
  const pauses: (Pause | null)[] = [];
  const background: Layer[] = [];
  let pause: Pause | null = null;
  for (const { pause: before, clauses } of divide(spelledOut(text), english).slice(0, PARTS_MAX)) {
    const layers: Layer[] = [];
    pause = before ?? pause;
    for (const { words: clause, behind } of clauses) {
      // "Ignition and hum": the same thing's.
      if (layers.length > 0 && clause.every((word) => MANNERS.has(word) || isPlain(word))) continue;
      const found = listen(clause, unknown, guessed, english);
      environment ??= found.environment;
      if (found.layer === null) continue;
      if (behind && (layers.length > 0 || parts.length > 0)) background.push(found.layer);
      // "Match strike and flame" is one fire.
      else if (found.layer.recipe.kind === "bed" && layers.some(({ recipe }) => recipe === found.layer!.recipe))
        continue;
      else if (layers.length < LAYERS_MAX) layers.push(found.layer);
    }
    const kept = withoutDenied(layers, denied);
    if (kept.length === 0) continue;
    parts.push(all_far ? kept.map((layer) => ({ ...layer, far: Math.max(layer.far, 1) })) : kept);
    pauses.push(pause);
    pause = null;
  }
  if (parts.length === 0) {
    parts.push([background.pop() ?? guess(prompt, text, guessed)]);
    pauses.push(null);
  }
  return {
    parts,
    pauses,
    background: background.slice(0, 2),
    environment,
    pan,
    seconds: length.seconds,
    unwanted: denied,
    unknown: [...new Set(unknown)].filter((word) => unread.has(word)).slice(0, 20),
    guessed,
  };
}

/** "A storm without thunder" is what else a storm is made of. */
function withoutDenied(layers: readonly Layer[], denied: readonly string[]): readonly Layer[] {
  const unwanted = new Set(denied.flatMap((piece) => match(wordsOf(piece))?.recipe.name ?? []));
  if (unwanted.size === 0) return layers;
  return layers.flatMap((layer) => {
    const { contains = [] } = layer.recipe;
    if (!contains.some((name) => unwanted.has(name))) return [layer];
    return contains.filter((name) => !unwanted.has(name)).map((name) => ({ ...layer, recipe: recipeOf(name) }));
  });
}

/** Sounds that lead to another: "riser into impact". */
const LEADS: ReadonlySet<string> = new Set(["riser", "whoosh", "downer", "drum_roll", "tension", "warp", "rewind"]);

function led(stretch: string): string[] {
  const [, before, after] =
    /^(.*?) (?:into|leading (?:in)?to|ending (?:in|with)|building to) (.*)$/u.exec(stretch) ?? [];
  if (before === undefined || after === undefined) return [stretch];
  const [one, other] = [match(wordsOf(before)), match(wordsOf(after))];
  return one !== null && other !== null && LEADS.has(one.recipe.name) ? [before, after] : [stretch];
}

interface Stretch {
  readonly pause: Pause | null;
  readonly clauses: readonly Clause[];
}

interface Clause {
  readonly words: string[];
  readonly behind: boolean;
}

/** What only says of which stuff a thing is ("metal bucket") begins no part of its own. */
const NAMED_MIN = 0.45;

/** Sequence marks first, then commas (a sequence only where both sides name sounds), then what joins simultaneous sounds. */
function divide(text: string, english: boolean): Stretch[] {
  const out: Stretch[] = [];
  const names = (words: readonly string[]): boolean =>
    match(words) !== null || (english && meantBy(words, strangeIn(words)) !== null);
  for (const marked of text.split(SEQUENCE).flatMap(led)) {
    let pause = pauseOf(marked);
    const stretch = marked.replace(/\ue000.*\ue001/u, " ");
    const pieces = stretch.split(/[,،、，]/u).filter((piece) => wordsOf(piece).length > 0);
    const groups: string[][] = [];
    for (const piece of pieces) {
      const last = groups.at(-1);
      // "A button click, soft, plastic": how the sound before is.
      const found = match(wordsOf(piece));
      const is_named = found === null ? names(wordsOf(piece)) : found.score >= NAMED_MIN || last === undefined;
      const begins = is_named && !(last !== undefined && wordsOf(piece).every(isQuality));
      const joined =
        last !== undefined &&
        (!begins || !names(wordsOf(last.join(" "))) || BACKGROUND.test(piece) || continues(last, piece));
      if (joined && !BACKGROUND.test(piece)) last[last.length - 1] += ` ${piece}`;
      else if (joined) last.push(piece);
      else groups.push([piece]);
    }
    for (const group of groups) {
      const clauses = group.flatMap((piece) =>
        piece
          .split(TOGETHER)
          .flatMap((words) => (BACKGROUND.test(piece) ? [{ text: words, behind: false }] : placed(words)))
          .map((clause) => ({ ...clause, from: piece })),
      );
      const named: Clause[] = [];
      for (const { text: piece, behind: around, from } of clauses) {
        const words = wordsOf(piece.replace(BACKGROUND, " "));
        if (words.length === 0) continue;
        const behind = around || BACKGROUND.test(piece) || (BACKGROUND.test(from) && piece === from);
        const last = named.at(-1);
        // "loud and heavy rain" is one sound, "glass and metal hits" two.
        if (last !== undefined && !names(last.words)) {
          named[named.length - 1] = { words: [...last.words, ...words], behind: behind || last.behind };
        } else if (last !== undefined && !names(words)) {
          named[named.length - 1] = { words: [...last.words, ...words], behind: behind || last.behind };
        } else named.push({ words, behind });
      }
      if (named.length > 0) out.push({ pause, clauses: named });
      if (named.length > 0) pause = null;
    }
    if (pause !== null) out.push({ pause, clauses: [] });
  }
  return out;
}

/** "Footsteps, five steps", "laser gun, pew pew pew": the second says how often the first is heard. */
function continues(last: readonly string[], piece: string): boolean {
  const words = wordsOf(piece);
  const before = wordsOf(last.join(" "));
  const [one, other] = [match(before), match(words)];
  if (one === null || other === null || one.recipe !== other.recipe) return false;
  const counted = (some: readonly string[], places: readonly number[]): boolean =>
    repeated(some, places) !== null || some.some((word) => NUMBERS.has(word) || /^\d+$/u.test(word));
  return counted(words, other.places) && !counted(before, one.places);
}

interface Heard {
  readonly layer: Layer | null;
  readonly environment: Environment | null;
}

function listen(given: readonly string[], unknown: string[], guessed: Record<string, string>, english: boolean): Heard {
  let words = given;
  let found = match(words);
  if (found === null) {
    // By meaning, else as a slip of the keyboard, before anything is given up.
    const strange = strangeIn(given);
    const meant = english ? meantBy(given, strange) : null;
    if (meant !== null) {
      found = { recipe: meant.recipe, score: 1, places: [meant.place] };
      guessed[meant.word] = meant.recipe.name;
    } else {
      words = given.map((word, place) => {
        if (!strange.includes(place) || (english && isWord(word))) return word;
        const right = misspelt(word) ?? headOf(word);
        if (right === null) return word;
        guessed[word] = right;
        return right;
      });
      found = match(words);
    }
  }
  if (found === null && english) {
    for (const place of strangeIn(words)) {
      const { sound } = thingMeant(words[place]!) ?? {};
      if (sound === undefined) continue;
      found = { recipe: recipeOf(sound), score: 1, places: [place] };
      guessed[words[place]!] = sound;
    }
  }
  let size = 0;
  let intensity = 0.5;
  let speed = 1;
  let pitch = 1;
  let bright = 0;
  let far = 0;
  let wet = 0;
  let level_db = 0;
  let material: Material | null = null;
  let environment: Environment | null = null;
  // Of two misspelt words that stand for one name none is said over again.
  let count: number | null = repeated(given, found?.places ?? []);
  let vague = false;
  let motion: Layer["motion"] = null;
  words.forEach((word, place) => {
    const spelt = forms(word);
    const named = found?.places.includes(place) === true;
    // "Läuten" rings, and is no louder for it.
    const shade = named ? SHADES.get(word) : SHADES.find(spelt);
    const number = numberOf(word, words, place, found?.places ?? []);
    const strange =
      english &&
      !named &&
      found !== null &&
      TELLS_MATERIAL.has(found.recipe.group) &&
      // "A hamster wheel" is a wheel.
      !found.places.includes(place + 1) &&
      isStrange(words, place) &&
      isNounAt(words, place);
    const thing =
      thingAt(words, place) ??
      (strange || (named && guessed[word] === found?.recipe.name) ? thingMeant(word) : undefined);
    const mostly = MOSTLY.find(spelt) ?? thing?.material;
    // "Tiny" is not of tin.
    const stuff = (SHADES.has(word) ? MATERIALS.get(word) : MATERIALS.find(spelt)) ?? mostly;
    const is_vague = stuff !== undefined && stuff === mostly;
    const room = named ? undefined : ENVIRONMENTS.find(spelt);
    if (shade !== undefined) {
      size += shade.size ?? 0;
      intensity += shade.intensity ?? 0;
      speed *= shade.speed ?? 1;
      pitch *= shade.pitch ?? 1;
      bright += shade.bright ?? 0;
      far = Math.max(far, shade.far ?? 0) + Math.min(0, shade.far ?? 0);
      level_db += shade.level_db ?? 0;
    }
    size += thing?.size ?? 0;
    // The first counts: a bottle that breaks on stone is of glass.
    const only_below =
      material !== null && found !== null && MOVES_THINGS.has(found.recipe.name) && isBelow(words, place);
    if (stuff !== undefined && !only_below && (material === null || (vague && !is_vague))) {
      material = stuff;
      vague = is_vague;
    }
    if (word === MOTION_SIGNS.nearer || word === MOTION_SIGNS.away)
      motion = word === MOTION_SIGNS.away ? "away" : "nearer";
    if (room !== undefined) environment = room;
    if (number !== null) count = number;
    if (WET.has(word)) wet = 1;
    if (
      shade === undefined &&
      stuff === undefined &&
      room === undefined &&
      number === null &&
      !named &&
      thing === undefined &&
      !isPlain(word) &&
      !knows(word) &&
      wet === 0
    )
      unknown.push(word);
  });
  if (found === null) return { layer: null, environment };
  return {
    environment,
    layer: {
      recipe: found.recipe,
      count,
      far: clamp(far, 0, 1),
      level_db,
      motion,
      traits: {
        size: clamp(size, -1, 1),
        intensity: clamp(intensity, 0, 1),
        speed: clamp(speed, 0.4, 2.5),
        pitch: clamp(pitch, 0.3, 3),
        bright: clamp(bright, -1, 1),
        wet,
        material: wet === 1 && material === null && found.recipe.name === "footsteps" ? "water" : material,
      },
    },
  };
}

/** A count: a number word or digits beside the sound, "3x", "twice"; "a" where one of several is meant. */
function numberOf(word: string, words: readonly string[], place: number, named: readonly number[]): number | null {
  // "8 bit" is no eight.
  if (named.includes(place) || (/^\d+$/u.test(word) && words[place + 1] === "bit")) return null;
  const digits = /^\d+$/u.test(word) ? Number(word) : Number.NaN;
  if (digits >= 1) return Math.min(EVENTS_MAX, digits);
  const next = words[place + 1];
  // "Two gardens away" is how far.
  const counted = words.slice(place + 1).find((some) => !SHADES.has(some) && MATERIALS.get(some) === undefined);
  if (counted !== undefined && isElsewise(counted)) return null;
  if (ARTICLES.has(word)) {
    // "a knock" is one; "a dog barking" says nothing of how often.
    const head = named.length === 1 && named[0] === place + 1 ? next : undefined;
    return head !== undefined && !head.endsWith("ing") && !head.endsWith("s") ? 1 : null;
  }
  const number = NUMBERS.get(word);
  if (number === undefined) return null;
  if (next !== undefined && TIMES.has(next)) return number;
  return number;
}

/** A noun of another thing: neither a sound nor "times", nor said of nothing. */
function isElsewise(word: string): boolean {
  return (
    !knows(word) &&
    !TIMES.has(word) &&
    !FILLERS.has(word) &&
    !THINGS.has(word) &&
    !/^\d|^\P{L}/u.test(word) &&
    !WET.has(word)
  );
}

/** "Pew pew pew" is three; null where no name is said over again. */
function repeated(words: readonly string[], named: readonly number[]): number | null {
  let most = 1;
  for (const place of named) {
    const said = words.filter((word) => word === words[place]).length;
    if (said > most) most = said;
  }
  return most > 1 ? Math.min(EVENTS_MAX, most) : null;
}

/** What only says of which stuff, or how, a thing is; a "glass" by itself is a thing. */
function isQuality(word: string): boolean {
  return (
    SHADES.has(word) ||
    /^(?:wood|wooden|metal|metallic|plastic|stone|ceramic|rubber|hollow|solid|and|but|very)$/u.test(word)
  );
}

function isPlain(word: string): boolean {
  return (
    FILLERS.has(word) ||
    NUMBERS.has(word) ||
    TIMES.has(word) ||
    ARTICLES.has(word) ||
    /^\d/u.test(word) ||
    word.length < 2 ||
    SHADES.has(word) ||
    MATERIALS.has(word) ||
    ENVIRONMENTS.has(word)
  );
}

/** Nothing that is known was named: a material is struck, else air moves. What it is to sound like is said all the same. */
function guess(prompt: string, text: string, guessed: Record<string, string>): Layer {
  const words = wordsOf(text);
  const stuff = words.find((word) => MATERIALS.find(forms(word)) !== undefined);
  const name = stuff === undefined ? "whoosh" : "impact";
  guessed[words.slice(0, 4).join(" ").slice(0, 60) || [...prompt].slice(0, 8).join("")] = name;
  return listen([name, ...words], [], {}, false).layer!;
}

/** A wrench that is dropped on concrete is of metal. */
const MOVES_THINGS: ReadonlySet<string> = new Set(["drop", "rolling_ball", "scrape", "impact"]);

function isBelow(words: readonly string[], place: number): boolean {
  return words.slice(0, place).some((word, at) => at > 0 && SURFACES.has(word));
}

/** Of these groups are sounds that differ by what the thing is of. */
const TELLS_MATERIAL: ReadonlySet<string> = new Set(["impact", "break", "object", "door"]);

/** Places of words that neither name a sound nor say how it is. */
function strangeIn(words: readonly string[]): readonly number[] {
  return words.flatMap((_, place) => (isStrange(words, place) ? [place] : []));
}

function isStrange(words: readonly string[], place: number): boolean {
  const word = words[place]!;
  const spelt = forms(word);
  return (
    !isPlain(word) &&
    !knows(word) &&
    thingAt(words, place) === undefined &&
    [SHADES, MATERIALS, MOSTLY, ENVIRONMENTS].every((table: Words<unknown>) => table.find(spelt) === undefined)
  );
}

/** What is known of the thing that `words` name at `place`: of two words that one is called by, at the second. */
function thingAt(words: readonly string[], place: number): Thing | undefined {
  const two = place > 0 ? THINGS.get(`${words[place - 1]} ${words[place]}`) : undefined;
  if (two !== undefined) return two;
  // "Anvil" of "anvil case" is told by the case.
  if (place + 1 < words.length && THINGS.has(`${words[place]} ${words[place + 1]}`)) return undefined;
  for (const { form, of } of forms(words[place]!)) {
    const thing = of === null || of.includes("en") ? THINGS.get(form) : undefined;
    if (thing !== undefined) return thing;
  }
  return undefined;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
