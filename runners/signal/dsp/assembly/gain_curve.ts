const constants = memory.data(16, 16);

/**
 * Gains of `count` samples from sample `from` on, by a cubic B-spline through cells of which `step` lie in a sample, to
 * `out` as float64: `GainCurve.fill` of ../limiter.ts, to the last bit. `cells` is the float32 gain of cell `first`, the
 * one before the first sample's own. May write one gain more than `count`. Returns whether any cell was not 1.
 */
export function gainCurve(cells: usize, first: f64, from: f64, count: f64, step: f64, out: usize): bool {
  const to = from + count;
  // What is loaded stays in a register; constants would be made anew at each step on Bun.
  store<f64>(constants, 0.5);
  store<f64>(constants, 2, 8);
  const half = v128.load64_splat(constants);
  const two = v128.load64_splat(constants, 8);
  const pace = f64x2.splat(step);
  const none = f64x2.splat(1);
  const sixth = f64x2.splat(6);
  let moves = false;
  let cell = cellOf(from, step);
  for (let n = from; n < to; ) {
    const end = max(n + 1, min(to, ceil((cell + 1.5) / step - 0.5)));
    const at = cells + ((<usize>(cell - 1 - first)) << 2);
    const last = out + ((<usize>(end - n)) << 3);
    const four = v128.load(at);
    if (i32x4.all_true(f32x4.eq(four, f32x4.splat(1)))) {
      for (; out < last; out += 16) v128.store(out, none);
    } else {
      moves = true;
      const low = f64x2.promote_low_f32x4(four);
      const g0 = f64x2.extract_lane(low, 0);
      const g1 = f64x2.extract_lane(low, 1);
      const high = f64x2.promote_low_f32x4(v128.shuffle<f32>(four, four, 2, 3, 2, 3));
      const g2 = f64x2.extract_lane(high, 0);
      const g3 = f64x2.extract_lane(high, 1);
      const outer = f64x2.div(f64x2(g0 + 4 * g1 + g2, g3 - g0 + 3 * (g1 - g2)), sixth);
      const c0 = v128.shuffle<f64>(outer, outer, 0, 0);
      const c1 = f64x2.splat((g2 - g0) * 0.5);
      const c2 = f64x2.splat((g0 - 2 * g1 + g2) * 0.5);
      const c3 = v128.shuffle<f64>(outer, outer, 1, 1);
      const middle = f64x2.splat(cell);
      let place = f64x2(n + 0.5, n + 1.5);
      for (; out < last; out += 16, place = f64x2.add(place, two)) {
        const t = f64x2.sub(f64x2.sub(f64x2.mul(place, pace), half), middle);
        const inner = f64x2.add(c1, f64x2.mul(t, f64x2.add(c2, f64x2.mul(t, c3))));
        v128.store(out, f64x2.add(c0, f64x2.mul(t, inner)));
      }
    }
    out = last;
    n = end;
    cell += 1;
    // Nearly always so; as a guess it need not be waited for.
    if (cellOf(n, step) !== cell) cell = cellOf(n, step);
  }
  return moves;
}

/** The cell whose piece of the spline sample `n` lies on. */
function cellOf(n: f64, step: f64): f64 {
  return floor((n + 0.5) * step - 0.5);
}
