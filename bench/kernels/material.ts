/** What kernels and actions are measured on: one piece of stereo audio in every form that a kernel or an outside tool reads. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { music, wav } from "../../test/audio.ts";
import { runOutside } from "../measure.ts";

export const RATE = 44_100;
/** Rates of the files `<rate>.wav`, which hold the same samples: only what their header says differs. */
const RATES = [22_050, 44_100, 48_000, 96_000];

export interface Material {
  readonly channels: readonly Float32Array[];
  readonly path: (name: string) => string;
}

/**
 * Writes `left.f32`, `right.f32`, `s16.wav`, `s24.wav`, `<rate>.wav`, `s16.flac`, `s24.flac` and `s16.mp3` to a folder.
 *
 * @param file audio that is taken instead of what is synthesised, `seconds` of it
 * @returns how many seconds there are
 */
export async function writeMaterial(folder: string, seconds: number, file?: string): Promise<number> {
  const path = (name: string): string => join(folder, name);
  const channels = file === undefined ? music(1, seconds) : await load(file, seconds, path("loaded.raw"));
  await writeFile(path("left.f32"), bytesOf(channels[0]));
  await writeFile(path("right.f32"), bytesOf(channels[1]));
  await writeFile(path("s16.wav"), wav(channels, { samples: "s16" }));
  await writeFile(path("s24.wav"), wav(channels, { samples: "s24" }));
  for (const sample_rate of RATES)
    await writeFile(path(`${sample_rate}.wav`), wav(channels, { samples: "s16", sample_rate }));
  for (const bits of [16, 24]) await runOutside(["flac", "-s", "-f", "-5", path(`s${bits}.wav`)]);
  const quiet = ["ffmpeg", "-nostdin", "-v", "error", "-y"];
  await runOutside([...quiet, "-i", path("s16.wav"), "-b:a", "192k", path("s16.mp3")]);
  return channels[0].length / RATE;
}

export async function readMaterial(folder: string): Promise<Material> {
  const path = (name: string): string => join(folder, name);
  const channels: Float32Array[] = [];
  for (const name of ["left.f32", "right.f32"]) {
    const { buffer, byteOffset, length } = await readFile(path(name));
    // A copy: what was read need not lie on a multiple of four.
    channels.push(new Float32Array(buffer.slice(byteOffset, byteOffset + length)));
  }
  return { channels, path };
}

async function load(file: string, seconds: number, raw: string): Promise<[Float32Array, Float32Array]> {
  const form = ["-ac", "2", "-ar", String(RATE), "-f", "f32le"];
  await runOutside(["ffmpeg", "-nostdin", "-v", "error", "-y", "-t", String(seconds), "-i", file, ...form, raw]);
  const { buffer, byteOffset, length } = await readFile(raw);
  const interleaved = new Float32Array(buffer.slice(byteOffset, byteOffset + length));
  const channel = (offset: number): Float32Array =>
    Float32Array.from({ length: interleaved.length >> 1 }, (_, n) => interleaved[2 * n + offset]!);
  return [channel(0), channel(1)];
}

function bytesOf(samples: Float32Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}
