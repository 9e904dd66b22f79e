/**
 * One layer of a perceptron for many columns at once: out[unit][column] = bias[unit] + Σ_k weight[unit][k] · x[k][column], in float32 and
 * in the order of k, negative sums as 0 where `rectify` is not 0.
 *
 * @param columns a multiple of 16
 * @param units a multiple of 2
 */
export function dense(
  x: usize,
  columns: i32,
  inputs: i32,
  weights: usize,
  biases: usize,
  units: i32,
  out: usize,
  rectify: i32,
): void {
  const stride = (<usize>columns) << 2;
  const row = (<usize>inputs) << 2;
  const least = f32x4.splat(rectify !== 0 ? 0 : -Infinity);
  for (let column: usize = 0; column < stride; column += 64) {
    for (let unit = 0; unit < units; unit += 2) {
      let w = weights + <usize>unit * row;
      const end = w + row;
      let from = x + column;
      let a0 = v128.load32_splat(biases + ((<usize>unit) << 2));
      let a1 = a0;
      let a2 = a0;
      let a3 = a0;
      let b0 = v128.load32_splat(biases + ((<usize>unit) << 2), 4);
      let b1 = b0;
      let b2 = b0;
      let b3 = b0;
      for (; w < end; w += 4) {
        const one = v128.load32_splat(w);
        const two = v128.load32_splat(w + row);
        const x0 = v128.load(from);
        const x1 = v128.load(from, 16);
        const x2 = v128.load(from, 32);
        const x3 = v128.load(from, 48);
        a0 = f32x4.add(a0, f32x4.mul(one, x0));
        a1 = f32x4.add(a1, f32x4.mul(one, x1));
        a2 = f32x4.add(a2, f32x4.mul(one, x2));
        a3 = f32x4.add(a3, f32x4.mul(one, x3));
        b0 = f32x4.add(b0, f32x4.mul(two, x0));
        b1 = f32x4.add(b1, f32x4.mul(two, x1));
        b2 = f32x4.add(b2, f32x4.mul(two, x2));
        b3 = f32x4.add(b3, f32x4.mul(two, x3));
        from += stride;
      }
      const to = out + <usize>unit * stride + column;
      v128.store(to, f32x4.max(a0, least));
      v128.store(to, f32x4.max(a1, least), 16);
      v128.store(to, f32x4.max(a2, least), 32);
      v128.store(to, f32x4.max(a3, least), 48);
      const next = to + stride;
      v128.store(next, f32x4.max(b0, least));
      v128.store(next, f32x4.max(b1, least), 16);
      v128.store(next, f32x4.max(b2, least), 32);
      v128.store(next, f32x4.max(b3, least), 48);
    }
  }
}
