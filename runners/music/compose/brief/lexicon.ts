/** All words that are understood, each with all that it means. Built once, on the first prompt of a thread. */

import { isWord, meaningOf as nearestOf } from "../../../language/meaning/mod.ts";
import {
  type Concept,
  type Entry,
  isDense,
  type Kind,
  kindOf,
  type Mention,
  NO_TONGUES,
  spacedOf,
  speaksOf,
  type Lexicon as Words,
  type Writing,
  wordsFor,
  wordsOf,
} from "../../../language/mod.ts";
import { derived, type GenrePack, packs, type Subgenre, type WordsPack } from "../../../packs/mod.ts";
import type { Metre } from "../../../signal/analyse/mod.ts";
import type { Genre, ModeName } from "../genres.ts";
import { type Instrument, instrumentOf, instruments } from "../instruments.ts";
import { METRES } from "../metres.ts";
import { MOODS } from "./moods.ts";
import { type NamedInstrument, namedInstruments } from "./named_instruments.ts";
import { type Shift, STILL } from "./shift.ts";
import type { Texture } from "./textures.ts";
import { TEMPI, TRAITS } from "./traits.ts";

export type TempoWord = (typeof TEMPI)[number];

export interface NamedGenre {
  readonly genre: Genre;
  /** 3 names it, 2 gives way to 3, 1 only colours. */
  readonly strength: number;
  /** What sets a subgenre apart. */
  readonly special: Special | null;
}

export interface Special {
  readonly name: string;
  readonly shift: Shift;
  readonly bpm: { readonly low: number; readonly usual: number; readonly high: number } | null;
  readonly modes: Readonly<Partial<Record<ModeName, number>>> | null;
  readonly want: readonly Instrument[];
  readonly second: Genre | null;
  readonly traits: readonly string[];
  readonly scene: readonly Texture[];
  readonly era: number | null;
  readonly metre: Metre | null;
  readonly swing: number | null;
}

interface Scene {
  readonly id: string;
  readonly shift: Shift;
  readonly textures: readonly Texture[];
}

/** One word or phrase may mean several things at once: "epic" is a genre and a mood. */
export interface Meaning extends Entry {
  concepts: Concept[];
  genre?: NamedGenre;
  mood?: { readonly name: string; readonly shift: Shift };
  instrument?: NamedInstrument;
  scene?: Scene;
  trait?: { readonly name: string; readonly shift: Shift };
  tempo?: TempoWord;
  /** What is read of it by others than the composer: kinds of clips, drums, singers. */
  others?: Concept[];
  filler?: true;
}

/** What a prompt mentions, with all that it means for music. */
export interface Heard {
  readonly said: Mention;
  readonly meaning: Meaning;
}

export interface Lexicon extends Words {
  readonly exact: ReadonlyMap<string, Meaning>;
  /** Concepts of the foreign words that the lexicon does not have: none, or a word is missing. */
  readonly untranslated: () => readonly string[];
  /** How many names of each kind there are, in English. */
  readonly counts: Readonly<Record<"genres" | "subgenres" | "moods" | "instruments" | "scenes" | "phrases", number>>;
}

export const lexicon: () => Lexicon = derived(build);

/** What a phrase of music means; null where the lexicon has no such phrase. */
export function meaningOf(phrase: string): Meaning | null {
  return lexicon().exact.get(phrase.replaceAll(" ", "")) ?? null;
}

/** Meanings of the single words and pairs inside a phrase: the piano of "jazz piano". */
export function inside({ phrase }: Meaning): Meaning[] {
  const { exact } = lexicon();
  const words = phrase.split(" ");
  const out: Meaning[] = [];
  for (let length = Math.min(2, words.length - 1); length >= 1; length--) {
    for (let at = 0; at + length <= words.length; at++) {
      const found = exact.get(words.slice(at, at + length).join(""));
      if (found !== undefined) out.push(found);
    }
  }
  return out;
}

/** Further away nothing is said of an unknown word. */
const DISTANCE_MAX = 1.5;

/** A mood that an adjective is near to, or the player or music that a noun is a kind of. */
function nearestMeaning(word: string, exact: ReadonlyMap<string, Meaning>): Meaning | null {
  // One of them: "a string section"; but wind is air, and no wind instrument.
  const plural = exact.get(`${word}s`);
  if (plural?.instrument !== undefined && !isHeardElsewhere(word)) return plural;
  // "Flip" is impudent as well, and hardly ever meant so.
  const found = isWord(word, ["noun"])
    ? nearestOf(word, { kinds: ["instrument", "genre"], word_class: "noun" })
    : nearestOf(word, { kinds: ["mood"], word_class: "adjective" });
  if (found === undefined || found.distance > DISTANCE_MAX) return null;
  const meaning = exact.get(found.concept.slice(found.concept.indexOf(":") + 1).replaceAll("_", ""));
  return meaning === undefined || meaning.concepts.length === 0 ? null : meaning;
}

/** Whether a noun is first of all a sound that is no music. */
function isHeardElsewhere(word: string): boolean {
  const found = nearestOf(word, { kinds: ["sound", "instrument"], word_class: "noun" });
  return found?.concept.startsWith("sound:") === true && found.distance < 0.5;
}

function build(): Lexicon {
  const exact = new Map<string, Meaning>();
  let words_max = 1;
  let dense_max = 0;
  const spelt = new Set<string>();
  const at = (entry: string): Meaning | null => {
    const phrase = spacedOf(entry);
    if (phrase === "") return null;
    const key = phrase.includes(" ") ? phrase.replaceAll(" ", "") : phrase;
    words_max = Math.max(words_max, 1 + phrase.length - key.length);
    let meaning = exact.get(key);
    if (meaning === undefined) {
      meaning = { phrase, concepts: [] };
      exact.set(key, meaning);
      if (isDense(key)) dense_max = Math.max(dense_max, key.length);
    } else if (meaning.phrase !== phrase) spelt.add(phrase);
    return meaning;
  };

  const named = <Value>(
    kind: string,
    values: ReadonlyMap<string, Value>,
    put: (meaning: Meaning, value: Value) => void,
  ): void => {
    const english = packs("words").get("en")?.words ?? {};
    for (const [name, value] of values) {
      for (const phrase of english[`${kind}:${name}`] ?? []) {
        const meaning = at(phrase);
        if (meaning !== null) put(meaning, value);
      }
    }
  };

  const small_words = packs("words").get("en")?.grammar?.small_words;
  for (const word of Array.isArray(small_words) ? small_words : []) {
    const meaning = at(word);
    if (meaning !== null) meaning.filler = true;
  }
  for (const [id, { names, change, textures }] of packs("scenes")) {
    const scene: Scene = { id, shift: { ...STILL, ...change }, textures: textures ?? [] };
    for (const phrase of Object.values(names).flat()) {
      const meaning = at(phrase);
      if (meaning !== null) meaning.scene = scene;
    }
  }
  let subgenres = 0;
  for (const [genre, pack] of packs("genres")) {
    const name = (some: Pick<GenrePack, "names" | "weak_names" | "adjectives">, special: Special | null): void => {
      for (const [strength, lists] of [
        [3, some.names],
        [2, some.weak_names],
        [1, some.adjectives],
      ] as const) {
        for (const phrase of Object.values(lists ?? {}).flat()) {
          const meaning = at(phrase);
          if (meaning !== null) meaning.genre = { genre, strength, special };
        }
      }
    };
    name(pack, null);
    for (const subgenre of pack.subgenres ?? []) name(subgenre, specialOf(subgenre));
    subgenres += pack.subgenres?.length ?? 0;
  }
  const moods = Object.entries(MOODS).map(
    ([name, change]) => [name, { name, shift: { ...STILL, ...change } }] as const,
  );
  named("mood", new Map(moods), (meaning, mood) => (meaning.mood = mood));
  for (const named of namedInstruments()) {
    for (const word of named.words) {
      const meaning = at(word);
      if (meaning !== null) meaning.instrument = named;
    }
  }
  for (const instrument of instruments()) {
    const meaning = at(instrument.replaceAll("_", " "))!;
    meaning.instrument ??= { instruments: [instrument], roles: [], words: [] };
  }
  const traits = Object.entries(TRAITS).map(
    ([name, change]) => [name.replaceAll(" ", "_"), { name, shift: { ...STILL, ...change } }] as const,
  );
  named("trait", new Map(traits), (meaning, trait) => (meaning.trait = trait));
  const tempi = TEMPI.map((tempo) => [tempo.replaceAll(" ", "_"), tempo] as const);
  named("tempo", new Map(tempi), (meaning, tempo) => (meaning.tempo = tempo));

  for (const [concept, phrases] of Object.entries(packs("words").get("en")?.words ?? {})) {
    const kind = kindOf(concept);
    if (!OTHERS.has(kind) && !QUALITIES.has(concept)) continue;
    for (const phrase of phrases) {
      const meaning = at(phrase);
      if (meaning === null) continue;
      // Who names a way of singing wants somebody to sing; "without vocals" wants nobody.
      const sung = concept === "voice:instrumental" ? "instrumental" : "vocals";
      if (kind === "voice" && conceptsOf(meaning).length === 0) meaning.trait = exact.get(sung)!.trait!;
      meaning.others = [...(meaning.others ?? []), concept as Concept];
    }
  }

  // A "gated snare" is a snare.
  for (const meaning of exact.values()) {
    const [player] = meaning.instrument?.instruments ?? [];
    if (player === undefined || !DRUMMING.some((role) => instrumentOf(player).roles.includes(role))) continue;
    const words = meaning.phrase.split(" ");
    const drum = words.flatMap((_, n) => (n === 0 ? [] : (exact.get(words.slice(n).join(""))?.others ?? [])));
    if (drum.length > 0 && meaning.others === undefined) meaning.others = drum;
  }
  for (const meaning of exact.values()) meaning.concepts = conceptsOf(meaning);
  const untranslated: string[] = [];
  const speak = speaksOf(foreignPacks, (concept) => {
    const english = englishOf(concept, exact);
    if (english === undefined) untranslated.push(concept);
    return english ?? null;
  });

  return {
    exact,
    spelt,
    tongues: NO_TONGUES,
    speak,
    dense_max,
    words_max: Math.min(6, words_max),
    nearest: (word) => nearestMeaning(word, exact),
    untranslated: () => {
      speak("mixed");
      return untranslated;
    },
    counts: {
      genres: packs("genres").size,
      subgenres,
      moods: Object.keys(MOODS).length,
      instruments: instruments().length,
      scenes: packs("scenes").size,
      phrases: exact.size,
    },
  };
}

function foreignPacks(writing: Writing): WordsPack[] {
  return wordsFor(writing).filter(({ language }) => language !== "en");
}

/** Kinds of concepts that the composer makes nothing of, and that are read of the same words by others. */
const OTHERS: ReadonlySet<string> = new Set<Kind>(["clip", "drum", "voice", "person", "manner", "source", "interval"]);
/** What players of single drums may play. */
const DRUMMING = ["drums", "percussion"] as const;

/** Qualities that a note of music has, too. */
const QUALITIES: ReadonlySet<string> = new Set(["quality:short", "quality:long", "quality:low", "quality:high"]);

/** The English meaning of a concept; null for kinds that say nothing to music, undefined where there should be one. */
function englishOf(concept: string, exact: ReadonlyMap<string, Meaning>): Meaning | null | undefined {
  const [kind, name] = concept.split(":") as [string, string];
  const of = (phrase: string | undefined): Meaning | undefined =>
    phrase === undefined ? undefined : exact.get(wordsOf(phrase).join(""));
  const named = of(name.replaceAll("_", " "));
  switch (kind) {
    case "genre":
      return named?.genre === undefined ? undefined : named;
    case "instrument":
      return named?.instrument === undefined ? undefined : named;
    case "clip":
    case "drum":
    case "manner":
    case "person":
    case "source":
    case "interval":
    case "voice":
    case "mood":
    case "scene":
    case "trait":
    case "tempo":
      return of(packs("words").get("en")?.words?.[concept]?.[0]);
    case "form":
    case "dynamics":
    case "quality":
    case "motion":
    case "direction": {
      const [english] = packs("words").get("en")?.words?.[concept] ?? [];
      // Known all the same where English has no more than the word.
      return english === undefined ? undefined : (of(english) ?? { phrase: english, concepts: [], filler: true });
    }
    // Heard under music as in English: "rain" is a scene.
    case "sound":
      return named?.scene === undefined ? null : named;
    default:
      return null;
  }
}

function conceptsOf({ genre, mood, instrument, scene, trait, tempo, others, filler, phrase }: Meaning): Concept[] {
  // "Man" says nothing to the composer.
  if (filler === true) return others ?? [];
  const out: Concept[] = [];
  if (genre !== undefined) out.push(`genre:${genre.special?.name.replaceAll(" ", "_") ?? genre.genre}`);
  if (instrument !== undefined) out.push(`instrument:${instrument.instruments[0] ?? phrase.replaceAll(" ", "_")}`);
  if (mood !== undefined) out.push(`mood:${mood.name}`);
  if (scene !== undefined) out.push(`scene:${phrase.replaceAll(" ", "_")}`);
  if (trait !== undefined) out.push(`trait:${trait.name.replaceAll(" ", "_")}`);
  if (tempo !== undefined) out.push(`tempo:${tempo.replaceAll(" ", "_")}`);
  return [...out, ...(others ?? [])];
}

function specialOf(subgenre: Subgenre): Special {
  return {
    name: subgenre.id,
    shift: { ...STILL, ...subgenre.change },
    bpm: subgenre.tempo_bpm ?? null,
    modes: subgenre.modes ?? null,
    want: (subgenre.instruments ?? []) as Instrument[],
    second: subgenre.second_genre ?? null,
    traits: subgenre.traits ?? [],
    scene: (subgenre.scene ?? []) as Texture[],
    era: subgenre.decade ?? null,
    metre: subgenre.metre === undefined ? null : METRES[subgenre.metre]!,
    swing: subgenre.swing ?? null,
  };
}
