/**
 * Our meters on the synthetic cases of EBU Tech 3341, beside ffmpeg's ebur128 (its own form of libebur128) on the same samples.
 *
 *   bun bench/meter.ts        deno run -A bench/meter.ts
 *
 * METER_FFMPEG names another build. A cell is what was read; its tolerance stands beside the nominal value.
 */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { LoudnessMeter } from "../runners/signal/dsp/loudness.ts";
import { truePeak } from "../runners/signal/dsp/true_peak.ts";
import { decibel, inFolder, wav } from "../test/audio.ts";
import { LOUDNESS_CASES, PEAK_CASES, TECH_3341_RATE as RATE } from "../test/tech3341.ts";

const exec = promisify(execFile);
const program = process.env.METER_FFMPEG ?? "ffmpeg";

await inFolder(async (path) => {
  console.log("case   nominal (tolerance)     ours   ffmpeg ebur128");
  for (const { name, lufs, channels } of LOUDNESS_CASES) {
    const parts = channels(RATE);
    const meter = new LoudnessMeter(RATE, parts.length, 1, [1, 1, 1, 1.41, 1.41].slice(0, parts.length));
    meter.push(parts);
    const theirs = await read(path("case.wav"), parts, /I:\s+(-?[\d.]+|-inf) LUFS/gu);
    print(name, `${lufs} LUFS (0.1)`, meter.integrated(), theirs);
  }
  for (const { name, dbtp, samples } of PEAK_CASES) {
    const part = samples();
    const theirs = await read(path("case.wav"), [part, part], /Peak:\s+(-?[\d.]+|-inf) dBFS/gu);
    print(name, `${dbtp} dBTP (+0.2, -0.4)`, decibel(truePeak([part])), theirs);
  }
});

function print(name: string, nominal: string, ours: number, theirs: string): void {
  console.log(`${name.padEnd(4)} ${nominal.padStart(21)} ${ours.toFixed(3).padStart(8)} ${theirs.padStart(16)}`);
}

/** The last figure of ebur128's summary that `pattern` finds. */
async function read(file: string, channels: readonly Float32Array[], pattern: RegExp): Promise<string> {
  await writeFile(file, wav(channels, { sample_rate: RATE, samples: "f32" }));
  // A wav of five channels says nothing of their places.
  const layout = channels.length === 5 ? "channelmap=channel_layout=5.0," : "";
  const { stderr } = await exec(program, [
    ...["-nostdin", "-hide_banner", "-i", file, "-af", `${layout}ebur128=peak=true`, "-f", "null", "-"],
  ]);
  return [...stderr.matchAll(pattern)].at(-1)?.[1] ?? "?";
}
