/** Values on their way to the server. */

/**
 * A Postgres array literal. Written here and not by the driver, which would have to ask the server for the types of
 * arrays first. Text must have passed `plain` where a NUL is possible.
 */
export function arrayOf(values: readonly (string | number | boolean | null)[]): string {
  let literal = "{";
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (index > 0) literal += ",";
    if (value === null || value === undefined) literal += "NULL";
    else if (typeof value === "string")
      literal += `"${NEEDS_ESCAPE.test(value) ? value.replace(ESCAPED, "\\$&") : value}"`;
    else literal += String(value);
  }
  return `${literal}}`;
}

const NEEDS_ESCAPE = /["\\]/u;
const ESCAPED = /["\\]/gu;

/**
 * Postgres stores no NUL in text: U+FFFD, as for any other byte that cannot be shown. For text that was made by others.
 */
export function plain(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\u{FFFD}") : text;
}
