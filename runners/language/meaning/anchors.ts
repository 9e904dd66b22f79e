/** Where our concepts stand in WordNet: `anchors.json`, a table of concepts and the senses that are each of them. */
import table from "./anchors.json" with { type: "json" };
import { sensesOf, synsetOf } from "./wordnet.ts";

/** Concepts of a synset, `<kind>:<name>`; none for most. */
export function conceptsAt(id: string): readonly string[] {
  anchors ??= readAnchors();
  return anchors.get(id) ?? [];
}

/**
 * Id of a sense as tables write it: "dog" is a noun and "to hiss" a verb in its usual sense. WordNet's field stands behind what has others:
 * "gull/animal", "horn/artifact.6" for the sixth such sense, "calm/adjective".
 */
export function senseAt(written: string): string {
  const [, to, lemma, field, number] = /^(to )?(.+?)(?:\/([a-z]+)(?:\.(\d+))?)?$/u.exec(written)!;
  const word_class = field === "adjective" ? "adjective" : to === undefined ? "noun" : "verb";
  const senses = sensesOf(lemma!, word_class);
  const fitting = field === undefined ? senses : senses.filter(({ id }) => synsetOf(id).field === field);
  const sense = fitting[Number(number ?? 1) - 1];
  if (sense === undefined) throw new Error(`Cannot find "${written}" in WordNet`);
  return sense.id;
}

let anchors: ReadonlyMap<string, readonly string[]> | undefined;

function readAnchors(): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>();
  for (const [concept, senses] of Object.entries(table as Readonly<Record<string, readonly string[]>>)) {
    for (const written of senses) {
      const id = senseAt(written);
      out.set(id, [...(out.get(id) ?? []), concept]);
    }
  }
  return out;
}
