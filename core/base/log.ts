/** One line of JSON for each event on standard error. Never given keys, secrets, signed URLs or request bodies. */
type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;
export type Log = (event: string, fields?: Fields) => void;

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Lines below `least` are dropped before they are built. */
export function createLog(write: (line: string) => void, least: LogLevel = "info"): Log {
  const from = LOG_LEVELS.indexOf(least);
  return (event, fields = {}) => {
    const level = levelOf(event);
    if (LOG_LEVELS.indexOf(level) < from) return;
    write(redact(JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })));
  };
}

/** The level is part of what an event means, so its name decides: `<part>.<what happened>`. */
export function levelOf(event: string): LogLevel {
  if (event === "http.request") return "debug";
  if (WARNINGS.test(event)) return "warn";
  return /(?:\.error|_failed|\.exhausted)$/.test(event) ? "error" : "info";
}

/** What goes on without us for now, and what an operator should look at some day. */
const WARNINGS = new RegExp(
  [
    "[._]away$",
    "\\.(?:lost|passed_over|timeout|unfinished|unsettled|no_lifecycle|no_proxy|not_confined|nobody_to_mail)$",
    "^(?:model|plugin|webhook|mail)\\.failed$",
    "^leak\\.reported$",
    "^trace\\.export_failed$",
  ].join("|"),
);

/** What was thrown has to say, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What an unexpected error has to say in a log, with its stack. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
}

/**
 * The last look at a line. Nothing of ours puts secrets there; messages of libraries and of the system might. Every
 * shape that a secret of this service has is replaced: API keys, signing secrets, bearer tokens, signatures in URLs,
 * passwords in URLs; and so is what `maskInLog` got.
 */
export function redact(line: string): string {
  let left = line;
  for (const value of masked) left = left.replaceAll(value, "[redacted]");
  return left.replace(SECRETS, (_, before: string | undefined, scheme: string | undefined) => {
    return `${before ?? scheme ?? ""}[redacted]`;
  });
}

/** Values of plugins' settings, as they are and as a line of JSON has them. */
const masked = new Set<string>();
/** A shorter one is a word by chance, and no secret. */
const MASKED_LENGTH_MIN = 4;

/** Whatever a line says from now on, these values are not in it. */
export function maskInLog(values: readonly string[]): void {
  for (const value of values) {
    if (value.length < MASKED_LENGTH_MIN) continue;
    masked.add(value);
    masked.add(JSON.stringify(value).slice(1, -1));
  }
}

const SECRETS = new RegExp(
  [
    "tonwerk_(?:test_)?[0-9A-Za-z]{36}",
    "whsec_[0-9A-Za-z+/=_-]{8,}",
    // What comes before stays, so that the line still says what it was.
    '((?:bearer |[?&](?:signature|token|key|password|secret|x-amz-(?:signature|credential|security-token))=))[^&\\s"\\\\]+',
    '(:\\/\\/[^/\\s:@"]*:)[^@\\s/"]+(?=@)',
  ].join("|"),
  "gi",
);
