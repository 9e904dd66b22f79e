/** What is held against whom: one row for each task, our side first, each side one run that tells what it took. */
import { readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { wav } from "../../test/audio.ts";
import { readPiece } from "../../training/material/read.ts";
import { fMeasure } from "../../training/rhythm/measures.ts";
import type { Timed } from "../kernels/clock.ts";
import { KERNELS } from "../kernels/list.ts";
import { writeMaterial } from "../kernels/material.ts";
import { isInstalled, runFresh, runOutside } from "../measure.ts";
import { costOf, loudnorm, type Outside } from "../outside.ts";
import { mirex } from "./accuracy.ts";
import type { EngineTimed } from "./child.ts";
import { midiFile } from "./midi.ts";
import { played } from "./played.ts";
import { PythonPeers } from "./python.ts";

export interface Run {
  readonly cpu_s: number;
  /** As the row's `quality` says; absent where nothing is judged. */
  readonly quality?: number;
}

export interface Side {
  readonly name: string;
  /** Undefined where it is not installed. */
  run(): Promise<Run | undefined>;
  end?(): void;
}

export interface Row {
  readonly name: string;
  /** Of audio. */
  readonly seconds: number;
  /** What the figures beside the speed are; absent where both give the same, or where another benchmark judges. */
  readonly quality?: string;
  readonly ours: Side;
  /** What the ratio to the first peer is to reach. */
  readonly aim?: number;
  readonly peers: readonly Side[];
}

export interface Given {
  readonly path: (name: string) => string;
  readonly seconds: number;
  /** Python programs; each peer is asked of the first that has it. */
  readonly pythons: readonly string[];
  /** A folder of pieces with their truth; null: beats and keys are left out. */
  readonly music: string | null;
  readonly font: string;
}

interface Piece {
  readonly folder: string;
  readonly beats: readonly number[];
  readonly key: string;
  readonly seconds: number;
}

const child = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const KERNEL = child("../kernels/child.ts");
const ACTION = child("../actions/child.ts");
const OWN = child("child.ts");
/** Of a song that is taken apart: HTDemucs takes longer than that on one core. */
const SEPARATED_S = 24;
const PLAYED_S = 60;
/** Pieces for sampled instruments of different kinds. */
const PROMPTS = ["jazz instrumental", "folk instrumental", "orchestral instrumental"];
/** As MIREX judges beats. */
const BEAT_TOLERANCE_S = 0.07;
/** Kernels whose outside tools do the same. */
const SAME = ["resample 48000 to 44100", "resample 44100 to 48000", "FLAC encode, 24 bits", "FLAC decode, 24 bits"];

export async function rowsFor(given: Given): Promise<readonly Row[]> {
  const seconds = await writeMaterial(given.path(""), given.seconds);
  const pieces = given.music === null ? [] : await writePieces(given.music, given.path);
  return [
    await normalising(given, seconds),
    ...SAME.map((name) => kernelRow(name, given, seconds)),
    ...(pieces.length === 0 ? [] : [beatsRow(pieces, given), keyRow(pieces, given)]),
    await playing(given),
    await separating(given),
  ];
}

async function normalising({ path, pythons }: Given, seconds: number): Promise<Row> {
  await copyFile(path("s16.wav"), path("source.wav"));
  const args = ["s16.wav", "normalised.flac"].map(path);
  const asked = ["-nt", "ebu", "-t", "-14", "-tp", "-1", "-lrt", "11", "-ar", "44100", "-c:a", "flac", "-f", "-q"];
  return {
    name: "normalise to -14 LUFS, -1 dBTP, to FLAC",
    seconds,
    ours: freshSide(ACTION, [path(""), "adapt.normalise_loudness", "0", String(seconds)]),
    aim: 20,
    peers: [
      outsideSide(loudnorm(-14, true), path),
      {
        name: "ffmpeg-normalize",
        async run() {
          for (const python of pythons) {
            const has = await runOutside([python, "-c", "import ffmpeg_normalize"]).catch(() => undefined);
            if (has !== undefined)
              return runOutside([python, "-m", "ffmpeg_normalize", args[0]!, "-o", args[1]!, ...asked]);
          }
          return undefined;
        },
      },
    ],
  };
}

function kernelRow(name: string, { path }: Given, seconds: number): Row {
  const kernel = KERNELS.find((one) => one.name === name)!;
  return {
    name,
    seconds: (seconds * 44_100) / (kernel.rate ?? 44_100),
    ours: freshSide(KERNEL, [path(""), name]),
    peers: kernel.outside!.map((tool) => outsideSide(tool, path)),
  };
}

function beatsRow(pieces: readonly Piece[], { pythons, path }: Given): Row {
  const judge = (found: readonly unknown[]): number =>
    mean(pieces.map(({ beats }, n) => fMeasure(beats, found[n] as readonly number[], BEAT_TOLERANCE_S)));
  return {
    name: "beats",
    seconds: sum(pieces),
    quality: "F-measure at 70 ms",
    ours: freshSide(OWN, ["beats", ...pieces.map(({ folder }) => folder)], judge),
    peers: ["librosa", "madmom"].map((tool) => pythonSide(tool, pythons, wavs(pieces, path), judge)),
  };
}

function keyRow(pieces: readonly Piece[], { pythons, path }: Given): Row {
  const judge = (found: readonly unknown[]): number =>
    mean(pieces.map(({ key }, n) => mirex(...(found[n] as [number, string]), key)));
  return {
    name: "key (ours with chords)",
    seconds: sum(pieces),
    quality: "MIREX weight",
    ours: freshSide(OWN, ["key", ...pieces.map(({ folder }) => folder)], judge),
    peers: [pythonSide("librosa-key", pythons, wavs(pieces, path), judge)],
  };
}

/**
 * Without reverberation on either side. What FluidSynth loads is not counted: it plays once, and twice in a row, and
 * the difference counts.
 */
async function playing({ path, font }: Given): Promise<Row> {
  const pieces = await Promise.all(PROMPTS.map((prompt) => played(prompt, PLAYED_S)));
  for (const [n, { midi, frames }] of pieces.entries())
    for (const times of [1, 2]) await writeFile(path(`${n}-${times}.mid`), midiFile(midi, frames, times));
  const plain = ["-n", "-i", "-q", "-R", "0", "-C", "0", "-r", "44100", "-g", "0.5", "-o", "synth.cpu-cores=1"];
  const once = (n: number, times: number): readonly string[] => [
    ...["fluidsynth", ...plain, "-o", "synth.dynamic-sample-loading=1", "-O", "float", "-T", "raw"],
    ...["-F", path("fluidsynth.raw"), font, path(`${n}-${times}.mid`)],
  ];
  return {
    name: "sampled instruments, the same notes",
    seconds: pieces.reduce((all, { frames }) => all + frames / 44_100, 0),
    ours: freshSide(OWN, ["play", String(PLAYED_S), ...PROMPTS]),
    peers: [
      {
        name: "FluidSynth",
        async run() {
          if (!(await isInstalled("fluidsynth"))) return undefined;
          let cpu_s = 0;
          for (const n of pieces.keys())
            cpu_s += (await runOutside(once(n, 2))).cpu_s - (await runOutside(once(n, 1))).cpu_s;
          return { cpu_s };
        },
      },
    ],
  };
}

/** Ours from decoding to the FLAC files of all stems; HTDemucs from samples to samples. */
async function separating({ path, pythons }: Given): Promise<Row> {
  const folder = path("separated");
  await mkdir(folder);
  const seconds = await writeMaterial(folder, SEPARATED_S);
  await copyFile(join(folder, "s16.wav"), join(folder, "source.wav"));
  return {
    name: "four stems (speed only: random weights)",
    seconds,
    ours: freshSide(ACTION, [`${folder}/`, "adapt.separate_stems", "0", String(seconds)]),
    peers: [pythonSide("htdemucs", pythons, [join(folder, "s16.wav")])],
  };
}

function freshSide(script: string, args: readonly string[], judge?: (found: readonly unknown[]) => number): Side {
  return {
    name: "ours",
    async run() {
      const made = await runFresh<Timed & Partial<EngineTimed>>("bun", script, args);
      return { cpu_s: made.cpu_s, ...(judge === undefined ? {} : { quality: judge(made.found!) }) };
    },
  };
}

function outsideSide(tool: Outside, path: (name: string) => string): Side {
  return { name: tool.name, run: () => costOf(tool, path) };
}

/** Its process is asked about the first file before the clock starts, as ours has run once: it loads and compiles then. */
function pythonSide(
  tool: string,
  pythons: readonly string[],
  files: readonly string[],
  judge?: (found: readonly unknown[]) => number,
): Side {
  let peers: PythonPeers | null | undefined;
  /** The first Python that answers. */
  async function started(): Promise<PythonPeers | null> {
    for (const python of pythons) {
      const asked = new PythonPeers(python, [tool]);
      const first = await asked.ask(files[0]!).catch(() => undefined);
      if (first !== undefined && first[tool]?.error === undefined) return asked;
      asked.end();
    }
    return null;
  }
  return {
    name: tool,
    async run() {
      if (peers === undefined) peers = await started();
      if (peers === null) return undefined;
      const found: unknown[] = [];
      let cpu_s = 0;
      for (const file of files) {
        const answer = (await peers.ask(file))[tool]!;
        if (answer.cpu === undefined) throw new Error(`"${tool}" failed: ${answer.error}`);
        cpu_s += answer.cpu;
        found.push(answer.found);
      }
      return { cpu_s, ...(judge === undefined ? {} : { quality: judge(found) }) };
    },
    end: () => peers?.end(),
  };
}

async function writePieces(music: string, path: (name: string) => string): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (const name of readdirSync(music).sort()) {
    const folder = join(music, name);
    const { beats, key } = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8")) as Piece;
    const { channels } = await readPiece(folder);
    const [left, right = left] = channels as [Float32Array, Float32Array?];
    await writeFile(path(`piece-${pieces.length}.wav`), wav([left.map((value, n) => (value + right[n]!) / 2)]));
    pieces.push({ folder, beats, key, seconds: left.length / 44_100 });
  }
  return pieces;
}

function wavs(pieces: readonly Piece[], path: (name: string) => string): readonly string[] {
  return pieces.map((_, n) => path(`piece-${n}.wav`));
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((all, { seconds }) => all + seconds, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0) / values.length;
}
