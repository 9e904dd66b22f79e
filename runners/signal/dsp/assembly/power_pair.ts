import { transformPair } from "./pair_fft";

/**
 * Power spectra of two real frames at once: both ride on one complex transform of float32 values, Stockham's form in steps of four.
 *
 * `real` and `imaginary` hold the frames and are overwritten, as is the room of the same size after each; `window` has `size` weights for both.
 * `turns` holds, for k below size / 4, cos(2πk/size), cos(4πk/size), cos(6πk/size) and the negative sines of the same, six rows of size / 4.
 * `first` and `second` take `count` float64 powers each, size / 2 + 1 at most, and one more. `size` is a power of two from 64 on.
 */
export function powerPair(
  real: usize,
  imaginary: usize,
  window: usize,
  turns: usize,
  size: i32,
  count: i32,
  first: usize,
  second: usize,
): void {
  const bytes = (<usize>size) << 2;
  for (let n: usize = 0; n < bytes; n += 16) {
    const weights = v128.load(window + n);
    v128.store(real + n, f32x4.mul(weights, v128.load(real + n)));
    v128.store(imaginary + n, f32x4.mul(weights, v128.load(imaginary + n)));
  }
  const at = transformPair(real, imaginary, turns, size);
  powers(real + at, imaginary + at, size, count, first, second);
}

/** Takes the two spectra apart: the even part of the transform is the first frame's, the odd part the second's. */
function powers(real: usize, imaginary: usize, size: i32, count: i32, first: usize, second: usize): void {
  const r0 = <f64>load<f32>(real);
  const i0 = <f64>load<f32>(imaginary);
  store<f64>(first, r0 * r0);
  store<f64>(second, i0 * i0);
  const quarter = f64x2.splat(0.25);
  for (let k = 1; k < count; k += 2) {
    const low = (<usize>k) << 2;
    const high = (<usize>(size - k - 1)) << 2;
    const a = f64x2.promote_low_f32x4(v128.load64_zero(real + low));
    const b = f64x2.promote_low_f32x4(v128.load64_zero(imaginary + low));
    const c = f64x2.promote_low_f32x4(exchanged(v128.load64_zero(real + high)));
    const d = f64x2.promote_low_f32x4(exchanged(v128.load64_zero(imaginary + high)));
    const to = (<usize>k) << 3;
    v128.store(first + to, f64x2.mul(quarter, squares(f64x2.add(a, c), f64x2.sub(b, d))));
    v128.store(second + to, f64x2.mul(quarter, squares(f64x2.add(b, d), f64x2.sub(a, c))));
  }
}

/** The first two lanes in the other order. */
function exchanged(x: v128): v128 {
  return v128.shuffle<f32>(x, x, 1, 0, 2, 3);
}

function squares(x: v128, y: v128): v128 {
  return f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y));
}
