/**
 * Cuts pieces of known truth to many lengths, beside what else one would do: trim and fade; first and last half with a crossfade of a
 * second; one join at true downbeats, as near to the length as whole bars allow; and one join at librosa's beats.
 *
 *   bun bench/cut.ts FOLDER... [--targets 10,15,30,45,60,90,1.5x,2x] [--each] [--wav FOLDER]
 *
 * A FOLDER holds pieces as `training/material/make.ts` renders them: each a folder with FLAC files and `truth.json`. LIBROSA_PYTHON names a
 * Python that has librosa; without it that row is left out. --each prints every output, --wav writes those with their joins.
 *
 * Phases are those of both sides of a join among the true beats and bars. A click stands out by more than 6 dB (see
 * test/runners/signal/cut/judge.ts). CPU is that of the whole action in this process: decode, analyse, cut, master,
 * FLAC; the analysis is made anew for each piece and target that is timed (the first target of each piece), and kept
 * for the others.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { Audio } from "../contract/mod.ts";
import { studio } from "../runners/delivery.ts";
import { engine } from "../runners/signal/cut/engine.ts";
import { inFolder, wav } from "../test/audio.ts";
import { clickDb, endingAgreement, phaseError } from "../test/runners/signal/cut/judge.ts";
import { readPiece } from "../training/material/read.ts";

interface Truth {
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
}

/** Output and source times at the middle of each crossfade. */
interface Made {
  readonly audio: Audio;
  readonly joins: readonly { readonly output: number; readonly left: number; readonly entered: number }[];
}

interface Score {
  readonly error: number;
  readonly beat: readonly number[];
  readonly bar: readonly number[];
  readonly clicks: readonly number[];
  /** The source's ending is there, or the output fades. */
  readonly ends: boolean;
}

const RATE = 44_100;
const ANY = { seconds_min: 0, seconds_max: 3600, bytes_max: 2 ** 31 };
const signal = new AbortController().signal;
const job = { signal, progress: () => undefined };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    targets: { type: "string", default: "10,15,30,45,60,90,1.5x,2x" },
    each: { type: "boolean", default: false },
    wav: { type: "string" },
  },
});
const folders = positionals.flatMap((folder) =>
  readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, "truth.json"))),
);
if (folders.length === 0) throw new Error("Cannot cut: no folder holds pieces with a truth.json");
if (values.wav !== undefined) mkdirSync(values.wav, { recursive: true });

const scores = new Map<string, Score[]>();
let cpu_seconds = 0;
let heard_seconds = 0;
for (const folder of folders) {
  const truth: Truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8"));
  const audio = await readPiece(folder);
  const seconds = audio.channels[0]!.length / RATE;
  const source_end = soundEnd(audio);
  const librosa = beatsOfLibrosa(audio);
  const line: string[] = [];
  const own: Score[] = [];
  for (const [index, target] of targetsOf(seconds).entries()) {
    if (index === 0) {
      cpu_seconds += await timeAction(audio, target);
      heard_seconds += seconds;
    }
    const { audio: out, report } = await engine.run({ audio, seconds: target }, job);
    const joins = report.cuts.map((cut) => ({
      output: cut.output_time,
      left: cut.source_time_left,
      entered: cut.source_time,
    }));
    const score = judge({ audio: out, joins }, audio, target, truth, source_end);
    own.push(score);
    const methods: [string, Made][] = [
      ["tonwerk", { audio: out, joins }],
      ["trim + fade", trimmed(audio, target)],
      ["halves + crossfade", halves(audio, target)],
      ["true bars, one join", oneJoin(audio, truth.downbeats, target)],
    ];
    if (librosa !== undefined) methods.push(["librosa beats, one join", oneJoin(audio, librosa, target)]);
    for (const [name, made] of methods) {
      const list = scores.get(name) ?? [];
      list.push(name === "tonwerk" ? score : judge(made, audio, target, truth, source_end));
      scores.set(name, list);
    }
    if (values.each) {
      const cuts = report.cuts.map(
        (cut, n) =>
          `${cut.source_time_left.toFixed(2)}>${cut.source_time.toFixed(2)} ${cut.at} ${cut.bars} beat ${score.beat[n]!.toFixed(3)} bar ${score.bar[n]!.toFixed(3)} click ${score.clicks[n]!.toFixed(1)}`,
      );
      console.log(
        `${basename(folder)} ${seconds.toFixed(1)} -> ${target.toFixed(1)}: ${score.error.toFixed(2)} ${report.ending.kind}${score.ends ? "" : " NO END"} | ${cuts.join(" | ")}`,
      );
    }
    if (values.wav !== undefined) {
      writeFileSync(join(values.wav, `${basename(folder)}-${target.toFixed(0)}.wav`), wav(out.channels));
      writeFileSync(join(values.wav, `${basename(folder)}-${target.toFixed(0)}.json`), JSON.stringify(report, null, 1));
    }
  }
  line.push(basename(folder).padEnd(16), summary(own));
  console.log(line.join(" "));
}

console.log(
  `\n${"method".padEnd(24)} outputs  within 0.5 s  within 1 s  joins  beat <= 0.03  bar <= 0.03  clicks  worst dB  ends`,
);
for (const [name, list] of scores) console.log(`${name.padEnd(24)} ${summary(list)}`);
console.log(
  `\nwhole action: ${(heard_seconds / cpu_seconds).toFixed(0)} times realtime (${cpu_seconds.toFixed(1)} s CPU for ${heard_seconds.toFixed(0)} s of source)`,
);

function targetsOf(seconds: number): number[] {
  return values.targets
    .split(",")
    .map((text) => (text.endsWith("x") ? Number(text.slice(0, -1)) * seconds : Number(text)))
    .filter((target) => target >= 5 && target <= 300 && target <= 2 * seconds);
}

/** CPU seconds of everything between the file and the file. */
async function timeAction(audio: Audio, target: number): Promise<number> {
  return inFolder(async (path) => {
    writeFileSync(path("in.wav"), wav(audio.channels));
    const before = process.cpuUsage();
    const source = (await studio.decode(path("in.wav"), ANY, signal)).audio;
    const output = await engine.run({ audio: source, seconds: target }, job);
    await studio.finish(output, { kind: "ceiling" }, { path: path("out.flac"), bits: 24, tags: {} }, signal);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
}

function judge(made: Made, source: Audio, target: number, { beats, downbeats }: Truth, source_end: number): Score {
  const out = made.audio.channels[0]!;
  return {
    error: out.length / RATE - target,
    beat: made.joins.map(({ left, entered }) => phaseError(beats, left, entered)),
    bar: made.joins.map(({ left, entered }) => phaseError(downbeats, left, entered)),
    clicks: made.joins.map(({ output }) => clickDb(made.audio, output)),
    ends: endingAgreement(made.audio, source, source_end) > 0.7 || fades(out),
  };
}

/** The last 50 ms lie 20 dB and more below the 4 s before. */
function fades(out: Float32Array): boolean {
  const power = (from: number, to: number): number => {
    let sum = 0;
    for (let n = Math.max(0, from); n < to; n++) sum += out[n]! ** 2;
    return sum / (to - from);
  };
  const end = out.length;
  return power(end - 2205, end) < 0.01 * power(end - 4 * RATE, end - 2205);
}

function summary(list: readonly Score[]): string {
  const share = (flags: readonly boolean[]): string =>
    flags.length === 0 ? "-" : `${((100 * flags.filter(Boolean).length) / flags.length).toFixed(0)}%`;
  const clicks = list.flatMap((score) => score.clicks);
  return [
    String(list.length).padStart(7),
    share(list.map(({ error }) => Math.abs(error) <= 0.5)).padStart(13),
    share(list.map(({ error }) => Math.abs(error) <= 1)).padStart(11),
    String(clicks.length).padStart(6),
    share(list.flatMap(({ beat }) => beat.map((error) => error <= 0.03))).padStart(13),
    share(list.flatMap(({ bar }) => bar.map((error) => error <= 0.03))).padStart(12),
    String(clicks.filter((db) => db > 6).length).padStart(7),
    (clicks.length === 0 ? "-" : Math.max(...clicks).toFixed(1)).padStart(9),
    share(list.map(({ ends }) => ends)).padStart(5),
  ].join(" ");
}

function soundEnd({ channels }: Audio): number {
  let last = 0;
  for (const channel of channels) {
    for (let n = channel.length - 1; n > last; n--) {
      if (Math.abs(channel[n]!) > 1e-3) last = n;
    }
  }
  return last / RATE;
}

function trimmed(audio: Audio, target: number): Made {
  const frames = Math.round(target * RATE);
  const channels = audio.channels.map((channel) => {
    const out = new Float32Array(frames);
    out.set(channel.subarray(0, frames));
    for (let n = 0; n < RATE; n++) out[frames - 1 - n]! *= n / RATE;
    return out;
  });
  return { audio: { sample_rate: RATE, channels }, joins: [] };
}

function halves(audio: Audio, target: number): Made {
  const length = audio.channels[0]!.length;
  const leave = target / 2;
  const enter = length / RATE - target / 2;
  return spliced(audio, leave, enter, 1);
}

/** One join between two marks, for the duration nearest to the target, the first side about half of it. */
function oneJoin(audio: Audio, marks: readonly number[], target: number): Made {
  const seconds = audio.channels[0]!.length / RATE;
  let best: readonly [number, number] = [target / 2, seconds - target / 2];
  let least = Number.POSITIVE_INFINITY;
  for (const leave of marks) {
    for (const enter of marks) {
      const off =
        Math.abs(leave + seconds - enter - target) + 0.01 * Math.abs(leave - Math.min(target / 2, seconds - 4));
      if (enter !== leave && off < least) {
        least = off;
        best = [leave, enter];
      }
    }
  }
  return spliced(audio, best[0], best[1], 0.03);
}

function spliced(audio: Audio, leave: number, enter: number, fade_seconds: number): Made {
  const [from, to, fade] = [leave, enter, fade_seconds].map((value) => Math.round(value * RATE)) as [
    number,
    number,
    number,
  ];
  const half = fade >> 1;
  const channels = audio.channels.map((channel) => {
    const out = new Float32Array(Math.max(1, from + channel.length - to));
    out.set(channel.subarray(0, from));
    out.set(channel.subarray(Math.max(0, to)), from + Math.max(0, -to));
    for (let n = -half; n < half; n++) {
      const angle = ((n + half) / fade) * (Math.PI / 2);
      const at = from + n;
      if (at < 0 || at >= out.length) continue;
      out[at] = Math.cos(angle) * (channel[at] ?? 0) + Math.sin(angle) * (channel[to + n] ?? 0);
    }
    return out;
  });
  return { audio: { sample_rate: RATE, channels }, joins: [{ output: leave, left: leave, entered: enter }] };
}

/** Beats by librosa's default tracker, undefined where no Python is named. */
function beatsOfLibrosa(audio: Audio): readonly number[] | undefined {
  const python = process.env.LIBROSA_PYTHON;
  if (python === undefined) return undefined;
  const mono = audio.channels[0]!.map((sample, n) => (sample + (audio.channels[1] ?? audio.channels[0]!)[n]!) / 2);
  const program =
    "import sys,json,numpy,librosa;y=numpy.frombuffer(sys.stdin.buffer.read(),'<f4');print(json.dumps(librosa.beat.beat_track(y=y,sr=44100,units='time')[1].tolist()))";
  const printed = execFileSync(python, ["-c", program], {
    input: new Uint8Array(mono.buffer),
    maxBuffer: 1 << 24,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return JSON.parse(printed.toString());
}
