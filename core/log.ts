/** One line of JSON for each event on standard error. Never given keys, secrets, signed URLs or request bodies. */
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;
export type Log = (event: string, fields?: Fields) => void;

export function createLog(write: (line: string) => void): Log {
  return (event, fields = {}) => write(JSON.stringify({ time: new Date().toISOString(), event, ...fields }));
}

/** What an unexpected error has to say in a log, with its stack. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
}
