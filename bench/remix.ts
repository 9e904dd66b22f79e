/**
 * `create.remix_instrumental`: what is kept of a source and how far the outputs are from it and from one another.
 *
 *   bun bench/remix.ts FOLDER … [--prompt WORDS] [--variations 3] [--wav FOLDER]     pieces as `bench/material/make.ts` writes them
 *   bun bench/remix.ts --tune [GENRE …]                                             the top line against the melody that was rendered
 *
 * Tempo, key and chords of the outputs are heard by the project's own ear (runners/analyse), whose errors count against them; chords are held
 * against the truth of the source, beat by beat. Runs on Deno too.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { Audio, Output } from "../core/plugin.ts";
import { analyse } from "../runners/analyse/analyse.ts";
import type { Analysis } from "../runners/analyse/analysis.ts";
import { briefOf } from "../runners/compose/brief/brief_of.ts";
import { beatGrid } from "../runners/remix/grid.ts";
import { remix } from "../runners/remix/remix.ts";
import type { ScoreReport } from "../runners/studio/score_report.ts";
import { wav } from "../test/audio.ts";
import { readPiece } from "./material/read.ts";
import { ownCpuSeconds, peakBytes } from "./measure.ts";
import { correlation } from "./remix/likeness.ts";
import { measureTunes } from "./remix/tunes.ts";

const job = { signal: new AbortController().signal, progress: () => undefined };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    prompt: { type: "string" },
    variations: { type: "string", default: "3" },
    wav: { type: "string" },
    tune: { type: "boolean", default: false },
  },
});

interface Truth {
  readonly key: string;
  readonly chords: readonly { readonly start: number; readonly root: string; readonly quality?: string }[];
  readonly duration: number;
}

const NAMES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
const FLATS: Readonly<Record<string, string>> = { Db: "C#", Eb: "D#", Gb: "F#", Ab: "G#", Bb: "A#" };
const classOf = (name: string): number => NAMES.indexOf(FLATS[name] ?? name);
const MINOR = new Set(["min", "min7", "dim"]);

/** Share of the source's beats at which the output has the source's root and third. */
function agreement(truth: Truth, source: Analysis, output: Analysis, bpm: number): number {
  const grid = beatGrid(source, briefOf(source, 0));
  let [agreed, count] = [0, 0];
  for (let beat = 0; beat + 1 < grid.times.length; beat++) {
    const time = (grid.times[beat]! + grid.times[beat + 1]!) / 2;
    const said = truth.chords.findLast(({ start }) => start <= time);
    if (said === undefined || time > truth.duration) continue;
    const there = ((beat + 0.5) * 60) / bpm;
    const heard = output.tonality.chords.find(({ start, end }) => start <= there && there < end);
    count++;
    if (heard?.root !== classOf(said.root)) continue;
    if (said.quality === undefined || MINOR.has(said.quality) === MINOR.has(heard.quality)) agreed++;
  }
  return agreed / Math.max(1, count);
}

const keyName = ({ tonic, mode }: Analysis["tonality"]): string => `${NAMES[tonic]} ${mode}`;
const sameKey = (name: string, { tonic, mode }: Analysis["tonality"]): boolean => {
  const [tonal, scale] = name.split(" ");
  return classOf(tonal!) === tonic && scale === mode;
};

async function keep(name: string, audio: Audio): Promise<void> {
  if (values.wav === undefined) return;
  await mkdir(values.wav, { recursive: true });
  await writeFile(join(values.wav, `${name}.wav`), wav(audio.channels));
}

const totals = { tempo: 0, key: 0, chords: 0, source: 0, between: 0, count: 0, cpu: 0, seconds: 0 };

async function one(folder: string): Promise<void> {
  const source = await readPiece(folder);
  const file = join(folder, "truth.json");
  const truth = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Truth) : undefined;
  const seeds = Array.from({ length: Number(values.variations) }, (_, index) => 7 + index);
  const before = ownCpuSeconds();
  const outputs: readonly Output[] = await remix({ source, prompt: values.prompt, seeds }, job);
  const cpu = ownCpuSeconds() - before;
  const heard = await analyse(source, job);
  const seconds = outputs.reduce((sum, { audio }) => sum + audio.channels[0]!.length / 44_100, 0);
  totals.cpu += cpu;
  totals.seconds += seconds;
  console.log(
    `${basename(folder)}: ${heard.seconds.toFixed(1)} s, ${heard.rhythm.tempo_bpm.toFixed(1)} BPM (${heard.rhythm.confidence.toFixed(2)}), ${keyName(heard.tonality)}, true ${truth?.key ?? "?"}; ${cpu.toFixed(1)} s CPU, ${(seconds / cpu).toFixed(1)} x realtime, peak ${((await peakBytes()) / 2 ** 20).toFixed(0)} MiB`,
  );
  for (const [index, { audio, report }] of outputs.entries()) {
    const { composed, understood, tune } = report as {
      composed: ScoreReport;
      understood: { genre: string };
      tune: { notes: number; confidence: number; share: number };
    };
    const made = await analyse(audio, job);
    const ratio = made.rhythm.tempo_bpm / heard.rhythm.tempo_bpm;
    const chords = truth === undefined ? Number.NaN : agreement(truth, heard, made, composed.tempo_bpm);
    const like = correlation(source, audio);
    const others = outputs.slice(index + 1).map((other) => correlation(audio, other.audio));
    const between = Math.max(0, ...others);
    const key = sameKey(keyName(heard.tonality), made.tonality);
    const tempo = Math.abs(ratio - 1) <= 0.02;
    totals.count++;
    totals.tempo += Number(tempo);
    totals.key += Number(key);
    totals.chords += Number.isNaN(chords) ? 0 : chords;
    totals.source = Math.max(totals.source, like);
    totals.between = Math.max(totals.between, between);
    console.log(
      `  ${index} ${understood.genre.padEnd(16)} ${(audio.channels[0]!.length / 44_100).toFixed(1).padStart(6)} s  tempo ${composed.tempo_bpm.toFixed(1)} written, ${made.rhythm.tempo_bpm.toFixed(1)} heard ${tempo ? "" : "(!)"}  key ${keyName(made.tonality)} ${key ? "" : "(!)"}  chords ${chords.toFixed(2)}  like source ${like.toFixed(2)}, others ${between.toFixed(2)}  tune ${tune.notes} (${tune.confidence}, ${tune.share})  ${composed.parts.map(({ instrument }) => instrument).join(" ")}`,
    );
    await keep(`${basename(folder)}-${index}`, audio);
  }
}

if (values.tune) await measureTunes(positionals);
else {
  for (const folder of positionals) await one(folder);
  const { count, cpu, seconds } = totals;
  console.log(
    `tempo ${((100 * totals.tempo) / count).toFixed(0)} %, key ${((100 * totals.key) / count).toFixed(0)} %, chords ${(totals.chords / count).toFixed(2)}, most like the source ${totals.source.toFixed(2)}, like another ${totals.between.toFixed(2)}; ${(seconds / cpu).toFixed(1)} x realtime, peak ${((await peakBytes()) / 2 ** 20).toFixed(0)} MiB`,
  );
}
