/** `bench/history.jsonl`: one line for each recorded run of the guard, the oldest first. */
import { appendFile, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Ratios } from "./bounds.ts";

export interface Entry {
  /** ISO 8601. */
  readonly at: string;
  readonly commit: string;
  readonly machine: string;
  /** Of the last minute, five and fifteen, when it began. */
  readonly load: string;
  readonly ratios: Ratios;
}

const HISTORY = fileURLToPath(new URL("../history.jsonl", import.meta.url));

export async function readHistory(file = HISTORY): Promise<readonly Entry[]> {
  return parseHistory(await readFile(file, "utf8").catch(() => ""));
}

/** Throws where a line is no entry, with its number. */
export function parseHistory(text: string): readonly Entry[] {
  return text.split("\n").flatMap((line, index) => {
    if (line === "") return [];
    try {
      const entry = JSON.parse(line) as Entry;
      if (typeof entry.at === "string" && typeof entry.commit === "string" && typeof entry.ratios === "object")
        return [entry];
    } catch {
      // Told below, with the number of the line.
    }
    throw new Error(`Cannot read line ${index + 1} of the history: it is no entry`);
  });
}

export async function record(entry: Entry, file = HISTORY): Promise<void> {
  await appendFile(file, `${JSON.stringify(entry)}\n`);
}
