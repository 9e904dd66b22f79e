/** Schemas of all kinds. Threads that make music take only types from here: TypeBox itself is loaded where packs are checked. */
import type { TSchema } from "@sinclair/typebox";
import { DrumPack } from "./drum.ts";
import { EffectPack } from "./effect.ts";
import { GenrePack } from "./genre.ts";
import { GroovePack } from "./groove.ts";
import { OwnSounds } from "./instrument/sampled.ts";
import { InstrumentGroup, InstrumentPack } from "./instrument.ts";
import { ModePack } from "./mode.ts";
import { ScenePack } from "./scene.ts";
import { WordsPack } from "./words.ts";

export type { Call } from "./effect.ts";
export type { Form, FormSection, SongForm } from "./genre/form.ts";
export type { Mode, Subgenre } from "./genre/identity.ts";
export type { Lineup, Player } from "./genre/lineup.ts";
export type { Melody } from "./genre/melody.ts";
export type { Mix } from "./genre/mix.ts";
export type { Music } from "./genre/music.ts";
export type { Progressions, Shelf } from "./genre/progressions.ts";
export type { SceneKind, Time } from "./genre/styles.ts";
export type { BassGroove, ChordGroove, FillGroove, HandGroove, KitGroove, Rows } from "./groove.ts";
export type { Job } from "./instrument/jobs.ts";
export type { KitSet, Pieces } from "./instrument/kit_set.ts";
export type { SampledLayer, SampledPack } from "./instrument/sampled.ts";
export type * from "./instrument/synthesised.ts";
export type {
  DrumPack,
  EffectPack,
  GenrePack,
  GroovePack,
  InstrumentGroup,
  InstrumentPack,
  ModePack,
  ScenePack,
  WordsPack,
};
export { OwnSounds };

interface Packs {
  readonly genres: GenrePack;
  readonly grooves: GroovePack;
  readonly instruments: InstrumentPack;
  readonly drums: DrumPack;
  readonly instrument_groups: InstrumentGroup;
  readonly modes: ModePack;
  readonly scenes: ScenePack;
  readonly effects: EffectPack;
  readonly words: WordsPack;
}

export type Kind = keyof Packs;
export type Pack<K extends Kind> = Packs[K];

export const SCHEMAS = {
  genres: GenrePack,
  grooves: GroovePack,
  instruments: InstrumentPack,
  drums: DrumPack,
  instrument_groups: InstrumentGroup,
  modes: ModePack,
  scenes: ScenePack,
  effects: EffectPack,
  words: WordsPack,
} satisfies Readonly<Record<Kind, TSchema>>;
