/**
 * Genres, instruments, effects and words: data in `runners/packs/<kind>/<id>.json`, and in an operator's own folders of the same shape.
 * A thread reads a kind when it first asks for one, so that threads that make no music read none. What is read here was checked at the
 * service's start (`check.ts`), and is not checked again.
 */
import { readKind } from "./files.ts";
import { completed } from "./likeness.ts";
import type { Music } from "./schema/genre/music.ts";
import type { GroovePack, Kind, Pack } from "./schema/mod.ts";

export { DRUM_KEYS, type Drum } from "./drum_keys.ts";
export { SHIPPED_PACKS } from "./files.ts";
export { midiOf } from "./notes.ts";
export type * from "./schema/mod.ts";

let own: readonly string[] = [];
const known = new Map<Kind, ReadonlyMap<string, unknown>>();
let generation = 0;

/** Folders of an operator beside the shipped one; what stands in a later folder replaces what an earlier one has by the same name. */
export function usePacks(folders: readonly string[]): void {
  if (folders.length === own.length && folders.every((folder, n) => folder === own[n])) return;
  own = [...folders];
  known.clear();
  generation++;
}

/** All packs of a kind by id, in the order of their ids. */
export function packs<K extends Kind>(kind: K): ReadonlyMap<string, Pack<K>> {
  let all = known.get(kind);
  if (all === undefined) {
    all = readKind(kind, own);
    known.set(kind, all);
  }
  return all as ReadonlyMap<string, Pack<K>>;
}

/**
 * A table made of packs, at its first use; again where the folders change.
 *
 * @example
 * ```ts
 * const tempi = derived(() => new Map([...packs("genres")].map(([id, { tempo_bpm }]) => [id, tempo_bpm])));
 * tempi().get("waltz");
 * ```
 */
export function derived<Table>(make: () => Table): () => Table {
  let made: { readonly table: Table; readonly generation: number } | undefined;
  return () => {
    if (made?.generation !== generation) made = { table: make(), generation };
    return made.table;
  };
}

const music = derived(() => new Map<string, Music>());

/**
 * The musical sections of a genre, complete.
 *
 * @throws {RangeError} for a genre that is not there
 */
export function musicOf(genre: string): Music {
  const known_music = music();
  let found = known_music.get(genre);
  if (found === undefined) {
    found = completed(packs("genres"), genre);
    known_music.set(genre, found);
  }
  return found;
}

/** A groove; those that genres name are there, for the start checked it. */
export function grooveOf(name: string): GroovePack {
  const groove = packs("grooves").get(name);
  if (groove === undefined) throw new RangeError(`No groove "${name}" is there`);
  return groove;
}
