/**
 * Wide material for the beat network: pieces of varied styles, each in two mixes, kept as features alone.
 *
 *   bun training/rhythm/wide.ts --out FOLDER [--seeds 1-8] [--seconds 40] [--genres rock,waltz] [--banks musescore,/a/bank.sf2] [--part 0/2]
 *
 * Writes FOLDER/GENRE-SEED-MIX/{features.f32,onsets.json,truth.json}; what is there is kept. --part K/N does every N-th piece, for N processes.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compose } from "../material/compose.ts";
import { BANKS, type Bank, isBank, render } from "../material/render.ts";
import { STYLES } from "../material/styles.ts";
import { keep } from "./kept.ts";
import { mixed, varied } from "./vary.ts";

const MIXES = 2;
const { values } = parseArgs({
  options: {
    out: { type: "string" },
    genres: { type: "string" },
    banks: { type: "string" },
    seeds: { type: "string", default: "1-8" },
    seconds: { type: "string", default: "40" },
    part: { type: "string", default: "0/1" },
  },
});
if (values.out === undefined) throw new Error("Cannot render: --out names no folder");
const genres = values.genres?.split(",") ?? Object.keys(STYLES);
const [first, last] = values.seeds.split("-").map(Number) as [number, number | undefined];
const [part, parts] = values.part.split("/").map(Number) as [number, number];
const banks = values.banks?.split(",") ?? Object.keys(BANKS);
const unknown = banks.find((bank) => !isBank(bank));
if (unknown !== undefined)
  throw new Error(
    `Cannot play "${unknown}": known are ${Object.keys(BANKS).join(", ")}, patches, chips and paths of banks`,
  );

let turn = 0;
// Seed by seed, so that what is done when it is stopped holds all styles.
for (let seed = first; seed <= (last ?? first); seed++) {
  for (const genre of genres) {
    if (turn++ % parts !== part) continue;
    const folder = (mix: number): string => join(values.out!, `${genre}-${seed}-${mix}`);
    if (existsSync(join(folder(MIXES - 1), "truth.json"))) continue;
    // Seeds of their own: make.ts counts from 1.
    const piece = compose(genre, 50_000 + seed, { seconds: Number(values.seconds), style: varied(genre, seed) });
    const stems = await render(piece, banks[(seed + genre.length) % banks.length] as Bank);
    for (let mix = 0; mix < MIXES; mix++) {
      const channel = mixed(stems, seed * 7919 + mix * 104_729 + genre.charCodeAt(1) * 31);
      await keep(folder(mix), { sample_rate: 44_100, channels: [channel] }, piece.truth);
    }
  }
}
