import type { Limits } from "../../../contract/mod.ts";
import { SourceError } from "../../source_error.ts";

/** What a decoder knows before the first sample. */
export interface Form {
  readonly sample_rate: number;
  readonly channels: number;
  /** Speakers as WAVEFORMATEXTENSIBLE names them, one bit a channel in order; 0 where unknown. */
  readonly mask: number;
  /** Frames that the file claims or its size lets expect; 0 where unknown. Never believed, only prepared for. */
  readonly frames: number;
  /** Frames that it has, or says it has: more than is allowed is refused before any is decoded. Absent where nothing says so. */
  readonly claimed?: number;
  /** Whatever the file holds, all samples are finite: they were whole numbers. */
  readonly finite?: boolean;
}

/** Takes what a decoder makes of a file: the form once, then blocks. */
export interface Sink {
  begin(form: Form): void;
  /** One block of each channel; the first `frames` of them count, and only during the call. */
  push(channels: readonly Float32Array[], frames: number): void;
}

const SAMPLE_RATE_MIN = 8000;
const SAMPLE_RATE_MAX = 192_000;
const CHANNELS_MAX = 8;

/** Samples a second, all channels together, that the longest source may have: eight channels at 48 kHz, or two at 192 kHz. */
const SAMPLES_PER_SECOND_MAX = 384_000;
/** Samples that any file may hold, however few bytes it has: ten minutes of silence in stereo at 48 kHz. */
const SAMPLES_FREE = 2 ** 26;
/** Samples that a byte may hold beyond those. Music in FLAC has 1 to 4, silence 150 to 7,700, a predictor without residual 1,500. */
const SAMPLES_PER_BYTE_MAX = 32;

/** Samples, all channels together, that are decoded of a file of `bytes`: what bounds the work that it can cause. */
export function samplesMax(seconds_max: number, bytes: number): number {
  return Math.min(seconds_max * SAMPLES_PER_SECOND_MAX, SAMPLES_FREE + bytes * SAMPLES_PER_BYTE_MAX);
}

/** Holds a file to the limits before and while it is decoded, whichever decoder it comes from, and hands on what passes. */
export class Intake implements Sink {
  readonly #limits: Limits;
  readonly #samples_max: number;
  readonly #sink: Sink;
  #form: Form | undefined;
  #frames = 0;
  #frames_max = 0;

  /** @param bytes of the file */
  constructor(limits: Limits, bytes: number, sink: Sink) {
    this.#limits = limits;
    this.#samples_max = samplesMax(limits.seconds_max, bytes);
    this.#sink = sink;
  }

  /** True once there were samples. */
  get begun(): boolean {
    return this.#frames > 0;
  }

  /** @throws SourceError `source_unsupported_format` for rates and channels out of range, `source_too_long` for what claims too much */
  begin(form: Form): void {
    const { channels, sample_rate } = form;
    // A header of zeros is damage, not a format.
    if (channels === 0 || sample_rate === 0) throw undecodable("its header claims no channels or no sample rate");
    if (sample_rate < SAMPLE_RATE_MIN || sample_rate > SAMPLE_RATE_MAX)
      throw unsupported(
        `its sample rate is ${sample_rate} Hz, ${SAMPLE_RATE_MIN} to ${SAMPLE_RATE_MAX} Hz are possible`,
      );
    if (channels > CHANNELS_MAX) throw unsupported(`it has ${channels} channels, 1 to ${CHANNELS_MAX} are possible`);
    this.#form = form;
    const seconds_max = Math.min(this.#limits.seconds_max, this.#samples_max / (channels * sample_rate));
    this.#frames_max = Math.floor(seconds_max * sample_rate);
    this.#hold(form.claimed ?? 0);
    // One block too many is all that is ever there beyond the limit.
    this.#sink.begin({ ...form, frames: Math.min(form.frames, this.#frames_max) });
  }

  /** @throws SourceError `source_too_long`, or `source_undecodable` for samples that are not numbers */
  push(channels: readonly Float32Array[], frames: number): void {
    this.#frames += frames;
    this.#hold(this.#frames);
    if (this.#form?.finite !== true && !channels.every((channel) => finite(channel, frames)))
      throw undecodable("it holds samples that are not numbers");
    this.#sink.push(channels, frames);
  }

  /** @throws SourceError `source_undecodable` where nothing came, `source_too_short` where too little did */
  finish(format: string): Form & { readonly seconds: number } {
    if (this.#form === undefined || this.#frames === 0) throw undecodable(`it is damaged, or not ${format} inside`);
    const seconds = this.#frames / this.#form.sample_rate;
    const { seconds_min } = this.#limits;
    if (seconds < seconds_min) {
      throw new SourceError(
        "source_too_short",
        `Cannot take the source: it lasts ${seconds.toFixed(3)} s, at least ${seconds_min} s are needed`,
      );
    }
    return { ...this.#form, seconds };
  }

  /** @throws SourceError `source_too_long` where `frames` are too many */
  #hold(frames: number): void {
    if (frames <= this.#frames_max) return;
    const { channels, sample_rate } = this.#form!;
    const { seconds_max } = this.#limits;
    if (frames > seconds_max * sample_rate)
      throw new SourceError("source_too_long", `Cannot take the source: it lasts longer than ${seconds_max} s`);
    const samples = Math.floor(this.#samples_max).toLocaleString("en");
    throw new SourceError(
      "source_too_long",
      `Cannot take the source: ${channels} channels at ${sample_rate} Hz hold more than the ${samples} samples allowed in a file of its size`,
    );
  }
}

/** What a decoder of ours cannot do with a file, and another one might. */
export class Beyond extends SourceError {
  constructor(why: string) {
    super("source_undecodable", `Cannot decode the source: ${why}`);
  }
}

export function undecodable(why: string): SourceError {
  return new SourceError("source_undecodable", `Cannot decode the source: ${why}`);
}

export function unsupported(why: string): SourceError {
  return new SourceError("source_unsupported_format", `Cannot take the source: ${why}`);
}

/** Zero times a finite number is zero; anything else leaves NaN in the sum. Four sums, for each addition waits for the last. */
function finite(samples: Float32Array, count: number): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let n = 0;
  for (const last = count - 4; n <= last; n += 4) {
    a += samples[n]! * 0;
    b += samples[n + 1]! * 0;
    c += samples[n + 2]! * 0;
    d += samples[n + 3]! * 0;
  }
  for (; n < count; n++) a += samples[n]! * 0;
  return a + b + c + d === 0;
}
