/**
 * `HannMean.of` of ../hann.ts, to the last bit: means of float32 values over a window that reaches `reach` places to
 * either side. `padded` begins with the window of the first mean, `weights` are `reach + 1` float64 from the middle on.
 * Reads and writes up to three values more.
 */
export function hannMean(padded: usize, count: i32, reach: i32, weights: usize, out: usize): void {
  const far = (<usize>reach) << 2;
  const end = padded + ((<usize>count) << 2);
  // Where the last value that is not 0 may lie.
  let active = padded;
  for (let at = padded; at < padded + 2 * far; at += 4) if (load<f32>(at) !== 0) active = at + 4;
  for (let at = padded; at < end; at += 16, out += 16) {
    if (v128.any_true(f32x4.ne(v128.load(at + 2 * far), f32x4.splat(0)))) active = at + 2 * far + 16;
    if (active <= at) {
      v128.store(out, f32x4.splat(0));
      continue;
    }
    const middle = at + far;
    const most = v128.load64_splat(weights);
    let low = f64x2.mul(most, two(middle));
    let high = f64x2.mul(most, two(middle + 8));
    for (let k: usize = 4; k <= far; k += 4) {
      const weight = v128.load64_splat(weights + 2 * k);
      low = f64x2.add(low, f64x2.mul(weight, f64x2.add(two(middle - k), two(middle + k))));
      high = f64x2.add(high, f64x2.mul(weight, f64x2.add(two(middle - k + 8), two(middle + k + 8))));
    }
    v128.store64_lane(out, f32x4.demote_f64x2_zero(low), 0);
    v128.store64_lane(out, f32x4.demote_f64x2_zero(high), 0, 8);
  }
}

/** Two float32 values as float64. */
function two(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}
