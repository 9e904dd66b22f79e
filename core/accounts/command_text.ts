/** What operators type and read: whole numbers, times, tables. */

import { CommandMistake } from "./commands.ts";

export const time = (ms: number | null): string =>
  ms === null ? "-" : new Date(ms).toISOString().slice(0, 16).replace("T", " ");
export const ONCE = "Shown this once, and not stored in plain.";

export function whole(what: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CommandMistake(`${what} must be a whole number, not "${text}"`);
}

/** Columns as wide as their widest cell; what control characters a label could hold would move the terminal's cursor. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): readonly string[] {
  if (rows.length === 0) return ["None"];
  const cells = [head, ...rows.map((row) => row.map((cell) => String(cell).replace(/\p{Cc}/gu, " ")))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}
