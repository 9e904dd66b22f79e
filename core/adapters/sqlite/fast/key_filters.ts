// Gain: where the index of keys does not lie in memory, a submission waits for no page of it (0.2 ms, 0.6 on a busy machine: p99 43 ms
// instead of 90 at ten million operations); see docs/performance.md.
import type { DatabaseSync } from "node:sqlite";
import { prepare } from "../connection.ts";

/** What parts of `operation_keys` surely do not have: a Bloom filter for each, in memory and beside the table. */
export interface KeyFilters {
  load(): void;
  /** False: the table does not have it. */
  mayHave(part: number, hashed: number): boolean;
  /** With the hashes that were just written into a part, in the same transaction. Should it fail, there are too many. */
  add(part: number, hashes: readonly number[]): void;
}

interface Filter {
  keys: number;
  readonly bits: Uint8Array;
}

/** `width`: of the hashes in one part. */
export function createKeyFilters(db: DatabaseSync, width: number): KeyFilters {
  const readAll = prepare<Filter & { readonly part: number }>(db, "SELECT part, keys, bits FROM operation_key_filters");
  // As one text: a row for each takes three times as long on Deno.
  const hashesOf = prepare<{ hashes: string | null }>(
    db,
    "SELECT group_concat(hash) AS hashes FROM operation_keys WHERE hash >= ? AND hash < ?",
  );
  const save = prepare(
    db,
    `INSERT INTO operation_key_filters (part, keys, bits) VALUES (?, ?, ?)
     ON CONFLICT (part) DO UPDATE SET keys = excluded.keys, bits = excluded.bits`,
  );
  const filters = new Map<number, Filter>();

  /** Of what the table has, with room for a quarter more or up to as many again and a half. */
  function make(part: number): Filter {
    const hashes =
      hashesOf
        .look(part * width, (part + 1) * width)
        ?.hashes?.split(",")
        .map(Number) ?? [];
    const bytes = 2 ** Math.ceil(Math.log2(Math.max(BYTES_MIN, 1.25 * hashes.length)));
    const filter: Filter = { keys: hashes.length, bits: new Uint8Array(bytes) };
    for (const hashed of hashes) mark(filter.bits, hashed);
    filters.set(part, filter);
    return filter;
  }

  return {
    load() {
      for (const { part, keys, bits } of readAll.all()) filters.set(part, { keys, bits });
    },
    mayHave(part, hashed) {
      const bits = filters.get(part)?.bits;
      return bits === undefined || hasMarks(bits, hashed);
    },
    add(part, hashes) {
      let filter = filters.get(part);
      if (filter !== undefined && hashes.length === 0) return;
      // Full: those of operations that are gone leave it now.
      if (filter === undefined || filter.keys + hashes.length > filter.bits.length) filter = make(part);
      else {
        for (const hashed of hashes) mark(filter.bits, hashed);
        filter.keys += hashes.length;
      }
      save.run(part, filter.keys, filter.bits);
    },
  };
}

// Four marks and eight bits a key or more: one new key in 40 is looked for in vain at worst.
const MARKS = 4;
const BYTES_MIN = 64;

/** The first mark and how far it is from one to the next. All but the upper bits of a hash differ within a part. */
const startOf = (hashed: number): number => hashed | 0;
const stepOf = (hashed: number): number =>
  (Math.imul((hashed | 0) ^ Math.floor(hashed / 2 ** 32), 0x9e3779b1) >>> 9) | 1;

function mark(bits: Uint8Array, hashed: number): void {
  const [step, mask] = [stepOf(hashed), bits.length * 8 - 1];
  for (let n = 0, at = startOf(hashed); n < MARKS; n++, at = (at + step) | 0) bits[(at & mask) >> 3]! |= 1 << (at & 7);
}

function hasMarks(bits: Uint8Array, hashed: number): boolean {
  const [step, mask] = [stepOf(hashed), bits.length * 8 - 1];
  for (let n = 0, at = startOf(hashed); n < MARKS; n++, at = (at + step) | 0)
    if ((bits[(at & mask) >> 3]! & (1 << (at & 7))) === 0) return false;
  return true;
}
