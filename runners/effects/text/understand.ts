/** A prompt to what is to be heard: parts one after another, layers at once, each a recipe with its traits. Never fails, never empty. */
import { hash32 } from "../../signal/dsp/random.ts";
import type { Recipe } from "../recipe.ts";
import type { Material, Traits } from "../voice.ts";
import { placed, spelledOut } from "./clauses.ts";
import { fold, forms, tokens } from "./fold.ts";
import { isMisspelt, knows, match, nearest } from "./lexicon.ts";
import {
  ARTICLES,
  BACKGROUND,
  CROSSINGS,
  DENSE_COUNTS,
  DENSE_DIGITS,
  ENVIRONMENTS,
  type Environment,
  FILLERS,
  MANNERS,
  MATERIALS,
  MOSTLY,
  MOTIONS,
  NEGATION,
  NUMBERS,
  type Pan,
  PLACES,
  SEQUENCE,
  SHADES,
  TIMES,
  TOGETHER,
} from "./words.ts";

export interface Layer {
  readonly recipe: Recipe;
  readonly traits: Traits;
  /** Events asked for; null: the recipe's own number. */
  readonly count: number | null;
  /** 0 at hand to 1 far away. */
  readonly far: number;
  /** Whether it comes nearer or goes away; null: neither. */
  readonly motion: "nearer" | "away" | null;
}

export interface Brief {
  /** One after another; each holds what sounds at once, 1 to 4. */
  readonly parts: readonly (readonly Layer[])[];
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

const LAYERS_MAX = 4;
const PARTS_MAX = 8;
const EVENTS_MAX = 60;

const ENDS =
  / and (?=(?:breaks|shatters|smashes|crashes|explodes|bursts|slams|lands|splashes|collapses|closes|shuts)\b)/gu;
const ALL_FAR = /[,،、，]\s*(?:very |quite |heard |from |in the )*(?:far|distance|afar)\s*(?=[,،、，]|$)/gu;

export function understand(prompt: string): Brief {
  let text = ` ${fold(prompt)} `;
  const { rest, seconds } = spokenSeconds(text);
  text = rest;
  let environment: Environment | null = null;
  for (const [phrase, place] of PLACES) {
    if (!text.includes(` ${phrase}`)) continue;
    environment = place;
    text = text.replace(phrase, " ");
  }
  text = text.replace(/\bfar (?:away|off)\b/gu, "far").replace(/\bhigh speed\b/gu, "fast");
  text = text.replace(DENSE_COUNTS, (_, digit: string) => {
    const value = /[两兩]/u.test(digit) ? 2 : DENSE_DIGITS.indexOf(digit);
    return ` ${value} times `;
  });
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
    text = text.replace(new RegExp(words, "gu"), (said) => {
      const heard = /^(?:walk|run|gallop)\p{L}*/u.exec(said)?.[0] ?? "";
      return ` ${heard} ${motion} `;
    });
  }
  const unwanted = new Set<string>();
  const denied: string[] = [];
  text = text.replace(NEGATION, (_, word: string) => {
    const last = word.trim().split(" ").at(-1)!;
    denied.push(last);
    for (const form of forms(last)) unwanted.add(form);
    return " ";
  });

  const unknown: string[] = [];
  const guessed: Record<string, string> = {};
  const parts: Layer[][] = [];
  const background: Layer[] = [];
  for (const stretch of divide(spelledOut(text)).slice(0, PARTS_MAX)) {
    const layers: Layer[] = [];
    for (const { words: clause, behind } of stretch) {
      // "Ignition and hum": the same thing's.
      if (layers.length > 0 && clause.every((word) => MANNERS.has(word) || isPlain(word))) continue;
      const found = listen(clause, unknown, guessed);
      environment ??= found.environment;
      if (found.layer === null) continue;
      if (behind && (layers.length > 0 || parts.length > 0)) background.push(found.layer);
      // "Match strike and flame" is one fire.
      else if (found.layer.recipe.kind === "bed" && layers.some(({ recipe }) => recipe === found.layer!.recipe))
        continue;
      else if (layers.length < LAYERS_MAX) layers.push(found.layer);
    }
    if (layers.length > 0) parts.push(layers);
  }
  const kept = parts
    .map((layers) => (all_far ? layers.map((layer) => ({ ...layer, far: Math.max(layer.far, 1) })) : layers))
    .map((layers) => layers.filter(({ recipe }) => !recipe.name.split("_").some((word) => unwanted.has(word))))
    .filter((layers) => layers.length > 0);
  if (kept.length === 0 && background.length > 0) kept.push([background.pop()!]);
  if (kept.length === 0) kept.push([guess(prompt, text, guessed)]);
  return {
    parts: kept,
    background: background.slice(0, 2),
    environment,
    pan,
    seconds,
    unwanted: denied,
    unknown: [...new Set(unknown)].slice(0, 20),
    guessed,
  };
}

/** Sounds that lead to another: "riser into impact". */
const LEADS: ReadonlySet<string> = new Set(["riser", "whoosh", "downer", "drum_roll", "tension", "warp", "rewind"]);

function led(stretch: string): string[] {
  const [, before, after] =
    /^(.*?) (?:into|leading (?:in)?to|ending (?:in|with)|building to) (.*)$/u.exec(stretch) ?? [];
  if (before === undefined || after === undefined) return [stretch];
  const [one, other] = [match(tokens(before)), match(tokens(after))];
  return one !== null && other !== null && LEADS.has(one.recipe.name) ? [before, after] : [stretch];
}

interface Clause {
  readonly words: string[];
  readonly behind: boolean;
}

/** Sequence marks first, then commas (a sequence only where both sides name sounds), then what joins simultaneous sounds. */
function divide(text: string): Clause[][] {
  const out: Clause[][] = [];
  for (const stretch of text.split(SEQUENCE).flatMap(led)) {
    const pieces = stretch.split(/[,،、，]/u).filter((piece) => tokens(piece).length > 0);
    const groups: string[][] = [];
    for (const piece of pieces) {
      const last = groups.at(-1);
      // "A button click, soft, plastic": how the sound before is.
      const names = match(tokens(piece)) !== null && !(last !== undefined && tokens(piece).every(isQuality));
      const joined =
        last !== undefined &&
        (!names || match(tokens(last.join(" "))) === null || BACKGROUND.test(piece) || continues(last, piece));
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
        const words = tokens(piece.replace(BACKGROUND, " "));
        if (words.length === 0) continue;
        const behind = around || BACKGROUND.test(piece) || (BACKGROUND.test(from) && piece === from);
        const last = named.at(-1);
        // "loud and heavy rain" is one sound, "glass and metal hits" two.
        if (last !== undefined && match(last.words) === null) {
          named[named.length - 1] = { words: [...last.words, ...words], behind: behind || last.behind };
        } else if (last !== undefined && match(words) === null) {
          named[named.length - 1] = { words: [...last.words, ...words], behind: behind || last.behind };
        } else named.push({ words, behind });
      }
      if (named.length > 0) out.push(named);
    }
  }
  return out;
}

/** "Footsteps, five steps", "laser gun, pew pew pew": the second says how often the first is heard. */
function continues(last: readonly string[], piece: string): boolean {
  const words = tokens(piece);
  const before = tokens(last.join(" "));
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

function listen(given: readonly string[], unknown: string[], guessed: Record<string, string>): Heard {
  let words = given;
  let found = match(words);
  if (found === null) {
    // A misspelt name, before anything is given up.
    words = given.map((word) => {
      if (isPlain(word)) return word;
      const near = nearest(word);
      if (!isMisspelt(word, near)) return word;
      guessed[word] = near.word;
      return near.word;
    });
    found = match(words);
  }
  let size = 0;
  let intensity = 0.5;
  let speed = 1;
  let pitch = 1;
  let bright = 0;
  let far = 0;
  let wet = 0;
  let material: Material | null = null;
  let environment: Environment | null = null;
  // Of two misspelt words that stand for one name none is said over again.
  let count: number | null = repeated(given, found?.places ?? []);
  let vague = false;
  let motion: Layer["motion"] = null;
  words.forEach((word, place) => {
    const spelt = forms(word);
    const of = <Value>(table: ReadonlyMap<string, Value>): Value | undefined => {
      for (const form of spelt) if (table.has(form)) return table.get(form);
      return undefined;
    };
    const named = found?.places.includes(place) === true;
    const shade = of(SHADES);
    const number = numberOf(word, words, place, found?.places ?? []);
    // "Tiny" is not of tin.
    const stuff = SHADES.has(word) ? MATERIALS.get(word) : of(MATERIALS);
    const room = named ? undefined : of(ENVIRONMENTS);
    if (shade !== undefined) {
      size += shade.size ?? 0;
      intensity += shade.intensity ?? 0;
      speed *= shade.speed ?? 1;
      pitch *= shade.pitch ?? 1;
      bright += shade.bright ?? 0;
      far = Math.max(far, shade.far ?? 0) + Math.min(0, shade.far ?? 0);
    }
    if (stuff !== undefined && (material === null || vague || !MOSTLY.has(word))) {
      // The first counts: a bottle that breaks on stone is of glass.
      if (material === null || (vague && !MOSTLY.has(word))) material = stuff;
      vague = MOSTLY.has(word);
    }
    if (word === "nearer" || word === "away") motion = word;
    if (room !== undefined) environment = room;
    if (number !== null) count = number;
    if (word === "wet" || word === "nass" || word === "mouille" || word === "mojado" || word === "bagnato") wet = 1;
    if (
      shade === undefined &&
      stuff === undefined &&
      room === undefined &&
      number === null &&
      !named &&
      !isPlain(word) &&
      !knows(word) &&
      wet === 0
    )
      unknown.push(word);
  });
  if (found === null) return { layer: null, environment };
  // What nothing is known about still steers a little, always the same way.
  const strange = words.filter(
    (word) => !isPlain(word) && !knows(word) && !forms(word).some((form) => SHADES.has(form)),
  );
  const turn = strange.length === 0 ? 0 : hash32(hashOf(strange.join(" ")), 1) / 2 ** 32 - 0.5;
  return {
    environment,
    layer: {
      recipe: found.recipe,
      count,
      far: clamp(far, 0, 1),
      motion,
      traits: {
        size: clamp(size, -1, 1),
        intensity: clamp(intensity, 0, 1),
        speed: clamp(speed, 0.4, 2.5),
        pitch: clamp(pitch * (1 + 0.12 * turn), 0.3, 3),
        bright: clamp(bright + 0.2 * turn, -1, 1),
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

/** Nothing was named: a material is struck, else the nearest name by spelling; the whole text turns the traits. */
function guess(prompt: string, text: string, guessed: Record<string, string>): Layer {
  const words = tokens(text);
  const stuff = words.flatMap(forms).find((word) => MATERIALS.has(word));
  const seed = hashOf(prompt);
  const unit = (index: number): number => hash32(seed, index) / 2 ** 32;
  const named = stuff === undefined ? nearestOf(words, seed) : { recipe: match(["impact"])!.recipe, word: stuff };
  guessed[words.slice(0, 4).join(" ").slice(0, 60) || [...prompt].slice(0, 8).join("")] = named.word;
  const said = listen([named.recipe.name, ...words], [], {}).layer;
  return {
    recipe: named.recipe,
    count: null,
    far: said?.far ?? 0,
    motion: said?.motion ?? null,
    traits: {
      size: clamp((said?.traits.size ?? 0) + 0.8 * (unit(1) - 0.5), -1, 1),
      intensity: clamp((said?.traits.intensity ?? 0.5) + 0.4 * (unit(2) - 0.5), 0, 1),
      speed: 0.8 + 0.5 * unit(3),
      pitch: 0.8 + 0.5 * unit(4),
      bright: clamp((said?.traits.bright ?? 0) + 0.8 * (unit(5) - 0.5), -1, 1),
      wet: 0,
      material: stuff === undefined ? null : (MATERIALS.get(stuff) ?? null),
    },
  };
}

function nearestOf(words: readonly string[], seed: number): { readonly recipe: Recipe; readonly word: string } {
  let best: ReturnType<typeof nearest> | null = null;
  for (const word of words) {
    if (FILLERS.has(word) || word.length < 2) continue;
    const near = nearest(word);
    if (best === null || near.likeness > best.likeness) best = near;
  }
  // Nothing alike (another script, symbols only): one of the sounds that stand for anything, by hash.
  if (best === null || best.likeness < 0.12) {
    const any = ["whoosh", "impact", "shimmer", "drone", "blip", "boom"];
    for (let n = 0; n < any.length; n++) {
      const found = match([any[(hash32(seed, 9) + n) % any.length]!]);
      if (found !== null) return { recipe: found.recipe, word: found.recipe.name };
    }
  }
  return best ?? { recipe: match(["whoosh"])!.recipe, word: "whoosh" };
}

/** "2 second", "1.5s", "500 ms", "half a minute", "zwei Sekunden": taken out of the text. */
function spokenSeconds(text: string): { rest: string; seconds: number | null } {
  const unit =
    "(ms|milliseconds?|millisekunden?|s|secs?|seconds?|sek|sekunden?|sekunde|secondes?|segundos?|secondi|secondo|min|minutes?|minuten?|minutos?|minuti|minuto)";
  const spelt = [...NUMBERS.keys(), ...ARTICLES, "half", "halbe", "demi", "medio", "mezzo"].sort(
    (one, other) => other.length - one.length,
  );
  const pattern = new RegExp(
    `(?<![\\p{L}\\d])(?:(\\d+(?:[.,]\\d+)?)|(${spelt.join("|")})(?: a| an| eine)?)[ -]?${unit}(?![\\p{L}])(?: long| lang)?`,
    "u",
  );
  const found = pattern.exec(text);
  if (found === null) return { rest: text, seconds: null };
  const [whole, digits, word = "", name = ""] = found;
  const half = /^(half|halbe|demi|medio|mezzo)/u.test(word);
  const value = digits === undefined ? (half ? 0.5 : (NUMBERS.get(word) ?? 1)) : Number(digits.replace(",", "."));
  const factor = /^(ms|milli)/u.test(name) ? 0.001 : name.startsWith("min") ? 60 : 1;
  return { rest: text.replace(whole, " "), seconds: value * factor };
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 16777619);
  return hash >>> 0;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
