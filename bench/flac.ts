/**
 * FLAC written and read by runners/flac, side by side with ffmpeg at level 5 (one thread, its process start included) in the same run.
 *
 *   bun bench/flac.ts [file …]        deno run -A bench/flac.ts [file …]
 *
 * Both begin with samples at hand (ffmpeg: a WAV file) and end with a FLAC file, and the other way round; both check the MD5 or CRC of
 * what they read. Every figure is the median of `RUNS`, the two taking turns.
 */
import { execFile } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import { type FlacSource, readFlacFile, writeFlacFile } from "../runners/flac/mod.ts";
import { ffmpeg } from "../runners/media/ffmpeg.ts";
import { inFolder, music, wav } from "../test/audio.ts";

const exec = promisify(execFile);
const RUNS = 7;
const RATE = 44_100;
const signal = new AbortController().signal;
const { path: program, version } = await ffmpeg();
const quiet = ["-nostdin", "-v", "error", "-y", "-threads", "1"];

interface Material {
  readonly name: string;
  readonly channels: readonly Float32Array[];
}

await inFolder(async (path) => {
  const files = process.argv.slice(2);
  console.log(`ffmpeg ${version}; times real time, wall clock, median (slowest to fastest) of ${RUNS}\n`);
  console.log(
    "input                 bits   seconds | write: ours          ffmpeg | size: ours/ffmpeg | read: ours           ffmpeg",
  );
  for (const { name, channels } of files.length > 0 ? await loaded(files, path) : synthesised()) {
    for (const bits of [16, 24] as const) {
      const source = rounded(channels, bits);
      const seconds = source.frames / RATE;
      await writeFile(path("in.wav"), wav(channels, { samples: bits === 16 ? "s16" : "s24", sample_rate: RATE }));
      const [ours, theirs] = [path("ours.flac"), path("theirs.flac")];
      const coding = ["-c:a", "flac", "-compression_level", "5", "-bitexact", "-map_metadata", "-1"];
      const [write, writeTheirs] = await turns(
        async () => void (await writeFlacFile(source, RATE, ours, {}, signal)),
        async () => void (await exec(program, [...quiet, "-i", path("in.wav"), ...coding, theirs])),
      );
      const [read, readTheirs] = await turns(
        async () => {
          for await (const { count } of readFlacFile(ours, signal)) if (count === 0) throw new Error("an empty frame");
        },
        async () => void (await exec(program, [...quiet, "-i", theirs, "-f", "null", "-"])),
      );
      const ratio = (await stat(ours)).size / (await stat(theirs)).size;
      const show = (times: readonly number[]): string => {
        const [fast, middle, slow] = [times[0]!, times[RUNS >> 1]!, times.at(-1)!].map((s) => (seconds / s).toFixed(0));
        return `${middle!.padStart(4)} (${slow}-${fast})`.padEnd(15);
      };
      console.log(
        `${name.slice(0, 20).padEnd(20)}  ${bits}   ${seconds.toFixed(1).padStart(8)} | ${show(write)} ${show(writeTheirs)} | ${ratio.toFixed(4).padStart(17)} | ${show(read)} ${show(readTheirs)}`,
      );
    }
  }
  console.log(`\npeak memory of this process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
});

function synthesised(): Material[] {
  const [left, right] = music(1, 180);
  return [
    { name: "music, stereo", channels: [left, right] },
    { name: "music, mono", channels: [left] },
    { name: "music, 5 s", channels: [left.subarray(0, 5 * RATE), right.subarray(0, 5 * RATE)] },
  ];
}

async function loaded(files: readonly string[], path: (name: string) => string): Promise<Material[]> {
  const materials: Material[] = [];
  for (const file of files) {
    await exec(program, [...quiet, "-i", file, "-ac", "2", "-ar", String(RATE), "-f", "f32le", path("in.raw")]);
    const bytes = await readFile(path("in.raw"));
    const interleaved = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    const channel = (offset: number) =>
      Float32Array.from({ length: interleaved.length >> 1 }, (_, n) => interleaved[2 * n + offset]!);
    materials.push({ name: basename(file), channels: [channel(0), channel(1)] });
  }
  return materials;
}

/** In whole steps, before the clock starts. */
function rounded(channels: readonly Float32Array[], bits: 16 | 24): FlacSource {
  const full = 2 ** (bits - 1);
  const whole = channels.map((channel) =>
    channel.map((value) => Math.max(-full, Math.min(full - 1, Math.round(value * full))) / full),
  );
  return {
    frames: whole[0]!.length,
    channels: whole.length,
    bits,
    samples: (from, to, out) => void whole.forEach((channel, n) => void out[n]!.set(channel.subarray(from, to))),
  };
}

/** Seconds of each, sorted; one run before that does not count. */
async function turns(first: () => Promise<void>, second: () => Promise<void>): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let run = -1; run < RUNS; run++) {
    for (const [which, work] of [first, second].entries()) {
      const begin = performance.now();
      await work();
      if (run >= 0) times[which]!.push((performance.now() - begin) / 1000);
    }
  }
  for (const list of times) list.sort((a, b) => a - b);
  return times;
}
