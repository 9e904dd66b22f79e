/**
 * Which submission of an account has an idempotency key. Keys are random, so an index written with each row is a page
 * for every submission once it is larger than what one copy of the log holds, and the slowest submissions wait for
 * those copies. So the keys of the newest rows are held in memory, by parts of the hash's range, and written part by
 * part, when a part has many that lie together. A row holds its key itself: after a crash the newest rows are read
 * again.
 */
import type { DatabaseSync } from "node:sqlite";
import type { KeyUse } from "../../ports/mod.ts";
import { prepare } from "./connection.ts";
import { createKeyFilters } from "./fast/key_filters.ts";

export interface KeyIndex {
  /** The submission that has this key. */
  find(account_id: string, idempotency_key: string): (KeyUse & { readonly response: string }) | undefined;
  /**
   * Takes the key that was looked for last, in vain, for a new row, whose number it tells. Whether that is written in
   * the end does not matter: no number comes twice.
   */
  addSought(): number;
  /** Reads what the table does not have yet; until then it happens with the first call of another kind. */
  load(): void;
  /** Whether so many are in memory that some should be written. */
  isDue(): boolean;
  /** Writes some, or all, inside the caller's transaction. */
  list(all: boolean): void;
  /** Of what `list` wrote, once that is committed; until then it is held in memory too. */
  settle(): void;
}

interface Found {
  readonly account_id: string;
  readonly idempotency_key: string;
  readonly fingerprint: string;
  readonly response: string;
}

export function createKeyIndex(db: DatabaseSync): KeyIndex {
  const listed = prepare<{ operation: number }>(db, "SELECT operation FROM operation_keys WHERE hash = ?");
  const insert = prepare(db, "INSERT OR IGNORE INTO operation_keys (hash, operation) VALUES (?, ?)");
  const forget = prepare(db, "DELETE FROM operation_keys WHERE hash >= ? AND hash < ? AND operation < ?");
  const readSeed = prepare<{ one: number; other: number }>(
    db,
    "SELECT one, other FROM operation_key_seed WHERE id = 1",
  );
  const readParts = prepare<{ part: number; upto: number }>(db, "SELECT part, upto FROM operation_key_parts");
  const move = prepare(
    db,
    "INSERT INTO operation_key_parts (part, upto) VALUES (?, ?) ON CONFLICT (part) DO UPDATE SET upto = excluded.upto",
  );
  const firstRow = prepare<{ row: number | null }>(db, "SELECT min(row) AS row FROM operations");
  const rowsAfter = prepare<{ row: number; account_id: string; idempotency_key: string }>(
    db,
    "SELECT row, account_id, idempotency_key FROM operations WHERE row > ? ORDER BY row LIMIT 5000",
  );
  const select = prepare<Found>(
    db,
    "SELECT account_id, idempotency_key, fingerprint, response FROM operations WHERE row = ?",
  );

  const filters = createKeyFilters(db, PART);

  /** Rows by hash. Several have one where keys share a hash, which is next to never. */
  let parts: Map<number, number | number[]>[] = [];
  let hashOf: (account_id: string, idempotency_key: string) => number = () => 0;
  let held = 0;
  let sought = 0;
  let next_row = 0;
  /** The part that is written next. */
  let cursor = 0;
  let written: number[] = [];
  /** The first row when a part was written last: what is older than the first row is gone from `operations`. */
  const cleaned = new Map<number, number>();

  function load(): void {
    if (parts.length > 0) return;
    const seed = readSeed.get();
    if (seed === undefined) throw new Error("Cannot read the index of keys: its seed is gone");
    hashOf = createHash(seed.one, seed.other);
    parts = Array.from({ length: PARTS }, () => new Map());
    const upto = Array.from({ length: PARTS }, () => 0);
    for (const { part, upto: row } of readParts.all()) upto[part] = row;
    filters.load();
    let last = Math.min(...upto);
    for (let rows = rowsAfter.all(last); rows.length > 0; rows = rowsAfter.all(last)) {
      for (const { row, account_id, idempotency_key } of rows) {
        const hashed = hashOf(account_id, idempotency_key);
        if (row > upto[partOf(hashed)]!) hold(hashed, row);
        last = row;
      }
    }
    next_row = Math.max(last, ...upto) + 1;
  }

  function hold(hashed: number, row: number): void {
    const part = parts[partOf(hashed)]!;
    const there = part.get(hashed);
    part.set(hashed, there === undefined ? row : [there, row].flat());
    held += 1;
  }

  return {
    load,
    find(account_id, idempotency_key) {
      load();
      const hashed = hashOf(account_id, idempotency_key);
      sought = hashed;
      const match = (row: number): Found | undefined => {
        const found = select.look(row);
        return found?.idempotency_key === idempotency_key && found.account_id === account_id ? found : undefined;
      };
      const recent = parts[partOf(hashed)]!.get(hashed);
      if (recent !== undefined)
        for (const row of [recent].flat()) {
          const found = match(row);
          if (found !== undefined) return { fingerprint: found.fingerprint, response: found.response };
        }
      if (!filters.mayHave(partOf(hashed), hashed)) return undefined;
      // Nearly always none or one.
      for (const { operation } of listed.all(hashed)) {
        const found = match(operation);
        if (found !== undefined) return { fingerprint: found.fingerprint, response: found.response };
      }
      return undefined;
    },
    addSought() {
      const row = next_row++;
      hold(sought, row);
      return row;
    },
    isDue: () => held > heldMost(next_row) + STEP,
    list(all) {
      load();
      const first = firstRow.look()?.row ?? next_row;
      const most = heldMost(next_row);
      written = [];
      // All: also those that have none, so that a start knows that it has nothing to read again.
      for (let left = held; (all || left > most) && written.length < PARTS; cursor = (cursor + 1) % PARTS) {
        const part = parts[cursor]!;
        // In order, so that what lies on one page is written together.
        for (const [hashed, rows] of [...part].sort(([one], [other]) => one - other))
          for (const row of [rows].flat()) insert.run(hashed, row);
        if (first > (cleaned.get(cursor) ?? 0)) forget.run(cursor * PART, (cursor + 1) * PART, first);
        cleaned.set(cursor, first);
        filters.add(cursor, [...part.keys()]);
        move.run(cursor, next_row - 1);
        written.push(cursor);
        left -= part.size;
      }
    },
    settle() {
      for (const part of written) {
        held -= [...parts[part]!.values()].flat().length;
        parts[part]!.clear();
      }
      written = [];
    },
  };
}

/**
 * HalfSipHash-2-4 of both texts, two characters a word, cut to the 52 bits that a number holds exactly. Keyed, as
 * clients choose keys: with a plain hash they could choose many that share one. In place of SHA-256, whose call takes 2
 * µs on Bun and 5 on Deno; this takes a quarter of that.
 */
function createHash(key_0: number, key_1: number): (one: string, other: string) => number {
  let v0 = 0;
  let v1 = 0;
  let v2 = 0;
  let v3 = 0;
  const mix = (times: number): void => {
    for (let n = 0; n < times; n++) {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }
  };
  const take = (word: number): void => {
    v3 ^= word;
    mix(2);
    v0 ^= word;
  };
  const takeText = (text: string): void => {
    // Beyond the end `charCodeAt` is NaN, which is 0 here.
    for (let at = 0; at < text.length; at += 2) take(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
    take(text.length);
  };
  return (one, other) => {
    v0 = key_0;
    v1 = key_1 ^ 0xee;
    v2 = 0x6c796765 ^ key_0;
    v3 = 0x74656462 ^ key_1;
    takeText(one);
    takeText(other);
    v2 ^= 0xee;
    mix(4);
    const high = (v1 ^ v3) & 0xfffff;
    v1 ^= 0xdd;
    mix(4);
    return high * 2 ** 32 + ((v1 ^ v3) >>> 0);
  };
}

const PARTS = 512;
const PART = 2 ** 52 / PARTS;
const partOf = (hashed: number): number => Math.floor(hashed / PART);

/**
 * How many keys are held: the more there are in the table, the more have to come together on a page of it. A million
 * hold 65,536 (some 10 MB, and 0.1 s more for the start after a crash).
 */
const heldMost = (rows: number): number => Math.min(262_144, Math.max(16_384, rows / 16));
/** So many more than that are written at once, within a commit for others: some 0.5 ms. */
const STEP = 256;
