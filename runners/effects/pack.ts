/** Words of sound effects that name no sound, as files in `packs/effect_words`. */
import { readdirSync, readFileSync } from "node:fs";
import type { Material } from "./voice.ts";

/** A change of one trait; size, intensity and bright add up, the others multiply. */
export interface Shade {
  readonly size?: number;
  readonly intensity?: number;
  readonly speed?: number;
  readonly pitch?: number;
  readonly bright?: number;
  /** 0 near to 1 far away. */
  readonly far?: number;
  /** How much louder than other sounds beside it. */
  readonly level_db?: number;
  /** Name of the contrary. */
  readonly opposite: string;
}

/** What is known of a thing that has no sound of its own: what it is of, how large, and what sounds where nothing else is said of it. */
export interface Thing {
  readonly material?: Material;
  readonly size?: number;
  /** Name of a recipe. */
  readonly sound?: string;
}

const PACKS = new URL("../packs/", import.meta.url);

type Lists = Readonly<Record<string, readonly string[]>>;

/** What stands in one language's file; lists that it does not need are absent. */
export interface WordsFile {
  readonly language: string;
  readonly shades?: Lists;
  readonly materials?: Readonly<Partial<Record<Material, readonly string[]>>>;
  /** Things that are mostly of one material: another that is named outright counts for more ("a stone floor"). */
  readonly mostly?: Readonly<Partial<Record<Material, readonly string[]>>>;
  readonly environments?: Lists;
  readonly motions?: Lists;
  readonly crossings?: Lists;
  readonly numbers?: Readonly<Record<string, number>>;
  readonly units?: Lists;
  readonly [list: string]: unknown;
}

export function readWords(): readonly WordsFile[] {
  return readdirSync(new URL("effect_words/", PACKS))
    .filter((name) => /^[a-z]{2,3}\.json$/u.test(name))
    .sort()
    .map((name) => readJson(`effect_words/${name}`) as WordsFile);
}

export function readShades(): Readonly<Record<string, Shade>> {
  return readJson("effect_words/shades.json") as Readonly<Record<string, Shade>>;
}

export function readThings(): Readonly<Record<string, Thing>> {
  return readJson("effect_words/things.json") as Readonly<Record<string, Thing>>;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, PACKS), "utf8"));
}
