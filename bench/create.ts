/**
 * `create.new_instrumental` and `create.new_sample`: what is delivered, measured against what the words ask for.
 *
 *   bun bench/create.ts prompts [FROM-TO]    40 prompts: tempo, key, scale, octave bands, width, boundaries, holes, level
 *   bun bench/create.ts seeds [same|FILE]    20 genres x 3 prompts (or one, or those of a file: [[prompt, prompt, prompt], ...]), a seed each, 45 s: are
 *                                            pieces distinct, and does the nearest neighbour name the genre
 *   bun bench/create.ts songs [FROM-TO]      12 songs: LU of the voices over the band and of the lead over the others, by section
 *   bun bench/create.ts loops                loops of many lengths: length, seam
 *   bun bench/create.ts speed                CPU of 2-minute pieces and of 10 s samples, each after one to warm up
 *   bun bench/create.ts render FILE --wav FOLDER   pieces for prompts of a file ([{"prompt", "bpm"?, "key"?}]), for bench/create/judge.py
 *   --wav FOLDER keeps what was made.       deno run -A --no-check bench/create.ts …
 *
 * The ear is the project's own (runners/analyse), whose errors count against the pieces. Whether anything sounds like a voice is not asked:
 * our detector tells speech from what lies softly under it, and takes violins and leads for one.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Audio, Output } from "../core/plugin.ts";
import { madeAll } from "../core/produced.ts";
import { understand } from "../runners/compose/brief/understand.ts";
import type { Genre } from "../runners/compose/genres.ts";
import { composer } from "../runners/compose/mod.ts";
import { integratedLoudness } from "../runners/dsp/loudness.ts";
import { truePeak } from "../runners/dsp/true_peak.ts";
import { master } from "../runners/master/master.ts";
import { octaveTargets } from "../runners/mix/targets.ts";
import { makeInstrumentals } from "../runners/studio/instrumental.ts";
import { record } from "../runners/studio/record.ts";
import { makeSample } from "../runners/studio/sample.ts";
import type { ScoreReport } from "../runners/studio/score_report.ts";
import { wav } from "../test/audio.ts";
import { inScale, type Measured, measure, mirex, recall, sameTempo, seam } from "./create/measure.ts";
import { GENRE_PROMPTS, PROMPTS } from "./create/prompts.ts";
import { measureSong, SONG_PROMPTS } from "./create/songs.ts";
import { median, ownCpuSeconds, peakBytes } from "./measure.ts";

const job = { signal: new AbortController().signal, progress: () => undefined };
const { values, positionals } = parseArgs({ allowPositionals: true, options: { wav: { type: "string" } } });

interface Made {
  readonly output: Output;
  readonly report: ScoreReport;
  readonly cpu: number;
}

async function make(prompt: string, seed: number): Promise<Made> {
  const before = ownCpuSeconds();
  const [output] = await madeAll(await makeInstrumentals({ prompt, seeds: [seed] }, job));
  return {
    output: output!,
    report: (output!.report as { composed: ScoreReport }).composed,
    cpu: ownCpuSeconds() - before,
  };
}

/** As core delivers it: -14 LUFS, -1 dBTP. */
async function mastered(output: Output): Promise<Audio> {
  const level = { kind: "loudness", target_lufs: -14, allow_compression: true } as const;
  const { rendering } = await master(output.audio, level, { bits: 24, ring: output.loop === true }, job.signal);
  const channels = output.audio.channels.map(() => new Float32Array(rendering.frames));
  rendering.samples(0, rendering.frames, channels);
  return { sample_rate: output.audio.sample_rate, channels };
}

async function keep(name: string, audio: Audio): Promise<void> {
  if (values.wav === undefined) return;
  await mkdir(values.wav, { recursive: true });
  await writeFile(join(values.wav, `${name}.wav`), wav(audio.channels, { sample_rate: audio.sample_rate }));
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
const share = (flags: readonly boolean[]): string => `${flags.filter(Boolean).length} of ${flags.length}`;
const pad = (value: number, digits: number, width: number): string => value.toFixed(digits).padStart(width);

/**
 * Largest departure of an octave band from 63 Hz to 16 kHz from the target, both without their means; bands 40 dB and more under the loudest
 * do not count. What lies below is told by itself: few speakers play it, and few line-ups.
 */
function spectralMiss(
  measured: Measured,
  genre: Genre,
): { readonly worst: number; readonly band: number; readonly lowest: number } {
  const target = octaveTargets(genre);
  const loudest = Math.max(...measured.octaves_db);
  const bands = measured.octaves_db
    .map((_, band) => band)
    .filter((band) => band > 0 && measured.octaves_db[band]! > loudest - 40);
  const offset = mean(bands.map((band) => measured.octaves_db[band]! - target[band]!));
  let worst = 0;
  let at = 0;
  for (const band of bands) {
    const miss = measured.octaves_db[band]! - target[band]! - offset;
    if (Math.abs(miss) > Math.abs(worst)) [worst, at] = [miss, band];
  }
  return { worst, band: at, lowest: measured.octaves_db[0]! - target[0]! - offset };
}

async function prompts(): Promise<void> {
  const [from, to] = (positionals[1] ?? `1-${PROMPTS.length}`).split("-").map(Number) as [number, number];
  const tempos: boolean[] = [];
  const keys: number[] = [];
  const scales: number[] = [];
  const bands: boolean[] = [];
  const widths: boolean[] = [];
  const recalls: number[] = [];
  const holes: boolean[] = [];
  const levels: boolean[] = [];
  console.log(
    "    x real | heard tempo, key (plan)             | scale | worst band, 31 Hz | L/R    low | boundaries | hole  crest | LUFS   dBTP | prompt",
  );
  for (const [index, { prompt, bpm, key }] of PROMPTS.entries()) {
    if (index + 1 < from || index + 1 > to) continue;
    const { output, report, cpu } = await make(prompt, 1000 + index);
    const audio = await mastered(output);
    await keep(`${String(index + 1).padStart(2, "0")}`, audio);
    const measured = await measure(audio);
    const planned = key ?? keyOf(report.key);
    const { genre } = understand(prompt);
    const { worst, band, lowest } = spectralMiss(measured, genre);
    const found = recall(
      report.sections.slice(1).map(({ start }) => start),
      measured.boundaries,
      2,
    );
    const lufs = integratedLoudness(audio.channels, audio.sample_rate);
    const peak = 20 * Math.log10(truePeak(audio.channels));
    if (bpm !== undefined) tempos.push(sameTempo(measured.tempo, bpm));
    if (key !== undefined) keys.push(mirex(measured, key));
    scales.push(inScale(measured.chroma, planned));
    bands.push(Math.abs(worst) <= 6);
    widths.push(measured.correlation >= 0.2 && measured.correlation <= 0.95 && measured.correlation_low > 0.9);
    recalls.push(found);
    holes.push(measured.hole <= 1.5);
    levels.push(Math.abs(lufs + 14) < 0.05 && peak <= -0.99);
    const heard = `${pad(measured.tempo, 1, 5)} ${NAMES[measured.tonic]} ${measured.mode} (${report.tempo_bpm} ${report.key})`;
    console.log(
      `${String(index + 1).padStart(2)} ${pad(measured.seconds / cpu, 1, 6)} | ${heard.padEnd(35)} | ${pad(scales.at(-1)!, 2, 5)} | ${pad(worst, 1, 5)} at ${String(band).padStart(2)} ${pad(lowest, 0, 4)} | ${pad(measured.correlation, 2, 5)} ${pad(measured.correlation_low, 2, 5)} | ${pad(found, 2, 5)}      | ${pad(measured.hole, 2, 4)} ${pad(measured.crest_db, 1, 5)} | ${pad(lufs, 2, 6)} ${pad(peak, 2, 5)} | ${prompt}`,
    );
  }
  console.log(
    `tempo within 4 %: ${share(tempos)}; key, MIREX: ${mean(keys).toFixed(2)}; in scale: ${mean(scales).toFixed(2)}`,
  );
  console.log(
    `octave bands within 6 dB: ${share(bands)}; width in bounds: ${share(widths)}; boundaries: ${mean(recalls).toFixed(2)}`,
  );
  console.log(`no hole over 1.5 s: ${share(holes)}; level: ${share(levels)}`);
}

const NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];

function keyOf(name: string): { tonic: number; mode: string } {
  const [note = "C", mode = "major"] = name.split(" ");
  const tonic = "C D EF G A B".indexOf(note[0]!) + (note[1] === "#" ? 1 : note[1] === "b" ? -1 : 0);
  return { tonic: (tonic + 12) % 12, mode };
}

/** Of pieces that are only to be told apart. */
const SHORT_SECONDS = 45;

async function seeds(): Promise<void> {
  const made: { genre: number; prompt: string; features: readonly (readonly number[])[] }[] = [];
  const same = positionals[1] === "same";
  const genres: readonly (readonly string[])[] =
    same || positionals[1] === undefined ? GENRE_PROMPTS : JSON.parse(await readFile(positionals[1], "utf8"));
  const { understand: read, compose } = await composer.load();
  for (const [genre, prompts_of] of genres.entries()) {
    for (const index of [0, 1, 2]) {
      const prompt = prompts_of[same ? 0 : index]!;
      const seed = 1 + index;
      const audio = await record(compose(read(prompt), { seconds: SHORT_SECONDS }, seed), seed, job);
      const { features } = await measure(await mastered({ audio, engine: "" }));
      made.push({ genre, prompt, features });
    }
    console.log(`${genre + 1} of ${genres.length}: ${prompts_of[0]}`);
  }
  const spread = made[0]!.features.map((row, r) =>
    row.map((_, k) => {
      const column = made.map(({ features }) => features[r]![k]!);
      const middle = mean(column);
      return Math.sqrt(mean(column.map((value) => (value - middle) ** 2))) + 1e-6;
    }),
  );
  // Each row counts alike, and within a row each number by its deviation over all pieces.
  const distance = (one: readonly (readonly number[])[], other: readonly (readonly number[])[]): number =>
    Math.sqrt(mean(one.map((row, r) => mean(row.map((value, k) => ((value - other[r]![k]!) / spread[r]![k]!) ** 2)))));
  let right = 0;
  const within: number[] = [];
  const between: number[] = [];
  const wrong: string[] = [];
  for (const one of made) {
    const others = made.filter((other) => other !== one);
    for (const other of others)
      (other.genre === one.genre ? within : between).push(distance(one.features, other.features));
    const near = others.reduce((best, other) =>
      distance(one.features, other.features) < distance(one.features, best.features) ? other : best,
    );
    if (near.genre === one.genre) right++;
    else wrong.push(`"${one.prompt}" taken for "${near.prompt}"`);
  }
  console.log(`genre by nearest neighbour: ${right} of ${made.length} (${((100 * right) / made.length).toFixed(0)} %)`);
  console.log(
    `distance within a genre ${mean(within).toFixed(2)} (least ${Math.min(...within).toFixed(2)}), between genres ${mean(between).toFixed(2)}: ${(mean(within) / mean(between)).toFixed(2)}`,
  );
  for (const name of wrong) console.log(`  ${name}`);
}

async function songs(): Promise<void> {
  const [from, to] = (positionals[1] ?? `1-${SONG_PROMPTS.length}`).split("-").map(Number) as [number, number];
  const inside: boolean[] = [];
  const overs: number[] = [];
  for (const [index, prompt] of SONG_PROMPTS.entries()) {
    if (index + 1 < from || index + 1 > to) continue;
    const { song, sections, whole } = await measureSong(prompt, 2000 + index);
    await keep(`song-${String(index + 1).padStart(2, "0")}`, song);
    overs.push(whole.over);
    for (const { over } of sections) inside.push(Math.abs(over) <= 3);
    const each = [whole, ...sections].map(
      ({ kind, over, lead_over }) =>
        `${kind} ${pad(over, 1, 5)} (lead ${lead_over > 40 ? "alone" : pad(lead_over, 1, 5)})`,
    );
    console.log(`${String(index + 1).padStart(2)} ${each.join(" | ")} | ${prompt}`);
  }
  console.log(
    `voices over band, LU: median ${median(overs).toFixed(1)}, ${Math.min(...overs).toFixed(1)} to ${Math.max(...overs).toFixed(1)}; sections within 3 LU: ${share(inside)}`,
  );
}

const LOOPS: readonly (readonly [prompt: string, seconds: number])[] = [
  ["house drums and bass", 7.5],
  ["lo-fi beat with vinyl crackle", 11.3],
  ["ambient pad", 20],
  ["techno loop, 130 bpm", 7.3846],
  ["acoustic guitar strumming", 8],
  ["string ostinato, tense", 6.66],
  ["808 trap loop", 13.714],
  ["piano arpeggio", 0.5],
  ["drum and bass break", 1.379],
  ["orchestral swell", 60],
  ["reggae skank", 6.4],
  ["chiptune arpeggio", 3.2],
];

async function loops(): Promise<void> {
  for (const [index, [prompt, seconds]] of LOOPS.entries()) {
    const before = ownCpuSeconds();
    const output = await makeSample({ prompt, seconds, loop: true, seed: 5 + index }, job);
    const cpu = ownCpuSeconds() - before;
    const { rendering } = await master(output.audio, { kind: "peak" }, { bits: 24, ring: true }, job.signal);
    const channels = output.audio.channels.map(() => new Float32Array(rendering.frames));
    rendering.samples(0, rendering.frames, channels);
    await keep(`loop-${index + 1}`, { sample_rate: 44_100, channels });
    const { step, flux } = seam({ sample_rate: 44_100, channels });
    const exact = rendering.frames === Math.round(seconds * 44_100);
    console.log(
      `${exact ? "exact" : `${rendering.frames} FRAMES`} step p${(100 * step).toFixed(1)} flux p${(100 * flux).toFixed(1)} ${cpu.toFixed(2)} s CPU: ${prompt}, ${seconds} s`,
    );
  }
}

async function speed(): Promise<void> {
  await make("pop", 1);
  const ratios: number[] = [];
  for (const prompt of [
    "pop with piano and guitars",
    "trance",
    "orchestral trailer",
    "jazz quartet",
    "lo-fi hip hop",
    "metal",
  ]) {
    const { output, cpu } = await make(prompt, 9);
    const seconds = output.audio.channels[0]!.length / 44_100;
    ratios.push(seconds / cpu);
    console.log(`${prompt}: ${seconds.toFixed(0)} s in ${cpu.toFixed(2)} s CPU, ${(seconds / cpu).toFixed(1)} x`);
  }
  console.log(`median ${median(ratios).toFixed(1)} x, peak memory ${((await peakBytes()) / 1e6).toFixed(0)} MB`);
  for (const prompt of ["funk drums and bass", "soft piano", "trance lead"]) {
    const before = ownCpuSeconds();
    await makeSample({ prompt, seconds: 10, loop: false, seed: 2 }, job);
    console.log(`10 s sample, ${prompt}: ${(ownCpuSeconds() - before).toFixed(2)} s CPU`);
  }
}

interface Asked {
  readonly prompt: string;
  readonly bpm?: number;
  /** "F# minor". */
  readonly key?: string;
}

async function render(): Promise<void> {
  if (values.wav === undefined || positionals[1] === undefined) throw new Error("Cannot render without FILE and --wav");
  const list = JSON.parse(await readFile(positionals[1], "utf8")) as readonly Asked[];
  for (const [index, asked] of list.entries()) {
    const { output, cpu } = await make(asked.prompt, 7000 + index);
    const name = String(index + 1).padStart(2, "0");
    await keep(name, await mastered(output));
    await writeFile(join(values.wav, `${name}.json`), JSON.stringify({ ...asked, report: output.report }));
    console.log(`${name} ${(output.audio.channels[0]!.length / 44_100 / cpu).toFixed(1)} x real: ${asked.prompt}`);
  }
}

const wanted = positionals[0];
if (wanted === "render") await render();
if (wanted === undefined || wanted === "prompts") await prompts();
if (wanted === undefined || wanted === "seeds") await seeds();
if (wanted === undefined || wanted === "songs") await songs();
if (wanted === undefined || wanted === "loops") await loops();
if (wanted === undefined || wanted === "speed") await speed();
