import { Scratch } from "../../scratch.ts";

/** Frames that have one scale. */
const CHUNK = 1024;
/** Frames that are put aside at once, channel by channel. */
const SPAN = 32 * CHUNK;
const FULL = 32_767;
/** Bytes of a stem that stay in memory: 95 s of stereo. */
const IN_MEMORY = 1 << 24;
/** 1.5 · 2^52: adding it leaves no bits below 1, so the sum is rounded to a whole number. */
const ROUNDER = 6_755_399_441_055_744;

/**
 * Samples in half the room: 16 bits each and one scale for each 1024 frames of a channel, so that what is rounded off lies 96 dB below the
 * largest sample nearby, however soft the whole is. Stems that a model made wait here until they are read; long ones on the disk.
 */
export class Kept {
  readonly #channels: number;
  readonly #frames: number;
  readonly #units: readonly Float32Array[];
  readonly #waiting: readonly Float32Array[];
  /** [channel][frame] of the span that is being filled. */
  readonly #span: Int16Array<ArrayBuffer>;
  /** Span after span of [channel][frame], the last one shorter. */
  readonly #memory: Int16Array<ArrayBuffer> | undefined;
  readonly #scratch: Scratch | undefined;
  /** Of each channel, the span that was read last from the disk. */
  readonly #seen: readonly { span: number; steps: Int16Array<ArrayBuffer> }[];
  #written = 0;

  constructor(channels: number, frames: number, in_memory: number = IN_MEMORY) {
    const planes = <T>(make: () => T): readonly T[] => Array.from({ length: channels }, make);
    this.#channels = channels;
    this.#frames = frames;
    this.#units = planes(() => new Float32Array(Math.ceil(frames / CHUNK)));
    this.#waiting = planes(() => new Float32Array(CHUNK));
    this.#span = new Int16Array(channels * Math.min(SPAN, frames));
    const bytes = 2 * channels * frames;
    if (bytes > in_memory) this.#scratch = new Scratch(bytes);
    else this.#memory = new Int16Array(channels * frames);
    this.#seen = planes(() => ({ span: -1, steps: new Int16Array(0) }));
  }

  /** Adds the frames that follow those written before. Finite values only. */
  write(channels: readonly Float32Array[]): void {
    const count = channels[0]!.length;
    for (let at = 0; at < count; ) {
      const held = this.#written % CHUNK;
      const step = Math.min(CHUNK - held, count - at);
      for (const [c, waiting] of this.#waiting.entries()) waiting.set(channels[c]!.subarray(at, at + step), held);
      at += step;
      this.#written += step;
      if (held + step === CHUNK || this.#written === this.#frames) this.#settle(held + step);
    }
  }

  #settle(count: number): void {
    const from = this.#written - count;
    const span = Math.floor(from / SPAN);
    const length = this.#lengthOf(span);
    for (const [c, waiting] of this.#waiting.entries()) {
      let peak = 0;
      for (let n = 0; n < count; n++) {
        const value = waiting[n]!;
        if (value > peak) peak = value;
        else if (-value > peak) peak = -value;
      }
      const units = this.#units[c]!;
      units[from / CHUNK] = peak / FULL;
      const unit = units[from / CHUNK]!;
      const to = c * length + (from % SPAN);
      if (unit === 0) {
        this.#span.fill(0, to, to + count);
        continue;
      }
      const steps = this.#span;
      for (let n = 0; n < count; n++) {
        let step = waiting[n]! / unit + ROUNDER - ROUNDER;
        // The scale is rounded to single precision and may be a trifle small.
        if (step > FULL) step = FULL;
        else if (step < -FULL) step = -FULL;
        steps[to + n] = step;
      }
    }
    if ((from % SPAN) + count < length) return;
    const whole = this.#span.subarray(0, this.#channels * length);
    this.#memory?.set(whole, this.#channels * span * SPAN);
    this.#scratch?.write(new Uint8Array(whole.buffer, 0, whole.byteLength));
  }

  #lengthOf(span: number): number {
    return Math.min(SPAN, this.#frames - span * SPAN);
  }

  /** Frames from `from` on, as many as `out` takes, of one channel, once all are written. */
  read(channel: number, from: number, out: Float32Array): void {
    const units = this.#units[channel]!;
    for (let n = 0; n < out.length; ) {
      const span = Math.floor((from + n) / SPAN);
      const steps = this.#stepsOf(span, channel);
      for (const end = Math.min(out.length, (span + 1) * SPAN - from); n < end; ) {
        const chunk = Math.floor((from + n) / CHUNK);
        const until = Math.min(end, (chunk + 1) * CHUNK - from);
        const unit = units[chunk]!;
        const back = from - span * SPAN;
        for (; n < until; n++) out[n] = steps[back + n]! * unit;
      }
    }
  }

  #stepsOf(span: number, channel: number): Int16Array {
    const length = this.#lengthOf(span);
    const at = this.#channels * span * SPAN + channel * length;
    if (this.#memory !== undefined) return this.#memory.subarray(at, at + length);
    const seen = this.#seen[channel]!;
    if (seen.span !== span) {
      // Where reading throws, nobody may take what is there for it.
      seen.span = -1;
      if (seen.steps.length !== length) seen.steps = new Int16Array(length);
      this.#scratch!.read(2 * at, new Uint8Array(seen.steps.buffer));
      seen.span = span;
    }
    return seen.steps;
  }
}
