/** Frames that have one scale. */
const CHUNK = 1024;
const FULL = 32_767;

/**
 * Samples in half the room: 16 bits each and one scale for each 1024 frames of a channel, so that what is rounded off lies 96 dB below the
 * largest sample nearby, however soft the whole is. Stems of ten minutes that a model made wait here until they are read.
 */
export class Kept {
  readonly #steps: readonly Int16Array[];
  readonly #units: readonly Float32Array[];
  readonly #waiting: readonly Float32Array[];
  #written = 0;

  constructor(channels: number, frames: number) {
    const planes = <T>(make: () => T): readonly T[] => Array.from({ length: channels }, make);
    this.#steps = planes(() => new Int16Array(frames));
    this.#units = planes(() => new Float32Array(Math.ceil(frames / CHUNK)));
    this.#waiting = planes(() => new Float32Array(CHUNK));
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
      if (held + step === CHUNK || this.#written === this.#steps[0]!.length) this.#settle(held + step);
    }
  }

  #settle(count: number): void {
    const from = this.#written - count;
    for (const [c, waiting] of this.#waiting.entries()) {
      let peak = 0;
      for (let n = 0; n < count; n++) peak = Math.max(peak, Math.abs(waiting[n]!));
      const units = this.#units[c]!;
      units[from / CHUNK] = peak / FULL;
      const unit = units[from / CHUNK]!;
      if (unit === 0) continue;
      const steps = this.#steps[c]!;
      // The scale is rounded to single precision and may be a trifle small.
      for (let n = 0; n < count; n++) {
        steps[from + n] = Math.max(-FULL, Math.min(FULL, Math.round(waiting[n]! / unit)));
      }
    }
  }

  /** Frames from `from` on, as many as `out` takes, of one channel. */
  read(channel: number, from: number, out: Float32Array): void {
    const steps = this.#steps[channel]!;
    const units = this.#units[channel]!;
    for (let n = 0; n < out.length; ) {
      const chunk = Math.floor((from + n) / CHUNK);
      const until = Math.min(out.length, (chunk + 1) * CHUNK - from);
      const unit = units[chunk]!;
      for (; n < until; n++) out[n] = steps[from + n]! * unit;
    }
  }
}
