/**
 * `adapt.auto_duck` beside ffmpeg's sidechaincompress and two-pass loudnorm, on the same files in the same run.
 *
 *   bun bench/duck.ts [folder …]        deno run -A bench/duck.ts [folder …]
 *
 * A folder holds `music` and `voice` (WAV, FLAC or MP3) and `truth.json`: `speech` as pairs of seconds and, if there
 * are any, `thumps`. Without folders it makes its own. The gain of the music is estimated from the delivered file by
 * windowed least squares on both sources. Loudness and true peak are read by ffmpeg's ebur128; METER_FFMPEG names
 * another build for chain and meter, for old meters read low on noise. CPU seconds are this process and its children
 * together (Linux). PLOT=file.json keeps the gain curves, ONLY=ours leaves the chain out.
 */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { Audio, Job } from "../contract/mod.ts";
import type { Level } from "../core/ports/mod.ts";
import { studio } from "../runners/delivery.ts";
import { framesOf } from "../runners/samples.ts";
import { integratedLoudness } from "../runners/signal/dsp/loudness.ts";
import { run as duck } from "../runners/signal/duck/duck.ts";
import type { DuckReport } from "../runners/signal/duck/mod.ts";
import { ffmpeg } from "../runners/signal/media/ffmpeg.ts";
import { inFolder, music, noise, wav } from "../test/audio.ts";
import { add, breath, CHILD, keys, knock, MAN, type Phrase, speech, thump, timetable, WOMAN } from "../test/speech.ts";

const exec = promisify(execFile);
const TARGET_LUFS = -14;
const LIMITS = { seconds_min: 0.4, seconds_max: 600, bytes_max: 500_000_000 };
const RATE = 44_100;
const job: Job = { signal: new AbortController().signal, progress: () => undefined };
const found = await ffmpeg();
const program = process.env.METER_FFMPEG ?? found.path;

interface Truth {
  readonly speech: readonly (readonly [number, number])[];
  readonly thumps?: readonly number[];
}

interface Case {
  readonly name: string;
  readonly music: string;
  readonly voice: string;
  readonly truth: Truth;
}

/** Everything in dB, seconds or LU; null where the case has nothing to measure it on. */
interface Score {
  readonly depth: number;
  readonly missing: number | null;
  readonly attack: number | null;
  readonly release: number | null;
  readonly pump: number | null;
  readonly wobble: number;
  readonly voice_to_music: number;
  readonly false_duck: number | null;
  readonly lu_error: number;
  readonly over: number;
  readonly curve: readonly (number | null)[];
}

const plots: Record<string, unknown> = {};

await inFolder(async (path) => {
  const folders = process.argv.slice(2);
  const cases = folders.length > 0 ? await Promise.all(folders.map(opened)) : await synthesised(path);
  const { stdout } = await exec(program, ["-version"]);
  console.log(`${stdout.split(" Copyright")[0]}; target ${TARGET_LUFS} LUFS, -1 dBTP; CPU in s\n`);
  const columns = ["depth", "miss", "att", "rel", "pump", "std", "VMR", "false", "LU", "over", "CPU", "xRT"];
  console.log(`${"case".padEnd(22)} ${"method".padEnd(10)}${columns.map((text) => text.padStart(7)).join("")}`);
  // A service is warm: the first run of all is not counted.
  await byUs(cases[0]!, path("ours.flac"));
  for (const one of cases) {
    const ours = await byUs(one, path("ours.flac"));
    const chain = process.env.ONLY === "ours" ? undefined : await byFfmpeg(one, path("chain.flac"));
    for (const { method, score, cpu_s, seconds } of chain === undefined ? [ours] : [ours, chain]) {
      const { depth, missing, attack, release, pump, wobble, voice_to_music, false_duck, lu_error, over } = score;
      const cells = [depth, missing, attack, release, pump, wobble, voice_to_music, false_duck, lu_error, over, cpu_s];
      const text = cells.map((value) => (value === null ? "-" : value.toFixed(2)).padStart(7)).join("");
      console.log(`${one.name.padEnd(22)} ${method.padEnd(10)}${text}${(seconds / cpu_s).toFixed(0).padStart(7)}`);
    }
    if (chain !== undefined)
      console.log(`${"".padEnd(22)} CPU, chain against ours: ${(chain.cpu_s / ours.cpu_s).toFixed(1)}`);
    plots[one.name] = { truth: one.truth, ours: ours.score.curve, chain: chain?.score.curve, report: ours.report };
  }
  console.log(`\npeak memory of this process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
});
if (process.env.PLOT !== undefined) await writeFile(process.env.PLOT, JSON.stringify(plots));

interface Result {
  readonly method: string;
  readonly score: Score;
  readonly cpu_s: number;
  readonly seconds: number;
  readonly report?: DuckReport;
}

async function byUs(one: Case, out: string): Promise<Result> {
  const level: Level = { kind: "loudness", target_lufs: TARGET_LUFS, allow_compression: true };
  const before = await cpuSeconds();
  const music = (await studio.decode(one.music, LIMITS, job.signal)).audio;
  const voice = (await studio.decode(one.voice, LIMITS, job.signal)).audio;
  const ducked = await duck({ music, voice, limit_for_lufs: TARGET_LUFS }, job);
  await studio.finish(ducked, level, { path: out, bits: 24, tags: {} }, job.signal);
  const cpu_s = (await cpuSeconds()) - before;
  const score = await judge(one.truth, music, voice, out);
  return { method: "ours", score, cpu_s, seconds: framesOf(ducked.audio) / RATE, report: ducked.report };
}

async function byFfmpeg(one: Case, out: string): Promise<Result> {
  const music = (await studio.decode(one.music, LIMITS, job.signal)).audio;
  const voice = (await studio.decode(one.voice, LIMITS, job.signal)).audio;
  const seconds = Math.max(music.channels[0]!.length, voice.channels[0]!.length) / RATE;
  const graph = [
    "[0:a]aresample=44100,aformat=channel_layouts=stereo,apad[m]",
    "[1:a]aresample=44100,aformat=channel_layouts=stereo,apad,asplit=2[s][v]",
    "[m][s]sidechaincompress=threshold=.02:ratio=8:attack=20:release=400[d]",
    `[d][v]amix=inputs=2:duration=longest,volume=2,atrim=duration=${seconds}`,
  ].join(";");
  const goal = `loudnorm=I=${TARGET_LUFS}:TP=-1:LRA=11`;
  const inputs = ["-hide_banner", "-nostdin", "-y", "-i", one.music, "-i", one.voice, "-filter_complex"];
  const before = await cpuSeconds();
  const first = await exec(program, [...inputs, `${graph},${goal}:print_format=json`, "-f", "null", "-"]);
  const found: Record<string, string> = JSON.parse(first.stderr.slice(first.stderr.lastIndexOf("{")));
  const measured = `measured_I=${found.input_i}:measured_TP=${found.input_tp}:measured_LRA=${found.input_lra}:measured_thresh=${found.input_thresh}:offset=${found.target_offset}`;
  const flac = ["-ar", "44100", "-c:a", "flac", "-sample_fmt", "s32", out];
  await exec(program, [...inputs, `${graph},${goal}:${measured}:linear=true`, ...flac]);
  const cpu_s = (await cpuSeconds()) - before;
  return { method: "sidechain", score: await judge(one.truth, music, voice, out), cpu_s, seconds };
}

/** What a delivered file is, found from it and the sources alone. */
async function judge(truth: Truth, music: Audio, voice: Audio, file: string): Promise<Score> {
  const made = (await studio.decode(file, LIMITS, job.signal)).audio;
  const { voice_gain, curve } = estimate(made, music, voice);
  const gaps = truth.speech.slice(1).map(([start], n) => [truth.speech[n]![1], start] as const);
  const at = (seconds: number): number => Math.round(seconds * 100);
  const span = (from: number, to: number): number[] =>
    curve.slice(Math.max(0, at(from)), Math.max(0, at(to))).filter((value) => value !== null);
  const music_end = music.channels[0]!.length / RATE;
  // At rest: further than 1.5 s from speech.
  const rest = curve.filter((value, n): value is number => {
    const t = n / 100;
    return value !== null && t < music_end - 0.6 && truth.speech.every(([a, b]) => t < a - 1.5 || t > b + 1.5);
  });
  const down = median(truth.speech.flatMap(([a, b]) => span(a + 0.1, b - 0.05)));
  const up = rest.length > 20 ? median(rest) : 0;
  const depth = up - down;
  // A phrase counts as an onset where the music had time to come up before.
  const onsets = truth.speech.filter(
    ([a], n) => a > 1.5 && a - (truth.speech[n - 1]?.[1] ?? -9) > 1.4 && a < music_end,
  );
  const missing = onsets.map(([a]) => median(span(a - 0.01, a + 0.05)) - down);
  const reached = onsets.map(([a]) => crossing(curve, at(a) - 100, 150, (gain) => gain < down + 1) / 100 - 1);
  const ends = truth.speech.filter(([, b], n) => (truth.speech[n + 1]?.[0] ?? music_end - 0.7) - b > 1.8);
  const released = ends.map(([, b]) => crossing(curve, at(b), 180, (gain) => gain > up - 1) / 100);
  const short = gaps.filter(([a, b]) => b - a < 0.7 && b - a > 0.1 && b < music_end);
  const pumps = short.map(([a, b]) => Math.max(...span(a, b)) - down);
  const thumps = (truth.thumps ?? []).filter((t) => truth.speech.every(([a, b]) => t < a - 1.2 || t > b + 1.2));
  const dips = thumps.map((t) => up - Math.min(...span(t - 0.4, t + 0.8)));
  const wobble = truth.speech.map(([a, b]) => deviation(span(a + 0.05, b - 0.05))).filter(Number.isFinite);
  const speaking = (audio: Audio, gain: (n: number) => number): number => {
    const inside = (t: number): boolean => truth.speech.some(([a, b]) => t >= a && t < b);
    const kept = audio.channels.map((channel) => {
      const out: number[] = [];
      for (let n = 0; n < channel.length; n++) if (inside(n / RATE)) out.push(channel[n]! * gain(n));
      return Float32Array.from(out);
    });
    const sides = audio.channels.length === 1 && made.channels.length === 2 ? 3.01 : 0;
    return integratedLoudness(kept, RATE) + sides;
  };
  const bed = speaking(music, (n) => 10 ** ((curve[Math.min(curve.length - 1, Math.round(n / 441))] ?? down) / 20));
  const { lufs, peak_dbtp } = await metered(file);
  return {
    depth,
    missing: missing.length > 0 ? Math.max(...missing) : null,
    attack: reached.length > 0 ? Math.max(...reached) : null,
    release: released.length > 0 ? median(released) : null,
    pump: pumps.length > 0 ? Math.max(...pumps) : null,
    wobble: wobble.length > 0 ? median(wobble) : 0,
    voice_to_music: speaking(voice, () => voice_gain) - bed,
    false_duck: dips.length > 0 ? Math.max(...dips) : null,
    lu_error: lufs - TARGET_LUFS,
    over: peak_dbtp + 1,
    curve,
  };
}

/** Hops from `from` until `is` holds, at most `count`. */
function crossing(
  curve: readonly (number | null)[],
  from: number,
  count: number,
  is: (gain: number) => boolean,
): number {
  for (let n = 0; n < count; n++) {
    const value = curve[from + n];
    if (value !== null && value !== undefined && is(value)) return n;
  }
  return count;
}

/** made = voice_gain · voice + gain(t) · music: the first from where the voice is strong, then the second every 10 ms, in dB. */
function estimate(made: Audio, music: Audio, voice: Audio): { voice_gain: number; curve: (number | null)[] } {
  const HALF = 1102;
  const hops = Math.floor(made.channels[0]!.length / 441);
  const sides = made.channels.map((out, side) => ({
    out,
    music: music.channels[side] ?? music.channels[0]!,
    voice: voice.channels[side] ?? voice.channels[0]!,
  }));
  const sums = Array.from({ length: hops }, (_, hop) => {
    let mm = 0;
    let vv = 0;
    let mv = 0;
    let om = 0;
    let ov = 0;
    for (const { out, music, voice } of sides) {
      for (let n = Math.max(0, hop * 441 - HALF); n < Math.min(out.length, hop * 441 + HALF); n++) {
        const m = music[n] ?? 0;
        const v = voice[n] ?? 0;
        mm += m * m;
        vv += v * v;
        mv += m * v;
        om += out[n]! * m;
        ov += out[n]! * v;
      }
    }
    return { mm, vv, mv, om, ov };
  });
  const loud = Math.max(...sums.map(({ vv }) => vv));
  const gains = sums
    .filter(({ vv }) => vv > 1e-3 * loud)
    .map(({ mm, vv, mv, om, ov }) => (ov * mm - om * mv) / (vv * mm - mv * mv || vv));
  const voice_gain = gains.length > 0 ? median(gains.filter(Number.isFinite)) : 0;
  const curve = sums.map(({ mm, mv, om }) => {
    const gain = (om - voice_gain * mv) / mm;
    return mm > 1e-3 && gain > 0 ? 20 * Math.log10(gain) : null;
  });
  return { voice_gain, curve };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

async function metered(file: string): Promise<{ lufs: number; peak_dbtp: number }> {
  const filter = "ebur128=metadata=1:peak=true,ametadata=print:key=lavfi.r128.I:file=-";
  const options = ["-hide_banner", "-nostdin", "-i", file, "-af", filter, "-f", "null", "-"];
  const { stdout, stderr } = await exec(program, options, { maxBuffer: 2 ** 28 });
  const last = stdout.slice(stdout.lastIndexOf("lavfi.r128.I="));
  const summary = stderr.slice(stderr.lastIndexOf("Summary"));
  return {
    lufs: Number(last.slice(13).split("\n")[0]),
    peak_dbtp: Number(/Peak:\s+(-?[\d.]+) dBFS/u.exec(summary)?.[1]),
  };
}

async function cpuSeconds(): Promise<number> {
  const { user, system } = process.cpuUsage();
  const fields = (await readFile("/proc/self/stat", "latin1")).replace(/^.*\) /, "").split(" ");
  // cutime and cstime: children that were waited for, in ticks of 10 ms.
  return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / 100;
}

async function opened(folder: string): Promise<Case> {
  const files = await readdir(folder);
  const named = (name: string): string => join(folder, files.find((file) => file.startsWith(`${name}.`)) ?? name);
  const truth: Truth = JSON.parse(await readFile(join(folder, "truth.json"), "utf8"));
  return { name: basename(folder), music: named("music"), voice: named("voice"), truth };
}

async function synthesised(path: (name: string) => string): Promise<Case[]> {
  const lengths = [3.1, 0.9, 2.2, 4];
  const gaps = [0.5, 2.5, 0.35, 4];
  const make = async (
    name: string,
    bed: readonly Float32Array[],
    voice: Float32Array,
    phrases: readonly Phrase[],
    thumps: readonly number[] = [],
  ): Promise<Case> => {
    await mkdir(path(name));
    await writeFile(path(`${name}/music.wav`), wav(bed));
    await writeFile(path(`${name}/voice.wav`), wav([voice]));
    const truth = { speech: phrases.map(({ start, end }) => [start, end] as const), thumps };
    return { name, music: path(`${name}/music.wav`), voice: path(`${name}/voice.wav`), truth };
  };
  const phrases = timetable(60, 3.2, lengths, gaps);
  const clean = speech(1, 60, phrases, MAN).samples;
  const dirty = speech(2, 60, phrases, WOMAN).samples;
  const thumps = phrases.slice(1).flatMap(({ start }, n) => (start - phrases[n]!.end > 3.5 ? [start - 1.9] : []));
  for (const [n, at] of thumps.entries()) add(dirty, n % 2 === 0 ? thump(n) : knock(n), at);
  for (const { end } of phrases) add(dirty, breath(5, 0.4, 0.05), end + 0.7);
  add(dirty, keys(6, 1.2), 0.4);
  add(dirty, noise(7, 60, RATE, 0.003), 0);
  const long = timetable(180, 2.5, lengths, gaps);
  // A bed as loud as the voice, about.
  const bed = (seed: number, seconds: number): Float32Array[] =>
    music(seed, seconds).map((channel) => channel.map((sample) => sample * 0.25));
  return [
    await make("3 min", bed(5, 180), speech(8, 180, long, MAN).samples, long),
    await make("man", bed(1, 60), clean, phrases),
    await make("woman, noise, thumps", bed(2, 60), dirty, phrases, thumps),
    await make(
      "child, voice longer",
      bed(3, 25),
      speech(4, 40, timetable(40, 0, lengths, gaps), CHILD).samples,
      timetable(40, 0, lengths, gaps),
    ),
  ];
}
