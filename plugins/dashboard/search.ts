/** Operations by words of their requests: read back in stretches, as far as somebody waits for. */
import { setImmediate } from "node:timers/promises";
import type { OperationsStore, SearchFilter, Snapshot, StoredRequest } from "../../core/surface.ts";

/** Looked at in one call of the store, some milliseconds: few at first, for most of what is looked for is not old. */
const [STRETCH_MIN, STRETCH_MAX] = [100, 500];
/** And for one page. */
export const LOOKED_MAX = 20_000;
const WORDS_MAX = 8;

/** What stands between spaces, in small letters. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "")
    .slice(0, WORDS_MAX);

export interface Found {
  /** Newest first; up to one more than are wanted. */
  readonly operations: readonly Snapshot[];
  /** Where it was given up; null: nothing more is to be found, or enough was. */
  readonly reached: string | null;
}

export async function searchBack(
  store: Pick<OperationsStore, "search">,
  account_id: string,
  filter: Omit<SearchFilter, "limit">,
  words: readonly string[],
  wanted: number,
): Promise<Found> {
  const operations: Snapshot[] = [];
  let { before } = filter;
  let limit = STRETCH_MIN;
  for (let looked = 0; looked < LOOKED_MAX; looked += limit) {
    limit = looked === 0 ? STRETCH_MIN : STRETCH_MAX;
    const part = await store.search(account_id, { ...filter, before, limit }, words);
    operations.push(...part.found.filter((operation) => hasWords(operation, words)));
    if (part.reached === null || operations.length > wanted)
      return { operations: operations.slice(0, wanted + 1), reached: null };
    before = part.reached;
    // Other requests have their turn.
    await setImmediate();
  }
  return { operations, reached: before! };
}

/** The store also finds names of fields, addresses, and what is spelt a little differently. */
function hasWords({ request }: Pick<Snapshot, "request">, words: readonly string[]): boolean {
  const { fields, metadata } = JSON.parse(request) as StoredRequest;
  const text = [...textsOf(fields), ...Object.entries(metadata ?? {}).flat()].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || "url" in value) return [];
  return Object.values(value).flatMap(textsOf);
}
