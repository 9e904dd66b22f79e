/** A prompt to what is to be heard. Never fails, never empty. */

import { isWord } from "../../language/meaning/mod.ts";
import { type Ask, readAsk, wordsOf } from "../../language/mod.ts";
import type { Brief, Environment, Layer, Motion, Pan, Pause } from "../brief.ts";
import type { Material } from "../voice.ts";
import { type Clause, divide, silenceAfter, timesSaid } from "./divide.ts";
import { effectLexicon, kindOf, recipeNamed, recipeOf, THINGS, type Thing } from "./lexicon.ts";
import { isLedBy, type Match, match, type Unit, unitsOf } from "./match.ts";
import { isNoun, isNounAt, meantBy, thingMeant } from "./meaning.ts";
import shades from "./shades.json" with { type: "json" };

/** A change of one trait; size, intensity and bright add up, the others multiply. */
interface Shade {
  readonly size?: number;
  readonly intensity?: number;
  readonly speed?: number;
  readonly pitch?: number;
  readonly bright?: number;
  /** 0 near to 1 far away. */
  readonly far?: number;
  /** How much louder than other sounds beside it. */
  readonly level_db?: number;
  /** Name of the contrary. */
  readonly opposite: string;
}

const SHADES: Readonly<Record<string, Shade>> = shades;
const LAYERS_MAX = 4;
const PARTS_MAX = 8;
const BACKGROUND_MAX = 2;
const EVENTS_MAX = 60;
const UNKNOWN_MAX = 20;
/** How far away is what is farther than what is near. */
const FARTHER = 0.6;

export function understand(prompt: string): Brief {
  const ask = readAsk(prompt, effectLexicon());
  const ear = new Ear(ask);
  const parts: (readonly Layer[])[] = [];
  const pauses: (Pause | null)[] = [];
  const background: Layer[] = [];
  let pause: Pause | null = null;
  for (const stretch of divide(ask, (units) => ear.means(units)).slice(0, PARTS_MAX)) {
    const layers: Layer[] = [];
    pause = stretch.pause ?? pause;
    for (const clause of stretch.clauses) {
      // "Ignition and hum": the same thing's.
      const last = layers.at(-1);
      if (last !== undefined && clause.units.every((unit) => isSaidOfBefore(unit))) {
        layers[layers.length - 1] = { ...last, ...motionOf(clause.units, last) };
        continue;
      }
      const heard = ear.listen(clause);
      const before = parts.at(-1);
      // "Ticking slowly, then going mad": how the sound before goes on.
      if (heard === null && layers.length === 0 && before !== undefined)
        parts[parts.length - 1] = before.map((layer) => ({ ...layer, ...motionOf(clause.units, layer) }));
      if (heard === null) continue;
      const layer = clause.farther ? { ...heard, far: Math.max(heard.far, FARTHER) } : heard;
      if (clause.behind) background.push(layer);
      // "Match strike and flame" is one fire.
      else if (layer.recipe.kind === "bed" && layers.some(({ recipe }) => recipe === layer.recipe)) continue;
      else if (layers.length < LAYERS_MAX) layers.push(layer);
    }
    const kept = ear.withoutDenied(layers);
    if (kept.length === 0) continue;
    parts.push(kept);
    pauses.push(pause);
    pause = null;
  }
  if (parts.length === 0) {
    parts.push([background.pop() ?? ear.guess()]);
    pauses.push(pause);
    pause = null;
  }
  // "Wind for four seconds, then" is the wind's.
  const length = ask.times.find(({ how, from }) => how === "length" && !isOfPart(ask, from));
  return {
    parts: isFarAltogether(ask) ? parts.map((layers) => layers.map((layer) => ({ ...layer, far: 1 }))) : parts,
    ...{ pauses, silence_after: silenceAfter(ask) + (pause?.seconds ?? 0) },
    background: background.slice(0, BACKGROUND_MAX),
    ...{ environment: ear.environment, place: ear.place, pan: ear.pan },
    seconds: length?.seconds ?? null,
    unwanted: unwantedIn(ask),
    unknown: [...ear.unknown].slice(0, UNKNOWN_MAX),
    guessed: ear.guessed,
  };
}

function isOfPart({ mentions }: Ask, at: number): boolean {
  const before = mentions.findLast(({ to }) => to <= at);
  return before !== undefined && mentions.some(({ from, part }) => from >= at && part > before.part);
}

function unwantedIn({ mentions, unknown }: Ask): string[] {
  const denied = [
    ...mentions.filter(
      ({ concepts }) => !concepts.every((concept) => concept.slice(concept.indexOf(":") + 1) in SHADES),
    ),
    ...unknown.map((one) => ({ ...one, phrase: one.word })),
  ].filter(({ polarity }) => polarity === "unwanted");
  return [
    ...new Set(denied.sort((one, other) => one.from - other.from).map(({ phrase }) => phrase.replaceAll("_", " "))),
  ];
}

/** Between commas it is said of all that is heard. */
function isFarAltogether({ mentions, unknown }: Ask): boolean {
  return mentions.some(
    (one, n) =>
      one.concepts.includes("distance:far") &&
      one.polarity === "wanted" &&
      n > 0 &&
      ![...mentions, ...unknown].some((other) => other !== one && other.clause === one.clause) &&
      !one.led_by.some(({ role }) => role === "number" || role === "again") &&
      mentions.every(({ part }) => part === one.part),
  );
}

/** "Ignition and hum": how something sounds, or how strongly. */
function isSaidOfBefore({ concepts }: Unit): boolean {
  const sounds = concepts.some((concept) => kindOf(concept) === "sound");
  return concepts.some((concept) => concept === "motion:sounding" || (!sounds && SAYS_HOW.has(kindOf(concept))));
}

const SAYS_HOW: ReadonlySet<string> = new Set(["quality", "dynamics", "distance", "material", "place"]);
/** What is hardly a name is nobody. */
const NOUN_SCORE_MIN = 0.7;
const LIVING: ReadonlySet<string> = new Set(["animal", "creature"]);
/** What animals are said to do that sounds otherwise of others: a kookaburra laughs like no man, a seal barks like no dog, a heron starts like no plane. */
const VOICES: ReadonlySet<string> = new Set([
  ..."laugh scream choir whistling whisper cry robot crowd alarm jet car_pass conveyor".split(" "),
  ..."dog birds crow monster ghost moan cat frog saw".split(" "),
]);
/** A wrench that is dropped on concrete is of metal. */
const MOVES_THINGS: ReadonlySet<string> = new Set(["drop", "rolling_ball", "scrape", "impact"]);
/** Of these groups are sounds that differ by what the thing is of. */
const TELLS_MATERIAL: ReadonlySet<string> = new Set(["impact", "break", "object", "door"]);
/** What these are of, things say better than they. */
const STRUCK: ReadonlySet<string> = new Set(["impact", "break"]);
/** Where no recipe has a place of that name. */
const PLACES: Readonly<Record<string, Environment>> = {
  ...{ forest: "outdoors", reverb: "church", echo: "canyon", spring_reverb: "hall", lo_fi: "radio", studio: "dry" },
};

function isPlace(name: string): boolean {
  return !(name in SHADES);
}

const COMPARATIVES: Readonly<Record<string, string>> = {
  ...{ loud: "louder", soft: "softer", near: "nearer", far: "farther", fast: "faster", slow: "slower" },
};
const HURRY: Readonly<Record<string, number>> = { hurrying: 1, slowing: -1 };
const MOTIONS: ReadonlySet<string> = new Set("nearer away passing rising descending swelling fading".split(" "));

/** Hears one clause after another, and remembers what is said of all of them. */
class Ear {
  readonly guessed: Record<string, string> = {};
  readonly unknown = new Set<string>();
  environment: Environment | null = null;
  place: string | null = null;
  pan: Pan | null = null;
  readonly #ask: Ask;
  /** The dictionary of meanings is of English alone. */
  readonly #english: boolean;
  readonly #denied: ReadonlySet<string>;

  constructor(ask: Ask) {
    this.#ask = ask;
    this.#english = (ask.languages[0] ?? "en") === "en" && isMostlyEnglish(ask);
    const denied = ask.mentions.filter(({ polarity }) => polarity === "unwanted");
    this.#denied = new Set(denied.flatMap((mention) => match(unitsOf(mention, ask.text))?.recipe.name ?? []));
    for (const { concepts, polarity } of ask.mentions)
      for (const concept of concepts)
        if (kindOf(concept) === "direction" && polarity === "wanted")
          this.pan ??= concept.slice("direction:".length).replaceAll("_", " ") as Pan;
  }

  means(units: readonly Unit[]): boolean {
    return this.#english && meantBy(units, strangeIn(units)) !== null;
  }

  /** What a clause sounds like; null where it names nothing. */
  listen(clause: Clause): Layer | null {
    const { units } = clause;
    const named = match(units) ?? this.#meant(units) ?? this.#built(units);
    const actor = named === null ? null : this.#actorOf(units, named);
    const found = actor !== null && VOICES.has(named!.recipe.name) ? actor : named;
    const heard = found === null ? null : this.#layer(clause, found);
    const whose =
      actor === null || actor === found
        ? null
        : { ...heard!, said: this.#wordsOf(units, [...actor.places, ...found!.places]) };
    const layer = whose ?? heard;
    for (const [place, unit] of units.entries()) {
      const taken = found?.places.includes(place) === true ? unit.mention?.guessed : null;
      if (taken === "spelling") this.guessed[this.#ask.text.slice(unit.from, unit.to)] = unit.word;
      else if (taken === "meaning") this.guessed[this.#ask.text.slice(unit.from, unit.to)] = found!.recipe.name;
      const is_said = found?.places.includes(place) === true || actor?.places.includes(place) === true;
      if (is_said || !this.#isStrange(units, place) || layer?.said === unit.word) continue;
      const written = this.#ask.text.slice(unit.from, unit.to).toLowerCase();
      // "A dachshund yapping": who makes the sound that was named.
      const meant = this.#english ? meantBy(units, [place]) : null;
      if (meant !== null && meant.recipe === found?.recipe) this.guessed[written] = meant.recipe.name;
      else this.unknown.add(written);
    }
    this.#stand(units);
    return layer;
  }

  /** "A kookaburra laughing", "a heron taking off": the animal that does what was named. */
  #actorOf(units: readonly Unit[], named: Match): Match | null {
    for (const place of units.keys()) {
      const [unit, does] = [units[place]!, units[place + 1]];
      if (does === undefined || named.places.includes(place) || !named.places.includes(place + 1)) continue;
      if (!does.written.split(" ")[0]!.endsWith("ing") || unit.clause !== does.clause || unit.polarity !== "wanted")
        continue;
      const alone = match([unit]);
      const is_plain = alone !== null && alone.score >= NOUN_SCORE_MIN;
      const strange = alone === null && this.#english && this.#isStrange(units, place);
      const meant = strange
        ? (meantBy(units, [place])?.recipe ?? recipeNamed(thingMeant(unit.word)?.sound ?? ""))
        : null;
      const recipe = is_plain ? alone.recipe : meant;
      if (recipe == null || recipe === named.recipe || !LIVING.has(recipe.group)) continue;
      if (meant != null && VOICES.has(named.recipe.name)) this.guessed[unit.written] = recipe.name;
      return { recipe, score: 1, places: [place] };
    }
    return null;
  }

  /** "A storm without thunder" is what else a storm is made of. */
  withoutDenied(layers: readonly Layer[]): readonly Layer[] {
    return layers.flatMap((layer) => {
      const { contains = [] } = layer.recipe;
      if (!contains.some((name) => this.#denied.has(name))) return [layer];
      return contains.filter((name) => !this.#denied.has(name)).map((name) => ({ ...layer, recipe: recipeOf(name) }));
    });
  }

  /** Nothing that is known was named: a material is struck, else air moves. What it is to sound like is said all the same. */
  guess(): Layer {
    const { mentions, unknown, text } = this.#ask;
    const units = [...mentions, ...unknown]
      .sort((one, other) => one.from - other.from)
      .flatMap((read) => unitsOf(read, text));
    const wanted = units.filter(({ polarity }) => polarity !== "unwanted");
    const stuff = wanted.some((unit) => conceptsOf(unit, "material").length > 0);
    const name = stuff ? "impact" : "whoosh";
    const words = wanted.slice(0, 4).map(({ word }) => word);
    this.guessed[words.join(" ").slice(0, 60) || [...text].slice(0, 8).join("")] = name;
    const clause = { units: wanted, behind: false, than: null, farther: false };
    return this.#layer(clause, { recipe: recipeOf(name), score: 0, places: [] });
  }

  /** By what the dictionary says. */
  #meant(units: readonly Unit[]): Match | null {
    const meant = this.#english ? meantBy(units, strangeIn(units)) : null;
    if (meant === null) return null;
    this.guessed[meant.word] = meant.recipe.name;
    return { recipe: meant.recipe, score: 1, places: [meant.place] };
  }

  /** By what it consists of. */
  #built(units: readonly Unit[]): Match | null {
    let found: Match | null = null;
    for (const place of this.#english ? strangeIn(units) : []) {
      const { word } = units[place]!;
      if (!isNounAt(units, place) && !isNoun(word)) continue;
      const { sound } = thingMeant(word) ?? {};
      if (sound === undefined) continue;
      found = { recipe: recipeOf(sound), score: 1, places: [place] };
      this.guessed[word] = sound;
    }
    return found;
  }

  #layer({ units, than }: Clause, { recipe, places }: Match): Layer {
    let { size = 0, speed = 1, pitch = 1, bright = 0 } = recipe.traits ?? {};
    let [intensity, far, wet, level_db] = [0.5, 0, 0, 0];
    let material: Material | null = null;
    let vague = false;
    const manner = new Set<string>();
    for (const [place, unit] of units.entries()) {
      const begins = unit.mention === null || unit.mention !== units[place - 1]?.mention;
      for (const name of begins ? shadesOf(unit, recipe.name) : []) {
        const shade = SHADES[name]!;
        size += shade.size ?? 0;
        intensity += shade.intensity ?? 0;
        speed *= shade.speed ?? 1;
        pitch *= shade.pitch ?? 1;
        bright += shade.bright ?? 0;
        far = Math.max(far, shade.far ?? 0) + Math.min(0, shade.far ?? 0);
        level_db += shade.level_db ?? 0;
        const said = unit.polarity === "wanted" ? unit.mention!.phrase : name;
        manner.add(than?.unit === unit ? `${COMPARATIVES[name] ?? name} than ${than.word}` : said);
      }
      const thing = this.#thingAt(units, place, recipe.group, places);
      size += thing?.size ?? 0;
      const [plain] = conceptsOf(unit, "material") as Material[];
      const stuff = unit.polarity === "unwanted" ? undefined : (plain ?? thing?.material);
      const is_vague = plain === undefined;
      // The first counts: a bottle that breaks on stone is of glass.
      const below = units.slice(1, place + 1).some((one) => isLedBy(one, "on"));
      const only_below = material !== null && MOVES_THINGS.has(recipe.made_as ?? recipe.name) && below;
      if (stuff !== undefined && !only_below && (material === null || (vague && !is_vague))) {
        material = stuff;
        vague = is_vague;
      }
      if (conceptsOf(unit, "quality").includes("wet") && unit.polarity === "wanted") wet = 1;
    }
    const own = (recipe.traits?.material ?? null) as Material | null;
    // A slinky on stairs stays of metal.
    if (own !== null && vague && !STRUCK.has(recipe.group)) material = own;
    // What goes on has no times.
    const said_every = this.#ask.times.find(({ how }) => how === "every")?.seconds ?? null;
    const every = recipe.kind === "bed" ? null : said_every;
    return {
      ...{ recipe, level_db, every, manner: [...manner] },
      ...motionOf(units, { motion: null, hurry: 0 }),
      count: recipe.kind === "bed" ? null : this.#countOf(units, places),
      far: clamp(far, 0, 1),
      said: this.#wordsOf(units, places),
      traits: {
        size: clamp(size, -1, 1),
        intensity: clamp(intensity, 0, 1),
        speed: clamp(speed, 0.4, 2.5),
        pitch: clamp(pitch, 0.3, 3),
        bright: clamp(bright, -1, 1),
        wet,
        material:
          wet === 1 && material === null && (recipe.made_as ?? recipe.name) === "footsteps"
            ? "water"
            : (material ?? own),
      },
    };
  }

  /** "Three knocks", "knock knock knock", "dog barks twice"; "a knock" is one, "a dog barking" says nothing of how often. */
  #countOf(units: readonly Unit[], places: readonly number[]): number | null {
    const counted = units.filter(
      (unit) => unit.count !== null && unit.concepts.some((concept) => COUNTED.has(kindOf(concept))),
    );
    const named = counted.filter((unit) => places.some((place) => units[place] === unit));
    const count = (named.at(-1) ?? counted[0])?.count ?? null;
    if (count !== null) return Math.min(EVENTS_MAX, count);
    const said = timesSaid(units, places);
    if (said > 1) return Math.min(EVENTS_MAX, said);
    const only = units[places[0] ?? -1];
    if (only === undefined || places.length > 1 || !isLedBy(only, "single")) return null;
    // "Un perro ladra": the dog, and what it does.
    const goes_on = units.some((unit) => unit !== only && unit.word === only.word && unit.mention !== only.mention);
    return goes_on || only.written.endsWith("ing") || only.written.endsWith("s") ? null : 1;
  }

  /** What is known of the thing at a place: of two words that one is called by, at the first. */
  #thingAt(units: readonly Unit[], place: number, group: string, places: readonly number[]): Thing | undefined {
    const unit = units[place]!;
    const [name] = conceptsOf(unit, "thing");
    // Of a thing of two words the second tells.
    if (name !== undefined)
      return unit.mention !== units[place + 1]?.mention ? THINGS.get(name.replaceAll("_", " ")) : undefined;
    if (!this.#english) return undefined;
    const named = places.includes(place);
    const strange =
      !named &&
      TELLS_MATERIAL.has(group) &&
      // "A hamster wheel" is a wheel.
      !places.includes(place + 1) &&
      this.#isStrange(units, place) &&
      isNounAt(units, place);
    return strange || (named && unit.word in this.guessed) ? thingMeant(unit.word) : undefined;
  }

  #isStrange(units: readonly Unit[], place: number): boolean {
    const { mention } = units[place]!;
    return mention === null || mention.concepts.every((concept) => kindOf(concept) === "word");
  }

  #wordsOf(units: readonly Unit[], places: readonly number[]): string {
    const said = new Map<number, string>();
    for (const place of places) {
      const { from, to } = units[place]!;
      said.set(from, this.#ask.text.slice(from, to).toLowerCase());
    }
    return [...said]
      .sort(([one], [other]) => one - other)
      .map(([, word]) => word)
      .join(" ");
  }

  /** The last place of the first clause that has one: "the neighbour's garden". */
  #stand(units: readonly Unit[]): void {
    const unit = units.findLast((one) => one.polarity === "wanted" && conceptsOf(one, "place").some(isPlace));
    if (unit === undefined || this.environment !== null) return;
    const name = conceptsOf(unit, "place").find(isPlace)!;
    this.environment = PLACES[name] ?? (name as Environment);
    const mention = unit.mention!;
    // A stadium rings as a canyon does, and is called what it was called.
    const phrase = this.#english ? mention.phrase : this.#ask.text.slice(mention.from, mention.to).toLowerCase();
    this.place = phrase.includes(this.environment) ? phrase : `${phrase} (${this.environment})`;
  }
}

const COUNTED: ReadonlySet<string> = new Set(["sound", "thing", "word", "person"]);

/** How a sound moves, and whether it gets faster, where nothing of it was said `before`. */
function motionOf(units: readonly Unit[], before: Pick<Layer, "motion" | "hurry">): Pick<Layer, "motion" | "hurry"> {
  let { motion, hurry } = before;
  for (const unit of units)
    for (const name of [...conceptsOf(unit, "motion"), ...courseOf(unit)]) {
      if (MOTIONS.has(name) && unit.polarity === "wanted") motion ??= name as Motion;
      hurry ||= HURRY[name] ?? 0;
    }
  return { motion, hurry };
}

/** "Crescendo" swells. */
function courseOf(unit: Unit): Motion[] {
  return conceptsOf(unit, "dynamics").flatMap((name) =>
    name === "rising" ? "swelling" : name === "falling" ? "fading" : [],
  );
}

function conceptsOf({ concepts }: Unit, kind: string): string[] {
  const own = concepts.filter((concept) => kindOf(concept) === kind);
  return own.map((concept) => concept.slice(kind.length + 1));
}

/** What is said to be otherwise is the contrary; little of a sound is a soft one. */
function shadesOf(unit: Unit, sound: string): string[] {
  const names = ["quality", "dynamics", "distance"].flatMap((kind) => conceptsOf(unit, kind));
  const known = [...new Set(names)].filter((name) => name in SHADES);
  if (unit.polarity === "wanted" || unit.polarity === "compared") return known;
  if (known.length > 0) return known.map((name) => SHADES[name]!.opposite);
  return unit.polarity !== "unwanted" && conceptsOf(unit, "sound").includes(sound) ? ["soft"] : [];
}

/** Whether the dictionary has what our names have not: "pies szczeka" is no English, though "pies" is. */
function isMostlyEnglish({ text, unknown }: Ask): boolean {
  const foreign = unknown.filter(({ word }) => !isWord(word)).length;
  return foreign === 0 || foreign < FOREIGN_SHARE * wordsOf(text).length;
}

const FOREIGN_SHARE = 0.4;

/** Places of words that neither name a sound nor say how it is. */
function strangeIn(units: readonly Unit[]): readonly number[] {
  return units.flatMap(({ mention }, place) => {
    const strange = mention === null || mention.concepts.every((concept) => kindOf(concept) === "word");
    return strange ? [place] : [];
  });
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
