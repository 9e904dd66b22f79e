/** `bench/records.jsonl`: one line for each value that was measured, the oldest first. The page of results and its plots are made of it. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export interface MeasuredValue {
  readonly area: string;
  /** Says what is measured, so that two values of one metric compare. */
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  readonly better: "more" | "less";
  /** What it should reach, and stay below or above. */
  readonly bound?: number;
  /** What was measured beside it, with its value. */
  readonly peer?: string;
  /** Metrics of any area whose place this one takes: they leave the page and the plots, and stay in the records. */
  readonly replaces?: readonly string[];
  /** The day on which it was written down; until 28 November 2026 by the history of docs/benchmarks.md. */
  readonly at: string;
  /** With `^` where the commit before it was measured, as it was built in the same run. */
  readonly commit: string;
  readonly command: string;
  /** In docs/measured/: how it was measured, and what else was found. */
  readonly page: string;
}

export const RECORDS = fileURLToPath(new URL("../records.jsonl", import.meta.url));

export async function readRecords(file = RECORDS): Promise<readonly MeasuredValue[]> {
  return parseRecords(await readFile(file, "utf8"));
}

/** Throws where a line is no record, with its number. */
export function parseRecords(text: string): readonly MeasuredValue[] {
  return text.split("\n").flatMap((line, index) => {
    if (line === "") return [];
    const fault = (what: string): Error => new Error(`Cannot read line ${index + 1} of the records: ${what}`);
    let record: MeasuredValue;
    try {
      record = JSON.parse(line) as MeasuredValue;
    } catch {
      throw fault("it is no JSON");
    }
    for (const field of ["area", "metric", "unit", "at", "commit", "command", "page"] as const)
      if (typeof record[field] !== "string" || record[field] === "") throw fault(`"${field}" is missing`);
    if (!Number.isFinite(record.value)) throw fault(`"value" is no number`);
    if (record.better !== "more" && record.better !== "less") throw fault(`"better" is neither "more" nor "less"`);
    if (record.replaces !== undefined && !Array.isArray(record.replaces)) throw fault(`"replaces" is no list`);
    if (!/^\d{4}-\d\d-\d\d$/u.test(record.at)) throw fault(`"at" is no day`);
    return [record];
  });
}

/** Values of each metric of an area that none replaces, the oldest first, in the order in which metrics came. */
export function seriesOf(records: readonly MeasuredValue[]): readonly (readonly MeasuredValue[])[] {
  const replaced = new Set(records.flatMap(({ replaces = [] }) => replaces));
  const series = new Map<string, MeasuredValue[]>();
  for (const record of records) {
    if (replaced.has(record.metric)) continue;
    const name = `${record.area}: ${record.metric}`;
    const before = series.get(name) ?? [];
    before.push(record);
    series.set(name, before);
  }
  return [...series.values()];
}

/** Whether a value keeps its bound; undefined where it has none. */
export function isKept({ value, bound, better }: MeasuredValue): boolean | undefined {
  if (bound === undefined) return undefined;
  return better === "more" ? value >= bound : value <= bound;
}
