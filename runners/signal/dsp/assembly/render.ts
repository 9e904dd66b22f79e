/** 1.5 * 2^52: adding it leaves no bits below 1. Not `nearest`, which gives zeros a sign that the plain form does not. */
const ROUNDER: f64 = 6_755_399_441_055_744;

/**
 * `count` float32 samples times `factor` (and times a float64 gain each, where `gains` is not 0), rounded to whole numbers between `-full`
 * and `full - 1`, over `full`, to `out` as float32. May write up to five samples more than `count`.
 */
export function render(samples: usize, gains: usize, count: i32, factor: f64, full: f64, out: usize): void {
  const scale = f64x2.splat(factor);
  const unit = f64x2.splat(1.0 / full);
  const lowest = f64x2.splat(-full);
  const rounder = f64x2.splat(ROUNDER);
  const highest = f64x2.splat(full - 1.0);
  const end = samples + ((<usize>count) << 2);
  for (; samples < end; samples += 16, out += 16) {
    const four = v128.load(samples);
    let low = f64x2.mul(f64x2.promote_low_f32x4(four), scale);
    let high = f64x2.mul(f64x2.promote_low_f32x4(v128.shuffle<f32>(four, four, 2, 3, 2, 3)), scale);
    if (gains !== 0) {
      low = f64x2.mul(low, v128.load(gains));
      high = f64x2.mul(high, v128.load(gains, 16));
      gains += 32;
    }
    low = f64x2.pmax(f64x2.pmin(f64x2.sub(f64x2.add(low, rounder), rounder), highest), lowest);
    high = f64x2.pmax(f64x2.pmin(f64x2.sub(f64x2.add(high, rounder), rounder), highest), lowest);
    // A lane would go by a register of whole numbers. The upper half of a store is overwritten by what follows.
    v128.store(out, f32x4.demote_f64x2_zero(f64x2.mul(low, unit)));
    v128.store(out, f32x4.demote_f64x2_zero(f64x2.mul(high, unit)), 8);
  }
}
