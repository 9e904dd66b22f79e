/**
 * How near the stems come to the truth, beside what a user would pick instead and beside what shares of these bands can
 * reach at all, in one run.
 *
 *   bun bench/separate.ts FOLDER...
 *
 * Each folder holds vocals, drums, bass and other as FLAC: training/material/make.ts renders some,
 * bench/separate/sing.py gives them a voice. SI-SDR in dB (Le Roux et al. 2019), over both channels; a stem that is
 * silent in a piece does not count. Speed is seconds of audio in a second of processor time, from the samples of the
 * mix to those of all stems; the model's own process is not counted in it.
 */
import { basename } from "node:path";
import type { Audio } from "../contract/mod.ts";
import { createPool } from "../runners/pool/pool.ts";
import { BLOCK } from "../runners/signal/separate/blocks.ts";
import { Renderer } from "../runners/signal/separate/render.ts";
import { type Shares, sharesOf } from "../runners/signal/separate/shares.ts";
import { trained } from "../runners/signal/separate/weights.ts";
import { type Channels, readStems, STEMS, type StemName, siSdr, sumOf } from "../training/material/stems.ts";
import { hpssCentre, oracle, quarter, repetHpss } from "./separate/baselines.ts";
import { model } from "./separate/model.ts";

type Stems = Readonly<Record<StemName, Channels>>;
/** Shares of bands, or stems themselves. */
type Method = (mix: Audio, truth: Stems) => Promise<Shares | Stems>;

const job = { signal: new AbortController().signal, progress: () => {} };
const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
const methods: Readonly<Record<string, Method>> = {
  "mix / 4": (mix) => quarter(mix),
  "hpss + centre": (mix) => hpssCentre(mix),
  "repet-sim + hpss": (mix) => repetHpss(mix),
  separate: (mix) => sharesOf(mix, trained(), job),
  "shipped model": (mix) => pool.run(model, mix, { signal: job.signal, ms_max: 3_600_000 }),
  "Wiener oracle": (_, truth) => oracle(truth),
};

const cpu_ms = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const folders = process.argv.slice(2);
const results = Object.keys(methods).map((name) => ({ name, values: [] as (number | undefined)[][], ms: 0 }));
let seconds = 0;
for (const folder of folders) {
  const truth = await readStems(folder);
  const mix: Audio = { sample_rate: 44_100, channels: sumOf(truth) };
  seconds += mix.channels[0]!.length / 44_100;
  for (const result of results) {
    const before = cpu_ms();
    const made = await methods[result.name]!(mix, truth);
    const stems = "frames" in made ? rendered(mix, made) : made;
    result.ms += cpu_ms() - before;
    result.values.push(STEMS.map((name) => siSdr(truth[name], stems[name])));
  }
  const row = results.find(({ name }) => name === "shipped model")!.values.at(-1)!;
  const own = STEMS.map((name) => siSdr(truth[name], mix.channels));
  console.log(
    `${basename(folder).padEnd(16)} ${row.map(cell).join(" ")}   ${STEMS.filter((_, k) => (row[k] ?? 0) < (own[k] ?? Number.NEGATIVE_INFINITY)).join(", ") || "none"} below the mix's own`,
  );
}
console.log(`\n${"".padEnd(17)}${[...STEMS, "mean", "x real time"].map((name) => name.padStart(8)).join(" ")}`);
for (const { name, values, ms } of results) {
  const means = STEMS.map((_, k) => mean(values.map((row) => row[k]).filter((value) => value !== undefined)));
  console.log(
    `${name.padEnd(16)} ${[...means, mean(means), (1000 * seconds) / ms].map((value) => cell(value).padStart(8)).join(" ")}`,
  );
}

await pool.close();

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

function cell(value: number | undefined): string {
  return (value === undefined ? "-" : value.toFixed(2)).padStart(8);
}

function rendered(mix: Audio, shares: Shares): Stems {
  const renderer = new Renderer(mix, shares);
  const room = () => mix.channels.map(({ length }) => new Float32Array(length));
  const stems: Record<StemName, Float32Array[]> = { vocals: room(), drums: room(), bass: room(), other: room() };
  for (let block = 0; block * BLOCK < renderer.frames; block++) {
    const made = renderer.block(block);
    const from = block * BLOCK;
    const count = Math.min(BLOCK, renderer.frames - from);
    for (const name of STEMS)
      for (const [c, channel] of stems[name].entries()) channel.set(made[name][c]!.subarray(0, count), from);
  }
  return stems;
}
