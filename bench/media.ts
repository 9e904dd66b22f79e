/**
 * Decoding and encoding as runners/media does it in the thread, side by side with ffmpeg in the same run: CPU seconds of this process and
 * its children together (Linux: /proc/self/stat), medians of `RUNS`, the two taking turns.
 *
 *   bun bench/media.ts        deno run -A bench/media.ts
 *
 * Both decode a file to 44.1 kHz in memory; both encode 24-bit FLAC and prove it by the MD5 of what it decodes to.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { FlacSource } from "../runners/flac/mod.ts";
import { decode } from "../runners/media/decode.ts";
import { encodeFlac } from "../runners/media/encode.ts";
import { ffmpeg } from "../runners/media/ffmpeg.ts";
import { codecs } from "../runners/media/readers.ts";
import { inFolder, music, wav } from "../test/audio.ts";

const exec = promisify(execFile);
const RUNS = 5;
const RATE = 44_100;
const LIMITS = { seconds_min: 0, seconds_max: 600, bytes_max: 500_000_000 };
const signal = new AbortController().signal;
const { path: program, version } = await ffmpeg();
const quiet = ["-nostdin", "-v", "error", "-y", "-threads", "1"];

await inFolder(async (path) => {
  console.log(`ffmpeg ${version}; ours: ${JSON.stringify(await codecs())}; CPU seconds\n`);
  console.log("work                seconds     ours   ffmpeg   ratio");
  for (const seconds of [180, 5]) {
    const source = rounded(music(1, seconds));
    await writeFile(path("in.wav"), wav(samplesOf(source), { samples: "s24" }));
    for (const [name, ...options] of [["in.flac"], ["in.mp3", "-b:a", "192k"]])
      await exec(program, [...quiet, "-i", path("in.wav"), ...options, path(name!)]);
    for (const format of ["wav", "flac", "mp3"]) {
      const file = path(`in.${format}`);
      await compare(
        `decode ${format}`,
        seconds,
        async () => void (await decode(file, LIMITS, signal, "own")),
        async () => void (await decode(file, LIMITS, signal, "ffmpeg")),
      );
    }
    await compare(
      "encode and verify",
      seconds,
      async () => void (await encodeFlac(source, RATE, path("ours.flac"), {}, signal)),
      async () => {
        const flac = path("theirs.flac");
        await exec(program, [...quiet, "-i", path("in.wav"), "-c:a", "flac", "-sample_fmt", "s32", flac]);
        await exec(program, [...quiet, "-i", flac, "-c:a", "pcm_s24le", "-f", "md5", "-"]);
      },
    );
  }
  console.log(`\npeak memory of this process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
});

async function compare(
  name: string,
  seconds: number,
  ours: () => Promise<void>,
  theirs: () => Promise<void>,
): Promise<void> {
  const times: [number[], number[]] = [[], []];
  // One run before that does not count.
  for (let run = -1; run < RUNS; run++) {
    for (const [which, work] of [ours, theirs].entries()) {
      const before = await cpuSeconds();
      await work();
      if (run >= 0) times[which]!.push((await cpuSeconds()) - before);
    }
  }
  const [own, other] = times.map((list) => list.sort((a, b) => a - b)[RUNS >> 1]!) as [number, number];
  const show = (value: number): string => value.toFixed(3).padStart(8);
  console.log(
    `${name.padEnd(20)}${String(seconds).padStart(7)} ${show(own)} ${show(other)} ${(other / own).toFixed(1).padStart(7)}`,
  );
}

/** In whole steps of 24 bits, before the clock starts. */
function rounded(channels: readonly Float32Array[]): FlacSource {
  const full = 2 ** 23;
  const whole = channels.map((channel) => channel.map((value) => Math.round(value * full) / full + 0));
  return {
    frames: whole[0]!.length,
    channels: whole.length,
    bits: 24,
    samples: (from, to, out) => void whole.forEach((channel, n) => void out[n]!.set(channel.subarray(from, to))),
  };
}

function samplesOf(source: FlacSource): Float32Array[] {
  const channels = Array.from({ length: source.channels }, () => new Float32Array(source.frames));
  source.samples(0, source.frames, channels);
  return channels;
}

async function cpuSeconds(): Promise<number> {
  const { user, system } = process.cpuUsage();
  const fields = (await readFile("/proc/self/stat", "latin1")).replace(/^.*\) /, "").split(" ");
  // cutime and cstime: children that were waited for, in ticks of 10 ms.
  return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / 100;
}
