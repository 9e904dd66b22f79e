/**
 * Normalisation to -14 LUFS and -1 dBTP, side by side with ffmpeg's two-pass loudnorm on the same files in the same run.
 *
 *   bun bench/loudness.ts [file …]        deno run -A bench/loudness.ts [file …]
 *
 * The synthetic cases come first, then the files. What lasts more than a minute is also done in a process of its own ("fresh").
 * Loudness is read by ffmpeg's ebur128, true peak by a 32x FFT reconstruction written here; neither is the meter under test.
 * Old builds of ebur128 resample to 48 kHz first and read up to 0.2 LU low on noise: METER_FFMPEG names a newer one to judge with.
 * CPU seconds are this process and its children together (Linux: /proc/self/stat).
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Level } from "../core/ports/mod.ts";
import { studio } from "../runners/delivery.ts";
import { ffmpeg } from "../runners/signal/media/ffmpeg.ts";
import { decibel, inFolder, joined, music, noise, seeded, silence, wav } from "../test/audio.ts";

const exec = promisify(execFile);
const TARGET_LUFS = -14;
const LIMITS = { seconds_min: 0.4, seconds_max: 600, bytes_max: 500_000_000 };
const signal = new AbortController().signal;
const { path: program, version } = await ffmpeg();
const meter = process.env.METER_FFMPEG ?? program;

const twiddles = new Map<number, Float64Array>();

/** Given before the rest, it makes this process do one file and nothing else: what a fresh process costs. */
const ALONE = "--alone";

interface Case {
  readonly name: string;
  readonly file: string;
  /** False where the level is to stay short rather than be limited. */
  readonly compress?: false;
}

interface Row {
  readonly name: string;
  readonly lu_error: number;
  readonly over_db: number;
  readonly cpu_s: number;
  readonly note: string;
}

if (process.argv[2] === ALONE) await finish(process.argv[3]!, process.argv[4]!, true);
else await inFolder(compare);

async function compare(path: (name: string) => string): Promise<void> {
  const files = process.argv.slice(2).map((file): Case => ({ name: basename(file, ".wav"), file }));
  const cases = [...(await synthesised(path)), ...files];
  console.log(
    `ffmpeg ${version}; target ${TARGET_LUFS} LUFS, -1 dBTP; error in LU, overshoot in dB above -1 dBTP, CPU in s\n`,
  );
  console.log(
    "input               ours: error   over    CPU  xRT | loudnorm: error   over    CPU  xRT | ratio fresh | reported off by",
  );
  const worst = { error: 0, over: Number.NEGATIVE_INFINITY, lufs: 0, peak: 0 };
  for (const { name, file, compress = true } of cases) {
    const seconds = (await studio.probe(file, LIMITS, signal)).seconds;
    const ours = await normalise(file, path("ours.flac"), compress);
    const theirs = await loudnorm(file, path("theirs.flac"));
    const fresh = seconds > 60 ? await alone(file, path("ours.flac")) : undefined;
    const side = (row: Row): string =>
      `${row.lu_error.toFixed(3).padStart(7)} ${row.over_db.toFixed(3).padStart(7)} ${row.cpu_s.toFixed(2).padStart(6)} ${(seconds / row.cpu_s).toFixed(0).padStart(4)}`;
    const ratio = (cpu_s: number | undefined): string =>
      cpu_s === undefined ? "    -" : (theirs.cpu_s / cpu_s).toFixed(1).padStart(5);
    console.log(
      `${name.padEnd(20)}      ${side(ours)} |           ${side(theirs)} | ${ratio(ours.cpu_s)} ${ratio(fresh)} | ${ours.note}`,
    );
    if (compress) worst.error = Math.max(worst.error, Math.abs(ours.lu_error));
    worst.over = Math.max(worst.over, ours.over_db);
    worst.lufs = Math.max(worst.lufs, ours.lufs_off);
    worst.peak = Math.max(worst.peak, ours.peak_off);
  }
  console.log(
    `\nworst of ours: ${worst.error.toFixed(4)} LU, ${worst.over.toFixed(4)} dB over; reported off by ${worst.lufs.toFixed(4)} LU and ${worst.peak.toFixed(4)} dB`,
  );
  console.log(`peak memory of this process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
}

async function finish(file: string, out: string, allow_compression: boolean): ReturnType<typeof studio.finish> {
  const level: Level = { kind: "loudness", target_lufs: TARGET_LUFS, allow_compression };
  const { audio } = await studio.decode(file, LIMITS, signal);
  return await studio.finish({ audio, engine: "bench" }, level, { path: out, bits: 24, tags: {} }, signal);
}

/** CPU seconds of a process that does nothing else, its start included. */
async function alone(file: string, out: string): Promise<number> {
  const before = await cpuSeconds();
  const run = "Deno" in globalThis ? ["run", "-A", "--no-check"] : [];
  await exec(process.execPath, [...run, fileURLToPath(import.meta.url), ALONE, file, out]);
  return (await cpuSeconds()) - before;
}

async function normalise(
  file: string,
  out: string,
  compress: boolean,
): Promise<Row & { readonly lufs_off: number; readonly peak_off: number }> {
  const before = await cpuSeconds();
  const { loudness } = await finish(file, out, compress);
  const cpu_s = (await cpuSeconds()) - before;
  const judged = await judge(out);
  const lufs_off = Math.abs((loudness.lufs ?? Number.NaN) - (judged.lu_error + TARGET_LUFS));
  const peak_off = Math.abs((loudness.true_peak_dbtp ?? Number.NaN) - (judged.over_db - 1));
  const note = `${lufs_off.toFixed(4)} LU ${peak_off.toFixed(4)} dB${loudness.compressed ? " limited" : ""}`;
  return { name: "ours", ...judged, cpu_s, note, lufs_off, peak_off };
}

async function loudnorm(file: string, out: string): Promise<Row> {
  const goal = `loudnorm=I=${TARGET_LUFS}:TP=-1:LRA=11`;
  const before = await cpuSeconds();
  const first = await exec(program, [
    "-hide_banner",
    "-nostdin",
    "-i",
    file,
    "-af",
    `${goal}:print_format=json`,
    "-f",
    "null",
    "-",
  ]);
  const found: Record<string, string> = JSON.parse(first.stderr.slice(first.stderr.lastIndexOf("{")));
  const measured = `measured_I=${found.input_i}:measured_TP=${found.input_tp}:measured_LRA=${found.input_lra}:measured_thresh=${found.input_thresh}:offset=${found.target_offset}`;
  await exec(program, [
    ...["-hide_banner", "-nostdin", "-y", "-i", file, "-af", `${goal}:${measured}:linear=true`],
    ...["-ar", "44100", "-c:a", "flac", "-sample_fmt", "s32", out],
  ]);
  const cpu_s = (await cpuSeconds()) - before;
  return { name: "loudnorm", ...(await judge(out)), cpu_s, note: "" };
}

/** What a finished file is, by meters that are not ours. */
async function judge(file: string): Promise<{ lu_error: number; over_db: number }> {
  const { stdout } = await exec(
    meter,
    [
      "-v",
      "error",
      "-nostdin",
      "-i",
      file,
      "-af",
      "ebur128=metadata=1,ametadata=print:key=lavfi.r128.I:file=-",
      "-f",
      "null",
      "-",
    ],
    { maxBuffer: 2 ** 28 },
  );
  const last = stdout.lastIndexOf("lavfi.r128.I=");
  const lufs = Number(stdout.slice(last + 13).split("\n")[0]);
  return { lu_error: lufs - TARGET_LUFS, over_db: decibel(await reconstructedPeak(file)) + 1 };
}

/** Largest magnitude of the spectrum's reconstruction: all blocks at 4x, those within 1.5 dB of the highest at 32x. */
async function reconstructedPeak(file: string): Promise<number> {
  const raw = `${file}.f32`;
  await exec(program, ["-v", "error", "-nostdin", "-y", "-i", file, "-f", "f32le", raw]);
  const { channels } = await studio.probe(file, LIMITS, signal);
  const bytes = await readFile(raw);
  const interleaved = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const BLOCK = 8192;
  const MARGIN = 1024;
  const blocks: { start: number; channel: number; peak: number }[] = [];
  const take = (start: number, channel: number): Float64Array => {
    const block = new Float64Array(BLOCK);
    for (let n = 0; n < BLOCK; n++) {
      const sample = interleaved[(start + n) * channels + channel] ?? 0;
      const edge = Math.min(n + 0.5, BLOCK - n - 0.5) / (MARGIN / 2);
      block[n] = edge >= 1 ? sample : sample * (0.5 - 0.5 * Math.cos(Math.PI * edge));
    }
    return block;
  };
  const frames = interleaved.length / channels;
  for (let channel = 0; channel < channels; channel++) {
    for (let start = -MARGIN; start < frames; start += BLOCK - 2 * MARGIN) {
      blocks.push({ start, channel, peak: oversampledPeak(take(start, channel), 4, MARGIN) });
    }
  }
  blocks.sort((a, b) => b.peak - a.peak);
  const highest = blocks[0]?.peak ?? 0;
  const near = blocks.filter(({ peak }) => peak >= highest * 0.84).slice(0, 60);
  return Math.max(highest, ...near.map(({ start, channel }) => oversampledPeak(take(start, channel), 32, MARGIN)));
}

function oversampledPeak(block: Float64Array, factor: number, margin: number): number {
  const size = block.length;
  const long = size * factor;
  const real = new Float64Array(long);
  const imaginary = new Float64Array(long);
  const small_real = block.slice();
  const small_imaginary = new Float64Array(size);
  fft(small_real, small_imaginary);
  for (let k = 0; k <= size / 2; k++) {
    // Twice the positive half: the real part of the inverse is the signal.
    const scale = k === 0 || k === size / 2 ? 1 / size : 2 / size;
    real[k] = small_real[k]! * scale;
    imaginary[k] = -small_imaginary[k]! * scale;
  }
  fft(real, imaginary);
  let peak = 0;
  for (let n = margin * factor; n < long - margin * factor; n++) peak = Math.max(peak, Math.abs(real[n]!));
  return peak;
}

/** Radix-2 in place, forward. */
function fft(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [real[i], real[j]] = [real[j]!, real[i]!];
      [imaginary[i], imaginary[j]] = [imaginary[j]!, imaginary[i]!];
    }
  }
  let table = twiddles.get(size);
  if (table === undefined) {
    table = Float64Array.from({ length: size }, (_, n) =>
      n % 2 === 0 ? Math.cos((Math.PI * n) / size) : -Math.sin((Math.PI * (n - 1)) / size),
    );
    twiddles.set(size, table);
  }
  for (let half = 1; half < size; half *= 2) {
    const stride = size / half / 2;
    for (let start = 0; start < size; start += 2 * half) {
      for (let k = 0; k < half; k++) {
        const c = table[2 * k * stride]!;
        const s = table[2 * k * stride + 1]!;
        const a = start + k;
        const b = a + half;
        const r = real[b]! * c - imaginary[b]! * s;
        const i = real[b]! * s + imaginary[b]! * c;
        real[b] = real[a]! - r;
        imaginary[b] = imaginary[a]! - i;
        real[a]! += r;
        imaginary[a]! += i;
      }
    }
  }
}

async function cpuSeconds(): Promise<number> {
  const { user, system } = process.cpuUsage();
  const fields = (await readFile("/proc/self/stat", "latin1")).replace(/^.*\) /, "").split(" ");
  // cutime and cstime: children that were waited for, in ticks of 10 ms.
  return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / 100;
}

async function synthesised(path: (name: string) => string): Promise<Case[]> {
  const scaled = (channels: readonly Float32Array[], gain: number): Float32Array[] =>
    channels.map((channel) => channel.map((sample) => sample * gain));
  const song = music(1, 40);
  const long = music(2, 180);
  const next = seeded(3);
  const impulses = noise(4, 30, 44_100, 0.004).map((sample, n) =>
    n % 22_050 === 0 ? 0.95 * (next() < 0.5 ? -1 : 1) : sample,
  );
  // Tones at a quarter of the rate between whose samples the peaks lie.
  const bursts = noise(10, 20, 44_100, 0.004).map((sample, n) =>
    n % 8820 < 200
      ? sample + 0.9 * Math.sin((Math.PI / 2) * n + Math.PI / 4) * Math.sin((Math.PI * (n % 8820)) / 200) ** 2
      : sample,
  );
  const rising = music(5, 60).map((channel) =>
    channel.map((sample, n) => sample * 10 ** ((n / channel.length - 1) * 2)),
  );
  const sharp = noise(6, 20, 44_100, 0.5);
  const bright = sharp.map((sample, n) => 0.5 * (sample - (sharp[n - 1] ?? 0)));
  const inputs: [string, readonly Float32Array[], number][] = [
    ["long-3min", long, 44_100],
    [
      "hot-clipped",
      scaled(song, 8).map((channel) => channel.map((sample) => Math.max(-1, Math.min(1, sample)))),
      44_100,
    ],
    ["quiet", scaled(song, 0.02), 44_100],
    ["peaky", [impulses, impulses], 44_100],
    ["fs/4 bursts", [bursts, bursts], 44_100],
    ["crescendo", rising, 44_100],
    ["mono", [song[0]], 44_100],
    ["48k", music(7, 40, 48_000), 48_000],
    ["5s", music(8, 5), 44_100],
    ["hf-noise", [bright, noise(9, 20, 44_100, 0.5)], 44_100],
    ["antiphase", [song[0], song[0].map((sample) => -sample)], 44_100],
    ["gaps", [joined(song[0], silence(20)), joined(song[1], silence(20))], 44_100],
  ];
  const cases: Case[] = [];
  for (const [name, channels, sample_rate] of inputs) {
    const file = path(`${name.replace("/", "")}.wav`);
    await writeFile(file, wav(channels, { samples: "s24", sample_rate }));
    cases.push({ name, file });
    if (name === "peaky") cases.push({ name: "peaky, as it is", file, compress: false });
  }
  return cases;
}
