/** Hears one clause after another, and remembers what is said of all of them. */
import { isWord } from "../../language/meaning/mod.ts";
import { type Ask, kindOf, listIn, wordsOf } from "../../language/mod.ts";
import { derived, packs } from "../../packs/mod.ts";
import { exp2 } from "../../signal/dsp/exact.ts";
import { clamp } from "../../signal/dsp/numbers.ts";
import type { Environment, Layer, Pan } from "../brief.ts";
import type { Material } from "../voice.ts";
import { countOf, LIVING } from "./count.ts";
import type { Clause } from "./divide.ts";
import type { Said } from "./exact.ts";
import { ExactWords } from "./exact_words.ts";
import { conceptsOfWord, recipeNamed, recipeOf, THINGS, type Thing } from "./lexicon.ts";
import { isLedBy, type Match, match, type Unit, unitsOf } from "./match.ts";
import { isNoun, isNounAt, meantBy, thingMeant } from "./meaning.ts";
import { has } from "./pieces.ts";
import { conceptsOf, motionOf, SHADES, shadesOf } from "./shades.ts";

/** What is hardly a name is nobody. */
const NOUN_SCORE_MIN = 0.7;
/**
 * What animals are said to do that sounds otherwise of others: a kookaburra laughs like no man, a seal barks like no
 * dog, a heron starts like no plane.
 */
const VOICES: ReadonlySet<string> = new Set([
  ..."laugh scream choir whistling whisper cry robot crowd alarm jet car_pass conveyor".split(" "),
  ..."dog birds crow monster ghost moan cat frog saw".split(" "),
]);
/** A wrench that is dropped on concrete is of metal. */
const MOVES_THINGS: ReadonlySet<string> = new Set(["drop", "rolling_ball", "scrape", "impact"]);
const TREADS: ReadonlySet<string> = new Set(["footsteps"]);
/** Of these groups are sounds that differ by what the thing is of. */
const TELLS_MATERIAL: ReadonlySet<string> = new Set(["impact", "break", "object", "door"]);
/** What these are of, things say better than they. */
const STRUCK: ReadonlySet<string> = new Set(["impact", "break"]);
/** Where no recipe has a place of that name. */
const PLACES: Readonly<Record<string, Environment>> = {
  ...{ forest: "outdoors", reverb: "church", echo: "canyon", spring_reverb: "hall", lo_fi: "radio", studio: "dry" },
};

/** What every large place does. */
const RINGING: ReadonlySet<string> = new Set(["reverb", "echo"]);

function isPlace(name: string): boolean {
  return !(name in SHADES);
}

const COMPARATIVES: Readonly<Record<string, string>> = {
  ...{ loud: "louder", soft: "softer", near: "nearer", far: "farther", fast: "faster", slow: "slower" },
};

export class Ear {
  readonly guessed: Record<string, string> = {};
  readonly unknown = new Set<string>();
  environment: Environment | null = null;
  place: string | null = null;
  pan: Pan | null = null;
  readonly exact: ExactWords;
  readonly #ask: Ask;
  /** The dictionary of meanings is of English alone. */
  readonly #english: boolean;
  readonly #denied: ReadonlySet<string>;
  readonly #apart: boolean;

  constructor(ask: Ask, said: readonly Said[]) {
    this.#ask = ask;
    this.exact = new ExactWords(said, ask);
    this.#english = (ask.languages[0] ?? "en") === "en" && isMostlyEnglish(ask);
    const denied = ask.mentions.filter(({ polarity }) => polarity === "unwanted");
    this.#denied = new Set(denied.flatMap((mention) => match(unitsOf(mention, ask.text))?.recipe.name ?? []));
    const pans = pansIn(ask.mentions);
    // "A wolf on the left, an owl on the right": each has its own.
    this.#apart = new Set(pans).size > 1;
    this.pan = this.#apart ? null : (pans[0] ?? null);
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
      else if (taken === "meaning" && !endsInName(unit, found!))
        this.guessed[this.#ask.text.slice(unit.from, unit.to)] = found!.recipe.name;
      const is_said = found?.places.includes(place) === true || actor?.places.includes(place) === true;
      if (is_said || !isStrange(units[place]!) || layer?.said === unit.word) continue;
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
      const strange = alone === null && this.#english && isStrange(units[place]!);
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
    const told = this.exact.sound();
    const name = told ?? (stuff ? "impact" : "whoosh");
    const words = wanted.slice(0, 4).map(({ word }) => word);
    if (told === null || words.length > 0)
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

  #layer({ units, than }: Clause, { recipe: named, places }: Match): Layer {
    const exact = this.exact.of(units, named);
    const { recipe, rhythm } = exact;
    let { size = 0, speed = 1, pitch = 1, bright = 0 } = recipe.traits ?? {};
    let [intensity, far, wet, level_db, length] = [0.5, 0, 0, 0, 1];
    let material: Material | null = null;
    let vague = false;
    const manner = new Set<string>();
    for (const [place, unit] of units.entries()) {
      const begins = unit.mention === null || unit.mention !== units[place - 1]?.mention;
      for (const name of begins ? shadesOf(unit, recipe.name) : []) {
        const shade = SHADES[name]!;
        if (shade.length !== undefined && !this.#isOfSound(units, place, places)) continue;
        length *= shade.length ?? 1;
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
      // "Slams in a stone corridor": that is of stone.
      const of_place = TELLS_MATERIAL.has(recipe.group) && isOfPlace(units, place);
      // The first counts: a bottle that breaks on stone is of glass.
      const below = units.slice(1, place + 1).some((one) => isLedBy(one, "on"));
      const only_below = material !== null && MOVES_THINGS.has(recipe.made_as ?? recipe.name) && below;
      // "Leather boots on marble": the ground is heard.
      const trodden = TREADS.has(recipe.made_as ?? recipe.name) && isLedBy(unit, "on");
      if (stuff !== undefined && !only_below && !of_place && (material === null || trodden || (vague && !is_vague))) {
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
    for (const words of exact.manner) manner.add(words);
    return {
      ...{ recipe, level_db, every, rhythm, length, manner: [...manner] },
      ...motionOf(units, { motion: null, hurry: 0 }),
      pan: this.#apart ? (pansIn(units)[0] ?? null) : null,
      count: recipe.kind === "bed" ? null : (rhythm?.at.length ?? countOf(units, places, recipe)),
      far: clamp(far, 0, 1),
      said: this.#wordsOf(units, places),
      traits: {
        size: clamp(size, -1, 1),
        intensity: clamp(intensity, 0, 1),
        speed: clamp(speed, 0.4, 2.5),
        pitch: exact.pitch === null ? clamp(pitch, 0.3, 3) : exact.pitch * exp2(clamp(size, -1, 1)),
        glide: exact.glide,
        bright: clamp(bright, -1, 1),
        wet,
        material:
          wet === 1 && material === null && (recipe.made_as ?? recipe.name) === "footsteps"
            ? "water"
            : (material ?? own),
      },
    };
  }

  /** A long corridor makes no long steps, nor does a short film: what stands right behind is long, or else the sound. */
  #isOfSound(units: readonly Unit[], place: number, places: readonly number[]): boolean {
    const { to } = units[place]!;
    const [behind] = /^ \p{L}+/u.exec(this.#ask.text.slice(to)) ?? [];
    if (behind === undefined) return true;
    const unitAt = (place: number): number => units.findIndex(({ from }) => from === place);
    const next = unitAt(to + 1);
    if (next === -1 && smallWords().has(behind.slice(1).toLowerCase())) return true;
    // "A short punchy click": what stands between, one word that says nothing among it, leads to the sound.
    for (let at = next === -1 ? unitAt(to + behind.length + 1) : next; at !== -1; at = unitAt(units[at]!.to + 1))
      if (places.includes(at) || has(units[at]!, "sound:tone")) return true;
    return next !== -1 && isManner(units[next]!) && this.#isOfSound(units, next, places);
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
      isStrange(units[place]!) &&
      isNounAt(units, place);
    return strange || (named && unit.word in this.guessed) ? thingMeant(unit.word) : undefined;
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
    const some = units.filter((one) => one.polarity === "wanted" && conceptsOf(one, "place").some(isPlace));
    // "Long corridor reverb": where, rather than that it rings.
    const unit = some.findLast((one) => !conceptsOf(one, "place").some((name) => RINGING.has(name))) ?? some.at(-1);
    if (unit === undefined || this.environment !== null) return;
    const name = conceptsOf(unit, "place").find(isPlace)!;
    this.environment = PLACES[name] ?? (name as Environment);
    const mention = unit.mention!;
    // A stadium rings as a canyon does, and is called what it was called.
    const phrase = this.#english ? mention.phrase : this.#ask.text.slice(mention.from, mention.to).toLowerCase();
    this.place = phrase.includes(this.environment) ? phrase : `${phrase} (${this.environment})`;
  }
}

const smallWords = derived(() => {
  const lists = [...packs("words").values()].flatMap(({ grammar = {} }) =>
    SMALL.flatMap((list) => listIn(grammar[list])),
  );
  return new Set(lists);
});
const SMALL = ["small_words", "and", "or", "with", "but", "at", "on", "then", "after", "while"];

function isManner({ concepts }: Unit): boolean {
  return concepts.length > 0 && concepts.every((one) => MANNERS.has(kindOf(one)));
}

const MANNERS: ReadonlySet<string> = new Set(["quality", "dynamics", "distance", "material"]);

function pansIn(said: readonly Pick<Unit, "concepts" | "polarity">[]): Pan[] {
  return said.flatMap(({ concepts, polarity }) =>
    concepts.flatMap((concept) =>
      kindOf(concept) === "direction" && polarity === "wanted"
        ? [concept.slice("direction:".length).replaceAll("_", " ") as Pan]
        : [],
    ),
  );
}

/** "In a stone corridor": of which stuff the place is; one that is walked or fallen on is there to be heard. */
function isOfPlace(units: readonly Unit[], place: number): boolean {
  const [unit, next] = [units[place]!, units[place + 1]];
  if (next === undefined || next.clause !== unit.clause || isLedBy(unit, "on", "into")) return false;
  return conceptsOf(unit, "material").length > 0 && conceptsOf(next, "place").some(isPlace);
}

/** Whether the dictionary has what our names have not: "pies szczeka" is no English, though "pies" is. */
function isMostlyEnglish({ text, unknown }: Ask): boolean {
  const foreign = unknown.filter(({ word }) => !isWord(word)).length;
  return foreign === 0 || foreign < FOREIGN_SHARE * wordsOf(text).length;
}

const FOREIGN_SHARE = 0.4;

/** An "electric drill" is a drill, and no guess. */
function endsInName({ written }: Unit, { recipe }: Match): boolean {
  return conceptsOfWord(written.split(" ").at(-1)!).includes(`sound:${recipe.name}`);
}

/** Whether a word neither names a sound nor says how it is. */
function isStrange({ mention }: Unit): boolean {
  return mention === null || mention.concepts.every((concept) => kindOf(concept) === "word");
}

function strangeIn(units: readonly Unit[]): readonly number[] {
  return units.flatMap((unit, place) => (isStrange(unit) ? [place] : []));
}
