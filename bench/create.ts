/**
 * `create.new_instrumental` and `create.new_sample`: what is delivered, measured against what the words ask for.
 *
 *   bun bench/create.ts prompts [FROM-TO]    40 prompts: tempo, key, scale, octave bands, width, boundaries, holes, level
 *   bun bench/create.ts seeds [same|FILE]    20 genres x 3 prompts (or one, or those of a file: [[prompt, prompt, prompt], ...]), a seed each, 45 s: are
 *                                            pieces distinct, and does the nearest neighbour name the genre
 *   bun bench/create.ts songs [FROM-TO]      12 songs: LU of the voices over the band and of the lead over the others, by section
 *   bun bench/create.ts loops [FILE]         loops of many lengths, or those of a file ([[prompt, seconds], ...]): length, seam
 *   bun bench/create.ts speed                CPU of 2-minute pieces and of 10 s samples, each after one to warm up
 *   bun bench/create.ts render FILE --wav FOLDER   pieces for prompts of a file ([{"prompt", "bpm"?, "key"?}]), for bench/create/judge.py
 *                                            and for what follows; those that are there already stay
 *   bun bench/create.ts hear FOLDER          as `prompts`, of what `render` kept
 *   --wav FOLDER keeps what was made (of `seeds`: the features, which are not made again).       deno run -A --no-check bench/create.ts …
 *
 * The ear is the project's own (runners/signal/analyse), whose errors count against the pieces. Whether anything sounds
 * like a voice is not asked: our detector tells speech from what lies softly under it, and takes violins and leads for
 * one.
 */
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Audio } from "../contract/mod.ts";
import { understand } from "../runners/music/compose/brief/understand.ts";
import { composer } from "../runners/music/compose/mod.ts";
import { octaveTargets } from "../runners/music/mix/targets.ts";
import { record } from "../runners/music/studio/record.ts";
import { makeSample } from "../runners/music/studio/sample.ts";
import type { ScoreReport } from "../runners/music/studio/score_report.ts";
import { master } from "../runners/signal/master/master.ts";
import { decode } from "../runners/signal/media/decode.ts";
import { measure, seam } from "./create/measure.ts";
import { type Heard, spreadOf, spreadWithin, told } from "./create/neighbours.ts";
import { job, keep, make, mastered } from "./create/pieces.ts";
import { GENRE_PROMPTS, PROMPTS } from "./create/prompts.ts";
import { keyOf, pad, Rows, share } from "./create/rows.ts";
import { measureSong, SONG_PROMPTS } from "./create/songs.ts";
import { median, ownCpuSeconds, peakBytes } from "./measure.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { wav: { type: "string" } } });

async function prompts(): Promise<void> {
  const [from, to] = (positionals[1] ?? `1-${PROMPTS.length}`).split("-").map(Number) as [number, number];
  const rows = new Rows();
  rows.head();
  for (const [index, { prompt, bpm, key }] of PROMPTS.entries()) {
    if (index + 1 < from || index + 1 > to) continue;
    const name = String(index + 1).padStart(2, "0");
    const { output, report, cpu } = await make(prompt, 1000 + index);
    const audio = await mastered(output);
    await keep(values.wav, name, audio);
    await rows.add({ name, prompt, seed: 1000 + index, bpm, key, audio, report, cpu });
  }
  rows.sum();
}

/** What `render` kept in a folder. */
async function hear(): Promise<void> {
  const folder = positionals[1];
  if (folder === undefined) throw new Error("Cannot hear without FOLDER");
  const rows = new Rows();
  rows.head();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".json")).sort()) {
    const kept = JSON.parse(await readFile(join(folder, file), "utf8")) as Kept;
    const name = file.replace(".json", "");
    const audio = await decoded(join(folder, `${name}.wav`));
    const key = kept.key === undefined ? undefined : keyOf(kept.key);
    await rows.add({ ...kept, name, key, audio, report: kept.report.composed });
  }
  rows.sum();
}

async function decoded(path: string): Promise<Audio> {
  const limits = { seconds_min: 0, seconds_max: 600, bytes_max: 1e9 };
  return (await decode(path, limits, job.signal)).audio;
}

/** Of pieces that are only to be told apart. */
const SHORT_SECONDS = 45;

async function seeds(): Promise<void> {
  const made: Heard[] = [];
  const same = positionals[1] === "same";
  const genres: readonly (readonly string[])[] =
    same || positionals[1] === undefined ? GENRE_PROMPTS : JSON.parse(await readFile(positionals[1], "utf8"));
  const { understand: read, compose } = await composer.load();
  for (const [genre, prompts_of] of genres.entries()) {
    for (const index of [0, 1, 2]) {
      const prompt = prompts_of[same ? 0 : index]!;
      const seed = 1 + index;
      const kept = join(values.wav ?? "", `${same ? "same" : "seed"}-${genre}-${index}.json`);
      if (values.wav !== undefined && existsSync(kept)) {
        made.push(JSON.parse(await readFile(kept, "utf8")));
        continue;
      }
      const audio = await record(compose(read(prompt), { seconds: SHORT_SECONDS }, seed), seed, job);
      const { features } = await measure(await mastered({ audio, engine: "" }));
      made.push({ genre, prompt, features });
      if (values.wav !== undefined) await writeFile(kept, JSON.stringify(made.at(-1)));
    }
    console.log(`${genre + 1} of ${genres.length}: ${prompts_of[0]}`);
  }
  told(made, "deviations of all pieces", spreadOf);
  told(made, "deviations within a genre", spreadWithin);
}

async function songs(): Promise<void> {
  const [from, to] = (positionals[1] ?? `1-${SONG_PROMPTS.length}`).split("-").map(Number) as [number, number];
  const inside: boolean[] = [];
  const overs: number[] = [];
  for (const [index, prompt] of SONG_PROMPTS.entries()) {
    if (index + 1 < from || index + 1 > to) continue;
    const { song, sections, whole } = await measureSong(prompt, 2000 + index);
    await keep(values.wav, `song-${String(index + 1).padStart(2, "0")}`, song);
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
  const list: typeof LOOPS = positionals[1] === undefined ? LOOPS : JSON.parse(await readFile(positionals[1], "utf8"));
  for (const [index, [prompt, seconds]] of list.entries()) {
    const before = ownCpuSeconds();
    const output = await makeSample({ prompt, seconds, loop: true, seed: 5 + index }, job);
    const cpu = ownCpuSeconds() - before;
    const { rendering } = await master(output.audio, { kind: "peak" }, { bits: 24, ring: true }, job.signal);
    const channels = output.audio.channels.map(() => new Float32Array(rendering.frames));
    rendering.samples(0, rendering.frames, channels);
    await keep(values.wav, `loop-${index + 1}`, { sample_rate: 44_100, channels });
    const { step, flux, spectral } = seam({ sample_rate: 44_100, channels });
    const exact = rendering.frames === Math.round(seconds * 44_100);
    console.log(
      `${exact ? "exact" : `${rendering.frames} FRAMES`} step p${(100 * step).toFixed(1)} flux p${(100 * flux).toFixed(1)} spectral p${(100 * spectral).toFixed(1)} ${cpu.toFixed(2)} s CPU: ${prompt}, ${seconds} s`,
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
    "drum and bass",
    "hyperpop with pitched leads",
    "psytrance",
    "afro house with marimba",
    "dubstep",
    "salsa",
    "string quartet",
    "ambient",
  ]) {
    const { output, cpu } = await make(`${prompt}, two minutes`, 9);
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

interface Kept extends Asked {
  readonly seed: number;
  readonly cpu: number;
  readonly targets: readonly number[];
  readonly report: { readonly composed: ScoreReport };
}

async function render(): Promise<void> {
  if (values.wav === undefined || positionals[1] === undefined) throw new Error("Cannot render without FILE and --wav");
  const list = JSON.parse(await readFile(positionals[1], "utf8")) as readonly Asked[];
  for (const [index, asked] of list.entries()) {
    const name = String(index + 1).padStart(2, "0");
    const path = join(values.wav, `${name}.json`);
    if (existsSync(path)) continue;
    const seed = 7000 + index;
    const { output, report, cpu } = await make(asked.prompt, seed);
    await keep(values.wav, name, await mastered(output));
    const targets = octaveTargets(understand(asked.prompt).genre);
    const kept: Kept = { ...asked, seed, cpu, targets, report: { ...output.report, composed: report } };
    await writeFile(path, JSON.stringify(kept));
    console.log(`${name} ${(output.audio.channels[0]!.length / 44_100 / cpu).toFixed(1)} x real: ${asked.prompt}`);
  }
}

const wanted = positionals[0];
if (wanted === "render") await render();
if (wanted === "hear") await hear();
if (wanted === undefined || wanted === "prompts") await prompts();
if (wanted === undefined || wanted === "seeds") await seeds();
if (wanted === undefined || wanted === "songs") await songs();
if (wanted === undefined || wanted === "loops") await loops();
if (wanted === undefined || wanted === "speed") await speed();
