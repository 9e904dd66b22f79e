import { resolve } from "node:path";
import { ffmpeg } from "./ffmpeg.ts";
import { type Sink, undecodable } from "./intake.ts";
import { launch } from "./launch.ts";
import type { Format } from "./sniff.ts";
import { WavStream } from "./wav_stream.ts";

/** Decoders that the three formats need; a WAV that wraps anything else is not opened. */
const DECODERS = [
  "flac",
  "mp3",
  "mp3float",
  "pcm_u8",
  "pcm_s16le",
  "pcm_s24le",
  "pcm_s32le",
  "pcm_f32le",
  "pcm_f64le",
  "pcm_alaw",
  "pcm_mulaw",
  "adpcm_ms",
  "adpcm_ima_wav",
].join(",");

/**
 * For what may last ten minutes, and more in proportion. Ten minutes of 8 channels at 48 kHz, the most of those, take a
 * third of it here.
 */
const CPU_S = 20;
const WALL_S = 60;
const SECONDS = 600;
const MEMORY_BYTES = 2 ** 30;

/**
 * Reads a file into `sink` through ffmpeg, which passes over what is damaged, as players do.
 *
 * @param seconds_max one second more is decoded, so that the excess shows
 * @throws SourceError `source_undecodable` where ffmpeg gives up, and what `sink` throws; the signal's reason on abort
 */
export async function readByFfmpeg(
  path: string,
  format: Format,
  seconds_max: number,
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  const { path: program } = await ffmpeg();
  const stream = new WavStream(sink);
  const times = Math.max(1, Math.ceil(seconds_max / SECONDS));
  // It runs in a folder of its own.
  const source = resolve(path);
  const ended = await launch({
    program,
    args: decoding(source, format, seconds_max),
    allowance: { wall_s: WALL_S * times, cpu_s: CPU_S * times, memory_bytes: MEMORY_BYTES, file_bytes: 0 },
    signal,
    reads: [source],
    output: (bytes) => stream.push(bytes),
  });
  if (ended.killed_by !== null && !FAULTS.has(ended.killed_by)) {
    // Ended from outside, by the system or its keeper: not the file's fault, and worth another attempt.
    throw new Error(`Cannot decode the source: ffmpeg was ended by ${ended.killed_by}`);
  }
  if (ended.code !== 0) throw undecodable(`it is damaged, or not ${format} inside`);
}

/** Signals that the content brings about: a crash in the decoder, or its CPU time used up. */
const FAULTS: ReadonlySet<string> = new Set([
  "SIGSEGV",
  "SIGABRT",
  "SIGBUS",
  "SIGFPE",
  "SIGILL",
  "SIGXCPU",
  "SIGXFSZ",
  "SIGTRAP",
]);

/**
 * The demuxer is forced and the whitelists leave nothing else: a playlist in disguise opens no other file (ffmpeg would follow it), one
 * thread keeps the memory that `prlimit` counts small.
 */
function decoding(path: string, format: Format, seconds_max: number): string[] {
  return [
    ...["-nostdin", "-hide_banner", "-loglevel", "error"],
    ...["-protocol_whitelist", "file,pipe", "-format_whitelist", "wav,mp3,flac", "-codec_whitelist", DECODERS],
    // A WAV without a speaker mask keeps none: fold.ts knows the usual order.
    ...["-guess_layout_max", "0", "-threads", "1", "-f", format, "-i", `file:${path}`],
    ...["-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1", "-t", String(seconds_max + 1)],
    ...["-c:a", "pcm_f32le", "-bitexact", "-f", "wav", "pipe:1"],
  ];
}
