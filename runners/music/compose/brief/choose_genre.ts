/** Which genre a prompt means, named or not. */
import { wordsOf } from "../../../language/mod.ts";
import { derived, packs } from "../../../packs/mod.ts";
import { hash32 } from "../../../signal/dsp/random.ts";
import { type Genre, genrePack, genres, profileOf } from "../genres.ts";
import type { Instrument } from "../instruments.ts";
import { type Heard, inside, type NamedGenre, type Special } from "./lexicon.ts";
import type { Shift } from "./shift.ts";

export interface Chosen {
  readonly genre: Genre;
  readonly second: Genre | null;
  readonly special: Special | null;
  /** Named outright, and not by an adjective alone. */
  readonly named: boolean;
}

interface Candidate {
  readonly named: NamedGenre;
  readonly strength: number;
  /** Smaller leads. */
  readonly rank: number;
}

/** The genre named, by strength, then by clause; of neighbours the last is the head ("jazz hip hop" is hip hop). Null where none is. */
export function namedGenre(
  all: readonly Heard[],
  decade: number | null,
  unwanted: readonly Genre[] = [],
): Chosen | null {
  const found: Candidate[] = [];
  let run: Candidate[] = [];
  let last = -2;
  const close = (): void => {
    // Within a run the order turns round.
    found.push(...run.reverse());
    run = [];
  };
  for (const [index, heard] of all.entries()) {
    const { said, meaning } = heard;
    if (said.polarity !== "wanted") continue;
    const named = meaning.genre ?? lent(heard);
    // "On hold music" is smooth jazz, save for who wants no jazz.
    if (named === null || unwanted.some((one) => isUnsaidKind(named.genre, one, meaning.phrase))) continue;
    if (last !== index - 1 || !said.adjacent) close();
    run.push({ named, strength: said.derived ? 1 : named.strength, rank: 0 });
    last = index;
  }
  close();
  if (found.length === 0) return null;
  const ranked = found
    .map((candidate, rank) => ({ ...candidate, rank }))
    .sort((a, b) => b.strength - a.strength || a.rank - b.rank);
  const head = ranked[0]!;
  const of_decade =
    decade === null || head.named.special !== null ? null : genrePack(head.named.genre).in_decade?.[`${decade}`];
  const genre = of_decade ?? head.named.genre;
  const special = ranked.find(({ named }) => named.genre === genre && named.special !== null)?.named.special ?? null;
  const others = ranked
    .filter(({ named, strength }) => !(strength <= 2 && genrePack(genre).untouched_by?.includes(named.genre)))
    .map(({ named }) => named.genre)
    .filter((other) => other !== genre);
  const second = others[0] ?? special?.second ?? null;
  return { genre, second: second === genre ? null : second, special, named: head.strength >= 2 };
}

/** Whether a genre is a kind of another that no word of its phrase names. */
function isUnsaidKind(genre: Genre, of: Genre, phrase: string): boolean {
  const label = genrePack(of).label;
  return genrePack(genre).label.endsWith(` ${label}`) && !phrase.includes(label);
}

/** The genre inside the name of an instrument: "bossa nova guitar", "trap drums". It gives way to one named by itself. */
function lent({ meaning }: Heard): NamedGenre | null {
  if (meaning.instrument === undefined) return null;
  const found = inside(meaning).find(({ genre }) => genre !== undefined && genre.strength > 1)?.genre;
  return found === undefined ? null : { ...found, strength: 2 };
}

export interface Hints {
  /** By id. */
  readonly scenes: readonly string[];
  readonly instruments: readonly Instrument[];
  /** Instruments as they were written, in the lexicon's spelling. */
  readonly instrument_names: readonly string[];
  readonly decade: number | null;
  readonly traits: readonly string[];
  /** Names, strongest first. */
  readonly moods: readonly string[];
  /** Moods and the like, summed. */
  readonly mood: Shift | null;
  readonly unwanted: readonly Genre[];
  /** Asked for, beats a minute. */
  readonly bpm: number | null;
  readonly colour: number;
}

/** Genres by what brings them to mind, each with how strongly. */
type Suggested = ReadonlyMap<string, readonly (readonly [genre: Genre, weight: number])[]>;

const suggested = derived(() => ({
  names: suggestedByNames(),
  instruments: suggestedBy("instruments"),
  moods: suggestedBy("moods"),
  scenes: suggestedBy("scenes"),
  traits: suggestedBy("traits"),
  decades: suggestedBy("decades"),
}));

function suggestedBy(what: "instruments" | "moods" | "scenes" | "traits" | "decades"): Suggested {
  const found = new Map<string, [Genre, number][]>();
  for (const [genre, { suggested_by }] of packs("genres")) {
    for (const [by, weight] of Object.entries(suggested_by?.[what] ?? {})) {
      const some = found.get(by);
      if (some === undefined) found.set(by, [[genre, weight]]);
      else some.push([genre, weight]);
    }
  }
  return found;
}

function suggestedByNames(): Suggested {
  const found = new Map<string, [Genre, number][]>();
  for (const [genre, { suggested_by }] of packs("genres"))
    for (const name of suggested_by?.instrument_names ?? []) {
      const key = wordsOf(name).join(" ");
      found.set(key, [...(found.get(key) ?? []), [genre, 1]]);
    }
  return found;
}

/** The genres that serve a scene, likeliest first. */
export function genresFor(scene: string): Genre[] {
  return [...(suggested().scenes.get(scene) ?? [])].sort((a, b) => b[1] - a[1]).map(([genre]) => genre);
}

/**
 * A genre for a prompt that names none: what its scenes, instruments, decade and moods speak for; the hash settles what
 * they leave open.
 */
export function guessedGenre(hints: Hints): Chosen {
  const points = new Map<Genre, number>();
  const give = (genre: Genre, weight: number): void => {
    points.set(genre, (points.get(genre) ?? 0) + weight);
  };
  const recall = (what: keyof ReturnType<typeof suggested>, by: string, most: number): void => {
    for (const [genre, weight] of suggested()[what].get(by) ?? []) give(genre, most * weight);
  };
  for (const [n, scene] of hints.scenes.entries()) recall("scenes", scene, n === 0 ? 3 : 2);
  for (const [n, instrument] of hints.instruments.entries()) recall("instruments", instrument, n < 3 ? 1.8 : 0.8);
  // What an instrument's own pack is called by brings to mind what is said of the pack.
  const own = (name: string): boolean => suggested().instruments.has(name.replaceAll(" ", "_"));
  for (const [n, name] of hints.instrument_names.entries()) if (!own(name)) recall("names", name, n < 3 ? 2.2 : 1);
  for (const trait of hints.traits) recall("traits", trait, 1.4);
  for (const [n, mood] of hints.moods.slice(0, 3).entries()) recall("moods", mood, 1.2 - 0.3 * n);
  if (hints.decade !== null) recall("decades", `${hints.decade}`, 1.6);
  if (hints.traits.includes("solo")) {
    for (const [genre, { solo }] of packs("genres"))
      if (solo !== undefined && hints.instruments.includes(solo.instrument as Instrument)) give(genre, 4);
  }
  // What may be meant when nothing says so, and what is meant when nothing at all is known; the rest want to be named.
  const plausible = genres().filter((genre) => genrePack(genre).guessed.from_words !== "never");
  const open =
    hints.mood === null ? plausible.filter((genre) => genrePack(genre).guessed.from_words === "often") : plausible;
  const candidates = (points.size > 0 ? [...points.keys()] : open).filter((genre) => !hints.unwanted.includes(genre));
  const scored = (candidates.length > 0 ? candidates : plausible)
    .map((genre) => ({ genre, score: (points.get(genre) ?? 0) - (points.size > 0 ? 0.5 : 1) * farness(genre, hints) }))
    .sort((a, b) => b.score - a.score || (a.genre < b.genre ? -1 : 1));
  const close = scored.filter(({ score }) => score > scored[0]!.score - (points.size > 0 ? 0.25 : 0.2));
  const pool = points.size > 0 || hints.mood !== null || hints.bpm !== null ? close.slice(0, 4) : close;
  const genre = pool[hash32(hints.colour, 1) % pool.length]!.genre;
  const runner_up = scored.find((other) => other.genre !== genre && (points.get(other.genre) ?? 0) >= 2);
  return { genre, second: runner_up?.genre ?? null, special: null, named: false };
}

/** How little a genre suits the moods and the tempo, 0 or more. */
function farness(genre: Genre, { mood, bpm }: Hints): number {
  const profile = profileOf(genre);
  let sum = 0;
  if (bpm !== null) {
    const { low, high } = profile.bpm;
    sum += (0.6 * Math.abs(bpm - profile.bpm.usual)) / (high - low);
    sum += 3 * (bpm < low ? (low - bpm) / low : bpm > high ? (bpm - high) / high : 0);
  }
  if (mood === null) return sum;
  const fields = ["energy", "valence", "brightness", "space", "drive", "density"] as const;
  for (const field of fields) {
    if (mood[field] === 0) continue;
    const target = Math.min(1, Math.max(0, 0.5 + 1.3 * mood[field]));
    const weight = field === "energy" || field === "valence" ? 3 : 1.2;
    // A slight mood asks for nothing in particular.
    const meant = Math.min(1, Math.abs(mood[field]) / 0.2);
    sum += weight * meant * (target - profile[field]) * (target - profile[field]) * 2;
  }
  return sum;
}
