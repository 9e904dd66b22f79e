import { type FileHandle, open } from "node:fs/promises";
import type { Audio, Limits } from "../../core/plugin.ts";
import type { SourceFacts } from "../../core/ports.ts";
import { Resampler } from "../dsp/resample.ts";
import { SourceError } from "../source_error.ts";
import { Collector } from "./collector.ts";
import { ffmpeg } from "./ffmpeg.ts";
import { deinterleave, type Fold, foldOf } from "./fold.ts";
import { launch } from "./launch.ts";
import { CONTENT_TYPES, type Format, sniff } from "./sniff.ts";
import { type WavHeader, WavStream } from "./wav_stream.ts";

/** Hz of everything that is decoded. */
const RATE = 44_100;
const SAMPLE_RATE_MIN = 8000;
const SAMPLE_RATE_MAX = 192_000;
const CHANNELS_MAX = 8;

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

/** 8 channels at 192 kHz for ten minutes take half of it here. */
const CPU_S = 60;
const WALL_S = 120;
const MEMORY_BYTES = 2 ** 30;

/**
 * Decodes a file to 44.1 kHz, mono where it is mono, else stereo.
 *
 * What ffmpeg can decode of a damaged or cut-off file is taken, as players do; a file of which it gets nothing, or gives up
 * on, is `source_undecodable`. Lengths are those of the samples that came out, whatever the header claims.
 *
 * @throws SourceError with the code that says what is wrong with the file; the signal's reason on abort
 */
export async function decode(
  path: string,
  limits: Limits,
  signal: AbortSignal,
): Promise<{ readonly audio: Audio; readonly facts: SourceFacts }> {
  const sink = new Keeping();
  const facts = await run(path, limits, signal, sink);
  return { audio: { sample_rate: RATE, channels: sink.finish() }, facts };
}

/** Decodes all of a file and keeps nothing; refuses what `decode` refuses. */
export async function probe(path: string, limits: Limits, signal: AbortSignal): Promise<SourceFacts> {
  return await run(path, limits, signal, { begin: () => undefined, push: () => undefined });
}

interface Sink {
  begin(header: WavHeader): void;
  push(interleaved: Float32Array, frames: number): void;
}

/** Folds and resamples on arrival, so that what waits in memory is never more than the result. */
class Keeping implements Sink {
  #channels = 0;
  #fold: Fold | undefined;
  #planar: Float32Array[] = [];
  #resampler: Resampler | undefined;
  #collector: Collector | undefined;

  begin({ channels, mask, sample_rate }: WavHeader): void {
    const kept = Math.min(2, channels);
    this.#channels = channels;
    this.#fold = foldOf(channels, mask);
    this.#planar = Array.from({ length: kept }, () => new Float32Array(0));
    this.#resampler = sample_rate === RATE ? undefined : new Resampler(sample_rate, RATE, kept);
    this.#collector = new Collector(kept);
  }

  push(interleaved: Float32Array, frames: number): void {
    if (this.#planar[0]!.length < frames) this.#planar = this.#planar.map(() => new Float32Array(2 * frames));
    deinterleave(interleaved, this.#channels, frames, this.#fold, this.#planar);
    this.#keep(this.#resampler?.push(this.#planar, frames) ?? this.#planar, this.#resampler ? undefined : frames);
  }

  finish(): Float32Array[] {
    if (this.#resampler !== undefined) this.#keep(this.#resampler.finish());
    return this.#collector?.finish() ?? [];
  }

  #keep(channels: readonly Float32Array[], frames = channels[0]!.length): void {
    this.#collector?.push(channels, frames);
  }
}

async function run(path: string, limits: Limits, signal: AbortSignal, sink: Sink): Promise<SourceFacts> {
  const format = await inspect(path, limits);
  const { path: program } = await ffmpeg();
  let header: WavHeader | undefined;
  let frames = 0;
  let frames_max = 0;
  const stream = new WavStream(
    (found) => {
      header = checked(found);
      frames_max = Math.floor(limits.seconds_max * found.sample_rate);
      sink.begin(found);
    },
    (interleaved, count) => {
      frames += count;
      if (frames > frames_max) {
        throw new SourceError(
          "source_too_long",
          `Cannot take the source: it lasts longer than ${limits.seconds_max} s`,
        );
      }
      if (!finite(interleaved)) {
        throw new SourceError("source_undecodable", "Cannot decode the source: it holds samples that are not numbers");
      }
      sink.push(interleaved, count);
    },
  );
  const ended = await launch({
    program,
    args: decoding(path, format, limits.seconds_max),
    allowance: { wall_s: WALL_S, cpu_s: CPU_S, memory_bytes: MEMORY_BYTES, file_bytes: 0 },
    signal,
    output: (bytes) => stream.push(bytes),
  });
  if (ended.killed_by !== null && !FAULTS.has(ended.killed_by)) {
    // Ended from outside, by the system or its keeper: not the file's fault, and worth another attempt.
    throw new Error(`Cannot decode the source: ffmpeg was ended by ${ended.killed_by}`);
  }
  if (header === undefined || frames === 0 || ended.code !== 0) {
    throw new SourceError("source_undecodable", `Cannot decode the source: it is damaged, or not ${format} inside`);
  }
  const seconds = frames / header.sample_rate;
  if (seconds < limits.seconds_min) {
    throw new SourceError(
      "source_too_short",
      `Cannot take the source: it lasts ${seconds.toFixed(3)} s, at least ${limits.seconds_min} s are needed`,
    );
  }
  return {
    format,
    content_type: CONTENT_TYPES[format],
    seconds,
    sample_rate: header.sample_rate,
    channels: header.channels,
  };
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

async function inspect(path: string, limits: Limits): Promise<Format> {
  const file: FileHandle = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > limits.bytes_max) {
      throw new SourceError(
        "source_too_large",
        `Cannot take the source: it has ${size} bytes, at most ${limits.bytes_max} are allowed`,
      );
    }
    return await sniff(file);
  } finally {
    await file.close();
  }
}

function checked(header: WavHeader): WavHeader {
  const { channels, sample_rate } = header;
  if (sample_rate < SAMPLE_RATE_MIN || sample_rate > SAMPLE_RATE_MAX) {
    throw new SourceError(
      "source_unsupported_format",
      `Cannot take the source: its sample rate is ${sample_rate} Hz, ${SAMPLE_RATE_MIN} to ${SAMPLE_RATE_MAX} Hz are possible`,
    );
  }
  if (channels < 1 || channels > CHANNELS_MAX) {
    throw new SourceError(
      "source_unsupported_format",
      `Cannot take the source: it has ${channels} channels, 1 to ${CHANNELS_MAX} are possible`,
    );
  }
  return header;
}

/**
 * One second beyond the limit, so that the excess shows. The demuxer is forced and the whitelists leave nothing else: a playlist
 * in disguise opens no other file (ffmpeg would follow it), one thread keeps the memory that `prlimit` counts small.
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

/** Zero times a finite number is zero; anything else leaves NaN in the sum. */
function finite(samples: Float32Array): boolean {
  let sum = 0;
  for (let n = 0; n < samples.length; n++) sum += samples[n]! * 0;
  return sum === 0;
}
