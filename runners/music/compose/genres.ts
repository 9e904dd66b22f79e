/** Genres as the composer uses them: the ground that moods, eras and words move about on. What they are stands in packs. */
import { derived, type GenrePack, type Mode, packs } from "../../packs/mod.ts";
import type { Metre } from "../../signal/analyse/mod.ts";
import { METRES } from "./metres.ts";

/** Id of a genre among the packs. */
export type Genre = string;

export type ModeName = Mode;

export interface GenreProfile {
  readonly bpm: GenrePack["tempo_bpm"];
  /** Weights, in no unit. */
  readonly modes: Readonly<Partial<Record<ModeName, number>>>;
  readonly metre: Metre;
  readonly swing: number;
  readonly energy: number;
  readonly valence: number;
  readonly brightness: number;
  readonly density: number;
  readonly space: number;
  readonly drive: number;
  readonly age: number;
}

/** All that there are, by id. */
export const genres: () => readonly Genre[] = derived(() => [...packs("genres").keys()]);

/** What its pack says of a genre. */
export function genrePack(genre: Genre): GenrePack {
  const pack = packs("genres").get(genre);
  if (pack === undefined) throw new RangeError(`There is no genre "${genre}"`);
  return pack;
}

const profiles = derived(() => new Map<Genre, GenreProfile>());

export function profileOf(genre: Genre): GenreProfile {
  let profile = profiles().get(genre);
  if (profile === undefined) {
    const { tempo_bpm: bpm, modes, metre, swing, character } = genrePack(genre);
    profile = { bpm, modes, metre: METRES[metre]!, swing, ...character };
    profiles().set(genre, profile);
  }
  return profile;
}

/** As a person writes it: "drum and bass", "R&B". */
export function genreName(genre: Genre): string {
  return genrePack(genre).label;
}
