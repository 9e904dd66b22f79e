/**
 * Halving and doubling the rate by two chains of all-passes whose sum is a half-band low-pass (R. Valenzuela and A.
 * Constantinides 1983): flat to 0.2 of the higher rate, 70 dB down from 0.3 on, four multiplications a pair of samples.
 * Phase is not linear.
 */

/** Elliptic, from their formulas, for two sections in each chain and a transition of a tenth of the rate. */
const A0 = 0.07986642623635751;
const A1 = 0.5453536510711322;
const B0 = 0.28382934487410993;
const B1 = 0.8344118914807379;

export class Halver {
  readonly #state = new Float64Array(6);

  clear(): void {
    this.#state.fill(0);
  }

  /** `count` samples, an even number, to half as many in `out` from its start; may be the same array. */
  run(samples: Float64Array, count: number, out: Float64Array): void {
    const state = this.#state;
    let ax = state[0]!;
    let ay = state[1]!;
    let az = state[2]!;
    let bx = state[3]!;
    let by = state[4]!;
    let bz = state[5]!;
    for (let n = 0, m = 0; n < count; n += 2, m++) {
      // The chain without the extra sample of delay takes the later one of the pair.
      const a = samples[n + 1]!;
      const b = samples[n]!;
      const a1 = ax + A0 * (a - ay);
      const a2 = ay + A1 * (a1 - az);
      ax = a;
      ay = a1;
      az = a2;
      const b1 = bx + B0 * (b - by);
      const b2 = by + B1 * (b1 - bz);
      bx = b;
      by = b1;
      bz = b2;
      out[m] = 0.5 * (a2 + b2);
    }
    state[0] = ax;
    state[1] = ay;
    state[2] = az;
    state[3] = bx;
    state[4] = by;
    state[5] = bz;
  }
}

export class Doubler {
  readonly #state = new Float64Array(6);

  clear(): void {
    this.#state.fill(0);
  }

  /** `count` samples to twice as many in `out`, another array, from its start. */
  run(samples: Float64Array, count: number, out: Float64Array): void {
    const state = this.#state;
    let ax = state[0]!;
    let ay = state[1]!;
    let az = state[2]!;
    let bx = state[3]!;
    let by = state[4]!;
    let bz = state[5]!;
    for (let m = 0, n = 0; m < count; m++, n += 2) {
      const x = samples[m]!;
      const a1 = ax + A0 * (x - ay);
      const a2 = ay + A1 * (a1 - az);
      ax = x;
      ay = a1;
      az = a2;
      const b1 = bx + B0 * (x - by);
      const b2 = by + B1 * (b1 - bz);
      bx = x;
      by = b1;
      bz = b2;
      out[n] = a2;
      out[n + 1] = b2;
    }
    state[0] = ax;
    state[1] = ay;
    state[2] = az;
    state[3] = bx;
    state[4] = by;
    state[5] = bz;
  }
}
