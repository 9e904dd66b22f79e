/** Seeded noise colours. Each fills `out` with a stream of its own: same seed, same samples. */

/** xorshift32 (Marsaglia 2003); 0 is its fixed point. */
function start(seed: number): number {
  return (Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) ^ (seed >>> 15)) | 0 || 1;
}

/** Flat spectrum, uniform in ±1: RMS 0.577. */
export function white(out: Float32Array, seed: number): Float32Array {
  let state = start(seed);
  for (let n = 0; n < out.length; n++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    out[n] = state / 2147483648;
  }
  return out;
}

/** -3 dB an octave: sum of one-poles after P. Kellet's published coefficients (within 0.05 dB from 9 Hz at 44.1 kHz), RMS about 0.3. */
export function pink(out: Float32Array, seed: number): Float32Array {
  let state = start(seed);
  let b0 = 0;
  let b1 = 0;
  let b2 = 0;
  let b3 = 0;
  let b4 = 0;
  let b5 = 0;
  let b6 = 0;
  for (let n = 0; n < out.length; n++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const w = state / 2147483648;
    b0 = 0.99886 * b0 + w * 0.0555179;
    b1 = 0.99332 * b1 + w * 0.0750759;
    b2 = 0.969 * b2 + w * 0.153852;
    b3 = 0.8665 * b3 + w * 0.3104856;
    b4 = 0.55 * b4 + w * 0.5329522;
    b5 = -0.7616 * b5 - w * 0.016898;
    out[n] = (b0 + b1 + b2 + b3 + b4 + b5 + b6 + w * 0.5362) * 0.18;
    b6 = w * 0.115926;
  }
  return out;
}

/** -6 dB an octave above 20 Hz, RMS about 0.3. */
export function brown(out: Float32Array, seed: number): Float32Array {
  let state = start(seed);
  let y = 0;
  for (let n = 0; n < out.length; n++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    y = 0.9972 * y + (state / 2147483648) * 0.04;
    out[n] = y;
  }
  return out;
}

/**
 * Sparse impulses of random height in ±1 and power-law size (few large, many small), `hertz` a second on average: crackle, static, Geiger
 * clicks. Written over `out`.
 */
export function crackle(out: Float32Array, seed: number, hertz: number, rate: number): Float32Array {
  let state = start(seed);
  const chance = hertz / rate;
  for (let n = 0; n < out.length; n++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const u = (state >>> 0) / 4294967296;
    if (u >= chance) out[n] = 0;
    else {
      const size = u / chance;
      const loud = size * size * size;
      out[n] = state & 0x100 ? loud : -loud;
    }
  }
  return out;
}
