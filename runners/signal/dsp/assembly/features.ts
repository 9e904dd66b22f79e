import { log2 } from "./log2";

/** The sum of the squares of `count` values, a multiple of 4. */
export function energyOf(values: usize, count: i32): f64 {
  let sum = f32x4.splat(0);
  const end = values + ((<usize>count) << 2);
  for (let at = values; at < end; at += 16) {
    const x = v128.load(at);
    sum = f32x4.add(sum, f32x4.mul(x, x));
  }
  const low = f64x2.promote_low_f32x4(sum);
  const high = f64x2.promote_low_f32x4(v128.shuffle<i32>(sum, sum, 2, 3, 2, 3));
  const both = f64x2.add(low, high);
  return f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
}

/**
 * What a frame's spectrum is in bytes, as runners/models/families/bands/features.ts says: four rows of `bins`.
 *
 * @param spectrum left real, left imaginary, right real, right imaginary, `bins` each, a multiple of 16
 * @param scale of an energy before its logarithm, to which `least` is added
 * @param steps of a level's byte in a doubling
 * @param zero byte of a level of 1
 * @param floor what is added to an energy by which others are divided
 */
export function features(
  spectrum: usize,
  bins: i32,
  scale: f32,
  least: f32,
  steps: f32,
  zero: f32,
  floor: f32,
  out: usize,
): void {
  const row = (<usize>bins) << 2;
  for (let bin: usize = 0; bin < <usize>bins; bin += 4) {
    const at = spectrum + (bin << 2);
    const a = v128.load(at);
    const b = v128.load(at + row);
    const c = v128.load(at + 2 * row);
    const d = v128.load(at + 3 * row);
    const left = f32x4.add(f32x4.mul(a, a), f32x4.mul(b, b));
    const right = f32x4.add(f32x4.mul(c, c), f32x4.mul(d, d));
    const alike = f32x4.add(f32x4.mul(a, c), f32x4.mul(b, d));
    const twice = f32x4.add(alike, alike);
    const both = f32x4.add(left, right);
    const part = f32x4.div(f32x4.splat(127.5), f32x4.add(both, f32x4.splat(floor)));
    const to = out + bin;
    storeByte(to, level(f32x4.add(both, twice), scale, least, steps, zero));
    storeByte(to + <usize>bins, level(f32x4.sub(both, twice), scale, least, steps, zero));
    storeByte(to + 2 * <usize>bins, f32x4.add(f32x4.mul(f32x4.sub(left, right), part), f32x4.splat(128)));
    storeByte(to + 3 * <usize>bins, f32x4.add(f32x4.mul(twice, part), f32x4.splat(128)));
  }
}

function level(energy: v128, scale: f32, least: f32, steps: f32, zero: f32): v128 {
  const bottom = f32x4.splat(least);
  const told = f32x4.max(f32x4.add(f32x4.mul(energy, f32x4.splat(scale)), bottom), bottom);
  return f32x4.add(f32x4.mul(log2(told), f32x4.splat(steps)), f32x4.splat(zero));
}

/** Rounded, from 0 to 255. */
function storeByte(to: usize, x: v128): void {
  const words = i32x4.trunc_sat_f32x4_s(f32x4.nearest(x));
  const halves = i16x8.narrow_i32x4_s(words, words);
  v128.store32_lane(to, i8x16.narrow_i16x8_u(halves, halves), 0);
}
