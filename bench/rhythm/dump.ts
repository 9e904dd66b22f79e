/**
 * Writes what the beat network learns from: for every piece under the given folders `features.f32` beside its `truth.json`.
 *
 *   bun bench/rhythm/dump.ts FOLDER …
 */
import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fold } from "../../runners/analyse/front.ts";
import { bandsOf } from "../../runners/analyse/rhythm/bands.ts";
import { changesOf } from "../../runners/analyse/rhythm/change.ts";
import { features } from "../../runners/analyse/rhythm/features.ts";
import { readPiece } from "../material/read.ts";

const signal = new AbortController().signal;
for (const root of process.argv.slice(2)) {
  for (const name of readdirSync(root).sort()) {
    const folder = join(root, name);
    if (!existsSync(join(folder, "truth.json")) || existsSync(join(folder, "features.f32"))) continue;
    const mono = await fold(await readPiece(folder), signal);
    const rows = features(await bandsOf(mono, signal), await changesOf(mono, signal));
    await writeFile(join(folder, "features.f32"), new Uint8Array(rows.buffer));
  }
}
