/** Where our concepts stand in WordNet: `anchors.json`, a table of concepts and the senses that are each of them. */
import table from "./anchors.json" with { type: "json" };
import { type Synset, sensesOf, synsetOf, type WordClass } from "./wordnet.ts";

/** Concepts of a synset, `<kind>:<name>`; none for most. */
export function conceptsAt({ id, lemmas, word_class }: Synset): readonly string[] {
  anchors ??= readAnchors();
  // A sense is looked up when a synset with its word comes by: all at once would take 50 ms and 15 MB.
  const named = lemmas.flatMap((lemma) => anchors!.get(`${word_class} ${lemma}`) ?? []);
  for (const anchor of named) anchor.id ??= idOf(anchor.sense);
  return named.filter((anchor) => anchor.id === id).map(({ concept }) => concept);
}

/**
 * Id of a sense as tables write it: "dog" is a noun and "to hiss" a verb in its usual sense. WordNet's field stands behind what has others:
 * "gull/animal", "horn/artifact.6" for the sixth such sense, "calm/adjective".
 */
export function senseAt(written: string): string {
  return idOf(parse(written));
}

interface WrittenSense {
  readonly written: string;
  readonly lemma: string;
  readonly word_class: WordClass;
  readonly field: string | undefined;
  /** Among those of the field, from 1. */
  readonly number: number;
}

interface Anchor {
  readonly concept: string;
  readonly sense: WrittenSense;
  /** Of the synset, once it was asked for. */
  id?: string;
}

/** By class and word. */
let anchors: ReadonlyMap<string, readonly Anchor[]> | undefined;

function readAnchors(): ReadonlyMap<string, readonly Anchor[]> {
  const out = new Map<string, Anchor[]>();
  for (const [concept, senses] of Object.entries(table as Readonly<Record<string, readonly string[]>>)) {
    for (const written of senses) {
      const sense = parse(written);
      const key = `${sense.word_class} ${sense.lemma}`;
      out.set(key, [...(out.get(key) ?? []), { concept, sense }]);
    }
  }
  return out;
}

function parse(written: string): WrittenSense {
  const [, to, lemma, field, number] = /^(to )?(.+?)(?:\/([a-z]+)(?:\.(\d+))?)?$/u.exec(written)!;
  const word_class = field === "adjective" ? "adjective" : to === undefined ? "noun" : "verb";
  return { written, lemma: lemma!, word_class, field, number: Number(number ?? 1) };
}

function idOf({ written, lemma, word_class, field, number }: WrittenSense): string {
  const senses = sensesOf(lemma, word_class);
  const fitting = field === undefined ? senses : senses.filter(({ id }) => synsetOf(id).field === field);
  const sense = fitting[number - 1];
  if (sense === undefined) throw new Error(`Cannot find "${written}" in WordNet`);
  return sense.id;
}
