/** Sliding statistics over curves with one value a hop; windows are cut off at both ends of the curve. */

/** 0 at `from`, 1 at `to`, straight between; `to` may be the smaller. */
export function ramp(value: number, from: number, to: number): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)));
}

/** Largest value within `reach` hops on either side. */
export function maximumAround(values: Float32Array, reach: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    let most = Number.NEGATIVE_INFINITY;
    const to = Math.min(values.length, at + reach + 1);
    for (let n = Math.max(0, at - reach); n < to; n++) if (values[n]! > most) most = values[n]!;
    out[at] = most;
  }
  return out;
}

/** Mean and standard deviation of `values` within `reach` hops on either side, each hop as much as its weight; 0 where no weight is. */
export function momentsAround(
  values: Float32Array,
  weights: Float32Array,
  reach: number,
): { mean: Float32Array; deviation: Float32Array } {
  const length = values.length;
  const mean = new Float32Array(length);
  const deviation = new Float32Array(length);
  let weight = 0;
  let sum = 0;
  let squares = 0;
  for (let at = -reach; at < length; at++) {
    const entering = at + reach;
    if (entering < length) {
      const w = weights[entering]!;
      const x = values[entering]!;
      weight += w;
      sum += w * x;
      squares += w * x * x;
    }
    const leaving = at - reach - 1;
    if (leaving >= 0) {
      const w = weights[leaving]!;
      const x = values[leaving]!;
      weight -= w;
      sum -= w * x;
      squares -= w * x * x;
    }
    // What is left of nothing after many sums is not taken for something.
    if (at < 0 || weight < 1e-3) continue;
    const m = sum / weight;
    mean[at] = m;
    deviation[at] = Math.sqrt(Math.max(0, squares / weight - m * m));
  }
  return { mean, deviation };
}

/** Hops to the nearest one whose value is above `threshold`. */
export function distanceTo(values: Float32Array, threshold: number): Float32Array {
  const length = values.length;
  const out = new Float32Array(length);
  let last = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < length; at++) {
    if (values[at]! > threshold) last = at;
    out[at] = at - last;
  }
  last = Number.POSITIVE_INFINITY;
  for (let at = length - 1; at >= 0; at--) {
    if (values[at]! > threshold) last = at;
    out[at] = Math.min(out[at]!, last - at);
  }
  return out;
}
