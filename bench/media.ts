/**
 * Decoding and encoding as runners/signal/media does it in the thread, beside ffmpeg in the same run: CPU seconds, medians of `RUNS`, taking turns.
 *
 *   bun bench/media.ts        deno run -A bench/media.ts
 *
 * Both decode a file to 44.1 kHz in memory; both encode 24-bit FLAC and prove it by decoding it again. "fresh" is the first such work of a
 * process, with what the engine compiles meanwhile, "warm" the median of what follows in it; ffmpeg is a process each time, and its
 * start counts.
 */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { FlacSource } from "../runners/signal/flac/mod.ts";
import { decode } from "../runners/signal/media/decode.ts";
import { encodeFlac } from "../runners/signal/media/encode.ts";
import { ffmpeg } from "../runners/signal/media/ffmpeg.ts";
import { codecs } from "../runners/signal/media/readers.ts";
import { inFolder, music, wav } from "../test/audio.ts";
import { cpuOf, cpuOfProgram, inFreshProcess, median } from "./cpu.ts";

const exec = promisify(execFile);
const RUNS = 3;
const WARM = 2;
const RATE = 44_100;
const LIMITS = { seconds_min: 0, seconds_max: 600, bytes_max: 500_000_000 };
const signal = new AbortController().signal;
const WORKS = ["decode wav", "decode flac", "decode mp3", "encode and prove"] as const;

const [mode, work, file] = process.argv.slice(2);
if (mode === "--child") console.log(JSON.stringify(await times(work!, file!)));
else await compare();

async function compare(): Promise<void> {
  const { path: program, version } = await ffmpeg();
  const quiet = ["-nostdin", "-v", "error", "-y", "-threads", "1"];
  console.log(`ffmpeg ${version}; ours: ${JSON.stringify(await codecs())}; CPU seconds, median of ${RUNS}\n`);
  console.log("work               seconds    fresh     warm   ffmpeg   ffmpeg / fresh");
  await inFolder(async (path) => {
    for (const seconds of [180, 5]) {
      await writeFile(path("in.wav"), wav(music(1, seconds), { samples: "s24" }));
      for (const [name, ...options] of [["in.flac"], ["in.mp3", "-b:a", "192k"]])
        await exec(program, [...quiet, "-i", path("in.wav"), ...options, path(name!)]);
      for (const work of WORKS) {
        const source = path(work.startsWith("decode") ? `in.${work.slice(7)}` : "in.wav");
        const fresh: number[] = [];
        const warm: number[] = [];
        const theirs: number[] = [];
        for (let run = 0; run < RUNS; run++) {
          const [first, ...others] = await inFreshProcess<number[]>(new URL(import.meta.url), [
            "--child",
            work,
            source,
          ]);
          fresh.push(first!);
          warm.push(...others);
          theirs.push(await byFfmpeg(program, quiet, work, source));
        }
        const [one, many, other] = [median(fresh), median(warm), median(theirs)];
        const show = (value: number): string => value.toFixed(3).padStart(8);
        console.log(
          `${work.padEnd(20)}${String(seconds).padStart(6)} ${show(one)} ${show(many)} ${show(other)} ${(other / one).toFixed(1).padStart(8)}`,
        );
      }
    }
  });
}

async function byFfmpeg(program: string, quiet: readonly string[], work: string, source: string): Promise<number> {
  if (work.startsWith("decode")) return await cpuOf(async () => await decode(source, LIMITS, signal, "ffmpeg"));
  const flac = join(dirname(source), "theirs.flac");
  const writing = [...quiet, "-i", source, "-c:a", "flac", "-sample_fmt", "s32", flac];
  const proving = [...quiet, "-i", flac, "-c:a", "pcm_s24le", "-f", "md5", "-"];
  return (await cpuOfProgram(program, writing)) + (await cpuOfProgram(program, proving));
}

/** The first and later runs of one work in this process. */
async function times(work: string, file: string): Promise<number[]> {
  let run = async (): Promise<unknown> => await decode(file, LIMITS, signal, "own");
  if (!work.startsWith("decode")) {
    const { channels } = (await decode(file, LIMITS, signal, "own")).audio;
    const source: FlacSource = {
      frames: channels[0]!.length,
      channels: channels.length,
      bits: 24,
      samples: (from, to, out) => void channels.forEach((channel, n) => void out[n]!.set(channel.subarray(from, to))),
    };
    run = async () => await encodeFlac(source, RATE, join(dirname(file), "ours.flac"), {}, signal);
  }
  const found: number[] = [];
  for (let n = 0; n <= WARM; n++) found.push(await cpuOf(run));
  return found;
}
