/**
 * Key, chords, tuning and sections against the truth of rendered music, side by side with librosa and with plain templates in one run.
 *
 *   PYTHON=/path/to/python bun bench/harmony.ts FOLDER …        deno run -A bench/harmony.ts FOLDER …
 *
 * Each FOLDER holds pieces as `training/material/make.ts --mix` writes them. Beats are our own, or the truth's with
 * --truth-beats; librosa is given the true beats and the true number of sections. Without PYTHON (with librosa) its
 * columns stay empty.
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Chord, Mode, Rhythm } from "../runners/signal/analyse/analysis.ts";
import { type Description, describe } from "../runners/signal/analyse/describe.ts";
import { gridOf } from "../runners/signal/analyse/form/grid.ts";
import { fold } from "../runners/signal/analyse/front.ts";
import { hearPitch } from "../runners/signal/analyse/harmony/pitch.ts";
import { rhythmOf } from "../runners/signal/analyse/rhythm/rhythm.ts";
import { readPiece } from "../training/material/read.ts";
import { mirex, pitchClass } from "./engines/accuracy.ts";

interface Truth {
  readonly key: string;
  readonly duration: number;
  readonly meter: number;
  readonly division?: 2 | 3;
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly sections: readonly { readonly label: string; readonly start: number; readonly end: number }[];
  readonly chords: readonly { readonly start: number; readonly root: string; readonly quality?: string }[];
}
interface Heard {
  readonly chords: readonly Pick<Chord, "start" | "end" | "root" | "quality">[];
  readonly tonic: number;
  readonly mode: Mode;
  /** Starts of all sections but the first. */
  readonly sections: readonly number[];
  readonly cpu_s: number;
}
interface Score {
  readonly key: number;
  readonly chords: number;
  readonly recall: number;
  readonly precision: number;
}

const exec = promisify(execFile);
const signal = new AbortController().signal;
/** mir_eval's `majmin`: what a quality counts as; others are left out. */
const TRIADS: Readonly<Record<string, "maj" | "min">> = {
  maj: "maj",
  "7": "maj",
  maj7: "maj",
  min: "min",
  min7: "min",
};
const python = process.env.PYTHON;
const given = process.argv.slice(2);
const true_beats = given.includes("--truth-beats");
const pieces = given
  .filter((argument) => !argument.startsWith("--"))
  .flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => join(folder, name)),
  );

const sums = new Map<
  string,
  { count: number; key: number; chords: number; recall: number; precision: number; f: number }
>();
let seconds = 0;
const cpu = { ours: 0, librosa: 0 };
let alike = 0;
console.log(
  "piece                 key  chords  recall  precision | templates | librosa: key  chords  recall  precision",
);
for (const folder of pieces) {
  const truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8")) as Truth;
  const audio = await readPiece(folder);
  const mono = await fold(audio, signal);
  const rhythm = true_beats ? rhythmFrom(truth) : await rhythmOf(mono, signal, () => {});
  const before = process.cpuUsage();
  const description = await describe(audio, mono, rhythm, signal);
  const used = process.cpuUsage(before);
  const ours = scored("ours", heardOf(description, (used.user + used.system) / 1e6), truth);
  const plain = await templates(mono, rhythm, truth);
  seconds += truth.duration;
  cpu.ours += (used.user + used.system) / 1e6;
  alike += pairs(description.form.sections, truth);
  let theirs = "";
  if (python !== undefined) {
    const { stdout } = await exec(python, [new URL("./harmony_librosa.py", import.meta.url).pathname, folder]);
    const heard = JSON.parse(stdout) as Heard;
    cpu.librosa += heard.cpu_s;
    theirs = line(scored("librosa", heard, truth));
  }
  console.log(`${folder.split("/").at(-1)!.padEnd(20)}${line(ours)} | ${plain.toFixed(2).padStart(9)} |     ${theirs}`);
}
console.log("");
for (const [name, { count, key, chords, recall, precision, f }] of sums) {
  const part = (value: number): string => (value / count).toFixed(3);
  const rest = `key ${part(key)}  sections R ${part(recall)} P ${part(precision)} F ${part(f)}`;
  console.log(`${name.padEnd(10)} chords ${part(chords)}  ${name === "templates" ? "" : rest}`);
}
console.log(`labels: pairwise F ${(alike / pieces.length).toFixed(3)}`);
console.log(`speed of harmony, form and timbre: ${(seconds / cpu.ours).toFixed(0)} times realtime`);
if (cpu.librosa > 0)
  console.log(`speed of librosa's chroma, chords and sections: ${(seconds / cpu.librosa).toFixed(0)} times realtime`);
console.log(`peak memory of this process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);

function rhythmFrom({ beats, downbeats, meter, division = 2 }: Truth): Rhythm {
  let place = 0;
  const first = beats.findIndex((beat) => Math.abs(beat - downbeats[0]!) < 0.002);
  const positions = beats.map((beat, index) => {
    if (downbeats.some((downbeat) => Math.abs(downbeat - beat) < 0.002)) place = 0;
    return index < first ? meter - first + index + 1 : ++place;
  });
  const tempo_bpm = (60 * (beats.length - 1)) / (beats.at(-1)! - beats[0]!);
  return {
    tempo_bpm,
    confidence: 1,
    beats,
    positions,
    metre: { beats_per_bar: meter, division },
    downbeat_confidence: 1,
    swing: 0.5,
    onsets: beats,
  };
}

function heardOf({ tonality, form }: Description, cpu_s: number): Heard {
  const { chords, tonic, mode } = tonality;
  return { chords, tonic, mode, sections: form.sections.slice(1).map(({ start }) => start), cpu_s };
}

function scored(name: string, heard: Heard, truth: Truth): Score {
  const planned = truth.sections.slice(1).map(({ start }) => start);
  const [recall, precision] = hits(heard.sections, planned);
  const score = {
    key: mirex(heard.tonic, heard.mode, truth.key),
    chords: overlap(heard.chords, truth),
    recall,
    precision,
  };
  const sum = sums.get(name) ?? { count: 0, key: 0, chords: 0, recall: 0, precision: 0, f: 0 };
  sum.count++;
  sum.key += score.key;
  sum.chords += score.chords;
  sum.recall += recall;
  sum.precision += precision;
  sum.f += recall + precision > 0 ? (2 * recall * precision) / (recall + precision) : 0;
  sums.set(name, sum);
  return score;
}

function line({ key, chords, recall, precision }: Score): string {
  return `${key.toFixed(1).padStart(5)} ${chords.toFixed(3).padStart(7)} ${recall.toFixed(2).padStart(7)} ${precision.toFixed(2).padStart(10)}`;
}

/** Share of the time of major and minor chords in which root and third are right. */
function overlap(chords: Heard["chords"], truth: Truth): number {
  let right = 0;
  let all = 0;
  for (const [index, { start, root, quality }] of truth.chords.entries()) {
    const triad = TRIADS[quality ?? ""];
    if (triad === undefined) continue;
    const end = truth.chords[index + 1]?.start ?? truth.duration;
    all += end - start;
    for (const chord of chords) {
      const both = Math.min(end, chord.end) - Math.max(start, chord.start);
      if (both > 0 && chord.root === pitchClass(root) && TRIADS[chord.quality] === triad) right += both;
    }
  }
  return all > 0 ? right / all : 0;
}

/** Recall and precision of boundaries within a second, one to one. */
function hits(found: readonly number[], planned: readonly number[]): readonly [number, number] {
  const free = new Set(found);
  let hit = 0;
  for (const time of planned) {
    const nearest = [...free].sort((a, b) => Math.abs(a - time) - Math.abs(b - time))[0];
    if (nearest === undefined || Math.abs(nearest - time) > 1) continue;
    free.delete(nearest);
    hit++;
  }
  return [
    planned.length > 0 ? hit / planned.length : 1,
    found.length > 0 ? hit / found.length : planned.length > 0 ? 0 : 1,
  ];
}

/** Pairwise F of labels over half seconds (Levy & Sandler 2008). */
function pairs(sections: readonly { start: number; end: number; label: string }[], truth: Truth): number {
  const label = (spans: Truth["sections"], time: number): string | undefined =>
    spans.find(({ start, end }) => time >= start && time < end)?.label;
  const [ours, theirs]: [(string | undefined)[], (string | undefined)[]] = [[], []];
  for (let time = 0.25; time < truth.duration; time += 0.5) {
    const planned = label(truth.sections, time);
    if (planned === undefined) continue;
    ours.push(label(sections, time));
    theirs.push(planned);
  }
  let [both, a, b] = [0, 0, 0];
  for (let i = 0; i < ours.length; i++) {
    for (let j = 0; j < i; j++) {
      const [x, y] = [ours[i] === ours[j], theirs[i] === theirs[j]];
      if (x) a++;
      if (y) b++;
      if (x && y) both++;
    }
  }
  return a + b > 0 ? (2 * both) / (a + b) : 1;
}

/** The simple way: partials folded to a chroma a beat, the nearest of 24 triads, no memory. Returns its chords' overlap. */
async function templates(mono: Float32Array, rhythm: Rhythm, truth: Truth): Promise<number> {
  const pitch = await hearPitch(mono, signal);
  const { edges } = gridOf(rhythm, truth.duration);
  const chords = edges.slice(1).map((end, row) => {
    const start = edges[row]!;
    const chroma = new Float64Array(12);
    for (let frame = 0; frame + 1 < pitch.first.length; frame++) {
      const time = frame * pitch.hop_seconds;
      if (time < start || time >= end) continue;
      for (let n = pitch.first[frame]!; n < pitch.first[frame + 1]!; n++) {
        chroma[((Math.round(pitch.semitones[n]!) % 12) + 12) % 12]! += pitch.amplitudes[n]!;
      }
    }
    let best = { root: 0, quality: "maj" as "maj" | "min", value: -1 };
    for (let root = 0; root < 12; root++) {
      for (const quality of ["maj", "min"] as const) {
        const value = chroma[root]! + chroma[(root + (quality === "maj" ? 4 : 3)) % 12]! + chroma[(root + 7) % 12]!;
        if (value > best.value) best = { root, quality, value };
      }
    }
    return { start, end, root: best.root, quality: best.quality };
  });
  const value = overlap(chords, truth);
  const sum = sums.get("templates") ?? { count: 0, key: 0, chords: 0, recall: 0, precision: 0, f: 0 };
  sum.count++;
  sum.chords += value;
  sums.set("templates", sum);
  return value;
}
