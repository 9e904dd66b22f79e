import type { Audio, Streamed } from "../../../contract/mod.ts";
import { SampleError } from "../../source_error.ts";
import { fromDecibel } from "../dsp/decibel.ts";

/** A stem as it is delivered: one gain, rounding, no dither, so that what is delivered still sums but for half a step a stem. */
export class StemRendering {
  readonly frames: number;
  readonly channels: number;
  readonly bits: 16 | 24;
  readonly #audio: Audio | Streamed;
  readonly #gain: number;

  /** @param gain_db the same for all stems */
  constructor(audio: Audio | Streamed, gain_db: number, bits: 16 | 24) {
    const streamed = "samples" in audio;
    this.frames = streamed ? audio.frames : (audio.channels[0]?.length ?? 0);
    this.channels = streamed ? audio.channels : audio.channels.length;
    this.bits = bits;
    this.#audio = audio;
    this.#gain = fromDecibel(gain_db);
  }

  /** Samples `from` to `to` in whole steps of 2^(1 - bits), -1 to below 1. Throws where one is not finite. */
  samples(from: number, to: number, out: readonly Float32Array[]): void {
    const audio = this.#audio;
    if ("samples" in audio) audio.samples(from, to, out);
    else for (const [channel, samples] of audio.channels.entries()) out[channel]!.set(samples.subarray(from, to));
    const full = 2 ** (this.bits - 1);
    const unit = 1 / full;
    const factor = this.#gain * full;
    for (let channel = 0; channel < this.channels; channel++) {
      const target = out[channel]!;
      for (let n = 0; n < to - from; n++) {
        let step = target[n]! * factor + ROUNDER - ROUNDER;
        if (!(step > -BEYOND && step < BEYOND))
          throw new SampleError(
            `Cannot deliver a stem: its sample ${from + n} is ${target[n]}, expected a finite number`,
          );
        if (step > full - 1) step = full - 1;
        if (step < -full) step = -full;
        target[n] = step * unit;
      }
    }
  }
}

/** 1.5 · 2^52: adding it leaves no bits below 1, so the sum is rounded to a whole number. */
const ROUNDER = 6_755_399_441_055_744;
/** More than any sample can be; what is not finite is not within it. */
const BEYOND = 1e15;
