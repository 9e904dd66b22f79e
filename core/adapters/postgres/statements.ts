/** Statements as verbs: what a verb is given are the parameters, in order. */
import type { Fields } from "../shared/fields.ts";
import type { Parameter, Row } from "./link.ts";
import type { CallOptions, Pool } from "./pool.ts";
import { plain } from "./values.ts";

/** Done twice is as good as done once: tried again where a connection is lost. */
export const REPEATABLE: CallOptions = { repeatable: true };

export function statementsOn(pool: Pool) {
  const query = (text: string, values: readonly Parameter[], options?: CallOptions): Promise<readonly Row[]> =>
    pool.query(text, values.map(toParameter), options);
  return {
    /** A read. */
    all:
      <Found>(text: string) =>
      async (...values: Parameter[]) =>
        (await query(text, values, REPEATABLE)) as unknown as readonly Found[],

    /** A read of one row. */
    one:
      <Found>(text: string) =>
      async (...values: Parameter[]) =>
        (await query(text, values, REPEATABLE))[0] as unknown as Found | undefined,

    /** A write that returns rows where it did something. */
    did:
      (text: string, options?: CallOptions) =>
      async (...values: Parameter[]) =>
        (await query(text, values, options)).length > 0,

    /** A write that answers nothing. */
    write:
      (text: string, options?: CallOptions) =>
      async (...values: Parameter[]): Promise<void> =>
        void (await query(text, values, options)),

    /** Calls a function, which answers for itself. */
    call:
      <Answer>(name: string) =>
      async (...values: Parameter[]) =>
        (await query(`SELECT ${name}(${marks(values.length)}) AS answer`, values))[0]?.answer as Answer,

    /** Takes rows whose `<what>_at` has come, for `lease_ms` nobody else's, each with how often it was taken. */
    due:
      <Found>(table: string, fields: Fields<Found>, what: "notice" | "mail") =>
      async (now: number, lease_ms: number, limit: number) =>
        (await query(takeDue(table, fields, what), [now, lease_ms, limit])).map(
          ({ [`${what}_attempts`]: attempts, due: _due, ...row }) => ({
            row: row as unknown as Found,
            attempts: attempts as number,
          }),
        ),

    /** Inserts a record; what it lacks is null. */
    insert:
      <Record>(table: string, fields: Fields<Record>) =>
      async (row: Partial<Record>): Promise<boolean> =>
        (await query(insertOf(table, fields), valuesOf(row, fields))).length > 0,
  };
}

/** `before`: so many parameters come first. */
export function insertOf(table: string, fields: readonly string[], before = 0, conflict = ""): string {
  return `INSERT INTO ${table} (${fields}) VALUES (${marks(fields.length, before)}) ${conflict} RETURNING ${fields[0]}`;
}

const takeDue = (table: string, fields: readonly string[], what: string): string => `WITH due AS MATERIALIZED (
    SELECT id AS due_id, ${what}_at AS due FROM ${table} WHERE ${what}_at IS NOT NULL AND ${what}_at <= $1
    ORDER BY ${what}_at LIMIT $3 FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE ${table} SET ${what}_at = $1 + $2, ${what}_attempts = ${what}_attempts + 1 FROM due WHERE id = due_id
    RETURNING ${fields}, ${what}_attempts, due
  )
  SELECT * FROM taken ORDER BY due, id`;

export const valuesOf = <Record>(row: Partial<Record>, fields: Fields<Record>): Parameter[] =>
  fields.map((field) => toParameter(row[field]));

export const marks = (count: number, before = 0): string =>
  Array.from({ length: count }, (_, index) => `$${before + index + 1}`).join(", ");

/** What a field of a record is in its column: lists and records as JSON. */
function toParameter(value: unknown): Parameter {
  if (typeof value === "string") return plain(value);
  return (typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null)) as Parameter;
}
