/**
 * A convolution over rows of float32 features: out[row][o] = bias[o] + Σ over taps t and inputs i of in[row + t · dilation][i] · kernel[o / 4][t][i][o % 4].
 *
 * `samples` begins with the row that the first tap of output row 0 reads; `rows` is a multiple of 4, and `groups` counts the outputs by fours,
 * of which each row of `out` holds all.
 */
export function convolveRows(
  samples: usize,
  rows: i32,
  taps: i32,
  inputs: i32,
  dilation: i32,
  kernel: usize,
  bias: usize,
  groups: i32,
  out: usize,
): void {
  const width = (<usize>inputs) << 2;
  const pitch = (<usize>groups) << 4;
  for (let row = 0; row < rows; row += 4) {
    for (let group = 0; group < groups; group++) {
      const base = v128.load(bias + ((<usize>group) << 4));
      let a = base;
      let b = base;
      let c = base;
      let d = base;
      let weight = kernel + ((<usize>(group * taps * inputs)) << 4);
      for (let tap = 0; tap < taps; tap++) {
        let x = samples + <usize>(row + tap * dilation) * width;
        for (let i = 0; i < inputs; i++) {
          const w = v128.load(weight);
          a = f32x4.add(a, f32x4.mul(v128.load32_splat(x), w));
          b = f32x4.add(b, f32x4.mul(v128.load32_splat(x + width), w));
          c = f32x4.add(c, f32x4.mul(v128.load32_splat(x + 2 * width), w));
          d = f32x4.add(d, f32x4.mul(v128.load32_splat(x + 3 * width), w));
          x += 4;
          weight += 16;
        }
      }
      const to = out + <usize>row * pitch + ((<usize>group) << 4);
      v128.store(to, a);
      v128.store(to + pitch, b);
      v128.store(to + 2 * pitch, c);
      v128.store(to + 3 * pitch, d);
    }
  }
}
