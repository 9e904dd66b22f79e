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
  }

  get frames(): number {
    return this.#frames;
  }

  /** Complete bins so far, and one more where the last is part-filled. */
  get bins(): number {
    return this.#bins + (this.#filled > 0 ? 1 : 0);
  }

  push(channels: readonly Float32Array[], from = 0, to = channels[0]?.length ?? 0): void {
    for (let at = from; at < to; ) {
      const end = Math.min(to, at + this.bin - this.#filled);
      let energy = 0;
      for (const [index, filter] of this.#filters.entries()) {
        energy += (this.#weights?.[index] ?? 1) * filter.energy(channels[index]!, at, end);
      }
      this.#add(energy);
      this.#filled += end - at;
      this.#frames += end - at;
      at = end;
      if (this.#filled === this.bin) {
        this.#bins++;
        this.#filled = 0;
      }
    }
  }

  /**
   * Integrated loudness in LUFS of all that was pushed; -Infinity where no block passes the gates. NaN where a sample was not finite.
   * Less than 400 ms is measured as one block padded with silence.
   *
   * @param power one factor a bin for the energies: what the loudness would be under that gain, squared
   */
  integrated(power?: Float64Array): number {
    const blocks = this.#blocks(power);
    const level = (sum: number, count: number): number => -0.691 + 10 * Math.log10(sum / count);
    const mean = (gate: number): { sum: number; count: number } => {
      let sum = 0;
      let count = 0;
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

  /** Mean square of every gating block. */
  #blocks(power: Float64Array | undefined): Float64Array {
    const per_block = 4 * this.#bins_per_hop;
    const bins = this.bins;
    // A last block that is not full is not counted (BS.1770-4, note to equation 3), unless it is the only one.
    const hops = Math.floor(this.#frames / this.hop);
    const count = Math.max(1, hops - 3);
    const blocks = new Float64Array(count);
    for (let block = 0; block < count; block++) {
      const first = block * this.#bins_per_hop;
      const last = Math.min(bins, first + per_block);
      let sum = 0;
      for (let bin = first; bin < last; bin++) sum += this.#energy[bin]! * (power === undefined ? 1 : power[bin]!);
      blocks[block] = sum / (4 * this.hop);
    }
    return blocks;
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

/** Integrated loudness in LUFS of whole channels; see `LoudnessMeter.integrated`. */
export function integratedLoudness(channels: readonly Float32Array[], sample_rate: number): number {
  const meter = new LoudnessMeter(sample_rate, channels.length);
  meter.push(channels);
  return meter.integrated();
}

/** The two filters of BS.1770-4 annex 1 for one channel, in direct form II transposed. */
class KWeighting {
  readonly #shelf: Biquad;
  readonly #highpass: Biquad;
  readonly #state = new Float64Array(4);

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
      s1 = b1 * x - a1 * y + s2;
      s2 = b2 * x - a2 * y;
      // The high-pass has the numerator 1, -2, 1.
      const z = y + t1;
      t1 = -2 * y - c1 * z + t2;
      t2 = y - c2 * z;
      sum += z * z;
    }
    // A tail of silence would decay into denormal numbers, which are tens of times slower.
    state[0] = Math.abs(s1) < 1e-30 ? 0 : s1;
    state[1] = Math.abs(s2) < 1e-30 ? 0 : s2;
    state[2] = Math.abs(t1) < 1e-30 ? 0 : t1;
    state[3] = Math.abs(t2) < 1e-30 ? 0 : t2;
    return sum;
  }
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
export function shelf(sample_rate: number): Biquad {
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
export function highpass(sample_rate: number): Biquad {
  const f0 = 38.13547087602444;
  const Q = 0.5003270373238773;
  const K = Math.tan((Math.PI * f0) / sample_rate);
  const a0 = 1 + K / Q + K * K;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (K * K - 1)) / a0, a2: (1 - K / Q + K * K) / a0 };
}
