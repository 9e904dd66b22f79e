/**
 * `bun bench/records.ts`: writes docs/benchmarks.md and its plots out of `records.jsonl` and the guard's `history.jsonl`.
 *
 *   bun bench/records.ts add --area requests --metric "…" --value 12 --unit ms --better less --command "bun bench/…" --page requests.md
 *       [--bound 25] [--peer "Fastify + SQLite 40"] [--replaces "…"]...
 *
 * adds a value first, with today's date and this commit. `--replaces` names a metric that leaves the page for it.
 */
import { parseArgs } from "node:util";
import { args } from "../core/adapters/runtime/runtime.ts";
import { keepRecords, writePage } from "./records/keep.ts";
import type { MeasuredValue } from "./records/records.ts";

const TEXTS = ["area", "metric", "value", "unit", "better", "bound", "peer", "command", "page"] as const;

const { values, positionals } = parseArgs({
  args: [...args],
  options: {
    ...Object.fromEntries(TEXTS.map((name) => [name, { type: "string" as const }])),
    replaces: { type: "string", multiple: true },
  },
  allowPositionals: true,
});
if (positionals[0] === "add") {
  const { replaces, ...rest } = values;
  const { value, bound, ...texts } = rest as Readonly<Record<string, string | undefined>>;
  const numbers = { value: Number(value), ...(bound !== undefined && { bound: Number(bound) }) };
  // What a line lacks is told when it is read back.
  const said = texts as unknown as Omit<MeasuredValue, "at" | "commit">;
  await keepRecords([{ ...said, ...numbers, ...(replaces && { replaces: replaces as readonly string[] }) }]);
}
await writePage();
