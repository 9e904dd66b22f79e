/**
 * FLAC written and read by runners/signal/flac, with SIMD kernels and in its plain form, beside `flac -5` and ffmpeg (level 5, one thread) in the
 * same run. CPU seconds, medians of `RUNS`, all taking turns.
 *
 *   bun bench/flac.ts [file …]        deno run -A bench/flac.ts [file …]
 *
 * Ours begins with samples in memory and ends with a file, and the other way round; "fresh" is the first such work of a process, with what
 * the engine compiles meanwhile, "warm" the median of what follows. The programs begin with a WAV file, and their start counts. What is
 * written carries an MD5, what is read is held to it. "prove" is what follows a file that an action wrote: it is read back, held to
 * sums of the samples that went in, and hashed; `flac -5 -V` less `flac -5` is its like, without a hash.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import {
  type FlacSource,
  type FlacWritten,
  readBack,
  readFlacFile,
  writeFlacFile,
} from "../runners/signal/flac/mod.ts";
import { workspace } from "../runners/signal/flac/workspace.ts";
import { decode } from "../runners/signal/media/decode.ts";
import { ffmpeg } from "../runners/signal/media/ffmpeg.ts";
import { inFolder, music, wav } from "../test/audio.ts";
import { cpuOf, cpuOfProgram, inFreshProcess, median } from "./cpu.ts";

const exec = promisify(execFile);
const RUNS = 3;
const WARM = 2;
const RATE = 44_100;
const LIMITS = { seconds_min: 0, seconds_max: 3600, bytes_max: 2 ** 31 };
const signal = new AbortController().signal;

/** Of one process: the first and later runs of each work, in seconds. */
type Times = Record<"write" | "prove" | "read", number[]>;

const [mode, ...rest] = process.argv.slice(2);
if (mode === "--child")
  console.log(JSON.stringify(await times(rest[0]!, Number(rest[1]) as 16 | 24, rest[2] === "plain")));
else await compare(process.argv.slice(2));

async function compare(files: readonly string[]): Promise<void> {
  const { path: program, version } = await ffmpeg();
  const { stdout: reference } = await exec("flac", ["--version"]);
  console.log(`${reference.trim()}; ffmpeg ${version}; CPU seconds, median of ${RUNS}`);
  await inFolder(async (path) => {
    for (const { name, channels } of files.length > 0 ? await loaded(files) : synthesised()) {
      for (const bits of [16, 24] as const) {
        await writeFile(path("in.wav"), wav(channels, { samples: bits === 16 ? "s16" : "s24", sample_rate: RATE }));
        const depth = ["-sample_fmt", bits === 16 ? "s16" : "s32"];
        const quiet = ["-nostdin", "-v", "error", "-y", "-threads", "1"];
        const rows: Record<string, number[]> = {};
        const note = (row: string, ...values: number[]): void => {
          rows[row] = [...(rows[row] ?? []), ...values];
        };
        for (let run = 0; run < RUNS; run++) {
          for (const form of ["simd", "plain"]) {
            const args = ["--child", path("in.wav"), String(bits), form];
            for (const [work, all] of Object.entries(await inFreshProcess<Times>(new URL(import.meta.url), args))) {
              note(`${form} ${work} fresh`, all[0]!);
              note(`${form} ${work} warm`, ...all.slice(1));
            }
          }
          for (const [row, ...args] of [
            ["flac write", "-5", "-s", "-f", "-o", path("flac.flac"), path("in.wav")],
            ["flac prove", "-5", "-V", "-s", "-f", "-o", path("flac.flac"), path("in.wav")],
            ["flac read", "-t", "-s", path("flac.flac")],
          ] as const)
            note(row, await cpuOfProgram("flac", args));
          const coding = ["-c:a", "flac", ...depth, "-compression_level", "5", path("ffmpeg.flac")];
          note("ffmpeg write", await cpuOfProgram(program, [...quiet, "-i", path("in.wav"), ...coding]));
          note("ffmpeg read", await cpuOfProgram(program, [...quiet, "-i", path("ffmpeg.flac"), "-f", "null", "-"]));
        }
        const [ours, flac, other] = await Promise.all(
          ["in.wav.flac", "flac.flac", "ffmpeg.flac"].map(async (file) => (await stat(path(file))).size),
        );
        const seconds = (channels[0]!.length / RATE).toFixed(1);
        console.log(
          `\n${name}, ${seconds} s, ${channels.length} channels, ${bits} bits; size beside flac ${(ours! / flac!).toFixed(4)}, ffmpeg ${(ours! / other!).toFixed(4)}`,
        );
        console.log("        SIMD fresh    warm  plain fresh    warm  flac -5   ffmpeg");
        for (const work of ["write", "prove", "read"]) {
          const of = (row: string, width: number): string => show(median(rows[row] ?? []), width);
          const own = ["simd", "plain"].map(
            (form) => `${of(`${form} ${work} fresh`, 11)} ${of(`${form} ${work} warm`, 7)}`,
          );
          console.log(`${work.padEnd(6)} ${own.join("  ")} ${of(`flac ${work}`, 9)} ${of(`ffmpeg ${work}`, 8)}`);
        }
      }
    }
  });
}

function show(value: number, width: number): string {
  return (Number.isNaN(value) ? "-" : value.toFixed(3)).padStart(width);
}

/** Leaves what it wrote beside its input. */
async function times(file: string, bits: 16 | 24, plain: boolean): Promise<Times> {
  const { audio } = await decode(file, LIMITS, signal, "own");
  const source: FlacSource = {
    frames: audio.channels[0]!.length,
    channels: audio.channels.length,
    bits,
    samples: (from, to, out) =>
      void audio.channels.forEach((channel, n) => void out[n]!.set(channel.subarray(from, to))),
  };
  const kernels = plain ? null : workspace();
  if (!plain && kernels === null) throw new Error("Cannot compare: the kernels are not compiled");
  const out = `${file}.flac`;
  const write = async () => await writeFlacFile(source, RATE, out, {}, signal, kernels);
  const read = async (): Promise<void> => {
    for await (const { count } of readFlacFile(out, signal, { kernels }))
      if (count === 0) throw new Error("an empty frame");
  };
  const found: Times = { write: [], prove: [], read: [] };
  for (let run = 0; run <= WARM; run++) {
    let written: FlacWritten | undefined;
    found.write.push(
      await cpuOf(async () => {
        written = await write();
      }),
    );
    const hash = createHash("sha256");
    found.prove.push(
      await cpuOf(async () => await readBack(out, written!, signal, (bytes) => void hash.update(bytes), kernels)),
    );
    found.read.push(await cpuOf(read));
  }
  return found;
}

interface Material {
  readonly name: string;
  readonly channels: readonly Float32Array[];
}

function synthesised(): Material[] {
  const [left, right] = music(1, 180);
  return [
    { name: "music", channels: [left, right] },
    { name: "music", channels: [left.subarray(0, 5 * RATE), right.subarray(0, 5 * RATE)] },
  ];
}

async function loaded(files: readonly string[]): Promise<Material[]> {
  return await Promise.all(
    files.map(async (file) => ({ name: basename(file), ...(await decode(file, LIMITS, signal)).audio })),
  );
}
