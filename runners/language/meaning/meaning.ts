/** The known thing that an unknown word is nearest to by its meaning: up the hierarchy of WordNet, never by spelling. */
import { conceptsAt } from "./anchors.ts";
import { type Reading, readingsOf, WORD_CLASSES } from "./readings.ts";
import { type Pointer, type Sense, type Synset, synsetOf, type WordClass } from "./wordnet.ts";

export interface Meaning {
  /** `<kind>:<name>`, as in the word files: "sound:dog", "mood:calm". */
  readonly concept: string;
  /** The way there, in words: ["corgi", "dog"]. */
  readonly via: readonly string[];
  /** 0 for a synonym in its usual sense; a step up the hierarchy adds a half, one aside about 1. */
  readonly distance: number;
}

export interface MeaningOptions {
  /** Kinds of concepts that are of use ("sound", "instrument", "mood", ...); absent: all. */
  readonly kinds?: readonly string[];
  /** What the word is in its sentence, where that is known. */
  readonly word_class?: WordClass;
  /** Other words of the prompt: they decide which sense of an ambiguous word is meant. */
  readonly context?: readonly string[];
  /** What else is known, by lemma: words of packs. Of use where `anchors.json` knows nothing nearer. */
  readonly known?: (lemma: string, word_class: WordClass) => string | undefined;
}

/** What `words` (one thing: "corgi", "lawn mower") is nearest to; undefined where nothing known is near. */
export function meaningOf(words: string, options: MeaningOptions = {}): Meaning | undefined {
  const word_classes = options.word_class === undefined ? WORD_CLASSES : [options.word_class];
  const found = nearest(startsOf(readingsOf(words, word_classes), options), (synset, distance) =>
    conceptOf(synset, distance, options),
  );
  return found && { concept: found.concept, via: found.via, distance: found.distance };
}

/** Where a way begins, or has come to. */
export interface Place {
  /** Of the synset. */
  readonly id: string;
  readonly cost: number;
  readonly via: readonly string[];
  /** Synsets on the way, this one last. */
  readonly path: readonly string[];
}

export interface Known {
  readonly concept: string;
  /** The word of the synset that it is known by. */
  readonly lemma: string;
  /** What stands back behind others is known at a cost. */
  readonly cost: number;
}

/**
 * From each sense on along the cheapest pointers to the nearest synset of which `find` knows something (Dijkstra's
 * search). `step_scale`: what steps count beside the likelihood of senses.
 */
export function nearest(
  starts: readonly Place[],
  find: (synset: Synset, distance: number) => Known | undefined,
  step_scale = 1,
): (Meaning & Pick<Place, "path">) | undefined {
  const open = [...starts];
  const seen = new Set<string>();
  let best: (Meaning & Pick<Place, "path">) | undefined;
  while (open.length > 0) {
    const next = open.reduce((least, some) => (some.cost < least.cost ? some : least));
    open.splice(open.indexOf(next), 1);
    if (next.cost > DISTANCE_MAX || (best !== undefined && next.cost >= best.distance)) break;
    if (seen.has(next.id)) continue;
    seen.add(next.id);
    const synset = synsetOf(next.id);
    const found = find(synset, next.cost);
    if (found !== undefined && next.cost + found.cost < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      const { concept, lemma, cost } = found;
      best = { concept, via: withWord(next.via, lemma), path: next.path, distance: next.cost + cost };
    }
    const via = withWord(next.via, next.path.length === 1 ? next.via[0]! : synset.lemmas[0]!);
    for (const pointer of synset.pointers) {
      const step = stepOf(synset, pointer, next.path.length === 1);
      if (step === undefined) continue;
      open.push({ id: pointer.to, cost: next.cost + step * step_scale, via, path: [...next.path, pointer.to] });
    }
  }
  return best;
}

function withWord(via: readonly string[], word: string): readonly string[] {
  return via.includes(word) ? via : [...via, word];
}

/** All senses of a word, the likelier the nearer. */
export function startsOf(readings: readonly Reading[], options: Pick<MeaningOptions, "context" | "kinds">): Place[] {
  const any_seen = readings.some(({ senses }) => senses.some(({ is_seen }) => is_seen));
  return readings.flatMap(({ lemma, senses, cost }) =>
    senses.slice(0, SENSES_MAX).map((sense, rank) => ({
      id: sense.id,
      cost:
        cost +
        Math.max(
          0,
          rarityOf(sense, rank, any_seen) +
            strangenessOf(sense, options.kinds) -
            supportOf(sense, options.context ?? []),
        ),
      via: [lemma],
      path: [sense.id],
    })),
  );
}

/** "Break" has sixty. */
const SENSES_MAX = 12;
/** Further away nothing is said. */
const DISTANCE_MAX = 2.9;
/** Adjectives of seldom senses stand near everything: "electric" is also tense, "top" intense. */
const NEAR: Readonly<Record<string, number>> = { mood: 1.9 };
/** Nouns that name what happens or is felt. */
export const ABSTRACT: ReadonlySet<string> = new Set(
  "act attribute communication event feeling process state".split(" "),
);
/** Fields of senses that are seldom meant in a prompt. */
const STRANGE: ReadonlyMap<string, number> = new Map([
  ["person", 0.5],
  ["communication", 1.25],
  ["group", 0.75],
  ["location", 0.75],
  ["cognition", 1.25],
  ["possession", 1],
  ["quantity", 1],
]);
/** What a word of a pack stands behind an anchor, which says the sense too. */
const LEMMA_COST = 0.5;

function conceptOf(synset: Synset, distance: number, { kinds, known }: MeaningOptions): Known | undefined {
  const isOfUse = (concept: string) => {
    const kind = concept.slice(0, concept.indexOf(":"));
    return (kinds === undefined || kinds.includes(kind)) && distance <= (NEAR[kind] ?? DISTANCE_MAX);
  };
  const anchored = conceptsAt(synset).find(isOfUse);
  if (anchored !== undefined) return { concept: anchored, lemma: synset.lemmas[0]!, cost: 0 };
  for (const lemma of known === undefined ? [] : synset.lemmas) {
    const concept = known!(lemma, synset.word_class);
    if (concept !== undefined && isOfUse(concept)) return { concept, lemma, cost: LEMMA_COST };
  }
  return undefined;
}

/** What a step along a pointer costs; undefined: not taken. */
function stepOf(from: Synset, { kind, to }: Pointer, is_first: boolean): number | undefined {
  switch (kind) {
    case "hypernym":
    case "class":
      // A corgi is a dog altogether; what a verb is a manner of is less like it. Zoologists divide finely: a bittern is
      // five steps from a bird.
      return from.field === "animal" ? 0.25 : from.word_class === "noun" ? 0.5 : 1.25;
    case "similar":
      return 1.5;
    case "also":
      return from.word_class === "adjective" ? 2 : undefined;
    case "pertains":
      return 1;
    case "derived":
      return is_first || from.word_class === "adjective" ? derivationOf(from, to) : undefined;
    default:
      return undefined;
  }
}

/** "Clatter" and to clatter, "sad" and sadness are one thing; clothing and to clothe, a fight and a fighter are two. */
function derivationOf(from: Synset, to: string): number | undefined {
  const [from_noun, to_noun] = [from.word_class === "noun", to.startsWith("n")];
  if (from_noun === to_noun) return undefined;
  if (ABSTRACT.has(from_noun ? from.field : synsetOf(to).field)) return 1.5;
  // What is called after what it does: a grinder grinds.
  return to.startsWith("v") ? 2 : undefined;
}

/** 0 for the usual sense; more for those that are seldom meant. Where none was ever seen, their order says little. */
function rarityOf({ is_seen }: Sense, rank: number, any_seen: boolean): number {
  return any_seen ? 0.5 * Math.log2(1 + rank) + (is_seen ? 0 : 0.75) : 0.2 * Math.log2(1 + rank);
}

/** Prompts ask for what can be heard and seen rather than for people, places and ideas of that name. */
function strangenessOf({ id }: Sense, kinds: readonly string[] | undefined): number {
  const { field } = synsetOf(id);
  // Pieces of music are filed under what is communicated.
  return field === "communication" && kinds?.includes("genre") ? 0 : (STRANGE.get(field) ?? 0);
}

/** How much the words around speak for a sense: those that its definition, or that of what it is a kind of, has in common with them. */
function supportOf({ id }: Sense, context: readonly string[]): number {
  if (context.length === 0) return 0;
  const synset = synsetOf(id);
  const above = synset.pointers.filter(({ kind }) => kind === "hypernym").map(({ to }) => synsetOf(to));
  const words = new Set(
    [synset, ...above].flatMap(({ definition, lemmas }) => [...lemmas, ...definition.split(/\W+/u)]),
  );
  return Math.min(2, context.filter((word) => words.has(word.toLowerCase())).length);
}
