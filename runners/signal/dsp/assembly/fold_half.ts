/**
 * Half the rate of left plus right, by a symmetric half-band filter that sums in float64.
 *
 * `left` and `right` hold 2 · `count` + 4 · `taps_count` float32 samples, of which the first and the last 2 · `taps_count` are margin; `taps` has `taps_count`
 * float64 weights, an even number, the k-th for the samples 2k + 1 away from the middle on either side, whose own weight is 0.25. `room` takes as many
 * float32 values as `left`. `out` takes `count` float32 values, a multiple of 4.
 */
export function foldHalf(
  left: usize,
  right: usize,
  count: i32,
  taps: usize,
  taps_count: i32,
  room: usize,
  out: usize,
): void {
  const pairs = count + 2 * taps_count;
  const even = room;
  const odd = room + ((<usize>pairs) << 2);
  for (let n: usize = 0, end = (<usize>pairs) << 2; n < end; n += 16) {
    const near = f32x4.add(v128.load(left + 2 * n), v128.load(right + 2 * n));
    const next = f32x4.add(v128.load(left + 2 * n + 16), v128.load(right + 2 * n + 16));
    v128.store(even + n, v128.shuffle<f32>(near, next, 0, 2, 4, 6));
    v128.store(odd + n, v128.shuffle<f32>(near, next, 1, 3, 5, 7));
  }
  const quarter = f64x2.splat(0.25);
  const end = taps + ((<usize>taps_count) << 3);
  for (let n: usize = 0, bytes = (<usize>count) << 2; n < bytes; n += 16) {
    const at = n + ((<usize>taps_count) << 2);
    const middle = v128.load(even + at);
    // Two sums, so that one addition need not wait for the other.
    let near_low = f64x2.mul(quarter, f64x2.promote_low_f32x4(middle));
    let near_high = f64x2.mul(quarter, f64x2.promote_low_f32x4(upper(middle)));
    let far_low = f64x2.splat(0);
    let far_high = f64x2.splat(0);
    let before = odd + at - 4;
    let after = odd + at;
    for (let tap = taps; tap < end; tap += 16) {
      const one = v128.load64_splat(tap);
      const other = v128.load64_splat(tap + 8);
      const a = v128.load(before);
      const b = v128.load(after);
      const c = v128.load(before - 4);
      const d = v128.load(after + 4);
      near_low = f64x2.add(near_low, f64x2.mul(one, sum(a, b)));
      near_high = f64x2.add(near_high, f64x2.mul(one, sum(upper(a), upper(b))));
      far_low = f64x2.add(far_low, f64x2.mul(other, sum(c, d)));
      far_high = f64x2.add(far_high, f64x2.mul(other, sum(upper(c), upper(d))));
      before -= 8;
      after += 8;
    }
    const low = f32x4.demote_f64x2_zero(f64x2.add(near_low, far_low));
    const high = f32x4.demote_f64x2_zero(f64x2.add(near_high, far_high));
    v128.store(out + n, v128.shuffle<f32>(low, high, 0, 1, 4, 5));
  }
}

function upper(x: v128): v128 {
  return v128.shuffle<f32>(x, x, 2, 3, 2, 3);
}

/** Of the lower two lanes, as float64. */
function sum(a: v128, b: v128): v128 {
  return f64x2.add(f64x2.promote_low_f32x4(a), f64x2.promote_low_f32x4(b));
}
