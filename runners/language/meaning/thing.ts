/**
 * What a thing without a sound of its own is made of: so that its sound is built from material, size and kind, not from
 * a name that looks alike.
 */
import { conceptsAt } from "./anchors.ts";
import { ABSTRACT, type Known, nearest, startsOf } from "./meaning.ts";
import { readingsOf } from "./readings.ts";
import table from "./things.json" with { type: "json" };
import { type Synset, synsetOf } from "./wordnet.ts";

export interface Thing {
  /** Kind of thing: "container", "bird", "machine"; the names in `things.json`. */
  readonly class: string;
  /** The way there, in words: ["samovar", "urn", "container"]. */
  readonly via: readonly string[];
  /** As in `material:<name>`; null where nothing tells. */
  readonly material: string | null;
  /** -1 tiny to 1 huge; 0 where nothing tells. */
  readonly size: number;
  /** It has a motor, or runs on current. */
  readonly powered: boolean;
}

export function thingOf(words: string): Thing | undefined {
  const starts = startsOf(readingsOf(words, ["noun"]), {}).map((start) => ({
    ...start,
    cost: start.cost + (ABSTRACT.has(synsetOf(start.id).field) ? 1 : 0),
  }));
  // Every sense has a class somewhere above it: the likeliest sense counts, not the one that is nearest to a class.
  const found = nearest(starts, classAt, 0.01);
  if (found === undefined) return undefined;
  const name = found.concept.slice(CLASS.length);
  const usual = CLASSES[name] ?? {};
  // Definitions of the thing and of what it is, as far up as its class: the first that tells counts.
  const definitions = found.path.map((id) => synsetOf(id).definition.toLowerCase());
  const said = definitions.map(beforePurpose);
  return {
    class: name,
    via: found.via,
    material: first(said, materialIn) ?? usual.material ?? null,
    // What is said of its kind says nothing of it: fowls are heavy-bodied birds, and a hen is not.
    size: sizeIn(said[0]!) ?? usual.size ?? 0,
    powered: usual.powered ?? definitions.slice(0, -1).some((definition) => POWERED.test(definition)),
  };
}

const CLASS = "class:";
const CLASSES: Readonly<Record<string, { material?: string; size?: number; powered?: boolean }>> = table.classes;
const MATERIALS = new Map(
  Object.entries(table.materials).flatMap(([name, words]) => words.map((word) => [word, name])),
);
const SIZES = new Map(table.sizes.flatMap(({ size, words }) => words.map((word) => [word, size])));
const POWERED = /\b(?:motors?|engines?|electric|electrically|electronic|self-propelled|gasoline|battery)\b/u;

function classAt(synset: Synset): Known | undefined {
  const concept = conceptsAt(synset).find((some) => some.startsWith(CLASS));
  return concept === undefined ? undefined : { concept, lemma: synset.lemmas[0]!, cost: 0 };
}

/** "A metal urn with a spigot": what comes after tells of other things, as in "a hammer for breaking stones". */
function beforePurpose(definition: string): string {
  return definition.split(/\b(?:for|used|to|that|which|who|where|in which|such as|with)\b|;/u, 1)[0]!;
}

function materialIn(text: string): string | undefined {
  return first(text.split(/[^a-z]+/u), (word) => MATERIALS.get(word));
}

function sizeIn(text: string): number | undefined {
  return first(text.split(/[^a-z]+/u), (word) => SIZES.get(word));
}

function first<From, To>(list: readonly From[], find: (one: From) => To | undefined): To | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
