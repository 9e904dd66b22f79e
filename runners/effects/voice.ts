import { type Control, type Corner, curve, shape, times, wander } from "../signal/dsp/control.ts";
import { decay, fade } from "../signal/dsp/envelope.ts";
import { exp2 } from "../signal/dsp/exact.ts";
import { mixIn, type Scatter, scatter } from "../signal/dsp/grains.ts";
import { type Mode, ring } from "../signal/dsp/modal.ts";
import { brown, crackle, pink, white } from "../signal/dsp/noise.ts";
import { modulate, oscillate, type Wave } from "../signal/dsp/oscillator.ts";
import { random } from "../signal/dsp/random.ts";
import { type Pass, svf } from "../signal/dsp/svf.ts";

export const RATE = 44_100;

export type Material =
  | "wood"
  | "metal"
  | "glass"
  | "stone"
  | "plastic"
  | "ceramic"
  | "body"
  | "gravel"
  | "snow"
  | "grass"
  | "water"
  | "paper"
  | "cloth";

/** How a sound is to be, whatever it is. */
export interface Traits {
  /** -1 tiny to 1 huge. */
  readonly size: number;
  /** 0 soft to 1 violent; 0.5 where nothing was said. */
  readonly intensity: number;
  /** Factor: 2 is twice as fast. */
  readonly speed: number;
  /** Factor on pitch, beside what size does. */
  readonly pitch: number;
  /** -1 dull to 1 bright. */
  readonly bright: number;
  /** 0 dry to 1 wet, of surfaces. */
  readonly wet: number;
  readonly material: Material | null;
  /** Factor on the pitch that a tone glides to; 1: it stays. */
  readonly glide: number;
}

type Colour = "white" | "pink" | "brown";

export interface Burst {
  readonly at?: number;
  readonly attack?: number;
  readonly t60: number;
  readonly pass?: Pass;
  readonly hertz: number;
  readonly q?: number;
  readonly gain?: number;
  readonly pan?: number;
}

export interface Tone {
  readonly at?: number;
  readonly attack?: number;
  readonly t60: number;
  /** Hz from start to end, falling exponentially. */
  readonly hertz: number;
  readonly to?: number;
  /** Seconds in which it gets there; all of the tone where absent. */
  readonly glide?: number;
  readonly wave?: Wave;
  readonly gain?: number;
  readonly pan?: number;
}

/** Corners of a curve in turn: seconds, value, seconds, value. */
export function through(...numbers: readonly number[]): readonly Corner[] {
  return Array.from({ length: numbers.length / 2 }, (_, n) => [numbers[2 * n]!, numbers[2 * n + 1]!] as const);
}

/** One event or bed while it is made: two empty channels, the traits, a stream of chance and the usual building blocks. */
export class Voice {
  readonly rate = RATE;
  readonly seconds: number;
  readonly frames: number;
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly traits: Traits;
  readonly next: () => number;
  /** Which of several events this is, from 0. */
  readonly turn: number;

  constructor(frames: number, traits: Traits, seed: number, turn = 0) {
    this.frames = frames;
    this.seconds = frames / RATE;
    this.left = new Float32Array(frames);
    this.right = new Float32Array(frames);
    this.traits = traits;
    this.next = random(seed);
    this.turn = turn;
  }

  /** Factor on frequencies: an octave down from middle to huge. */
  get tune(): number {
    return this.traits.pitch * exp2(-this.traits.size);
  }

  /** Factor on decays: what is big rings longer. */
  get long(): number {
    return exp2(0.7 * this.traits.size);
  }

  /** Factor on cut-offs. */
  get open(): number {
    return exp2(1.2 * this.traits.bright + 0.8 * (this.traits.intensity - 0.5) - 0.5 * this.traits.size);
  }

  /** A decay that ends within the room there is. */
  fit(t60: number, share = 0.95): number {
    return Math.max(0.004, Math.min(t60, this.seconds * share));
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** `value` times a random factor of up to 2^±octaves. */
  vary(value: number, octaves: number): number {
    return value * exp2((2 * this.next() - 1) * octaves);
  }

  seed(): number {
    return Math.floor(this.next() * 4294967296);
  }

  buffer(seconds = this.seconds): Float32Array {
    return new Float32Array(Math.max(1, Math.min(this.frames, Math.round(seconds * RATE))));
  }

  noise(colour: Colour = "white", seconds = this.seconds): Float32Array {
    const make = colour === "white" ? white : colour === "pink" ? pink : brown;
    const samples = make(this.buffer(seconds), this.seed());
    // What lies under 50 Hz costs level and is heard by nobody.
    return colour === "brown" ? svf(samples, RATE, "high", 55, 0.7) : samples;
  }

  crackle(hertz: number, seconds = this.seconds): Float32Array {
    return crackle(this.buffer(seconds), this.seed(), hertz, RATE);
  }

  curve(corners: readonly Corner[], shape_of: "linear" | "exponential" = "linear"): Control {
    return curve(this.frames, RATE, corners, shape_of);
  }

  /** Straight through corners: seconds, value, seconds, value. */
  line(...numbers: readonly number[]): Control {
    return this.curve(through(...numbers));
  }

  /** The same by equal ratios, as pitch glides and levels fall. */
  glide(...numbers: readonly number[]): Control {
    return this.curve(through(...numbers), "exponential");
  }

  wander(hertz: number, low: number, high: number): Control {
    return wander(this.frames, RATE, this.next, hertz, low, high);
  }

  filter(samples: Float32Array, pass: Pass, cutoff: number | Control, q = Math.SQRT1_2): Float32Array {
    return svf(samples, RATE, pass, cutoff, q);
  }

  osc(
    wave: Wave,
    hertz: number | Control,
    gain: number | Control = 1,
    width = 0.5,
    seconds = this.seconds,
  ): Float32Array {
    return oscillate(this.buffer(seconds), RATE, wave, hertz, gain, this.next(), width);
  }

  fm(
    hertz: number | Control,
    ratio: number,
    index: number | Control,
    gain: number | Control = 1,
    seconds = this.seconds,
  ): Float32Array {
    return modulate(this.buffer(seconds), RATE, hertz, ratio, index, gain);
  }

  shape(samples: Float32Array, gain: Control | readonly Corner[]): Float32Array {
    shape(samples, gain instanceof Float32Array ? gain : curve(samples.length, RATE, gain));
    return samples;
  }

  scale(gain: Control, factor: number | Control): Control {
    return times(gain, factor);
  }

  add(samples: Float32Array, gain = 1, pan = 0, at = 0): void {
    mixIn(this.left, this.right, samples, Math.round(at * RATE), gain, pan);
  }

  /** A texture with width: `make` runs for the middle and for either side, with other chance each time. */
  wide(make: () => Float32Array, gain = 1, width = 0.7): void {
    const middle = make();
    const one = make();
    const other = make();
    const centre = gain * (1 - 0.45 * width);
    const side = gain * width * 0.8;
    const { left, right } = this;
    const frames = Math.min(this.frames, middle.length);
    for (let n = 0; n < frames; n++) {
      const common = centre * middle[n]!;
      left[n] = left[n]! + common + side * one[n]!;
      right[n] = right[n]! + common + side * other[n]!;
    }
  }

  /** Filtered noise that begins at once and dies away. */
  burst({ at = 0, attack = 0.0007, t60, pass = "band", hertz, q = 0.8, gain = 1, pan = 0 }: Burst): void {
    const room = this.seconds - at;
    if (room <= 0.001) return;
    const samples = white(this.buffer(Math.min(room, attack + t60 * 1.2)), this.seed());
    svf(samples, RATE, pass, hertz, q);
    decay(samples, RATE, attack, t60);
    this.add(fade(samples, RATE, 0, Math.min(0.01, t60 / 4)), gain, pan, at);
  }

  tone({ at = 0, attack = 0.002, t60, hertz, to = hertz, glide, wave = "sine", gain = 1, pan = 0 }: Tone): void {
    const room = this.seconds - at;
    if (room <= 0.001) return;
    const samples = this.buffer(Math.min(room, attack + t60 * 1.1));
    const path = curve(
      samples.length,
      RATE,
      [
        [0, hertz],
        [glide ?? samples.length / RATE, to],
      ],
      "exponential",
    );
    oscillate(samples, RATE, wave, path, 1, wave === "triangle" ? 0.25 : 0);
    decay(samples, RATE, attack, t60);
    this.add(fade(samples, RATE, 0, Math.min(0.02, t60 / 4)), gain, pan, at);
  }

  ring(modes: readonly Mode[], at = 0): void {
    ring(this.left, this.right, RATE, Math.round(at * RATE), modes);
  }

  scatter(templates: readonly Float32Array[], how: Scatter): void {
    scatter(this.left, this.right, RATE, this.next, templates, how);
  }

  /** Short sounds of their own, for `scatter`. */
  templates(count: number, seconds: number, make: (voice: Voice) => void): Float32Array[] {
    return Array.from({ length: count }, (_, index) => {
      const voice = new Voice(Math.round(seconds * RATE), this.traits, this.seed(), index);
      make(voice);
      return fade(voice.left, RATE, 0, Math.min(0.005, seconds / 4));
    });
  }
}
