/**
 * The logarithm to base 2 in single precision, the same on every engine: right to 3 · 10^-6. At most -126 below the smallest normal value.
 *
 * @param x not negative
 */
export function log2(x: number): number {
  VALUE[0] = x;
  const bits = BITS[0]!;
  BITS[0] = (bits & 0x7fffff) | 0x3f800000;
  const part = Math.fround(VALUE[0]! - 1);
  let sum = SERIES[0]!;
  for (let k = 1; k < SERIES.length; k++) sum = Math.fround(SERIES[k]! + Math.fround(part * sum));
  const bend = Math.fround(Math.fround(part * Math.fround(1 - part)) * sum);
  return Math.fround((bits >>> 23) - 127 + Math.fround(part + bend));
}

const VALUE = new Float32Array(1);
const BITS = new Int32Array(VALUE.buffer);
/** log2(1 + p) = p + p · (1 - p) · Σ of these, the highest power first. */
const SERIES = [0.0258412654, -0.0959560841, 0.181948624, -0.275600244, 0.442544938].map(Math.fround);
