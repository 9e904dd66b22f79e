/**
 * `bun bench/records.ts`: writes docs/benchmarks.md and its plots out of `records.jsonl` and the guard's `history.jsonl`.
 *
 *   bun bench/records.ts add --area requests --metric "…" --value 12 --unit ms --better less --command "bun bench/…" --page requests.md
 *       [--bound 25] [--peer "Fastify + SQLite 40"]
 *
 * adds a value first, with today's date and this commit.
 */
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commitHere } from "../cli/bench/machine.ts";
import { args } from "../core/adapters/runtime/runtime.ts";
import { readHistory } from "./guard/history.ts";
import { HERE } from "./measure.ts";
import { recordsPlot, resultsPage } from "./records/page.ts";
import { parseRecords, RECORDS, readRecords } from "./records/records.ts";

const TEXTS = ["area", "metric", "value", "unit", "better", "bound", "peer", "command", "page"] as const;

const { values, positionals } = parseArgs({
  args: [...args],
  options: Object.fromEntries(TEXTS.map((name) => [name, { type: "string" as const }])),
  allowPositionals: true,
});
if (positionals[0] === "add") {
  const { value, bound, ...texts } = values as Readonly<Record<string, string | undefined>>;
  const at = new Date().toISOString().slice(0, 10);
  const numbers = { value: Number(value), ...(bound !== undefined && { bound: Number(bound) }) };
  const line = JSON.stringify({ ...texts, ...numbers, at, commit: commitHere() });
  parseRecords(line);
  await appendFile(RECORDS, `${line}\n`);
}
const records = await readRecords();
await writeFile(join(HERE, "docs/benchmarks.md"), resultsPage(records, await readHistory()));
await writeFile(join(HERE, "docs/benchmarks.svg"), `${recordsPlot(records)}\n`);
