/** 1.5 * 2^52: adding it leaves no bits below 1. Not `nearest`, which gives zeros a sign that the plain form does not. */
const ROUNDER: f64 = 6_755_399_441_055_744;

/**
 * `count` float32 samples times `factor` (and times a float64 gain each, where `gains` is not 0), rounded to whole numbers between `-full`
 * and `full - 1`, over `full`, to `out` as float32. May write up to three samples more than `count`.
 */
export function render(samples: usize, gains: usize, count: i32, factor: f64, full: f64, out: usize): void {
  const scale = f64x2.splat(factor);
  const unit = f64x2.splat(1.0 / full);
  const lowest = f64x2.splat(-full);
  const rounder = f64x2.splat(ROUNDER);
  const highest = f64x2.splat(full - 1.0);
  for (let n = 0; n < count; n += 4) {
    const at = samples + ((<usize>n) << 2);
    // By twos: shuffles cost several instructions each on Bun.
    let low = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(at)), scale);
    let high = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(at, 8)), scale);
    if (gains !== 0) {
      const gain = gains + ((<usize>n) << 3);
      low = f64x2.mul(low, v128.load(gain));
      high = f64x2.mul(high, v128.load(gain, 16));
    }
    low = f64x2.pmax(f64x2.pmin(f64x2.sub(f64x2.add(low, rounder), rounder), highest), lowest);
    high = f64x2.pmax(f64x2.pmin(f64x2.sub(f64x2.add(high, rounder), rounder), highest), lowest);
    const to = out + ((<usize>n) << 2);
    v128.store64_lane(to, f32x4.demote_f64x2_zero(f64x2.mul(low, unit)), 0);
    v128.store64_lane(to, f32x4.demote_f64x2_zero(f64x2.mul(high, unit)), 0, 8);
  }
}
