/** Usage by action and key: grouped for pages, and as a file. */
import type { ApiKey, UsagePart } from "../../core/surface.ts";
import { cameBack, dayName } from "./chart.ts";

export interface Totals {
  readonly operations: number;
  readonly debited: number;
  readonly refunded: number;
  readonly rebated: number;
}

/** What was taken and did not come back. */
export const usedOf = (totals: Pick<Totals, "debited" | "refunded" | "rebated">): number =>
  totals.debited - cameBack(totals);

export interface Group extends Totals {
  readonly name: string;
}

export const sumOf = (parts: readonly Totals[]): Totals =>
  parts.reduce(
    (sum: Totals, { operations, debited, refunded, rebated }) => ({
      operations: sum.operations + operations,
      debited: sum.debited + debited,
      refunded: sum.refunded + refunded,
      rebated: sum.rebated + rebated,
    }),
    { operations: 0, debited: 0, refunded: 0, rebated: 0 },
  );

/** By what was used, the most first; days in their order. */
export function groupParts(parts: readonly UsagePart[], by: "action" | "key_id" | "day"): readonly Group[] {
  const groups = new Map<string, UsagePart[]>();
  for (const part of parts) {
    const name = String(part[by]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [part]);
    else group.push(part);
  }
  const all = [...groups].map(([name, some]): Group => ({ name, ...sumOf(some) }));
  if (by === "day") return all;
  return all.sort((a, b) => usedOf(b) - usedOf(a) || b.operations - a.operations);
}

const COLUMNS = ["day", "mode", "action", "key_id", "key", "operations", "taken", "refunded", "rebated"] as const;

/** A row for each day, action and key; sums over `taken`, `refunded` and `rebated` of mode `live` are the ledger's. */
export function usageCsv(
  parts: { readonly live: readonly UsagePart[]; readonly test: readonly UsagePart[] },
  keys: readonly ApiKey[],
): string {
  const labels = new Map(keys.map(({ id, label }) => [id, label]));
  const rows = (["live", "test"] as const).flatMap((mode) =>
    parts[mode].map(({ day, action, key_id, operations, debited, refunded, rebated }) =>
      [dayName(day), mode, action, key_id, labels.get(key_id) ?? "", operations, debited, refunded, rebated]
        .map(cell)
        .join(","),
    ),
  );
  return [COLUMNS.join(","), ...rows, ""].join("\r\n");
}

/** RFC 4180; what a spreadsheet would take for a formula is text. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
