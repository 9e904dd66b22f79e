/** The steps by which a database comes to what this version works on. */
export interface Migration {
  /** Without gaps, from 1. */
  readonly number: number;
  readonly name: string;
  /**
   * First line `--! breaking`: the version before it cannot work on the result. Of Postgres, lines `--! next` divide it
   * into parts (migrate.ts there).
   */
  readonly sql: string;
}

/** The files of a schema, in order. */
export const numberMigrations = (...files: readonly string[]): readonly Migration[] =>
  files.map((sql, index) => ({ number: index + 1, name: String(index + 1).padStart(4, "0"), sql }));

export const isBreaking = ({ sql }: Migration): boolean => sql.split("\n", 1)[0]?.trim() === "--! breaking";
