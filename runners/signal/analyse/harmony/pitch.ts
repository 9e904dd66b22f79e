/** Where the partials of a piece lie, frame by frame, and what it is tuned to. */
import { breathe } from "../../../breathe.ts";
import { Frames, RATE } from "../front.ts";
import { tuningOf } from "./tuning.ts";

/** Samples of a frame at 22.05 kHz and between frames. */
export interface Framing {
  /** A power of two. */
  readonly size: number;
  readonly hop: number;
}
/** For harmony: frames of 0.37 s, so that semitones from C2 on are two bins apart, every 93 ms. */
const HARMONY: Framing = { size: 8192, hop: 2048 };
/** Frames between two looks at the signal. */
const BLOCK = 128;
/** Partials outside are not looked for, Hz: the lowest note of a bass guitar tuned down, the highest of a piano. */
const [LOWEST_HZ, HIGHEST_HZ] = [30, 4300];
/** Partials weaker than the strongest of their frame by more than this are not kept, as a ratio of power (-70 dB). */
const FLOOR = 1e-7;
/** A frame whose strongest partial is below this power (-80 dBFS) holds none. */
const SILENCE = 1e-8;

export interface Pitch {
  /** Seconds between the centres of frames; frame i is centred on i · hop_seconds. */
  readonly hop_seconds: number;
  /** Frame i holds partials `first[i]` to `first[i + 1]`. */
  readonly first: Uint32Array;
  /** Pitch of each partial in semitones, MIDI numbers at A4 = `tuning_hz`. */
  readonly semitones: Float32Array;
  /** Amplitude of each partial, 1 is a full-scale sine. */
  readonly amplitudes: Float32Array;
  /** Hz of A4, within half a semitone of 440. */
  readonly tuning_hz: number;
}

/**
 * Finds the partials: the local maxima of each frame's spectrum, placed between bins by a parabola through the logarithms of the three
 * highest values (Smith & Serra 1987; for a Hann window within 0.05 bin, 0.15 Hz in frames of 8192).
 *
 * @param mono at 22.05 kHz, as `fold` gives it
 * @throws the signal's reason on abort
 */
export async function hearPitch(
  mono: Float32Array,
  signal: AbortSignal,
  { size, hop }: Framing = HARMONY,
): Promise<Pitch> {
  const frames = new Frames(mono, size, hop);
  const partials = new Partials(size);
  const first = new Uint32Array(frames.count + 1);
  const powers = [new Float64Array(frames.bins), new Float64Array(frames.bins)] as const;
  for (let index = 0; index < frames.count; index += 2) {
    if (index % BLOCK === 0) await breathe(signal);
    frames.pair(index, powers[0], powers[1]);
    for (let member = 0; member < 2 && index + member < frames.count; member++) {
      partials.find(powers[member]!);
      first[index + member + 1] = partials.count;
    }
  }
  const semitones = partials.semitones.slice(0, partials.count);
  const amplitudes = partials.amplitudes.slice(0, partials.count);
  const offset = tuningOf(semitones, amplitudes, first);
  for (let n = 0; n < semitones.length; n++) semitones[n]! -= offset;
  return { hop_seconds: hop / RATE, first, semitones, amplitudes, tuning_hz: 440 * 2 ** (offset / 12) };
}

/** A growing list of partials. */
class Partials {
  semitones = new Float32Array(1 << 16);
  amplitudes = new Float32Array(1 << 16);
  count = 0;
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  /** Adds those of one frame. */
  find(power: Float64Array): void {
    const size = this.#size;
    const low = Math.max(2, Math.ceil((LOWEST_HZ * size) / RATE));
    const high = Math.min(power.length - 2, Math.floor((HIGHEST_HZ * size) / RATE));
    let peak = 0;
    for (let k = low; k <= high; k++) if (power[k]! > peak) peak = power[k]!;
    if (!(peak > SILENCE)) return;
    const floor = peak * FLOOR;
    if (this.count + (high - low) > this.semitones.length) this.#grow();
    let count = this.count;
    for (let k = low; k <= high; k++) {
      const b = power[k]!;
      if (b <= floor || b <= power[k - 1]! || b < power[k + 1]!) continue;
      const before = Math.log(power[k - 1]! + 1e-30);
      const top = Math.log(b);
      const after = Math.log(power[k + 1]! + 1e-30);
      const shift = (0.5 * (before - after)) / (before - 2 * top + after);
      this.semitones[count] = 69 + 12 * Math.log2(((k + shift) * RATE) / size / 440);
      this.amplitudes[count] = Math.exp(0.5 * (top - 0.25 * (before - after) * shift));
      count++;
    }
    this.count = count;
  }

  #grow(): void {
    const semitones = new Float32Array(2 * this.semitones.length);
    const amplitudes = new Float32Array(semitones.length);
    semitones.set(this.semitones);
    amplitudes.set(this.amplitudes);
    this.semitones = semitones;
    this.amplitudes = amplitudes;
  }
}
