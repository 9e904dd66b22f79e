/**
 * A reverberator for sends: pre-delay, early reflections, four diffusing all-passes a side (Schroeder 1961), then eight lines that feed one
 * another through a Hadamard matrix (Jot and Chaigne 1991), each with an all-pass inside for density, a one-pole for walls that swallow
 * treble, and, where wanted, a length that sways so that no mode rings. Two channels in, two out, no dry sound; its impulse response
 * has energy 1 a channel, whatever its length. By the kernel of ./assembly/hall.ts where it runs, else in plain form,
 * with the same samples.
 */
import { cosine, exp2 } from "./exact.ts";
import { HallKernel, HOLD } from "./hall_kernel.ts";

export interface HallShape {
  /** Seconds to fall by 60 dB in the middle of the spectrum. */
  readonly t60: number;
  /** Factor on the lines: 0.4 a small room, 1 a plate, 1.6 a hall. */
  readonly size: number;
  /** Hz above which the tail falls faster. */
  readonly damping: number;
  /** Seconds. */
  readonly predelay: number;
  /** Share of early reflections, 0 to 1. */
  readonly early: number;
  /** 0 leaves the lines' lengths alone; 1 sways them by 0.35 ms. */
  readonly sway: number;
}

/** Seconds at size 1: mutually prime at 44.1 kHz, spread evenly in the logarithm. */
const LINES = [1187, 1361, 1559, 1789, 2053, 2357, 2699, 3089] as const;
/** All-passes inside the lines. */
const INNER = [241, 283, 331, 383, 443, 509, 587, 677] as const;
const DIFFUSE_LEFT = [142, 107, 379, 277] as const;
const DIFFUSE_RIGHT = [151, 113, 397, 263] as const;
/** Early reflections at size 1, seconds. */
const EARLY_LEFT = [0.0043, 0.0109, 0.0187, 0.0271, 0.0389, 0.0533] as const;
const EARLY_RIGHT = [0.0057, 0.0093, 0.0211, 0.0307, 0.0353, 0.0587] as const;
const DIFFUSION = 0.62;
const INNER_GAIN = 0.5;
const SWAY_S = 0.00035;
/** Keeps decaying tails out of the slow range of numbers near zero; the high-pass of the returns takes it away. */
const FLOOR = 1e-18;

export class Hall {
  readonly #rate: number;
  readonly #lengths: Int32Array;
  readonly #inner: Int32Array;
  readonly #mask: number;
  readonly #size: number;
  readonly #lines: Float64Array;
  readonly #allpasses: Float64Array;
  readonly #diffusers: Float64Array;
  readonly #diffuse: Int32Array;
  readonly #past: Float64Array;
  readonly #past_mask: number;
  readonly #taps: Int32Array;
  readonly #gains: Float64Array;
  readonly #damped = new Float64Array(8);
  readonly #through: number;
  readonly #predelay: number;
  readonly #early: number;
  readonly #sway: number;
  readonly #scale: number;
  readonly #kernel: HallKernel | undefined;
  readonly #outputs = Array.from({ length: 8 }, () => new Float64Array(HOLD));
  readonly #a = new Float64Array(HOLD);
  readonly #b = new Float64Array(HOLD);
  readonly #early_left = new Float64Array(HOLD);
  readonly #early_right = new Float64Array(HOLD);
  #frame = 0;

  constructor(rate: number, shape: HallShape) {
    this.#rate = rate;
    const unit = (shape.size * rate) / 44_100;
    this.#lengths = Int32Array.from(LINES, (length) => Math.max(HOLD + 2, Math.round(length * unit)));
    this.#inner = Int32Array.from(INNER, (length) => Math.max(3, Math.round(length * unit)));
    this.#sway = shape.sway * SWAY_S * rate;
    const longest = this.#lengths[7]! + Math.ceil(2 * this.#sway) + 4 + HOLD;
    this.#size = spanOf(longest);
    this.#mask = this.#size - 1;
    this.#diffuse = Int32Array.from([...DIFFUSE_LEFT, ...DIFFUSE_RIGHT], (length) =>
      Math.max(3, Math.round((length * rate) / 44_100)),
    );
    this.#diffusers = new Float64Array(8 * 512);
    this.#predelay = Math.max(1, Math.round(shape.predelay * rate));
    this.#taps = Int32Array.from(
      [...EARLY_LEFT, ...EARLY_RIGHT],
      (s) => this.#predelay + Math.round(s * rate * shape.size),
    );
    const span = spanOf(this.#predelay + 0.06 * rate * shape.size + 8 + HOLD);
    this.#past = new Float64Array(2 * span);
    this.#past_mask = span - 1;
    this.#gains = Float64Array.from(
      this.#lengths,
      (length, n) =>
        // The all-pass inside delays by about its own length, which lengthens the way round.
        exp2((-9.965784284662087 * (length + this.#inner[n]!)) / (rate * shape.t60)) * Math.SQRT1_2 * 0.5,
    );
    // One-pole with its corner at `damping`.
    this.#through = 1 - exp2((-9.064720283654388 * Math.min(shape.damping, 0.45 * rate)) / rate);
    this.#early = shape.early;
    this.#kernel = HallKernel.create({
      lengths: this.#lengths,
      inner: this.#inner,
      diffuse: this.#diffuse,
      taps: this.#taps,
      gains: this.#gains,
      predelay: this.#predelay,
      size: this.#size,
      span,
      through: this.#through,
      early: this.#early,
    });
    const plain = this.#kernel === undefined ? 1 : 0;
    this.#lines = new Float64Array(plain * 8 * this.#size);
    this.#allpasses = new Float64Array(plain * 8 * this.#size);
    this.#scale = 1;
    this.#scale = this.#unity(shape.t60);
  }

  /** Frames after which a tail is 100 dB down. */
  static settles(rate: number, shape: HallShape): number {
    return Math.ceil(rate * (shape.t60 * 1.67 + shape.predelay + 0.3));
  }

  clear(): void {
    this.#lines.fill(0);
    this.#allpasses.fill(0);
    this.#diffusers.fill(0);
    this.#past.fill(0);
    this.#damped.fill(0);
    this.#frame = 0;
    this.#kernel?.clear();
  }

  /** 1 / the root of the energy of an impulse's answer in one channel, heard for two thirds of its length. */
  #unity(t60: number): number {
    const count = 1024;
    const left = new Float64Array(count);
    const right = new Float64Array(count);
    let energy = 0;
    left[0] = 1;
    for (let from = 0; from < this.#rate * Math.min(4, 0.67 * t60 + 0.2); from += count) {
      this.run(left, right, count);
      for (let n = 0; n < count; n++) energy += left[n]! * left[n]! + right[n]! * right[n]!;
      left.fill(0);
      right.fill(0);
    }
    this.clear();
    return energy > 0 ? Math.SQRT1_2 / Math.sqrt(energy / 2) : 1;
  }

  /** In place. */
  run(left: Float64Array, right: Float64Array, count: number): void {
    if (this.#kernel !== undefined) {
      this.#kernel.run(left, right, count, this.#frame, this.#scale, (which, frame) => this.#offset(which, frame));
      this.#frame += count;
      return;
    }
    for (let at = 0; at < count; at += HOLD) this.#stretch(left, right, at, Math.min(count, at + HOLD));
  }

  /** At most HOLD frames: fewer than any line is long, so each line is read for all of them before any is written. */
  #stretch(left: Float64Array, right: Float64Array, from: number, to: number): void {
    const count = to - from;
    const frame = this.#frame;
    const size = this.#size;
    const mask = this.#mask;
    const past_mask = this.#past_mask;
    const span = past_mask + 1;
    const past = this.#past;
    const a = this.#a;
    const b = this.#b;
    const early_left = this.#early_left;
    const early_right = this.#early_right;
    for (let n = 0; n < count; n++) {
      const place = (frame + n) & past_mask;
      past[place] = left[from + n]!;
      past[span + place] = right[from + n]!;
    }
    reflections(past, 0, past_mask, frame, this.#taps, 0, count, this.#early, early_left);
    reflections(past, span, past_mask, frame, this.#taps, 6, count, this.#early, early_right);
    const first = frame - this.#predelay;
    for (let n = 0; n < count; n++) {
      a[n] = past[(first + n) & past_mask]! + FLOOR;
      b[n] = past[span + ((first + n) & past_mask)]! + FLOOR;
    }
    for (let stage = 0; stage < 4; stage++) {
      diffuse(a, count, this.#diffusers, stage << 9, frame, this.#diffuse[stage]!);
      diffuse(b, count, this.#diffusers, (stage + 4) << 9, frame, this.#diffuse[stage + 4]!);
    }
    for (let line = 0; line < 8; line++) {
      const row = line * size;
      const out = this.#outputs[line]!;
      const length = this.#lengths[line]!;
      if (this.#sway > 0 && line % 2 === 0) {
        const start = length + this.#offset(line / 2, frame);
        const slope = (length + this.#offset(line / 2, frame + HOLD) - start) / HOLD;
        swayed(this.#lines, row, mask, frame, start, slope, count, out);
      } else {
        straight(this.#lines, row, mask, frame - length, count, out);
      }
      this.#damped[line] = inside(
        out,
        count,
        this.#allpasses,
        row,
        mask,
        frame,
        this.#inner[line]!,
        this.#through,
        this.#gains[line]!,
        this.#damped[line]!,
      );
    }
    exchange(this.#lines, size, mask, frame, count, this.#outputs, a, b);
    const scale = this.#scale;
    const [o0, o1, o2, o3, o4, o5, o6, o7] = this.#outputs;
    sum(left, from, count, scale, early_left, o0!, o2!, o4!, o6!, -1, 1);
    sum(right, from, count, scale, early_right, o1!, o3!, o5!, o7!, 1, -1);
    this.#frame = frame + count;
  }

  /** How far line 2 · `which` is longer than written, in frames: 0 to twice the depth. */
  #offset(which: number, frame: number): number {
    if (this.#sway === 0) return 0;
    const hertz = 0.31 + 0.17 * which;
    return this.#sway * (1 - cosine((frame * hertz) / this.#rate + 0.25 * which));
  }
}

/** The next power of two, as an integer: an index that is kept as a floating-point number costs several times. */
function spanOf(least: number): number {
  let span = 64;
  while (span < least) span <<= 1;
  return span;
}

function reflections(
  past: Float64Array,
  row: number,
  mask: number,
  frame: number,
  taps: Int32Array,
  which: number,
  count: number,
  level: number,
  out: Float64Array,
): void {
  const t0 = frame - taps[which]!;
  const t1 = frame - taps[which + 1]!;
  const t2 = frame - taps[which + 2]!;
  const t3 = frame - taps[which + 3]!;
  const t4 = frame - taps[which + 4]!;
  const t5 = frame - taps[which + 5]!;
  for (let n = 0; n < count; n++) {
    const near = 0.62 * past[row + ((t0 + n) & mask)]! - 0.51 * past[row + ((t1 + n) & mask)]!;
    const middle = 0.44 * past[row + ((t2 + n) & mask)]! + 0.37 * past[row + ((t3 + n) & mask)]!;
    const far = 0.23 * past[row + ((t5 + n) & mask)]! - 0.3 * past[row + ((t4 + n) & mask)]!;
    out[n] = level * (near + middle + far);
  }
}

function diffuse(
  samples: Float64Array,
  count: number,
  lines: Float64Array,
  row: number,
  frame: number,
  length: number,
): void {
  for (let n = 0; n < count; n++) {
    const at = frame + n;
    const x = lines[row + ((at - length) & 511)]!;
    const u = samples[n]! - DIFFUSION * x;
    lines[row + (at & 511)] = u;
    samples[n] = x + DIFFUSION * u;
  }
}

function straight(
  lines: Float64Array,
  row: number,
  mask: number,
  first: number,
  count: number,
  out: Float64Array,
): void {
  for (let n = 0; n < count; n++) out[n] = lines[row + ((first + n) & mask)]!;
}

function swayed(
  lines: Float64Array,
  row: number,
  mask: number,
  frame: number,
  start: number,
  slope: number,
  count: number,
  out: Float64Array,
): void {
  for (let n = 0; n < count; n++) {
    const back = start + slope * n;
    const whole = Math.floor(back);
    const near = lines[row + ((frame + n - whole) & mask)]!;
    const far = lines[row + ((frame + n - whole - 1) & mask)]!;
    out[n] = near + (back - whole) * (far - near);
  }
}

/** The all-pass within a line, its damping and its gain, in place; returns the damping's state. */
function inside(
  samples: Float64Array,
  count: number,
  allpasses: Float64Array,
  row: number,
  mask: number,
  frame: number,
  length: number,
  through: number,
  gain: number,
  before: number,
): number {
  let state = before;
  for (let n = 0; n < count; n++) {
    const at = frame + n;
    const x = allpasses[row + ((at - length) & mask)]!;
    const u = samples[n]! - INNER_GAIN * x;
    allpasses[row + (at & mask)] = u;
    state += through * (x + INNER_GAIN * u - state);
    samples[n] = state * gain;
  }
  return state;
}

/** Every line's end into every line's beginning, by a Hadamard matrix, with what comes in. */
function exchange(
  lines: Float64Array,
  size: number,
  mask: number,
  frame: number,
  count: number,
  outputs: readonly Float64Array[],
  left: Float64Array,
  right: Float64Array,
): void {
  const o0 = outputs[0]!;
  const o1 = outputs[1]!;
  const o2 = outputs[2]!;
  const o3 = outputs[3]!;
  const o4 = outputs[4]!;
  const o5 = outputs[5]!;
  const o6 = outputs[6]!;
  const o7 = outputs[7]!;
  for (let n = 0; n < count; n++) {
    const here = (frame + n) & mask;
    const a = left[n]!;
    const b = right[n]!;
    const a0 = o0[n]! + o1[n]!;
    const a1 = o0[n]! - o1[n]!;
    const a2 = o2[n]! + o3[n]!;
    const a3 = o2[n]! - o3[n]!;
    const a4 = o4[n]! + o5[n]!;
    const a5 = o4[n]! - o5[n]!;
    const a6 = o6[n]! + o7[n]!;
    const a7 = o6[n]! - o7[n]!;
    const b0 = a0 + a2;
    const b1 = a1 + a3;
    const b2 = a0 - a2;
    const b3 = a1 - a3;
    const b4 = a4 + a6;
    const b5 = a5 + a7;
    const b6 = a4 - a6;
    const b7 = a5 - a7;
    lines[here] = b0 + b4 + a;
    lines[size + here] = b1 + b5 + b;
    lines[2 * size + here] = b2 + b6 + a;
    lines[3 * size + here] = b3 + b7 - b;
    lines[4 * size + here] = b0 - b4 - a;
    lines[5 * size + here] = b1 - b5 + b;
    lines[6 * size + here] = b2 - b6 + a;
    lines[7 * size + here] = b3 - b7 + b;
  }
}

function sum(
  out: Float64Array,
  from: number,
  count: number,
  scale: number,
  early: Float64Array,
  one: Float64Array,
  two: Float64Array,
  three: Float64Array,
  four: Float64Array,
  sign_two: number,
  sign_three: number,
): void {
  for (let n = 0; n < count; n++) {
    out[from + n] = scale * (early[n]! + one[n]! + sign_two * two[n]! + sign_three * three[n]! + four[n]!);
  }
}
