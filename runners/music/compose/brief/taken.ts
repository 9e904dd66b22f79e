/** What is told of the reading: what was taken for what, denied and tempered, in words of the prompt. */
import type { Ask, Mention } from "../../../language/mod.ts";
import type { Brief, Taken } from "../brief.ts";
import { type Genre, genreName } from "../genres.ts";
import type { Instrument } from "../instruments.ts";
import type { Heard } from "./lexicon.ts";
import { memberFor } from "./named_instruments.ts";
import type { Texture } from "./textures.ts";

/** What was taken by its spelling, or for something near in meaning. */
export function takenFor({ text, mentions }: Ask): NonNullable<Brief["taken_for"]> {
  return mentions.flatMap(({ guessed, from, to, phrase, concepts: [concept] }) =>
    guessed === null || concept === undefined ? [] : [{ word: text.slice(from, to), phrase, concept }],
  );
}

/** What must not be there, as it was said: "loud guitars", "fret noise". */
export function deniedIn({ text, mentions, unknown }: Ask): readonly string[] {
  const all = [...mentions, ...unknown.map((one) => ({ ...one, phrase: one.word, concepts: [], of: null }))];
  const out: { words: string; to: number }[] = [];
  for (const one of all.sort((some, other) => some.from - other.from)) {
    const { from, to, of } = one;
    const words = one.polarity === "unwanted" ? writtenAs(one, text) : absentBy(one);
    if (words === null) continue;
    // "Distorted ones": of what was named before.
    const named = of === null || mentions[of]!.from > from ? "" : ` ${mentions[of]!.phrase.split(" ").at(-1)}`;
    const before = out.at(-1);
    if (before !== undefined && /^[ -]?$/u.test(text.slice(before.to, from))) {
      before.words += ` ${words}`;
      before.to = to;
    } else out.push({ words: words + named, to });
  }
  return [...new Set(out.map(({ words }) => words))];
}

/** As in the prompt, save for what is misspelt or of another language. */
function writtenAs({ from, to, phrase }: Pick<Mention, "from" | "to" | "phrase">, text: string): string {
  const written = text.slice(from, to).toLowerCase();
  return written.replace(/[^a-z]/gu, "") === phrase.replaceAll(" ", "") ? written : phrase;
}

/** What a name says is not there: "no vocals", "beatless". */
function absentBy({ phrase, concepts }: Pick<Mention, "phrase" | "concepts">): string | null {
  // "Without losing" keeps, "no hurry" is a tempo.
  if (concepts.every((concept) => /^(?:source|tempo):/u.test(concept))) return null;
  const said = /^(?:no|without) (.+)$|^(.+) free$/u
    .exec(phrase)
    ?.slice(1)
    .find((one) => one !== undefined);
  return said ?? (concepts.includes("trait:no_drums") ? "drums" : null);
}

/** Moods of which little is wanted: "less cheerful", "not too dark". */
export function temperedIn({ mentions }: Ask): readonly string[] {
  return mentions.flatMap(({ polarity, phrase, concepts }) =>
    (polarity === "less" || polarity === "softened") && concepts.some((concept) => concept.startsWith("mood:"))
      ? [`${polarity === "less" ? "less" : "not too"} ${phrase}`]
      : [],
  );
}

/** What names what the brief holds, in words of its own. */
export function takenFrom(
  all: readonly Heard[],
  text: string,
  brief: {
    readonly genre: Genre;
    readonly second: Genre | null;
    readonly wanted: ReadonlySet<Instrument>;
    readonly scene: ReadonlySet<Texture>;
    readonly acoustic: boolean;
    /** Somebody named the genre. */
    readonly named: boolean;
  },
): Taken[] {
  const out = new Map<string, Taken>();
  for (const { said, meaning } of all) {
    if (said.polarity !== "wanted" || said.guessed !== null) continue;
    const words = text
      .slice(said.from, said.to)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}&#]+/gu, " ");
    const take = (field: Taken["field"], value: string): void => {
      const is_new = !isSameName(words, value);
      if (is_new) out.set(`${words} ${field}`, { words, field, value });
    };
    const { genre, instrument, mood, scene, trait, tempo } = meaning;
    if (genre !== undefined && (genre.genre === brief.genre || genre.genre === brief.second))
      take("genre", genreName(genre.genre));
    if (instrument !== undefined) {
      const played = memberFor(instrument, brief.genre, brief.acoustic, brief.named);
      const heard = brief.wanted.has(played) ? played : instrument.instruments.find((one) => brief.wanted.has(one));
      if (heard !== undefined) take("wanted", heard.replaceAll("_", " "));
    }
    if (mood !== undefined) take("moods", mood.name.replaceAll("_", " "));
    if (trait !== undefined) take("traits", trait.name);
    if (tempo !== undefined) take("traits", tempo);
    const textures = scene?.textures.filter((texture) => brief.scene.has(texture)) ?? [];
    if (textures.length > 0) take("scene", textures.join(", "));
  }
  return [...out.values()];
}

/** Whether two names differ by their number, their capitals and their hyphens alone. */
function isSameName(one: string, other: string): boolean {
  const plain = (name: string): string =>
    name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "")
      .replace(/s$/u, "");
  return plain(one) === plain(other);
}
