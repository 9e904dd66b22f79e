/**
 * Genres, instruments, effects and words: data in `runners/packs/<kind>/<id>.json`, and in an operator's own folders of the same shape.
 * A thread reads a kind when it first asks for one, so that threads that make no music read none. What is read here was checked at the
 * service's start (`check.ts`), and is not checked again.
 */
import { readKind } from "./files.ts";
import type { Kind, Pack } from "./schema/mod.ts";

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
