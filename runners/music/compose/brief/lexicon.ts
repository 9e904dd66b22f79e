/** All words that are understood, each with all that it means. Built once, on the first prompt of a thread. */

import type { Metre } from "../../../signal/analyse/mod.ts";
import type { Genre } from "../genres.ts";
import { INSTRUMENTS, type Instrument } from "../instruments.ts";
import { METRES, type ModeName, PROFILES, weights } from "./genre_table.ts";
import { INSTRUMENT_WORDS, type NamedInstrument } from "./instrument_words.ts";
import { MOODS } from "./moods.ts";
import { genresOf, SCENES, type Texture } from "./scenes.ts";
import { type Shift, shift } from "./shift.ts";
import { SUBGENRES } from "./subgenres.ts";
import { isDense, wordsOf } from "./text.ts";
import { TONGUES } from "./tongues.ts";
import { FILLERS, TEMPI, TRAITS } from "./traits.ts";

export type TempoWord = (typeof TEMPI)[number][0];

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

export interface Scene {
  readonly genres: readonly Genre[];
  readonly shift: Shift;
  readonly textures: readonly Texture[];
}

/** One word or phrase may mean several things at once: "epic" is a genre and a mood. */
export interface Meaning {
  /** Words of the phrase, a blank between. */
  readonly phrase: string;
  genre?: NamedGenre;
  mood?: { readonly name: string; readonly shift: Shift };
  instrument?: NamedInstrument;
  scene?: Scene;
  trait?: { readonly name: string; readonly shift: Shift };
  tempo?: TempoWord;
  filler?: true;
}

export interface Lexicon {
  /** By words without blanks: "hip hop", "hip-hop" and "hiphop" are one. */
  readonly exact: ReadonlyMap<string, Meaning>;
  /** Every phrase as the lexicon spaces it. */
  readonly spelt: ReadonlySet<string>;
  /** Stems of inflected languages. */
  readonly stems: ReadonlyMap<string, Meaning>;
  /** Longest word of the scripts without spaces, in code units. */
  readonly dense_max: number;
  readonly words_max: number;
  /** English of the foreign words that the lexicon does not have: none, or a word is missing. */
  readonly untranslated: readonly string[];
  /** How many names of each kind there are. */
  readonly counts: Readonly<Record<"genres" | "subgenres" | "moods" | "instruments" | "scenes" | "phrases", number>>;
}

let built: Lexicon | null = null;

export function lexicon(): Lexicon {
  built ??= build();
  return built;
}

/** Shortest key and word that are compared when a word may be misspelt. */
const NEAR_KEY_MIN = 6;

function build(): Lexicon {
  const exact = new Map<string, Meaning>();
  const stems = new Map<string, Meaning>();
  let words_max = 1;
  const spelt = new Set<string>();
  const at = (entry: string): Meaning | null => {
    const words = wordsOf(entry);
    if (words.length === 0) return null;
    words_max = Math.max(words_max, words.length);
    spelt.add(words.join(" "));
    const key = words.join("");
    let meaning = exact.get(key);
    if (meaning === undefined) {
      meaning = { phrase: words.join(" ") };
      exact.set(key, meaning);
    }
    return meaning;
  };
  const each = (list: string, put: (meaning: Meaning, weight: number | null) => void): void => {
    for (const written of list.split(",")) {
      const [entry, weight] = written.trim().split(":");
      if (weight === "0") continue;
      const meaning = at(entry!);
      if (meaning !== null) put(meaning, weight === undefined ? null : Number(weight));
    }
  };

  for (const word of FILLERS) each(word, (meaning) => (meaning.filler = true));
  for (const [genres, words, change, textures] of SCENES) {
    const scene: Scene = {
      genres: genresOf(genres),
      shift: shift(change),
      textures: (textures?.split(" ") ?? []) as Texture[],
    };
    each(words, (meaning) => (meaning.scene = scene));
  }
  for (const [genre, { words }] of Object.entries(PROFILES) as [Genre, (typeof PROFILES)[Genre]][]) {
    each(`${words}, ${genre.replaceAll("_", " ")}:0`, (meaning, strength) => {
      meaning.genre = { genre, strength: strength ?? 3, special: null };
    });
  }
  for (const [genre, words, change, extras] of SUBGENRES) {
    const special = specialOf(words.split(",")[0]!, change, extras);
    each(words, (meaning, strength) => {
      meaning.genre = { genre, strength: strength ?? meaning.genre?.strength ?? 3, special };
    });
  }
  for (const [name, [change, words]] of Object.entries(MOODS)) {
    const mood = { name: name.replace(/_mood$/u, ""), shift: shift(change) };
    each(words, (meaning) => (meaning.mood = mood));
  }
  for (const named of INSTRUMENT_WORDS) {
    each(named.words, (meaning) => (meaning.instrument = named));
  }
  for (const instrument of INSTRUMENTS) {
    const meaning = at(instrument.replaceAll("_", " "))!;
    meaning.instrument ??= { instruments: [instrument], roles: [], words: "" };
  }
  for (const [name, [words, change]] of Object.entries(TRAITS)) {
    const trait = { name, shift: shift(change) };
    each(words, (meaning) => (meaning.trait = trait));
  }
  for (const [tempo, words] of TEMPI) each(words, (meaning) => (meaning.tempo = tempo));

  const untranslated: string[] = [];
  for (const line of TONGUES.join("; ").split(";")) {
    const [foreign, english] = line.split("=").map((part) => part.trim()) as [string, string];
    const target = exact.get(wordsOf(english).join(""));
    if (target === undefined) {
      untranslated.push(english);
      continue;
    }
    const key = wordsOf(foreign.replace("*", "")).join("");
    if (foreign.endsWith("*")) stems.set(key, target);
    else if (!exact.has(key)) exact.set(key, target);
    words_max = Math.max(words_max, wordsOf(foreign).length);
  }

  let dense_max = 0;
  for (const key of exact.keys()) if (isDense(key)) dense_max = Math.max(dense_max, key.length);
  const instruments = INSTRUMENT_WORDS.flatMap(({ instruments: some }) => some);
  return {
    exact,
    spelt,
    stems,
    dense_max,
    words_max: Math.min(6, words_max),
    untranslated,
    counts: {
      genres: Object.keys(PROFILES).length,
      subgenres: SUBGENRES.length,
      moods: Object.keys(MOODS).length,
      instruments: new Set(instruments).size,
      scenes: SCENES.length,
      phrases: exact.size + stems.size,
    },
  };
}

/** Keys by what is left of them with one letter out; built when the first unknown word comes. */
let near_keys: Map<string, string[]> | null = null;

function nearKeys(): ReadonlyMap<string, readonly string[]> {
  if (near_keys !== null) return near_keys;
  near_keys = new Map();
  for (const [key, { phrase }] of lexicon().exact) {
    if (key.length < NEAR_KEY_MIN || key.length > 24 || phrase.includes(" ") || isDense(key)) continue;
    for (const rest of withoutOne(sound(key))) {
      const some = near_keys.get(rest);
      if (some === undefined) near_keys.set(rest, [key]);
      else some.push(key);
    }
  }
  return near_keys;
}

/** Spellings that sound alike become one: "symfonic", "tekno". */
function sound(word: string): string {
  return word
    .replace(/ph/gu, "f")
    .replace(/c[hk]?|q/gu, "k")
    .replace(/z/gu, "s")
    .replace(/y/gu, "i")
    .replace(/(.)\1/gu, "$1");
}

/** The word itself and what is left with any one letter out. */
export function withoutOne(word: string): string[] {
  const out = [word];
  for (let n = 0; n < word.length; n++) out.push(word.slice(0, n) + word.slice(n + 1));
  return out;
}

/**
 * The key that a misspelt word most likely means: one slip up to 7 letters, two from 8 on (Damerau), the first letter right. Symmetric deletion
 * (W. Garbe, SymSpell), then the distance itself.
 */
export function correct(word: string): string | null {
  if (word.length < 5 || word.length > 24) return null;
  const near = nearKeys();
  const slips_max = word.length >= 8 ? 2 : 1;
  let best: string | null = null;
  let slips = slips_max + 1;
  const heard = sound(word);
  for (const rest of withoutOne(heard)) {
    for (const key of near.get(rest) ?? []) {
      if (sound(key)[0] !== heard[0]) continue;
      const found = distance(heard, sound(key));
      if (found < slips || (found === slips && best !== null && key < best)) {
        slips = found;
        best = key;
      }
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours from one short word to another (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, rows[i - 2]![j - 2]! + 1);
      row.push(value);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

function specialOf(name: string, change: string, extras: string): Special {
  const given = new Map(extras.split(";").map((extra) => extra.split("=") as [string, string]));
  const bpm = given.get("bpm")?.split("-").map(Number);
  const modes = given.get("modes");
  const era = given.get("era");
  const swing = given.get("swing");
  const metre = given.get("metre");
  return {
    name: name.trim(),
    shift: shift(change),
    bpm: bpm === undefined ? null : { low: bpm[0]!, usual: bpm[1]!, high: bpm[2]! },
    modes: modes === undefined ? null : weights(modes),
    want: (given.get("want")?.split("+") ?? []) as Instrument[],
    second: (given.get("second") as Genre | undefined) ?? null,
    traits: given.get("trait")?.split("+") ?? [],
    scene: (given.get("scene")?.split("+") ?? []) as Texture[],
    era: era === undefined ? null : Number(era),
    metre: metre === undefined ? null : METRES[metre]!,
    swing: swing === undefined ? null : Number(swing),
  };
}
