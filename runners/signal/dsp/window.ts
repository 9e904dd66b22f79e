/**
 * Kaiser's window at `x`, -1 to 1 across its support, 0 outside.
 *
 * @param beta shape; `kaiserBeta` gives it for a stopband attenuation
 */
export function kaiser(x: number, beta: number): number {
  return Math.abs(x) > 1 ? 0 : besselI0(beta * Math.sqrt(1 - x * x)) / besselI0(beta);
}

/** Kaiser's empirical shape for a stopband attenuation above 50 dB. Kaiser 1974. */
export function kaiserBeta(attenuation_db: number): number {
  return 0.1102 * (attenuation_db - 8.7);
}

/** Kaiser's empirical number of taps for a transition of `width` in cycles per sample. */
export function kaiserTaps(attenuation_db: number, width: number): number {
  return (attenuation_db - 7.95) / (2.285 * 2 * Math.PI * width);
}

/** Normalised sinc: sin(πx) / (πx). */
export function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Modified Bessel function of the first kind, order 0, by its power series; all terms are positive, so nothing cancels. */
function besselI0(x: number): number {
  const quarter = (x * x) / 4;
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= quarter / (k * k);
    sum += term;
  }
  return sum;
}
