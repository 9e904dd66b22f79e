import type { OperationRow } from "./sqlite_rows.ts";

/** Rows of operations that are `processing`, by id. */
export interface Unended {
  find(id: string): OperationRow | undefined;
  keep(row: OperationRow): void;
  forget(row: OperationRow): void;
}

/** Characters of text, which engines keep in one or two bytes each. */
const SIZE_MAX = 4_000_000;
/** What a row has beside its request. */
const ROW_SIZE = 600;

/**
 * A client that polls reads the same operation again and again, and until its end that row never changes: what does is in its job. So a row
 * that was read is kept, and is good for as long as there is a job. The oldest go first.
 */
export function createUnended(): Unended {
  const rows = new Map<string, OperationRow>();
  let size = 0;

  function forget(row: OperationRow): void {
    if (rows.delete(row.id)) size -= sizeOf(row);
  }

  return {
    find: (id) => rows.get(id),
    keep(row) {
      rows.set(row.id, row);
      size += sizeOf(row);
      for (const oldest of rows.values()) {
        if (size <= SIZE_MAX) return;
        forget(oldest);
      }
    },
    forget,
  };
}

const sizeOf = (row: OperationRow): number => row.request.length + ROW_SIZE;
