/**
 * The logarithm to base 2 of what is not negative, right to 3 · 10^-6; at most -126 below the smallest normal value. As
 * `log2` of ../log2.ts.
 */
export function log2(x: v128): v128 {
  const exponent = f32x4.convert_i32x4_s(i32x4.sub(i32x4.shr_u(x, 23), i32x4.splat(127)));
  const mantissa = v128.or(v128.and(x, i32x4.splat(0x7fffff)), i32x4.splat(0x3f800000));
  const part = f32x4.sub(mantissa, f32x4.splat(1));
  let sum = f32x4.add(f32x4.splat(-0.0959560841), f32x4.mul(part, f32x4.splat(0.0258412654)));
  sum = f32x4.add(f32x4.splat(0.181948624), f32x4.mul(part, sum));
  sum = f32x4.add(f32x4.splat(-0.275600244), f32x4.mul(part, sum));
  sum = f32x4.add(f32x4.splat(0.442544938), f32x4.mul(part, sum));
  const bend = f32x4.mul(f32x4.mul(part, f32x4.sub(f32x4.splat(1), part)), sum);
  return f32x4.add(exponent, f32x4.add(part, bend));
}
