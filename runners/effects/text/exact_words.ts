/** Which sound a rhythm or a frequency is said of, and how that is then made. */
import { type Ask, kindOf } from "../../language/mod.ts";
import type { Rhythm } from "../brief.ts";
import type { Recipe } from "../recipe.ts";
import type { Said } from "./exact.ts";
import { recipeOf } from "./lexicon.ts";
import type { Unit } from "./match.ts";
import { SOUNDING } from "./pieces.ts";

interface Exact {
  readonly recipe: Recipe;
  readonly rhythm: Rhythm | null;
  /** Factor; null where no frequency is said. */
  readonly pitch: number | null;
  readonly glide: number;
  readonly manner: readonly string[];
}

/** The sound on that frequency, or one that is known by it; null where it has none. */
function tonedTo(
  named: Recipe,
  [from, to]: readonly [number, number],
): Pick<Exact, "recipe" | "pitch" | "glide"> | null {
  const meant = named.pitched_as === undefined ? named : recipeOf(named.pitched_as);
  const glides = from !== to && meant.steady !== true;
  const recipe = glides ? recipeOf("tone") : meant;
  return recipe.rings_at === undefined ? null : { recipe, pitch: from / recipe.rings_at, glide: to / from };
}

export class ExactWords {
  /** What is said in so many words, by where its sound stands. */
  readonly #said: ReadonlyMap<Said, number | null>;
  readonly #heard = new Set<Said>();

  constructor(said: readonly Said[], ask: Ask) {
    this.#said = new Map(said.map((one) => [one, soundOf(one, ask)]));
  }

  /** The sound that is meant by them where none is named; null where nothing is said. */
  sound(): string | null {
    const all = [...this.#said.keys()];
    return all.some(({ hertz }) => hertz !== null) ? "tone" : all.length > 0 ? "beep" : null;
  }

  /** What of it nothing was made of. */
  unheard(): string[] {
    return [...this.#said.keys()].filter((one) => !this.#heard.has(one)).map(({ words }) => words);
  }

  /** The sound that is meant where a frequency is said, and how it is then made; its rhythm. */
  of(units: readonly Unit[], named: Recipe): Exact {
    let exact: Exact = { recipe: named, rhythm: null, pitch: null, glide: 1, manner: [] };
    for (const [said, at] of this.#said) {
      if (at !== null && !units.some(({ from }) => from === at)) continue;
      const { hertz, rhythm, words } = said;
      const made = hertz === null ? { recipe: exact.recipe } : tonedTo(exact.recipe, hertz);
      if (made === null || (rhythm !== null && exact.recipe.kind === "bed")) continue;
      this.#heard.add(said);
      if (rhythm !== null || hertz !== null)
        exact = { ...exact, ...made, manner: [...exact.manner, words.toLowerCase()] };
      if (rhythm !== null) exact = { ...exact, rhythm };
    }
    return exact;
  }
}

/** Where the sound stands of which it is said: right behind, else the last before; null where there is none. */
function soundOf({ from, to }: Said, { mentions, unknown, text }: Ask): number | null {
  const reads = [...mentions, ...unknown].sort((one, other) => one.from - other.from);
  const sounds = mentions.filter(({ concepts }) => concepts.some((one) => SOUNDING.has(kindOf(one))));
  const next = reads.find((one) => one.from >= to);
  const at_once = next !== undefined && text.slice(to, next.from).trim() === "";
  const before = sounds.findLast((one) => one.to <= from);
  const after = sounds.find((one) => one.from >= to);
  const of = at_once && after?.clause === next.clause ? after : (before ?? after ?? reads[0]);
  return of?.from ?? null;
}
