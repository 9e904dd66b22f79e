/** A prompt to what is to be composed. Never throws, never leaves anything open; the same words give the same brief. */

import { type Ask, type Mention, readAsk, type TempoAsked } from "../../../language/mod.ts";
import { derived } from "../../../packs/mod.ts";
import type { Metre } from "../../../signal/analyse/mod.ts";
import { clamp, rounded } from "../../../signal/dsp/numbers.ts";
import type { Brief } from "../brief.ts";
import { type Cue, cuesOf, isSolo, type Players } from "../cues.ts";
import { genrePack, genres, profileOf } from "../genres.ts";
import { calledOn, type Instrument } from "../instruments.ts";
import { METRES } from "../metres.ts";
import type { Key, Role } from "../score.ts";
import { accompanied } from "./accompanied.ts";
import { genresFor, guessedGenre, namedGenre } from "./choose_genre.ts";
import { extentOf } from "./extent.ts";
import { denied, gather } from "./gather.ts";
import { levelsOf, modeOf, tempoOf, tonicOf } from "./levels.ts";
import { type Heard, lexicon, type Meaning, meaningOf } from "./lexicon.ts";
import { memberFor, type NamedInstrument } from "./named_instruments.ts";
import { keyOfChords, numeralsOf } from "./progression.ts";
import { STILL, sum, total } from "./shift.ts";
import { deniedIn, takenFor, takenFrom, temperedIn } from "./taken.ts";
import { TEXTURES, type Texture } from "./textures.ts";
import { PLACES } from "./traits.ts";
import { halves } from "./turn.ts";

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

/** @param asked tags or sentences in any language, or what was read in them */
export function understand(asked: string | Ask): Brief {
  const ask = typeof asked === "string" ? readPrompt(asked) : asked;
  if (ask.turn === null) return briefOf(ask);
  const [before, after] = halves(ask, ask.turn);
  const [brief, next] = [briefOf(before), briefOf(after)];
  return brief.genre === next.genre
    ? briefOf({ ...ask, turn: null })
    : { ...brief, turn: { brief: next, where: ask.turn.where } };
}

function briefOf(ask: Ask): Brief {
  const { colour, era: era_said, metre: metre_said, progression } = ask;
  const key_said = progression === null ? ask.key : keyOfChords(progression, ask.key);
  const bpm_said = ask.tempo === null ? null : bpmOf(ask.tempo);
  const seconds = ask.seconds === null ? undefined : clamp(ask.seconds, SECONDS_MIN, SECONDS_MAX);
  const all = ask.mentions.flatMap((said): Heard[] => {
    const meaning = said.polarity === "compared" ? null : meaningOf(said.phrase);
    return meaning === null ? [] : [{ said, meaning: joining(said, meaning, ask) }];
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
  const has_solos = chosen.named && said.soloists.length > 0 && genrePack(genre).nature?.for_soloists !== true;
  if (has_solos) traits.delete("solo");
  if (genrePack(genre).solo !== undefined) traits.add("solo");
  for (const trait of traitsOf(ask)) traits.add(trait);
  const acoustic = traits.has("acoustic");
  const unwanted = { ...denied(said), said: deniedIn(ask) };
  const wanted = new Set<Instrument>();
  for (const named of said.named) {
    const usual = special?.want.find((one) => named.instruments.length > 1 && named.instruments.includes(one));
    const instrument = (acoustic ? undefined : usual) ?? memberFor(named, genre, acoustic, chosen.named);
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
  for (const texture of [...wanted].map(textureOf)) if (TEXTURES.includes(texture)) scene.add(texture);
  for (const texture of unwanted.instruments.map(textureOf)) scene.delete(texture);

  const era = era_said ?? special?.era ?? null;
  const levels = levelsOf(genre, second, special, sum(moods_total, there), era_said, colour);
  const mood_mode = clamp(moods_total.mode, -1, 1);
  const mode = key_said?.mode ?? modeOf(special?.modes ?? profile.modes, mood_mode, colour);
  const key: Key = { mode, tonic: key_said?.tonic ?? tonicOf(mode, colour) };
  const waltzing = all.some(({ said: { polarity }, meaning }) => polarity === "wanted" && isInThree(meaning.phrase));
  const metre: Metre = metre_said ?? (waltzing ? METRES["3/4"]! : (special?.metre ?? profile.metre));
  const swing_said = traits.has("swung") ? Math.max(0.64, profile.swing) : traits.has("straight") ? 0.5 : null;

  // "Slower" in languages that say it in two words.
  const tempo = said.tempo ?? (ask.pace === "slower" ? "slow" : ask.pace === "faster" ? "fast" : null);
  const bpm = bpm_said ?? tempoOf(special?.bpm ?? profile.bpm, tempo, moods_total.tempo, colour);
  const { cues, dynamics } = withSolos(
    cuesOf(ask, (mention) => playersOf(ask.mentions[mention]!)),
    has_solos ? said.soloists.flatMap((one) => playersOf(one) ?? []) : [],
    said.no_solo,
  );
  const bars = seconds === undefined && ask.bars !== null ? barsWithin(ask.bars, metre, bpm) : undefined;

  const { tonic: tonic_said = null, mode: mode_said = null } = key_said ?? {};
  const fields: Readonly<Record<string, boolean>> = {
    genre: chosen.named,
    moods: said.moods.length > 0,
    bpm: bpm_said !== null,
    key: tonic_said !== null && mode_said !== null,
    tonic: tonic_said !== null && mode_said === null,
    mode: tonic_said === null && mode_said !== null,
    progression: progression !== null,
    metre: metre_said !== null || waltzing,
    seconds: seconds !== undefined,
    bars: bars !== undefined,
    space: ask.place !== null,
    swing: swing_said !== null,
    wanted: said.named.length > 0,
    unwanted: unwanted.instruments.length > 0 || unwanted.roles.length > 0 || unwanted.drum_pieces !== undefined,
    era: era_said !== null,
    scene: said.textures.length > 0,
    traits: [...said.traits].some((trait) => traits.has(trait)),
  };

  return {
    genre,
    second_genre: second === genre ? null : second,
    moods: said.moods,
    tempered: temperedIn(ask),
    bpm,
    key,
    metre,
    ...(ask.metre_name === null ? {} : { metre_name: ask.metre_name }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(bars === undefined ? {} : { bars, seconds: rounded((bars * metre.beats_per_bar * 60) / bpm) }),
    ...extentOf(ask),
    ...(cues.length === 0 ? {} : { cues }),
    ...(dynamics.length === 0 ? {} : { dynamics }),
    ...(progression === null ? {} : { progression: numeralsOf(progression, key) }),
    ...(ask.pace === null ? {} : { pace: ask.pace }),
    ...(ask.place === null ? {} : { place: ask.place }),
    swing: swing_said ?? special?.swing ?? profile.swing,
    ...levels,
    wanted: [...wanted].slice(0, WANTED_MAX),
    unwanted,
    era,
    scene: [...scene],
    traits: [...traits, ...(tempo === null ? [] : [tempo])],
    explicit: Object.keys(fields).filter((field) => fields[field]),
    taken_for: takenFor(ask),
    taken: takenFrom(all, ask.text, { genre, second, wanted, scene, acoustic, named: chosen.named }),
    ...(ask.fade === null ? {} : { fade: ask.fade }),
    unknown: ask.unknown
      .filter(({ polarity }) => polarity !== "unwanted")
      .slice(0, UNKNOWN_MAX)
      .map(({ word }) => word),
    colour,
  };
}

/** "rain" of "rain_texture". */
function textureOf(instrument: Instrument): Texture {
  return instrument.replace(/_(?:texture|noise|hiss)$/u, "") as Texture;
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
  return {
    ...{ name: phrase.replace(/ solos?$/u, ""), instruments },
    roles: roles.includes("drums") ? ["drums", "percussion"] : roles,
    ...(isSolo(phrase) ? { solo: true } : {}),
  };
}

/** With a solo for each who is to have one and of whom no place was said; with none where that was said of somebody alone. */
function withSolos({ cues, dynamics }: ReturnType<typeof cuesOf>, soloists: readonly Players[], denied: boolean) {
  const told = cues.filter(({ what }) => what === "solo");
  const named = new Set(told.flatMap(({ players }) => players.map(nameOf)));
  const cue = { what: "solo", where: null, bars: null } as const;
  const solos = soloists
    .filter((one) => !named.has(nameOf(one)))
    .map((one): Cue => ({ ...cue, event: "has", players: [one] }));
  const none: readonly Cue[] =
    denied && told.length + solos.length === 0 ? [{ ...cue, event: "lacks", players: [] }] : [];
  return { cues: [...cues, ...solos, ...none], dynamics };
}

const nameOf = ({ name }: Players): string => name;

const VOICES: readonly Role[] = ["vocal", "backing"];

const dances_in_three = derived(() =>
  genres().flatMap((genre) => {
    const { nature, weak_names } = genrePack(genre);
    return nature?.always_in_three === true ? (weak_names?.en ?? []) : [];
  }),
);

/** "Jazz waltz", "valse musette": what is called after a dance in three is in three. */
function isInThree(phrase: string): boolean {
  return phrase.split(" ").some((word) => dances_in_three().some((dance) => word.startsWith(dance)));
}

/** How far beyond the number "faster than 90" goes. */
const BEYOND = 0.06;

/** "Add a string quartet", "folk with a string quartet": its players join what is there, and the music stays what it is. */
function joining(said: Mention, meaning: Meaning, { mentions }: Ask): Meaning {
  const { genre, phrase } = meaning;
  const players = genre === undefined ? undefined : genrePack(genre.genre).players?.[phrase];
  if (players === undefined) return meaning;
  // "Add a choir and a string quartet".
  const first = mentions.findLast((one) => one.from <= said.from && !one.led_by.some(({ role }) => role === "and"));
  const led = (by: string): boolean => (first ?? said).led_by.some(({ role }) => role === by);
  const has_other = mentions.some((other) => other !== said && meaningOf(other.phrase)?.genre !== undefined);
  return led("adding") || (led("with") && has_other) ? (meaningOf(players) ?? meaning) : meaning;
}

function bpmOf({ bpm, compared }: TempoAsked): number {
  if (compared === "at") return bpm;
  return Math.round(compared === "faster" ? bpm * (1 + BEYOND) : bpm * (1 - BEYOND));
}

/** What an instrument stands for while the genre is still open: a kit or a bass says nothing, a guitar is one of two. */
function hinted({ instruments, roles, group }: NamedInstrument): readonly Instrument[] {
  if (roles.includes("drums") || roles.includes("bass") || roles.includes("percussion")) return [];
  return group?.speakers ?? [instruments[0]!];
}
