/** Appends values to the records, and writes the page of results and its plots. */
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commitHere } from "../../cli/bench/machine.ts";
import { readHistory } from "../guard/history.ts";
import { HERE } from "../measure.ts";
import { recordsPlot, resultsPage } from "./page.ts";
import { type MeasuredValue, parseRecords, RECORDS, readRecords } from "./records.ts";

/** With today's date and this commit. */
export async function keepRecords(values: readonly Omit<MeasuredValue, "at" | "commit">[]): Promise<void> {
  const at = new Date().toISOString().slice(0, 10);
  const text = values.map((value) => `${JSON.stringify({ ...value, at, commit: commitHere() })}\n`).join("");
  parseRecords(text);
  await appendFile(RECORDS, text);
}

export async function writePage(): Promise<void> {
  const records = await readRecords();
  await writeFile(join(HERE, "docs/benchmarks.md"), resultsPage(records, await readHistory()));
  await writeFile(join(HERE, "docs/benchmarks.svg"), `${recordsPlot(records)}\n`);
}
