/**
 * Spectra of sources from the mix's spectrum and estimates of their magnitudes. Planes are left real, left imaginary, right real, right
 * imaginary, each of bins × frames values, frame innermost; magnitudes are of the left and the right channel.
 */

/** Open-Unmix's figures: what is added where something is divided by a model's energy, and how far above 1 the mix may be beside it. */
const EPSILON = 1e-10;
const SCALE = 10;

/** Spectra to write to, one for each source; used anew for every block, for they are large. */
export type Spectra = readonly Float32Array[];

export function spectraOf(sources: number, plane: number): Spectra {
  return Array.from({ length: sources }, () => new Float32Array(4 * plane));
}

/** Each source gets its share of the estimates' sum, with the mix's phase: the sources sum to the mix wherever anything was estimated. */
export function ratioMasks(
  mix: Float32Array,
  estimates: readonly Float32Array[],
  plane: number,
  spectra: Spectra,
): Spectra {
  const sum = new Float32Array(2 * plane).fill(EPSILON);
  for (const estimate of estimates) for (let n = 0; n < sum.length; n++) sum[n] = sum[n]! + Math.max(0, estimate[n]!);
  for (const [j, estimate] of estimates.entries()) {
    const out = spectra[j]!;
    for (let n = 0; n < plane; n++) {
      const left = Math.max(0, estimate[n]!) / sum[n]!;
      const right = Math.max(0, estimate[plane + n]!) / sum[plane + n]!;
      out[n] = mix[n]! * left;
      out[plane + n] = mix[plane + n]! * left;
      out[2 * plane + n] = mix[2 * plane + n]! * right;
      out[3 * plane + n] = mix[3 * plane + n]! * right;
    }
  }
  return spectra;
}

/** Each source gets its estimate with the mix's phase, whatever their sum. */
export function underMixPhase(
  mix: Float32Array,
  estimates: readonly Float32Array[],
  plane: number,
  spectra: Spectra,
): Spectra {
  for (const [j, estimate] of estimates.entries()) {
    const out = spectra[j]!;
    for (let channel = 0; channel < 2; channel++) {
      const at = 2 * channel * plane;
      for (let n = 0; n < plane; n++) {
        const real = mix[at + n]!;
        const imaginary = mix[at + plane + n]!;
        const magnitude = Math.sqrt(real * real + imaginary * imaginary);
        const wanted = estimate[channel * plane + n]!;
        // Silence has the phase 0.
        out[at + n] = magnitude > 0 ? (real / magnitude) * wanted : wanted;
        out[at + plane + n] = magnitude > 0 ? (imaginary / magnitude) * wanted : 0;
      }
    }
  }
  return spectra;
}

/** What the first `count` sources leave of the mix, as the source behind them. */
export function addResidual(mix: Float32Array, spectra: Spectra, count: number): void {
  const rest = spectra[count]!;
  rest.set(mix);
  for (const source of spectra.slice(0, count)) for (let n = 0; n < rest.length; n++) rest[n] = rest[n]! - source[n]!;
}

/**
 * Multichannel Wiener filter whose powers and spatial covariances are estimated in turn: Duong, Vincent, Gribonval, "Under-determined
 * reverberant audio source separation using a full-rank spatial covariance model", 2010, as Open-Unmix has it. Begins with the sources in `spectra`.
 *
 * `spectra` and `others` are written to; one of them is the result. For source j, with v its power (mean over channels) and R = Σ_t y yᴴ / Σ_t v for each bin: y = v R (Σ v R)⁻¹ x.
 */
export function wienerRounds(
  mix: Float32Array,
  bins: number,
  frames: number,
  rounds: number,
  spectra: Spectra,
  others: Spectra,
): Spectra {
  const plane = bins * frames;
  let sources = spectra;
  let next = others;
  if (rounds === 0) return sources;
  // The package divides the mix by this and multiplies by it afterwards, so that its constants are relative to the loudest bin.
  const square = Math.max(1, largestOf(mix, plane) / SCALE) ** 2;
  const little = { weight: EPSILON * square, covariance: Math.sqrt(EPSILON) * square };
  for (let round = 0; round < rounds; round++) {
    const powers = sources.map(() => new Float64Array(frames));
    /** R of each source: left, right, and the real and imaginary part of left × conjugate right. */
    const covariances = sources.map(() => new Float64Array(4));
    for (let bin = 0; bin < bins; bin++) {
      for (const [j, source] of sources.entries())
        statistics(source, bin * frames, frames, plane, powers[j]!, covariances[j]!, little.weight);
      for (let t = 0; t < frames; t++)
        filter(mix, bin * frames + t, t, plane, powers, covariances, little.covariance, next);
    }
    [sources, next] = [next, sources];
  }
  return sources;
}

/** Largest magnitude of either channel. */
function largestOf(mix: Float32Array, plane: number): number {
  let most = 0;
  for (let at = 0; at < 4 * plane; at += 2 * plane) {
    for (let n = 0; n < plane; n++) most = Math.max(most, mix[at + n]! ** 2 + mix[at + plane + n]! ** 2);
  }
  return Math.sqrt(most);
}

function statistics(
  source: Float32Array,
  at: number,
  frames: number,
  plane: number,
  power: Float64Array,
  covariance: Float64Array,
  little: number,
): void {
  let total = little;
  let left = 0;
  let right = 0;
  let real = 0;
  let imaginary = 0;
  for (let t = 0; t < frames; t++) {
    const lr = source[at + t]!;
    const li = source[at + plane + t]!;
    const rr = source[at + 2 * plane + t]!;
    const ri = source[at + 3 * plane + t]!;
    const l = lr * lr + li * li;
    const r = rr * rr + ri * ri;
    power[t] = (l + r) / 2;
    total += (l + r) / 2;
    left += l;
    right += r;
    real += lr * rr + li * ri;
    imaginary += li * rr - lr * ri;
  }
  covariance[0] = left / total;
  covariance[1] = right / total;
  covariance[2] = real / total;
  covariance[3] = imaginary / total;
}

/** y = v R (Σ v R)⁻¹ x at one bin and frame, for every source. */
function filter(
  mix: Float32Array,
  at: number,
  t: number,
  plane: number,
  powers: readonly Float64Array[],
  covariances: readonly Float64Array[],
  little: number,
  to: readonly Float32Array[],
): void {
  let a = 0;
  let d = 0;
  let b_real = 0;
  let b_imaginary = 0;
  for (let j = 0; j < powers.length; j++) {
    const v = powers[j]![t]!;
    const covariance = covariances[j]!;
    a += v * covariance[0]!;
    d += v * covariance[1]!;
    b_real += v * covariance[2]!;
    b_imaginary += v * covariance[3]!;
  }
  // Equal channels have a singular sum, which a little of the identity makes invertible. What lies below it is kept out of the sources.
  a += little;
  d += little;
  const determinant = a * d - b_real * b_real - b_imaginary * b_imaginary;
  const lr = mix[at]!;
  const li = mix[at + plane]!;
  const rr = mix[at + 2 * plane]!;
  const ri = mix[at + 3 * plane]!;
  // z = (Σ v R)⁻¹ x, the sum being [[a, b], [b*, d]].
  const zl_real = (d * lr - (b_real * rr - b_imaginary * ri)) / determinant;
  const zl_imaginary = (d * li - (b_real * ri + b_imaginary * rr)) / determinant;
  const zr_real = (a * rr - (b_real * lr + b_imaginary * li)) / determinant;
  const zr_imaginary = (a * ri - (b_real * li - b_imaginary * lr)) / determinant;
  for (let j = 0; j < powers.length; j++) {
    const v = powers[j]![t]!;
    const covariance = covariances[j]!;
    const c_real = covariance[2]!;
    const c_imaginary = covariance[3]!;
    const out = to[j]!;
    out[at] = v * (covariance[0]! * zl_real + c_real * zr_real - c_imaginary * zr_imaginary);
    out[at + plane] = v * (covariance[0]! * zl_imaginary + c_real * zr_imaginary + c_imaginary * zr_real);
    out[at + 2 * plane] = v * (covariance[1]! * zr_real + c_real * zl_real + c_imaginary * zl_imaginary);
    out[at + 3 * plane] = v * (covariance[1]! * zr_imaginary + c_real * zl_imaginary - c_imaginary * zl_real);
  }
}
