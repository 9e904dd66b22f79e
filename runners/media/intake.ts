import type { Limits } from "../../core/plugin.ts";
import { SourceError } from "../source_error.ts";

/** What a decoder knows before the first sample. */
export interface Form {
  readonly sample_rate: number;
  readonly channels: number;
  /** Speakers as WAVEFORMATEXTENSIBLE names them, one bit a channel in order; 0 where unknown. */
  readonly mask: number;
  /** Frames that the file claims or its size lets expect; 0 where unknown. Never believed, only prepared for. */
  readonly frames: number;
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

/** Holds a file to the limits while it is decoded, whichever decoder it comes from, and hands on what passes. */
export class Intake implements Sink {
  readonly #limits: Limits;
  readonly #sink: Sink;
  #form: Form | undefined;
  #frames = 0;
  #frames_max = 0;

  constructor(limits: Limits, sink: Sink) {
    this.#limits = limits;
    this.#sink = sink;
  }

  /** True once there were samples. */
  get begun(): boolean {
    return this.#frames > 0;
  }

  /** @throws SourceError `source_unsupported_format` for rates and channels out of range */
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
    this.#frames_max = Math.floor(this.#limits.seconds_max * sample_rate);
    // One block too many is all that is ever there beyond the limit.
    this.#sink.begin({ ...form, frames: Math.min(form.frames, this.#frames_max) });
  }

  /** @throws SourceError `source_too_long`, or `source_undecodable` for samples that are not numbers */
  push(channels: readonly Float32Array[], frames: number): void {
    this.#frames += frames;
    if (this.#frames > this.#frames_max) {
      const { seconds_max } = this.#limits;
      throw new SourceError("source_too_long", `Cannot take the source: it lasts longer than ${seconds_max} s`);
    }
    for (const channel of channels)
      if (!finite(channel, frames)) throw undecodable("it holds samples that are not numbers");
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

function unsupported(why: string): SourceError {
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
