/** Which genre a prompt means, named or not. */
import { hash32 } from "../../../signal/dsp/random.ts";
import type { Genre } from "../genres.ts";
import type { Instrument } from "../instruments.ts";
import { PROFILES } from "./genre_table.ts";
import { SPEAKS_FOR } from "./instrument_words.ts";
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
export function namedGenre(all: readonly Heard[], decade: number | null): Chosen | null {
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
    if (named === null) continue;
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
  const of_decade = decade === null || head.named.special !== null ? null : ofDecade(head.named.genre, decade);
  const genre = of_decade ?? head.named.genre;
  const special = ranked.find(({ named }) => named.genre === genre && named.special !== null)?.named.special ?? null;
  const others = ranked
    .filter(({ named, strength }) => !(strength <= 2 && named.genre === "edm" && DANCED_BEFORE.has(genre)))
    .map(({ named }) => named.genre)
    .filter((other) => other !== genre);
  const second = others[0] ?? special?.second ?? null;
  return { genre, second: second === genre ? null : second, special, named: head.strength >= 2 };
}

/** Where a "dance" is older than electronic dance music. */
const DANCED_BEFORE: ReadonlySet<Genre> = new Set<Genre>([
  ..."fantasy celtic folk classical baroque romantic waltz tango flamenco ragtime swing bluegrass polka klezmer march".split(
    " ",
  ),
] as Genre[]);

/** The genre inside the name of an instrument: "bossa nova guitar", "trap drums". It gives way to one named by itself. */
function lent({ meaning }: Heard): NamedGenre | null {
  if (meaning.instrument === undefined) return null;
  const found = inside(meaning).find(({ genre }) => genre !== undefined && genre.strength > 1)?.genre;
  return found === undefined ? null : { ...found, strength: 2 };
}

/** General names that a decade makes a genre of its own. */
const DECADES: Readonly<Partial<Record<Genre, Readonly<Record<number, Genre>>>>> = {
  pop: { 1940: "swing", 1950: "rockabilly", 1960: "motown", 1970: "disco", 1980: "synthpop" },
  rock: { 1950: "rockabilly", 1960: "classic_rock", 1970: "classic_rock", 1980: "classic_rock", 1990: "grunge" },
  hip_hop: { 1980: "electro", 1990: "boom_bap" },
  jazz: { 1910: "ragtime", 1920: "swing", 1930: "swing", 1940: "swing" },
  edm: { 1970: "disco", 1980: "synthpop", 1990: "trance" },
  rnb: { 1950: "soul", 1960: "soul", 1970: "soul" },
  synthpop: {},
};

function ofDecade(genre: Genre, decade: number): Genre | null {
  return DECADES[genre]?.[decade] ?? null;
}

/** Genres that a decade suggests by itself. */
const OF_DECADE: Readonly<Record<number, readonly Genre[]>> = {
  1900: ["ragtime"],
  1910: ["ragtime"],
  1920: ["ragtime", "swing"],
  1930: ["swing", "blues"],
  1940: ["swing"],
  1950: ["rockabilly", "swing"],
  1960: ["motown", "surf_rock", "soul"],
  1970: ["disco", "funk", "classic_rock"],
  1980: ["synthwave", "synthpop"],
  1990: ["boom_bap", "trance", "grunge"],
  2000: ["rnb", "pop", "trance"],
  2010: ["edm", "indie_pop", "trap"],
  2020: ["pop", "trap", "lofi"],
};

/** What may be meant when nothing says so; the rest want to be named. */
const PLAUSIBLE: readonly Genre[] = [
  ..."pop indie_pop synthpop dream_pop singer_songwriter rock indie_rock metal post_rock funk soul hip_hop trap lofi jazz".split(
    " ",
  ),
  ..."smooth_jazz house deep_house techno edm drum_and_bass synthwave chillout trip_hop downtempo ambient dark_ambient".split(
    " ",
  ),
  ..."new_age folk cinematic epic trailer horror piano_solo minimalism corporate fantasy lullaby punk industrial".split(
    " ",
  ),
] as Genre[];

/** What is meant when nothing at all is known. */
const COMMON: readonly Genre[] = [
  ..."pop indie_pop synthpop rock funk hip_hop lofi jazz house deep_house synthwave chillout".split(" "),
  ..."downtempo folk cinematic ambient post_rock drum_and_bass".split(" "),
] as Genre[];

export interface Hints {
  readonly scenes: readonly (readonly Genre[])[];
  readonly instruments: readonly Instrument[];
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

const TRAITS_SPEAK_FOR: Readonly<Record<string, readonly Genre[]>> = {
  "no drums": ["ambient", "piano_solo", "new_age"],
  acoustic: ["folk", "singer_songwriter"],
  orchestral: ["cinematic", "classical"],
  electronic: ["edm", "downtempo", "synthwave"],
  "four on the floor": ["house", "techno", "disco"],
  drop: ["edm", "dubstep"],
  swung: ["swing", "jazz", "blues"],
  "walking bass": ["jazz"],
  "bass heavy": ["trap", "dubstep"],
  chopped: ["boom_bap", "lofi"],
  arpeggiated: ["synthwave", "minimalism"],
  "live band": ["rock", "funk"],
  riff: ["rock"],
};

/** Genres that moods call to mind; what is missing is settled by its place on the scales. */
const MOODS_SPEAK_FOR: Readonly<Record<string, string>> = {
  happy: "pop indie_pop funk",
  joyful: "pop folk indie_pop",
  uplifting: "corporate house cinematic",
  inspiring: "cinematic corporate post_rock",
  motivational: "corporate rock epic",
  hopeful: "corporate post_rock cinematic",
  positive: "corporate pop indie_pop",
  upbeat: "pop funk house",
  fun: "pop funk ska",
  playful: "pop childrens indie_pop",
  quirky: "childrens chiptune jazz",
  whimsical: "fantasy waltz childrens",
  cute: "jpop childrens chiptune",
  sunny: "indie_pop reggae deep_house",
  carefree: "indie_pop folk reggae",
  festive: "pop disco house",
  triumphant: "epic cinematic march",
  heroic: "epic cinematic trailer",
  majestic: "cinematic epic classical",
  euphoric: "trance edm house",
  anthemic: "rock edm pop",
  energetic: "edm rock drum_and_bass",
  powerful: "rock epic trailer",
  intense: "trailer drum_and_bass metal",
  confident: "hip_hop funk house",
  groovy: "funk disco neo_soul",
  danceable: "house disco pop",
  sexy: "rnb neo_soul deep_house",
  calm: "ambient new_age piano_solo",
  peaceful: "ambient new_age folk",
  relaxing: "chillout lofi ambient",
  gentle: "piano_solo folk ambient",
  warm: "folk lofi singer_songwriter",
  dreamy: "dream_pop ambient chillout",
  ethereal: "ambient dream_pop new_age",
  spiritual: "new_age ambient gospel",
  romantic: "piano_solo jazz singer_songwriter",
  intimate: "singer_songwriter piano_solo jazz",
  innocent: "lullaby piano_solo childrens",
  graceful: "classical piano_solo waltz",
  beautiful: "piano_solo cinematic romantic",
  sentimental: "piano_solo singer_songwriter cinematic",
  emotional: "cinematic piano_solo post_rock",
  nostalgic: "lofi synthwave indie_pop",
  wistful: "folk piano_solo dream_pop",
  bittersweet: "indie_pop piano_solo post_rock",
  reflective: "piano_solo ambient minimalism",
  focused: "lofi minimalism ambient",
  curious: "minimalism fantasy cinematic",
  sad: "piano_solo singer_songwriter cinematic",
  melancholic: "piano_solo trip_hop post_rock",
  heartbroken: "piano_solo rnb singer_songwriter",
  lonely: "ambient piano_solo trip_hop",
  mournful: "classical cinematic romantic",
  tragic: "cinematic romantic classical",
  bleak: "dark_ambient cinematic post_rock",
  dark: "dark_ambient trap techno",
  mysterious: "cinematic trip_hop dark_ambient",
  suspenseful: "cinematic horror trailer",
  tense: "cinematic trailer horror",
  scary: "horror dark_ambient",
  eerie: "horror dark_ambient",
  sinister: "horror trap trailer",
  angry: "metal punk industrial",
  aggressive: "metal dubstep trap",
  chaotic: "drum_and_bass metal bebop",
  gritty: "hip_hop blues rock",
  dramatic: "cinematic trailer classical",
  apocalyptic: "trailer industrial dark_ambient",
  hypnotic: "techno minimalism deep_house",
  psychedelic: "classic_rock dream_pop trance",
  futuristic: "electro synthwave techno",
  cosmic: "ambient synthwave new_age",
  adventurous: "cinematic fantasy game",
  magical: "fantasy cinematic new_age",
  exotic: "afrobeat arabic downtempo",
  rustic: "folk americana country",
  vintage: "swing soul jazz",
  sleepy: "ambient lullaby new_age",
  healing: "new_age ambient",
  distorted: "rock industrial metal",
  sneaky: "jazz cinematic",
  drunken: "celtic folk rockabilly",
  mellow_night: "lofi deep_house trip_hop",
  morning: "folk indie_pop ambient",
  sporty: "edm rock trap",
  scholarly: "corporate minimalism",
  hypnagogic: "vaporwave lofi",
  sassy: "funk disco pop",
  royal_court: "baroque classical",
  lost: "ambient dark_ambient vaporwave",
  determined: "epic rock hip_hop",
  resilient: "cinematic pop rock",
  innocent_sad: "piano_solo singer_songwriter",
  ceremonial: "march classical",
};

/** A genre for a prompt that names none: what its scenes, instruments, decade and moods speak for; the hash settles what they leave open. */
export function guessedGenre(hints: Hints): Chosen {
  const points = new Map<Genre, number>();
  const give = (genres: readonly Genre[] | undefined, most: number): void => {
    (genres ?? []).slice(0, 3).forEach((genre, n) => {
      points.set(genre, (points.get(genre) ?? 0) + most * (1 - 0.2 * n));
    });
  };
  for (const [n, genres] of hints.scenes.entries()) give(genres, n === 0 ? 3 : 2);
  for (const [n, instrument] of hints.instruments.entries()) give(SPEAKS_FOR[instrument], n < 3 ? 1.8 : 0.8);
  for (const trait of hints.traits) give(TRAITS_SPEAK_FOR[trait], 1.4);
  for (const [n, mood] of hints.moods.slice(0, 3).entries())
    give(MOODS_SPEAK_FOR[mood]?.split(" ") as Genre[] | undefined, 1.2 - 0.3 * n);
  if (hints.decade !== null) give(OF_DECADE[hints.decade], 1.6);
  const only = new Set(hints.instruments);
  if (hints.traits.includes("solo") && only.has("piano")) give(["piano_solo"], 4);
  const open = hints.mood === null ? COMMON : PLAUSIBLE;
  const candidates = (points.size > 0 ? [...points.keys()] : open).filter((genre) => !hints.unwanted.includes(genre));
  const scored = (candidates.length > 0 ? candidates : PLAUSIBLE)
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
  const profile = PROFILES[genre];
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
