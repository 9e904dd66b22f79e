/** What each variation is to be: the source's own facts, dressed by the prompt or, without one, nearer or farther from the source. */

import type { Ask } from "../../language/mod.ts";
import { pitchClass } from "../../notes.ts";
import { type GenrePack, packs } from "../../packs/mod.ts";
import type { Analysis } from "../../signal/analyse/mod.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import {
  type Brief,
  type composer,
  type Genre,
  genrePack,
  type Instrument,
  instrumentOf,
  instruments,
} from "../compose/mod.ts";
import type { BeatGrid } from "./grid.ts";
import { readSource, type SourceAsked, TEMPO_RATIOS } from "./source.ts";
import type { Treatment } from "./tune.ts";

export interface Wish {
  readonly brief: Brief;
  readonly treatment: Treatment;
}

type Composer = Awaited<ReturnType<typeof composer.load>>;

const TREATMENTS: readonly Treatment[] = ["plain", "broad", "heads"];
/** Share of drums in the power from which a piece may be of a genre that its beat makes: 20 dB under the whole. */
const DRUMMED = 0.01;
/** A genre can be played at the source's tempo where its own is within this ratio. */
const TEMPO_RATIO = 1.22;
/** From so many changes a bar on, chords are what a piece is known by. */
const MOVING = 0.25;
/** What of a source decides on its genres. */
export interface Kept {
  /** Share of its power that drums have, as far as the separator hears them. */
  readonly drums?: number | undefined;
  /** Changes of chord that are heard in it. */
  readonly changes?: number;
  /** Whether what is far may be danced in four: kicks on every beat of the same tempo are alike as waveforms. */
  readonly fours?: boolean;
}

/**
 * One wish for each seed, from close to far. Tempo, key and metre are the source's save where the prompt names others.
 *
 * @param own what the source is like by itself
 */
export function wishesFor(
  own: Brief,
  ask: Ask | undefined,
  grid: BeatGrid,
  analysis: Analysis,
  seeds: readonly number[],
  composer: Composer,
  { drums = 1, changes = 0, fours = true }: Kept = {},
): Wish[] {
  const moving = changes >= MOVING * grid.bars;
  const covered = (other: Genre | null): boolean => moving && other !== null && is(other, "covers_chords");
  const genre = commonGenre(own, grid, analysis, drums >= DRUMMED, moving, composer);
  const source: Brief = {
    ...own,
    genre,
    second_genre: covered(own.second_genre) || own.second_genre === genre ? null : own.second_genre,
    bpm: grid.bpm,
    metre: grid.metre,
    swing: grid.swing,
    explicit: [...new Set([...own.explicit, "bpm", "key", "metre", "swing"])],
  };
  if (ask !== undefined) {
    const asked = dressed(source, composer.understand({ ...ask, turn: null }), grid, readSource(ask));
    return seeds.map((_, index) => ({ brief: recoloured(asked, index), treatment: TREATMENTS[index % 3]! }));
  }
  return seeds.map((seed, index) => {
    if (index === 0) return { brief: { ...source, second_genre: null }, treatment: "plain" };
    if (index % 2 === 1)
      return { brief: recoloured({ ...source, second_genre: other(source) }, index), treatment: "broad" };
    const far = composer.understand(
      farGenre(source, analysis, hash32(seed, index), moving, fours, composer).replaceAll("_", " "),
    );
    return { brief: recoloured(renamed(source, far), index), treatment: index === 2 ? "plain" : "heads" };
  });
}

/** The same wish without the players of variations before it, and without drones, as far as nobody asked for them. */
export function afresh(wish: Wish, heard: readonly Instrument[]): Wish {
  const { brief } = wish;
  const leave = heard.filter((instrument) => !brief.wanted.includes(instrument));
  // One note held through chords that are to be recognised hides them.
  const drones = instruments().filter((one) => instrumentOf(one).holds_root === true && !brief.wanted.includes(one));
  const unwanted = [...new Set([...brief.unwanted.instruments, ...leave, ...drones])];
  return { ...wish, brief: { ...brief, unwanted: { ...brief.unwanted, instruments: unwanted } } };
}

function is(genre: Genre, nature: keyof NonNullable<GenrePack["nature"]>): boolean {
  return genrePack(genre).nature?.[nature] === true;
}

/** The nearest genre that many pieces are of. */
function commonGenre(
  own: Brief,
  { bpm, metre, steady }: BeatGrid,
  { timbre }: Analysis,
  drummed: boolean,
  moving: boolean,
  { understand }: Composer,
): Genre {
  const triple = metre.beats_per_bar === 3 || metre.division === 3;
  const able = (genre: Genre): boolean =>
    genrePack(genre).guessed.from_sound === "often" &&
    (drummed || !is(genre, "danced_in_four")) &&
    !(moving && is(genre, "covers_chords")) &&
    (triple || !is(genre, "always_in_three"));
  if (able(own.genre)) return own.genre;
  if (own.second_genre !== null && able(own.second_genre)) return own.second_genre;
  const beaten = Math.min(1, timbre.percussive / 0.4);
  let [best, least]: [Genre, number] = [own.genre, Number.POSITIVE_INFINITY];
  for (const genre of packs("genres").keys()) {
    if (!able(genre) || (triple && is(genre, "danced_in_four"))) continue;
    const usual = understand(genre.replaceAll("_", " "));
    if (usual.genre !== genre) continue;
    const ratio = Math.max(usual.bpm / bpm, bpm / usual.bpm);
    const cost =
      (steady ? 3 * Math.max(0, ratio - 1.05) : usual.energy) +
      Math.abs(usual.density - own.density) +
      Math.abs(usual.energy - (own.energy + beaten) / 2) +
      0.7 * Math.abs(usual.brightness - own.brightness) +
      0.5 * Math.abs(usual.age - own.age) +
      4 * Math.abs(usual.swing - own.swing);
    if (cost < least) [best, least] = [genre, cost];
  }
  return best;
}

function recoloured(brief: Brief, index: number): Brief {
  return index === 0 ? brief : { ...brief, colour: hash32(brief.colour, index) };
}

/** A guest for the same piece: the second genre that it is near to. */
function other({ genre, second_genre }: Brief): Genre | null {
  return second_genre === genre ? null : second_genre;
}

/** The source in another genre's clothes: its facts, with half of the genre's temper. */
function renamed(source: Brief, far: Brief): Brief {
  const half = (a: number, b: number): number => Math.round(500 * (a + b)) / 1000;
  return {
    ...source,
    genre: far.genre,
    second_genre: null,
    energy: half(source.energy, far.energy),
    valence: source.valence,
    brightness: half(source.brightness, far.brightness),
    density: half(source.density, far.density),
    space: half(source.space, far.space),
    drive: far.drive,
    age: far.age,
    swing: source.swing === 0.5 ? far.swing : source.swing,
  };
}

/** A genre that can be played at this tempo, unlike the source's: its drums or its quiet, its electricity or its wood. */
function farGenre(
  source: Brief,
  { timbre }: Analysis,
  seed: number,
  moving: boolean,
  fours: boolean,
  { understand }: Composer,
): Genre {
  const triple = source.metre.beats_per_bar === 3 || source.metre.division === 3;
  const candidates = [...packs("genres").keys()]
    .filter(
      (genre) =>
        genre !== source.genre &&
        genre !== source.second_genre &&
        genrePack(genre).guessed.for_contrast &&
        !(moving && is(genre, "covers_chords")) &&
        (fours || !is(genre, "danced_in_four")),
    )
    .map((genre) => ({ genre, brief: understand(genre.replaceAll("_", " ")) }))
    .filter(({ genre, brief }) => brief.genre === genre)
    .map(({ genre, brief }) => {
      const ratio = Math.max(brief.bpm / source.bpm, source.bpm / brief.bpm);
      const three = brief.metre.beats_per_bar === 3 || brief.metre.division === 3;
      const unlike =
        Math.abs(brief.energy - source.energy) +
        Math.abs(brief.density - source.density) +
        0.5 * Math.abs(brief.drive - source.drive) +
        Math.abs(brief.age - source.age) +
        0.5 * Math.abs(brief.brightness - source.brightness) +
        (timbre.percussive < 0.15 && brief.energy > 0.5 ? 0.2 : 0);
      return {
        genre,
        fits: ratio <= TEMPO_RATIO,
        worth:
          unlike - (triple && is(genre, "danced_in_four") ? 3 : triple !== three ? 0.4 : 0) + 0.8 * luck(seed, genre),
      };
    });
  const able = candidates.filter(({ fits }) => fits);
  const ranked = [...(able.length > 0 ? able : candidates)].sort(
    (a, b) => b.worth - a.worth || (a.genre < b.genre ? -1 : 1),
  );
  return ranked[0]?.genre ?? source.genre;
}

/** 0 to 1, of the genre's own: one more genre among the packs does not shuffle the others. */
function luck(seed: number, genre: Genre): number {
  let state = seed;
  for (let n = 0; n < genre.length; n++) state = hash32(state, genre.charCodeAt(n));
  return state / 0x1_0000_0000;
}

/** What a source is played at, however it is to be. */
const [BPM_MIN, BPM_MAX] = [40, 220];

const NUMBERS = new Set(["bpm", "key", "tonic", "mode", "metre", "swing"]);

/** Whether words dress a source in another genre, rather than name players and manners alone. */
export function isStyled({ explicit, moods, scene }: Brief): boolean {
  return explicit.includes("genre") || explicit.includes("era") || moods.length > 0 || scene.length > 0;
}

/** What the prompt asks for, on the source's tempo, key and metre save where it names its own. */
function dressed(source: Brief, asked: Brief, { swing }: BeatGrid, { tempo, semitones }: SourceAsked): Brief {
  const said = new Set(asked.explicit);
  const styled = isStyled(asked);
  // Words that mean nothing to the lexicon leave the source what it is.
  const { cues = [], dynamics = [] } = asked;
  const meant =
    styled ||
    cues.length + dynamics.length > 0 ||
    ["moods", "wanted", "unwanted", "scene", "traits", "space"].some((field) => said.has(field));
  const base: Brief = !meant
    ? source
    : styled
      ? asked
      : // Players and manners alone: the piece stays what it is.
        {
          ...source,
          ...{ wanted: asked.wanted, unwanted: asked.unwanted, traits: asked.traits, cues, dynamics },
          ...(said.has("space") ? { space: asked.space } : {}),
        };
  const key = said.has("key")
    ? asked.key
    : said.has("tonic")
      ? { ...source.key, tonic: asked.key.tonic }
      : said.has("mode")
        ? { ...source.key, mode: asked.key.mode }
        : source.key;
  const bpm = source.bpm * TEMPO_RATIOS[tempo ?? "same"];
  return {
    ...base,
    bpm: said.has("bpm") ? asked.bpm : bpm < BPM_MIN || bpm > BPM_MAX ? source.bpm : bpm,
    key: semitones === null ? key : { ...key, tonic: pitchClass(key.tonic + semitones) },
    metre: said.has("metre") ? asked.metre : source.metre,
    swing: said.has("swing") || (said.has("genre") && swing === 0.5) ? asked.swing : source.swing,
    explicit: [...new Set([...base.explicit.filter((field) => !NUMBERS.has(field)), "bpm", "key", "metre", "swing"])],
    unknown: asked.unknown,
    colour: hash32(asked.colour, source.colour),
  };
}
