/** Schemas of all kinds. Threads that make music take only types from here: TypeBox itself is loaded where packs are checked. */
import type { TSchema } from "@sinclair/typebox";
import { EffectPack } from "./effect.ts";
import { GenrePack } from "./genre.ts";
import { InstrumentPack } from "./instrument.ts";
import { WordsPack } from "./words.ts";

export type { Mode, Subgenre } from "./genre/identity.ts";
export type { EffectPack, GenrePack, InstrumentPack, WordsPack };

interface Packs {
  readonly genres: GenrePack;
  readonly instruments: InstrumentPack;
  readonly effects: EffectPack;
  readonly words: WordsPack;
}

export type Kind = keyof Packs;
export type Pack<K extends Kind> = Packs[K];

export const SCHEMAS = {
  genres: GenrePack,
  instruments: InstrumentPack,
  effects: EffectPack,
  words: WordsPack,
} satisfies Readonly<Record<Kind, TSchema>>;
