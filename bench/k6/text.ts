/** Figures in words. */

export function whole(value: number): string {
  if (Number.isInteger(value) || value >= 10) return Math.round(value).toLocaleString("en");
  return value < 1 ? value.toPrecision(2) : value.toFixed(1);
}

/** The first two columns to the left, the others to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
