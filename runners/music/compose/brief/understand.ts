/** A prompt to what is to be composed. Never throws, never leaves anything open; the same words give the same brief. */

import { type Ask, type Mention, readAsk, type TempoAsked } from "../../../language/mod.ts";
import type { Metre } from "../../../signal/analyse/mod.ts";
import { clamp, rounded } from "../../../signal/dsp/numbers.ts";
import { hash32 } from "../../../signal/dsp/random.ts";
import type { Brief, Taken } from "../brief.ts";
import { cuesOf, type Players } from "../cues.ts";
import { type DrumPiece, pieceNamed } from "../drum_pieces.ts";
import { type Genre, genreName, genrePack, genres, type ModeName, profileOf } from "../genres.ts";
import { calledOn, type Instrument, instrumentOf } from "../instruments.ts";
import { METRES } from "../metres.ts";
import type { Key, Role } from "../score.ts";
import { type Chosen, genresFor, guessedGenre, namedGenre } from "./choose_genre.ts";
import { type Heard, inside, lexicon, type Meaning, meaningOf, type Special, type TempoWord } from "./lexicon.ts";
import { drummers, memberFor, type NamedInstrument } from "./named_instruments.ts";
import { SHIFTED, type Shift, STILL, scaled } from "./shift.ts";
import { TEXTURES, type Texture } from "./textures.ts";
import { PLACES } from "./traits.ts";

/** More than an ensemble can show. */
const WANTED_MAX = 12;
const UNKNOWN_MAX = 40;

/** Lengths that a piece can have, seconds. */
const SECONDS_MIN = 10;
const SECONDS_MAX = 300;

/** What a prompt asks, in the words of music. */
export function readPrompt(prompt: string): Ask {
  return readAsk(prompt, lexicon());
}

/** What was taken by its spelling, or for something near in meaning. */
function takenFor({ text, mentions }: Ask): NonNullable<Brief["taken_for"]> {
  return mentions.flatMap(({ guessed, from, to, phrase, concepts: [concept] }) =>
    guessed === null || concept === undefined ? [] : [{ word: text.slice(from, to), phrase, concept }],
  );
}

/** What must not be there, as it was said: "loud guitars", "fret noise". */
function deniedIn({ text, mentions, unknown }: Ask): readonly string[] {
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
function temperedIn({ mentions }: Ask): readonly string[] {
  return mentions.flatMap(({ polarity, phrase, concepts }) =>
    (polarity === "less" || polarity === "softened") && concepts.some((concept) => concept.startsWith("mood:"))
      ? [`${polarity === "less" ? "less" : "not too"} ${phrase}`]
      : [],
  );
}

/** @param asked tags or sentences in any language, or what was read in them */
export function understand(asked: string | Ask): Brief {
  const ask = typeof asked === "string" ? readPrompt(asked) : asked;
  const { colour, era: era_said, key: key_said, metre: metre_said } = ask;
  const bpm_said = ask.tempo === null ? null : bpmOf(ask.tempo);
  const seconds = ask.seconds === null ? undefined : clamp(ask.seconds, SECONDS_MIN, SECONDS_MAX);
  const all = ask.mentions.flatMap((said): Heard[] => {
    const meaning = said.polarity === "compared" ? null : meaningOf(said.phrase);
    return meaning === null ? [] : [{ said, meaning }];
  });

  const said = gather(ask, all);
  // A place outweighs what else is said of the room.
  const there = { ...STILL, ...PLACES[ask.place?.name ?? ""] };
  const moods_total = total(said.changes);
  const chosen = accompanied(
    said,
    namedGenre(all, era_said, said.unwanted_genres) ??
      guessedGenre({
        scenes: said.scenes,
        instruments: said.named.flatMap(hinted),
        instrument_names: all.flatMap(({ said: { polarity }, meaning }) =>
          polarity === "wanted" && meaning.instrument !== undefined ? [meaning.phrase] : [],
        ),
        decade: era_said,
        traits: [...said.traits],
        moods: said.moods,
        mood: said.changes.length > 0 ? moods_total : null,
        unwanted: said.unwanted_genres,
        bpm: bpm_said,
        colour,
      }),
  );
  const { genre, special } = chosen;
  const second =
    chosen.second ?? said.scenes.flatMap(genresFor).find((other) => other !== genre && !chosen.named) ?? null;
  const profile = profileOf(genre);

  const traits = new Set([...said.traits, ...(special?.traits ?? [])]);
  if (chosen.named && said.solo_after && genrePack(genre).nature?.for_soloists !== true) traits.delete("solo");
  if (genrePack(genre).solo !== undefined) traits.add("solo");
  for (const trait of traitsOf(ask)) traits.add(trait);
  const acoustic = traits.has("acoustic");
  const unwanted = { ...denied(said), said: deniedIn(ask) };
  const wanted = new Set<Instrument>();
  for (const named of said.named) {
    const usual = special?.want.find((one) => named.instruments.length > 1 && named.instruments.includes(one));
    const instrument = (acoustic ? undefined : usual) ?? memberFor(named, genre, acoustic);
    const left = [instrument, ...named.instruments].find((one) => !unwanted.instruments.includes(one));
    if (left !== undefined) wanted.add(left);
  }
  const [singer] = calledOn("sing");
  if (traits.has("a cappella") && !unwanted.instruments.includes(singer!)) wanted.add(singer!);
  const alone = traits.has("solo") || traits.has("nothing else") || traits.has("a cappella");
  if (!alone || wanted.size === 0)
    for (const instrument of special?.want ?? [])
      if (!unwanted.instruments.includes(instrument)) wanted.add(instrument);

  const scene = new Set<Texture>([...said.textures, ...(special?.scene ?? [])]);
  for (const instrument of wanted) {
    const texture = instrument.replace(/_(?:texture|noise|hiss)$/u, "") as Texture;
    if (TEXTURES.includes(texture)) scene.add(texture);
  }
  for (const instrument of unwanted.instruments)
    scene.delete(instrument.replace(/_(?:texture|noise|hiss)$/u, "") as Texture);

  const era = era_said ?? special?.era ?? null;
  const levels = levelsOf(genre, second, special, sum(moods_total, there), era_said, colour);
  const mood_mode = clamp(moods_total.mode, -1, 1);
  const key: Key = {
    mode: key_said?.mode ?? modeOf(special?.modes ?? profile.modes, mood_mode, colour),
    tonic: key_said?.tonic ?? -1,
  };
  const waltzing = all.some(({ said: { polarity }, meaning }) => polarity === "wanted" && WALTZ.test(meaning.phrase));
  const metre: Metre = metre_said ?? (waltzing ? METRES["3/4"]! : (special?.metre ?? profile.metre));
  const swing_said = traits.has("swung") ? Math.max(0.64, profile.swing) : traits.has("straight") ? 0.5 : null;

  // "Slower" in languages that say it in two words.
  const tempo = said.tempo ?? (ask.pace === "slower" ? "slow" : ask.pace === "faster" ? "fast" : null);
  const bpm = bpm_said ?? tempoOf(special?.bpm ?? profile.bpm, tempo, moods_total.tempo, colour);
  const { cues, dynamics } = cuesOf(ask, (mention) => playersOf(ask.mentions[mention]!));
  const bars = seconds === undefined && ask.bars !== null ? barsWithin(ask.bars, metre, bpm) : undefined;

  const explicit: string[] = [];
  const say = (field: string, is: boolean): void => {
    if (is) explicit.push(field);
  };
  say("genre", chosen.named);
  say("moods", said.moods.length > 0);
  say("bpm", bpm_said !== null);
  say("key", key_said !== null && key_said.tonic !== null && key_said.mode !== null);
  say("tonic", key_said !== null && key_said.tonic !== null && key_said.mode === null);
  say("mode", key_said !== null && key_said.tonic === null && key_said.mode !== null);
  say("metre", metre_said !== null || waltzing);
  say("seconds", seconds !== undefined);
  say("bars", bars !== undefined);
  say("space", ask.place !== null);
  say("swing", swing_said !== null);
  say("wanted", said.named.length > 0);
  say("unwanted", unwanted.instruments.length > 0 || unwanted.roles.length > 0 || unwanted.drum_pieces !== undefined);
  say("era", era_said !== null);
  say("scene", said.textures.length > 0);
  say(
    "traits",
    [...said.traits].some((trait) => traits.has(trait)),
  );

  return {
    genre,
    second_genre: second === genre ? null : second,
    moods: said.moods,
    tempered: temperedIn(ask),
    bpm,
    key: { ...key, tonic: key.tonic >= 0 ? key.tonic : tonicOf(key.mode, colour) },
    metre,
    ...(ask.metre_name === null ? {} : { metre_name: ask.metre_name }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(bars === undefined ? {} : { bars, seconds: rounded((bars * metre.beats_per_bar * 60) / bpm) }),
    ...(cues.length === 0 ? {} : { cues }),
    ...(dynamics.length === 0 ? {} : { dynamics }),
    ...(ask.pace === null ? {} : { pace: ask.pace }),
    ...(ask.place === null ? {} : { place: ask.place }),
    swing: swing_said ?? special?.swing ?? profile.swing,
    ...levels,
    wanted: [...wanted].slice(0, WANTED_MAX),
    unwanted,
    era,
    scene: [...scene],
    traits: [...traits, ...(tempo === null ? [] : [tempo])],
    explicit,
    taken_for: takenFor(ask),
    taken: takenFrom(all, ask.text, { genre, second, wanted, scene, acoustic }),
    unknown: ask.unknown
      .filter(({ polarity }) => polarity !== "unwanted")
      .slice(0, UNKNOWN_MAX)
      .map(({ word }) => word),
    colour,
  };
}

/** What is asked of the course in words that are traits as well. */
function traitsOf({ form, dynamics }: Ask): string[] {
  const out: string[] = [];
  if (form.some(({ event, what }) => event === "ends" && what === "fade out")) out.push("fade out");
  if (dynamics.some(({ section, level }) => section === "end" && level === "soft")) out.push("soft ending");
  if (dynamics.some(({ who, level }) => who.length === 0 && level === "crescendo")) out.push("build up");
  return out;
}

/** As many bars as a piece can have at its tempo. */
function barsWithin(bars: number, { beats_per_bar }: Metre, bpm: number): number {
  const seconds = (beats_per_bar * 60) / bpm;
  return clamp(Math.round(bars), Math.ceil(SECONDS_MIN / seconds), Math.floor(SECONDS_MAX / seconds));
}

/** Who is meant where something is said of a player; null for the whole band. */
function playersOf({ phrase, concepts }: Mention): Players | null {
  const named = meaningOf(phrase)?.instrument;
  const sings = concepts.some((concept) => concept === "trait:vocal" || concept.startsWith("voice:"));
  if (named === undefined) return sings ? { name: "vocals", instruments: [], roles: VOICES } : null;
  const { instruments, roles } = named;
  return { name: phrase, instruments, roles: roles.includes("drums") ? ["drums", "percussion"] : roles };
}

const VOICES: readonly Role[] = ["vocal", "backing"];

const WALTZ = /\b(?:waltz|valse)/u;

/** What names what the brief holds, in words of its own. */
function takenFrom(
  all: readonly Heard[],
  text: string,
  brief: {
    readonly genre: Genre;
    readonly second: Genre | null;
    readonly wanted: ReadonlySet<Instrument>;
    readonly scene: ReadonlySet<Texture>;
    readonly acoustic: boolean;
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
      const played = memberFor(instrument, brief.genre, brief.acoustic);
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

/** How far beyond the number "faster than 90" goes. */
const BEYOND = 0.06;

function bpmOf({ bpm, compared }: TempoAsked): number {
  if (compared === "at") return bpm;
  return Math.round(compared === "faster" ? bpm * (1 + BEYOND) : bpm * (1 - BEYOND));
}

/** How much a mood counts that is part of a genre's name ("dark ambient"), or of an instrument's ("warm pads"). */
const INSIDE = 0.6;
const INSIDE_INSTRUMENT = 0.35;

interface Said {
  readonly moods: string[];
  /** Shifts of moods, scenes and traits, strongest first. */
  readonly changes: readonly Shift[];
  readonly named: readonly NamedInstrument[];
  readonly denied: readonly NamedInstrument[];
  readonly pieces: readonly DrumPiece[];
  /** "No melody". */
  readonly tuneless: boolean;
  readonly scenes: readonly string[];
  readonly textures: readonly Texture[];
  readonly traits: ReadonlySet<string>;
  /** "Solo" stands after an instrument. */
  readonly solo_after: boolean;
  readonly unwanted_genres: readonly Genre[];
  readonly tempo: TempoWord | null;
}

/** Parts that an instrument may leave out and stay: "no guitar solo". */
const PARTS = new Set(["solo", "riff", "melodic", "ostinato", "arpeggiated"]);

function gather({ mentions }: Ask, all: readonly Heard[]): Said {
  const moods = new Map<string, { change: Shift; size: number }>();
  const others: Shift[] = [];
  const named = new Set<NamedInstrument>();
  const denied = new Set<NamedInstrument>();
  const pieces = new Set<DrumPiece>();
  const scenes: string[] = [];
  const textures = new Set<Texture>();
  const traits = new Set<string>();
  let solo_after = false;
  const unwanted_genres: Genre[] = [];
  if (all.some(({ said, meaning }) => said.polarity === "wanted" && /\ba cappella\b/u.test(meaning.phrase)))
    traits.add("a cappella");
  let tempo: TempoWord | null = null;
  let tuneless = false;
  const feel = (name: string, change: Shift): void => {
    const size = SHIFTED.reduce((sum, field) => sum + Math.abs(change[field]), 0);
    const old = moods.get(name);
    if (old === undefined || old.size < size) moods.set(name, { change, size });
  };
  const deny = (meaning: Meaning, { polarity, of }: Mention): void => {
    const head = of === null ? undefined : mentions[of];
    // Drums that are denied may have been dark or not.
    if (meaning.mood !== undefined && head?.polarity !== "unwanted") others.push(scaled(meaning.mood.shift, -0.5));
    if (meaning.tempo !== undefined) tempo ??= OPPOSITE[meaning.tempo];
    if (polarity === "softened" && meaning.instrument !== undefined) named.add(meaning.instrument);
    if (polarity !== "unwanted") return;
    // "A choir, but no children's choir" leaves the choir.
    const wider = all.some(({ said, meaning: { instrument, phrase } }) => {
      return said.polarity === "wanted" && instrument === meaning.instrument && meaning.phrase.endsWith(` ${phrase}`);
    });
    // "No guitar solo" leaves the guitar.
    const part_of =
      wider ||
      / solos?$/u.test(meaning.phrase) ||
      (head !== undefined && PARTS.has(meaningOf(head.phrase)?.trait?.name ?? ""));
    if (meaning.instrument !== undefined && !part_of) {
      // "No hi-hats" leaves the drummer the rest of the kit.
      const piece = meaning.instrument.roles.includes("drums") ? pieceNamed(meaning.phrase) : undefined;
      if (piece !== undefined) pieces.add(piece);
      else denied.add(meaning.instrument);
    }
    if (meaning.genre !== undefined) unwanted_genres.push(meaning.genre.genre);
    if (meaning.trait?.name === "no drums") traits.delete("no drums");
    if (meaning.trait?.name === "melodic" && head === undefined) tuneless = true;
  };
  const mean = (meaning: Meaning, said: Mention, part: number): void => {
    if (said.polarity !== "wanted") {
      deny(meaning, said);
      return;
    }
    const { degree } = said;
    // A muted trumpet does not make the piece muffled.
    if (meaning.mood !== undefined && !(part < 1 && meaning.mood.name === "muffled"))
      feel(meaning.mood.name, scaled(meaning.mood.shift, degree * part));
    if (part < INSIDE && meaning.instrument !== undefined) return;
    // A "choir-like" organ is no choir.
    if (meaning.instrument !== undefined && !said.likened) named.add(meaning.instrument);
    // "Piano trio" and "jazz trio" are names, and say how many play as well.
    const size = /\b(?:trio|duo|duet)\b/u.exec(meaning.phrase)?.[0];
    if (size !== undefined) traits.add(size === "trio" ? "trio" : "duo");
    if (part < 1) return;
    if (meaning.tempo !== undefined) tempo ??= stronger(meaning.tempo, degree);
    if (meaning.scene !== undefined) {
      scenes.push(meaning.scene.id);
      others.push(meaning.scene.shift);
      for (const texture of meaning.scene.textures) textures.add(texture);
    }
    if (meaning.trait !== undefined) {
      traits.add(meaning.trait.name);
      others.push(scaled(meaning.trait.shift, degree));
    }
  };
  for (const [index, { said, meaning }] of all.entries()) {
    mean(meaning, said, 1);
    const after = said.adjacent && all[index - 1]?.meaning.instrument !== undefined;
    if (said.polarity === "wanted" && meaning.trait?.name === "solo" && after) solo_after = true;
    const { genre, instrument, phrase } = meaning;
    if (said.polarity !== "wanted" || /drum (?:and|n) bass|string|boom bap/u.test(phrase)) continue;
    if (genre !== undefined) for (const one of inside(meaning)) mean(one, said, INSIDE);
    else if (instrument !== undefined) for (const one of inside(meaning)) mean(one, said, INSIDE_INSTRUMENT);
  }
  const players = all.filter(({ said, meaning }) => meaning.instrument !== undefined && said.polarity === "wanted");
  if (players[0]?.said.alone === true || players.at(-1)?.said.alone === true)
    traits.add(players.length === 1 ? "solo" : "nothing else");
  const ordered = [...moods].sort(([, a], [, b]) => b.size - a.size);
  return {
    moods: ordered.map(([name]) => name),
    changes: [...ordered.map(([, { change }]) => change), ...others],
    named: [...named].filter((one) => !denied.has(one)),
    denied: [...denied],
    pieces: [...pieces],
    tuneless,
    scenes,
    textures: [...textures],
    traits,
    solo_after,
    unwanted_genres,
    tempo,
  };
}

const OPPOSITE: Readonly<Record<TempoWord, TempoWord>> = {
  "very slow": "relaxed",
  slow: "moderate",
  relaxed: "moderate",
  moderate: "moderate",
  brisk: "relaxed",
  fast: "relaxed",
  "very fast": "moderate",
};

function stronger(word: TempoWord, degree: number): TempoWord {
  if (degree > 1) return word === "slow" ? "very slow" : word === "fast" ? "very fast" : word;
  if (degree < 1) return word === "slow" ? "relaxed" : word === "fast" ? "brisk" : word;
  return word;
}

/** All changes at once: the first counts in full, each further one less, so that twenty tags do not run off the scale. */
function total(changes: readonly Shift[]): Shift {
  const out: { -readonly [K in keyof Shift]: number } = { ...STILL };
  for (const field of SHIFTED) {
    const values = changes.map((change) => change[field]).filter((value) => value !== 0);
    values.sort((a, b) => Math.abs(b) - Math.abs(a));
    values.forEach((value, n) => {
      out[field] += value / (1 + 0.7 * n);
    });
  }
  return out;
}

function sum(one: Shift, other: Shift): Shift {
  const out: { -readonly [K in keyof Shift]: number } = { ...one };
  for (const field of SHIFTED) out[field] += other[field];
  return out;
}

interface Levels {
  readonly energy: number;
  readonly valence: number;
  readonly brightness: number;
  readonly density: number;
  readonly space: number;
  readonly drive: number;
  readonly age: number;
}

/** Share of the second genre in what the first one is. */
const SECOND = 0.28;
/** How far the hash moves a level, either way. */
const COLOUR = 0.05;

function levelsOf(
  genre: Genre,
  second: Genre | null,
  special: Special | null,
  moods: Shift,
  era: number | null,
  colour: number,
): Levels {
  const first = profileOf(genre);
  const other = second === null ? first : profileOf(second);
  const level = (field: keyof Levels, n: number): number => {
    const ground = first[field] + SECOND * (other[field] - first[field]) + (special?.shift[field] ?? 0);
    const aged = field === "age" && era !== null ? Math.max(ground, wear(era)) : ground;
    return rounded(clamp(aged + moods[field] + 2 * COLOUR * (unit(colour, 10 + n) - 0.5), 0.02, 0.98));
  };
  return {
    energy: level("energy", 0),
    valence: level("valence", 1),
    brightness: level("brightness", 2),
    density: level("density", 3),
    space: level("space", 4),
    drive: level("drive", 5),
    age: level("age", 6),
  };
}

/** How worn a decade's recordings sound. */
function wear(decade: number): number {
  if (decade < 1900) return 0.3;
  if (decade < 1940) return 0.85;
  return clamp(0.8 - (0.75 * (decade - 1940)) / 70, 0, 1);
}

/** Beats a minute within what the genre bears; "slow" and "fast" may go a little beyond. */
function tempoOf(
  { low, usual, high }: { readonly low: number; readonly usual: number; readonly high: number },
  word: TempoWord | null,
  mood: number,
  colour: number,
): number {
  const grain = 2 * (unit(colour, 3) - 0.5);
  const inside = (place: number): number =>
    place < 0 ? usual + place * (usual - low) : usual + place * (high - usual);
  const slow = low > 105 ? low * 0.96 : Math.min(96, low * 0.94);
  if (word === "very slow") return Math.round(slow * (low > 105 ? 0.92 : 0.84) * (1 + 0.02 * grain));
  if (word === "slow") return Math.round(slow * (1 + 0.03 * grain));
  if (word === "relaxed") return Math.round(inside(-0.5 + 0.1 * grain));
  if (word === "moderate") return Math.round(inside(0.15 * grain));
  if (word === "brisk") return Math.round(inside(0.5 + 0.1 * grain));
  if (word === "fast") return Math.round(Math.max(116, high * 1.02) * (1 + 0.02 * grain));
  if (word === "very fast") return Math.round(Math.max(144, high * 1.1) * (1 + 0.02 * grain));
  return Math.round(inside(clamp(mood, -0.85, 0.85) + 0.25 * grain));
}

const BRIGHT: readonly ModeName[] = ["major", "lydian", "mixolydian"];

/** A mode by the genre's weights, bent by the moods; the hash decides among what is left. */
function modeOf(weights: Readonly<Partial<Record<ModeName, number>>>, mood: number, colour: number): ModeName {
  const bent: [ModeName, number][] = [];
  for (const mode of ["major", "minor", "dorian", "phrygian", "lydian", "mixolydian"] as const) {
    const ground = (weights[mode] ?? 0) + (mode === "major" || mode === "minor" ? 0.15 : 0);
    const bright = BRIGHT.includes(mode);
    const toward = bright ? mood : -mood;
    // "dorian" is darker than major and lighter than minor.
    const pull = mode === "dorian" ? toward * 0.4 : toward;
    const weight = ground * (pull >= 0 ? 1 + 12 * pull : Math.max(0.004, 1 + 1.15 * pull));
    if (weight > 0) bent.push([mode, weight * weight]);
  }
  return drawn(bent, unit(colour, 4));
}

const TONICS_MAJOR = [6, 2, 6, 3, 5, 5, 1, 6, 3, 5, 4, 1] as const;
const TONICS_MINOR = [5, 3, 6, 2, 6, 4, 3, 4, 2, 7, 2, 4] as const;

/** A tonic that players like: few sharps and flats come up oftener. */
function tonicOf(mode: ModeName, colour: number): number {
  const weights = BRIGHT.includes(mode) ? TONICS_MAJOR : TONICS_MINOR;
  return drawn(
    weights.map((weight, tonic) => [tonic, weight]),
    unit(colour, 5),
  );
}

function drawn<T>(weighted: readonly (readonly [T, number])[], at: number): T {
  let left = at * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of weighted) {
    left -= weight;
    if (left < 0) return value;
  }
  return weighted.at(-1)![0];
}

/** Hardly itself without drums. */
const beaten = (genre: Genre): boolean => genrePack(genre).nature?.needs_drums === true;

/** Drums alone bring it to mind. */
const drummed = (genre: Genre): boolean => genrePack(genre).suggested_by?.drums_alone === true;

/** "Sad piano and cello" is no piano alone. */
function accompanied({ named, denied, traits, moods, scenes }: Said, chosen: Chosen): Chosen {
  // A drummer alone is no ambience.
  const drums = named.length > 0 && named.every(({ roles }) => roles.includes("drums"));
  if (drums && !chosen.named && traits.has("solo") && moods.length + scenes.length === 0)
    return { ...chosen, genre: genres().find(drummed) ?? chosen.genre, second: null };
  // Without drums, and with players of another kind of music, that one leads.
  const beatless = denied.some(({ roles }) => roles.includes("drums"));
  if (beatless && !chosen.named && beaten(chosen.genre) && chosen.second !== null && !beaten(chosen.second))
    return { ...chosen, genre: chosen.second, second: chosen.second };
  const { solo } = genrePack(chosen.genre);
  if (solo === undefined) return chosen;
  const others = named.some(({ instruments: [first] }) => !first!.includes(solo.instrument) && !isTexture(first!));
  return others ? { ...chosen, genre: chosen.second ?? solo.with_others, second: chosen.genre } : chosen;
}

function isTexture(instrument: Instrument): boolean {
  return instrumentOf(instrument).texture !== undefined;
}

/** What an instrument stands for while the genre is still open: a kit or a bass says nothing, a guitar is one of two. */
function hinted({ instruments, roles, group }: NamedInstrument): readonly Instrument[] {
  if (roles.includes("drums") || roles.includes("bass") || roles.includes("percussion")) return [];
  return group?.speakers ?? [instruments[0]!];
}

function denied(said: Said): Brief["unwanted"] {
  const instruments = new Set(said.denied.flatMap((named) => [...named.instruments]));
  const roles = new Set<Role>(said.denied.flatMap((named) => [...named.roles]));
  if (said.traits.has("no drums") || roles.has("percussion")) {
    roles.add("drums").add("percussion");
    for (const kit of drummers()) instruments.add(kit);
  }
  if (said.tuneless) roles.add("lead").add("counter");
  // Who wants no piano hears one in an electric piano, unless that was asked for by name.
  const named = said.named.flatMap((one) => one.instruments);
  for (const { group } of said.denied)
    for (const kin of group?.shuns ?? []) if (!named.includes(kin)) instruments.add(kin);
  // "A drum machine rather than live drums", "no guitars, only a nylon guitar": one of those that are denied.
  for (const one of said.named) {
    if (!said.denied.some((other) => isOneOf(one, other))) continue;
    for (const instrument of one.instruments) instruments.delete(instrument);
    for (const role of one.roles) roles.delete(role);
  }
  return {
    instruments: [...instruments],
    roles: [...roles],
    ...(said.pieces.length === 0 ? {} : { drum_pieces: said.pieces }),
  };
}

function isOneOf({ instruments }: NamedInstrument, group: NamedInstrument): boolean {
  const { length } = instruments;
  return length < group.instruments.length && instruments.every((one) => group.instruments.includes(one));
}

function unit(colour: number, index: number): number {
  return hash32(colour, index) / 0x1_0000_0000;
}
