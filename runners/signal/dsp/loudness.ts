import { arena } from "./arena.ts";

/**
 * Programme loudness as ITU-R BS.1770-4 defines it: K-weighting, 400 ms blocks that overlap by 75 %, an absolute gate at -70 LUFS
 * and a relative gate 10 LU below. Each channel has weight 1 (so mono counts once) unless told otherwise.
 */
export class LoudnessMeter {
  /** Frames in 100 ms, the hop of the gating blocks. */
  readonly hop: number;
  /** Frames in one energy bin. */
  readonly bin: number;
  readonly #filters: readonly KWeighting[];
  /** Two channels of weight 1 where the kernels run. */
  readonly #pair: WeightedPair | undefined;
  readonly #weights: readonly number[] | undefined;
  readonly #bins_per_hop: number;
  /** Weighted sum over channels of squared K-weighted samples, one entry a bin. */
  #energy = new Float64Array(4096);
  #bins = 0;
  #frames = 0;
  #filled = 0;

  /**
   * @param weights one a channel, table 4 of the standard: 1.41 for surrounds, 0 for low-frequency effects
   * @param bins_per_hop energies kept for every hop; above 1 the loudness under a slowly moving gain can be foretold (see `integrated`)
   */
  constructor(sample_rate: number, channels: number, bins_per_hop = 1, weights?: readonly number[]) {
    this.bin = Math.round(sample_rate / 10 / bins_per_hop);
    this.hop = this.bin * bins_per_hop;
    this.#bins_per_hop = bins_per_hop;
    this.#weights = weights;
    this.#filters = Array.from({ length: channels }, () => new KWeighting(sample_rate));
    this.#pair = channels === 2 && weights === undefined ? WeightedPair.where(sample_rate) : undefined;
  }

  get frames(): number {
    return this.#frames;
  }

  /** Complete bins so far, and one more where the last is part-filled. */
  get bins(): number {
    return this.#bins + (this.#filled > 0 ? 1 : 0);
  }

  push(channels: readonly Float32Array[], from = 0, to = channels[0]?.length ?? 0): void {
    for (let at = from; at < to; at += STRETCH) this.#push(channels, at, Math.min(to, at + STRETCH));
  }

  #push(channels: readonly Float32Array[], from: number, to: number): void {
    if (this.#pair !== undefined) {
      const sums = this.#pair.energies(channels[0]!, channels[1]!, from, to, this.bin - this.#filled, this.bin);
      for (let at = from, index = 0; at < to; index++) at = this.#count(sums[index]!, at, to);
      return;
    }
    for (let at = from; at < to; ) {
      const end = Math.min(to, at + this.bin - this.#filled);
      at = this.#count(this.#energyOf(channels, at, end), at, to);
    }
  }

  /** Takes the energy of as much of `from` to `to` as the bin has room for; returns where that ends. */
  #count(energy: number, from: number, to: number): number {
    const end = Math.min(to, from + this.bin - this.#filled);
    this.#add(energy);
    this.#filled += end - from;
    this.#frames += end - from;
    if (this.#filled === this.bin) {
      this.#bins++;
      this.#filled = 0;
    }
    return end;
  }

  /**
   * Integrated loudness in LUFS of all that was pushed; -Infinity where no block passes the gates. NaN where a sample was not finite.
   * Less than 400 ms is measured as one block padded with silence.
   *
   * @param power one factor a bin for the energies: what the loudness would be under that gain, squared
   */
  integrated(power?: Float32Array | Float64Array): number {
    return gatedLoudness([this.#blocks(power)]);
  }

  /** Mean square of every gating block, of 400 ms each. */
  blocks(): Float64Array {
    return this.#blocks(undefined);
  }

  /** Weighted energy of each bin so far; good until the next push. */
  get energies(): Float64Array {
    return this.#energy.subarray(0, this.bins);
  }

  /** Weighted mean square of every hop of 100 ms, the K-weighted signal's; the last may be part-filled with silence. */
  hops(): Float64Array {
    const hops = Math.ceil(this.bins / this.#bins_per_hop);
    const energy = new Float64Array(hops);
    for (let bin = 0; bin < this.bins; bin++) energy[Math.floor(bin / this.#bins_per_hop)]! += this.#energy[bin]!;
    return energy.map((sum) => sum / this.hop);
  }

  /** Mean square of every gating block. */
  #blocks(power: Float32Array | Float64Array | undefined): Float64Array {
    const energy = this.#energy;
    const per_hop = this.#bins_per_hop;
    const bins = this.bins;
    const sums = new Float64Array(Math.max(4, Math.ceil(bins / per_hop)));
    for (let hop = 0, bin = 0; bin < bins; hop++) {
      const end = Math.min(bins, bin + per_hop);
      let sum = 0;
      if (power === undefined) for (; bin < end; bin++) sum += energy[bin]!;
      else for (; bin < end; bin++) sum += energy[bin]! * power[bin]!;
      sums[hop] = sum;
    }
    // A last block that is not full is not counted (BS.1770-4, note to equation 3), unless it is the only one.
    const hops = Math.floor(this.#frames / this.hop);
    const blocks = new Float64Array(Math.max(1, hops - 3));
    for (let block = 0; block < blocks.length; block++) {
      blocks[block] = (sums[block]! + sums[block + 1]! + sums[block + 2]! + sums[block + 3]!) / (4 * this.hop);
    }
    return blocks;
  }

  #energyOf(channels: readonly Float32Array[], from: number, to: number): number {
    const [first] = this.#filters;
    if (this.#filters.length === 2 && this.#weights === undefined) {
      return first!.energyOfPair(channels[0]!, channels[1]!, from, to);
    }
    let energy = 0;
    for (const [index, filter] of this.#filters.entries()) {
      energy += (this.#weights?.[index] ?? 1) * filter.energy(channels[index]!, from, to);
    }
    return energy;
  }

  #add(energy: number): void {
    if (this.#bins === this.#energy.length) {
      const grown = new Float64Array(2 * this.#energy.length);
      grown.set(this.#energy);
      this.#energy = grown;
    }
    this.#energy[this.#bins]! += energy;
  }
}

/**
 * Loudness in LUFS of gating blocks, which may be of several programmes: both gates look at all of them, and no block lies across the edge
 * between two. As albums are measured by ReplayGain 2.0 and by libebur128 (`ebur128_loudness_global_multiple`).
 */
export function gatedLoudness(programmes: readonly Float64Array[]): number {
  const level = (sum: number, count: number): number => -0.691 + 10 * Math.log10(sum / count);
  const mean = (gate: number): { sum: number; count: number } => {
    let sum = 0;
    let count = 0;
    for (const blocks of programmes)
      for (const block of blocks) {
        // Written as "not below", so that NaN passes and is seen.
        if (!(block <= gate)) {
          sum += block;
          count++;
        }
      }
    return { sum, count };
  };
  const absolute = mean(10 ** ((-70 + 0.691) / 10));
  if (absolute.count === 0) return Number.NEGATIVE_INFINITY;
  const relative = mean(Math.max(10 ** ((-70 + 0.691) / 10), absolute.sum / absolute.count / 10));
  return level(relative.sum, relative.count);
}

/** Integrated loudness in LUFS of whole channels; see `LoudnessMeter.integrated`. */
export function integratedLoudness(channels: readonly Float32Array[], sample_rate: number): number {
  const meter = new LoudnessMeter(sample_rate, channels.length);
  meter.push(channels);
  return meter.integrated();
}

/** Frames that the kernel is given at once. */
const STRETCH = 8192;

/** Where the kernel finds what it reads and writes, in bytes from the arena's start; coefficients and state come before. */
const LEFT = 160;
const RIGHT = LEFT + 4 * STRETCH;
const ENERGIES = RIGHT + 4 * STRETCH;

/** `KWeighting` for two channels by the kernel `weighPair`, in direct form I: equal to the plain form but for the last digits. */
class WeightedPair {
  readonly #coefficients: Float64Array;
  readonly #state = new Float64Array(12);

  private constructor(sample_rate: number) {
    const { b0, b1, b2, a1, a2 } = shelf(sample_rate);
    const { a1: c1, a2: c2 } = highpass(sample_rate);
    this.#coefficients = Float64Array.of(b0, b1, b2, a1, a2, c1, c2, 0);
  }

  static where(sample_rate: number): WeightedPair | undefined {
    return arena(0) === undefined ? undefined : new WeightedPair(sample_rate);
  }

  /**
   * Sums of squares of both channels over the samples `from` to `to`: of the first `room`, then of every `bin`. Good until the next use
   * of the arena.
   */
  energies(left: Float32Array, right: Float32Array, from: number, to: number, room: number, bin: number): Float64Array {
    const bins = Math.ceil(Math.max(0, to - from - room) / bin) + 1;
    const { kernels, address, floats, doubles } = arena(ENERGIES + 8 * bins)!;
    doubles(0, 8).set(this.#coefficients);
    doubles(64, 12).set(this.#state);
    floats(LEFT, to - from).set(left.subarray(from, to));
    floats(RIGHT, to - from).set(right.subarray(from, to));
    const sums = doubles(ENERGIES, bins).fill(0);
    const at = [address + LEFT, address + RIGHT, address + ENERGIES] as const;
    kernels.weighPair(at[0], at[1], to - from, room, bin, at[2], address, address + 64);
    const state = doubles(64, 12);
    for (let n = 0; n < 12; n++) this.#state[n] = settled(state[n]!);
    return sums;
  }
}

/** The two filters of BS.1770-4 annex 1 for one channel or two, in direct form II transposed. */
class KWeighting {
  readonly #shelf: Biquad;
  readonly #highpass: Biquad;
  /** Two states of either filter for each channel. */
  readonly #state = new Float64Array(8);

  constructor(sample_rate: number) {
    this.#shelf = shelf(sample_rate);
    this.#highpass = highpass(sample_rate);
  }

  /** Filters `from` to `to` and returns the sum of squares of what comes out. */
  energy(samples: Float32Array, from: number, to: number): number {
    const { b0, b1, b2, a1, a2 } = this.#shelf;
    const { a1: c1, a2: c2 } = this.#highpass;
    const state = this.#state;
    let s1 = state[0]!;
    let s2 = state[1]!;
    let t1 = state[2]!;
    let t2 = state[3]!;
    let sum = 0;
    for (let n = from; n < to; n++) {
      const x = samples[n]!;
      const y = b0 * x + s1;
      // What does not wait for y comes first: the recursion's latency is what this loop costs.
      s1 = b1 * x + s2 - a1 * y;
      s2 = b2 * x - a2 * y;
      // The high-pass has the numerator 1, -2, 1.
      const z = y + t1;
      t1 = t2 - 2 * y - c1 * z;
      t2 = y - c2 * z;
      sum += z * z;
    }
    state[0] = settled(s1);
    state[1] = settled(s2);
    state[2] = settled(t1);
    state[3] = settled(t2);
    return sum;
  }

  /** The same for two channels together: each recursion runs in the other's waiting time. */
  energyOfPair(left: Float32Array, right: Float32Array, from: number, to: number): number {
    const { b0, b1, b2, a1, a2 } = this.#shelf;
    const { a1: c1, a2: c2 } = this.#highpass;
    const state = this.#state;
    let s1 = state[0]!;
    let s2 = state[1]!;
    let t1 = state[2]!;
    let t2 = state[3]!;
    let u1 = state[4]!;
    let u2 = state[5]!;
    let v1 = state[6]!;
    let v2 = state[7]!;
    let sum_left = 0;
    let sum_right = 0;
    for (let n = from; n < to; n++) {
      const l = left[n]!;
      const r = right[n]!;
      const y = b0 * l + s1;
      const w = b0 * r + u1;
      s1 = b1 * l + s2 - a1 * y;
      u1 = b1 * r + u2 - a1 * w;
      s2 = b2 * l - a2 * y;
      u2 = b2 * r - a2 * w;
      const z = y + t1;
      const q = w + v1;
      t1 = t2 - 2 * y - c1 * z;
      v1 = v2 - 2 * w - c1 * q;
      t2 = y - c2 * z;
      v2 = w - c2 * q;
      sum_left += z * z;
      sum_right += q * q;
    }
    state[0] = settled(s1);
    state[1] = settled(s2);
    state[2] = settled(t1);
    state[3] = settled(t2);
    state[4] = settled(u1);
    state[5] = settled(u2);
    state[6] = settled(v1);
    state[7] = settled(v2);
    return sum_left + sum_right;
  }
}

/** A tail of silence would decay into denormal numbers, which are tens of times slower. */
function settled(state: number): number {
  return Math.abs(state) < 1e-30 ? 0 : state;
}

interface Biquad {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/**
 * Stage 1 for any rate. The analogue prototype behind the 48 kHz table of BS.1770-4 (f0, G, Q and the exponent of Vb from
 * De Man, "Evaluation of implementations of the EBU R128 loudness measurement", and libebur128).
 */
function shelf(sample_rate: number): Biquad {
  const f0 = 1681.974450955533;
  const G = 3.999843853973347;
  const Q = 0.7071752369554196;
  const K = Math.tan((Math.PI * f0) / sample_rate);
  const Vh = 10 ** (G / 20);
  const Vb = Vh ** 0.4996667741545416;
  const a0 = 1 + K / Q + K * K;
  return {
    b0: (Vh + (Vb * K) / Q + K * K) / a0,
    b1: (2 * (K * K - Vh)) / a0,
    b2: (Vh - (Vb * K) / Q + K * K) / a0,
    a1: (2 * (K * K - 1)) / a0,
    a2: (1 - K / Q + K * K) / a0,
  };
}

/** Stage 2 for any rate: the RLB high-pass of BS.1770-4, whose numerator the standard leaves at 1, -2, 1. */
function highpass(sample_rate: number): Biquad {
  const f0 = 38.13547087602444;
  const Q = 0.5003270373238773;
  const K = Math.tan((Math.PI * f0) / sample_rate);
  const a0 = 1 + K / Q + K * K;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (K * K - 1)) / a0, a2: (1 - K / Q + K * K) / a0 };
}
