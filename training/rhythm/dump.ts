/**
 * Writes what the beat network learns from: for every piece under the given folders `features.f32` and `onsets.json` beside its `truth.json`.
 *
 *   bun training/rhythm/dump.ts FOLDER …
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readPiece } from "../material/read.ts";
import { keep } from "./kept.ts";

for (const root of process.argv.slice(2)) {
  for (const name of readdirSync(root).sort()) {
    const folder = join(root, name);
    if (!existsSync(join(folder, "truth.json")) || existsSync(join(folder, "onsets.json"))) continue;
    await keep(folder, await readPiece(folder));
  }
}
