/**
 * One layer of a perceptron in words of 16 bits for many columns at once: sum[unit][column] = bias[unit] + fixed[unit][column]
 * + Σ_k weight[unit][k] · x[k][column], in 32 bits, which the caller's scales must not leave.
 *
 * What goes in, and what comes out of a hidden layer, lies in pairs: [k / 2][column][2]. A hidden layer's sums are
 * divided by 2^shift, rounded half up, and held between 0 and 32767. The last layer's (`shift` below 0) are times
 * 2^shift in float32, [unit][column].
 *
 * @param columns a multiple of 16
 * @param fixed 0 where there is none
 * @param units a multiple of 2
 */
export function denseWords(
  x: usize,
  columns: i32,
  pairs: i32,
  weights: usize,
  biases: usize,
  fixed: usize,
  units: i32,
  out: usize,
  shift: i32,
): void {
  const stride = (<usize>columns) << 2;
  const row = (<usize>pairs) << 2;
  const scale = f32x4.splat(reinterpret<f32>((127 + min(shift, 0)) << 23));
  const half = i32x4.splat(shift > 0 ? 1 << (shift - 1) : 0);
  const zero = i32x4.splat(0);
  for (let column: usize = 0; column < stride; column += 64) {
    for (let unit = 0; unit < units; unit += 2) {
      let w = weights + <usize>unit * row;
      const end = w + row;
      let from = x + column;
      let a0 = v128.load32_splat(biases + ((<usize>unit) << 2));
      let b0 = v128.load32_splat(biases + ((<usize>unit) << 2), 4);
      let a1 = a0;
      let a2 = a0;
      let a3 = a0;
      let b1 = b0;
      let b2 = b0;
      let b3 = b0;
      if (fixed !== 0) {
        const here = fixed + <usize>unit * stride + column;
        a0 = i32x4.add(a0, v128.load(here));
        a1 = i32x4.add(a1, v128.load(here, 16));
        a2 = i32x4.add(a2, v128.load(here, 32));
        a3 = i32x4.add(a3, v128.load(here, 48));
        b0 = i32x4.add(b0, v128.load(here + stride));
        b1 = i32x4.add(b1, v128.load(here + stride, 16));
        b2 = i32x4.add(b2, v128.load(here + stride, 32));
        b3 = i32x4.add(b3, v128.load(here + stride, 48));
      }
      for (; w < end; w += 4) {
        const one = v128.load32_splat(w);
        const two = v128.load32_splat(w + row);
        const x0 = v128.load(from);
        const x1 = v128.load(from, 16);
        const x2 = v128.load(from, 32);
        const x3 = v128.load(from, 48);
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(one, x0));
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(one, x1));
        a2 = i32x4.add(a2, i32x4.dot_i16x8_s(one, x2));
        a3 = i32x4.add(a3, i32x4.dot_i16x8_s(one, x3));
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(two, x0));
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(two, x1));
        b2 = i32x4.add(b2, i32x4.dot_i16x8_s(two, x2));
        b3 = i32x4.add(b3, i32x4.dot_i16x8_s(two, x3));
        from += stride;
      }
      const to = out + <usize>unit * stride + column;
      if (shift < 0) {
        const next = to + stride;
        v128.store(to, f32x4.mul(f32x4.convert_i32x4_s(a0), scale));
        v128.store(to, f32x4.mul(f32x4.convert_i32x4_s(a1), scale), 16);
        v128.store(to, f32x4.mul(f32x4.convert_i32x4_s(a2), scale), 32);
        v128.store(to, f32x4.mul(f32x4.convert_i32x4_s(a3), scale), 48);
        v128.store(next, f32x4.mul(f32x4.convert_i32x4_s(b0), scale));
        v128.store(next, f32x4.mul(f32x4.convert_i32x4_s(b1), scale), 16);
        v128.store(next, f32x4.mul(f32x4.convert_i32x4_s(b2), scale), 32);
        v128.store(next, f32x4.mul(f32x4.convert_i32x4_s(b3), scale), 48);
        continue;
      }
      // A pair of units is one row of pairs.
      const pair = out + <usize>(unit >> 1) * stride + column;
      storePairs(
        pair,
        settle(a0, half, zero, shift),
        settle(a1, half, zero, shift),
        settle(b0, half, zero, shift),
        settle(b1, half, zero, shift),
      );
      storePairs(
        pair + 32,
        settle(a2, half, zero, shift),
        settle(a3, half, zero, shift),
        settle(b2, half, zero, shift),
        settle(b3, half, zero, shift),
      );
    }
  }
}

function settle(sum: v128, half: v128, zero: v128, shift: i32): v128 {
  return i32x4.shr_s(i32x4.add(i32x4.max_s(sum, zero), half), shift);
}

function storePairs(to: usize, a0: v128, a1: v128, b0: v128, b1: v128): void {
  const a = i16x8.narrow_i32x4_s(a0, a1);
  const b = i16x8.narrow_i32x4_s(b0, b1);
  v128.store(to, v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to, v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15), 16);
}
