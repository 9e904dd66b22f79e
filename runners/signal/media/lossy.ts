import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Delivered } from "../../../core/ports/mod.ts";
import type { FlacSource } from "../flac/mod.ts";
import { ffmpeg } from "./ffmpeg.ts";
import { launch } from "./launch.ts";
import type { Tags } from "./tags.ts";

/** What ffmpeg makes, by its encoders, so that nearly nobody hears a difference; `quality` for one channel and for two. */
const LOSSY = {
  // LAME lowers what it encodes at a constant rate by 0.45 dB, and leaves the level at a constant quality.
  mp3: { encoder: "libmp3lame", quality: ["-q:a 0", "-q:a 0"] },
  opus: { encoder: "libopus", quality: ["-b:a 96k", "-b:a 160k"] },
} as const;

export type Lossy = keyof typeof LOSSY;

/** Ten minutes take a quarter of it here. */
const CPU_S = 90;
const WALL_S = 110;
const MEMORY_BYTES = 2 ** 30;
const FILE_BYTES = 100_000_000;
const ASKED = 1 << 15;

/** What this machine can make: FLAC and WAV always, the others where its ffmpeg has the encoder. Asked once per thread. */
export function deliverable(): Promise<readonly Delivered[]> {
  known ??= encoders().then(
    (found) => ["flac", "wav", ...LOSSY_NAMES.filter((name) => found.includes(` ${LOSSY[name].encoder} `))],
    () => {
      // One may be installed later: ask again next time.
      known = undefined;
      return ["flac", "wav"];
    },
  );
  return known;
}

const LOSSY_NAMES = Object.keys(LOSSY) as Lossy[];
let known: Promise<readonly Delivered[]> | undefined;

async function encoders(): Promise<string> {
  const { path: program } = await ffmpeg();
  const chunks: Uint8Array[] = [];
  await launch({
    program,
    args: ["-hide_banner", "-encoders"],
    allowance: { wall_s: 10, cpu_s: 10, memory_bytes: MEMORY_BYTES, file_bytes: 0 },
    signal: new AbortController().signal,
    output: (bytes) => chunks.push(bytes.slice()),
  });
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * Writes a new file at `path` in a folder of its own, by the system's ffmpeg in its sandbox; removed again where that
 * fails. The file says how much its encoder added at both ends, so that players give back the piece's length.
 */
export async function writeLossy(
  source: FlacSource,
  sample_rate: number,
  format: Lossy,
  path: string,
  tags: Tags,
  signal: AbortSignal,
): Promise<void> {
  const { path: program } = await ffmpeg();
  const { channels } = source;
  const { encoder, quality } = LOSSY[format];
  const ended = await launch({
    program,
    args: [
      ...["-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe"],
      ...["-format_whitelist", "f32le", "-codec_whitelist", "pcm_f32le"],
      ...["-f", "f32le", "-ar", String(sample_rate), "-ac", String(channels), "-i", "pipe:0"],
      // Nothing that changes from run to run: neither versions nor serial numbers.
      ...["-threads", "1", "-c:a", encoder, ...quality[channels - 1]!.split(" "), "-fflags", "+bitexact"],
      ...["-flags:a", "+bitexact", "-map_metadata", "-1"],
      ...Object.entries(tags).flatMap(([name, value]) => ["-metadata", `${name.toLowerCase()}=${value}`]),
      ...["-f", format, `file:${path}`],
    ],
    allowance: { wall_s: WALL_S, cpu_s: CPU_S, memory_bytes: MEMORY_BYTES, file_bytes: FILE_BYTES },
    signal,
    writes: dirname(path),
    input: (write) => feed(source, write, signal),
  });
  if (ended.code === 0) return;
  await rm(path, { force: true });
  throw new Error(`Cannot encode ${format}: ${ended.complaint || (ended.killed_by ?? `exit code ${ended.code}`)}`);
}

async function feed(
  source: FlacSource,
  write: (bytes: Uint8Array) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { frames, channels } = source;
  const planar = Array.from({ length: channels }, () => new Float32Array(ASKED));
  for (let from = 0; from < frames; from += ASKED) {
    signal.throwIfAborted();
    const count = Math.min(ASKED, frames - from);
    source.samples(from, from + count, planar);
    // Anew each time: the pipe takes it over.
    const woven = new Float32Array(count * channels);
    for (const [channel, samples] of planar.entries()) {
      for (let n = 0; n < count; n++) woven[n * channels + channel] = samples[n]!;
    }
    await write(new Uint8Array(woven.buffer));
  }
}
